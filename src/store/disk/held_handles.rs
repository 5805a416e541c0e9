//! The folders and files that a batch of changes keeps open, so that it does not look up the same
//! folder for every operation and does not open a file again to sync it.
//!
//! A folder is looked up when the batch first needs it, beneath the data folder and without
//! following links; one below a folder that is open already, from there. From then on the batch
//! changes this folder, whatever takes its name: a link, an older copy, or nothing. So a batch is
//! short, it never waits for anybody, and before its changes count it asks whether the paths still
//! name its folders ([`Disk::is_current`]).
//!
//! A sweep reads through such handles too. What it finds is confirmed by path before it is adopted.
//!
//! [`Disk::is_current`]: crate::store::disk::Disk::is_current

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::sync::Arc;

use crate::stdx::sync::Mutex;

/// The maximum number of open folders of a batch. Beyond it, each operation opens its folder.
const FOLDERS_MAX: usize = 32;

/// The maximum number of open files of a batch. Beyond it, a file is opened again to sync it.
const FILES_MAX: usize = 32;

/// The handles of one batch, which are closed with it.
#[derive(Debug, Default)]
pub(super) struct HeldHandles {
    folders: Mutex<HashMap<String, Arc<OwnedFd>>>,
    /// The files that were written and not synced yet.
    files: Mutex<HashMap<String, File>>,
}

impl HeldHandles {
    /// Returns the handle of a folder if the batch has one.
    pub(super) fn find(&self, folder: &str) -> Option<Arc<OwnedFd>> {
        self.folders.lock().get(folder).cloned()
    }

    /// Returns the handle of a folder. If the batch has none, `open` opens it from the handle of
    /// the closest folder above it, or from the root. That a folder is missing is not remembered.
    pub(super) fn find_or_open(
        &self,
        root: &OwnedFd,
        folder: &str,
        open: impl FnOnce(&OwnedFd, &str) -> io::Result<OwnedFd>,
    ) -> io::Result<Arc<OwnedFd>> {
        let opened = match self.find_closest(folder) {
            Some((held, "")) => return Ok(held),
            Some((above, rest)) => open(&above, rest)?,
            None => open(root, folder)?,
        };
        let opened = Arc::new(opened);
        let mut folders = self.folders.lock();
        if folders.len() < FOLDERS_MAX {
            folders.insert(folder.to_string(), Arc::clone(&opened));
        }
        Ok(opened)
    }

    /// Returns the handle of a folder, or of the closest one above it with the rest of the path.
    fn find_closest<'f>(&self, folder: &'f str) -> Option<(Arc<OwnedFd>, &'f str)> {
        let folders = self.folders.lock();
        let mut above = folder;
        loop {
            if let Some(held) = folders.get(above) {
                let rest = folder.get(above.len()..).unwrap_or_default();
                return Some((Arc::clone(held), rest.trim_start_matches('/')));
            }
            (above, _) = above.rsplit_once('/')?;
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

/// Returns true if a path names the folder or what is in it.
fn is_within(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
