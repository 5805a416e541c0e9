//! The entries of one content type as an immutable index: a change makes a new index that shares
//! nearly everything with the old one.

use std::sync::Arc;

use crate::model::content_type::ContentType;
use crate::model::name::EntryId;
use crate::query::doc::Doc;
use crate::query::memo::Memo;
use crate::stdx::bitset::Bitset;
use crate::stdx::list::ChunkList;
use crate::stdx::map::CowMap;
use crate::stdx::sum::Sum;
use crate::stdx::time::Timestamp;

/// The place of an entry within its type. Places of removed entries are used again.
pub type Ordinal = u32;

/// One changed entry: its new state, or nothing when it is gone.
#[derive(Debug)]
pub struct Change {
    /// Which entry.
    pub id: EntryId,
    /// What it is now.
    pub doc: Option<Arc<Doc>>,
}

/// The index of one content type.
#[derive(Debug)]
pub struct TypeIndex {
    /// The type itself.
    pub content_type: Arc<ContentType>,
    /// Grows with every change of the type, its entries or their visibility.
    pub generation: u64,
    docs: ChunkList<Option<Arc<Doc>>>,
    by_id: CowMap<EntryId, Ordinal>,
    /// The owner of each slug.
    by_slug: CowMap<Arc<str>, Ordinal>,
    /// All entries of a slug that several claim, the owner first.
    claims: CowMap<Arc<str>, Vec<Ordinal>>,
    live: Bitset,
    public: Bitset,
    live_sum: Sum,
    public_sum: Sum,
    free: Vec<Ordinal>,
    /// Entries that go public by themselves, soonest first.
    due: Vec<(Timestamp, Ordinal)>,
    /// Derived structures, made when first asked for and carried along.
    pub(crate) memo: Memo,
}

impl TypeIndex {
    /// Builds the index of a type from all its entries.
    pub fn build(
        content_type: Arc<ContentType>,
        docs: Vec<Arc<Doc>>,
        generation: u64,
        now: Timestamp,
    ) -> TypeIndex {
        let mut index = TypeIndex {
            content_type,
            generation,
            by_id: CowMap::with_capacity(docs.len()),
            by_slug: CowMap::with_capacity(docs.len()),
            docs: ChunkList::from_vec(docs.iter().cloned().map(Some).collect()),
            claims: CowMap::new(),
            live: Bitset::with_len(docs.len()),
            public: Bitset::with_len(docs.len()),
            live_sum: Sum::default(),
            public_sum: Sum::default(),
            free: Vec::new(),
            due: Vec::new(),
            memo: Memo::default(),
        };
        for (ordinal, doc) in (0..).zip(&docs) {
            index.admit(ordinal, doc, now);
        }
        index.due.sort_unstable();
        index
    }

    /// The index after `changes`. The later of two changes of one entry wins.
    #[must_use]
    pub fn with(&self, changes: &[Change], now: Timestamp) -> TypeIndex {
        let mut next = self.successor();
        let mut touched = Vec::with_capacity(changes.len());
        for change in changes {
            let before = next.by_id.get(change.id.as_str()).copied();
            if let Some(ordinal) = before {
                next.dismiss(ordinal);
            }
            if let Some(doc) = &change.doc {
                let ordinal = next.place(before, doc);
                next.admit(ordinal, doc, now);
                touched.push(ordinal);
            } else if let Some(ordinal) = before {
                next.vacate(ordinal);
                touched.push(ordinal);
            }
        }
        next.due.sort_unstable();
        // A place may be touched twice: an entry changes twice, or one takes another's place.
        touched.sort_unstable();
        touched.dedup();
        next.memo = self.memo.carried(self, &next, &touched);
        next
    }

    /// The index after every entry whose time has come by `now` is public. Nothing else changes.
    #[must_use]
    pub fn live_at(&self, now: Timestamp) -> TypeIndex {
        let mut next = self.successor();
        let coming = next.due.partition_point(|(at, _)| *at <= now);
        for (_, ordinal) in next.due.drain(..coming).collect::<Vec<_>>() {
            if let Some(doc) = self.doc(ordinal) {
                next.public.insert(ordinal);
                next.public_sum = next.public_sum.plus(doc.sum);
            }
        }
        next.memo = self.memo.carried(self, &next, &[]);
        next
    }

