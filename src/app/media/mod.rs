//! Media: items as the public API shows them, and in the modules below how they are changed.

mod body;
pub mod categories;
pub mod delete;
pub mod meta;
pub mod rename;
mod staged;
pub mod upload;

use std::cmp::Ordering;
use std::sync::Arc;

use serde::Serialize;

pub use self::meta::Target;
pub use self::staged::Answer;
pub use self::staged::AnswerMeta;
pub use self::staged::Done;
use crate::app::App;
use crate::app::access::Caller;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::pictures::PIXELS_MAX;
use crate::model::category::CategoryPath;
use crate::model::grant::Action;
use crate::model::grant::Facts;
use crate::model::grant::Reach;
use crate::model::grant::Resource;
use crate::model::media::MediaItem;
use crate::model::media::Visibility;
use crate::model::problem::FieldProblems;
use crate::query::list_query::window;
use crate::query::params::Params;
use crate::query::snapshot::Snapshot;
use crate::stdx::fold::fold;
use crate::stdx::percent;
use crate::stdx::sum::Sum;
use crate::stdx::sum::Summer;
use crate::stdx::time::Timestamp;

/// A media item on the wire.
#[derive(Debug, Serialize)]
pub struct MediaView {
    filename: String,
    name: String,
    url: String,
    size: u64,
    mime: &'static str,
    category: String,
    alt: String,
    title: String,
    visibility: Visibility,
    width: Option<u32>,
    height: Option<u32>,
    uploaded_by: Option<String>,
    uploaded_at: Timestamp,
    thumb_url: Option<String>,
    path: String,
    thumb_path: Option<String>,
    etag: String,
}

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

/// The media items that the caller may see.
pub fn list(app: &App, snapshot: &Snapshot, caller: &Caller, query: &str) -> Result<MediaList> {
    let workspace = snapshot.workspace.as_str();
    if !caller.is_anonymous() && !caller.could(workspace, Action::MediaRead, &Resource::Media) {
        return Err(Error::forbidden(Action::MediaRead, "`media:*`"));
    }
    let params = Params::parse(query).map_err(Error::bad_request)?;
    let mut problems = FieldProblems::new();
    let (limit, offset) = window(&params, &mut problems);
    let (sort, descending) = order(&params, &mut problems);
    let category = category(&params, &mut problems);
    if !problems.is_empty() {
        return Err(Error::invalid(problems));
    }
    let q = fold(params.get("q").unwrap_or_default()).into_owned();
    let sees = sight(snapshot, caller);
    let mut found: Vec<&Arc<MediaItem>> = snapshot
        .media
        .iter()
        .filter(|it| sees(it))
        .filter(|it| category.as_ref().is_none_or(|wanted| is_in(it, wanted.as_ref())))
        .filter(|it| q.is_empty() || fold(it.filename.as_str()).contains(&q))
        .collect();
    // The index is in the order of the default already.
    if (sort, descending) != (Sort::UploadedAt, true) {
        found.sort_by(|a, b| compare(a, b, sort, descending));
    }
    let total = found.len();
    let page = found.into_iter().skip(offset).take(limit.unwrap_or(usize::MAX));
    let data: Vec<MediaView> = page.map(|it| view(app, snapshot, it)).collect();
    let meta = MediaListMeta {
        total,
        limit: limit.unwrap_or(data.len()),
        offset,
        sort: sort.as_str(),
        order: if descending { "desc" } else { "asc" },
        categories: snapshot.media.categories.iter().map(|it| it.to_string()).collect(),
        warnings: warnings(&params),
    };
    let etag = etag(app, snapshot, caller, query, total, &data);
    Ok(MediaList { etag, data, meta })
}

/// Whether the caller may see a file's bytes and what is said of it.
pub fn may_see(snapshot: &Snapshot, caller: &Caller, item: &MediaItem) -> bool {
    if item.visibility == Visibility::Public {
        return true;
    }
    let Some(grants) = caller.grants() else { return false };
    let resource =
        Resource::File { name: item.filename.as_str(), category: item.category.as_ref() };
    let facts = Facts { author_id: item.uploaded_by.as_deref(), ..Facts::default() };
    grants.decide(snapshot.workspace.as_str(), Action::MediaRead, &resource, &facts).allowed
}

