//! The usages of media files, checked before one is deleted.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use serde::Serialize;

use crate::app::access::Caller;
use crate::app::content::proposed_uses::ProposedUse;
use crate::app::content::proposed_uses::UsedThing;
use crate::app::content::proposed_uses::list_proposed_uses;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::media::media_change::check_problems;
use crate::app::media::media_view::find_item;
use crate::app::usage::Usage;
use crate::model::problem::FieldProblems;
use crate::model::sentence::Sentence;
use crate::model::sentence::sentence;
use crate::query::execute::media_uses;
use crate::query::execute::media_uses::MediaUse;
use crate::query::execute::view::View;
use crate::query::index::snapshot::Snapshot;
use crate::query::request::list_query::parse_window;
use crate::query::request::params::QueryParams;
use crate::stdx::json::Json;

/// The most usages listed in an error.
const USAGES_MAX: usize = 20;

/// The usages of a file: those in entries that the caller may read, and the number of others. A
/// deleting caller must know that the others exist, but no more.
#[derive(Clone, Debug, Default)]
pub(super) struct FileUsages {
    /// The usages in entries that the caller may read.
    shown: Vec<Usage>,
    /// The number of usages in other entries.
    hidden: usize,
}

impl FileUsages {
    /// Returns the number of usages.
    pub(super) fn total(&self) -> usize {
        self.shown.len() + self.hidden
    }

    fn add_usage(&mut self, view: &View<'_>, one: &MediaUse<'_>) {
        if view.sees_entry(one.place, one.ordinal) {
            self.shown.push(render_usage(one));
        } else {
            self.hidden += 1;
        }
    }

    /// Adds a use that a change proposes: it would show nothing once it is published.
    fn add_proposed(&mut self, one: ProposedUse) {
        match one.usage {
            Some(usage) => self.shown.push(usage),
            None => self.hidden += 1,
        }
    }

    /// Returns a sentence about them.
    pub(super) fn message(&self, name: &str) -> Sentence {
        match self.total() {
            1 => sentence!("`{name}` is used in one place.", name),
            total => {
                sentence!("`{name}` is used in {count} places.", name, count = total)
            }
        }
    }

    /// Returns the error that prevents the deletion.
    pub(super) fn into_error(self, name: &str) -> Error {
        let message = self.message(name);
        Error::in_use(message, self.shown.into_iter().take(USAGES_MAX).collect())
    }
}

/// A page of usages.
#[derive(Debug)]
pub struct UsageList {
    /// The page.
    pub data: Vec<Usage>,
    /// The metadata of the page.
    pub meta: UsageListMeta,
}

/// The `meta` of a list of usages.
#[derive(Debug, Serialize)]
pub struct UsageListMeta {
    total: usize,
    limit: usize,
    offset: usize,
    /// The number of usages in entries that the caller may not read.
    hidden: usize,
}

/// Returns a page of the usages of a file that the caller may see.
pub fn list(snapshot: &Snapshot, caller: &Caller, name: &str, query: &str) -> Result<UsageList> {
    let params = QueryParams::parse(query).map_err(Error::bad_request)?;
    let item = find_item(snapshot, caller, name)?;
    let mut problems = FieldProblems::new();
    let (limit, offset) = parse_window(&params, &mut problems);
    check_problems(problems)?;
    let FileUsages { shown, hidden } = find_file_usages(snapshot, caller, &item.filename);
    let total = shown.len();
    let page = shown.into_iter().skip(offset).take(limit.unwrap_or(usize::MAX));
    let data: Vec<Usage> = page.collect();
    let meta = UsageListMeta { total, limit: limit.unwrap_or(data.len()), offset, hidden };
    Ok(UsageList { data, meta })
}

/// Returns the usages of a file.
pub(super) fn find_file_usages(snapshot: &Snapshot, caller: &Caller, name: &str) -> FileUsages {
    let view = View::new(snapshot, caller.viewer(), None);
    let mut usages = FileUsages::default();
    for (_, one) in media_uses::find_uses(snapshot, |it| it == name) {
        usages.add_usage(&view, &one);
    }
    let this = UsedThing::Media(name.to_string());
    for proposed in list_proposed_uses(snapshot, caller, |it| *it == this) {
        usages.add_proposed(proposed);
    }
    usages
}

/// Returns the usages of those files that have any.
pub(super) fn find_usages(
    snapshot: &Snapshot,
    caller: &Caller,
    names: &BTreeSet<&str>,
) -> BTreeMap<Box<str>, FileUsages> {
    let view = View::new(snapshot, caller.viewer(), None);
    let mut usages: BTreeMap<Box<str>, FileUsages> = BTreeMap::new();
    for (name, one) in media_uses::find_uses(snapshot, |it| names.contains(it)) {
        usages.entry(name).or_default().add_usage(&view, &one);
    }
    let is_it = |it: &UsedThing| matches!(it, UsedThing::Media(name) if names.contains(&**name));
    for proposed in list_proposed_uses(snapshot, caller, is_it) {
        let UsedThing::Media(name) = &proposed.thing else { continue };
        let name: Box<str> = name.as_str().into();
        usages.entry(name).or_default().add_proposed(proposed);
    }
    usages
}

fn render_usage(one: &MediaUse<'_>) -> Usage {
    let title = Json::parse(one.doc.variant_for(None).title_json()).ok();
    Usage {
        type_name: one.index.content_type.name.to_string(),
        id: one.doc.id().to_string(),
        title: title.as_ref().and_then(Json::as_str).unwrap_or_default().to_string(),
        field: one.field.to_string(),
        change: None,
    }
}
