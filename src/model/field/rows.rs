//! Rows before and after a write: which of them are the same ones.
//!
//! Rows of a repeater have no identity but their content. Whatever a writer cannot see of a row must
//! stay with that row when rows are moved, put between others or taken out, so the rows that were
//! sent are paired with the ones that were shown.

use std::collections::HashMap;
use std::collections::VecDeque;

use crate::model::field::before::Before;
use crate::model::field::before::loose_sum;
use crate::model::field::before::same;
use crate::model::field::item_path;
use crate::model::problem::FieldProblems;
use crate::stdx::json::Json;

/// Beyond this many pairs to compare, changed rows are paired by their place alone.
const COMPARED_MAX: usize = 40_000;

/// Stored rows beside the ones that were shown in their place.
#[derive(Clone, Copy)]
pub(super) struct Rows<'a> {
    stored: &'a [Json],
    shown: &'a [Json],
}

impl<'a> Rows<'a> {
    /// The rows of a value that is a list, one shown for each stored.
    pub(super) fn of(before: Before<'a>) -> Option<Rows<'a>> {
        let (stored, shown) = (before.stored.as_array()?, before.shown.as_array()?);
        (stored.len() == shown.len()).then_some(Rows { stored, shown })
    }

    fn at(self, index: usize) -> Option<Before<'a>> {
        Some(Before { stored: self.stored.get(index)?, shown: self.shown.get(index)? })
    }

    /// Makes each sent row what is stored of it: the stored row where it was sent as it was shown,
    /// else what `merge` makes of it beside the row it was before, if any, and those made so far.
    /// `identity` is what a row is known by, however it is changed.
    pub(super) fn merge(
        self,
        sent: &[Json],
        problems: &mut FieldProblems,
        identity: impl Fn(&Json) -> Option<&str>,
        merge: impl Fn(&Json, Option<Before<'a>>, &[Json], &mut FieldProblems) -> Json,
    ) -> Vec<Json> {
        let pairs = Pairing::new(self.shown, sent, identity).pairs();
        let mut merged = Vec::with_capacity(sent.len());
        for (index, (row, pair)) in sent.iter().zip(pairs).enumerate() {
            let before = pair.and_then(|it| self.at(it));
            if let Some(before) = before.filter(|it| same(row, it.shown)) {
                merged.push(before.stored.clone());
                continue;
            }
            let mut found = FieldProblems::new();
            let row = merge(row, before, &merged, &mut found);
            problems.extend(found.at(&item_path(index)));
            merged.push(row);
        }
        merged
    }
}

/// For each row of a list, which row of the list before it was, if any. `identity` is what a row is
/// known by, however it is changed.
pub(in crate::model) fn pair_rows(
    before: &[Json],
    after: &[Json],
    identity: impl Fn(&Json) -> Option<&str>,
) -> Vec<Option<usize>> {
    Pairing::new(before, after, identity).pairs()
}

/// For each sent row, the shown row that it was before.
struct Pairing<'a, I> {
    shown: &'a [Json],
    sent: &'a [Json],
    identity: I,
    pairs: Vec<Option<usize>>,
    used: Vec<bool>,
}

impl<'a, I: Fn(&Json) -> Option<&str>> Pairing<'a, I> {
    fn new(shown: &'a [Json], sent: &'a [Json], identity: I) -> Self {
        let (pairs, used) = (vec![None; sent.len()], vec![false; shown.len()]);
        Pairing { shown, sent, identity, pairs, used }
    }

    fn pairs(mut self) -> Vec<Option<usize>> {
        self.by_place();
        self.by_content();
        self.by_identity();
        self.by_likeness();
        self.pairs
    }

    fn pair(&mut self, sent: usize, shown: usize) {
        self.pairs[sent] = Some(shown);
        self.used[shown] = true;
    }

    /// The sent rows that have no pair yet.
    fn single(&self) -> Vec<usize> {
        (0..self.sent.len()).filter(|it| self.pairs[*it].is_none()).collect()
    }

    /// The shown rows that have no pair yet.
    fn unused(&self) -> Vec<usize> {
        (0..self.shown.len()).filter(|it| !self.used[*it]).collect()
    }

    fn is_nameless(&self, row: &Json) -> bool {
        (self.identity)(row).is_none()
    }

    /// Rows that stayed where and what they were.
    fn by_place(&mut self) {
        for index in 0..self.sent.len().min(self.shown.len()) {
            if same(&self.sent[index], &self.shown[index]) {
                self.pair(index, index);
            }
        }
    }

    /// Rows that were moved.
    fn by_content(&mut self) {
        let mut waiting: HashMap<_, VecDeque<usize>> = HashMap::new();
        for index in self.unused() {
            waiting.entry(loose_sum(&self.shown[index])).or_default().push_back(index);
        }
        for index in self.single() {
            let row = &self.sent[index];
            let Some(alike) = waiting.get_mut(&loose_sum(row)) else { continue };
            if let Some(at) = alike.iter().position(|it| same(row, &self.shown[*it]))
                && let Some(shown) = alike.remove(at)
            {
                self.pair(index, shown);
            }
        }
    }

    /// Rows that say who they are.
    fn by_identity(&mut self) {
        let mut named: HashMap<String, usize> = HashMap::new();
        for index in self.unused() {
            if let Some(name) = (self.identity)(&self.shown[index]) {
                named.entry(name.to_string()).or_insert(index);
            }
        }
        for index in self.single() {
            let name = (self.identity)(&self.sent[index]);
            if let Some(shown) = name.and_then(|it| named.remove(it)) {
                self.pair(index, shown);
            }
        }
    }

    /// Rows that were changed: each goes to the one it is most like. One that is like none is taken
    /// for the one in its place, unless rows were added or taken out.
    fn by_likeness(&mut self) {
        let mut single = self.single();
        single.retain(|it| self.is_nameless(&self.sent[*it]));
        let mut free = self.unused();
        free.retain(|it| self.is_nameless(&self.shown[*it]));
        let in_place = self.sent.len() == self.shown.len();
        if single.len().saturating_mul(free.len()) <= COMPARED_MAX {
            for index in &single {
                let score =
                    |it: &usize| (likeness(&self.sent[*index], &self.shown[*it]), it == index);
                // Of several that are equally like, the first: `max_by_key` gives the last.
                let best = free.iter().rev().copied().max_by_key(score);
                if let Some(best) = best.filter(|it| score(it).0 > 0) {
                    free.retain(|it| *it != best);
                    self.pair(*index, best);
                }
            }
        }
        for index in single.into_iter().filter(|_| in_place) {
            let is_free = !self.used[index] && self.is_nameless(&self.shown[index]);
            if self.pairs[index].is_none() && is_free {
                self.pair(index, index);
            }
        }
    }
}

/// How many members two rows have in common. What is empty in both says nothing.
fn likeness(sent: &Json, shown: &Json) -> usize {
    let (Json::Object(sent), Json::Object(shown)) = (sent, shown) else { return 0 };
    let alike = |(name, value): &(&str, &Json)| {
        !value.is_empty() && shown.get(name).is_some_and(|it| same(value, it))
    };
    sent.iter().filter(alike).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_find_their_pairs() {
        let rows = |text: &str| -> Vec<Json> {
            // `a1` is a row whose members are a and 1; `x:a1` is known by x.
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
            let pairs = Pairing::new(&shown, &sent, id).pairs();
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
