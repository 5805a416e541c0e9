//! Making changes durable: batches of them, each of which shows in the folder whole or not at all.
//!
//! A change of one file is a `rename`: before it nothing of the change is there, after it and the
//! sync of the folder all of it is. What several files have to say together goes through
//! [`crate::store::journal`]. Changes of one batch share their syncs.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io::{self, Read, Write};

use crate::store::disk::{self, Disk, Kind, Stat, parent};
use crate::store::error::StoreError;
use crate::store::layout;

/// One step of a change, on files of the data folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Op {
    /// Makes a file that must not be there.
    Create {
        /// Where.
        path: String,
        /// What is in it.
        bytes: Vec<u8>,
    },
    /// Puts other bytes in the place of a file.
    Replace {
        /// Where.
        path: String,
        /// What is in it from now on.
        bytes: Vec<u8>,
        /// The stat the file must still have; none where an earlier change of the batch wrote it, or
        /// where it does not matter.
        seen: Option<Stat>,
        /// Where the old file is kept.
        keep: Option<String>,
    },
    /// Removes a file. One that is gone is fine.
    Remove {
        /// Where.
        path: String,
    },
    /// Moves a file to a name that must be free.
    Rename {
        /// From where.
        from: String,
        /// To where.
        to: String,
    },
    /// Removes a folder with all files of ours in it and below; what is not ours stays.
    RemoveFolder {
        /// Which.
        folder: String,
    },
}

/// Several steps that are one change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Change {
    /// Harmless by themselves, and durable before anything below happens.
    pub beforehand: Vec<Op>,
    /// The change itself: as it is with one step, through the journal with several.
    pub steps: Vec<Op>,
    /// Harmless when they are lost; done once the change is durable.
    pub afterwards: Vec<Op>,
}

/// What became of one change of a batch.
#[derive(Debug)]
pub enum Outcome {
    /// It is durable.
    Done,
    /// It was not made.
    Failed(StoreError),
    /// A file is not as it was seen: somebody else wrote it.
    Stale(String),
    /// Not tried, because one before it was not made.
    NotTried,
    /// It was made, but whether it survives a power cut cannot be said.
    Uncertain(StoreError),
}

impl Op {
    /// The path that is there afterwards, or no longer.
    pub fn path(&self) -> &str {
        match self {
            Op::Create { path, .. } | Op::Replace { path, .. } | Op::Remove { path } => path,
            Op::Rename { to, .. } => to,
            Op::RemoveFolder { folder } => folder,
        }
    }

    /// Every path it touches.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        let from = if let Op::Rename { from, .. } = self { Some(from.as_str()) } else { None };
        from.into_iter().chain(std::iter::once(self.path()))
    }

    /// The bytes it brings.
    fn bytes(&self) -> Option<&[u8]> {
        match self {
            Op::Create { bytes, .. } | Op::Replace { bytes, .. } => Some(bytes),
            Op::Remove { .. } | Op::Rename { .. } | Op::RemoveFolder { .. } => None,
        }
    }
}

impl Change {
    /// Whether nothing is to be done.
    pub fn is_empty(&self) -> bool {
        self.beforehand.is_empty() && self.steps.is_empty() && self.afterwards.is_empty()
    }

    /// Whether it needs the journal.
    pub fn is_compound(&self) -> bool {
        self.steps.len() > 1 || matches!(self.steps.first(), Some(Op::RemoveFolder { .. }))
    }
}

/// Makes changes of one step each, in order; there is an outcome for each. With an error, which is
/// no [`Outcome::Done`], nothing at all was changed.
pub fn write(disk: &dyn Disk, changes: &[Change]) -> Result<Vec<Outcome>, Outcome> {
    let mut batch = Batch::new(disk);
    let outcomes = batch.prepare(changes).map(|()| batch.carry_out(changes));
    if outcomes.is_err() {
        // Folders that were made stay, and the next batch takes them for durable.
        let _ = batch.sync_folders();
    }
    batch.clear_away();
    outcomes
}

/// A batch under way.
struct Batch<'a> {
    disk: &'a dyn Disk,
    /// For every step with bytes, in order: where they wait to be moved to their place.
    waiting: VecDeque<String>,
    /// Files that have their second name already, and where that is.
    kept: BTreeMap<String, String>,
    /// Folders whose names have changed since they were synced.
    dirty: BTreeSet<String>,
}

