//! Files that were written or read apart from the sweep, which has to know their states: it takes
//! what was written here for no news, and finds what becomes of a file that it never saw.

use crate::model::name::WorkspaceSlug;
use crate::model::problem::Problem;
use crate::stdx::checksum::Checksum;
use crate::store::disk::Stat;
use crate::store::layout::Key;
use crate::store::read::moment::Moment;
use crate::store::read::stat_index::StatIndex;

/// A file of which the reconciler must be told.
pub(crate) enum OwnWrite {
    /// It was written here, or taken over as it is.
    Wrote(Key, Stat, Checksum, Moment),
    /// It was removed here, or taken over as missing.
    Removed(Key),
    /// It could not be looked at when it was to be taken over.
    Unseen(Key, Problem),
    /// All files of the workspace were read in these states.
    Loaded(WorkspaceSlug, StatIndex),
}

impl OwnWrite {
    /// The path of a file that somebody edited since it was written.
    pub(crate) fn edited_path(&self) -> Option<String> {
        match self {
            OwnWrite::Wrote(key, stat, ..) => (*stat == Stat::default()).then(|| key.path()),
            OwnWrite::Removed(_) | OwnWrite::Unseen(..) | OwnWrite::Loaded(..) => None,
        }
    }
}
