//! Durable commits of batches of changes, each of which becomes visible completely or not at all.
//!
//! A change of one file is a `rename`: before it nothing of the change is visible, and after it and
//! the sync of the folder all of it is durable. A change of several files goes through
//! [`crate::store::write::journal`]. The changes of a batch share their syncs.

mod cross_device;
mod folder_removal;
mod place_over;
mod sharing;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io;

use crate::stdx::processor::ProcessorSlice;
use crate::store::disk::{self, BatchDisk, Disk, FileKind, Stat, parent_folder};
use crate::store::error::StoreError;
use crate::store::layout::{FilePath, Folder, Key};
use crate::store::read::moment::Moment;
pub(in crate::store) use crate::store::write::commit::cross_device::{
    copy_across, copy_file, move_across,
};
pub(in crate::store) use crate::store::write::commit::folder_removal::remove_folder;
use crate::store::write::commit::folder_removal::share_and_remove;
use crate::store::write::file_op::{FileOp, FileTransaction};

/// The outcome of a change in a batch.
#[derive(Debug)]
pub enum CommitOutcome {
    /// The change is durable. If its step wrote a file, this is how the file was found then.
    Done(Option<WrittenStat>),
    /// The change was not made.
    Failed(StoreError),
    /// A file does not have the expected stat: somebody else wrote it.
    Stale(FilePath),
    /// The change was not tried, because an earlier one was not made.
    NotTried,
    /// The change was made, but it may not survive a power failure.
    Uncertain(StoreError),
    /// The change was not made here, and it is not known whether other servers see it.
    Unknown(StoreError),
}

/// The stat of a file that a change wrote.
#[derive(Clone, Copy, Debug)]
pub struct WrittenStat {
    /// The stat, or one that no file has if another file is in its place already.
    pub stat: Stat,
    /// A moment before the stat was read.
    pub since: Moment,
}

/// Commits changes of one step each, in order, and returns an outcome for each. If the result is an
/// error, which is never [`CommitOutcome::Done`], nothing was changed.
pub fn commit_transactions(
    disk: &dyn Disk,
    changes: &[FileTransaction],
) -> Result<Vec<CommitOutcome>, CommitOutcome> {
    commit_batch(&*BatchDisk::begin(disk), changes)
}

/// Commits a change of one step like [`commit_batch`].
pub fn commit_one(disk: &dyn Disk, change: &FileTransaction) -> CommitOutcome {
    match commit_batch(disk, std::slice::from_ref(change)) {
        Ok(outcomes) => outcomes.into_iter().next().unwrap_or(CommitOutcome::Done(None)),
        Err(outcome) => outcome,
    }
}

/// Commits changes like [`commit_transactions`], on a [`BatchDisk`] that keeps the folders open in
/// which they were prepared. If another folder has taken the place of one of them meanwhile, the
/// changes in it are made, but they are [`CommitOutcome::NotTried`] in the folder that counts.
pub fn commit_batch(
    disk: &dyn Disk,
    changes: &[FileTransaction],
) -> Result<Vec<CommitOutcome>, CommitOutcome> {
    let mut batch = TransactionBatch::new(disk);
    let told = batch.stage_all(changes).map_err(CommitOutcome::Failed);
    let (outcomes, is_told) = match told.and_then(|()| batch.share_all(changes)) {
        Ok(None) => {
            let made = batch.apply_beforehand(changes).map(|()| batch.apply_all(changes));
            (made, disk.is_shared())
        }
        Ok(Some(unknown)) => (Ok(unknown), false),
        Err(outcome) => (Err(outcome), false),
    };
    if outcomes.is_err() {
        // The created folders stay, and the next batch assumes that they are durable.
        let _ = batch.sync_folders();
    }
    batch.remove_leftovers();
    if is_told { Ok(batch.settle_shared(changes.len(), outcomes)) } else { outcomes }
}

/// A batch in progress.
struct TransactionBatch<'a> {
    disk: &'a dyn Disk,
    /// The staged files, for every operation with bytes in order.
    waiting: VecDeque<StagedBytes>,
    /// The second names of files that were kept before their replacement.
    kept: BTreeMap<String, String>,
    /// The files that this batch has put in their places, as they were staged.
    placed: BTreeMap<String, Stat>,
    /// The folders with unsynced changes of names.
    dirty: BTreeSet<String>,
}

