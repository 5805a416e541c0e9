//! The text indexes among the derived structures. They take seconds to build, so entries may change
//! meanwhile.

use std::sync::Arc;
use std::sync::atomic::Ordering::SeqCst;

use crate::query::index::derived::DerivedCache;
use crate::query::index::derived::DerivedParts;
use crate::query::index::derived::LocaleIndex;
use crate::query::index::entry_table::EntryTable;
use crate::query::index::search::TextState;
use crate::query::index::single_flight::CoreDemand;

impl DerivedCache {
    /// Returns the text index, if it is cached.
    pub(crate) fn get_text(&self, locale: LocaleIndex) -> Option<Arc<TextState>> {
        let parts = self.parts.0.read();
        Some(self.mark_used(parts.texts.get(&locale)?).clone())
    }

    fn keep_text(&self, locale: LocaleIndex, text: &Arc<TextState>) {
        self.keep_item(text.clone(), text.memory_bytes(), |parts, item| {
            parts.texts.insert(locale, item);
        });
    }

    /// Returns the text index. The first caller builds it. An outdated index stays in use, together
    /// with the changed entries, while a thread builds the next one.
    pub(crate) fn get_or_build_text(
        &self,
        index: &Arc<EntryTable>,
        locale: LocaleIndex,
    ) -> Arc<TextState> {
        let kept = self.get_text(locale);
        if let Some(kept) = &kept
            && !kept.is_outdated()
        {
            return kept.clone();
        }
        // Without a cached index, one that is far behind is better than waiting.
        let is_stale = |touched: usize| kept.is_some() && TextState::is_far_behind(touched);
        let key = (String::new(), locale);
        let (flight, begins) = self.builds.texts.join_build(key.clone(), index, is_stale);
        if let (Some(kept), None) = (kept, flight.get_finished()) {
            let build = move |base: &EntryTable| build_text(base, locale);
            if !begins
                || self
                    .builds
                    .texts
                    .build_in_background(&key, &flight, CoreDemand::Machine, build)
                    .is_ok()
            {
                return kept;
            }
        }
        let built = flight.get_or_build(CoreDemand::Machine, |base| {
            let kept = self
                .get_text(locale)
                .filter(|it| base.is_same_generation(index) && !it.is_outdated());
            kept.unwrap_or_else(|| build_text(base, locale))
        });
        let touched = flight.find_changed(index);
        let state = Arc::new(built.with_changes(&touched));
        self.keep_text(locale, &state);
        // If entries have changed while it was built, the next index takes it over.
        if touched.is_empty() && self.builds.generation.load(SeqCst) == self.generation {
            self.builds.texts.forget_build(&key, &flight);
        }
        state
    }

    /// Adds text indexes that were built while entries changed, which the previous indexes cannot
    /// have.
    pub(super) fn adopt_built_texts(&self, parts: &mut DerivedParts, new: &EntryTable) {
        for (locale, flight) in self.builds.texts.list_finished() {
            if parts.texts.get(&locale).is_some_and(|it| !it.what.is_outdated()) {
                continue;
            }
            let Some(built) = flight.get_finished() else { continue };
            let touched = flight.find_changed(new);
            if touched.len() <= new.slot_count() / 2 {
                let text = Arc::new(built.with_changes(&touched));
                let bytes = text.memory_bytes();
                parts.texts.insert(locale, self.new_item(text, bytes));
            }
        }
    }
}

fn build_text(base: &EntryTable, locale: LocaleIndex) -> Arc<TextState> {
    Arc::new(TextState::build(base, locale))
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;
    use crate::query::index::derived::tests::changed;
    use crate::query::index::derived::tests::numbered;
    use crate::query::index::search::PendingSearch;

    #[test]
    fn a_text_index_serves_on_while_the_next_is_made() {
        let first = numbered(6_000);
        let old = first.derived.get_or_build_text(first.entries(), None);
        let next = changed(&first, 2_500);
        let served = next.derived.get_or_build_text(next.entries(), None);
        assert_eq!(served.index_address(), old.index_address(), "nobody waits for the next index");
        assert!(served.is_outdated());
        let check = |state: &TextState| {
            let found = |term: &str| {
                let (mut found, terms) = (next.live().clone(), [term.to_string()]);
                let search = PendingSearch::begin(Some(state), &terms, &found);
                search.finish(&next, None, &mut found);
                found.count()
            };
            // A new match, a former match, and an unchanged entry.
            assert_eq!((found("word999000"), found("word1000"), found("word5999")), (1, 1, 1));
        };
        check(&served);
        let fresh = loop {
            let state = next.derived.get_or_build_text(next.entries(), None);
            if state.index_address() != old.index_address() {
                break state;
            }
            thread::yield_now();
        };
        assert!(!fresh.is_outdated());
        check(&fresh);
    }

    #[test]
    fn an_index_that_was_built_beside_changes_is_taken_over() {
        let first = numbered(600);
        let (flight, _) =
            first
                .derived
                .builds
                .texts
                .join_build((String::new(), None), first.entries(), |_| false);
        // It is published while the index of the first one is built.
        let second = changed(&first, 3);
        let built = first.derived.get_or_build_text(first.entries(), None);
        assert!(flight.get_finished().is_some());
        assert!(second.derived.get_text(None).is_none());
        let third = changed(&second, 5);
        let taken = third.derived.get_text(None).unwrap();
        assert_eq!(taken.index_address(), built.index_address());
        let check = |term: &str, expect: usize| {
            let (mut found, terms) = (third.live().clone(), [term.to_string()]);
            let search = PendingSearch::begin(Some(&taken), &terms, &found);
            search.finish(&third, None, &mut found);
            assert_eq!(found.count(), expect, "{term}");
        };
        check("word999996", 1);
        check("word4", 10 + 100);
        check("word599", 1);
        // Whoever searches the second one meanwhile builds nothing either.
        let waited = second.derived.get_or_build_text(second.entries(), None);
        assert_eq!(waited.index_address(), built.index_address());
    }

    #[test]
    fn an_index_without_changes_is_not_kept_twice() {
        let first = numbered(600);
        first.derived.get_or_build_text(first.entries(), None);
        assert!(first.derived.builds.texts.list_finished().is_empty());
    }
}
