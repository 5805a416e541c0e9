//! Writing into a staged change of what all workspaces share, with the permit for it.

use crate::engine::error::CommitError;
use crate::engine::folder::OpenFolder;
use crate::engine::installation::Installation;
use crate::engine::staging::change_steps::ChangeSteps;
use crate::engine::staging::change_steps::StoredFile;
use crate::model::event::Event;
use crate::model::event::EventKind;
use crate::model::event::Subject;
use crate::model::grant::Permit;
use crate::stdx::json::Json;
use crate::store::codec;
use crate::store::disk::Stat;
use crate::store::layout::FilePath;
use crate::store::layout::Key;
use crate::store::write::file_op::FileTransaction;

/// The steps and events of a change.
#[derive(Default)]
pub(super) struct SystemChange {
    steps: ChangeSteps,
    events: Vec<Event>,
    /// A file that somebody edited since the installation read it.
    outdated: Option<FilePath>,
}

impl SystemChange {
    pub(super) fn outdated_file(&self) -> Option<&FilePath> {
        self.outdated.as_ref()
    }

    pub(super) fn into_parts(self) -> (FileTransaction, Vec<Event>) {
        let steps = self.steps.into_inner();
        (FileTransaction { steps, ..FileTransaction::default() }, self.events)
    }
}

/// The right to write into a change of what all workspaces share. Only `SystemStaging::write`
/// makes one, from a permit.
pub struct SystemWrite<'w> {
    folder: &'w OpenFolder,
    installation: &'w Installation,
    change: &'w mut SystemChange,
    permit: &'w Permit,
}

impl<'w> SystemWrite<'w> {
    pub(super) fn new(
        folder: &'w OpenFolder,
        installation: &'w Installation,
        change: &'w mut SystemChange,
        permit: &'w Permit,
    ) -> SystemWrite<'w> {
        SystemWrite { folder, installation, change, permit }
    }

    /// Makes a file that must not be there.
    pub fn create(&mut self, key: &Key, bytes: Vec<u8>) {
        self.change.steps.create(key, bytes);
    }

    /// Puts other bytes in the place of a file. Nothing is done when they are the same.
    pub fn replace(&mut self, stored: &StoredFile, bytes: Vec<u8>) {
        self.change.steps.replace(stored, bytes);
    }

    /// Puts other bytes in the place of a file, whatever it is by then.
    pub fn overwrite(&mut self, key: &Key, bytes: Vec<u8>) {
        self.change.steps.overwrite(key, bytes);
    }

    /// Makes a file say this: the values that changed are written into the file as people keep it,
    /// and keys that are not ours stay. It is made when it is not there.
    ///
    /// # Errors
    ///
    /// Fails with [`CommitError::Stale`] if somebody edited the file since the installation read
    /// it: `value` was made from what the file said before, and would undo the edit. The work is
    /// begun anew with the file as it is.
    pub fn write_record(&mut self, key: &Key, value: &Json) -> Result<(), CommitError> {
        let Some((bytes, stat)) = self.folder.find_body(key)? else {
            self.create(key, value.to_file());
            return Ok(());
        };
        if !self.installation.has_read(key, &stat) {
            self.change.outdated = Some(key.clone().into());
            return Err(CommitError::Stale);
        }
        match parse_stored(key, bytes, stat) {
            Ok(stored) => {
                let mut next = stored.map().clone();
                for (name, value) in value.as_object().into_iter().flat_map(|it| it.iter()) {
                    next.set(name, value.clone());
                }
                let bytes = stored.rewrite(next);
                self.replace(&stored, bytes);
            }
            // What cannot be read is of no use to anybody, unless it says more than `value`.
            Err(CommitError::Broken(_)) if !matches!(key, Key::Settings | Key::Webhooks) => {
                self.overwrite(key, value.to_file());
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// Puts bytes in their place, whether or not there are others.
    pub fn put(&mut self, key: &Key, bytes: Vec<u8>) {
        if is_there(self.folder, key) {
            self.overwrite(key, bytes)
        } else {
            self.create(key, bytes)
        }
    }

    /// Removes a file.
    pub fn remove(&mut self, key: &Key) {
        self.change.steps.remove(key);
    }

    /// Adds an event in the name of whoever has the permit. It is told once the change is durable.
    pub fn add_event(&mut self, kind: EventKind, subject: Subject) {
        self.change.events.push(self.permit.attribute_event(kind, subject));
    }
}

/// A file as it is at this moment.
pub(super) fn read_stored_now(
    folder: &OpenFolder,
    key: &Key,
) -> Result<Option<StoredFile>, CommitError> {
    let Some((bytes, stat)) = folder.find_body(key)? else { return Ok(None) };
    parse_stored(key, bytes, stat).map(Some)
}

fn parse_stored(key: &Key, bytes: Vec<u8>, stat: Stat) -> Result<StoredFile, CommitError> {
    let map = codec::parse_document(&key.path(), &bytes).map_err(CommitError::Broken)?.map;
    Ok(StoredFile::from_read(key.clone(), bytes, Json::Object(map), stat))
}

/// Returns true if there is a file, even one that cannot be read.
pub(super) fn is_there(folder: &OpenFolder, key: &Key) -> bool {
    folder.disk.stat(&key.path()).is_ok()
}
