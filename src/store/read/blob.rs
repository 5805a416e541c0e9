//! Media files opened for reading by range, and the cache of thumbnails.

use std::fs::File;
use std::io;

use crate::model::name::{Filename, WorkspaceSlug};
use crate::stdx::checksum::ChecksumBuilder;
use crate::store::disk::{self, Disk, ReadError, Stat};
use crate::store::error::StoreError;
use crate::store::layout::{self, Key};

/// An open media file. If it is replaced, the old content remains readable.
#[derive(Debug)]
pub struct Blob {
    file: File,
    /// The stat of the file when it was opened.
    pub stat: Stat,
}

impl Blob {
    /// Wraps an open file with its stat.
    pub(crate) fn new(file: File, stat: Stat) -> Blob {
        Blob { file, stat }
    }

    /// Opens a media file. Links are not followed.
    pub fn open(disk: &dyn Disk, ws: &WorkspaceSlug, name: &Filename) -> Result<Blob, ReadError> {
        Blob::open_key(disk, &Key::Media(ws.clone(), name.clone()))
    }

    /// Opens the file of a key. Links are not followed.
    pub fn open_key(disk: &dyn Disk, key: &Key) -> Result<Blob, ReadError> {
        let (file, stat) = disk.open(&key.path())?;
        Ok(Blob { file, stat })
    }

    /// Opens a cached thumbnail, if it was made from this exact state of the file.
    pub fn open_thumbnail(disk: &dyn Disk, thumb: &ThumbnailPath) -> Option<Blob> {
        disk.open(&thumb.0).ok().map(|(file, stat)| Blob { file, stat })
    }

    /// The open file, whose position is where the last reader left it.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// Returns the open file for streaming.
    pub fn into_file(self) -> File {
        self.file
    }

    /// Reads bytes from `offset` on. Returns fewer than requested at the end of the file, which may
    /// be shorter than its stat said.
    pub fn read_at(&self, offset: u64, into: &mut [u8]) -> io::Result<usize> {
        let mut filled = 0;
        while let Some(rest) = into.get_mut(filled..).filter(|rest| !rest.is_empty()) {
            match read_some(&self.file, offset.saturating_add(filled as u64), rest) {
                Ok(0) => break,
                Ok(read) => filled += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(filled)
    }
}

/// The cache path of a thumbnail of one state of a media file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ThumbnailPath(String);

impl ThumbnailPath {
    /// Returns the path for the file with this stat; another state has another path.
    pub fn for_media(ws: &WorkspaceSlug, name: &Filename, stat: &Stat) -> ThumbnailPath {
        let mut summer = ChecksumBuilder::new();
        summer.add_part(name.as_bytes()).add_number(stat.compute_sum().0);
        ThumbnailPath(layout::thumbnail_path(ws, &summer.finish().to_string()))
    }

    /// Stores a thumbnail in the cache.
    pub fn write_thumbnail(&self, disk: &dyn Disk, bytes: &[u8]) -> Result<(), StoreError> {
        disk::replace_file(disk, &self.0, bytes).map(|_| ())
    }
}

/// Fills the buffer with the bytes from `offset` on.
pub(super) fn read_exact_at(file: &File, offset: u64, into: &mut [u8]) -> io::Result<()> {
    let mut filled = 0;
    while let Some(rest) = into.get_mut(filled..).filter(|rest| !rest.is_empty()) {
        match read_some(file, offset.saturating_add(filled as u64), rest)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            read => filled += read,
        }
    }
    Ok(())
}

#[cfg(unix)]
pub(crate) fn read_some(file: &File, offset: u64, into: &mut [u8]) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, into, offset)
}

#[cfg(windows)]
pub(crate) fn read_some(file: &File, offset: u64, into: &mut [u8]) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, into, offset)
}

/// Writes bytes at a place of a file, wherever its cursor is. Reading at a place moves the cursor
/// on some systems.
#[cfg(unix)]
pub(crate) fn write_all_at(file: &File, offset: u64, bytes: &[u8]) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, offset)
}

/// Writes bytes at a place of a file, wherever its cursor is.
#[cfg(windows)]
pub(crate) fn write_all_at(file: &File, mut offset: u64, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        let written = std::os::windows::fs::FileExt::seek_write(file, bytes, offset)?;
        bytes = bytes.get(written..).filter(|_| written > 0).ok_or(io::ErrorKind::WriteZero)?;
        offset += written as u64;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::disk::OsDisk;

    #[test]
    fn ranges_are_read_and_links_are_not() {
        let data = tempfile::tempdir().unwrap();
        let disk = OsDisk::open(data.path()).unwrap();
        let ws = WorkspaceSlug::parse("main").unwrap();
        let name = Filename::parse("a.txt").unwrap();
        disk::create_file(&disk, "workspaces/main/media/a.txt", b"0123456789").unwrap();
        let blob = Blob::open(&disk, &ws, &name).unwrap();
        let mut bytes = [0; 4];
        assert_eq!(blob.read_at(8, &mut bytes).unwrap(), 2);
        assert_eq!(&bytes[..2], b"89");
        assert_eq!(blob.read_at(99, &mut bytes).unwrap(), 0);
        let gone = Filename::parse("b.txt").unwrap();
        assert!(matches!(Blob::open(&disk, &ws, &gone), Err(ReadError::Missing)));
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("/etc/hostname", data.path().join(".x")).unwrap();
            std::fs::rename(
                data.path().join(".x"),
                data.path().join("workspaces/main/media/b.txt"),
            )
            .unwrap();
            assert!(matches!(Blob::open(&disk, &ws, &gone), Err(ReadError::NotAFile(_))));
        }
    }

    #[test]
    fn a_thumbnail_belongs_to_one_state_of_a_file() {
        let data = tempfile::tempdir().unwrap();
        let disk = OsDisk::open(data.path()).unwrap();
        let ws = WorkspaceSlug::parse("main").unwrap();
        let name = Filename::parse("a.png").unwrap();
        let stat = Stat { inode: 1, size: 2, modified_ns: 3, changed_ns: 4 };
        let thumb = ThumbnailPath::for_media(&ws, &name, &stat);
        assert!(Blob::open_thumbnail(&disk, &thumb).is_none());
        thumb.write_thumbnail(&disk, b"png").unwrap();
        assert_eq!(Blob::open_thumbnail(&disk, &thumb).unwrap().stat.size, 3);
        let later = ThumbnailPath::for_media(&ws, &name, &Stat { changed_ns: 5, ..stat });
        assert!(Blob::open_thumbnail(&disk, &later).is_none());
    }
}
