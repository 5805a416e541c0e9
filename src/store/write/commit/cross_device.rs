//! Moves to another file system, where files cannot be renamed or linked: they are copied, and the
//! copy is durable before the original is removed.

use std::io::{self, Read, Write};

use crate::store::disk::{self, Disk, parent_folder};
use crate::store::layout;

/// Moves a file to a name on another file system, which must be free. The new name is durable
/// before the old one is removed: a crash may leave both, but never neither.
pub(in crate::store) fn move_across(disk: &dyn Disk, from: &str, to: &str) -> io::Result<()> {
    copy_across(disk, from, to, |beside| disk.rename_new(beside, to))?;
    disk.remove(from)
}

/// Copies a file durably to a name on another file system; `rename` gives the copy its name.
pub(in crate::store) fn copy_across(
    disk: &dyn Disk,
    from: &str,
    to: &str,
    rename: impl Fn(&str) -> io::Result<()>,
) -> io::Result<()> {
    let place = |unfinished: &str| {
        let moved = copy_file(disk, from, unfinished).and_then(|()| rename(unfinished));
        if moved.is_err() {
            let _ = disk.remove(unfinished);
        }
        moved
    };
    let copied = match disk.unfinished_folder(to) {
        // This folder is on the file system of the source.
        layout::TMP => Err(io::ErrorKind::CrossesDevices.into()),
        folder => disk::make_folders(disk, folder)
            .map_err(io::Error::other)
            .and_then(|()| place(&disk::unfinished_in(folder))),
    };
    match copied {
        Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {
            place(&disk::unfinished_beside(to))
        }
        copied => copied,
    }?;
    disk.sync_folder(parent_folder(to))
}

/// Copies a file of any size and syncs the content of the copy, but not its name.
pub(in crate::store) fn copy_file(disk: &dyn Disk, from: &str, to: &str) -> io::Result<()> {
    const CHUNK_BYTES: usize = 256 * 1024;
    let (mut source, _) = disk.open(from).map_err(|error| match error {
        disk::ReadError::Unreadable(error) => error,
        disk::ReadError::Missing => io::Error::from(io::ErrorKind::NotFound),
        other => io::Error::other(other.to_problem(from).message),
    })?;
    let mut target = disk.create(to)?;
    let mut chunk = vec![0; CHUNK_BYTES];
    loop {
        let read = source.read(&mut chunk)?;
        if read == 0 {
            break;
        }
        target.write_all(chunk.get(..read).unwrap_or_default())?;
    }
    disk.sync_file(to)
}
