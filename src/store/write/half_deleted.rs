//! Repair of incomplete deletions. A deletion is a rename into the trash, and after a crash file
//! systems such as btrfs may have the new name and still the old one. Such a deletion was never
//! acknowledged, so the entry stays and the copy in the trash is removed.

use crate::store::disk::{Disk, FileKind, ReadError, Stat};
use crate::store::error::StoreError;
use crate::store::layout::{Folder, Key};
use crate::store::read::load::{self, is_absence};
use crate::store::write::orphaned_revisions::list_folders;

/// Removes, durably, files from the trash whose entry still exists with the same bytes, and returns
/// their paths. The caller must be allowed to write to the folder.
pub fn undo_half_deletions(disk: &dyn Disk) -> Result<Vec<String>, StoreError> {
    let mut undone = Vec::new();
    for trash in list_trashes(disk)? {
        let n_before = undone.len();
        for file in load::list_files(disk, &trash)? {
            let Key::Trash(ws, of, copy) = &file.key else { continue };
            // A number means that the id was reused, so the existing file is another entry.
            if copy.number > 0 {
                continue;
            }
            let entry = Key::Entry(ws.clone(), of.clone(), copy.id.clone()).path();
            let trashed = file.path();
            if is_in_both(disk, &entry, &trashed, &file.stat)? {
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

/// Returns the trash folders of all types in all workspaces.
fn list_trashes(disk: &dyn Disk) -> Result<Vec<Folder>, StoreError> {
    let mut trashes = Vec::new();
    for workspace in list_folders(disk, &Folder::Workspaces)? {
        let Folder::Workspace(ws) = workspace else { continue };
        trashes.extend(list_folders(disk, &Folder::TrashOfAll(ws))?);
    }
    Ok(trashes)
}

/// Returns true if the entry exists with the bytes of the file in the trash.
fn is_in_both(
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
    if found.kind != FileKind::File || found.stat.size != in_trash.size {
        return Ok(false);
    }
    let (one, other) = (read_entry_bytes(disk, entry)?, read_entry_bytes(disk, trashed)?);
    Ok(one.is_some() && one == other)
}

/// Reads an entry; returns `None` if there is no file that can be one.
fn read_entry_bytes(disk: &dyn Disk, path: &str) -> Result<Option<Vec<u8>>, StoreError> {
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
        let disk = MemDisk::with_files([
            (at("content/posts/a.json"), "A"),
            (at("trash/posts/a.json"), "A"),
            (at("content/posts/b.json"), "B, made anew"),
            (at("trash/posts/b.json"), "B"),
            (at("trash/posts/c.json"), "C"),
            (at("content/posts/d.json"), "D"),
            (at("trash/posts/d~1.json"), "D"),
            (at("trash/posts/README.md"), "note"),
        ]);
        assert_eq!(undo_half_deletions(&disk).unwrap(), [at("trash/posts/a.json")]);
        let left: Vec<String> = disk.read_tree().files.into_keys().collect();
        let expect = ["a.json", "b.json", "d.json"].map(|it| at(&format!("content/posts/{it}")));
        assert_eq!(left.get(..3).unwrap(), expect);
        let expect = ["README.md", "b.json", "c.json", "d~1.json"];
        assert_eq!(left.get(3..).unwrap(), expect.map(|it| at(&format!("trash/posts/{it}"))));
        assert_eq!(undo_half_deletions(&disk).unwrap(), Vec::<String>::new());
    }
}
