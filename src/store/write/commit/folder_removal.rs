//! The removal of folders with the files of Recto in them.

use std::io;

use crate::store::disk::{Disk, FileEffect, FileKind, parent_folder, share_first};
use crate::store::error::StoreError;
use crate::store::layout::Folder;

/// Removes a folder like [`remove_folder`], as a change of its own.
pub(super) fn share_and_remove(disk: &dyn Disk, folder: &str) -> Result<(), StoreError> {
    let effect = FileEffect::RemoveFolder { folder: folder.to_string() };
    share_first(disk, &[effect], || remove_folder(disk, folder))
}

/// Removes the files of Recto in a folder and below it, then the empty folders, durably.
pub(in crate::store) fn remove_folder(disk: &dyn Disk, folder: &str) -> Result<(), StoreError> {
    if !remove_tree(disk, folder)? {
        return Ok(());
    }
    match disk.sync_folder(parent_folder(folder)) {
        // Neither the folder nor its parent ever existed.
        Err(error) if crate::store::read::load::is_absence(&error) => Ok(()),
        synced => synced.map_err(StoreError::io("sync", parent_folder(folder))),
    }
}

/// Returns true if the folder itself was removed. If it stays because it contains files of others,
/// the removals in it are synced.
fn remove_tree(disk: &dyn Disk, folder: &str) -> Result<bool, StoreError> {
    let listing = match disk.list(folder) {
        Ok(listing) => listing,
        Err(error) if crate::store::read::load::is_absence(&error) => return Ok(true),
        Err(error) => return Err(StoreError::io("list", folder)(error)),
    };
    let place = Folder::parse(folder);
    let is_ours =
        |name: &str| place.as_ref().is_some_and(|it| it.classify_file(name).into_ours().is_some());
    for item in listing.items {
        let path = format!("{folder}/{}", item.name);
        match item.kind {
            FileKind::Folder => _ = remove_tree(disk, &path)?,
            FileKind::File if is_ours(&item.name) => match disk.remove(&path) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                removed => removed.map_err(StoreError::io("remove", path))?,
            },
            FileKind::File | FileKind::Link | FileKind::Other => {}
        }
    }
    match disk.remove_folder(folder) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => {
            disk.sync_folder(folder).map_err(StoreError::io("sync", folder))?;
            Ok(false)
        }
        Err(error) => Err(StoreError::io("remove", folder)(error)),
    }
}