    /// Whether it has the entries of another index of the type.
    pub(super) fn is_of(&self, other: &TypeIndex) -> bool {
        self.generation == other.generation
    }

    /// The places of the entries in which it differs from a later index.
    pub(super) fn differing(&self, later: &TypeIndex) -> Vec<Ordinal> {
        let is_same = |ordinal: &Ordinal| match (self.doc(*ordinal), later.doc(*ordinal)) {
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            (one, other) => one.is_none() && other.is_none(),
        };
        let places = u32::try_from(self.places().max(later.places())).unwrap_or(u32::MAX);
        (0..places).filter(|it| !is_same(it)).collect()
    }

    /// The same entries under a changed generation and an empty memo.
    fn successor(&self) -> TypeIndex {
        TypeIndex { generation: self.generation + 1, ..self.detached() }
    }

    /// The same entries with nothing derived from them.
    pub(super) fn detached(&self) -> TypeIndex {
        TypeIndex {
            content_type: self.content_type.clone(),
            generation: self.generation,
            docs: self.docs.clone(),
            by_id: self.by_id.clone(),
            by_slug: self.by_slug.clone(),
            claims: self.claims.clone(),
            live: self.live.clone(),
            public: self.public.clone(),
            live_sum: self.live_sum,
            public_sum: self.public_sum,
            free: self.free.clone(),
            due: self.due.clone(),
            memo: Memo::default(),
        }
    }

    /// The entry at a place.
    pub fn doc(&self, ordinal: Ordinal) -> Option<&Arc<Doc>> {
        self.docs.get(ordinal as usize)?.as_ref()
    }

    /// The place of an entry by id.
    pub fn ordinal(&self, id: &str) -> Option<Ordinal> {
        self.by_id.get(id).copied()
    }

    /// The places of all entries that claim a slug, its owner first.
    pub fn claimants(&self, slug: &str) -> &[Ordinal] {
        match self.claims.get(slug) {
            Some(several) => several,
            None => self.by_slug.get(slug).map(std::slice::from_ref).unwrap_or_default(),
        }
    }

