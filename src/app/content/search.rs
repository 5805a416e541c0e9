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
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::media;
use crate::app::media::MediaView;
use crate::app::system::dashboard::EntryBrief;
use crate::model::input::wording;
use crate::model::problem::FieldProblems;
use crate::query::execute::executor;
use crate::query::execute::executor::Effort;
use crate::query::execute::view::EntryVisibility;
use crate::query::execute::view::View;
use crate::query::index::snapshot::Snapshot;
use crate::query::index::type_index::Ordinal;
use crate::query::index::type_index::TypeIndex;
use crate::query::request::filter::Filter;
use crate::query::request::filter::Operator;
use crate::query::request::list_query::ListQuery;
use crate::query::request::params::QueryParams;
use crate::stdx::fold::fold_text;

/// The default number of results of each kind.
const LIMIT: usize = 10;
/// The most results of each kind.
const LIMIT_MAX: usize = 50;

/// The longest search text in characters.
const TEXT_CHARS_MAX: usize = 200;

/// The results, best first.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Found")]
pub struct SearchResults {
    /// The entries, best matches first.
    entries: Vec<EntryBrief>,
    /// The media files.
    media: Vec<MediaView>,
    /// The content types.
    types: Vec<SearchedType>,
}

impl SearchResults {
    /// Returns the results without the names of users, which the public API does not tell.
    pub fn without_user_names(mut self) -> SearchResults {
        self.entries.iter_mut().for_each(EntryBrief::hide_user_name);
        self
    }
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

/// Searches everything that contains a text.
pub fn search_all(
    app: &App,
    snapshot: &Snapshot,
    caller: &Caller,
    query: &str,
) -> Result<SearchResults> {
    let params = QueryParams::parse(query).map_err(Error::bad_request)?;
    let mut problems = FieldProblems::new();
    let limit = match params.get("limit").filter(|it| !it.is_empty()).map(str::parse::<usize>) {
        None => LIMIT,
        Some(Ok(limit)) if limit > 0 => limit.min(LIMIT_MAX),
        Some(_) => {
            problems.add("limit", wording::not_whole_from(1));
            LIMIT
        }
    };
    let text = params.get("q").unwrap_or_default().trim();
    if text.chars().count() > TEXT_CHARS_MAX {
        problems.add("q", format!("This may have at most {TEXT_CHARS_MAX} characters."));
    }
    problems.into_result(()).map_err(Error::invalid)?;
    if text.is_empty() {
        return Ok(SearchResults { entries: Vec::new(), media: Vec::new(), types: Vec::new() });
    }
    let view = View::new(snapshot, caller.viewer(), params.get("locale"));
    Ok(SearchResults {
        entries: find_entries(app, &view, text, limit),
        media: find_media(app, snapshot, caller, text, limit),
        types: find_types(&view, text, limit),
    })
}

fn find_entries(app: &App, view: &View<'_>, text: &str, limit: usize) -> Vec<EntryBrief> {
    let mut found: Vec<(usize, Ordinal)> = Vec::new();
    let mut known: HashSet<(usize, Ordinal)> = HashSet::new();
    let readable =
        |place: &usize| !matches!(view.resolve_visibility(*place), EntryVisibility::Nothing);
    let places: Vec<usize> = (0..view.snapshot.types().len()).filter(readable).collect();
    for tier in TIERS {
        let mut of_tier: Vec<(usize, Ordinal)> = Vec::new();
        for place in &places {
            let Some(index) = view.snapshot.types().get(*place) else { continue };
            // Some may have been found by an earlier tier.
            let page = find_in_type(view, *place, index, tier, text, limit + found.len());
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
    let brief = |(place, ordinal): (usize, Ordinal)| {
        let index = view.snapshot.types().get(place)?;
        Some(EntryBrief::from_entry(&app.engine, &index.content_type, index.entry_at(ordinal)?))
    };
    found.into_iter().filter_map(brief).collect()
}

/// Returns the entries of one type in one tier, last changed first.
fn find_in_type(
    view: &View<'_>,
    place: usize,
    index: &TypeIndex,
    tier: MatchTier,
    text: &str,
    limit: usize,
) -> Vec<Ordinal> {
    let ty = &index.content_type;
    let Ok(params) = QueryParams::parse("sort=-updated_at") else { return Vec::new() };
    let Ok(mut list_query) = ListQuery::parse(view, ty, &params, 0) else { return Vec::new() };
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
        return Vec::new();
    }
    list_query.filters.extend(filter);
    executor::run_query(view, place, &list_query, Effort::Heavy)
        .map(|it| it.page)
        .unwrap_or_default()
}

fn find_media(
    app: &App,
    snapshot: &Snapshot,
    caller: &Caller,
    text: &str,
    limit: usize,
) -> Vec<MediaView> {
    let sees = media::visibility_filter(snapshot, caller);
    let text = fold_text(text);
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
            tier.push(item);
        }
        if begin.len() >= limit {
            break;
        }
    }
    begin
        .into_iter()
        .chain(have)
        .take(limit)
        .map(|it| media::render_item(&media::MediaBase::of_snapshot(app, snapshot), it))
        .collect()
}

fn find_types(view: &View<'_>, text: &str, limit: usize) -> Vec<SearchedType> {
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
    found.into_iter().take(limit).map(|(_, it)| it).collect()
}
