//! The cache of documents about content types, for OpenAPI and TypeScript. Building one takes
//! milliseconds, and everybody may ask for it. It depends on nothing but the types that it
//! describes and a few texts, which are its key.

use std::sync::Arc;

use bytes::Bytes;
use quick_cache::Weighter;
use quick_cache::sync::Cache;

use crate::query::index::type_index::TypeIndex;
use crate::stdx::checksum::Checksum;
use crate::stdx::checksum::ChecksumBuilder;

/// The most bytes that are kept.
const BYTES_MAX: u64 = 8 * 1024 * 1024;

/// A document and the checksum of its bytes.
#[derive(Clone)]
pub(crate) struct CachedDocument {
    pub(crate) bytes: Bytes,
    pub(crate) sum: Checksum,
}

#[derive(Clone)]
struct DocumentWeighter;

impl Weighter<Checksum, CachedDocument> for DocumentWeighter {
    fn weight(&self, _: &Checksum, document: &CachedDocument) -> u64 {
        document.bytes.len() as u64 + 128
    }
}

/// The documents that were built last.
pub(crate) struct DocumentCache(Cache<Checksum, CachedDocument, DocumentWeighter>);

impl Default for DocumentCache {
    fn default() -> Self {
        DocumentCache(Cache::with_weighter(64, BYTES_MAX, DocumentWeighter))
    }
}

impl DocumentCache {
    /// Returns the document about these types that has these texts, which `build` makes unless it
    /// is cached.
    ///
    /// # Errors
    ///
    /// Returns the error of `build`.
    pub(crate) fn get_or_build<E>(
        &self,
        texts: &[&str],
        types: &[Arc<TypeIndex>],
        build: impl FnOnce() -> Result<Vec<u8>, E>,
    ) -> Result<CachedDocument, E> {
        let key = compute_key(texts, types);
        if let Some(document) = self.0.get(&key) {
            return Ok(document);
        }
        let bytes = Bytes::from(build()?);
        let document = CachedDocument { sum: Checksum::of_bytes(&bytes), bytes };
        self.0.insert(key, document.clone());
        Ok(document)
    }
}

fn compute_key(texts: &[&str], types: &[Arc<TypeIndex>]) -> Checksum {
    let mut key = ChecksumBuilder::new();
    key.add_number(texts.len() as u64);
    texts.iter().for_each(|it| _ = key.add_part(it.as_bytes()));
    for index in types {
        let ty = &index.content_type;
        key.add_part(ty.name.as_str().as_bytes()).add_number(ty.sum.0);
    }
    key.finish()
}
