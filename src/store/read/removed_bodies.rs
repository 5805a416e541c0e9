//! The bodies of deleted files, kept for a week, so that an accidental `rm` can be undone. There is
//! one folder per day, with the paths of the data folder below it.

use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

use crate::stdx::time::Timestamp;
use crate::store::disk::{self, Disk, FileKind, ReadError};
use crate::store::error::StoreError;
use crate::store::layout;

/// The time that a body is kept.
const KEPT_SECONDS: i64 = 7 * 24 * 60 * 60;

/// The maximum number of broken versions of a file that are kept per day.
const BROKEN_MAX: u32 = 100;

/// Knowledge about the bodies, so that nobody looks for one where there is none.
#[derive(Debug)]
pub struct RemovedBodies {
    may_exist: AtomicBool,
}

impl Default for RemovedBodies {
    fn default() -> RemovedBodies {
        RemovedBodies { may_exist: AtomicBool::new(true) }
    }
}

impl RemovedBodies {
    /// Records that there may be one more. To be called after it is stored.
    pub fn record_body(&self) {
        self.may_exist.store(true, SeqCst);
    }

    /// Returns true if there is any body. Once there is none, only a recorded one counts.
    pub fn has_any(&self, disk: &dyn Disk) -> bool {
        if !self.may_exist.load(SeqCst) {
            return false;
        }
        if has_bodies(disk) {
            return true;
        }
        self.may_exist.store(false, SeqCst);
        // The first one may have been stored and recorded just now.
        self.may_exist.fetch_or(has_bodies(disk), SeqCst);
        self.may_exist.load(SeqCst)
    }
}

fn has_bodies(disk: &dyn Disk) -> bool {
    match disk.list(layout::REMOVED_BODIES) {
        Ok(days) => !days.items.is_empty(),
        Err(error) => !disk::is_absence(&error),
    }
}

/// Stores the last good body of a file that was deleted by hand.
pub fn keep_body(
    disk: &dyn Disk,
    path: &str,
    bytes: &[u8],
    now: Timestamp,
) -> Result<(), StoreError> {
    disk::replace_file(disk, &layout::removed_body_path(&now.date(), path), bytes).map(|_| ())
}

/// Stores a file that is about to be replaced, readable or not, and returns the path of the copy.
pub fn keep_broken(disk: &dyn Disk, path: &str, now: Timestamp) -> Result<String, StoreError> {
    let place =
        |number: u32| layout::removed_body_path(&now.date(), &format!("{path}.broken-{number}"));
    let kept = (1..=BROKEN_MAX).map(place).find(|it| disk.stat(it).is_err());
    let kept = kept.unwrap_or_else(|| place(BROKEN_MAX));
    disk::make_folders(disk, disk::parent_folder(&kept))?;
    if disk.link(path, &kept).is_ok() {
        return Ok(kept);
    }
    let mut bytes = Vec::new();
    match disk.read(path, &mut bytes) {
        Ok(_) => disk::replace_file(disk, &kept, &bytes).map(|_| kept),
        Err(ReadError::Unreadable(error)) => Err(StoreError::io("read", path)(error)),
        Err(_) => Err(StoreError::io("read", path)(std::io::ErrorKind::InvalidData.into())),
    }
}

/// Returns the path of the newest stored body of a deleted file, if there is one.
pub fn find_newest(disk: &dyn Disk, path: &str) -> Option<String> {
    let days = disk.list(layout::REMOVED_BODIES).ok()?.items;
    let kept = days.iter().rev().map(|day| layout::removed_body_path(&day.name, path));
    let mut kept = kept.filter(|it| disk.stat(it).is_ok_and(|found| found.kind == FileKind::File));
    kept.next()
}

/// Removes the bodies whose time is over.
pub fn prune_expired(disk: &dyn Disk, now: Timestamp) -> Result<(), StoreError> {
    let oldest = Timestamp::from_seconds(now.seconds().saturating_sub(KEPT_SECONDS)).date();
    let Ok(days) = disk.list(layout::REMOVED_BODIES) else { return Ok(()) };
    // The names of days sort in the order of time.
    for day in days.items.iter().filter(|day| *day.name < *oldest && day.kind == FileKind::Folder) {
        remove_folder_tree(disk, &format!("{}/{}", layout::REMOVED_BODIES, day.name))?;
    }
    Ok(())
}

fn remove_folder_tree(disk: &dyn Disk, folder: &str) -> Result<(), StoreError> {
    let listing = disk.list(folder).map_err(StoreError::io("list", folder))?;
    for item in listing.items {
        let path = format!("{folder}/{}", item.name);
        match item.kind {
            FileKind::Folder => remove_folder_tree(disk, &path)?,
            _ => disk.remove(&path).map_err(StoreError::io("remove", path))?,
        }
    }
    disk.remove_folder(folder).map_err(StoreError::io("remove", folder))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::disk::OsDisk;

    #[test]
    fn nobody_looks_where_there_are_none() {
        let data = tempfile::tempdir().unwrap();
        let disk = OsDisk::open(data.path()).unwrap();
        let keep = || {
            let at = Timestamp::parse("2026-05-03T23:59:59Z").unwrap();
            keep_body(&disk, "workspaces/main/content/posts/a.json", b"{}", at).unwrap();
        };
        let known = RemovedBodies::default();
        assert!(!known.has_any(&disk));
        keep();
        assert!(!known.has_any(&disk), "it is not looked for again");
        known.record_body();
        assert!(known.has_any(&disk) && known.has_any(&disk));
        assert!(RemovedBodies::default().has_any(&disk), "of an earlier server");
    }

    #[test]
    fn bodies_are_kept_for_a_week() {
        let data = tempfile::tempdir().unwrap();
        let disk = OsDisk::open(data.path()).unwrap();
        let at = |text: &str| Timestamp::parse(text).unwrap();
        let path = "workspaces/main/content/posts/a.json";
        prune_expired(&disk, at("2026-05-03")).unwrap();
        keep_body(&disk, path, b"{}", at("2026-05-03T23:59:59Z")).unwrap();
        let kept = data.path().join(".recto/lastgood/2026-05-03").join(path);
        prune_expired(&disk, at("2026-05-10T23:00:00Z")).unwrap();
        assert_eq!(std::fs::read(&kept).unwrap(), b"{}");
        assert_eq!(find_newest(&disk, path), Some(format!(".recto/lastgood/2026-05-03/{path}")));
        assert_eq!(find_newest(&disk, "workspaces/main/content/posts/b.json"), None);
        prune_expired(&disk, at("2026-05-11T00:00:00Z")).unwrap();
        assert!(!data.path().join(".recto/lastgood/2026-05-03").exists());
    }
}
