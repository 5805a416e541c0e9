//! Where a change of a workspace is put together: what is staged here becomes durable and public as
//! a whole, or not at all.

use std::collections::HashMap;

use crate::engine::Engine;
use crate::engine::commit::CommitError;
use crate::model::event::Event;
use crate::model::name::EntryId;
use crate::model::name::WorkspaceSlug;
use crate::model::revision::RevisionEvent;
use crate::model::revision::RevisionName;
use crate::query::snapshot::Snapshot;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::time::Timestamp;
use crate::store::codec;
use crate::store::commit::Change;
use crate::store::commit::Op;
use crate::store::disk::ReadError;
use crate::store::disk::Stat;
use crate::store::error::StoreError;
use crate::store::layout::Copy;
use crate::store::layout::Folder;
use crate::store::layout::Key;
use crate::store::load;
use crate::store::load::FileRef;

/// A file as it is while a change is put together.
#[derive(Clone, Debug)]
pub struct Stored {
    /// Which file.
    pub key: Key,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// What they say.
    pub map: Map,
    /// When the file was changed last.
    pub modified: Timestamp,
    /// The stat it must still have when it is replaced; none where the batch itself wrote it.
    seen: Option<Stat>,
}

impl Stored {
    /// A file that was read when it had this stat.
    pub(super) fn seen(key: Key, bytes: Vec<u8>, map: Map, stat: Stat) -> Stored {
        let modified = super::read::modified(&stat);
        Stored { key, bytes, map, modified, seen: Some(stat) }
    }
}

/// What the batch has staged so far: for each path its bytes, or that it is gone.
pub(super) type Staged = HashMap<String, Option<Vec<u8>>>;

/// Steps of a change.
#[derive(Debug, Default)]
pub struct Ops(Vec<Op>);

impl Ops {
    pub(super) fn into_inner(self) -> Vec<Op> {
        self.0
    }

    /// Makes a file that must not be there.
    pub fn create(&mut self, key: &Key, bytes: Vec<u8>) {
        self.0.push(Op::Create { path: key.path(), bytes });
    }

    /// Puts other bytes in the place of a file. Nothing is done when they are the same.
    pub fn replace(&mut self, stored: &Stored, bytes: Vec<u8>) {
        self.replace_keeping(stored, bytes, None);
    }

    fn replace_keeping(&mut self, stored: &Stored, bytes: Vec<u8>, keep: Option<String>) {
        if bytes != stored.bytes {
            self.0.push(Op::Replace { path: stored.key.path(), bytes, seen: stored.seen, keep });
        }
    }

    /// Puts other bytes in the place of a file, whatever it is by then.
    pub fn overwrite(&mut self, key: &Key, bytes: Vec<u8>) {
        self.0.push(Op::Replace { path: key.path(), bytes, seen: None, keep: None });
    }

    /// Puts other bytes in the place of a file that has moved there, unless somebody edited it on the
    /// way.
    pub fn replace_moved(&mut self, stored: &Stored, to: &Key, bytes: Vec<u8>) {
        let seen = stored.seen.map(Stat::whatever_its_name);
        self.0.push(Op::Replace { path: to.path(), bytes, seen, keep: None });
    }

    /// Removes a file.
    pub fn remove(&mut self, key: &Key) {
        self.0.push(Op::Remove { path: key.path() });
    }

    /// Moves a file to a name that must be free.
    pub fn rename(&mut self, from: &Key, to: &Key) {
        self.0.push(Op::Rename { from: from.path(), to: to.path() });
    }

    /// Moves a finished file from among the unfinished ones to its place, which must be free.
    pub fn place(&mut self, spooled: &str, to: &Key) {
        self.0.push(Op::Rename { from: spooled.to_string(), to: to.path() });
    }

    /// Removes a folder with what is ours in it.
    pub fn remove_folder(&mut self, folder: &Folder) {
        self.0.push(Op::RemoveFolder { folder: folder.path() });
    }
}

