//! Caches of documents that take long to build, and that everybody may ask for: those about content
//! types, feeds and sitemaps. A document depends on nothing but its key: a few texts, and the types
//! that it describes.

use std::sync::Arc;

use bytes::Bytes;
use quick_cache::Weighter;
use quick_cache::sync::Cache;

use crate::model::name::TypeName;
use crate::query::execute::executor::Effort;
use crate::query::index::type_index::TypeIndex;
use crate::stdx::checksum::Checksum;

/// The most bytes that a cache keeps.
const BYTES_MAX: u64 = 16 * 1024 * 1024;

/// The usual number of documents. A cache of so few has one shard: it would keep no document that
/// is larger than a shard.
const DOCUMENTS_USUAL: usize = 32;

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
        let texts: usize = key.texts.iter().map(String::len).sum();
        (document.bytes.len() + texts + key.types.len() * 64 + 512) as u64
    }
}

impl CachedDocument {
    pub(crate) fn from_bytes(bytes: Vec<u8>) -> CachedDocument {
        let bytes = Bytes::from(bytes);
        CachedDocument { sum: Checksum::of_bytes(&bytes), bytes }
    }
}

/// The documents that were built last.
pub(crate) struct DocumentCache(Cache<DocumentKey, CachedDocument, DocumentWeighter>);

impl Default for DocumentCache {
    fn default() -> Self {
        DocumentCache(Cache::with_weighter(DOCUMENTS_USUAL, BYTES_MAX, DocumentWeighter))
    }
}

impl DocumentCache {
    /// Returns the document about these types that has these texts. Unless it is cached, `build`
    /// makes it, once for all who ask for it meanwhile: they wait. Returns `None` if it is not
    /// cached and the effort is not that of the lane.
    ///
    /// # Errors
    ///
    /// Returns the error of `build`.
    pub(crate) fn get_or_build<E>(
        &self,
        texts: &[&str],
        types: &[Arc<TypeIndex>],
        effort: Effort,
        build: impl FnOnce() -> Result<Vec<u8>, E>,
    ) -> Result<Option<CachedDocument>, E> {
        let key = DocumentKey::new(texts, types);
        if effort != Effort::Heavy {
            return Ok(self.0.get(&key));
        }
        self.0.get_or_insert_with(&key, || build().map(CachedDocument::from_bytes)).map(Some)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;
    use std::sync::atomic::Ordering::SeqCst;
    use std::sync::mpsc;
    use std::thread;

    use super::*;

    impl DocumentCache {
        fn find(&self, text: &str) -> Option<CachedDocument> {
            let build = || -> Result<Vec<u8>, ()> { panic!("this is not the lane") };
            self.get_or_build(&[text], &[], Effort::Quick, build).unwrap()
        }

        fn build(
            &self,
            text: &str,
            build: impl FnOnce() -> Result<Vec<u8>, ()>,
        ) -> Result<CachedDocument, ()> {
            self.get_or_build(&[text], &[], Effort::Heavy, build).map(Option::unwrap)
        }
    }

    #[test]
    fn many_who_ask_share_one_build() {
        const CALLERS: usize = 8;
        let (cache, builds) = (DocumentCache::default(), AtomicUsize::new(0));
        let count = || builds.fetch_add(1, SeqCst).to_string().into_bytes();
        thread::scope(|scope| {
            let (begin, begun) = mpsc::channel();
            let (ask, asked) = mpsc::channel();
            let (end, ended) = mpsc::channel::<()>();
            let (cache, count) = (&cache, &count);
            let first = scope.spawn(move || {
                cache.build("a", || {
                    begin.send(()).unwrap();
                    ended.recv().unwrap();
                    Ok(count())
                })
            });
            begun.recv().unwrap();
            assert!(cache.find("a").is_none(), "nobody waits outside of the lane");
            let others: Vec<_> = (0..CALLERS)
                .map(|_| {
                    let ask = ask.clone();
                    scope.spawn(move || {
                        ask.send(()).unwrap();
                        cache.build("a", || Ok(count()))
                    })
                })
                .collect();
            for _ in 0..CALLERS {
                asked.recv().unwrap();
            }
            // Another document does not wait for this one.
            assert_eq!(cache.build("b", || Ok(b"b".to_vec())).unwrap().bytes, "b");
            end.send(()).unwrap();
            for caller in others.into_iter().chain([first]) {
                assert_eq!(caller.join().unwrap().unwrap().bytes, "0");
            }
        });
        assert_eq!(builds.load(SeqCst), 1);
        assert_eq!(cache.find("a").unwrap().bytes, "0");
    }

    #[test]
    fn a_build_that_fails_is_made_again() {
        let cache = DocumentCache::default();
        assert!(cache.build("a", || Err(())).is_err());
        assert!(cache.find("a").is_none());
        assert_eq!(cache.build("a", || Ok(b"a".to_vec())).unwrap().bytes, "a");
        assert_eq!(cache.find("a").unwrap().bytes, "a");
    }

    #[test]
    fn a_document_may_fill_the_cache() {
        let cache = DocumentCache::default();
        let whole = usize::try_from(BYTES_MAX).unwrap();
        for bytes in [whole / 2, whole / 10 * 9] {
            cache.build("large", || Ok(vec![0; bytes])).unwrap();
            assert_eq!(cache.find("large").unwrap().bytes.len(), bytes);
            cache.0.clear();
        }
    }
}
