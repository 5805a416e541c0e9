//! Where media files are used: asked before one is deleted.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use serde::Serialize;

use crate::app::access::Caller;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::media::find;
use crate::app::media::staged::all_well;
use crate::model::problem::FieldProblems;
use crate::query::list_query::window;
use crate::query::media_uses;
use crate::query::media_uses::Use;
use crate::query::params::Params;
use crate::query::snapshot::Snapshot;
use crate::query::view::View;
use crate::stdx::json::Json;

/// How many places an error tells at most.
const TOLD_MAX: usize = 20;

/// A field of an entry that shows a file.
#[derive(Clone, Debug, Serialize)]
pub struct UsageView {
    #[serde(rename = "type")]
    type_name: String,
    id: String,
    title: String,
    field: String,
}

/// Where a file is used: in entries that the caller may read, and in how many others. Of those no
/// more is told; but whoever deletes the file must know that they are there.
#[derive(Clone, Debug, Default)]
pub(super) struct Usages {
    /// In entries that the caller may read.
    shown: Vec<UsageView>,
    /// In how many places of entries that the caller may not read.
    hidden: usize,
}

impl Usages {
    /// How many places there are.
    pub(super) fn total(&self) -> usize {
        self.shown.len() + self.hidden
    }

    fn add(&mut self, view: &View<'_>, one: &Use<'_>) {
        if view.sees(one.place, one.ordinal) {
            self.shown.push(shown(one));
        } else {
            self.hidden += 1;
        }
    }

    /// A sentence about them.
    pub(super) fn message(&self, name: &str) -> String {
        match self.total() {
            1 => format!("`{name}` is used in one place."),
            total => format!("`{name}` is used in {total} places."),
        }
    }

    /// Why the file is not deleted.
    pub(super) fn conflict(self, name: &str) -> Error {
        let message = self.message(name);
        let some = self.shown.get(..TOLD_MAX).unwrap_or(&self.shown);
        match serde_json::to_vec(some) {
            Ok(usages) => Error::in_use(message, usages.into()),
            Err(error) => Error::internal(error),
        }
    }
}

/// A page of the places where a file is used.
#[derive(Debug)]
pub struct UsageList {
    /// The page.
    pub data: Vec<UsageView>,
    /// Its circumstances.
    pub meta: UsageListMeta,
}

/// The `meta` of a list of usages.
#[derive(Debug, Serialize)]
pub struct UsageListMeta {
    total: usize,
    limit: usize,
    offset: usize,
    /// In how many places more, of entries that the caller may not read.
    hidden: usize,
}

/// Where a file is used that the caller may see.
pub fn list(snapshot: &Snapshot, caller: &Caller, name: &str, query: &str) -> Result<UsageList> {
    let params = Params::parse(query).map_err(Error::bad_request)?;
    let item = find(snapshot, caller, name)?;
    let mut problems = FieldProblems::new();
    let (limit, offset) = window(&params, &mut problems);
    all_well(problems)?;
    let Usages { shown, hidden } = of_file(snapshot, caller, &item.filename);
    let total = shown.len();
    let page = shown.into_iter().skip(offset).take(limit.unwrap_or(usize::MAX));
    let data: Vec<UsageView> = page.collect();
    let meta = UsageListMeta { total, limit: limit.unwrap_or(data.len()), offset, hidden };
    Ok(UsageList { data, meta })
}

/// Where a file is used.
pub(super) fn of_file(snapshot: &Snapshot, caller: &Caller, name: &str) -> Usages {
    let view = View::new(snapshot, caller.eyes(), None);
    let mut usages = Usages::default();
    for (_, one) in media_uses::uses(snapshot, |it| it == name) {
        usages.add(&view, &one);
    }
    usages
}

/// Where those of several files are used that are.
pub(super) fn of_files(
    snapshot: &Snapshot,
    caller: &Caller,
    names: &BTreeSet<&str>,
) -> BTreeMap<Box<str>, Usages> {
    let view = View::new(snapshot, caller.eyes(), None);
    let mut usages: BTreeMap<Box<str>, Usages> = BTreeMap::new();
    for (name, one) in media_uses::uses(snapshot, |it| names.contains(it)) {
        usages.entry(name).or_default().add(&view, &one);
    }
    usages
}

fn shown(one: &Use<'_>) -> UsageView {
    let title = Json::parse(one.doc.variant(None).title()).ok();
    UsageView {
        type_name: one.index.content_type.name.to_string(),
        id: one.doc.id.to_string(),
        title: title.as_ref().and_then(Json::as_str).unwrap_or_default().to_string(),
        field: one.field.to_string(),
    }
}
