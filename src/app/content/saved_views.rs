//! Saved views of lists: a query and columns for the entries of a type. Each user's own views are
//! stored in the user record, shared ones with the workspace.

use std::collections::HashSet;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;

use crate::app::App;
use crate::app::access::Caller;
use crate::app::access::Requester;
use crate::app::content::content_types;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::engine::staging::Staging;
use crate::engine::staging::SystemStaging;
use crate::model::event::EventKind;
use crate::model::event::Subject;
use crate::model::grant::Action;
use crate::model::grant::Facts;
use crate::model::grant::Permit;
use crate::model::grant::Resource;
use crate::model::input::ObjectReader;
use crate::model::input::ParsedBody;
use crate::model::input::check_length;
use crate::model::input::wording;
use crate::model::name::EntryId;
use crate::model::name::WorkspaceSlug;
use crate::query::index::snapshot::Snapshot;
use crate::query::index::type_index::TypeIndex;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::store::layout::Key;

/// The most views of a type, own and shared each.
const VIEWS_MAX: usize = 50;
const NAME_CHARS_MAX: usize = 100;
const QUERY_BYTES_MAX: usize = 4_096;
const COLUMNS_MAX: usize = 50;
const COLUMN_BYTES_MAX: usize = 200;

/// The most bytes of all views in one file, so that no file grows too large to be read.
const BYTES_MAX: usize = 256 * 1024;

/// The key of the views in both files.
const VIEWS: &str = "views";

/// The saved views of one type.
#[derive(Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "Views")]
pub struct SavedViews {
    /// The caller's own views.
    pub own: Vec<SavedView>,
    /// The views for everyone.
    pub shared: Vec<SavedView>,
}

/// A saved view.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SavedView {
    /// The unique id.
    pub id: String,
    /// The name.
    #[schemars(length(min = 1, max = NAME_CHARS_MAX))]
    pub name: String,
    /// The query string of the list.
    #[schemars(length(max = QUERY_BYTES_MAX))]
    pub query: String,
    /// The columns to show, in their order.
    #[schemars(length(max = COLUMNS_MAX))]
    pub columns: Vec<String>,
}

impl SavedView {
    fn to_subject(&self, of: &str) -> Subject {
        let (type_name, view, name) = (of.to_string(), self.id.clone(), self.name.clone());
        Subject::View { type_name, view, name }
    }
}

/// The body of a request that saves views. The lists that are sent replace the existing ones.
/// Shared views need `schema.update` on the type.
#[derive(JsonSchema)]
pub struct ViewsInput {
    /// The caller's own views.
    #[schemars(length(max = VIEWS_MAX))]
    own: Option<Vec<SavedViewInput>>,
    /// The views for everyone.
    #[schemars(length(max = VIEWS_MAX))]
    shared: Option<Vec<SavedViewInput>>,
}

impl ViewsInput {
    fn parse(body: &Map) -> ParsedBody<ViewsInput> {
        let mut input = ObjectReader::new(body);
        let own = read_inputs(&mut input, "own");
        let shared = read_inputs(&mut input, "shared");
        input.finish(ViewsInput { own, shared })
    }
}

/// A view in a request.
#[derive(JsonSchema)]
struct SavedViewInput {
    /// The id of an existing view; a new view gets one.
    id: Option<EntryId>,
    /// The name.
    #[schemars(length(min = 1, max = NAME_CHARS_MAX))]
    name: String,
    /// The query string of the list.
    #[schemars(with = "Option<String>", length(max = QUERY_BYTES_MAX))]
    query: String,
    /// The columns to show, in their order.
    #[schemars(with = "Option<Vec<String>>", length(max = COLUMNS_MAX))]
    columns: Vec<String>,
}

impl SavedViewInput {
    fn read(input: &mut ObjectReader<'_>) -> SavedViewInput {
        let (id, query) = (input.lenient_text("id"), input.lenient_text("query").trim());
        let name = input.filled_text("name");
        input.accept_checked("name", check_length(&name, NAME_CHARS_MAX));
        if query.len() > QUERY_BYTES_MAX {
            input.add_problem("query", wording::too_large(QUERY_BYTES_MAX));
        }
        let columns = read_columns(input.value("columns"));
        if columns.len() > COLUMNS_MAX || columns.iter().any(|it| it.len() > COLUMN_BYTES_MAX) {
            input.add_problem("columns", wording::too_many(COLUMNS_MAX, "columns"));
        }
        SavedViewInput {
            id: EntryId::parse(id.trim()).ok(),
            name,
            query: query.to_string(),
            columns,
        }
    }

