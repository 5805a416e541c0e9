//! The status of scheduled backups, kept in `.recto/scheduled-backup.json`: a server that was off
//! makes up for what it missed.

use serde::Deserialize;
use serde::Serialize;

use crate::engine::backups::repository::error::TargetError;
use crate::engine::backups::repository::run::BackupRun;
use crate::stdx::time::Timestamp;
use crate::store::disk;
use crate::store::disk::Disk;
use crate::store::error::StoreError;
use crate::store::layout;

/// The outcome of the last scheduled backups.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct BackupStatus {
    /// The place of the target. What is known of another one does not count.
    pub target: String,
    /// The time of the last backup that succeeded.
    pub last_success_at: Option<Timestamp>,
    /// The name of that backup.
    pub last_backup: Option<String>,
    /// The time of the last try.
    pub last_try_at: Option<Timestamp>,
    /// The reason why the last try failed.
    pub error: Option<String>,
    /// A problem of the last try although it succeeded.
    pub warning: Option<String>,
}

impl BackupStatus {
    /// Reads the status of backups to a target; that of none if there is none or it cannot be read.
    pub fn load(disk: &dyn Disk, target: &str) -> BackupStatus {
        let mut bytes = Vec::new();
        let read = disk.read(layout::SCHEDULED_BACKUP, &mut bytes).is_ok();
        let status = if read { serde_json::from_slice(&bytes).ok() } else { None };
        let status = status.filter(|it: &BackupStatus| it.target == target);
        status.unwrap_or_else(|| BackupStatus { target: target.to_string(), ..Self::default() })
    }

    /// Records the outcome of a try at `at`.
    pub fn record(
        &mut self,
        disk: &dyn Disk,
        at: Timestamp,
        run: &Result<BackupRun, TargetError>,
    ) -> Result<(), StoreError> {
        self.last_try_at = Some(at);
        (self.error, self.warning) = (None, None);
        match run {
            Ok(run) => {
                self.last_success_at = Some(at);
                self.last_backup = Some(run.summary.name.as_str().to_string());
                self.warning = find_warning(run);
            }
            Err(error) => self.error = Some(error.to_string()),
        }
        // Structs of texts can always be serialized.
        let bytes = serde_json::to_vec_pretty(self).unwrap_or_default();
        disk::make_folders(disk, layout::RUNTIME)?;
        disk::replace_file(disk, layout::SCHEDULED_BACKUP, &bytes).map(|_| ())
    }
}

fn find_warning(run: &BackupRun) -> Option<String> {
    let left_out = run.summary.problems;
    match &run.pruned {
        Err(error) => Some(format!("Old backups could not be removed: {error}.")),
        Ok(_) if left_out > 0 => {
            Some(format!("{left_out} files could not be read and are not in the backup."))
        }
        Ok(_) => None,
    }
}
