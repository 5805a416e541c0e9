//! The records of changes: listing, beginning, renaming, closing and deleting them.

use std::cmp::Reverse;
use std::sync::Arc;

use crate::app::App;
use crate::app::access::Caller;
use crate::app::access::Requester;
use crate::app::content::change_access;
use crate::app::content::change_access::check_all;
use crate::app::content::change_access::check_proposals;
use crate::app::content::changes::change_inputs::ChangeInput;
use crate::app::content::changes::change_inputs::NewChange;
use crate::app::content::changes::change_view::ChangeView;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::engine::Engine;
use crate::engine::overlays::Unveiled;
use crate::engine::staging::Staging;
use crate::engine::writer::Committed;
use crate::model::change::ChangeRecord;
use crate::model::change::ChangeState;
use crate::model::change::is_pending;
use crate::model::change::pending_id;
use crate::model::event::EventKind;
use crate::model::event::Subject;
use crate::model::grant::Action;
use crate::model::grant::Facts;
use crate::model::grant::Permit;
use crate::model::grant::Resource;
use crate::model::input::wording;
use crate::model::name::EntryId;
use crate::model::name::TypeName;
use crate::model::name::WorkspaceSlug;
use crate::model::problem::FieldProblems;
use crate::query::index::change_index::Change;
use crate::query::index::snapshot::Snapshot;
use crate::query::request::list_query::parse_window;
use crate::query::request::params::QueryParams;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::store::layout::Folder;
use crate::store::layout::Key;

/// A page of changes.
pub struct ChangePage {
    /// The changes.
    pub changes: Vec<ChangeView>,
    /// The number of all that match.
    pub total: usize,
    /// The requested limit.
    pub limit: usize,
    /// The number of changes before the page.
    pub offset: usize,
}

/// Lists the changes that the caller may read, the latest begun first: `?state=&limit=&offset=`.
pub fn list(app: &App, snapshot: &Snapshot, caller: &Caller, query: &str) -> Result<ChangePage> {
    let params = QueryParams::parse(query).map_err(Error::bad_request)?;
    let mut problems = FieldProblems::new();
    let (limit, offset) = parse_window(&params, &mut problems);
    let states = parse_states(&params, &mut problems);
    problems.into_result(()).map_err(Error::invalid)?;
    let found = list_readable(snapshot, caller, |it| {
        let state = it.record.as_ref().map(|it| it.state).unwrap_or_default();
        states.as_ref().is_none_or(|states| states.contains(&state))
    });
    let total = found.len();
    let page = found.into_iter().skip(offset).take(limit.unwrap_or(usize::MAX));
    let changes: Vec<ChangeView> =
        page.map(|(id, it)| ChangeView::new(app, snapshot, id, it)).collect();
    Ok(ChangePage { limit: limit.unwrap_or(changes.len()), changes, total, offset })
}

/// Lists all changes that the caller may read, the latest begun first.
pub fn list_all(app: &App, snapshot: &Snapshot, caller: &Caller) -> Vec<ChangeView> {
    let all = list_readable(snapshot, caller, |_| true).into_iter();
    all.map(|(id, it)| ChangeView::new(app, snapshot, id, it)).collect()
}

fn list_readable<'s>(
    snapshot: &'s Snapshot,
    caller: &Caller,
    is_asked: impl Fn(&Change) -> bool,
) -> Vec<(&'s EntryId, &'s Arc<Change>)> {
    let changes = snapshot.changes.iter().filter(|(_, it)| is_asked(it));
    let mut found: Vec<(&EntryId, &Arc<Change>)> =
        changes.filter(|(_, it)| change_access::may_read(snapshot, caller, it)).collect();
    found.sort_by_key(|(id, it)| Reverse((it.record.as_ref().and_then(|it| it.created_at), *id)));
    found
}

/// Parses the states that a list is asked for; nothing means all.
fn parse_states(params: &QueryParams, problems: &mut FieldProblems) -> Option<Vec<ChangeState>> {
    let names = params.list_names("state")?;
    let states: Option<Vec<ChangeState>> = names.into_iter().map(ChangeState::parse).collect();
    if states.is_none() {
        problems.add("state", wording::not_one_of(ChangeState::ALL.map(ChangeState::as_str)));
    }
    states
}

/// Returns one change.
pub fn show(
    app: &App,
    snapshot: &Snapshot,
    caller: &Caller,
    reference: &str,
) -> Result<ChangeView> {
    let (id, change) = change_access::find_change(snapshot, caller, reference)?;
    Ok(ChangeView::new(app, snapshot, &id, &change))
}

