//! Work that waits for its turn to change a workspace.

use std::sync::Arc;

use crate::engine::error::CommitError;
use crate::engine::staging::workspace_staging::Staging;
use crate::query::index::snapshot::Snapshot;

/// A piece of work that waits for its turn.
pub(crate) trait QueuedWork: Send {
    /// Runs it. Returns true if it succeeded; what it staged counts only then.
    fn run(&mut self, staging: &mut Staging<'_>) -> bool;
    /// Ends it: the result of `run` is the answer, as of this snapshot.
    fn complete(&mut self, snapshot: &Arc<Snapshot>);
    /// Ends it: it could not be carried out.
    fn fail(&mut self, error: CommitError);
}
