//! Files that may have changed, and what was found when they were looked into.

use std::borrow::Borrow;

use crate::model::problem::Problem;
use crate::store::disk::Stat;
use crate::store::read::load::FileRef;
use crate::store::read::stat_index::FileState;
use crate::store::summed_content::SummedContent;

/// The new state of a file.
#[derive(Debug)]
pub enum SweptFile {
    /// A JSON file, valid or not: [`crate::store::codec::parse_document`] decides.
    Read {
        /// The content.
        content: SummedContent,
        /// The stat from before the file was read.
        stat: Stat,
    },
    /// A media file, which is not read.
    Seen(Stat),
    /// A file that cannot be read: its last good version is still served.
    Unreadable(Problem),
    /// A deleted file.
    Missing,
}

/// A file to check, with its indexed state.
#[derive(Debug)]
pub(super) struct SuspectFile {
    pub(super) file: FileRef,
    pub(super) known: Option<FileState>,
}

impl Borrow<FileRef> for SuspectFile {
    fn borrow(&self) -> &FileRef {
        &self.file
    }
}

/// The result of checking a file.
pub(super) enum SuspectFinding {
    Gone,
    /// The file could not be checked.
    Unseen(Problem),
    /// The content is unchanged; the indexed state is updated.
    Same(FileState),
    Other {
        state: FileState,
        now: SweptFile,
        half_written: bool,
    },
}
