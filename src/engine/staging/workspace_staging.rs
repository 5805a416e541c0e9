//! A change of a workspace that is being put together.

mod proposals;

use std::sync::Arc;

use crate::engine::error::CommitError;
use crate::engine::folder::OpenFolder;
use crate::engine::records::Records;
use crate::engine::staging::change_steps::StagedFiles;
use crate::engine::staging::change_steps::StoredFile;
use crate::engine::staging::proposed::Proposed;
use crate::engine::staging::write::ChangeParts;
use crate::engine::staging::write::Write;
use crate::model::event::Event;
use crate::model::grant::Permit;
use crate::model::media::MediaItem;
use crate::model::name::EntryId;
use crate::model::name::Filename;
use crate::model::name::WorkspaceSlug;
use crate::query::index::change_index::OverlayFile;
use crate::query::index::change_index::ProposedFile;
use crate::query::index::snapshot::Snapshot;
use crate::stdx::checksum::ByteChecksum;
use crate::stdx::checksum::Checksum;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::time::Timestamp;
use crate::store::codec;
use crate::store::disk::Disk;
use crate::store::disk::ReadError;
use crate::store::disk::Stat;
use crate::store::error::StoreError;
use crate::store::layout::Folder;
use crate::store::layout::Key;
use crate::store::read::blob::Blob;
use crate::store::read::load;
use crate::store::read::load::FileRef;
use crate::store::read::load::is_absence;
use crate::store::write::file_op::FileTransaction;

/// A change of a workspace that is being put together. It only reads: what is changed goes through
/// [`Staging::write`], which takes a permit.
pub struct Staging<'a> {
    folder: &'a OpenFolder,
    /// The disk of the folder, with what the batch keeps open.
    disk: &'a dyn Disk,
    records: &'a Records,
    snapshot: &'a Snapshot,
    staged: &'a StagedFiles,
    /// Files whose edit by hand was just taken in: what they say counts, whatever the index knows.
    taken_in: &'a [Key],
    now: Timestamp,
    pub(crate) stale: Option<Key>,
    /// True if files count as they are, whatever the snapshot knows of them: nothing will be
    /// written.
    takes_files_as_found: bool,
    change: ChangeParts,
}

