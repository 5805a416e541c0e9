//! Changes JSON text as a person would: what stays the same keeps its bytes, what is new is written
//! the way its surroundings are.
//!
//! The old text is read twice: as values, which say what changed, and, only where something did, as
//! spans. A container is written again as a row of slots, most of which are taken from the source,
//! together with the text between them.

mod frame;
mod slots;
mod spans;
mod style;
#[cfg(test)]
mod tests;

use std::ops::Range;

use crate::stdx::json::Json;
use crate::stdx::json::write_string;
use crate::stdx::json_edit::frame::Frame;
use crate::stdx::json_edit::frame::Layout;
use crate::stdx::json_edit::slots::Slot;
use crate::stdx::json_edit::slots::given_slots;
use crate::stdx::json_edit::slots::item_slots;
use crate::stdx::json_edit::slots::member_slots;
use crate::stdx::json_edit::slots::same;
use crate::stdx::json_edit::spans::Child;
use crate::stdx::json_edit::spans::after_newline;
use crate::stdx::json_edit::spans::has_newline;
use crate::stdx::json_edit::spans::slice;
use crate::stdx::json_edit::spans::trimmed;
use crate::stdx::json_edit::style::LINE_MAX;
use crate::stdx::json_edit::style::Style;
use crate::stdx::json_edit::style::brackets;
use crate::stdx::json_edit::style::fits;
use crate::stdx::json_edit::style::parts;

const BOM: &[u8] = b"\xef\xbb\xbf";

/// The text of `source`, changed so that it says `value`: members and items that are the same keep
/// their bytes and their order, new members come after the one that precedes them in `value`.
///
/// A source that is no JSON object is replaced by the canonical form.
pub fn rewrite(source: &[u8], value: &Json) -> Vec<u8> {
    edit(source, value, false)
}

/// As [`rewrite`], but members stand in the order that they have in `value`: for files in which the
/// order of keys says something.
pub fn rewrite_in_order(source: &[u8], value: &Json) -> Vec<u8> {
    edit(source, value, true)
}

fn edit(source: &[u8], value: &Json, in_order: bool) -> Vec<u8> {
    let text = source.strip_prefix(BOM).unwrap_or(source);
    let Ok(old @ Json::Object(_)) = Json::parse(text) else { return value.to_file() };
    let mut out = Vec::with_capacity(source.len() + source.len() / 8);
    out.extend_from_slice(source.strip_suffix(text).unwrap_or_default());
    let root = trimmed(text);
    let mut editor = Editor { text, style: Style::of(text), in_order, out };
    editor.copy(0..root.start);
    editor.value(root.clone(), &old, value, Place { indent: b"", on_line: false, beside: None });
    editor.copy(root.end..text.len());
    editor.out
}

struct Editor<'a> {
    text: &'a [u8],
    style: Style<'a>,
    /// Whether another order of keys is a change.
    in_order: bool,
    out: Vec<u8>,
}

/// Where a value is written.
#[derive(Clone, Copy)]
struct Place<'p> {
    /// The white space that its line begins with.
    indent: &'p [u8],
    /// Whether it is within something that stands on one line.
    on_line: bool,
    /// The source of a neighbour, whose form it takes.
    beside: Option<&'p [u8]>,
}

impl<'a> Editor<'a> {
    fn copy(&mut self, span: Range<usize>) {
        self.out.extend_from_slice(slice(self.text, span));
    }

    fn unchanged(&self, old: &Json, new: &Json) -> bool {
        if self.in_order { old == new } else { same(old, new) }
    }

    /// Writes what stands at `span`, changed from `old` to `new`.
    fn value(&mut self, span: Range<usize>, old: &Json, new: &Json, place: Place<'_>) {
        match (old, new) {
            _ if self.unchanged(old, new) => self.copy(span),
            (Json::Object(old), Json::Object(map)) if !old.is_empty() && !map.is_empty() => {
                let olds: Vec<&Json> = old.iter().map(|(_, value)| value).collect();
                let slots =
                    if self.in_order { given_slots(old, map) } else { member_slots(old, map) };
                self.container(span, &olds, &slots, new, place);
            }
            (Json::Array(old), Json::Array(items)) if !old.is_empty() && !items.is_empty() => {
                let olds: Vec<&Json> = old.iter().collect();
                self.container(span, &olds, &item_slots(old, items), new, place);
            }
            _ => self.fresh(new, place),
        }
    }

