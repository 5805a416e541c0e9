//! The files of a replica, and how they are brought in line with those of the database.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use crate::stdx::ordered_work::map_in_order;
use crate::store::cluster::database::{
    Database, DatabaseContent, DatabaseFile, DatabaseFileFacts, Seen, to_store_error,
};
use crate::store::cluster::file_content::sum_of;
use crate::store::cluster::shared_paths;
use crate::store::disk::{self, Disk, parent_folder};
use crate::store::error::StoreError;
use crate::store::read::load::is_absence;
use crate::store::write::{commit, spool};

/// The number of files that are compared, and fetched, together.
const BATCH_FILES: usize = 250;

/// The bytes of these files together, which are in memory while they are fetched.
const BATCH_BYTES: u64 = 8 * 1024 * 1024;

/// The number of threads that compare and write files. Writing one mostly waits for the system.
const THREADS: usize = 4;

/// The files, which are never synced.
pub(super) struct ReplicaFiles {
    pub(super) database: Arc<dyn Database>,
    pub(super) disk: Arc<dyn Disk>,
    /// The folder of which the files are kept; all if it is empty.
    pub(super) part: &'static str,
    /// The number of files that were written.
    pub(super) written: AtomicU64,
}

impl ReplicaFiles {
    /// Takes over the files that differ from those of the database. Returns the last commit of
    /// these, and the paths that differed.
    pub(super) fn match_database(&self) -> Result<(Seen, Vec<String>), StoreError> {
        let mut local = BTreeSet::new();
        shared_paths::list_shared_files(&*self.disk, &mut |path| _ = local.insert(path))?;
        let mut files = Vec::new();
        let seen = self
            .database
            .read_files(&mut |facts| {
                local.remove(&facts.path);
                if self.is_kept(&facts.path) {
                    files.push(facts);
                }
            })
            .map_err(to_store_error)?;
        let batches = split_into_batches(&files);
        let mut differing = Vec::new();
        let mend = |(): &mut (), batch: &&[DatabaseFileFacts]| self.fetch_differing(batch);
        map_in_order(
            THREADS,
            &batches,
            || (),
            mend,
            |_, fetched| {
                differing.extend(fetched?);
                Ok(())
            },
        )?;
        local.iter().try_for_each(|it| self.remove_file(it))?;
        differing.extend(local);
        Ok((seen, differing))
    }

    /// Fetches those of these files that differ, and returns their paths.
    fn fetch_differing(&self, files: &[DatabaseFileFacts]) -> Result<Vec<String>, StoreError> {
        let differing = files.iter().filter(|it| !self.is_current(it)).map(|it| it.path.clone());
        let differing: Vec<String> = differing.collect();
        if !differing.is_empty() {
            self.fetch_files(&differing)?;
        }
        Ok(differing)
    }

    /// Puts the files of the database in the place of these, whatever they are.
    fn fetch_files(&self, paths: &[String]) -> Result<(), StoreError> {
        let mut found = BTreeSet::new();
        let batch = self.disk.begin_batch();
        let disk = batch.as_deref().unwrap_or(&*self.disk);
        for file in self.database.fetch_files(paths).map_err(to_store_error)? {
            found.insert(file.facts.path.clone());
            self.put_file_on(disk, file)?;
        }
        paths.iter().filter(|it| !found.contains(*it)).try_for_each(|it| self.remove_file(it))
    }

    /// Returns true if a file is as it is in the database.
    fn is_current(&self, facts: &DatabaseFileFacts) -> bool {
        let Ok((mut file, stat)) = self.disk.open(&facts.path) else { return false };
        if stat.size != facts.size || facts.sum.is_none() {
            return false;
        }
        sum_of(&mut file).is_ok_and(|it| Some(it) == facts.sum)
            && (stat.modified_ns == facts.modified_ns
                || self.disk.set_modified(&facts.path, facts.modified_ns).is_ok())
    }

    /// Writes a file as it is in the database.
    pub(super) fn put_file(&self, file: DatabaseFile) -> Result<(), StoreError> {
        self.put_file_on(&*self.disk, file)
    }

