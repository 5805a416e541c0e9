//! Deletions on a full disk without space for an intent: files are removed one by one.

use std::collections::BTreeSet;
use std::io;

use crate::store::disk::{Disk, parent_folder};
use crate::store::error::StoreError;
use crate::store::layout::{Folder, Key};
use crate::store::write::commit;
use crate::store::write::file_op::FileOp;
use crate::store::write::journal::intent::{JournalError, sync_folders};

/// Returns true if an operation only removes files that cannot be restored.
pub(super) fn is_disposal(op: &FileOp) -> bool {
    match op {
        FileOp::Remove { path } => {
            matches!(path.key(), Key::Trash(..) | Key::Media(..) | Key::MediaMeta(..))
        }
        FileOp::RemoveFolder { folder } => {
            matches!(folder, Folder::Revisions(..) | Folder::MediaRevisions(..))
        }
        FileOp::Create { .. }
        | FileOp::Replace { .. }
        | FileOp::Rename { .. }
        | FileOp::Place { .. }
        | FileOp::PlaceOver { .. } => false,
    }
}

/// Removes files without an intent. The files that belong to another are removed before it, so that
/// after an interruption the main file is still there to be deleted again, and nothing remains
/// hidden.
pub(super) fn dispose_files(disk: &dyn Disk, ops: &[FileOp]) -> Result<(), JournalError> {
    let mut dirty = BTreeSet::new();
    let mut go = || {
        for op in ops.iter().rev() {
            match op {
                FileOp::Remove { path } => match disk.remove(path) {
                    Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                    removed => {
                        removed.map_err(StoreError::io("remove", &**path))?;
                        dirty.insert(parent_folder(path).to_string());
                    }
                },
                FileOp::RemoveFolder { folder } => commit::remove_folder(disk, &folder.path())?,
                FileOp::Create { .. }
                | FileOp::Replace { .. }
                | FileOp::Rename { .. }
                | FileOp::Place { .. }
                | FileOp::PlaceOver { .. } => {}
            }
        }
        sync_folders(disk, std::mem::take(&mut dirty))
    };
    go().map_err(JournalError::Unfinished)
}
