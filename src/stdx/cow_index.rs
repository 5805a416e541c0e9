//! A copy-on-write hash index: finds numbers by keys that are stored elsewhere.
//!
//! A number takes eight bytes, because the index keeps a part of the key's hash and not the key.
//! The caller compares the key that belongs to a number. A clone shares everything with its
//! original; a change copies little.

use std::fmt;
use std::hash::BuildHasher;
use std::hash::RandomState;

use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::stdx::cow_table::CowTable;
use crate::stdx::cow_table::HashedSlot;

#[derive(Clone, Copy)]
struct IndexSlot {
    hash: u32,
    number: u32,
}

/// The hash of a key.
#[derive(Clone, Copy, Debug)]
pub struct KeyHash(u32);

/// A hasher with a secret seed. It takes a fifth of the time of the standard library's.
///
/// Unlike that one, it is not made to withstand somebody who looks for keys of one hash. That takes
/// the right to write: the look-up of these keys becomes slow, once all of them are stored.
#[derive(Clone, Copy)]
pub struct KeyHasher {
    seed: u64,
}

impl KeyHasher {
    /// Returns a hasher with a random seed.
    pub fn random() -> KeyHasher {
        // What the standard library's hasher makes of a number is random, as its key is.
        KeyHasher { seed: RandomState::new().hash_one(0) }
    }

    /// Returns the hash of a key.
    #[inline]
    pub fn hash_key(self, key: impl AsRef<[u8]>) -> KeyHash {
        KeyHash((xxh3_64_with_seed(key.as_ref(), self.seed) >> 32) as u32)
    }
}

impl HashedSlot for IndexSlot {
    /// Eight slots fill a cache line.
    const FULLEST: usize = 8;

    #[inline]
    fn hash(&self) -> u32 {
        self.hash
    }
}

/// A hash index that is cheap to clone and cheap to change slightly.
#[derive(Clone)]
pub struct CowIndex {
    table: CowTable<IndexSlot>,
    hasher: KeyHasher,
}

impl fmt::Debug for CowIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CowIndex of {}", self.len())
    }
}

impl CowIndex {
    /// Builds the index of these keys. A key may have several numbers.
    pub fn build<K: AsRef<str>>(keys: impl Iterator<Item = (K, u32)>) -> CowIndex {
        let hasher = KeyHasher::random();
        let hashed = keys.map(|(key, number)| (hasher.hash_key(key.as_ref()), number));
        CowIndex::with_hashed(hasher, hashed)
    }

    fn with_hashed(hasher: KeyHasher, keys: impl Iterator<Item = (KeyHash, u32)>) -> CowIndex {
        let slots: Vec<IndexSlot> =
            keys.map(|(KeyHash(hash), number)| IndexSlot { hash, number }).collect();
        CowIndex { table: CowTable::build(slots, 0), hasher }
    }

    /// Builds the index of the first number of each key, by the hashes of the keys. Returns the
    /// further numbers with it. `is_same` compares the keys of two numbers.
    pub fn build_unique(
        hasher: KeyHasher,
        keys: impl Iterator<Item = (KeyHash, u32)>,
        is_same: impl Fn(u32, u32) -> bool,
    ) -> (CowIndex, Vec<u32>) {
        let mut index = CowIndex::with_hashed(hasher, keys);
        let repeated = index.table.remove_repeated(|one, two| is_same(one.number, two.number));
        let mut repeated: Vec<u32> = repeated.into_iter().map(|it| it.number).collect();
        repeated.sort_unstable();
        (index, repeated)
    }

    /// Returns the number of numbers.
    pub fn len(&self) -> usize {
        self.table.len()
    }

    /// Returns true if the index is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of a key. `has_key` compares the key of a number with it.
    #[inline]
    pub fn find(&self, key: &str, has_key: impl Fn(u32) -> bool) -> Option<&u32> {
        self.find_hashed(self.hash_of(key), has_key)
    }

