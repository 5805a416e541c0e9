//! A copy-on-write hash table of slots, on which [`CowIndex`] and [`CowMap`] are built.
//!
//! Slots are in small shards, selected by their hash, and the shards are in a [`ChunkList`]. A
//! clone shares everything with its original. A change copies one shard and three short arrays
//! above it: at 100,000 slots about a hundred pointers, and at a million twice as many.
//!
//! [`CowIndex`]: crate::stdx::cow_index::CowIndex
//! [`CowMap`]: crate::stdx::cow_map::CowMap

use std::iter::once;
use std::sync::Arc;

use crate::stdx::cow_list::ChunkList;

/// The maximum number of bits that select a shard. More shards would only cost memory; further
/// slots make the shards fuller.
const BITS_MAX: u32 = 24;

/// The number of shards that are copied together, and of such groups. With 32 a change at 100,000
/// slots clones a third of the pointers that it would with two levels.
const FAN_OUT: usize = 32;

/// A slot of a table.
pub(super) trait HashedSlot: Clone {
    /// The maximum average number of slots in a shard, above which the table grows.
    const FULLEST: usize;

    /// Returns the hash of the key. Its low bits select the shard; all of it avoids nearly all
    /// comparisons with wrong keys.
    fn hash(&self) -> u32;
}

type Shard<S> = Arc<[S]>;

/// A hash table that is cheap to clone and cheap to change slightly.
#[derive(Clone)]
pub(super) struct CowTable<S> {
    /// There are `2^bits` shards.
    shards: ChunkList<Shard<S>, FAN_OUT>,
    bits: u32,
    len: usize,
}

impl<S: HashedSlot> CowTable<S> {
    /// Builds a table with room for this many slots. Slots are sorted by shard first, so that each
    /// shard is allocated once.
    pub(super) fn build(mut slots: Vec<S>, capacity: usize) -> CowTable<S> {
        let shards = capacity.max(slots.len()).div_ceil(S::FULLEST).next_power_of_two();
        let bits = shards.trailing_zeros().min(BITS_MAX);
        // The sort is stable: of one key, the first slot stays the first.
        slots.sort_by_key(|it| place_of(it.hash(), bits));
        let len = slots.len();
        let mut rest = &*slots;
        let shards = (0..1usize << bits).map(|place| {
            let is_here = |it: &S| place_of(it.hash(), bits) == place;
            let (shard, behind) = rest.split_at(rest.partition_point(is_here));
            rest = behind;
            Shard::from(shard)
        });
        CowTable { shards: shards.collect(), bits, len }
    }

    /// Returns the number of slots.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Returns all slots in arbitrary order.
    pub(super) fn iter(&self) -> impl Iterator<Item = &S> + '_ {
        self.shards.iter().flat_map(|shard| shard.iter())
    }

    /// Returns the slots with this hash, those that were added first before the others.
    #[inline]
    pub(super) fn find_all(&self, hash: u32) -> impl Iterator<Item = &S> + '_ {
        let shard = self.shards.get(place_of(hash, self.bits));
        shard.into_iter().flat_map(|it| it.iter()).filter(move |it| it.hash() == hash)
    }

    /// Returns the first slot with this hash of which `is_wanted` returns true, to be changed.
    pub(super) fn find_mut(&mut self, hash: u32, is_wanted: impl Fn(&S) -> bool) -> Option<&mut S> {
        let shard = self.shards.get_mut(place_of(hash, self.bits))?;
        let at = shard.iter().position(|it| it.hash() == hash && is_wanted(it))?;
        Arc::make_mut(shard).get_mut(at)
    }

    /// Adds a slot behind the others with its hash.
    pub(super) fn push(&mut self, slot: S) {
        let Some(shard) = self.shards.get_mut(place_of(slot.hash(), self.bits)) else { return };
        *shard = shard.iter().cloned().chain(once(slot)).collect();
        self.len += 1;
        if self.len > S::FULLEST << self.bits && self.bits < BITS_MAX {
            *self = CowTable::build(self.iter().cloned().collect(), self.len);
        }
    }

    /// Removes the slots with this hash of which `is_unwanted` returns true.
    pub(super) fn remove(&mut self, hash: u32, is_unwanted: impl Fn(&S) -> bool) {
        let is_out = |it: &S| it.hash() == hash && is_unwanted(it);
        if self.find_all(hash).any(is_out)
            && let Some(shard) = self.shards.get_mut(place_of(hash, self.bits))
        {
            let rest: Shard<S> = shard.iter().filter(|it| !is_out(it)).cloned().collect();
            self.len -= shard.len() - rest.len();
            *shard = rest;
        }
    }

    /// Removes all slots but the first of each key, and returns them. `is_same` compares keys.
    pub(super) fn remove_repeated(&mut self, is_same: impl Fn(&S, &S) -> bool) -> Vec<S> {
        let mut repeated = Vec::new();
        for place in 0..self.shards.len() {
            let Some(shard) = self.shards.get(place) else { continue };
            let mut kept: Vec<S> = Vec::with_capacity(shard.len());
            for slot in shard.iter() {
                let is_key = |it: &S| it.hash() == slot.hash() && is_same(it, slot);
                let list = if kept.iter().any(is_key) { &mut repeated } else { &mut kept };
                list.push(slot.clone());
            }
            if kept.len() < shard.len() {
                self.shards.set(place, kept.into());
            }
        }
        self.len -= repeated.len();
        repeated
    }
}

#[inline]
fn place_of(hash: u32, bits: u32) -> usize {
    hash as usize & ((1 << bits) - 1)
}
