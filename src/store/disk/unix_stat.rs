//! The facts of files on Unix systems, read for many files at once.

use std::io;
use std::os::fd::OwnedFd;
use std::thread;

use rustix::fs::{self, AtFlags, FileType};
use rustix::io::Errno;

use crate::store::disk::file_system::{FileKind, FolderItem, Stat};

/// The number of names in a listing for each thread that stats them.
const NAMES_PER_THREAD: usize = 1_024;

/// The maximum number of threads per listing: a cold disk is faster with many requests at once.
const STAT_THREADS_MAX: usize = 8;

/// Returns an item of a listing that has only its name yet.
pub(super) fn name_item(name: String) -> FolderItem {
    FolderItem { name, kind: FileKind::Other, stat: Stat::default() }
}

/// Returns the first bytes of a name as a number. A list of names is sorted by them, and has to be
/// compared by the names themselves only where they are the same.
pub(super) fn first_bytes(name: &str) -> u128 {
    let mut first = [0; 16];
    first.iter_mut().zip(name.bytes()).for_each(|(place, byte)| *place = byte);
    u128::from_be_bytes(first)
}

/// Completes items of a folder that have only their names, and removes those that are gone.
pub(super) fn stat_items(folder: &OwnedFd, items: &mut Vec<FolderItem>) -> io::Result<()> {
    let threads = (items.len() / NAMES_PER_THREAD).clamp(1, STAT_THREADS_MAX);
    // These threads work in place: what they allocated would stay in heaps of their own.
    let stat_share =
        |items: &mut [FolderItem]| items.iter_mut().try_for_each(|it| stat_item(folder, it));
    if threads == 1 {
        stat_share(items)?;
    } else {
        let share = items.len().div_ceil(threads);
        thread::scope(|scope| {
            let spawn = |share| scope.spawn(move || stat_share(share));
            let workers: Vec<_> = items.chunks_mut(share).map(spawn).collect();
            workers.into_iter().try_for_each(|worker| {
                worker.join().map_err(|_| io::Error::other("a stat thread panicked"))?
            })
        })?;
    }
    items.retain(|it| !it.name.is_empty());
    Ok(())
}

/// Completes an item that has only its name. If it is gone, it loses its name, too.
fn stat_item(folder: &OwnedFd, item: &mut FolderItem) -> io::Result<()> {
    match fs::statat(folder, &item.name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(found) => (item.kind, item.stat) = (to_kind(&found), to_stat(&found)),
        Err(Errno::NOENT) => item.name.clear(),
        Err(error) => return Err(error.into()),
    }
    Ok(())
}

pub(super) fn to_kind(found: &fs::Stat) -> FileKind {
    match FileType::from_raw_mode(found.st_mode as fs::RawMode) {
        FileType::RegularFile => FileKind::File,
        FileType::Directory => FileKind::Folder,
        FileType::Symlink => FileKind::Link,
        _ => FileKind::Other,
    }
}

#[expect(clippy::unnecessary_cast, reason = "the types of the fields differ between systems")]
pub(super) fn to_stat(found: &fs::Stat) -> Stat {
    Stat {
        inode: found.st_ino as u64,
        size: u64::try_from(found.st_size).unwrap_or(0),
        modified_ns: to_nanoseconds(found.st_mtime as i64, found.st_mtime_nsec as i64),
        changed_ns: to_nanoseconds(found.st_ctime as i64, found.st_ctime_nsec as i64),
    }
}

/// A file may have any time; those out of range are clamped.
fn to_nanoseconds(seconds: i64, rest: i64) -> i64 {
    seconds.saturating_mul(1_000_000_000).saturating_add(rest)
}