impl<'a> Batch<'a> {
    fn new(disk: &'a dyn Disk) -> Batch<'a> {
        Batch { disk, waiting: VecDeque::new(), kept: BTreeMap::new(), dirty: BTreeSet::new() }
    }

    /// Everything that can fail before anything shows: folders, bytes, what goes before.
    fn prepare(&mut self, changes: &[Change]) -> Result<(), Outcome> {
        self.stage_all(changes).map_err(Outcome::Failed)?;
        for op in changes.iter().flat_map(|it| &it.beforehand) {
            match self.apply(op) {
                Outcome::Done => {}
                outcome => return Err(outcome),
            }
        }
        self.sync_folders().map_err(Outcome::Failed)
    }

    fn stage_all(&mut self, changes: &[Change]) -> Result<(), StoreError> {
        self.make_folders(changes)?;
        // Before the bytes are synced: where the file system keeps one journal, their syncs and those
        // of the folders of the second names become one.
        self.keep_all(changes)?;
        // In the order in which they are taken: first all that goes before.
        let first = changes.iter().flat_map(|it| &it.beforehand);
        for op in first.chain(changes.iter().flat_map(|it| &it.steps)) {
            self.stage(op)?;
        }
        let staged = Vec::from(self.waiting.clone());
        self.sync(&staged)
    }

    /// Old files get their second names before anything takes their first: a crash that remembers
    /// the latter alone would lose them.
    fn keep_all(&mut self, changes: &[Change]) -> Result<(), StoreError> {
        for op in changes.iter().flat_map(|it| &it.steps) {
            let Op::Replace { path, seen: Some(seen), keep: Some(keep), .. } = op else { continue };
            // What is not as it was seen is noticed when its turn comes.
            if self.is_as_seen(path, |found| found == seen)? {
                self.keep(path, keep)?;
                self.kept.insert(path.clone(), keep.clone());
            }
        }
        Ok(())
    }

    fn make_folders(&mut self, changes: &[Change]) -> Result<(), StoreError> {
        let mut made = BTreeSet::from([String::new()]);
        let mut make = |path: &str| {
            let folder = parent(path);
            if made.contains(folder) {
                return Ok(());
            }
            made.insert(folder.to_string());
            disk::make_folders_unsynced(self.disk, folder, &mut self.dirty)
        };
        let ops = || changes.iter().flat_map(|it| it.beforehand.iter().chain(&it.steps));
        // What only moves or removes files works on a disk without any room.
        if ops().any(|it| it.bytes().is_some()) {
            make(&format!("{}/x", layout::TMP))?;
        }
        for op in ops() {
            match op {
                Op::Create { path, .. } => {
                    make(path)?;
                    // On a disk that is full by then the entry can still be deleted.
                    if let Some(trash) = trash_of(path) {
                        make(&format!("{trash}/x"))?;
                    }
                }
                Op::Replace { keep: Some(keep), .. } => make(keep)?,
                Op::Rename { to, .. } => make(to)?,
                Op::Replace { .. } | Op::Remove { .. } | Op::RemoveFolder { .. } => {}
            }
        }
        Ok(())
    }

    /// Writes the bytes of a step where nobody sees them.
    fn stage(&mut self, op: &Op) -> Result<(), StoreError> {
        let Some(bytes) = op.bytes() else { return Ok(()) };
        let place = disk::unfinished(None);
        // Known before it is there, so that it is cleared away when writing fails half way.
        self.waiting.push_back(place.clone());
        let mode = match op {
            Op::Create { path, .. } => disk::default_mode(path),
            op => mode_of(self.disk, op.path()),
        };
        let written = self.disk.write_unsynced(&place, bytes, mode);
        written.map_err(StoreError::io("write", op.path()))
    }

    /// The changes themselves, then their durability, then what follows.
    fn carry_out(&mut self, changes: &[Change]) -> Vec<Outcome> {
        let mut outcomes = Vec::with_capacity(changes.len());
        for change in changes {
            let stopped = outcomes.last().is_some_and(|it| !matches!(it, Outcome::Done));
            outcomes.push(match change.steps.first() {
                _ if stopped => Outcome::NotTried,
                Some(op) => self.apply(op),
                None => Outcome::Done,
            });
        }
        if let Err(error) = self.sync_folders() {
            let text = error.to_string();
            for outcome in outcomes.iter_mut().filter(|it| matches!(it, Outcome::Done)) {
                let error = StoreError::io("sync", "the folder")(io::Error::other(text.clone()));
                *outcome = Outcome::Uncertain(error);
            }
            return outcomes;
        }
        for (change, outcome) in changes.iter().zip(&outcomes) {
            if matches!(outcome, Outcome::Done) && !change.afterwards.is_empty() {
                self.follow_up(&change.afterwards);
            }
        }
        outcomes
    }

    /// Steps whose loss harms nobody: that they failed is told to the operator alone.
    fn follow_up(&mut self, ops: &[Op]) {
        let change = |op: &Op| Change { steps: vec![op.clone()], ..Change::default() };
        for op in ops {
            let failed = match op {
                Op::RemoveFolder { folder } => remove_folder(self.disk, folder).err(),
                op => match write(self.disk, &[change(op)]) {
                    Ok(outcomes) => outcomes.into_iter().find_map(Outcome::into_error),
                    Err(outcome) => outcome.into_error(),
                },
            };
            if let Some(error) = failed {
                tracing::warn!(%error, "what follows a change could not be done");
            }
        }
    }

    fn apply(&mut self, op: &Op) -> Outcome {
        let done = match op {
            Op::Create { path, .. } => {
                self.move_in(path, |disk, from, to| disk.rename_new(from, to))
            }
            Op::Replace { path, seen, keep, .. } => {
                match self.replace(path, *seen, keep.as_deref()) {
                    Ok(true) => Ok(()),
                    Ok(false) => return Outcome::Stale(path.clone()),
                    Err(error) => Err(error),
                }
            }
            Op::Remove { path } => self.remove(path),
            Op::Rename { from, to } => self.rename(from, to),
            Op::RemoveFolder { folder } => remove_folder(self.disk, folder),
        };
        match done {
            Ok(()) => Outcome::Done,
            Err(error) => Outcome::Failed(error),
        }
    }

    /// Puts staged bytes in the place of a file; whether it was still the one that was seen.
    fn replace(
        &mut self,
        path: &str,
        seen: Option<Stat>,
        keep: Option<&str>,
    ) -> Result<bool, StoreError> {
        let kept = self.kept.remove(path);
        let same = |found: &Stat| match (&seen, &kept) {
            (None, _) => true,
            (Some(seen), None) => seen.is_of(found),
            // Its second name has changed its last time, and nothing else.
            (Some(seen), Some(_)) => seen.is_of_same_bytes(found),
        };
        if !self.is_as_seen(path, same)? {
            self.waiting.pop_front().map(|it| self.disk.remove(&it));
            self.kept.extend(kept.map(|it| (path.to_string(), it)));
            return Ok(false);
        }
        if let (Some(keep), None) = (keep, &kept) {
            // Written by this very batch, and so not there before.
            self.keep(path, keep).and_then(|()| self.sync_folders())?;
        }
        let Some(seen) = seen else {
            self.move_in(path, |disk, from, to| disk.rename(from, to))?;
            return Ok(true);
        };
        let place = self.waiting.front().cloned().unwrap_or_default();
        match swap_in(self.disk, &place, path, |out| Ok(seen.is_of_same_bytes(out))) {
            Swap::Done => {
                self.waiting.pop_front();
                self.dirty.insert(parent(path).to_string());
                Ok(true)
            }
            Swap::Edited => {
                self.waiting.pop_front();
                self.dirty.insert(parent(path).to_string());
                self.kept.extend(kept.map(|it| (path.to_string(), it)));
                Ok(false)
            }
            Swap::EditedTwice => {
                self.waiting.pop_front();
                self.dirty.insert(parent(path).to_string());
                // In the place of the body that was seen: whoever takes the newest edit in has that.
                let is_kept = kept.is_some_and(|it| self.disk.rename(&place, &it).is_ok());
                if !is_kept {
                    let _ = self.disk.remove(&place);
                }
                Ok(false)
            }
            Swap::Impossible => {
                self.move_in(path, |disk, from, to| disk.rename(from, to))?;
                Ok(true)
            }
            Swap::Failed(error) => {
                // What is left there may be the edit of somebody else.
                self.waiting.pop_front();
                // A crash could remember the swap without its way back.
                self.dirty.insert(parent(path).to_string());
                Err(StoreError::io("write", path)(error))
            }
        }
    }

    fn is_as_seen(&self, path: &str, same: impl Fn(&Stat) -> bool) -> Result<bool, StoreError> {
        match self.disk.stat(path) {
            Err(error) if crate::store::load::is_absence(&error) => Ok(false),
            found => Ok(same(&found.map_err(StoreError::io("look at", path))?.stat)),
        }
    }

    /// Moves the bytes that were staged next to their place.
    fn move_in(
        &mut self,
        path: &str,
        rename: fn(&dyn Disk, &str, &str) -> io::Result<()>,
    ) -> Result<(), StoreError> {
        let place = self.waiting.pop_front().unwrap_or_default();
        let moved = match rename(self.disk, &place, path) {
            Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {
                // Unfinished files are on another file system than the place.
                let beside = disk::unfinished(Some(path));
                copy(self.disk, &place, &beside).and_then(|()| rename(self.disk, &beside, path))
            }
            moved => moved,
        };
        if moved.is_err() {
            // Not moved: garbage in a folder for garbage.
            let _ = self.disk.remove(&place);
        }
        moved.map_err(StoreError::io("write", path))?;
        self.dirty.insert(parent(path).to_string());
        Ok(())
    }

    /// Keeps the file under a second name: not a byte is written where the file system can do that.
    fn keep(&mut self, path: &str, kept: &str) -> Result<(), StoreError> {
        keep(self.disk, path, kept)?;
        self.dirty.insert(parent(kept).to_string());
        Ok(())
    }

    fn remove(&mut self, path: &str) -> Result<(), StoreError> {
        match self.disk.remove(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            removed => {
                self.dirty.insert(parent(path).to_string());
                removed.map_err(StoreError::io("remove", path))
            }
        }
    }

    fn rename(&mut self, from: &str, to: &str) -> Result<(), StoreError> {
        match self.disk.rename_new(from, to) {
            Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {
                let beside = disk::unfinished(Some(to));
                let copied = copy(self.disk, from, &beside);
                copied
                    .and_then(|()| self.disk.rename_new(&beside, to))
                    .and_then(|()| self.disk.remove(from))
                    .map_err(StoreError::io("move", from))?;
            }
            moved => moved.map_err(StoreError::io("move", from))?,
        }
        self.dirty.insert(parent(from).to_string());
        self.dirty.insert(parent(to).to_string());
        Ok(())
    }

    fn sync_folders(&mut self) -> Result<(), StoreError> {
        self.sync(&[])
    }

    /// Makes the bytes of files durable, and all folders whose names have changed.
    fn sync(&mut self, files: &[String]) -> Result<(), StoreError> {
        let folders: Vec<String> = self.dirty.iter().cloned().collect();
        let synced = self.disk.sync_together(files, &folders);
        // Folders that could not be synced stay, or what is in them would pass for durable.
        synced.map_err(StoreError::io("sync", "what was written"))?;
        self.dirty.clear();
        Ok(())
    }

    /// What was staged and never moved, and second names of files that still have their first.
    fn clear_away(&mut self) {
        for kept in std::mem::take(&mut self.kept).into_values() {
            let _ = self.disk.remove(&kept);
        }
        for place in self.waiting.drain(..) {
            let _ = self.disk.remove(&place);
        }
    }
}

impl Outcome {
    fn into_error(self) -> Option<StoreError> {
        match self {
            Outcome::Failed(error) | Outcome::Uncertain(error) => Some(error),
            Outcome::Done | Outcome::Stale(_) | Outcome::NotTried => None,
        }
    }
}

/// What came of putting a file in the place of another by a swap.
pub(super) enum Swap {
    /// It is in its place, and the other is gone.
    Done,
    /// What stood there was not what was expected: somebody edited it a moment before. It is back in
    /// its place, and the new file is gone.
    Edited,
    /// The same, and it was edited once more before it was back: the newest edit is in its place, the
    /// one before still at `place`.
    EditedTwice,
    /// Files cannot be swapped here, and nothing was done.
    Impossible,
    /// Nothing was done, or what came out is still at `place`.
    Failed(io::Error),
}

/// Puts the file at `place` at `path` in one step, and looks at what stood there until then: between
/// a look at a file and its replacement by `rename` an edit by somebody else would vanish.
pub(super) fn swap_in(
    disk: &dyn Disk,
    place: &str,
    path: &str,
    is_expected: impl Fn(&Stat) -> io::Result<bool>,
) -> Swap {
    match disk.exchange(place, path) {
        Ok(()) => {}
        Err(error) if disk::cannot_exchange(&error) => return Swap::Impossible,
        // Gone since it was looked at.
        Err(error) if crate::store::load::is_absence(&error) => {
            let _ = disk.remove(place);
            return Swap::Edited;
        }
        Err(error) => {
            let _ = disk.remove(place);
            return Swap::Failed(error);
        }
    }
    let ours = disk.stat(path).map(|it| it.stat.inode);
    let out = disk.stat(place).and_then(|found| is_expected(&found.stat));
    if matches!(out, Ok(true)) {
        // Left behind at worst in a folder for garbage.
        let _ = disk.remove(place);
        return Swap::Done;
    }
    if let Err(error) = disk.exchange(place, path) {
        return Swap::Failed(error);
    }
    let back = disk.stat(place).map(|it| it.stat.inode);
    if ours.is_ok_and(|ours| back.is_ok_and(|back| back != ours)) {
        return match disk.exchange(place, path) {
            Ok(()) => Swap::EditedTwice,
            Err(error) => Swap::Failed(error),
        };
    }
    let _ = disk.remove(place);
    out.map_or_else(Swap::Failed, |_| Swap::Edited)
}

/// The folder that an entry at this path goes to when it is deleted.
fn trash_of(path: &str) -> Option<String> {
    match layout::Key::parse(path)? {
        layout::Key::Entry(ws, of, _) => Some(layout::Folder::Trash(ws, of).path()),
        _ => None,
    }
}

/// The permission bits of what takes the place of a file, or of a new one.
pub(super) fn mode_of(disk: &dyn Disk, path: &str) -> u32 {
    let old = disk.stat(path).ok().filter(|found| found.kind == Kind::File);
    old.map_or_else(|| disk::default_mode(path), |found| found.mode)
}

/// Gives a file a second name, or makes a copy where that cannot be.
pub(super) fn keep(disk: &dyn Disk, path: &str, kept: &str) -> Result<(), StoreError> {
    match disk.link(path, kept) {
        Ok(()) => Ok(()),
        // Kept already: by an earlier try.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Err(StoreError::io("keep", path)(error))
        }
        Err(_) => {
            let beside = disk::unfinished(None);
            let copied = copy(disk, path, &beside).and_then(|()| disk.rename_new(&beside, kept));
            if copied.is_err() {
                let _ = disk.remove(&beside);
            }
            copied.map_err(StoreError::io("keep", path))
        }
    }
}