    fn put_file_on(&self, disk: &dyn Disk, file: DatabaseFile) -> Result<(), StoreError> {
        let DatabaseFile { facts, content } = file;
        let path = &facts.path;
        if !self.is_kept(path) {
            // Somebody has put a file into the database that no server makes.
            return Ok(());
        }
        let place = disk::unfinished_path(disk, path);
        disk::make_folders(disk, parent_folder(path))?;
        disk::make_folders(disk, parent_folder(&place))?;
        let written = self.write_content(disk, &place, path, &content);
        let placed = written.and_then(|()| {
            disk.set_modified(&place, facts.modified_ns)
                .and_then(|()| disk.rename(&place, path))
                .map_err(StoreError::io("write", path.as_str()))
        });
        match &placed {
            Ok(()) => _ = self.written.fetch_add(1, Relaxed),
            Err(_) => _ = disk.remove(&place),
        }
        placed
    }

    fn write_content(
        &self,
        disk: &dyn Disk,
        place: &str,
        path: &str,
        content: &DatabaseContent,
    ) -> Result<(), StoreError> {
        match content {
            DatabaseContent::Bytes(bytes) => {
                let mode = commit::mode_of(disk, path);
                let written = disk.write_unsynced(place, bytes, mode);
                written.map(drop).map_err(StoreError::io("write", path))
            }
            DatabaseContent::Blob(blob) => {
                let mut file = disk.create(place).map_err(StoreError::io("write", path))?;
                self.database.read_blob(blob, &mut file).map_err(to_store_error)?;
                spool::open_up(&file).map_err(StoreError::io("write", path))
            }
        }
    }

    /// Returns true for the files of the replica. A database may have others, which no server
    /// makes.
    fn is_kept(&self, path: &str) -> bool {
        shared_paths::is_shared(path) && shared_paths::is_safe(path) && path.starts_with(self.part)
    }

    /// Removes a file, if it is there.
    pub(super) fn remove_file(&self, path: &str) -> Result<(), StoreError> {
        if !self.is_kept(path) {
            return Ok(());
        }
        match self.disk.remove(path) {
            Err(error) if is_absence(&error) => Ok(()),
            removed => removed.map_err(StoreError::io("remove", path)),
        }
    }

    /// Removes a folder and those in it, as far as they are empty.
    pub(super) fn remove_empty_folders(&self, folder: &str) -> Result<(), StoreError> {
        if !self.is_kept(folder) {
            return Ok(());
        }
        let Ok(listing) = self.disk.list(folder) else { return Ok(()) };
        for item in listing.items.iter().filter(|it| it.kind == disk::FileKind::Folder) {
            self.remove_empty_folders(&format!("{folder}/{}", item.name))?;
        }
        // One that is not empty stays.
        let _ = self.disk.remove_folder(folder);
        Ok(())
    }
}

fn split_into_batches(files: &[DatabaseFileFacts]) -> Vec<&[DatabaseFileFacts]> {
    let (mut batches, mut rest) = (Vec::new(), files);
    while !rest.is_empty() {
        let mut bytes = 0_u64;
        let fits = |it: &&DatabaseFileFacts| {
            bytes = bytes.saturating_add(it.size);
            bytes <= BATCH_BYTES
        };
        let n_files = rest.iter().take(BATCH_FILES).take_while(fits).count();
        // A larger file than that is a batch of its own.
        let (batch, others) = rest.split_at(n_files.max(1));
        batches.push(batch);
        rest = others;
    }
    batches
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_are_bounded() {
        let file =
            |size| DatabaseFileFacts { path: String::new(), size, sum: None, modified_ns: 0 };
        let split = |sizes: &[u64]| {
            let files: Vec<_> = sizes.iter().copied().map(file).collect();
            split_into_batches(&files).iter().map(|it| it.len()).collect::<Vec<_>>()
        };
        assert!(split(&[]).is_empty());
        assert_eq!(split(&[1; 501]), [250, 250, 1]);
        assert_eq!(split(&[BATCH_BYTES / 2; 5]), [2, 2, 1]);
        assert_eq!(split(&[u64::MAX, 1, u64::MAX]), [1, 1, 1]);
    }
}
