//! What went wrong with the disk: for whoever runs the server, never shown to clients. A defect in
//! the content of a file is no error but a [`crate::model::problem::Problem`].

use std::io;

/// Why the data folder could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// An operation on one file or folder failed.
    #[error("cannot {op} {path}: {source}")]
    Io {
        /// What was tried, as a verb: `read`, `rename`…
        op: &'static str,
        /// Relative to the data folder, or as given on the command line.
        path: String,
        /// What the system said.
        source: io::Error,
    },
    /// Another server holds the data folder.
    #[error("the data folder is in use by process {pid}")]
    Locked {
        /// The other server's process id; 0 when it has not written it yet.
        pid: u32,
    },
    /// Somebody else kept the write lock for too long.
    #[error("the data folder is busy: another process keeps its write lock")]
    Busy,
}

impl StoreError {
    /// Names the operation and the file of a failure; for `map_err`.
    pub fn io(op: &'static str, path: impl Into<String>) -> impl FnOnce(io::Error) -> StoreError {
        let path = path.into();
        move |source| StoreError::Io { op, path, source }
    }

    /// What the system said, when it was the system.
    pub fn io_kind(&self) -> Option<io::ErrorKind> {
        if let StoreError::Io { source, .. } = self { Some(source.kind()) } else { None }
    }
}
