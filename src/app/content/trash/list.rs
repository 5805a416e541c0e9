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
use crate::app::content::entries::EffortResult;
use crate::app::content::entries::row_of;
use crate::app::content::trash::deletion_times::find_deleted_at;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::people::display_names;
use crate::engine::error::CommitError;
use crate::model::content_type::ContentType;
use crate::model::entry::Entry;
use crate::model::entry::FileFacts;
use crate::model::problem::FieldProblems;
use crate::query::execute::executor::Effort;
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
use crate::store::read::load::FileRef;

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

/// The most files that are read where others wait for the thread.
const THOROUGH_FILES_MAX: usize = 200;

/// Returns the number of entries of each type in the trash that the caller may read, as far as
/// `effort` allows.
pub fn count_by_type(
    app: &App,
    snapshot: &Snapshot,
    caller: &Caller,
    effort: Effort,
) -> Result<EffortResult<Vec<TrashCount>>> {
    let view = View::new(snapshot, caller.viewer(), None);
    let (mut found, mut n_read) = (Vec::new(), 0_usize);
    for (place, index) in snapshot.types().iter().enumerate() {
        let ty = &index.content_type;
        let visibility = view.resolve_visibility(place);
        if !view.knows_type(index) || matches!(visibility, EntryVisibility::Nothing) {
            continue;
        }
        let files = list_files(app, snapshot, ty)?;
        let mut count = files.len();
        if !matches!(visibility, EntryVisibility::Everything) {
            n_read = n_read.saturating_add(files.len());
            if !may_read(effort, n_read) {
                return Ok(EffortResult::NeedsEffort);
            }
            count = 0;
            for file in &files {
                count += usize::from(load_visible(app, &view, place, ty, &file.key)?.is_some());
            }
        }
        found.push(TrashCount { name: ty.name.to_string(), label: ty.label.clone(), count });
    }
    Ok(EffortResult::Done(found))
}

/// Returns a page of the entries of a type in the trash that the caller may read, as far as
/// `effort` allows.
pub fn list(
    app: &App,
    snapshot: &Snapshot,
    caller: &Caller,
    type_name: &str,
    params: &QueryParams,
    effort: Effort,
) -> Result<EffortResult<TrashPage>> {
    let (place, index) = content_types::find(snapshot, caller, type_name)?;
    let mut problems = FieldProblems::new();
    let (limit, offset) = list_query::parse_window(params, &mut problems);
    problems.into_result(()).map_err(Error::invalid)?;
    let view = View::new(snapshot, caller.viewer(), list_query::requested_locale(params));
    let ty = &index.content_type;
    let files = list_files(app, snapshot, ty)?;
    let folded = fold_text(params.get("q").unwrap_or_default());
    let terms: Vec<&str> = folded.split_whitespace().collect();
    // Else what is in a file decides if the caller finds it.
    let finds_all =
        terms.is_empty() && matches!(view.resolve_visibility(place), EntryVisibility::Everything);
    let n_unknown = if finds_all { app.deletion_times.count_unknown(&files) } else { files.len() };
    let n_shown = limit.map_or(files.len(), |it| it.min(files.len()));
    if !may_read(effort, n_unknown.saturating_add(n_shown)) {
        return Ok(EffortResult::NeedsEffort);
    }
    let shape = Shape::default();
    let rows = AdminRenderer::new(&view, caller, &shape, place, app.engine.clock().now());
    let rows = rows.ok_or_else(|| Error::not_found("content type", type_name))?;
    let mut found: Vec<(Timestamp, String, Key)> = Vec::with_capacity(files.len());
    for file in files {
        let deleted_at = if finds_all {
            app.deletion_times.load(app.engine.folder(), &file)?
        } else {
            let entry = load_visible(app, &view, place, ty, &file.key)?;
            entry.filter(|it| it.matches_terms(ty, &rows, &terms)).map(|it| it.deleted_at)
        };
        found.extend(deleted_at.map(|it| (it, name_in_trash(&file.key), file.key)));
    }
    found.sort_by(|(at, name, _), (other_at, other, _)| (other_at, other).cmp(&(at, name)));
    let total = found.len();
    let mut entries = Vec::new();
    for (_, _, key) in found.iter().skip(offset).take(limit.unwrap_or(total)) {
        let entry = load_visible(app, &view, place, ty, key)?;
        entries.extend(entry.map(|it| it.render_entry(app, &rows)));
    }
    let limit = limit.unwrap_or(entries.len());
    Ok(EffortResult::Done(TrashPage { entries, total, limit, offset }))
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
    let ty = &index.content_type;
    let folder = Folder::Trash(snapshot.workspace.clone(), ty.name.clone());
    let key = folder.classify_file(&format!("{name}.json")).into_ours()?;
    let found = load_visible(app, &view, place, ty, &key).ok()??;
    let shape = Shape::default();
    let rows = AdminRenderer::new(&view, caller, &shape, place, app.engine.clock().now())?;
    Some(found.render_entry(app, &rows))
}

/// Returns true if so many files may be read with this effort.
fn may_read(effort: Effort, n_files: usize) -> bool {
    effort == Effort::Heavy || n_files <= THOROUGH_FILES_MAX
}

fn list_files(app: &App, snapshot: &Snapshot, ty: &ContentType) -> Result<Vec<FileRef>> {
    let folder = Folder::Trash(snapshot.workspace.clone(), ty.name.clone());
    let files = app.engine.folder().list_files(&folder)?;
    Ok(files.into_iter().filter(|it| matches!(it.key, Key::Trash(..))).collect())
}

/// Returns the name by which an entry in the trash is known.
fn name_in_trash(key: &Key) -> String {
    key.name().trim_end_matches(".json").to_string()
}

/// Loads a deleted entry, if the caller could read it if it were active. An unreadable file is as
/// good as none.
fn load_visible(
    app: &App,
    view: &View<'_>,
    place: usize,
    ty: &ContentType,
    key: &Key,
) -> Result<Option<DeletedEntry>> {
    let Key::Trash(_, _, copy) = key else { return Ok(None) };
    let content = match app.engine.folder().read_content(key) {
        Ok(Some(content)) => content,
        Ok(None) | Err(CommitError::Broken(_)) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let deleted_at = find_deleted_at(&content);
    let mut map = content.map;
    map.remove("id");
    let deleted_by = map.get("deleted_by").and_then(Json::as_str).map(str::to_string);
    let deleted_by = deleted_by.filter(|it| !it.is_empty());
    let facts = FileFacts { modified: content.modified, now: app.engine.clock().now() };
    let entry = Entry::read(copy.id.clone(), ty, map.into(), facts, &mut Vec::new());
    let is_visible = view.admits_row(place, &row_of(&entry));
    let name = name_in_trash(key);
    Ok(is_visible.then_some(DeletedEntry { name, entry, deleted_at, deleted_by }))
}

/// A deleted entry.
struct DeletedEntry {
    name: String,
    entry: Entry,
    deleted_at: Timestamp,
    deleted_by: Option<String>,
}

impl DeletedEntry {
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
