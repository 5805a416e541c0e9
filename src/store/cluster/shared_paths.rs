//! The paths of the files that all servers of a database have.

use crate::store::cluster::final_states::{ListedFiles, list_files};
use crate::store::disk::Disk;
use crate::store::error::StoreError;
use crate::store::layout::{
    ACTIVITY, BACKUP_OWNER, SCHEDULED_BACKUP, SESSIONS, SYSTEM, WORKSPACES,
};

/// Files with state that all servers share, beside the folders.
const STATE_FILES: [&str; 2] = [BACKUP_OWNER, SCHEDULED_BACKUP];

/// Returns true if all servers of a database have the file: content, records and sessions.
pub fn is_shared(path: &str) -> bool {
    let is_below = |folder: &str| path.strip_prefix(folder).is_some_and(|it| it.starts_with('/'));
    STATE_FILES.contains(&path)
        || is_below(WORKSPACES)
        || is_below(SESSIONS)
        || is_below(SYSTEM) && !is_below(ACTIVITY)
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

/// Passes the shared files that are in a data folder to `each`.
pub(crate) fn list_shared_files(
    disk: &dyn Disk,
    each: &mut dyn FnMut(String),
) -> Result<(), StoreError> {
    for top in [WORKSPACES, SYSTEM, SESSIONS] {
        let mut pass = |path: String| {
            if is_shared(&path) {
                each(path);
            }
        };
        list_files(disk, top, ListedFiles::All, &mut pass)?;
    }
    let there = STATE_FILES.iter().filter(|it| disk.stat(it).is_ok());
    there.for_each(|it| each((*it).to_string()));
    Ok(())
}
