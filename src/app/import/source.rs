//! The source of an import: files by path, wherever they are.

use std::io;

use crate::engine::file_set::ContentSource;

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

/// The files of an import.
pub trait ImportSource: ContentSource {
    /// The files, in the order of their paths.
    fn files(&self) -> &[SourceFile];

    /// The names that are left out, each with the reason.
    fn left_out(&self) -> &[(String, String)];

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
