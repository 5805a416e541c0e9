//! Lists of the few things that an installation has: users, roles, tokens. They are gone through
//! whole.

use std::cmp::Ordering;

use serde::Serialize;

use crate::app::error::Error;
use crate::app::error::Result;
use crate::model::problem::FieldProblems;
use crate::query::list_query;
use crate::query::params::Params;
use crate::stdx::fold;
use crate::stdx::time::Timestamp;

/// A piece of a list.
#[derive(Debug)]
pub struct Listed<T> {
    /// What is in it.
    pub items: Vec<T>,
    /// Which piece it is.
    pub meta: ListMeta,
}

/// Which piece of a list was given.
#[derive(Clone, Debug, Serialize)]
pub struct ListMeta {
    /// How many there are altogether.
    pub total: usize,
    /// How many were asked for, or given.
    pub limit: usize,
    /// How many come before.
    pub offset: usize,
    /// By what they are sorted.
    pub sort: String,
    /// `asc` or `desc`.
    pub order: &'static str,
}

/// By what something can be sorted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    Text(String),
    Time(Timestamp),
    Count(usize),
}

impl Rank {
    /// Whatever its case and accents.
    pub(super) fn text(text: &str) -> Option<Rank> {
        Some(Rank::Text(fold::fold(text).into_owned()))
    }

    pub(super) fn time(time: Option<Timestamp>) -> Option<Rank> {
        time.map(Rank::Time)
    }
}

/// A key to sort by, and what it is of something; nothing comes last.
pub(super) type Key<T> = (&'static str, fn(&T) -> Option<Rank>);

/// The piece of a list that is asked for: `q sort order limit offset`. `texts` are what `q` is
/// looked for in. Without `sort` it is `default`, a key with an optional `-`; what ranks the same
/// stays in the order it came.
pub(super) fn list<T>(
    params: &Params,
    all: Vec<T>,
    keys: &[Key<T>],
    default: &str,
    texts: fn(&T) -> Vec<&str>,
) -> Result<Listed<T>> {
    let mut problems = FieldProblems::new();
    let (limit, offset) = list_query::window(params, &mut problems);
    let sorted_by = order(params, keys, default, &mut problems);
    problems.or(()).map_err(Error::invalid)?;
    let terms = params.get("q").unwrap_or_default();
    let terms: Vec<String> =
        terms.split_whitespace().map(|it| fold::fold(it).into_owned()).collect();
    let mut found = all;
    found.retain(|it| fits(&terms, &texts(it)));
    found.sort_by(|a, b| {
        let by_key = |((_, rank), descends): &(&Key<T>, bool)| compare(rank(a), rank(b), *descends);
        sorted_by.iter().map(by_key).find(|it| it.is_ne()).unwrap_or(Ordering::Equal)
    });
    let (first, descends) = sorted_by.first().map_or(("", false), |(key, down)| (key.0, *down));
    let total = found.len();
    let items: Vec<T> = found.into_iter().skip(offset).take(limit.unwrap_or(usize::MAX)).collect();
    let meta = ListMeta {
        total,
        limit: limit.unwrap_or(items.len()),
        offset,
        sort: first.to_string(),
        order: if descends { "desc" } else { "asc" },
    };
    Ok(Listed { items, meta })
}

/// The keys to sort by, each with whether it descends.
fn order<'k, T>(
    params: &Params,
    keys: &'k [Key<T>],
    default: &str,
    problems: &mut FieldProblems,
) -> Vec<(&'k Key<T>, bool)> {
    let all_descend = match params.get("order") {
        None | Some("asc") => false,
        Some("desc") => true,
        Some(_) => {
            problems.add("order", "This must be asc or desc.");
            false
        }
    };
    let mut found = Vec::new();
    for name in params.names("sort").unwrap_or_else(|| vec![default]) {
        let (name, minus) = name.strip_prefix('-').map_or((name, false), |it| (it, true));
        match keys.iter().find(|(it, _)| *it == name) {
            Some(key) if found.len() < keys.len() => found.push((key, minus || all_descend)),
            Some(_) => {}
            None => {
                let known: Vec<&str> = keys.iter().map(|(it, _)| *it).collect();
                problems.add("sort", format!("This can be one of: {}.", known.join(", ")));
            }
        }
    }
    found
}

/// What has no rank is last in either direction.
fn compare(a: Option<Rank>, b: Option<Rank>, descends: bool) -> Ordering {
    let missing = a.is_none().cmp(&b.is_none());
    missing.then_with(|| if descends { b.cmp(&a) } else { a.cmp(&b) })
}

fn fits(terms: &[String], texts: &[&str]) -> bool {
    let texts: Vec<_> = texts.iter().map(|it| fold::fold(it)).collect();
    terms.iter().all(|term| texts.iter().any(|it| it.contains(term.as_str())))
}

#[cfg(test)]
mod tests {
    use super::*;

    type Pair = (&'static str, Option<i64>);
    const KEYS: &[Key<Pair>] = &[
        ("name", |it| Rank::text(it.0)),
        ("age", |it| Rank::time(it.1.map(Timestamp::from_seconds))),
    ];

    #[test]
    fn pieces_of_a_list() {
        let check = |query: &str, expect: &str| {
            let all = vec![("b", Some(3)), ("Ä b", None), ("a", Some(7)), ("c", Some(3))];
            let params = Params::parse(query).unwrap();
            let found = match list(&params, all, KEYS, "name", |it| vec![it.0]) {
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
        check("sort=size", "one of: name, age");
        check("order=up", "asc or desc");
        check("limit=0", "limit");
    }
}
