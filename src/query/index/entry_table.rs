//! The entries of one content type by place, id and slug: immutable, and a change makes a new
//! table that shares nearly everything with the old one.

use std::sync::Arc;

use crate::model::content_type::ContentType;
use crate::model::entry::ScheduledChange;
use crate::model::name::EntryId;
use crate::query::render::rendered_entry::RenderedEntry;
use crate::stdx::bitset::Bitset;
use crate::stdx::checksum::Checksum;
use crate::stdx::cow_list::ChunkList;
use crate::stdx::cow_map::CowMap;
use crate::stdx::time::Timestamp;

/// The place of an entry within its type. Places of removed entries are used again.
pub type Ordinal = u32;

/// One changed entry: its new state, or nothing when it is gone.
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
    /// Grows with every change of the type, its entries or their visibility.
    pub generation: u64,
    docs: ChunkList<Option<Arc<RenderedEntry>>>,
    by_id: CowMap<EntryId, Ordinal>,
    /// The owner of each slug.
    by_slug: CowMap<Arc<str>, Ordinal>,
    /// All entries of a slug that several claim, the owner first.
    claims: CowMap<Arc<str>, Vec<Ordinal>>,
    live: Bitset,
    public: Bitset,
    live_sum: Checksum,
    public_sum: Checksum,
    free: Vec<Ordinal>,
    /// The scheduled changes of entries, soonest first.
    due: Vec<(Timestamp, ScheduledChange, Ordinal)>,
    /// The latest of such moments that had passed when its entry came in.
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
        let mut index = EntryTable {
            content_type,
            generation,
            by_id: CowMap::with_capacity(docs.len()),
            by_slug: CowMap::with_capacity(docs.len()),
            docs: ChunkList::from_vec(docs.iter().cloned().map(Some).collect()),
            claims: CowMap::new(),
            live: Bitset::with_len(docs.len()),
            public: Bitset::with_len(docs.len()),
            live_sum: Checksum::default(),
            public_sum: Checksum::default(),
            free: Vec::new(),
            due: Vec::new(),
            passed: None,
        };
        for (ordinal, doc) in (0..).zip(&docs) {
            index.insert_entry(ordinal, doc, now);
        }
        index.due.sort_unstable();
        index
    }

    /// The table after `changes`, with the places of the entries that they touch. The later of two
    /// changes of one entry wins.
    pub(super) fn with_changes(
        &self,
        changes: &[EntryChange],
        now: Timestamp,
    ) -> (EntryTable, Vec<Ordinal>) {
        let mut next = self.next_generation();
        let mut touched = Vec::with_capacity(changes.len());
        for change in changes {
            let before = next.by_id.get(change.id.as_str()).copied();
            if let Some(ordinal) = before {
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
        next.due.sort_unstable();
        // A place may be touched twice: an entry changes twice, or one takes another's place.
        touched.sort_unstable();
        touched.dedup();
        (next, touched)
    }

    /// The table after every entry whose time has come by `now` is public, and none that has ended.
    /// Nothing else changes.
    #[must_use]
    pub(super) fn advance_to(&self, now: Timestamp) -> EntryTable {
        let mut next = self.next_generation();
        let coming = next.due.partition_point(|(at, ..)| *at <= now);
        for (_, _, ordinal) in next.due.drain(..coming).collect::<Vec<_>>() {
            let Some(doc) = self.entry_at(ordinal) else { continue };
            // Both of its moments may have come.
            if !doc.is_public(now) {
                next.remove_public(ordinal, doc);
            } else if next.public.insert(ordinal) {
                next.public_sum = next.public_sum.plus(doc.sum);
            }
        }
        next
    }

    /// Returns true if another table of the type has the same entries.
    pub(super) fn is_same_generation(&self, other: &EntryTable) -> bool {
        self.generation == other.generation
    }

    /// The places of the entries in which it differs from a later index.
    pub(super) fn list_differences(&self, later: &EntryTable) -> Vec<Ordinal> {
        let is_same = |ordinal: &Ordinal| match (self.entry_at(*ordinal), later.entry_at(*ordinal))
        {
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            (one, other) => one.is_none() && other.is_none(),
        };
        let places = u32::try_from(self.slot_count().max(later.slot_count())).unwrap_or(u32::MAX);
        (0..places).filter(|it| !is_same(it)).collect()
    }

    /// The same entries under the next generation.
    fn next_generation(&self) -> EntryTable {
        EntryTable { generation: self.generation + 1, ..self.clone() }
    }

    /// The entry at a place.
    pub fn entry_at(&self, ordinal: Ordinal) -> Option<&Arc<RenderedEntry>> {
        self.docs.get(ordinal as usize)?.as_ref()
    }

    /// The place of an entry by id.
    pub fn find_ordinal(&self, id: &str) -> Option<Ordinal> {
        self.by_id.get(id).copied()
    }

    /// The places of all entries that claim a slug, its owner first.
    pub fn list_claimants(&self, slug: &str) -> &[Ordinal] {
        // Hardly any folder has entries that share a slug, so this look-up is seldom needed.
        let several = (!self.claims.is_empty()).then(|| self.claims.get(slug)).flatten();
        match several {
            Some(several) => several,
            None => self.by_slug.get(slug).map(std::slice::from_ref).unwrap_or_default(),
        }
    }

    /// The place of an entry by id, else by slug.
    pub fn find_entry(&self, id_or_slug: &str) -> Option<Ordinal> {
        self.find_ordinal(id_or_slug).or_else(|| self.by_slug.get(id_or_slug).copied())
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.by_id.len()
    }

    /// Returns true if there is no entry.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// One more than the greatest place in use.
    pub fn slot_count(&self) -> usize {
        self.docs.len()
    }

    /// All entries with their places.
    pub fn iter(&self) -> impl Iterator<Item = (Ordinal, &Arc<RenderedEntry>)> {
        (0..).zip(self.docs.iter()).filter_map(|(ordinal, doc)| Some((ordinal, doc.as_ref()?)))
    }

    /// The places of all entries.
    pub fn live(&self) -> &Bitset {
        &self.live
    }

    /// The places of the entries that everybody may read.
    pub fn public(&self) -> &Bitset {
        &self.public
    }

    /// The sum of the sums of all entries, whatever their order.
    pub fn live_sum(&self) -> Checksum {
        self.live_sum
    }

    /// The sum of the sums of the public entries, whatever their order.
    pub fn public_sum(&self) -> Checksum {
        self.public_sum
    }

    /// Returns the time at which the next entry goes public, or ceases to be, by itself.
    pub fn next_due(&self) -> Option<Timestamp> {
        self.due.first().map(|(at, ..)| *at)
    }

    /// Returns the scheduled changes up to `now` that do not show yet, soonest first, also those of
    /// entries that nobody sees ([`RenderedEntry::is_reversed`]).
    pub fn due_by(
        &self,
        now: Timestamp,
    ) -> impl Iterator<Item = (ScheduledChange, &Arc<RenderedEntry>)> {
        let coming = self.due.iter().take_while(move |(at, ..)| *at <= now);
        coming.filter_map(|(_, turn, ordinal)| Some((*turn, self.entry_at(*ordinal)?)))
    }

    /// The latest moment at which something would have happened by itself, had its entry not come
    /// in when that had passed: it was told with the entry.
    pub fn passed(&self) -> Option<Timestamp> {
        self.passed
    }

    /// Slugs that several entries claim, with the claimants, the owner first.
    pub fn contested_slugs(&self) -> impl Iterator<Item = (&str, Vec<&Arc<RenderedEntry>>)> {
        self.claims.iter().map(|(slug, ordinals)| {
            (&**slug, ordinals.iter().filter_map(|it| self.entry_at(*it)).collect())
        })
    }

    /// Bytes of the entries in memory, without the structures around them.
    pub fn memory_bytes(&self) -> usize {
        self.iter().map(|(_, doc)| doc.memory_bytes()).sum()
    }

    /// Finds a place for `doc`: the one it had, a free one, or a new one at the end.
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

    /// Enters an entry that stands at its place into every look-up.
    fn insert_entry(&mut self, ordinal: Ordinal, doc: &Arc<RenderedEntry>, now: Timestamp) {
        self.by_id.insert(doc.id.clone(), ordinal);
        self.live.insert(ordinal);
        self.live_sum = self.live_sum.plus(doc.sum);
        if doc.is_public(now) {
            self.public.insert(ordinal);
            self.public_sum = self.public_sum.plus(doc.sum);
        }
        for (at, turn) in doc.scheduled_turns() {
            if at > now {
                self.due.push((at, turn, ordinal));
            } else {
                self.passed = self.passed.max(Some(at));
            }
        }
        self.claim_slug(ordinal, doc);
    }

    /// Takes the entry at a place out of every look-up.
    fn remove_entry(&mut self, ordinal: Ordinal) {
        let Some(doc) = self.entry_at(ordinal).cloned() else { return };
        self.by_id.remove(doc.id.as_str());
        self.live.remove(ordinal);
        self.live_sum = self.live_sum.minus(doc.sum);
        self.remove_public(ordinal, &doc);
        self.due.retain(|(.., it)| *it != ordinal);
        self.release_slug(ordinal, &doc);
    }

    /// Hides an entry from the public.
    fn remove_public(&mut self, ordinal: Ordinal, doc: &RenderedEntry) {
        if self.public.remove(ordinal) {
            self.public_sum = self.public_sum.minus(doc.sum);
        }
    }

    /// Gives `doc` its slug, unless an older entry owns it.
    fn claim_slug(&mut self, ordinal: Ordinal, doc: &RenderedEntry) {
        let Some(owner) = self.by_slug.get(&*doc.slug).copied() else {
            self.by_slug.insert(doc.slug.clone(), ordinal);
            return;
        };
        let mut claimants = self.claims.get(&*doc.slug).cloned().unwrap_or_else(|| vec![owner]);
        claimants.push(ordinal);
        claimants.sort_by_key(|it| self.seniority_key(*it));
        if let Some(first) = claimants.first() {
            self.by_slug.insert(doc.slug.clone(), *first);
        }
        self.claims.insert(doc.slug.clone(), claimants);
    }

    fn release_slug(&mut self, ordinal: Ordinal, doc: &RenderedEntry) {
        let mut claimants = self.claims.remove(&*doc.slug).unwrap_or_else(|| vec![ordinal]);
        claimants.retain(|it| *it != ordinal);
        match claimants.first() {
            None => _ = self.by_slug.remove(&*doc.slug),
            Some(first) => _ = self.by_slug.insert(doc.slug.clone(), *first),
        }
        if claimants.len() > 1 {
            self.claims.insert(doc.slug.clone(), claimants);
        }
    }

    fn seniority_key(&self, ordinal: Ordinal) -> Option<(Timestamp, EntryId)> {
        self.entry_at(ordinal).map(|it| (it.created_at, it.id.clone()))
    }
}
