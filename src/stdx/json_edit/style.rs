//! The style of JSON text: indentation, line ends, and containers on one line.

use crate::stdx::json::Json;
use crate::stdx::json_edit::spans::SpanCursor;
use crate::stdx::json_edit::spans::after_newline;
use crate::stdx::json_edit::spans::find_children;
use crate::stdx::json_edit::spans::has_newline;
use crate::stdx::json_edit::spans::last_line;
use crate::stdx::json_edit::spans::leading_space;
use crate::stdx::json_edit::spans::slice;
use crate::stdx::json_edit::spans::slice_around;
use crate::stdx::json_edit::spans::trimmed_range;

/// The approximate maximum length of a container on one line.
pub(super) const LINE_MAX: usize = 100;

/// Returns true if a value takes at most about `room` bytes on one line.
pub(super) fn fits_room(value: &Json, room: usize) -> bool {
    take_room(value, room).is_some()
}

/// Subtracts the length of a value from the room, and stops once no room is left.
fn take_room(value: &Json, room: usize) -> Option<usize> {
    match value {
        Json::Null | Json::Bool(_) => room.checked_sub(4),
        Json::Number(number) => room.checked_sub(number.to_string().len()),
        Json::String(text) => room.checked_sub(text.len() + 2),
        Json::Array(_) | Json::Object(_) => {
            iter_parts(value).try_fold(room.checked_sub(2)?, |room, (key, value)| {
                let room = room.checked_sub(key.map_or(0, |it| it.len() + 4) + 2)?;
                take_room(value, room)
            })
        }
    }
}

/// Returns the brackets of a container that is not empty.
pub(super) fn get_brackets(value: &Json) -> Option<(u8, u8)> {
    match value {
        Json::Object(map) if !map.is_empty() => Some((b'{', b'}')),
        Json::Array(items) if !items.is_empty() => Some((b'[', b']')),
        _ => None,
    }
}

/// Returns the children of a container with their keys.
pub(super) fn iter_parts(value: &Json) -> Box<dyn Iterator<Item = (Option<&str>, &Json)> + '_> {
    match value {
        Json::Object(map) => Box::new(map.iter().map(|(key, value)| (Some(key), value))),
        Json::Array(items) => Box::new(items.iter().map(|value| (None, value))),
        _ => Box::new(std::iter::empty()),
    }
}

/// The style of a file, as far as it can be detected.
pub(super) struct Style<'a> {
    pub(super) newline: &'static [u8],
    /// The indentation of one level.
    pub(super) unit: &'a [u8],
    pub(super) colon: &'a [u8],
    /// The text between values on one line.
    pub(super) comma: &'a [u8],
    /// True if the whole file is on one line.
    pub(super) one_line: bool,
    objects: ContainerStyle<'a>,
    arrays: ContainerStyle<'a>,
}

/// The style of a kind of container.
#[derive(Clone, Copy, Default)]
pub(super) struct ContainerStyle<'a> {
    /// True if containers without nested ones are on one line.
    on_line: Option<bool>,
    /// The text inside the brackets of a container on one line.
    pub(super) pad: Option<&'a [u8]>,
}

impl<'a> Style<'a> {
    pub(super) fn from_text(text: &'a [u8]) -> Style<'a> {
        let mut survey = StyleScan::default();
        survey.scan_text(text);
        let colon = survey.colon.unwrap_or(b": ");
        let airy = colon.last().is_some_and(u8::is_ascii_whitespace);
        let crlf = last_line(slice(text, 0..survey.first_newline.map_or(0, |at| at + 1)));
        let root = slice(text, trimmed_range(text));
        let empty = find_children(text, &trimmed_range(text)).is_empty();
        Style {
            newline: if crlf == b"\r\n" { b"\r\n" } else { b"\n" },
            unit: survey.unit.unwrap_or(b"  "),
            colon,
            comma: survey.comma.unwrap_or(if airy { b", " } else { b"," }),
            one_line: !empty && !has_newline(root),
            objects: survey.objects,
            arrays: survey.arrays,
        }
    }

    pub(super) fn container_style(&self, open: u8) -> ContainerStyle<'a> {
        if open == b'{' { self.objects } else { self.arrays }
    }

    /// Returns true if a new container goes on one line, like its neighbour or else the first of
    /// its kind in the file.
    pub(super) fn fits_one_line(&self, value: &Json, beside: Option<&[u8]>) -> bool {
        let Some((open, _)) = get_brackets(value) else { return true };
        let beside = beside.filter(|it| it.first() == Some(&open) && it.len() > 2);
        let usual = match beside {
            Some(neighbour) => !has_newline(neighbour),
            None => {
                self.container_style(open).on_line == Some(true)
                    && iter_parts(value).all(|(_, it)| get_brackets(it).is_none())
            }
        };
        self.one_line || usual && fits_room(value, LINE_MAX)
    }
}

/// A scan of JSON text that records its style; the first occurrence of each feature is used.
#[derive(Default)]
struct StyleScan<'a> {
    first_newline: Option<usize>,
    unit: Option<&'a [u8]>,
    colon: Option<&'a [u8]>,
    comma: Option<&'a [u8]>,
    objects: ContainerStyle<'a>,
    arrays: ContainerStyle<'a>,
    /// The start of the current line.
    line: usize,
    open: Vec<OpenContainer<'a>>,
}

/// A container that is not closed yet.
struct OpenContainer<'a> {
    start: usize,
    /// The white space after the bracket.
    lead: &'a [u8],
    /// True if there are nested containers.
    nested: bool,
}

impl<'a> StyleScan<'a> {
    fn scan_text(&mut self, text: &'a [u8]) {
        let mut cursor = SpanCursor { text, at: 0 };
        while let Some(byte) = cursor.peek() {
            match byte {
                b'"' => cursor.skip_string(),
                b'\n' => {
                    self.first_newline.get_or_insert(cursor.at);
                    self.line = cursor.at + 1;
                    cursor.at += 1;
                }
                _ => {
                    match byte {
                        b'{' | b'[' => self.open_container(text, cursor.at),
                        b'}' | b']' => self.close_container(byte, cursor.at),
                        b':' => keep_first(&mut self.colon, slice_around(text, cursor.at)),
                        b',' => keep_first(&mut self.comma, slice_around(text, cursor.at)),
                        _ => {}
                    }
                    cursor.at += 1;
                }
            }
        }
    }

    fn open_container(&mut self, text: &'a [u8], start: usize) {
        if let Some(outer) = self.open.last_mut() {
            outer.nested = true;
        }
        let lead = leading_space(text, start + 1);
        let indent = leading_space(text, self.line);
        let inner = after_newline(lead).and_then(|it| it.strip_prefix(indent));
        self.unit = self.unit.or(inner.filter(|it| !it.is_empty()));
        self.open.push(OpenContainer { start, lead, nested: false });
    }

    fn close_container(&mut self, bracket: u8, end: usize) {
        let Some(OpenContainer { start, lead, nested }) = self.open.pop() else { return };
        if start + 1 + lead.len() == end {
            return; // an empty container shows nothing
        }
        let habit = if bracket == b'}' { &mut self.objects } else { &mut self.arrays };
        let on_line = self.line <= start;
        if on_line {
            habit.pad.get_or_insert(lead);
        }
        if !nested {
            habit.on_line.get_or_insert(on_line);
        }
    }
}

fn keep_first<'a>(place: &mut Option<&'a [u8]>, found: &'a [u8]) {
    if place.is_none() && !has_newline(found) {
        *place = Some(found);
    }
}
