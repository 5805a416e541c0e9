//! A copy-on-write hash map, used to find an entry by id or slug in a snapshot.
//!
//! A clone shares everything with its original; an insertion copies one small shard and the two
//! short arrays above it, so it takes microseconds at any size.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::fmt;
use std::hash::{BuildHasher, Hash, RandomState};
use std::iter::once;
use std::sync::Arc;

/// The maximum average number of keys in a shard, above which the map grows.
const FULLEST: usize = 4;

type Shard<K, V> = Arc<[MapSlot<K, V>]>;
type Group<K, V> = Arc<[Shard<K, V>]>;

#[derive(Clone)]
struct MapSlot<K, V> {
    /// The low half of the key's hash, which avoids nearly all comparisons with wrong keys.
    tag: u32,
    key: K,
    value: V,
}

/// A hash map that is cheap to clone and cheap to change slightly.
#[derive(Clone)]
pub struct CowMap<K, V> {
    /// The high bits of a hash select the group and the shard in it; there are `2^bits` shards.
    groups: Arc<[Group<K, V>]>,
    bits: u32,
    len: usize,
    hasher: RandomState,
}

impl<K, V> fmt::Debug for CowMap<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CowMap of {}", self.len)
    }
}

impl<K: Hash + Eq + Clone, V: Clone> CowMap<K, V> {
    /// Creates an empty map.
    pub fn new() -> Self {
        Self::with_capacity(0)
    }

    /// Creates an empty map with room for this many keys.
    pub fn with_capacity(keys: usize) -> Self {
        Self::from_slots(Vec::new(), keys, RandomState::new())
    }

    /// Returns the number of keys.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns true if the map is empty.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the value of a key.
    #[inline]
    pub fn get<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        let hash = self.hasher.hash_one(key);
        let (group, shard) = self.locate_shard(hash);
        let slots = &self.groups[group][shard];
        slots.iter().find(|slot| slot.has_key(hash, key)).map(|slot| &slot.value)
    }

    /// Returns true if the map contains a key.
    pub fn contains_key<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.get(key).is_some()
    }

    /// Sets the value of a key, and returns the old one.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        let hash = self.hasher.hash_one(&key);
        let shard = self.shard_mut(hash);
        if let Some(at) = shard.iter().position(|slot| slot.has_key(hash, &key)) {
            return Some(std::mem::replace(&mut Arc::make_mut(shard)[at].value, value));
        }
        let slot = MapSlot { tag: hash as u32, key, value };
        *shard = shard.iter().cloned().chain(once(slot)).collect();
        self.len += 1;
        if self.len > FULLEST << self.bits {
            self.grow();
        }
        None
    }

    /// Removes a key, and returns its value.
    pub fn remove<Q: Hash + Eq + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let hash = self.hasher.hash_one(key);
        let value = self.get(key).cloned()?;
        let shard = self.shard_mut(hash);
        *shard = shard.iter().filter(|slot| !slot.has_key(hash, key)).cloned().collect();
        self.len -= 1;
        Some(value)
    }

    /// Returns all keys with their values in arbitrary order.
    pub fn iter(&self) -> impl Iterator<Item = (&K, &V)> + '_ {
        let shards = self.groups.iter().flat_map(|group| group.iter());
        shards.flat_map(|shard| shard.iter()).map(|slot| (&slot.key, &slot.value))
    }

    #[inline]
    fn locate_shard(&self, hash: u64) -> (usize, usize) {
        let at = (hash >> 32 >> (32 - self.bits)) as usize;
        let shard_bits = self.bits / 2;
        (at >> shard_bits, at & ((1 << shard_bits) - 1))
    }

    fn shard_mut(&mut self, hash: u64) -> &mut Shard<K, V> {
        let (group, shard) = self.locate_shard(hash);
        let group = &mut Arc::make_mut(&mut self.groups)[group];
        &mut Arc::make_mut(group)[shard]
    }

    fn grow(&mut self) {
        let slots = self.iter().map(|(key, value)| (key.clone(), value.clone())).collect();
        *self = Self::from_slots(slots, self.len * 2, self.hasher.clone());
    }

    /// Creates a map of distinct keys.
    fn from_slots(items: Vec<(K, V)>, capacity: usize, hasher: RandomState) -> Self {
        let shards = capacity.div_ceil(FULLEST).next_power_of_two();
        // More than 2^24 shards would only cost memory; further keys make the shards fuller.
        let bits = shards.trailing_zeros().min(24);
        let empty = Self { groups: Arc::default(), bits, len: 0, hasher };
        let mut filled: Vec<Vec<MapSlot<K, V>>> = (0..1usize << bits).map(|_| Vec::new()).collect();
        let len = items.len();
        for (key, value) in items {
            let hash = empty.hasher.hash_one(&key);
            let (group, shard) = empty.locate_shard(hash);
            filled[(group << (bits / 2)) + shard].push(MapSlot { tag: hash as u32, key, value });
        }
        let mut shards = filled.into_iter().map(Shard::from);
        let group = |_| shards.by_ref().take(1 << (bits / 2)).collect();
        let groups = (0..1usize << (bits - bits / 2)).map(group).collect();
        Self { groups, len, ..empty }
    }
}

