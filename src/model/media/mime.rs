//! MIME types of media files, detected by content and name, and the types that may be shown in a
//! page.

use crate::model::media::media_item::MediaItem;
use crate::model::name::Filename;

/// The MIME type of files of unknown type: served as a download, never shown.
pub(super) const UNKNOWN_MIME: &str = "application/octet-stream";

/// Every type of file that can be uploaded, by extension. Pages, scripts and programs are excluded
/// on purpose.
const TYPES: &[(&str, &str)] = &[
    ("jpg", "image/jpeg"),
    ("jpeg", "image/jpeg"),
    ("png", "image/png"),
    ("gif", "image/gif"),
    ("webp", "image/webp"),
    ("avif", "image/avif"),
    ("svg", "image/svg+xml"),
    ("ico", "image/x-icon"),
    ("mp4", "video/mp4"),
    ("m4v", "video/mp4"),
    ("webm", "video/webm"),
    ("mov", "video/quicktime"),
    ("ogv", "video/ogg"),
    ("mkv", "video/x-matroska"),
    ("avi", "video/x-msvideo"),
    ("mpg", "video/mpeg"),
    ("mpeg", "video/mpeg"),
    ("mp3", "audio/mpeg"),
    ("m4a", "audio/mp4"),
    ("aac", "audio/aac"),
    ("ogg", "audio/ogg"),
    ("oga", "audio/ogg"),
    ("opus", "audio/ogg"),
    ("wav", "audio/wav"),
    ("flac", "audio/flac"),
    ("pdf", "application/pdf"),
    ("txt", "text/plain"),
    ("csv", "text/csv"),
    ("md", "text/markdown"),
    ("json", "application/json"),
    ("rtf", "application/rtf"),
    ("epub", "application/epub+zip"),
    ("doc", "application/msword"),
    ("docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
    ("xls", "application/vnd.ms-excel"),
    ("xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    ("ppt", "application/vnd.ms-powerpoint"),
    ("pptx", "application/vnd.openxmlformats-officedocument.presentationml.presentation"),
    ("odt", "application/vnd.oasis.opendocument.text"),
    ("ods", "application/vnd.oasis.opendocument.spreadsheet"),
    ("odp", "application/vnd.oasis.opendocument.presentation"),
    ("zip", "application/zip"),
    ("gz", "application/gzip"),
    ("tgz", "application/gzip"),
    ("tar", "application/x-tar"),
    ("bz2", "application/x-bzip2"),
    ("xz", "application/x-xz"),
    ("zst", "application/zstd"),
    ("7z", "application/x-7z-compressed"),
    ("rar", "application/vnd.rar"),
    ("woff", "font/woff"),
    ("woff2", "font/woff2"),
    ("ttf", "font/ttf"),
    ("otf", "font/otf"),
];

/// The classes of files, as users see them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MediaClass {
    /// Images.
    Image,
    /// Videos.
    Video,
    /// Audio files.
    Audio,
    /// Texts, tables and slides.
    Document,
    /// Archives with several files.
    Archive,
    /// Anything else.
    Other,
}

impl MediaClass {
    /// Returns the class with this name.
    pub fn parse(text: &str) -> Option<MediaClass> {
        Some(match text {
            "image" => MediaClass::Image,
            "video" => MediaClass::Video,
            "audio" => MediaClass::Audio,
            "document" => MediaClass::Document,
            "archive" => MediaClass::Archive,
            "other" => MediaClass::Other,
            _ => return None,
        })
    }

    /// Returns the class of a MIME type.
    pub fn from_mime(mime: &str) -> MediaClass {
        const ARCHIVES: &[&str] =
            &["zip", "gzip", "x-tar", "x-bzip2", "x-xz", "zstd", "x-7z-compressed", "vnd.rar"];
        match mime.split_once('/') {
            Some(("image", _)) => MediaClass::Image,
            Some(("video", _)) => MediaClass::Video,
            Some(("audio", _)) => MediaClass::Audio,
            Some(("text", _)) => MediaClass::Document,
            Some(("application", name)) if ARCHIVES.contains(&name) => MediaClass::Archive,
            Some(("application", _)) if mime != UNKNOWN_MIME => MediaClass::Document,
            _ => MediaClass::Other,
        }
    }
}

/// Returns the MIME type of a file extension, if files of that type can be uploaded.
pub fn mime_by_extension(extension: &str) -> Option<&'static str> {
    type_by_extension(extension).map(|row| row.mime)
}

