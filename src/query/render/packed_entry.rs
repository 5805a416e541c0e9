//! The rendered entry as bytes: the fixed values of an entry and its renderings, without the blocks
//! of memory that hold their texts. A pack keeps both beside each other, so that a start need not
//! render anew what has not changed.
//!
//! Reading checks every place and number: whatever the bytes are, an entry that is read has its
//! texts and tables within its block.

use std::collections::BTreeSet;

use bytes::Bytes;

use crate::model::content_type::ContentType;
use crate::model::entry::EntryStatus;
use crate::query::render::entry_texts::NameHashes;
use crate::query::render::entry_texts::TextSpans;
use crate::query::render::rendered_entry::BODY_HEAD;
use crate::query::render::rendered_entry::ExtraParts;
use crate::query::render::rendered_entry::RenderedEntry;
use crate::query::render::rendered_entry::SharedPlace;
use crate::query::render::rendered_entry::Variant;
use crate::query::render::span_table::BodySpan;
use crate::stdx::checksum::Checksum;
use crate::stdx::time::Timestamp;

/// The version of this form. Renderings of another program are never read, so it changes only if
/// the bytes change while everything else stays.
pub(crate) const PACKED_VERSION: u64 = 1;

/// Appends the fixed values of an entry.
pub(crate) fn write_entry(entry: &RenderedEntry, out: &mut Vec<u8>) {
    let status = EntryStatus::ALL.iter().position(|it| *it == entry.status).unwrap_or_default();
    out.extend_from_slice(&[status as u8, u8::from(entry.becomes_published)]);
    for time in [entry.published_at, entry.unpublish_at] {
        write_u64(time.map_or(i64::MIN, Timestamp::seconds).cast_unsigned(), out);
    }
    for time in [entry.created_at, entry.updated_at] {
        write_u64(time.seconds().cast_unsigned(), out);
    }
    write_u64(entry.rev.0, out);
    write_u64(entry.sum.0, out);
    let TextSpans { id, slug, author_id, updated_by } = entry.texts;
    [id, slug, author_id, updated_by].into_iter().for_each(|it| write_span(it, out));
    let (others, by_locale): (&[Variant], &[u8]) =
        entry.extra.as_ref().map_or((&[], &[]), |it| (&it.variants, &it.by_locale));
    // There are at most as many renderings as locales, which are numbered by one byte.
    out.extend_from_slice(&[others.len() as u8, by_locale.len().min(255) as u8]);
    out.extend(by_locale.iter().take(255));
    let former: Vec<&str> = entry.former_slugs().collect();
    // There are at most 50, of at most 200 bytes.
    out.push(former.len() as u8);
    for slug in former {
        out.push(slug.len() as u8);
        out.extend_from_slice(slug.as_bytes());
    }
    entry.variants().for_each(|it| write_variant(it, out));
}

/// Returns true if [`read_entry`] can restore the entry: its counts and lengths fit a byte.
pub(crate) fn is_packable(entry: &RenderedEntry) -> bool {
    entry.extra.as_ref().is_none_or(|it| {
        it.by_locale.len() <= 255
            && it.former_slugs.len() <= 255
            && it.former_slugs.iter().all(|it| it.len() <= 255)
    })
}

/// Reads an entry of some type, whose texts follow each other in `block` from `start` on. Returns
/// nothing if the bytes cannot be an entry.
pub(crate) fn read_entry(
    from: &mut &[u8],
    block: &Bytes,
    start: &mut usize,
) -> Option<RenderedEntry> {
    let [status, becomes_published] = *read_bytes::<2>(from)?;
    let status = *EntryStatus::ALL.get(usize::from(status))?;
    let mut time = || read_u64(from).map(u64::cast_signed);
    let optional = |seconds: i64| (seconds != i64::MIN).then(|| Timestamp::from_seconds(seconds));
    let (published_at, unpublish_at) = (optional(time()?), optional(time()?));
    let created_at = Timestamp::from_seconds(time()?);
    let updated_at = Timestamp::from_seconds(time()?);
    let (rev, sum) = (Checksum(read_u64(from)?), Checksum(read_u64(from)?));
    let texts = TextSpans {
        id: read_span(from)?,
        slug: read_span(from)?,
        author_id: read_span(from)?,
        updated_by: read_span(from)?,
    };
    let [n_others, n_locales] = *read_bytes::<2>(from)?;
    let by_locale: Box<[u8]> = take(from, usize::from(n_locales))?.into();
    if by_locale.iter().any(|it| *it > n_others) || (n_others > 0) != (n_locales > 0) {
        return None;
    }
    let former_slugs = read_texts(from)?;
    let mut variant = || read_variant(from, block, start);
    let default = variant()?;
    let variants: Option<Box<[Variant]>> = (0..n_others).map(|_| variant()).collect();
    let entry = RenderedEntry {
        status,
        becomes_published: becomes_published != 0,
        published_at,
        unpublish_at,
        created_at,
        updated_at,
        rev,
        sum,
        hashes: NameHashes::compute(&texts, default.memory()),
        texts,
        default,
        extra: ExtraParts::new(variants?, by_locale, former_slugs),
    };
    let is_whole = [texts.id, texts.slug, texts.author_id, texts.updated_by].iter().all(|it| {
        let text = entry.default.memory().get(it.start as usize..it.end as usize);
        text.is_some_and(|it| std::str::from_utf8(it).is_ok())
    });
    is_whole.then_some(entry)
}