/// Which items a list shows: a caller with a credential sees what its grants say.
pub(super) fn sight<'a>(
    snapshot: &'a Snapshot,
    caller: &'a Caller,
) -> Box<dyn Fn(&MediaItem) -> bool + 'a> {
    let Some(grants) = caller.grants() else {
        return Box::new(|item| item.visibility == Visibility::Public);
    };
    let workspace = snapshot.workspace.as_str();
    match grants.reach_of_media(workspace, Action::MediaRead) {
        Reach::Nothing => Box::new(|_| false),
        Reach::Everything => Box::new(|_| true),
        Reach::Rows(()) => Box::new(move |item| {
            let resource =
                Resource::File { name: item.filename.as_str(), category: item.category.as_ref() };
            let facts = Facts { author_id: item.uploaded_by.as_deref(), ..Facts::default() };
            grants.decide(workspace, Action::MediaRead, &resource, &facts).allowed
        }),
    }
}

/// A media item as the public API shows it.
pub fn view(app: &App, snapshot: &Snapshot, item: &MediaItem) -> MediaView {
    let (site, below) = split_base(app.engine.base_url());
    let place = |folder: &str| {
        let workspace = percent::segment(snapshot.workspace.as_str());
        format!("{below}/{folder}/{workspace}/{}", percent::segment(item.filename.as_str()))
    };
    let path = place("media");
    let thumb = has_thumbnail(item).then(|| place("media-thumbs"));
    MediaView {
        filename: item.filename.to_string(),
        name: item.filename.to_string(),
        url: format!("{site}{path}"),
        size: item.size,
        mime: item.mime,
        category: item.category.as_ref().map(|it| it.to_string()).unwrap_or_default(),
        alt: item.alt.clone(),
        title: item.title.clone(),
        visibility: item.visibility,
        width: item.width,
        height: item.height,
        uploaded_by: item.uploaded_by.clone(),
        uploaded_at: item.uploaded_at,
        thumb_url: thumb.as_ref().map(|it| format!("{site}{it}")),
        path,
        thumb_path: thumb,
        etag: item.etag.to_string(),
    }
}

/// A base URL as scheme with host, and the path below which everything lies.
fn split_base(base: &str) -> (&str, &str) {
    let host = base.find("://").map_or(0, |it| it + "://".len());
    let path = base.get(host..).and_then(|it| it.find('/')).map_or(base.len(), |it| host + it);
    base.split_at_checked(path).unwrap_or((base, ""))
}

/// Whether a thumbnail can be made: pictures that are decoded here, and that are not too large.
pub fn has_thumbnail(item: &MediaItem) -> bool {
    let decoded = matches!(item.mime, "image/jpeg" | "image/png" | "image/gif" | "image/webp");
    let pixels = item.width.zip(item.height).map(|(w, h)| u64::from(w) * u64::from(h));
    decoded && pixels.is_some_and(|it| it <= PIXELS_MAX)
}

/// The sort key, and whether it descends. A key that is asked for ascends unless told otherwise.
fn order(params: &Params, problems: &mut FieldProblems) -> (Sort, bool) {
    let text = params.get("sort").filter(|it| !it.is_empty());
    let (name, minus) = match text {
        None => ("uploaded_at", false),
        Some(text) => text.strip_prefix('-').map_or((text, false), |it| (it, true)),
    };
    let sort = match name {
        "uploaded_at" => Sort::UploadedAt,
        "name" | "filename" => Sort::Name,
        "size" => Sort::Size,
        _ => {
            problems.add("sort", "Media are sorted by `uploaded_at`, `name` or `size`.");
            Sort::UploadedAt
        }
    };
    let descends = match params.get("order") {
        None | Some("") => text.is_none(),
        Some("asc") => false,
        Some("desc") => true,
        Some(_) => {
            problems.add("order", "This must be `asc` or `desc`.");
            false
        }
    };
    (sort, minus || descends)
}

impl Sort {
    fn as_str(self) -> &'static str {
        match self {
            Sort::UploadedAt => "uploaded_at",
            Sort::Name => "name",
            Sort::Size => "size",
        }
    }
}

fn compare(a: &MediaItem, b: &MediaItem, sort: Sort, descending: bool) -> Ordering {
    let by_key = match sort {
        Sort::UploadedAt => a.uploaded_at.cmp(&b.uploaded_at),
        Sort::Name => fold(a.filename.as_str()).cmp(&fold(b.filename.as_str())),
        Sort::Size => a.size.cmp(&b.size),
    };
    let ordering = by_key.then_with(|| a.filename.cmp(&b.filename));
    if descending { ordering.reverse() } else { ordering }
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

fn warnings(params: &Params) -> Vec<String> {
    const KNOWN: &[&str] = &["q", "category", "limit", "offset", "sort", "order", "pretty"];
    let unknown = params.iter().filter(|(name, _)| !KNOWN.contains(name));
    unknown.map(|(name, _)| format!("{name}: This parameter is not known here.")).collect()
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
