//! The snapshot that shows a change as if it were live.

use std::sync::Arc;

use crate::engine::apply::apply;
use crate::engine::apply::file_source::ApplyContext;
use crate::engine::apply::file_source::FileSource;
use crate::engine::apply::file_source::LoadedEntries;
use crate::engine::apply::file_states::FileStates;
use crate::engine::parse::file_parser::EntryReader;
use crate::model::name::EntryId;
use crate::model::name::TypeName;
use crate::query::index::change_index::Overlay;
use crate::query::index::snapshot::Snapshot;
use crate::query::index::type_index::TypeIndex;
use crate::store::read::body_pack::PackedBody;

/// Computes the snapshot with these states of entries on top of what is live. It shares everything
/// else. The effects of the states are dropped: nothing of them is in the files of entries.
pub(crate) fn apply_overlay(
    live: &Snapshot,
    states: &FileStates,
    overlay: Overlay,
    context: ApplyContext<'_>,
) -> Snapshot {
    let unchanged = || live.with_types(Vec::<Arc<TypeIndex>>::new(), context.version);
    let applied = apply(live, states, &mut NoFiles, context);
    applied.snapshot.unwrap_or_else(unchanged).with_overlay(overlay)
}

/// Returns a snapshot in which these types stay as they are here.
pub(crate) fn keep_types(snapshot: &Snapshot, kept: &[Arc<TypeIndex>]) -> Snapshot {
    snapshot.with_types(kept.to_vec(), snapshot.version)
}

/// The files beside those of a change: only entries change in an overlay, so none is asked for.
struct NoFiles;

impl FileSource for NoFiles {
    fn load_entries(
        &mut self,
        _: &EntryReader<'_>,
        _: &dyn Fn(&EntryId) -> bool,
    ) -> Option<LoadedEntries> {
        None
    }

    fn list_types(&mut self) -> Vec<TypeName> {
        Vec::new()
    }

    fn list_entries(&mut self, _: &TypeName) -> Vec<String> {
        Vec::new()
    }

    fn read_last_good(&self, _: &str) -> Option<PackedBody> {
        None
    }
}
