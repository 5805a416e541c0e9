//! Content types as the public API shows them.

use std::sync::Arc;

use crate::app::access::Caller;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::query::snapshot::Snapshot;
use crate::query::type_index::TypeIndex;
use crate::query::view::View;

/// All types that exist for the caller: collections first, then singletons, each in stored order.
pub fn list(snapshot: &Snapshot, caller: &Caller) -> Vec<Arc<TypeIndex>> {
    let view = View::new(snapshot, caller.eyes(), None);
    snapshot.types().iter().filter(|it| view.knows(it)).cloned().collect()
}

/// One type and its place, if it exists for the caller.
pub fn find<'s>(
    snapshot: &'s Snapshot,
    caller: &'s Caller,
    name: &'s str,
) -> Result<(usize, &'s Arc<TypeIndex>)> {
    let view = View::new(snapshot, caller.eyes(), None);
    let found = view.index(name).filter(|(_, index)| view.knows(index));
    found.ok_or_else(|| Error::not_found("content type", name))
}
