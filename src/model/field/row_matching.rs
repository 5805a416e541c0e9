//! Matching of rows before and after a write.
//!
//! Rows of a repeater have no identity but their content. The parts of a row that a writer cannot
//! see must stay with that row when rows are moved, inserted or removed, so the rows that were sent
//! are paired with the shown ones.

use std::collections::HashMap;
use std::collections::VecDeque;

use crate::model::field::previous_value::PreviousValue;
use crate::model::field::previous_value::is_equivalent;
use crate::model::field::previous_value::loose_sum;
use crate::model::field::value_path::item_path;
use crate::model::problem::FieldProblems;
use crate::stdx::json::Json;

/// The maximum number of pairs to compare. Beyond it changed rows are paired by position only.
const COMPARED_MAX: usize = 40_000;

/// Stored rows and the rows shown in their place.
#[derive(Clone, Copy)]
pub(super) struct PreviousRows<'a> {
    stored: &'a [Json],
    shown: &'a [Json],
}

impl<'a> PreviousRows<'a> {
    /// Returns the rows of a list, if there is a shown row for each stored one.
    pub(super) fn from_value(before: PreviousValue<'a>) -> Option<PreviousRows<'a>> {
        let (stored, shown) = (before.stored.as_array()?, before.shown.as_array()?);
        (stored.len() == shown.len()).then_some(PreviousRows { stored, shown })
    }

    fn get_row(self, index: usize) -> Option<PreviousValue<'a>> {
        Some(PreviousValue { stored: self.stored.get(index)?, shown: self.shown.get(index)? })
    }

    /// Returns the stored form of each sent row: the existing stored row if it was sent as shown,
    /// otherwise the result of `merge`, which gets the previous row, if any, and the results so
    /// far. `identity` returns the stable id of a row, if it has one.
    pub(super) fn merge_rows(
        self,
        sent: &[Json],
        problems: &mut FieldProblems,
        identity: impl Fn(&Json) -> Option<&str>,
        merge: impl Fn(&Json, Option<PreviousValue<'a>>, &[Json], &mut FieldProblems) -> Json,
    ) -> Vec<Json> {
        let pairs = RowMatcher::new(self.shown, sent, identity).find_pairs();
        let mut merged = Vec::with_capacity(sent.len());
        for (index, (row, pair)) in sent.iter().zip(pairs).enumerate() {
            let before = pair.and_then(|it| self.get_row(it));
            if let Some(before) = before.filter(|it| is_equivalent(row, it.shown)) {
                merged.push(before.stored.clone());
                continue;
            }
            let mut found = FieldProblems::new();
            let row = merge(row, before, &merged, &mut found);
            problems.extend(found.with_prefix(&item_path(index)));
            merged.push(row);
        }
        merged
    }
}

/// Returns for each row of a list the index of the row it was before, if any. `identity` returns
/// the stable id of a row, if it has one.
pub(in crate::model) fn match_rows(
    before: &[Json],
    after: &[Json],
    identity: impl Fn(&Json) -> Option<&str>,
) -> Vec<Option<usize>> {
    RowMatcher::new(before, after, identity).find_pairs()
}

/// The state of the matching: for each sent row the shown row that it was before.
struct RowMatcher<'a, I> {
    shown: &'a [Json],
    sent: &'a [Json],
    identity: I,
    pairs: Vec<Option<usize>>,
    used: Vec<bool>,
}

impl<'a, I: Fn(&Json) -> Option<&str>> RowMatcher<'a, I> {
    fn new(shown: &'a [Json], sent: &'a [Json], identity: I) -> Self {
        let (pairs, used) = (vec![None; sent.len()], vec![false; shown.len()]);
        RowMatcher { shown, sent, identity, pairs, used }
    }

    fn find_pairs(mut self) -> Vec<Option<usize>> {
        self.pair_by_place();
        self.pair_by_content();
        self.pair_by_identity();
        self.pair_by_likeness();
        self.pairs
    }

    fn set_pair(&mut self, sent: usize, shown: usize) {
        self.pairs[sent] = Some(shown);
        self.used[shown] = true;
    }

    /// Returns the sent rows without a pair.
    fn unpaired_sent(&self) -> Vec<usize> {
        (0..self.sent.len()).filter(|it| self.pairs[*it].is_none()).collect()
    }

    /// Returns the shown rows without a pair.
    fn unpaired_shown(&self) -> Vec<usize> {
        (0..self.shown.len()).filter(|it| !self.used[*it]).collect()
    }

    fn is_nameless(&self, row: &Json) -> bool {
        (self.identity)(row).is_none()
    }

    /// Pairs rows that have not changed or moved.
    fn pair_by_place(&mut self) {
        for index in 0..self.sent.len().min(self.shown.len()) {
            if is_equivalent(&self.sent[index], &self.shown[index]) {
                self.set_pair(index, index);
            }
        }
    }

