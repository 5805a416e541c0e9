//! The search box: entries of all types, media and content types, as far as the caller may read
//! them.
//!
//! Entries come in tiers: those whose title starts with the text, those with the text in the title,
//! in the slug, and anywhere. A later tier fills only what the earlier ones left open, so that a
//! common letter costs no more than a rare word.

use schemars::JsonSchema;
use std::collections::HashSet;

use serde::Serialize;

use crate::app::App;
use crate::app::access::Caller;
use crate::app::content::entries::EffortResult;
use crate::app::content::search_match;
use crate::app::content::search_match::SearchMatch;
use crate::app::content::search_match::SearchWords;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::media;
use crate::app::media::MediaView;
use crate::app::system::dashboard::EntryBrief;
use crate::model::entry::EntryStatus;
use crate::model::input::wording;
use crate::model::media::MediaItem;
use crate::model::problem::FieldProblems;
use crate::query::execute::executor;
use crate::query::execute::executor::Effort;
use crate::query::execute::executor::NeedsEffort;
use crate::query::execute::view::EntryVisibility;
use crate::query::execute::view::View;
use crate::query::index::snapshot::Snapshot;
use crate::query::index::type_index::Ordinal;
use crate::query::index::type_index::TypeIndex;
use crate::query::request::filter::Filter;
use crate::query::request::filter::Operator;
use crate::query::request::list_query::ListQuery;
use crate::query::request::list_query::parse_window;
use crate::query::request::params::QueryParams;
use crate::stdx::fold::fold_text;
use crate::stdx::json_schema::inline_schema;
use crate::stdx::json_schema::one_of_texts;
use crate::stdx::text_enum::text_enum;

/// The default number of results of each kind.
const LIMIT: usize = 10;
/// The most results of each kind in one answer.
const LIMIT_MAX: usize = 50;
/// The most results of each kind that can be paged through.
const RESULTS_MAX: usize = 1_000;

/// The longest search text in characters.
const TEXT_CHARS_MAX: usize = 200;

text_enum! {
    /// A kind of results.
    pub enum SearchKind {
        /// Entries of content types.
        Entries = "entries",
        /// Media files.
        Media = "media",
        /// Content types.
        Types = "types",
    }
}

inline_schema!(SearchKind, |_| one_of_texts(SearchKind::ALL.map(SearchKind::as_str)));

/// The results, best first.
#[derive(Debug, Default, Serialize, JsonSchema)]
#[schemars(rename = "Found")]
pub struct SearchResults {
    /// The entries, best matches first.
    entries: Vec<FoundEntry>,
    /// The media files.
    media: Vec<MediaView>,
    /// The content types.
    types: Vec<SearchedType>,
    /// The kinds of which there are more results.
    more: Vec<SearchKind>,
}

impl SearchResults {
    /// Returns the results without the names of users, which the public API does not tell.
    pub fn without_user_names(mut self) -> SearchResults {
        self.entries.iter_mut().for_each(|it| it.brief.hide_user_name());
        self
    }
}

/// An entry in the results. Its title is that of the searched locale.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(inline)]
struct FoundEntry {
    #[serde(flatten)]
    brief: EntryBrief,
    /// The reason for which the entry was found.
    #[serde(rename = "match", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "SearchMatch")]
    reason: Option<SearchMatch>,
}

/// A content type in the results.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(inline)]
struct SearchedType {
    /// The name of the type.
    name: String,
    /// The name that people see.
    label: String,
    /// The name of an icon of the web interface.
    icon: String,
    /// True if the type has a single entry.
    singleton: bool,
}

/// The quality of a match.
#[derive(Clone, Copy)]
enum MatchTier {
    TitleBegins,
    TitleHas,
    SlugHas,
    TextHas,
}

const TIERS: [MatchTier; 4] =
    [MatchTier::TitleBegins, MatchTier::TitleHas, MatchTier::SlugHas, MatchTier::TextHas];

/// A parsed search.
struct Search<'a> {
    text: &'a str,
    offset: usize,
    limit: usize,
    /// The wanted kinds of results.
    kinds: Vec<SearchKind>,
    /// The names of the types whose entries are searched; `None` for all. Names of types that the
    /// caller may not know are like names that no type has.
    types: Option<Vec<&'a str>>,
    /// The wanted statuses; `None` for all.
    status: Option<Vec<EntryStatus>>,
}

