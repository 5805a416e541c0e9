//! A scheduled backup from its beginning to its end: made, and then old ones removed.

use std::path::Path;

use crate::engine::backups::repository::error::TargetError;
use crate::engine::backups::repository::new_backup;
use crate::engine::backups::repository::new_backup::BackupSummary;
use crate::engine::backups::repository::owner::TargetOwner;
use crate::engine::backups::repository::pruning;
use crate::engine::backups::repository::pruning::PruneReport;
use crate::engine::backups::repository::target::BackupTarget;
use crate::model::backup_schedule::RetentionRule;
use crate::stdx::time::Timestamp;
use crate::store::disk::Disk;
use crate::store::layout;
use crate::store::lock::JobLock;
use crate::store::lock::WriteLock;
use crate::store::objects::ObjectStore;

/// A data folder to back up.
pub struct BackupSource<'a> {
    /// The folder.
    pub root: &'a Path,
    /// Its files.
    pub disk: &'a dyn Disk,
    /// The lock that keeps writers away for a moment.
    pub lock: &'a WriteLock,
}

/// The place of backups, and the rule which of them stay.
pub struct BackupDestination<'a> {
    /// The store of the target.
    pub store: &'a dyn ObjectStore,
    /// The passphrase, if backups are sealed.
    pub passphrase: Option<&'a str>,
    /// The backups that are kept.
    pub rule: RetentionRule,
    /// True if the target may be taken over from another data folder.
    pub takes_over: bool,
}

/// The outcome of a run.
#[derive(Debug)]
pub struct BackupRun {
    /// The new backup.
    pub summary: BackupSummary,
    /// The removed backups, or the reason why that failed. The new backup is good in either case.
    pub pruned: Result<PruneReport, TargetError>,
}

/// Makes a backup, and removes those that are not kept. Only one process at a time does this for a
/// data folder, so no object is removed that another backup is about to need.
pub fn run_backup(
    source: &BackupSource<'_>,
    destination: &BackupDestination<'_>,
    now: Timestamp,
    is_stopped: &dyn Fn() -> bool,
) -> Result<BackupRun, TargetError> {
    let lock = JobLock::try_acquire(source.root, layout::BACKUP_LOCK)?;
    let _lock = lock.ok_or(TargetError::Busy)?;
    let owner = TargetOwner::load_or_create(source.disk, destination.takes_over)?;
    let target = BackupTarget::open_or_create(destination.store, destination.passphrase, &owner)?;
    let summary = new_backup::make_backup(&target, source.disk, source.lock, now, is_stopped)?;
    let pruned = pruning::prune_backups(&target, &destination.rule);
    Ok(BackupRun { summary, pruned })
}
