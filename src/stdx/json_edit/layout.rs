//! The text between the children of a container: copied where they stay neighbours, and derived
//! from it elsewhere.

use std::borrow::Cow;
use std::ops::Range;

use crate::stdx::json_edit::spans::ChildSpan;
use crate::stdx::json_edit::spans::count_newlines;
use crate::stdx::json_edit::spans::find_children;
use crate::stdx::json_edit::spans::has_newline;
use crate::stdx::json_edit::spans::last_line;
use crate::stdx::json_edit::spans::slice;
use crate::stdx::json_edit::style::Style;

/// The text around the children of a container with a new layout.
pub(super) struct Layout {
    pub(super) lead: Vec<u8>,
    pub(super) between: Vec<u8>,
    pub(super) trail: Vec<u8>,
}

impl Layout {
    /// Creates a layout with one child per line, indented relative to `indent`.
    pub(super) fn one_per_line(style: &Style<'_>, indent: &[u8]) -> Layout {
        let trail = [style.newline, indent].concat();
        let lead = [&trail, style.unit].concat();
        Layout { between: [b",", lead.as_slice()].concat(), lead, trail }
    }

    /// Creates a layout on one line.
    pub(super) fn on_one_line(style: &Style<'_>, open: u8) -> Layout {
        let pad = style.container_style(open).pad.unwrap_or_default().to_vec();
        Layout { lead: pad.clone(), between: style.comma.to_vec(), trail: pad }
    }
}

/// A container of the source with its layout.
pub(super) struct SourceContainer<'a> {
    text: &'a [u8],
    span: Range<usize>,
    /// The children in the source.
    pub(super) children: Vec<ChildSpan>,
    /// The text between values on one line. It is looked up for fewer than two children: with
    /// more, they show it.
    comma: &'a [u8],
    /// True if the container is on one line.
    pub(super) on_line: bool,
    /// A new layout that replaces that of the source.
    layout: Option<Layout>,
}

impl<'a> SourceContainer<'a> {
    /// Creates the container at `span`, with its source layout or a new one.
    pub(super) fn new(
        text: &'a [u8],
        span: &Range<usize>,
        comma: impl FnOnce() -> &'a [u8],
        on_line: bool,
        layout: Option<Layout>,
    ) -> SourceContainer<'a> {
        let on_line = on_line && layout.is_none();
        let children = find_children(text, span);
        let comma = if children.len() < 2 { comma() } else { b"," };
        SourceContainer { text, span: span.clone(), children, comma, on_line, layout }
    }

    /// Returns the text before a slot with the source index `from`, if it has one; `last` is the
    /// index of the slot before it. The text on one side of a removed child is removed as well.
    pub(super) fn gap_before(
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
                let (first, second) = (self.gap_after(left), self.gap_after(right - 1));
                // Existing line breaks are kept.
                let wider = count_newlines(first) > count_newlines(second);
                Cow::Borrowed(if wider { first } else { second })
            }
            (Some(None), Some(right)) if right > 0 => Cow::Borrowed(self.gap_after(right - 1)),
            _ => Cow::Owned(self.plain_gap(near)),
        }
    }

    fn lead(&self) -> &[u8] {
        let first = self.children.first().map_or(self.span.end, |it| it.start);
        slice(self.text, self.span.start + 1..first)
    }

    /// Returns the text after the child with this index, including the comma.
    fn gap_after(&self, index: usize) -> &[u8] {
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

    /// Returns the usual text between two children near this one, without blank lines.
    fn plain_gap(&self, near: usize) -> Vec<u8> {
        let lead = self.lead();
        if self.children.len() < 2 {
            return if has_newline(lead) { join_gaps(b"", lead) } else { self.comma.to_vec() };
        }
        let gap = self.gap_after(near.saturating_sub(1));
        let comma = gap.iter().position(|it| *it == b',').unwrap_or(gap.len());
        join_gaps(slice(gap, 0..comma), slice(gap, comma + 1..gap.len()))
    }
}

/// Joins two runs of white space with a comma, with at most one line break in each.
fn join_gaps(before: &[u8], after: &[u8]) -> Vec<u8> {
    [last_line(before), b",", last_line(after)].concat()
}
