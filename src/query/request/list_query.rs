//! The query string of a list of entries.

use std::sync::Arc;

use crate::model::content_type::ContentType;
use crate::model::input::wording;
use crate::model::problem::FieldProblems;
use crate::query::execute::view::View;
use crate::query::request::field_ref::FieldRef;
use crate::query::request::filter::Filter;
use crate::query::request::filter::Operator;
use crate::query::request::include::Include;
use crate::query::request::params;
use crate::query::request::params::QueryParams;
use crate::query::request::sort_order::SortKey;
use crate::query::request::sort_order::SortOrder;
use crate::stdx::fold::fold_text;

/// The most filters of a query.
pub const FILTERS_MAX: usize = 32;
/// The most values of one `in` filter.
pub const IN_VALUES_MAX: usize = 200;
/// The most sort keys of a query.
pub const SORT_KEYS_MAX: usize = 8;
/// The most search terms of a query.
pub const TERMS_MAX: usize = 16;

/// A parsed list query.
#[derive(Clone, Debug)]
pub struct ListQuery {
    /// The most entries to return; `None` for all.
    pub limit: Option<usize>,
    /// The number of entries to skip.
    pub offset: usize,
    /// The order of the entries.
    pub order: SortOrder,
    /// The name of the first sort key, without its sign, as the response repeats it.
    pub sort: String,
    /// Case-folded terms that must all occur.
    pub terms: Vec<String>,
    /// Filters that must all pass.
    pub filters: Vec<Filter>,
    /// The form in which entries are written.
    pub shape: Shape,
    /// True if entries are counted by status.
    pub counts: bool,
    /// Warnings about ignored parameters.
    pub warnings: Vec<String>,
}

/// The form in which entries are written, for lists and single entries alike.
#[derive(Clone, Debug, Default)]
pub struct Shape {
    /// The requested locale.
    pub locale: Option<String>,
    /// The relations to expand.
    pub include: Arc<Include>,
    /// The positions of the data fields to write; `None` for all.
    pub fields: Option<Vec<usize>>,
    /// The names of data fields that are read only for the texts about pictures, and not shown.
    pub read_along: Arc<Vec<String>>,
    /// True if media are shown as items instead of URLs.
    pub full_media: bool,
    /// True if the HTML of Markdown is added.
    pub html: bool,
    /// True if the response is indented.
    pub pretty: bool,
}

/// The problems and warnings of a parser, and its leniency.
#[derive(Default)]
struct ParseDiagnostics {
    lenient: bool,
    problems: FieldProblems,
    warnings: Vec<String>,
}

impl ParseDiagnostics {
    /// Reports a mistake: an error, or a warning if the caller asked for leniency.
    fn report_mistake(&mut self, name: &str, message: impl Into<String>) {
        let message = message.into();
        if self.lenient {
            self.warnings.push(format!("{name}: {message}"));
        } else {
            self.problems.add(name, message);
        }
    }
}

/// The value of `media` for items.
const FULL: &str = "full";

/// The value of `render` for HTML.
const HTML: &str = "html";

impl Shape {
    /// Returns true if entries are shown otherwise than they are kept.
    pub fn is_rewritten(&self) -> bool {
        self.full_media || self.html
    }

    /// Adds the fields with the texts about pictures to the fields of the request.
    fn read_picture_texts(&mut self, ty: &ContentType) {
        let Some(places) = &mut self.fields else { return };
        let asked = places.clone();
        let mut names = Vec::new();
        for (_, field) in ty.data_fields().enumerate().filter(|(place, _)| asked.contains(place)) {
            let Some(texts) = field.kind.picture_text_fields() else { continue };
            texts.visit_names(&mut |name| {
                let place = ty.data_fields().position(|it| it.name.as_str() == name);
                if let Some(place) = place.filter(|it| !asked.contains(it)) {
                    places.push(place);
                    names.push(name.to_string());
                }
            });
        }
        places.sort_unstable();
        self.read_along = Arc::new(names);
    }

