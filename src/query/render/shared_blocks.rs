//! Memory that the renderings of many entries share. Entries that are loaded together lie in one
//! block, which costs less than a block for each: nothing is lost between them, and short-lived
//! memory of the threads that read cannot end up between them and stay there.
//!
//! A shared block lives as long as one of its entries. When a quarter of it belongs to entries that
//! have changed since, the others move to a block of their own ([`repack_sparse`]).

use std::sync::Arc;

use bytes::Bytes;

use crate::query::render::rendered_entry::RenderedEntry;
use crate::query::render::rendered_entry::SharedBlock;
use crate::query::render::rendered_entry::SharedPlace;

/// A shared block loses its entries to a new one when fewer quarters of it are in use.
const USED_QUARTERS_MIN: u64 = 3;

/// Returns true if too few of the entries of a shared block are in use.
pub(crate) fn is_sparse(n_used: usize, n_entries: usize) -> bool {
    (n_used as u64) * 4 < n_entries as u64 * USED_QUARTERS_MIN
}

/// Moves the renderings of these entries to one new block of memory.
pub(crate) fn share_memory(entries: &mut [&mut RenderedEntry]) {
    let total: usize = entries.iter().map(|it| it.memory_bytes()).sum();
    let Ok(bytes) = u32::try_from(total) else { return };
    let mut shared = Vec::with_capacity(total);
    for entry in entries.iter() {
        entry.variants().for_each(|it| shared.extend_from_slice(it.memory()));
    }
    let shared = Bytes::from(shared);
    let mut start = 0;
    for variant in entries.iter_mut().flat_map(|it| it.variants_mut()) {
        variant.move_to(&shared, SharedPlace { start, bytes });
        start += u32::try_from(variant.memory().len()).unwrap_or(0);
    }
}

/// Returns the entries of a shared block in a new one, if too much of the block is unused. Of
/// `entries`, all that may be in the block, others are ignored.
pub(crate) fn repack_sparse<'e, K>(
    block: SharedBlock,
    entries: impl Iterator<Item = (K, &'e Arc<RenderedEntry>)>,
) -> Vec<(K, Arc<RenderedEntry>)> {
    let inside: Vec<_> = entries.filter(|(_, it)| it.shared_block() == Some(block)).collect();
    let used: u64 = inside.iter().map(|(_, it)| it.memory_bytes() as u64).sum();
    if used * 4 >= u64::from(block.bytes) * USED_QUARTERS_MIN {
        return Vec::new();
    }
    let mut moved: Vec<(K, RenderedEntry)> =
        inside.into_iter().map(|(key, it)| (key, RenderedEntry::clone(it))).collect();
    share_memory(&mut moved.iter_mut().map(|(_, it)| it).collect::<Vec<_>>());
    moved.into_iter().map(|(key, it)| (key, Arc::new(it))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::tests::content_type;
    use crate::query::tests::doc;

    #[test]
    fn entries_are_the_same_wherever_they_are() {
        let schema = r#"{"locales":["en","de"],"default_locale":"en","fields":{"text":{}}}"#;
        let ty = content_type("posts", schema);
        let file = |n: usize| {
            let translated = r#""translations":{"de":{"title":"D","data":{"text":"d"}}}"#;
            let translated = if n.is_multiple_of(3) { translated } else { "\"status\":\"draft\"" };
            format!(r#"{{"title":"T{n}","data":{{"text":"{}"}},{translated}}}"#, "x".repeat(n))
        };
        let own: Vec<_> = (0..20).map(|n| doc(&ty, &format!("e{n}"), &file(n))).collect();
        let mut shared: Vec<RenderedEntry> =
            own.iter().map(|it| RenderedEntry::clone(it)).collect();
        share_memory(&mut shared.iter_mut().collect::<Vec<_>>());
        let shared: Vec<_> = shared.into_iter().map(Arc::new).collect();
        let is_same = |one: &RenderedEntry, other: &RenderedEntry| {
            assert_eq!((one.id(), one.slug(), one.sum), (other.id(), other.slug(), other.sum));
            for locale in [None, Some(0), Some(1)] {
                let (one, other) = (one.variant_for(locale), other.variant_for(locale));
                assert_eq!(one.body(), other.body());
                assert_eq!(one.field_json(0), other.field_json(0));
            }
        };
        own.iter().zip(&shared).for_each(|(one, other)| is_same(one, other));
        let block = shared[0].shared_block().unwrap();
        assert!(shared.iter().all(|it| it.shared_block() == Some(block)));
        assert!(own.iter().all(|it| it.shared_block().is_none()));
        let all = || shared.iter().enumerate();
        assert!(repack_sparse(block, all()).is_empty());
        let rest = repack_sparse(block, all().filter(|(n, _)| n % 3 > 0));
        assert_eq!(rest.len(), 13);
        let next = rest[0].1.shared_block().unwrap();
        assert!(next != block && rest.iter().all(|(_, it)| it.shared_block() == Some(next)));
        rest.iter().for_each(|(n, it)| is_same(&own[*n], it));
    }
}
