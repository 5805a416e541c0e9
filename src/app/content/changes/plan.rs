//! Planned publications: who plans them, and what becomes of a plan.

use crate::app::content::change_access;
use crate::app::content::changes::publish;
use crate::app::content::changes::records::FoundChange;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::engine::Engine;
use crate::engine::staging::Staging;
use crate::model::change::ChangeRecord;
use crate::model::change::is_pending;
use crate::model::problem::FieldProblems;
use crate::stdx::time::Timestamp;

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
    change_access::check_active(&found.change)?;
    if next_publish_at.is_none() && next_unpublish_at.is_none() {
        clear_plan(&mut found.record);
        return Ok(false);
    }
    if is_pending(&found.id) {
        return Err(Error::conflict("The publication of a pending change is not planned."));
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
