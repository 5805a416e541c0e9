//! Backups of what is served: made beside readers and writers, looked into, taken in from
//! elsewhere. `repository` has those that are kept outside the folder.

pub(crate) mod entry_cleaner;
pub(crate) mod file_check;
pub mod repository;
pub mod request;
pub(crate) mod restore;
pub(crate) mod restore_job;
pub mod restore_request;
pub(crate) mod restored_users;

use std::io;
use std::sync::Arc;

use crate::engine::backups::file_check::check_file;
use crate::engine::backups::repository::TargetError;
use crate::engine::backups::repository::run;
use crate::engine::backups::repository::run::BackupDestination;
use crate::engine::backups::repository::run::BackupRun;
use crate::engine::backups::repository::run::BackupSource;
use crate::engine::backups::repository::status::BackupStatus;
use crate::engine::backups::request::BackupError;
use crate::engine::backups::request::BackupRequest;
use crate::engine::error::CommitError;
use crate::engine::folder::OpenFolder;
use crate::engine::follower::Follower;
use crate::engine::records::Records;
use crate::engine::workspaces::registry::WorkspaceRegistry;
use crate::model::backup::BackupManifest;
use crate::model::backup::BackupName;
use crate::stdx::time::Timestamp;
use crate::store::archive::BackupSelection;
use crate::store::archive::folder;
use crate::store::archive::folder::BackupFolder;
use crate::store::archive::folder::BackupInfo;
use crate::store::archive::reader::ArchiveLimits;
use crate::store::archive::reader::ArchiveReader;
use crate::store::archive::writer;
use crate::store::archive::writer::ArchiveSpec;
use crate::store::archive::writer::Progress;
use crate::store::disk::Disk;
use crate::store::disk::ReadError;
use crate::store::disk::Stat;
use crate::store::error::StoreError;
use crate::store::lock::WriteLock;
use crate::store::read::blob::Blob;
use crate::store::write::spool::Spooled;

/// The backups of a folder.
pub struct Backups {
    pub(crate) folder: Arc<OpenFolder>,
    pub(crate) records: Arc<Records>,
    pub(crate) workspaces: Arc<WorkspaceRegistry>,
    pub(crate) follower: Arc<Follower>,
    archives: BackupFolder,
}

impl Backups {
    /// The backups of the folder that these parts serve.
    pub(crate) fn new(
        folder: Arc<OpenFolder>,
        records: Arc<Records>,
        workspaces: Arc<WorkspaceRegistry>,
        follower: Arc<Follower>,
    ) -> Backups {
        Backups { folder, records, workspaces, follower, archives: BackupFolder::default() }
    }
}

/// Makes a backup in a data folder that may be served meanwhile, and reads it back.
pub fn create_backup(
    disk: &Arc<dyn Disk>,
    lock: &WriteLock,
    wanted: &BackupRequest,
    now: Timestamp,
    progress: &dyn Fn(Progress),
) -> Result<(BackupName, BackupManifest), BackupError> {
    let order = packing_order(wanted, now, progress);
    let packed = writer::write_archive(disk, lock, order)?;
    let name = folder::publish_backup(&**disk, &packed.path, &BackupName::from_time(now, None))?;
    let read_back = verify_backup(&**disk, &name);
    if read_back.is_err() {
        // What cannot be restored is no backup.
        let _ = folder::remove_backup(&**disk, &name);
    }
    read_back?;
    Ok((name, packed.manifest))
}

pub(crate) fn packing_order<'a>(
    wanted: &BackupRequest,
    now: Timestamp,
    progress: &'a dyn Fn(Progress),
) -> ArchiveSpec<'a> {
    ArchiveSpec {
        selection: BackupSelection::new(wanted.parts.clone(), wanted.workspaces.clone()),
        secrets: wanted.secrets,
        note: wanted.note.clone(),
        created_by: wanted.created_by.clone(),
        now,
        validate: &check_file,
        progress,
    }
}

/// Reads all of a backup and returns its manifest, if everything in it is right.
pub fn verify_backup(
    disk: &dyn Disk,
    name: &BackupName,
) -> Result<(BackupManifest, Stat), BackupError> {
    let (mut opened, stat) = folder::open_archive(disk, name)?.ok_or(BackupError::Missing)?;
    opened.verify_files(&check_file)?;
    Ok((opened.manifest().clone(), stat))
}