/// A file with the bytes of an operation, unfinished until it is moved to its path.
#[derive(Default)]
struct StagedBytes {
    place: String,
    /// The stat, once all of it is written. Unknown if the move had to copy the file.
    stat: Option<Stat>,
    /// True if the bytes are durable already.
    is_durable: bool,
}

impl<'a> TransactionBatch<'a> {
    fn new(disk: &'a dyn Disk) -> TransactionBatch<'a> {
        TransactionBatch {
            disk,
            waiting: VecDeque::new(),
            kept: BTreeMap::new(),
            placed: BTreeMap::new(),
            dirty: BTreeSet::new(),
        }
    }

    /// Applies the operations that precede the changes, which may still fail before one is visible.
    fn apply_beforehand(&mut self, changes: &[FileTransaction]) -> Result<(), CommitOutcome> {
        for op in changes.iter().flat_map(|it| &it.beforehand) {
            match self.apply_op(op) {
                CommitOutcome::Done(_) => {}
                outcome => return Err(outcome),
            }
        }
        self.sync_folders().map_err(CommitOutcome::Failed)
    }

    fn stage_all(&mut self, changes: &[FileTransaction]) -> Result<(), StoreError> {
        self.make_folders(changes)?;
        // This precedes the sync of the bytes: on a file system with one journal the syncs of both
        // are merged.
        self.keep_old_files(changes)?;
        // The order in which the staged files are used: first those of `beforehand`.
        let first = changes.iter().flat_map(|it| &it.beforehand);
        let mut slice = ProcessorSlice::begin();
        for op in first.chain(changes.iter().flat_map(|it| &it.steps)) {
            slice.yield_if_over();
            self.stage_bytes(op)?;
        }
        let staged = self.waiting.iter().filter(|it| !it.is_durable);
        let staged: Vec<String> = staged.map(|it| it.place.clone()).collect();
        self.sync_files(&staged)
    }

    /// Gives old files their second names before they are replaced: a crash that only persists the
    /// replacement would lose them.
    fn keep_old_files(&mut self, changes: &[FileTransaction]) -> Result<(), StoreError> {
        for op in changes.iter().flat_map(|it| &it.steps) {
            let (FileOp::Replace { path, seen: Some(seen), keep: Some(keep), .. }
            | FileOp::PlaceOver { path, seen, keep: Some(keep), .. }) = op
            else {
                continue;
            };
            // A file with another stat is detected when its replacement is applied.
            if self.is_as_seen(path, |found| found == seen)? && self.keep_file(path, keep)? {
                self.kept.insert(path.to_string(), keep.to_string());
            }
        }
        Ok(())
    }

    fn make_folders(&mut self, changes: &[FileTransaction]) -> Result<(), StoreError> {
        let mut made = BTreeSet::from([String::new()]);
        let mut make = |path: &str| {
            let folder = parent_folder(path);
            if made.contains(folder) {
                return Ok(());
            }
            made.insert(folder.to_string());
            disk::make_folders_unsynced(self.disk, folder, &mut self.dirty)
        };
        let ops = || changes.iter().flat_map(|it| it.beforehand.iter().chain(&it.steps));
        // Operations that only move or remove files need no free space.
        for (path, _) in ops().filter_map(FileOp::written_file) {
            make(&format!("{}/x", self.disk.unfinished_folder(path)))?;
        }
        for op in ops() {
            match op {
                FileOp::Create { path, .. } => {
                    make(path)?;
                    // If the disk is full later, the entry can still be deleted.
                    if let Some(trash) = trash_folder(path.key()) {
                        make(&format!("{trash}/x"))?;
                    }
                }
                FileOp::Replace { keep: Some(keep), .. } => make(keep)?,
                FileOp::PlaceOver { path, keep, .. } => {
                    make(&format!("{}/x", self.disk.unfinished_folder(path)))?;
                    keep.iter().try_for_each(|it| make(it))?;
                }
                FileOp::Rename { to: path, .. } | FileOp::Place { path, .. } => make(path)?,
                FileOp::Replace { .. } | FileOp::Remove { .. } | FileOp::RemoveFolder { .. } => {}
            }
        }
        Ok(())
    }

    /// Writes the bytes of an operation to an unfinished file.
    fn stage_bytes(&mut self, op: &FileOp) -> Result<(), StoreError> {
        if let FileOp::PlaceOver { source, path, .. } = op {
            return self.stage_upload(source, path);
        }
        let Some((path, bytes)) = op.written_file() else { return Ok(()) };
        let place = disk::unfinished_path(self.disk, path);
        // Recorded before it exists, so that it is removed if writing fails halfway.
        self.waiting.push_back(StagedBytes { place: place.clone(), ..StagedBytes::default() });
        let mode = match op {
            FileOp::Create { .. } => disk::default_mode(path),
            _ => mode_of(self.disk, path),
        };
        let written = self.disk.write_unsynced(&place, bytes, mode);
        let stat = written.map_err(StoreError::io("write", &**path))?;
        if let Some(staged) = self.waiting.back_mut() {
            staged.stat = Some(stat);
        }
        Ok(())
    }

    /// Applies the changes, makes them durable, and applies the operations that follow.
    fn apply_all(&mut self, changes: &[FileTransaction]) -> Vec<CommitOutcome> {
        let mut outcomes = Vec::with_capacity(changes.len());
        for change in changes {
            let stopped = outcomes.last().is_some_and(|it| !matches!(it, CommitOutcome::Done(_)));
            outcomes.push(match change.steps.first() {
                _ if stopped => CommitOutcome::NotTried,
                Some(op) => self.apply_op(op),
                None => CommitOutcome::Done(None),
            });
        }
        let changed = self.dirty.clone();
        if let Err(error) = self.sync_folders() {
            let text = error.to_string();
            for outcome in outcomes.iter_mut().filter(|it| matches!(it, CommitOutcome::Done(_))) {
                let error = StoreError::io("sync", "the folder")(io::Error::other(text.clone()));
                *outcome = CommitOutcome::Uncertain(error);
            }
            return outcomes;
        }
        self.revoke_misplaced(changes, &mut outcomes, &changed);
        for (change, outcome) in changes.iter().zip(&mut outcomes) {
            if let CommitOutcome::Done(written) = outcome {
                *written = written.map(|staged| self.look_again(change, staged));
                self.apply_afterwards(&change.afterwards);
            }
        }
        outcomes
    }

    /// Reads the stat of the file that the step of a change wrote once more: the move has changed
    /// it since the file was staged.
    fn look_again(&self, change: &FileTransaction, staged: WrittenStat) -> WrittenStat {
        let since = Moment::now();
        let written = change.steps.first().and_then(FileOp::written_file);
        let found = written.and_then(|(path, _)| self.disk.stat(path).ok()).map(|it| it.stat);
        let stat = found.filter(|it| staged.stat.has_same_bytes(it)).unwrap_or_default();
        WrittenStat { stat, since }
    }

    /// Takes back the success of changes that are in a folder which is no longer the one of its
    /// path: somebody moved it away. `changed` are the folders with changes of names.
    fn revoke_misplaced(
        &self,
        changes: &[FileTransaction],
        outcomes: &mut [CommitOutcome],
        changed: &BTreeSet<String>,
    ) {
        // What cannot be determined is left to the next sweep.
        let is_misplaced = |it: &&String| !self.disk.is_current(it).unwrap_or(true);
        let misplaced: BTreeSet<&str> =
            changed.iter().filter(is_misplaced).map(String::as_str).collect();
        if misplaced.is_empty() {
            return;
        }
        for (change, outcome) in changes.iter().zip(outcomes) {
            let mut files = change.steps.iter().flat_map(FileOp::list_files);
            let is_lost = files.any(|it| misplaced.contains(parent_folder(it)));
            if is_lost && matches!(outcome, CommitOutcome::Done(_)) {
                *outcome = CommitOutcome::NotTried;
            }
        }
    }

    /// Applies operations that may be lost. Failures are only logged.
    fn apply_afterwards(&mut self, ops: &[FileOp]) {
        for op in ops {
            let failed = match op {
                FileOp::RemoveFolder { folder } => {
                    share_and_remove(self.disk, &folder.path()).err()
                }
                op => commit_one(self.disk, &FileTransaction::single(op.clone())).into_error(),
            };
            if let Some(error) = failed {
                tracing::warn!(%error, "the work after a change failed");
            }
        }
    }

    fn apply_op(&mut self, op: &FileOp) -> CommitOutcome {
        let done = match op {
            FileOp::Create { path, .. } => {
                match self.move_staged(path, |disk, from, to| disk.rename_new(from, to)) {
                    Ok(staged) => return CommitOutcome::of_staged(&staged),
                    Err(error) => Err(error),
                }
            }
            FileOp::Replace { path, seen, keep, .. } => {
                return match self.replace_file(path, *seen, keep.as_deref()) {
                    Ok(Some(staged)) => CommitOutcome::of_staged(&staged),
                    Ok(None) => CommitOutcome::Stale(path.clone()),
                    Err(outcome) => outcome,
                };
            }
            FileOp::PlaceOver { .. } => return self.place_over(op),
            FileOp::Remove { path } => self.remove_file(path),
            FileOp::Rename { from, to } => self.rename_file(from, to),
            FileOp::Place { source, path } => self.rename_file(source, path),
            FileOp::RemoveFolder { folder } => remove_folder(self.disk, &folder.path()),
        };
        done.map_or_else(CommitOutcome::Failed, |()| CommitOutcome::Done(None))
    }

    /// Replaces a file by the staged bytes, and returns these. Returns nothing if the file was
    /// changed since it was seen.
    fn replace_file(
        &mut self,
        path: &str,
        seen: Option<Stat>,
        keep: Option<&str>,
    ) -> Result<Option<StagedBytes>, CommitOutcome> {
        let kept = self.kept.remove(path);
        let placed = self.placed.get(path).copied();
        let same = |found: &Stat| match (&seen, &kept) {
            (None, _) => placed.is_none_or(|it| it.has_same_bytes(found)),
            (Some(seen), None) => seen.is_unchanged(found),
            // The second name only affects the change time.
            (Some(seen), Some(_)) => seen.has_same_bytes(found),
        };
        let mut is_as_seen = self.is_as_seen(path, same)?;
        if let (true, Some(keep), None) = (is_as_seen, keep, &kept) {
            // The file was written by this batch, so it did not exist before.
            is_as_seen = self.keep_file(path, keep)?;
            self.sync_folders()?;
        }
        if !is_as_seen {
            self.waiting.pop_front().map(|it| self.disk.remove(&it.place));
            self.kept.extend(kept.map(|it| (path.to_string(), it)));
            return Ok(None);
        }
        // Of a file that this batch has written, that very file is expected.
        let Some(expected) = seen.or(placed) else {
            return Ok(Some(self.move_staged(path, |disk, from, to| disk.rename(from, to))?));
        };
        let place = self.waiting.front().map(|it| it.place.clone()).unwrap_or_default();
        let swapped = swap_in(self.disk, &place, path, |out| Ok(expected.has_same_bytes(out)));
        self.finish_swap(swapped, path, &place, kept)
    }

    /// Settles what became of a swap with the staged file at `place`: whether the file was still
    /// the one that was seen. `kept` is its second name.
    fn finish_swap(
        &mut self,
        swapped: SwapOutcome,
        path: &str,
        place: &str,
        kept: Option<String>,
    ) -> Result<Option<StagedBytes>, CommitOutcome> {
        if matches!(swapped, SwapOutcome::Impossible) {
            return Ok(Some(self.move_staged(path, |disk, from, to| disk.rename(from, to))?));
        }
        // The remaining file may be the edit of somebody else.
        let staged = self.waiting.pop_front();
        // After a crash the swap may be durable and the swap back may not.
        self.dirty.insert(parent_folder(path).to_string());
        match swapped {
            SwapOutcome::Done | SwapOutcome::Impossible => {
                let staged = staged.unwrap_or_default();
                self.record_placed(path, &staged);
                Ok(Some(staged))
            }
            SwapOutcome::Edited => {
                self.kept.extend(kept.map(|it| (path.to_string(), it)));
                Ok(None)
            }
            SwapOutcome::EditedTwice => {
                // The copy of the seen body is replaced by this newer edit, which a later read of
                // the edit expects there.
                let is_kept = kept.is_some_and(|it| self.disk.rename(place, &it).is_ok());
                if !is_kept {
                    let _ = self.disk.remove(place);
                }
                Ok(None)
            }
            SwapOutcome::Failed(error) => Err(StoreError::io("write", path)(error).into()),
            SwapOutcome::Stuck(error) => {
                Err(CommitOutcome::Uncertain(StoreError::io("write", path)(error)))
            }
        }
    }

    fn is_as_seen(&self, path: &str, same: impl Fn(&Stat) -> bool) -> Result<bool, StoreError> {
        match self.disk.stat(path) {
            Err(error) if crate::store::read::load::is_absence(&error) => Ok(false),
            found => Ok(same(&found.map_err(StoreError::io("look at", path))?.stat)),
        }
    }

    /// Moves the staged bytes to their path, and returns them.
    fn move_staged(
        &mut self,
        path: &str,
        rename: fn(&dyn Disk, &str, &str) -> io::Result<()>,
    ) -> Result<StagedBytes, StoreError> {
        let mut staged = self.waiting.pop_front().unwrap_or_default();
        let place = &staged.place;
        let moved = match rename(self.disk, place, path) {
            Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {
                // The unfinished files are on another file system than the target.
                let moved = copy_across(self.disk, place, path, |it| rename(self.disk, it, path));
                let _ = self.disk.remove(place);
                // The copy has a stat of its own.
                staged.stat = None;
                moved
            }
            moved => moved,
        };
        if moved.is_err() {
            // The remaining file is garbage in the folder of unfinished files.
            let _ = self.disk.remove(&staged.place);
        }
        moved.map_err(StoreError::io("write", path))?;
        self.dirty.insert(parent_folder(path).to_string());
        self.record_placed(path, &staged);
        Ok(staged)
    }

    fn record_placed(&mut self, path: &str, staged: &StagedBytes) {
        if let Some(stat) = staged.stat {
            self.placed.insert(path.to_string(), stat);
        }
    }

    /// Gives a file a second name; see [`link_or_copy`].
    fn keep_file(&mut self, path: &str, kept: &str) -> Result<bool, StoreError> {
        let is_kept = link_or_copy(self.disk, path, kept)?;
        self.dirty.insert(parent_folder(kept).to_string());
        Ok(is_kept)
    }

    fn remove_file(&mut self, path: &str) -> Result<(), StoreError> {
        match self.disk.remove(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            removed => {
                self.dirty.insert(parent_folder(path).to_string());
                removed.map_err(StoreError::io("remove", path))
            }
        }
    }

    fn rename_file(&mut self, from: &str, to: &str) -> Result<(), StoreError> {
        match self.disk.rename_new(from, to) {
            Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {
                move_across(self.disk, from, to).map_err(StoreError::io("move", from))?;
            }
            moved => moved.map_err(StoreError::io("move", from))?,
        }
        self.dirty.insert(parent_folder(from).to_string());
        self.dirty.insert(parent_folder(to).to_string());
        Ok(())
    }

    fn sync_folders(&mut self) -> Result<(), StoreError> {
        self.sync_files(&[])
    }

    /// Syncs the bytes of files, and all folders with changed names.
    fn sync_files(&mut self, files: &[String]) -> Result<(), StoreError> {
        let folders: Vec<String> = self.dirty.iter().cloned().collect();
        let synced = self.disk.sync_together(files, &folders);
        // Folders that could not be synced stay listed, so that their content does not count as
        // durable.
        synced.map_err(StoreError::io("sync", "what was written"))?;
        self.dirty.clear();
        Ok(())
    }

    /// Removes staged files that were not moved, and second names of files that were not replaced.
    fn remove_leftovers(&mut self) {
        for kept in std::mem::take(&mut self.kept).into_values() {
            if self.disk.remove(&kept).is_err() && self.disk.is_shared() {
                // Other servers do not have it. If it cannot be removed now, it is later.
                let _ = self.disk.restore_shared();
            }
        }
        for staged in self.waiting.drain(..) {
            let _ = self.disk.remove(&staged.place);
        }
    }
}

impl From<StoreError> for CommitOutcome {
    fn from(error: StoreError) -> CommitOutcome {
        CommitOutcome::Failed(error)
    }
}

impl CommitOutcome {
    /// The outcome of an operation that moved these bytes to their path.
    fn of_staged(staged: &StagedBytes) -> CommitOutcome {
        CommitOutcome::Done(staged.stat.map(|stat| WrittenStat { stat, since: Moment::now() }))
    }

