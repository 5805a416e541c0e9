//! A change of a workspace that is being put together.

use crate::engine::error::CommitError;
use crate::engine::folder::OpenFolder;
use crate::engine::parse::file_parser;
use crate::engine::records::Records;
use crate::engine::staging::change_steps::ChangeSteps;
use crate::engine::staging::change_steps::StagedFiles;
use crate::engine::staging::change_steps::StoredFile;
use crate::model::event::Event;
use crate::model::name::EntryId;
use crate::model::name::WorkspaceSlug;
use crate::model::revision::RevisionEvent;
use crate::model::revision::RevisionName;
use crate::query::index::snapshot::Snapshot;
use crate::stdx::json::Json;
use crate::stdx::time::Timestamp;
use crate::store::codec;
use crate::store::disk::ReadError;
use crate::store::disk::Stat;
use crate::store::error::StoreError;
use crate::store::layout::EntryCopy;
use crate::store::layout::Folder;
use crate::store::layout::Key;
use crate::store::read::load;
use crate::store::read::load::FileRef;
use crate::store::write::commit::FileOp;
use crate::store::write::commit::FileTransaction;

/// A change of a workspace that is being put together.
pub struct Staging<'a> {
    folder: &'a OpenFolder,
    records: &'a Records,
    snapshot: &'a Snapshot,
    staged: &'a StagedFiles,
    /// Files whose edit by hand was just taken in: what they say counts, whatever the index knows.
    taken_in: &'a [String],
    now: Timestamp,
    pub(crate) stale: Option<String>,
    /// True if files count as they are, whatever the snapshot knows of them: nothing will be
    /// written.
    takes_files_as_found: bool,
    pub(crate) events: Vec<Event>,
    revision: (RevisionEvent, String),
    steps: ChangeSteps,
    beforehand: ChangeSteps,
    afterwards: ChangeSteps,
}

