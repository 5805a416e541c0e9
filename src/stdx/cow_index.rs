//! A copy-on-write hash index: finds numbers by keys that are stored elsewhere.
//!
//! A number takes eight bytes, because the index keeps a part of the key's hash and not the key.
//! The caller compares the key that belongs to a number. A clone shares everything with its
//! original; a change copies one small shard and the two short arrays above it.

use std::fmt;
use std::hash::BuildHasher;
use std::hash::RandomState;
use std::iter::once;
use std::sync::Arc;

/// The maximum average number of slots in a shard, above which the index grows. Eight slots fill a
/// cache line.
const FULLEST: usize = 8;
/// The maximum number of bits that select a shard. More shards would only cost memory; further
/// numbers make the shards fuller.
const BITS_MAX: u32 = 24;

type Shard = Arc<[IndexSlot]>;
type Group = Arc<[Shard]>;

#[derive(Clone, Copy)]
struct IndexSlot {
    /// A part of the hash of the key. Its low bits select the shard; all of it avoids nearly all
    /// comparisons with wrong keys.
    hash: u32,
    number: u32,
}

/// The hash of a key.
#[derive(Clone, Copy, Debug)]
pub struct KeyHash(u32);

/// A hash index that is cheap to clone and cheap to change slightly.
#[derive(Clone)]
pub struct CowIndex {
    /// There are `2^bits` shards in groups of `2^(bits / 2)`.
    groups: Arc<[Group]>,
    bits: u32,
    len: usize,
    hasher: RandomState,
}

impl fmt::Debug for CowIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CowIndex of {}", self.len)
    }
}

impl CowIndex {
    /// Builds the index of the first number of each key. Returns the further numbers with it.
    /// `is_same` compares the keys of two numbers.
    /// Indexes of one hasher give one hash for a key.
    pub fn build<'k>(
        hasher: RandomState,
        keys: impl Iterator<Item = (&'k str, u32)>,
        is_same: impl Fn(u32, u32) -> bool,
    ) -> (CowIndex, Vec<u32>) {
        let slots = keys.map(|(key, number)| IndexSlot { hash: hash_key(&hasher, key), number });
        let mut repeated = Vec::new();
        let mut index = CowIndex::from_slots(slots.collect(), hasher);
        index.retain_first(is_same, &mut repeated);
        (index, repeated)
    }

    /// Returns the number of numbers.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns true if the index is empty.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the number of a key. `has_key` compares the key of a number with it.
    #[inline]
    pub fn find(&self, key: &str, has_key: impl Fn(u32) -> bool) -> Option<&u32> {
        self.find_hashed(self.hash_of(key), has_key)
    }

    /// Returns the hash of a key, for this index and others of the same hasher.
    #[inline]
    pub fn hash_of(&self, key: &str) -> KeyHash {
        KeyHash(hash_key(&self.hasher, key))
    }

    /// Returns the number of the key with this hash.
    #[inline]
    pub fn find_hashed(&self, hash: KeyHash, has_key: impl Fn(u32) -> bool) -> Option<&u32> {
        let KeyHash(hash) = hash;
        let (group, shard) = self.locate_shard(hash);
        let shard = self.groups.get(group)?.get(shard)?;
        let slot = shard.iter().find(|it| it.hash == hash && has_key(it.number))?;
        Some(&slot.number)
    }

    /// Adds the number of a key that has none yet.
    pub fn insert(&mut self, key: &str, number: u32) {
        let hash = hash_key(&self.hasher, key);
        let shard = self.shard_mut(hash);
        *shard = shard.iter().copied().chain(once(IndexSlot { hash, number })).collect();
        self.len += 1;
        if self.len > FULLEST << self.bits && self.bits < BITS_MAX {
            let slots = self.slots().collect();
            *self = CowIndex::from_slots(slots, self.hasher.clone());
        }
    }

    /// Gives a key another number.
    pub fn replace(&mut self, key: &str, before: u32, after: u32) {
        let hash = hash_key(&self.hasher, key);
        let shard = self.shard_mut(hash);
        let slots = Arc::make_mut(shard).iter_mut();
        for slot in slots.filter(|it| it.hash == hash && it.number == before) {
            slot.number = after;
        }
    }

