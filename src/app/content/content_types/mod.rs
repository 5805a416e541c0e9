//! Content types: listing, reading, creating, updating and deleting them.

pub mod change;
mod entry_migration;
pub mod order;
pub mod preview;

use std::sync::Arc;

use crate::app::access::Caller;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::model::grant::Action;
use crate::model::grant::Facts;
use crate::model::grant::Resource;
use crate::query::index::snapshot::Snapshot;
use crate::query::index::type_index::TypeIndex;

/// Returns all types that the caller may know of: collections first, then singletons, each in
/// stored order.
pub fn list(snapshot: &Snapshot, caller: &Caller) -> Vec<Arc<TypeIndex>> {
    let viewer = caller.viewer();
    snapshot.types().iter().filter(|it| viewer.knows_type(snapshot, it)).cloned().collect()
}

/// Returns true if the caller may read the definition of a type: by a grant on it, or on entries of
/// the type.
pub fn may_read_definition(snapshot: &Snapshot, caller: &Caller, index: &TypeIndex) -> bool {
    let (workspace, name) = (snapshot.workspace.as_str(), index.content_type.name.as_str());
    let definition = Resource::Schema(name);
    let read =
        caller.check_permission(workspace, Action::SchemaRead, &definition, &Facts::default());
    read.is_ok()
        || caller.has_any_grant(workspace, Action::ContentRead, &Resource::Collection(name))
}

/// Returns a type and its position, if the caller may know of it.
pub fn find<'s>(
    snapshot: &'s Snapshot,
    caller: &Caller,
    name: &str,
) -> Result<(usize, &'s Arc<TypeIndex>)> {
    let place = snapshot.type_position(name);
    let found = place.and_then(|place| Some((place, snapshot.types().get(place)?)));
    let found = found.filter(|(_, index)| caller.viewer().knows_type(snapshot, index));
    found.ok_or_else(|| Error::not_found("content type", name))
}
