//! A section of an inventory: the names of one kind with the checksum of what is sent of each.

use crate::stdx::checksum::ByteChecksum;
use crate::stdx::checksum::Checksum;
use crate::stdx::text_enum::text_enum;

text_enum! {
    /// The kind of things in a section.
    pub enum SectionKind {
        /// Content types, by name.
        Types = "type",
        /// Media files, by name.
        Media = "media",
        /// Entries of one type in one locale, by id.
        Entries = "entry",
        /// Categories of media files, by path. No line tells of them, only the tags of lists.
        Categories = "category",
    }
}

/// The identity of a section.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SectionKey {
    /// The kind of things.
    pub kind: SectionKind,
    /// The type of the entries; empty for other things.
    pub type_name: Box<str>,
    /// The locale of the entries, where they are told by locale; else empty.
    pub locale: Box<str>,
}

/// Names with checksums, in the order of the hashes of the names: numbers are sorted and compared
/// many times faster than texts.
#[derive(Debug)]
pub struct Section {
    /// The identity.
    pub key: SectionKey,
    hashes: Vec<u64>,
    tags: Vec<Checksum>,
    /// The ends of the names in `names`.
    ends: Vec<u32>,
    names: String,
    /// The checksum of all of it.
    pub sum: Checksum,
}

/// A change of a section.
#[derive(Debug, PartialEq, Eq)]
pub struct SectionChange {
    /// The section.
    pub key: SectionKey,
    /// The names that vanished.
    pub gone: Vec<Box<str>>,
    /// The names that appeared or changed, with the checksums of what is sent now.
    pub shown: Vec<(Box<str>, Checksum)>,
}

impl Section {
    /// Builds a section of these names, each there once.
    pub fn build<'n>(key: SectionKey, items: impl Iterator<Item = (&'n str, Checksum)>) -> Section {
        let mut items: Vec<(u64, &str, Checksum)> =
            items.map(|(name, tag)| (Checksum::of_bytes(name.as_bytes()).0, name, tag)).collect();
        items.sort_unstable_by(|a, b| a.0.cmp(&b.0).then_with(|| a.1.cmp(b.1)));
        let names_bytes = items.iter().map(|it| it.1.len()).sum();
        let mut section = Section {
            hashes: Vec::with_capacity(items.len()),
            tags: Vec::with_capacity(items.len()),
            ends: Vec::with_capacity(items.len()),
            names: String::with_capacity(names_bytes),
            sum: Checksum::default(),
            key,
        };
        let mut sum = section.key.begin_sum();
        for (hash, name, tag) in items {
            sum.add(&hash.to_le_bytes());
            sum.add(&tag.0.to_le_bytes());
            sum.add(name.as_bytes());
            section.hashes.push(hash);
            section.tags.push(tag);
            section.names.push_str(name);
            section.ends.push(u32::try_from(section.names.len()).unwrap_or(u32::MAX));
        }
        section.sum = sum.finish();
        section
    }

    /// Builds a section out of another one, or of none, and what changed.
    pub fn with_change(before: Option<&Section>, change: &SectionChange) -> Section {
        let mut left: std::collections::HashSet<&str> =
            change.gone.iter().map(|it| &**it).collect();
        left.extend(change.shown.iter().map(|(name, _)| &**name));
        let same = before.into_iter().flat_map(Section::iter).filter(|(it, _)| !left.contains(it));
        let shown = change.shown.iter().map(|(name, tag)| (&**name, *tag));
        Section::build(change.key.clone(), same.chain(shown))
    }

    /// Returns the number of names.
    pub fn len(&self) -> usize {
        self.tags.len()
    }

    /// Returns true if there is no name.
    pub fn is_empty(&self) -> bool {
        self.tags.is_empty()
    }

    /// Iterates over the names with their checksums.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Checksum)> {
        self.tags.iter().enumerate().map(|(place, tag)| (self.name_at(place), *tag))
    }

    /// Returns the checksum of what is sent of this name.
    pub fn find(&self, name: &str) -> Option<Checksum> {
        let hash = Checksum::of_bytes(name.as_bytes()).0;
        let first = self.hashes.partition_point(|it| *it < hash);
        let same = (first..self.hashes.len()).take_while(|it| self.hashes.get(*it) == Some(&hash));
        same.into_iter()
            .find(|it| self.name_at(*it) == name)
            .and_then(|it| self.tags.get(it).copied())
    }

    /// Returns the size in memory, about.
    pub fn memory_bytes(&self) -> usize {
        const NUMBERS_BYTES: usize = 20;
        self.names.len() + self.len() * NUMBERS_BYTES + size_of::<Section>()
    }

    /// Returns what changed since `before`, if anything did.
    pub(super) fn changes_since(&self, before: Option<&Section>) -> Option<SectionChange> {
        let mut change =
            SectionChange { key: self.key.clone(), gone: Vec::new(), shown: Vec::new() };
        let Some(before) = before else {
            change.shown = self.iter().map(|(name, tag)| (name.into(), tag)).collect();
            return Some(change);
        };
        if before.sum == self.sum {
            return None;
        }
        let (mut old, mut new) = (0, 0);
        while old < before.len() || new < self.len() {
            match before.compare_names(old, self, new) {
                std::cmp::Ordering::Less => {
                    change.gone.push(before.name_at(old).into());
                    old += 1;
                }
                std::cmp::Ordering::Greater => {
                    change.shown.push((self.name_at(new).into(), self.tag_at(new)));
                    new += 1;
                }
                std::cmp::Ordering::Equal => {
                    if before.tag_at(old) != self.tag_at(new) {
                        change.shown.push((self.name_at(new).into(), self.tag_at(new)));
                    }
                    (old, new) = (old + 1, new + 1);
                }
            }
        }
        Some(change)
    }

    /// Compares a name with one of another section. What is behind the end is the greatest.
    fn compare_names(&self, place: usize, other: &Section, there: usize) -> std::cmp::Ordering {
        let (Some(hash), Some(other_hash)) = (self.hashes.get(place), other.hashes.get(there))
        else {
            return (place >= self.len()).cmp(&(there >= other.len()));
        };
        hash.cmp(other_hash).then_with(|| self.name_at(place).cmp(other.name_at(there)))
    }

    fn tag_at(&self, place: usize) -> Checksum {
        self.tags.get(place).copied().unwrap_or_default()
    }

    fn name_at(&self, place: usize) -> &str {
        let end_at = |it: usize| self.ends.get(it).map_or(0, |end| *end as usize);
        let start = place.checked_sub(1).map_or(0, end_at);
        self.names.get(start..end_at(place)).unwrap_or_default()
    }
}

impl SectionKey {
    fn begin_sum(&self) -> ByteChecksum {
        let mut sum = ByteChecksum::default();
        for text in [self.kind.as_str(), &self.type_name, &self.locale] {
            sum.add(&(text.len() as u64).to_le_bytes());
            sum.add(text.as_bytes());
        }
        sum
    }
}

impl SectionChange {
    /// Returns the change that takes all names of a section away.
    pub(super) fn of_vanished(section: &Section) -> SectionChange {
        let gone = section.iter().map(|(name, _)| name.into()).collect();
        SectionChange { key: section.key.clone(), gone, shown: Vec::new() }
    }

    /// Returns the number of names.
    pub fn len(&self) -> usize {
        self.gone.len() + self.shown.len()
    }

    /// Returns true if nothing changed.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
