//! Edits of JSON text that keep the formatting: unchanged parts keep their bytes, and new parts
//! follow the style around them.
//!
//! The old text is read twice: as values, to find the changes, and then as spans, only where there
//! are changes. A container is rewritten as a list of slots, most of which are copied from the
//! source together with the text between them.

mod layout;
mod slots;
pub(crate) mod spans;
mod style;
#[cfg(test)]
mod tests;

use std::cell::OnceCell;
use std::ops::Range;

use crate::stdx::json::Json;
use crate::stdx::json_edit::layout::Layout;
use crate::stdx::json_edit::layout::SourceContainer;
use crate::stdx::json_edit::slots::ChildSlot;
use crate::stdx::json_edit::slots::given_slots;
use crate::stdx::json_edit::slots::is_same;
use crate::stdx::json_edit::slots::item_slots;
use crate::stdx::json_edit::slots::member_slots;
pub use crate::stdx::json_edit::slots::order_as_written;
use crate::stdx::json_edit::spans::ChildSpan;
use crate::stdx::json_edit::spans::after_newline;
use crate::stdx::json_edit::spans::has_newline;
use crate::stdx::json_edit::spans::slice;
use crate::stdx::json_edit::spans::trimmed_range;
use crate::stdx::json_edit::style::LINE_MAX;
use crate::stdx::json_edit::style::Style;
use crate::stdx::json_edit::style::fits_room;
use crate::stdx::json_edit::style::get_brackets;
use crate::stdx::json_edit::style::iter_parts;
use crate::stdx::json_text::write_string;

const BOM: &[u8] = b"\xef\xbb\xbf";

/// Returns the text of `source`, changed to represent `value`. Unchanged members and items keep
/// their bytes and their order; a new member is inserted after the one that precedes it in `value`.
///
/// A source that is not a JSON object is replaced by the canonical form.
pub fn rewrite_json(source: &[u8], value: &Json) -> Vec<u8> {
    edit_text(source, value, KeyOrder::OfSource)
}

/// Like [`rewrite_json`] or [`rewrite_in_order`], for a source that was parsed before, as `old`.
pub fn rewrite_parsed(source: &[u8], old: &Json, value: &Json, order: KeyOrder) -> Vec<u8> {
    edit_parsed(source, old, value, order)
}

/// Like [`rewrite_json`], but the members get the order that they have in `value`: for files in
/// which the order of keys matters.
pub fn rewrite_in_order(source: &[u8], value: &Json) -> Vec<u8> {
    edit_text(source, value, KeyOrder::OfValue)
}

fn edit_text(source: &[u8], value: &Json, order: KeyOrder) -> Vec<u8> {
    let text = source.strip_prefix(BOM).unwrap_or(source);
    match Json::parse(text) {
        Ok(old @ Json::Object(_)) => edit_parsed(source, &old, value, order),
        Ok(_) | Err(_) => value.to_file(),
    }
}

/// The order of members in a changed object.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum KeyOrder {
    /// Members keep the order that they have in the source.
    OfSource,
    /// Members get the order that they have in the value.
    OfValue,
}

fn edit_parsed(source: &[u8], old: &Json, value: &Json, order: KeyOrder) -> Vec<u8> {
    let text = source.strip_prefix(BOM).unwrap_or(source);
    let mut out = Vec::with_capacity(source.len() + source.len() / 8);
    out.extend(source.iter().take(source.len() - text.len()));
    let root = trimmed_range(text);
    let in_order = order == KeyOrder::OfValue;
    let mut editor = Editor { text, style: OnceCell::new(), in_order, out };
    editor.copy_span(0..root.start);
    editor.write_change(
        root.clone(),
        old,
        value,
        WritePosition { indent: b"", on_line: false, beside: None },
    );
    editor.copy_span(root.end..text.len());
    editor.out
}

struct Editor<'a> {
    text: &'a [u8],
    /// The style of the text, found when it is first needed: a change of single values seldom
    /// needs it.
    style: OnceCell<Style<'a>>,
    /// True if a different order of keys is a change.
    in_order: bool,
    out: Vec<u8>,
}

/// The context in which a value is written.
#[derive(Clone, Copy)]
struct WritePosition<'p> {
    /// The indentation of its line.
    indent: &'p [u8],
    /// True if it is inside a container on one line.
    on_line: bool,
    /// The source of a neighbour, whose style it adopts.
    beside: Option<&'p [u8]>,
}

