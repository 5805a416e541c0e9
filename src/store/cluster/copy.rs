//! Copies of whole data folders into a database and back.

use std::collections::{HashMap, HashSet};
use std::io;
use std::sync::Arc;

use crate::stdx::checksum::Checksum;
use crate::store::cluster::database::{
    Database, DatabaseChange, DatabaseContent, DatabaseFile, Position, Seen, new_commit_id,
    to_store_error,
};
use crate::store::cluster::file_content::{read_stored, sum_file};
use crate::store::cluster::replica::Replica;
use crate::store::cluster::replica_state::ReplicaState;
use crate::store::cluster::shared_paths;
use crate::store::data_folder::DataFolder;
use crate::store::disk::Disk;
use crate::store::error::StoreError;
use crate::store::layout;

/// The bytes that are committed together.
const BATCH_BYTES: usize = 8 * 1024 * 1024;

/// The number of files that are committed together.
const BATCH_FILES: usize = 1_000;

/// The outcome of a copy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CopyReport {
    /// The number of files that are in both places now.
    pub files: usize,
    /// Of these, the number that were copied.
    pub copied: usize,
}

/// Copies all files of a data folder into a database that is empty, or has a part of these files
/// because a copy was interrupted.
pub fn copy_into_database(
    disk: &dyn Disk,
    database: &dyn Database,
) -> Result<CopyReport, StoreError> {
    let mut there: HashMap<String, Option<Checksum>> = HashMap::new();
    let seen =
        database.read_files(&mut |it| _ = there.insert(it.path, it.sum)).map_err(to_store_error)?;
    let mut paths = Vec::new();
    shared_paths::list_shared_files(disk, &mut |path| paths.push(path))?;
    let own: HashSet<&String> = paths.iter().collect();
    if let Some(other) = there.keys().find(|it| !own.contains(it)) {
        return Err(StoreError::Places(format!(
            "the database has content of its own, such as `{other}`: copy into an empty one"
        )));
    }
    let mut report = CopyReport { files: paths.len(), copied: 0 };
    let mut last = seen.position;
    let mut batch = DatabaseChange::default();
    let mut bytes = 0;
    for path in paths {
        let file = read_stored(disk, database, path.clone(), &path)?;
        match there.get(&path) {
            Some(sum) if *sum == file.facts.sum => continue,
            Some(_) => {
                return Err(StoreError::Places(format!(
                    "the database has another `{path}`: copy into an empty one"
                )));
            }
            None => {}
        }
        bytes += content_bytes(&file);
        report.copied += 1;
        batch.written.push(file);
        if bytes >= BATCH_BYTES || batch.written.len() >= BATCH_FILES {
            commit_batch(database, std::mem::take(&mut batch), &mut last)?;
            bytes = 0;
        }
    }
    if !batch.written.is_empty() {
        commit_batch(database, batch, &mut last)?;
    }
    check_copy(disk, database)?;
    Ok(report)
}

/// Copies all files of a database into a folder that is empty, has a part of them because a copy
/// was interrupted, or has all of them already.
pub fn copy_from_database(
    database: Arc<dyn Database>,
    disk: Arc<dyn Disk>,
    places: &DataFolder,
) -> Result<CopyReport, StoreError> {
    let read = ReplicaState::read(places).map_err(StoreError::io("read", layout::REPLICA))?;
    if read.is_none()
        && let Some(files) = count_copied(&*disk, &*database)?
    {
        return Ok(CopyReport { files, copied: 0 });
    }
    let replica = Replica::open(database.clone(), disk.clone(), places)?;
    let copied = replica.count_written_files().try_into().unwrap_or(usize::MAX);
    drop(replica);
    let report = CopyReport { copied, ..check_copy(&*disk, &*database)? };
    // From now on it is a folder like any other.
    disk.sync_all().or_else(|error| match error.kind() {
        io::ErrorKind::Unsupported => Ok(()),
        _ => Err(StoreError::io("sync", places.root().display().to_string())(error)),
    })?;
    disk.remove(layout::REPLICA).map_err(StoreError::io("remove", layout::REPLICA))?;
    Ok(report)
}

/// Returns the number of files if a folder has all those of a database, and no others.
fn count_copied(disk: &dyn Disk, database: &dyn Database) -> Result<Option<usize>, StoreError> {
    let mut paths = Vec::new();
    shared_paths::list_shared_files(disk, &mut |path| paths.push(path))?;
    if paths.is_empty() {
        return Ok(None);
    }
    let mut there: HashMap<String, Option<Checksum>> = HashMap::new();
    database.read_files(&mut |it| _ = there.insert(it.path, it.sum)).map_err(to_store_error)?;
    if paths.len() != there.len() {
        return Ok(None);
    }
    for path in &paths {
        let Some(Some(sum)) = there.get(path) else { return Ok(None) };
        if sum_file(disk, path)? != *sum {
            return Ok(None);
        }
    }
    Ok(Some(paths.len()))
}

/// Compares the checksum of every file of the database with that of the folder.
fn check_copy(disk: &dyn Disk, database: &dyn Database) -> Result<CopyReport, StoreError> {
    let mut files = Vec::new();
    database.read_files(&mut |it| files.push(it)).map_err(to_store_error)?;
    for facts in &files {
        let found = sum_file(disk, &facts.path)?;
        if facts.sum.is_some_and(|it| it != found) {
            let message =
                format!("the copy of `{}` differs: was it changed meanwhile?", facts.path);
            return Err(StoreError::Places(message));
        }
    }
    Ok(CopyReport { files: files.len(), copied: files.len() })
}

fn content_bytes(file: &DatabaseFile) -> usize {
    match &file.content {
        DatabaseContent::Bytes(bytes) => bytes.len(),
        DatabaseContent::Blob(_) => 0,
    }
}

fn commit_batch(
    database: &dyn Database,
    batch: DatabaseChange,
    last: &mut Position,
) -> Result<(), StoreError> {
    // Each has a turn of its own: what is read for the next may take longer than a turn lasts.
    database.begin_turn(&Seen::default(), &mut |_| Ok(())).map_err(to_store_error)?;
    let _turn = DatabaseTurn(database);
    let created = batch.written.iter().map(|it| it.facts.path.clone()).collect();
    let change = DatabaseChange { id: new_commit_id(), after: *last, created, ..batch };
    *last = database.commit(&change).map_err(to_store_error)?;
    Ok(())
}

/// The turn among all servers; it ends when this is dropped.
struct DatabaseTurn<'a>(&'a dyn Database);

impl Drop for DatabaseTurn<'_> {
    fn drop(&mut self) {
        self.0.end_turn();
    }
}
