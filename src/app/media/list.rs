//! Lists of media files: filtered, sorted and paged. The admin API has more filters than the public
//! one.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::HashSet;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;

use crate::app::App;
use crate::app::access::Caller;
use crate::app::content::entries::EffortResult;
use crate::app::content::proposed_uses::UsedThing;
use crate::app::content::proposed_uses::list_proposed_uses;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::list_window::ListWindow;
use crate::app::media::media_change::CategoryList;
use crate::app::media::media_view::MediaBase;
use crate::app::media::media_view::MediaView;
use crate::app::media::media_view::render_item;
use crate::app::media::media_view::visibility_filter;
use crate::model::grant::Action;
use crate::model::grant::Reach;
use crate::model::grant::Resource;
use crate::model::input::wording;
use crate::model::media::MediaClass;
use crate::model::media::MediaItem;
use crate::model::media::Visibility;
use crate::model::media::category::CategoryPath;
use crate::model::problem::FieldProblems;
use crate::query::execute::executor::Effort;
use crate::query::execute::media_uses;
use crate::query::index::media_index::sum_item;
use crate::query::index::snapshot::Snapshot;
use crate::query::request::list_query;
use crate::query::request::list_query::clamp_limit;
use crate::query::request::list_query::parse_window;
use crate::query::request::params::QueryParams;
use crate::query::request::params::list_name;
use crate::stdx::checksum::Checksum;
use crate::stdx::checksum::ChecksumBuilder;
use crate::stdx::fold::fold_text;

/// The files that take as long to look at as one takes to show.
const SHOWN_COST: usize = 10;

/// The most files that are looked at where the caller must not block: some hundred microseconds.
const QUICK_COST_MAX: usize = 1_000;

/// The most files that are looked at where others wait for the thread: some ten milliseconds.
const THOROUGH_COST_MAX: usize = 50_000;

/// The `meta` of a list of media.
#[derive(Debug, Serialize, JsonSchema)]
pub struct MediaListMeta {
    #[serde(flatten)]
    window: ListWindow<'static>,
    #[serde(flatten)]
    categories: CategoryList,
    /// The parts of the request that had no effect, such as unknown parameters, a sentence each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
}

/// A list of media.
#[derive(Debug)]
pub struct MediaList {
    /// A checksum that changes with the response.
    pub etag: Checksum,
    /// The page.
    pub data: Vec<MediaView>,
    /// The metadata of the page.
    pub meta: MediaListMeta,
}

/// The sort keys of media lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MediaSort {
    UploadedAt,
    Name,
    Size,
}

/// The filters that a list supports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MediaFilterSet {
    /// The filters of the public API: category and text in the name.
    Public,
    /// The filters of the admin API: also media class, visibility, text in titles and alternative
    /// texts, and unused files.
    Admin,
}

/// The filters of a list.
#[derive(Default)]
struct MediaQuery {
    category: Option<Option<CategoryPath>>,
    /// The search text in lower case; empty for all files.
    q: String,
    /// True if titles and alternative texts are searched besides names.
    in_texts: bool,
    class: Option<MediaClass>,
    visibility: Option<Visibility>,
    /// For a list of unused files, the used ones.
    used: Option<HashSet<Box<str>>>,
}

/// Collects the names of the files that an entry shows, or will show once a change is published.
fn collect_all_used_files(snapshot: &Snapshot, caller: &Caller) -> HashSet<Box<str>> {
    let mut used = media_uses::collect_used_files(snapshot);
    let is_file = |thing: &UsedThing| matches!(thing, UsedThing::Media(_));
    for proposed in list_proposed_uses(snapshot, caller, is_file) {
        if let UsedThing::Media(name) = proposed.thing {
            used.insert(name.into());
        }
    }
    used
}

