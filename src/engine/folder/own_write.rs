//! A file that was written by this server: the follower must not take it for the edit of somebody
//! else.

use crate::model::problem::Problem;
use crate::stdx::checksum::Checksum;
use crate::store::disk::Stat;
use crate::store::layout::Key;
use crate::store::read::moment::Moment;

/// A file of which the reconciler must be told.
pub(crate) enum OwnWrite {
    /// It was written here.
    Wrote(Key, Stat, Checksum, Moment),
    /// It was removed here.
    Removed(Key),
    /// It could not be looked at when it was to be taken over.
    Unseen(Key, Problem),
}

impl OwnWrite {
    /// The path of a file that somebody edited since it was written.
    pub(crate) fn edited_path(&self) -> Option<String> {
        match self {
            OwnWrite::Wrote(key, stat, ..) => (*stat == Stat::default()).then(|| key.path()),
            OwnWrite::Removed(_) | OwnWrite::Unseen(..) => None,
        }
    }
}
