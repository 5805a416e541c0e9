//! Changes of several files that show whole or not at all, crashes included: a redo journal.
//!
//! New bodies are staged below `journal/`, then one small file says what is to be done with them:
//! the intent. Once it is durable the change will happen, now or when the folder is opened next.
//! Every step tells by the content of the files whether it was done before, so doing all of them
//! again is harmless; where a file is neither as it was nor as it shall be, somebody edited it
//! meanwhile, and it is left alone.

mod disposal;
mod staged;
mod steps;

use std::collections::BTreeSet;
use std::io::{self, Read};

use serde::{Deserialize, Serialize};

use crate::stdx::sum::Sum;
use crate::store::commit::{self, Op};
use crate::store::disk::{self, Disk, Kind, ReadError, Stat, parent};
use crate::store::error::StoreError;
use crate::store::journal::disposal::{dispose, is_disposal, is_full};
pub use crate::store::journal::staged::{Staged, Waiting};
use crate::store::journal::steps::{apply, sum_at};
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
    if let Err(error) = apply(disk, &folder, &steps) {
        return Err(match take_back(disk, &folder, &intent, &steps) {
            Ok(true) => Failure::Unstarted(error),
            Ok(false) | Err(_) => Failure::Unfinished(error),
        });
    }
    remove_spooled(disk, ops);
    forget(disk, &folder, &intent).map_err(Failure::Unfinished)
}

/// Removes the first names of uploads that are in their place now. Whoever wrote them would do so
/// too, but only once it is known in which state the files are: losing a name changes that.
fn remove_spooled(disk: &dyn Disk, ops: &[Op]) {
    for op in ops {
        if let Op::Rename { from, .. } = op
            && is_unfinished(from)
        {
            let _ = disk.remove(from);
        }
    }
}

/// Whether the change will never happen: what does not show anywhere need not happen any more.
fn take_back(
    disk: &dyn Disk,
    folder: &str,
    intent: &str,
    steps: &[Step],
) -> Result<bool, StoreError> {
    if !is_untouched(disk, steps)? {
        return Ok(false);
    }
    // A file may have been swapped in and out again, of which a crash could remember only the former:
    // without an intent, part of the change would show.
    let first = steps.iter().find(|it| it.shows());
    sync_folders(disk, first.into_iter().flat_map(Step::folders).collect())?;
    forget(disk, folder, intent)?;
    Ok(true)
}

/// Whether surely none of the steps was done, but for second names that nobody sees. They are done in
/// order, so the first tells.
fn is_untouched(disk: &dyn Disk, steps: &[Step]) -> Result<bool, StoreError> {
    let first = steps.iter().find(|it| it.shows());
    Ok(match first {
        Some(Step::Put { path, before, .. }) => sum_at(disk, path)? == *before,
        Some(Step::Place { path, staged, before }) => {
            let there = find(disk, path)?.map(|it| Seen::of(&it.stat));
            find(disk, staged)?.is_some() && there == *before
        }
        Some(Step::Remove { path, size, modified_ns }) => find(disk, path)?
            .is_some_and(|it| it.stat.size == *size && it.stat.modified_ns == *modified_ns),
        Some(Step::Rename { from, to }) => find(disk, from)?.is_some() && find(disk, to)?.is_none(),
        Some(Step::Keep { .. } | Step::RemoveFolder { .. }) | None => false,
    })
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
        let Some(steps) = read_intent(disk, &intent)? else {
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

/// The steps of an intent, unless it is torn or leads out of the folder. One that cannot be read at
/// the moment, or was written by a newer version, may be half done: nothing goes on before it is
/// finished.
fn read_intent(disk: &dyn Disk, path: &str) -> Result<Option<Vec<Step>>, StoreError> {
    let failed = StoreError::io("read", path);
    let (file, _) = match disk.open(path) {
        Ok(opened) => opened,
        Err(ReadError::Unreadable(error)) => return Err(failed(error)),
        Err(_) => return Ok(None),
    };
    let mut bytes = Vec::new();
    if let Err(error) = file.take(INTENT_BYTES_MAX).read_to_end(&mut bytes) {
        return Err(failed(error));
    }
    if let Some(format) = newer_format(&bytes) {
        let message = format!(
            "a newer version began this change, in format {format}: start that version to finish it"
        );
        return Err(failed(io::Error::new(io::ErrorKind::Unsupported, message)));
    }
    let Ok(intent) = serde_json::from_slice::<Intent>(&bytes) else { return Ok(None) };
    let whole = intent.format == FORMAT && intent.sum == sum_of(&intent.steps);
    Ok((whole && intent.steps.iter().all(Step::is_ours)).then_some(intent.steps))
}

/// The format of an intent that this version does not know yet.
fn newer_format(intent: &[u8]) -> Option<u64> {
    #[derive(Deserialize)]
    struct Format {
        format: u64,
    }
    let Format { format } = serde_json::from_slice(intent).ok()?;
    (format > u64::from(FORMAT)).then_some(format)
}

impl Step {
    /// Whether somebody sees that it was done: nobody does of a second name, or of the same bytes.
    fn shows(&self) -> bool {
        match self {
            Step::Keep { .. } => false,
            Step::Put { before, after, .. } => before.as_ref() != Some(after),
            _ => true,
        }
    }

    /// The folders whose names it changes.
    fn folders(&self) -> Vec<String> {
        let paths = match self {
            Step::Put { path, .. } | Step::Place { path, .. } | Step::Remove { path, .. } => {
                vec![path]
            }
            Step::Keep { kept, .. } => vec![kept],
            Step::Rename { from, to } => vec![from, to],
            Step::RemoveFolder { folder } => vec![folder],
        };
        paths.into_iter().map(|it| parent(it).to_string()).collect()
    }

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