/// Returns the media items that the caller may see, as far as `effort` allows.
pub fn list_media(
    app: &App,
    snapshot: &Snapshot,
    caller: &Caller,
    query: &str,
    lists: MediaFilterSet,
    effort: Effort,
) -> Result<EffortResult<MediaList>> {
    let workspace = snapshot.workspace.as_str();
    if !caller.is_anonymous()
        && !caller.has_any_grant(workspace, Action::MediaRead, &Resource::Media)
    {
        return Err(Error::forbidden(Action::MediaRead, "`media:*`"));
    }
    let params = QueryParams::parse(query).map_err(Error::bad_request)?;
    let mut problems = FieldProblems::new();
    let (limit, offset) = parse_window(&params, &mut problems);
    let limit_max = app.settings().editable.list_limit_max;
    let limit = clamp_limit(limit, limit_max);
    let keys = parse_order(&params, &mut problems);
    let mut media_query = MediaQuery::parse(&params, lists, &mut problems);
    let only_unused = lists == MediaFilterSet::Admin && params.parse_flag("unused", &mut problems);
    problems.into_result(()).map_err(Error::invalid)?;
    if !is_allowed(effort, snapshot.media.len(), limit) {
        return Ok(EffortResult::NeedsEffort);
    }
    if only_unused {
        media_query.used = Some(collect_all_used_files(snapshot, caller));
    }
    let found = find_items(snapshot, caller, &media_query, &keys);
    let total = found.len();
    let page = found.get(offset..).unwrap_or_default();
    let page = page.get(..limit.unwrap_or(page.len())).unwrap_or(page);
    let base = MediaBase::of_snapshot(app, snapshot);
    let data: Vec<MediaView> = page.iter().map(|it| render_item(&base, it)).collect();
    let (first, descending) = keys.first().copied().unwrap_or(DEFAULT_ORDER);
    let meta = MediaListMeta {
        window: ListWindow {
            total,
            limit: limit.unwrap_or(data.len()),
            offset,
            sort: first.as_str(),
            order: if descending { "desc" } else { "asc" },
        },
        categories: CategoryList::from_snapshot(snapshot),
        warnings: collect_warnings(&params, lists),
    };
    let mut etag = sum_request(app, snapshot, caller, (&params, &meta.warnings), limit_max);
    match find_kept_sum(snapshot, caller, lists) {
        Some(sum) => _ = etag.add_number(sum.0),
        None => {
            // The tag must not reveal changes of files that the caller cannot see.
            etag.add_number(total as u64);
            page.iter().for_each(|it| _ = etag.add_number(sum_item(it).0));
        }
    }
    Ok(EffortResult::Done(MediaList { etag: etag.finish(), data, meta }))
}

/// Returns true if a list of so many files at most may be made out of `n_files` with this effort.
fn is_allowed(effort: Effort, n_files: usize, limit: Option<usize>) -> bool {
    let n_shown = limit.map_or(n_files, |it| it.min(n_files));
    let cost = n_files.saturating_add(n_shown.saturating_mul(SHOWN_COST));
    match effort {
        Effort::Quick => cost <= QUICK_COST_MAX,
        Effort::Thorough => cost <= THOROUGH_COST_MAX,
        Effort::Heavy => true,
    }
}

/// Returns the items that the caller may see and that match, in order.
fn find_items<'s>(
    snapshot: &'s Snapshot,
    caller: &Caller,
    media_query: &MediaQuery,
    keys: &[(MediaSort, bool)],
) -> Vec<&'s Arc<MediaItem>> {
    let sees = visibility_filter(snapshot, caller);
    let all = snapshot.media.iter();
    let found: Vec<&Arc<MediaItem>> =
        all.filter(|it| sees(it) && media_query.matches_item(it)).collect();
    // The index is in the default order already.
    if *keys == [DEFAULT_ORDER] { found } else { sort_items(found, keys) }
}

/// The default order, and true because it is descending.
const DEFAULT_ORDER: (MediaSort, bool) = (MediaSort::UploadedAt, true);

