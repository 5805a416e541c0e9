//! Revisions of entries that are neither there nor in the trash. An entry that was deleted by hand
//! leaves them behind, and so does another branch of a repository: they are history that may be wanted
//! once more, and go only when somebody asks for it.

use crate::store::commit;
use crate::store::disk::{Disk, Kind};
use crate::store::error::StoreError;
use crate::store::layout::{Copy, Folder, Key};
use crate::store::load::{self, is_absence};

/// The folders with such revisions.
pub fn find(disk: &dyn Disk) -> Result<Vec<Folder>, StoreError> {
    let mut orphans = Vec::new();
    for workspace in folders_in(disk, &Folder::Workspaces)? {
        let Folder::Workspace(ws) = workspace else { continue };
        for of_type in folders_in(disk, &Folder::RevisionsOfAll(ws))? {
            for folder in folders_in(disk, &of_type)? {
                if is_orphan(disk, &folder)? {
                    orphans.push(folder);
                }
            }
        }
    }
    Ok(orphans)
}

/// Removes them for good, durably, unless there is an entry by now. Whether they are gone. For whoever
/// may write into the folder.
pub fn remove(disk: &dyn Disk, folder: &Folder) -> Result<bool, StoreError> {
    let is_orphan = is_orphan(disk, folder)?;
    if is_orphan {
        commit::remove_folder(disk, &folder.path())?;
    }
    Ok(is_orphan)
}

fn is_orphan(disk: &dyn Disk, folder: &Folder) -> Result<bool, StoreError> {
    let Folder::Revisions(ws, of, copy) = folder else { return Ok(false) };
    if load::files_in(disk, folder)?.is_empty() {
        return Ok(false);
    }
    let trashed = Key::Trash(ws.clone(), of.clone(), copy.clone());
    let entry = Key::Entry(ws.clone(), of.clone(), copy.id.clone());
    let is_of_entry = *copy == Copy::first(copy.id.clone());
    let has_entry = is_of_entry && is_there(disk, &entry)?;
    Ok(!has_entry && !is_there(disk, &trashed)?)
}

/// Whatever stands there: it may be the entry once somebody has put it right.
fn is_there(disk: &dyn Disk, key: &Key) -> Result<bool, StoreError> {
    let path = key.path();
    match disk.stat(&path) {
        Ok(_) => Ok(true),
        Err(error) if is_absence(&error) => Ok(false),
        Err(error) => Err(StoreError::io("look at", path)(error)),
    }
}

/// The folders of ours in one; none when it is not there.
pub(super) fn folders_in(disk: &dyn Disk, folder: &Folder) -> Result<Vec<Folder>, StoreError> {
    let path = folder.path();
    let listing = match disk.list(&path) {
        Ok(listing) => listing,
        Err(error) if is_absence(&error) => return Ok(Vec::new()),
        Err(error) => return Err(StoreError::io("list", path)(error)),
    };
    let folders = listing.items.iter().filter(|it| it.kind == Kind::Folder);
    Ok(folders.filter_map(|it| folder.folder(&it.name).ours()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::disk::memory::MemDisk;

    #[test]
    fn revisions_without_an_entry_are_found_and_others_stay() {
        let at = |path: &str| format!("workspaces/main/{path}");
        let disk = MemDisk::with([
            (at("content/posts/a.json"), "A"),
            (at("revisions/posts/a/1.json"), "A"),
            (at("revisions/posts/a~1/1.json"), "A, before"),
            (at("trash/posts/b.json"), "B"),
            (at("revisions/posts/b/1.json"), "B"),
            (at("trash/posts/c~2.json"), "C"),
            (at("revisions/posts/c~2/1.json"), "C"),
            (at("revisions/posts/gone/1.json"), "gone"),
            (at("revisions/posts/gone/note.txt"), "note"),
            (at("revisions/pages/gone/1.json"), "gone"),
        ]);
        let paths = |disk: &MemDisk| -> Vec<String> {
            find(disk).unwrap().iter().map(Folder::path).collect()
        };
        let expect = ["revisions/pages/gone", "revisions/posts/a~1", "revisions/posts/gone"];
        assert_eq!(paths(&disk), expect.map(at));
        for folder in find(&disk).unwrap() {
            assert!(remove(&disk, &folder).unwrap());
        }
        // What is not ours stays, and so the folder does.
        assert_eq!(paths(&disk), Vec::<String>::new());
        let of_a = Folder::parse(&at("revisions/posts/a")).unwrap();
        assert!(!remove(&disk, &of_a).unwrap());
        let left: Vec<String> = disk.tree().files.into_keys().collect();
        let left: Vec<&String> = left.iter().filter(|it| it.contains("/revisions/")).collect();
        let expect = ["a/1.json", "b/1.json", "c~2/1.json", "gone/note.txt"];
        assert_eq!(
            left,
            expect.map(|it| at(&format!("revisions/posts/{it}"))).iter().collect::<Vec<_>>()
        );
    }
}
