//! Saved views of lists: which entries of a type, in which order, with which columns. Everybody keeps
//! their own in their record; those for all are kept with the workspace.

use std::sync::Arc;

use serde::Serialize;

use crate::app::App;
use crate::app::access::By;
use crate::app::access::Caller;
use crate::app::content_types;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::engine::staging::Staging;
use crate::engine::system::SystemStaging;
use crate::model::grant::Action;
use crate::model::grant::Facts;
use crate::model::grant::Resource;
use crate::model::name::EntryId;
use crate::model::name::WorkspaceSlug;
use crate::model::problem::FieldProblems;
use crate::query::snapshot::Snapshot;
use crate::query::type_index::TypeIndex;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::json_edit::rewrite;
use crate::store::layout::Key;

/// How many views of a type somebody may keep, and all together.
const VIEWS_MAX: usize = 50;
const NAME_CHARS_MAX: usize = 100;
const QUERY_BYTES_MAX: usize = 4_096;
const COLUMNS_MAX: usize = 50;

/// How many bytes all views in one file may take: no file grows so large that it is not read.
const BYTES_MAX: usize = 256 * 1024;

/// The key under which views are kept in either file.
const VIEWS: &str = "views";

/// The views of one type.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub struct Views {
    /// Those of the caller.
    pub own: Vec<SavedView>,
    /// Those for all.
    pub shared: Vec<SavedView>,
}

/// One view.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SavedView {
    /// Tells it from others.
    pub id: String,
    /// What people call it.
    pub name: String,
    /// The query string of the list.
    pub query: String,
    /// The columns to show, in their order.
    pub columns: Vec<String>,
}

/// The saved views of a type.
pub fn show(app: &App, snapshot: &Snapshot, caller: &Caller, type_name: &str) -> Result<Views> {
    let index = readable(snapshot, caller, type_name)?;
    let (ws, of) = (&snapshot.workspace, index.content_type.name.as_str());
    let user = user_file(app, caller)?;
    let own = user.get(VIEWS).and_then(|it| member(it, ws)).and_then(|it| member(it, of));
    let workspace = app.engine.content(&Key::Workspace(ws.clone()))?;
    let shared = workspace.as_ref().and_then(|it| it.map.get(VIEWS)).and_then(|it| member(it, of));
    Ok(Views { own: read(own), shared: read(shared) })
}

/// Replaces the caller's views of a type, those for all, or both: what is not sent stays.
pub fn save(app: &App, ws: &WorkspaceSlug, by: &By, type_name: &str, body: &Map) -> Result<Views> {
    let snapshot = app.engine.snapshot(ws).ok_or_else(|| Error::not_found("workspace", ws))?;
    let index = readable(&snapshot, &by.caller, type_name)?;
    let of = index.content_type.name.as_str();
    let now = show(app, &snapshot, &by.caller, type_name)?;
    let mut problems = FieldProblems::new();
    let own = parse(app, body, "own", &mut problems);
    let shared = parse(app, body, "shared", &mut problems);
    let shared = shared.filter(|it| *it != now.shared);
    if shared.is_some() {
        let on = Resource::Schema(of);
        by.caller.may(ws, Action::SchemaUpdate, &on, &Facts::default())?;
    }
    problems.or(()).map_err(Error::invalid)?;
    if let Some(shared) = shared {
        keep_shared(app, ws, of, shared)?;
    }
    if let Some(own) = own.filter(|it| *it != now.own) {
        keep_own(app, ws, by, of, &own)?;
    }
    show(app, &snapshot, &by.caller, type_name)
}

/// Views are for those who may read something of the type.
fn readable<'s>(
    snapshot: &'s Snapshot,
    caller: &Caller,
    type_name: &str,
) -> Result<&'s Arc<TypeIndex>> {
    let (_, index) = content_types::find(snapshot, caller, type_name)?;
    if content_types::reads(snapshot, caller, index) {
        return Ok(index);
    }
    Err(Error::forbidden(Action::SchemaRead, &format!("`schema:{type_name}`")))
}

fn member<'j>(json: &'j Json, key: &str) -> Option<&'j Json> {
    json.as_object()?.get(key)
}

fn user_file(app: &App, caller: &Caller) -> Result<Map> {
    let key = Key::User(caller.login()?.account.record.id.clone());
    Ok(app.engine.content(&key)?.map(|it| it.map).unwrap_or_default())
}

/// What a file holds, which a hand may have written: what makes no sense is passed over.
fn read(json: Option<&Json>) -> Vec<SavedView> {
    let items = json.and_then(Json::as_array).unwrap_or_default();
    let text = |item: &Json, key| member(item, key).and_then(Json::as_str).map(str::to_string);
    let view = |item: &Json| {
        let columns = member(item, "columns").and_then(Json::as_array).unwrap_or_default();
        Some(SavedView {
            id: text(item, "id")?,
            name: text(item, "name")?,
            query: text(item, "query").unwrap_or_default(),
            columns: columns.iter().filter_map(Json::as_str).map(str::to_string).collect(),
        })
    };
    items.iter().filter_map(view).collect()
}

