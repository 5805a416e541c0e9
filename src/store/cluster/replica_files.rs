//! The files of a replica, and how they are brought in line with those of the database.

use std::collections::BTreeSet;
use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use crate::stdx::checksum::Checksum;
use crate::stdx::ordered_work::map_in_order;
use crate::store::cluster::database::{
    Database, DatabaseContent, DatabaseFile, DatabaseFileFacts, Seen, to_store_error,
};
use crate::store::cluster::file_content::sum_of;
use crate::store::cluster::pending_files::PendingFiles;
use crate::store::cluster::shared_paths;
use crate::store::disk::{self, Disk, Listing, Stat, parent_folder};
use crate::store::error::StoreError;
use crate::store::layout::Key;
use crate::store::read::load::is_absence;
use crate::store::write::{commit, spool};

/// The number of files that are compared, and fetched, together.
const BATCH_FILES: usize = 250;

/// The bytes of these files together, which are in memory while they are fetched.
const BATCH_BYTES: u64 = 8 * 1024 * 1024;

/// The bytes of files that a thread fetches together before it reads them.
const AHEAD_BYTES: u64 = 1024 * 1024;

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
    /// The files that are still to be written.
    pub(super) pending: PendingFiles,
}

/// The files that may be put in their places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Placing {
    /// Any: they are newer than what is there.
    Any,
    /// Those that are pending. Others were overtaken by newer ones.
    Pending,
}

impl ReplicaFiles {
    /// Takes over the files that differ from those of the database. Returns the last commit of
    /// these, and the paths that differed.
    pub(super) fn match_database(&self) -> Result<(Seen, Vec<String>), StoreError> {
        let mut local = BTreeSet::from_iter(self.pending.paths());
        shared_paths::list_shared_files(&*self.disk, &mut |path| _ = local.insert(path))?;
        let (seen, files) = self.read_facts(|path| _ = local.remove(path))?;
        let mut differing = self.mend_files(&files)?;
        local.iter().try_for_each(|it| self.remove_file(it))?;
        differing.extend(local);
        Ok((seen, differing))
    }

    /// Makes the JSON files pending that differ from those of the database, after `begin` if there
    /// are any. Media and other files that are not JSON are taken over at once: what is known of
    /// them is tied to the stat that they have here. Returns the last commit of these.
    pub(super) fn begin_loading(&self, begin: impl FnOnce()) -> Result<Seen, StoreError> {
        let mut local = BTreeSet::new();
        shared_paths::list_shared_files(&*self.disk, &mut |path| _ = local.insert(path))?;
        let mut removed = local.clone();
        let (seen, files) = self.read_facts(|path| _ = removed.remove(path))?;
        let (json, others): (Vec<_>, Vec<_>) = files.into_iter().partition(|it| is_json(&it.path));
        self.mend_files(&others)?;
        let is_missing =
            |it: &&DatabaseFileFacts| !local.contains(&it.path) || !self.is_current(it);
        let missing = map_batches(&json, |batch| {
            Ok(batch.iter().filter(is_missing).cloned().collect::<Vec<_>>())
        })?;
        if !missing.is_empty() {
            begin();
        }
        // What is pending is not on the disk.
        removed.extend(missing.iter().filter_map(|it| local.take(&it.path)));
        removed.iter().try_for_each(|it| self.remove_file(it))?;
        self.pending.begin_loading(&missing);
        Ok(seen)
    }

    /// Reads what the database says of its files, and passes the paths of all to `each`.
    fn read_facts(
        &self,
        mut each: impl FnMut(&str),
    ) -> Result<(Seen, Vec<DatabaseFileFacts>), StoreError> {
        let mut files = Vec::new();
        let mut add = |facts: DatabaseFileFacts| {
            each(&facts.path);
            if self.is_kept(&facts.path) {
                files.push(facts);
            }
        };
        let seen = self.database.read_files(&mut add).map_err(to_store_error)?;
        Ok((seen, files))
    }