    /// Returns the hash of a key, for this index and others of the same hasher.
    #[inline]
    pub fn hash_of(&self, key: impl AsRef<[u8]>) -> KeyHash {
        self.hasher.hash_key(key)
    }

    /// Returns the number of the key with this hash.
    #[inline]
    pub fn find_hashed(&self, hash: KeyHash, has_key: impl Fn(u32) -> bool) -> Option<&u32> {
        let slots = self.table.find_all(hash.0);
        slots.map(|it| &it.number).find(|it| has_key(**it))
    }

    /// Adds a number of a key.
    pub fn insert(&mut self, key: &str, number: u32) {
        self.table.push(IndexSlot { hash: self.hash_of(key).0, number });
    }

    /// Gives a key another number.
    pub fn replace(&mut self, key: &str, before: u32, after: u32) {
        if let Some(slot) = self.table.find_mut(self.hash_of(key).0, |it| it.number == before) {
            slot.number = after;
        }
    }

    /// Removes the number of a key.
    pub fn remove(&mut self, key: &str, number: u32) {
        self.table.remove(self.hash_of(key).0, |it| it.number == number);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    fn find(index: &CowIndex, keys: &[String], key: &str) -> Option<u32> {
        index.find(key, |number| keys[number as usize] == key).copied()
    }

    #[test]
    fn the_first_number_of_a_key_is_found() {
        let keys: Vec<String> = (0..1_000).map(|it| (it % 300).to_string()).collect();
        let hasher = KeyHasher::random();
        let pairs = keys.iter().map(|it| hasher.hash_key(it)).zip(0..);
        let is_same = |one: u32, two: u32| keys[one as usize] == keys[two as usize];
        let (index, repeated) = CowIndex::build_unique(hasher, pairs, is_same);
        assert_eq!((index.len(), repeated), (300, (300..1_000).collect()));
        for number in 0..300 {
            assert_eq!(find(&index, &keys, &number.to_string()), Some(number));
        }
        assert_eq!(find(&index, &keys, "300"), None);
    }

    #[test]
    fn a_change_leaves_clones_alone() {
        let keys: Vec<String> = (0..5_000).map(|it| it.to_string()).collect();
        let mut index = CowIndex::build(std::iter::empty::<(&str, u32)>());
        let mut clones = Vec::new();
        for (key, number) in keys.iter().zip(0..) {
            if number % 500 == 0 {
                clones.push(index.clone());
            }
            index.insert(key, number);
        }
        for (at, clone) in clones.iter().enumerate() {
            let found = keys.iter().filter(|it| find(clone, &keys, it).is_some()).count();
            assert_eq!((clone.len(), found), (at * 500, at * 500));
        }
        assert!(keys.iter().zip(0..).all(|(key, it)| find(&index, &keys, key) == Some(it)));
    }

    proptest! {
        #[test]
        fn behaves_like_a_hash_map(steps in vec((0..3u8, 0..200u32), 0..600)) {
            // Two numbers for each key, so that one can be replaced by the other.
            let keys: Vec<String> = (0..400).map(|it| (it % 200).to_string()).collect();
            let mut index = CowIndex::build(std::iter::empty::<(&str, u32)>());
            let mut model: HashMap<&str, u32> = HashMap::new();
            for (step, number) in steps {
                let key = keys[number as usize].as_str();
                match (step, model.get(key).copied()) {
                    (0, None) => {
                        index.insert(key, number);
                        model.insert(key, number);
                    }
                    (1, Some(before)) => {
                        index.replace(key, before, (before + 200) % 400);
                        model.insert(key, (before + 200) % 400);
                    }
                    (2, Some(before)) => {
                        index.remove(key, before);
                        model.remove(key);
                    }
                    _ => {}
                }
            }
            prop_assert_eq!(index.len(), model.len());
            for key in &keys {
                prop_assert_eq!(find(&index, &keys, key), model.get(key.as_str()).copied());
            }
        }
    }
}
