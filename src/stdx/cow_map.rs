//! A copy-on-write hash map. A clone shares everything with its original; a change copies little,
//! so it takes microseconds at any size.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::fmt;
use std::hash::{BuildHasher, Hash, RandomState};

use crate::stdx::cow_table::{CowTable, HashedSlot};

#[derive(Clone)]
struct MapSlot<K, V> {
    hash: u32,
    key: K,
    value: V,
}

impl<K: Clone, V: Clone> HashedSlot for MapSlot<K, V> {
    const FULLEST: usize = 4;

    #[inline]
    fn hash(&self) -> u32 {
        self.hash
    }
}

/// A hash map that is cheap to clone and cheap to change slightly.
#[derive(Clone)]
pub struct CowMap<K, V> {
    table: CowTable<MapSlot<K, V>>,
    hasher: RandomState,
}

impl<K: Clone, V: Clone> fmt::Debug for CowMap<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CowMap of {}", self.table.len())
    }
}

impl<K: Hash + Eq + Clone, V: Clone> CowMap<K, V> {
    /// Creates an empty map.
    pub fn new() -> Self {
        Self::with_capacity(0)
    }

    /// Creates an empty map with room for this many keys.
    pub fn with_capacity(keys: usize) -> Self {
        Self { table: CowTable::build(Vec::new(), keys), hasher: RandomState::new() }
    }

    /// Returns the number of keys.
    pub fn len(&self) -> usize {
        self.table.len()
    }

    /// Returns true if the map is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the value of a key.
    #[inline]
    pub fn get<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        let mut slots = self.table.find_all(self.hash_key(key));
        slots.find(|slot| slot.key.borrow() == key).map(|slot| &slot.value)
    }

    /// Returns a mutable reference to the value of a key. A value that clones share is copied.
    pub fn get_mut<Q: Hash + Eq + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        let hash = self.hash_key(key);
        self.table.find_mut(hash, |slot| slot.key.borrow() == key).map(|slot| &mut slot.value)
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
        let hash = self.hash_key(&key);
        match self.table.find_mut(hash, |slot| slot.key == key) {
            Some(slot) => Some(std::mem::replace(&mut slot.value, value)),
            None => {
                self.table.push(MapSlot { hash, key, value });
                None
            }
        }
    }

    /// Removes a key, and returns its value.
    pub fn remove<Q: Hash + Eq + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let value = self.get(key).cloned()?;
        self.table.remove(self.hash_key(key), |slot| slot.key.borrow() == key);
        Some(value)
    }

    /// Returns all keys with their values in arbitrary order.
    pub fn iter(&self) -> impl Iterator<Item = (&K, &V)> + '_ {
        self.table.iter().map(|slot| (&slot.key, &slot.value))
    }

    fn hash_key<Q: Hash + ?Sized>(&self, key: &Q) -> u32 {
        (self.hasher.hash_one(key) >> 32) as u32
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
        let mut map = Self::new();
        let slot = |(key, value)| MapSlot { hash: map.hash_key(&key), key, value };
        map.table = CowTable::build(distinct.into_iter().map(slot).collect(), 0);
        map
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
        map.insert("one".into(), 1);
        let before = map.clone();
        *map.get_mut("one").unwrap() = 3;
        assert_eq!((map.get("one"), before.get("one")), (Some(&3), Some(&1)));
        assert_eq!(map.get_mut("two"), None);
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
