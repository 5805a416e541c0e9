//! A redo journal: changes of several files that become visible completely or not at all, also
//! after a crash.
//!
//! New bodies are staged below `journal/`, and then one small file, the intent, lists the steps to
//! do. Once it is durable the change will happen, now or when the folder is opened next. Every step
//! detects from the content of the files whether it was done before, so repeating all of them does
//! no harm. A file that has neither its old nor its new content was edited by somebody else and is
//! left as it is.

mod disposal;
mod intent;
mod plan;
mod staged_change;
mod steps;

use std::collections::BTreeSet;
use std::io;

use crate::store::disk::{self, Disk, FileEffect, FileKind};
use crate::store::error::StoreError;
use crate::store::layout::{self, FilePath};
use crate::store::summed_content::SummedContent;
use crate::store::write::commit;
use crate::store::write::file_op::FileOp;
use crate::store::write::journal::disposal::{dispose_files, is_disposal};
pub use crate::store::write::journal::intent::JournalError;
use crate::store::write::journal::intent::{
    FileStamp, INTENT_BYTES_MAX, JournalIntent, JournalStep, discard_intent, fail_after_sharing,
    find_stat, finish_change, read_intent, remove_staged, settle_shared, share_steps, sync_folders,
    write_intent,
};
use crate::store::write::journal::plan::{is_unfinished, plan_steps};
pub use crate::store::write::journal::staged_change::{StagedChange, StagedFile};
use crate::store::write::journal::steps::{apply_steps, sum_at};

/// An interrupted change that was completed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecoveredChange {
    /// The name of the intent.
    pub name: String,
    /// Files that were edited in the meantime and were left as they are.
    pub left_alone: Vec<String>,
}

/// Commits a change of several steps. `name` is unique and sorts by time.
pub fn commit_ops(disk: &dyn Disk, name: &str, ops: &[FileOp]) -> Result<(), JournalError> {
    let (folder, intent) = layout::journal_entry(name);
    settle_shared(disk, &folder, &intent, make_change(disk, &folder, &intent, ops))
}

fn make_change(
    disk: &dyn Disk,
    folder: &str,
    intent: &str,
    ops: &[FileOp],
) -> Result<(), JournalError> {
    let prepared = prepare_change(disk, folder, intent, ops);
    let steps = match prepared {
        Ok(steps) => steps,
        Err(failure) => {
            discard_intent(disk, folder, intent);
            return match failure {
                JournalError::Unstarted(error)
                    if error.is_full() && ops.iter().all(is_disposal) =>
                {
                    let effects: Vec<FileEffect> =
                        ops.iter().flat_map(|it| it.list_effects(&mut [].into_iter())).collect();
                    disk.share(&effects)?;
                    dispose_files(disk, ops).map_err(|error| match error {
                        JournalError::Unstarted(error) => fail_after_sharing(disk, error),
                        error => error,
                    })
                }
                failure => Err(failure),
            };
        }
    };
    if let Err(error) = apply_steps(disk, folder, &steps) {
        if disk.is_shared() {
            return Err(JournalError::Unfinished(error));
        }
        return Err(match cancel_change(disk, folder, intent, &steps) {
            Ok(true) => JournalError::Unstarted(error),
            Ok(false) | Err(_) => JournalError::Unfinished(error),
        });
    }
    remove_spooled(disk, ops);
    finish_change(disk, folder, intent).map_err(JournalError::Unfinished)
}

/// Removes the original names of uploads that are in place. Their writers would do so too, but only
/// after the stats of the files were recorded, which a removed name changes.
fn remove_spooled(disk: &dyn Disk, ops: &[FileOp]) {
    for op in ops {
        if let FileOp::Place { source, .. } = op
            && is_unfinished(source)
        {
            let _ = disk.remove(source);
        }
    }
}

/// Cancels a change if none of it is visible. Returns true if it will never happen.
fn cancel_change(
    disk: &dyn Disk,
    folder: &str,
    intent: &str,
    steps: &[JournalStep],
) -> Result<bool, StoreError> {
    if !is_untouched(disk, steps)? {
        return Ok(false);
    }
    // A file may have been swapped in and out again, and a crash may only persist the former:
    // without an intent, a part of the change would be visible.
    let first = steps.iter().find(|it| it.is_visible());
    sync_folders(disk, first.into_iter().flat_map(JournalStep::changed_folders).collect())?;
    finish_change(disk, folder, intent)?;
    Ok(true)
}

/// Returns true if certainly no visible step was done. Steps are done in order, so the first
/// visible one decides.
fn is_untouched(disk: &dyn Disk, steps: &[JournalStep]) -> Result<bool, StoreError> {
    let first = steps.iter().find(|it| it.is_visible());
    Ok(match first {
        Some(JournalStep::Put { path, before, .. }) => sum_at(disk, path)? == *before,
        Some(JournalStep::Place { path, staged, before }) => {
            let there = find_stat(disk, path)?.map(|it| FileStamp::from_stat(&it.stat));
            find_stat(disk, staged)?.is_some() && there == *before
        }
        Some(JournalStep::Remove { path, size, modified_ns }) => find_stat(disk, path)?
            .is_some_and(|it| it.stat.size == *size && it.stat.modified_ns == *modified_ns),
        Some(JournalStep::Rename { from, to }) => {
            find_stat(disk, from)?.is_some() && find_stat(disk, to)?.is_none()
        }
        Some(JournalStep::Keep { .. } | JournalStep::RemoveFolder { .. }) | None => false,
    })
}