impl MediaQuery {
    fn parse(
        params: &QueryParams,
        lists: MediaFilterSet,
        problems: &mut FieldProblems,
    ) -> MediaQuery {
        let media_query = MediaQuery {
            category: parse_category(params, problems),
            q: fold_text(params.get("q").unwrap_or_default()).into_owned(),
            ..MediaQuery::default()
        };
        if lists == MediaFilterSet::Public {
            return media_query;
        }
        let one_of = |name: &str| params.get(name).filter(|it| !it.is_empty());
        let class = one_of("type").map(MediaClass::parse);
        if class == Some(None) {
            let sorts = "`image`, `video`, `audio`, `document`, `archive` or `other`";
            problems.add("type", format!("This must be {sorts}."));
        }
        let visibility = one_of("visibility").map(Visibility::parse);
        if visibility == Some(None) {
            problems.add("visibility", wording::not_one_of(Visibility::NAMES));
        }
        MediaQuery {
            in_texts: true,
            class: class.flatten(),
            visibility: visibility.flatten(),
            ..media_query
        }
    }

    fn matches_item(&self, item: &MediaItem) -> bool {
        self.category.as_ref().is_none_or(|wanted| is_in(item, wanted.as_ref()))
            && self.class.is_none_or(|it| it == MediaClass::from_mime(item.mime))
            && self.visibility.is_none_or(|it| it == item.visibility)
            && self.used.as_ref().is_none_or(|it| !it.contains(item.filename.as_str()))
            && (self.q.is_empty() || self.matches_text(item))
    }

    fn matches_text(&self, item: &MediaItem) -> bool {
        let is_in = |text: &str| fold_text(text).contains(&self.q);
        is_in(&item.filename) || (self.in_texts && (is_in(&item.alt) || is_in(&item.title)))
    }
}

/// Returns the sort keys, each with true if it is descending. A named key is ascending by default.
fn parse_order(params: &QueryParams, problems: &mut FieldProblems) -> Vec<(MediaSort, bool)> {
    let descends = match params.get("order") {
        None => None,
        Some("asc") => Some(false),
        Some("desc") => Some(true),
        Some(_) => {
            problems.add("order", wording::not_one_of(["asc", "desc"]));
            None
        }
    };
    let mut keys: Vec<(MediaSort, bool)> = Vec::new();
    for name in params.list_names("sort").unwrap_or_default() {
        let (name, minus) = name.strip_prefix('-').map_or((name, false), |it| (it, true));
        match MediaSort::parse(name) {
            Some(sort) if keys.iter().any(|(it, _)| *it == sort) => {}
            Some(sort) => keys.push((sort, minus || descends == Some(true))),
            None => problems.add("sort", "Media can be sorted by `uploaded_at`, `name` or `size`."),
        }
    }
    if keys.is_empty() {
        let (sort, is_descending) = DEFAULT_ORDER;
        keys.push((sort, descends.unwrap_or(is_descending)));
    }
    keys
}

impl MediaSort {
    fn parse(name: &str) -> Option<MediaSort> {
        match name {
            "uploaded_at" => Some(MediaSort::UploadedAt),
            "name" | "filename" => Some(MediaSort::Name),
            "size" => Some(MediaSort::Size),
            _ => None,
        }
    }

    fn as_str(self) -> &'static str {
        match self {
            MediaSort::UploadedAt => "uploaded_at",
            MediaSort::Name => "name",
            MediaSort::Size => "size",
        }
    }
}

/// An item with its case-folded name, which is empty where no key is the name.
type FoldedItem<'s> = (Cow<'s, str>, &'s Arc<MediaItem>);

/// Sorts items. Each name is folded once, not for each comparison.
fn sort_items<'s>(
    items: Vec<&'s Arc<MediaItem>>,
    keys: &[(MediaSort, bool)],
) -> Vec<&'s Arc<MediaItem>> {
    let by_name = keys.iter().any(|(it, _)| *it == MediaSort::Name);
    let fold = |item: &'s Arc<MediaItem>| -> FoldedItem<'s> {
        let name = if by_name { fold_text(item.filename.as_str()) } else { Cow::Borrowed("") };
        (name, item)
    };
    let mut folded: Vec<FoldedItem<'s>> = items.into_iter().map(fold).collect();
    folded.sort_by(|a, b| compare_items(a, b, keys));
    folded.into_iter().map(|(_, item)| item).collect()
}