/// Begins a named change: `{label, note?}`.
pub fn create(app: &App, ws: &WorkspaceSlug, by: &Requester, body: &Map) -> Result<ChangeView> {
    let (requester, body) = (by.clone(), body.clone());
    let committed = app.engine.commit(ws, move |staging| {
        let permit = find_permit(staging.snapshot(), &requester)?;
        let NewChange { label, note } =
            NewChange::parse(&body).into_result().map_err(Error::invalid)?;
        let begun = ChangeRecord::begin(label, &requester.actor.id, staging.now());
        let id = staging.new_id();
        stage_new_record(staging, &permit, &id, &ChangeRecord { note, ..begun });
        Ok::<_, Error>(id)
    })?;
    show(app, &committed.snapshot, &by.caller, &committed.value)
}

/// Changes the record of a change: `{label?, note?, closed?}`.
pub fn update(
    app: &App,
    ws: &WorkspaceSlug,
    by: &Requester,
    reference: &str,
    body: &Map,
) -> Result<ChangeView> {
    let body = body.clone();
    edit_record(app, ws, by, reference, move |found, staging| {
        let permit = found.check_may_manage(staging.snapshot())?;
        let ChangeInput { label, note, closed } =
            ChangeInput::parse(&body).into_result().map_err(Error::invalid)?;
        let record = &mut found.record;
        record.label = label.unwrap_or_else(|| record.label.clone());
        record.note = note.unwrap_or_else(|| record.note.clone());
        let state = match closed {
            Some(_) if record.state == ChangeState::Published => {
                return Err(Error::conflict("This change is published."));
            }
            Some(true) if is_pending(&found.id) => {
                let message = "A pending change is not closed. Delete it, or take entries out.";
                return Err(Error::conflict(message));
            }
            Some(true) => ChangeState::Closed,
            Some(false) => ChangeState::Open,
            None => record.state,
        };
        let is_closed = state == ChangeState::Closed && record.state != state;
        record.state = state;
        Ok((permit, if is_closed { EventKind::ChangeClosed } else { EventKind::ChangeUpdated }))
    })
}

/// Deletes a change with everything that it proposes.
pub fn delete(app: &App, ws: &WorkspaceSlug, by: &Requester, reference: &str) -> Result<()> {
    let deleted = commit_found(app, ws, by, reference, |found, staging| {
        let permit = found.check_may_manage(staging.snapshot())?;
        let ws = staging.workspace().clone();
        let subject = found.subject();
        let mut write = staging.write(&permit);
        for place in found.change.proposals.keys() {
            write.remove(&Key::of_proposal(&ws, &found.id, place));
        }
        for place in found.change.bases.keys() {
            write.remove(&Key::of_base(&ws, &found.id, place));
        }
        write.remove(&Key::Change(ws.clone(), found.id.clone()));
        write.add_event(EventKind::ChangeDeleted, subject);
        write.steps_after().remove_folder(&Folder::Change(ws, found.id));
        Ok(())
    });
    deleted.map(|it| it.value)
}

/// Takes an entry out of a change: what was proposed for it is discarded.
pub fn discard(
    app: &App,
    ws: &WorkspaceSlug,
    by: &Requester,
    reference: &str,
    (type_name, id): (&str, &str),
) -> Result<()> {
    let missing = || Error::not_found("proposal", id);
    let place = TypeName::parse(type_name).ok().zip(EntryId::parse(id).ok()).ok_or_else(missing)?;
    let discarded = commit_found(app, ws, by, reference, move |found, staging| {
        let permit = found.check_may_manage(staging.snapshot())?;
        change_access::check_active(&found.change)?;
        if !found.change.proposals.contains_key(&place) {
            return Err(Error::not_found("proposal", place.1.as_str()));
        }
        staging.discard_proposal(&permit, &found.id, &place);
        Ok(())
    });
    discarded.map(|it| it.value)
}

/// A change that the requester may read, with its record as it will be.
pub(super) struct FoundChange {
    pub(super) by: Requester,
    pub(super) id: EntryId,
    pub(super) change: Arc<Change>,
    pub(super) record: ChangeRecord,
}

impl FoundChange {
    pub(super) fn find(live: &Snapshot, by: &Requester, reference: &str) -> Result<FoundChange> {
        let (id, change) = change_access::find_change(live, &by.caller, reference)?;
        let record = change.record.as_deref().cloned().unwrap_or_default();
        Ok(FoundChange { by: by.clone(), id, change, record })
    }

    /// Returns the snapshot that shows the change as if it were live.
    pub(super) fn open_overlay(&self, engine: &Engine, live: &Snapshot) -> Arc<Snapshot> {
        engine.overlays().get_overlay(live, &self.id, &self.change, &Unveiled::Nothing)
    }

