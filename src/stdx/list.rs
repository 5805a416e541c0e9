//! Copy-on-write lists: what a snapshot of many entries is made of.
//!
//! A clone shares everything with its original; a change copies only the few small chunks on the
//! way to it. So a writer can publish a new snapshot in microseconds while readers keep the old.

use std::cmp::Ordering;
use std::fmt;
use std::iter::once;
use std::sync::Arc;

/// Items in a leaf, and leaves in a branch: small, because a change clones one of each.
const FAN_OUT: usize = 64;

type Leaf<T> = Arc<[T]>;
type Branch<T> = Arc<[Leaf<T>]>;

/// An array that is cheap to clone and cheap to change a little. Get is three loads.
pub struct ChunkList<T> {
    branches: Arc<[Branch<T>]>,
    len: usize,
}

impl<T> fmt::Debug for ChunkList<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ChunkList of {}", self.len)
    }
}

impl<T: Clone> ChunkList<T> {
    /// An empty list.
    pub fn new() -> Self {
        Self { branches: Arc::default(), len: 0 }
    }

    /// A list of these items, in this order.
    pub fn from_vec(items: Vec<T>) -> Self {
        let len = items.len();
        let leaves: Vec<Leaf<T>> = chunked(items);
        Self { branches: chunked(leaves).into(), len }
    }

    /// How many items there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no item.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The item at a place.
    #[inline]
    pub fn get(&self, at: usize) -> Option<&T> {
        self.leaf(at / FAN_OUT)?.get(at % FAN_OUT)
    }

    /// Replaces the item at a place; says whether there is such a place.
    pub fn set(&mut self, at: usize, item: T) -> bool {
        if at >= self.len {
            return false;
        }
        let branch = &mut Arc::make_mut(&mut self.branches)[at / FAN_OUT / FAN_OUT];
        let leaf = &mut Arc::make_mut(branch)[at / FAN_OUT % FAN_OUT];
        Arc::make_mut(leaf)[at % FAN_OUT] = item;
        true
    }

    /// Appends an item. Meant for single additions: use [`Self::from_vec`] to build a list.
    pub fn push(&mut self, item: T) {
        let leaf_starts = self.len.is_multiple_of(FAN_OUT);
        let branch_starts = self.len.is_multiple_of(FAN_OUT * FAN_OUT);
        self.len += 1;
        match Arc::make_mut(&mut self.branches).last_mut() {
            Some(branch) if !leaf_starts => {
                if let Some(leaf) = Arc::make_mut(branch).last_mut() {
                    *leaf = with(leaf, item);
                }
            }
            Some(branch) if !branch_starts => *branch = with(branch, once(item).collect()),
            _ => self.branches = with(&self.branches, once(once(item).collect()).collect()),
        }
    }

    /// All items, in order.
    pub fn iter(&self) -> impl Iterator<Item = &T> + Clone + '_ {
        self.iter_from(0)
    }

    /// The items from a place on, in order.
    pub fn iter_from(&self, start: usize) -> impl Iterator<Item = &T> + Clone + '_ {
        let first = self.leaf(start / FAN_OUT).and_then(|leaf| leaf.get(start % FAN_OUT..));
        let others = (start / FAN_OUT + 1)..self.len.div_ceil(FAN_OUT);
        let others = others.filter_map(|at| self.leaf(at));
        first.into_iter().flatten().chain(others.flat_map(|leaf| leaf.iter()))
    }

    #[inline]
    fn leaf(&self, at: usize) -> Option<&Leaf<T>> {
        self.branches.get(at / FAN_OUT)?.get(at % FAN_OUT)
    }
}

/// Cuts items into shared chunks.
fn chunked<T>(items: Vec<T>) -> Vec<Arc<[T]>> {
    let mut items = items.into_iter();
    let mut chunks = Vec::with_capacity(items.len().div_ceil(FAN_OUT));
    while items.len() > 0 {
        chunks.push(items.by_ref().take(FAN_OUT).collect());
    }
    chunks
}

/// A chunk with one more item at its end.
fn with<T: Clone>(chunk: &[T], item: T) -> Arc<[T]> {
    chunk.iter().cloned().chain(once(item)).collect()
}

impl<T> Clone for ChunkList<T> {
    fn clone(&self) -> Self {
        Self { branches: Arc::clone(&self.branches), len: self.len }
    }
}

