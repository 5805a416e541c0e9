//! The request for a restore, and its report.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use schemars::JsonSchema;

use crate::engine::backups::request::BackupError;
use crate::model::backup::ArchiveDefect;
use crate::model::backup::BackupName;
use crate::model::backup::BackupPart;
use crate::model::content_type::ContentType;
use crate::model::grant::Grant;
use crate::model::name::EntryId;
use crate::model::name::WorkspaceSlug;
use crate::model::problem::FieldProblems;
use crate::stdx::json::Map;
use crate::store::layout::Key;

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
    /// The cleaning of the entries. The operator asks for none, and gets back every byte.
    #[schemars(skip)]
    pub clean_entry: Option<EntryCleaning>,
}

/// Makes the HTML in the file of an entry of a type harmless. What cannot be made so is taken out,
/// and is a problem.
pub type EntryCleaning = fn(&ContentType, &mut Map, &mut FieldProblems);

/// The report of a restore.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RestoreReport {
    /// The number of files that were written, by part.
    pub restored: BTreeMap<BackupPart, u64>,
    /// The number of files that were there already and stayed as they are, by part.
    pub skipped: BTreeMap<BackupPart, u64>,
    /// The number of files that were removed because they are not in the backup, by part.
    pub removed: BTreeMap<BackupPart, u64>,
    /// The files that were not restored, or not as they are in the backup, and the reasons.
    pub problems: Vec<ArchiveDefect>,
    /// The backup of what was there before.
    pub safety: Option<BackupName>,
}

/// The change of a user or a role by a restore.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RestoredChange {
    /// It is not there yet.
    Created,
    /// It is there, and becomes another. A built-in role is always there.
    Updated,
    /// It is there, and not in the backup.
    Deleted,
}

/// The rights that a restore gives or takes, and the users and roles that it changes.
#[derive(Clone, Debug, Default)]
pub struct GrantedRights {
    /// Grants in roles and tokens.
    pub grants: Vec<Grant>,
    /// Roles of users.
    pub roles_of_users: BTreeSet<String>,
    /// The grants of roles that come or go.
    pub roles: BTreeMap<String, Vec<Grant>>,
    /// The users who come, change or go.
    pub users: BTreeMap<EntryId, RestoredChange>,
    /// The roles that come, change or go.
    pub changed_roles: BTreeMap<EntryId, RestoredChange>,
    /// The files of users whom nobody could have created or changed like this.
    pub user_defects: Vec<ArchiveDefect>,
}

impl GrantedRights {
    /// Adds grants that come or go with a role.
    pub(crate) fn add_role(&mut self, id: &EntryId, grants: &[Grant]) {
        self.roles.entry(id.to_string()).or_default().extend_from_slice(grants);
        self.grants.extend_from_slice(grants);
    }

    /// Records the change of a file, if it belongs to a user or a role.
    pub(crate) fn record_change(&mut self, key: &Key, change: RestoredChange) {
        match key {
            Key::User(id) => _ = self.users.insert(id.clone(), change),
            // A user with another picture is a changed user.
            Key::Avatar(id) => _ = self.users.entry(id.clone()).or_insert(RestoredChange::Updated),
            Key::Role(id) => _ = self.changed_roles.insert(id.clone(), change),
            _ => {}
        }
    }
}

/// Decides if the person who asks may make these changes, and says why not.
pub type RightsCheck<'a> = &'a dyn Fn(&GrantedRights) -> Result<(), BackupError>;