    /// Parses the parameters of a single entry. Returns warnings about ignored ones.
    pub fn parse(
        view: &View<'_>,
        ty: &ContentType,
        params: &QueryParams,
    ) -> Result<(Shape, Vec<String>), FieldProblems> {
        if params.is_empty() {
            return Ok(Default::default());
        }
        let mut diagnostics = ParseDiagnostics { lenient: true, ..Default::default() };
        let shape = parse_shape(view, ty, params, &mut diagnostics);
        for (name, _) in params.iter() {
            let known = matches!(
                params::list_name(name),
                "locale"
                    | "include"
                    | "fields"
                    | "pretty"
                    | "lenient"
                    | "change"
                    | "preview"
                    | "at"
                    | "media"
                    | "render"
            );
            let warning = describe_unknown(name);
            if !known && !diagnostics.warnings.contains(&warning) {
                diagnostics.warnings.push(warning);
            }
        }
        diagnostics.warnings.extend(params.describe_repeats());
        check_problems(diagnostics.problems, (shape, diagnostics.warnings))
    }
}

impl ListQuery {
    /// Parses a query string for entries of `ty`. Every mistake is reported under its parameter.
    /// `limit_max` is the largest limit, 0 for none.
    pub fn parse(
        view: &View<'_>,
        ty: &ContentType,
        params: &QueryParams,
        limit_max: usize,
    ) -> Result<ListQuery, FieldProblems> {
        let mut diagnostics = ParseDiagnostics::default();
        diagnostics.lenient = params.parse_flag("lenient", &mut diagnostics.problems);
        let limit = clamp_limit(parse_limit(params, &mut diagnostics.problems), limit_max);
        let offset = parse_offset(params, &mut diagnostics.problems);
        let (order, sort) = parse_order(ty, params, &mut diagnostics);
        let filters = parse_filters(ty, params, &mut diagnostics);
        let terms = parse_terms(params, &mut diagnostics);
        let shape = parse_shape(view, ty, params, &mut diagnostics);
        let counts = parse_counts(params, &mut diagnostics);
        warn_unknown(params, &mut diagnostics);
        diagnostics.warnings.extend(params.describe_repeats());
        let warnings = std::mem::take(&mut diagnostics.warnings);
        let query =
            ListQuery { limit, offset, order, sort, terms, filters, shape, counts, warnings };
        check_problems(diagnostics.problems, query)
    }

    /// Returns true if the first key is descending.
    pub fn is_descending(&self) -> bool {
        self.order.keys.first().is_some_and(|it| it.descending)
    }
}

/// Returns the problems of the parameters that can be checked without entries and a reader.
pub(super) fn check_for_type(ty: &ContentType, params: &QueryParams) -> FieldProblems {
    let mut diagnostics = ParseDiagnostics::default();
    parse_order(ty, params, &mut diagnostics);
    parse_filters(ty, params, &mut diagnostics);
    parse_terms(params, &mut diagnostics);
    parse_form(params, &mut diagnostics);
    diagnostics.problems
}

fn check_problems<T>(problems: FieldProblems, value: T) -> Result<T, FieldProblems> {
    if problems.is_empty() { Ok(value) } else { Err(problems) }
}

/// Parses `limit`: a whole number, 1 or more.
fn parse_limit(params: &QueryParams, problems: &mut FieldProblems) -> Option<usize> {
    let text = params.get("limit")?;
    match text.parse::<usize>() {
        Ok(number) if number >= 1 => return Some(number),
        _ => problems.add("limit", wording::not_count(text, 1)),
    }
    None
}

fn parse_offset(params: &QueryParams, problems: &mut FieldProblems) -> usize {
    let Some(text) = params.get("offset") else { return 0 };
    text.parse().unwrap_or_else(|_| {
        problems.add("offset", wording::not_count(text, 0));
        0
    })
}

/// Reduces a limit to the largest one; `limit_max` is 0 if there is none.
pub fn clamp_limit(limit: Option<usize>, limit_max: usize) -> Option<usize> {
    if limit_max == 0 { limit } else { Some(limit.unwrap_or(limit_max).min(limit_max)) }
}

/// Parses only `limit` and `offset`, for lists of other things than entries.
pub fn parse_window(params: &QueryParams, problems: &mut FieldProblems) -> (Option<usize>, usize) {
    (parse_limit(params, problems), parse_offset(params, problems))
}

