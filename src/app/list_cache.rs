//! Finished answers to lists that anybody may ask for, kept while nothing they show changes.
//!
//! An answer is good for exactly the generations of the types it touched; nothing expires by time,
//! because going public is a change like any other.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

use bytes::Bytes;
use quick_cache::Weighter;
use quick_cache::sync::Cache;

use crate::model::name::TypeName;
use crate::query::snapshot::Snapshot;
use crate::stdx::sum::Sum;
use crate::stdx::sum::Summer;

/// A finished answer.
#[derive(Clone, Debug)]
pub struct CachedList {
    /// The whole body.
    pub body: Bytes,
    /// What changes when the body does.
    pub etag: Sum,
    /// The types it shows something of, as they were.
    touched: Arc<[(TypeName, u64)]>,
}

/// What tells one answer from another: workspace, type and query string.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Key {
    workspace: Box<str>,
    type_name: Box<str>,
    query: Box<str>,
}

/// The same, borrowed.
#[derive(Hash)]
struct Borrowed<'a> {
    workspace: &'a str,
    type_name: &'a str,
    query: &'a str,
}

impl quick_cache::Equivalent<Key> for Borrowed<'_> {
    fn equivalent(&self, key: &Key) -> bool {
        *key.query == *self.query
            && *key.type_name == *self.type_name
            && *key.workspace == *self.workspace
    }
}

#[derive(Clone)]
struct ByBytes;

impl Weighter<Key, CachedList> for ByBytes {
    fn weight(&self, key: &Key, list: &CachedList) -> u64 {
        (key.query.len() + list.body.len() + 256) as u64
    }
}

/// How many queries are remembered to have been asked once.
const ASKED: usize = 4096;

/// Finished answers, as many as fit.
pub struct ListCache {
    cache: Cache<Key, CachedList, ByBytes>,
    /// Larger answers would push out too many others.
    body_bytes_max: usize,
    /// Sums of queries that were asked lately: only what is asked again is kept, so that a walk
    /// through all pages costs no more than it must and pushes nothing out.
    asked: Box<[AtomicU64]>,
    /// The limit that lists had when they were kept.
    limit_max: AtomicUsize,
}

impl ListCache {
    /// Keeps up to `bytes` of answers.
    pub fn new(bytes: u64) -> ListCache {
        let estimated_items = usize::try_from(bytes / 16_384).unwrap_or(1024).max(64);
        ListCache {
            cache: Cache::with_weighter(estimated_items, bytes, ByBytes),
            body_bytes_max: usize::try_from(bytes / 16).unwrap_or(usize::MAX),
            asked: (0..ASKED).map(|_| AtomicU64::new(0)).collect(),
            limit_max: AtomicUsize::new(0),
        }
    }

    /// Lists give at most so many entries from now on: those that are kept may give more or fewer.
    pub fn are_of(&self, limit_max: usize) {
        if self.limit_max.load(Relaxed) != limit_max {
            self.cache.clear();
            self.limit_max.store(limit_max, Relaxed);
        }
    }

    /// Whether an answer of this size to this query would be kept: when it was asked before.
    fn takes(&self, query: Sum, body_bytes: usize) -> bool {
        let Some(place) = self.asked.get(query.0 as usize % ASKED) else { return false };
        body_bytes <= self.body_bytes_max && place.swap(query.0, Relaxed) == query.0
    }

    /// The answer to a query, if it is still good.
    pub fn get(&self, snapshot: &Snapshot, type_name: &str, query: &str) -> Option<CachedList> {
        let workspace = snapshot.workspace.as_str();
        let kept = self.cache.get(&Borrowed { workspace, type_name, query })?;
        let good = kept.touched.iter().all(|(name, then)| *then == generation(snapshot, name));
        good.then_some(kept)
    }

    /// Keeps an answer that shows something of the types in `touched`, if it was asked for before
    /// and is not too large.
    pub fn put(
        &self,
        snapshot: &Snapshot,
        type_name: &str,
        query: &str,
        touched: &[TypeName],
        etag: Sum,
        body: &Bytes,
    ) {
        let mut asked = Summer::new();
        asked.part(snapshot.workspace.as_bytes()).part(type_name.as_bytes()).part(query.as_bytes());
        if !self.takes(asked.finish(), body.len()) {
            return;
        }
        let key = Key {
            workspace: snapshot.workspace.as_str().into(),
            type_name: type_name.into(),
            query: query.into(),
        };
        let touched = touched.iter().map(|it| (it.clone(), generation(snapshot, it))).collect();
        self.cache.insert(key, CachedList { body: body.clone(), etag, touched });
    }
}

/// The generation of a type; 0 while it is not there.
fn generation(snapshot: &Snapshot, name: &TypeName) -> u64 {
    snapshot.get(name.as_str()).map_or(0, |it| it.generation)
}
