//! The target of changes of entries: what is live, or a change beside it.

use std::sync::Arc;

use crate::app::access::Requester;
use crate::app::content::change_access;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::engine::Engine;
use crate::engine::overlays::Unveiled;
use crate::engine::staging::Proposed;
use crate::engine::staging::Staging;
use crate::model::change::ChangeRecord;
use crate::model::change::is_pending;
use crate::model::change::pending_id;
use crate::model::grant::Action;
use crate::model::name::EntryId;
use crate::query::index::change_index::Change;
use crate::query::index::snapshot::Snapshot;
use crate::stdx::time::Timestamp;

/// The target of changes of entries.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum WriteTarget {
    /// Into what is live.
    #[default]
    Live,
    /// Into the change of this id; `pending` is the own one.
    Change(String),
}

impl WriteTarget {
    /// Returns the target that the parameter `change` of a request names.
    pub fn from_parameter(change: Option<&str>) -> WriteTarget {
        change.map_or(WriteTarget::Live, |it| WriteTarget::Change(it.to_string()))
    }

    /// Stages `work` where the changes go. Returns the id of the change, if they go into one.
    pub(crate) fn stage_work<T>(
        &self,
        engine: &Engine,
        staging: &mut Staging<'_>,
        by: &Requester,
        work: impl FnOnce(&mut Staging<'_>) -> Result<T>,
    ) -> Result<(T, Option<EntryId>)> {
        let WriteTarget::Change(reference) = self else {
            return Ok((work(staging).map_err(Error::suggest_draft)?, None));
        };
        let live = staging.snapshot();
        let (id, change) = find_writable(live, by, reference)?;
        let overlay = engine.overlays().get_overlay(live, &id, &change, &Unveiled::Nothing);
        let record = note_contributor(&change, by, staging.now());
        let (done, proposed) = staging.propose(&overlay, record.map(|it| it.to_map()), work)?;
        if change.is_planned() {
            proposed.iter().try_for_each(|it| check_planned_edit(live, by, &change, it))?;
        }
        Ok((done, Some(id)))
    }
}

/// Checks that the requester may change what a planned change proposes for an entry. It goes live
/// in the name of whoever planned it, who has not seen it, so it takes the permission to publish.
pub(crate) fn check_planned_edit(
    live: &Snapshot,
    by: &Requester,
    change: &Change,
    edit: &Proposed,
) -> Result<()> {
    let (action, place) = (Action::ContentPublish, &edit.place);
    let files = [change.proposals.get(place), edit.file.as_ref()];
    change_access::check_files(live, &by.caller, action, place, &files)
        .map_err(|_| Error::planned_change())
}

/// Returns the record of a change to which somebody contributes; nothing if it stays as it is.
fn note_contributor(change: &Change, by: &Requester, now: Timestamp) -> Option<ChangeRecord> {
    let begin = || ChangeRecord::begin(String::new(), &by.actor.id, now);
    let mut record = change.record.as_deref().cloned().unwrap_or_else(begin);
    let is_new = record.add_contributors(&by.caller.person_ids());
    (is_new || change.record.is_none()).then_some(record)
}

/// Returns the snapshot in which the result of a write is seen.
pub(crate) fn find_written_snapshot(
    engine: &Engine,
    committed: Arc<Snapshot>,
    change: Option<&EntryId>,
) -> Arc<Snapshot> {
    match change.and_then(|id| Some((id, committed.changes.get(id)?))) {
        Some((id, change)) => {
            engine.overlays().get_overlay(&committed, id, change, &Unveiled::Nothing)
        }
        None => committed,
    }
}

/// Finds a change that the caller may add to: a named one that the caller may read, or the own
/// pending one.
fn find_writable(
    live: &Snapshot,
    by: &Requester,
    reference: &str,
) -> Result<(EntryId, Arc<Change>)> {
    let (id, change) = change_access::look_up_change(live, &by.caller, reference)?;
    if id != pending_id(&by.caller.author_id_and_name().0) {
        change_access::find_change(live, &by.caller, reference)?;
        if is_pending(&id) {
            return Err(Error::refused(
                "These are the drafts of somebody else. Save your edits in \
                                       your own drafts, or in a release.",
            ));
        }
    }
    change_access::check_active(&change)?;
    Ok((id, change))
}