    fn into_view(self, app: &App) -> SavedView {
        let SavedViewInput { id, name, query, columns } = self;
        SavedView {
            id: id.unwrap_or_else(|| app.engine.folder().new_id()).to_string(),
            name,
            query,
            columns,
        }
    }
}

/// Returns the saved views of a type.
pub fn show(
    app: &App,
    snapshot: &Snapshot,
    caller: &Caller,
    type_name: &str,
) -> Result<SavedViews> {
    let index = find_readable(snapshot, caller, type_name)?;
    let (ws, of) = (&snapshot.workspace, index.content_type.name.as_str());
    let user = load_user_file(app, caller)?;
    let own = user.get(VIEWS).and_then(|it| get_member(it, ws)).and_then(|it| get_member(it, of));
    let workspace = app.engine.folder().read_content(&Key::Workspace(ws.clone()))?;
    let shared =
        workspace.as_ref().and_then(|it| it.map.get(VIEWS)).and_then(|it| get_member(it, of));
    Ok(SavedViews { own: read_views(own), shared: read_views(shared) })
}

/// Replaces the caller's own views of a type, the shared ones, or both. Lists that are not sent
/// stay.
pub fn save(
    app: &App,
    ws: &WorkspaceSlug,
    by: &Requester,
    type_name: &str,
    body: &Map,
) -> Result<SavedViews> {
    let snapshot = app.engine.snapshot(ws).ok_or_else(|| Error::not_found("workspace", ws))?;
    let index = find_readable(&snapshot, &by.caller, type_name)?;
    let of = index.content_type.name.as_str();
    let now = show(app, &snapshot, &by.caller, type_name)?;
    let ParsedBody { values: ViewsInput { own, shared }, problems } = ViewsInput::parse(body);
    let views = |list: Vec<SavedViewInput>| -> Vec<SavedView> {
        list.into_iter().map(|it| it.into_view(app)).collect()
    };
    let (own, shared) = (own.map(views), shared.map(views));
    let shared = shared.filter(|it| *it != now.shared);
    let check = || {
        let on = Resource::Schema(of);
        by.check_permission(ws, Action::SchemaUpdate, &on, &Facts::default())
    };
    let shared = shared.map(|it| check().map(|permit| (permit, it))).transpose()?;
    problems.into_result(()).map_err(Error::invalid)?;
    if let Some((permit, shared)) = shared {
        write_shared(app, permit, ws, of, shared)?;
    }
    if let Some(own) = own.filter(|it| *it != now.own) {
        write_own(app, ws, by, of, &own)?;
    }
    show(app, &snapshot, &by.caller, type_name)
}

/// Returns a type of which the caller may read something.
fn find_readable<'s>(
    snapshot: &'s Snapshot,
    caller: &Caller,
    type_name: &str,
) -> Result<&'s Arc<TypeIndex>> {
    let (_, index) = content_types::find(snapshot, caller, type_name)?;
    if content_types::may_read_definition(snapshot, caller, index) {
        return Ok(index);
    }
    Err(Error::forbidden(Action::SchemaRead, &format!("`schema:{type_name}`")))
}

fn get_member<'j>(json: &'j Json, key: &str) -> Option<&'j Json> {
    json.as_object()?.get(key)
}

fn load_user_file(app: &App, caller: &Caller) -> Result<Map> {
    let key = Key::User(caller.require_login()?.account.record.id.clone());
    Ok(app.engine.folder().read_content(&key)?.map(|it| it.map).unwrap_or_default())
}

/// Parses the views in a file. Invalid items, perhaps written by hand, are skipped.
fn read_views(json: Option<&Json>) -> Vec<SavedView> {
    let items = json.and_then(Json::as_array).unwrap_or_default();
    let text = |item: &Json, key| get_member(item, key).and_then(Json::as_str).map(str::to_string);
    let view = |item: &Json| {
        Some(SavedView {
            id: text(item, "id")?,
            name: text(item, "name")?,
            query: text(item, "query").unwrap_or_default(),
            columns: read_columns(get_member(item, "columns")),
        })
    };
    items.iter().filter_map(view).collect()
}

/// Reads the views under a key of a body. Returns `None` if the key is missing or invalid.
fn read_inputs(input: &mut ObjectReader<'_>, key: &str) -> Option<Vec<SavedViewInput>> {
    input.refuse_null(&[key]);
    let items = input.short_list(key, VIEWS_MAX, "views")?;
    let mut ids = HashSet::new();
    let read = |(place, item)| {
        input.parse_nested(&format!("{key}[{place}]"), item, |inner| {
            let view = SavedViewInput::read(inner);
            if view.id.as_ref().is_some_and(|id| !ids.insert(id.clone())) {
                inner.add_problem("id", "Another view has this id.");
            }
            view
        })
    };
    Some(items.iter().enumerate().filter_map(read).collect())
}