    /// Pairs rows that were moved.
    fn pair_by_content(&mut self) {
        let mut waiting: HashMap<_, VecDeque<usize>> = HashMap::new();
        for index in self.unpaired_shown() {
            waiting.entry(loose_sum(&self.shown[index])).or_default().push_back(index);
        }
        for index in self.unpaired_sent() {
            let row = &self.sent[index];
            let Some(alike) = waiting.get_mut(&loose_sum(row)) else { continue };
            if let Some(at) = alike.iter().position(|it| is_equivalent(row, &self.shown[*it]))
                && let Some(shown) = alike.remove(at)
            {
                self.set_pair(index, shown);
            }
        }
    }

    /// Pairs rows with the same id.
    fn pair_by_identity(&mut self) {
        let mut named: HashMap<String, usize> = HashMap::new();
        for index in self.unpaired_shown() {
            if let Some(name) = (self.identity)(&self.shown[index]) {
                named.entry(name.to_string()).or_insert(index);
            }
        }
        for index in self.unpaired_sent() {
            let name = (self.identity)(&self.sent[index]);
            if let Some(shown) = name.and_then(|it| named.remove(it)) {
                self.set_pair(index, shown);
            }
        }
    }

    /// Pairs each changed row with the most similar one. A row without a similar one is paired by
    /// position, unless rows were added or removed.
    fn pair_by_likeness(&mut self) {
        let mut single = self.unpaired_sent();
        single.retain(|it| self.is_nameless(&self.sent[*it]));
        let mut free = self.unpaired_shown();
        free.retain(|it| self.is_nameless(&self.shown[*it]));
        let in_place = self.sent.len() == self.shown.len();
        if single.len().saturating_mul(free.len()) <= COMPARED_MAX {
            for index in &single {
                let score =
                    |it: &usize| (count_common(&self.sent[*index], &self.shown[*it]), it == index);
                // The first of several equally similar rows is preferred: `max_by_key` returns the
                // last.
                let best = free.iter().rev().copied().max_by_key(score);
                if let Some(best) = best.filter(|it| score(it).0 > 0) {
                    free.retain(|it| *it != best);
                    self.set_pair(*index, best);
                }
            }
        }
        for index in single.into_iter().filter(|_| in_place) {
            let is_free = !self.used[index] && self.is_nameless(&self.shown[index]);
            if self.pairs[index].is_none() && is_free {
                self.set_pair(index, index);
            }
        }
    }
}

/// Counts the members that two rows have in common, ignoring empty ones.
fn count_common(sent: &Json, shown: &Json) -> usize {
    let (Json::Object(sent), Json::Object(shown)) = (sent, shown) else { return 0 };
    let alike = |(name, value): &(&str, &Json)| {
        !value.is_empty() && shown.get(name).is_some_and(|it| is_equivalent(value, it))
    };
    sent.iter().filter(alike).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_find_their_pairs() {
        let rows = |text: &str| -> Vec<Json> {
            // `a1` is a row with the members a and 1; `x:a1` has the id x.
            let row = |it: &str| {
                let (id, members) = it.split_once(':').unwrap_or(("", it));
                let members = members.char_indices().map(|(at, it)| format!("\"m{at}\":\"{it}\""));
                let members: Vec<String> =
                    std::iter::once(format!("\"id\":\"{id}\"")).chain(members).collect();
                Json::parse(format!("{{{}}}", members.join(",")).as_bytes()).unwrap()
            };
            text.split_whitespace().map(row).collect()
        };
        fn id(row: &Json) -> Option<&str> {
            row.as_object()?.get("id")?.as_str().filter(|it| !it.is_empty())
        }
        let check = |shown: &str, sent: &str, expect: &str| {
            let (shown, sent) = (rows(shown), rows(sent));
            let pairs = RowMatcher::new(&shown, &sent, id).find_pairs();
            let text: Vec<String> =
                pairs.iter().map(|it| it.map_or("-".to_string(), |it| it.to_string())).collect();
            assert_eq!(text.join(""), expect);
        };
        check("a1 b2 c3", "a1 b2 c3", "012");
        check("a1 b2 c3", "c3 a1 b2", "201");
        check("a1 b2 c3", "b9 c3", "12");
        check("a1 b2 c3", "a1 n0 b2 c3", "0-12");
        check("a1 b2 c3", "a1 n0 c3", "012");
        check("a1 b2", "b9 a9", "10");
        check("a1 a1", "a1", "0");
        check("a1", "a1 a1", "0-");
        check("a1 b2", "n0", "-");
        check("", "a1", "-");
        check("x:a1 y:b2", "y:n0 x:m0", "10");
        check("x:a1 y:b2", "z:a1 x:a1", "-0");
        check("x:a1 y:b2", "y:n0 y:b2 a1", "-1-");
    }
}