/// The views that a body sends under a key, if it does.
fn parse(app: &App, body: &Map, key: &str, problems: &mut FieldProblems) -> Option<Vec<SavedView>> {
    let items = match body.get(key)? {
        Json::Array(items) if items.len() <= VIEWS_MAX => items,
        Json::Array(_) => {
            problems.add(key, format!("{VIEWS_MAX} views of a type are the most."));
            return None;
        }
        other => {
            problems.add(key, format!("This is a list of views, not {}.", other.kind()));
            return None;
        }
    };
    let mut views: Vec<SavedView> = Vec::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        let mut found = FieldProblems::new();
        let view = parsed(app, item, &mut found);
        if views.iter().any(|it| it.id == view.id) {
            found.add("id", "Another view has this id.");
        }
        problems.extend(found.at(&format!("{key}[{index}]")));
        views.push(view);
    }
    Some(views)
}

fn parsed(app: &App, item: &Json, problems: &mut FieldProblems) -> SavedView {
    let text = |key: &str| member(item, key).and_then(Json::as_str).unwrap_or_default().trim();
    let (id, name, query) = (text("id"), text("name"), text("query"));
    if name.is_empty() || name.chars().count() > NAME_CHARS_MAX {
        problems.add("name", format!("A name has 1 to {NAME_CHARS_MAX} characters."));
    }
    if query.len() > QUERY_BYTES_MAX {
        problems.add("query", format!("A query has {QUERY_BYTES_MAX} bytes at most."));
    }
    let columns: Vec<String> = member(item, "columns")
        .and_then(Json::as_array)
        .unwrap_or_default()
        .iter()
        .filter_map(|it| it.as_str().map(str::to_string))
        .collect();
    if columns.len() > COLUMNS_MAX || columns.iter().any(|it| it.len() > 200) {
        problems.add("columns", format!("There are {COLUMNS_MAX} columns at most."));
    }
    let id = match EntryId::parse(id) {
        Ok(id) => id.to_string(),
        Err(_) => app.engine.new_id().to_string(),
    };
    SavedView { id, name: name.to_string(), query: query.to_string(), columns }
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

/// Refuses what would make a file too large.
fn check_size(all: &Map) -> Result<()> {
    let mut bytes = Vec::new();
    Json::from(all.clone()).write_compact(&mut bytes);
    if bytes.len() > BYTES_MAX {
        return Err(Error::too_large("There are too many saved views; delete some first."));
    }
    Ok(())
}

/// Sets a member of a member; without views it goes.
fn put(map: &mut Map, key: &str, views: Json) {
    if views.is_empty() { _ = map.remove(key) } else { map.set(key, views) }
}

fn object(json: Option<&Json>) -> Map {
    json.and_then(Json::as_object).cloned().unwrap_or_default()
}

fn keep_shared(app: &App, ws: &WorkspaceSlug, of: &str, views: Vec<SavedView>) -> Result<()> {
    let (of, views) = (of.to_string(), Arc::new(views));
    let work = move |staging: &mut Staging<'_>| {
        let key = Key::Workspace(staging.workspace().clone());
        let stored = staging.stored(&key)?;
        let mut map = stored.as_ref().map(|it| it.map.clone()).unwrap_or_default();
        let mut all = object(map.get(VIEWS));
        put(&mut all, &of, to_json(&views));
        check_size(&all)?;
        put(&mut map, VIEWS, all.into());
        match stored {
            Some(stored) => {
                let bytes = rewrite(&stored.bytes, &Json::Object(map));
                staging.replace(&stored, bytes);
            }
            None => staging.create(&key, Json::Object(map).to_file()),
        }
        Ok(())
    };
    app.engine.commit::<(), Error, _>(ws, work).map(drop)
}

fn keep_own(app: &App, ws: &WorkspaceSlug, by: &By, of: &str, views: &[SavedView]) -> Result<()> {
    let key = Key::User(by.caller.login()?.account.record.id.clone());
    app.engine.commit_system(|staging: &mut SystemStaging<'_>| {
        let missing = || Error::not_found("user", &by.actor.id);
        let stored = staging.stored(&key)?.ok_or_else(missing)?;
        let mut all = object(stored.map.get(VIEWS));
        let mut here = object(all.get(ws));
        put(&mut here, of, to_json(views));
        put(&mut all, ws, here.into());
        check_size(&all)?;
        let mut map = stored.map.clone();
        put(&mut map, VIEWS, all.into());
        let bytes = rewrite(&stored.bytes, &Json::Object(map));
        staging.replace(&stored, bytes);
        Ok::<_, Error>(())
    })
}
