//! A change of very many files, large ones among them, whose new files wait below the journal before
//! it is decided what becomes of them: nothing of it is ever held in memory.
//!
//! Until the intent is written nothing shows, and dropping the change leaves nothing behind.

use std::fs::File;

use crate::store::commit;
use crate::store::disk::{self, Disk, Stat};
use crate::store::error::StoreError;
use crate::store::journal::{self, Failure, INTENT_BYTES_MAX, Intent, Seen, Step};
use crate::store::layout;
use crate::store::spool;

/// A change that is being prepared.
pub struct Staged<'a> {
    disk: &'a dyn Disk,
    folder: String,
    intent: String,
    /// Files that wait and are not durable yet.
    unsynced: Vec<String>,
    count: usize,
    steps: Vec<Step>,
    /// From here on it will happen, whoever does it.
    promised: bool,
}

/// A file that waits below the journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting(String);

impl<'a> Staged<'a> {
    /// An empty change. `name` is unique, and sorts by time.
    pub fn begin(disk: &'a dyn Disk, name: &str) -> Result<Staged<'a>, StoreError> {
        let (folder, intent) = layout::journal_entry(name);
        disk::make_folders(disk, &folder)?;
        let (unsynced, steps) = (Vec::new(), Vec::new());
        Ok(Staged { disk, folder, intent, unsynced, count: 0, steps, promised: false })
    }

    /// Writes what is to be the file at `path`.
    pub fn write(&mut self, path: &str, bytes: &[u8]) -> Result<Waiting, StoreError> {
        let place = self.next_place();
        let mode = commit::mode_of(self.disk, path);
        let written = self.disk.write_unsynced(&place, bytes, mode);
        written.map_err(StoreError::io("write", &place))?;
        Ok(Waiting(place))
    }

    /// An empty file, to be filled with what is to be the one at `path`.
    pub fn create_for(&mut self, path: &str) -> Result<(Waiting, File), StoreError> {
        let place = self.next_place();
        let file = self.disk.create(&place).map_err(StoreError::io("create", &place))?;
        if !layout::is_private(path) {
            spool::open_up(&file).map_err(StoreError::io("create", &place))?;
        }
        Ok((Waiting(place), file))
    }

    // Known before it is there, so that it is cleared away when writing fails half way.
    fn next_place(&mut self) -> String {
        let place = format!("{}/{}", self.folder, self.count);
        self.count += 1;
        self.unsynced.push(place.clone());
        place
    }

    /// The file takes its place, where there is `there`, or nothing.
    pub fn place(&mut self, waiting: Waiting, path: &str, there: Option<&Stat>) {
        let before = there.map(Seen::of);
        self.steps.push(Step::Place { path: path.to_string(), staged: waiting.0, before });
    }

    /// The file at `path` goes, while it is still the one seen.
    pub fn remove(&mut self, path: &str, there: &Stat) {
        let Seen { size, modified_ns } = Seen::of(there);
        self.steps.push(Step::Remove { path: path.to_string(), size, modified_ns });
    }

    /// Whether nothing would happen.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Makes durable what waits so far: the slow part, for which nobody has to stand still.
    pub fn sync(&mut self) -> Result<(), StoreError> {
        let synced = self.disk.sync_together(&self.unsynced, &[]);
        synced.map_err(StoreError::io("sync", self.folder.as_str()))?;
        self.unsynced.clear();
        self.disk.sync_folder(&self.folder).map_err(StoreError::io("sync", self.folder.as_str()))
    }

    /// A file that waits no longer would pass for placed.
    fn expect_all(&self) -> Result<(), StoreError> {
        for step in &self.steps {
            if let Step::Place { staged, .. } = step {
                self.disk.stat(staged).map_err(StoreError::io("look at", staged))?;
            }
        }
        Ok(())
    }

    /// Makes it happen; files that somebody edited meanwhile are left alone and named. For whoever
    /// may write into the folder.
    pub fn carry_out(mut self) -> Result<Vec<String>, Failure> {
        if self.steps.is_empty() {
            return Ok(Vec::new());
        }
        if !self.unsynced.is_empty() {
            self.sync()?;
        }
        self.expect_all()?;
        let text = Intent::text(&self.steps);
        if text.len() as u64 > INTENT_BYTES_MAX {
            let error = std::io::Error::from(std::io::ErrorKind::FileTooLarge);
            return Err(StoreError::io("write", self.intent.as_str())(error).into());
        }
        disk::replace(self.disk, &self.intent, &text)?;
        self.promised = true;
        let finish = || {
            let left_alone = journal::apply(self.disk, &self.folder, &self.steps)?;
            journal::forget(self.disk, &self.folder, &self.intent)?;
            Ok(left_alone)
        };
        finish().map_err(Failure::Unfinished)
    }
}

impl Drop for Staged<'_> {
    fn drop(&mut self) {
        if !self.promised {
            journal::clear_away(self.disk, &self.folder, &self.intent);
        }
    }
}