    /// Writes the children of the container at `span` again, from the source where they were.
    fn container(
        &mut self,
        span: Range<usize>,
        olds: &[&Json],
        slots: &[Slot<'_>],
        new: &Json,
        place: Place<'_>,
    ) {
        let frame = self.frame(&span, new, place);
        self.copy(span.start..span.start + 1);
        let mut last = None; // the slot before
        let mut known = 0; // the nearest child of the source
        for slot in slots {
            known = slot.from.unwrap_or(known);
            let gap = frame.gap(last, slot.from, known);
            self.out.extend_from_slice(&gap);
            let indent = after_newline(&gap).unwrap_or(place.indent);
            let inner = Place { indent, on_line: frame.on_line, beside: None };
            match slot.from.and_then(|from| frame.children.get(from).zip(olds.get(from))) {
                Some((child, old)) => self.kept(child, old, slot.value, inner),
                None => self.added(slot, frame.children.get(known), inner),
            }
            last = Some(slot.from);
        }
        self.out.extend_from_slice(frame.trail());
        self.copy(span.end - 1..span.end);
    }

    /// How the container at `span` is laid out once it says `new`: as it was, unless it stood on a
    /// line of its own that becomes too long.
    fn frame(&self, span: &Range<usize>, new: &Json, place: Place<'_>) -> Frame<'a> {
        let on_line = !has_newline(slice(self.text, span.clone()));
        let free = on_line && !place.on_line && !self.style.one_line;
        let grown = free && span.len() <= LINE_MAX && !fits(new, LINE_MAX);
        let layout = grown.then(|| Layout::spread(&self.style, place.indent));
        Frame::new(self.text, span, self.style.comma, on_line, layout)
    }

    /// Writes a child of the source, with its key.
    fn kept(&mut self, child: &Child, old: &Json, new: &Json, place: Place<'_>) {
        self.copy(child.start..child.value.start);
        let colon = slice(self.text, child.key_end..child.value.start);
        let indent = after_newline(colon).unwrap_or(place.indent);
        self.value(child.value.clone(), old, new, Place { indent, ..place });
    }

    /// Writes a new member or item, like the one that it stands next to.
    fn added(&mut self, slot: &Slot<'_>, near: Option<&Child>, place: Place<'_>) {
        let text = self.text;
        if let Some(key) = slot.key {
            let colon = near.map(|it| slice(text, it.key_end..it.value.start));
            let colon = colon.filter(|it| !has_newline(it)).unwrap_or(self.style.colon);
            write_string(key, &mut self.out);
            self.out.extend_from_slice(colon);
        }
        let beside = near.map(|it| slice(text, it.value.clone()));
        self.fresh(slot.value, Place { beside, ..place });
    }

    /// Writes a value that has no source.
    fn fresh(&mut self, value: &Json, place: Place<'_>) {
        let Some((open, close)) = brackets(value) else {
            return value.write_compact(&mut self.out);
        };
        let on_line = place.on_line || self.style.on_line(value, place.beside);
        let layout = if on_line {
            Layout::on_line(&self.style, open)
        } else {
            Layout::spread(&self.style, place.indent)
        };
        let inner = Place {
            indent: after_newline(&layout.lead).unwrap_or_default(),
            on_line,
            beside: None,
        };
        self.out.push(open);
        let mut gap = &layout.lead;
        for (key, value) in parts(value) {
            self.out.extend_from_slice(gap);
            if let Some(key) = key {
                write_string(key, &mut self.out);
                self.out.extend_from_slice(self.style.colon);
            }
            self.fresh(value, inner);
            gap = &layout.between;
        }
        self.out.extend_from_slice(&layout.trail);
        self.out.push(close);
    }
}