impl<'a> Editor<'a> {
    fn style(&self) -> &Style<'a> {
        self.style.get_or_init(|| Style::from_text(self.text))
    }

    fn copy_span(&mut self, span: Range<usize>) {
        self.out.extend_from_slice(slice(self.text, span));
    }

    fn is_unchanged(&self, old: &Json, new: &Json) -> bool {
        if self.in_order { old == new } else { is_same(old, new) }
    }

    /// Writes the value at `span`, changed from `old` to `new`.
    fn write_change(
        &mut self,
        span: Range<usize>,
        old: &Json,
        new: &Json,
        place: WritePosition<'_>,
    ) {
        match (old, new) {
            _ if self.is_unchanged(old, new) => self.copy_span(span),
            (Json::Object(old), Json::Object(map)) if !old.is_empty() && !map.is_empty() => {
                let olds: Vec<&Json> = old.iter().map(|(_, value)| value).collect();
                let slots =
                    if self.in_order { given_slots(old, map) } else { member_slots(old, map) };
                self.write_container(span, &olds, &slots, new, place);
            }
            (Json::Array(old), Json::Array(items)) if !old.is_empty() && !items.is_empty() => {
                let olds: Vec<&Json> = old.iter().collect();
                self.write_container(span, &olds, &item_slots(old, items), new, place);
            }
            _ => self.write_fresh(new, place),
        }
    }

    /// Rewrites the children of the container at `span`, copying those of the source.
    fn write_container(
        &mut self,
        span: Range<usize>,
        olds: &[&Json],
        slots: &[ChildSlot<'_>],
        new: &Json,
        place: WritePosition<'_>,
    ) {
        let frame = self.lay_out(&span, new, place);
        self.copy_span(span.start..span.start + 1);
        let mut last = None; // the slot before
        let mut known = 0; // the nearest child of the source
        for slot in slots {
            known = slot.from.unwrap_or(known);
            let gap = frame.gap_before(last, slot.from, known);
            self.out.extend_from_slice(&gap);
            let indent = after_newline(&gap).unwrap_or(place.indent);
            let inner = WritePosition { indent, on_line: frame.on_line, beside: None };
            match slot.from.and_then(|from| frame.children.get(from).zip(olds.get(from))) {
                Some((child, old)) => self.write_kept(child, old, slot.value, inner),
                None => self.write_added(slot, frame.children.get(known), inner),
            }
            last = Some(slot.from);
        }
        self.out.extend_from_slice(frame.trail());
        self.copy_span(span.end - 1..span.end);
    }

    /// Returns the layout of the container at `span` after it is changed to `new`: the old one,
    /// unless the container was on one line that becomes too long.
    fn lay_out(
        &self,
        span: &Range<usize>,
        new: &Json,
        place: WritePosition<'_>,
    ) -> SourceContainer<'a> {
        let on_line = !has_newline(slice(self.text, span.clone()));
        let free = on_line && !place.on_line && !self.style().one_line;
        let grown = free && span.len() <= LINE_MAX && !fits_room(new, LINE_MAX);
        let layout = grown.then(|| Layout::one_per_line(self.style(), place.indent));
        SourceContainer::new(self.text, span, || self.style().comma, on_line, layout)
    }

    /// Writes a child of the source with its key.
    fn write_kept(&mut self, child: &ChildSpan, old: &Json, new: &Json, place: WritePosition<'_>) {
        self.copy_span(child.start..child.value.start);
        let colon = slice(self.text, child.key_end..child.value.start);
        let indent = after_newline(colon).unwrap_or(place.indent);
        self.write_change(child.value.clone(), old, new, WritePosition { indent, ..place });
    }

    /// Writes a new member or item in the style of its neighbour.
    fn write_added(
        &mut self,
        slot: &ChildSlot<'_>,
        near: Option<&ChildSpan>,
        place: WritePosition<'_>,
    ) {
        let text = self.text;
        if let Some(key) = slot.key {
            let colon = near.map(|it| slice(text, it.key_end..it.value.start));
            let colon = colon.filter(|it| !has_newline(it));
            let colon = colon.unwrap_or_else(|| self.style().colon);
            write_string(key, &mut self.out);
            self.out.extend_from_slice(colon);
        }
        let beside = near.map(|it| slice(text, it.value.clone()));
        self.write_fresh(slot.value, WritePosition { beside, ..place });
    }

    /// Writes a value without a source.
    fn write_fresh(&mut self, value: &Json, place: WritePosition<'_>) {
        let Some((open, close)) = get_brackets(value) else {
            return value.write_compact(&mut self.out);
        };
        let on_line = place.on_line || self.style().fits_one_line(value, place.beside);
        let layout = if on_line {
            Layout::on_one_line(self.style(), open)
        } else {
            Layout::one_per_line(self.style(), place.indent)
        };
        let inner = WritePosition {
            indent: after_newline(&layout.lead).unwrap_or_default(),
            on_line,
            beside: None,
        };
        self.out.push(open);
        let mut gap = &layout.lead;
        for (key, value) in iter_parts(value) {
            self.out.extend_from_slice(gap);
            if let Some(key) = key {
                write_string(key, &mut self.out);
                let colon = self.style().colon;
                self.out.extend_from_slice(colon);
            }
            self.write_fresh(value, inner);
            gap = &layout.between;
        }
        self.out.extend_from_slice(&layout.trail);
        self.out.push(close);
    }
}
