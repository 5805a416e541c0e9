//! Lists of media files: filtered, sorted and cut to pages. The admin API knows more filters than
//! the public one.

use std::cmp::Ordering;
use std::collections::HashSet;
use std::sync::Arc;

use serde::Serialize;

use crate::app::App;
use crate::app::access::Caller;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::media::MediaView;
use crate::app::media::sight;
use crate::app::media::view;
use crate::model::category::CategoryPath;
use crate::model::grant::Action;
use crate::model::grant::Resource;
use crate::model::media::MediaClass;
use crate::model::media::MediaItem;
use crate::model::media::Visibility;
use crate::model::problem::FieldProblems;
use crate::query::list_query;
use crate::query::list_query::window;
use crate::query::media_uses;
use crate::query::params::Params;
use crate::query::params::list_name;
use crate::query::snapshot::Snapshot;
use crate::stdx::fold::fold;
use crate::stdx::sum::Sum;
use crate::stdx::sum::Summer;

/// The `meta` of a list of media.
#[derive(Debug, Serialize)]
pub struct MediaListMeta {
    total: usize,
    limit: usize,
    offset: usize,
    sort: &'static str,
    order: &'static str,
    categories: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
}

/// A list of media.
#[derive(Debug)]
pub struct MediaList {
    /// What changes when the answer does.
    pub etag: Sum,
    /// The page.
    pub data: Vec<MediaView>,
    /// Its circumstances.
    pub meta: MediaListMeta,
}

/// The sort keys of media lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sort {
    UploadedAt,
    Name,
    Size,
}

/// Which filters a list knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lists {
    /// Those of the public API: category, and what is in the name.
    Public,
    /// Those of the admin API: also sort of file, visibility, what is in texts, what nobody uses.
    Admin,
}

/// What a list is to hold.
#[derive(Default)]
struct Wish {
    category: Option<Option<CategoryPath>>,
    /// In small letters; empty for everything.
    q: String,
    /// Whether texts are searched beside names.
    in_texts: bool,
    class: Option<MediaClass>,
    visibility: Option<Visibility>,
    /// Where only files are wanted that no entry shows: those that some do.
    used: Option<HashSet<Box<str>>>,
}

/// The media items that the caller may see.
pub fn list(
    app: &App,
    snapshot: &Snapshot,
    caller: &Caller,
    query: &str,
    lists: Lists,
) -> Result<MediaList> {
    let workspace = snapshot.workspace.as_str();
    if !caller.is_anonymous() && !caller.could(workspace, Action::MediaRead, &Resource::Media) {
        return Err(Error::forbidden(Action::MediaRead, "`media:*`"));
    }
    let params = Params::parse(query).map_err(Error::bad_request)?;
    let mut problems = FieldProblems::new();
    let (limit, offset) = window(&params, &mut problems);
    let keys = order(&params, &mut problems);
    let mut wish = Wish::read(&params, lists, &mut problems);
    if !problems.is_empty() {
        return Err(Error::invalid(problems));
    }
    if lists == Lists::Admin && params.flag("unused") {
        wish.used = Some(media_uses::used(snapshot));
    }
    let sees = sight(snapshot, caller);
    let all = snapshot.media.iter();
    let mut found: Vec<&Arc<MediaItem>> = all.filter(|it| sees(it) && wish.holds(it)).collect();
    // The index is in the order of the default already.
    let (first, descending) = keys.first().copied().unwrap_or((Sort::UploadedAt, true));
    if (first, descending) != (Sort::UploadedAt, true) || keys.len() > 1 {
        found.sort_by(|a, b| compare(a, b, &keys));
    }
    let total = found.len();
    let page = found.into_iter().skip(offset).take(limit.unwrap_or(usize::MAX));
    let data: Vec<MediaView> = page.map(|it| view(app, snapshot, it)).collect();
    let meta = MediaListMeta {
        total,
        limit: limit.unwrap_or(data.len()),
        offset,
        sort: first.as_str(),
        order: if descending { "desc" } else { "asc" },
        categories: snapshot.media.categories.iter().map(|it| it.to_string()).collect(),
        warnings: warnings(&params, lists),
    };
    let etag = etag(app, snapshot, caller, query, total, &data);
    Ok(MediaList { etag, data, meta })
}

impl Wish {
    fn read(params: &Params, lists: Lists, problems: &mut FieldProblems) -> Wish {
        let wish = Wish {
            category: category(params, problems),
            q: fold(params.get("q").unwrap_or_default()).into_owned(),
            ..Wish::default()
        };
        if lists == Lists::Public {
            return wish;
        }
        let one_of = |name: &str| params.get(name).filter(|it| !it.is_empty());
        let class = one_of("type").map(MediaClass::parse);
        if class == Some(None) {
            let sorts = "`image`, `video`, `audio`, `document`, `archive` or `other`";
            problems.add("type", format!("This must be {sorts}."));
        }
        let visibility = one_of("visibility").map(Visibility::parse);
        if visibility == Some(None) {
            problems.add("visibility", "This must be `public` or `private`.");
        }
        Wish { in_texts: true, class: class.flatten(), visibility: visibility.flatten(), ..wish }
    }

