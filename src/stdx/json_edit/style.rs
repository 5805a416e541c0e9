//! How JSON text is written: indentation, line ends, what goes on one line.

use crate::stdx::json::Json;
use crate::stdx::json_edit::spans::Cursor;
use crate::stdx::json_edit::spans::after_newline;
use crate::stdx::json_edit::spans::around;
use crate::stdx::json_edit::spans::children;
use crate::stdx::json_edit::spans::has_newline;
use crate::stdx::json_edit::spans::last_line;
use crate::stdx::json_edit::spans::slice;
use crate::stdx::json_edit::spans::space;
use crate::stdx::json_edit::spans::trimmed;

/// A container on one line stays there up to about so many bytes.
pub(super) const LINE_MAX: usize = 100;

/// Whether a value takes at most about `room` bytes on one line.
pub(super) fn fits(value: &Json, room: usize) -> bool {
    take_room(value, room).is_some()
}

/// What is left of the room; ends as soon as nothing is.
fn take_room(value: &Json, room: usize) -> Option<usize> {
    match value {
        Json::Null | Json::Bool(_) => room.checked_sub(4),
        Json::Number(number) => room.checked_sub(number.to_string().len()),
        Json::String(text) => room.checked_sub(text.len() + 2),
        Json::Array(_) | Json::Object(_) => {
            parts(value).try_fold(room.checked_sub(2)?, |room, (key, value)| {
                let room = room.checked_sub(key.map_or(0, |it| it.len() + 4) + 2)?;
                take_room(value, room)
            })
        }
    }
}

/// The brackets of a container that is not empty.
pub(super) fn brackets(value: &Json) -> Option<(u8, u8)> {
    match value {
        Json::Object(map) if !map.is_empty() => Some((b'{', b'}')),
        Json::Array(items) if !items.is_empty() => Some((b'[', b']')),
        _ => None,
    }
}

/// What is inside a container, with its keys.
pub(super) fn parts(value: &Json) -> Box<dyn Iterator<Item = (Option<&str>, &Json)> + '_> {
    match value {
        Json::Object(map) => Box::new(map.iter().map(|(key, value)| (Some(key), value))),
        Json::Array(items) => Box::new(items.iter().map(|value| (None, value))),
        _ => Box::new(std::iter::empty()),
    }
}

/// How a file is written, as far as it shows.
pub(super) struct Style<'a> {
    pub(super) newline: &'static [u8],
    /// One step of indentation.
    pub(super) unit: &'a [u8],
    pub(super) colon: &'a [u8],
    /// What stands between values on one line.
    pub(super) comma: &'a [u8],
    /// Whether the whole file is on one line.
    pub(super) one_line: bool,
    objects: Habit<'a>,
    arrays: Habit<'a>,
}

/// How one kind of container is written.
#[derive(Clone, Copy, Default)]
pub(super) struct Habit<'a> {
    /// Whether one without containers inside stands on one line.
    on_line: Option<bool>,
    /// What stands inside the brackets of one that does.
    pub(super) pad: Option<&'a [u8]>,
}

impl<'a> Style<'a> {
    pub(super) fn of(text: &'a [u8]) -> Style<'a> {
        let mut survey = Survey::default();
        survey.run(text);
        let colon = survey.colon.unwrap_or(b": ");
        let airy = colon.last().is_some_and(u8::is_ascii_whitespace);
        let crlf = last_line(slice(text, 0..survey.first_newline.map_or(0, |at| at + 1)));
        let root = slice(text, trimmed(text));
        let empty = children(text, &trimmed(text)).is_empty();
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

    pub(super) fn habit(&self, open: u8) -> Habit<'a> {
        if open == b'{' { self.objects } else { self.arrays }
    }

    /// Whether a new container goes on one line: as its neighbour does, or else the first of its
    /// kind in the file.
    pub(super) fn on_line(&self, value: &Json, beside: Option<&[u8]>) -> bool {
        let Some((open, _)) = brackets(value) else { return true };
        let beside = beside.filter(|it| it.first() == Some(&open) && it.len() > 2);
        let usual = match beside {
            Some(neighbour) => !has_newline(neighbour),
            None => {
                self.habit(open).on_line == Some(true)
                    && parts(value).all(|(_, it)| brackets(it).is_none())
            }
        };
        self.one_line || usual && fits(value, LINE_MAX)
    }
}

/// One pass over JSON text that notes how it is written; the first of each thing counts.
#[derive(Default)]
struct Survey<'a> {
    first_newline: Option<usize>,
    unit: Option<&'a [u8]>,
    colon: Option<&'a [u8]>,
    comma: Option<&'a [u8]>,
    objects: Habit<'a>,
    arrays: Habit<'a>,
    /// Where the current line begins.
    line: usize,
    open: Vec<Open<'a>>,
}

/// A container whose end has not come.
struct Open<'a> {
    start: usize,
    /// The white space behind the bracket.
    lead: &'a [u8],
    /// Whether there are containers inside.
    nested: bool,
}

impl<'a> Survey<'a> {
    fn run(&mut self, text: &'a [u8]) {
        let mut cursor = Cursor { text, at: 0 };
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
                        b'{' | b'[' => self.opened(text, cursor.at),
                        b'}' | b']' => self.closed(byte, cursor.at),
                        b':' => keep(&mut self.colon, around(text, cursor.at)),
                        b',' => keep(&mut self.comma, around(text, cursor.at)),
                        _ => {}
                    }
                    cursor.at += 1;
                }
            }
        }
    }

    fn opened(&mut self, text: &'a [u8], start: usize) {
        if let Some(outer) = self.open.last_mut() {
            outer.nested = true;
        }
        let lead = space(text, start + 1);
        let indent = space(text, self.line);
        let inner = after_newline(lead).and_then(|it| it.strip_prefix(indent));
        self.unit = self.unit.or(inner.filter(|it| !it.is_empty()));
        self.open.push(Open { start, lead, nested: false });
    }

    fn closed(&mut self, bracket: u8, end: usize) {
        let Some(Open { start, lead, nested }) = self.open.pop() else { return };
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

fn keep<'a>(place: &mut Option<&'a [u8]>, found: &'a [u8]) {
    if place.is_none() && !has_newline(found) {
        *place = Some(found);
    }
}
