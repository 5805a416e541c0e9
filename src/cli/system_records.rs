//! The records in `system/`, read and changed beside a running server, which follows their files.

use std::sync::Arc;

use tempfile::TempDir;

use crate::cli::config::Config;
use crate::cli::config::PlaceArgs;
use crate::cli::config::StoreUrl;
use crate::cli::database;
use crate::cli::error::CommandError;
use crate::cli::folder_setup;
use crate::cli::terminal::print_note;
use crate::engine::installation::Installation;
use crate::engine::load::installation_loader;
use crate::model::grant::Permit;
use crate::model::problem::Severity;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::store::cluster::ReplicaDisk;
use crate::store::cluster::replica::Replica;
use crate::store::codec;
use crate::store::data_folder::DataFolder;
use crate::store::disk;
use crate::store::disk::Disk;
use crate::store::disk::OsDisk;
use crate::store::disk::ReadError;
use crate::store::layout;
use crate::store::layout::Key;
use crate::store::lock::WriteLock;

/// The records of a data folder.
pub(super) struct SystemRecords {
    places: DataFolder,
    disk: Arc<dyn Disk>,
    /// The copy of the records in a database, with the folder that it is in.
    replica: Option<(Arc<Replica>, TempDir)>,
}

/// A set of changes, made while no other process writes, with the permit for it.
pub(super) struct RecordsChange<'a> {
    disk: &'a dyn Disk,
    permit: &'a Permit,
    written: Vec<String>,
}

impl SystemRecords {
    /// Opens the data folder that `place` names, else the configured one.
    pub(super) fn open_folder(place: &PlaceArgs) -> Result<SystemRecords, CommandError> {
        SystemRecords::open_configured(&place.resolve_config()?)
    }

    /// Opens the same to change records. A data folder that is read-only is refused.
    pub(super) fn open_to_change(place: &PlaceArgs) -> Result<SystemRecords, CommandError> {
        let config = place.resolve_config()?;
        folder_setup::check_is_writable(&config)?;
        SystemRecords::open_configured(&config)
    }

    fn open_configured(config: &Config) -> Result<SystemRecords, CommandError> {
        if let Some(url) = &config.store {
            return SystemRecords::open_database(url);
        }
        let places = config.data_folder();
        let disk = Arc::new(folder_setup::open_disk(&places)?);
        Ok(SystemRecords { places, disk, replica: None })
    }

    /// Opens the records of a database, in a temporary copy.
    fn open_database(url: &StoreUrl) -> Result<SystemRecords, CommandError> {
        let folder = database::make_temporary_folder()?;
        let places = DataFolder::new(folder.path());
        let files: Arc<dyn Disk> = Arc::new(OsDisk::open_places(&places)?);
        let database = database::open_database(url)?;
        let replica =
            Arc::new(Replica::open_part(database, files.clone(), &places, layout::SYSTEM)?);
        let disk = Arc::new(ReplicaDisk::new(files, replica.clone()));
        Ok(SystemRecords { places, disk, replica: Some((replica, folder)) })
    }

    /// Loads the users, roles and tokens, and prints a note about files that cannot be read.
    pub(super) fn load_people(&self) -> Result<Installation, CommandError> {
        let (installation, problems) = installation_loader::load_people(&*self.disk)?;
        let broken = problems.iter().filter(|it| it.severity() == Severity::Error);
        broken.for_each(|it| print_note(&it.to_string()));
        Ok(installation)
    }

    /// Reads a record. Returns `None` if it does not exist.
    pub(super) fn read_record(&self, key: &Key) -> Result<Option<Map>, CommandError> {
        let (path, mut bytes) = (key.path(), Vec::new());
        match self.disk.read(&path, &mut bytes) {
            Ok(_) => codec::parse_document(&path, &bytes)
                .map(|it| Some(it.map))
                .map_err(CommandError::failed),
            Err(ReadError::Missing) => Ok(None),
            Err(error) => Err(CommandError::failed(error.to_problem(&path))),
        }
    }

    /// Runs `work` while no other process writes, and reports the written files to the server.
    pub(super) fn change_records<T>(
        &self,
        permit: &Permit,
        work: impl FnOnce(&mut RecordsChange<'_>) -> Result<T, CommandError>,
    ) -> Result<T, CommandError> {
        self.places.claim_folders()?;
        let mut lock = WriteLock::open(self.places.root())?;
        if let Some((replica, _)) = &self.replica {
            lock.set_replica(replica.clone());
        }
        let mut turn = lock.acquire_turn()?;
        let mut change = RecordsChange { disk: &*self.disk, permit, written: Vec::new() };
        let done = work(&mut change);
        if !change.written.is_empty() {
            turn.record_paths(&change.written)?;
        }
        done
    }
}

impl RecordsChange<'_> {
    /// Writes a record that must not exist.
    pub(super) fn create_record(&mut self, key: &Key, record: &Json) -> Result<(), CommandError> {
        disk::create_file(self.disk, &key.path(), &record.to_file())?;
        self.note_written(key);
        Ok(())
    }

    /// Writes a record that replaces an existing one.
    pub(super) fn replace_record(&mut self, key: &Key, record: &Json) -> Result<(), CommandError> {
        disk::replace_file(self.disk, &key.path(), &record.to_file())?;
        self.note_written(key);
        Ok(())
    }

    /// Removes a record.
    pub(super) fn remove_record(&mut self, key: &Key) -> Result<(), CommandError> {
        disk::remove_file(self.disk, &key.path())?;
        self.note_written(key);
        Ok(())
    }

    fn note_written(&mut self, key: &Key) {
        let (action, path) = (self.permit.action().as_str(), key.path());
        tracing::debug!(action, path, "the operator changed a record");
        self.written.push(path);
    }
}
