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
use crate::app::precondition::Precondition;
use crate::engine::error::CommitError;
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
use crate::model::problem::FieldProblems;
use crate::model::saved_view::COLUMNS_MAX;
use crate::model::saved_view::NAME_CHARS_MAX;
use crate::model::saved_view::QUERY_BYTES_MAX;
use crate::model::saved_view::SAME_ID;
use crate::model::saved_view::SavedView;
use crate::model::saved_view::StoredViews;
use crate::model::saved_view::VIEWS;
use crate::query::index::snapshot::Snapshot;
use crate::query::index::type_index::TypeIndex;
use crate::stdx::checksum::Checksum;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::store::layout::Key;

/// The most views of a type, own and shared each.
const VIEWS_MAX: usize = 50;
const COLUMN_BYTES_MAX: usize = 200;

/// The most bytes of all views in one file, so that no file grows too large to be read.
const BYTES_MAX: usize = 256 * 1024;

/// The saved views of one type.
#[derive(Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "Views")]
pub struct SavedViews {
    /// The caller's own views.
    pub own: Vec<SavedView>,
    /// The views for everyone.
    pub shared: Vec<SavedView>,
}

impl SavedViews {
    /// Returns the checksum of the views, by which a change names those that it was made from.
    pub fn compute_sum(&self) -> Checksum {
        let list = |views: &[SavedView]| StoredViews::default().replace_views(views);
        Json::from(vec![list(&self.own), list(&self.shared)]).compute_checksum()
    }
}

/// The views that take the place of others.
struct NewViews {
    views: Vec<SavedView>,
    /// The views that the client knows, if it says so.
    known: Option<Vec<SavedView>>,
}

impl NewViews {
    /// Puts the views into the list of a file. Returns those that were there, and the list.
    fn put_into(&self, list: Option<&Json>) -> Result<(Vec<SavedView>, Json)> {
        if list.is_some_and(|it| *it != Json::Null && it.as_array().is_none()) {
            return Err(unreadable());
        }
        let stored = StoredViews::read(list);
        if self.known.as_ref().is_some_and(|it| *it != stored.views) {
            return Err(Error::precondition_failed(None));
        }
        let list = stored.replace_views(&self.views);
        Ok((stored.views, list))
    }
}

/// The body of a request that saves views. A list that is sent replaces the existing one, and one
/// request changes one of the two. Shared views need `schema.update` on the type.
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
    let read = |list| StoredViews::read(list).views;
    Ok(SavedViews { own: read(own), shared: read(shared) })
}

/// Replaces the caller's own views of a type, or the shared ones. A list that is not sent, or sent
/// as it is, stays.
pub fn save(
    app: &App,
    ws: &WorkspaceSlug,
    by: &Requester,
    type_name: &str,
    body: &Map,
    precondition: &Precondition,
) -> Result<SavedViews> {
    let snapshot = app.engine.snapshot(ws).ok_or_else(|| Error::not_found("workspace", ws))?;
    let index = find_readable(&snapshot, &by.caller, type_name)?;
    let of = index.content_type.name.as_str();
    let now = show(app, &snapshot, &by.caller, type_name)?;
    let ParsedBody { values: ViewsInput { own, shared }, problems } = ViewsInput::parse(body);
    let views = |list: Vec<SavedViewInput>| -> Vec<SavedView> {
        list.into_iter().map(|it| it.into_view(app)).collect()
    };
    let own = own.map(views).filter(|it| *it != now.own);
    let shared = shared.map(views).filter(|it| *it != now.shared);
    let check = || {
        let on = Resource::Schema(of);
        by.check_permission(ws, Action::SchemaUpdate, &on, &Facts::default())
    };
    let shared = shared.map(|it| check().map(|permit| (permit, it))).transpose()?;
    problems.into_result(()).map_err(Error::invalid)?;
    if !precondition.matches_rev(now.compute_sum()) {
        return Err(Error::precondition_failed(None));
    }
    let is_conditional = *precondition != Precondition::None;
    let known = |views: Vec<SavedView>| is_conditional.then_some(views);
    match (own, shared) {
        (None, None) => return Ok(now),
        (Some(views), None) => {
            write_own(app, ws, by, of, &NewViews { views, known: known(now.own) })?;
        }
        (None, Some((permit, views))) => {
            write_shared(app, permit, ws, of, NewViews { views, known: known(now.shared) })?;
        }
        // They are in two files, of which one could be written and the other not.
        (Some(_), Some(_)) => {
            let message = "Own and shared views are changed by two requests.";
            return Err(Error::invalid(FieldProblems::from_problem("shared", message)));
        }
    }
    show(app, &snapshot, &by.caller, type_name)
}

/// Stages the removal of the shared views of types that are deleted.
pub(crate) fn stage_removal(
    staging: &mut Staging<'_>,
    by: &Requester,
    types: &[&str],
) -> Result<()> {
    if types.is_empty() {
        return Ok(());
    }
    let key = Key::Workspace(staging.workspace().clone());
    let stored = match staging.read_stored(&key) {
        Err(CommitError::Broken(_)) => None,
        read => read?,
    };
    let Some(stored) = stored else { return Ok(()) };
    let mut map = stored.map().clone();
    let Some(mut all) = map.get(VIEWS).and_then(Json::as_object).cloned() else { return Ok(()) };
    let mut permit = None;
    for of in types {
        let Some(list) = all.remove(of) else { continue };
        let (ws, on) = (staging.workspace(), Resource::Schema(of));
        let allowed = by.check_permission(ws, Action::SchemaDelete, &on, &Facts::default())?;
        for view in StoredViews::read(Some(&list)).views {
            staging.write(&allowed).add_event(EventKind::ViewDeleted, to_subject(&view, of));
        }
        permit = Some(allowed);
    }
    let Some(permit) = permit else { return Ok(()) };
    put_member(&mut map, VIEWS, all.into());
    let bytes = stored.rewrite(map);
    staging.write(&permit).replace(&stored, bytes);
    Ok(())
}

