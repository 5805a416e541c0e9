//! A copy-on-write hash map: finds an entry by id or slug in a snapshot.
//!
//! A clone shares everything with its original; an insertion copies one small shard and the two
//! short arrays above it, so it costs microseconds at any size.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::fmt;
use std::hash::{BuildHasher, Hash, RandomState};
use std::iter::once;
use std::sync::Arc;

/// Keys in a shard on average, when the map is at its fullest: above it the map grows.
const FULLEST: usize = 4;

type Shard<K, V> = Arc<[Slot<K, V>]>;
type Group<K, V> = Arc<[Shard<K, V>]>;

#[derive(Clone)]
struct Slot<K, V> {
    /// The low half of the key's hash: nearly always spares looking at a wrong key.
    tag: u32,
    key: K,
    value: V,
}

/// A hash map that is cheap to clone and cheap to change a little.
#[derive(Clone)]
pub struct CowMap<K, V> {
    /// The high bits of a hash choose the group and the shard in it; `2^bits` shards in all.
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
    /// An empty map.
    pub fn new() -> Self {
        Self::with_capacity(0)
    }

    /// An empty map that takes this many keys before it has to grow.
    pub fn with_capacity(keys: usize) -> Self {
        Self::from_slots(Vec::new(), keys, RandomState::new())
    }

    /// How many keys there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no key.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The value of a key.
    #[inline]
    pub fn get<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        let hash = self.hasher.hash_one(key);
        let (group, shard) = self.place(hash);
        let slots = &self.groups[group][shard];
        slots.iter().find(|slot| slot.is(hash, key)).map(|slot| &slot.value)
    }

    /// Whether the map has a key.
    pub fn contains_key<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.get(key).is_some()
    }

    /// Sets the value of a key; gives the value it had.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        let hash = self.hasher.hash_one(&key);
        let shard = self.shard_mut(hash);
        if let Some(at) = shard.iter().position(|slot| slot.is(hash, &key)) {
            return Some(std::mem::replace(&mut Arc::make_mut(shard)[at].value, value));
        }
        let slot = Slot { tag: hash as u32, key, value };
        *shard = shard.iter().cloned().chain(once(slot)).collect();
        self.len += 1;
        if self.len > FULLEST << self.bits {
            self.grow();
        }
        None
    }

    /// Takes a key out; gives the value it had.
    pub fn remove<Q: Hash + Eq + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let hash = self.hasher.hash_one(key);
        let value = self.get(key).cloned()?;
        let shard = self.shard_mut(hash);
        *shard = shard.iter().filter(|slot| !slot.is(hash, key)).cloned().collect();
        self.len -= 1;
        Some(value)
    }

    /// All keys with their values, in no order.
    pub fn iter(&self) -> impl Iterator<Item = (&K, &V)> + '_ {
        let shards = self.groups.iter().flat_map(|group| group.iter());
        shards.flat_map(|shard| shard.iter()).map(|slot| (&slot.key, &slot.value))
    }

    #[inline]
    fn place(&self, hash: u64) -> (usize, usize) {
        let at = (hash >> 32 >> (32 - self.bits)) as usize;
        let shard_bits = self.bits / 2;
        (at >> shard_bits, at & ((1 << shard_bits) - 1))
    }

    fn shard_mut(&mut self, hash: u64) -> &mut Shard<K, V> {
        let (group, shard) = self.place(hash);
        let group = &mut Arc::make_mut(&mut self.groups)[group];
        &mut Arc::make_mut(group)[shard]
    }

    fn grow(&mut self) {
        let slots = self.iter().map(|(key, value)| (key.clone(), value.clone())).collect();
        *self = Self::from_slots(slots, self.len * 2, self.hasher.clone());
    }

    /// A map of distinct keys.
    fn from_slots(items: Vec<(K, V)>, capacity: usize, hasher: RandomState) -> Self {
        let shards = capacity.div_ceil(FULLEST).next_power_of_two();
        // Shards beyond 2^24 would only cost memory; keys beyond that share fuller ones.
        let bits = shards.trailing_zeros().min(24);
        let empty = Self { groups: Arc::default(), bits, len: 0, hasher };
        let mut filled: Vec<Vec<Slot<K, V>>> = (0..1usize << bits).map(|_| Vec::new()).collect();
        let len = items.len();
        for (key, value) in items {
            let hash = empty.hasher.hash_one(&key);
            let (group, shard) = empty.place(hash);
            filled[(group << (bits / 2)) + shard].push(Slot { tag: hash as u32, key, value });
        }
        let mut shards = filled.into_iter().map(Shard::from);
        let group = |_| shards.by_ref().take(1 << (bits / 2)).collect();
        let groups = (0..1usize << (bits - bits / 2)).map(group).collect();
        Self { groups, len, ..empty }
    }
}

impl<K, V> Slot<K, V> {
    #[inline]
    fn is<Q: Eq + ?Sized>(&self, hash: u64, key: &Q) -> bool
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

/// Of a key that comes twice, the last value counts.
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