fn parse_order(
    ty: &ContentType,
    params: &QueryParams,
    diagnostics: &mut ParseDiagnostics,
) -> (SortOrder, String) {
    let default = match params.get("order") {
        None => None,
        Some("asc") => Some(false),
        Some("desc") => Some(true),
        Some(_) => {
            diagnostics.problems.add("order", wording::not_one_of(["asc", "desc"]));
            None
        }
    };
    let names = params.list_names("sort").unwrap_or_default();
    if names.len() > SORT_KEYS_MAX {
        diagnostics
            .report_mistake("sort", format!("There are more than {SORT_KEYS_MAX} sort keys."));
    }
    let mut keys = Vec::new();
    let mut key = String::new();
    let mut first = None;
    for name in names.into_iter().take(SORT_KEYS_MAX) {
        let (plain, minus) = name.strip_prefix('-').map_or((name, false), |it| (it, true));
        let Some(field) = FieldRef::resolve(ty, plain) else {
            diagnostics
                .report_mistake("sort", format!("`{plain}` is not a field of `{}`.", ty.name));
            continue;
        };
        first = first.or_else(|| Some(plain.to_string()));
        add_sort_key(&mut keys, &mut key, plain, field, minus || default.unwrap_or(false));
    }
    if keys.is_empty() {
        let descending = default.unwrap_or(true);
        add_sort_key(&mut keys, &mut key, "created_at", FieldRef::CreatedAt, descending);
    }
    (SortOrder { keys, key }, first.unwrap_or_else(|| "created_at".to_string()))
}

/// Adds a sort key, and what identifies it to `key`.
fn add_sort_key(
    keys: &mut Vec<SortKey>,
    key: &mut String,
    name: &str,
    field: FieldRef,
    descending: bool,
) {
    key.push(if descending { '-' } else { '+' });
    key.push_str(name);
    // No name has a comma: it would be two.
    key.push(',');
    keys.push(SortKey { field, descending });
}

fn parse_terms(params: &QueryParams, diagnostics: &mut ParseDiagnostics) -> Vec<String> {
    let folded = fold_text(params.get("q").unwrap_or_default());
    let mut terms: Vec<String> = folded.split_whitespace().map(String::from).collect();
    terms.sort();
    terms.dedup();
    if terms.len() > TERMS_MAX {
        diagnostics.report_mistake("q", format!("There are more than {TERMS_MAX} search terms."));
        terms.truncate(TERMS_MAX);
    }
    terms
}

fn parse_counts(params: &QueryParams, diagnostics: &mut ParseDiagnostics) -> bool {
    let names = params.list_names("counts").unwrap_or_default();
    if names.iter().any(|it| *it != "status") {
        diagnostics.report_mistake("counts", "Only `status` can be counted.");
        return false;
    }
    !names.is_empty()
}

/// Returns the requested locale, even if no type has it.
pub fn requested_locale(params: &QueryParams) -> Option<&str> {
    params.get("locale").filter(|it| !it.is_empty())
}

fn parse_shape(
    view: &View<'_>,
    ty: &ContentType,
    params: &QueryParams,
    diagnostics: &mut ParseDiagnostics,
) -> Shape {
    let include = params.list_names("include").unwrap_or_default();
    let include = Arc::new(Include::parse(view, ty, &include, &mut diagnostics.warnings));
    let fields = params.list_names("fields").map(|names| {
        let named = |name: &str| {
            let place = ty.data_fields().position(|it| it.name.as_str() == name);
            if place.is_none() && !crate::model::content_type::is_top_level(name) {
                diagnostics
                    .warnings
                    .push(format!("fields: `{name}` is not a field of `{}`.", ty.name));
            }
            place
        };
        let mut places: Vec<usize> = names.into_iter().filter_map(named).collect();
        places.sort_unstable();
        places.dedup();
        places
    });
    let locale = requested_locale(params).map(String::from);
    let unknown_locale = locale.as_deref().and_then(|it| describe_unknown_locale(ty, it));
    diagnostics.warnings.extend(unknown_locale);
    let (full_media, html) = parse_form(params, diagnostics);
    let pretty = params.get_flag("pretty");
    let read_along = Arc::default();
    let mut shape = Shape { locale, include, fields, read_along, full_media, html, pretty };
    if full_media {
        shape.read_picture_texts(ty);
    }
    shape
}

