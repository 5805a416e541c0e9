//! Execution of the steps of a change. Each step detects from the files whether it was done before,
//! so that all of them can be repeated.

use std::collections::BTreeSet;
use std::io;

use crate::stdx::checksum::Checksum;
use crate::store::disk::{self, Disk, ReadError, Stat, parent_folder};
use crate::store::error::StoreError;
use crate::store::write::commit;
use crate::store::write::journal::intent::{FileStamp, JournalStep, find_stat, sync_folders};

/// Does all steps that are not done yet. Returns the files that were left as they are.
pub(super) fn apply_steps(
    disk: &dyn Disk,
    folder: &str,
    steps: &[JournalStep],
) -> Result<Vec<String>, StoreError> {
    let mut left_alone = Vec::new();
    let mut dirty = BTreeSet::new();
    keep_old_files(disk, steps)?;
    make_target_folders(disk, steps)?;
    for step in steps {
        match step {
            JournalStep::Put { path, staged, before, after } => {
                let put = PutStep { disk, path, staged: format!("{folder}/{staged}") };
                if !put.apply_put(before.as_deref(), after)? {
                    left_alone.push(path.clone());
                }
                dirty.insert(parent_folder(path).to_string());
            }
            JournalStep::Place { path, staged, before } => {
                if !place_file(disk, path, staged, *before)? {
                    left_alone.push(path.clone());
                }
                dirty.insert(parent_folder(path).to_string());
            }
            JournalStep::Keep { .. } => {}
            JournalStep::Remove { path, size, modified_ns } => {
                remove_file(disk, path, *size, *modified_ns)?;
                dirty.insert(parent_folder(path).to_string());
            }
            JournalStep::Rename { from, to } => {
                rename_file(disk, from, to)?;
                dirty.insert(parent_folder(from).to_string());
                dirty.insert(parent_folder(to).to_string());
            }
            JournalStep::RemoveFolder { folder } => commit::remove_folder(disk, folder)?,
        }
    }
    sync_folders(disk, dirty)?;
    Ok(left_alone)
}

/// Gives old files their second names, durably, before they are replaced: a crash that only
/// persists the replacement would lose them.
fn keep_old_files(disk: &dyn Disk, steps: &[JournalStep]) -> Result<(), StoreError> {
    let mut dirty = BTreeSet::new();
    for step in steps {
        let JournalStep::Keep { path, kept, before } = step else { continue };
        if sum_at(disk, path)?.as_ref() == Some(before) {
            disk::make_folders_unsynced(disk, parent_folder(kept), &mut dirty)?;
            // A file that is replaced in the meantime is left as it is by the step that puts the
            // new body.
            let _ = commit::link_or_copy(disk, path, kept)?;
            dirty.insert(parent_folder(kept).to_string());
        }
    }
    sync_folders(disk, dirty)
}

/// Creates the folders that staged files are moved to, durably: after a crash that only persists
/// the removal of the old name, the file would be lost.
fn make_target_folders(disk: &dyn Disk, steps: &[JournalStep]) -> Result<(), StoreError> {
    let mut made = BTreeSet::new();
    let mut dirty = BTreeSet::new();
    for step in steps {
        let JournalStep::Place { path, .. } = step else { continue };
        if made.insert(parent_folder(path)) {
            disk::make_folders_unsynced(disk, parent_folder(path), &mut dirty)?;
        }
    }
    sync_folders(disk, dirty)
}

/// The move of a new body to its path.
struct PutStep<'a> {
    disk: &'a dyn Disk,
    path: &'a str,
    staged: String,
}

