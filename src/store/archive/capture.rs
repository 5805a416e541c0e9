//! The capture of a folder at one moment for backups that are kept elsewhere, without blocking
//! writers for long.
//!
//! It goes like the writing of an archive (see `writer`): files are taken while the folder keeps
//! changing, and then writers are blocked for one listing. What has changed since is opened while
//! they are blocked and read afterwards: files are replaced and never changed in place, so an open
//! file keeps the bytes of the moment.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::Read;

use crate::model::backup::ArchiveDefect;
use crate::store::archive::BackupSelection;
use crate::store::archive::survey::BackupScope;
use crate::store::archive::survey::SurveyedFile;
use crate::store::archive::survey::list_files;
use crate::store::disk::Disk;
use crate::store::disk::ReadError;
use crate::store::disk::Stat;
use crate::store::error::StoreError;
use crate::store::lock::WriteLock;
use crate::store::write::journal;

/// The maximum number of bytes that are left for the moment when writers are blocked, if possible.
const REST_BYTES_MAX: u64 = 4 * 1024 * 1024;

/// The maximum number of passes over changed files before writers are blocked.
const CATCH_UPS_MAX: usize = 5;

/// The maximum number of files that are kept open. Further ones are read while writers wait.
const OPEN_FILES_MAX: usize = 200;

/// A receiver of the files of a folder.
pub trait FileTaker {
    /// The reason why a file cannot be taken, which ends the capture.
    type Error: From<StoreError>;

    /// Returns true if a file with this stat was taken earlier, and is taken again without its
    /// bytes.
    fn take_unchanged(&mut self, file: &SurveyedFile) -> bool;

    /// Takes a file with its bytes, in place of what was taken before under its path.
    fn take(&mut self, file: &SurveyedFile, bytes: &mut dyn Read) -> Result<(), Self::Error>;

    /// Forgets a file that was taken and does not exist any more.
    fn forget(&mut self, path: &str);
}

/// Captures the selected files; each workspace is in the state of one moment. Returns the files
/// that could not be read, with the reasons.
pub fn capture_files<T: FileTaker>(
    disk: &dyn Disk,
    lock: &WriteLock,
    selection: &BackupSelection,
    taker: &mut T,
) -> Result<Vec<ArchiveDefect>, T::Error> {
    let mut capture =
        FolderCapture { disk, selection, taken: BTreeMap::new(), defects: BTreeMap::new() };
    for scope in BackupScope::list_scopes(disk, selection)? {
        capture.catch_up(&scope, taker)?;
        let held = {
            let _turn = lock.acquire_turn()?;
            capture.hold_changes(&scope, taker)?
        };
        for (file, handle) in held {
            capture.take_opened(file, handle, taker)?;
        }
    }
    Ok(capture.defects.into_values().collect())
}

/// A capture under way.
struct FolderCapture<'a> {
    disk: &'a dyn Disk,
    selection: &'a BackupSelection,
    /// The stats of what was taken, by path.
    taken: BTreeMap<String, (BackupScope, Stat)>,
    defects: BTreeMap<String, ArchiveDefect>,
}

impl FolderCapture<'_> {
    /// Takes the files of a scope until only few of them change in the meantime.
    fn catch_up<T: FileTaker>(
        &mut self,
        scope: &BackupScope,
        taker: &mut T,
    ) -> Result<(), T::Error> {
        for number in 0..CATCH_UPS_MAX {
            let changed = self.find_changes(scope, taker)?;
            let bytes: u64 = changed.iter().map(|it| it.stat.size).sum();
            if number > 0 && bytes <= REST_BYTES_MAX {
                break;
            }
            for file in changed {
                self.take_file(file, taker)?;
            }
        }
        Ok(())
    }

    /// Opens what has changed since the last pass. The caller blocks all other writers.
    fn hold_changes<T: FileTaker>(
        &mut self,
        scope: &BackupScope,
        taker: &mut T,
    ) -> Result<Vec<(SurveyedFile, File)>, T::Error> {
        if journal::is_under_way(self.disk)? {
            // The pending change is completed at the next start or with the next write.
            return Err(StoreError::Busy.into());
        }
        let mut held = Vec::new();
        for file in self.find_changes(scope, taker)? {
            if held.len() >= OPEN_FILES_MAX {
                self.take_file(file, taker)?;
            } else if let Some(opened) = self.open(&file, taker) {
                held.push(opened);
            }
        }
        Ok(held)
    }

    /// Compares what was taken with the folder, and forgets what is gone. Returns what to take.
    fn find_changes<T: FileTaker>(
        &mut self,
        scope: &BackupScope,
        taker: &mut T,
    ) -> Result<Vec<SurveyedFile>, StoreError> {
        let survey = list_files(self.disk, scope, self.selection)?;
        let there: BTreeSet<&str> = survey.files.iter().map(|it| it.path.as_str()).collect();
        let gone = self
            .taken
            .iter()
            .filter(|(path, (of, _))| of == scope && !there.contains(path.as_str()));
        let gone: Vec<String> = gone.map(|(path, _)| path.clone()).collect();
        for path in gone {
            self.taken.remove(&path);
            self.defects.remove(&path);
            taker.forget(&path);
        }
        for defect in survey.defects {
            self.defects.insert(defect.path.clone(), defect);
        }
        let is_taken =
            |it: &SurveyedFile| self.taken.get(&it.path).is_some_and(|(_, stat)| *stat == it.stat);
        Ok(survey.files.into_iter().filter(|it| !is_taken(it)).collect())
    }

    fn take_file<T: FileTaker>(
        &mut self,
        file: SurveyedFile,
        taker: &mut T,
    ) -> Result<(), T::Error> {
        let scope = BackupScope::of_key(&file.key);
        if taker.take_unchanged(&file) {
            self.defects.remove(&file.path);
            self.taken.insert(file.path, (scope, file.stat));
            return Ok(());
        }
        match self.open(&file, taker) {
            Some((file, handle)) => self.take_opened(file, handle, taker),
            None => Ok(()),
        }
    }

    /// Opens a file. Returns nothing if it does not exist any more, or cannot be read.
    fn open<T: FileTaker>(
        &mut self,
        file: &SurveyedFile,
        taker: &mut T,
    ) -> Option<(SurveyedFile, File)> {
        let error = match self.disk.open(&file.path) {
            Ok((handle, stat)) => return Some((SurveyedFile { stat, ..file.clone() }, handle)),
            Err(error) => error,
        };
        taker.forget(&file.path);
        self.taken.remove(&file.path);
        if !matches!(error, ReadError::Missing) {
            let message = format!("It was left out. {}", error.to_problem(&file.path).message);
            self.defects.insert(file.path.clone(), ArchiveDefect::new(&*file.path, message));
            self.taken.insert(file.path.clone(), (BackupScope::of_key(&file.key), file.stat));
        }
        None
    }

    fn take_opened<T: FileTaker>(
        &mut self,
        file: SurveyedFile,
        mut handle: File,
        taker: &mut T,
    ) -> Result<(), T::Error> {
        taker.take(&file, &mut handle)?;
        // If the file was changed in place in the meantime, it is taken again in the next pass.
        let now = self.disk.stat(&file.path).map(|it| it.stat).unwrap_or_default();
        let stat = if now == file.stat { file.stat } else { Stat::default() };
        let scope = BackupScope::of_key(&file.key);
        self.defects.remove(&file.path);
        self.taken.insert(file.path, (scope, stat));
        Ok(())
    }
}
