//! Changes that other servers are told of before they are made here.

use crate::store::disk::{FileEffect, ShareError};
use crate::store::error::StoreError;
use crate::store::write::commit::{CommitOutcome, TransactionBatch};
use crate::store::write::file_op::FileTransaction;

impl TransactionBatch<'_> {
    /// Tells other servers, if there are any. If it is not known whether they see the changes,
    /// these are not made here, and their outcomes are returned.
    pub(super) fn share_all(
        &self,
        changes: &[FileTransaction],
    ) -> Result<Option<Vec<CommitOutcome>>, CommitOutcome> {
        if !self.disk.is_shared() {
            return Ok(None);
        }
        match self.disk.share(&self.list_effects(changes)) {
            Ok(()) => Ok(None),
            Err(ShareError::Refused(error)) => Err(CommitOutcome::Failed(error)),
            Err(ShareError::Uncertain(error)) => {
                let message = error.to_string();
                let unknown = || CommitOutcome::Unknown(StoreError::Database(message.clone()));
                Ok(Some(changes.iter().map(|_| unknown()).collect()))
            }
        }
    }

    /// Returns the effects of the changes on files, in order.
    fn list_effects(&self, changes: &[FileTransaction]) -> Vec<FileEffect> {
        let mut staged = self.waiting.iter().map(|it| it.place.as_str());
        let first = changes.iter().flat_map(|it| &it.beforehand);
        let ops = first.chain(changes.iter().flat_map(|it| &it.steps));
        ops.flat_map(|op| op.list_effects(&mut staged)).collect()
    }

    /// Settles changes that other servers see and that could not be made here: what others see
    /// counts.
    pub(super) fn settle_shared(
        &self,
        n_changes: usize,
        outcomes: Result<Vec<CommitOutcome>, CommitOutcome>,
    ) -> Vec<CommitOutcome> {
        let is_made = |it: &CommitOutcome| matches!(it, CommitOutcome::Done(_));
        let untried = |_| (0..n_changes).map(|_| CommitOutcome::NotTried).collect();
        let mut outcomes = outcomes.unwrap_or_else(untried);
        if outcomes.iter().all(is_made) {
            return outcomes;
        }
        let restored = self.disk.restore_shared();
        for outcome in outcomes.iter_mut().filter(|it| !is_made(it)) {
            *outcome = match &restored {
                Ok(()) => CommitOutcome::Done(None),
                Err(error) => CommitOutcome::Unknown(StoreError::Database(error.to_string())),
            };
        }
        outcomes
    }
}
