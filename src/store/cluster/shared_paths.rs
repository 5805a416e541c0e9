//! The paths of the files that all servers of a database have.

use crate::store::layout::{ACTIVITY, SESSIONS, SYSTEM, WORKSPACES};

/// Returns true if all servers of a database have the file: content, records and sessions.
pub fn is_shared(path: &str) -> bool {
    let is_below = |folder: &str| path.strip_prefix(folder).is_some_and(|it| it.starts_with('/'));
    is_below(WORKSPACES) || is_below(SESSIONS) || is_below(SYSTEM) && !is_below(ACTIVITY)
}

/// Returns true if a path is that of a session.
pub fn is_session(path: &str) -> bool {
    path.strip_prefix(SESSIONS).is_some_and(|it| it.starts_with('/'))
}

/// Returns true if a path stays in the data folder.
pub fn is_safe(path: &str) -> bool {
    let is_name = |it: &str| !matches!(it, "" | "." | "..") && !it.contains(['\\', '\0']);
    path.split('/').all(is_name)
}
