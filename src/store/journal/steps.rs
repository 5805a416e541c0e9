//! Doing the steps of a change. Each tells by the files whether it was done before, so that all of
//! them can be done again.

use std::collections::BTreeSet;
use std::io;

use crate::stdx::sum::Sum;
use crate::store::commit;
use crate::store::disk::{self, Disk, ReadError, Stat, parent};
use crate::store::error::StoreError;
use crate::store::journal::{Seen, Step, find, sync_folders};
use crate::store::layout;

/// Does all steps, or what is left of them; the files that were left alone.
pub(super) fn apply(
    disk: &dyn Disk,
    folder: &str,
    steps: &[Step],
) -> Result<Vec<String>, StoreError> {
    let mut left_alone = Vec::new();
    let mut dirty = BTreeSet::new();
    keep_all(disk, steps)?;
    make_places(disk, steps)?;
    for step in steps {
        match step {
            Step::Put { path, staged, before, after } => {
                let put = Put { disk, path, staged: format!("{folder}/{staged}") };
                if !put.apply(before.as_deref(), after)? {
                    left_alone.push(path.clone());
                }
                dirty.insert(parent(path).to_string());
            }
            Step::Place { path, staged, before } => {
                if !place(disk, path, staged, *before)? {
                    left_alone.push(path.clone());
                }
                dirty.insert(parent(path).to_string());
            }
            Step::Keep { .. } => {}
            Step::Remove { path, size, modified_ns } => {
                remove(disk, path, *size, *modified_ns)?;
                dirty.insert(parent(path).to_string());
            }
            Step::Rename { from, to } => {
                rename(disk, from, to)?;
                dirty.insert(parent(from).to_string());
                dirty.insert(parent(to).to_string());
            }
            Step::RemoveFolder { folder } => commit::remove_folder(disk, folder)?,
        }
    }
    sync_folders(disk, dirty)?;
    Ok(left_alone)
}

/// Gives old files their second names, durably, before anything takes their first: a crash that
/// remembers the latter alone would lose them.
fn keep_all(disk: &dyn Disk, steps: &[Step]) -> Result<(), StoreError> {
    let mut dirty = BTreeSet::new();
    for step in steps {
        let Step::Keep { path, kept, before } = step else { continue };
        if sum_at(disk, path)?.as_ref() == Some(before) {
            disk::make_folders(disk, parent(kept))?;
            commit::keep(disk, path, kept)?;
            dirty.insert(parent(kept).to_string());
        }
    }
    sync_folders(disk, dirty)
}

/// Makes the folders that waiting files are moved to, durably: a crash that remembers of a move only
/// that the file waits no longer would lose it.
fn make_places(disk: &dyn Disk, steps: &[Step]) -> Result<(), StoreError> {
    let mut made = BTreeSet::new();
    let mut dirty = BTreeSet::new();
    for step in steps {
        let Step::Place { path, .. } = step else { continue };
        if made.insert(parent(path)) {
            disk::make_folders_unsynced(disk, parent(path), &mut dirty)?;
        }
    }
    sync_folders(disk, dirty)
}

/// One new body on its way to its place.
struct Put<'a> {
    disk: &'a dyn Disk,
    path: &'a str,
    staged: String,
}

