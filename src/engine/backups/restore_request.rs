//! The request for a restore, and its report.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use schemars::JsonSchema;

use crate::model::backup::ArchiveDefect;
use crate::model::backup::BackupName;
use crate::model::backup::BackupPart;
use crate::model::grant::Grant;
use crate::model::name::WorkspaceSlug;

/// A request to restore a backup.
#[derive(Clone, Debug, JsonSchema)]
#[schemars(rename = "BackupRestore")]
pub struct RestoreRequest {
    /// The parts to restore.
    // They are always named: a default could remove parts that nobody thought of.
    #[schemars(with = "Vec<BackupPart>", length(min = 1))]
    pub parts: BTreeSet<BackupPart>,
    /// The workspaces; all of the backup if left out.
    #[schemars(with = "Option<Vec<WorkspaceSlug>>")]
    pub workspaces: Option<BTreeSet<WorkspaceSlug>>,
    /// Replaces the parts and removes files that the backup does not have; otherwise only missing
    /// files are added.
    #[schemars(with = "Option<bool>")]
    pub overwrite: bool,
    /// Only reports what would happen.
    #[schemars(with = "Option<bool>")]
    pub dry_run: bool,
    /// The person who asks.
    #[schemars(skip)]
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
