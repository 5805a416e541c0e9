//! Caches of documents that take long to build, and that everybody may ask for: those about content
//! types, feeds and sitemaps. A document depends on nothing but its key: a few texts, and the types
//! that it describes.

use std::collections::VecDeque;
use std::sync::Arc;

use bytes::Bytes;
use quick_cache::Weighter;
use quick_cache::sync::Cache;

use crate::model::name::TypeName;
use crate::query::execute::executor::Effort;
use crate::query::index::type_index::TypeIndex;
use crate::stdx::checksum::Checksum;
use crate::stdx::sync::Mutex;
use crate::stdx::thread_limit::ThreadLimit;

/// The most bytes that a cache keeps, but for large documents.
const BYTES_MAX: u64 = 16 * 1024 * 1024;

/// The usual number of documents. A cache of so few has one shard: it would keep no document that
/// is larger than a shard.
const DOCUMENTS_USUAL: usize = 32;

/// The size from which on a document is large: the cache may keep none of this size.
const LARGE_BYTES_MIN: usize = 8 * 1024 * 1024;

/// The most large documents that a cache keeps, of any size: building one takes seconds.
const LARGE_KEPT_MAX: usize = 2;

/// The number of types from which on a document is built while no other one of so many is: while it
/// is put together, one of 1,000 types takes half a gigabyte.
const MANY_TYPES_MIN: usize = 200;

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
pub(crate) struct DocumentCache {
    kept: Cache<DocumentKey, CachedDocument, DocumentWeighter>,
    /// The large documents, the latest last.
    large: Mutex<VecDeque<(DocumentKey, CachedDocument)>>,
    /// The builds of documents about many types.
    large_builds: ThreadLimit,
}

impl Default for DocumentCache {
    fn default() -> Self {
        let kept = Cache::with_weighter(DOCUMENTS_USUAL, BYTES_MAX, DocumentWeighter);
        DocumentCache { kept, large: Mutex::default(), large_builds: ThreadLimit::new(1) }
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
        if let Some(known) = self.kept.get(&key).or_else(|| self.find_large(&key)) {
            return Ok(Some(known));
        }
        if effort != Effort::Heavy {
            return Ok(None);
        }
        let build = || {
            // What is too large for the cache may have been built since it was looked for.
            if let Some(known) = self.find_large(&key) {
                return Ok(known);
            }
            let bytes = match types.len() < MANY_TYPES_MIN {
                true => build(),
                false => self.large_builds.run(build),
            };
            let document = bytes.map(CachedDocument::from_bytes);
            // Before those who wait for it are told, so that nobody builds it again.
            document.iter().for_each(|it| self.keep_large(&key, it));
            document
        };
        self.kept.get_or_insert_with(&key, build).map(Some)
    }

    fn find_large(&self, key: &DocumentKey) -> Option<CachedDocument> {
        let large = self.large.lock();
        large.iter().find(|(known, _)| known == key).map(|(_, document)| document.clone())
    }

    fn keep_large(&self, key: &DocumentKey, document: &CachedDocument) {
        if document.bytes.len() < LARGE_BYTES_MIN {
            return;
        }
        let mut large = self.large.lock();
        large.retain(|(known, _)| known != key);
        if large.len() >= LARGE_KEPT_MAX {
            large.pop_front();
        }
        large.push_back((key.clone(), document.clone()));
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
    fn documents_that_are_larger_than_the_cache_are_kept() {
        let cache = DocumentCache::default();
        let whole = usize::try_from(BYTES_MAX).unwrap();
        for name in ["a", "b", "b", "c"] {
            cache.build(name, || Ok(vec![0; 2 * whole])).unwrap();
            assert_eq!(cache.find(name).unwrap().bytes.len(), 2 * whole);
        }
        assert!(cache.find("a").is_none() && cache.find("b").is_some());
        assert_eq!(cache.large.lock().len(), LARGE_KEPT_MAX);
    }

    #[test]
    fn a_document_may_fill_the_cache() {
        let cache = DocumentCache::default();
        let whole = usize::try_from(BYTES_MAX).unwrap();
        for bytes in [whole / 2, whole / 10 * 9] {
            cache.build(&bytes.to_string(), || Ok(vec![0; bytes])).unwrap();
            assert_eq!(cache.kept.len(), 1);
            cache.kept.clear();
        }
    }
}
