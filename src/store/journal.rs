//! Changes of several files that show whole or not at all, crashes included: a redo journal.
//!
//! New bodies are staged below `journal/`, then one small file says what is to be done with them:
//! the intent. Once it is durable the change will happen, now or when the folder is opened next.
//! Every step tells by the content of the files whether it was done before, so doing all of them
//! again is harmless; where a file is neither as it was nor as it shall be, somebody edited it
//! meanwhile, and it is left alone.

mod staged;

use std::collections::BTreeSet;
use std::io::{self, Read};

use serde::{Deserialize, Serialize};

use crate::stdx::sum::Sum;
use crate::store::commit::{self, Op};
use crate::store::disk::{self, Disk, Kind, ReadError, Stat, parent};
use crate::store::error::StoreError;
pub use crate::store::journal::staged::{Staged, Waiting};
use crate::store::layout::{self, Folder, Key};

/// The format of intents.
const FORMAT: u32 = 1;

/// The largest intent: a million steps.
const INTENT_BYTES_MAX: u64 = 256 * 1024 * 1024;

/// From this many folders on, one sync of the whole disk is quicker than one a folder.
const SYNC_ALL_FOLDERS_MIN: usize = 64;

/// Why a change was not carried through.
#[derive(Debug)]
pub enum Failure {
    /// Nothing was changed.
    Unstarted(StoreError),
    /// A file is not as it was seen; nothing was changed.
    Stale(String),
    /// The change is promised, but not all of it is done: [`recover`] does the rest.
    Unfinished(StoreError),
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Failure {
        Failure::Unstarted(error)
    }
}

/// A change that was found under way and finished.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recovered {
    /// The name of its intent.
    pub name: String,
    /// Files that somebody had edited meanwhile, and that were left as they are.
    pub left_alone: Vec<String>,
}

/// What an intent file says.
#[derive(Debug, Serialize, Deserialize)]
struct Intent {
    format: u32,
    steps: Vec<Step>,
    /// Of the steps as JSON: an intent is believed whole or not at all.
    sum: String,
}

/// A step that can be done any number of times.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
enum Step {
    /// The staged file of this number goes to `path`, where there was `before`.
    Put { path: String, staged: usize, before: Option<String>, after: String },
    /// The file that waits at `staged` goes to `path`, of whatever size both are, while there is
    /// what was seen `before`.
    Place { path: String, staged: String, before: Option<Seen> },
    /// The file at `path` gets a second name while it is still `before`.
    Keep { path: String, kept: String, before: String },
    /// The file goes, while it is still of this size and time.
    Remove { path: String, size: u64, modified_ns: i64 },
    /// The file moves.
    Rename { from: String, to: String },
    /// The folder goes, with what is ours in it.
    RemoveFolder { folder: String },
}

/// What tells that a file is still the one that was seen, also after a crash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Seen {
    size: u64,
    modified_ns: i64,
}

impl Seen {
    fn of(stat: &Stat) -> Seen {
        Seen { size: stat.size, modified_ns: stat.modified_ns }
    }
}

/// Carries a change of several steps through. `name` is unique, and sorts by time.
pub fn write(disk: &dyn Disk, name: &str, ops: &[Op]) -> Result<(), Failure> {
    let (folder, intent) = layout::journal_entry(name);
    let prepared = prepare(disk, &folder, &intent, ops);
    let steps = match prepared {
        Ok(steps) => steps,
        Err(failure) => {
            clear_away(disk, &folder, &intent);
            return match failure {
                Failure::Unstarted(error) if is_full(&error) && ops.iter().all(is_disposal) => {
                    dispose(disk, ops)
                }
                failure => Err(failure),
            };
        }
    };
    let finish = || {
        apply(disk, &folder, &steps)?;
        forget(disk, &folder, &intent)
    };
    finish().map(|_| ()).map_err(Failure::Unfinished)
}

fn is_full(error: &StoreError) -> bool {
    use io::ErrorKind::{QuotaExceeded, StorageFull};
    matches!(error.io_kind(), Some(StorageFull | QuotaExceeded))
}

