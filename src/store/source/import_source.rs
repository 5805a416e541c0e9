//! Every source as a list of files that can be opened.

use std::fs::File;
use std::io;
use std::io::Read;

/// The largest file of a source that is read as text.
pub const TEXT_BYTES_MAX: u64 = 256 * 1024 * 1024;

/// A file of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// The path below the source, with `/`.
    pub path: String,
    /// The size in bytes.
    pub bytes: u64,
}

/// The limits of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceLimits {
    /// The most files.
    pub files: usize,
    /// The most bytes after decompression.
    pub unpacked_bytes: u64,
}

impl SourceLimits {
    /// The limits of a source on this machine.
    pub const LOCAL: SourceLimits = SourceLimits { files: 1_000_000, unpacked_bytes: 1 << 40 };
    /// The limits of a source that was uploaded.
    pub const UPLOADED: SourceLimits = SourceLimits { files: 100_000, unpacked_bytes: 2 << 30 };
}

/// Makes an empty file for what is decompressed, which nobody else opens and which ends with its
/// handle.
pub type MakeFile<'a> = &'a dyn Fn() -> io::Result<File>;

/// A source of the bytes of files that are copied.
pub trait ContentSource {
    /// Opens the file at a path of the source.
    fn open(&self, path: &str) -> io::Result<Box<dyn Read + '_>>;
}

/// The files of an import.
pub trait ImportSource: ContentSource {
    /// The files, in the order of their paths.
    fn files(&self) -> &[SourceFile];

    /// The names that are left out, each with the reason.
    fn left_out(&self) -> &[(String, String)];

    /// Returns true if the files come from an archive, which may have a folder around them.
    fn is_archive(&self) -> bool {
        false
    }

    /// Returns true if the source is a file by itself, and neither a folder nor an archive.
    fn is_single_file(&self) -> bool {
        false
    }

    /// Reads a file. Fails if it has more bytes than `bytes_max`.
    fn read(&self, path: &str, bytes_max: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let mut opened = io::Read::take(self.open(path)?, bytes_max.saturating_add(1));
        io::Read::read_to_end(&mut opened, &mut bytes)?;
        if bytes.len() as u64 > bytes_max {
            let message = format!("it has more than {} MiB", bytes_max / 1024 / 1024);
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
        }
        Ok(bytes)
    }

    /// Reads a file as text, without the byte order mark.
    fn read_text(&self, path: &str, bytes_max: u64) -> io::Result<String> {
        let bytes = self.read(path, bytes_max)?;
        let text = String::from_utf8(bytes).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            let before = error.as_bytes().get(..at).unwrap_or_default();
            let line = before.iter().filter(|it| **it == b'\n').count() + 1;
            io::Error::new(io::ErrorKind::InvalidData, format!("line {line} is not UTF-8"))
        })?;
        Ok(text.strip_prefix('\u{feff}').map(str::to_string).unwrap_or(text))
    }
}

pub(super) fn too_many(limits: SourceLimits) -> io::Error {
    io::Error::other(format!("it has more than {} files", limits.files))
}

pub(super) fn too_large(limits: SourceLimits) -> io::Error {
    let mib = limits.unpacked_bytes / 1024 / 1024;
    io::Error::other(format!("it has more than {mib} MiB when it is decompressed"))
}
