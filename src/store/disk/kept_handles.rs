//! The handles that stay open between the batches of changes: a batch that finds its folders and
//! its log here looks once at each path instead of opening and closing what it names.
//!
//! A handle counts only while its path names the same file or folder: one that was moved, removed
//! or replaced is opened anew. While a handle is open, its inode is given to no other file. The
//! look follows links above the folder, which opening never does, so a handle is used for a moment
//! only.

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use rustix::fs::{self, AtFlags, Mode, OFlags};

use crate::stdx::sync::Mutex;
use crate::store::disk::file_system::is_absence;

/// The maximum number of folders that stay open.
const FOLDERS_MAX: usize = 32;

/// The time after which a handle is opened anew.
const USED_MAX: Duration = Duration::from_millis(500);

/// Device and inode of an open file or folder.
pub(super) type Identity = (u64, u64);

/// A folder that is open.
#[derive(Debug)]
pub(super) struct OpenedFolder {
    /// The handle for operations on the names in it.
    pub(super) names: Arc<OwnedFd>,
    /// The handle to sync it, once it was needed.
    synced: OnceLock<Arc<OwnedFd>>,
    identity: Identity,
    since: Instant,
}

/// A file that is open for appending.
#[derive(Clone, Debug)]
struct KeptLog {
    path: String,
    file: Arc<File>,
    identity: Identity,
    since: Instant,
}

/// The handles of all batches.
#[derive(Debug, Default)]
pub(super) struct KeptHandles {
    folders: Mutex<HashMap<String, Arc<OpenedFolder>>>,
    /// The file that was appended to last.
    log: Mutex<Option<KeptLog>>,
}

impl OpenedFolder {
    pub(super) fn new(names: OwnedFd) -> io::Result<OpenedFolder> {
        let identity = identify(&fs::fstat(&names)?);
        let (names, synced, since) = (Arc::new(names), OnceLock::new(), Instant::now());
        Ok(OpenedFolder { names, synced, identity, since })
    }

    /// Returns true if `path` names this folder, and no link to it.
    pub(super) fn is_at(&self, root: &OwnedFd, path: &str) -> io::Result<bool> {
        is_at(root, path, self.identity)
    }

    /// Returns a handle to read and sync the folder, whatever its path names by now.
    pub(super) fn open_for_sync(&self) -> io::Result<Arc<OwnedFd>> {
        if let Some(opened) = self.synced.get() {
            return Ok(Arc::clone(opened));
        }
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let opened = Arc::new(fs::openat(&self.names, ".", flags, Mode::empty())?);
        Ok(Arc::clone(self.synced.get_or_init(|| opened)))
    }
}

impl KeptHandles {
    /// Returns the folder at a path if it is open.
    pub(super) fn find_folder(&self, root: &OwnedFd, path: &str) -> Option<Arc<OpenedFolder>> {
        let found = Arc::clone(self.folders.lock().get(path)?);
        if is_recent(found.since) && found.is_at(root, path).unwrap_or(false) {
            return Some(found);
        }
        self.folders.lock().remove(path);
        None
    }

    /// Keeps a folder open. If too many are, they are closed first.
    pub(super) fn keep_folder(&self, path: &str, folder: &Arc<OpenedFolder>) {
        let mut folders = self.folders.lock();
        if folders.len() >= FOLDERS_MAX {
            folders.clear();
        }
        folders.insert(path.to_string(), Arc::clone(folder));
    }

    /// Returns the log at a path if it is open.
    pub(super) fn find_log(&self, root: &OwnedFd, path: &str) -> Option<Arc<File>> {
        let log = self.log.lock().clone().filter(|it| it.path == path && is_recent(it.since))?;
        is_at(root, path, log.identity).unwrap_or(false).then_some(log.file)
    }

    /// Keeps a log open that was opened just now, in place of the one before.
    pub(super) fn keep_log(&self, path: &str, file: &Arc<File>, found: &fs::Stat) {
        let (path, file, identity) = (path.to_string(), Arc::clone(file), identify(found));
        *self.log.lock() = Some(KeptLog { path, file, identity, since: Instant::now() });
    }

    /// Closes everything, after a failure that a kept handle would report only once.
    pub(super) fn close_all(&self) {
        self.folders.lock().clear();
        *self.log.lock() = None;
    }
}

fn is_recent(since: Instant) -> bool {
    since.elapsed() < USED_MAX
}

fn is_at(root: impl AsFd, path: &str, identity: Identity) -> io::Result<bool> {
    match fs::statat(root, path, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(found) => Ok(identify(&found) == identity),
        Err(error) => match io::Error::from(error) {
            error if is_absence(&error) => Ok(false),
            error => Err(error),
        },
    }
}

/// Returns device and inode of what a stat describes.
#[expect(clippy::unnecessary_cast, reason = "the types of the fields differ between systems")]
pub(super) fn identify(found: &fs::Stat) -> Identity {
    (found.st_dev as u64, found.st_ino as u64)
}
