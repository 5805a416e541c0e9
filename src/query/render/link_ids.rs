//! The ids of entries inside the links of a rendering.

use crate::model::field::RelationLink;
use crate::query::render::rendered_entry::Variant;
use crate::query::render::span_table::BodySpan;

/// The ids inside a link, which are texts.
pub(crate) fn link_texts<'v>(
    variant: &'v Variant,
    link: &RelationLink,
) -> impl Iterator<Item = &'v str> {
    link_ids(variant, link).filter_map(|id| std::str::from_utf8(id).ok())
}

/// The ids inside a link, as bytes: for a look-up, they need not be checked.
pub(crate) fn link_ids<'v>(
    variant: &'v Variant,
    link: &RelationLink,
) -> impl Iterator<Item = &'v [u8]> {
    span_ids(variant, BodySpan { start: link.start, end: link.end }).map(|(id, _)| id)
}

/// Iterates over the ids in a part of a link, each with the offset of its end. An id is the text
/// between two quotes, since ids need no escapes.
pub(super) fn span_ids(variant: &Variant, span: BodySpan) -> impl Iterator<Item = (&[u8], u32)> {
    let mut rest = variant.slice_bytes(span);
    std::iter::from_fn(move || {
        let (_, behind) = split_at_quote(rest)?;
        let (id, behind) = split_at_quote(behind)?;
        rest = behind;
        let left = u32::try_from(rest.len()).unwrap_or(u32::MAX);
        Some((id, span.end.saturating_sub(left)))
    })
}

fn split_at_quote(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let at = text.iter().position(|it| *it == b'"')?;
    Some((text.get(..at)?, text.get(at + 1..)?))
}