impl<T: Clone> Default for ChunkList<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Clone> FromIterator<T> for ChunkList<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Self::from_vec(items.into_iter().collect())
    }
}

/// The most ordinals in one chunk of a sorted list; a fuller one is split in halves.
const CHUNK: usize = 512;

/// Ordinals kept in an order that only the caller knows: a content type by date, by title…
///
/// The order must be total and every ordinal occur once. A comparison says how the ordinal it is
/// given stands to the one that is looked for, as in [`slice::binary_search_by`].
#[derive(Clone, Default)]
pub struct SortedList {
    /// No chunk is empty.
    chunks: Arc<Vec<Arc<[u32]>>>,
    len: usize,
}

impl SortedList {
    /// A list of ordinals that are in order already.
    pub fn from_sorted(ordinals: Vec<u32>) -> Self {
        // A quarter is left free, so that the first insertions don't split every chunk.
        let chunks = ordinals.chunks(CHUNK / 4 * 3).map(Arc::from).collect();
        Self { chunks: Arc::new(chunks), len: ordinals.len() }
    }

    /// Where it is in memory: clones are at one place.
    pub fn place(&self) -> usize {
        Arc::as_ptr(&self.chunks).addr()
    }

    /// How many ordinals there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no ordinal.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Puts an ordinal where it belongs: before the first that is not less.
    pub fn insert_by(&mut self, ordinal: u32, compare: impl Fn(u32) -> Ordering) {
        let (at, within) = self.position_by(compare);
        let chunks = Arc::make_mut(&mut self.chunks);
        let Some(chunk) = chunks.get(at) else {
            chunks.push(Arc::from([ordinal]));
            self.len += 1;
            return;
        };
        let (before, after) = chunk.split_at(within);
        let grown = || before.iter().copied().chain(once(ordinal)).chain(after.iter().copied());
        if chunk.len() < CHUNK {
            chunks[at] = grown().collect();
        } else {
            let halves = [grown().take(CHUNK / 2).collect(), grown().skip(CHUNK / 2).collect()];
            chunks.splice(at..=at, halves);
        }
        self.len += 1;
    }

    /// Takes an ordinal out, found by the place it was put at; says whether it was there.
    pub fn remove_by(&mut self, ordinal: u32, compare: impl Fn(u32) -> Ordering) -> bool {
        let (at, within) = self.position_by(compare);
        let Some(chunk) = self.chunks.get(at) else { return false };
        if chunk.get(within) != Some(&ordinal) {
            return false;
        }
        let rest = chunk[..within].iter().chain(&chunk[within + 1..]).copied();
        let rest: Arc<[u32]> = rest.collect();
        let chunks = Arc::make_mut(&mut self.chunks);
        if rest.is_empty() {
            chunks.remove(at);
        } else {
            chunks[at] = rest;
            join_if_small(chunks, at);
        }
        self.len -= 1;
        true
    }

    /// The ordinals in order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.iter_from(0)
    }

    /// The ordinals in order without the first `skip`.
    pub fn iter_from(&self, skip: usize) -> impl Iterator<Item = u32> + '_ {
        let (at, within) = whole_chunks(self.chunks.iter(), skip);
        let first = self.chunks.get(at).map(|chunk| &chunk[within..]);
        let others = self.chunks.get(at + 1..).unwrap_or_default();
        let others = others.iter().flat_map(|chunk| chunk.iter());
        first.into_iter().flatten().chain(others).copied()
    }

    /// The chunk and the place in it of the first ordinal that is not less. Beyond the last one
    /// this is the end of the last chunk while it has room, else a chunk that doesn't exist yet.
    fn position_by(&self, compare: impl Fn(u32) -> Ordering) -> (usize, usize) {
        let is_less = |ordinal: &u32| compare(*ordinal).is_lt();
        let at = self.chunks.partition_point(|chunk| chunk.last().is_some_and(is_less));
        match (self.chunks.get(at), self.chunks.last()) {
            (Some(chunk), _) => (at, chunk.partition_point(is_less)),
            (None, Some(last)) if last.len() < CHUNK => (at - 1, last.len()),
            _ => (at, 0),
        }
    }
}