/// Whether a step only throws away what nobody gets back.
fn is_disposal(op: &Op) -> bool {
    match op {
        Op::Remove { path } => {
            let key = Key::parse(path);
            matches!(key, Some(Key::Trash(..) | Key::Media(..) | Key::MediaMeta(..)))
        }
        Op::RemoveFolder { folder } => {
            matches!(Folder::parse(folder), Some(Folder::Revisions(..)))
        }
        Op::Create { .. } | Op::Replace { .. } | Op::Rename { .. } => false,
    }
}

/// Makes room where there is none for an intent. What belongs to a file goes before the file, so that
/// an end half way leaves the file to be removed again, and nothing that nobody sees.
fn dispose(disk: &dyn Disk, ops: &[Op]) -> Result<(), Failure> {
    let mut dirty = BTreeSet::new();
    let mut go = || {
        for op in ops.iter().rev() {
            match op {
                Op::Remove { path } => match disk.remove(path) {
                    Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                    removed => {
                        removed.map_err(StoreError::io("remove", path))?;
                        dirty.insert(parent(path).to_string());
                    }
                },
                Op::RemoveFolder { folder } => commit::remove_folder(disk, folder)?,
                Op::Create { .. } | Op::Replace { .. } | Op::Rename { .. } => {}
            }
        }
        sync_folders(disk, std::mem::take(&mut dirty))
    };
    go().map_err(Failure::Unfinished)
}

/// Finishes what was under way when the last process ended. To be called before anything is read.
pub fn recover(disk: &dyn Disk) -> Result<Vec<Recovered>, StoreError> {
    let listing = match disk.list(layout::JOURNAL) {
        Ok(listing) => listing,
        Err(error) if crate::store::load::is_absence(&error) => return Ok(Vec::new()),
        Err(error) => return Err(StoreError::io("list", layout::JOURNAL)(error)),
    };
    let mut recovered = Vec::new();
    let mut kept = BTreeSet::new();
    for item in listing.items.iter().filter(|it| it.kind == Kind::File) {
        let Some(name) = item.name.strip_suffix(layout::INTENT) else { continue };
        let (folder, intent) = layout::journal_entry(name);
        let Some(steps) = read_intent(disk, &intent) else {
            tracing::error!(intent, "an intent cannot be read; it is left where it is");
            kept.insert(name.to_string());
            continue;
        };
        let left_alone = apply(disk, &folder, &steps)?;
        forget(disk, &folder, &intent)?;
        recovered.push(Recovered { name: name.to_string(), left_alone });
    }
    // What was staged for intents that were never written.
    for item in listing.items {
        let path = format!("{}/{}", layout::JOURNAL, item.name);
        match item.kind {
            Kind::Folder if !kept.contains(&item.name) => remove_staged(disk, &path),
            Kind::File if !item.name.ends_with(layout::INTENT) => _ = disk.remove(&path),
            _ => {}
        }
    }
    Ok(recovered)
}

/// Whether a change was promised that is not done yet.
pub fn is_under_way(disk: &dyn Disk) -> Result<bool, StoreError> {
    match disk.list(layout::JOURNAL) {
        Ok(listing) => Ok(listing.items.iter().any(|it| it.name.ends_with(layout::INTENT))),
        Err(error) if crate::store::load::is_absence(&error) => Ok(false),
        Err(error) => Err(StoreError::io("list", layout::JOURNAL)(error)),
    }
}

/// Everything up to the moment from which on the change will happen.
fn prepare(disk: &dyn Disk, folder: &str, intent: &str, ops: &[Op]) -> Result<Vec<Step>, Failure> {
    let steps = plan(disk, folder, ops)?;
    stage(disk, folder, ops, &steps).map_err(Failure::Unstarted)?;
    let text = Intent::text(&steps);
    // Its length is that of the change; reading it back has to be possible.
    if text.len() as u64 > INTENT_BYTES_MAX {
        let error = io::Error::from(io::ErrorKind::FileTooLarge);
        return Err(Failure::Unstarted(StoreError::io("write", intent)(error)));
    }
    disk::replace(disk, intent, &text).map_err(Failure::Unstarted)?;
    Ok(steps)
}

