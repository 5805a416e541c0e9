//! A new data folder: with the sample content, or empty.

use std::io;
use std::path::Path;

use crate::app::system::samples::FILES;
use crate::cli::error::CommandError;
use crate::store::disk;
use crate::store::disk::Disk;
use crate::store::disk::OsDisk;
use crate::store::error::StoreError;

/// The file that keeps secrets out of git.
const GITIGNORE: &str = ".gitignore";

/// The files that a folder without sample content has too.
const OF_EMPTY_FOLDERS: &[&str] = &[GITIGNORE, ".gitattributes"];
const WORKSPACE: &[u8] = b"{\n  \"format\": 1,\n  \"label\": \"Default\"\n}\n";
const WORKSPACE_PATH: &str = "workspaces/default/workspace.json";
const FOLDERS: &[&str] =
    &["workspaces/default/schemas", "workspaces/default/content", "workspaces/default/media"];

/// Writes all of the sample content.
pub(super) fn write_samples(root: &Path) -> Result<(), CommandError> {
    let disk = open_disk(root)?;
    FILES.iter().try_for_each(|(path, bytes)| create_file(&disk, path, bytes))
}

/// Writes a data folder with an empty workspace.
pub(super) fn write_empty(root: &Path) -> Result<(), CommandError> {
    let disk = open_disk(root)?;
    write_files_for_git(&disk)?;
    FOLDERS.iter().try_for_each(|folder| disk::make_folders(&disk, folder))?;
    create_file(&disk, WORKSPACE_PATH, WORKSPACE)
}

/// Writes the files for git unless the folder has one that keeps secrets out. Returns true if it
/// had none.
pub(super) fn complete_for_git(root: &Path) -> Result<bool, CommandError> {
    let is_missing = root.join(GITIGNORE).symlink_metadata().is_err();
    if is_missing {
        write_files_for_git(&open_disk(root)?)?;
    }
    Ok(is_missing)
}

fn write_files_for_git(disk: &dyn Disk) -> Result<(), CommandError> {
    let mut files = FILES.iter().filter(|(path, _)| OF_EMPTY_FOLDERS.contains(path));
    files.try_for_each(|(path, bytes)| create_file(disk, path, bytes))
}

fn open_disk(root: &Path) -> Result<OsDisk, CommandError> {
    let path = root.display().to_string();
    std::fs::create_dir_all(root).map_err(StoreError::io("make", path.clone()))?;
    Ok(OsDisk::open(root).map_err(StoreError::io("open", path))?)
}

/// Creates a file, and keeps an existing one: someone put it there, perhaps a server that started
/// at the same moment.
fn create_file(disk: &dyn Disk, path: &str, bytes: &[u8]) -> Result<(), CommandError> {
    match disk::create_file(disk, path, bytes) {
        Err(error) if error.io_kind() == Some(io::ErrorKind::AlreadyExists) => Ok(()),
        placed => Ok(placed.map(|_| ())?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_files_are_among_them_and_traces_of_a_server_are_not() {
        let has = |wanted: &str| FILES.iter().any(|(path, _)| *path == wanted);
        assert!(
            OF_EMPTY_FOLDERS.iter().all(|it| has(it))
                && has(".vscode/settings.json")
                && has(WORKSPACE_PATH)
        );
        assert!(!FILES.iter().any(|(path, _)| path.starts_with(".recto")));
    }
}