impl Put<'_> {
    /// Whether the file is now as it shall be.
    fn apply(&self, before: Option<&str>, after: &str) -> Result<bool, StoreError> {
        let now = sum_at(self.disk, self.path)?;
        if now.as_deref() == Some(after) {
            return Ok(true);
        }
        if now.as_deref() != before {
            return Ok(false);
        }
        disk::make_folders(self.disk, parent(self.path))?;
        self.move_in(before).map_err(StoreError::io("write", self.path))
    }

    /// Whether it is there; not, when somebody edited what it replaces. The staged file stays where
    /// it is: the step may have to be done again.
    fn move_in(&self, before: Option<&str>) -> io::Result<bool> {
        let beside = disk::unfinished(None);
        disk::make_folders(self.disk, layout::TMP).map_err(io::Error::other)?;
        if self.disk.link(&self.staged, &beside).is_err() {
            commit::copy(self.disk, &self.staged, &beside)?;
        }
        if let Some(before) = before {
            let is_expected = |_: &Stat| {
                let sum = sum_at(self.disk, &beside).map_err(io::Error::other)?;
                Ok(sum.as_deref() == Some(before))
            };
            match commit::swap_in(self.disk, &beside, self.path, is_expected) {
                commit::Swap::Done => return Ok(true),
                commit::Swap::Edited => return Ok(false),
                commit::Swap::EditedTwice => {
                    let _ = self.disk.remove(&beside);
                    return Ok(false);
                }
                commit::Swap::Impossible => {}
                commit::Swap::Failed(error) => return Err(error),
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
                let beside = disk::unfinished(Some(self.path));
                commit::copy(self.disk, &self.staged, &beside)?;
                rename(&beside)
            }
            moved => moved,
        };
        if moved.is_err() {
            let _ = self.disk.remove(&beside);
        }
        moved.map(|()| true)
    }
}

/// The sum of what is under a path, if a file of ours can be read there.
pub(super) fn sum_at(disk: &dyn Disk, path: &str) -> Result<Option<String>, StoreError> {
    let mut bytes = Vec::new();
    match disk.read(path, &mut bytes) {
        Ok(_) => Ok(Some(Sum::of(&bytes).to_string())),
        Err(ReadError::Missing) => Ok(None),
        // Something else stands there: it is neither as it was nor as it shall be.
        Err(ReadError::NotAFile(_) | ReadError::TooLarge(_)) => Ok(Some(String::new())),
        Err(ReadError::Unreadable(error)) => Err(StoreError::io("read", path)(error)),
    }
}

/// Whether the file is now as it shall be. The waiting file is moved, so that it is gone once this
/// was done.
fn place(
    disk: &dyn Disk,
    path: &str,
    staged: &str,
    before: Option<Seen>,
) -> Result<bool, StoreError> {
    let Some(waiting) = find(disk, staged)? else { return Ok(true) };
    let there = find(disk, path)?;
    if there.map(|it| Seen::of(&it.stat)) != before {
        let is_placed = there.is_some_and(|it| it.stat.inode == waiting.stat.inode);
        return Ok(is_placed);
    }
    let moved = match disk.rename(staged, path) {
        Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {
            let beside = disk::unfinished(Some(path));
            commit::copy(disk, staged, &beside)
                .and_then(|()| disk.rename(&beside, path))
                .and_then(|()| disk.remove(staged))
        }
        moved => moved,
    };
    moved.map_err(StoreError::io("write", path))?;
    Ok(true)
}

fn remove(disk: &dyn Disk, path: &str, size: u64, modified_ns: i64) -> Result<(), StoreError> {
    let same =
        |found: &disk::Found| found.stat.size == size && found.stat.modified_ns == modified_ns;
    if !find(disk, path)?.is_some_and(|found| same(&found)) {
        return Ok(());
    }
    match disk.remove(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed.map_err(StoreError::io("remove", path)),
    }
}

fn rename(disk: &dyn Disk, from: &str, to: &str) -> Result<(), StoreError> {
    let Some(source) = find(disk, from)? else { return Ok(()) };
    if let Some(target) = find(disk, to)? {
        // Moved in two steps, of which the second is missing.
        let same = target.stat.inode == source.stat.inode;
        return if same {
            disk.remove(from).map_err(StoreError::io("remove", from))
        } else {
            Ok(())
        };
    }
    disk::make_folders(disk, parent(to))?;
    match disk.rename_new(from, to) {
        Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {
            let beside = disk::unfinished(Some(to));
            commit::copy(disk, from, &beside)
                .and_then(|()| disk.rename_new(&beside, to))
                .and_then(|()| disk.remove(from))
                .map_err(StoreError::io("move", from))
        }
        moved => moved.map_err(StoreError::io("move", from)),
    }
}
