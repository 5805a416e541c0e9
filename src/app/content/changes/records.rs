//! The records of changes: listing, beginning, renaming, closing and deleting them.

use std::sync::Arc;

use crate::app::App;
use crate::app::access::Caller;
use crate::app::access::Requester;
use crate::app::content::change_access;
use crate::app::content::change_access::check_entry;
use crate::app::content::change_access::find_entry;
use crate::app::content::change_access::missing_change;
use crate::app::content::changes::change_inputs::ChangeInput;
use crate::app::content::changes::change_inputs::NewChange;
use crate::app::content::changes::change_view::ChangeView;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::engine::Engine;
use crate::engine::overlays::Unveiled;
use crate::engine::staging::Staging;
use crate::model::change::ChangeRecord;
use crate::model::change::ChangeState;
use crate::model::change::PENDING;
use crate::model::change::pending_id;
use crate::model::event::EventKind;
use crate::model::event::Subject;
use crate::model::grant::Action;
use crate::model::grant::Facts;
use crate::model::grant::Permit;
use crate::model::grant::Resource;
use crate::model::name::EntryId;
use crate::model::name::TypeName;
use crate::model::name::WorkspaceSlug;
use crate::query::index::change_index::Change;
use crate::query::index::snapshot::Snapshot;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::store::layout::Folder;
use crate::store::layout::Key;

/// Lists the changes that the caller may read, the latest begun first.
pub fn list(app: &App, snapshot: &Snapshot, caller: &Caller) -> Vec<ChangeView> {
    let overlays = app.engine.overlays();
    let readable = snapshot.changes.iter().filter_map(|(id, change)| {
        let overlay = overlays.get_overlay(snapshot, id, change, &Unveiled::Nothing);
        change_access::may_read(snapshot, &overlay, caller, change)
            .then(|| ChangeView::new(app, snapshot, id, change))
    });
    let mut views: Vec<ChangeView> = readable.collect();
    views.sort_by(|one, other| (other.created_at, &other.id).cmp(&(one.created_at, &one.id)));
    views
}

/// Returns one change.
pub fn show(
    app: &App,
    snapshot: &Snapshot,
    caller: &Caller,
    reference: &str,
) -> Result<ChangeView> {
    let (id, change) = change_access::find_change(app, snapshot, caller, reference)?;
    Ok(ChangeView::new(app, snapshot, &id, &change))
}

