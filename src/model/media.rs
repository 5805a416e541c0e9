//! Media files: what is known of one, what kind of file it is, and which may be shown in a page.

use serde::Serialize;
use serde::Serializer;

use crate::model::category::CategoryPath;
use crate::model::name::Filename;
use crate::model::problem::FieldProblems;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::sum::Sum;
use crate::stdx::time::Timestamp;

/// What a file is taken for when nothing better is known: served as a download, never shown.
pub const UNKNOWN_MIME: &str = "application/octet-stream";

/// Every type of file that can be uploaded, by extension. What is missing here (pages, scripts,
/// programs) is missing on purpose.
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

/// Who may see a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Visibility {
    /// Everybody.
    #[default]
    Public,
    /// Whoever has `media.read` on it.
    Private,
}

impl Visibility {
    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Visibility::Public => "public",
            Visibility::Private => "private",
        }
    }

    /// The visibility of that name.
    pub fn parse(text: &str) -> Option<Visibility> {
        [Visibility::Public, Visibility::Private].into_iter().find(|it| it.as_str() == text)
    }
}

impl Serialize for Visibility {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// What people said about a file: its `media-meta` file, of which everything may be missing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MediaMeta {
    /// The category it is in.
    pub category: Option<CategoryPath>,
    /// What stands for the file where it cannot be seen.
    pub alt: String,
    /// Its title.
    pub title: String,
    /// Who may see it.
    pub visibility: Visibility,
    /// Who uploaded it.
    pub uploaded_by: Option<String>,
    /// When it was uploaded.
    pub uploaded_at: Option<Timestamp>,
}

impl MediaMeta {
    /// Reads a `media-meta` file. Unknown keys are ignored; a visibility that is not understood is
    /// read as private, for it was not written to make the file public, which it is anyway.
    pub fn parse(json: &Json) -> (MediaMeta, FieldProblems) {
        let mut problems = FieldProblems::new();
        let Some(object) = json.as_object() else {
            problems.add("", "This should be an object.");
            return (MediaMeta::unreadable(), problems);
        };
        let mut reader = Reader { object, problems };
        let category = reader.text("category").unwrap_or_default();
        let meta = MediaMeta {
            category: reader.category(category),
            alt: reader.text("alt").unwrap_or_default().to_owned(),
            title: reader.text("title").unwrap_or_default().to_owned(),
            visibility: reader.visibility(),
            uploaded_by: reader.text("uploaded_by").map(str::to_owned),
            uploaded_at: reader.time("uploaded_at"),
        };
        (meta, reader.problems)
    }

    /// What holds while the `media-meta` file is there but cannot be read: nothing is known, and
    /// the file may be one that nobody should see.
    pub fn unreadable() -> MediaMeta {
        MediaMeta { visibility: Visibility::Private, ..MediaMeta::default() }
    }
}

struct Reader<'a> {
    object: &'a Map,
    problems: FieldProblems,
}

impl<'a> Reader<'a> {
    fn text(&mut self, key: &str) -> Option<&'a str> {
        let value = self.object.get(key).filter(|value| **value != Json::Null)?;
        if value.as_str().is_none() {
            self.problems.add(key, format!("This should be a text and is {}.", value.kind()));
        }
        value.as_str()
    }

    fn category(&mut self, text: &str) -> Option<CategoryPath> {
        if text.trim().is_empty() {
            return None;
        }
        match CategoryPath::parse(text) {
            Ok(path) => Some(path),
            Err(error) => {
                self.problems.add("category", error.message());
                None
            }
        }
    }

    fn visibility(&mut self) -> Visibility {
        let said = self.object.get("visibility").filter(|value| **value != Json::Null);
        let Some(value) = said else { return Visibility::Public };
        value.as_str().and_then(Visibility::parse).unwrap_or_else(|| {
            self.problems.add("visibility", "This should be public or private.");
            Visibility::Private
        })
    }

    fn time(&mut self, key: &str) -> Option<Timestamp> {
        let time = Timestamp::parse(self.text(key)?);
        if time.is_none() {
            self.problems.add(key, "This is not a date and time.");
        }
        time
    }
}

/// A media file with all that is known of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MediaItem {
    /// Its name.
    pub filename: Filename,
    /// Its size in bytes.
    pub size: u64,
    /// Its MIME type, one of those in the table here or [`UNKNOWN_MIME`].
    pub mime: &'static str,
    /// The category it is in.
    pub category: Option<CategoryPath>,
    /// What stands for the file where it cannot be seen.
    pub alt: String,
    /// Its title.
    pub title: String,
    /// Who may see it.
    pub visibility: Visibility,
    /// Pixels across, once somebody has looked.
    pub width: Option<u32>,
    /// Pixels down, once somebody has looked.
    pub height: Option<u32>,
    /// Who uploaded it.
    pub uploaded_by: Option<String>,
    /// When it was uploaded; for a file put there by hand, when it was changed.
    pub uploaded_at: Timestamp,
    /// When its bytes were changed.
    pub modified: Timestamp,
    /// Another one whenever the bytes may be others.
    pub etag: Sum,
}

impl MediaItem {
    /// Puts together what the file system and the `media-meta` file say.
    pub fn new(
        filename: Filename,
        mime: &'static str,
        size: u64,
        modified: Timestamp,
        etag: Sum,
        meta: MediaMeta,
    ) -> MediaItem {
        MediaItem {
            mime,
            filename,
            size,
            category: meta.category,
            alt: meta.alt,
            title: meta.title,
            visibility: meta.visibility,
            width: None,
            height: None,
            uploaded_by: meta.uploaded_by,
            uploaded_at: meta.uploaded_at.unwrap_or(modified),
            modified,
            etag,
        }
    }