impl<K, V> MapSlot<K, V> {
    #[inline]
    fn has_key<Q: Eq + ?Sized>(&self, hash: u64, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.tag == hash as u32 && self.key.borrow() == key
    }
}

impl<K: Hash + Eq + Clone, V: Clone> Default for CowMap<K, V> {
    fn default() -> Self {
        Self::new()
    }
}

/// Builds the map; of several values for a key the last one is used.
impl<K: Hash + Eq + Clone, V: Clone> FromIterator<(K, V)> for CowMap<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(items: I) -> Self {
        let distinct: HashMap<K, V> = items.into_iter().collect();
        let capacity = distinct.len();
        Self::from_slots(distinct.into_iter().collect(), capacity, RandomState::new())
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn finds_by_borrowed_key() {
        let mut map: CowMap<Box<str>, u32> = CowMap::new();
        assert_eq!(map.insert("one".into(), 1), None);
        assert_eq!(map.insert("one".into(), 2), Some(1));
        assert_eq!((map.get("one"), map.get("two"), map.len()), (Some(&2), None, 1));
        assert_eq!((map.remove("one"), map.remove("one")), (Some(2), None));
        assert!(map.is_empty() && !map.contains_key("one"));
    }

    #[test]
    fn grows_and_leaves_clones_alone() {
        let mut map = CowMap::new();
        let mut snapshots = Vec::new();
        for key in 0..5000u32 {
            if key % 500 == 0 {
                snapshots.push(map.clone());
            }
            map.insert(key, key * 2);
        }
        for (at, snapshot) in snapshots.iter().enumerate() {
            assert_eq!((snapshot.len(), snapshot.iter().count()), (at * 500, at * 500));
        }
        assert!((0..5000).all(|key| map.get(&key) == Some(&(key * 2))));
        assert_eq!(map.get(&5000), None);
    }

    #[test]
    fn from_iter_keeps_the_last_of_a_key() {
        let map: CowMap<u32, u32> = (0..1000).map(|at| (at % 300, at)).collect();
        assert_eq!((map.len(), map.get(&0), map.get(&299)), (300, Some(&900), Some(&899)));
    }

    proptest! {
        #[test]
        fn behaves_like_a_hash_map(steps in vec((any::<bool>(), 0..200u16, any::<u8>()), 0..600)) {
            let mut map = CowMap::new();
            let mut model = HashMap::new();
            for (insert, key, value) in steps {
                if insert {
                    prop_assert_eq!(map.insert(key, value), model.insert(key, value));
                } else {
                    prop_assert_eq!(map.remove(&key), model.remove(&key));
                }
            }
            prop_assert_eq!(map.len(), model.len());
            let all: HashMap<u16, u8> = map.iter().map(|(key, value)| (*key, *value)).collect();
            prop_assert_eq!(all, model);
        }
    }
}
