//! The removal of old backups, and of objects that no backup needs.

use std::collections::BTreeSet;

use crate::engine::backups::repository::error::TargetError;
use crate::engine::backups::repository::manifest::ObjectId;
use crate::engine::backups::repository::target::BackupTarget;
use crate::model::backup_schedule::RetentionRule;
use crate::model::backup_schedule::StoredBackupName;

/// The backups and objects that were removed from a target.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PruneReport {
    /// The removed backups.
    pub backups: BTreeSet<StoredBackupName>,
    /// The number of removed objects.
    pub objects: usize,
}

/// Removes the backups that the rule does not keep, and then the objects that no backup needs, also
/// those that an interrupted backup left. No backup may be on its way into the target meanwhile.
///
/// If the manifest of a kept backup cannot be read, no object is removed: it may need any of them.
pub fn prune_backups(
    target: &BackupTarget<'_>,
    rule: &RetentionRule,
) -> Result<PruneReport, TargetError> {
    let all = target.list_backups()?;
    let kept = rule.select_kept(&all);
    let mut needed = BTreeSet::new();
    for name in &kept {
        let manifest = target.load_manifest(name)?;
        needed.extend(manifest.needed_objects().into_iter().cloned());
    }
    let mut report = PruneReport::default();
    for name in all.difference(&kept) {
        target.remove_manifest(name)?;
        report.backups.insert(name.clone());
    }
    let stored: BTreeSet<ObjectId> = target.list_objects()?;
    for id in stored.difference(&needed) {
        target.remove_object(id)?;
        report.objects += 1;
    }
    Ok(report)
}
