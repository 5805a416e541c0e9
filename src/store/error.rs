//! Errors of the disk, for operators and never shown to clients. A defect in the content of a file
//! is not an error but a [`crate::model::problem::Problem`].

use std::io;

/// The reason why the data folder could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// An operation on one file or folder failed.
    #[error("cannot {op} {path}: {source}")]
    Io {
        /// The operation as a verb: `read`, `rename`…
        op: &'static str,
        /// The path relative to the data folder, or as given on the command line.
        path: String,
        /// The error of the system.
        source: io::Error,
    },
    /// Another server uses the data folder.
    #[error("the data folder is in use by process {pid}")]
    Locked {
        /// The process id of the other server; 0 if it is not known yet.
        pid: u32,
    },
    /// The data folder and its state directory do not belong together.
    #[error("{0}")]
    Places(String),
    /// Another process held the write lock for too long.
    #[error("the data folder is busy: another process holds its write lock")]
    Busy,
    /// The database of several servers failed.
    #[error("{0}")]
    Database(String),
}

impl StoreError {
    /// Adds the operation and the path to an error; for `map_err`.
    pub fn io(op: &'static str, path: impl Into<String>) -> impl FnOnce(io::Error) -> StoreError {
        let path = path.into();
        move |source| StoreError::Io { op, path, source }
    }

    /// Returns the kind of the system's error, if it is one.
    pub fn io_kind(&self) -> Option<io::ErrorKind> {
        if let StoreError::Io { source, .. } = self { Some(source.kind()) } else { None }
    }

    /// Returns true if there is no space left: the disk is full, or a quota is used up.
    pub fn is_full(&self) -> bool {
        use io::ErrorKind::QuotaExceeded;
        use io::ErrorKind::StorageFull;
        matches!(self.io_kind(), Some(StorageFull | QuotaExceeded))
    }
}
