//! The list grammar: what a query string asks of a content type.

use std::sync::Arc;

use crate::model::content_type::ContentType;
use crate::model::problem::FieldProblems;
use crate::query::field_ref::FieldRef;
use crate::query::filter::Filter;
use crate::query::filter::Operator;
use crate::query::include::Include;
use crate::query::order::Order;
use crate::query::order::SortKey;
use crate::query::params;
use crate::query::params::Params;
use crate::query::view::View;
use crate::stdx::fold::fold;

/// How many filters, values of one `in`, sort keys and search terms a query may have.
pub const FILTERS_MAX: usize = 32;
/// See [`FILTERS_MAX`].
pub const IN_VALUES_MAX: usize = 200;
/// See [`FILTERS_MAX`].
pub const SORT_KEYS_MAX: usize = 8;
/// See [`FILTERS_MAX`].
pub const TERMS_MAX: usize = 16;

/// What a list is asked for.
#[derive(Clone, Debug)]
pub struct ListQuery {
    /// At most this many entries; all without.
    pub limit: Option<usize>,
    /// Entries to skip.
    pub offset: usize,
    /// The order, and its first key as the answer names it.
    pub order: Order,
    /// The first sort key without its sign.
    pub sort: String,
    /// Terms that must all occur, folded.
    pub terms: Vec<String>,
    /// Tests that must all pass.
    pub filters: Vec<Filter>,
    /// What is done with the entries that are found.
    pub shape: Shape,
    /// Whether entries are counted by status.
    pub counts: bool,
    /// What was ignored.
    pub warnings: Vec<String>,
}

/// How entries are written, for lists and single entries alike.
#[derive(Clone, Debug, Default)]
pub struct Shape {
    /// The locale asked for.
    pub locale: Option<String>,
    /// Relations to expand.
    pub include: Arc<Include>,
    /// The data fields to write, by place; all without.
    pub fields: Option<Vec<usize>>,
    /// Whether the answer is indented.
    pub pretty: bool,
}

/// How lenient a parser is, and what it has to complain about.
struct Verdict {
    lenient: bool,
    problems: FieldProblems,
    warnings: Vec<String>,
}

impl Verdict {
    /// A mistake: an error, or a warning where the caller wants it so.
    fn mistake(&mut self, name: &str, message: impl Into<String>) {
        let message = message.into();
        if self.lenient {
            self.warnings.push(format!("{name}: {message}"));
        } else {
            self.problems.add(name, message);
        }
    }
}

impl Shape {
    /// Reads what a single entry is asked for, with warnings about what is ignored.
    pub fn parse(
        view: &View<'_>,
        ty: &ContentType,
        params: &Params,
    ) -> Result<(Shape, Vec<String>), FieldProblems> {
        let mut verdict =
            Verdict { lenient: true, problems: FieldProblems::new(), warnings: Vec::new() };
        let shape = shape(view, ty, params, &mut verdict);
        for (name, _) in params.iter() {
            let known = matches!(
                params::list_name(name),
                "locale" | "include" | "fields" | "pretty" | "lenient"
            );
            let warning = unknown(name);
            if !known && !verdict.warnings.contains(&warning) {
                verdict.warnings.push(warning);
            }
        }
        verdict.warnings.extend(params.repeats());
        finish(verdict.problems, (shape, verdict.warnings))
    }
}

impl ListQuery {
    /// Reads a query string for entries of `ty`. Every mistake is reported under its parameter.
    /// `limit_max` clamps limits, zero for none.
    pub fn parse(
        view: &View<'_>,
        ty: &ContentType,
        params: &Params,
        limit_max: usize,
    ) -> Result<ListQuery, FieldProblems> {
        let mut verdict = Verdict {
            lenient: params.flag("lenient"),
            problems: FieldProblems::new(),
            warnings: Vec::new(),
        };
        let limit = limit(params, &mut verdict.problems);
        let limit =
            if limit_max == 0 { limit } else { Some(limit.unwrap_or(limit_max).min(limit_max)) };
        let offset = offset(params, &mut verdict.problems);
        let (order, sort) = order(ty, params, &mut verdict);
        let filters = filters(ty, params, &mut verdict);
        let terms = terms(params, &mut verdict);
        let shape = shape(view, ty, params, &mut verdict);
        let counts = counts(params, &mut verdict);
        warn_of_unknown(params, &mut verdict);
        verdict.warnings.extend(params.repeats());
        let warnings = std::mem::take(&mut verdict.warnings);
        let query =
            ListQuery { limit, offset, order, sort, terms, filters, shape, counts, warnings };
        finish(verdict.problems, query)
    }

