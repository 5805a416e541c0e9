//! The effects of a change on files, for those who have to know before it is made.

use crate::store::error::StoreError;

/// A step of a change, before it is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileEffect {
    /// A file gets the content of another, which waits for that.
    Put {
        /// The file.
        path: String,
        /// The file with the content.
        from: String,
        /// True if the file must not exist.
        is_new: bool,
    },
    /// A file is removed.
    Remove {
        /// The file.
        path: String,
    },
    /// A file gets a name that must be free.
    Rename {
        /// The file.
        from: String,
        /// Its new name.
        to: String,
    },
    /// A file gets a second name.
    Keep {
        /// The file.
        path: String,
        /// The second name.
        kept: String,
    },
    /// The files of Recto in a folder and below it are removed.
    RemoveFolder {
        /// The folder.
        folder: String,
    },
}

/// The reasons for which a change could not be shared with other servers.
#[derive(Debug)]
pub enum ShareError {
    /// It was not made, and nobody sees any of it.
    Refused(StoreError),
    /// It is not known whether the others see it.
    Uncertain(StoreError),
}

impl ShareError {
    /// Returns the error of the store.
    pub fn into_store_error(self) -> StoreError {
        match self {
            ShareError::Refused(error) | ShareError::Uncertain(error) => error,
        }
    }
}