/// Completes the changes that were interrupted when the last process ended. Called before anything
/// is read.
pub fn recover_changes(disk: &dyn Disk) -> Result<Vec<RecoveredChange>, StoreError> {
    let listing = match disk.list(layout::JOURNAL) {
        Ok(listing) => listing,
        Err(error) if crate::store::read::load::is_absence(&error) => return Ok(Vec::new()),
        Err(error) => return Err(StoreError::io("list", layout::JOURNAL)(error)),
    };
    let mut recovered = Vec::new();
    let mut kept = BTreeSet::new();
    for item in listing.items.iter().filter(|it| it.kind == FileKind::File) {
        let Some(name) = item.name.strip_suffix(layout::INTENT) else { continue };
        let (folder, intent) = layout::journal_entry(name);
        let Some(steps) = read_intent(disk, &intent)? else {
            tracing::error!(intent, "an intent cannot be read; it is left where it is");
            kept.insert(name.to_string());
            continue;
        };
        let left_alone = apply_steps(disk, &folder, &steps)?;
        finish_change(disk, &folder, &intent)?;
        recovered.push(RecoveredChange { name: name.to_string(), left_alone });
    }
    // Removes bodies staged for intents that were never written.
    for item in listing.items {
        let path = format!("{}/{}", layout::JOURNAL, item.name);
        match item.kind {
            FileKind::Folder if !kept.contains(&item.name) => remove_staged(disk, &path),
            FileKind::File if !item.name.ends_with(layout::INTENT) => _ = disk.remove(&path),
            _ => {}
        }
    }
    Ok(recovered)
}

/// Returns true if there is a committed change that is incomplete.
pub fn is_under_way(disk: &dyn Disk) -> Result<bool, StoreError> {
    match disk.list(layout::JOURNAL) {
        Ok(listing) => Ok(listing.items.iter().any(|it| it.name.ends_with(layout::INTENT))),
        Err(error) if crate::store::read::load::is_absence(&error) => Ok(false),
        Err(error) => Err(StoreError::io("list", layout::JOURNAL)(error)),
    }
}

/// Prepares a change and writes the intent, which commits it.
fn prepare_change(
    disk: &dyn Disk,
    folder: &str,
    intent: &str,
    ops: &[FileOp],
) -> Result<Vec<JournalStep>, JournalError> {
    let steps = plan_steps(disk, folder, ops)?;
    stage_bodies(disk, folder, ops, &steps).map_err(JournalError::Unstarted)?;
    let text = JournalIntent::render_intent(&steps);
    // The intent grows with the change and must be small enough to be read back.
    if text.len() as u64 > INTENT_BYTES_MAX {
        let error = io::Error::from(io::ErrorKind::FileTooLarge);
        return Err(JournalError::Unstarted(StoreError::io("write", intent)(error)));
    }
    share_steps(disk, folder, &steps)?;
    write_intent(disk, intent, &text)?;
    Ok(steps)
}

/// Writes all new bodies below the journal, durably.
fn stage_bodies(
    disk: &dyn Disk,
    folder: &str,
    ops: &[FileOp],
    steps: &[JournalStep],
) -> Result<(), StoreError> {
    let bodies: Vec<(&FilePath, &SummedContent)> =
        ops.iter().filter_map(FileOp::written_file).collect();
    let is_spooled =
        |op: &FileOp| matches!(op, FileOp::Place { source, .. } if is_unfinished(source));
    if bodies.is_empty() && !ops.iter().any(is_spooled) {
        return Ok(());
    }
    // The folder must be durable before the intent: both are names in one folder, and a crash may
    // lose either.
    disk::make_folders(disk, folder)?;
    let mut places = Vec::with_capacity(bodies.len());
    for (number, (path, bytes)) in bodies.into_iter().enumerate() {
        let place = format!("{folder}/{number}");
        let mode = commit::mode_of(disk, path);
        let written = disk.write_unsynced(&place, bytes, mode);
        written.map_err(StoreError::io("write", &place))?;
        places.push(place);
    }
    disk.sync_together(&places, &[]).map_err(StoreError::io("sync", folder))?;
    stage_spooled(disk, ops, steps)?;
    disk.sync_folder(folder).map_err(StoreError::io("sync", folder))
}

/// Gives finished uploads, whose bytes are durable, a name below the journal.
fn stage_spooled(disk: &dyn Disk, ops: &[FileOp], steps: &[JournalStep]) -> Result<(), StoreError> {
    for op in ops {
        let FileOp::Place { source: spooled, path } = op else { continue };
        let staged = steps.iter().find_map(|step| match step {
            JournalStep::Rename { from, to } if *to == **path => Some(from),
            _ => None,
        });
        if let Some(staged) = staged.filter(|it| *it != spooled)
            && !commit::link_or_copy(disk, spooled, staged)?
        {
            let gone = std::io::Error::from(std::io::ErrorKind::NotFound);
            return Err(StoreError::io("keep", spooled)(gone));
        }
    }
    Ok(())
}
