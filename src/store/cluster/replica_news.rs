//! The commits of other servers that a replica has and its server does not serve yet.

use std::collections::BTreeSet;

use crate::store::cluster::database::LoggedCommit;

/// Commits of others whose files are in the replica.
#[derive(Debug, Default)]
pub struct ReplicaNews {
    /// The files that changed.
    pub paths: BTreeSet<String>,
    /// The files that were changed in the database itself.
    pub edited: BTreeSet<String>,
    /// The events, as JSON, one text for each commit.
    pub events: Vec<String>,
}

impl ReplicaNews {
    /// Returns true if there are none.
    pub fn is_empty(&self) -> bool {
        self.paths.is_empty() && self.edited.is_empty() && self.events.is_empty()
    }

    /// Adds what a commit changed and told.
    pub(super) fn add_commit(&mut self, commit: LoggedCommit) {
        let LoggedCommit { is_edit, paths, events, .. } = commit;
        if is_edit {
            self.edited.extend(paths);
        } else {
            self.paths.extend(paths);
        }
        if !events.is_empty() {
            self.events.push(events);
        }
    }
}
