//! The places of the bodies in a pack, by the hashes of their paths.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// The place of a record in the pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PackSlot {
    pub(super) offset: u64,
    pub(super) bytes: u32,
    /// A hash of the stat, which proves that a body is not current. 0 never matches: the file was
    /// read so soon after a change that its stat proves nothing.
    pub(super) stat: u32,
}

/// The slots of a pack. Those of the index are a list, since a start reads them all and looks up
/// few; what has changed since is beside it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct PackSlots {
    /// Sorted by the hash.
    listed: Vec<(u64, PackSlot)>,
    /// `None` for the listed ones that were removed.
    changed: HashMap<u64, Option<PackSlot>>,
}

impl PackSlots {
    /// Returns the slots of a list; nothing if it is not sorted.
    pub(super) fn from_sorted(listed: Vec<(u64, PackSlot)>) -> Option<PackSlots> {
        let is_sorted = listed.is_sorted_by(|(one, _), (next, _)| one < next);
        is_sorted.then(|| PackSlots { listed, changed: HashMap::new() })
    }

    /// Returns the slot of a path.
    pub(super) fn get(&self, key: u64) -> Option<PackSlot> {
        match self.changed.get(&key) {
            Some(changed) => *changed,
            None => self.get_listed(key),
        }
    }

    /// Returns true if any slot has changed since they were listed.
    pub(super) fn has_changes(&self) -> bool {
        !self.changed.is_empty()
    }

    /// Returns the slot of a path if it has changed since they were listed: `None` inside if there
    /// is none any more.
    pub(super) fn get_changed(&self, key: u64) -> Option<Option<PackSlot>> {
        self.changed.get(&key).copied()
    }

    /// Sets the slot of a path, and returns the one before.
    pub(super) fn insert(&mut self, key: u64, slot: PackSlot) -> Option<PackSlot> {
        match self.changed.insert(key, Some(slot)) {
            Some(before) => before,
            None => self.get_listed(key),
        }
    }

    /// Removes the slot of a path, and returns it.
    pub(super) fn remove(&mut self, key: u64) -> Option<PackSlot> {
        let listed = self.get_listed(key);
        match (self.changed.entry(key), listed) {
            (Entry::Occupied(changed), None) => changed.remove(),
            (Entry::Occupied(mut changed), Some(_)) => changed.insert(None),
            (Entry::Vacant(place), Some(_)) => {
                place.insert(None);
                listed
            }
            (Entry::Vacant(_), None) => None,
        }
    }

    /// Iterates over all slots in any order.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u64, PackSlot)> {
        let listed = self.listed.iter().copied().filter(|(it, _)| !self.changed.contains_key(it));
        listed.chain(self.changed.iter().filter_map(|(key, slot)| Some((*key, (*slot)?))))
    }

    /// Puts all slots into the list, and returns it.
    pub(super) fn sort(&mut self) -> &[(u64, PackSlot)] {
        if !self.changed.is_empty() {
            let mut all: Vec<_> = self.iter().collect();
            // Most of it is sorted already, which a stable sort makes use of.
            all.sort_by_key(|(key, _)| *key);
            *self = PackSlots { listed: all, changed: HashMap::new() };
        }
        &self.listed
    }

    fn get_listed(&self, key: u64) -> Option<PackSlot> {
        let at = self.listed.binary_search_by_key(&key, |(key, _)| *key).ok()?;
        self.listed.get(at).map(|(_, slot)| *slot)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    use super::*;

    fn slot(offset: u64) -> PackSlot {
        PackSlot { offset, bytes: 1, stat: 2 }
    }

    #[test]
    fn only_a_sorted_list_is_taken() {
        let from = |keys: &[u64]| {
            PackSlots::from_sorted(keys.iter().map(|it| (*it, slot(*it))).collect()).is_some()
        };
        assert!(from(&[]) && from(&[1]) && from(&[1, 2]));
        assert!(!from(&[2, 1]) && !from(&[1, 1]));
    }

    proptest! {
        /// Slots are those of a map, whichever of them are listed.
        #[test]
        fn slots_are_a_map(steps in proptest::collection::vec((0..3_u8, 0..9_u64, any::<u64>()), 0..60)) {
            let (mut slots, mut expect) = (PackSlots::default(), BTreeMap::new());
            for (step, key, offset) in steps {
                match step {
                    0 => prop_assert_eq!(slots.insert(key, slot(offset)), expect.insert(key, slot(offset))),
                    1 => prop_assert_eq!(slots.remove(key), expect.remove(&key)),
                    _ => prop_assert!(slots.sort().iter().map(|(key, slot)| (key, slot)).eq(&expect)),
                }
                prop_assert!((0..9).all(|it| slots.get(it) == expect.get(&it).copied()));
                let changed = (0..9).filter_map(|it| Some((it, slots.get_changed(it)?)));
                prop_assert_eq!(changed.clone().next().is_some(), slots.has_changes());
                prop_assert!(changed.clone().all(|(it, slot)| slot == slots.get(it)));
                let all: BTreeMap<_, _> = slots.iter().collect();
                prop_assert_eq!(&all, &expect);
                prop_assert_eq!(slots.iter().count(), expect.len());
            }
        }
    }
}
