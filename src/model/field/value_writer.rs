//! The conversion of stored values to shown JSON, with the positions of relations in it.

use std::io::Write;

use crate::model::field::on_delete::OnDelete;
use crate::model::name::EntryId;
use crate::model::name::TypeName;
use crate::stdx::json::Json;
use crate::stdx::json_text::write_string;
use crate::stdx::url_encoding;

/// A writer of shown values, with the context that kinds need.
#[derive(Debug)]
pub struct ValueWriter<'a> {
    /// The JSON text so far.
    pub out: Vec<u8>,
    /// The prefix of a filename in an absolute media URL, ending with `/`. If it is empty, files
    /// are shown by their names.
    pub media_base: &'a str,
    /// The relations shown so far.
    pub links: Vec<RelationLink>,
    /// The types that links point to, in the order of [`RelationLink::target`].
    pub targets: &'a [TypeName],
}

/// A relation inside shown JSON. Readers who cannot see the target get the text without it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RelationLink {
    /// The start of its value: an id, or an array of ids.
    pub start: u32,
    /// The end of its value.
    pub end: u32,
    /// The index of the target among the type's relation targets.
    pub target: u16,
    /// True if the value is an array.
    pub many: bool,
    /// The action on the relation when the target is deleted.
    pub on_delete: OnDelete,
}

impl ValueWriter<'_> {
    /// Appends a relation: the valid ids in `stored`. Anything else is left out.
    pub fn write_relation(
        &mut self,
        target: &TypeName,
        many: bool,
        on_delete: OnDelete,
        stored: &Json,
    ) {
        let start = self.out.len();
        let items = match stored {
            Json::Array(items) => items.as_slice(),
            single => std::slice::from_ref(single),
        };
        let mut ids = items.iter().filter_map(Json::as_str).filter(|id| EntryId::fits(id));
        if many {
            write_list(&mut self.out, ids, |out, id| write_string(id, out));
        } else if let Some(id) = ids.next() {
            write_string(id, &mut self.out);
        } else {
            self.out.extend_from_slice(b"null");
        }
        self.record_link(start, target, many, on_delete);
    }

    /// Records the text written since `start` as a relation.
    fn record_link(&mut self, start: usize, target: &TypeName, many: bool, on_delete: OnDelete) {
        // Bodies are limited to megabytes and targets to the number of fields.
        if let (Some(target), Ok(start), Ok(end)) = (
            self.targets.iter().position(|it| it == target).and_then(|it| u16::try_from(it).ok()),
            u32::try_from(start),
            u32::try_from(self.out.len()),
        ) {
            self.links.push(RelationLink { start, end, target, many, on_delete });
        }
    }

    /// Appends the absolute URL of a media file, or its name.
    pub fn write_media_url(&mut self, filename: &str) {
        if self.media_base.is_empty() {
            return write_string(filename, &mut self.out);
        }
        write_string(self.media_base, &mut self.out);
        self.out.pop(); // the closing quote: the appended text needs no escaping
        // Writing into memory cannot fail.
        let _ = write!(self.out, "{}\"", url_encoding::encode_segment(filename));
    }
}

/// Appends `[…]`; `write` writes each item.
pub fn write_list<T>(
    out: &mut Vec<u8>,
    items: impl Iterator<Item = T>,
    mut write: impl FnMut(&mut Vec<u8>, T),
) {
    out.push(b'[');
    for (index, item) in items.enumerate() {
        if index > 0 {
            out.push(b',');
        }
        write(out, item);
    }
    out.push(b']');
}
