//! The immutable table of the entries of one content type, by ordinal, id and slug. A change builds
//! a new table that shares nearly everything with the old one.

use std::collections::HashMap;
use std::sync::Arc;

use crate::model::content_type::ContentType;
use crate::model::entry::ScheduledChange;
use crate::model::name::EntryId;
use crate::query::render::entry_texts::NAME_HASHER;
use crate::query::render::entry_texts::NameHashes;
use crate::query::render::rendered_entry::RenderedEntry;
use crate::query::render::rendered_entry::SharedBlock;
use crate::query::render::shared_blocks;
use crate::stdx::bitset::Bitset;
use crate::stdx::checksum::Checksum;
use crate::stdx::cow_index::CowIndex;
use crate::stdx::cow_index::KeyHash;
use crate::stdx::cow_list::ChunkList;
use crate::stdx::cow_map::CowMap;
use crate::stdx::time::Timestamp;

/// The number of an entry within its type. Ordinals of removed entries are reused.
pub type Ordinal = u32;

/// The distance of ordinals within which the entries of a shared block are looked for. A block has
/// at most 64, nearly always in a row. Others would stay where they are.
const SHARED_REACH: Ordinal = 128;

/// The number of entries below which a table may be small.
pub(in crate::query) const SMALL_COUNT_BELOW: usize = 1_000;

/// The bytes of renderings below which a table may be small: a millisecond or two to read them.
pub(in crate::query) const SMALL_BYTES_BELOW: usize = 1024 * 1024;

/// The number of entries whose ids and slugs are indexed at the same time.
const TOGETHER_MIN: usize = 4_096;

/// The change of one entry.
#[derive(Debug)]
pub struct EntryChange {
    /// The id of the entry.
    pub id: EntryId,
    /// The new rendering; `None` if the entry is gone.
    pub doc: Option<Arc<RenderedEntry>>,
}

/// The entries of one content type.
#[derive(Clone, Debug)]
pub struct EntryTable {
    /// The type itself.
    pub content_type: Arc<ContentType>,
    /// A number that grows with every change of the type, its entries or their visibility.
    pub generation: u64,
    docs: ChunkList<Option<Arc<RenderedEntry>>>,
    by_id: CowIndex,
    /// The owner of each slug.
    by_slug: CowIndex,
    /// All claimants of each slug that several entries have, the owner first.
    claims: CowMap<Arc<str>, Vec<Ordinal>>,
    /// The entries that had a slug formerly, the oldest first.
    former: CowMap<Arc<str>, Vec<Ordinal>>,
    live: Bitset,
    public: Bitset,
    /// The number of ordinals in `public`.
    public_count: usize,
    live_sum: Checksum,
    public_sum: Checksum,
    free: Vec<Ordinal>,
    /// The size of all renderings.
    bytes: usize,
    /// The scheduled changes of entries, soonest first.
    due: Vec<(Timestamp, ScheduledChange, Ordinal)>,
    /// The latest time of a scheduled change that had passed when its entry was inserted.
    passed: Option<Timestamp>,
}

impl EntryTable {
    /// Builds the table of a type from all its entries.
    pub fn build(
        content_type: Arc<ContentType>,
        docs: Vec<Arc<RenderedEntry>>,
        generation: u64,
        now: Timestamp,
    ) -> EntryTable {
        let ((by_id, _), (by_slug, later_claims)) = index_names(&docs);
        let mut index = EntryTable {
            content_type,
            generation,
            by_id,
            by_slug,
            docs: ChunkList::from_vec(docs.iter().cloned().map(Some).collect()),
            claims: CowMap::new(),
            former: CowMap::new(),
            live: Bitset::with_len(docs.len()),
            public: Bitset::with_len(docs.len()),
            public_count: 0,
            live_sum: Checksum::default(),
            public_sum: Checksum::default(),
            free: Vec::new(),
            bytes: 0,
            due: Vec::new(),
            passed: None,
        };
        for (ordinal, doc) in (0..).zip(&docs) {
            index.add_entry(ordinal, doc, now);
        }
        for ordinal in later_claims {
            if let Some(doc) = docs.get(ordinal as usize) {
                index.claim_slug(ordinal, doc);
            }
        }
        index.due.sort_unstable();
        index
    }

