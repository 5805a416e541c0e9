//! The entries that refer to what a change deletes, judged again when it is published: they may
//! have come since the deletion was proposed. Files of another server are judged alike.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::app::access::Requester;
use crate::app::content::entries::affects_others;
use crate::app::content::entries::clear_referrers;
use crate::app::error::Result;
use crate::app::usage_guard::UsageGuard;
use crate::engine::Engine;
use crate::engine::staging::Staging;
use crate::model::name::EntryId;
use crate::model::name::EntryPlace;
use crate::model::name::TypeName;
use crate::query::index::change_index::OverlayFile;
use crate::query::index::snapshot::Snapshot;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

/// Returns the new files of the entries that lose references when the change is made that `overlay`
/// shows. They may be in the change, or not.
///
/// # Errors
///
/// Fails with the usages if an entry refers to a deleted one that keeps it from being deleted.
pub(crate) fn clear_deleted(
    engine: &Engine,
    staging: &mut Staging<'_>,
    by: &Requester,
    overlay: &Snapshot,
) -> Result<BTreeMap<EntryPlace, Map>> {
    let mut cleared = BTreeMap::new();
    let Some(shown) = &overlay.overlay else { return Ok(cleared) };
    let Some(change) = &shown.change else { return Ok(cleared) };
    let (live, now) = (staging.snapshot(), staging.now());
    let mut files = shown.files.clone();
    for (target, ids) in list_deleted(live, &files) {
        if !affects_others(live, &target, UsageGuard::Off) {
            continue;
        }
        // Those of other types are gone already: what goes together does not keep each other.
        let mut around = files.clone();
        around.retain(|(of, _), file| *of != target || file.content.is_some());
        let around = engine.overlays().build_from_files(live, change, around);
        let found =
            staging.look_inside(&around, |inside| clear_referrers(inside, by, &target, &ids))?;
        for (place, file) in found {
            let content = Some(Arc::new(Json::Object(file.clone())));
            files.insert(place.clone(), OverlayFile { content, modified: now });
            cleared.insert(place, file);
        }
    }
    Ok(cleared)
}

/// Lists the live entries that are deleted, by type.
fn list_deleted(
    live: &Snapshot,
    files: &BTreeMap<EntryPlace, OverlayFile>,
) -> BTreeMap<TypeName, Vec<EntryId>> {
    let mut deleted: BTreeMap<TypeName, Vec<EntryId>> = BTreeMap::new();
    for (place, _) in files.iter().filter(|(_, file)| file.content.is_none()) {
        if live.find_entry(place).is_some() {
            deleted.entry(place.0.clone()).or_default().push(place.1.clone());
        }
    }
    deleted
}