    /// Fetches pending files that are about to be read, as many as may be in memory. They are
    /// written only if the content is loaded: a start does not wait for that.
    pub(super) fn read_ahead(&self, paths: &[String]) {
        if self.pending.is_empty() {
            return;
        }
        let mut bytes = 0_u64;
        let mut is_wanted = |path: &&String| {
            let size = self.pending.find_stat(path).map(|it| bytes.saturating_add(it.size));
            let fits = size.filter(|it| *it <= AHEAD_BYTES);
            bytes = fits.unwrap_or(bytes);
            fits.is_some()
        };
        let wanted: Vec<String> = paths.iter().filter(&mut is_wanted).cloned().collect();
        if wanted.is_empty() {
            return;
        }
        if self.pending.is_loading() {
            return self.keep_fetched(&wanted);
        }
        if let Err(error) = self.fetch_files(&wanted, Placing::Pending) {
            // Whoever reads them is told.
            tracing::debug!(%error, "files are not read ahead");
        }
    }

    fn keep_fetched(&self, paths: &[String]) {
        match self.database.fetch_files(paths).map_err(to_store_error) {
            Ok(files) => self.pending.keep_fetched(files),
            Err(error) => self.pending.note_failure(&error),
        }
    }

    /// Returns the content of a pending file without writing it, while the content is loaded. There
    /// is none of a large file, and of one that is gone.
    pub(super) fn read_to_load(&self, path: &str) -> Option<(Stat, Vec<u8>)> {
        if !self.pending.is_loading() {
            return None;
        }
        let ahead = self.pending.take_fetched(path);
        if ahead.is_none() && self.pending.contains(path) {
            self.keep_fetched(&[path.to_string()]);
            return self.pending.take_fetched(path);
        }
        ahead
    }

