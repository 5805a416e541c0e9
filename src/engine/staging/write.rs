//! Writing into a staged change of a workspace, with the permit for it.

use crate::engine::error::CommitError;
use crate::engine::folder::OpenFolder;
use crate::engine::records::Records;
use crate::engine::staging::change_steps::ChangeSteps;
use crate::engine::staging::change_steps::StoredFile;
use crate::model::event::Event;
use crate::model::event::EventKind;
use crate::model::event::Subject;
use crate::model::grant::Permit;
use crate::model::name::EntryId;
use crate::model::revision::RevisionEvent;
use crate::model::revision::RevisionName;
use crate::store::disk::Stat;
use crate::store::error::StoreError;
use crate::store::layout::EntryCopy;
use crate::store::layout::FilePath;
use crate::store::layout::Folder;
use crate::store::layout::Key;
use crate::store::summed_content::SummedContent;
use crate::store::write::file_op::FileOp;
use crate::store::write::file_op::FileTransaction;

/// The steps and events of a change.
pub(super) struct ChangeParts {
    events: Vec<Event>,
    revision: (RevisionEvent, String),
    pub(super) steps: ChangeSteps,
    pub(super) beforehand: ChangeSteps,
    afterwards: ChangeSteps,
}

impl Default for ChangeParts {
    fn default() -> ChangeParts {
        ChangeParts {
            events: Vec::new(),
            revision: (RevisionEvent::Update, String::new()),
            steps: ChangeSteps::default(),
            beforehand: ChangeSteps::default(),
            afterwards: ChangeSteps::default(),
        }
    }
}

impl ChangeParts {
    pub(super) fn add_event(&mut self, event: Event) {
        self.events.push(event);
    }

    pub(super) fn into_parts(self) -> (FileTransaction, Vec<Event>) {
        let change = FileTransaction {
            beforehand: self.beforehand.into_inner(),
            steps: self.steps.into_inner(),
            afterwards: self.afterwards.into_inner(),
        };
        (change, self.events)
    }
}

/// The right to write into a change of a workspace. Only `Staging::write` makes one, from a permit.
pub struct Write<'w> {
    folder: &'w OpenFolder,
    records: &'w Records,
    change: &'w mut ChangeParts,
    permit: &'w Permit,
}

impl<'w> Write<'w> {
    pub(super) fn new(
        folder: &'w OpenFolder,
        records: &'w Records,
        change: &'w mut ChangeParts,
        permit: &'w Permit,
    ) -> Write<'w> {
        Write { folder, records, change, permit }
    }

    /// Makes a file that must not be there.
    pub fn create(&mut self, key: &Key, content: impl Into<SummedContent>) {
        self.change.steps.create(key, content);
    }

    /// Puts other bytes in the place of a file; the old file of an entry becomes a revision.
    /// Nothing is done when the bytes are the same.
    pub fn replace(&mut self, stored: &StoredFile, bytes: impl Into<SummedContent>) {
        let keep = self.revision_path(&stored.key);
        self.change.steps.replace_keeping(stored, bytes, keep);
    }

    /// Puts bytes in the place of a file that cannot be read, unless it has been written since it
    /// had this stat.
    pub(crate) fn replace_broken(
        &mut self,
        key: &Key,
        before: Stat,
        bytes: Vec<u8>,
    ) -> Result<(), CommitError> {
        let path = FilePath::from(key.clone());
        let found = self.folder.disk.stat(&path).map_err(StoreError::io("look at", &*path))?;
        let (seen, written) = (found.stat, |it: &Stat| (it.inode, it.size, it.modified_ns));
        if written(&seen) != written(&before) {
            return Err(CommitError::Stale);
        }
        let bytes = bytes.into();
        self.change.steps.0.push(FileOp::Replace { path, bytes, seen: Some(seen), keep: None });
        Ok(())
    }

    /// Removes a file.
    pub fn remove(&mut self, key: &Key) {
        self.change.steps.remove(key);
    }

    /// Moves a file to a name that must be free.
    pub fn rename(&mut self, from: &Key, to: &Key) {
        self.change.steps.rename(from, to);
    }

    /// Moves a finished file from among the unfinished ones to its place, which must be free.
    pub fn place_spooled(&mut self, spooled: &str, to: &Key) {
        self.change.steps.place_spooled(spooled, to);
    }

    /// Puts a finished upload in the place of a media file that must still have this stat; the old
    /// file becomes a revision. It must be the only step of the change.
    pub fn place_over(&mut self, upload: &str, key: &Key, seen: Stat) {
        let keep = self.revision_path(key);
        self.change.steps.place_over(upload, key, seen, keep);
    }

    /// Removes a folder with what is ours in it.
    pub fn remove_folder(&mut self, folder: &Folder) {
        self.change.steps.remove_folder(folder);
    }

    /// The steps that are harmless by themselves, and durable before the change shows.
    pub fn steps_before(self) -> &'w mut ChangeSteps {
        &mut self.change.beforehand
    }

    /// The steps that are harmless when lost, and done once the change is durable.
    pub fn steps_after(self) -> &'w mut ChangeSteps {
        &mut self.change.afterwards
    }

    /// Sets the label of the revisions of what is replaced from here on.
    pub fn label_revisions(&mut self, event: RevisionEvent, by: &str) {
        self.change.revision = (event, by.to_string());
    }

    /// Adds an event in the name of whoever has the permit. It is told once the change is durable.
    pub fn add_event(&mut self, kind: EventKind, subject: Subject) {
        self.change.events.push(self.permit.attribute_event(kind, subject));
    }

    /// Marks all events that were added so far as caused by the publication of a change.
    pub fn mark_in_change(&mut self, id: &EntryId) {
        for event in &mut self.change.events {
            event.in_change = Some(id.to_string());
        }
    }

    /// Keeps all events that were added so far out of the activity log.
    pub fn leave_unlogged(&mut self) {
        for event in &mut self.change.events {
            event.is_unlogged = true;
        }
    }

    /// Chooses the path of the revision that keeps the old file of an entry, or of a media file.
    fn revision_path(&self, key: &Key) -> Option<FilePath> {
        if self.records.max_revisions() == 0 {
            return None;
        }
        let (event, by) = &self.change.revision;
        let by = Some(by.clone()).filter(|it| !it.is_empty());
        let name = RevisionName { id: self.folder.new_id(), event: Some(*event), by };
        let revision = match key {
            Key::Entry(ws, of, id) => {
                let of_entry = EntryCopy::first(id.clone());
                Key::Revision(ws.clone(), of.clone(), of_entry, name.to_id())
            }
            Key::Media(ws, of) => Key::MediaRevision(ws.clone(), of.clone(), name.to_filename(of)?),
            _ => return None,
        };
        Some(revision.into())
    }
}