    /// Returns the table after `changes`, and the ordinals of the changed entries. If an entry is
    /// changed twice, the later change wins.
    pub(super) fn with_changes(
        &self,
        changes: &[EntryChange],
        now: Timestamp,
    ) -> (EntryTable, Vec<Ordinal>) {
        let mut next = self.next_generation();
        let mut touched = Vec::with_capacity(changes.len());
        let mut left: HashMap<SharedBlock, Ordinal> = HashMap::new();
        for change in changes {
            let before = next.find_ordinal(change.id.as_str());
            if let Some(ordinal) = before {
                let block = next.entry_at(ordinal).and_then(|it| it.shared_block());
                left.extend(block.map(|it| (it, ordinal)));
                next.remove_entry(ordinal);
            }
            if let Some(doc) = &change.doc {
                let ordinal = next.place_entry(before, doc);
                next.insert_entry(ordinal, doc, now);
                touched.push(ordinal);
            } else if let Some(ordinal) = before {
                next.free_slot(ordinal);
                touched.push(ordinal);
            }
        }
        if next.is_repacking() {
            left.into_iter().for_each(|(block, ordinal)| next.repack_block(block, ordinal));
        }
        next.due.sort_unstable();
        // An ordinal may be in the list twice: its entry changed twice, or another entry reused it.
        touched.sort_unstable();
        touched.dedup();
        (next, touched)
    }

    /// Returns true in one of eight generations, at irregular distances: a look at a block touches
    /// the memory of all entries around, which costs more than a little unused memory.
    fn is_repacking(&self) -> bool {
        const GOLDEN_RATIO: u64 = 0x9e37_79b9_7f4a_7c15;
        self.generation.wrapping_mul(GOLDEN_RATIO) >> 61 == 0
    }

    /// Moves the entries of a shared block to a new one if too much of it is unused. An entry of it
    /// is, or was, at this ordinal.
    fn repack_block(&mut self, block: SharedBlock, ordinal: Ordinal) {
        let (first, last) =
            (ordinal.saturating_sub(SHARED_REACH), ordinal.saturating_add(SHARED_REACH));
        let around = first..=last;
        let around = around.filter_map(|it| Some((it, self.entry_at(it)?)));
        for (ordinal, moved) in shared_blocks::repack_sparse(block, around) {
            self.docs.set(ordinal as usize, Some(moved));
        }
    }

    /// Returns the table at the time `now`: scheduled entries whose time has come are public, and
    /// those whose time has ended are not. Nothing else changes.
    #[must_use]
    pub(super) fn advance_to(&self, now: Timestamp) -> EntryTable {
        let mut next = self.next_generation();
        let coming = next.due.partition_point(|(at, ..)| *at <= now);
        for (_, _, ordinal) in next.due.drain(..coming).collect::<Vec<_>>() {
            let Some(doc) = self.entry_at(ordinal) else { continue };
            // The times of its publication and of its end may both have come.
            if !doc.is_public(now) {
                next.remove_public(ordinal, doc);
            } else {
                next.add_public(ordinal, doc);
            }
        }
        next
    }

    /// Returns true if another table of the type has the same entries.
    pub(super) fn is_same_generation(&self, other: &EntryTable) -> bool {
        self.generation == other.generation
    }

