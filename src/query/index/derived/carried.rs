//! The derived structures that are carried over to the next index. Every change pays for them, and
//! anybody may ask for filters and orders, so their cost is bounded.

use std::collections::HashMap;
use std::collections::HashSet;
use std::hash::Hash;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use crate::model::field::Comparison;
use crate::query::index::derived::CachedItem;
use crate::query::index::derived::DerivedParts;
use crate::query::index::derived::LocaleIndex;
use crate::query::index::entry_table::EntryTable;
use crate::query::index::entry_table::Ordinal;
use crate::query::request::field_ref::FieldRef;
use crate::query::request::filter::Filter;
use crate::query::request::sort_order::SortOrder;
use crate::stdx::bitset::Bitset;

/// The bytes of values that a change parses anew for filters, and as many for orders: a few
/// milliseconds of work.
const PARSED_BYTES_MAX: usize = 1024 * 1024;

/// The bytes by which each changed entry raises this limit.
const PARSED_BYTES_PER_ENTRY: usize = 8 * 1024;

/// The cost of a value beside its bytes, as bytes.
const VALUE_COST: usize = 64;

/// The number of operands whose comparison with a value costs as much as parsing it.
const OPERANDS_PER_PASS: usize = 8;

/// The number of changes after which a filter is dropped that nobody has used since.
const UNUSED_CHANGES_MAX: u32 = 64;

impl DerivedParts {
    /// Brings all structures to the next index, in which the entries at `touched` differ, and drops
    /// those that cost too much.
    pub(super) fn apply_changes(
        &mut self,
        old: &EntryTable,
        new: &EntryTable,
        touched: &[Ordinal],
    ) {
        let cost_max = PARSED_BYTES_MAX + touched.len().saturating_mul(PARSED_BYTES_PER_ENTRY);
        self.filters.retain(|_, kept| kept.changes.fetch_add(1, Relaxed) < UNUSED_CHANGES_MAX);
        retain_cheap(&mut self.filters, cost_max, |(_, locale), (filter, _)| {
            filter_cost(filter, *locale, new, touched)
        });
        retain_cheap(&mut self.orders, cost_max, |(_, locale), (order, _)| {
            order_cost(order, *locale, [old, new], touched)
        });
        for ((_, locale), kept) in &mut self.filters {
            let (filter, set) = &mut kept.what;
            update_filter(filter, set, *locale, new, touched);
        }
        for ((_, locale), kept) in &mut self.orders {
            let (order, list) = &kept.what;
            kept.what.1 = order.update_list(list, *locale, old, new, touched);
        }
        self.columns.retain(|(_, locale), kept| {
            let (field, column) = &mut kept.what;
            let carried = column.with_changes(field, *locale, new, touched);
            carried.map(|it| *column = Arc::new(it)).is_some()
        });
        for text in self.texts.values_mut() {
            text.what = Arc::new(text.what.with_changes(touched));
        }
        for unique in self.uniques.values_mut() {
            unique.what = Arc::new(unique.what.with_changes(old, new, touched));
        }
    }
}

/// Keeps the most recently used items that cost no more together than `cost_max`.
fn retain_cheap<K: Clone + Eq + Hash, T>(
    items: &mut HashMap<K, CachedItem<T>>,
    cost_max: usize,
    cost: impl Fn(&K, &T) -> usize,
) {
    let costs = items.iter().map(|(key, it)| (it.used.load(Relaxed), cost(key, &it.what), key));
    let mut costs: Vec<(u64, usize, &K)> = costs.collect();
    if sum_costs(&costs) <= cost_max {
        return;
    }
    costs.sort_unstable_by_key(|(used, ..)| std::cmp::Reverse(*used));
    let mut left = cost_max;
    let mut dropped = HashSet::new();
    for (_, cost, key) in costs {
        match left.checked_sub(cost) {
            Some(rest) => left = rest,
            None => _ = dropped.insert(key.clone()),
        }
    }
    items.retain(|key, _| !dropped.contains(key));
}

