//! The spool of uploads: they are written to unfinished files as they arrive, so that no upload is
//! held in memory. A file that is not moved to its place is deleted on drop.

use std::fs::File;
use std::io;
use std::io::Write;
use std::sync::Arc;

use crate::stdx::checksum::ByteChecksum;
use crate::stdx::checksum::Checksum;
use crate::store::disk;
use crate::store::disk::Disk;
use crate::store::error::StoreError;
use crate::store::layout;

/// The size of the head that is kept in memory, enough to detect the type of a file.
pub const HEAD_BYTES_MAX: usize = 4_096;

/// A file being written.
pub struct Spool {
    // The first field, since fields are dropped in order: some systems cannot remove open files.
    file: File,
    size: u64,
    head: Vec<u8>,
    // Boxed, since it is far larger than the other fields.
    summer: Box<ByteChecksum>,
    place: SpoolTempFile,
}

/// A finished and durable file that waits to be moved to its place.
pub struct Spooled {
    /// The path relative to the data folder.
    pub path: String,
    /// The size in bytes.
    pub size: u64,
    /// The checksum of all bytes.
    pub sum: Checksum,
    /// The first [`HEAD_BYTES_MAX`] bytes, or all if there are fewer.
    pub head: Vec<u8>,
    /// The original name; empty until it is set.
    pub name: String,
    _place: SpoolTempFile,
}

/// An unfinished file that is deleted on drop, unless it was moved away.
struct SpoolTempFile {
    disk: Arc<dyn Disk>,
    path: String,
}

impl Spool {
    /// Creates an empty file for content.
    pub fn create(disk: Arc<dyn Disk>) -> Result<Spool, StoreError> {
        Spool::create_for(disk, layout::WORKSPACES)
    }

    /// Creates an empty file that will be moved to this path or next to it.
    pub fn create_for(disk: Arc<dyn Disk>, path: &str) -> Result<Spool, StoreError> {
        let path = disk::unfinished_path(&*disk, path);
        disk::make_folders(&*disk, disk::parent_folder(&path))?;
        let file = disk.create(&path).map_err(StoreError::io("create", path.as_str()))?;
        let (head, summer) = (Vec::new(), Box::<ByteChecksum>::default());
        Ok(Spool { file, size: 0, head, summer, place: SpoolTempFile { disk, path } })
    }

    /// Appends bytes.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), StoreError> {
        self.file.write_all(bytes).map_err(StoreError::io("write", self.place.path.as_str()))?;
        self.summer.add(bytes);
        let missing = HEAD_BYTES_MAX.saturating_sub(self.head.len());
        self.head.extend(bytes.iter().take(missing));
        self.size = self.size.saturating_add(bytes.len() as u64);
        Ok(())
    }

    /// Makes the bytes durable. Until then only the owner may read the file.
    pub fn finish(self) -> Result<Spooled, StoreError> {
        let Spool { file, size, head, summer, place } = self;
        let finished = open_up(&file).and_then(|()| place.disk.sync_file(&place.path));
        finished.map_err(StoreError::io("sync", place.path.as_str()))?;
        let path = place.path.clone();
        let (sum, name) = (summer.finish(), String::new());
        Ok(Spooled { path, size, sum, head, name, _place: place })
    }
}

/// Gives a file the permissions of its final place.
#[cfg(unix)]
pub(in crate::store) fn open_up(file: &File) -> io::Result<()> {
    let mode = disk::default_mode(layout::WORKSPACES);
    file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(mode))
}

#[cfg(not(unix))]
pub(in crate::store) fn open_up(_file: &File) -> io::Result<()> {
    Ok(())
}

impl Drop for SpoolTempFile {
    fn drop(&mut self) {
        // Usually the file was moved. Otherwise a failure leaves garbage in the folder of
        // unfinished files.
        let _ = self.disk.remove(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;
    use crate::store::disk::OsDisk;

    fn unfinished(root: &Path) -> usize {
        fs::read_dir(root.join(layout::TMP)).map_or(0, |it| it.count())
    }

    fn on_disk(check: impl Fn(&Arc<dyn Disk>, &Path)) {
        let data = tempfile::tempdir().unwrap();
        let disk: Arc<dyn Disk> = Arc::new(OsDisk::open(data.path()).unwrap());
        check(&disk, data.path());
        assert_eq!(unfinished(data.path()), 0);
    }

    #[test]
    fn pieces_become_a_file() {
        let check = |pieces: &[usize]| {
            on_disk(|disk, root| {
                let mut spool = Spool::create(disk.clone()).unwrap();
                let mut all = Vec::new();
                for (number, length) in pieces.iter().enumerate() {
                    let piece = vec![u8::try_from(number).unwrap(); *length];
                    spool.write(&piece).unwrap();
                    all.extend(piece);
                }
                let spooled = spool.finish().unwrap();
                assert_eq!(spooled.size, all.len() as u64);
                assert_eq!(spooled.head, all[..all.len().min(HEAD_BYTES_MAX)]);
                assert_eq!(fs::read(root.join(&spooled.path)).unwrap(), all);
            });
        };
        check(&[]);
        check(&[1, 0, 2]);
        check(&[HEAD_BYTES_MAX]);
        check(&[HEAD_BYTES_MAX - 1, 2, 100_000]);
    }

    #[test]
    fn what_nobody_takes_vanishes() {
        on_disk(|disk, root| {
            let mut left = Spool::create(disk.clone()).unwrap();
            let finished = Spool::create(disk.clone()).unwrap().finish().unwrap();
            left.write(b"half of").unwrap();
            assert_eq!(unfinished(root), 2);
            drop(left);
            assert_eq!(unfinished(root), 1);
            drop(finished);
        });
    }

    #[test]
    fn what_is_moved_stays() {
        on_disk(|disk, root| {
            let mut spool = Spool::create(disk.clone()).unwrap();
            spool.write(b"bytes").unwrap();
            let spooled = spool.finish().unwrap();
            disk.rename_new(&spooled.path, "a.txt").unwrap();
            drop(spooled);
            assert_eq!(fs::read(root.join("a.txt")).unwrap(), b"bytes");
            #[cfg(unix)]
            assert_eq!(disk.stat("a.txt").unwrap().mode, 0o640);
        });
    }
}
