//! The cache of finished responses to anonymous lists, which stay valid until their content
//! changes.
//!
//! A response is valid for exact generations of the types it touched. Nothing expires by time,
//! because a publication is a change like any other.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

use bytes::Bytes;
use quick_cache::Weighter;
use quick_cache::sync::Cache;

use crate::model::name::TypeName;
use crate::query::index::snapshot::Snapshot;
use crate::stdx::checksum::Checksum;
use crate::stdx::checksum::ChecksumBuilder;

/// A finished response.
#[derive(Clone, Debug)]
pub struct CachedList {
    /// The whole body.
    pub body: Bytes,
    /// A checksum that changes with the body.
    pub etag: Checksum,
    /// The types that appear in it, as they were.
    touched: Arc<[TouchedType]>,
}

/// A type that appears in a response.
#[derive(Debug)]
struct TouchedType {
    name: TypeName,
    /// Its position; a hint, which saves looking the name up.
    place: usize,
    /// Its generation; 0 if it did not exist.
    generation: u64,
}

impl TouchedType {
    fn new(snapshot: &Snapshot, name: &TypeName) -> TouchedType {
        let place = snapshot.type_position(name.as_str()).unwrap_or_default();
        let generation = snapshot.get(name.as_str()).map_or(0, |it| it.generation);
        TouchedType { name: name.clone(), place, generation }
    }

    /// Returns true if the type has not changed since.
    fn is_current(&self, snapshot: &Snapshot) -> bool {
        let hinted = snapshot.types().get(self.place);
        let hinted = hinted.filter(|it| it.content_type.name == self.name);
        let index = hinted.or_else(|| snapshot.get(self.name.as_str()));
        self.generation == index.map_or(0, |it| it.generation)
    }
}

/// The key of a response: workspace, type and query string.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct ListKey {
    workspace: Box<str>,
    type_name: Box<str>,
    query: Box<str>,
}

/// The key in borrowed form.
#[derive(Hash)]
struct BorrowedListKey<'a> {
    workspace: &'a str,
    type_name: &'a str,
    query: &'a str,
}

impl quick_cache::Equivalent<ListKey> for BorrowedListKey<'_> {
    fn equivalent(&self, key: &ListKey) -> bool {
        *key.query == *self.query
            && *key.type_name == *self.type_name
            && *key.workspace == *self.workspace
    }
}

#[derive(Clone)]
struct ListWeighter;

impl Weighter<ListKey, CachedList> for ListWeighter {
    fn weight(&self, key: &ListKey, list: &CachedList) -> u64 {
        (key.query.len() + list.body.len() + 256) as u64
    }
}

/// The number of queries remembered as requested once.
const RECENT_QUERIES_MAX: usize = 4096;

/// The finished responses, as many as fit.
pub struct ListCache {
    cache: Cache<ListKey, CachedList, ListWeighter>,
    /// The largest response that is kept; larger ones would push out too many others.
    body_bytes_max: usize,
    /// Checksums of recent queries. Only a repeated query is kept, so that a walk through all pages
    /// costs nothing extra and pushes nothing out.
    recent_queries: Box<[AtomicU64]>,
    /// The limit on lists when the responses were kept.
    limit_max: AtomicUsize,
}

impl ListCache {
    /// Returns a cache for up to `bytes` of responses.
    pub fn new(bytes: u64) -> ListCache {
        let estimated_items = usize::try_from(bytes / 16_384).unwrap_or(1024).max(64);
        ListCache {
            cache: Cache::with_weighter(estimated_items, bytes, ListWeighter),
            body_bytes_max: usize::try_from(bytes / 16).unwrap_or(usize::MAX),
            recent_queries: (0..RECENT_QUERIES_MAX).map(|_| AtomicU64::new(0)).collect(),
            limit_max: AtomicUsize::new(0),
        }
    }

    /// Sets the limit on lists. A change clears the cache, whose lists may be longer or shorter.
    pub fn set_limit_max(&self, limit_max: usize) {
        if self.limit_max.load(Relaxed) != limit_max {
            self.cache.clear();
            self.limit_max.store(limit_max, Relaxed);
        }
    }

    /// Returns true if a response of this size may be kept: it is small enough, and the query is
    /// repeated.
    fn admits_answer(&self, query: Checksum, body_bytes: usize) -> bool {
        let Some(place) = self.recent_queries.get(query.0 as usize % RECENT_QUERIES_MAX) else {
            return false;
        };
        body_bytes <= self.body_bytes_max && place.swap(query.0, Relaxed) == query.0
    }

    /// Returns the response to a query, if it is still valid.
    pub fn get(&self, snapshot: &Snapshot, type_name: &str, query: &str) -> Option<CachedList> {
        let workspace = snapshot.workspace.as_str();
        let kept = self.cache.get(&BorrowedListKey { workspace, type_name, query })?;
        kept.touched.iter().all(|it| it.is_current(snapshot)).then_some(kept)
    }

    /// Keeps a response that shows the types in `touched`, if the query is repeated and the
    /// response is not too large.
    pub fn put(
        &self,
        snapshot: &Snapshot,
        type_name: &str,
        query: &str,
        touched: &[TypeName],
        etag: Checksum,
        body: &Bytes,
    ) {
        let mut asked = ChecksumBuilder::new();
        asked
            .add_part(snapshot.workspace.as_bytes())
            .add_part(type_name.as_bytes())
            .add_part(query.as_bytes());
        if !self.admits_answer(asked.finish(), body.len()) {
            return;
        }
        let key = ListKey {
            workspace: snapshot.workspace.as_str().into(),
            type_name: type_name.into(),
            query: query.into(),
        };
        let touched = touched.iter().map(|it| TouchedType::new(snapshot, it)).collect();
        self.cache.insert(key, CachedList { body: body.clone(), etag, touched });
    }
}