    /// Returns the ordinals of the entries that differ in a later table.
    pub(super) fn list_differences(&self, later: &EntryTable) -> Vec<Ordinal> {
        let is_same = |ordinal: &Ordinal| match (self.entry_at(*ordinal), later.entry_at(*ordinal))
        {
            // The same entry may have moved.
            (Some(one), Some(other)) => Arc::ptr_eq(one, other) || one.sum == other.sum,
            (one, other) => one.is_none() && other.is_none(),
        };
        let places = u32::try_from(self.slot_count().max(later.slot_count())).unwrap_or(u32::MAX);
        (0..places).filter(|it| !is_same(it)).collect()
    }

    /// Returns the same entries with the next generation.
    fn next_generation(&self) -> EntryTable {
        EntryTable { generation: self.generation + 1, ..self.clone() }
    }

    /// Returns the entry with this ordinal.
    pub fn entry_at(&self, ordinal: Ordinal) -> Option<&Arc<RenderedEntry>> {
        self.docs.get(ordinal as usize)?.as_ref()
    }

    /// Returns the ordinal of an entry by id.
    pub fn find_ordinal(&self, id: impl AsRef<[u8]>) -> Option<Ordinal> {
        let id = id.as_ref();
        self.find_ordinal_hashed(self.hash_name(id), id)
    }

    /// Returns the hash of a name that may be an id or a slug.
    pub fn hash_name(&self, name: impl AsRef<[u8]>) -> KeyHash {
        self.by_id.hash_of(name)
    }

    /// Returns the ordinal of an entry by id with this hash.
    pub fn find_ordinal_hashed(&self, hash: KeyHash, id: impl AsRef<[u8]>) -> Option<Ordinal> {
        let id = id.as_ref();
        let has_id = |it| self.entry_at(it).is_some_and(|doc| doc.has_id(id));
        self.by_id.find_hashed(hash, has_id).copied()
    }

    /// Returns the ordinals of all entries that claim a slug, its owner first.
    pub fn list_claimants(&self, slug: &str) -> &[Ordinal] {
        self.list_claimants_hashed(self.hash_name(slug), slug)
    }

    /// Returns the same of the slug with this hash.
    pub fn list_claimants_hashed(&self, hash: KeyHash, slug: &str) -> &[Ordinal] {
        // Hardly any folder has entries that share a slug, so this look-up is seldom needed.
        let several = (!self.claims.is_empty()).then(|| self.claims.get(slug)).flatten();
        match several {
            Some(several) => several,
            None => self.find_owner(hash, slug).map(std::slice::from_ref).unwrap_or_default(),
        }
    }

    /// Returns the ordinals of the entries that had a slug formerly, the oldest first.
    pub fn list_former_owners(&self, slug: &str) -> &[Ordinal] {
        self.former.get(slug).map(Vec::as_slice).unwrap_or_default()
    }

    /// Returns the ordinal of an entry by id, else by slug.
    pub fn find_entry(&self, id_or_slug: &str) -> Option<Ordinal> {
        let hash = self.hash_name(id_or_slug);
        let by_id = self.find_ordinal_hashed(hash, id_or_slug);
        by_id.or_else(|| self.find_owner(hash, id_or_slug).copied())
    }