    fn holds(&self, item: &MediaItem) -> bool {
        self.category.as_ref().is_none_or(|wanted| is_in(item, wanted.as_ref()))
            && self.class.is_none_or(|it| it == MediaClass::of(item.mime))
            && self.visibility.is_none_or(|it| it == item.visibility)
            && self.used.as_ref().is_none_or(|it| !it.contains(item.filename.as_str()))
            && (self.q.is_empty() || self.says(item))
    }

    fn says(&self, item: &MediaItem) -> bool {
        let is_in = |text: &str| fold(text).contains(&self.q);
        is_in(&item.filename) || (self.in_texts && (is_in(&item.alt) || is_in(&item.title)))
    }
}

/// The sort keys, and whether they descend. A key that is asked for ascends unless told otherwise.
fn order(params: &Params, problems: &mut FieldProblems) -> Vec<(Sort, bool)> {
    let descends = match params.get("order") {
        None | Some("") => None,
        Some("asc") => Some(false),
        Some("desc") => Some(true),
        Some(_) => {
            problems.add("order", "This must be `asc` or `desc`.");
            None
        }
    };
    let mut keys: Vec<(Sort, bool)> = Vec::new();
    for name in params.names("sort").unwrap_or_default() {
        let (name, minus) = name.strip_prefix('-').map_or((name, false), |it| (it, true));
        match Sort::parse(name) {
            Some(sort) if keys.iter().any(|(it, _)| *it == sort) => {}
            Some(sort) => keys.push((sort, minus || descends == Some(true))),
            None => problems.add("sort", "Media are sorted by `uploaded_at`, `name` or `size`."),
        }
    }
    if keys.is_empty() {
        keys.push((Sort::UploadedAt, descends.unwrap_or(true)));
    }
    keys
}

impl Sort {
    fn parse(name: &str) -> Option<Sort> {
        match name {
            "uploaded_at" => Some(Sort::UploadedAt),
            "name" | "filename" => Some(Sort::Name),
            "size" => Some(Sort::Size),
            _ => None,
        }
    }

    fn as_str(self) -> &'static str {
        match self {
            Sort::UploadedAt => "uploaded_at",
            Sort::Name => "name",
            Sort::Size => "size",
        }
    }
}

/// What is the same by all keys goes by name, in the direction of the last key.
fn compare(a: &MediaItem, b: &MediaItem, keys: &[(Sort, bool)]) -> Ordering {
    let turned = |ordering: Ordering, descends: bool| {
        if descends { ordering.reverse() } else { ordering }
    };
    let by_key = |(sort, descends): &(Sort, bool)| {
        let ordering = match sort {
            Sort::UploadedAt => a.uploaded_at.cmp(&b.uploaded_at),
            Sort::Name => fold(a.filename.as_str()).cmp(&fold(b.filename.as_str())),
            Sort::Size => a.size.cmp(&b.size),
        };
        turned(ordering, *descends)
    };
    let descends = keys.last().is_some_and(|(_, it)| *it);
    let by_keys = keys.iter().map(by_key).find(|it| it.is_ne());
    by_keys.unwrap_or_else(|| turned(a.filename.cmp(&b.filename), descends))
}

/// The category asked for; `Some(None)` asks for files without one.
fn category(params: &Params, problems: &mut FieldProblems) -> Option<Option<CategoryPath>> {
    let text = params.get("category")?;
    if text.trim().is_empty() {
        return Some(None);
    }
    match CategoryPath::parse(text) {
        Ok(path) => Some(Some(path)),
        Err(error) => {
            problems.add("category", error.to_string());
            None
        }
    }
}

fn is_in(item: &MediaItem, wanted: Option<&CategoryPath>) -> bool {
    match wanted {
        None => item.category.is_none(),
        Some(category) => item.is_within(category),
    }
}

fn warnings(params: &Params, lists: Lists) -> Vec<String> {
    const KNOWN: &[&str] = &["q", "category", "limit", "offset", "sort", "order", "pretty"];
    const OF_ADMIN: &[&str] = &["type", "visibility", "unused", "workspace"];
    let is_known =
        |name: &str| KNOWN.contains(&name) || (lists == Lists::Admin && OF_ADMIN.contains(&name));
    let unknown = params.iter().filter(|(name, _)| !is_known(list_name(name)));
    let unknown = unknown.map(|(name, _)| list_query::unknown(name));
    unknown.chain(params.repeats()).collect()
}

fn etag(
    app: &App,
    snapshot: &Snapshot,
    caller: &Caller,
    query: &str,
    total: usize,
    data: &[MediaView],
) -> Sum {
    let mut summer = Summer::new();
    summer.part(app.engine.base_url().as_bytes()).part(snapshot.workspace.as_bytes());
    summer.part(query.as_bytes()).number(u64::from(caller.is_anonymous()));
    for category in snapshot.media.categories.iter() {
        summer.part(category.as_str().as_bytes());
    }
    if caller.is_anonymous() {
        summer.number(snapshot.media.sum(true).0);
    } else {
        // What a caller sees of others' files must not show in the tag.
        summer.number(total as u64);
        data.iter().for_each(|it| _ = summer.part(format!("{it:?}").as_bytes()));
    }
    summer.finish()
}
