//! Deleting on a disk without room even for an intent: what only throws away goes file by file.

use std::collections::BTreeSet;
use std::io;

use crate::store::commit::{self, Op};
use crate::store::disk::{Disk, parent};
use crate::store::error::StoreError;
use crate::store::journal::{Failure, sync_folders};
use crate::store::layout::{Folder, Key};

pub(super) fn is_full(error: &StoreError) -> bool {
    use io::ErrorKind::{QuotaExceeded, StorageFull};
    matches!(error.io_kind(), Some(StorageFull | QuotaExceeded))
}

/// Whether a step only throws away what nobody gets back.
pub(super) fn is_disposal(op: &Op) -> bool {
    match op {
        Op::Remove { path } => {
            let key = Key::parse(path);
            matches!(key, Some(Key::Trash(..) | Key::Media(..) | Key::MediaMeta(..)))
        }
        Op::RemoveFolder { folder } => {
            matches!(Folder::parse(folder), Some(Folder::Revisions(..)))
        }
        Op::Create { .. } | Op::Replace { .. } | Op::Rename { .. } => false,
    }
}

/// Makes room where there is none for an intent. What belongs to a file goes before the file, so that
/// an end half way leaves the file to be removed again, and nothing that nobody sees.
pub(super) fn dispose(disk: &dyn Disk, ops: &[Op]) -> Result<(), Failure> {
    let mut dirty = BTreeSet::new();
    let mut go = || {
        for op in ops.iter().rev() {
            match op {
                Op::Remove { path } => match disk.remove(path) {
                    Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                    removed => {
                        removed.map_err(StoreError::io("remove", path))?;
                        dirty.insert(parent(path).to_string());
                    }
                },
                Op::RemoveFolder { folder } => commit::remove_folder(disk, folder)?,
                Op::Create { .. } | Op::Replace { .. } | Op::Rename { .. } => {}
            }
        }
        sync_folders(disk, std::mem::take(&mut dirty))
    };
    go().map_err(Failure::Unfinished)
}
