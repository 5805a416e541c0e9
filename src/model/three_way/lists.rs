//! Lists in a three-way merge: blocks are known by their ids, rows by what they say, plain values by
//! themselves.

use std::collections::HashMap;
use std::collections::HashSet;

use crate::model::field::BLOCK_ID;
use crate::model::field::loose_sum;
use crate::model::field::pair_rows;
use crate::model::three_way::Merged;
use crate::model::three_way::merge_values;
use crate::stdx::json::Json;

/// Merges lists item by item. Nothing when their items cannot be told apart, or when both sides
/// brought them into another order.
pub(super) fn merge(base: &[Json], ours: &[Json], theirs: &[Json]) -> Option<Merged<Vec<Json>>> {
    let sides = Named::of(base, ours, theirs)?;
    let item = |items: &[Json], names: &[String], name: &String| {
        let at = names.iter().position(|it| it == name)?;
        items.get(at).cloned()
    };
    let mut merged = Merged { ours: Vec::new(), theirs: Vec::new() };
    for name in sides.order()? {
        let base = item(base, &sides.base, &name);
        let (ours, theirs) = (item(ours, &sides.ours, &name), item(theirs, &sides.theirs, &name));
        let value = merge_values(base.as_ref(), ours.as_ref(), theirs.as_ref());
        merged.ours.extend(value.ours);
        merged.theirs.extend(value.theirs);
    }
    Some(merged)
}

/// The items of three lists by names that tell which of them are the same.
pub(super) struct Named {
    pub(super) base: Vec<String>,
    pub(super) ours: Vec<String>,
    pub(super) theirs: Vec<String>,
}

impl Named {
    /// Nothing when an item cannot be told from its neighbours.
    fn of(base: &[Json], ours: &[Json], theirs: &[Json]) -> Option<Named> {
        let all = || [base, ours, theirs].into_iter().flatten();
        if all().all(|it| matches!(it, Json::Object(_))) {
            let places = (0..base.len()).map(|at| format!("={at}")).collect();
            let (ours, theirs) = (row_names(base, ours), row_names(base, theirs));
            return Some(Named { base: places, ours, theirs });
        }
        if all().any(|it| matches!(it, Json::Object(_) | Json::Array(_))) {
            return None;
        }
        let (base, ours, theirs) = (texts(base)?, texts(ours)?, texts(theirs)?);
        Some(Named { base, ours, theirs })
    }

    /// All names in the order of the merge: that of the side which changed it. Nothing when both did,
    /// each in a way of its own.
    pub(super) fn order(&self) -> Option<Vec<String>> {
        let [base, ours, theirs] = [&self.base, &self.ours, &self.theirs].map(|it| set(it));
        let is_common = |it: &&String| {
            base.contains(it.as_str()) && ours.contains(it.as_str()) && theirs.contains(it.as_str())
        };
        let common =
            |names: &[String]| -> Vec<String> { names.iter().filter(is_common).cloned().collect() };
        let (base, ours, theirs) = (common(&self.base), common(&self.ours), common(&self.theirs));
        if base == theirs || ours == theirs {
            Some(self.our_order())
        } else if base == ours {
            Some(combine(&self.theirs, &self.ours))
        } else {
            None
        }
    }

    /// All names in the order that we have them in.
    pub(super) fn our_order(&self) -> Vec<String> {
        combine(&self.ours, &self.theirs)
    }
}

/// The names of `lead` in their order, and those that `other` alone has, each behind the one that it
/// follows there.
fn combine(lead: &[String], other: &[String]) -> Vec<String> {
    let (in_lead, in_other) = (set(lead), set(other));
    let mut followers: HashMap<Option<&str>, Vec<&String>> = HashMap::new();
    let mut before = None;
    for name in other {
        if in_lead.contains(name.as_str()) {
            before = Some(name.as_str());
        } else {
            followers.entry(before).or_default().push(name);
        }
    }
    let mut order: Vec<String> = Vec::with_capacity(lead.len());
    let mut waiting = followers.remove(&None).unwrap_or_default();
    for name in lead {
        // What both put in one place stands together: first what the lead has there.
        if in_other.contains(name.as_str()) {
            order.extend(waiting.drain(..).cloned());
            waiting = followers.remove(&Some(name.as_str())).unwrap_or_default();
        }
        order.push(name.clone());
    }
    order.extend(waiting.into_iter().cloned());
    order
}

fn set(names: &[String]) -> HashSet<&str> {
    names.iter().map(String::as_str).collect()
}

/// Names of rows: the place of the row that each was in the base, else its id or what it says.
fn row_names(base: &[Json], rows: &[Json]) -> Vec<String> {
    let mut seen: HashMap<String, usize> = HashMap::new();
    let pairs = pair_rows(base, rows, block_id);
    rows.iter()
        .zip(pairs)
        .map(|(row, pair)| {
            if let Some(at) = pair {
                return format!("={at}");
            }
            let name = match block_id(row) {
                Some(id) => format!("+{id}"),
                None => format!("+{:x}", loose_sum(row).0),
            };
            // A row may be there several times.
            let times = seen.entry(name.clone()).or_default();
            *times += 1;
            format!("{name} {times}")
        })
        .collect()
}

fn block_id(row: &Json) -> Option<&str> {
    row.as_object()?.get(BLOCK_ID)?.as_str().filter(|it| !it.is_empty())
}

/// Plain values by their texts, when each is there once.
fn texts(items: &[Json]) -> Option<Vec<String>> {
    let text = |item: &Json| {
        let mut text = Vec::new();
        item.write_compact(&mut text);
        String::from_utf8(text).ok()
    };
    let texts: Vec<String> = items.iter().map(text).collect::<Option<_>>()?;
    (set(&texts).len() == texts.len()).then_some(texts)
}
