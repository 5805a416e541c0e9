//! One box that finds everything: entries of all types, media and types, as far as the caller may
//! read them.
//!
//! Entries come in tiers: those whose title begins with what is looked for, those that have it in
//! their title, in their slug, and in any text. A later tier is asked only for what the earlier ones
//! left open, so that a letter that is in everything costs no more than a word that is in little.

use std::collections::HashSet;

use serde::Serialize;

use crate::app::App;
use crate::app::access::Caller;
use crate::app::dashboard::Brief;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::media;
use crate::app::media::MediaView;
use crate::model::problem::FieldProblems;
use crate::query::filter::Filter;
use crate::query::filter::Operator;
use crate::query::list_query::ListQuery;
use crate::query::params::Params;
use crate::query::run;
use crate::query::run::Effort;
use crate::query::snapshot::Snapshot;
use crate::query::type_index::Ordinal;
use crate::query::type_index::TypeIndex;
use crate::query::view::Sight;
use crate::query::view::View;
use crate::stdx::fold::fold;

/// How many of each are found when nobody says, and at most.
const LIMIT: usize = 10;
const LIMIT_MAX: usize = 50;

/// How long what is looked for may be, in characters.
const TEXT_CHARS_MAX: usize = 200;

/// What was found, best first.
#[derive(Debug, Serialize)]
pub struct Found {
    entries: Vec<Brief>,
    media: Vec<MediaView>,
    types: Vec<FoundType>,
}

/// A content type.
#[derive(Debug, Serialize)]
struct FoundType {
    name: String,
    label: String,
    icon: String,
    singleton: bool,
}

/// How well an entry fits.
#[derive(Clone, Copy)]
enum Tier {
    TitleBegins,
    TitleHas,
    SlugHas,
    TextHas,
}

const TIERS: [Tier; 4] = [Tier::TitleBegins, Tier::TitleHas, Tier::SlugHas, Tier::TextHas];

/// Everything that has a text in it.
pub fn search(app: &App, snapshot: &Snapshot, caller: &Caller, query: &str) -> Result<Found> {
    let params = Params::parse(query).map_err(Error::bad_request)?;
    let mut problems = FieldProblems::new();
    let limit = match params.get("limit").filter(|it| !it.is_empty()).map(str::parse::<usize>) {
        None => LIMIT,
        Some(Ok(limit)) if limit > 0 => limit.min(LIMIT_MAX),
        Some(_) => {
            problems.add("limit", "This must be a whole number, 1 or more.");
            LIMIT
        }
    };
    let text = params.get("q").unwrap_or_default().trim();
    if text.chars().count() > TEXT_CHARS_MAX {
        problems.add("q", format!("This may have at most {TEXT_CHARS_MAX} characters."));
    }
    if !problems.is_empty() {
        return Err(Error::invalid(problems));
    }
    if text.is_empty() {
        return Ok(Found { entries: Vec::new(), media: Vec::new(), types: Vec::new() });
    }
    let view = View::new(snapshot, caller.eyes(), params.get("locale"));
    Ok(Found {
        entries: entries(app, &view, text, limit),
        media: files(app, snapshot, caller, text, limit),
        types: types(&view, text, limit),
    })
}

fn entries(app: &App, view: &View<'_>, text: &str, limit: usize) -> Vec<Brief> {
    let mut found: Vec<(usize, Ordinal)> = Vec::new();
    let mut known: HashSet<(usize, Ordinal)> = HashSet::new();
    let readable = |place: &usize| !matches!(view.sight(*place), Sight::Nothing);
    let places: Vec<usize> = (0..view.snapshot.types().len()).filter(readable).collect();
    for tier in TIERS {
        let mut of_tier: Vec<(usize, Ordinal)> = Vec::new();
        for place in &places {
            let Some(index) = view.snapshot.types().get(*place) else { continue };
            // Some of them may have been found by an earlier tier.
            let page = of_type(view, *place, index, tier, text, limit + found.len());
            let new = page.into_iter().map(|it| (*place, it)).filter(|it| !known.contains(it));
            of_tier.extend(new.take(limit));
        }
        // Among equals whatever was changed last.
        of_tier.sort_by_key(|(place, ordinal)| {
            let doc = view.snapshot.types().get(*place).and_then(|it| it.doc(*ordinal));
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
        Some(Brief::of(&app.engine, &index.content_type, index.doc(ordinal)?))
    };
    found.into_iter().filter_map(brief).collect()
}

/// The entries of one type in one tier, the latest changed first.
fn of_type(
    view: &View<'_>,
    place: usize,
    index: &TypeIndex,
    tier: Tier,
    text: &str,
    limit: usize,
) -> Vec<Ordinal> {
    let ty = &index.content_type;
    let Ok(params) = Params::parse("sort=-updated_at") else { return Vec::new() };
    let Ok(mut asked) = ListQuery::parse(view, ty, &params, 0) else { return Vec::new() };
    asked.limit = Some(limit);
    let filter = |field: &str, operator, value: &str| {
        Filter::parse(ty, field, operator, &[value.to_string()]).ok()
    };
    let filter = match tier {
        Tier::TitleBegins => filter("title", Operator::Starts, text),
        Tier::TitleHas => filter("title", Operator::Contains, text),
        // In a slug words stand between dashes.
        Tier::SlugHas => filter("slug", Operator::Contains, &text.replace(' ', "-")),
        Tier::TextHas => {
            asked.terms = fold(text).split_whitespace().map(str::to_string).collect();
            asked.terms.truncate(crate::query::list_query::TERMS_MAX);
            None
        }
    };
    if filter.is_none() && asked.terms.is_empty() {
        return Vec::new();
    }
    asked.filters.extend(filter);
    run::run(view, place, &asked, Effort::Heavy).map(|it| it.page).unwrap_or_default()
}

fn files(
    app: &App,
    snapshot: &Snapshot,
    caller: &Caller,
    text: &str,
    limit: usize,
) -> Vec<MediaView> {
    let sees = media::sight(snapshot, caller);
    let text = fold(text);
    let (mut begin, mut have) = (Vec::new(), Vec::new());
    for item in snapshot.media.iter() {
        let name = fold(item.filename.as_str());
        let said = || [&item.title, &item.alt].into_iter().any(|it| fold(it).contains(&*text));
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
    begin.into_iter().chain(have).take(limit).map(|it| media::view(app, snapshot, it)).collect()
}

fn types(view: &View<'_>, text: &str, limit: usize) -> Vec<FoundType> {
    let text = fold(text);
    let known = view.snapshot.types().iter().filter(|it| view.knows(it));
    let mut found: Vec<(bool, FoundType)> = Vec::new();
    for ty in known.map(|it| &it.content_type) {
        let (label, name) = (fold(&ty.label), fold(ty.name.as_str()));
        if label.contains(&*text) || name.contains(&*text) {
            let begins = label.starts_with(&*text) || name.starts_with(&*text);
            let shown = FoundType {
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
