//! Files that are put into the folder together: all of them, or none. For content that comes from
//! outside, beside a running server or without one.
//!
//! Whoever plans the files has read the folder before. The files are staged below the journal
//! without keeping anybody waiting; then, under the write lock, the folder is listed again. If it
//! has changed since it was read, nothing is written, and the plan is made anew. [`served`] does
//! the same for a workspace that this process serves.

pub mod served;

use std::collections::BTreeMap;
use std::io;
use std::io::Write as _;

use crate::engine::error::CommitError;
use crate::model::grant::Permit;
use crate::model::name::TypeName;
use crate::model::name::WorkspaceSlug;
use crate::stdx::checksum::ByteChecksum;
use crate::stdx::checksum::Checksum;
use crate::store::disk::Disk;
use crate::store::disk::FileKind;
use crate::store::disk::Stat;
use crate::store::error::StoreError;
use crate::store::layout::Folder;
use crate::store::layout::Key;
use crate::store::lock::WriteLock;
use crate::store::read::load;
use crate::store::read::load::is_absence;
use crate::store::source::ContentSource;
use crate::store::write::journal::JournalError;
use crate::store::write::journal::StagedChange;
use crate::store::write::journal::StagedFile;

/// The size of the pieces in which files are copied.
const CHUNK_BYTES: usize = 256 * 1024;

/// The content of a file of a set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SetContent {
    /// These bytes.
    Bytes(Vec<u8>),
    /// The bytes of a file of the source, which still have this checksum.
    Copy {
        /// The path in the source.
        from: String,
        /// The checksum of the bytes.
        sum: Checksum,
    },
    /// Nothing: the file is removed.
    Nothing,
}

/// A file of a set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetFile {
    /// The key of the file.
    pub key: Key,
    /// The new content.
    pub content: SetContent,
    /// The stat of the file that is replaced; `None` if there must be none.
    pub before: Option<Stat>,
}

/// Files that are written together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileSet {
    /// The files.
    pub files: Vec<SetFile>,
}

/// The reason why a set was not written. Nothing of it is in the folder then.
#[derive(Debug, thiserror::Error)]
pub enum FileSetError {
    /// The folder changed while the set was planned.
    #[error("files change faster than they can be read")]
    Stale,
    /// A file of the source cannot be read, or changed while it was.
    #[error("{0}: {1}")]
    Source(String, String),
    /// The disk refused.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The workspace cannot be changed.
    #[error(transparent)]
    Commit(#[from] CommitError),
}

/// The files of a workspace with their stats, as they are at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkspaceListing(BTreeMap<String, Stat>);

impl WorkspaceListing {
    /// Lists the schemas, entries and media of a workspace.
    pub fn list(disk: &dyn Disk, ws: &WorkspaceSlug) -> Result<WorkspaceListing, StoreError> {
        let mut folders = vec![
            Folder::Schemas(ws.clone()),
            Folder::Media(ws.clone()),
            Folder::MediaMeta(ws.clone()),
        ];
        let contents = Folder::Contents(ws.clone()).path();
        match disk.list(&contents) {
            Ok(listing) => {
                let of_types = listing.items.iter().filter(|it| it.kind == FileKind::Folder);
                let names = of_types.filter_map(|it| TypeName::parse(&it.name).ok());
                folders.extend(names.map(|it| Folder::Entries(ws.clone(), it)));
            }
            Err(error) if is_absence(&error) => {}
            Err(error) => return Err(StoreError::io("list", contents)(error)),
        }
        let mut files = BTreeMap::new();
        for folder in folders {
            for file in load::list_files(disk, &folder)? {
                files.insert(file.key.path(), file.stat.without_change_time());
            }
        }
        Ok(WorkspaceListing(files))
    }
}

impl FileSet {
    /// Adds a file that must not be there.
    pub fn create(&mut self, key: Key, bytes: Vec<u8>) {
        self.files.push(SetFile { key, content: SetContent::Bytes(bytes), before: None });
    }

    /// Adds a file that replaces the one with this stat.
    pub fn replace(&mut self, key: Key, bytes: Vec<u8>, before: Option<Stat>) {
        self.files.push(SetFile { key, content: SetContent::Bytes(bytes), before });
    }

    /// Adds a copy of a file of the source, in the place of the file with this stat.
    pub fn copy(&mut self, key: Key, from: &str, sum: Checksum, before: Option<Stat>) {
        let content = SetContent::Copy { from: from.to_string(), sum };
        self.files.push(SetFile { key, content, before });
    }

    /// Removes the file with this stat.
    pub fn remove(&mut self, key: Key, before: Stat) {
        self.files.push(SetFile { key, content: SetContent::Nothing, before: Some(before) });
    }