fn sum_costs<K>(costs: &[(u64, usize, K)]) -> usize {
    costs.iter().fold(0, |sum, (_, cost, _)| sum.saturating_add(*cost))
}

/// Returns the cost of evaluating a filter for these entries, as bytes of values.
fn filter_cost(
    filter: &Filter,
    locale: LocaleIndex,
    new: &EntryTable,
    touched: &[Ordinal],
) -> usize {
    let passes = 1 + filter.operands.len() / OPERANDS_PER_PASS;
    values_cost(&filter.field, locale, new, touched).saturating_mul(passes)
}

/// Returns the cost of finding the places of these entries in an order, before and after a change.
fn order_cost(
    order: &SortOrder,
    locale: LocaleIndex,
    tables: [&EntryTable; 2],
    touched: &[Ordinal],
) -> usize {
    let of_keys = order.keys.iter().flat_map(|key| {
        tables.map(|table| {
            let probes = probes_cost(&key.field, table).saturating_mul(touched.len());
            values_cost(&key.field, locale, table, touched).saturating_add(probes)
        })
    });
    of_keys.fold(0, usize::saturating_add)
}

/// Returns the cost of the values of other entries that are compared to find the place of one. Only
/// long values count: those of other fields are short.
fn probes_cost(field: &FieldRef, table: &EntryTable) -> usize {
    match field.comparison(&table.content_type) {
        Comparison::LongText | Comparison::Json => {
            let n_probes = table.len().max(1).ilog2() as usize + 1;
            table.estimate_bytes(n_probes)
        }
        _ => 0,
    }
}

fn values_cost(
    field: &FieldRef,
    locale: LocaleIndex,
    table: &EntryTable,
    touched: &[Ordinal],
) -> usize {
    let docs = touched.iter().filter_map(|it| table.entry_at(*it));
    docs.map(|doc| VALUE_COST + field.json_bytes(doc, locale)).fold(0, usize::saturating_add)
}