impl<'a> Search<'a> {
    fn parse(params: &'a QueryParams) -> Result<Search<'a>> {
        let mut problems = FieldProblems::new();
        let (limit, offset) = parse_window(params, &mut problems);
        let limit = limit.unwrap_or(LIMIT).min(LIMIT_MAX);
        let text = params.get("q").unwrap_or_default().trim();
        if text.chars().count() > TEXT_CHARS_MAX {
            problems.add("q", wording::too_long(TEXT_CHARS_MAX));
        }
        let kind_names = SearchKind::ALL.map(SearchKind::as_str);
        let kinds = parse_names(params, "kinds", SearchKind::parse, &kind_names, &mut problems);
        let statuses = EntryStatus::ALL.map(EntryStatus::as_str);
        let status = parse_names(params, "status", EntryStatus::parse, &statuses, &mut problems);
        problems.into_result(()).map_err(Error::invalid)?;
        let kinds = kinds.unwrap_or_else(|| SearchKind::ALL.to_vec());
        Ok(Search { text, offset, limit, kinds, types: params.list_names("types"), status })
    }

    /// Returns the number of results that are looked for, one more than are shown, which tells if
    /// there are more.
    fn wanted_max(&self) -> usize {
        self.offset.saturating_add(self.limit).min(RESULTS_MAX).saturating_add(1)
    }

    /// Cuts the results to those of the page. Returns true if there are more.
    fn cut_page<T>(&self, found: &mut Vec<T>) -> bool {
        let end = self.wanted_max() - 1;
        let more = found.len() > end && end < RESULTS_MAX;
        found.truncate(end);
        found.drain(..self.offset.min(found.len()));
        more
    }
}

fn parse_names<T>(
    params: &QueryParams,
    name: &str,
    parse: impl Fn(&str) -> Option<T>,
    known: &[&str],
    problems: &mut FieldProblems,
) -> Option<Vec<T>> {
    let given = params.list_names(name)?;
    let parsed: Option<Vec<T>> = given.iter().map(|it| parse(it)).collect();
    if parsed.is_none() {
        problems.add(name, wording::not_one_of(known.iter().copied()));
    }
    parsed
}

/// Searches everything that contains a text, as far as `effort` allows.
pub fn search_all(
    app: &App,
    snapshot: &Snapshot,
    caller: &Caller,
    query: &str,
    effort: Effort,
) -> Result<EffortResult<SearchResults>> {
    let params = QueryParams::parse(query).map_err(Error::bad_request)?;
    let search = Search::parse(&params)?;
    let mut results = SearchResults::default();
    if search.text.is_empty() {
        return Ok(EffortResult::Done(results));
    }
    let view = View::new(snapshot, caller.viewer(), params.get("locale"));
    for kind in SearchKind::ALL.into_iter().filter(|it| search.kinds.contains(it)) {
        let more = match kind {
            SearchKind::Entries => {
                let Ok(mut found) = find_entries(&view, &search, effort) else {
                    return Ok(EffortResult::NeedsEffort);
                };
                let more = search.cut_page(&mut found);
                results.entries = show_entries(app, &view, &search, found);
                more
            }
            SearchKind::Media => {
                let mut found = find_media(snapshot, caller, &search);
                let more = search.cut_page(&mut found);
                let base = media::MediaBase::of_snapshot(app, snapshot);
                results.media = found.into_iter().map(|it| media::render_item(&base, it)).collect();
                more
            }
            SearchKind::Types => {
                results.types = find_types(&view, search.text);
                search.cut_page(&mut results.types)
            }
        };
        results.more.extend(more.then_some(kind));
    }
    Ok(EffortResult::Done(results))
}

fn show_entries(
    app: &App,
    view: &View<'_>,
    search: &Search<'_>,
    found: Vec<(usize, Ordinal)>,
) -> Vec<FoundEntry> {
    let words = SearchWords::parse(search.text);
    let mut bytes_left = search_match::PAGE_BYTES_MAX;
    let show = |(place, ordinal): (usize, Ordinal)| {
        let index = view.snapshot.types().get(place)?;
        let (ty, doc) = (&index.content_type, index.entry_at(ordinal)?);
        let locale = view.resolve_locale(ty);
        Some(FoundEntry {
            brief: EntryBrief::from_entry(&app.engine, ty, doc).in_locale(doc, locale),
            reason: search_match::find_match(ty, doc, locale, &words, &mut bytes_left),
        })
    };
    found.into_iter().filter_map(show).collect()
}

fn find_entries(
    view: &View<'_>,
    search: &Search<'_>,
    effort: Effort,
) -> std::result::Result<Vec<(usize, Ordinal)>, NeedsEffort> {
    let limit = search.wanted_max();
    let mut found: Vec<(usize, Ordinal)> = Vec::new();
    let mut known: HashSet<(usize, Ordinal)> = HashSet::new();
    let is_searched = |place: &usize| {
        let index = view.snapshot.types().get(*place);
        let is_named = search.types.as_ref().is_none_or(|names| {
            index.is_some_and(|it| names.contains(&it.content_type.name.as_str()))
        });
        is_named && !matches!(view.resolve_visibility(*place), EntryVisibility::Nothing)
    };
    let places: Vec<usize> = (0..view.snapshot.types().len()).filter(is_searched).collect();
    for tier in TIERS {
        let mut of_tier: Vec<(usize, Ordinal)> = Vec::new();
        for place in &places {
            let Some(index) = view.snapshot.types().get(*place) else { continue };
            // Some may have been found by an earlier tier.
            let most = limit + found.len();
            let page = find_in_type(view, *place, index, tier, search, (most, effort))?;
            let new = page.into_iter().map(|it| (*place, it)).filter(|it| !known.contains(it));
            of_tier.extend(new.take(limit));
        }
        // Within a tier, the last changed come first.
        of_tier.sort_by_key(|(place, ordinal)| {
            let doc = view.snapshot.types().get(*place).and_then(|it| it.entry_at(*ordinal));
            std::cmp::Reverse(doc.map(|it| it.updated_at))
        });
        for one in of_tier {
            if found.len() < limit && known.insert(one) {
                found.push(one);
            }
        }
        if found.len() >= limit {
            break;
        }
    }
    Ok(found)
}

/// Returns the entries of one type in one tier, last changed first.
fn find_in_type(
    view: &View<'_>,
    place: usize,
    index: &TypeIndex,
    tier: MatchTier,
    search: &Search<'_>,
    (limit, effort): (usize, Effort),
) -> std::result::Result<Vec<Ordinal>, NeedsEffort> {
    let (ty, text) = (&index.content_type, search.text);
    let Ok(params) = QueryParams::parse("sort=-updated_at") else { return Ok(Vec::new()) };
    let Ok(mut list_query) = ListQuery::parse(view, ty, &params, 0) else { return Ok(Vec::new()) };
    list_query.limit = Some(limit);
    let filter = |field: &str, operator, value: &str| {
        Filter::parse(ty, field, operator, &[value.to_string()]).ok()
    };
    let filter = match tier {
        MatchTier::TitleBegins => filter("title", Operator::Starts, text),
        MatchTier::TitleHas => filter("title", Operator::Contains, text),
        // Words in a slug are separated by dashes.
        MatchTier::SlugHas => filter("slug", Operator::Contains, &text.replace(' ', "-")),
        MatchTier::TextHas => {
            list_query.terms = fold_text(text).split_whitespace().map(str::to_string).collect();
            list_query.terms.truncate(crate::query::request::list_query::TERMS_MAX);
            None
        }
    };
    if filter.is_none() && list_query.terms.is_empty() {
        return Ok(Vec::new());
    }
    list_query.filters.extend(filter);
    if let Some(wanted) = &search.status {
        let names: Vec<String> = wanted.iter().map(|it| it.to_string()).collect();
        list_query.filters.extend(Filter::parse(ty, "status", Operator::In, &names).ok());
    }
    executor::run_query(view, place, &list_query, effort).map(|it| it.page)
}

fn find_media<'a>(
    snapshot: &'a Snapshot,
    caller: &Caller,
    search: &Search<'_>,
) -> Vec<&'a MediaItem> {
    let sees = media::visibility_filter(snapshot, caller);
    let (text, limit) = (fold_text(search.text), search.wanted_max());
    let (mut begin, mut have) = (Vec::new(), Vec::new());
    for item in snapshot.media.iter() {
        let name = fold_text(item.filename.as_str());
        let said = || [&item.title, &item.alt].into_iter().any(|it| fold_text(it).contains(&*text));
        let tier = match name.starts_with(&*text) {
            true => &mut begin,
            false if name.contains(&*text) || said() => &mut have,
            false => continue,
        };
        if tier.len() < limit && sees(item) {
            tier.push(&**item);
        }
        if begin.len() >= limit {
            break;
        }
    }
    begin.into_iter().chain(have).take(limit).collect()
}

fn find_types(view: &View<'_>, text: &str) -> Vec<SearchedType> {
    let text = fold_text(text);
    let known = view.snapshot.types().iter().filter(|it| view.knows_type(it));
    let mut found: Vec<(bool, SearchedType)> = Vec::new();
    for ty in known.map(|it| &it.content_type) {
        let (label, name) = (fold_text(&ty.label), fold_text(ty.name.as_str()));
        if label.contains(&*text) || name.contains(&*text) {
            let begins = label.starts_with(&*text) || name.starts_with(&*text);
            let shown = SearchedType {
                name: ty.name.to_string(),
                label: ty.label.clone(),
                icon: ty.icon.clone(),
                singleton: ty.singleton,
            };
            found.push((!begins, shown));
        }
    }
    found.sort_by_key(|(later, _)| *later);
    found.into_iter().map(|(_, it)| it).collect()
}