    /// Returns true if there is nothing to write.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Writes the set, if the workspace is still as `seen`. `name` is unique and sorts by time.
    pub fn commit(
        &self,
        folder: &SetTarget<'_>,
        name: &str,
        source: &dyn ContentSource,
    ) -> Result<(), FileSetError> {
        let disk = folder.disk;
        let staged = self.stage(disk, name, source)?;
        let mut turn = folder.lock.acquire_turn()?;
        if WorkspaceListing::list(disk, folder.workspace)? != *folder.seen || !self.fits(disk)? {
            return Err(FileSetError::Stale);
        }
        let action = folder.permit.action().as_str();
        tracing::debug!(action, files = self.files.len(), "the operator imports files");
        staged.place_files(self)?;
        let paths: Vec<String> = self.files.iter().map(|it| it.key.path()).collect();
        turn.record_paths(&paths)?;
        Ok(())
    }

    /// Writes the files below the journal, durable, without keeping anybody waiting.
    fn stage<'d>(
        &self,
        disk: &'d dyn Disk,
        name: &str,
        source: &dyn ContentSource,
    ) -> Result<StagedSet<'d>, FileSetError> {
        let mut change = StagedChange::new(disk, name)?;
        let mut waiting = Vec::with_capacity(self.files.len());
        for file in &self.files {
            waiting.push(stage_file(&mut change, file, source)?);
        }
        change.sync_staged()?;
        Ok(StagedSet { change, waiting })
    }

    /// Returns true if every file that is replaced is still the one that was read, and every other
    /// is missing.
    fn fits(&self, disk: &dyn Disk) -> Result<bool, StoreError> {
        for file in &self.files {
            let path = file.key.path();
            let found = match disk.stat(&path) {
                Ok(found) => Some(found.stat.without_change_time()),
                Err(error) if is_absence(&error) => None,
                Err(error) => return Err(StoreError::io("look at", path)(error)),
            };
            if found != file.before.map(Stat::without_change_time) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// A set whose files wait below the journal.
struct StagedSet<'d> {
    change: StagedChange<'d>,
    /// The file that waits for each of the set; none for those that are removed.
    waiting: Vec<Option<StagedFile>>,
}

impl StagedSet<'_> {
    /// Puts all files to their places. For whoever has the write lock.
    fn place_files(mut self, set: &FileSet) -> Result<(), FileSetError> {
        for (file, staged) in set.files.iter().zip(self.waiting) {
            let path = file.key.path();
            match (staged, &file.before) {
                (Some(staged), before) => self.change.place_file(staged, &path, before.as_ref()),
                (None, Some(before)) => self.change.remove_file(&path, before),
                (None, None) => {}
            }
        }
        match self.change.commit_change() {
            Ok(_) => Ok(()),
            Err(JournalError::Stale(_)) => Err(FileSetError::Stale),
            Err(
                JournalError::Unstarted(error)
                | JournalError::Unfinished(error)
                | JournalError::Unknown(error),
            ) => Err(error.into()),
        }
    }
}

/// The place where a set is written.
pub struct SetTarget<'a> {
    /// The disk of the data folder.
    pub disk: &'a dyn Disk,
    /// The lock of its writers.
    pub lock: &'a WriteLock,
    /// The workspace.
    pub workspace: &'a WorkspaceSlug,
    /// The workspace as it was before it was read for the plan.
    pub seen: &'a WorkspaceListing,
    /// The permit of the change.
    pub permit: &'a Permit,
}

/// Stages the new content of a file, if it gets one.
fn stage_file(
    staged: &mut StagedChange<'_>,
    file: &SetFile,
    source: &dyn ContentSource,
) -> Result<Option<StagedFile>, FileSetError> {
    let path = file.key.path();
    let (from, sum) = match &file.content {
        SetContent::Bytes(bytes) => return Ok(Some(staged.write_file(&path, bytes)?)),
        SetContent::Copy { from, sum } => (from, *sum),
        SetContent::Nothing => return Ok(None),
    };
    let unreadable = |error: io::Error| FileSetError::Source(from.clone(), error.to_string());
    let mut opened = source.open(from).map_err(unreadable)?;
    let (waiting, mut out) = staged.create_for(&path)?;
    let (mut found, mut chunk) = (ByteChecksum::default(), vec![0; CHUNK_BYTES]);
    loop {
        let read = opened.read(&mut chunk).map_err(unreadable)?;
        let bytes = chunk.get(..read).unwrap_or_default();
        if bytes.is_empty() {
            break;
        }
        found.add(bytes);
        out.write_all(bytes).map_err(StoreError::io("write", path.as_str()))?;
    }
    if found.finish() != sum {
        let message = "it changed while it was read".to_string();
        return Err(FileSetError::Source(from.clone(), message));
    }
    Ok(Some(waiting))
}
