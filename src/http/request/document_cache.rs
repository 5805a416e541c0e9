//! The cache of documents about content types, for OpenAPI and TypeScript. Building one takes
//! milliseconds, and everybody may ask for it. It depends on nothing but the types that it
//! describes and a few texts, which are its key.

use std::sync::Arc;

use bytes::Bytes;
use quick_cache::Weighter;
use quick_cache::sync::Cache;

use crate::model::name::TypeName;
use crate::query::index::type_index::TypeIndex;
use crate::stdx::checksum::Checksum;

/// The most bytes that are kept.
const BYTES_MAX: u64 = 8 * 1024 * 1024;

/// The key of a document. It has the types by name: with a checksum of them, a schema could be made
/// with which visitors are shown the document of somebody who knows of more types.
#[derive(Clone, PartialEq, Eq, Hash)]
struct DocumentKey {
    texts: Vec<String>,
    /// The types with the checksums of their schemas.
    types: Vec<(TypeName, Checksum)>,
}

impl DocumentKey {
    fn new(texts: &[&str], types: &[Arc<TypeIndex>]) -> DocumentKey {
        let of_type = |it: &Arc<TypeIndex>| (it.content_type.name.clone(), it.content_type.sum);
        DocumentKey {
            texts: texts.iter().map(|it| (*it).to_string()).collect(),
            types: types.iter().map(of_type).collect(),
        }
    }
}

/// A document and the checksum of its bytes.
#[derive(Clone)]
pub(crate) struct CachedDocument {
    pub(crate) bytes: Bytes,
    pub(crate) sum: Checksum,
}

#[derive(Clone)]
struct DocumentWeighter;

impl Weighter<DocumentKey, CachedDocument> for DocumentWeighter {
    fn weight(&self, key: &DocumentKey, document: &CachedDocument) -> u64 {
        (document.bytes.len() + key.types.len() * 64 + 512) as u64
    }
}

/// The documents that were built last.
pub(crate) struct DocumentCache(Cache<DocumentKey, CachedDocument, DocumentWeighter>);

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
        let key = DocumentKey::new(texts, types);
        if let Some(document) = self.0.get(&key) {
            return Ok(document);
        }
        let bytes = Bytes::from(build()?);
        let document = CachedDocument { sum: Checksum::of_bytes(&bytes), bytes };
        self.0.insert(key, document.clone());
        Ok(document)
    }
}
