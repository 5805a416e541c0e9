//! Media bytes: opened beneath the data folder, read by range; and where thumbnails are cached.

use std::fs::File;
use std::io;

use crate::model::name::{Filename, WorkspaceSlug};
use crate::stdx::sum::Summer;
use crate::store::disk::{self, Disk, ReadError, Stat};
use crate::store::error::StoreError;
use crate::store::layout::{self, Key};

/// An open media file. A file replaced meanwhile goes on being read as it was.
#[derive(Debug)]
pub struct Blob {
    file: File,
    /// The stat it had when it was opened.
    pub stat: Stat,
}

impl Blob {
    /// A file that was opened, as it was then.
    pub(crate) fn of(file: File, stat: Stat) -> Blob {
        Blob { file, stat }
    }

    /// Opens a media file; links are not followed.
    pub fn open(disk: &dyn Disk, ws: &WorkspaceSlug, name: &Filename) -> Result<Blob, ReadError> {
        let (file, stat) = disk.open(&Key::Media(ws.clone(), name.clone()).path())?;
        Ok(Blob { file, stat })
    }

    /// Opens a cached thumbnail, if it was made of exactly this file.
    pub fn open_thumb(disk: &dyn Disk, thumb: &Thumb) -> Option<Blob> {
        disk.open(&thumb.0).ok().map(|(file, stat)| Blob { file, stat })
    }

    /// The open file, for whoever streams it.
    pub fn into_file(self) -> File {
        self.file
    }

    /// Reads bytes from `offset` on; fewer than asked for at the end of the file, which may have
    /// become shorter than its stat said.
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

/// Where the thumbnail of one state of one media file is cached.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Thumb(String);

impl Thumb {
    /// The place for the file as it was at `stat`; another state of it has another place.
    pub fn of(ws: &WorkspaceSlug, name: &Filename, stat: &Stat) -> Thumb {
        let mut summer = Summer::new();
        summer.part(name.as_bytes()).number(stat.sum().0);
        Thumb(layout::thumb(ws, &summer.finish().to_string()))
    }

    /// Keeps a finished thumbnail.
    pub fn place(&self, disk: &dyn Disk, bytes: &[u8]) -> Result<(), StoreError> {
        disk::replace(disk, &self.0, bytes).map(|_| ())
    }
}

#[cfg(unix)]
pub(crate) fn read_some(file: &File, offset: u64, into: &mut [u8]) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, into, offset)
}

#[cfg(windows)]
pub(crate) fn read_some(file: &File, offset: u64, into: &mut [u8]) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, into, offset)
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
        disk::create(&disk, "workspaces/main/media/a.txt", b"0123456789").unwrap();
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
        let thumb = Thumb::of(&ws, &name, &stat);
        assert!(Blob::open_thumb(&disk, &thumb).is_none());
        thumb.place(&disk, b"png").unwrap();
        assert_eq!(Blob::open_thumb(&disk, &thumb).unwrap().stat.size, 3);
        let later = Thumb::of(&ws, &name, &Stat { changed_ns: 5, ..stat });
        assert!(Blob::open_thumb(&disk, &later).is_none());
    }
}
