//! A data folder on its way out of a backup: its files are written beside their places, and moved
//! there together once all of them are durable.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;
use std::path::PathBuf;

use crate::store::disk::Disk;
use crate::store::disk::OsDisk;
use crate::store::disk::default_mode;
use crate::store::disk::is_absence;
use crate::store::disk::make_folders_unsynced;
use crate::store::disk::parent_folder;
use crate::store::error::StoreError;
use crate::store::layout;

/// The folder of files that wait, in the data folder.
pub const WAITING: &str = ".recto-restore";

/// A data folder on its way.
pub struct RestoredFolder {
    root: PathBuf,
    disk: OsDisk,
    files: BTreeSet<String>,
    /// The folders to sync.
    changed: BTreeSet<String>,
}

impl RestoredFolder {
    /// Begins to restore into a folder, which is created if needed. What an interrupted restore
    /// left is removed. The caller has checked that there is no content.
    pub fn begin(root: &Path) -> Result<RestoredFolder, StoreError> {
        let waiting = root.join(WAITING);
        let failed = |op| StoreError::io(op, waiting.display().to_string());
        match fs::remove_dir_all(&waiting) {
            Err(error) if !is_absence(&error) => return Err(failed("remove")(error)),
            _ => {}
        }
        fs::create_dir_all(&waiting).map_err(failed("create"))?;
        let disk = OsDisk::open(&waiting).map_err(failed("open"))?;
        let root = root.to_path_buf();
        Ok(RestoredFolder { root, disk, files: BTreeSet::new(), changed: BTreeSet::new() })
    }

    /// Appends bytes to the file at a path.
    pub fn append(&mut self, path: &str, bytes: &[u8]) -> io::Result<()> {
        if self.files.insert(path.to_string()) {
            make_folders_unsynced(&self.disk, parent_folder(path), &mut self.changed)
                .map_err(io::Error::other)?;
            self.changed.insert(parent_folder(path).to_string());
        }
        self.disk.append(path, bytes, default_mode(path))
    }

    /// Removes the file at a path, if there is one.
    pub fn remove(&mut self, path: &str) -> io::Result<()> {
        if self.files.remove(path) { self.disk.remove(path) } else { Ok(()) }
    }

    /// Makes all files durable, and moves them to their places.
    pub fn commit(mut self) -> Result<usize, StoreError> {
        make_folders_unsynced(&self.disk, layout::WORKSPACES, &mut self.changed)?;
        make_folders_unsynced(&self.disk, layout::SYSTEM, &mut self.changed)?;
        let files: Vec<String> = self.files.iter().cloned().collect();
        let folders: Vec<String> = self.changed.iter().cloned().collect();
        self.disk.sync_together(&files, &folders).map_err(StoreError::io("sync", WAITING))?;
        // The workspaces last: a folder without them is no data folder yet.
        for name in [layout::SYSTEM, layout::WORKSPACES] {
            let moved = fs::rename(self.root.join(WAITING).join(name), self.root.join(name));
            moved.map_err(StoreError::io("move", name))?;
        }
        fs::remove_dir_all(self.root.join(WAITING)).map_err(StoreError::io("remove", WAITING))?;
        sync_folder(&self.root).map_err(StoreError::io("sync", "the data folder"))?;
        Ok(files.len())
    }

    /// Removes everything that was written.
    pub fn abandon(self) {
        // What remains is removed by the next restore.
        let _ = fs::remove_dir_all(self.root.join(WAITING));
    }
}

#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    fs::File::open(folder)?.sync_all()
}

/// Does nothing: other systems cannot sync a folder.
#[cfg(not(unix))]
fn sync_folder(_folder: &Path) -> io::Result<()> {
    Ok(())
}