    /// Returns the ordinal of the owner of a slug.
    fn find_owner(&self, hash: KeyHash, slug: &str) -> Option<&Ordinal> {
        let has_slug = |it| self.entry_at(it).is_some_and(|doc| doc.has_slug(slug));
        self.by_slug.find_hashed(hash, has_slug)
    }

    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        self.by_id.len()
    }

    /// Returns true if there are no entries.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the largest ordinal in use plus one.
    pub fn slot_count(&self) -> usize {
        self.docs.len()
    }

    /// Returns the size of so many average entries in memory, in bytes.
    pub fn estimate_bytes(&self, count: usize) -> usize {
        (self.bytes / self.len().max(1)).saturating_mul(count)
    }

    /// Returns true if everything in the table is read so quickly that the thread which answers
    /// requests does it.
    pub fn is_small(&self) -> bool {
        self.slot_count() < SMALL_COUNT_BELOW && self.bytes < SMALL_BYTES_BELOW
    }

    /// Iterates over all entries with their ordinals.
    pub fn iter(&self) -> impl Iterator<Item = (Ordinal, &Arc<RenderedEntry>)> {
        (0..).zip(self.docs.iter()).filter_map(|(ordinal, doc)| Some((ordinal, doc.as_ref()?)))
    }

    /// Returns the ordinals of all entries.
    pub fn live(&self) -> &Bitset {
        &self.live
    }

    /// Returns the ordinals of the public entries.
    pub fn public(&self) -> &Bitset {
        &self.public
    }

    /// Returns the number of public entries.
    pub fn public_count(&self) -> usize {
        self.public_count
    }

    /// Returns the checksum of all entries, which does not depend on their order.
    pub fn live_sum(&self) -> Checksum {
        self.live_sum
    }

    /// Returns the checksum of the public entries, which does not depend on their order.
    pub fn public_sum(&self) -> Checksum {
        self.public_sum
    }

    /// Returns the time of the next scheduled change.
    pub fn next_due(&self) -> Option<Timestamp> {
        self.due.first().map(|(at, ..)| *at)
    }

    /// Returns the time of the last scheduled change up to a moment.
    pub fn last_due_by(&self, at: Timestamp) -> Option<Timestamp> {
        let coming = self.due.partition_point(|(due, ..)| *due <= at);
        self.due.get(coming.checked_sub(1)?).map(|(due, ..)| *due)
    }

    /// Returns the scheduled changes up to `now` that are not applied yet, soonest first. They
    /// include those of entries that are never public ([`RenderedEntry::is_reversed`]).
    pub fn due_by(
        &self,
        now: Timestamp,
    ) -> impl Iterator<Item = (ScheduledChange, &Arc<RenderedEntry>)> {
        let coming = self.due.iter().take_while(move |(at, ..)| *at <= now);
        coming.filter_map(|(_, turn, ordinal)| Some((*turn, self.entry_at(*ordinal)?)))
    }

    /// Returns the latest time of a scheduled change that had passed when its entry was inserted.
    /// Such a change has no event of its own.
    pub fn passed(&self) -> Option<Timestamp> {
        self.passed
    }

    /// Iterates over the slugs that several entries claim, with the claimants, the owner first.
    pub fn contested_slugs(&self) -> impl Iterator<Item = (&str, Vec<&Arc<RenderedEntry>>)> {
        self.claims.iter().map(|(slug, ordinals)| {
            (&**slug, ordinals.iter().filter_map(|it| self.entry_at(*it)).collect())
        })
    }

    /// Stores `doc` under the ordinal it had, a free one, or a new one at the end.
    fn place_entry(&mut self, before: Option<Ordinal>, doc: &Arc<RenderedEntry>) -> Ordinal {
        if let Some(ordinal) = before.or_else(|| self.free.pop()) {
            self.docs.set(ordinal as usize, Some(doc.clone()));
            return ordinal;
        }
        self.docs.push(Some(doc.clone()));
        // Four billion entries would not fit in memory.
        u32::try_from(self.docs.len() - 1).unwrap_or(u32::MAX)
    }

    fn free_slot(&mut self, ordinal: Ordinal) {
        self.docs.set(ordinal as usize, None);
        self.free.push(ordinal);
    }

    /// Adds a stored entry to all look-ups.
    fn insert_entry(&mut self, ordinal: Ordinal, doc: &RenderedEntry, now: Timestamp) {
        self.by_id.insert(doc.id(), ordinal);
        self.add_entry(ordinal, doc, now);
        self.claim_slug(ordinal, doc);
    }

    /// Adds a stored entry to everything but the look-ups by id and slug.
    fn add_entry(&mut self, ordinal: Ordinal, doc: &RenderedEntry, now: Timestamp) {
        self.live.insert(ordinal);
        self.live_sum = self.live_sum.plus(doc.sum);
        self.bytes = self.bytes.saturating_add(doc.memory_bytes());
        if doc.is_public(now) {
            self.add_public(ordinal, doc);
        }
        for slug in doc.former_slugs() {
            let place = self.find_seniority(self.list_former_owners(slug), ordinal);
            match self.former.get_mut(slug) {
                Some(owners) => owners.insert(place, ordinal),
                None => _ = self.former.insert(slug.into(), vec![ordinal]),
            }
        }
        for (at, turn) in doc.scheduled_turns() {
            if at > now {
                self.due.push((at, turn, ordinal));
            } else {
                self.passed = self.passed.max(Some(at));
            }
        }
    }

    /// Removes an entry from all look-ups.
    fn remove_entry(&mut self, ordinal: Ordinal) {
        let Some(doc) = self.entry_at(ordinal).cloned() else { return };
        self.by_id.remove(doc.id(), ordinal);
        self.live.remove(ordinal);
        self.live_sum = self.live_sum.minus(doc.sum);
        self.bytes = self.bytes.saturating_sub(doc.memory_bytes());
        self.remove_public(ordinal, &doc);
        self.due.retain(|(.., it)| *it != ordinal);
        self.release_slug(ordinal, &doc);
        for slug in doc.former_slugs() {
            let Some(owners) = self.former.get_mut(slug) else { continue };
            owners.retain(|it| *it != ordinal);
            if owners.is_empty() {
                self.former.remove(slug);
            }
        }
    }

    /// Shows an entry to the public.
    fn add_public(&mut self, ordinal: Ordinal, doc: &RenderedEntry) {
        if self.public.insert(ordinal) {
            self.public_count += 1;
            self.public_sum = self.public_sum.plus(doc.sum);
        }
    }

    /// Hides an entry from the public.
    fn remove_public(&mut self, ordinal: Ordinal, doc: &RenderedEntry) {
        if self.public.remove(ordinal) {
            self.public_count -= 1;
            self.public_sum = self.public_sum.minus(doc.sum);
        }
    }

    /// Gives `doc` its slug, unless an older entry owns it.
    fn claim_slug(&mut self, ordinal: Ordinal, doc: &RenderedEntry) {
        let slug = doc.slug();
        let Some(owner) = self.find_owner(self.hash_name(slug), slug).copied() else {
            return self.by_slug.insert(slug, ordinal);
        };
        if !self.claims.contains_key(slug) {
            self.claims.insert(slug.into(), vec![owner]);
        }
        let place = self.find_seniority(self.list_claimants(slug), ordinal);
        if place == 0 {
            self.by_slug.replace(slug, owner, ordinal);
        }
        if let Some(claimants) = self.claims.get_mut(slug) {
            claimants.insert(place, ordinal);
        }
    }

    fn release_slug(&mut self, ordinal: Ordinal, doc: &RenderedEntry) {
        let slug = doc.slug();
        let Some(claimants) = self.claims.get_mut(slug) else {
            return self.by_slug.remove(slug, ordinal);
        };
        let owner = claimants.first().copied();
        claimants.retain(|it| *it != ordinal);
        let (first, is_contested) = (claimants.first().copied(), claimants.len() > 1);
        if let Some((owner, first)) = owner.zip(first) {
            self.by_slug.replace(slug, owner, first);
        }
        if !is_contested {
            self.claims.remove(slug);
        }
    }

    /// Returns the place of an entry among others, the oldest first.
    fn find_seniority(&self, others: &[Ordinal], ordinal: Ordinal) -> usize {
        let key = self.seniority_key(ordinal);
        others.partition_point(|it| self.seniority_key(*it) <= key)
    }

    fn seniority_key(&self, ordinal: Ordinal) -> Option<(Timestamp, &str)> {
        self.entry_at(ordinal).map(|it| (it.created_at, it.id()))
    }
}

