//! Content types: what there is, for whom, and how they are made, changed and deleted.

pub mod change;
mod entry_files;
pub mod order;
pub mod preview;

use std::sync::Arc;

use crate::app::access::Caller;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::model::grant::Action;
use crate::model::grant::Facts;
use crate::model::grant::Resource;
use crate::query::snapshot::Snapshot;
use crate::query::type_index::TypeIndex;
use crate::query::view::View;

/// All types that exist for the caller: collections first, then singletons, each in stored order.
pub fn list(snapshot: &Snapshot, caller: &Caller) -> Vec<Arc<TypeIndex>> {
    let view = View::new(snapshot, caller.eyes(), None);
    snapshot.types().iter().filter(|it| view.knows(it)).cloned().collect()
}

/// Whether the caller has a right to the definition of a type: one to read it, or to read entries of
/// the type.
pub fn reads(snapshot: &Snapshot, caller: &Caller, index: &TypeIndex) -> bool {
    let (workspace, name) = (snapshot.workspace.as_str(), index.content_type.name.as_str());
    let definition = Resource::Schema(name);
    let read = caller.may(workspace, Action::SchemaRead, &definition, &Facts::default());
    read.is_ok() || caller.could(workspace, Action::ContentRead, &Resource::Collection(name))
}

/// One type and its place, if it exists for the caller.
pub fn find<'s>(
    snapshot: &'s Snapshot,
    caller: &Caller,
    name: &str,
) -> Result<(usize, &'s Arc<TypeIndex>)> {
    let view = View::new(snapshot, caller.eyes(), None);
    let place = snapshot.place(name);
    let found = place.and_then(|place| Some((place, snapshot.types().get(place)?)));
    let found = found.filter(|(_, index)| view.knows(index));
    found.ok_or_else(|| Error::not_found("content type", name))
}
