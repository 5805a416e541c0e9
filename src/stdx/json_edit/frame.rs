//! The text between the children of a container: kept where they stay neighbours, made up from it
//! where they don't.

use std::borrow::Cow;
use std::ops::Range;

use crate::stdx::json_edit::spans::Child;
use crate::stdx::json_edit::spans::children;
use crate::stdx::json_edit::spans::has_newline;
use crate::stdx::json_edit::spans::last_line;
use crate::stdx::json_edit::spans::newlines;
use crate::stdx::json_edit::spans::slice;
use crate::stdx::json_edit::style::Style;

/// The text around the children of a container that is laid out anew.
pub(super) struct Layout {
    pub(super) lead: Vec<u8>,
    pub(super) between: Vec<u8>,
    pub(super) trail: Vec<u8>,
}

impl Layout {
    /// One child a line, deeper than `indent`.
    pub(super) fn spread(style: &Style<'_>, indent: &[u8]) -> Layout {
        let trail = [style.newline, indent].concat();
        let lead = [&trail, style.unit].concat();
        Layout { between: [b",", lead.as_slice()].concat(), lead, trail }
    }

    /// All on one line.
    pub(super) fn on_line(style: &Style<'_>, open: u8) -> Layout {
        let pad = style.habit(open).pad.unwrap_or_default().to_vec();
        Layout { lead: pad.clone(), between: style.comma.to_vec(), trail: pad }
    }
}

/// A container of the source and how it is laid out.
pub(super) struct Frame<'a> {
    text: &'a [u8],
    span: Range<usize>,
    /// Its children in the source.
    pub(super) children: Vec<Child>,
    /// What stands between values on one line.
    comma: &'a [u8],
    /// Whether it is written on one line.
    pub(super) on_line: bool,
    /// Used instead of the source's, if there.
    layout: Option<Layout>,
}

impl<'a> Frame<'a> {
    /// The container at `span`, which stands `on_line` or not, to be laid out anew or as it is.
    pub(super) fn new(
        text: &'a [u8],
        span: &Range<usize>,
        comma: &'a [u8],
        on_line: bool,
        layout: Option<Layout>,
    ) -> Frame<'a> {
        let on_line = on_line && layout.is_none();
        Frame { text, span: span.clone(), children: children(text, span), comma, on_line, layout }
    }

    /// What stands before a slot that is taken `from` the source or not, `last` being the slot before
    /// it. What was removed goes with the text on one of its sides.
    pub(super) fn gap(
        &self,
        last: Option<Option<usize>>,
        from: Option<usize>,
        near: usize,
    ) -> Cow<'_, [u8]> {
        if let Some(layout) = &self.layout {
            let gap = if last.is_none() { &layout.lead } else { &layout.between };
            return Cow::Borrowed(gap);
        }
        match (last, from) {
            (None, _) => Cow::Borrowed(self.lead()),
            (Some(Some(left)), Some(right)) if left < right => {
                let (first, second) = (self.between(left), self.between(right - 1));
                // A line break that was there stays there.
                let wider = newlines(first) > newlines(second);
                Cow::Borrowed(if wider { first } else { second })
            }
            (Some(None), Some(right)) if right > 0 => Cow::Borrowed(self.between(right - 1)),
            _ => Cow::Owned(self.plain(near)),
        }
    }

    fn lead(&self) -> &[u8] {
        let first = self.children.first().map_or(self.span.end, |it| it.start);
        slice(self.text, self.span.start + 1..first)
    }

    /// What stands behind the child of this index, comma included.
    fn between(&self, index: usize) -> &[u8] {
        match self.children.get(index..).unwrap_or_default() {
            [left, right, ..] => slice(self.text, left.value.end..right.start),
            _ => self.comma,
        }
    }

    pub(super) fn trail(&self) -> &[u8] {
        let last = self.children.last().map_or(self.span.end, |it| it.value.end);
        match &self.layout {
            Some(layout) => &layout.trail,
            None => slice(self.text, last..self.span.end - 1),
        }
    }

    /// What usually stands between two children near this one: without blank lines.
    fn plain(&self, near: usize) -> Vec<u8> {
        let lead = self.lead();
        if self.children.len() < 2 {
            return if has_newline(lead) { joined(b"", lead) } else { self.comma.to_vec() };
        }
        let gap = self.between(near.saturating_sub(1));
        let comma = gap.iter().position(|it| *it == b',').unwrap_or(gap.len());
        joined(slice(gap, 0..comma), slice(gap, comma + 1..gap.len()))
    }
}

/// A comma between two runs of white space, with at most one line break in each.
fn joined(before: &[u8], after: &[u8]) -> Vec<u8> {
    [last_line(before), b",", last_line(after)].concat()
}
