//! The state of following: whether git is at work, and what was found meanwhile.

use std::path::Path;

use crate::stdx::sync::Mutex;
use crate::store::read::git::GitWatch;
use crate::store::read::sweep::FileChange;

/// The state of git and of the lock, between two looks at the folder.
pub(crate) struct FollowState {
    pub(crate) git: GitWatch,
    /// Found while git began its work: taken over with the rest of it.
    pub(crate) held: Vec<FileChange>,
    /// True once the log says that another server has the folder.
    pub(crate) is_told: bool,
}

impl FollowState {
    pub(crate) fn new(root: &Path) -> Mutex<FollowState> {
        let git = GitWatch::new(root);
        Mutex::new(FollowState { git, held: Vec::new(), is_told: false })
    }
}