    /// Puts a file in its place if it is pending, and makes a folder if files in it are. After
    /// that the disk has what the database has at this path.
    pub(super) fn settle(&self, path: &str) -> io::Result<()> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let settled = if self.pending.contains(path) {
            self.fetch_files(&[path.to_string()], Placing::Pending)
        } else {
            let guard = self.pending.begin_placing();
            let is_folder = guard.has_below(path);
            if is_folder { make_unsynced_folders(&*self.disk, path) } else { Ok(()) }
        };
        settled.map_err(|error| {
            self.pending.note_failure(&error);
            io::Error::other(error)
        })
    }

    /// Puts all files that are pending in a folder and below it in their places.
    pub(super) fn settle_below(&self, folder: &str) -> io::Result<()> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let below = self.pending.list_paths_below(folder);
        let mut batches = below.chunks(BATCH_FILES);
        batches.try_for_each(|it| self.fetch_files(it, Placing::Pending)).map_err(io::Error::other)
    }

    /// Drops a file that is pending, since it is removed. Returns false if it is not pending.
    pub(super) fn drop_pending(&self, path: &str) -> bool {
        if self.pending.is_empty() {
            return false;
        }
        let mut guard = self.pending.begin_placing();
        let is_pending = guard.is_pending(path);
        guard.settle(path);
        is_pending
    }

    /// Adds what is pending in a folder to a listing of it that `list` makes.
    pub(super) fn list_with_pending(
        &self,
        folder: &str,
        list: impl FnOnce() -> io::Result<Listing>,
    ) -> io::Result<Listing> {
        if self.pending.is_empty() {
            return list();
        }
        // No file is put in its place meanwhile: it is found there, complete, or pending.
        let guard = self.pending.begin_placing();
        let pending = guard.list_items(folder);
        let mut listing = match list() {
            Err(error) if is_absence(&error) && !pending.is_empty() => Listing::default(),
            listed => listed?,
        };
        if !pending.is_empty() {
            listing.has_capitals |= pending.iter().any(|it| disk::has_capital(&it.name));
            listing.items.extend(pending);
            // The sort is stable: what is on the disk stays.
            listing.items.sort_by(|one, other| one.name.cmp(&other.name));
            listing.items.dedup_by(|later, first| later.name == first.name);
        }
        Ok(listing)
    }

    /// Puts all pending files in their places, until `is_stopped`. One that cannot be written keeps
    /// no other from being written; the first error is returned in the end.
    pub(super) fn write_pending(&self, is_stopped: &dyn Fn() -> bool) -> Result<(), StoreError> {
        let (mut after, mut written) = (String::new(), Ok(()));
        while !is_stopped() {
            let batch = self.next_batch(&after);
            let Some(last) = batch.last() else {
                self.pending.finish_pass();
                break;
            };
            match self.fetch_files(&batch, Placing::Pending) {
                Err(error @ StoreError::Database(_)) => return Err(error),
                batch => written = written.and(batch),
            }
            after.clone_from(last);
        }
        written
    }

    /// Returns the pending files after this one that are written together.
    fn next_batch(&self, after: &str) -> Vec<String> {
        let mut next = self.pending.paths_after(after, BATCH_FILES);
        let mut bytes = 0_u64;
        let fits = |path: &&String| {
            bytes = bytes.saturating_add(self.pending.find_stat(path).map_or(0, |it| it.size));
            bytes <= BATCH_BYTES
        };
        let n_files = next.iter().take_while(fits).count();
        next.truncate(n_files.max(1));
        next
    }

    /// Takes over those of these files that differ, and returns their paths.
    fn mend_files(&self, files: &[DatabaseFileFacts]) -> Result<Vec<String>, StoreError> {
        map_batches(files, |batch| self.fetch_differing(batch))
    }

    /// Fetches those of these files that differ, and returns their paths.
    fn fetch_differing(&self, files: &[DatabaseFileFacts]) -> Result<Vec<String>, StoreError> {
        let differing = files.iter().filter(|it| !self.is_current(it)).map(|it| it.path.clone());
        let differing: Vec<String> = differing.collect();
        if !differing.is_empty() {
            self.fetch_files(&differing, Placing::Any)?;
        }
        Ok(differing)
    }

    /// Puts the files of the database in the place of these, whatever they are.
    fn fetch_files(&self, paths: &[String], placing: Placing) -> Result<(), StoreError> {
        let mut found = BTreeSet::new();
        let batch = self.disk.begin_batch();
        let disk = batch.as_deref().unwrap_or(&*self.disk);
        let mut written = Ok(());
        for file in self.database.fetch_files(paths).map_err(to_store_error)? {
            found.insert(file.facts.path.clone());
            // One that cannot be written keeps no other from being written.
            written = written.and(self.put_file_on(disk, file, placing));
        }
        let mut missing = paths.iter().filter(|it| !found.contains(*it));
        missing.try_for_each(|it| self.remove_file_as(it, placing))?;
        written
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
        self.put_file_on(&*self.disk, file, Placing::Any)
    }

    fn put_file_on(
        &self,
        disk: &dyn Disk,
        file: DatabaseFile,
        placing: Placing,
    ) -> Result<(), StoreError> {
        let DatabaseFile { facts, content } = file;
        let path = &facts.path;
        if !self.is_kept(path) {
            // Somebody has put a file into the database that no server makes.
            return Ok(());
        }
        if let (Placing::Pending, DatabaseContent::Bytes(bytes)) = (placing, &content) {
            return self.write_new(disk, &facts, bytes);
        }
        let place = disk::unfinished_path(disk, path);
        make_unsynced_folders(disk, parent_folder(&place))?;
        let written = self.write_content(disk, &place, path, &content);
        let placed = written.and_then(|()| self.place_file(disk, &place, &facts, placing));
        if !matches!(placed, Ok(true)) {
            let _ = disk.remove(&place);
        }
        placed.map(drop)
    }

    /// Moves a file to its place. Returns false if it is no longer pending.
    fn place_file(
        &self,
        disk: &dyn Disk,
        from: &str,
        facts: &DatabaseFileFacts,
        placing: Placing,
    ) -> Result<bool, StoreError> {
        let path = facts.path.as_str();
        disk.set_modified(from, facts.modified_ns).map_err(StoreError::io("write", path))?;
        let mut guard = self.pending.begin_placing();
        if placing == Placing::Pending && !guard.is_pending(path) {
            return Ok(false);
        }
        make_unsynced_folders(disk, parent_folder(path))?;
        disk.rename(from, path).map_err(StoreError::io("write", path))?;
        match (placing, facts.sum) {
            (Placing::Pending, Some(sum)) => {
                let placed = disk.stat(path).map_err(StoreError::io("read", path))?;
                guard.place(path, &placed.stat, sum);
            }
            _ => guard.settle(path),
        }
        self.written.fetch_add(1, Relaxed);
        Ok(true)
    }

    /// Writes a pending file in its place: nobody reads or lists it meanwhile, and what is left of
    /// it after the end of the process is compared by the next.
    fn write_new(
        &self,
        disk: &dyn Disk,
        facts: &DatabaseFileFacts,
        bytes: &[u8],
    ) -> Result<(), StoreError> {
        let path = facts.path.as_str();
        let mut guard = self.pending.begin_placing();
        if !guard.is_pending(path) {
            return Ok(());
        }
        make_unsynced_folders(disk, parent_folder(path))?;
        let write = || disk.write_unsynced(path, bytes, disk::default_mode(path));
        let written = match write() {
            // What is left of a try that failed.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                disk.remove(path).and_then(|()| write())
            }
            written => written,
        };
        let written = written
            .and_then(|_| disk.set_modified(path, facts.modified_ns))
            .and_then(|()| disk.stat(path));
        match written {
            Ok(written) => {
                guard.place(path, &written.stat, Checksum::of_bytes(bytes));
                self.written.fetch_add(1, Relaxed);
                Ok(())
            }
            Err(error) => {
                // Nobody shall find half of it. If this fails as well, the next try does it.
                let _ = disk.remove(path);
                Err(StoreError::io("write", path)(error))
            }
        }
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
        self.remove_file_as(path, Placing::Any)
    }

    fn remove_file_as(&self, path: &str, placing: Placing) -> Result<(), StoreError> {
        if !self.is_kept(path) {
            return Ok(());
        }
        let mut guard = self.pending.begin_placing();
        if placing == Placing::Pending && !guard.is_pending(path) {
            return Ok(());
        }
        match self.disk.remove(path) {
            Err(error) if !is_absence(&error) => Err(StoreError::io("remove", path)(error)),
            _ => {
                guard.settle(path);
                Ok(())
            }
        }
    }

    /// Removes a folder and those in it, as far as they are empty.
    pub(super) fn remove_empty_folders(&self, folder: &str) -> Result<(), StoreError> {
        if !self.is_kept(folder) {
            return Ok(());
        }
        // Nobody makes one of them meanwhile, to put a file there.
        let _guard = self.pending.begin_placing();
        self.remove_empty_folders_below(folder)
    }

    fn remove_empty_folders_below(&self, folder: &str) -> Result<(), StoreError> {
        let Ok(listing) = self.disk.list(folder) else { return Ok(()) };
        for item in listing.items.iter().filter(|it| it.kind == disk::FileKind::Folder) {
            self.remove_empty_folders_below(&format!("{folder}/{}", item.name))?;
        }
        // One that is not empty stays.
        let _ = self.disk.remove_folder(folder);
        Ok(())
    }
}

/// Returns true for JSON files, and false for media that have such a name.
fn is_json(path: &str) -> bool {
    path.ends_with(".json") && Key::parse(path).is_none_or(|it| it.is_json())
}

/// Makes a folder and those above it. Nothing of a replica is synced.
fn make_unsynced_folders(disk: &dyn Disk, folder: &str) -> Result<(), StoreError> {
    disk::make_folders_unsynced(disk, folder, &mut BTreeSet::new())
}

/// Applies `work` to batches of these files on several threads.
fn map_batches<T: Send>(
    files: &[DatabaseFileFacts],
    work: impl Fn(&[DatabaseFileFacts]) -> Result<Vec<T>, StoreError> + Sync,
) -> Result<Vec<T>, StoreError> {
    let mut results = Vec::new();
    let collect = |_: &_, made: Result<Vec<T>, StoreError>| {
        results.extend(made?);
        Ok(())
    };
    let batches = split_into_batches(files);
    map_in_order(THREADS, &batches, || (), |(), batch| work(batch), collect)?;
    Ok(results)
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
