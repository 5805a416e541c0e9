//! The plan of a change: the steps of its operations, checked against the files as they are.

use std::io;

use crate::stdx::checksum::Checksum;
use crate::store::disk::{Disk, ReadError};
use crate::store::error::StoreError;
use crate::store::layout::{self, FilePath};
use crate::store::summed_content::SummedContent;
use crate::store::write::file_op::FileOp;
use crate::store::write::journal::intent::{JournalError, JournalStep, find_stat};

/// Translates operations into steps with their preconditions and results.
pub(super) fn plan_steps(
    disk: &dyn Disk,
    folder: &str,
    ops: &[FileOp],
) -> Result<Vec<JournalStep>, JournalError> {
    let mut plan = StepPlan { disk, folder, steps: Vec::with_capacity(ops.len()), staged: 0 };
    let mut bytes = Vec::new();
    for op in ops {
        match op {
            FileOp::Create { path, bytes } => plan.add_creation(path, bytes)?,
            FileOp::Replace { .. } => plan.add_replacement(op, &mut bytes)?,
            FileOp::Remove { path } => plan.add_removal(path)?,
            FileOp::Rename { from, to } => plan.add_rename(from, to)?,
            FileOp::Place { source, path } => plan.add_placement(source, path)?,
            FileOp::PlaceOver { path, .. } => {
                let error = io::Error::other("a file is replaced by an upload in no other change");
                return Err(StoreError::io("write", path.to_string())(error).into());
            }
            FileOp::RemoveFolder { folder } => {
                plan.steps.push(JournalStep::RemoveFolder { folder: folder.path() });
            }
        }
    }
    Ok(plan.steps)
}

/// The steps planned so far.
struct StepPlan<'a> {
    disk: &'a dyn Disk,
    /// The folder of the change below the journal.
    folder: &'a str,
    steps: Vec<JournalStep>,
    /// The number of the next body that is staged.
    staged: usize,
}

impl StepPlan<'_> {
    fn add_creation(&mut self, path: &FilePath, bytes: &SummedContent) -> Result<(), JournalError> {
        if find_stat(self.disk, path)?.is_some() {
            return Err(JournalError::Stale(path.clone()));
        }
        self.put_body(path, None, bytes);
        Ok(())
    }

    /// `buffer` takes the bytes of the file as it is.
    fn add_replacement(&mut self, op: &FileOp, buffer: &mut Vec<u8>) -> Result<(), JournalError> {
        let FileOp::Replace { path, bytes, seen, keep } = op else { return Ok(()) };
        let stat = self.disk.read(path, buffer).map_err(|error| match error {
            ReadError::Unreadable(error) => {
                JournalError::Unstarted(StoreError::io("read", &**path)(error))
            }
            _ => JournalError::Stale(path.clone()),
        })?;
        if seen.is_some_and(|seen| seen != stat) {
            return Err(JournalError::Stale(path.clone()));
        }
        let before = Checksum::of_bytes(buffer).to_string();
        if let Some(kept) = keep {
            let (path, kept) = (path.to_string(), kept.to_string());
            self.steps.push(JournalStep::Keep { path, kept, before: before.clone() });
        }
        self.put_body(path, Some(before), bytes);
        Ok(())
    }

    fn put_body(&mut self, path: &str, before: Option<String>, bytes: &SummedContent) {
        let (path, after) = (path.to_string(), bytes.sum().to_string());
        self.steps.push(JournalStep::Put { path, staged: self.staged, before, after });
        self.staged += 1;
    }

    fn add_removal(&mut self, path: &str) -> Result<(), JournalError> {
        // The file is already gone; there is nothing to do.
        let Some(found) = find_stat(self.disk, path)? else { return Ok(()) };
        let (size, modified_ns) = (found.stat.size, found.stat.modified_ns);
        self.steps.push(JournalStep::Remove { path: path.to_string(), size, modified_ns });
        Ok(())
    }

    fn add_rename(&mut self, from: &FilePath, to: &FilePath) -> Result<(), JournalError> {
        if find_stat(self.disk, from)?.is_none() {
            return Err(JournalError::Stale(from.clone()));
        }
        self.push_rename(from.to_string(), to)
    }

    fn push_rename(&mut self, from: String, to: &FilePath) -> Result<(), JournalError> {
        if find_stat(self.disk, to)?.is_some() {
            return Err(JournalError::Stale(to.clone()));
        }
        self.steps.push(JournalStep::Rename { from, to: to.to_string() });
        Ok(())
    }

    fn add_placement(&mut self, source: &str, path: &FilePath) -> Result<(), JournalError> {
        if find_stat(self.disk, source)?.is_none() {
            return Err(JournalError::Stale(path.clone()));
        }
        let from = if is_unfinished(source) {
            // The upload's writer removes it soon, so the journal uses its own name for it.
            spooled_path(self.folder, self.steps.len())
        } else {
            source.to_string()
        };
        self.push_rename(from, path)
    }
}

pub(super) fn is_unfinished(path: &str) -> bool {
    path.strip_prefix(layout::TMP).is_some_and(|rest| rest.starts_with('/'))
}

fn spooled_path(folder: &str, number: usize) -> String {
    format!("{folder}/spooled-{number}")
}
