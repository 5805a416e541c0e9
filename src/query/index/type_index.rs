//! The index of one content type: its entries, and the structures derived from them for queries.

use std::ops::Deref;
use std::sync::Arc;

use crate::model::content_type::ContentType;
use crate::model::field::Field;
use crate::query::index::derived::DerivedCache;
pub use crate::query::index::entry_table::EntryChange;
use crate::query::index::entry_table::EntryTable;
pub use crate::query::index::entry_table::Ordinal;
use crate::query::index::unique_index::UniqueIndex;
use crate::query::index::unique_index::UniqueScope;
use crate::query::index::unique_index::fold_stored;
use crate::query::render::rendered_entry::RenderedEntry;
use crate::stdx::fold::casefold;
use crate::stdx::json::Json;
use crate::stdx::time::Timestamp;

/// The index of one content type. It dereferences to its [`EntryTable`].
#[derive(Debug)]
pub struct TypeIndex {
    entries: Arc<EntryTable>,
    /// The derived structures, built on demand and carried over to the next index.
    pub(crate) derived: DerivedCache,
}

impl Deref for TypeIndex {
    type Target = EntryTable;

    fn deref(&self) -> &EntryTable {
        &self.entries
    }
}

impl TypeIndex {
    /// Builds the index of a type from all its entries.
    pub fn build(
        content_type: Arc<ContentType>,
        docs: Vec<Arc<RenderedEntry>>,
        generation: u64,
        now: Timestamp,
    ) -> TypeIndex {
        let entries = Arc::new(EntryTable::build(content_type, docs, generation, now));
        TypeIndex { entries, derived: DerivedCache::default() }
    }

    /// Builds the text index of the default locale, unless it is there.
    pub(crate) fn build_text(&self) {
        self.derived.get_or_build_text(&self.entries, None);
    }

    /// Returns true if the text index of the default locale is there.
    #[cfg(test)]
    pub(crate) fn has_text(&self) -> bool {
        self.derived.get_text(None).is_some()
    }

    /// Returns the entries without the derived structures.
    pub(crate) fn entries(&self) -> &Arc<EntryTable> {
        &self.entries
    }

    /// Returns the index after `changes`. If an entry is changed twice, the later change wins.
    #[must_use]
    pub fn with_changes(&self, changes: &[EntryChange], now: Timestamp) -> TypeIndex {
        let (entries, touched) = self.entries.with_changes(changes, now);
        self.carry_to(entries, &touched)
    }

    /// Returns the index at the time `now`: scheduled entries whose time has come are public, and
    /// those whose time has ended are not. Nothing else changes.
    #[must_use]
    pub fn advance_to(&self, now: Timestamp) -> TypeIndex {
        self.carry_to(self.entries.advance_to(now), &[])
    }

    /// Returns the index of later entries, in which those at `touched` differ.
    fn carry_to(&self, entries: EntryTable, touched: &[Ordinal]) -> TypeIndex {
        let derived = self.derived.with_changes(&self.entries, &entries, touched);
        TypeIndex { entries: Arc::new(entries), derived }
    }

    /// Returns true if an entry other than the one at `but` has this slug, or has it as its id,
    /// ignoring case.
    pub fn has_name(&self, slug: &str, but: Option<Ordinal>) -> bool {
        self.get_or_build_unique(UniqueScope::Names).is_taken(self, &casefold(slug), but)
    }

    /// Returns true if an entry other than the one at `but` has this stored value in a field, in
    /// any locale, ignoring case. `media_base` is that of the renderings.
    pub fn has_value(
        &self,
        field: &Field,
        stored: &Json,
        but: Option<Ordinal>,
        media_base: &str,
    ) -> bool {
        let ty = &self.content_type;
        let text = fold_stored(ty, field, stored, media_base);
        let Some((among, text)) = UniqueScope::for_field(ty, field).zip(text) else { return false };
        self.get_or_build_unique(among).is_taken(self, &text, but)
    }