    /// Whether the first key descends.
    pub fn descends(&self) -> bool {
        self.order.keys.first().is_some_and(|it| it.descending)
    }
}

fn finish<T>(problems: FieldProblems, value: T) -> Result<T, FieldProblems> {
    if problems.is_empty() { Ok(value) } else { Err(problems) }
}

/// Reads `limit`: a whole number, 1 or more.
fn limit(params: &Params, problems: &mut FieldProblems) -> Option<usize> {
    let text = params.get("limit")?;
    match text.parse::<usize>() {
        Ok(number) if number >= 1 => return Some(number),
        _ => problems.add("limit", "This must be a whole number, 1 or more."),
    }
    None
}

fn offset(params: &Params, problems: &mut FieldProblems) -> usize {
    let Some(text) = params.get("offset") else { return 0 };
    text.parse().unwrap_or_else(|_| {
        problems.add("offset", "This must be a whole number, 0 or more.");
        0
    })
}

/// Reads `limit` and `offset` alone, for lists of other things than entries.
pub fn window(params: &Params, problems: &mut FieldProblems) -> (Option<usize>, usize) {
    (limit(params, problems), offset(params, problems))
}

fn order(ty: &ContentType, params: &Params, verdict: &mut Verdict) -> (Order, String) {
    let default = match params.get("order") {
        None | Some("") => None,
        Some("asc") => Some(false),
        Some("desc") => Some(true),
        Some(_) => {
            verdict.problems.add("order", "This must be `asc` or `desc`.");
            None
        }
    };
    let names = params.names("sort").unwrap_or_default();
    if names.len() > SORT_KEYS_MAX {
        verdict.mistake("sort", format!("There are more than {SORT_KEYS_MAX} sort keys."));
    }
    let mut keys = Vec::new();
    let mut first = None;
    for name in names.into_iter().take(SORT_KEYS_MAX) {
        let (plain, minus) = name.strip_prefix('-').map_or((name, false), |it| (it, true));
        let Some(field) = FieldRef::resolve(ty, plain) else {
            verdict.mistake("sort", format!("`{plain}` is no field of `{}`.", ty.name));
            continue;
        };
        first = first.or_else(|| Some(plain.to_string()));
        keys.push(SortKey { field, descending: minus || default.unwrap_or(false) });
    }
    if keys.is_empty() {
        keys.push(SortKey { field: FieldRef::CreatedAt, descending: default.unwrap_or(true) });
    }
    let key = format!("{keys:?}");
    (Order { keys, key }, first.unwrap_or_else(|| "created_at".to_string()))
}

fn terms(params: &Params, verdict: &mut Verdict) -> Vec<String> {
    let folded = fold(params.get("q").unwrap_or_default());
    let mut terms: Vec<String> = folded.split_whitespace().map(String::from).collect();
    terms.sort();
    terms.dedup();
    if terms.len() > TERMS_MAX {
        verdict.mistake("q", format!("There are more than {TERMS_MAX} search terms."));
        terms.truncate(TERMS_MAX);
    }
    terms
}

fn counts(params: &Params, verdict: &mut Verdict) -> bool {
    let names = params.names("counts").unwrap_or_default();
    if names.iter().any(|it| *it != "status") {
        verdict.mistake("counts", "Only `status` can be counted.");
        return false;
    }
    !names.is_empty()
}

/// The locale asked for, whether or not anything has it.
pub fn locale(params: &Params) -> Option<&str> {
    params.get("locale").filter(|it| !it.is_empty())
}

fn shape(view: &View<'_>, ty: &ContentType, params: &Params, verdict: &mut Verdict) -> Shape {
    let include = params.names("include").unwrap_or_default();
    let include = Arc::new(Include::parse(view, ty, &include, &mut verdict.warnings));
    let fields = params.names("fields").map(|names| {
        let named = |name: &str| {
            let place = ty.data_fields().position(|it| it.name.as_str() == name);
            if place.is_none() && !crate::model::content_type::is_top_level(name) {
                verdict.warnings.push(format!("fields: `{name}` is no field of `{}`.", ty.name));
            }
            place
        };
        let mut places: Vec<usize> = names.into_iter().filter_map(named).collect();
        places.sort_unstable();
        places.dedup();
        places
    });
    let locale = locale(params).map(String::from);
    if let Some(code) = locale.as_deref().filter(|it| ty.is_localized() && ty.lookup(it).is_none())
    {
        let message =
            format!("locale: `{code}` is no locale of `{}`, so this was ignored.", ty.name);
        verdict.warnings.push(message);
    }
    Shape { locale, include, fields, pretty: params.flag("pretty") }
}

