//! A change that a request works on, and its record as it will be.

use std::sync::Arc;

use crate::app::App;
use crate::app::access::Caller;
use crate::app::access::Requester;
use crate::app::content::change_access;
use crate::app::content::changes::change_view::ChangeView;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::engine::Engine;
use crate::engine::overlays::Unveiled;
use crate::engine::staging::Staging;
use crate::model::change::ChangeRecord;
use crate::model::event::EventKind;
use crate::model::event::Subject;
use crate::model::grant::Action;
use crate::model::grant::Facts;
use crate::model::grant::Permit;
use crate::model::grant::Resource;
use crate::model::name::EntryId;
use crate::query::index::change_index::Change;
use crate::query::index::snapshot::Snapshot;
use crate::store::layout::Key;

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
        change_access::check_may_manage(live, &self.by.caller, &self.id, &self.change)?;
        find_permit(live, &self.by)
    }
}

/// Returns one change.
pub fn show(
    app: &App,
    snapshot: &Snapshot,
    caller: &Caller,
    reference: &str,
) -> Result<ChangeView> {
    let (id, change) = change_access::find_change(snapshot, caller, reference)?;
    Ok(ChangeView::new(app, snapshot, caller, &id, &change))
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
    match stored {
        Some(stored) => {
            let bytes = stored.rewrite(found.record.to_map());
            staging.write(permit).replace(&stored, bytes);
        }
        None => staging.write(permit).create(&key, found.record.to_file().to_file()),
    }
    Ok(())
}

pub(super) fn change_subject(id: &EntryId, record: &ChangeRecord) -> Subject {
    Subject::Change { change: id.to_string(), label: record.label.clone() }
}

/// Returns the permit of somebody who may write entries of some type, if only the own ones.
pub(super) fn find_permit(live: &Snapshot, by: &Requester) -> Result<Permit> {
    find_permit_for(live, by, change_access::WRITE_ACTIONS)
}

/// Returns the permit of somebody who may do one of these on some type, if only with the own
/// entries.
pub(super) fn find_permit_for(
    live: &Snapshot,
    by: &Requester,
    actions: &[Action],
) -> Result<Permit> {
    let check = |action, on: &Resource<'_>, facts: &Facts<'_>| {
        by.check_permission(live.workspace.as_str(), action, on, facts)
    };
    let permit = change_access::find_allowed(live, &by.caller, actions, check);
    let action = actions.first().copied().unwrap_or(Action::ContentUpdate);
    permit.ok_or_else(|| Error::forbidden(action, "`content:*`"))
}