    /// Returns an index by value. The first caller builds it.
    fn get_or_build_unique(&self, among: UniqueScope) -> Arc<UniqueIndex> {
        self.derived.get_unique(among).unwrap_or_else(|| {
            let built = Arc::new(UniqueIndex::build(self, among));
            self.derived.keep_unique(among, &built);
            built
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::entry::ScheduledChange;
    use crate::query::tests::at;
    use crate::query::tests::change;
    use crate::query::tests::content_type;
    use crate::query::tests::doc;
    use crate::query::tests::index;
    use crate::query::tests::now;

    fn public(index: &TypeIndex) -> Vec<&str> {
        assert_eq!(index.public_count(), index.public().count());
        let mut ids: Vec<&str> =
            index.public().iter().map(|it| index.entry_at(it).unwrap().id()).collect();
        ids.sort_unstable();
        ids
    }

    #[test]
    fn what_is_public_and_what_will_be() {
        let ty = content_type("posts", "{}");
        // The time of the tests is noon on the first of June.
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
        let early = index.advance_to(at("2026-06-01"));
        assert!(public(&early).is_empty());
        assert_eq!(index.due_by(at("2026-06-02")).count(), 2);
        let live = index.advance_to(at("2026-06-02"));
        assert_eq!(public(&live), ["a", "c"]);
        assert_eq!(live.next_due(), Some(at("2026-06-03")));
        assert_ne!(live.public_sum(), index.public_sum());
        assert!(live.generation > index.generation);
        let all = live.advance_to(at("2026-07-01"));
        assert_eq!((public(&all), all.next_due()), (vec!["a", "b", "c"], None));
        assert_eq!(all.public_sum(), all.live_sum());
        // An entry that is removed before its time does not come back.
        let left =
            index.with_changes(&[change(&ty, "a", None)], now()).advance_to(at("2026-07-01"));
        assert_eq!(public(&left), ["b", "c"]);
    }

    #[test]
    fn entries_end_in_their_turn() {
        let ty = content_type("posts", "{}");
        let file = |status: &str, from: &str, to: &str| {
            let dates = format!(r#""published_at":"2026-{from}","unpublish_at":"2026-{to}""#);
            format!(r#"{{"title":"T","status":"{status}",{dates}}}"#)
        };
        let out = file("published", "05-01", "06-03");
        let (coming, gone) =
            (file("scheduled", "06-02", "06-04"), file("scheduled", "05-01", "05-02"));
        let (never, draft) = (file("scheduled", "06-04", "06-02"), file("draft", "05-01", "06-03"));
        let files = [
            ("out", &out),
            ("coming", &coming),
            ("gone", &gone),
            ("never", &never),
            ("draft", &draft),
        ];
        let files = files.map(|(id, file)| (id, file.as_str()));
        let index = index(&ty, &files);
        assert_eq!((public(&index), index.passed()), (vec!["out"], Some(at("2026-05-02"))));
        let check = |day: &str, expect: &[&str], next: Option<&str>| {
            let live = index.advance_to(at(day));
            assert_eq!(
                (public(&live).as_slice(), live.next_due()),
                (expect, next.map(at)),
                "{day}"
            );
            let docs = live.iter().map(|(_, doc)| doc.clone()).collect();
            let anew = TypeIndex::build(ty.clone(), docs, 1, at(day));
            assert_eq!(live.public_sum(), anew.public_sum(), "{day}");
        };
        check("2026-06-01", &["out"], Some("2026-06-02"));
        check("2026-06-02", &["coming", "out"], Some("2026-06-03"));
        check("2026-06-03", &["coming"], Some("2026-06-04"));
        check("2026-06-04", &[], None);
        let turns = index.due_by(at("2026-06-04")).map(|(it, doc)| (it, doc.id()));
        let (begin, end) = (|id| (ScheduledChange::Begins, id), |id| (ScheduledChange::Ends, id));
        let expect = [begin("coming"), end("out"), begin("never"), end("coming")];
        assert_eq!(turns.collect::<Vec<_>>(), expect);
    }

    #[test]
    fn the_oldest_owns_a_slug() {
        let ty = content_type("posts", "{}");
        let file =
            |day: &str| format!(r#"{{"title":"T","slug":"s","created_at":"2026-05-{day}"}}"#);
        let (young, old) = (file("03"), file("01"));
        let first = index(&ty, &[("a", &young), ("b", &old), ("c", &old)]);
        let owner = |index: &TypeIndex| {
            index.find_entry("s").map(|it| index.entry_at(it).unwrap().id().to_string())
        };
        let claimants = |index: &TypeIndex| -> Vec<String> {
            let ordinals = index.list_claimants("s").iter();
            ordinals.map(|it| index.entry_at(*it).unwrap().id().to_string()).collect()
        };
        assert_eq!(owner(&first).as_deref(), Some("b"));
        assert_eq!(claimants(&first), ["b", "c", "a"]);
        let contested: Vec<_> = first.contested_slugs().map(|(it, all)| (it, all.len())).collect();
        assert_eq!(contested, [("s", 3)]);
        let moved = first.with_changes(&[change(&ty, "b", Some(&file("02")))], now());
        assert_eq!(claimants(&moved), ["c", "b", "a"]);
        let two = moved.with_changes(&[change(&ty, "c", None)], now());
        assert_eq!(claimants(&two), ["b", "a"]);
        let renamed = r#"{"title":"T","slug":"other"}"#;
        let one = two.with_changes(&[change(&ty, "b", Some(renamed))], now());
        assert_eq!((claimants(&one), one.contested_slugs().count()), (vec!["a".to_string()], 0));
        let none = one.with_changes(&[change(&ty, "a", None)], now());
        assert_eq!((owner(&none), claimants(&none).len()), (None, 0));
        // The first index is unchanged.
        assert_eq!(owner(&first).as_deref(), Some("b"));
    }

    #[test]
    fn many_claimants_of_a_slug_stay_in_order() {
        let ty = content_type("posts", "{}");
        let id = |n: usize| format!("e{n:04}");
        let file = |(slug, day): (usize, usize)| {
            format!(r#"{{"title":"T","slug":"s{slug}","created_at":"2026-05-{day:02}"}}"#)
        };
        let mut entries: Vec<Option<(usize, usize)>> =
            (0..3_000).map(|n| Some((n % 7 / 4, 1 + n * 31 % 28))).collect();
        let docs = entries.iter().enumerate();
        let docs = docs.filter_map(|(n, it)| Some(doc(&ty, &id(n), &file((*it)?))));
        let mut index = TypeIndex::build(ty.clone(), docs.collect(), 1, now());
        for round in 0..8 {
            for slug in 0..2 {
                let all = entries.iter().enumerate();
                let claiming = all.filter_map(|(n, it)| Some((n, it.filter(|it| it.0 == slug)?)));
                let mut expected: Vec<(usize, String)> =
                    claiming.map(|(n, (_, day))| (day, id(n))).collect();
                expected.sort();
                let expected: Vec<String> = expected.into_iter().map(|(_, id)| id).collect();
                let name = format!("s{slug}");
                let id_at = |it: Ordinal| index.entry_at(it).unwrap().id().to_string();
                let found: Vec<String> =
                    index.list_claimants(&name).iter().map(|it| id_at(*it)).collect();
                assert!(found == expected, "{name} in round {round}");
                assert_eq!(index.find_entry(&name).map(id_at).as_ref(), expected.first());
            }
            let changes: Vec<EntryChange> = (0..200)
                .map(|at| {
                    let n = (round * 401 + at * 97) % entries.len();
                    entries[n] = (at % 3 != 0).then(|| ((at + round) % 2, 1 + at * 13 % 28));
                    change(&ty, &id(n), entries[n].map(file).as_deref())
                })
                .collect();
            index = index.with_changes(&changes, now());
        }
    }

    #[test]
    fn an_id_comes_before_a_slug() {
        let ty = content_type("posts", "{}");
        let index = index(
            &ty,
            &[("a", r#"{"title":"T","slug":"b"}"#), ("b", r#"{"title":"T","slug":"x"}"#)],
        );
        assert_eq!(index.find_entry("b"), index.find_ordinal("b"));
        assert_eq!(index.find_entry("x"), index.find_ordinal("b"));
        assert_eq!(index.find_entry("a"), index.find_ordinal("a"));
        assert_eq!(index.find_entry("none"), None);
    }

    #[test]
    fn places_are_used_again() {
        let ty = content_type("posts", "{}");
        let file = r#"{"title":"T"}"#;
        let index = index(&ty, &[("a", file), ("b", file)]);
        let next =
            index.with_changes(&[change(&ty, "a", None), change(&ty, "c", Some(file))], now());
        assert_eq!((next.len(), next.slot_count(), next.find_ordinal("c")), (2, 2, Some(0)));
        let docs = next.iter().map(|(_, it)| it.clone()).collect();
        assert_eq!(next.live_sum(), TypeIndex::build(ty, docs, 1, now()).live_sum());
        let same = next.with_changes(&[], now());
        assert_eq!((same.len(), same.live_sum()), (2, next.live_sum()));
    }
}
