//! The reasons for which a backup cannot be kept in, or taken from, a target.

use crate::store::error::StoreError;
use crate::store::objects::ObjectStoreError;

/// The reason why work with a target failed: a sentence for operators.
#[derive(Debug, thiserror::Error)]
pub enum TargetError {
    /// The target cannot be read or written.
    #[error("{0}")]
    Store(#[from] ObjectStoreError),
    /// The data folder cannot be read or written.
    #[error("{0}")]
    Folder(#[from] StoreError),
    /// There are no backups in the target.
    #[error("there are no backups in {0}")]
    Empty(String),
    /// There is no backup of this name.
    #[error("there is no backup {0}; `recto backup list` lists them")]
    Missing(String),
    /// The target is of a kind that this version does not know, or is not a target.
    #[error("{0}")]
    Unusable(String),
    /// The target has the backups of another data folder.
    #[error(
        "{0} has the backups of another data folder: name another target, or, if that folder is \
         given up, take this one over with `recto backup run --take-over`"
    )]
    Foreign(String),
    /// The backups are sealed, and the passphrase is missing or wrong.
    #[error("{0}")]
    Passphrase(&'static str),
    /// An object of the target is not what it was.
    #[error("{object} in the target is damaged: {why}")]
    Damaged {
        /// The name of the object.
        object: String,
        /// The reason.
        why: String,
    },
    /// Another process makes a backup of this folder.
    #[error("another backup of this data folder is on its way")]
    Busy,
    /// The server stops, so the backup is not finished.
    #[error("the server stopped before the backup was finished")]
    Stopped,
}
