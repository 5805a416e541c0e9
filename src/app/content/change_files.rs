//! The files of changes that hold states of entries: proposals, and the states from which they were
//! begun. What rewrites the files of entries rewrites these as well, those of published and closed
//! changes included: such a change can still be taken back or up again.

use crate::model::name::TypeName;
use crate::query::index::snapshot::Snapshot;
use crate::stdx::json::Map;
use crate::store::layout::Key;

/// Lists the files of all changes with states of entries of a type, as far as they can be read.
pub(crate) fn list_change_files<'s>(snapshot: &'s Snapshot, of: &TypeName) -> Vec<(Key, &'s Map)> {
    let ws = &snapshot.workspace;
    let mut files = Vec::new();
    for (id, change) in snapshot.changes.iter() {
        let proposals = change.proposals.iter().filter(|(place, _)| place.0 == *of);
        let proposals = proposals.map(|(place, it)| (Key::of_proposal(ws, id, place), it));
        let bases = change.bases.iter().filter(|(place, _)| place.0 == *of);
        let bases = bases.map(|(place, it)| (Key::of_base(ws, id, place), it));
        files.extend(proposals.chain(bases).filter_map(|(key, it)| Some((key, it.content()?))));
    }
    files
}