fn update_filter(
    filter: &Filter,
    set: &mut Arc<Bitset>,
    locale: LocaleIndex,
    new: &EntryTable,
    touched: &[Ordinal],
) {
    for ordinal in touched {
        let matches = new
            .entry_at(*ordinal)
            .is_some_and(|doc| filter.matches_entry(&new.content_type, doc, locale));
        if set.contains(*ordinal) != matches {
            Arc::make_mut(set).set(*ordinal, matches);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::execute::view::View;
    use crate::query::execute::view::Viewer;
    use crate::query::index::type_index::TypeIndex;
    use crate::query::request::filter::Operator;
    use crate::query::request::list_query::ListQuery;
    use crate::query::request::params::QueryParams;
    use crate::query::tests::change;
    use crate::query::tests::content_type;
    use crate::query::tests::index;
    use crate::query::tests::now;
    use crate::query::tests::snapshot;

    const SCHEMA: &str = r#"{"fields":{"n":{"type":"number"},"body":{"type":"textarea"}}}"#;

    fn file(body_bytes: usize) -> String {
        let body = "x".repeat(body_bytes);
        format!(r#"{{"title":"T","status":"published","data":{{"n":1,"body":"{body}"}}}}"#)
    }

    fn posts() -> TypeIndex {
        let (ty, small) = (content_type("posts", SCHEMA), file(10));
        index(&ty, &[("a", &small), ("b", &small)])
    }

    /// Returns the index after an entry has got a body of this size.
    fn changed(index: &TypeIndex, body_bytes: usize) -> TypeIndex {
        let change = change(&index.content_type, "a", Some(&file(body_bytes)));
        index.with_changes(&[change], now())
    }

    fn filter(index: &TypeIndex, field: &str, operator: Operator, text: &str) -> Filter {
        Filter::parse(&index.content_type, field, operator, &[text.to_string()]).unwrap()
    }

    fn keep(index: &TypeIndex, filter: &Filter) {
        let rows = index.iter();
        let passing = rows.filter(|(_, it)| filter.matches_entry(&index.content_type, it, None));
        let set: Bitset = passing.map(|(ordinal, _)| ordinal).collect();
        index.derived.keep_filter(filter, None, &Arc::new(set));
    }

    #[test]
    fn filters_over_a_large_value_are_not_carried_through_its_change() {
        let small = posts();
        let of_body = filter(&small, "body", Operator::Contains, "y");
        let of_number = filter(&small, "n", Operator::Eq, "1");
        keep(&small, &of_body);
        keep(&small, &of_number);
        let has =
            |index: &TypeIndex, filter: &Filter| index.derived.get_filter(filter, None).is_some();
        let next = changed(&small, 2_000);
        assert!(has(&next, &of_body) && has(&next, &of_number));
        let next = changed(&next, 2 * PARSED_BYTES_MAX);
        assert!(!has(&next, &of_body) && has(&next, &of_number));
    }

    /// Anybody may ask for as many filters as are kept.
    #[test]
    fn the_latest_used_filters_are_carried_if_all_cost_too_much() {
        let index = posts();
        let filters: Vec<Filter> =
            (0..20).map(|n| filter(&index, "body", Operator::Contains, &format!("y{n}"))).collect();
        filters.iter().for_each(|it| keep(&index, it));
        assert!(index.derived.get_filter(&filters[0], None).is_some());
        // Ten of this size are within the bound.
        let next = changed(&index, PARSED_BYTES_MAX / 10 - 2 * VALUE_COST);
        let carried = |it: &&Filter| next.derived.get_filter(it, None).is_some();
        assert!(carried(&&filters[0]) && carried(&&filters[19]) && !carried(&&filters[1]));
        assert_eq!(filters.iter().filter(carried).count(), 10);
    }

    #[test]
    fn a_filter_that_nobody_uses_is_dropped() {
        let mut index = posts();
        let (used, unused) =
            (filter(&index, "n", Operator::Eq, "1"), filter(&index, "n", Operator::Eq, "2"));
        keep(&index, &used);
        keep(&index, &unused);
        for _ in 0..UNUSED_CHANGES_MAX {
            index = changed(&index, 20);
            assert!(index.derived.get_filter(&used, None).is_some());
        }
        assert_eq!(index.derived.parts.0.read().filters.len(), 2);
        index = changed(&index, 20);
        assert!(index.derived.get_filter(&used, None).is_some());
        assert!(index.derived.get_filter(&unused, None).is_none());
    }

    #[test]
    fn orders_by_a_large_value_are_not_carried_through_its_change() {
        let index = posts();
        let shown = snapshot(vec![posts()]);
        let view = View::new(&shown, Viewer::Anyone, None);
        let order = |sort: &str| {
            let params = QueryParams::parse(sort).unwrap();
            ListQuery::parse(&view, &index.content_type, &params, 0).unwrap().order
        };
        let (by_body, by_number) = (order("sort=body"), order("sort=n"));
        for order in [&by_body, &by_number] {
            index.derived.get_or_build_order(index.entries(), order, None);
        }
        let has =
            |index: &TypeIndex, order: &SortOrder| index.derived.get_order(order, None).is_some();
        let next = changed(&index, 2_000);
        assert!(has(&next, &by_body) && has(&next, &by_number));
        let next = changed(&next, 2 * PARSED_BYTES_MAX);
        assert!(!has(&next, &by_body) && has(&next, &by_number));
    }
    /// Its place is found by comparing it with others.
    #[test]
    fn orders_by_large_values_of_others_are_not_carried() {
        let (ty, small, large) =
            (content_type("posts", SCHEMA), file(10), file(2 * PARSED_BYTES_MAX));
        let index = index(&ty, &[("a", &small), ("b", &large)]);
        let shown = snapshot(vec![posts()]);
        let view = View::new(&shown, Viewer::Anyone, None);
        for (sort, is_carried) in [("sort=body", false), ("sort=n", true)] {
            let params = QueryParams::parse(sort).unwrap();
            let order = ListQuery::parse(&view, &ty, &params, 0).unwrap().order;
            index.derived.get_or_build_order(index.entries(), &order, None);
            let next = changed(&index, 20);
            assert_eq!(next.derived.get_order(&order, None).is_some(), is_carried, "{sort}");
        }
    }
}
