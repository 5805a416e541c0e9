//! How stored values become the JSON that readers see, and where relations stand in it.

use std::io::Write;

use crate::model::name::EntryId;
use crate::model::name::TypeName;
use crate::stdx::json::Json;
use crate::stdx::json::write_string;
use crate::stdx::percent;

/// Where a shown value goes, and what a kind needs to show it.
#[derive(Debug)]
pub struct Show<'a> {
    /// The JSON text so far.
    pub out: Vec<u8>,
    /// What stands before a filename in an absolute media URL, ending with `/`. Without it files are
    /// shown by their names.
    pub media_base: &'a str,
    /// Relations shown so far.
    pub links: Vec<Link>,
    /// The names of the types that links point to, in the order of [`Link::target`].
    pub targets: &'a [TypeName],
}

/// A relation inside shown JSON: who may not see the target is shown the text without it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// Where its value begins: a string, or an array of strings, of ids.
    pub start: u32,
    /// Where its value ends.
    pub end: u32,
    /// The index of the target among the type's relation targets.
    pub target: u16,
    /// Whether the value is an array.
    pub many: bool,
}

impl Show<'_> {
    /// Appends a relation: the ids in `stored` that can be ids. Anything else is left out.
    pub fn relation(&mut self, target: &TypeName, many: bool, stored: &Json) {
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
        self.link(start, target, many);
    }

    /// Remembers what was written since `start` as a relation.
    fn link(&mut self, start: usize, target: &TypeName, many: bool) {
        // Bodies are limited to megabytes and targets to the number of fields.
        if let (Some(target), Ok(start), Ok(end)) = (
            self.targets.iter().position(|it| it == target).and_then(|it| u16::try_from(it).ok()),
            u32::try_from(start),
            u32::try_from(self.out.len()),
        ) {
            self.links.push(Link { start, end, target, many });
        }
    }

    /// Appends the absolute URL of a media file, or its name.
    pub fn media_url(&mut self, filename: &str) {
        if self.media_base.is_empty() {
            return write_string(filename, &mut self.out);
        }
        write_string(self.media_base, &mut self.out);
        self.out.pop(); // its closing quote: what is appended needs no escaping
        // Writing into memory cannot fail.
        let _ = write!(self.out, "{}\"", percent::segment(filename));
    }
}

/// Appends `[…]` with each item written by `write`.
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
