//! What is in the trash, for those who may read it.

use serde::Serialize;

use crate::app::App;
use crate::app::access::Caller;
use crate::app::content_types;
use crate::app::entries::AdminRows;
use crate::app::entries::row_of;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::people;
use crate::engine::commit::CommitError;
use crate::model::content_type::ContentType;
use crate::model::entry::Entry;
use crate::model::entry::FileFacts;
use crate::model::problem::FieldProblems;
use crate::query::list_query;
use crate::query::list_query::Shape;
use crate::query::params::Params;
use crate::query::snapshot::Snapshot;
use crate::query::view::Sight;
use crate::query::view::View;
use crate::stdx::fold::fold;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::time::Timestamp;
use crate::store::layout::Folder;
use crate::store::layout::Key;

/// How many entries of a type are in the trash.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct InTrash {
    /// The type.
    pub name: String,
    /// What people call it.
    pub label: String,
    /// How many.
    pub count: usize,
}

/// An entry in the trash: as it was, with its name in the trash for its id, and who deleted it when.
#[derive(Debug, Serialize)]
pub struct TrashedEntry(Json);

/// Some of the entries of a type in the trash.
pub struct TrashPage {
    /// What was deleted last comes first.
    pub entries: Vec<TrashedEntry>,
    /// How many there are.
    pub total: usize,
    /// How many were asked for.
    pub limit: usize,
    /// How many were passed over.
    pub offset: usize,
}

/// How much of each type is in the trash that the caller may read.
pub fn overview(app: &App, snapshot: &Snapshot, caller: &Caller) -> Result<Vec<InTrash>> {
    let view = View::new(snapshot, caller.eyes(), None);
    let mut found = Vec::new();
    for (place, index) in snapshot.types().iter().enumerate() {
        let ty = &index.content_type;
        if !view.knows(index) || matches!(view.sight(place), Sight::Nothing) {
            continue;
        }
        let count = match view.sight(place) {
            Sight::Everything => files(app, snapshot, ty)?.len(),
            _ => visible(app, &view, place, ty)?.len(),
        };
        found.push(InTrash { name: ty.name.to_string(), label: ty.label.clone(), count });
    }
    Ok(found)
}

/// The entries of a type in the trash that the caller may read, as far as they were asked for.
pub fn list(
    app: &App,
    snapshot: &Snapshot,
    caller: &Caller,
    type_name: &str,
    params: &Params,
) -> Result<TrashPage> {
    let (place, index) = content_types::find(snapshot, caller, type_name)?;
    let mut problems = FieldProblems::new();
    let (limit, offset) = list_query::window(params, &mut problems);
    problems.or(()).map_err(Error::invalid)?;
    let view = View::new(snapshot, caller.eyes(), list_query::locale(params));
    let ty = &index.content_type;
    let mut found = visible(app, &view, place, ty)?;
    let folded = fold(params.get("q").unwrap_or_default());
    let terms: Vec<&str> = folded.split_whitespace().collect();
    let shape = Shape::default();
    let rows = AdminRows::new(&view, caller, &shape, place, app.engine.clock().now());
    let rows = rows.ok_or_else(|| Error::not_found("content type", type_name))?;
    found.retain(|it| it.holds(ty, &rows, &terms));
    found.sort_by(|one, other| other.order().cmp(&one.order()));
    let total = found.len();
    let page = found.iter().skip(offset).take(limit.unwrap_or(total));
    let entries: Vec<TrashedEntry> = page.map(|it| it.shown(app, &rows)).collect();
    let limit = limit.unwrap_or(entries.len());
    Ok(TrashPage { entries, total, limit, offset })
}

fn files(app: &App, snapshot: &Snapshot, ty: &ContentType) -> Result<Vec<Key>> {
    let folder = Folder::Trash(snapshot.workspace.clone(), ty.name.clone());
    let keys = app.engine.keys_in(&folder)?;
    Ok(keys.into_iter().filter(|it| matches!(it, Key::Trash(..))).collect())
}

/// What the caller would read if it were active. What cannot be read is passed over.
fn visible(app: &App, view: &View<'_>, place: usize, ty: &ContentType) -> Result<Vec<Deleted>> {
    let now = app.engine.clock().now();
    let mut found = Vec::new();
    for key in files(app, view.snapshot, ty)? {
        let Key::Trash(_, _, copy) = &key else { continue };
        let content = match app.engine.content(&key) {
            Ok(Some(content)) => content,
            Ok(None) | Err(CommitError::Broken(_)) => continue,
            Err(error) => return Err(error.into()),
        };
        let mut map = content.map;
        map.remove("id");
        let text = |key: &str| map.get(key).and_then(Json::as_str).map(str::to_string);
        let deleted_at = text("deleted_at").as_deref().and_then(Timestamp::parse);
        let deleted_by = text("deleted_by").filter(|it| !it.is_empty());
        let facts = FileFacts { modified: content.modified, now };
        let entry = Entry::read(copy.id.clone(), ty, map.into(), facts, &mut Vec::new());
        if view.admits(place, &row_of(&entry)) {
            let name = key.name().trim_end_matches(".json").to_string();
            let deleted_at = deleted_at.unwrap_or(content.modified);
            found.push(Deleted { name, entry, deleted_at, deleted_by });
        }
    }
    Ok(found)
}

/// An entry that was deleted.
struct Deleted {
    name: String,
    entry: Entry,
    deleted_at: Timestamp,
    deleted_by: Option<String>,
}

impl Deleted {
    fn order(&self) -> (Timestamp, &str) {
        (self.deleted_at, &self.name)
    }

    /// Whether all terms occur in what is searched of active entries, as the caller reads it.
    fn holds(&self, ty: &ContentType, rows: &AdminRows<'_>, terms: &[&str]) -> bool {
        if terms.is_empty() {
            return true;
        }
        let seen = self.seen(rows);
        let text = |key: &str| seen.get(key).and_then(Json::as_str).unwrap_or_default();
        let mut text = format!("{}\n{}", text("title"), text("slug"));
        let data = seen.get("data").and_then(Json::as_object);
        for field in ty.data_fields() {
            if let Some(value) = data.and_then(|it| it.get(field.name.as_str())) {
                field.kind.text(value, &mut text);
            }
        }
        let text = fold(&text);
        terms.iter().all(|it| text.contains(it))
    }

    fn seen(&self, rows: &AdminRows<'_>) -> Map {
        let mut out = Vec::new();
        rows.state(&self.entry, &[], &mut out);
        match Json::parse(&out) {
            Ok(Json::Object(map)) => map,
            _ => Map::new(),
        }
    }

    fn shown(&self, app: &App, rows: &AdminRows<'_>) -> TrashedEntry {
        let mut map = self.seen(rows);
        let text = |it: Option<String>| it.map_or(Json::Null, Json::from);
        map.set("id", self.name.as_str().into());
        map.push("deleted_at", self.deleted_at.to_string());
        map.push("deleted_by", text(self.deleted_by.clone()));
        let name = self.deleted_by.as_deref().and_then(|it| people::name_of(app, it));
        map.push("deleted_by_name", text(name));
        TrashedEntry(map.into())
    }
}
