//! A change of very many or large files, which are staged below the journal before the change is
//! committed: none of it is held in memory.
//!
//! Until the intent is written nothing is visible, and dropping the change removes the staged
//! files.

use std::fs::File;

use crate::store::disk::{self, Disk, Stat};
use crate::store::error::StoreError;
use crate::store::layout;
use crate::store::write::commit;
use crate::store::write::journal::intent::{
    FileStamp, INTENT_BYTES_MAX, JournalError, JournalIntent, JournalStep, discard_intent,
    finish_change, settle_shared, share_steps, write_intent,
};
use crate::store::write::journal::steps::apply_steps;
use crate::store::write::spool;

/// A change in preparation.
pub struct StagedChange<'a> {
    disk: &'a dyn Disk,
    folder: String,
    intent: String,
    /// The staged files that are not durable yet.
    unsynced: Vec<String>,
    count: usize,
    steps: Vec<JournalStep>,
    /// True once the change is committed and will happen.
    is_committed: bool,
}

/// A file staged below the journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StagedFile(String);

impl<'a> StagedChange<'a> {
    /// Creates an empty change. `name` is unique and sorts by time.
    pub fn new(disk: &'a dyn Disk, name: &str) -> Result<StagedChange<'a>, StoreError> {
        let (folder, intent) = layout::journal_entry(name);
        disk::make_folders(disk, &folder)?;
        let (unsynced, steps) = (Vec::new(), Vec::new());
        Ok(StagedChange { disk, folder, intent, unsynced, count: 0, steps, is_committed: false })
    }

    /// Stages bytes for the file at `path`.
    pub fn write_file(&mut self, path: &str, bytes: &[u8]) -> Result<StagedFile, StoreError> {
        let place = self.next_path();
        let mode = commit::mode_of(self.disk, path);
        let written = self.disk.write_unsynced(&place, bytes, mode);
        written.map_err(StoreError::io("write", &place))?;
        Ok(StagedFile(place))
    }

    /// Creates an empty staged file, to be filled with the content for `path`.
    pub fn create_for(&mut self, path: &str) -> Result<(StagedFile, File), StoreError> {
        let place = self.next_path();
        let file = self.disk.create(&place).map_err(StoreError::io("create", &place))?;
        if !layout::is_private(path) {
            spool::open_up(&file).map_err(StoreError::io("create", &place))?;
        }
        Ok((StagedFile(place), file))
    }

    // Recorded before it exists, so that it is removed if writing fails halfway.
    fn next_path(&mut self) -> String {
        let place = format!("{}/{}", self.folder, self.count);
        self.count += 1;
        self.unsynced.push(place.clone());
        place
    }

    /// Adds a step that moves the file to `path`, where there is a file with the stat `there` or
    /// none.
    pub fn place_file(&mut self, waiting: StagedFile, path: &str, there: Option<&Stat>) {
        let before = there.map(FileStamp::from_stat);
        self.steps.push(JournalStep::Place { path: path.to_string(), staged: waiting.0, before });
    }

    /// Adds a step that removes the file at `path` if it still has the stat `there`.
    pub fn remove_file(&mut self, path: &str, there: &Stat) {
        let FileStamp { size, modified_ns } = FileStamp::from_stat(there);
        self.steps.push(JournalStep::Remove { path: path.to_string(), size, modified_ns });
    }

    /// Returns true if there are no steps.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Makes the staged files durable, and stores large ones where other servers find them: the
    /// slow part, which needs no lock.
    pub fn sync_staged(&mut self) -> Result<(), StoreError> {
        self.unsynced.iter().try_for_each(|it| self.disk.share_content(it))?;
        let synced = self.disk.sync_together(&self.unsynced, &[]);
        synced.map_err(StoreError::io("sync", self.folder.as_str()))?;
        self.unsynced.clear();
        self.disk.sync_folder(&self.folder).map_err(StoreError::io("sync", self.folder.as_str()))
    }

    /// Checks that all staged files exist: a missing one would count as placed.
    fn expect_staged(&self) -> Result<(), StoreError> {
        for step in &self.steps {
            if let JournalStep::Place { staged, .. } = step {
                self.disk.stat(staged).map_err(StoreError::io("look at", staged))?;
            }
        }
        Ok(())
    }

    /// Commits the change, and returns the files that were edited in the meantime and are left as
    /// they are. The caller must be allowed to write to the folder.
    pub fn commit_change(mut self) -> Result<Vec<String>, JournalError> {
        if self.steps.is_empty() {
            return Ok(Vec::new());
        }
        if !self.unsynced.is_empty() {
            self.sync_staged()?;
        }
        self.expect_staged()?;
        let text = JournalIntent::render_intent(&self.steps);
        if text.len() as u64 > INTENT_BYTES_MAX {
            let error = std::io::Error::from(std::io::ErrorKind::FileTooLarge);
            return Err(StoreError::io("write", self.intent.as_str())(error).into());
        }
        share_steps(self.disk, &self.folder, &self.steps)?;
        let made = write_intent(self.disk, &self.intent, &text).and_then(|()| {
            self.is_committed = true;
            let left_alone = apply_steps(self.disk, &self.folder, &self.steps);
            let left_alone = left_alone.map_err(JournalError::Unfinished)?;
            let finished = finish_change(self.disk, &self.folder, &self.intent);
            finished.map(|()| left_alone).map_err(JournalError::Unfinished)
        });
        settle_shared(self.disk, &self.folder, &self.intent, made)
    }
}

impl Drop for StagedChange<'_> {
    fn drop(&mut self) {
        if !self.is_committed {
            discard_intent(self.disk, &self.folder, &self.intent);
        }
    }
}