    fn into_error(self) -> Option<StoreError> {
        match self {
            CommitOutcome::Failed(error)
            | CommitOutcome::Uncertain(error)
            | CommitOutcome::Unknown(error) => Some(error),
            CommitOutcome::Done(_) | CommitOutcome::Stale(_) | CommitOutcome::NotTried => None,
        }
    }
}

/// The outcome of replacing a file by a swap.
pub(in crate::store) enum SwapOutcome {
    /// The file is in place, and the old one is removed.
    Done,
    /// The old file was not the expected one: somebody edited it a moment ago. It is back in place,
    /// and the new file is removed.
    Edited,
    /// Like `Edited`, but the file was edited again before it was back: the newest edit is in
    /// place, the one before it is still at `place`.
    EditedTwice,
    /// Swapping is not supported here; nothing was done.
    Impossible,
    /// Nothing was done, or the old file is still at `place`.
    Failed(io::Error),
    /// The file is in place but should not be: the old file was not the expected one, or could not
    /// be checked, and cannot be put back. It is still at `place`.
    Stuck(io::Error),
}

/// Swaps the file at `place` with the one at `path`, and checks the one that was replaced. With a
/// check before a `rename` an edit in between would be lost.
pub(in crate::store) fn swap_in(
    disk: &dyn Disk,
    place: &str,
    path: &str,
    is_expected: impl Fn(&Stat) -> io::Result<bool>,
) -> SwapOutcome {
    match disk.exchange(place, path) {
        Ok(()) => {}
        Err(error) if disk::cannot_exchange(&error) => return SwapOutcome::Impossible,
        // The file was removed since it was checked.
        Err(error) if crate::store::read::load::is_absence(&error) => {
            let _ = disk.remove(place);
            return SwapOutcome::Edited;
        }
        Err(error) => {
            let _ = disk.remove(place);
            return SwapOutcome::Failed(error);
        }
    }
    let ours = disk.stat(path).map(|it| it.stat.inode);
    let out = disk.stat(place).and_then(|found| is_expected(&found.stat));
    if matches!(out, Ok(true)) {
        // At worst the file remains as garbage in the folder of unfinished files.
        let _ = disk.remove(place);
        return SwapOutcome::Done;
    }
    if let Err(error) = disk.exchange(place, path) {
        return SwapOutcome::Stuck(error);
    }
    let back = disk.stat(place).map(|it| it.stat.inode);
    if ours.is_ok_and(|ours| back.is_ok_and(|back| back != ours)) {
        return match disk.exchange(place, path) {
            Ok(()) => SwapOutcome::EditedTwice,
            Err(error) => SwapOutcome::Failed(error),
        };
    }
    let _ = disk.remove(place);
    out.map_or_else(SwapOutcome::Failed, |_| SwapOutcome::Edited)
}

/// Returns the trash folder of an entry.
fn trash_folder(key: &Key) -> Option<String> {
    match key {
        Key::Entry(ws, of, _) => Some(Folder::Trash(ws.clone(), of.clone()).path()),
        _ => None,
    }
}

/// Returns the permission bits for the replacement of a file, or for a new one.
pub(in crate::store) fn mode_of(disk: &dyn Disk, path: &str) -> u32 {
    let old = disk.stat(path).ok().filter(|found| found.kind == FileKind::File);
    old.map_or_else(|| disk::default_mode(path), |found| found.mode)
}

/// Gives a file a second name, or copies it if the file system has no links. Returns `false` if the
/// file is gone: removed since it was checked, or replaced while it was linked.
pub(in crate::store) fn link_or_copy(
    disk: &dyn Disk,
    path: &str,
    kept: &str,
) -> Result<bool, StoreError> {
    match disk.link(path, kept) {
        Ok(()) => Ok(true),
        // An earlier attempt has kept it already.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(_) => {
            let beside = disk::unfinished_path(disk, kept);
            disk::make_folders(disk, parent_folder(&beside))?;
            let copied =
                copy_file(disk, path, &beside).and_then(|()| disk.rename_new(&beside, kept));
            if copied.is_err() {
                let _ = disk.remove(&beside);
            }
            copied.map(|()| true).map_err(StoreError::io("keep", path))
        }
    }
}