/// Returns true if an entry that was read can be one of this type: it has as many fields, and says
/// of as many locales what it has.
pub(crate) fn is_of_type(entry: &RenderedEntry, ty: &ContentType) -> bool {
    let n_fields = ty.data_fields().count();
    entry.variants().all(|it| it.count_fields() == n_fields)
        && entry
            .extra
            .as_ref()
            .is_none_or(|it| it.by_locale.is_empty() || it.by_locale.len() == ty.locales.len())
}

/// Returns true if one of these entries is among those whose texts follow each other in `block`.
pub(crate) fn has_one_of(block: &[u8], ids: &BTreeSet<String>) -> bool {
    let begin = [BODY_HEAD, b"{\"id\":\""].concat();
    memchr::memmem::find_iter(block, &begin).any(|at| {
        let id = block.get(at + begin.len()..).unwrap_or_default();
        let end = memchr::memchr(b'"', id).unwrap_or_default();
        std::str::from_utf8(&id[..end]).is_ok_and(|it| ids.contains(it))
    })
}

fn write_variant(variant: &Variant, out: &mut Vec<u8>) {
    write_u64(variant.sum.0, out);
    write_span(variant.title, out);
    let memory = u32::try_from(variant.memory().len()).unwrap_or(u32::MAX);
    let numbers = [variant.body_end, variant.data, variant.n_fields, variant.n_links, memory];
    numbers.iter().for_each(|it| out.extend_from_slice(&it.to_le_bytes()));
}

fn read_variant(from: &mut &[u8], block: &Bytes, start: &mut usize) -> Option<Variant> {
    let sum = Checksum(read_u64(from)?);
    let title = read_span(from)?;
    let [body_end, data, n_fields, n_links, memory] = read_u32s::<5>(from)?;
    let end = start.checked_add(memory as usize).filter(|it| *it <= block.len())?;
    let shared =
        SharedPlace { start: u32::try_from(*start).ok()?, bytes: u32::try_from(block.len()).ok()? };
    let block = block.slice(*start..end);
    *start = end;
    let variant = Variant { block, shared, sum, body_end, title, data, n_fields, n_links };
    if !variant.has_whole_body() {
        return None;
    }
    let is_inside = |span: BodySpan| span.start <= span.end && span.end <= body_end;
    let is_whole = variant.has_whole_table()
        && is_inside(title)
        && data <= body_end
        && (0..n_fields as usize).all(|it| is_inside(variant.field_span(it)))
        && variant.links().all(|it| is_inside(BodySpan { start: it.start, end: it.end }));
    is_whole.then_some(variant)
}

fn write_u64(number: u64, out: &mut Vec<u8>) {
    out.extend_from_slice(&number.to_le_bytes());
}

fn write_span(span: BodySpan, out: &mut Vec<u8>) {
    out.extend_from_slice(&span.start.to_le_bytes());
    out.extend_from_slice(&span.end.to_le_bytes());
}

/// Reads short texts, each behind its length.
fn read_texts(from: &mut &[u8]) -> Option<Box<[Box<str>]>> {
    let [count] = *read_bytes::<1>(from)?;
    let mut text = || {
        let [len] = *read_bytes::<1>(from)?;
        std::str::from_utf8(take(from, usize::from(len))?).ok().map(Box::from)
    };
    (0..count).map(|_| text()).collect()
}

fn read_u64(from: &mut &[u8]) -> Option<u64> {
    read_bytes::<8>(from).map(|it| u64::from_le_bytes(*it))
}

fn read_span(from: &mut &[u8]) -> Option<BodySpan> {
    let [start, end] = read_u32s::<2>(from)?;
    Some(BodySpan { start, end })
}

fn read_u32s<const N: usize>(from: &mut &[u8]) -> Option<[u32; N]> {
    let mut numbers = [0; N];
    for number in &mut numbers {
        *number = u32::from_le_bytes(*read_bytes::<4>(from)?);
    }
    Some(numbers)
}

