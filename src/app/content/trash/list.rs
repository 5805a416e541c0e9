//! Lists of the trash, for callers who may read the entries.

use crate::query::render::admin_render::AdminEntry;
use schemars::JsonSchema;
use schemars::Schema;
use schemars::SchemaGenerator;
use schemars::json_schema;
use serde::Serialize;
use std::borrow::Cow;

use crate::app::App;
use crate::app::access::Caller;
use crate::app::content::content_types;
use crate::app::content::entries::AdminRenderer;
use crate::app::content::entries::row_of;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::people::display_names;
use crate::engine::error::CommitError;
use crate::model::content_type::ContentType;
use crate::model::entry::Entry;
use crate::model::entry::FileFacts;
use crate::model::problem::FieldProblems;
use crate::query::execute::view::EntryVisibility;
use crate::query::execute::view::View;
use crate::query::index::snapshot::Snapshot;
use crate::query::request::list_query;
use crate::query::request::list_query::Shape;
use crate::query::request::params::QueryParams;
use crate::stdx::fold::fold_text;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::time::Timestamp;
use crate::store::layout::Folder;
use crate::store::layout::Key;

/// The number of entries of a type in the trash.
#[derive(Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct TrashCount {
    /// The name of the type.
    pub name: String,
    /// The label of the type.
    pub label: String,
    /// The number of entries.
    pub count: usize,
}

/// An entry in the trash: its last state, with its name in the trash as its id, the time of
/// deletion and the user who deleted it.
#[derive(Debug, Serialize)]
pub struct TrashedEntry(Json);

impl JsonSchema for TrashedEntry {
    fn schema_name() -> Cow<'static, str> {
        "TrashedEntry".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "The entry as it was. Its `id` is its name in the trash, with `~` and a \
                number if several entries with one id were deleted.",
            "allOf": [
                generator.subschema_for::<AdminEntry>(),
                {
                    "type": "object",
                    "required": ["deleted_at", "deleted_by", "deleted_by_name"],
                    "properties": {
                        "deleted_at": {
                            "type": "string",
                            "format": "date-time",
                            "description": "The time of the deletion.",
                        },
                        "deleted_by": {
                            "type": ["string", "null"],
                            "description": "The id of the user or token that deleted it, if known.",
                        },
                        "deleted_by_name": {
                            "type": ["string", "null"],
                            "description": "The display name of that user or token.",
                        },
                    },
                },
            ],
        })
    }
}

/// A page of the entries of a type in the trash.
pub struct TrashPage {
    /// The entries, last deleted first.
    pub entries: Vec<TrashedEntry>,
    /// The total number.
    pub total: usize,
    /// The requested limit.
    pub limit: usize,
    /// The number of entries before the page.
    pub offset: usize,
}

/// Returns the number of entries of each type in the trash that the caller may read.
pub fn count_by_type(app: &App, snapshot: &Snapshot, caller: &Caller) -> Result<Vec<TrashCount>> {
    let view = View::new(snapshot, caller.viewer(), None);
    let mut found = Vec::new();
    for (place, index) in snapshot.types().iter().enumerate() {
        let ty = &index.content_type;
        if !view.knows_type(index)
            || matches!(view.resolve_visibility(place), EntryVisibility::Nothing)
        {
            continue;
        }
        let count = match view.resolve_visibility(place) {
            EntryVisibility::Everything => list_files(app, snapshot, ty)?.len(),
            _ => load_visible(app, &view, place, ty)?.len(),
        };
        found.push(TrashCount { name: ty.name.to_string(), label: ty.label.clone(), count });
    }
    Ok(found)
}

/// Returns a page of the entries of a type in the trash that the caller may read.
pub fn list(
    app: &App,
    snapshot: &Snapshot,
    caller: &Caller,
    type_name: &str,
    params: &QueryParams,
) -> Result<TrashPage> {
    let (place, index) = content_types::find(snapshot, caller, type_name)?;
    let mut problems = FieldProblems::new();
    let (limit, offset) = list_query::parse_window(params, &mut problems);
    problems.into_result(()).map_err(Error::invalid)?;
    let view = View::new(snapshot, caller.viewer(), list_query::requested_locale(params));
    let ty = &index.content_type;
    let mut found = load_visible(app, &view, place, ty)?;
    let folded = fold_text(params.get("q").unwrap_or_default());
    let terms: Vec<&str> = folded.split_whitespace().collect();
    let shape = Shape::default();
    let rows = AdminRenderer::new(&view, caller, &shape, place, app.engine.clock().now());
    let rows = rows.ok_or_else(|| Error::not_found("content type", type_name))?;
    found.retain(|it| it.matches_terms(ty, &rows, &terms));
    found.sort_by(|one, other| other.sort_key().cmp(&one.sort_key()));
    let total = found.len();
    let page = found.iter().skip(offset).take(limit.unwrap_or(total));
    let entries: Vec<TrashedEntry> = page.map(|it| it.render_entry(app, &rows)).collect();
    let limit = limit.unwrap_or(entries.len());
    Ok(TrashPage { entries, total, limit, offset })
}

