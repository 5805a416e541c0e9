//! Copy-on-write lists for snapshots of many entries.
//!
//! A clone shares everything with its original; a change copies only a few small chunks. A writer
//! can therefore publish a new snapshot in microseconds while readers keep the old one.

use std::cmp::Ordering;
use std::fmt;
use std::iter::once;
use std::sync::Arc;

type Leaf<T> = Arc<[T]>;
type Branch<T> = Arc<[Leaf<T>]>;

/// An array that is cheap to clone and cheap to change slightly. A lookup takes three loads.
///
/// `FAN_OUT` is the number of items in a leaf, and of leaves in a branch. It is small, because a
/// change clones one of each.
pub struct ChunkList<T, const FAN_OUT: usize = 64> {
    branches: Arc<[Branch<T>]>,
    len: usize,
}

impl<T, const FAN_OUT: usize> fmt::Debug for ChunkList<T, FAN_OUT> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ChunkList of {}", self.len)
    }
}

impl<T: Clone, const FAN_OUT: usize> ChunkList<T, FAN_OUT> {
    /// Creates an empty list.
    pub fn new() -> Self {
        Self { branches: Arc::default(), len: 0 }
    }

    /// Creates a list of these items in this order.
    pub fn from_vec(items: Vec<T>) -> Self {
        let len = items.len();
        let leaves: Vec<Leaf<T>> = split_chunks(items, FAN_OUT);
        Self { branches: split_chunks(leaves, FAN_OUT).into(), len }
    }

    /// Returns the number of items.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns true if the list is empty.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the item at an index.
    #[inline]
    pub fn get(&self, at: usize) -> Option<&T> {
        self.get_leaf(at / FAN_OUT)?.get(at % FAN_OUT)
    }

    /// Returns the item at an index to be changed, in chunks that no clone shares.
    pub fn get_mut(&mut self, at: usize) -> Option<&mut T> {
        if at >= self.len {
            return None;
        }
        let branch = Arc::make_mut(&mut self.branches).get_mut(at / FAN_OUT / FAN_OUT)?;
        let leaf = Arc::make_mut(branch).get_mut(at / FAN_OUT % FAN_OUT)?;
        Arc::make_mut(leaf).get_mut(at % FAN_OUT)
    }

    /// Replaces the item at an index. Returns false if the index is out of range.
    pub fn set(&mut self, at: usize, item: T) -> bool {
        self.get_mut(at).map(|place| *place = item).is_some()
    }

    /// Appends an item. Meant for single additions: use [`Self::from_vec`] to build a list.
    pub fn push(&mut self, item: T) {
        let leaf_starts = self.len.is_multiple_of(FAN_OUT);
        let branch_starts = self.len.is_multiple_of(FAN_OUT * FAN_OUT);
        self.len += 1;
        match Arc::make_mut(&mut self.branches).last_mut() {
            Some(branch) if !leaf_starts => {
                if let Some(leaf) = Arc::make_mut(branch).last_mut() {
                    *leaf = append_item(leaf, item);
                }
            }
            Some(branch) if !branch_starts => *branch = append_item(branch, once(item).collect()),
            _ => self.branches = append_item(&self.branches, once(once(item).collect()).collect()),
        }
    }

    /// Returns all items in order.
    pub fn iter(&self) -> impl Iterator<Item = &T> + Clone + '_ {
        self.iter_from(0)
    }

    /// Returns the items from an index on, in order.
    pub fn iter_from(&self, start: usize) -> impl Iterator<Item = &T> + Clone + '_ {
        let first = self.get_leaf(start / FAN_OUT).and_then(|leaf| leaf.get(start % FAN_OUT..));
        let others = (start / FAN_OUT + 1)..self.len.div_ceil(FAN_OUT);
        let others = others.filter_map(|at| self.get_leaf(at));
        first.into_iter().flatten().chain(others.flat_map(|leaf| leaf.iter()))
    }

    #[inline]
    fn get_leaf(&self, at: usize) -> Option<&Leaf<T>> {
        self.branches.get(at / FAN_OUT)?.get(at % FAN_OUT)
    }
}