    /// Removes the number of a key.
    pub fn remove(&mut self, key: &str, number: u32) {
        let hash = hash_key(&self.hasher, key);
        let shard = self.shard_mut(hash);
        let rest = shard.iter().filter(|it| it.hash != hash || it.number != number);
        let rest: Shard = rest.copied().collect();
        let removed = shard.len() - rest.len();
        *shard = rest;
        self.len -= removed;
    }

    fn slots(&self) -> impl Iterator<Item = IndexSlot> + '_ {
        let shards = self.groups.iter().flat_map(|group| group.iter());
        shards.flat_map(|shard| shard.iter().copied())
    }

    #[inline]
    fn locate_shard(&self, hash: u32) -> (usize, usize) {
        let place = hash as usize & ((1 << self.bits) - 1);
        let shard_bits = self.bits / 2;
        (place >> shard_bits, place & ((1 << shard_bits) - 1))
    }

    fn shard_mut(&mut self, hash: u32) -> &mut Shard {
        let (group, shard) = self.locate_shard(hash);
        let group = &mut Arc::make_mut(&mut self.groups)[group];
        &mut Arc::make_mut(group)[shard]
    }

    /// Builds an index that is at least half full. Slots are sorted by shard first, so that
    /// each shard is allocated once.
    fn from_slots(mut slots: Vec<IndexSlot>, hasher: RandomState) -> CowIndex {
        let shards = slots.len().div_ceil(FULLEST).next_power_of_two();
        let bits = shards.trailing_zeros().min(BITS_MAX);
        let shard_of = |slot: &IndexSlot| slot.hash & ((1u32 << bits) - 1);
        // The sort is stable: of one key, the first number stays the first.
        slots.sort_by_key(shard_of);
        let mut rest = &*slots;
        let mut shards = (0..1u32 << bits).map(|place| {
            let (shard, behind) = rest.split_at(rest.partition_point(|it| shard_of(it) == place));
            rest = behind;
            Shard::from(shard)
        });
        let group = |_| shards.by_ref().take(1 << (bits / 2)).collect();
        let groups = (0..1usize << (bits - bits / 2)).map(group).collect();
        CowIndex { groups, bits, len: slots.len(), hasher }
    }

    /// Removes all numbers but the first of each key.
    fn retain_first(&mut self, is_same: impl Fn(u32, u32) -> bool, repeated: &mut Vec<u32>) {
        let shards = Arc::make_mut(&mut self.groups).iter_mut();
        for shard in shards.flat_map(Arc::make_mut) {
            let mut kept: Vec<IndexSlot> = Vec::with_capacity(shard.len());
            for slot in shard.iter() {
                let is_key =
                    |it: &IndexSlot| it.hash == slot.hash && is_same(it.number, slot.number);
                if kept.iter().any(is_key) {
                    repeated.push(slot.number);
                } else {
                    kept.push(*slot);
                }
            }
            if kept.len() < shard.len() {
                *shard = kept.into();
            }
        }
        self.len -= repeated.len();
        repeated.sort_unstable();
    }
}

fn hash_key(hasher: &RandomState, key: &str) -> u32 {
    (hasher.hash_one(key) >> 32) as u32
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
        let pairs = keys.iter().map(String::as_str).zip(0..);
        let is_same = |one: u32, two: u32| keys[one as usize] == keys[two as usize];
        let (index, repeated) = CowIndex::build(RandomState::new(), pairs, is_same);
        assert_eq!((index.len(), repeated), (300, (300..1_000).collect()));
        for number in 0..300 {
            assert_eq!(find(&index, &keys, &number.to_string()), Some(number));
        }
        assert_eq!(find(&index, &keys, "300"), None);
    }

    #[test]
    fn a_change_leaves_clones_alone() {
        let keys: Vec<String> = (0..5_000).map(|it| it.to_string()).collect();
        let (mut index, _) = CowIndex::build(RandomState::new(), std::iter::empty(), |_, _| false);
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
            let (mut index, _) = CowIndex::build(RandomState::new(), std::iter::empty(), |_, _| false);
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
