//! The disk of a replica: changes are committed in the database first, and nothing is synced.

use std::fs::File;
use std::io;
use std::ops::Deref;
use std::sync::Arc;

use crate::store::cluster::replica::Replica;
use crate::store::disk::{
    Disk, FileEffect, Listing, ReadError, ShareError, Stat, StatResult, parent_folder,
};
use crate::store::error::StoreError;

/// The disk of a replica.
pub struct ReplicaDisk<'a> {
    disk: LocalDisk<'a>,
    replica: Arc<Replica>,
}

/// The files themselves.
enum LocalDisk<'a> {
    Shared(Arc<dyn Disk>),
    View(Box<dyn Disk + 'a>),
}

impl ReplicaDisk<'static> {
    /// Returns the disk of a replica with these files.
    pub fn new(disk: Arc<dyn Disk>, replica: Arc<Replica>) -> ReplicaDisk<'static> {
        ReplicaDisk { disk: LocalDisk::Shared(disk), replica }
    }
}

impl<'a> ReplicaDisk<'a> {
    fn view<'b>(&self, view: Box<dyn Disk + 'b>) -> Box<dyn Disk + 'b> {
        Box::new(ReplicaDisk { disk: LocalDisk::View(view), replica: self.replica.clone() })
    }

    /// Has the file at this path written if it is not on the disk yet.
    fn settle(&self, path: &str) -> io::Result<()> {
        self.replica.files().settle(path)
    }

    fn settle_with_parent(&self, path: &str) -> io::Result<()> {
        self.settle(parent_folder(path))?;
        self.settle(path)
    }

    fn settle_both(&self, from: &str, to: &str) -> io::Result<()> {
        self.settle(from)?;
        self.settle_with_parent(to)
    }
}

impl<'a> Deref for LocalDisk<'a> {
    type Target = dyn Disk + 'a;

    fn deref(&self) -> &(dyn Disk + 'a) {
        match self {
            LocalDisk::Shared(disk) => &**disk,
            LocalDisk::View(disk) => &**disk,
        }
    }
}

impl Disk for ReplicaDisk<'_> {
    fn share_content(&self, path: &str) -> Result<(), StoreError> {
        self.replica.share_content(path)
    }

    fn share(&self, effects: &[FileEffect]) -> Result<(), ShareError> {
        self.replica.share(self, effects)
    }

    fn is_shared(&self) -> bool {
        true
    }

    fn read_ahead(&self, paths: &[String]) {
        self.replica.files().read_ahead(paths);
    }

    fn restore_shared(&self) -> Result<(), StoreError> {
        self.replica.restore_all()
    }

    fn write_new(&self, path: &str, bytes: &[u8], mode: u32) -> io::Result<()> {
        self.write_unsynced(path, bytes, mode).map(drop)
    }

    fn sync_file(&self, _path: &str) -> io::Result<()> {
        Ok(())
    }

    fn sync_folder(&self, _folder: &str) -> io::Result<()> {
        Ok(())
    }

    fn sync_all(&self) -> io::Result<()> {
        Ok(())
    }

    fn sync_together(&self, _files: &[String], _folders: &[String]) -> io::Result<()> {
        Ok(())
    }

    fn begin_batch(&self) -> Option<Box<dyn Disk + '_>> {
        self.disk.begin_batch().map(|it| self.view(it))
    }

    fn begin_look(&self) -> Option<Box<dyn Disk + '_>> {
        self.disk.begin_look().map(|it| self.view(it))
    }

    fn read(&self, path: &str, into: &mut Vec<u8>) -> Result<Stat, ReadError> {
        if let Some((stat, bytes)) = self.replica.files().read_to_load(path) {
            *into = bytes;
            return Ok(stat);
        }
        self.settle(path)?;
        self.disk.read(path, into)
    }

    fn open(&self, path: &str) -> Result<(File, Stat), ReadError> {
        self.settle(path)?;
        self.disk.open(path)
    }

    fn stat(&self, path: &str) -> io::Result<StatResult> {
        self.settle(path)?;
        self.disk.stat(path)
    }

    fn list(&self, folder: &str) -> io::Result<Listing> {
        self.replica.files().list_with_pending(folder, || self.disk.list(folder))
    }

    fn write_unsynced(&self, path: &str, bytes: &[u8], mode: u32) -> io::Result<Stat> {
        self.settle_with_parent(path)?;
        self.disk.write_unsynced(path, bytes, mode)
    }

    fn set_modified(&self, path: &str, modified_ns: i64) -> io::Result<()> {
        self.settle(path)?;
        self.disk.set_modified(path, modified_ns)
    }

    fn append(&self, path: &str, bytes: &[u8], mode: u32) -> io::Result<()> {
        self.settle_with_parent(path)?;
        self.disk.append(path, bytes, mode)
    }

    fn create(&self, path: &str) -> io::Result<File> {
        self.settle_with_parent(path)?;
        self.disk.create(path)
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        self.settle_both(from, to)?;
        self.disk.rename(from, to)
    }

    fn rename_new(&self, from: &str, to: &str) -> io::Result<()> {
        self.settle_both(from, to)?;
        self.disk.rename_new(from, to)
    }

    fn exchange(&self, one: &str, other: &str) -> io::Result<()> {
        self.settle_both(one, other)?;
        self.disk.exchange(one, other)
    }

    fn link(&self, from: &str, to: &str) -> io::Result<()> {
        self.settle_both(from, to)?;
        self.disk.link(from, to)
    }

    fn remove(&self, path: &str) -> io::Result<()> {
        if self.replica.files().drop_pending(path) {
            return Ok(());
        }
        self.disk.remove(path)
    }

    fn make_folder(&self, folder: &str, mode: u32) -> io::Result<()> {
        self.settle_with_parent(folder)?;
        self.disk.make_folder(folder, mode)
    }

    fn remove_folder(&self, folder: &str) -> io::Result<()> {
        self.replica.files().settle_below(folder)?;
        self.disk.remove_folder(folder)
    }

    fn find_folder(&self, folder: &str) -> io::Result<bool> {
        self.settle(folder)?;
        self.disk.find_folder(folder)
    }

    fn is_current(&self, folder: &str) -> io::Result<bool> {
        self.disk.is_current(folder)
    }

    fn unfinished_folder(&self, path: &str) -> &'static str {
        self.disk.unfinished_folder(path)
    }

    fn free_bytes(&self) -> io::Result<u64> {
        self.disk.free_bytes()
    }
}