impl Backups {
    /// Makes a backup. Nobody waits for it longer than it takes to list the files of a workspace.
    pub fn make_backup(&self, wanted: &BackupRequest) -> Result<BackupInfo, BackupError> {
        self.records.check_writable().map_err(CommitError::from)?;
        let lock = self.folder.write_lock.as_ref().ok_or(CommitError::ReadOnly)?;
        let (name, _) =
            create_backup(&self.folder.disk, lock, wanted, self.folder.clock.now(), &|_| {})?;
        let stat = self.folder.disk.stat(&folder::backup_path(&name)).map(|it| it.stat);
        let stat = stat.map_err(StoreError::io("look at", folder::backup_path(&name)))?;
        self.archives.record_verified(&*self.folder.disk, &name, stat, true);
        self.load_backup(&name)
    }

    /// Makes a backup in a target outside the folder.
    pub fn run_backup(
        &self,
        destination: &BackupDestination<'_>,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<BackupRun, TargetError> {
        let folder = &self.folder;
        let read_only = || TargetError::Unusable("the server is read-only".to_string());
        let source = BackupSource {
            root: folder.places.root(),
            disk: &*folder.disk,
            lock: folder.write_lock.as_ref().ok_or_else(read_only)?,
        };
        run::run_backup(&source, destination, folder.clock.now(), is_stopped)
    }

    /// Returns how the last backups to a target went.
    pub fn load_status(&self, target: &str) -> BackupStatus {
        BackupStatus::load(&*self.folder.disk, target)
    }

    /// Writes down how a backup went that was begun at `at`.
    pub fn record_status(
        &self,
        status: &mut BackupStatus,
        at: Timestamp,
        run: &Result<BackupRun, TargetError>,
    ) -> Result<(), StoreError> {
        status.record(&*self.folder.disk, at, run)
    }

    /// All backups, the newest first.
    pub fn list_backups(&self) -> Result<Vec<BackupInfo>, StoreError> {
        self.archives.list(&*self.folder.disk)
    }

    /// One backup.
    pub fn load_backup(&self, name: &BackupName) -> Result<BackupInfo, BackupError> {
        self.archives.get(&*self.folder.disk, name)?.ok_or(BackupError::Missing)
    }

    /// Opens a backup to be sent.
    pub fn open_backup(&self, name: &BackupName) -> Result<Blob, BackupError> {
        let opened =
            folder::open_backup(&*self.folder.disk, name).map(|(file, stat)| Blob::new(file, stat));
        opened.map_err(|error| match error {
            ReadError::Unreadable(error) => {
                StoreError::io("open", folder::backup_path(name))(error).into()
            }
            _ => BackupError::Missing,
        })
    }

    /// Reads all of a backup and remembers if it is right.
    pub fn inspect_backup(&self, name: &BackupName) -> Result<BackupManifest, BackupError> {
        let looked = verify_backup(&*self.folder.disk, name);
        match &looked {
            Ok((_, stat)) => self.archives.record_verified(&*self.folder.disk, name, *stat, true),
            Err(BackupError::Flawed(_)) => {
                if let Ok(found) = self.folder.disk.stat(&folder::backup_path(name)) {
                    self.archives.record_verified(&*self.folder.disk, name, found.stat, false);
                }
            }
            Err(_) => {}
        }
        looked.map(|(manifest, _)| manifest)
    }

    /// Removes a backup.
    pub fn delete_backup(&self, name: &BackupName) -> Result<(), BackupError> {
        self.records.check_writable().map_err(CommitError::from)?;
        if folder::remove_backup(&*self.folder.disk, name)? {
            Ok(())
        } else {
            Err(BackupError::Missing)
        }
    }

    /// Imports an uploaded archive, if everything in it is right.
    pub fn import_backup(
        &self,
        upload: Spooled,
    ) -> Result<(BackupInfo, BackupManifest), BackupError> {
        self.records.check_writable().map_err(CommitError::from)?;
        let opened = self.folder.disk.open(&upload.path);
        let (file, stat) = opened.map_err(|error| match error {
            ReadError::Unreadable(error) => StoreError::io("open", upload.path.as_str())(error),
            _ => StoreError::io("open", upload.path.as_str())(io::ErrorKind::NotFound.into()),
        })?;
        let mut opened = ArchiveReader::open(file, ArchiveLimits::FOREIGN)?;
        opened.verify_files(&check_file)?;
        let manifest = opened.manifest().clone();
        let wish = BackupName::from_original(&upload.name, self.folder.clock.now());
        let name = folder::publish_backup(&*self.folder.disk, &upload.path, &wish)?;
        // Its name alone is another one: times of changes are, on some systems.
        let now = self.folder.disk.stat(&folder::backup_path(&name)).map_or(stat, |it| it.stat);
        self.archives.record_verified(&*self.folder.disk, &name, now, true);
        Ok((self.load_backup(&name)?, manifest))
    }
}
