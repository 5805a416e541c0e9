//! The records in `system/`, read and changed beside a running server, which follows them.

use std::path::PathBuf;

use crate::cli::config;
use crate::cli::error::Error;
use crate::cli::folder;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::store::codec;
use crate::store::disk;
use crate::store::disk::Disk;
use crate::store::disk::OsDisk;
use crate::store::disk::ReadError;
use crate::store::error::StoreError;
use crate::store::layout::Folder;
use crate::store::layout::Key;
use crate::store::load;
use crate::store::lock::WriteLock;

/// The records of a data folder.
pub(super) struct Records {
    root: PathBuf,
    disk: OsDisk,
}

/// A change of records while nobody else makes one.
pub(super) struct Change<'a> {
    disk: &'a OsDisk,
    written: Vec<String>,
}

impl Records {
    /// Of the data folder that is named, else of the configured one.
    pub(super) fn open(named: Option<PathBuf>) -> Result<Records, Error> {
        let root = config::data_folder(named)?;
        folder::expect(&root)?;
        let disk =
            OsDisk::open(&root).map_err(StoreError::io("open", root.display().to_string()))?;
        Ok(Records { root, disk })
    }

    /// All records in a folder.
    pub(super) fn keys(&self, folder: Folder) -> Result<Vec<Key>, Error> {
        let files = load::scan(&self.disk, &[folder])?.files;
        Ok(files.into_iter().map(|it| it.key).collect())
    }

    /// What a record says; nothing when it is not there.
    pub(super) fn read(&self, key: &Key) -> Result<Option<Map>, Error> {
        let (path, mut bytes) = (key.path(), Vec::new());
        match self.disk.read(&path, &mut bytes) {
            Ok(_) => codec::parse(&path, &bytes).map(|it| Some(it.map)).map_err(Error::failed),
            Err(ReadError::Missing) => Ok(None),
            Err(error) => Err(Error::failed(error.problem(&path))),
        }
    }

    /// Runs `work` while nobody else writes, and tells the server what it wrote.
    pub(super) fn change<T>(
        &self,
        work: impl FnOnce(&mut Change<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let lock = WriteLock::open(&self.root)?;
        let mut turn = lock.take()?;
        let mut change = Change { disk: &self.disk, written: Vec::new() };
        let done = work(&mut change);
        if !change.written.is_empty() {
            turn.note(&change.written)?;
        }
        done
    }
}

impl Change<'_> {
    /// Writes a record that must not be there.
    pub(super) fn create(&mut self, key: &Key, record: &Json) -> Result<(), Error> {
        disk::create(self.disk, &key.path(), &record.to_file())?;
        self.written.push(key.path());
        Ok(())
    }

    /// Writes a record in the place of the one that is there.
    pub(super) fn replace(&mut self, key: &Key, record: &Json) -> Result<(), Error> {
        disk::replace(self.disk, &key.path(), &record.to_file())?;
        self.written.push(key.path());
        Ok(())
    }

    /// Removes a record.
    pub(super) fn remove(&mut self, key: &Key) -> Result<(), Error> {
        disk::remove(self.disk, &key.path())?;
        self.written.push(key.path());
        Ok(())
    }
}