/// Begins a named change: `{label, note?}`.
pub fn create(app: &App, ws: &WorkspaceSlug, by: &Requester, body: &Map) -> Result<ChangeView> {
    let (requester, body) = (by.clone(), body.clone());
    let committed = app.engine.commit(ws, move |staging| {
        let permit = find_permit(staging.snapshot(), &requester)?;
        let now = staging.now();
        let NewChange { label, note } =
            NewChange::parse(&body).into_result().map_err(Error::invalid)?;
        let record = ChangeRecord {
            label,
            note,
            author_id: requester.actor.id.clone(),
            created_at: Some(now),
            updated_at: Some(now),
            ..ChangeRecord::default()
        };
        let id = staging.new_id();
        let key = Key::Change(staging.workspace().clone(), id.clone());
        let mut write = staging.write(&permit);
        write.create(&key, record.to_file().to_file());
        write.add_event(EventKind::ChangeCreated, change_subject(&id, &record));
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
            Some(true) if found.id.as_str().starts_with(PENDING) => {
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
    let (engine, by, reference) = (app.engine.clone(), by.clone(), reference.to_string());
    let work = move |staging: &mut Staging<'_>| {
        let found = FoundChange::find(&engine, staging.snapshot(), &by, &reference)?;
        let permit = found.check_may_manage(staging.snapshot())?;
        let ws = staging.workspace().clone();
        for (of, id) in found.change.proposals.keys() {
            let change = found.id.clone();
            let key = Key::Proposal(ws.clone(), change, of.clone(), id.clone());
            staging.write(&permit).remove(&key);
        }
        for (of, id) in found.change.bases.keys() {
            let change = found.id.clone();
            let key = Key::ProposalBase(ws.clone(), change, of.clone(), id.clone());
            staging.write(&permit).remove(&key);
        }
        let subject = change_subject(&found.id, &found.record);
        let mut write = staging.write(&permit);
        write.remove(&Key::Change(ws.clone(), found.id.clone()));
        write.add_event(EventKind::ChangeDeleted, subject);
        write.steps_after().remove_folder(&Folder::Change(ws, found.id));
        Ok(())
    };
    app.engine.commit::<(), Error, _>(ws, work).map(|it| it.value)
}

/// Takes an entry out of a change: what was proposed for it is discarded.
pub fn discard(
    app: &App,
    ws: &WorkspaceSlug,
    by: &Requester,
    reference: &str,
    (type_name, id): (&str, &str),
) -> Result<()> {
    let (engine, by, reference) = (app.engine.clone(), by.clone(), reference.to_string());
    let missing = || Error::not_found("proposal", id);
    let place = (
        TypeName::parse(type_name).map_err(|_| missing())?,
        EntryId::parse(id).map_err(|_| missing())?,
    );
    let work = move |staging: &mut Staging<'_>| {
        let found = FoundChange::find(&engine, staging.snapshot(), &by, &reference)?;
        let permit = found.check_may_manage(staging.snapshot())?;
        found.check_active()?;
        if !found.change.proposals.contains_key(&place) {
            return Err(Error::not_found("proposal", place.1.as_str()));
        }
        staging.discard_proposal(&permit, &found.id, &place);
        Ok(())
    };
    app.engine.commit::<(), Error, _>(ws, work).map(|it| it.value)
}

/// A change that the requester may read, with its record as it will be.
pub(super) struct FoundChange {
    pub(super) by: Requester,
    pub(super) id: EntryId,
    pub(super) change: Arc<Change>,
    /// The snapshot that shows it as if it were live.
    pub(super) overlay: Arc<Snapshot>,
    pub(super) record: ChangeRecord,
}

impl FoundChange {
    pub(super) fn find(
        engine: &Engine,
        live: &Snapshot,
        by: &Requester,
        reference: &str,
    ) -> Result<FoundChange> {
        let id = change_access::resolve_id(&by.caller, reference)?;
        let change = match live.changes.get(&id) {
            Some(change) => change.clone(),
            None if reference == PENDING => Arc::default(),
            None => return Err(missing_change(reference)),
        };
        let overlay = engine.overlays().get_overlay(live, &id, &change, &Unveiled::Nothing);
        if !change_access::may_read(live, &overlay, &by.caller, &change) {
            return Err(missing_change(reference));
        }
        let record = change.record.as_deref().cloned().unwrap_or_default();
        Ok(FoundChange { by: by.clone(), id, change, overlay, record })
    }

    /// Checks that the change can still be worked on.
    pub(super) fn check_active(&self) -> Result<()> {
        change_access::check_active(&self.change)
    }

    /// Checks that the requester may publish every entry of the change. Where there is none to look
    /// at, that takes the permission for all entries of the type, or of all types.
    fn check_may_publish_all(&self, live: &Snapshot) -> Result<()> {
        let (action, caller) = (Action::ContentPublish, &self.by.caller);
        let check_all = |of: &str| {
            let on = Resource::Collection(of);
            caller.check_permission(live.workspace.as_str(), action, &on, &Facts::default())
        };
        for place in self.change.proposals.keys() {
            let mut is_known = false;
            for snapshot in [live, &*self.overlay] {
                if let Some(doc) = find_entry(snapshot, place) {
                    check_entry(snapshot, caller, action, place, doc)?;
                    is_known = true;
                }
            }
            if !is_known {
                check_all(&place.0)?;
            }
        }
        if self.change.proposals.is_empty() {
            live.types().iter().try_for_each(|it| check_all(&it.content_type.name))?;
        }
        Ok(())
    }

    /// Returns a permit to begin another change.
    pub(super) fn find_own_permit(&self, live: &Snapshot) -> Result<Permit> {
        find_permit(live, &self.by)
    }

    /// Checks that the requester may rename, close, share and delete the change: whoever began it,
    /// and whoever may publish all of its entries.
    pub(super) fn check_may_manage(&self, live: &Snapshot) -> Result<Permit> {
        let has_record = self.change.record.is_some();
        let is_own = has_record && self.record.author_id == self.by.actor.id
            || self.id == pending_id(&self.by.actor.id);
        if !is_own {
            self.check_may_publish_all(live)?;
        }
        find_permit(live, &self.by)
    }
}

/// Changes the record of a change as `edit` does, and tells of it.
pub(super) fn edit_record(
    app: &App,
    ws: &WorkspaceSlug,
    by: &Requester,
    reference: &str,
    edit: impl Fn(&mut FoundChange, &mut Staging<'_>) -> Result<(Permit, EventKind)> + Send + 'static,
) -> Result<ChangeView> {
    let (engine, requester) = (app.engine.clone(), by.clone());
    let name = reference.to_string();
    let committed = app.engine.commit(ws, move |staging: &mut Staging<'_>| {
        let mut found = FoundChange::find(&engine, staging.snapshot(), &requester, &name)?;
        change_access::check_record_readable(&found.change)?;
        let (permit, kind) = edit(&mut found, staging)?;
        stage_record(staging, &permit, &mut found)?;
        let subject = change_subject(&found.id, &found.record);
        staging.write(&permit).add_event(kind, subject);
        Ok::<_, Error>(found.id)
    })?;
    show(app, &committed.snapshot, &by.caller, &committed.value)
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

/// Returns a change as events name it.
pub(super) fn change_subject(id: &EntryId, record: &ChangeRecord) -> Subject {
    Subject::Change { change: id.to_string(), label: record.label.clone() }
}

/// Returns the permit of somebody who may write entries of some type, if only the own ones.
fn find_permit(live: &Snapshot, by: &Requester) -> Result<Permit> {
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
