//! The lines of bundles: JSON objects, each a line, or an event of a stream.

use crate::app::App;
use crate::app::content::sync::cursor::Cursor;
use crate::app::media;
use crate::model::content_type::ContentType;
use crate::model::media::MediaItem;
use crate::query::index::snapshot::Snapshot;
use crate::query::inventory::section::SectionKey;
use crate::query::inventory::section::SectionKind;
use crate::stdx::checksum::Checksum;
use crate::stdx::json_text::write_string;

/// The form of lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineFormat {
    /// A line each.
    Lines,
    /// An event each, for streams of events.
    Events,
}

impl LineFormat {
    pub(super) fn begin_line(self, out: &mut Vec<u8>) {
        if self == LineFormat::Events {
            out.extend_from_slice(b"data: ");
        }
    }

    pub(super) fn end_line(self, out: &mut Vec<u8>) {
        out.extend_from_slice(if self == LineFormat::Events { b"\n\n" } else { b"\n" });
    }
}

/// Appends a line up to its body, which [`end_body`] follows.
pub(super) fn begin_body(
    format: LineFormat,
    key: &SectionKey,
    name: &str,
    rev: Checksum,
    out: &mut Vec<u8>,
) {
    format.begin_line(out);
    out.extend_from_slice(b"{\"kind\":\"");
    out.extend_from_slice(key.kind.as_str().as_bytes());
    out.push(b'"');
    write_name(key, name, out);
    out.extend_from_slice(b",\"rev\":\"");
    rev.write_hex(out);
    out.extend_from_slice(b"\",\"body\":");
}

/// Ends a line after its body.
pub(super) fn end_body(format: LineFormat, out: &mut Vec<u8>) {
    out.push(b'}');
    format.end_line(out);
}

/// Appends the line of something that the reader no longer sees.
pub(super) fn write_gone(format: LineFormat, key: &SectionKey, name: &str, out: &mut Vec<u8>) {
    format.begin_line(out);
    out.extend_from_slice(b"{\"kind\":\"gone\",\"of\":\"");
    out.extend_from_slice(key.kind.as_str().as_bytes());
    out.push(b'"');
    write_name(key, name, out);
    end_body(format, out);
}

/// Appends the last line, with the cursor of the state that the reader has then.
pub(super) fn write_end(
    format: LineFormat,
    cursor: Cursor,
    purged: &[String],
    warnings: &[String],
    out: &mut Vec<u8>,
) {
    if format == LineFormat::Events {
        out.extend_from_slice(format!("id: {cursor}\n").as_bytes());
    }
    format.begin_line(out);
    out.extend_from_slice(format!("{{\"kind\":\"end\",\"cursor\":\"{cursor}\"").as_bytes());
    for (key, texts) in [("cache_tags", purged), ("warnings", warnings)] {
        if !texts.is_empty() {
            out.extend_from_slice(format!(",\"{key}\":").as_bytes());
            crate::model::field::write_list(out, texts.iter(), |out, it| write_string(it, out));
        }
    }
    end_body(format, out);
}

fn write_name(key: &SectionKey, name: &str, out: &mut Vec<u8>) {
    if key.kind == SectionKind::Entries {
        out.extend_from_slice(b",\"type\":");
        write_string(&key.type_name, out);
    }
    out.extend_from_slice(b",\"id\":");
    write_string(name, out);
    if !key.locale.is_empty() {
        out.extend_from_slice(b",\"locale\":");
        write_string(&key.locale, out);
    }
}

/// Returns the JSON of a content type, as its own route shows it.
pub(super) fn render_type(ty: &ContentType) -> Vec<u8> {
    // Views always serialize.
    serde_json::to_vec(&ty.view()).unwrap_or_default()
}

/// Returns the JSON of a media file, as lists show it.
pub(super) fn render_media(app: &App, snapshot: &Snapshot, item: &MediaItem) -> Vec<u8> {
    // Views always serialize.
    serde_json::to_vec(&media::render_item(&media::MediaBase::of_snapshot(app, snapshot), item))
        .unwrap_or_default()
}