/// Compares two items. Ties are ordered by name, in the direction of the last key.
fn compare_items(
    (a_name, a): &FoldedItem<'_>,
    (b_name, b): &FoldedItem<'_>,
    keys: &[(MediaSort, bool)],
) -> Ordering {
    let turned = |ordering: Ordering, descends: bool| {
        if descends { ordering.reverse() } else { ordering }
    };
    let by_key = |(sort, descends): &(MediaSort, bool)| {
        let ordering = match sort {
            MediaSort::UploadedAt => a.uploaded_at.cmp(&b.uploaded_at),
            MediaSort::Name => a_name.cmp(b_name),
            MediaSort::Size => a.size.cmp(&b.size),
        };
        turned(ordering, *descends)
    };
    let descends = keys.last().is_some_and(|(_, it)| *it);
    let by_keys = keys.iter().map(by_key).find(|it| it.is_ne());
    by_keys.unwrap_or_else(|| turned(a.filename.cmp(&b.filename), descends))
}

/// Parses the category; `Some(None)` selects files without one.
fn parse_category(
    params: &QueryParams,
    problems: &mut FieldProblems,
) -> Option<Option<CategoryPath>> {
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

fn collect_warnings(params: &QueryParams, lists: MediaFilterSet) -> Vec<String> {
    const KNOWN: &[&str] = &["q", "category", "limit", "offset", "sort", "order", "pretty"];
    const OF_ADMIN: &[&str] = &["type", "visibility", "unused", "workspace"];
    let is_known = |name: &str| {
        KNOWN.contains(&name) || (lists == MediaFilterSet::Admin && OF_ADMIN.contains(&name))
    };
    let unknown = params.iter().filter(|(name, _)| !is_known(list_name(name)));
    let unknown = unknown.map(|(name, _)| list_query::describe_unknown(name));
    unknown.chain(params.describe_repeats()).collect()
}

/// Begins the entity tag with what was asked for, by whom, and the categories.
fn sum_request(
    app: &App,
    snapshot: &Snapshot,
    caller: &Caller,
    (params, warnings): (&QueryParams, &[String]),
    limit_max: usize,
) -> ChecksumBuilder {
    let mut summer = ChecksumBuilder::new();
    summer.add_part(app.engine.base_url().as_bytes()).add_part(snapshot.workspace.as_bytes());
    params.add_to_checksum(warnings, &mut summer);
    summer.add_number(u64::from(caller.is_anonymous()));
    if limit_max > 0 {
        summer.add_number(limit_max as u64);
    }
    for category in snapshot.media.categories.iter() {
        summer.add_part(category.as_str().as_bytes());
    }
    summer
}

/// Returns the sum of all files that the caller sees, if the index has it and a list shows nothing
/// else. Which files are unused depends on entries.
fn find_kept_sum(snapshot: &Snapshot, caller: &Caller, lists: MediaFilterSet) -> Option<Checksum> {
    if lists == MediaFilterSet::Admin {
        return None;
    }
    let Some(grants) = caller.grants() else { return Some(snapshot.media.sum(true)) };
    let reach = grants.compute_media_reach(snapshot.workspace.as_str(), Action::MediaRead);
    matches!(reach, Reach::Everything).then(|| snapshot.media.sum(false))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_are_made_where_nobody_waits() {
        let check = |n_files: usize, limit: Option<usize>, expect: [bool; 3]| {
            let efforts = [Effort::Quick, Effort::Thorough, Effort::Heavy];
            let allowed = efforts.map(|it| is_allowed(it, n_files, limit));
            assert_eq!(allowed, expect, "{n_files} {limit:?}");
        };
        check(0, None, [true, true, true]);
        check(90, None, [true, true, true]);
        check(500, Some(50), [true, true, true]);
        check(500, Some(60), [false, true, true]);
        check(500, None, [false, true, true]);
        check(2_000, Some(1), [false, true, true]);
        check(5_000, None, [false, false, true]);
        check(60_000, Some(1), [false, false, true]);
        check(usize::MAX, None, [false, false, true]);
    }
}
