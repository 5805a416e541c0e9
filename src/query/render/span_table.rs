//! The table behind a finished body in the same block of memory: the spans of its fields, then its
//! links. One block for each rendering, instead of one for each list, saves memory and lets a read
//! touch fewer places.

use crate::model::field::OnDelete;
use crate::model::field::RelationLink;

/// A span of a body; empty if there is no value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BodySpan {
    /// The offset of the first byte.
    pub start: u32,
    /// The offset after the last byte.
    pub end: u32,
}

impl BodySpan {
    /// Returns the bytes of the span.
    pub(super) fn slice_of(self, body: &[u8]) -> &[u8] {
        body.get(self.start as usize..self.end as usize).unwrap_or_default()
    }
}

/// The width of the offsets in a table. Nearly all bodies are so short that two bytes are enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OffsetWidth {
    Two,
    Four,
}

impl OffsetWidth {
    /// Returns the width of the offsets in a body of this length.
    pub(super) fn of_body(bytes: u32) -> OffsetWidth {
        if bytes <= u32::from(u16::MAX) { OffsetWidth::Two } else { OffsetWidth::Four }
    }

    /// Returns the size of the span of a field.
    pub(super) fn span_bytes(self) -> usize {
        match self {
            OffsetWidth::Two => 4,
            OffsetWidth::Four => 8,
        }
    }

    /// Returns the size of a link.
    pub(super) fn link_bytes(self) -> usize {
        self.span_bytes() + 4
    }

    /// Appends the table of these fields and links.
    pub(super) fn append_table(
        self,
        out: &mut Vec<u8>,
        fields: &[BodySpan],
        links: &[RelationLink],
    ) {
        for span in fields {
            self.append_span(out, *span);
        }
        for link in links {
            self.append_span(out, BodySpan { start: link.start, end: link.end });
            out.extend_from_slice(&link.target.to_le_bytes());
            out.extend_from_slice(&[u8::from(link.many), encode_on_delete(link.on_delete)]);
        }
    }

    fn append_span(self, out: &mut Vec<u8>, span: BodySpan) {
        for offset in [span.start, span.end] {
            match self {
                // The body is short enough.
                OffsetWidth::Two => out.extend_from_slice(&(offset as u16).to_le_bytes()),
                OffsetWidth::Four => out.extend_from_slice(&offset.to_le_bytes()),
            }
        }
    }

    /// Returns the span at the beginning of `bytes`; an empty one if they are too short.
    pub(super) fn read_span(self, bytes: &[u8]) -> BodySpan {
        match self {
            OffsetWidth::Two => {
                let both = read_u32(bytes, 0);
                BodySpan { start: both & 0xFFFF, end: both >> 16 }
            }
            OffsetWidth::Four => BodySpan { start: read_u32(bytes, 0), end: read_u32(bytes, 4) },
        }
    }

    /// Returns the link at the beginning of `bytes`.
    pub(super) fn read_link(self, bytes: &[u8]) -> RelationLink {
        let BodySpan { start, end } = self.read_span(bytes);
        let [low, high, many, on_delete] = read_u32(bytes, self.span_bytes()).to_le_bytes();
        RelationLink {
            start,
            end,
            target: u16::from_le_bytes([low, high]),
            many: many != 0,
            on_delete: decode_on_delete(on_delete),
        }
    }
}

fn read_u32(bytes: &[u8], at: usize) -> u32 {
    let number = bytes.get(at..).and_then(|rest| rest.first_chunk());
    number.map_or(0, |it| u32::from_le_bytes(*it))
}

fn encode_on_delete(action: OnDelete) -> u8 {
    match action {
        OnDelete::Keep => 0,
        OnDelete::Block => 1,
        OnDelete::Clear => 2,
    }
}

fn decode_on_delete(code: u8) -> OnDelete {
    match code {
        1 => OnDelete::Block,
        2 => OnDelete::Clear,
        _ => OnDelete::Keep,
    }
}
