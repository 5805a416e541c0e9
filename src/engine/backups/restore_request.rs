//! The request for a restore, and its report.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use crate::model::backup::ArchiveDefect;
use crate::model::backup::BackupName;
use crate::model::backup::BackupPart;
use crate::model::grant::Grant;
use crate::model::name::WorkspaceSlug;

/// A request to restore a backup.
#[derive(Clone, Debug)]
pub struct RestoreRequest {
    /// The parts to restore. They are always named: no default may remove what nobody asked about.
    pub parts: BTreeSet<BackupPart>,
    /// Of these workspaces; of all that are in the backup when not said.
    pub workspaces: Option<BTreeSet<WorkspaceSlug>>,
    /// True if the parts become what they are in the backup; else only missing files are added.
    pub overwrite: bool,
    /// True if it is only reported what would happen.
    pub dry_run: bool,
    /// The person who asks.
    pub created_by: Option<String>,
}

/// The report of a restore.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RestoreReport {
    /// The number of files that were written, by part.
    pub restored: BTreeMap<BackupPart, u64>,
    /// The number of files that were there already and stayed as they are, by part.
    pub skipped: BTreeMap<BackupPart, u64>,
    /// The number of files that were removed because they are not in the backup, by part.
    pub removed: BTreeMap<BackupPart, u64>,
    /// The files that were not restored, and the reasons.
    pub problems: Vec<ArchiveDefect>,
    /// The backup of what was there before.
    pub safety: Option<BackupName>,
}

/// The rights that a restore gives or takes.
#[derive(Clone, Debug, Default)]
pub struct GrantedRights {
    /// Grants in roles and tokens.
    pub grants: Vec<Grant>,
    /// Roles of users.
    pub roles_of_users: BTreeSet<String>,
    /// The grants of roles that come or go.
    pub roles: BTreeMap<String, Vec<Grant>>,
}

/// Decides if the person who asks has all of these rights.
pub type CoversRights<'a> = &'a dyn Fn(&GrantedRights) -> bool;