/// Copies a file of any size; the copy is durable, its name is not yet.
pub(super) fn copy(disk: &dyn Disk, from: &str, to: &str) -> io::Result<()> {
    const CHUNK_BYTES: usize = 256 * 1024;
    let (mut source, _) = disk.open(from).map_err(|error| match error {
        disk::ReadError::Unreadable(error) => error,
        disk::ReadError::Missing => io::Error::from(io::ErrorKind::NotFound),
        other => io::Error::other(other.problem(from).message),
    })?;
    let mut target = disk.create(to)?;
    let mut chunk = vec![0; CHUNK_BYTES];
    loop {
        let read = source.read(&mut chunk)?;
        if read == 0 {
            break;
        }
        target.write_all(chunk.get(..read).unwrap_or_default())?;
    }
    disk.sync_file(to)
}

/// Removes what is ours in a folder and below, then the folders that are empty then, durably.
pub(super) fn remove_folder(disk: &dyn Disk, folder: &str) -> Result<(), StoreError> {
    if !remove_tree(disk, folder)? {
        return Ok(());
    }
    match disk.sync_folder(parent(folder)) {
        // Neither it nor the folder it would be in was ever there.
        Err(error) if crate::store::load::is_absence(&error) => Ok(()),
        synced => synced.map_err(StoreError::io("sync", parent(folder))),
    }
}

/// Whether the folder itself went: then whatever was below is as gone as the folder. Where it stays,
/// because something of others is in it, what went is synced.
fn remove_tree(disk: &dyn Disk, folder: &str) -> Result<bool, StoreError> {
    let listing = match disk.list(folder) {
        Ok(listing) => listing,
        Err(error) if crate::store::load::is_absence(&error) => return Ok(true),
        Err(error) => return Err(StoreError::io("list", folder)(error)),
    };
    let place = layout::Folder::parse(folder);
    let is_ours = |name: &str| place.as_ref().is_some_and(|it| it.file(name).ours().is_some());
    for item in listing.items {
        let path = format!("{folder}/{}", item.name);
        match item.kind {
            Kind::Folder => _ = remove_tree(disk, &path)?,
            Kind::File if is_ours(&item.name) => match disk.remove(&path) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                removed => removed.map_err(StoreError::io("remove", path))?,
            },
            Kind::File | Kind::Link | Kind::Other => {}
        }
    }
    match disk.remove_folder(folder) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => {
            disk.sync_folder(folder).map_err(StoreError::io("sync", folder))?;
            Ok(false)
        }
        Err(error) => Err(StoreError::io("remove", folder)(error)),
    }
}