impl<'a> Staging<'a> {
    pub(crate) fn new(
        folder: &'a OpenFolder,
        records: &'a Records,
        snapshot: &'a Snapshot,
        staged: &'a StagedFiles,
        taken_in: &'a [String],
    ) -> Staging<'a> {
        Staging {
            folder,
            records,
            snapshot,
            staged,
            taken_in,
            now: folder.clock.now(),
            stale: None,
            takes_files_as_found: false,
            events: Vec::new(),
            revision: (RevisionEvent::Update, String::new()),
            steps: ChangeSteps::default(),
            beforehand: ChangeSteps::default(),
            afterwards: ChangeSteps::default(),
        }
    }

    /// A change that nobody will write.
    pub(crate) fn for_preview(
        folder: &'a OpenFolder,
        records: &'a Records,
        snapshot: &'a Snapshot,
        staged: &'a StagedFiles,
    ) -> Staging<'a> {
        Staging {
            takes_files_as_found: true,
            ..Staging::new(folder, records, snapshot, staged, &[])
        }
    }

    pub(crate) fn into_change(self) -> (FileTransaction, Vec<Event>) {
        let change = FileTransaction {
            beforehand: self.beforehand.0,
            steps: self.steps.0,
            afterwards: self.afterwards.0,
        };
        (change, self.events)
    }

    /// The workspace with everything that was committed or staged before this piece of work.
    pub fn snapshot(&self) -> &'a Snapshot {
        self.snapshot
    }

    /// The workspace that is changed.
    pub fn workspace(&self) -> &'a WorkspaceSlug {
        &self.snapshot.workspace
    }

    /// The time of this change.
    pub fn now(&self) -> Timestamp {
        self.now
    }

    /// The beginning of absolute URLs.
    pub fn base_url(&self) -> &'a str {
        &self.folder.base_url
    }

    /// An id that nobody has.
    pub fn new_id(&self) -> EntryId {
        self.folder.new_id()
    }

    /// A file as it is, never older than the snapshot; nothing when it is not there. When it is not
    /// what the snapshot knows, somebody edited it: the error says to begin anew, which happens by
    /// itself, after that edit was taken in.
    pub fn read_stored(&mut self, key: &Key) -> Result<Option<StoredFile>, CommitError> {
        let path = key.path();
        if let Some(staged) = self.staged.get(&path) {
            let Some(bytes) = staged.clone() else { return Ok(None) };
            let map = codec::parse_document(&path, &bytes).map_err(CommitError::Broken)?.map;
            let key = key.clone();
            return Ok(Some(StoredFile { key, bytes, map, modified: self.now, seen: None }));
        }
        let mut bytes = Vec::new();
        let stat = match self.folder.disk.read(&path, &mut bytes) {
            Ok(stat) => stat,
            Err(ReadError::Missing) if self.is_known(key) && !self.takes_files_as_found => {
                return Err(self.mark_stale(path));
            }
            Err(ReadError::Missing) => return Ok(None),
            Err(ReadError::Unreadable(source)) => {
                return Err(StoreError::io("read", path)(source).into());
            }
            Err(error) => return Err(CommitError::Broken(error.to_problem(&path))),
        };
        let map = codec::parse_document(&path, &bytes).map_err(CommitError::Broken)?.map;
        let (modified, file) = (file_parser::modified_at(&stat), Json::Object(map));
        let is_known = self.takes_files_as_found || self.taken_in.contains(&path);
        if !is_known && !self.matches_snapshot(key, &file) {
            return Err(self.mark_stale(path));
        }
        let Json::Object(map) = file else { return Ok(None) };
        Ok(Some(StoredFile { key: key.clone(), bytes, map, modified, seen: Some(stat) }))
    }

    /// Returns true if a file is there, whatever it is.
    pub fn exists(&self, key: &Key) -> bool {
        let path = key.path();
        match self.staged.get(&path) {
            Some(staged) => staged.is_some(),
            None => self.folder.disk.stat(&path).is_ok(),
        }
    }

    /// Returns true if a folder is there.
    pub fn has_folder(&self, folder: &Folder) -> bool {
        self.folder.disk.stat(&folder.path()).is_ok()
    }

    /// The files of ours in a folder; none when there is no such folder. What the batch staged is
    /// not seen here.
    pub fn list(&self, folder: &Folder) -> Result<Vec<FileRef>, CommitError> {
        Ok(load::list_files(&*self.folder.disk, folder)?)
    }

    /// Makes a file that must not be there.
    pub fn create(&mut self, key: &Key, bytes: Vec<u8>) {
        self.steps.create(key, bytes);
    }

    /// Puts other bytes in the place of a file; the old file of an entry becomes a revision. Nothing
    /// is done when the bytes are the same.
    pub fn replace(&mut self, stored: &StoredFile, bytes: Vec<u8>) {
        let keep = self.revision_path(&stored.key);
        self.steps.replace_keeping(stored, bytes, keep);
    }

    /// Puts bytes in the place of a file that cannot be read, unless it has been written since it
    /// had this stat.
    pub(crate) fn replace_broken(
        &mut self,
        key: &Key,
        before: Stat,
        bytes: Vec<u8>,
    ) -> Result<(), CommitError> {
        let path = key.path();
        let found = self.folder.disk.stat(&path).map_err(StoreError::io("look at", &path))?;
        let (seen, written) = (found.stat, |it: &Stat| (it.inode, it.size, it.modified_ns));
        if written(&seen) != written(&before) {
            return Err(CommitError::Stale);
        }
        self.steps.0.push(FileOp::Replace { path, bytes, seen: Some(seen), keep: None });
        Ok(())
    }

    /// Removes a file.
    pub fn remove(&mut self, key: &Key) {
        self.steps.remove(key);
    }

    /// Moves a file to a name that must be free.
    pub fn rename(&mut self, from: &Key, to: &Key) {
        self.steps.rename(from, to);
    }

    /// Moves a finished file from among the unfinished ones to its place, which must be free.
    pub fn place_spooled(&mut self, spooled: &str, to: &Key) {
        self.steps.place_spooled(spooled, to);
    }

    /// Removes a folder with what is ours in it.
    pub fn remove_folder(&mut self, folder: &Folder) {
        self.steps.remove_folder(folder);
    }

    /// The steps that are harmless by themselves, and durable before the change shows.
    pub fn steps_before(&mut self) -> &mut ChangeSteps {
        &mut self.beforehand
    }

    /// The steps that are harmless when lost, and done once the change is durable.
    pub fn steps_after(&mut self) -> &mut ChangeSteps {
        &mut self.afterwards
    }

    /// Sets the label of the revisions of entries that are replaced from here on.
    pub fn label_revisions(&mut self, event: RevisionEvent, by: &str) {
        self.revision = (event, by.to_string());
    }

    /// Adds an event, which is told once the change is durable.
    pub fn add_event(&mut self, event: Event) {
        self.events.push(event);
    }

    fn mark_stale(&mut self, path: String) -> CommitError {
        self.stale = Some(path);
        CommitError::Stale
    }

    fn is_known(&self, key: &Key) -> bool {
        match key {
            Key::Entry(_, of, id) => self
                .snapshot
                .get(of.as_str())
                .is_some_and(|it| it.find_ordinal(id.as_str()).is_some()),
            Key::Schema(_, name) => self.snapshot.get(name.as_str()).is_some(),
            _ => false,
        }
    }

    /// Returns true if a file says what the snapshot knows, as far as that is known.
    fn matches_snapshot(&self, key: &Key, file: &Json) -> bool {
        match key {
            Key::Entry(_, of, id) => {
                let Some(index) = self.snapshot.get(of.as_str()) else { return true };
                let doc = index.find_ordinal(id.as_str()).and_then(|it| index.entry_at(it));
                doc.is_some_and(|it| it.rev == file.compute_checksum())
            }
            Key::Schema(_, name) => {
                let index = self.snapshot.get(name.as_str());
                index.is_some_and(|it| it.content_type.sum == file.compute_checksum())
            }
            _ => true,
        }
    }

    /// Chooses the path of the revision that keeps the old file of an entry.
    fn revision_path(&self, key: &Key) -> Option<String> {
        let Key::Entry(ws, of, id) = key else { return None };
        if self.records.max_revisions() == 0 {
            return None;
        }
        let (event, by) = &self.revision;
        let by = Some(by.clone()).filter(|it| !it.is_empty());
        let name = RevisionName { id: self.new_id(), event: Some(*event), by };
        let of_entry = EntryCopy::first(id.clone());
        Some(Key::Revision(ws.clone(), of.clone(), of_entry, name.to_id()).path())
    }
}