/// Returns the MIME type of a file by its first bytes (about 300 suffice), which take precedence
/// over its extension: a file that is shown in a page must be what its name says. Texts have no
/// signature, and files that are only ever downloaded do no harm under a wrong name; for these the
/// extension decides.
pub fn detect_mime(filename: &Filename, head: &[u8]) -> &'static str {
    let claimed = mime_by_extension(filename.extension());
    let found = sniff_mime(head);
    match (claimed, found) {
        (Some(claimed), _) if is_text(claimed) => claimed,
        (Some(claimed), Some(found)) if is_same_kind(claimed, found) => claimed,
        (_, Some(found)) if MediaClass::from_mime(found) == MediaClass::Image => {
            type_by_mime(found).map_or(UNKNOWN_MIME, |row| row.mime)
        }
        (Some(claimed), _) if !is_shown_inline(claimed) => claimed,
        _ => UNKNOWN_MIME,
    }
}

/// Returns true if a browser may show the file in place; all others are offered as downloads.
/// Images that can contain scripts (SVG) are not shown on their own, but they work inside a page.
pub fn is_shown_inline(mime: &str) -> bool {
    match MediaClass::from_mime(mime) {
        MediaClass::Image => mime != "image/svg+xml",
        MediaClass::Video | MediaClass::Audio => true,
        _ => matches!(mime, "application/pdf" | "text/plain"),
    }
}

fn is_text(mime: &str) -> bool {
    mime.starts_with("text/") || matches!(mime, "application/json" | "image/svg+xml")
}

/// Returns true if two types match. Audio and video files share their containers; other types must
/// be equal.
fn is_same_kind(claimed: &str, found: &str) -> bool {
    let plays = |mime| matches!(MediaClass::from_mime(mime), MediaClass::Video | MediaClass::Audio);
    claimed == found || (plays(claimed) && plays(found))
}

/// A type of file with one of its extensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileType {
    /// The MIME type.
    pub mime: &'static str,
    /// The extension in lower case.
    pub extension: &'static str,
}

/// Types that share a container format. Their first bytes often identify only the container, so the
/// extension decides.
const FAMILIES: &[&[&str]] = &[
    &["video/mp4", "video/quicktime", "audio/mp4"],
    &["video/ogg", "audio/ogg"],
    &["video/webm", "video/x-matroska"],
    &[
        "application/zip",
        "application/epub+zip",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        "application/vnd.oasis.opendocument.text",
        "application/vnd.oasis.opendocument.spreadsheet",
        "application/vnd.oasis.opendocument.presentation",
    ],
    &[
        "application/x-ole-storage",
        "application/msword",
        "application/vnd.ms-excel",
        "application/vnd.ms-powerpoint",
    ],
];

/// Returns the type under which an upload with this extension and these first bytes (about 512) is
/// accepted, or `None` if the bytes match no type in the table.
///
/// Stricter than [`detect_mime`], which has to handle existing files: a type with a signature must
/// show it. A text has none, so a `.txt` file may contain any text: it is served as `text/plain`
/// with `nosniff`, so HTML in it is displayed as source and never runs. Rejecting HTML would reject
/// Markdown with tags in it and protect nobody.
pub fn detect_upload_type(extension: &str, head: &[u8]) -> Option<FileType> {
    let claimed = type_by_extension(extension);
    let is_text = reads_as_text(head);
    match claimed {
        Some(row) if is_text && is_text_by_name(row.mime) && !has_signature(head) => {
            return Some(row);
        }
        _ if is_text && is_svg(head) => return type_by_mime("image/svg+xml"),
        _ => {}
    }
    let found = sniff_mime(head)?;
    let related = |mime| FAMILIES.iter().any(|it| it.contains(&mime) && it.contains(&found));
    claimed.filter(|row| row.mime == found || related(row.mime)).or_else(|| type_by_mime(found))
}

/// Returns the extension of a file that is renamed to `wish`: the one in `wish` if it belongs to
/// the file's type, otherwise the current one.
pub fn choose_extension<'a>(item: &'a MediaItem, wish: &str) -> &'a str {
    let asked = wish.rsplit_once('.').and_then(|(_, extension)| type_by_extension(extension));
    match asked.filter(|row| row.mime == item.mime) {
        Some(row) => row.extension,
        None => match item.filename.extension() {
            "" => "bin",
            known => type_by_extension(known).map_or(known, |row| row.extension),
        },
    }
}