impl PutStep<'_> {
    /// Returns true if the file has its new content.
    fn apply_put(&self, before: Option<&str>, after: &str) -> Result<bool, StoreError> {
        let now = sum_at(self.disk, self.path)?;
        if now.as_deref() == Some(after) {
            return Ok(true);
        }
        if now.as_deref() != before {
            return Ok(false);
        }
        disk::make_folders(self.disk, parent_folder(self.path))?;
        self.move_staged(before).map_err(StoreError::io("write", self.path))
    }

    /// Returns true if the body was moved, and false if the file it replaces was edited. The staged
    /// file is kept, since the step may have to be repeated.
    fn move_staged(&self, before: Option<&str>) -> io::Result<bool> {
        let beside = disk::unfinished_path(self.disk, self.path);
        disk::make_folders(self.disk, parent_folder(&beside)).map_err(io::Error::other)?;
        if self.disk.link(&self.staged, &beside).is_err() {
            commit::copy_file(self.disk, &self.staged, &beside)?;
        }
        if let Some(before) = before {
            let is_expected = |_: &Stat| {
                let sum = sum_at(self.disk, &beside).map_err(io::Error::other)?;
                Ok(sum.as_deref() == Some(before))
            };
            match commit::swap_in(self.disk, &beside, self.path, is_expected) {
                commit::SwapOutcome::Done => return Ok(true),
                commit::SwapOutcome::Edited => return Ok(false),
                commit::SwapOutcome::EditedTwice => {
                    let _ = self.disk.remove(&beside);
                    return Ok(false);
                }
                commit::SwapOutcome::Impossible => {}
                commit::SwapOutcome::Failed(error) | commit::SwapOutcome::Stuck(error) => {
                    return Err(error);
                }
            }
        }
        let rename = |from: &str| {
            if before.is_some() {
                self.disk.rename(from, self.path)
            } else {
                self.disk.rename_new(from, self.path)
            }
        };
        let moved = match rename(&beside) {
            Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {
                let moved = commit::copy_across(self.disk, &self.staged, self.path, rename);
                let _ = self.disk.remove(&beside);
                moved
            }
            moved => moved,
        };
        if moved.is_err() {
            let _ = self.disk.remove(&beside);
        }
        moved.map(|()| true)
    }
}

/// Returns the checksum of the file at a path, if there is one.
pub(super) fn sum_at(disk: &dyn Disk, path: &str) -> Result<Option<String>, StoreError> {
    let mut bytes = Vec::new();
    match disk.read(path, &mut bytes) {
        Ok(_) => Ok(Some(Checksum::of_bytes(&bytes).to_string())),
        Err(ReadError::Missing) => Ok(None),
        // Anything but a readable file matches neither the old nor the new content.
        Err(ReadError::NotAFile(_) | ReadError::TooLarge(_)) => Ok(Some(String::new())),
        Err(ReadError::Unreadable(error)) => Err(StoreError::io("read", path)(error)),
    }
}

/// Returns true if the file has its new content. The staged file is moved, so a missing one means
/// that the step was done.
fn place_file(
    disk: &dyn Disk,
    path: &str,
    staged: &str,
    before: Option<FileStamp>,
) -> Result<bool, StoreError> {
    let Some(waiting) = find_stat(disk, staged)? else { return Ok(true) };
    let there = find_stat(disk, path)?;
    if there.map(|it| FileStamp::from_stat(&it.stat)) != before {
        let is_placed = there.is_some_and(|it| it.stat.inode == waiting.stat.inode);
        return Ok(is_placed);
    }
    let moved = match disk.rename(staged, path) {
        Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {
            commit::copy_across(disk, staged, path, |beside| disk.rename(beside, path))
                .and_then(|()| disk.remove(staged))
        }
        moved => moved,
    };
    moved.map_err(StoreError::io("write", path))?;
    Ok(true)
}

fn remove_file(disk: &dyn Disk, path: &str, size: u64, modified_ns: i64) -> Result<(), StoreError> {
    let same =
        |found: &disk::StatResult| found.stat.size == size && found.stat.modified_ns == modified_ns;
    if !find_stat(disk, path)?.is_some_and(|found| same(&found)) {
        return Ok(());
    }
    match disk.remove(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed.map_err(StoreError::io("remove", path)),
    }
}

fn rename_file(disk: &dyn Disk, from: &str, to: &str) -> Result<(), StoreError> {
    let Some(source) = find_stat(disk, from)? else { return Ok(()) };
    if let Some(target) = find_stat(disk, to)? {
        // The move in two steps was interrupted before the second one.
        let same = target.stat.inode == source.stat.inode;
        return if same {
            disk.remove(from).map_err(StoreError::io("remove", from))
        } else {
            Ok(())
        };
    }
    disk::make_folders(disk, parent_folder(to))?;
    match disk.rename_new(from, to) {
        Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {
            commit::move_across(disk, from, to).map_err(StoreError::io("move", from))
        }
        moved => moved.map_err(StoreError::io("move", from)),
    }
}
