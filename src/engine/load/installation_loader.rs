//! Loading of users, roles and tokens alone, for commands that run beside a server.

use crate::engine::installation::Installation;
use crate::engine::installation::SystemFile;
use crate::engine::parse::file_parser::ReadFile;
use crate::engine::parse::system_files::broken_system_file;
use crate::engine::parse::system_files::is_system;
use crate::engine::parse::system_files::parse_system_file;
use crate::model::problem::Problem;
use crate::store::disk::Disk;
use crate::store::disk::ReadError;
use crate::store::error::StoreError;
use crate::store::layout::Folder;
use crate::store::read::load;
use crate::store::read::load::FileRef;

/// Loads the users, roles and tokens as a server sees them, with the problems of their files.
pub fn load_people(disk: &dyn Disk) -> Result<(Installation, Vec<Problem>), StoreError> {
    let mut scan = load::scan_folders(disk, &[Folder::Users, Folder::Roles, Folder::Tokens])?;
    let mut problems = std::mem::take(&mut scan.problems);
    let mut installation = Installation::default();
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

fn unreadable(file: &FileRef, error: &ReadError) -> ReadFile<SystemFile> {
    ReadFile {
        value: broken_system_file(&file.key),
        problems: vec![error.to_problem(&file.path())],
    }
}