/// Returns an entry in the trash, if the caller may read it.
pub(super) fn find(
    app: &App,
    snapshot: &Snapshot,
    caller: &Caller,
    type_name: &str,
    name: &str,
) -> Option<TrashedEntry> {
    let (place, index) = content_types::find(snapshot, caller, type_name).ok()?;
    let view = View::new(snapshot, caller.viewer(), None);
    let all = load_visible(app, &view, place, &index.content_type).ok()?;
    let found = all.into_iter().find(|it| it.name == name)?;
    let shape = Shape::default();
    let rows = AdminRenderer::new(&view, caller, &shape, place, app.engine.clock().now())?;
    Some(found.render_entry(app, &rows))
}

fn list_files(app: &App, snapshot: &Snapshot, ty: &ContentType) -> Result<Vec<Key>> {
    let folder = Folder::Trash(snapshot.workspace.clone(), ty.name.clone());
    let keys = app.engine.folder().list_keys(&folder)?;
    Ok(keys.into_iter().filter(|it| matches!(it, Key::Trash(..))).collect())
}

/// Loads the deleted entries that the caller could read if they were active. Unreadable files are
/// skipped.
fn load_visible(
    app: &App,
    view: &View<'_>,
    place: usize,
    ty: &ContentType,
) -> Result<Vec<DeletedEntry>> {
    let now = app.engine.clock().now();
    let mut found = Vec::new();
    for key in list_files(app, view.snapshot, ty)? {
        let Key::Trash(_, _, copy) = &key else { continue };
        let content = match app.engine.folder().read_content(&key) {
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
        if view.admits_row(place, &row_of(&entry)) {
            let name = key.name().trim_end_matches(".json").to_string();
            let deleted_at = deleted_at.unwrap_or(content.modified);
            found.push(DeletedEntry { name, entry, deleted_at, deleted_by });
        }
    }
    Ok(found)
}

/// A deleted entry.
struct DeletedEntry {
    name: String,
    entry: Entry,
    deleted_at: Timestamp,
    deleted_by: Option<String>,
}

impl DeletedEntry {
    fn sort_key(&self) -> (Timestamp, &str) {
        (self.deleted_at, &self.name)
    }

    /// Returns true if all terms occur in the searched values, as the caller reads them.
    fn matches_terms(&self, ty: &ContentType, rows: &AdminRenderer<'_>, terms: &[&str]) -> bool {
        if terms.is_empty() {
            return true;
        }
        let seen = self.render_map(rows);
        let text = |key: &str| seen.get(key).and_then(Json::as_str).unwrap_or_default();
        let mut text = format!("{}\n{}", text("title"), text("slug"));
        let data = seen.get("data").and_then(Json::as_object);
        for field in ty.data_fields() {
            if let Some(value) = data.and_then(|it| it.get(field.name.as_str())) {
                field.kind.collect_text(value, &mut text);
            }
        }
        let text = fold_text(&text);
        terms.iter().all(|it| text.contains(it))
    }

    fn render_map(&self, rows: &AdminRenderer<'_>) -> Map {
        let mut out = Vec::new();
        rows.write_entry(&self.entry, &[], &mut out);
        match Json::parse(&out) {
            Ok(Json::Object(map)) => map,
            _ => Map::new(),
        }
    }

    fn render_entry(&self, app: &App, rows: &AdminRenderer<'_>) -> TrashedEntry {
        let mut map = self.render_map(rows);
        map.set("id", self.name.as_str().into());
        map.push("deleted_at", self.deleted_at.to_string());
        map.push("deleted_by", self.deleted_by.clone());
        let name =
            self.deleted_by.as_deref().and_then(|it| display_names::find_display_name(app, it));
        map.push("deleted_by_name", name);
        TrashedEntry(map.into())
    }
}
