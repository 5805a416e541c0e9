//! Planned publications: who plans them, and what becomes of a plan.

use crate::app::App;
use crate::app::access::Requester;
use crate::app::content::change_access;
use crate::app::content::changes::change_request::ChangeRequest;
use crate::app::content::changes::found_change::FoundChange;
use crate::app::content::changes::found_change::change_subject;
use crate::app::content::changes::publish;
use crate::app::content::changes::review_rules::ReviewRules;
use crate::app::error::Code;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::precondition::Precondition;
use crate::engine::Engine;
use crate::engine::staging::Staging;
use crate::model::change::ChangeRecord;
use crate::model::change::PlanFailure;
use crate::model::change::is_pending;
use crate::model::event::EventKind;
use crate::model::grant::Permit;
use crate::model::name::EntryId;
use crate::model::name::WorkspaceSlug;
use crate::model::problem::FieldProblems;
use crate::query::index::change_index::Change;
use crate::stdx::checksum::Checksum;
use crate::stdx::time::Timestamp;
use crate::store::layout::Key;

/// A change whose publication is due, as it was when that was found.
pub struct PlannedChange {
    /// The workspace.
    pub ws: WorkspaceSlug,
    /// The id.
    pub id: EntryId,
    /// The revision.
    pub rev: Checksum,
}

impl PlannedChange {
    /// Returns true if the change is still as it was, and due.
    fn is_due(&self, change: &Change, now: Timestamp) -> bool {
        change.rev() == self.rev && change.planned_at().is_some_and(|it| it <= now)
    }
}

/// Publishes a planned change in the name of whoever planned it. One that was edited meanwhile is
/// left for the next look.
pub fn publish_planned(app: &App, planned: &PlannedChange, by: &Requester) -> Result<()> {
    let (engine, rules) = (app.engine.clone(), ReviewRules::of_app(app));
    let precondition = Precondition::Revs(vec![planned.rev]);
    let request = ChangeRequest::new(&planned.ws, by, planned.id.as_str());
    let request = ChangeRequest { precondition, ..request };
    let published = request.commit(app, move |found, staging| {
        publish::stage_publication(staging, found, &engine, rules)
    });
    match published {
        Err(error) if error.code == Code::PreconditionFailed => Ok(()),
        published => published.map(drop),
    }
}

/// Writes down why a planned change was not published, and tells of it.
pub fn note_failure(app: &App, planned: &PlannedChange, message: String) -> Result<()> {
    let PlannedChange { ws, id, rev } = planned;
    let planned = PlannedChange { ws: ws.clone(), id: id.clone(), rev: *rev };
    let noted = app.engine.commit(ws, move |staging| {
        let (live, now) = (staging.snapshot(), staging.now());
        let Some(change) = live.changes.get(planned.id.as_str()) else { return Ok(()) };
        let (Some(record), true) = (&change.record, planned.is_due(change, now)) else {
            return Ok(());
        };
        let (message, sum) = (message.clone(), change.sum().to_string());
        let failure = Some(PlanFailure { at: now, message, sum });
        let record = ChangeRecord { failure, ..record.as_ref().clone() };
        let key = Key::Change(planned.ws.clone(), planned.id.clone());
        let Some(stored) = staging.read_stored(&key)? else { return Ok(()) };
        let permit = Permit::for_failed_plan();
        let bytes = stored.rewrite(record.to_map());
        let mut write = staging.write(&permit);
        write.replace(&stored, bytes);
        write.add_event(EventKind::ChangeFailed, change_subject(&planned.id, &record));
        Ok::<_, Error>(())
    });
    noted.map(drop)
}

/// Removes the plan of a change.
pub(super) fn clear_plan(record: &mut ChangeRecord) {
    (record.publish_at, record.unpublish_at) = (None, None);
    (record.planned_by, record.failure) = (None, None);
}

/// Changes the plan of a change, if some of it is given. Returns true if it is planned now.
///
/// Whoever plans a publication must be able to publish the change at once: what happens then
/// happens in their name.
pub(super) fn change_plan(
    engine: &Engine,
    staging: &mut Staging<'_>,
    found: &mut FoundChange,
    publish_at: Option<Option<Timestamp>>,
    unpublish_at: Option<Option<Timestamp>>,
) -> Result<bool> {
    let next_publish_at = publish_at.unwrap_or(found.record.publish_at);
    let next_unpublish_at = unpublish_at.unwrap_or(found.record.unpublish_at);
    let planned = (found.record.publish_at, found.record.unpublish_at);
    let is_given = publish_at.is_some() || unpublish_at.is_some();
    if !is_given
        || ((next_publish_at, next_unpublish_at) == planned && found.record.failure.is_none())
    {
        return Ok(false);
    }
    // The same request may have taken it up again.
    change_access::check_state_active(found.record.state)?;
    if next_publish_at.is_none() && next_unpublish_at.is_none() {
        clear_plan(&mut found.record);
        return Ok(false);
    }
    if is_pending(&found.id) {
        return Err(Error::conflict(
            "Drafts cannot be scheduled. Add the entries to a release, and \
                                    schedule that.",
        ));
    }
    if let (Some(from), Some(to)) = (next_publish_at, next_unpublish_at)
        && to <= from
    {
        let message = "This must be after `publish_at`.";
        return Err(Error::invalid(FieldProblems::from_problem("unpublish_at", message)));
    }
    publish::check_may_publish(engine, staging, found)?;
    let record = &mut found.record;
    (record.publish_at, record.unpublish_at) = (next_publish_at, next_unpublish_at);
    record.planned_by = next_publish_at.map(|_| found.by.actor.id.clone());
    record.failure = None;
    Ok(next_publish_at.is_some())
}
