//! Orphaned revisions, whose entries neither exist nor are in the trash, or whose media files do
//! not exist. They are left by a deletion by hand or by a switch to another branch of a repository.
//! Since the history may be wanted again, they are only removed on request.

use crate::store::disk::{Disk, FileKind};
use crate::store::error::StoreError;
use crate::store::layout::{EntryCopy, Folder, Key};
use crate::store::read::load::{self, is_absence};
use crate::store::write::commit;

/// Returns the folders with orphaned revisions.
pub fn find_orphans(disk: &dyn Disk) -> Result<Vec<Folder>, StoreError> {
    let mut orphans = Vec::new();
    for workspace in list_folders(disk, &Folder::Workspaces)? {
        let Folder::Workspace(ws) = workspace else { continue };
        let mut histories = list_folders(disk, &Folder::MediaRevisionsOfAll(ws.clone()))?;
        for of_type in list_folders(disk, &Folder::RevisionsOfAll(ws))? {
            histories.extend(list_folders(disk, &of_type)?);
        }
        for folder in histories {
            if is_orphan(disk, &folder)? {
                orphans.push(folder);
            }
        }
    }
    Ok(orphans)
}

/// Removes orphaned revisions durably. Returns false if they are no longer orphaned, because the
/// entry or the file exists again. The caller must be allowed to write to the folder.
pub fn remove_orphans(disk: &dyn Disk, folder: &Folder) -> Result<bool, StoreError> {
    let is_orphan = is_orphan(disk, folder)?;
    if is_orphan {
        commit::remove_folder(disk, &folder.path())?;
    }
    Ok(is_orphan)
}

fn is_orphan(disk: &dyn Disk, folder: &Folder) -> Result<bool, StoreError> {
    if load::list_files(disk, folder)?.is_empty() {
        return Ok(false);
    }
    let (ws, of, copy) = match folder {
        Folder::Revisions(ws, of, copy) => (ws, of, copy),
        Folder::MediaRevisions(ws, of) => {
            return Ok(!is_there(disk, &Key::Media(ws.clone(), of.clone()))?);
        }
        _ => return Ok(false),
    };
    let trashed = Key::Trash(ws.clone(), of.clone(), copy.clone());
    let entry = Key::Entry(ws.clone(), of.clone(), copy.id.clone());
    let is_of_entry = *copy == EntryCopy::first(copy.id.clone());
    let has_entry = is_of_entry && is_there(disk, &entry)?;
    Ok(!has_entry && !is_there(disk, &trashed)?)
}

/// Returns true if anything exists at the path: it may be the entry after a repair.
fn is_there(disk: &dyn Disk, key: &Key) -> Result<bool, StoreError> {
    let path = key.path();
    match disk.stat(&path) {
        Ok(_) => Ok(true),
        Err(error) if is_absence(&error) => Ok(false),
        Err(error) => Err(StoreError::io("look at", path)(error)),
    }
}

/// Returns the folders of Recto in a folder; an empty list if it does not exist.
pub(super) fn list_folders(disk: &dyn Disk, folder: &Folder) -> Result<Vec<Folder>, StoreError> {
    let path = folder.path();
    let listing = match disk.list(&path) {
        Ok(listing) => listing,
        Err(error) if is_absence(&error) => return Ok(Vec::new()),
        Err(error) => return Err(StoreError::io("list", path)(error)),
    };
    let folders = listing.items.iter().filter(|it| it.kind == FileKind::Folder);
    Ok(folders.filter_map(|it| folder.classify_folder(&it.name).into_ours()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::disk::memory::MemDisk;

    #[test]
    fn revisions_without_an_entry_are_found_and_others_stay() {
        let at = |path: &str| format!("workspaces/main/{path}");
        let disk = MemDisk::with_files([
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
            (at("media/a.png"), "A"),
            (at("media-revisions/a.png/1.png"), "A, before"),
            (at("media-revisions/b.png/1.png"), "B, before"),
        ]);
        let paths = |disk: &MemDisk| -> Vec<String> {
            find_orphans(disk).unwrap().iter().map(Folder::path).collect()
        };
        let expect = [
            "media-revisions/b.png",
            "revisions/pages/gone",
            "revisions/posts/a~1",
            "revisions/posts/gone",
        ];
        assert_eq!(paths(&disk), expect.map(at));
        for folder in find_orphans(&disk).unwrap() {
            assert!(remove_orphans(&disk, &folder).unwrap());
        }
        // Other files stay, and so does their folder.
        assert_eq!(paths(&disk), Vec::<String>::new());
        let of_a = Folder::parse(&at("revisions/posts/a")).unwrap();
        assert!(!remove_orphans(&disk, &of_a).unwrap());
        let mut left: Vec<String> = disk.read_tree().files.into_keys().collect();
        let of_media = |it: &String| it.contains("/media-revisions/");
        let kept: Vec<String> = left.extract_if(.., |it| of_media(it)).collect();
        assert_eq!(kept, [at("media-revisions/a.png/1.png")]);
        let left: Vec<&String> = left.iter().filter(|it| it.contains("/revisions/")).collect();
        let expect = ["a/1.json", "b/1.json", "c~2/1.json", "gone/note.txt"];
        assert_eq!(
            left,
            expect.map(|it| at(&format!("revisions/posts/{it}"))).iter().collect::<Vec<_>>()
        );
    }
}
