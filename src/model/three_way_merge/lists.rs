//! Three-way merge of lists. Blocks are identified by their ids, rows by their content, and scalars
//! by their values.

use std::collections::HashMap;
use std::collections::HashSet;

use crate::model::field::BLOCK_ID;
use crate::model::field::loose_sum;
use crate::model::field::match_rows;
use crate::stdx::json::Json;

/// The items of three lists, with names that identify equal items.
pub(super) struct ItemNames {
    pub(super) base: Vec<String>,
    pub(super) ours: Vec<String>,
    pub(super) theirs: Vec<String>,
}

impl ItemNames {
    /// Names the items of the lists; returns `None` if items are ambiguous.
    pub(super) fn from_lists(base: &[Json], ours: &[Json], theirs: &[Json]) -> Option<ItemNames> {
        let all = || [base, ours, theirs].into_iter().flatten();
        if all().all(|it| matches!(it, Json::Object(_))) {
            let places = (0..base.len()).map(|at| format!("={at}")).collect();
            let (ours, theirs) = (row_names(base, ours), row_names(base, theirs));
            return Some(ItemNames { base: places, ours, theirs });
        }
        if all().any(|it| matches!(it, Json::Object(_) | Json::Array(_))) {
            return None;
        }
        let (base, ours, theirs) =
            (unique_texts(base)?, unique_texts(ours)?, unique_texts(theirs)?);
        Some(ItemNames { base, ours, theirs })
    }

    /// Returns all names in the merged order, which is that of the side that changed it. Returns
    /// `None` if both changed it differently.
    pub(super) fn merge_order(&self) -> Option<Vec<String>> {
        let [base, ours, theirs] = [&self.base, &self.ours, &self.theirs].map(|it| name_set(it));
        let is_common = |it: &&String| {
            base.contains(it.as_str()) && ours.contains(it.as_str()) && theirs.contains(it.as_str())
        };
        let common =
            |names: &[String]| -> Vec<String> { names.iter().filter(is_common).cloned().collect() };
        let (base, ours, theirs) = (common(&self.base), common(&self.ours), common(&self.theirs));
        if base == theirs || ours == theirs {
            Some(self.our_order())
        } else if base == ours {
            Some(combine_names(&self.theirs, &self.ours))
        } else {
            None
        }
    }

    /// Returns all names in our order.
    pub(super) fn our_order(&self) -> Vec<String> {
        combine_names(&self.ours, &self.theirs)
    }
}

/// Returns the names of `lead` in their order, with the names that only `other` has inserted after
/// the ones that they follow there.
fn combine_names(lead: &[String], other: &[String]) -> Vec<String> {
    let (in_lead, in_other) = (name_set(lead), name_set(other));
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
        // Items that both sides inserted in one place are adjacent, those of `lead` first.
        if in_other.contains(name.as_str()) {
            order.extend(waiting.drain(..).cloned());
            waiting = followers.remove(&Some(name.as_str())).unwrap_or_default();
        }
        order.push(name.clone());
    }
    order.extend(waiting.into_iter().cloned());
    order
}

fn name_set(names: &[String]) -> HashSet<&str> {
    names.iter().map(String::as_str).collect()
}

/// Returns the names of rows: the index of the matching row in the base, or else their id or a
/// checksum of their content.
fn row_names(base: &[Json], rows: &[Json]) -> Vec<String> {
    let mut seen: HashMap<String, usize> = HashMap::new();
    let pairs = match_rows(base, rows, block_id);
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
            // A row may occur several times.
            let times = seen.entry(name.clone()).or_default();
            *times += 1;
            format!("{name} {times}")
        })
        .collect()
}

fn block_id(row: &Json) -> Option<&str> {
    row.as_object()?.get(BLOCK_ID)?.as_str().filter(|it| !it.is_empty())
}

/// Returns the texts of scalars if each occurs once.
fn unique_texts(items: &[Json]) -> Option<Vec<String>> {
    let text = |item: &Json| {
        let mut text = Vec::new();
        item.write_compact(&mut text);
        String::from_utf8(text).ok()
    };
    let texts: Vec<String> = items.iter().map(text).collect::<Option<_>>()?;
    (name_set(&texts).len() == texts.len()).then_some(texts)
}