/// Returns true for media items, and true for the HTML of Markdown.
fn parse_form(params: &QueryParams, diagnostics: &mut ParseDiagnostics) -> (bool, bool) {
    let mut report = |name: &str, message: String| diagnostics.report_mistake(name, message);
    (asks_for_full_media(params, &mut report), is_asked(params, "render", HTML, &mut report))
}

/// Returns true if a request asks for media items, and calls `report` if it asks for something
/// else.
pub fn asks_for_full_media(params: &QueryParams, report: &mut dyn FnMut(&str, String)) -> bool {
    is_asked(params, "media", FULL, report)
}

/// Returns true if a parameter has its only value.
fn is_asked(
    params: &QueryParams,
    name: &str,
    value: &'static str,
    report: &mut dyn FnMut(&str, String),
) -> bool {
    let given = params.get(name).filter(|it| !it.is_empty());
    if given.is_some_and(|it| it != value) {
        report(name, wording::not_one_of([value]));
    }
    given == Some(value)
}

/// A parsed filter parameter.
struct FilterParam<'p> {
    parameter: &'p str,
    field: &'p str,
    operator: &'p str,
    /// True if the parameter is repeated for each value; commas then belong to the value.
    is_item: bool,
}

/// Parses `filter[field]`, `filter[field][op]`, `filter[field][op][]` and `filter[field][op][0]`.
fn parse_filter_name(parameter: &str) -> Option<FilterParam<'_>> {
    let inner = parameter.strip_prefix("filter[")?.strip_suffix(']')?;
    let (field, operator) = inner.split_once("][").unwrap_or((inner, "eq"));
    // `filter[x][in][]` repeats, with or without an index. So does `filter[x][]`, which means `in`.
    let is_number = |it: &str| it.bytes().all(|it| it.is_ascii_digit());
    let (operator, is_item) = match operator.split_once("][") {
        Some((list, number)) if is_number(number) => (list, true),
        None if operator.is_empty() => ("in", true),
        _ => (operator, false),
    };
    Some(FilterParam { parameter, field, operator, is_item })
}

