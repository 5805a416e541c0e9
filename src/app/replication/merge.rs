//! The merge of one file of two sides.

use crate::app::replication::file::ReplicatedFile;
use crate::app::replication::file::ReplicatedValue;
use crate::model::three_way_merge::merge_states;
use crate::stdx::json::Map;

/// The side that wins where both changed the same value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConflictWinner {
    /// The data folder here.
    Ours,
    /// The other server.
    Theirs,
}

/// A file as both sides make it together.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct MergedValue {
    /// The value with ours in conflicts.
    pub ours: Option<ReplicatedValue>,
    /// The value with theirs in conflicts.
    pub theirs: Option<ReplicatedValue>,
    /// The conflicts: the path of a value in the file, empty for all of it, with the reason.
    pub conflicts: Vec<(String, &'static str)>,
}

/// The reasons of conflicts.
const BOTH_CHANGED: &str = "changed on both sides";
const REMOVED_HERE: &str = "removed here, changed there";
const REMOVED_THERE: &str = "changed here, removed there";

impl MergedValue {
    /// Returns a value on which both sides agree.
    pub(super) fn agreed(value: Option<&ReplicatedValue>) -> MergedValue {
        MergedValue { ours: value.cloned(), theirs: value.cloned(), conflicts: Vec::new() }
    }

    /// Returns the value in which one side wins.
    pub(super) fn choose(&self, winner: ConflictWinner) -> Option<&ReplicatedValue> {
        match winner {
            ConflictWinner::Ours => self.ours.as_ref(),
            ConflictWinner::Theirs => self.theirs.as_ref(),
        }
    }
}

/// Merges a file. Without a `base`, both sides made it: what differs is in conflict.
pub(super) fn merge_file(
    file: &ReplicatedFile,
    base: Option<&ReplicatedValue>,
    ours: Option<&ReplicatedValue>,
    theirs: Option<&ReplicatedValue>,
) -> MergedValue {
    if file.is_same(ours, theirs) || file.is_same(base, theirs) {
        return MergedValue::agreed(ours);
    }
    if file.is_same(base, ours) {
        return MergedValue::agreed(theirs);
    }
    let both = |reason| MergedValue {
        ours: ours.cloned(),
        theirs: theirs.cloned(),
        conflicts: vec![(String::new(), reason)],
    };
    match (ours, theirs) {
        (Some(ReplicatedValue::Json(our_map)), Some(ReplicatedValue::Json(their_map))) => {
            merge_maps(file, base.and_then(ReplicatedValue::as_map), our_map, their_map)
        }
        (None, _) => both(REMOVED_HERE),
        (_, None) => both(REMOVED_THERE),
        _ => both(BOTH_CHANGED),
    }
}

fn merge_maps(
    file: &ReplicatedFile,
    base: Option<&Map>,
    our_map: &Map,
    their_map: &Map,
) -> MergedValue {
    // Where both changed a value, the proposed one is in the result.
    let ours = merge_states(base, their_map, our_map);
    let theirs = merge_states(base, our_map, their_map);
    let paths = ours.conflicts.into_iter().map(|it| it.path);
    let named = paths.filter(|it| !file.stamps().contains(&it.as_str()));
    MergedValue {
        conflicts: named.map(|it| (it, BOTH_CHANGED)).collect(),
        ours: Some(ReplicatedValue::Json(ours.file)),
        theirs: Some(ReplicatedValue::Json(theirs.file)),
    }
}
