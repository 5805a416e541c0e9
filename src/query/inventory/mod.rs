//! Inventories: what one reader sees of a workspace, as names and checksums. Two of them tell what
//! appeared, changed and vanished between two moments, for this reader.

pub mod codec;
pub mod entry_part;
pub mod section;

use std::sync::Arc;

use crate::query::inventory::section::Section;
use crate::query::inventory::section::SectionChange;
use crate::query::inventory::section::SectionKey;
use crate::stdx::checksum::Checksum;
use crate::stdx::checksum::ChecksumBuilder;

/// The inventory of a workspace for one reader, at one moment.
#[derive(Debug, Default)]
pub struct Inventory {
    /// The sections by key, none of which is empty.
    sections: Vec<Arc<Section>>,
    /// The checksum of all of it.
    pub sum: Checksum,
}

impl Inventory {
    /// Makes the inventory of these sections, with different keys.
    pub fn new(sections: impl IntoIterator<Item = Arc<Section>>) -> Inventory {
        let mut sections: Vec<Arc<Section>> =
            sections.into_iter().filter(|it| !it.is_empty()).collect();
        sections.sort_unstable_by(|a, b| a.key.cmp(&b.key));
        let mut sum = ChecksumBuilder::new();
        sections.iter().for_each(|it| _ = sum.add_number(it.sum.0));
        Inventory { sum: sum.finish(), sections }
    }

    /// Returns the sections, by key.
    pub fn sections(&self) -> &[Arc<Section>] {
        &self.sections
    }

    /// Returns the section with this key.
    pub fn find(&self, key: &SectionKey) -> Option<&Arc<Section>> {
        let place = self.sections.binary_search_by(|it| it.key.cmp(key)).ok()?;
        self.sections.get(place)
    }

    /// Returns the size in memory, about.
    pub fn memory_bytes(&self) -> usize {
        self.sections.iter().map(|it| it.memory_bytes()).sum()
    }

    /// Returns what changed since `before`, by section.
    pub fn changes_since(&self, before: &Inventory) -> Vec<SectionChange> {
        let mut found: Vec<SectionChange> = Vec::new();
        for section in &self.sections {
            found.extend(section.changes_since(before.find(&section.key).map(|it| &**it)));
        }
        let vanished = before.sections.iter().filter(|it| self.find(&it.key).is_none());
        found.extend(vanished.map(|it| SectionChange::of_vanished(it)));
        found.sort_unstable_by(|a, b| a.key.cmp(&b.key));
        found
    }

    /// Returns the inventory after changes.
    #[must_use]
    pub fn with_changes(&self, changes: &[SectionChange]) -> Inventory {
        let is_changed = |key: &SectionKey| changes.iter().any(|it| it.key == *key);
        let same = self.sections.iter().filter(|it| !is_changed(&it.key)).cloned();
        let changed = changes.iter().map(|change| {
            let before = self.find(&change.key).map(|it| &**it);
            Arc::new(Section::with_change(before, change))
        });
        Inventory::new(same.chain(changed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::inventory::section::SectionKind;

    fn key(type_name: &str) -> SectionKey {
        SectionKey { kind: SectionKind::Entries, type_name: type_name.into(), locale: "".into() }
    }

    /// An inventory of types with entries, as `id=tag`.
    fn inventory(types: &[(&str, &str)]) -> Inventory {
        Inventory::new(types.iter().map(|(name, items)| {
            let items = items.split_whitespace().map(|it| {
                let (id, tag) = it.split_once('=').unwrap();
                (id, Checksum(tag.parse().unwrap()))
            });
            Arc::new(Section::build(key(name), items))
        }))
    }

    fn told(changes: &[SectionChange]) -> String {
        let of = |it: &SectionChange| {
            let mut words: Vec<String> = it.gone.iter().map(|it| format!("-{it}")).collect();
            words.extend(it.shown.iter().map(|(id, tag)| format!("{id}={}", tag.0)));
            words.sort_unstable();
            format!("{}: {}", it.key.type_name, words.join(" "))
        };
        changes.iter().map(of).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn two_inventories_tell_what_changed() {
        let check = |before: &[(&str, &str)], after: &[(&str, &str)], expect: &str| {
            let (before, after) = (inventory(before), inventory(after));
            let changes = after.changes_since(&before);
            assert_eq!(told(&changes), expect);
            assert_eq!(before.with_changes(&changes).sum, after.sum, "{expect}");
            assert_eq!(changes.is_empty(), before.sum == after.sum);
        };
        check(&[], &[], "");
        check(&[("a", "x=1 y=2")], &[("a", "y=2 x=1")], "");
        check(&[("a", "x=1 y=2 z=3")], &[("a", "x=1 y=4 w=0")], "a: -z w=0 y=4");
        check(&[("a", "x=1"), ("b", "x=1")], &[("b", "x=1"), ("c", "y=2")], "a: -x; c: y=2");
        check(&[("a", "x=1")], &[("a", "")], "a: -x");
        check(&[("a", "")], &[], "");
    }

    #[test]
    fn inventories_come_back_from_their_bytes() {
        let whole = inventory(&[("a", "x=1 y=2"), ("posts", "long-id-1=7")]);
        let read = codec::decode_inventory(&codec::encode_inventory(&whole)).unwrap();
        assert_eq!(read.sum, whole.sum);
        let later = inventory(&[("a", "x=3"), ("b", "q=9")]);
        let changes = later.changes_since(&whole);
        let read = codec::decode_changes(&codec::encode_changes(&changes)).unwrap();
        assert_eq!(whole.with_changes(&read).sum, later.sum);
        let bytes = codec::encode_inventory(&whole);
        for end in 0..bytes.len() {
            assert!(codec::decode_inventory(&bytes[..end]).is_none_or(|it| it.sum != whole.sum));
        }
        assert!(codec::decode_inventory(&[0xff; 40]).is_none());
    }
}