    /// Whether it is in the category or somewhere below it.
    pub fn is_within(&self, category: &CategoryPath) -> bool {
        self.category.as_ref().is_some_and(|own| own.is_within(category))
    }
}

/// The sorts of files, as people think of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MediaClass {
    /// Pictures.
    Image,
    /// Films.
    Video,
    /// Sound.
    Audio,
    /// Texts, tables, slides.
    Document,
    /// Many files in one.
    Archive,
    /// Anything else.
    Other,
}

impl MediaClass {
    /// The sort of a MIME type.
    fn of(mime: &str) -> MediaClass {
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

/// The MIME type that a file's extension promises, when it is one that can be uploaded.
pub fn mime_by_extension(extension: &str) -> Option<&'static str> {
    let known = TYPES.iter().find(|(known, _)| known.eq_ignore_ascii_case(extension));
    known.map(|(_, mime)| *mime)
}

/// The MIME type of a file by its first bytes (some 300 suffice), which overrule its extension:
/// what would be shown in a page must be what it says. Texts have no marks to be known by, and
/// what is only ever downloaded does no harm under a wrong name; there the extension is believed.
pub fn mime_of(filename: &Filename, head: &[u8]) -> &'static str {
    let said = mime_by_extension(filename.extension());
    let found = infer::get(head).map(|found| canonical(found.mime_type()));
    match (said, found) {
        (Some(said), _) if is_text(said) => said,
        (Some(said), Some(found)) if is_same_kind(said, found) => said,
        (_, Some(found)) if MediaClass::of(found) == MediaClass::Image => known_mime(found),
        (Some(said), _) if !is_shown_inline(said) => said,
        _ => UNKNOWN_MIME,
    }
}

/// Whether a browser may show the file in its place; all others are offered as downloads. Pictures
/// that can hold scripts (SVG) are not shown by themselves, though they still work inside a page.
pub fn is_shown_inline(mime: &str) -> bool {
    match MediaClass::of(mime) {
        MediaClass::Image => mime != "image/svg+xml",
        MediaClass::Video | MediaClass::Audio => true,
        _ => matches!(mime, "application/pdf" | "text/plain"),
    }
}

fn is_text(mime: &str) -> bool {
    mime.starts_with("text/") || matches!(mime, "application/json" | "image/svg+xml")
}

/// Sound and film share their containers; of all else there is one type.
fn is_same_kind(said: &str, found: &str) -> bool {
    let plays = |mime| matches!(MediaClass::of(mime), MediaClass::Video | MediaClass::Audio);
    said == found || (plays(said) && plays(found))
}

/// The name used here for a type that has several.
fn canonical(mime: &str) -> &str {
    match mime {
        "image/vnd.microsoft.icon" => "image/x-icon",
        other => other,
    }
}

fn known_mime(mime: &str) -> &'static str {
    let known = TYPES.iter().find(|(_, known)| *known == mime);
    known.map_or(UNKNOWN_MIME, |(_, mime)| *mime)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> Filename {
        Filename::parse(text).unwrap()
    }

    #[test]
    fn what_is_said_about_a_file() {
        let check = |text: &str, expect: MediaMeta, told: &[&str]| {
            let (meta, problems) = MediaMeta::parse(&Json::parse(text.as_bytes()).unwrap());
            assert_eq!(meta, expect, "{text}");
            let fields: Vec<_> = problems.iter().map(|(field, _)| field).collect();
            assert_eq!(fields, told, "{text}");
        };
        let none = MediaMeta::default;
        check("{}", none(), &[]);
        check(r#"{"category":"","alt":null,"colour":7}"#, none(), &[]);
        check(
            r#"{"category":"Press/Logos","alt":"a","title":"t","visibility":"private",
                "uploaded_by":"u","uploaded_at":"2026-05-03T12:00:00Z"}"#,
            MediaMeta {
                category: CategoryPath::parse("Press / Logos").ok(),
                alt: "a".into(),
                title: "t".into(),
                visibility: Visibility::Private,
                uploaded_by: Some("u".into()),
                uploaded_at: Timestamp::parse("2026-05-03T12:00:00Z"),
            },
            &[],
        );
        check(r#"{"visibility":"secret"}"#, MediaMeta::unreadable(), &["visibility"]);
        check(r#"{"visibility":null}"#, none(), &[]);
        check(r#"{"visibility":true}"#, MediaMeta::unreadable(), &["visibility"]);
        check("[]", MediaMeta::unreadable(), &[""]);
        check(
            r#"{"category":"a\u0000","alt":7,"uploaded_at":"soon"}"#,
            none(),
            &["category", "alt", "uploaded_at"],
        );
    }

    #[test]
    fn a_file_put_there_by_hand_was_uploaded_when_it_was_changed() {
        let modified = Timestamp::from_seconds(5);
        let meta = MediaMeta { category: CategoryPath::parse("a/b").ok(), ..MediaMeta::default() };
        let item = MediaItem::new(name("a.png"), "image/png", 3, modified, Sum::default(), meta);
        assert_eq!((item.uploaded_at, MediaClass::of(item.mime)), (modified, MediaClass::Image));
        assert!(item.is_within(&CategoryPath::parse("a").unwrap()));
        assert!(!item.is_within(&CategoryPath::parse("b").unwrap()));
    }

    #[test]
    fn classes_and_what_is_shown() {
        let check = |extension: &str, class: MediaClass, inline: bool| {
            let mime = mime_by_extension(extension).unwrap_or(UNKNOWN_MIME);
            assert_eq!(MediaClass::of(mime), class, "{extension}");
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
            assert_eq!(mime_of(&name(filename), head), expect, "{filename}");
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
}
