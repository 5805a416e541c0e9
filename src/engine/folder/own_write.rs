//! A file that was written by this server: the follower must not take it for the edit of somebody else.

use crate::model::problem::Problem;
use crate::stdx::checksum::Checksum;
use crate::store::disk::Stat;
use crate::store::layout::Key;
use crate::store::read::moment::Moment;
use crate::store::write::commit::FileOp;
use crate::store::write::commit::FileTransaction;

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

/// The bytes that a change leaves at a path.
pub(crate) fn written_bytes<'c>(change: &'c FileTransaction, path: &str) -> Option<&'c [u8]> {
    let ops = change.beforehand.iter().chain(&change.steps).chain(&change.afterwards);
    ops.rev().find_map(|op| match op {
        FileOp::Create { path: it, bytes } | FileOp::Replace { path: it, bytes, .. }
            if it == path =>
        {
            Some(bytes.as_slice())
        }
        _ => None,
    })
}