/// A filter parameter taken apart.
struct Named<'p> {
    parameter: &'p str,
    field: &'p str,
    operator: &'p str,
    /// Whether it is written as one of several values, with commas that belong to it.
    is_item: bool,
}

/// Takes `filter[field]`, `filter[field][op]`, `filter[field][op][]` and `filter[field][op][0]`
/// apart.
fn filter_name(parameter: &str) -> Option<Named<'_>> {
    let inner = parameter.strip_prefix("filter[")?.strip_suffix(']')?;
    let (field, operator) = inner.split_once("][").unwrap_or((inner, "eq"));
    // `filter[x][in][]` repeats, with numbers or without, and so does `filter[x][]`, which means
    // `in`.
    let is_number = |it: &str| it.bytes().all(|it| it.is_ascii_digit());
    let (operator, is_item) = match operator.split_once("][") {
        Some((list, number)) if is_number(number) => (list, true),
        None if operator.is_empty() => ("in", true),
        _ => (operator, false),
    };
    Some(Named { parameter, field, operator, is_item })
}

fn filters(ty: &ContentType, params: &Params, verdict: &mut Verdict) -> Vec<Filter> {
    let mut grouped: Vec<(Named<'_>, Vec<String>)> = Vec::new();
    for (name, value) in params.iter().filter(|(name, _)| name.starts_with("filter")) {
        let Some(named) = filter_name(name) else {
            if name == "filter" || name.starts_with("filter[") {
                verdict.mistake(
                    name,
                    "A filter is written `filter[field]` or `filter[field][operator]`.",
                );
            }
            continue;
        };
        let list = matches!(named.operator, "in" | "nin");
        let same = |it: &&mut (Named<'_>, Vec<String>)| {
            it.0.field == named.field && it.0.operator == named.operator
        };
        let values = values_of(value, list, named.is_item);
        match grouped.iter_mut().find(same) {
            Some((_, known)) if list => known.extend(values),
            Some((_, known)) => {
                verdict.warnings.push(params::repeated(name));
                *known = values;
            }
            None => grouped.push((named, values)),
        }
    }
    if grouped.len() > FILTERS_MAX {
        verdict.problems.add("filter", format!("There are more than {FILTERS_MAX} filters."));
        return Vec::new();
    }
    grouped.into_iter().filter_map(|(named, values)| filter(ty, &named, &values, verdict)).collect()
}

/// A comma list where the operator takes one, unless the value is one of several by itself; an empty
/// text is an empty list.
fn values_of(value: &str, list: bool, is_item: bool) -> Vec<String> {
    if list && is_item {
        Some(value).filter(|it| !it.is_empty()).map(String::from).into_iter().collect()
    } else if list {
        value.split(',').filter(|it| !it.is_empty()).map(String::from).collect()
    } else {
        vec![value.to_string()]
    }
}

fn filter(
    ty: &ContentType,
    named: &Named<'_>,
    values: &[String],
    verdict: &mut Verdict,
) -> Option<Filter> {
    let Some(operator) = Operator::parse(named.operator) else {
        let known: Vec<&str> = Operator::ALL.iter().map(|(name, _)| *name).collect();
        let message =
            format!("`{}` is no operator; there are {}.", named.operator, known.join(", "));
        verdict.mistake(named.parameter, message);
        return None;
    };
    if values.len() > IN_VALUES_MAX {
        verdict.mistake(named.parameter, format!("There are more than {IN_VALUES_MAX} values."));
        return None;
    }
    match Filter::parse(ty, named.field, operator, values) {
        Ok(filter) => Some(filter),
        Err(message) => {
            verdict.mistake(named.parameter, message);
            None
        }
    }
}

fn warn_of_unknown(params: &Params, verdict: &mut Verdict) {
    const KNOWN: &[&str] = &[
        "limit", "offset", "sort", "order", "q", "include", "locale", "pretty", "lenient",
        "fields", "counts", "filter",
    ];
    for (name, _) in params.iter() {
        if !KNOWN.contains(&params::list_name(name)) && !name.starts_with("filter[") {
            let warning = unknown(name);
            if !verdict.warnings.contains(&warning) {
                verdict.warnings.push(warning);
            }
        }
    }
}

/// What is said of a parameter that means nothing here.
pub fn unknown(name: &str) -> String {
    format!("{name}: This parameter is not known here.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::tests::content_type;
    use crate::query::tests::index;
    use crate::query::tests::snapshot;
    use crate::query::view::Eyes;

    const POSTS: &str = r#"{"fields":{"n":{"type":"number"},"kind":{"type":"select"},
        "seo":{"type":"object","fields":{"n":{"type":"number"}}}}}"#;

    fn parse(query: &str) -> Result<ListQuery, FieldProblems> {
        let ty = content_type("posts", POSTS);
        let snapshot = snapshot(vec![index(&ty, &[])]);
        let view = View::new(&snapshot, Eyes::Anyone, None);
        ListQuery::parse(&view, &ty, &Params::parse(query).unwrap(), 0)
    }

    #[test]
    fn limits_and_offsets_are_whole_numbers() {
        let check = |query: &str, expect: Result<(Option<usize>, usize), &str>| {
            let got = parse(query);
            let got = got.as_ref().map(|it| (it.limit, it.offset));
            let got = got.map_err(|it| it.iter().next().map_or("", |(name, _)| name));
            assert_eq!(got, expect, "{query}");
        };
        check("", Ok((None, 0)));
        check("limit=3&offset=2", Ok((Some(3), 2)));
        check("limit=3&limit=4", Ok((Some(4), 0)));
        check("offset=0", Ok((None, 0)));
        for bad in ["limit=0", "limit=-1", "limit=", "limit=1.5", "limit=all", "limit=1e3"] {
            check(bad, Err("limit"));
        }
        for bad in ["offset=-1", "offset=", "offset=x", "lenient=1&offset=99999999999999999999"] {
            check(bad, Err("offset"));
        }
    }

    #[test]
    fn a_most_is_held() {
        let ty = content_type("posts", POSTS);
        let snapshot = snapshot(vec![index(&ty, &[])]);
        let view = View::new(&snapshot, Eyes::Anyone, None);
        let check = |query: &str, expect: usize| {
            let params = Params::parse(query).unwrap();
            let limit = ListQuery::parse(&view, &ty, &params, 10).unwrap().limit;
            assert_eq!(limit, Some(expect), "{query}");
        };
        check("", 10);
        check("limit=5", 5);
        check("limit=500", 10);
    }

    #[test]
    fn sort_keys_and_their_directions() {
        let check = |query: &str, expect: &[(&str, bool)], named: (&str, bool)| {
            let got = parse(query).unwrap();
            let keys: Vec<(String, bool)> = got
                .order
                .keys
                .iter()
                .map(|it| (format!("{:?}", it.field), it.descending))
                .collect();
            let ty = content_type("posts", POSTS);
            let expect: Vec<(String, bool)> = expect
                .iter()
                .map(|(name, down)| (format!("{:?}", FieldRef::resolve(&ty, name).unwrap()), *down))
                .collect();
            assert_eq!((keys, (got.sort.as_str(), got.descends())), (expect, named), "{query}");
        };
        check("", &[("created_at", true)], ("created_at", true));
        check("order=asc", &[("created_at", false)], ("created_at", false));
        check("sort=title", &[("title", false)], ("title", false));
        check("sort=-title", &[("title", true)], ("title", true));
        check("sort=-title&order=asc", &[("title", true)], ("title", true));
        check("sort=n,-title&order=desc", &[("n", true), ("title", true)], ("n", true));
        check("sort=n,-seo.n", &[("n", false), ("seo.n", true)], ("n", false));
        check("sort=n&sort[]=-title", &[("n", false), ("title", true)], ("n", false));
        check("sort=, n ,&order=", &[("n", false)], ("n", false));
        check("sort=nope&lenient=1", &[("created_at", true)], ("created_at", true));
        check("sort=nope,n&lenient=1", &[("n", false)], ("n", false));
    }

    #[test]
    fn mistakes_are_told_all_at_once() {
        let check = |query: &str, expect: &[&str]| {
            let problems = parse(query).map(|_| ()).unwrap_err();
            let names: Vec<&str> = problems.iter().map(|(name, _)| name).collect();
            assert_eq!(names, expect, "{query}");
        };
        check("sort=nope", &["sort"]);
        check("order=up", &["order"]);
        check("order=up&lenient=1", &["order"]);
        check("counts=kind", &["counts"]);
        check("filter[nope]=1", &["filter[nope]"]);
        check("filter[n][like]=1", &["filter[n][like]"]);
        check("filter[n]=one", &["filter[n]"]);
        check("filter[n][gt][lt]=1", &["filter[n][gt][lt]"]);
        check("filter=1", &["filter"]);
        check("filter[n=1", &["filter[n"]);
        check("sort=n,n,n,n,n,n,n,n,n", &["sort"]);
        check("limit=0&filter[n]=x", &["limit", "filter[n]"]);
        let terms: Vec<String> = (0..17).map(|it| format!("t{it}")).collect();
        check(&format!("q={}", terms.join("+")), &["q"]);
        let values: Vec<String> = (0..201).map(|it| it.to_string()).collect();
        check(&format!("filter[n][in]={}", values.join(",")), &["filter[n][in]"]);
    }

    #[test]
    fn lenient_queries_are_warned_instead() {
        let check = |query: &str, filters: usize, warnings: usize| {
            let got = parse(query).unwrap();
            assert_eq!((got.filters.len(), got.warnings.len()), (filters, warnings), "{query}");
        };
        check("filter[nope]=1&filter[n]=1&lenient=1", 1, 1);
        check("filter[n]=one&sort=nope&lenient", 0, 2);
        check("unknown=1", 0, 1);
        check("unknown=1&limit=3&offset=0&sort=n&order=asc&q=x&pretty=1", 0, 1);
        check("include=nope", 0, 1);
        check("fields=n,title,nope", 0, 1);
        check("filters=1", 0, 1);
        check("limit=1&limit=2&limit=3&q=a&q=b", 0, 2);
        check("filter[n]=1&filter[n][eq]=2", 1, 1);
        check("filter[n][in]=1&filter[n][in]=2&sort=n&sort=title&fields=n&fields[]=kind", 1, 0);
    }

    #[test]
    fn filters_as_they_are_written() {
        let check = |query: &str, operator: Operator, operands: usize| {
            let got = parse(query).unwrap();
            assert_eq!(got.filters.len(), 1, "{query}");
            let filter = &got.filters[0];
            assert_eq!((filter.operator, filter.operands.len()), (operator, operands), "{query}");
        };
        check("filter[n]=1", Operator::Eq, 1);
        check("filter%5Bn%5D=1", Operator::Eq, 1);
        check("filter[n][eq]=1", Operator::Eq, 1);
        check("filter[n]=1&filter[n]=2", Operator::Eq, 1);
        check("filter[n][in]=1,2,3", Operator::In, 3);
        check("filter[n][in][]=1&filter[n][in][]=2", Operator::In, 2);
        check("filter[n][]=1&filter[n][]=2", Operator::In, 2);
        check("filter[n][in]=1,2&filter[n][in][]=3", Operator::In, 3);
        check("filter[kind][in]=a,b", Operator::In, 2);
        check("filter[kind][in][]=a,b", Operator::In, 1);
        check("filter[kind][in][0]=a,b&filter[kind][in][1]=c", Operator::In, 2);
        check("filter[kind][]=a,b", Operator::In, 1);
        check("filter[kind][nin][]=a,b&filter[kind][nin]=c,d", Operator::Nin, 3);
        check("filter[n][in][]=", Operator::In, 0);
        check("filter[n][in]=", Operator::In, 0);
        check("filter[n][nin]=1", Operator::Nin, 1);
        check("filter[seo.n][gte]=1", Operator::Gte, 1);
        check("filter[kind]=a,b", Operator::Eq, 1);
        let two = parse("filter[n][gt]=1&filter[n][lt]=5").unwrap();
        assert_eq!(two.filters.len(), 2);
    }

    #[test]
    fn terms_are_folded_and_counted_once() {
        let check = |query: &str, expect: &[&str]| {
            assert_eq!(parse(query).unwrap().terms, expect, "{query}");
        };
        check("q=", &[]);
        check("q=++", &[]);
        check("q=Stra%C3%9Fe+%C3%9Cber", &["strasse", "uber"]);
        check("q=a+b+A", &["a", "b"]);
    }

    #[test]
    fn keys_tell_filters_and_orders_apart() {
        let key = |query: &str| {
            let got = parse(query).unwrap();
            (got.order.key.clone(), got.filters.first().map(|it| it.key.clone()))
        };
        for (one, two) in [
            ("filter[n]=1", "filter[n]=2"),
            ("filter[n]=1", "filter[n][ne]=1"),
            ("filter[n]=1", "filter[seo.n]=1"),
            ("filter[kind][in]=a,b", "filter[kind][in]=ab"),
            ("sort=n", "sort=-n"),
            ("sort=n", "sort=seo.n"),
            ("sort=n,title", "sort=title,n"),
        ] {
            assert_ne!(key(one), key(two), "{one} {two}");
        }
        assert_eq!(key("filter[n]=1.0&sort=n"), key("filter[n]=1&sort=n&order=asc"));
    }
}
