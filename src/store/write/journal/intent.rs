//! The intent of a change: its steps, as they are written to the journal and read back.

use std::collections::BTreeSet;
use std::io::{self, Read};

use serde::{Deserialize, Serialize};

use crate::stdx::checksum::Checksum;
use crate::store::disk::{self, Disk, FileEffect, ReadError, ShareError, Stat, parent_folder};
use crate::store::error::StoreError;
use crate::store::layout::{self, FilePath, Folder, Key};
use crate::store::read::load::is_absence;

/// The format version of intents.
const FORMAT: u32 = 1;

/// The maximum size of an intent, enough for a million steps.
pub(super) const INTENT_BYTES_MAX: u64 = 256 * 1024 * 1024;

/// The number of folders from which one sync of the whole disk is faster than one per folder.
const SYNC_ALL_FOLDERS_MIN: usize = 64;

/// The reason why a change was not completed.
#[derive(Debug)]
pub enum JournalError {
    /// Nothing was changed.
    Unstarted(StoreError),
    /// A file does not have the expected stat; nothing was changed.
    Stale(FilePath),
    /// The change is committed but incomplete: `recover_changes` completes it.
    Unfinished(StoreError),
    /// Nothing was changed here, and it is not known whether other servers see the change.
    Unknown(StoreError),
}

impl From<ShareError> for JournalError {
    fn from(error: ShareError) -> JournalError {
        match error {
            ShareError::Refused(error) => JournalError::Unstarted(error),
            ShareError::Uncertain(error) => JournalError::Unknown(error),
        }
    }
}

impl From<StoreError> for JournalError {
    fn from(error: StoreError) -> JournalError {
        JournalError::Unstarted(error)
    }
}

/// The content of an intent file.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct JournalIntent {
    format: u32,
    steps: Vec<JournalStep>,
    /// The checksum of the steps as JSON, which detects an incomplete intent.
    sum: String,
}

/// An idempotent step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub(super) enum JournalStep {
    /// Moves the staged file with this number to `path`, whose content was `before`.
    Put { path: String, staged: usize, before: Option<String>, after: String },
    /// Moves the file at `staged`, which may be large, to `path`, if the file there is still
    /// `before`.
    Place { path: String, staged: String, before: Option<FileStamp> },
    /// Gives the file at `path` a second name if it is still `before`.
    Keep { path: String, kept: String, before: String },
    /// Removes the file if it still has this size and time.
    Remove { path: String, size: u64, modified_ns: i64 },
    /// Moves the file.
    Rename { from: String, to: String },
    /// Removes the folder with the files of Recto in it.
    RemoveFolder { folder: String },
}

/// A stamp that identifies the seen state of a file, also after a crash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FileStamp {
    pub(super) size: u64,
    pub(super) modified_ns: i64,
}

impl FileStamp {
    pub(super) fn from_stat(stat: &Stat) -> FileStamp {
        FileStamp { size: stat.size, modified_ns: stat.modified_ns }
    }
}

/// Returns the stat of a path, if it exists. A failed lookup does not count as missing.
pub(super) fn find_stat(
    disk: &dyn Disk,
    path: &str,
) -> Result<Option<disk::StatResult>, StoreError> {
    match disk.stat(path) {
        Ok(found) => Ok(Some(found)),
        Err(error) if is_absence(&error) => Ok(None),
        Err(error) => Err(StoreError::io("look at", path)(error)),
    }
}

/// Writes the intent, which commits a change here.
pub(super) fn write_intent(disk: &dyn Disk, intent: &str, text: &[u8]) -> Result<(), JournalError> {
    disk::replace_file(disk, intent, text).map(drop).map_err(|it| fail_after_sharing(disk, it))
}

/// Returns the error of a change of which nothing is visible here, after other servers were told.
pub(super) fn fail_after_sharing(disk: &dyn Disk, error: StoreError) -> JournalError {
    if disk.is_shared() { JournalError::Unfinished(error) } else { JournalError::Unstarted(error) }
}

/// Settles a change that other servers see and that could not be finished here: what others see
/// counts.
pub(super) fn settle_shared<T: Default>(
    disk: &dyn Disk,
    folder: &str,
    intent: &str,
    made: Result<T, JournalError>,
) -> Result<T, JournalError> {
    match made {
        Err(JournalError::Unfinished(_)) if disk.is_shared() => {
            discard_intent(disk, folder, intent);
            disk.restore_shared().map(|()| T::default()).map_err(JournalError::Unknown)
        }
        made => made,
    }
}

/// Makes a change known to other servers, before it is committed here.
pub(super) fn share_steps(
    disk: &dyn Disk,
    folder: &str,
    steps: &[JournalStep],
) -> Result<(), JournalError> {
    let effects: Vec<FileEffect> = steps.iter().map(|it| it.to_effect(folder)).collect();
    Ok(disk.share(&effects)?)
}

impl JournalIntent {
    /// Returns the content of an intent with these steps.
    pub(super) fn render_intent(steps: &[JournalStep]) -> Vec<u8> {
        let sum = sum_steps(steps);
        let intent = JournalIntent { format: FORMAT, steps: steps.to_vec(), sum };
        // Structs of strings and numbers can always be serialized.
        serde_json::to_vec(&intent).unwrap_or_default()
    }
}

fn sum_steps(steps: &[JournalStep]) -> String {
    // As above.
    Checksum::of_bytes(&serde_json::to_vec(steps).unwrap_or_default()).to_string()
}