    /// Returns the change as events name it.
    pub(super) fn subject(&self) -> Subject {
        change_subject(&self.id, &self.record)
    }

    /// Checks that the requester may rename, close, share and delete the change: whoever began it,
    /// and whoever may publish all of its entries, or all entries if it has none.
    pub(super) fn check_may_manage(&self, live: &Snapshot) -> Result<Permit> {
        let (action, caller) = (Action::ContentPublish, &self.by.caller);
        let has_record = self.change.record.is_some();
        let is_own = has_record && self.record.author_id == self.by.actor.id
            || self.id == pending_id(&self.by.actor.id);
        if !is_own {
            check_proposals(live, caller, action, &self.change)?;
        }
        if !is_own && self.change.proposals.is_empty() {
            let mut names = live.types().iter().map(|it| &it.content_type.name);
            names.try_for_each(|it| check_all(live, caller, action, it))?;
        }
        find_permit(live, &self.by)
    }
}

/// Commits what `work` does with a change that the requester may read.
pub(super) fn commit_found<T: Send + 'static>(
    app: &App,
    ws: &WorkspaceSlug,
    by: &Requester,
    reference: &str,
    work: impl Fn(FoundChange, &mut Staging<'_>) -> Result<T> + Send + 'static,
) -> Result<Committed<T>> {
    let (by, reference) = (by.clone(), reference.to_string());
    app.engine.commit(ws, move |staging| {
        let found = FoundChange::find(staging.snapshot(), &by, &reference)?;
        work(found, staging)
    })
}

/// Changes the record of a change as `edit` does, and tells of it.
pub(super) fn edit_record(
    app: &App,
    ws: &WorkspaceSlug,
    by: &Requester,
    reference: &str,
    edit: impl Fn(&mut FoundChange, &mut Staging<'_>) -> Result<(Permit, EventKind)> + Send + 'static,
) -> Result<ChangeView> {
    let committed = commit_found(app, ws, by, reference, move |mut found, staging| {
        change_access::check_record_readable(&found.change)?;
        let (permit, kind) = edit(&mut found, staging)?;
        stage_record(staging, &permit, &mut found)?;
        staging.write(&permit).add_event(kind, found.subject());
        Ok(found.id)
    })?;
    show(app, &committed.snapshot, &by.caller, &committed.value)
}

/// Stages the record of a change that is begun, and tells of it.
pub(super) fn stage_new_record(
    staging: &mut Staging<'_>,
    permit: &Permit,
    id: &EntryId,
    record: &ChangeRecord,
) {
    let key = Key::Change(staging.workspace().clone(), id.clone());
    let mut write = staging.write(permit);
    write.create(&key, record.to_file().to_file());
    write.add_event(EventKind::ChangeCreated, change_subject(id, record));
}

/// Stages the record of a change as it is now.
pub(super) fn stage_record(
    staging: &mut Staging<'_>,
    permit: &Permit,
    found: &mut FoundChange,
) -> Result<()> {
    if found.change.record.is_none() {
        found.record.author_id = found.by.actor.id.clone();
    }
    found.record.created_at = found.record.created_at.or(Some(staging.now()));
    found.record.updated_at = Some(staging.now());
    let key = Key::Change(staging.workspace().clone(), found.id.clone());
    let stored = staging.read_stored(&key)?;
    let file = found.record.to_file();
    match (stored, file) {
        (Some(stored), Json::Object(map)) => {
            let bytes = stored.rewrite(map);
            staging.write(permit).replace(&stored, bytes);
        }
        (_, file) => staging.write(permit).create(&key, file.to_file()),
    }
    Ok(())
}

fn change_subject(id: &EntryId, record: &ChangeRecord) -> Subject {
    Subject::Change { change: id.to_string(), label: record.label.clone() }
}

/// Returns the permit of somebody who may write entries of some type, if only the own ones.
pub(super) fn find_permit(live: &Snapshot, by: &Requester) -> Result<Permit> {
    let facts = Facts { author_id: Some(&by.actor.id), ..Facts::default() };
    let actions = [Action::ContentUpdate, Action::ContentCreate, Action::ContentDelete];
    let names = live.types().iter().map(|it| it.content_type.name.as_str());
    let pairs = names.flat_map(|name| actions.map(|action| (name, action)));
    let mut permits = pairs.filter_map(|(name, action)| {
        let on = Resource::Collection(name);
        by.check_permission(live.workspace.as_str(), action, &on, &facts).ok()
    });
    permits.next().ok_or_else(|| Error::forbidden(Action::ContentUpdate, "`content:*`"))
}