/// How many whole chunks lie in the first `skip` ordinals, and how many are left to skip then.
fn whole_chunks<'a>(
    chunks: impl Iterator<Item = &'a Arc<[u32]>>,
    mut skip: usize,
) -> (usize, usize) {
    let mut passed = 0;
    for chunk in chunks {
        if skip < chunk.len() {
            break;
        }
        skip -= chunk.len();
        passed += 1;
    }
    (passed, skip)
}

/// Joins a chunk with the one after it when both are small, so that removals leave no crumbs.
fn join_if_small(chunks: &mut Vec<Arc<[u32]>>, at: usize) {
    let first = at.min(chunks.len().saturating_sub(2));
    let Some([one, two]) = chunks.get(first..first + 2) else { return };
    if one.len() + two.len() <= CHUNK / 2 {
        let joined = one.iter().chain(two.iter()).copied().collect();
        chunks.splice(first..first + 2, [joined]);
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn chunk_list_holds_what_it_was_given() {
        for len in [0, 1, 63, 64, 65, 4095, 4096, 4097, 10_000] {
            let built = ChunkList::from_vec((0..len).collect());
            let mut pushed = ChunkList::new();
            (0..len).for_each(|item| pushed.push(item));
            for list in [built, pushed] {
                assert_eq!(list.len(), len);
                assert!(list.iter().copied().eq(0..len));
                assert_eq!(list.get(len), None);
                for start in [0, 1, 64, 100, len, len + 1, len + 500] {
                    assert!(list.iter_from(start).copied().eq(start..len), "{len} from {start}");
                }
            }
        }
    }

    #[test]
    fn a_change_leaves_clones_alone() {
        let mut list = ChunkList::from_vec((0..5000).collect());
        let before = list.clone();
        assert!(list.set(4200, 7) && !list.set(5000, 7));
        list.push(9);
        assert_eq!((list.get(4200), list.get(5000)), (Some(&7), Some(&9)));
        assert!(before.iter().copied().eq(0..5000));
    }

    #[test]
    fn sorted_list_skips_from_both_ends() {
        let list = SortedList::from_sorted((0..2000).collect());
        for skip in [0, 1, 383, 384, 385, 1999, 2000, 5000] {
            assert!(list.iter_from(skip).eq(skip as u32..2000));
        }
    }

    #[test]
    fn sorted_list_grows_shrinks_and_joins() {
        let mut list = SortedList::default();
        for ordinal in (0..3000).rev().chain(3000..6000) {
            list.insert_by(ordinal, |probe| probe.cmp(&ordinal));
        }
        assert!(list.iter().eq(0..6000));
        assert!(list.chunks.iter().all(|chunk| !chunk.is_empty() && chunk.len() <= CHUNK));
        let before = list.clone();
        for ordinal in (0..6000).filter(|ordinal| ordinal % 100 != 0) {
            assert!(list.remove_by(ordinal, |probe| probe.cmp(&ordinal)));
            assert!(!list.remove_by(ordinal, |probe| probe.cmp(&ordinal)));
        }
        assert!(list.iter().eq((0..6000).step_by(100)));
        assert!(list.chunks.len() <= 3, "{} chunks", list.chunks.len());
        assert_eq!((list.len(), before.len()), (60, 6000));
        assert!(before.iter().eq(0..6000));
    }

    proptest! {
        #[test]
        fn sorted_list_behaves_like_a_sorted_vec(steps in vec((any::<bool>(), 0..1500u32), 0..2500)) {
            // The order is by a key that is not the ordinal, with ties.
            let key = |ordinal: u32| (ordinal % 97, ordinal);
            let mut list = SortedList::default();
            let mut model: Vec<u32> = Vec::new();
            for (insert, ordinal) in steps {
                let place = model.binary_search_by_key(&key(ordinal), |other| key(*other));
                let compare = |probe: u32| key(probe).cmp(&key(ordinal));
                match (insert, place) {
                    (true, Err(at)) => {
                        model.insert(at, ordinal);
                        list.insert_by(ordinal, compare);
                    }
                    (true, Ok(_)) => {}
                    (false, place) => {
                        prop_assert_eq!(list.remove_by(ordinal, compare), place.is_ok());
                        model.retain(|other| *other != ordinal);
                    }
                }
            }
            prop_assert_eq!(list.len(), model.len());
            prop_assert!(list.iter().eq(model.iter().copied()));
        }
    }
}
