//! A change of what all workspaces share that is being put together.

use crate::engine::error::CommitError;
use crate::engine::folder::OpenFolder;
use crate::engine::installation::Installation;
use crate::engine::staging::change_steps::ChangeSteps;
use crate::engine::staging::change_steps::StoredFile;
use crate::model::event::Event;
use crate::model::name::EntryId;
use crate::stdx::json::Json;
use crate::stdx::json_edit;
use crate::stdx::time::Timestamp;
use crate::store::codec;
use crate::store::layout::Key;

/// A change of what all workspaces share that is being put together. Files of workspaces can be
/// changed with it, so that what holds between them and the settings always holds.
pub struct SystemStaging<'a> {
    pub(crate) folder: &'a OpenFolder,
    pub(crate) installation: &'a Installation,
    pub(crate) now: Timestamp,
    pub(crate) steps: ChangeSteps,
    pub(crate) events: Vec<Event>,
}

impl SystemStaging<'_> {
    /// The installation with everything that was committed before.
    pub fn installation(&self) -> &Installation {
        self.installation
    }

    /// The time of this change.
    pub fn now(&self) -> Timestamp {
        self.now
    }

    /// An id that nobody has.
    pub fn new_id(&self) -> EntryId {
        self.folder.new_id()
    }

    /// A file as it is; nothing when it is not there.
    pub fn read_stored(&self, key: &Key) -> Result<Option<StoredFile>, CommitError> {
        read_stored_now(self.folder, key)
    }

    /// Makes a file that must not be there.
    pub fn create(&mut self, key: &Key, bytes: Vec<u8>) {
        self.steps.create(key, bytes);
    }

    /// Puts other bytes in the place of a file. Nothing is done when they are the same.
    pub fn replace(&mut self, stored: &StoredFile, bytes: Vec<u8>) {
        self.steps.replace(stored, bytes);
    }

    /// Puts other bytes in the place of a file, whatever it is by then.
    pub fn overwrite(&mut self, key: &Key, bytes: Vec<u8>) {
        self.steps.overwrite(key, bytes);
    }

    /// Makes a file say this: the values that changed are written into the file as people keep it,
    /// and keys that are not ours stay. It is made when it is not there.
    pub fn write_record(&mut self, key: &Key, value: &Json) -> Result<(), CommitError> {
        match self.read_stored(key) {
            Ok(Some(stored)) => {
                let mut next = stored.map.clone();
                for (name, value) in value.as_object().into_iter().flat_map(|it| it.iter()) {
                    next.set(name, value.clone());
                }
                let bytes = json_edit::rewrite_json(&stored.bytes, &Json::Object(next));
                self.replace(&stored, bytes);
            }
            Ok(None) => self.create(key, value.to_file()),
            // What cannot be read is of no use to anybody.
            Err(CommitError::Broken(_)) => self.overwrite(key, value.to_file()),
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// Returns true if there is a file, even one that cannot be read.
    pub fn exists(&self, key: &Key) -> bool {
        self.folder.disk.stat(&key.path()).is_ok()
    }

    /// Puts bytes in their place, whether or not there are others.
    pub fn put(&mut self, key: &Key, bytes: Vec<u8>) {
        if self.exists(key) { self.overwrite(key, bytes) } else { self.create(key, bytes) }
    }

    /// Removes a file.
    pub fn remove(&mut self, key: &Key) {
        self.steps.remove(key);
    }

    /// Adds an event, which is told once the change is durable.
    pub fn add_event(&mut self, event: Event) {
        self.events.push(event);
    }
}

/// A file as it is at this moment.
fn read_stored_now(folder: &OpenFolder, key: &Key) -> Result<Option<StoredFile>, CommitError> {
    let Some((bytes, stat)) = folder.find_body(key)? else { return Ok(None) };
    let map = codec::parse_document(&key.path(), &bytes).map_err(CommitError::Broken)?.map;
    Ok(Some(StoredFile::from_read(key.clone(), bytes, map, stat)))
}
