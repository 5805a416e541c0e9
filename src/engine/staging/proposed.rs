//! The proposals that a request adds to a change.

use crate::model::name::EntryPlace;
use crate::query::index::change_index::ProposedFile;

/// The proposed state of an entry.
pub struct Proposed {
    /// The entry.
    pub place: EntryPlace,
    /// Its file; nothing if it is to be deleted.
    pub file: Option<ProposedFile>,
}