/// What has to be so before, and will be so after.
fn plan(disk: &dyn Disk, folder: &str, ops: &[Op]) -> Result<Vec<Step>, Failure> {
    let mut steps = Vec::with_capacity(ops.len());
    let mut bytes = Vec::new();
    let mut staged = 0;
    for op in ops {
        match op {
            Op::Create { path, bytes } => {
                if find(disk, path)?.is_some() {
                    return Err(Failure::Stale(path.clone()));
                }
                let after = Sum::of(bytes).to_string();
                steps.push(Step::Put { path: path.clone(), staged, before: None, after });
                staged += 1;
            }
            Op::Replace { path, bytes: new, seen, keep } => {
                let stat = disk.read(path, &mut bytes).map_err(|error| match error {
                    ReadError::Unreadable(error) => {
                        Failure::Unstarted(StoreError::io("read", path)(error))
                    }
                    _ => Failure::Stale(path.clone()),
                })?;
                if seen.is_some_and(|seen| seen != stat) {
                    return Err(Failure::Stale(path.clone()));
                }
                let before = Sum::of(&bytes).to_string();
                if let Some(kept) = keep {
                    let (path, before) = (path.clone(), before.clone());
                    steps.push(Step::Keep { path, kept: kept.clone(), before });
                }
                let (before, after) = (Some(before), Sum::of(new).to_string());
                steps.push(Step::Put { path: path.clone(), staged, before, after });
                staged += 1;
            }
            Op::Remove { path } => {
                // Gone already: nothing to do, now or later.
                let Some(found) = find(disk, path)? else { continue };
                let (size, modified_ns) = (found.stat.size, found.stat.modified_ns);
                steps.push(Step::Remove { path: path.clone(), size, modified_ns });
            }
            Op::Rename { from, to } => {
                if find(disk, from)?.is_none() {
                    return Err(Failure::Stale(from.clone()));
                }
                if find(disk, to)?.is_some() {
                    return Err(Failure::Stale(to.clone()));
                }
                if is_unfinished(from) {
                    // Whoever wrote it removes it soon: the journal has a name of its own for it.
                    let from = spooled_at(folder, steps.len());
                    steps.push(Step::Rename { from, to: to.clone() });
                    continue;
                }
                steps.push(Step::Rename { from: from.clone(), to: to.clone() });
            }
            Op::RemoveFolder { folder } => {
                steps.push(Step::RemoveFolder { folder: folder.clone() });
            }
        }
    }
    Ok(steps)
}

/// What stands under a path, if anything: that it cannot be looked at does not mean it is gone.
fn find(disk: &dyn Disk, path: &str) -> Result<Option<disk::Found>, StoreError> {
    match disk.stat(path) {
        Ok(found) => Ok(Some(found)),
        Err(error) if crate::store::load::is_absence(&error) => Ok(None),
        Err(error) => Err(StoreError::io("look at", path)(error)),
    }
}

