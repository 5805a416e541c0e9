//! The list grammar: what a query string asks of a content type.

use crate::model::content_type::ContentType;
use crate::model::problem::FieldProblems;
use crate::query::field_ref::FieldRef;
use crate::query::filter::Filter;
use crate::query::filter::Operator;
use crate::query::include::Include;
use crate::query::order::Order;
use crate::query::order::SortKey;
use crate::query::params::Params;
use crate::query::snapshot::Snapshot;
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
    pub include: Include,
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
        snapshot: &Snapshot,
        ty: &ContentType,
        params: &Params,
    ) -> Result<(Shape, Vec<String>), FieldProblems> {
        let mut verdict =
            Verdict { lenient: true, problems: FieldProblems::new(), warnings: Vec::new() };
        let shape = shape(snapshot, ty, params, &mut verdict);
        for (name, _) in params.iter() {
            if !matches!(name, "locale" | "include" | "fields" | "pretty" | "lenient") {
                verdict.warnings.push(format!("{name}: This parameter is not known here."));
            }
        }
        finish(verdict.problems, (shape, verdict.warnings))
    }
}

impl ListQuery {
    /// Reads a query string for entries of `ty`. Every mistake is reported under its parameter.
    /// `limit_max` clamps limits, zero for none.
    pub fn parse(
        snapshot: &Snapshot,
        ty: &ContentType,
        params: &Params,
        limit_max: usize,
    ) -> Result<ListQuery, FieldProblems> {
        let mut verdict = Verdict {
            lenient: params.flag("lenient"),
            problems: FieldProblems::new(),
            warnings: Vec::new(),
        };
        let limit = limit(params, &mut verdict);
        let limit =
            if limit_max == 0 { limit } else { Some(limit.unwrap_or(limit_max).min(limit_max)) };
        let offset = offset(params, &mut verdict);
        let (order, sort) = order(ty, params, &mut verdict);
        let filters = filters(ty, params, &mut verdict);
        let terms = terms(params, &mut verdict);
        let shape = shape(snapshot, ty, params, &mut verdict);
        let counts = counts(params, &mut verdict);
        warn_of_unknown(params, &mut verdict);
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
fn limit(params: &Params, verdict: &mut Verdict) -> Option<usize> {
    let text = params.get("limit")?;
    match text.parse::<usize>() {
        Ok(number) if number >= 1 => return Some(number),
        _ => verdict.problems.add("limit", "This must be a whole number, 1 or more."),
    }
    None
}

fn offset(params: &Params, verdict: &mut Verdict) -> usize {
    let Some(text) = params.get("offset") else { return 0 };
    text.parse().unwrap_or_else(|_| {
        verdict.problems.add("offset", "This must be a whole number, 0 or more.");
        0
    })
}

/// Reads `limit` and `offset` alone, for lists of other things than entries.
pub fn window(params: &Params) -> Result<(Option<usize>, usize), FieldProblems> {
    let mut verdict =
        Verdict { lenient: false, problems: FieldProblems::new(), warnings: Vec::new() };
    let window = (limit(params, &mut verdict), offset(params, &mut verdict));
    finish(verdict.problems, window)
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
    let given = params.get("sort").unwrap_or_default();
    let names: Vec<&str> = given.split(',').map(str::trim).filter(|it| !it.is_empty()).collect();
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
        let veiled = field.holds_relations(ty);
        keys.push(SortKey { field, descending: minus || default.unwrap_or(false), veiled });
    }
    if keys.is_empty() {
        let descending = default.unwrap_or(true);
        keys.push(SortKey { field: FieldRef::CreatedAt, descending, veiled: false });
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
    match params.get("counts") {
        None | Some("") => false,
        Some("status") => true,
        Some(_) => {
            verdict.mistake("counts", "Only `status` can be counted.");
            false
        }
    }
}

fn shape(snapshot: &Snapshot, ty: &ContentType, params: &Params, verdict: &mut Verdict) -> Shape {
    let include = params.get("include").unwrap_or_default();
    let include = Include::parse(snapshot, ty, include, &mut verdict.warnings);
    let fields = params.get("fields").filter(|it| !it.is_empty()).map(|text| {
        let named = |name: &str| {
            let place = ty.data_fields().position(|it| it.name.as_str() == name);
            if place.is_none() && !crate::model::content_type::is_top_level(name) {
                verdict.warnings.push(format!("fields: `{name}` is no field of `{}`.", ty.name));
            }
            place
        };
        let mut places: Vec<usize> = text.split(',').map(str::trim).filter_map(named).collect();
        places.sort_unstable();
        places.dedup();
        places
    });
    let locale = params.get("locale").filter(|it| !it.is_empty()).map(String::from);
    Shape { locale, include, fields, pretty: params.flag("pretty") }
}

/// A filter parameter taken apart.
struct Named<'p> {
    parameter: &'p str,
    field: &'p str,
    operator: &'p str,
}

/// Takes `filter[field]`, `filter[field][op]`, `filter[field][op][]` and `filter[field][op][0]`
/// apart.
fn filter_name(parameter: &str) -> Option<Named<'_>> {
    let inner = parameter.strip_prefix("filter[")?.strip_suffix(']')?;
    let (field, operator) = inner.split_once("][").unwrap_or((inner, "eq"));
    // `filter[x][in][]` repeats, with numbers or without, and so does `filter[x][]`, which means
    // `in`.
    let is_number = |it: &str| it.bytes().all(|it| it.is_ascii_digit());
    let operator = match operator.split_once("][") {
        Some((list, number)) if is_number(number) => list,
        None if operator.is_empty() => "in",
        _ => operator,
    };
    Some(Named { parameter, field, operator })
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
        let values = values_of(value, list);
        match grouped.iter_mut().find(same) {
            Some((_, known)) if list => known.extend(values),
            Some((_, known)) => *known = values,
            None => grouped.push((named, values)),
        }
    }
    if grouped.len() > FILTERS_MAX {
        verdict.problems.add("filter", format!("There are more than {FILTERS_MAX} filters."));
        return Vec::new();
    }
    grouped.into_iter().filter_map(|(named, values)| filter(ty, &named, &values, verdict)).collect()
}

/// A comma list where the operator takes one; an empty text is an empty list.
fn values_of(value: &str, list: bool) -> Vec<String> {
    if list {
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
        if !KNOWN.contains(&name) && !name.starts_with("filter[") {
            let warning = format!("{name}: This parameter is not known here.");
            if !verdict.warnings.contains(&warning) {
                verdict.warnings.push(warning);
            }
        }
    }
}