/// Builds the indexes of ids and slugs, of many entries at the same time.
fn index_names(
    docs: &[Arc<RenderedEntry>],
) -> ((CowIndex, Vec<Ordinal>), (CowIndex, Vec<Ordinal>)) {
    let index_slugs = || index_texts(docs, |it| it.slug, RenderedEntry::slug);
    let index_ids = || index_texts(docs, |it| it.id, RenderedEntry::id);
    if docs.len() < TOGETHER_MIN {
        return (index_ids(), index_slugs());
    }
    std::thread::scope(|scope| {
        let ids = scope.spawn(index_ids);
        let by_slug = index_slugs();
        (ids.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)), by_slug)
    })
}

/// Builds the index of a text of entries. Returns the ordinals of the entries whose text an earlier
/// one has.
fn index_texts(
    docs: &[Arc<RenderedEntry>],
    hash: fn(&NameHashes) -> KeyHash,
    text: fn(&RenderedEntry) -> &str,
) -> (CowIndex, Vec<Ordinal>) {
    let text_at = |it: Ordinal| docs.get(it as usize).map(|doc| text(doc));
    let hashes = docs.iter().map(|doc| hash(&doc.hashes)).zip(0..);
    CowIndex::build_unique(*NAME_HASHER, hashes, |one, other| text_at(one) == text_at(other))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::tests::change;
    use crate::query::tests::content_type;
    use crate::query::tests::doc;
    use crate::query::tests::now;

    #[test]
    fn a_shared_block_is_left_before_all_its_entries_have_changed() {
        let ty = content_type("posts", r#"{"fields":{"text":{}}}"#);
        let file = format!(r#"{{"title":"T","data":{{"text":"{}"}}}}"#, "x".repeat(100));
        let id = |n: usize| format!("e{n:02}");
        let mut docs: Vec<RenderedEntry> =
            (0..64).map(|n| RenderedEntry::clone(&doc(&ty, &id(n), &file))).collect();
        shared_blocks::share_memory(&mut docs.iter_mut().collect::<Vec<_>>());
        let docs: Vec<Arc<RenderedEntry>> = docs.into_iter().map(Arc::new).collect();
        let block = docs[0].shared_block();
        assert!(block.is_some());
        for generation in [0, 7, 1 << 32, 5 << 32, (9 << 32) + 100] {
            let mut table = EntryTable::build(ty.clone(), docs.clone(), generation, now());
            let mut n_changed = 0;
            while table.iter().any(|(_, it)| it.shared_block() == block) {
                table = table.with_changes(&[change(&ty, &id(n_changed), Some(&file))], now()).0;
                n_changed += 1;
            }
            assert!((17..48).contains(&n_changed), "{n_changed} of generation {generation}");
        }
    }

    #[test]
    fn the_size_of_all_entries_follows_their_changes() {
        let ty = content_type("posts", r#"{"fields":{"text":{}}}"#);
        let file =
            |bytes: usize| format!(r#"{{"title":"T","data":{{"text":"{}"}}}}"#, "x".repeat(bytes));
        let build = |sizes: &[(&str, usize)]| {
            let docs = sizes.iter().map(|(id, bytes)| doc(&ty, id, &file(*bytes))).collect();
            EntryTable::build(ty.clone(), docs, 1, now())
        };
        let changed = |table: &EntryTable, id: &str, bytes: Option<usize>| {
            let file = bytes.map(&file);
            table.with_changes(&[change(&ty, id, file.as_deref())], now()).0
        };
        let table = build(&[("a", 10), ("b", 2_000)]);
        let grown = changed(&changed(&table, "a", Some(500)), "c", Some(SMALL_BYTES_BELOW));
        assert_eq!(grown.bytes, build(&[("a", 500), ("b", 2_000), ("c", SMALL_BYTES_BELOW)]).bytes);
        assert!(table.is_small() && !grown.is_small());
        let shrunk = changed(&changed(&grown, "c", None), "a", Some(10));
        assert_eq!((shrunk.bytes, shrunk.is_small()), (table.bytes, true));
    }
}