/// Removes everybody's own views of types that were deleted. It is a change of its own: views that
/// it leaves, as on a full disk, are seen by nobody.
pub(crate) fn remove_own(
    app: &App,
    ws: &WorkspaceSlug,
    by: &Requester,
    types: &[&str],
) -> Result<()> {
    let Some(first) = types.first() else { return Ok(()) };
    let on = Resource::Schema(first);
    let permit = by.check_permission(ws, Action::SchemaDelete, &on, &Facts::default())?;
    let installation = app.engine.records().installation_arc();
    let users: Vec<EntryId> = installation.users().map(|it| it.record.id.clone()).collect();
    app.engine.commit_system(|staging: &mut SystemStaging<'_>| {
        for user in &users {
            let stored = match staging.read_stored(&Key::User(user.clone())) {
                Err(CommitError::Broken(_)) => continue,
                read => read?,
            };
            let Some(stored) = stored else { continue };
            let Some(map) = without_own(stored.map(), ws, types) else { continue };
            let bytes = stored.rewrite(map);
            staging.write(&permit).replace(&stored, bytes);
        }
        Ok::<_, Error>(())
    })
}

/// Returns the file of a user without the own views of types; nothing if it has none.
fn without_own(file: &Map, ws: &str, types: &[&str]) -> Option<Map> {
    let all = file.get(VIEWS)?.as_object()?;
    let mut here = all.get(ws)?.as_object()?.clone();
    let n_removed = types.iter().filter(|of| here.remove(of).is_some()).count();
    if n_removed == 0 {
        return None;
    }
    let (mut map, mut all) = (file.clone(), all.clone());
    put_member(&mut all, ws, here.into());
    put_member(&mut map, VIEWS, all.into());
    Some(map)
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

/// Reads the views under a key of a body. Returns `None` if the key is missing or invalid.
fn read_inputs(input: &mut ObjectReader<'_>, key: &str) -> Option<Vec<SavedViewInput>> {
    input.refuse_null(&[key]);
    let items = input.short_list(key, VIEWS_MAX, "views")?;
    let mut ids = HashSet::new();
    let read = |(place, item)| {
        input.parse_nested(&format!("{key}[{place}]"), item, |inner| {
            let view = SavedViewInput::read(inner);
            if view.id.as_ref().is_some_and(|id| !ids.insert(id.clone())) {
                inner.add_problem("id", SAME_ID);
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

/// Returns an object of a file; a missing one is empty.
fn to_object(json: Option<&Json>) -> Result<Map> {
    match json {
        None | Some(Json::Null) => Ok(Map::new()),
        Some(Json::Object(map)) => Ok(map.clone()),
        Some(_) => Err(unreadable()),
    }
}

/// Returns the error of a file in whose place something else would be written.
fn unreadable() -> Error {
    Error::conflict("The saved views in the file cannot be read. Repair it first.")
}

fn to_subject(view: &SavedView, of: &str) -> Subject {
    let (type_name, name) = (of.to_string(), view.name.clone());
    Subject::View { type_name, view: view.id.clone(), name }
}

fn write_shared(
    app: &App,
    permit: Permit,
    ws: &WorkspaceSlug,
    of: &str,
    new: NewViews,
) -> Result<()> {
    let of = of.to_string();
    let work = move |staging: &mut Staging<'_>| {
        let key = Key::Workspace(staging.workspace().clone());
        let stored = staging.read_stored(&key)?;
        let mut map = stored.as_ref().map(|it| it.map().clone()).unwrap_or_default();
        let mut all = to_object(map.get(VIEWS))?;
        let (before, list) = new.put_into(all.get(&of))?;
        put_member(&mut all, &of, list);
        check_size(&all)?;
        put_member(&mut map, VIEWS, all.into());
        let mut write = staging.write(&permit);
        for (kind, view) in list_view_changes(&before, &new.views) {
            write.add_event(kind, to_subject(view, &of));
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
    new: &NewViews,
) -> Result<()> {
    let user = &by.caller.require_login()?.account.record.id;
    let permit = Permit::for_own_account(&by.actor);
    let key = Key::User(user.clone());
    app.engine.commit_system(|staging: &mut SystemStaging<'_>| {
        let missing = || Error::not_found("user", &by.actor.id);
        let stored = staging.read_stored(&key)?.ok_or_else(missing)?;
        let mut all = to_object(stored.map().get(VIEWS))?;
        let mut here = to_object(all.get(ws))?;
        let (_, list) = new.put_into(here.get(of))?;
        put_member(&mut here, of, list);
        put_member(&mut all, ws, here.into());
        check_size(&all)?;
        let mut map = stored.map().clone();
        put_member(&mut map, VIEWS, all.into());
        let bytes = stored.rewrite(map);
        staging.write(&permit).replace(&stored, bytes);
        Ok::<_, Error>(())
    })
}
