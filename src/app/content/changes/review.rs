//! The review of changes: who asks for it, who approves what, and how many have to.

use crate::app::App;
use crate::app::content::change_access;
use crate::app::content::change_access::check_proposals;
use crate::app::content::changes::change_inputs::ReviewInput;
use crate::app::content::changes::change_request::ChangeRequest;
use crate::app::content::changes::change_view::ChangeView;
use crate::app::content::changes::found_change::FoundChange;
use crate::app::content::changes::found_change::find_permit_for;
use crate::app::content::changes::review_rules::ReviewRules;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::engine::staging::Staging;
use crate::model::change::Approval;
use crate::model::change::ChangeState;
use crate::model::change::ReviewNote;
use crate::model::event::EventKind;
use crate::model::grant::Action;
use crate::model::grant::Permit;
use crate::query::index::change_index::Change;
use crate::query::index::snapshot::Snapshot;
use crate::stdx::json::Map;
use crate::store::layout::Key;

/// Returns true if a change has the approvals that it needs, as it is.
pub fn has_approvals(app: &App, change: &Change) -> bool {
    ReviewRules::of_app(app).check_approved(change).is_ok()
}

/// Asks for the review of a change: `{note?}`.
pub fn request_review(app: &App, request: &ChangeRequest, body: &Map) -> Result<ChangeView> {
    let body = body.clone();
    request.edit_record(app, move |found, staging| {
        let permit = found.check_may_manage(staging.snapshot())?;
        change_access::check_active(&found.change)?;
        change_access::check_not_empty(&found.change)?;
        if found.record.state != ChangeState::Open {
            return Err(Error::conflict("This release is already in review."));
        }
        set_review_note(found, staging, &body)?;
        found.record.state = ChangeState::InReview;
        Ok((permit, EventKind::ChangeSubmitted))
    })
}

/// Takes a change out of its review, because more work is needed: `{note?}`. Its approvals end.
pub fn return_to_work(app: &App, request: &ChangeRequest, body: &Map) -> Result<ChangeView> {
    let body = body.clone();
    request.edit_record(app, move |found, staging| {
        let live = staging.snapshot();
        let permit = match found.check_may_manage(live) {
            Ok(permit) => permit,
            Err(refused) => {
                let caller = &found.by.caller;
                check_proposals(live, caller, Action::ContentApprove, &found.change)
                    .map_err(|_| refused)?;
                find_approval_permit(live, found)?
            }
        };
        check_in_review(found)?;
        set_review_note(found, staging, &body)?;
        found.record.approvals.clear();
        found.record.state = ChangeState::Open;
        Ok((permit, EventKind::ChangeReturned))
    })
}

/// Approves a change as it is.
pub fn approve(app: &App, request: &ChangeRequest) -> Result<ChangeView> {
    let rules = ReviewRules::of_app(app);
    request.edit_record(app, move |found, staging| {
        let live = staging.snapshot();
        let permit = find_approval_permit(live, found)?;
        rules.check_may_approve(live, &found.by.caller, &found.change)?;
        check_in_review(found)?;
        check_files_known(found, staging)?;
        let (by, sum) = (found.by.actor.id.clone(), found.change.sum().to_string());
        // What others approved before an edit stays to be seen; it does not count.
        found.record.approvals.retain(|it| it.by != by);
        found.record.approvals.push(Approval { by, at: staging.now(), sum });
        Ok((permit, EventKind::ChangeApproved))
    })
}

/// Withdraws the approval of the sender.
pub fn withdraw_approval(app: &App, request: &ChangeRequest) -> Result<ChangeView> {
    request.edit_record(app, move |found, staging| {
        let permit = find_approval_permit(staging.snapshot(), found)?;
        change_access::check_active(&found.change)?;
        let (by, n_before) = (&found.by.actor.id, found.record.approvals.len());
        found.record.approvals.retain(|it| it.by != *by);
        if found.record.approvals.len() == n_before {
            return Err(Error::conflict("You have not approved this release."));
        }
        Ok((permit, EventKind::ChangeUpdated))
    })
}

/// The permit of somebody who may approve something. The entries are checked beside it.
fn find_approval_permit(live: &Snapshot, found: &FoundChange) -> Result<Permit> {
    find_permit_for(live, &found.by, &[Action::ContentApprove])
}

fn check_in_review(found: &FoundChange) -> Result<()> {
    change_access::check_active(&found.change)?;
    if found.record.state == ChangeState::Open {
        return Err(Error::conflict("This release is not in review. Request a review first."));
    }
    Ok(())
}

/// Lets the work begin anew if a file of the change was edited by hand and that was not seen yet:
/// what is approved is what is there.
fn check_files_known(found: &FoundChange, staging: &mut Staging<'_>) -> Result<()> {
    let ws = staging.workspace().clone();
    for place in found.change.proposals.keys() {
        staging.read_stored(&Key::of_proposal(&ws, &found.id, place))?;
    }
    for place in found.change.bases.keys() {
        staging.read_stored(&Key::of_base(&ws, &found.id, place))?;
    }
    Ok(())
}

fn set_review_note(found: &mut FoundChange, staging: &Staging<'_>, body: &Map) -> Result<()> {
    let ReviewInput { note } = ReviewInput::parse(body).into_result().map_err(Error::invalid)?;
    let by = found.by.actor.id.clone();
    found.record.review = Some(ReviewNote { by, at: staging.now(), note });
    Ok(())
}
