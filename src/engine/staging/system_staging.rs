//! A change of what all workspaces share that is being put together.

use crate::engine::error::CommitError;
use crate::engine::folder::OpenFolder;
use crate::engine::installation::Installation;
use crate::engine::staging::change_steps::StoredFile;
use crate::engine::staging::system_write::SystemChange;
use crate::engine::staging::system_write::SystemWrite;
use crate::engine::staging::system_write::is_there;
use crate::engine::staging::system_write::read_stored_now;
use crate::model::event::Event;
use crate::model::grant::Permit;
use crate::model::name::EntryId;
use crate::stdx::time::Timestamp;
use crate::store::layout::FilePath;
use crate::store::layout::Key;
use crate::store::write::file_op::FileTransaction;

/// A change of what all workspaces share that is being put together. Files of workspaces can be
/// changed with it, so that what holds between them and the settings always holds. It only reads:
/// what is changed goes through [`SystemStaging::write`], which takes a permit.
pub struct SystemStaging<'a> {
    folder: &'a OpenFolder,
    installation: &'a Installation,
    now: Timestamp,
    change: SystemChange,
}

impl<'a> SystemStaging<'a> {
    pub(crate) fn new(folder: &'a OpenFolder, installation: &'a Installation) -> SystemStaging<'a> {
        let now = folder.clock.now();
        SystemStaging { folder, installation, now, change: SystemChange::default() }
    }

    /// Returns the file because of which the work has to begin anew.
    pub(crate) fn outdated_file(&self) -> Option<&FilePath> {
        self.change.outdated_file()
    }

    pub(crate) fn into_change(self) -> (FileTransaction, Vec<Event>) {
        self.change.into_parts()
    }

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

    /// Returns true if there is a file, even one that cannot be read.
    pub fn exists(&self, key: &Key) -> bool {
        is_there(self.folder, key)
    }

    /// Opens the change for writing. The permit is the one of the action that was decided, and
    /// covers what follows from it.
    pub fn write<'w>(&'w mut self, permit: &'w Permit) -> SystemWrite<'w> {
        SystemWrite::new(self.folder, self.installation, &mut self.change, permit)
    }
}
