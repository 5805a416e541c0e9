//! The places of an entry's own texts, and the hashes of its names.
//!
//! While an entry is made, its names are in the processor's caches; when the look-ups of all
//! entries are built, they are far away. So the entry keeps the hashes.

use std::sync::LazyLock;

use crate::query::render::span_table::BodySpan;
use crate::stdx::cow_index::KeyHash;
use crate::stdx::cow_index::KeyHasher;

/// The places of texts in the block of a rendering. Nearly all of them are in the body, where JSON
/// needs no escapes for them; others are behind it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TextSpans {
    pub(super) id: BodySpan,
    pub(super) slug: BodySpan,
    /// Empty at the start of the block if there is none, where no text is.
    pub(super) author_id: BodySpan,
    pub(super) updated_by: BodySpan,
}

/// The hasher of ids and slugs, the same for all entries. One hash of a name serves the look-ups by
/// id and by slug.
pub(in crate::query) static NAME_HASHER: LazyLock<KeyHasher> = LazyLock::new(KeyHasher::random);

/// The hashes of the names of an entry.
#[derive(Clone, Copy, Debug)]
pub(in crate::query) struct NameHashes {
    pub(in crate::query) id: KeyHash,
    pub(in crate::query) slug: KeyHash,
}

impl NameHashes {
    /// Computes the hashes of the names at these places in a block.
    pub(super) fn compute(texts: &TextSpans, block: &[u8]) -> NameHashes {
        let hash = |span: BodySpan| NAME_HASHER.hash_key(span.slice_of(block));
        NameHashes { id: hash(texts.id), slug: hash(texts.slug) }
    }
}
