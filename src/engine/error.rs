//! The reasons for which a change is not made.

use crate::model::problem::Problem;
use crate::store::error::StoreError;

/// The reasons for which a change was not made. Nothing of it is in the folder then, unless the
/// variant says otherwise.
#[derive(Debug, thiserror::Error)]
pub enum CommitError {
    /// The disk refused.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A file that is needed cannot be read; somebody is at work on it, or has broken it.
    #[error("{0}")]
    Broken(Problem),
    /// Somebody edited a file: the work is begun anew. Seen by callers only when that never ends.
    #[error("files change faster than they can be read")]
    Stale,
    /// The server may not write.
    #[error("the server is started for reading alone")]
    ReadOnly,
    /// The data folder has vanished.
    #[error("the data folder is not there")]
    Outage,
    /// There is no such workspace.
    #[error("there is no such workspace")]
    NoWorkspace,
    /// The workspace is in a format that is not known.
    #[error("{0}")]
    UnsupportedFormat(String),
    /// A folder with files that are served is not there, which may be for a moment.
    #[error("the folder {0} is not there")]
    FolderGone(String),
    /// A file would be larger than those that are read.
    #[error("a file would be larger than {0} bytes")]
    TooLarge(u64),
    /// The disk failed to keep what it was given: nothing is written until it does again.
    #[error("the disk failed: {0}")]
    Unverified(String),
    /// The work panicked.
    #[error("the work panicked")]
    Panicked,
}

/// The reasons for which nothing may be written, at all or into a workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum WriteRefusal {
    /// The server is started for reading alone.
    ReadOnly,
    /// The data folder has vanished.
    Outage,
    /// A folder that was there is not.
    Gone(String),
    /// Its format is not known, for this reason.
    Unsupported(String),
    /// The disk failed to keep what it was given.
    Unverified(String),
}

impl From<WriteRefusal> for CommitError {
    fn from(closed: WriteRefusal) -> CommitError {
        match closed {
            WriteRefusal::ReadOnly => CommitError::ReadOnly,
            WriteRefusal::Outage => CommitError::Outage,
            WriteRefusal::Gone(folder) => CommitError::FolderGone(folder),
            WriteRefusal::Unsupported(reason) => CommitError::UnsupportedFormat(reason),
            WriteRefusal::Unverified(reason) => CommitError::Unverified(reason),
        }
    }
}