/// Reads the steps of an intent; returns `None` if it is incomplete or refers to other files than
/// those of Recto. An intent that cannot be read, or is of a newer version, is an error: its change
/// may be half done, and must be completed first.
pub(super) fn read_intent(
    disk: &dyn Disk,
    path: &str,
) -> Result<Option<Vec<JournalStep>>, StoreError> {
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
    if let Some(format) = parse_newer_format(&bytes) {
        let message = format!(
            "a newer version began this change, in format {format}: start that version to finish it"
        );
        return Err(failed(io::Error::new(io::ErrorKind::Unsupported, message)));
    }
    let Ok(intent) = serde_json::from_slice::<JournalIntent>(&bytes) else { return Ok(None) };
    let whole = intent.format == FORMAT && intent.sum == sum_steps(&intent.steps);
    Ok((whole && intent.steps.iter().all(JournalStep::is_ours)).then_some(intent.steps))
}

/// Returns the format of an intent if it is newer than this version.
fn parse_newer_format(intent: &[u8]) -> Option<u64> {
    #[derive(Deserialize)]
    struct IntentFormat {
        format: u64,
    }
    let IntentFormat { format } = serde_json::from_slice(intent).ok()?;
    (format > u64::from(FORMAT)).then_some(format)
}

impl JournalStep {
    /// Returns what the step does to files. Staged files without a path are in `folder`.
    pub(super) fn to_effect(&self, folder: &str) -> FileEffect {
        let put = |path: &str, from: String, is_new| FileEffect::Put {
            path: path.to_string(),
            from,
            is_new,
        };
        match self {
            JournalStep::Put { path, staged, before, .. } => {
                put(path, format!("{folder}/{staged}"), before.is_none())
            }
            JournalStep::Place { path, staged, before } => {
                put(path, staged.clone(), before.is_none())
            }
            JournalStep::Keep { path, kept, .. } => {
                FileEffect::Keep { path: path.clone(), kept: kept.clone() }
            }
            JournalStep::Remove { path, .. } => FileEffect::Remove { path: path.clone() },
            JournalStep::Rename { from, to } => {
                FileEffect::Rename { from: from.clone(), to: to.clone() }
            }
            JournalStep::RemoveFolder { folder } => {
                FileEffect::RemoveFolder { folder: folder.clone() }
            }
        }
    }
}

impl JournalStep {
    /// Returns true if the step has a visible effect: a second name, or the same bytes, have none.
    pub(super) fn is_visible(&self) -> bool {
        match self {
            JournalStep::Keep { .. } => false,
            JournalStep::Put { before, after, .. } => before.as_ref() != Some(after),
            _ => true,
        }
    }

    /// Returns the folders in which the step changes names.
    pub(super) fn changed_folders(&self) -> Vec<String> {
        let paths = match self {
            JournalStep::Put { path, .. }
            | JournalStep::Place { path, .. }
            | JournalStep::Remove { path, .. } => {
                vec![path]
            }
            JournalStep::Keep { kept, .. } => vec![kept],
            JournalStep::Rename { from, to } => vec![from, to],
            JournalStep::RemoveFolder { folder } => vec![folder],
        };
        paths.into_iter().map(|it| parent_folder(it).to_string()).collect()
    }

    /// Returns true if the step only touches files of Recto.
    fn is_ours(&self) -> bool {
        let file = |path: &str| Key::parse(path).is_some();
        match self {
            JournalStep::Put { path, .. } | JournalStep::Remove { path, .. } => file(path),
            JournalStep::Place { path, staged, .. } => file(path) && is_staged(staged),
            JournalStep::Keep { path, kept, .. } => file(path) && file(kept),
            JournalStep::Rename { from, to } => (file(from) || is_staged(from)) && file(to),
            JournalStep::RemoveFolder { folder } => Folder::parse(folder).is_some(),
        }
    }
}

/// Returns true if a path is that of a staged file.
fn is_staged(path: &str) -> bool {
    let mut steps = path.split('/');
    let (first, folder, name, rest) = (steps.next(), steps.next(), steps.next(), steps.next());
    let plain = |it: Option<&str>| it.is_some_and(|it| !matches!(it, "" | "." | ".."));
    first == Some(layout::JOURNAL) && plain(folder) && plain(name) && rest.is_none()
}

pub(super) fn sync_folders(disk: &dyn Disk, folders: BTreeSet<String>) -> Result<(), StoreError> {
    if folders.len() >= SYNC_ALL_FOLDERS_MIN {
        match disk.sync_all() {
            Err(error) if error.kind() == io::ErrorKind::Unsupported => {}
            synced => return synced.map_err(StoreError::io("sync", "the data folder")),
        }
    }
    for folder in folders {
        match disk.sync_folder(&folder) {
            // The folder was removed by a later step.
            Err(error) if is_absence(&error) => {}
            synced => synced.map_err(StoreError::io("sync", folder))?,
        }
    }
    Ok(())
}

/// Completes a change: removes the intent durably, then the staged files.
pub(super) fn finish_change(disk: &dyn Disk, folder: &str, intent: &str) -> Result<(), StoreError> {
    match disk.remove(intent) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        removed => removed.map_err(StoreError::io("remove", intent))?,
    }
    disk.sync_folder(layout::JOURNAL).map_err(StoreError::io("sync", layout::JOURNAL))?;
    remove_staged(disk, folder);
    Ok(())
}

/// Discards a change before its intent is durable.
pub(super) fn discard_intent(disk: &dyn Disk, folder: &str, intent: &str) {
    if disk.remove(intent).is_ok() {
        let _ = disk.sync_folder(layout::JOURNAL);
    }
    remove_staged(disk, folder);
}

/// Removes the staged files. If this fails, the next start removes them.
pub(super) fn remove_staged(disk: &dyn Disk, folder: &str) {
    let listing = disk.list(folder).unwrap_or_default();
    for item in listing.items {
        let _ = disk.remove(&format!("{folder}/{}", item.name));
    }
    let _ = disk.remove_folder(folder);
}