/// Returns true for text formats with a signature, which must not be uploaded as plain text.
fn has_signature(head: &[u8]) -> bool {
    head.starts_with(b"%PDF-") || head.starts_with(b"{\\rtf")
}

fn is_text_by_name(mime: &str) -> bool {
    is_text(mime) && mime != "image/svg+xml"
}

/// Returns the type that the first bytes indicate, in the notation of the table.
fn sniff_mime(head: &[u8]) -> Option<&'static str> {
    match infer::get(head) {
        // An extension has one type in the table and several names in the library.
        Some(found) => Some(mime_by_extension(found.extension()).unwrap_or(found.mime_type())),
        None if is_base_media(head) => Some("video/mp4"),
        None => None,
    }
}

/// Returns true for video or audio of a brand that the library does not know; images have brands of
/// their own.
fn is_base_media(head: &[u8]) -> bool {
    const PICTURES: &[&[u8]] = &[b"mif1", b"msf1", b"heic", b"heix", b"hevc", b"avif", b"avis"];
    let brand = head.strip_prefix(b"\0\0\0").and_then(|it| it.get(1..)?.strip_prefix(b"ftyp"));
    let brand = brand.and_then(|it| it.get(..4));
    brand.is_some_and(|it| {
        !PICTURES.contains(&it) && it.iter().all(|byte| byte.is_ascii_graphic() || *byte == b' ')
    })
}

/// Returns true if the bytes contain nothing that texts do not contain, in any script or encoding.
fn reads_as_text(head: &[u8]) -> bool {
    let utf16 = head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff");
    let odd = |byte: &u8| byte.is_ascii_control() && !b"\t\n\r\x0c".contains(byte);
    utf16 || !head.iter().any(odd)
}

/// Returns true if the first element of an XML text is `<svg>`.
fn is_svg(head: &[u8]) -> bool {
    let text = String::from_utf8_lossy(head);
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let prolog = ["<?xml", "<!--", "<!DOCTYPE svg"].iter().any(|it| text.starts_with(it));
    text.starts_with("<svg") || (prolog && text.contains("<svg"))
}

fn type_by_extension(extension: &str) -> Option<FileType> {
    let row = TYPES.iter().find(|(known, _)| known.eq_ignore_ascii_case(extension));
    row.map(|&(extension, mime)| FileType { mime, extension })
}

