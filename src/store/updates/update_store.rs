//! The status of updates, and the downloaded program that waits to be installed. Nothing is
//! executed from here: `program_file` installs programs.

use std::fs::File;
use std::path::PathBuf;
use std::sync::Arc;

use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::store::codec;
use crate::store::disk;
use crate::store::disk::Disk;
use crate::store::disk::ReadError;
use crate::store::error::StoreError;
use crate::store::layout;
use crate::store::lock::JobLock;
use crate::store::write::spool::Spool;
use crate::store::write::spool::Spooled;

/// The store of updates.
pub struct UpdateStore {
    root: PathBuf,
    disk: Arc<dyn Disk>,
    read_only: bool,
}

impl UpdateStore {
    /// Creates the store of a data folder.
    pub fn new(root: PathBuf, disk: Arc<dyn Disk>, read_only: bool) -> UpdateStore {
        UpdateStore { root, disk, read_only }
    }

    /// Reads the status; empty if there is none or it cannot be read.
    pub fn load_status(&self) -> Map {
        let (path, mut bytes) = (layout::update_status_path(), Vec::new());
        let read = self.disk.read(&path, &mut bytes).is_ok();
        let document = if read { codec::parse_document(&path, &bytes).ok() } else { None };
        document.map(|it| it.map).unwrap_or_default()
    }

    /// Writes the status.
    pub fn write_status(&self, status: Map) -> Result<(), StoreError> {
        self.expect_writable()?;
        let bytes = Json::Object(status).to_file();
        disk::replace_file(&*self.disk, &layout::update_status_path(), &bytes).map(|_| ())
    }

    /// Acquires the lock for changes of the store and of the program; `None` if it is taken.
    pub fn acquire_lock(&self) -> Result<Option<JobLock>, StoreError> {
        self.expect_writable()?;
        JobLock::try_acquire(&self.root, layout::UPDATE_LOCK)
    }

    /// Creates a file for a program being downloaded.
    pub fn create_spool(&self) -> Result<Spool, StoreError> {
        self.expect_writable()?;
        Spool::create_for(self.disk.clone(), layout::UPDATES)
    }

    /// Stores a downloaded program under its hash.
    pub fn keep_program(&self, spooled: Spooled, sha256: &str) -> Result<(), StoreError> {
        let path = layout::staged_program(sha256);
        disk::make_folders(&*self.disk, layout::UPDATES)?;
        let renamed = self.disk.rename(&spooled.path, &path);
        renamed.map_err(StoreError::io("keep", path.as_str()))?;
        disk::sync_parent(&*self.disk, &path)
    }

    /// Opens the program with this hash, and returns its size.
    pub fn open_program(&self, sha256: &str) -> Result<(File, u64), ReadError> {
        self.disk.open(&layout::staged_program(sha256)).map(|(file, stat)| (file, stat.size))
    }

    /// Returns the size of the program with this hash, if it is stored.
    pub fn program_size(&self, sha256: &str) -> Option<u64> {
        self.disk.stat(&layout::staged_program(sha256)).ok().map(|found| found.stat.size)
    }

    /// Removes all programs but the one with this hash.
    pub fn remove_others(&self, sha256: Option<&str>) {
        let kept = sha256.map(layout::staged_program);
        let listing = self.disk.list(layout::UPDATES).unwrap_or_default();
        let paths = listing.items.iter().map(|it| format!("{}/{}", layout::UPDATES, it.name));
        let others =
            paths.filter(|it| *it != layout::update_status_path() && Some(it) != kept.as_ref());
        // An unremoved file only takes up space.
        others.for_each(|path| _ = self.disk.remove(&path));
    }

    fn expect_writable(&self) -> Result<(), StoreError> {
        let refused = || std::io::ErrorKind::ReadOnlyFilesystem.into();
        if self.read_only {
            Err(StoreError::io("write", layout::UPDATES)(refused()))
        } else {
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::disk::OsDisk;

    fn shelf(root: &std::path::Path, read_only: bool) -> UpdateStore {
        UpdateStore::new(root.to_path_buf(), Arc::new(OsDisk::open(root).unwrap()), read_only)
    }

    fn keep(shelf: &UpdateStore, bytes: &[u8], sha256: &str) {
        let mut spool = shelf.create_spool().unwrap();
        spool.write(bytes).unwrap();
        shelf.keep_program(spool.finish().unwrap(), sha256).unwrap();
    }

    #[test]
    fn what_is_kept_is_found_and_cleared() {
        let data = tempfile::tempdir().unwrap();
        let shelf = shelf(data.path(), false);
        assert!(shelf.load_status().is_empty() && shelf.program_size("aa").is_none());
        keep(&shelf, b"one", "aa");
        keep(&shelf, b"three", "bb");
        let status: Map = [("a".to_string(), Json::from(true))].into_iter().collect();
        shelf.write_status(status.clone()).unwrap();
        assert_eq!((shelf.program_size("aa"), shelf.program_size("bb")), (Some(3), Some(5)));
        shelf.remove_others(Some("bb"));
        assert_eq!((shelf.program_size("aa"), shelf.program_size("bb")), (None, Some(5)));
        assert_eq!(shelf.open_program("bb").unwrap().1, 5);
        shelf.remove_others(None);
        assert_eq!((shelf.program_size("bb"), shelf.load_status()), (None, status));
    }

    #[test]
    fn a_torn_status_is_none() {
        let data = tempfile::tempdir().unwrap();
        let shelf = shelf(data.path(), false);
        shelf.write_status(Map::default()).unwrap();
        std::fs::write(data.path().join(layout::update_status_path()), "{\"chec").unwrap();
        assert!(shelf.load_status().is_empty());
    }

    #[test]
    fn one_at_a_time() {
        let data = tempfile::tempdir().unwrap();
        let (one, other) = (shelf(data.path(), false), shelf(data.path(), false));
        let lock = one.acquire_lock().unwrap();
        assert!(lock.is_some() && other.acquire_lock().unwrap().is_none());
        drop(lock);
        assert!(other.acquire_lock().unwrap().is_some());
    }

    #[test]
    fn nothing_is_written_where_nothing_may_be() {
        let data = tempfile::tempdir().unwrap();
        let shelf = shelf(data.path(), true);
        assert!(shelf.create_spool().is_err() && shelf.write_status(Map::default()).is_err());
        assert!(shelf.acquire_lock().is_err() && shelf.load_status().is_empty());
        assert_eq!(std::fs::read_dir(data.path()).unwrap().count(), 0);
    }
}
