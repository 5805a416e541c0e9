//! The sites on which entries are previewed, for the policy of the interface's page.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::app::App;
use crate::query::index::snapshot::Snapshot;

/// The maximum number of sites that can be shown in a frame: they go into a header, for which
/// proxies have little room.
const PREVIEW_ORIGINS_MAX: usize = 50;

/// Returns the origins of all preview targets of all workspaces, each once.
pub fn list_preview_origins(app: &App) -> Vec<String> {
    let workspaces = app.engine.workspaces();
    let snapshots: Vec<Arc<Snapshot>> =
        workspaces.values().map(|it| it.current_snapshot()).collect();
    let types = snapshots.iter().flat_map(|it| it.types());
    let targets = types.flat_map(|it| &it.content_type.preview);
    let origins: BTreeSet<&str> = targets.map(|it| it.url.origin()).collect();
    origins.into_iter().take(PREVIEW_ORIGINS_MAX).map(str::to_string).collect()
}
