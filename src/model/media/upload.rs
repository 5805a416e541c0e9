//! Upload rules: the allowed sizes and types of media files.

use crate::model::media::mime::FileType;
use crate::model::media::mime::detect_upload_type;
use crate::model::media::mime::mime_by_extension;
use crate::model::sentence::Sentence;
use crate::model::sentence::sentence;

/// The default limit for the size of uploads.
const FILE_BYTES_MAX: u64 = 100 * 1024 * 1024;

/// The maximum size of an SVG, which is loaded completely to be sanitized.
const SVG_BYTES_MAX: u64 = 4 * 1024 * 1024;

/// The operator's limits for uploads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UploadRules {
    /// The maximum size of a file in bytes.
    pub file_bytes_max: u64,
    /// The maximum number of files per request.
    pub files_max: usize,
    /// The accepted MIME types, such as `image/png` or `image/*`. They restrict the types that this
    /// server knows; an empty list accepts all of those.
    pub types: Vec<String>,
}

impl Default for UploadRules {
    fn default() -> Self {
        UploadRules { file_bytes_max: FILE_BYTES_MAX, files_max: 64, types: Vec::new() }
    }
}

/// The reason for rejecting an upload.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UploadRefusal {
    /// The file is empty.
    #[error("This file is empty.")]
    Empty,
    /// The file is larger than this many bytes.
    #[error("{}", too_large(*.0))]
    TooLarge(u64),
    /// The type is not accepted.
    #[error("Files of this type cannot be uploaded.")]
    Type,
    /// The type that the name claims is accepted, but the content is of another one, or damaged.
    #[error("The content of this file does not fit its name. It may be damaged.")]
    Content,
    /// The image cannot be read.
    #[error("{0}")]
    Image(&'static str),
}

impl UploadRefusal {
    /// A picture that cannot be decoded.
    pub const BROKEN_PICTURE: UploadRefusal = UploadRefusal::Image("This picture cannot be read.");
}

impl From<&UploadRefusal> for Sentence {
    fn from(refusal: &UploadRefusal) -> Sentence {
        match refusal {
            UploadRefusal::TooLarge(bytes_max) => too_large(*bytes_max),
            other => other.to_string().into(),
        }
    }
}

fn too_large(bytes_max: u64) -> Sentence {
    sentence!("This file is too large. The maximum is {size}.", size = format_amount(bytes_max))
}

/// Returns a size in words, in the largest unit that divides it.
fn format_amount(bytes: u64) -> String {
    const KIB: u64 = 1024;
    const MIB: u64 = 1024 * KIB;
    match bytes {
        1 => "1 byte".to_owned(),
        _ if bytes >= MIB && bytes.is_multiple_of(MIB) => format!("{} MiB", bytes / MIB),
        _ if bytes >= KIB && bytes.is_multiple_of(KIB) => format!("{} KiB", bytes / KIB),
        _ => format!("{bytes} bytes"),
    }
}

impl UploadRules {
    /// Returns the type of an upload, given its original name, its size in bytes and its first
    /// bytes (512, or all there are). Fails if the file is not allowed.
    pub fn check_file(
        &self,
        original: &str,
        size: u64,
        head: &[u8],
    ) -> Result<FileType, UploadRefusal> {
        if size == 0 {
            return Err(UploadRefusal::Empty);
        }
        let extension = original.rsplit_once('.').map_or("", |(_, extension)| extension);
        let found = detect_upload_type(extension, head).filter(|it| self.allows_mime(it.mime));
        let found = found.ok_or_else(|| {
            let is_accepted =
                mime_by_extension(extension).is_some_and(|claimed| self.allows_mime(claimed));
            if is_accepted { UploadRefusal::Content } else { UploadRefusal::Type }
        })?;
        let max = match found.mime {
            "image/svg+xml" => self.file_bytes_max.min(SVG_BYTES_MAX),
            _ => self.file_bytes_max,
        };
        if size > max { Err(UploadRefusal::TooLarge(max)) } else { Ok(found) }
    }

    /// Returns true if files of a type are accepted.
    pub fn allows_mime(&self, mime: &str) -> bool {
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
            let message = UploadRefusal::TooLarge(max).to_string();
            assert_eq!(message, format!("This file is too large. The maximum is {expect}."));
        };
        check(FILE_BYTES_MAX, "100 MiB");
        check(1536 * 1024, "1536 KiB");
        check(3000, "3000 bytes");
        check(1, "1 byte");
        check(0, "0 bytes");
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
            let found = match rules.check_file(name, size, head) {
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
        check(&images, "a.csv", 9, b"%PDF-1.7\0", "Content");
        check(&any, "a.png", 20, b"not a picture", "Content");
        check(&images, "a.pdf", 20, b"no document", "Type");
    }
}
