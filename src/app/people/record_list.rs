//! Lists of records of the installation: users, roles, tokens. They are small and scanned
//! completely.

use std::cmp::Ordering;

use serde::Serialize;

use crate::app::error::Error;
use crate::app::error::Result;
use crate::model::input::wording;
use crate::model::problem::FieldProblems;
use crate::query::request::list_query;
use crate::query::request::params::QueryParams;
use crate::stdx::fold;
use crate::stdx::time::Timestamp;

/// A page of a list.
#[derive(Debug)]
pub struct RecordList<T> {
    /// The items of the page.
    pub items: Vec<T>,
    /// The metadata of the page.
    pub meta: RecordListMeta,
}

/// The metadata of a page.
#[derive(Clone, Debug, Serialize)]
pub struct RecordListMeta {
    /// The total number of items.
    pub total: usize,
    /// The requested limit, else the number of items.
    pub limit: usize,
    /// The number of items before the page.
    pub offset: usize,
    /// The first sort key.
    pub sort: String,
    /// `asc` or `desc`.
    pub order: &'static str,
}

/// A sortable value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum SortRank {
    Text(String),
    Time(Timestamp),
    Count(usize),
}

impl SortRank {
    /// Returns the value of a text, which ignores case and accents.
    pub(super) fn from_text(text: &str) -> Option<SortRank> {
        Some(SortRank::Text(fold::fold_text(text).into_owned()))
    }

    pub(super) fn from_time(time: Option<Timestamp>) -> Option<SortRank> {
        time.map(SortRank::Time)
    }
}

/// A sort key with a function that returns the value of an item; items without a value come last.
pub(super) type RecordSortKey<T> = (&'static str, fn(&T) -> Option<SortRank>);

/// Returns the requested page: `q sort order limit offset`. `texts` returns the texts in which `q`
/// is searched. Without `sort`, the order is `default`, a key with an optional `-`. Ties keep their
/// order.
pub(super) fn list_records<T>(
    params: &QueryParams,
    all: Vec<T>,
    keys: &[RecordSortKey<T>],
    default: &str,
    texts: fn(&T) -> Vec<&str>,
) -> Result<RecordList<T>> {
    let mut problems = FieldProblems::new();
    let (limit, offset) = list_query::parse_window(params, &mut problems);
    let sorted_by = parse_order(params, keys, default, &mut problems);
    problems.into_result(()).map_err(Error::invalid)?;
    let terms = params.get("q").unwrap_or_default();
    let terms: Vec<String> =
        terms.split_whitespace().map(|it| fold::fold_text(it).into_owned()).collect();
    let mut found = all;
    found.retain(|it| matches_terms(&terms, &texts(it)));
    found.sort_by(|a, b| {
        let by_key = |((_, rank), descends): &(&RecordSortKey<T>, bool)| {
            compare_ranks(rank(a), rank(b), *descends)
        };
        sorted_by.iter().map(by_key).find(|it| it.is_ne()).unwrap_or(Ordering::Equal)
    });
    let (first, descends) = sorted_by.first().map_or(("", false), |(key, down)| (key.0, *down));
    let total = found.len();
    let items: Vec<T> = found.into_iter().skip(offset).take(limit.unwrap_or(usize::MAX)).collect();
    let meta = RecordListMeta {
        total,
        limit: limit.unwrap_or(items.len()),
        offset,
        sort: first.to_string(),
        order: if descends { "desc" } else { "asc" },
    };
    Ok(RecordList { items, meta })
}

/// Parses the sort keys, each with true if it is descending.
fn parse_order<'k, T>(
    params: &QueryParams,
    keys: &'k [RecordSortKey<T>],
    default: &str,
    problems: &mut FieldProblems,
) -> Vec<(&'k RecordSortKey<T>, bool)> {
    let all_descend = match params.get("order") {
        None | Some("asc") => false,
        Some("desc") => true,
        Some(_) => {
            problems.add("order", wording::not_one_of(["asc", "desc"]));
            false
        }
    };
    let mut found = Vec::new();
    for name in params.list_names("sort").unwrap_or_else(|| vec![default]) {
        let (name, minus) = name.strip_prefix('-').map_or((name, false), |it| (it, true));
        match keys.iter().find(|(it, _)| *it == name) {
            Some(key) if found.len() < keys.len() => found.push((key, minus || all_descend)),
            Some(_) => {}
            None => {
                let known: Vec<&str> = keys.iter().map(|(it, _)| *it).collect();
                problems.add("sort", wording::not_one_of(known));
            }
        }
    }
    found
}

/// Compares two values. Missing ones come last in both directions.
fn compare_ranks(a: Option<SortRank>, b: Option<SortRank>, descends: bool) -> Ordering {
    let missing = a.is_none().cmp(&b.is_none());
    missing.then_with(|| if descends { b.cmp(&a) } else { a.cmp(&b) })
}

fn matches_terms(terms: &[String], texts: &[&str]) -> bool {
    let texts: Vec<_> = texts.iter().map(|it| fold::fold_text(it)).collect();
    terms.iter().all(|term| texts.iter().any(|it| it.contains(term.as_str())))
}

#[cfg(test)]
mod tests {
    use super::*;

    type Pair = (&'static str, Option<i64>);
    const KEYS: &[RecordSortKey<Pair>] = &[
        ("name", |it| SortRank::from_text(it.0)),
        ("age", |it| SortRank::from_time(it.1.map(Timestamp::from_seconds))),
    ];

    #[test]
    fn pieces_of_a_list() {
        let check = |query: &str, expect: &str| {
            let all = vec![("b", Some(3)), ("Ä b", None), ("a", Some(7)), ("c", Some(3))];
            let params = QueryParams::parse(query).unwrap();
            let found = match list_records(&params, all, KEYS, "name", |it| vec![it.0]) {
                Ok(found) => {
                    let names: Vec<_> = found.items.iter().map(|it| it.0).collect();
                    format!("{} of {}", names.join(","), found.meta.total)
                }
                Err(error) => error.fields.to_string(),
            };
            assert!(found.contains(expect), "{query}: {found}");
        };
        check("", "a,Ä b,b,c of 4");
        check("sort=-name", "c,b,Ä b,a of 4");
        check("sort=age", "b,c,a,Ä b of 4");
        check("sort=age&order=desc", "a,b,c,Ä b of 4");
        check("sort=age&sort=-name", "c,b,a,Ä b of 4");
        check("sort[]=age,-name&q=b", "b,Ä b of 2");
        check("q=B+a", "Ä b of 1");
        check("limit=1&offset=2", "b of 4");
        check("offset=9", " of 4");
        check("sort=size", "must be `name` or `age`");
        check("order=up", "`asc` or `desc`");
        check("limit=0", "limit");
    }
}