fn read_columns(json: Option<&Json>) -> Vec<String> {
    let items = json.and_then(Json::as_array).unwrap_or_default();
    items.iter().filter_map(Json::as_str).map(str::to_string).collect()
}

fn to_json(views: &[SavedView]) -> Json {
    let json = views.iter().map(|it| {
        let mut map = Map::new();
        map.push("id", it.id.as_str());
        map.push("name", it.name.as_str());
        map.push("query", it.query.as_str());
        let columns: Vec<Json> = it.columns.iter().map(|it| it.as_str().into()).collect();
        map.push("columns", columns);
        Json::from(map)
    });
    json.collect::<Vec<Json>>().into()
}

/// Checks that a file does not become too large.
fn check_size(all: &Map) -> Result<()> {
    let mut bytes = Vec::new();
    Json::from(all.clone()).write_compact(&mut bytes);
    if bytes.len() > BYTES_MAX {
        return Err(Error::too_large("There are too many saved views; delete some first."));
    }
    Ok(())
}

/// Sets a member; removes it if there are no views.
fn put_member(map: &mut Map, key: &str, views: Json) {
    if views.is_empty() { _ = map.remove(key) } else { map.set(key, views) }
}

fn to_object(json: Option<&Json>) -> Map {
    json.and_then(Json::as_object).cloned().unwrap_or_default()
}

fn write_shared(
    app: &App,
    permit: Permit,
    ws: &WorkspaceSlug,
    of: &str,
    views: Vec<SavedView>,
) -> Result<()> {
    let (of, views) = (of.to_string(), Arc::new(views));
    let work = move |staging: &mut Staging<'_>| {
        let key = Key::Workspace(staging.workspace().clone());
        let stored = staging.read_stored(&key)?;
        let mut map = stored.as_ref().map(|it| it.map().clone()).unwrap_or_default();
        let mut all = to_object(map.get(VIEWS));
        let before = read_views(all.get(&of));
        put_member(&mut all, &of, to_json(&views));
        check_size(&all)?;
        put_member(&mut map, VIEWS, all.into());
        let mut write = staging.write(&permit);
        for (kind, view) in list_view_changes(&before, &views) {
            write.add_event(kind, view.to_subject(&of));
        }
        match stored {
            Some(stored) => write.replace(&stored, stored.rewrite(map)),
            None => write.create(&key, Json::Object(map).to_file()),
        }
        Ok(())
    };
    app.engine.commit::<(), Error, _>(ws, work).map(drop)
}

/// Lists what became of views. Their order alone is no event.
fn list_view_changes<'v>(
    before: &'v [SavedView],
    after: &'v [SavedView],
) -> Vec<(EventKind, &'v SavedView)> {
    let gone = before.iter().filter(|it| find_view(after, &it.id).is_none());
    let gone = gone.map(|it| (EventKind::ViewDeleted, it));
    let kept = after.iter().filter_map(|it| match find_view(before, &it.id) {
        Some(known) if known == it => None,
        Some(_) => Some((EventKind::ViewUpdated, it)),
        None => Some((EventKind::ViewCreated, it)),
    });
    gone.chain(kept).collect()
}

fn find_view<'v>(views: &'v [SavedView], id: &str) -> Option<&'v SavedView> {
    views.iter().find(|it| it.id == id)
}

fn write_own(
    app: &App,
    ws: &WorkspaceSlug,
    by: &Requester,
    of: &str,
    views: &[SavedView],
) -> Result<()> {
    let user = &by.caller.require_login()?.account.record.id;
    let permit = Permit::for_own_account(&by.actor);
    let key = Key::User(user.clone());
    app.engine.commit_system(|staging: &mut SystemStaging<'_>| {
        let missing = || Error::not_found("user", &by.actor.id);
        let stored = staging.read_stored(&key)?.ok_or_else(missing)?;
        let mut all = to_object(stored.map().get(VIEWS));
        let mut here = to_object(all.get(ws));
        put_member(&mut here, of, to_json(views));
        put_member(&mut all, ws, here.into());
        check_size(&all)?;
        let mut map = stored.map().clone();
        put_member(&mut map, VIEWS, all.into());
        let bytes = stored.rewrite(map);
        staging.write(&permit).replace(&stored, bytes);
        Ok::<_, Error>(())
    })
}