fn parse_filters(
    ty: &ContentType,
    params: &QueryParams,
    diagnostics: &mut ParseDiagnostics,
) -> Vec<Filter> {
    let mut grouped: Vec<(FilterParam<'_>, Vec<String>)> = Vec::new();
    for (name, value) in params.iter().filter(|(name, _)| name.starts_with("filter")) {
        let Some(named) = parse_filter_name(name) else {
            if name == "filter" || name.starts_with("filter[") {
                diagnostics.report_mistake(
                    name,
                    "A filter is written `filter[field]` or `filter[field][operator]`.",
                );
            }
            continue;
        };
        let list = matches!(named.operator, "in" | "nin");
        let same = |it: &&mut (FilterParam<'_>, Vec<String>)| {
            it.0.field == named.field && it.0.operator == named.operator
        };
        let values = split_values(value, list, named.is_item);
        match grouped.iter_mut().find(same) {
            Some((_, known)) if list => known.extend(values),
            Some((_, known)) => {
                let warning = params::describe_repeated(name);
                if !diagnostics.warnings.contains(&warning) {
                    diagnostics.warnings.push(warning);
                }
                *known = values;
            }
            None => grouped.push((named, values)),
        }
    }
    if grouped.len() > FILTERS_MAX {
        diagnostics.problems.add("filter", format!("There are more than {FILTERS_MAX} filters."));
        return Vec::new();
    }
    grouped
        .into_iter()
        .filter_map(|(named, values)| parse_filter(ty, &named, &values, diagnostics))
        .collect()
}

/// Splits a value at commas if the operator takes a list, unless the parameter is repeated for each
/// value. Empty text is an empty list.
fn split_values(value: &str, list: bool, is_item: bool) -> Vec<String> {
    if list && is_item {
        Some(value).filter(|it| !it.is_empty()).map(String::from).into_iter().collect()
    } else if list {
        value.split(',').filter(|it| !it.is_empty()).map(String::from).collect()
    } else {
        vec![value.to_string()]
    }
}

fn parse_filter(
    ty: &ContentType,
    named: &FilterParam<'_>,
    values: &[String],
    diagnostics: &mut ParseDiagnostics,
) -> Option<Filter> {
    let Some(operator) = Operator::parse(named.operator) else {
        let known: Vec<&str> = Operator::ALL.iter().map(|(name, _)| *name).collect();
        let message = format!(
            "`{}` is not an operator; the operators are {}.",
            named.operator,
            known.join(", ")
        );
        diagnostics.report_mistake(named.parameter, message);
        return None;
    };
    if values.len() > IN_VALUES_MAX {
        diagnostics.report_mistake(
            named.parameter,
            format!("There are more than {IN_VALUES_MAX} values."),
        );
        return None;
    }
    match Filter::parse(ty, named.field, operator, values) {
        Ok(filter) => Some(filter),
        Err(message) => {
            diagnostics.report_mistake(named.parameter, message);
            None
        }
    }
}

fn warn_unknown(params: &QueryParams, diagnostics: &mut ParseDiagnostics) {
    const KNOWN: &[&str] = &[
        "limit", "offset", "sort", "order", "q", "include", "locale", "pretty", "lenient",
        "fields", "counts", "filter", "change", "preview", "at", "media", "render",
    ];
    for (name, _) in params.iter() {
        if !KNOWN.contains(&params::list_name(name)) && !name.starts_with("filter[") {
            let warning = describe_unknown(name);
            if !diagnostics.warnings.contains(&warning) {
                diagnostics.warnings.push(warning);
            }
        }
    }
}

/// Returns the warning about a locale that the entries of a type do not have.
pub fn describe_unknown_locale(ty: &ContentType, code: &str) -> Option<String> {
    let is_unknown = ty.is_localized() && ty.match_locale(code).is_none();
    let name = &ty.name;
    let warn = || format!("locale: `{code}` is not a locale of `{name}`, so this was ignored.");
    is_unknown.then(warn)
}

/// Returns the warning about an unknown parameter.
pub fn describe_unknown(name: &str) -> String {
    format!("{name}: This parameter is not known here.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::execute::view::Viewer;
    use crate::query::tests::content_type;
    use crate::query::tests::index;
    use crate::query::tests::snapshot;

    const POSTS: &str = r#"{"fields":{"n":{"type":"number"},"kind":{"type":"select"},
        "seo":{"type":"object","fields":{"n":{"type":"number"}}}}}"#;

    fn parse(query: &str) -> Result<ListQuery, FieldProblems> {
        let ty = content_type("posts", POSTS);
        let snapshot = snapshot(vec![index(&ty, &[])]);
        let view = View::new(&snapshot, Viewer::Anyone, None);
        ListQuery::parse(&view, &ty, &QueryParams::parse(query).unwrap(), 0)
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
        let view = View::new(&snapshot, Viewer::Anyone, None);
        let check = |query: &str, expect: usize| {
            let params = QueryParams::parse(query).unwrap();
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
            assert_eq!(
                (keys, (got.sort.as_str(), got.is_descending())),
                (expect, named),
                "{query}"
            );
        };
        check("", &[("created_at", true)], ("created_at", true));
        check("order=asc", &[("created_at", false)], ("created_at", false));
        check("sort=title", &[("title", false)], ("title", false));
        check("sort=-title", &[("title", true)], ("title", true));
        check("sort=-title&order=asc", &[("title", true)], ("title", true));
        check("sort=n,-title&order=desc", &[("n", true), ("title", true)], ("n", true));
        check("sort=n,-seo.n", &[("n", false), ("seo.n", true)], ("n", false));
        check("sort=n&sort[]=-title", &[("n", false), ("title", true)], ("n", false));
        check("sort=, n ,", &[("n", false)], ("n", false));
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
        check("order=", &["order"]);
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
        check("filter[n]=1&filter[n]=2&filter[n]=3", 1, 1);
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
