//! Entries that a crash left both where they were and in the trash. A deletion is one rename from a
//! folder to another, and file systems such as btrfs may remember the new name and not that the old
//! one is gone. Such a deletion was never acknowledged, so it did not happen: the entry stays.

use crate::store::disk::{Disk, Kind, ReadError, Stat};
use crate::store::error::StoreError;
use crate::store::layout::{Folder, Key};
use crate::store::load::{self, is_absence};
use crate::store::orphans::folders_in;

/// Removes from the trash, durably, what is still in its old place with the same bytes; the paths of
/// what was removed. For whoever may write into the folder.
pub fn undo(disk: &dyn Disk) -> Result<Vec<String>, StoreError> {
    let mut undone = Vec::new();
    for trash in trashes(disk)? {
        let n_before = undone.len();
        for file in load::files_in(disk, &trash)? {
            let Key::Trash(ws, of, copy) = &file.key else { continue };
            // A number says that the id is used again: what is there now is another entry.
            if copy.number > 0 {
                continue;
            }
            let entry = Key::Entry(ws.clone(), of.clone(), copy.id.clone()).path();
            let trashed = file.path();
            if is_twice(disk, &entry, &trashed, &file.stat)? {
                disk.remove(&trashed).map_err(StoreError::io("remove", &trashed))?;
                undone.push(trashed);
            }
        }
        if undone.len() > n_before {
            let path = trash.path();
            disk.sync_folder(&path).map_err(StoreError::io("sync", path))?;
        }
    }
    Ok(undone)
}

/// The trash of every type in every workspace.
fn trashes(disk: &dyn Disk) -> Result<Vec<Folder>, StoreError> {
    let mut trashes = Vec::new();
    for workspace in folders_in(disk, &Folder::Workspaces)? {
        let Folder::Workspace(ws) = workspace else { continue };
        trashes.extend(folders_in(disk, &Folder::TrashOfAll(ws))?);
    }
    Ok(trashes)
}

/// Whether the entry is there with the bytes of the file in the trash.
fn is_twice(
    disk: &dyn Disk,
    entry: &str,
    trashed: &str,
    in_trash: &Stat,
) -> Result<bool, StoreError> {
    let found = match disk.stat(entry) {
        Ok(found) => found,
        Err(error) if is_absence(&error) => return Ok(false),
        Err(error) => return Err(StoreError::io("look at", entry)(error)),
    };
    if found.kind != Kind::File || found.stat.size != in_trash.size {
        return Ok(false);
    }
    let (one, other) = (bytes_of(disk, entry)?, bytes_of(disk, trashed)?);
    Ok(one.is_some() && one == other)
}

/// Nothing where there is no file that can be an entry.
fn bytes_of(disk: &dyn Disk, path: &str) -> Result<Option<Vec<u8>>, StoreError> {
    let mut bytes = Vec::new();
    match disk.read(path, &mut bytes) {
        Ok(_) => Ok(Some(bytes)),
        Err(ReadError::Unreadable(error)) => Err(StoreError::io("read", path)(error)),
        Err(_) => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::disk::memory::MemDisk;

    #[test]
    fn only_what_is_still_in_its_place_leaves_the_trash() {
        let at = |path: &str| format!("workspaces/main/{path}");
        let disk = MemDisk::with([
            (at("content/posts/a.json"), "A"),
            (at("trash/posts/a.json"), "A"),
            (at("content/posts/b.json"), "B, made anew"),
            (at("trash/posts/b.json"), "B"),
            (at("trash/posts/c.json"), "C"),
            (at("content/posts/d.json"), "D"),
            (at("trash/posts/d~1.json"), "D"),
            (at("trash/posts/README.md"), "note"),
        ]);
        assert_eq!(undo(&disk).unwrap(), [at("trash/posts/a.json")]);
        let left: Vec<String> = disk.tree().files.into_keys().collect();
        let expect = ["a.json", "b.json", "d.json"].map(|it| at(&format!("content/posts/{it}")));
        assert_eq!(left.get(..3).unwrap(), expect);
        let expect = ["README.md", "b.json", "c.json", "d~1.json"];
        assert_eq!(left.get(3..).unwrap(), expect.map(|it| at(&format!("trash/posts/{it}"))));
        assert_eq!(undo(&disk).unwrap(), Vec::<String>::new());
    }
}