    /// The place of an entry by id, else by slug.
    pub fn find(&self, id_or_slug: &str) -> Option<Ordinal> {
        self.ordinal(id_or_slug).or_else(|| self.by_slug.get(id_or_slug).copied())
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.by_id.len()
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// One more than the greatest place in use.
    pub fn places(&self) -> usize {
        self.docs.len()
    }

    /// All entries with their places.
    pub fn iter(&self) -> impl Iterator<Item = (Ordinal, &Arc<Doc>)> {
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
    pub fn live_sum(&self) -> Sum {
        self.live_sum
    }

    /// The sum of the sums of the public entries, whatever their order.
    pub fn public_sum(&self) -> Sum {
        self.public_sum
    }

    /// When the next entry goes public by itself.
    pub fn next_due(&self) -> Option<Timestamp> {
        self.due.first().map(|(at, _)| *at)
    }

    /// The entries whose time has come by `now` and that are not public yet.
    pub fn due_by(&self, now: Timestamp) -> impl Iterator<Item = &Arc<Doc>> {
        let coming = self.due.iter().take_while(move |(at, _)| *at <= now);
        coming.filter_map(|(_, ordinal)| self.doc(*ordinal))
    }

    /// Slugs that several entries claim, with the claimants, the owner first.
    pub fn contested_slugs(&self) -> impl Iterator<Item = (&str, Vec<&Arc<Doc>>)> {
        self.claims.iter().map(|(slug, ordinals)| {
            (&**slug, ordinals.iter().filter_map(|it| self.doc(*it)).collect())
        })
    }

    /// Bytes of the entries in memory, without the structures around them.
    pub fn memory_bytes(&self) -> usize {
        self.iter().map(|(_, doc)| doc.memory_bytes()).sum()
    }

    /// Finds a place for `doc`: the one it had, a free one, or a new one at the end.
    fn place(&mut self, before: Option<Ordinal>, doc: &Arc<Doc>) -> Ordinal {
        if let Some(ordinal) = before.or_else(|| self.free.pop()) {
            self.docs.set(ordinal as usize, Some(doc.clone()));
            return ordinal;
        }
        self.docs.push(Some(doc.clone()));
        // Four billion entries would not fit in memory.
        u32::try_from(self.docs.len() - 1).unwrap_or(u32::MAX)
    }

    fn vacate(&mut self, ordinal: Ordinal) {
        self.docs.set(ordinal as usize, None);
        self.free.push(ordinal);
    }

    /// Enters an entry that stands at its place into every look-up.
    fn admit(&mut self, ordinal: Ordinal, doc: &Arc<Doc>, now: Timestamp) {
        self.by_id.insert(doc.id.clone(), ordinal);
        self.live.insert(ordinal);
        self.live_sum = self.live_sum.plus(doc.sum);
        if doc.is_public(now) {
            self.public.insert(ordinal);
            self.public_sum = self.public_sum.plus(doc.sum);
        }
        self.due.extend(doc.due(now).map(|at| (at, ordinal)));
        self.claim(ordinal, doc);
    }

    /// Takes the entry at a place out of every look-up.
    fn dismiss(&mut self, ordinal: Ordinal) {
        let Some(doc) = self.doc(ordinal).cloned() else { return };
        self.by_id.remove(doc.id.as_str());
        self.live.remove(ordinal);
        self.live_sum = self.live_sum.minus(doc.sum);
        if self.public.remove(ordinal) {
            self.public_sum = self.public_sum.minus(doc.sum);
        }
        self.due.retain(|(_, it)| *it != ordinal);
        self.unclaim(ordinal, &doc);
    }

    /// Gives `doc` its slug, unless an older entry owns it.
    fn claim(&mut self, ordinal: Ordinal, doc: &Doc) {
        let Some(owner) = self.by_slug.get(&*doc.slug).copied() else {
            self.by_slug.insert(doc.slug.clone(), ordinal);
            return;
        };
        let mut claimants = self.claims.get(&*doc.slug).cloned().unwrap_or_else(|| vec![owner]);
        claimants.push(ordinal);
        claimants.sort_by_key(|it| self.seniority(*it));
        if let Some(first) = claimants.first() {
            self.by_slug.insert(doc.slug.clone(), *first);
        }
        self.claims.insert(doc.slug.clone(), claimants);
    }

    fn unclaim(&mut self, ordinal: Ordinal, doc: &Doc) {
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

    fn seniority(&self, ordinal: Ordinal) -> Option<(Timestamp, EntryId)> {
        self.doc(ordinal).map(|it| (it.created_at, it.id.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::tests::at;
    use crate::query::tests::change;
    use crate::query::tests::content_type;
    use crate::query::tests::index;
    use crate::query::tests::now;

    fn public(index: &TypeIndex) -> Vec<&str> {
        let mut ids: Vec<&str> =
            index.public().iter().map(|it| index.doc(it).unwrap().id.as_str()).collect();
        ids.sort_unstable();
        ids
    }

    #[test]
    fn what_is_public_and_what_will_be() {
        let ty = content_type("posts", "{}");
        // The tests' time is noon of the first of June.
        let check = |status: &str, date: &str, is_public: bool, due: Option<&str>| {
            let file = format!(r#"{{"title":"T","status":"{status}","published_at":{date}}}"#);
            let index = index(&ty, &[("e", &file)]);
            assert_eq!(index.public().contains(0), is_public, "{file}");
            assert_eq!(index.next_due(), due.map(at), "{file}");
        };
        let (past, noon, soon) =
            ("\"2026-05-01\"", "\"2026-06-01T12:00:00Z\"", "\"2026-06-01T12:00:01Z\"");
        check("published", "null", true, None);
        check("published", past, true, None);
        check("published", noon, true, None);
        check("published", soon, false, Some("2026-06-01T12:00:01Z"));
        check("scheduled", "null", false, None);
        check("scheduled", past, true, None);
        check("scheduled", noon, true, None);
        check("scheduled", soon, false, Some("2026-06-01T12:00:01Z"));
        for status in ["draft", "protected", "archived", "bogus"] {
            check(status, past, false, None);
            check(status, soon, false, None);
        }
    }

    #[test]
    fn entries_go_live_in_their_turn() {
        let ty = content_type("posts", "{}");
        let file =
            |date: &str| format!(r#"{{"title":"T","status":"scheduled","published_at":"{date}"}}"#);
        let (a, b, c) = (file("2026-06-02"), file("2026-06-03"), file("2026-06-02"));
        let index = index(&ty, &[("a", &a), ("b", &b), ("c", &c)]);
        assert_eq!((public(&index).len(), index.next_due()), (0, Some(at("2026-06-02"))));
        let early = index.live_at(at("2026-06-01"));
        assert!(public(&early).is_empty());
        assert_eq!(index.due_by(at("2026-06-02")).count(), 2);
        let live = index.live_at(at("2026-06-02"));
        assert_eq!(public(&live), ["a", "c"]);
        assert_eq!(live.next_due(), Some(at("2026-06-03")));
        assert_ne!(live.public_sum(), index.public_sum());
        assert!(live.generation > index.generation);
        let all = live.live_at(at("2026-07-01"));
        assert_eq!((public(&all), all.next_due()), (vec!["a", "b", "c"], None));
        assert_eq!(all.public_sum(), all.live_sum());
        // What leaves before its time does not come back.
        let left = index.with(&[change(&ty, "a", None)], now()).live_at(at("2026-07-01"));
        assert_eq!(public(&left), ["b", "c"]);
    }

    #[test]
    fn the_oldest_owns_a_slug() {
        let ty = content_type("posts", "{}");
        let file =
            |day: &str| format!(r#"{{"title":"T","slug":"s","created_at":"2026-05-{day}"}}"#);
        let (young, old) = (file("03"), file("01"));
        let first = index(&ty, &[("a", &young), ("b", &old), ("c", &old)]);
        let owner =
            |index: &TypeIndex| index.find("s").map(|it| index.doc(it).unwrap().id.to_string());
        let claimants = |index: &TypeIndex| -> Vec<String> {
            let ordinals = index.claimants("s").iter();
            ordinals.map(|it| index.doc(*it).unwrap().id.to_string()).collect()
        };
        assert_eq!(owner(&first).as_deref(), Some("b"));
        assert_eq!(claimants(&first), ["b", "c", "a"]);
        let contested: Vec<_> = first.contested_slugs().map(|(it, all)| (it, all.len())).collect();
        assert_eq!(contested, [("s", 3)]);
        let moved = first.with(&[change(&ty, "b", Some(&file("02")))], now());
        assert_eq!(claimants(&moved), ["c", "b", "a"]);
        let two = moved.with(&[change(&ty, "c", None)], now());
        assert_eq!(claimants(&two), ["b", "a"]);
        let renamed = r#"{"title":"T","slug":"other"}"#;
        let one = two.with(&[change(&ty, "b", Some(renamed))], now());
        assert_eq!((claimants(&one), one.contested_slugs().count()), (vec!["a".to_string()], 0));
        let none = one.with(&[change(&ty, "a", None)], now());
        assert_eq!((owner(&none), claimants(&none).len()), (None, 0));
        // The first one is as it was.
        assert_eq!(owner(&first).as_deref(), Some("b"));
    }

    #[test]
    fn an_id_comes_before_a_slug() {
        let ty = content_type("posts", "{}");
        let index = index(
            &ty,
            &[("a", r#"{"title":"T","slug":"b"}"#), ("b", r#"{"title":"T","slug":"x"}"#)],
        );
        assert_eq!(index.find("b"), index.ordinal("b"));
        assert_eq!(index.find("x"), index.ordinal("b"));
        assert_eq!(index.find("a"), index.ordinal("a"));
        assert_eq!(index.find("none"), None);
    }

    #[test]
    fn places_are_used_again() {
        let ty = content_type("posts", "{}");
        let file = r#"{"title":"T"}"#;
        let index = index(&ty, &[("a", file), ("b", file)]);
        let next = index.with(&[change(&ty, "a", None), change(&ty, "c", Some(file))], now());
        assert_eq!((next.len(), next.places(), next.ordinal("c")), (2, 2, Some(0)));
        let docs = next.iter().map(|(_, it)| it.clone()).collect();
        assert_eq!(next.live_sum(), TypeIndex::build(ty, docs, 1, now()).live_sum());
        let same = next.with(&[], now());
        assert_eq!((same.len(), same.live_sum()), (2, next.live_sum()));
    }
}