fn type_by_mime(mime: &str) -> Option<FileType> {
    let row = TYPES.iter().find(|(_, known)| *known == mime);
    row.map(|&(extension, mime)| FileType { mime, extension })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> Filename {
        Filename::parse(text).unwrap()
    }

    #[test]
    fn classes_and_what_is_shown() {
        let check = |extension: &str, class: MediaClass, inline: bool| {
            let mime = mime_by_extension(extension).unwrap_or(UNKNOWN_MIME);
            assert_eq!(MediaClass::from_mime(mime), class, "{extension}");
            assert_eq!(is_shown_inline(mime), inline, "{extension}");
        };
        check("JPG", MediaClass::Image, true);
        check("ico", MediaClass::Image, true);
        check("svg", MediaClass::Image, false);
        check("mov", MediaClass::Video, true);
        check("flac", MediaClass::Audio, true);
        check("pdf", MediaClass::Document, true);
        check("txt", MediaClass::Document, true);
        check("csv", MediaClass::Document, false);
        check("docx", MediaClass::Document, false);
        check("zip", MediaClass::Archive, false);
        check("woff2", MediaClass::Other, false);
        for active in ["html", "htm", "xhtml", "xml", "js", "mjs", "exe", "php", "swf", ""] {
            check(active, MediaClass::Other, false);
        }
    }

    #[test]
    fn bytes_overrule_the_extension() {
        let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR";
        let page = b"<!DOCTYPE html><script>alert(1)</script>";
        let check = |filename: &str, head: &[u8], expect: &str| {
            assert_eq!(detect_mime(&name(filename), head), expect, "{filename}");
        };
        check("a.png", png, "image/png");
        check("a.jpg", png, "image/png");
        check("a.bin", png, "image/png");
        check("a.ico", b"\0\0\x01\0\x01\0", "image/x-icon");
        check("a.png", page, UNKNOWN_MIME);
        check("a.pdf", page, UNKNOWN_MIME);
        check("a.pdf", b"%PDF-1.7", "application/pdf");
        check("a.html", page, UNKNOWN_MIME);
        check("a.txt", page, "text/plain");
        check("a.txt", b"", "text/plain");
        check("a.svg", b"<svg/>", "image/svg+xml");
        check("a.zip", b"PK\x03\x04", "application/zip");
        check("a.wav", b"RIFF\0\0\0\0WAVEfmt ", "audio/wav");
        check("a.mp4", page, UNKNOWN_MIME);
        check("a.bmp", b"BM\0\0\0\0", UNKNOWN_MIME);
        check("plain", b"", UNKNOWN_MIME);
    }

    #[test]
    fn the_extension_fits_the_bytes() {
        let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".as_slice();
        let page = b"<!DOCTYPE html><script>alert(1)</script>".as_slice();
        let svg = b"<svg xmlns='http://www.w3.org/2000/svg'/>".as_slice();
        let zip = b"PK\x03\x04\x14\0\0\0".as_slice();
        let ole = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1".as_slice();
        let film = b"\0\0\0\x18ftypisom\0\0\0\0".as_slice();
        let check = |extension: &str, head: &[u8], expect: Option<&str>| {
            let found = detect_upload_type(extension, head);
            assert_eq!(found.map(|it| it.extension), expect, "{extension} {head:?}");
            if let Some(row) = found {
                let name = name(&format!("a.{}", row.extension));
                assert_eq!(detect_mime(&name, head), row.mime, "{name} is served as what it is");
            }
        };
        check("JPEG", png, Some("png"));
        check("png", png, Some("png"));
        check("", png, Some("png"));
        check("txt", png, Some("png"));
        check("jpeg", b"\xff\xd8\xff\xe0\0\x10JFIF", Some("jpeg"));
        check("pdf", b"%PDF-1.7\n%\xe2\xe3", Some("pdf"));
        check("bin", b"%PDF-1.7\n%\xe2\xe3", Some("pdf"));
        check("txt", b"%PDF-1.7\n%\xe2\xe3", Some("pdf"));
        check("md", b"{\\rtf1 a}", Some("rtf"));
        check("txt", b"%PDF", Some("txt"));
        check("docx", zip, Some("docx"));
        check("zip", zip, Some("zip"));
        check("exe", zip, Some("zip"));
        check("doc", ole, Some("doc"));
        check("msi", ole, None);
        check("mp4", film, Some("mp4"));
        check("m4v", film, Some("m4v"));
        check("mov", film, Some("mov"));
        check("mp4", b"\0\0\0\x18ftypzzz9\0\0\0\0", Some("mp4"));
        check("mp4", b"\0\0\0\x18ftypmif1\0\0\0\0", None);
        check("mp3", b"\xff\xfb\x90\0", Some("mp3"));
        check("mp4", b"ID3\x03\0\0\0", Some("mp3"));
        check("opus", b"OggS\0\x02\0\0", Some("opus"));
        check("woff2", b"wOF2\0\x01\0\0", Some("woff2"));
        check("tgz", b"\x1f\x8b\x08\0", Some("tgz"));
        check("svg", svg, Some("svg"));
        check("png", svg, Some("svg"));
        check("xml", b"\xef\xbb\xbf<?xml version='1.0'?>\n<svg/>", Some("svg"));
        check("svg", page, None);
        check("txt", page, Some("txt"));
        check("md", b"<p align=center>", Some("md"));
        check("txt", svg, Some("txt"));
        check("csv", b"a;b\xe4\n", Some("csv"));
        check("txt", b"\xff\xfea\0", Some("txt"));
        check("txt", b"BMW", Some("txt"));
        check("json", b"{", Some("json"));
        check("html", page, None);
        check("png", page, None);
        check("pdf", page, None);
        check("docx", page, None);
        check("js", b"alert(1)", None);
        check("png", b"alert(1)", None);
        check("txt", b"\x7fELF\x02\x01\x01\0", None);
        check("docx", b"MZ\x90\0", None);
        check("sh", b"#!/bin/sh\n", None);
        check("bmp", b"BM\x36\0\0\0", None);
        check("zip", b"\0\0\0\0", None);
    }
}
