//! The rules of reviews: who may approve a change, and how many have to.

use crate::app::App;
use crate::app::access::Caller;
use crate::app::content::change_access::check_proposals;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::model::change::ChangeState;
use crate::model::grant::Action;
use crate::model::sentence::sentence;
use crate::query::index::change_index::Change;
use crate::query::index::snapshot::Snapshot;

/// The rules of reviews in this installation.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReviewRules {
    /// The approvals that a change needs before it is published.
    pub(super) approvals_required: usize,
    /// True if whoever worked on a change may approve it.
    pub(super) author_may_approve: bool,
}

impl ReviewRules {
    pub(super) fn of_app(app: &App) -> ReviewRules {
        let settings = &app.settings().editable;
        ReviewRules {
            approvals_required: settings.approvals_required,
            author_may_approve: settings.author_may_approve,
        }
    }

    /// Checks that the caller may approve a change: all of it, and not the own work unless that is
    /// allowed.
    pub(super) fn check_may_approve(
        self,
        live: &Snapshot,
        caller: &Caller,
        change: &Change,
    ) -> Result<()> {
        check_proposals(live, caller, Action::ContentApprove, change)?;
        let record = change.record.as_ref();
        let is_own = record.is_some_and(|it| it.is_work_of(&caller.person_ids()));
        if is_own && !self.author_may_approve {
            return Err(Error::refused(
                "You worked on this release, so somebody else has to approve \
                                       it.",
            ));
        }
        Ok(())
    }

    /// Checks that a change has the approvals that it needs, as it is.
    pub(super) fn check_approved(self, change: &Change) -> Result<()> {
        let required = self.approvals_required;
        let is_asked_for = !matches!(find_state(change, required), ChangeState::Open);
        let record = change.record.as_ref().filter(|_| is_asked_for);
        let given = record.map_or(0, |it| it.count_approvals(change.sum()));
        if given >= required {
            return Ok(());
        }
        let approvals = if required == 1 { "approval" } else { "approvals" };
        let message = sentence!(
            "This release needs {count} {approvals} and has {given}.",
            count = required,
            approvals,
            given,
        );
        Err(Error::conflict(message))
    }
}

/// Returns the state of a change: one that was edited since it was approved is in review again.
pub(super) fn find_state(change: &Change, required: usize) -> ChangeState {
    match &change.record {
        Some(record) => record.current_state(change.sum(), required),
        None => ChangeState::Open,
    }
}
