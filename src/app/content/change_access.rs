//! Who may look at a change, and how it is seen.

use std::sync::Arc;

use crate::app::App;
use crate::app::access::Caller;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::engine::overlays::Unveiled;
use crate::model::change::PENDING;
use crate::model::change::PreviewToken;
use crate::model::change::pending_id;
use crate::model::grant::Action;
use crate::model::grant::Facts;
use crate::model::grant::Resource;
use crate::model::name::EntryId;
use crate::query::index::change_index::Change;
use crate::query::index::change_index::EntryPlace;
use crate::query::index::snapshot::Snapshot;
use crate::query::render::rendered_entry::RenderedEntry;

/// The error for a change that does not exist, or not for the caller.
pub(crate) fn missing_change(reference: &str) -> Error {
    Error::not_found("change", reference)
}

/// Returns the id of a change as a request names it: `pending` is the pending change of the caller.
pub(crate) fn resolve_id(caller: &Caller, reference: &str) -> Result<EntryId> {
    if reference != PENDING {
        return EntryId::parse(reference).map_err(|_| missing_change(reference));
    }
    if caller.is_anonymous() {
        return Err(missing_change(reference));
    }
    Ok(pending_id(&caller.author_id_and_name().0))
}

/// Finds a change that the caller may read. Nobody's pending change is an empty one.
pub(crate) fn find_change(
    app: &App,
    snapshot: &Snapshot,
    caller: &Caller,
    reference: &str,
) -> Result<(EntryId, Arc<Change>)> {
    let id = resolve_id(caller, reference)?;
    let change = match snapshot.changes.get(&id) {
        Some(change) => change.clone(),
        None if reference == PENDING => Arc::default(),
        None => return Err(missing_change(reference)),
    };
    let overlay = app.engine.overlays().get_overlay(snapshot, &id, &change, &Unveiled::Nothing);
    if !may_read(snapshot, &overlay, caller, &change) {
        return Err(missing_change(reference));
    }
    Ok((id, change))
}

/// Returns the snapshot in which the caller sees a change.
pub fn open_change(
    app: &App,
    live: &Snapshot,
    caller: &Caller,
    reference: &str,
) -> Result<Arc<Snapshot>> {
    let (id, change) = find_change(app, live, caller, reference)?;
    Ok(app.engine.overlays().get_overlay(live, &id, &change, &Unveiled::Nothing))
}

/// Returns the snapshot that the holder of a preview link sees, as an anonymous reader.
pub fn open_preview(app: &App, live: &Snapshot, token: &str) -> Result<Arc<Snapshot>> {
    let refused = || Error::unauthorized("This preview link is not valid, or has expired.");
    let token = PreviewToken::parse(token).ok_or_else(refused)?;
    let change = live.changes.get(&token.change).ok_or_else(refused)?;
    let record = change.record.as_ref().filter(|it| it.state.is_active()).ok_or_else(refused)?;
    let now = app.engine.clock().now();
    let link = record.previews.iter().find(|it| it.admits(&token, now)).ok_or_else(refused)?;
    let unveiled = match &link.entry {
        None => Unveiled::Proposals,
        Some(place) => Unveiled::Entry(place.clone()),
    };
    Ok(app.engine.overlays().get_overlay(live, &token.change, change, &unveiled))
}

/// Returns true if the caller may read every entry of a change, as it is and as it is proposed.
/// Without a grant nobody may: that an entry is to become public does not make its proposal so.
pub(crate) fn may_read(
    live: &Snapshot,
    overlay: &Snapshot,
    caller: &Caller,
    change: &Change,
) -> bool {
    !caller.is_anonymous()
        && change.proposals.keys().all(|place| {
            let states = [find_entry(live, place), find_entry(overlay, place)];
            let may_read = |doc: &Arc<RenderedEntry>| check_entry(live, caller, Action::ContentRead, place, doc).is_ok();
            states.into_iter().flatten().all(may_read)
        })
}

/// Checks a permission on an entry as it is in some snapshot.
pub(crate) fn check_entry(
    snapshot: &Snapshot,
    caller: &Caller,
    action: Action,
    (of, id): &EntryPlace,
    doc: &RenderedEntry,
) -> Result<()> {
    let ty = snapshot.get(of.as_str()).map(|it| &it.content_type);
    let locales: Vec<&str> =
        ty.into_iter().flat_map(|it| &it.locales).map(|it| it.as_str()).collect();
    let facts = Facts {
        status: Some(doc.status),
        author_id: doc.author_id(),
        locales: &locales,
        ..Facts::default()
    };
    let resource =
        Resource::Entry { type_name: of.as_str(), id: id.as_str(), slug: doc.slug() };
    caller.check_permission(snapshot.workspace.as_str(), action, &resource, &facts)
}

/// Returns an entry as it is in a snapshot.
pub(crate) fn find_entry<'s>(
    snapshot: &'s Snapshot,
    (of, id): &EntryPlace,
) -> Option<&'s Arc<RenderedEntry>> {
    let index = snapshot.get(of.as_str())?;
    index.entry_at(index.find_ordinal(id.as_str())?)
}
