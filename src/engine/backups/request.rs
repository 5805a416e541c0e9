//! The request for a backup, and the reasons for which one is not made, taken in or restored.

use std::collections::BTreeSet;

use schemars::JsonSchema;

use crate::engine::error::CommitError;
use crate::model::backup::ArchiveDefect;
use crate::model::backup::BackupPart;
use crate::model::backup::NOTE_CHARS_MAX;
use crate::model::grant::Action;
use crate::model::name::WorkspaceSlug;
use crate::store::archive::reader::ArchiveError;
use crate::store::error::StoreError;

/// A request for a backup.
#[derive(Clone, Debug, JsonSchema)]
#[schemars(rename = "BackupCreate")]
pub struct BackupRequest {
    /// The parts; all of them if left out.
    #[schemars(with = "Option<Vec<BackupPart>>")]
    pub parts: BTreeSet<BackupPart>,
    /// The workspaces; all of them, and the settings of the installation, if left out.
    #[schemars(with = "Option<Vec<WorkspaceSlug>>")]
    pub workspaces: Option<BTreeSet<WorkspaceSlug>>,
    /// Includes hashes and secrets; for administrators only.
    #[schemars(with = "Option<bool>")]
    pub secrets: bool,
    /// A note for people.
    #[schemars(with = "Option<String>", length(max = NOTE_CHARS_MAX))]
    pub note: String,
    /// The person who asks.
    #[schemars(skip)]
    pub created_by: Option<String>,
}

/// The reasons for which a backup is not made, imported or restored.
#[derive(Debug)]
pub enum BackupError {
    /// There is none of that name.
    Missing,
    /// Something is wrong with it.
    Flawed(Vec<ArchiveDefect>),
    /// Something was asked for that is not in it.
    NotInIt(Vec<ArchiveDefect>),
    /// It would give somebody more than whoever asks for it has.
    Exceeds,
    /// It would change a user or a role, which whoever asks for it may not do.
    Forbidden {
        /// The action that is not permitted.
        action: Action,
        /// The resource, as grants name it.
        on: String,
    },
    /// It cannot be written.
    Commit(CommitError),
}

impl From<ArchiveError> for BackupError {
    fn from(refusal: ArchiveError) -> BackupError {
        match refusal {
            ArchiveError::Defective(defects) => BackupError::Flawed(defects),
            ArchiveError::Store(error) => error.into(),
        }
    }
}

impl From<ArchiveDefect> for BackupError {
    fn from(flaw: ArchiveDefect) -> BackupError {
        BackupError::Flawed(vec![flaw])
    }
}

impl From<StoreError> for BackupError {
    fn from(error: StoreError) -> BackupError {
        BackupError::Commit(error.into())
    }
}

impl From<CommitError> for BackupError {
    fn from(error: CommitError) -> BackupError {
        BackupError::Commit(error)
    }
}