/// Splits items into shared chunks.
fn split_chunks<T>(items: Vec<T>, chunk_len: usize) -> Vec<Arc<[T]>> {
    let mut items = items.into_iter();
    let mut chunks = Vec::with_capacity(items.len().div_ceil(chunk_len));
    while items.len() > 0 {
        chunks.push(items.by_ref().take(chunk_len).collect());
    }
    chunks
}

/// Returns a chunk with an item appended.
fn append_item<T: Clone>(chunk: &[T], item: T) -> Arc<[T]> {
    chunk.iter().cloned().chain(once(item)).collect()
}

impl<T, const FAN_OUT: usize> Clone for ChunkList<T, FAN_OUT> {
    fn clone(&self) -> Self {
        Self { branches: Arc::clone(&self.branches), len: self.len }
    }
}

impl<T: Clone, const FAN_OUT: usize> Default for ChunkList<T, FAN_OUT> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Clone, const FAN_OUT: usize> FromIterator<T> for ChunkList<T, FAN_OUT> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Self::from_vec(items.into_iter().collect())
    }
}

/// The maximum number of ordinals in a chunk of a sorted list; a larger chunk is split in halves.
const CHUNK: usize = 512;

/// Ordinals in an order defined by the caller, for example the entries of a content type by date.
///
/// The order must be total and every ordinal must be unique. A comparison function returns the
/// order of its argument relative to the searched ordinal, as in [`slice::binary_search_by`].
#[derive(Clone, Default)]
pub struct SortedList {
    /// The chunks, none of them empty.
    chunks: Arc<Vec<Arc<[u32]>>>,
    len: usize,
}

impl SortedList {
    /// Creates a list from ordinals that are in order.
    pub fn from_sorted(ordinals: Vec<u32>) -> Self {
        // A quarter of each chunk stays free, so that the first insertions do not split every
        // chunk.
        let chunks = ordinals.chunks(CHUNK / 4 * 3).map(Arc::from).collect();
        Self { chunks: Arc::new(chunks), len: ordinals.len() }
    }

    /// Returns the address in memory, which is the same for all clones.
    pub fn memory_address(&self) -> usize {
        Arc::as_ptr(&self.chunks).addr()
    }

    /// Returns the number of ordinals.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns true if the list is empty.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Inserts an ordinal before the first one that is not less.
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

    /// Removes an ordinal, found by its position in the order. Returns true if it was present.
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

    /// Returns the ordinals in order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.chunks.iter().flat_map(|chunk| chunk.iter()).copied()
    }

    /// Returns up to `count` ordinals in order, without the first `skip`.
    pub fn get_page(&self, skip: usize, count: usize) -> Vec<u32> {
        let count = count.min(self.len.saturating_sub(skip));
        let mut page = Vec::with_capacity(count);
        let (first, mut skip) = whole_chunks(self.chunks.iter(), skip);
        for chunk in self.chunks.iter().skip(first) {
            let rest = chunk.get(skip..).unwrap_or_default();
            page.extend_from_slice(&rest[..rest.len().min(count - page.len())]);
            if page.len() == count {
                break;
            }
            skip = 0;
        }
        page
    }

    /// Returns the chunk, and the index in it, of the first ordinal that is not less. If there is
    /// none, this is the end of the last chunk if that has room, otherwise a chunk that does not
    /// exist yet.
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

/// Returns the number of whole chunks in the first `skip` ordinals, and the remaining number to
/// skip.
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

/// Joins a chunk with its neighbour if both are small, so that removals do not fragment the list.
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
            let built: ChunkList<usize> = ChunkList::from_vec((0..len).collect());
            let mut pushed: ChunkList<usize> = ChunkList::new();
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
        let mut list: ChunkList<usize> = ChunkList::from_vec((0..5000).collect());
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
            for count in [0, 1, 20, 384, 385, 2000] {
                let expect: Vec<u32> = (skip as u32..2000).take(count).collect();
                assert_eq!(list.get_page(skip, count), expect, "{count} from {skip}");
            }
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
