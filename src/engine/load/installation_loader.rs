//! Loading of users, roles and tokens alone, for commands that run beside a server, and what holds
//! while their folders cannot be listed.

use std::io;

use crate::engine::installation::Completeness;
use crate::engine::installation::Installation;
use crate::engine::installation::SystemFile;
use crate::engine::parse::file_parser::ReadFile;
use crate::engine::parse::system_files::broken_system_file;
use crate::engine::parse::system_files::is_system;
use crate::engine::parse::system_files::missing_system_file;
use crate::engine::parse::system_files::parse_system_file;
use crate::model::people::role;
use crate::model::problem::Problem;
use crate::store::disk::Disk;
use crate::store::disk::FileKind;
use crate::store::disk::ReadError;
use crate::store::error::StoreError;
use crate::store::layout::Folder;
use crate::store::layout::Key;
use crate::store::read::load;
use crate::store::read::load::FileRef;
use crate::store::read::load::FolderScan;

/// Loads the users, roles and tokens as a server sees them, with the problems of their files.
pub fn load_people(disk: &dyn Disk) -> Result<(Installation, Vec<Problem>), StoreError> {
    let mut scan = load::scan_folders(disk, &[Folder::Users, Folder::Roles, Folder::Tokens])?;
    let mut problems = std::mem::take(&mut scan.problems);
    let mut installation = Installation::default();
    installation.apply_files(find_unlisted(disk, &scan));
    let read = scan.into_files().filter(|it| is_system(&it.key)).filter_map(|file| {
        let mut bytes = Vec::new();
        let ReadFile { value, problems: found } = match disk.read(&file.path(), &mut bytes) {
            Ok(_) => parse_system_file(&file.key, &file.path(), &bytes),
            // It was removed meanwhile.
            Err(ReadError::Missing) => return None,
            Err(error) => unreadable(&file, &error),
        };
        problems.extend(found);
        value
    });
    let files: Vec<_> = read.collect();
    installation.apply_files(files);
    Ok((installation, problems))
}

/// Returns what holds after a scan that has not listed a folder of people although something is in
/// its place: a folder that cannot be read, a link, or no folder at all.
pub(crate) fn find_unlisted(disk: &dyn Disk, scan: &FolderScan) -> Vec<SystemFile> {
    let is_unlisted = |folder: Folder| {
        let is_listed = scan.folders.iter().any(|it| it.here.folder == folder);
        !is_listed && !disk.stat(&folder.path()).is_err_and(|error| is_gone(&error))
    };
    let mut unlisted = Vec::new();
    if is_unlisted(Folder::Users) {
        unlisted.push(SystemFile::Users(Completeness::No));
    }
    if is_unlisted(Folder::Roles) {
        unlisted.push(SystemFile::Roles(Completeness::No));
        unlisted.extend(built_in_keys().filter_map(|it| broken_system_file(&it)));
    }
    unlisted
}

/// Returns what holds of people once a folder of theirs can be listed. Files that were not read
/// since count as unreadable until they are.
pub(crate) fn relist_people(disk: &dyn Disk, known: &Installation) -> Vec<SystemFile> {
    let mut found = Vec::new();
    if !known.knows_all_users()
        && let Some(there) = list_people(disk, &Folder::Users)
    {
        let unread = there.iter().filter(|it| !known.has_record(it));
        found.extend(unread.filter_map(broken_system_file));
        found.push(SystemFile::Users(Completeness::Yes));
    }
    if !known.knows_all_roles()
        && let Some(there) = list_people(disk, &Folder::Roles)
    {
        let unread = there.iter().filter(|it| !known.has_record(it));
        found.extend(unread.filter_map(broken_system_file));
        let is_original = |key: &Key| !there.contains(key) && !known.has_record(key);
        let original = built_in_keys().filter(is_original);
        found.extend(original.filter_map(|it| missing_system_file(&it)));
        found.push(SystemFile::Roles(Completeness::Yes));
    }
    found
}

/// Returns the keys of the files in a folder of people, if it can be known which there are.
fn list_people(disk: &dyn Disk, folder: &Folder) -> Option<Vec<Key>> {
    match disk.stat(&folder.path()) {
        Ok(found) if found.kind == FileKind::Folder => {
            let files = load::list_files(disk, folder).ok()?;
            Some(files.into_iter().map(|it| it.key).collect())
        }
        Err(error) if is_gone(&error) => Some(Vec::new()),
        _ => None,
    }
}

/// Returns true if nothing is there, not even a link.
fn is_gone(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::NotFound
}

fn built_in_keys() -> impl Iterator<Item = Key> {
    role::built_in_roles().iter().map(|it| Key::Role(it.id.clone()))
}

fn unreadable(file: &FileRef, error: &ReadError) -> ReadFile<SystemFile> {
    ReadFile {
        value: broken_system_file(&file.key),
        problems: vec![error.to_problem(&file.path())],
    }
}
