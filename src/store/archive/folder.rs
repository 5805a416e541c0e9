//! The folder of backups: listing, publishing and removing them.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read as _};
use std::sync::Arc;

use crate::model::backup::{BackupManifest, BackupName};
use crate::stdx::sync::Mutex;
use crate::store::archive::reader::{ArchiveError, ArchiveLimits, ArchiveReader};
use crate::store::disk::{self, Disk, FileKind, ReadError, Stat};
use crate::store::error::StoreError;
use crate::store::layout;
use crate::store::write::commit;
use crate::store::write::spool::Spool;

/// The limit of the numbers appended to make a name unique.
const NUMBERS_MAX: usize = 10_000;

/// The properties of a backup.
#[derive(Clone)]
pub struct BackupInfo {
    /// The name.
    pub name: BackupName,
    /// The size in bytes.
    pub size: u64,
    /// The modification time in nanoseconds.
    pub modified_ns: i64,
    /// The manifest; `None` if it cannot be read.
    pub manifest: Option<Arc<BackupManifest>>,
    /// True if all checksums were verified since the server started.
    pub verified: bool,
}

/// The folder of backups, with a cache of their properties.
#[derive(Default)]
pub struct BackupFolder {
    /// The cached properties, valid as long as the file has this stat.
    known: Mutex<HashMap<BackupName, (Stat, BackupInfo)>>,
}

impl BackupFolder {
    /// Returns all backups, the newest first. Files with other names are ignored.
    pub fn list(&self, disk: &dyn Disk) -> Result<Vec<BackupInfo>, StoreError> {
        let items = match disk.list(layout::BACKUPS) {
            Ok(listing) => listing.items,
            Err(error) if crate::store::read::load::is_absence(&error) => Vec::new(),
            Err(error) => return Err(StoreError::io("list", layout::BACKUPS)(error)),
        };
        let files = items.into_iter().filter(|it| it.kind == FileKind::File);
        let named = files.filter_map(|it| Some((BackupName::parse(&it.name).ok()?, it.stat)));
        let mut backups: Vec<BackupInfo> =
            named.map(|(name, stat)| self.load_info(disk, &name, stat)).collect();
        self.known.lock().retain(|name, _| backups.iter().any(|it| it.name == *name));
        backups.sort_by(|a, b| (b.modified_ns, &b.name).cmp(&(a.modified_ns, &a.name)));
        Ok(backups)
    }

    /// Returns a backup.
    pub fn get(
        &self,
        disk: &dyn Disk,
        name: &BackupName,
    ) -> Result<Option<BackupInfo>, StoreError> {
        let path = backup_path(name);
        match disk.stat(&path) {
            Ok(found) if found.kind == FileKind::File => {
                Ok(Some(self.load_info(disk, name, found.stat)))
            }
            Ok(_) => Ok(None),
            Err(error) if crate::store::read::load::is_absence(&error) => Ok(None),
            Err(error) => Err(StoreError::io("look at", path)(error)),
        }
    }

    fn load_info(&self, disk: &dyn Disk, name: &BackupName, stat: Stat) -> BackupInfo {
        if let Some((seen, info)) = self.known.lock().get(name)
            && *seen == stat
        {
            return info.clone();
        }
        let opened = open_backup(disk, name)
            .ok()
            .and_then(|(file, _)| ArchiveReader::open(file, ArchiveLimits::OWN).ok());
        let manifest = opened.map(|it| Arc::new(it.manifest().clone()));
        let (size, modified_ns) = (stat.size, stat.modified_ns);
        let info = BackupInfo { name: name.clone(), size, modified_ns, manifest, verified: false };
        self.known.lock().insert(name.clone(), (stat, info.clone()));
        info
    }

    /// Records the result of verifying all checksums of a backup that had this stat.
    pub fn record_verified(&self, disk: &dyn Disk, name: &BackupName, stat: Stat, right: bool) {
        let mut info = self.load_info(disk, name, stat);
        info.verified = right;
        self.known.lock().insert(name.clone(), (stat, info));
    }
}

/// Returns the path of a backup.
pub fn backup_path(name: &BackupName) -> String {
    format!("{}/{}", layout::BACKUPS, name.as_str())
}

/// Opens the file of a backup.
pub fn open_backup(disk: &dyn Disk, name: &BackupName) -> Result<(File, Stat), ReadError> {
    disk.open(&backup_path(name))
}

/// Opens the archive of a backup; returns `None` if there is none.
pub fn open_archive(
    disk: &dyn Disk,
    name: &BackupName,
) -> Result<Option<(ArchiveReader, Stat)>, ArchiveError> {
    let (file, stat) = match open_backup(disk, name) {
        Ok(opened) => opened,
        Err(ReadError::Missing | ReadError::NotAFile(_) | ReadError::TooLarge(_)) => {
            return Ok(None);
        }
        Err(ReadError::Unreadable(error)) => {
            return Err(StoreError::io("open", backup_path(name))(error).into());
        }
    };
    Ok(Some((ArchiveReader::open(file, ArchiveLimits::OWN)?, stat)))
}

/// Moves a finished archive to its name, with a number appended if the name is taken.
pub fn publish_backup(
    disk: &dyn Disk,
    finished: &str,
    wish: &BackupName,
) -> Result<BackupName, StoreError> {
    disk::make_folders(disk, layout::BACKUPS)?;
    for number in 1..NUMBERS_MAX {
        let name = if number == 1 { wish.clone() } else { wish.with_number(number) };
        match move_archive(disk, finished, &backup_path(&name)) {
            Ok(()) => {
                let synced = disk.sync_folder(layout::BACKUPS);
                synced.map_err(StoreError::io("sync", layout::BACKUPS))?;
                return Ok(name);
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(StoreError::io("write", backup_path(&name))(error)),
        }
    }
    let exists = io::ErrorKind::AlreadyExists.into();
    Err(StoreError::io("write", backup_path(wish))(exists))
}

/// Copies a backup to another disk, with a number appended if its name is taken there.
pub fn copy_backup(
    from: &dyn Disk,
    name: &BackupName,
    to: &Arc<dyn Disk>,
) -> Result<BackupName, StoreError> {
    let path = backup_path(name);
    let failed = StoreError::io("read", path.as_str());
    let (mut archive, _) = from.open(&path).map_err(|it| failed(it.into_io()))?;
    let mut spool = Spool::create_for(to.clone(), &path)?;
    let mut chunk = vec![0; 64 * 1024];
    loop {
        let read = archive.read(&mut chunk).map_err(StoreError::io("read", path.as_str()))?;
        if read == 0 {
            break;
        }
        spool.write(chunk.get(..read).unwrap_or_default())?;
    }
    publish_backup(&**to, &spool.finish()?.path, name)
}

fn move_archive(disk: &dyn Disk, finished: &str, path: &str) -> io::Result<()> {
    match disk.rename_new(finished, path) {
        Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {
            if disk.stat(path).is_ok() {
                return Err(io::ErrorKind::AlreadyExists.into());
            }
            commit::copy_across(disk, finished, path, |beside| disk.rename_new(beside, path))
        }
        moved => moved,
    }
}

/// Removes a backup. Returns true if it existed.
pub fn remove_backup(disk: &dyn Disk, name: &BackupName) -> Result<bool, StoreError> {
    let path = backup_path(name);
    match disk.stat(&path) {
        Ok(found) if found.kind == FileKind::File => disk::remove_file(disk, &path).map(|()| true),
        Ok(_) => Ok(false),
        Err(error) if crate::store::read::load::is_absence(&error) => Ok(false),
        Err(error) => Err(StoreError::io("look at", path)(error)),
    }
}