/// A change of a workspace that is being put together.
pub struct Staging<'a> {
    engine: &'a Engine,
    snapshot: &'a Snapshot,
    staged: &'a Staged,
    /// Files whose edit by hand was just taken in: what they say counts, whatever the index knows.
    taken_in: &'a [String],
    now: Timestamp,
    pub(super) stale: Option<String>,
    /// Whether files count as they are, whatever the snapshot knows of them: nothing will be written.
    takes_files_as_found: bool,
    pub(super) events: Vec<Event>,
    revision: (RevisionEvent, String),
    steps: Ops,
    beforehand: Ops,
    afterwards: Ops,
}

impl<'a> Staging<'a> {
    pub(super) fn new(
        engine: &'a Engine,
        snapshot: &'a Snapshot,
        staged: &'a Staged,
        taken_in: &'a [String],
    ) -> Staging<'a> {
        Staging {
            engine,
            snapshot,
            staged,
            taken_in,
            now: engine.clock().now(),
            stale: None,
            takes_files_as_found: false,
            events: Vec::new(),
            revision: (RevisionEvent::Update, String::new()),
            steps: Ops::default(),
            beforehand: Ops::default(),
            afterwards: Ops::default(),
        }
    }

    /// A change that nobody will write.
    pub(super) fn for_preview(
        engine: &'a Engine,
        snapshot: &'a Snapshot,
        staged: &'a Staged,
    ) -> Staging<'a> {
        Staging { takes_files_as_found: true, ..Staging::new(engine, snapshot, staged, &[]) }
    }

    pub(super) fn finish(self) -> (Change, Vec<Event>) {
        let change = Change {
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

    /// Which workspace.
    pub fn workspace(&self) -> &'a WorkspaceSlug {
        &self.snapshot.workspace
    }

    /// The time of this change.
    pub fn now(&self) -> Timestamp {
        self.now
    }

    /// What absolute URLs begin with.
    pub fn base_url(&self) -> &'a str {
        self.engine.base_url()
    }

    /// An id that nobody has.
    pub fn new_id(&self) -> EntryId {
        self.engine.new_id()
    }

    /// A file as it is, never older than the snapshot; nothing when it is not there. When it is not
    /// what the snapshot knows, somebody edited it: the error says to begin anew, which happens by
    /// itself, after that edit was taken in.
    pub fn stored(&mut self, key: &Key) -> Result<Option<Stored>, CommitError> {
        let path = key.path();
        if let Some(staged) = self.staged.get(&path) {
            let Some(bytes) = staged.clone() else { return Ok(None) };
            let map = codec::parse(&path, &bytes).map_err(CommitError::Broken)?.map;
            let key = key.clone();
            return Ok(Some(Stored { key, bytes, map, modified: self.now, seen: None }));
        }
        let mut bytes = Vec::new();
        let stat = match self.engine.disk.read(&path, &mut bytes) {
            Ok(stat) => stat,
            Err(ReadError::Missing) if self.knows(key) && !self.takes_files_as_found => {
                return Err(self.stale(path));
            }
            Err(ReadError::Missing) => return Ok(None),
            Err(ReadError::Unreadable(source)) => {
                return Err(StoreError::io("read", path)(source).into());
            }
            Err(error) => return Err(CommitError::Broken(error.problem(&path))),
        };
        let map = codec::parse(&path, &bytes).map_err(CommitError::Broken)?.map;
        let (modified, file) = (super::read::modified(&stat), Json::Object(map));
        let is_known = self.takes_files_as_found || self.taken_in.contains(&path);
        if !is_known && !self.agrees(key, &file) {
            return Err(self.stale(path));
        }
        let Json::Object(map) = file else { return Ok(None) };
        Ok(Some(Stored { key: key.clone(), bytes, map, modified, seen: Some(stat) }))
    }

    /// Whether a file is there, whatever it is.
    pub fn exists(&self, key: &Key) -> bool {
        let path = key.path();
        match self.staged.get(&path) {
            Some(staged) => staged.is_some(),
            None => self.engine.disk.stat(&path).is_ok(),
        }
    }

    /// Whether a folder is there.
    pub fn has_folder(&self, folder: &Folder) -> bool {
        self.engine.disk.stat(&folder.path()).is_ok()
    }

    /// The files of ours in a folder; none when there is no such folder. What the batch staged is
    /// not seen here.
    pub fn list(&self, folder: &Folder) -> Result<Vec<FileRef>, CommitError> {
        Ok(load::files_in(&*self.engine.disk, folder)?)
    }

    /// Makes a file that must not be there.
    pub fn create(&mut self, key: &Key, bytes: Vec<u8>) {
        self.steps.create(key, bytes);
    }

    /// Puts other bytes in the place of a file; the old file of an entry becomes a revision. Nothing
    /// is done when the bytes are the same.
    pub fn replace(&mut self, stored: &Stored, bytes: Vec<u8>) {
        let keep = self.revision_of(&stored.key);
        self.steps.replace_keeping(stored, bytes, keep);
    }

    /// Puts bytes in the place of a file that cannot be read, unless it has been written since it
    /// had this stat.
    pub(super) fn mend(
        &mut self,
        key: &Key,
        before: Stat,
        bytes: Vec<u8>,
    ) -> Result<(), CommitError> {
        let path = key.path();
        let found = self.engine.disk.stat(&path).map_err(StoreError::io("look at", &path))?;
        let (seen, written) = (found.stat, |it: &Stat| (it.inode, it.size, it.modified_ns));
        if written(&seen) != written(&before) {
            return Err(CommitError::Stale);
        }
        self.steps.0.push(Op::Replace { path, bytes, seen: Some(seen), keep: None });
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
    pub fn place(&mut self, spooled: &str, to: &Key) {
        self.steps.place(spooled, to);
    }

    /// Removes a folder with what is ours in it.
    pub fn remove_folder(&mut self, folder: &Folder) {
        self.steps.remove_folder(folder);
    }

    /// What is harmless by itself, and durable before the change shows.
    pub fn beforehand(&mut self) -> &mut Ops {
        &mut self.beforehand
    }

    /// What is harmless when it is lost, and done once the change is durable.
    pub fn afterwards(&mut self) -> &mut Ops {
        &mut self.afterwards
    }

    /// How the revisions of entries that are replaced from here on are labelled.
    pub fn revision(&mut self, event: RevisionEvent, by: &str) {
        self.revision = (event, by.to_string());
    }

    /// What happened, told once it is durable.
    pub fn tell(&mut self, event: Event) {
        self.events.push(event);
    }

    fn stale(&mut self, path: String) -> CommitError {
        self.stale = Some(path);
        CommitError::Stale
    }

    fn knows(&self, key: &Key) -> bool {
        match key {
            Key::Entry(_, of, id) => {
                self.snapshot.get(of.as_str()).is_some_and(|it| it.ordinal(id.as_str()).is_some())
            }
            Key::Schema(_, name) => self.snapshot.get(name.as_str()).is_some(),
            _ => false,
        }
    }

    /// Whether a file says what the snapshot knows, as far as that is known.
    fn agrees(&self, key: &Key, file: &Json) -> bool {
        match key {
            Key::Entry(_, of, id) => {
                let Some(index) = self.snapshot.get(of.as_str()) else { return true };
                let doc = index.ordinal(id.as_str()).and_then(|it| index.doc(it));
                doc.is_some_and(|it| it.rev == file.sum())
            }
            Key::Schema(_, name) => {
                let index = self.snapshot.get(name.as_str());
                index.is_some_and(|it| it.content_type.sum == file.sum())
            }
            _ => true,
        }
    }

    /// Where the old file of an entry is kept.
    fn revision_of(&self, key: &Key) -> Option<String> {
        let Key::Entry(ws, of, id) = key else { return None };
        if self.engine.revisions_kept_max() == 0 {
            return None;
        }
        let (event, by) = &self.revision;
        let by = Some(by.clone()).filter(|it| !it.is_empty());
        let name = RevisionName { id: self.new_id(), event: Some(*event), by };
        let of_entry = Copy::first(id.clone());
        Some(Key::Revision(ws.clone(), of.clone(), of_entry, name.to_id()).path())
    }
}
