//! The source of an import: files by path, wherever they are. A source comes from outside, so
//! nothing in it is followed, unpacked to its own path, or larger than its limits.

mod folder_source;
mod single_source;
mod tar_source;
pub mod uploaded_source;
mod zip_source;

use std::fs::File;
use std::io;
use std::io::Read;
use std::io::Seek;
use std::io::SeekFrom;
use std::path::Component;
use std::path::Path;

pub use crate::store::source::folder_source::FolderSource;
pub use crate::store::source::single_source::SingleSource;
pub use crate::store::source::tar_source::TarSource;
pub use crate::store::source::zip_source::ZipSource;

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

/// The names of folders that no content is in.
const JUNK_FOLDERS: &[&str] = &[".git", ".svn", ".hg", "node_modules", "__MACOSX"];

/// The names of files that systems leave in folders.
const JUNK_FILES: &[&str] = &[".DS_Store", "Thumbs.db", "desktop.ini"];

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

/// Opens an archive, or a file by itself; which of them it is shows in its first bytes. `name` is
/// how the file is called.
pub fn open_file(
    mut file: File,
    name: &str,
    limits: SourceLimits,
    make_file: MakeFile<'_>,
) -> io::Result<Box<dyn ImportSource>> {
    let mut head = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    (&mut file).take(HEAD_BYTES).read_to_end(&mut head)?;
    if head.starts_with(b"PK\x03\x04") || head.starts_with(b"PK\x05\x06") {
        return Ok(Box::new(ZipSource::open(file, limits)?));
    }
    if head.starts_with(b"\x1f\x8b") {
        return Ok(Box::new(TarSource::open_compressed(file, limits, make_file)?));
    }
    if head.get(TAR_MARK_AT..).is_some_and(|it| it.starts_with(b"ustar")) {
        return Ok(Box::new(TarSource::open(file, limits)?));
    }
    Ok(Box::new(SingleSource::open(file, name)?))
}

/// The bytes by which an archive is recognized.
const HEAD_BYTES: u64 = 512;

/// The place of the mark of a tar archive.
const TAR_MARK_AT: usize = 257;

/// Returns a name in an archive as a path of the source; `None` if it leads out of it.
fn to_source_path(name: &str) -> Option<String> {
    let mut steps = Vec::new();
    for step in Path::new(name).components() {
        match step {
            Component::Normal(step) => steps.push(step.to_str()?),
            Component::CurDir => {}
            _ => return None,
        }
    }
    (!steps.is_empty()).then(|| steps.join("/"))
}

/// Returns true if a file at this path is of a system or a tool, and no content.
fn is_junk(path: &str) -> bool {
    let mut steps = path.rsplit('/');
    steps.next().is_some_and(|it| JUNK_FILES.contains(&it))
        || steps.any(|it| JUNK_FOLDERS.contains(&it))
}

fn too_many(limits: SourceLimits) -> io::Error {
    io::Error::other(format!("it has more than {} files", limits.files))
}

fn too_large(limits: SourceLimits) -> io::Error {
    let mib = limits.unpacked_bytes / 1024 / 1024;
    io::Error::other(format!("it has more than {mib} MiB when it is decompressed"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_in_the_archive() {
        let check = |name: &str, expect: Option<&str>| {
            assert_eq!(to_source_path(name).as_deref(), expect, "{name}");
        };
        check("a/b.json", Some("a/b.json"));
        check("./a/./b", Some("a/b"));
        check("../a", None);
        check("a/../../b", None);
        check("/etc/passwd", None);
        check(".", None);
    }

    #[test]
    fn what_systems_leave_behind_is_no_content() {
        let check = |path: &str, expect: bool| assert_eq!(is_junk(path), expect, "{path}");
        check("a/b.md", false);
        check(".DS_Store", true);
        check("a/.git/HEAD", true);
        check("__MACOSX/a/._b.md", true);
        check("a.git/b.md", false);
    }
}
