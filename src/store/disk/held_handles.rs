//! The folders and files that a batch of changes keeps open, so that it does not look up the same
//! folder for every operation and does not open a file again to sync it.
//!
//! A folder is looked up when the batch first needs it, beneath the data folder and without
//! following links; one below a folder that is open already, from there. From then on the batch
//! changes this folder, whatever takes its name: a link, an older copy, or nothing. So a batch is
//! short, it never waits for anybody, and before its changes count it asks whether the paths still
//! name its folders ([`Disk::is_current`]).
//!
//! Batches that write go on with the folders of earlier ones ([`KeptHandles`]). A sweep reads
//! through handles of its own. What it finds is confirmed by path before it is adopted.
//!
//! [`Disk::is_current`]: crate::store::disk::Disk::is_current
//! [`KeptHandles`]: crate::store::disk::kept_handles::KeptHandles

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::sync::Arc;

use crate::stdx::sync::Mutex;
use crate::store::disk::kept_handles::OpenedFolder;
use crate::store::layout::is_within;

/// The maximum number of open folders of a batch. Beyond it, each operation opens its folder.
const FOLDERS_MAX: usize = 32;

/// The maximum number of open files of a batch. Beyond it, a file is opened again to sync it.
const FILES_MAX: usize = 32;

/// The handles of one batch, which are closed with it.
#[derive(Debug, Default)]
pub(super) struct HeldHandles {
    folders: Mutex<HashMap<String, Arc<OpenedFolder>>>,
    /// The files that were written and not synced yet.
    files: Mutex<HashMap<String, File>>,
}

impl HeldHandles {
    /// Returns a folder if the batch has it open.
    pub(super) fn find(&self, folder: &str) -> Option<Arc<OpenedFolder>> {
        self.folders.lock().get(folder).cloned()
    }

    /// Opens a folder that the batch does not have yet: `open` opens it from the closest folder
    /// above it, or from the root. That a folder is missing is not remembered.
    pub(super) fn open_folder(
        &self,
        root: &OwnedFd,
        folder: &str,
        open: impl FnOnce(&OwnedFd, &str) -> io::Result<OpenedFolder>,
    ) -> io::Result<Arc<OpenedFolder>> {
        let opened = Arc::new(match self.find_closest(folder) {
            Some((above, rest)) => open(&above.names, rest)?,
            None => open(root, folder)?,
        });
        self.keep_folder(folder, &opened);
        Ok(opened)
    }

    /// Keeps a folder open for the rest of the batch.
    pub(super) fn keep_folder(&self, path: &str, folder: &Arc<OpenedFolder>) {
        let mut folders = self.folders.lock();
        if folders.len() < FOLDERS_MAX {
            folders.insert(path.to_string(), Arc::clone(folder));
        }
    }

    /// Returns the closest open folder above another one, with the rest of the path.
    fn find_closest<'f>(&self, folder: &'f str) -> Option<(Arc<OpenedFolder>, &'f str)> {
        let folders = self.folders.lock();
        let mut above = folder;
        loop {
            (above, _) = above.rsplit_once('/')?;
            if let Some(held) = folders.get(above) {
                let rest = folder.get(above.len()..).unwrap_or_default();
                return Some((Arc::clone(held), rest.trim_start_matches('/')));
            }
        }
    }

    /// Forgets a folder that was removed, and all below it.
    pub(super) fn forget_folder(&self, folder: &str) {
        self.folders.lock().retain(|held, _| !is_within(held, folder));
    }

    /// Keeps a file open that was written, until it is synced.
    pub(super) fn keep_file(&self, path: &str, file: File) {
        let mut files = self.files.lock();
        if files.len() < FILES_MAX {
            files.insert(path.to_string(), file);
        }
    }

    /// Returns the number of open folders and files.
    #[cfg(test)]
    pub(super) fn count_handles(&self) -> (usize, usize) {
        (self.folders.lock().len(), self.files.lock().len())
    }

    /// Returns the open file of a path, once: after a failed sync, another sync of the same handle
    /// would report success.
    pub(super) fn take_file(&self, path: &str) -> Option<File> {
        self.files.lock().remove(path)
    }
}