/// Writes every new body below the journal, durably.
fn stage(disk: &dyn Disk, folder: &str, ops: &[Op], steps: &[Step]) -> Result<(), StoreError> {
    let bodies = ops.iter().filter_map(|op| match op {
        Op::Create { path, bytes } | Op::Replace { path, bytes, .. } => Some((path, bytes)),
        Op::Remove { .. } | Op::Rename { .. } | Op::RemoveFolder { .. } => None,
    });
    let bodies: Vec<(&String, &Vec<u8>)> = bodies.collect();
    let is_spooled = |op: &Op| matches!(op, Op::Rename { from, .. } if is_unfinished(from));
    if bodies.is_empty() && !ops.iter().any(is_spooled) {
        return Ok(());
    }
    // Durable before the intent is: both are names in one folder, and a crash may forget either.
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
fn stage_spooled(disk: &dyn Disk, ops: &[Op], steps: &[Step]) -> Result<(), StoreError> {
    for op in ops {
        let Op::Rename { from: spooled, to } = op else { continue };
        let staged = steps.iter().find_map(|step| match step {
            Step::Rename { from, to: target } if target == to => Some(from),
            _ => None,
        });
        if let Some(staged) = staged.filter(|it| *it != spooled) {
            commit::keep(disk, spooled, staged)?;
        }
    }
    Ok(())
}

fn is_unfinished(path: &str) -> bool {
    path.strip_prefix(layout::TMP).is_some_and(|rest| rest.starts_with('/'))
}

fn spooled_at(folder: &str, number: usize) -> String {
    format!("{folder}/spooled-{number}")
}

impl Intent {
    /// The text of the intent to do these steps.
    fn text(steps: &[Step]) -> Vec<u8> {
        let sum = sum_of(steps);
        let intent = Intent { format: FORMAT, steps: steps.to_vec(), sum };
        // Strings and numbers always serialise.
        serde_json::to_vec(&intent).unwrap_or_default()
    }
}

fn sum_of(steps: &[Step]) -> String {
    // As above.
    Sum::of(&serde_json::to_vec(steps).unwrap_or_default()).to_string()
}

/// The steps of an intent, unless it is torn, of another format, or leads out of the folder.
fn read_intent(disk: &dyn Disk, path: &str) -> Option<Vec<Step>> {
    let (file, _) = disk.open(path).ok()?;
    let mut bytes = Vec::new();
    file.take(INTENT_BYTES_MAX).read_to_end(&mut bytes).ok()?;
    let intent: Intent = serde_json::from_slice(&bytes).ok()?;
    let whole = intent.format == FORMAT && intent.sum == sum_of(&intent.steps);
    (whole && intent.steps.iter().all(Step::is_ours)).then_some(intent.steps)
}

impl Step {
    /// Whether it touches only what is ours.
    fn is_ours(&self) -> bool {
        let file = |path: &str| Key::parse(path).is_some();
        match self {
            Step::Put { path, .. } | Step::Remove { path, .. } => file(path),
            Step::Place { path, staged, .. } => file(path) && is_staged(staged),
            Step::Keep { path, kept, .. } => file(path) && file(kept),
            Step::Rename { from, to } => (file(from) || is_staged(from)) && file(to),
            Step::RemoveFolder { folder } => Folder::parse(folder).is_some(),
        }
    }
}

/// Whether a path is that of a file that waits below the journal.
fn is_staged(path: &str) -> bool {
    let mut steps = path.split('/');
    let (first, folder, name, rest) = (steps.next(), steps.next(), steps.next(), steps.next());
    let plain = |it: Option<&str>| it.is_some_and(|it| !matches!(it, "" | "." | ".."));
    first == Some(layout::JOURNAL) && plain(folder) && plain(name) && rest.is_none()
}

/// Does all steps, or what is left of them; the files that were left alone.
fn apply(disk: &dyn Disk, folder: &str, steps: &[Step]) -> Result<Vec<String>, StoreError> {
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

fn sync_folders(disk: &dyn Disk, folders: BTreeSet<String>) -> Result<(), StoreError> {
    if folders.len() >= SYNC_ALL_FOLDERS_MIN {
        match disk.sync_all() {
            Err(error) if error.kind() == io::ErrorKind::Unsupported => {}
            synced => return synced.map_err(StoreError::io("sync", "the data folder")),
        }
    }
    for folder in folders {
        match disk.sync_folder(&folder) {
            // Removed by a later step.
            Err(error) if crate::store::load::is_absence(&error) => {}
            synced => synced.map_err(StoreError::io("sync", folder))?,
        }
    }
    Ok(())
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
fn sum_at(disk: &dyn Disk, path: &str) -> Result<Option<String>, StoreError> {
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

/// The change is done: first the intent goes, durably, then what it needed.
fn forget(disk: &dyn Disk, folder: &str, intent: &str) -> Result<(), StoreError> {
    match disk.remove(intent) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        removed => removed.map_err(StoreError::io("remove", intent))?,
    }
    disk.sync_folder(layout::JOURNAL).map_err(StoreError::io("sync", layout::JOURNAL))?;
    remove_staged(disk, folder);
    Ok(())
}

/// Before the intent was durable: it goes, whatever is there of it.
fn clear_away(disk: &dyn Disk, folder: &str, intent: &str) {
    if disk.remove(intent).is_ok() {
        let _ = disk.sync_folder(layout::JOURNAL);
    }
    remove_staged(disk, folder);
}

/// Garbage at worst, which the next start removes.
fn remove_staged(disk: &dyn Disk, folder: &str) {
    let listing = disk.list(folder).unwrap_or_default();
    for item in listing.items {
        let _ = disk.remove(&format!("{folder}/{}", item.name));
    }
    let _ = disk.remove_folder(folder);
}