fn read_bytes<'f, const N: usize>(from: &mut &'f [u8]) -> Option<&'f [u8; N]> {
    let (bytes, rest) = from.split_first_chunk()?;
    *from = rest;
    Some(bytes)
}

fn take<'f>(from: &mut &'f [u8], len: usize) -> Option<&'f [u8]> {
    let (bytes, rest) = from.split_at_checked(len)?;
    *from = rest;
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::tests::content_type;
    use crate::query::tests::doc;

    const SCHEMA: &str = r#"{"locales":["en","de"],"default_locale":"en","fields":{
        "text":{},"to":{"type":"relation","target":"posts","multiple":true}}}"#;

    fn pack(entry: &RenderedEntry) -> (Vec<u8>, Vec<u8>) {
        let (mut head, mut block) = (Vec::new(), Vec::new());
        write_entry(entry, &mut head);
        entry.variants().for_each(|it| block.extend_from_slice(it.memory()));
        (head, block)
    }

    fn unpack(head: &[u8], block: &[u8], ty: &ContentType) -> Option<RenderedEntry> {
        let (mut from, mut start) = (head, 0);
        read_entry(&mut from, &Bytes::copy_from_slice(block), &mut start)
            .filter(|it| is_of_type(it, ty))
    }

    #[test]
    fn an_entry_is_read_as_it_was_written() {
        let ty = content_type("posts", SCHEMA);
        let long =
            format!(r#"{{"title":"T","data":{{"text":"{}","to":["a"]}}}}"#, "x".repeat(70_000));
        for file in [
            r#"{"title":"T"}"#,
            r#"{"title":"\"Q\"","slug":"a\"b","former_slugs":["old","older"],"status":"scheduled","published_at":"2026-05-01",
                "unpublish_at":"2027-05-01","author_id":"me","data":{"text":"x","to":["a","b"]},
                "translations":{"de":{"title":"D","data":{"text":"d"}}}}"#,
            &long,
        ] {
            let entry = doc(&ty, "e", file);
            let (head, block) = pack(&entry);
            let read = unpack(&head, &block, &ty).unwrap();
            assert_eq!(pack(&read), (head.clone(), block.clone()), "{file}");
            assert_eq!((read.author_id(), read.slug()), (entry.author_id(), entry.slug()));
            assert!(read.former_slugs().eq(entry.former_slugs()));
            for locale in [None, Some(0), Some(1)] {
                let (one, other) = (read.variant_for(locale), entry.variant_for(locale));
                assert_eq!(one.body(), other.body());
                assert_eq!(one.field_json(1), other.field_json(1));
                assert_eq!(one.links().count(), other.links().count());
            }
            let other = content_type("posts", r#"{"fields":{"a":{},"b":{},"c":{}}}"#);
            assert!(unpack(&head, &block, &other).is_none());
        }
    }

    #[test]
    fn entries_are_found_in_a_block() {
        let ty = content_type("posts", SCHEMA);
        let file = r#"{"title":"T","data":{"to":["other"]},"translations":{"de":{"title":"D"}}}"#;
        let block = [pack(&doc(&ty, "one", file)).1, pack(&doc(&ty, "two", file)).1].concat();
        for (ids, expect) in [
            (&["two", "x"][..], true),
            (&["one"], true),
            (&["other", "tw", "twos", "", "T"], false),
            (&[], false),
        ] {
            let ids = ids.iter().map(|it| it.to_string()).collect();
            assert_eq!(has_one_of(&block, &ids), expect, "{ids:?}");
        }
    }

    #[test]
    fn damaged_bytes_are_no_entry_or_one_within_its_block() {
        let ty = content_type("posts", SCHEMA);
        let entry = doc(&ty, "e", r#"{"title":"T","data":{"text":"x","to":["a","b"]}}"#);
        let (head, block) = pack(&entry);
        for len in 0..head.len() {
            assert!(unpack(&head[..len], &block, &ty).is_none());
        }
        let body_len = entry.variant_for(None).body().len();
        for place in 0..head.len() + block.len() - body_len {
            for value in [0, 1, 2, 0x7f, 0xff] {
                let (mut head, mut block) = (head.clone(), block.clone());
                match head.get_mut(place) {
                    Some(byte) => *byte = value,
                    None => block[place - head.len() + body_len] = value,
                }
                let Some(read) = unpack(&head, &block, &ty) else { continue };
                let variant = read.variant_for(Some(1));
                let spans = (0..variant.count_fields()).map(|it| variant.field_span(it));
                assert!(spans.chain([variant.entry_span()]).all(|it| it.end as usize <= body_len));
                let _ = (
                    read.id(),
                    read.slug(),
                    read.author_id(),
                    variant.member_span(0),
                    variant.title_json(),
                );
            }
        }
    }
}