impl<'a> Staging<'a> {
    pub(crate) fn new(
        folder: &'a OpenFolder,
        disk: &'a dyn Disk,
        records: &'a Records,
        snapshot: &'a Snapshot,
        staged: &'a StagedFiles,
        taken_in: &'a [Key],
    ) -> Staging<'a> {
        Staging {
            folder,
            disk,
            records,
            snapshot,
            staged,
            taken_in,
            now: folder.clock.now(),
            stale: None,
            takes_files_as_found: false,
            change: ChangeParts::default(),
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
            ..Staging::new(folder, &*folder.disk, records, snapshot, staged, &[])
        }
    }

    pub(crate) fn into_change(self) -> (FileTransaction, Vec<Event>) {
        self.change.into_parts()
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

    /// Puts a change together on top of a change of the workspace: `overlay` shows it as if it were
    /// live. What `work` writes to entries becomes a proposal; what it does beside that, as keeping
    /// earlier states and telling of the change, is left out. `record` is the record of the change
    /// as it becomes, unless it stays as it is. Returns what is proposed, too.
    pub fn propose<T, E>(
        &mut self,
        overlay: &Snapshot,
        record: Option<Map>,
        work: impl FnOnce(&mut Staging<'_>) -> Result<T, E>,
    ) -> Result<(T, Vec<Proposed>), E>
    where
        E: From<CommitError>,
    {
        let (done, proposed, events) = self.work_inside(overlay, work);
        let done = done?;
        if self.stale.is_some() {
            return Ok((done, Vec::new()));
        }
        let proposed = self.stage_proposals(overlay, record, &proposed)?;
        if let Some(cause) = events.into_iter().next().filter(|_| !proposed.is_empty()) {
            self.tell_of_proposals(overlay, cause);
        }
        Ok((done, proposed))
    }

    /// Looks at a change of the workspace as if it were live, as `overlay` shows it. What `work`
    /// writes is left out.
    pub fn look_inside<T, E>(
        &mut self,
        overlay: &Snapshot,
        work: impl FnOnce(&mut Staging<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        self.work_inside(overlay, work).0
    }

    /// Does `work` on an overlay. Returns what it wrote and told as well.
    fn work_inside<T>(
        &mut self,
        overlay: &Snapshot,
        work: impl FnOnce(&mut Staging<'_>) -> T,
    ) -> (T, FileTransaction, Vec<Event>) {
        let mut inner = Staging {
            snapshot: overlay,
            change: ChangeParts::default(),
            stale: None,
            folder: self.folder,
            disk: self.disk,
            records: self.records,
            staged: self.staged,
            taken_in: self.taken_in,
            now: self.now,
            takes_files_as_found: self.takes_files_as_found,
        };
        let done = work(&mut inner);
        self.stale = inner.stale.take().or(self.stale.take());
        let (written, events) = inner.change.into_parts();
        (done, written, events)
    }

    /// True if what is written becomes a proposal.
    pub fn is_proposal(&self) -> bool {
        self.snapshot.overlay.is_some()
    }

    /// The file of an entry in the change that is worked on, if it differs from the live one.
    fn find_overlay_file(&self, key: &Key) -> Option<&'a OverlayFile> {
        let Key::Entry(_, of, id) = key else { return None };
        self.snapshot.overlay.as_ref()?.files.get(&(of.clone(), id.clone()))
    }

    /// A file as it is, never older than the snapshot; nothing when it is not there. When it is not
    /// what the snapshot knows, somebody edited it: the error says to begin anew, which happens by
    /// itself, after that edit was taken in.
    pub fn read_stored(&mut self, key: &Key) -> Result<Option<StoredFile>, CommitError> {
        if let Some(file) = self.find_overlay_file(key) {
            let stored = |json: &Arc<Json>| StoredFile {
                key: key.clone(),
                bytes: json.to_file(),
                json: json.as_ref().clone(),
                modified: file.modified,
                seen: None,
            };
            return Ok(file.content.as_ref().map(stored));
        }
        let path = key.path();
        if let Some(staged) = self.staged.get(key) {
            let Some(bytes) = staged.as_deref().map(<[u8]>::to_vec) else { return Ok(None) };
            let map = codec::parse_document(&path, &bytes).map_err(CommitError::Broken)?.map;
            let (key, json) = (key.clone(), Json::Object(map));
            return Ok(Some(StoredFile { key, bytes, json, modified: self.now, seen: None }));
        }
        let mut bytes = Vec::new();
        let stat = match self.disk.read(&path, &mut bytes) {
            Ok(stat) => stat,
            Err(ReadError::Missing) if self.is_known(key) && !self.takes_files_as_found => {
                return Err(self.mark_stale(key));
            }
            Err(ReadError::Missing) => return Ok(None),
            Err(ReadError::Unreadable(source)) => {
                return Err(StoreError::io("read", path)(source).into());
            }
            Err(error) => return Err(CommitError::Broken(error.to_problem(&path))),
        };
        let map = codec::parse_document(&path, &bytes).map_err(CommitError::Broken)?.map;
        let json = Json::Object(map);
        let is_known = self.takes_files_as_found || self.taken_in.contains(key);
        if !is_known && !self.matches_snapshot(key, &json) {
            return Err(self.mark_stale(key));
        }
        Ok(Some(StoredFile::from_read(key.clone(), bytes, json, stat)))
    }

    /// Returns the stat of a media file. If it is not what the snapshot knows, somebody replaced it
    /// by hand: the error says to begin anew, which happens by itself.
    pub fn stat_media(&mut self, item: &MediaItem) -> Result<Stat, CommitError> {
        let key = Key::Media(self.workspace().clone(), item.filename.clone());
        let path = key.path();
        match self.disk.stat(&path) {
            Ok(found) if found.stat.compute_sum() == item.tag.state => Ok(found.stat),
            Err(error) if !is_absence(&error) => Err(StoreError::io("look at", path)(error).into()),
            _ => Err(self.mark_stale(&key)),
        }
    }

    /// Returns the checksum of the bytes of a media file; `None` if they cannot be read.
    pub fn sum_media(&self, name: &Filename) -> Option<Checksum> {
        let blob = Blob::open(self.disk, self.workspace(), name).ok()?;
        let (mut sum, mut chunk, mut at) = (ByteChecksum::default(), vec![0; 64 * 1024], 0_u64);
        loop {
            let read = blob.read_at(at, &mut chunk).ok()?;
            match chunk.get(..read)? {
                [] => return Some(sum.finish()),
                bytes => sum.add(bytes),
            }
            at += read as u64;
        }
    }

    /// Returns the bytes of a file as they are on the disk, whatever they say; `None` if they
    /// cannot be read.
    pub fn read_bytes(&self, key: &Key) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        self.disk.read(&key.path(), &mut bytes).ok()?;
        Some(bytes)
    }

    /// Returns the files of entries and proposals that are known to be broken, those included of
    /// which no good version is known.
    pub fn list_blocked_files(&self) -> Vec<Key> {
        let blocked = self.folder.problems.list_blocked();
        let keys = blocked.iter().filter_map(|it| Key::parse(it));
        let keys = keys.filter(|it| it.workspace() == Some(self.workspace()));
        let holds_entry =
            |it: &Key| matches!(it, Key::Entry(..) | Key::Proposal(..) | Key::ProposalBase(..));
        keys.filter(holds_entry).collect()
    }

    /// Returns true if a file is there, whatever it is.
    pub fn exists(&self, key: &Key) -> bool {
        if let Some(file) = self.find_overlay_file(key) {
            return file.content.is_some();
        }
        match self.staged.get(key) {
            Some(staged) => staged.is_some(),
            None => self.disk.stat(&key.path()).is_ok(),
        }
    }

    /// Returns true if a folder is there.
    pub fn has_folder(&self, folder: &Folder) -> bool {
        self.disk.stat(&folder.path()).is_ok()
    }

    /// Returns true if a folder may hold files of ours: one that cannot be listed does.
    pub fn has_files(&self, folder: &Folder) -> bool {
        self.has_folder(folder) && self.list(folder).map_or(true, |it| !it.is_empty())
    }

    /// The files of ours in a folder; none when there is no such folder. What the batch staged is
    /// not seen here.
    pub fn list(&self, folder: &Folder) -> Result<Vec<FileRef>, CommitError> {
        Ok(load::list_files(self.disk, folder)?)
    }

    /// Opens the change for writing. The permit is the one of the action that was decided, and
    /// covers what follows from it.
    pub fn write<'w>(&'w mut self, permit: &'w Permit) -> Write<'w> {
        Write::new(self.folder, self.records, &mut self.change, permit)
    }

    fn find_proposed(&self, key: &Key) -> Option<&'a ProposedFile> {
        match key {
            Key::Proposal(_, change, of, id) => {
                self.snapshot.changes.get(change)?.proposals.get(&(of.clone(), id.clone()))
            }
            Key::ProposalBase(_, change, of, id) => {
                self.snapshot.changes.get(change)?.bases.get(&(of.clone(), id.clone()))
            }
            _ => None,
        }
    }

    fn mark_stale(&mut self, key: &Key) -> CommitError {
        self.stale = Some(key.clone());
        CommitError::Stale
    }

    fn is_known(&self, key: &Key) -> bool {
        match key {
            Key::Entry(_, of, id) => self
                .snapshot
                .get(of.as_str())
                .is_some_and(|it| it.find_ordinal(id.as_str()).is_some()),
            Key::Schema(_, name) => self.snapshot.get(name.as_str()).is_some(),
            Key::Change(_, id) => {
                self.snapshot.changes.get(id).is_some_and(|it| it.record.is_some())
            }
            Key::Proposal(..) | Key::ProposalBase(..) => self.find_proposed(key).is_some(),
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
            Key::Change(_, id) => {
                let change = self.snapshot.changes.get(id);
                change.is_some_and(|it| it.record_sum == Some(file.compute_checksum()))
            }
            Key::Proposal(..) | Key::ProposalBase(..) => self
                .find_proposed(key)
                .is_some_and(|it| it.json.as_deref().is_some_and(|known| known == file)),
            _ => true,
        }
    }
}
