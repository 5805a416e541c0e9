//! Bodies of deleted files, kept for a week: `rm` in the wrong folder is not the end. One folder a
//! day, with the paths of the data folder below it.

use crate::stdx::time::Timestamp;
use crate::store::disk::{self, Disk, Kind, ReadError};
use crate::store::error::StoreError;
use crate::store::layout;

/// How long a body is kept.
const KEPT_SECONDS: i64 = 7 * 24 * 60 * 60;

/// How many broken versions of one file are kept a day.
const BROKEN_MAX: u32 = 100;

/// Keeps the last good body of a file that was deleted by hand.
pub fn keep(disk: &dyn Disk, path: &str, bytes: &[u8], now: Timestamp) -> Result<(), StoreError> {
    disk::replace(disk, &layout::lastgood(&now.date(), path), bytes).map(|_| ())
}

/// Keeps a file that is about to be replaced as it is, whether or not it can be read. Gives the path
/// under which it is kept.
pub fn keep_broken(disk: &dyn Disk, path: &str, now: Timestamp) -> Result<String, StoreError> {
    let place = |number: u32| layout::lastgood(&now.date(), &format!("{path}.broken-{number}"));
    let kept = (1..=BROKEN_MAX).map(place).find(|it| disk.stat(it).is_err());
    let kept = kept.unwrap_or_else(|| place(BROKEN_MAX));
    disk::make_folders(disk, disk::parent(&kept))?;
    if disk.link(path, &kept).is_ok() {
        return Ok(kept);
    }
    let mut bytes = Vec::new();
    match disk.read(path, &mut bytes) {
        Ok(_) => disk::replace(disk, &kept, &bytes).map(|_| kept),
        Err(ReadError::Unreadable(error)) => Err(StoreError::io("read", path)(error)),
        Err(_) => Err(StoreError::io("read", path)(std::io::ErrorKind::InvalidData.into())),
    }
}

/// Where the last good body of a file is that was deleted by hand, if one is kept: the newest.
pub fn find(disk: &dyn Disk, path: &str) -> Option<String> {
    let days = disk.list(layout::LASTGOOD).ok()?.items;
    let kept = days.iter().rev().map(|day| layout::lastgood(&day.name, path));
    let mut kept = kept.filter(|it| disk.stat(it).is_ok_and(|found| found.kind == Kind::File));
    kept.next()
}

/// Removes what has been kept long enough.
pub fn prune(disk: &dyn Disk, now: Timestamp) -> Result<(), StoreError> {
    let oldest = Timestamp::from_seconds(now.seconds().saturating_sub(KEPT_SECONDS)).date();
    let Ok(days) = disk.list(layout::LASTGOOD) else { return Ok(()) };
    // Days are written so that their order is that of their names.
    for day in days.items.iter().filter(|day| *day.name < *oldest && day.kind == Kind::Folder) {
        remove_all(disk, &format!("{}/{}", layout::LASTGOOD, day.name))?;
    }
    Ok(())
}

fn remove_all(disk: &dyn Disk, folder: &str) -> Result<(), StoreError> {
    let listing = disk.list(folder).map_err(StoreError::io("list", folder))?;
    for item in listing.items {
        let path = format!("{folder}/{}", item.name);
        match item.kind {
            Kind::Folder => remove_all(disk, &path)?,
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
    fn bodies_are_kept_for_a_week() {
        let data = tempfile::tempdir().unwrap();
        let disk = OsDisk::open(data.path()).unwrap();
        let at = |text: &str| Timestamp::parse(text).unwrap();
        let path = "workspaces/main/content/posts/a.json";
        prune(&disk, at("2026-05-03")).unwrap();
        keep(&disk, path, b"{}", at("2026-05-03T23:59:59Z")).unwrap();
        let kept = data.path().join(".recto/lastgood/2026-05-03").join(path);
        prune(&disk, at("2026-05-10T23:00:00Z")).unwrap();
        assert_eq!(std::fs::read(&kept).unwrap(), b"{}");
        assert_eq!(find(&disk, path), Some(format!(".recto/lastgood/2026-05-03/{path}")));
        assert_eq!(find(&disk, "workspaces/main/content/posts/b.json"), None);
        prune(&disk, at("2026-05-11T00:00:00Z")).unwrap();
        assert!(!data.path().join(".recto/lastgood/2026-05-03").exists());
    }
}
