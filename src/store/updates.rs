//! What is known of new versions of the program, and the one that was downloaded and waits to be
//! installed. Nothing here is ever run: `binary` puts a program where it can be.

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
use crate::store::lock::UpdateLock;
use crate::store::spool::Spool;
use crate::store::spool::Spooled;

/// Where new versions are put down.
pub struct Shelf {
    root: PathBuf,
    disk: Arc<dyn Disk>,
    read_only: bool,
}

impl Shelf {
    /// That of a data folder.
    pub fn new(root: PathBuf, disk: Arc<dyn Disk>, read_only: bool) -> Shelf {
        Shelf { root, disk, read_only }
    }

    /// What was written down; nothing when nothing was, or nothing that can be read.
    pub fn status(&self) -> Map {
        let (path, mut bytes) = (layout::update_status(), Vec::new());
        let read = self.disk.read(&path, &mut bytes).is_ok();
        let document = if read { codec::parse(&path, &bytes).ok() } else { None };
        document.map(|it| it.map).unwrap_or_default()
    }

    /// Writes down what is known.
    pub fn set_status(&self, status: Map) -> Result<(), StoreError> {
        self.expect_writable()?;
        let bytes = Json::Object(status).to_file();
        disk::replace(&*self.disk, &layout::update_status(), &bytes).map(|_| ())
    }

    /// The right to change what lies here and the program itself; none while somebody has it.
    pub fn lock(&self) -> Result<Option<UpdateLock>, StoreError> {
        self.expect_writable()?;
        UpdateLock::take(&self.root)
    }

    /// A file for a program that comes in.
    pub fn spool(&self) -> Result<Spool, StoreError> {
        self.expect_writable()?;
        Spool::create(self.disk.clone())
    }

    /// Keeps a program that came in whole, under the sum of its bytes.
    pub fn keep(&self, spooled: Spooled, sha256: &str) -> Result<(), StoreError> {
        let path = layout::staged_program(sha256);
        disk::make_folders(&*self.disk, layout::UPDATES)?;
        let renamed = self.disk.rename(&spooled.path, &path);
        renamed.map_err(StoreError::io("keep", path.as_str()))?;
        disk::sync_parent(&*self.disk, &path)
    }

    /// Opens the program that was kept under a sum, and tells its size.
    pub fn open(&self, sha256: &str) -> Result<(File, u64), ReadError> {
        self.disk.open(&layout::staged_program(sha256)).map(|(file, stat)| (file, stat.size))
    }

    /// The size of the program that was kept under a sum, if there is one.
    pub fn size(&self, sha256: &str) -> Option<u64> {
        self.disk.stat(&layout::staged_program(sha256)).ok().map(|found| found.stat.size)
    }

    /// Removes all programs but the one under this sum.
    pub fn clear_but(&self, sha256: Option<&str>) {
        let kept = sha256.map(layout::staged_program);
        let listing = self.disk.list(layout::UPDATES).unwrap_or_default();
        let paths = listing.items.iter().map(|it| format!("{}/{}", layout::UPDATES, it.name));
        let others = paths.filter(|it| *it != layout::update_status() && Some(it) != kept.as_ref());
        // What stays takes room and does nothing else.
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

    fn shelf(root: &std::path::Path, read_only: bool) -> Shelf {
        Shelf::new(root.to_path_buf(), Arc::new(OsDisk::open(root).unwrap()), read_only)
    }

    fn keep(shelf: &Shelf, bytes: &[u8], sha256: &str) {
        let mut spool = shelf.spool().unwrap();
        spool.write(bytes).unwrap();
        shelf.keep(spool.finish().unwrap(), sha256).unwrap();
    }

    #[test]
    fn what_is_kept_is_found_and_cleared() {
        let data = tempfile::tempdir().unwrap();
        let shelf = shelf(data.path(), false);
        assert!(shelf.status().is_empty() && shelf.size("aa").is_none());
        keep(&shelf, b"one", "aa");
        keep(&shelf, b"three", "bb");
        let status: Map = [("a".to_string(), Json::from(true))].into_iter().collect();
        shelf.set_status(status.clone()).unwrap();
        assert_eq!((shelf.size("aa"), shelf.size("bb")), (Some(3), Some(5)));
        shelf.clear_but(Some("bb"));
        assert_eq!((shelf.size("aa"), shelf.size("bb")), (None, Some(5)));
        assert_eq!(shelf.open("bb").unwrap().1, 5);
        shelf.clear_but(None);
        assert_eq!((shelf.size("bb"), shelf.status()), (None, status));
    }

    #[test]
    fn a_torn_status_is_none() {
        let data = tempfile::tempdir().unwrap();
        let shelf = shelf(data.path(), false);
        shelf.set_status(Map::default()).unwrap();
        std::fs::write(data.path().join(layout::update_status()), "{\"chec").unwrap();
        assert!(shelf.status().is_empty());
    }

    #[test]
    fn one_at_a_time() {
        let data = tempfile::tempdir().unwrap();
        let (one, other) = (shelf(data.path(), false), shelf(data.path(), false));
        let lock = one.lock().unwrap();
        assert!(lock.is_some() && other.lock().unwrap().is_none());
        drop(lock);
        assert!(other.lock().unwrap().is_some());
    }

    #[test]
    fn nothing_is_written_where_nothing_may_be() {
        let data = tempfile::tempdir().unwrap();
        let shelf = shelf(data.path(), true);
        assert!(shelf.spool().is_err() && shelf.set_status(Map::default()).is_err());
        assert!(shelf.lock().is_err() && shelf.status().is_empty());
        assert_eq!(std::fs::read_dir(data.path()).unwrap().count(), 0);
    }
}
