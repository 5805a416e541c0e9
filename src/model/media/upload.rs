//! Which files may be uploaded, by their size, their name and their first bytes.

use std::fmt;

use crate::model::media::FileType;
use crate::model::media::fitting;

/// The largest file that can be uploaded, unless an operator says otherwise.
const FILE_BYTES_MAX: u64 = 100 * 1024 * 1024;

/// The largest SVG: it is read whole to be cleaned.
const SVG_BYTES_MAX: u64 = 4 * 1024 * 1024;

/// What an operator can decide about uploads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UploadRules {
    /// The largest file, in bytes.
    pub file_bytes_max: u64,
    /// The most files at once.
    pub files_max: usize,
    /// The MIME types that are taken, such as `image/png` or `image/*`, of those that this server
    /// knows at all; none for all of them.
    pub types: Vec<String>,
}

impl Default for UploadRules {
    fn default() -> Self {
        UploadRules { file_bytes_max: FILE_BYTES_MAX, files_max: 64, types: Vec::new() }
    }
}

/// Why a file is not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// There is nothing in it.
    Empty,
    /// It is larger than this many bytes.
    TooLarge(u64),
    /// Its bytes are of no type that is taken, or not of the type its name says.
    Type,
    /// It says it is a picture and is none that can be read.
    Image(&'static str),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Empty => f.write_str("This file is empty."),
            Refusal::TooLarge(max) => {
                write!(f, "This file is too large: {} the most.", amount(*max))
            }
            Refusal::Type => f.write_str("Files of this type cannot be uploaded."),
            Refusal::Image(reason) => f.write_str(reason),
        }
    }
}

/// So many bytes in words, in the largest unit of which there is a whole number.
fn amount(bytes: u64) -> String {
    const KIB: u64 = 1024;
    const MIB: u64 = 1024 * KIB;
    match bytes {
        1 => "1 byte is".to_owned(),
        _ if bytes >= MIB && bytes.is_multiple_of(MIB) => format!("{} MiB is", bytes / MIB),
        _ if bytes >= KIB && bytes.is_multiple_of(KIB) => format!("{} KiB is", bytes / KIB),
        _ => format!("{bytes} bytes are"),
    }
}

impl UploadRules {
    /// The type of a file that may be taken in, by what its owner calls it, its size in bytes and
    /// its first bytes (512, or all there are).
    pub fn judge(&self, original: &str, size: u64, head: &[u8]) -> Result<FileType, Refusal> {
        if size == 0 {
            return Err(Refusal::Empty);
        }
        let extension = original.rsplit_once('.').map_or("", |(_, extension)| extension);
        let found = fitting(extension, head).filter(|it| self.allows(it.mime));
        let found = found.ok_or(Refusal::Type)?;
        let max = match found.mime {
            "image/svg+xml" => self.file_bytes_max.min(SVG_BYTES_MAX),
            _ => self.file_bytes_max,
        };
        if size > max { Err(Refusal::TooLarge(max)) } else { Ok(found) }
    }

    /// Whether files of a type are taken.
    pub fn allows(&self, mime: &str) -> bool {
        let fits = |pattern: &String| match pattern.strip_suffix('*') {
            Some(family) => mime.starts_with(family),
            None => mime == pattern,
        };
        self.types.is_empty() || self.types.iter().any(fits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_told_as_they_are() {
        let check = |max: u64, expect: &str| {
            let told = Refusal::TooLarge(max).to_string();
            assert_eq!(told, format!("This file is too large: {expect} the most."));
        };
        check(FILE_BYTES_MAX, "100 MiB is");
        check(1536 * 1024, "1536 KiB is");
        check(3000, "3000 bytes are");
        check(1, "1 byte is");
        check(0, "0 bytes are");
    }

    #[test]
    fn what_may_be_uploaded() {
        let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".as_slice();
        let images = UploadRules {
            file_bytes_max: 1000,
            types: vec!["image/*".into(), "text/csv".into()],
            ..UploadRules::default()
        };
        let any = UploadRules::default();
        let check = |rules: &UploadRules, name: &str, size: u64, head: &[u8], expect: &str| {
            let found = match rules.judge(name, size, head) {
                Ok(found) => found.extension.to_string(),
                Err(refusal) => format!("{refusal:?}"),
            };
            assert_eq!(found, expect, "{name}");
        };
        check(&any, "a.JPG", 20, png, "png");
        check(&any, "a.png", 0, b"", "Empty");
        check(&any, "a.png", FILE_BYTES_MAX, png, "png");
        check(&any, "a.png", FILE_BYTES_MAX + 1, png, "TooLarge(104857600)");
        check(&any, "a.svg", SVG_BYTES_MAX + 1, b"<svg>", "TooLarge(4194304)");
        check(&any, "a.html", 20, b"<html>", "Type");
        check(&any, "html", 20, b"<html>", "Type");
        check(&images, "a.png", 1000, png, "png");
        check(&images, "a.png", 1001, png, "TooLarge(1000)");
        check(&images, "a.csv", 3, b"a,b", "csv");
        check(&images, "a.txt", 3, b"a,b", "Type");
        check(&images, "a.csv", 9, b"%PDF-1.7\0", "Type");
    }
}
