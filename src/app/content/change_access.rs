//! The permission to look at a change, and the snapshot in which it is seen.

use std::sync::Arc;

use crate::app::App;
use crate::app::access::Caller;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::engine::overlays::Unveiled;
use crate::model::change::PENDING;
use crate::model::change::PreviewToken;
use crate::model::change::pending_id;
use crate::model::entry::EntryStatus;
use crate::model::grant::Action;
use crate::model::grant::EntryRow;
use crate::model::grant::Facts;
use crate::model::grant::Resource;
use crate::model::name::EntryId;
use crate::model::name::TypeName;
use crate::query::execute::view::build_row;
use crate::query::index::change_index::Change;
use crate::query::index::change_index::EntryPlace;
use crate::query::index::change_index::ProposedFile;
use crate::query::index::snapshot::Snapshot;
use crate::query::render::rendered_entry::RenderedEntry;
use crate::stdx::json::Json;

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
    if caller.is_anonymous() {
        return Err(missing_change(reference));
    }
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
    check_active(&change)?;
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

/// Checks that a change can still be worked on.
pub(crate) fn check_active(change: &Change) -> Result<()> {
    check_record_readable(change)?;
    match &change.record {
        Some(record) if !record.state.is_active() => {
            Err(Error::conflict(format!("This change is {}.", record.state)))
        }
        _ => Ok(()),
    }
}

/// Checks that what a change says of itself is known: it may be published or closed, and by whom
/// it was begun decides who may change it.
pub(crate) fn check_record_readable(change: &Change) -> Result<()> {
    if change.is_record_broken {
        return Err(Error::conflict("The record of this change cannot be read."));
    }
    Ok(())
}

/// Returns true if the caller may read every entry of a change: as it is, as it was when it was
/// proposed, and as it is proposed. Without a grant nobody may: that an entry is to become public
/// does not make its proposal so.
pub(crate) fn may_read(
    live: &Snapshot,
    overlay: &Snapshot,
    caller: &Caller,
    change: &Change,
) -> bool {
    let action = Action::ContentRead;
    if change.proposals.is_empty() {
        return may_read_empty(live, caller, change);
    }
    !caller.is_anonymous()
        && change.proposals.keys().all(|place| {
            let states = [find_entry(live, place), find_entry(overlay, place)];
            let mut rows: Vec<EntryRow<'_>> =
                states.into_iter().flatten().map(|it| build_row(it)).collect();
            let files = [change.bases.get(place), change.proposals.get(place)];
            rows.extend(files.into_iter().flatten().filter_map(|it| row_of_file(place, it)));
            let reads = |row: &EntryRow<'_>| check_row(live, caller, action, &place.0, row).is_ok();
            // Of a state that is not known, nobody knows who may read it.
            if rows.is_empty() { reads_all(live, caller, &place.0) } else { rows.iter().all(reads) }
        })
}

/// Returns true if the caller may know of a change that proposes nothing: its own one, or any if it
/// may read all entries of some type. Labels and notes are not for everybody.
fn may_read_empty(live: &Snapshot, caller: &Caller, change: &Change) -> bool {
    let Some(record) = &change.record else { return !caller.is_anonymous() };
    let is_own = !caller.is_anonymous() && record.author_id == caller.author_id_and_name().0;
    is_own || live.types().iter().any(|it| reads_all(live, caller, &it.content_type.name))
}

/// Returns true if the caller may read all entries of a type.
fn reads_all(snapshot: &Snapshot, caller: &Caller, of: &TypeName) -> bool {
    let (workspace, on) = (snapshot.workspace.as_str(), Resource::Collection(of.as_str()));
    caller.check_permission(workspace, Action::ContentRead, &on, &Facts::default()).is_ok()
}

/// The row by which rules decide about a file of a change; nothing for a deletion and for a file
/// that cannot be read.
fn row_of_file<'f>((_, id): &'f EntryPlace, file: &'f ProposedFile) -> Option<EntryRow<'f>> {
    if file.is_deletion() {
        return None;
    }
    let map = file.json.as_deref()?.as_object()?;
    let text = |key: &str| map.get(key).and_then(Json::as_str);
    let status = text("status").and_then(EntryStatus::parse).unwrap_or(EntryStatus::Draft);
    let slug = text("slug").unwrap_or_default();
    Some(EntryRow { id: id.as_str(), slug, status, author_id: text("author_id") })
}

/// Checks a permission on an entry as it is in some snapshot.
pub(crate) fn check_entry(
    snapshot: &Snapshot,
    caller: &Caller,
    action: Action,
    (of, _): &EntryPlace,
    doc: &RenderedEntry,
) -> Result<()> {
    check_row(snapshot, caller, action, of, &build_row(doc))
}

fn check_row(
    snapshot: &Snapshot,
    caller: &Caller,
    action: Action,
    of: &TypeName,
    row: &EntryRow<'_>,
) -> Result<()> {
    let ty = snapshot.get(of.as_str()).map(|it| &it.content_type);
    let locales: Vec<&str> =
        ty.into_iter().flat_map(|it| &it.locales).map(|it| it.as_str()).collect();
    let facts = Facts {
        status: Some(row.status),
        author_id: row.author_id,
        locales: &locales,
        ..Facts::default()
    };
    let resource = Resource::Entry { type_name: of.as_str(), id: row.id, slug: row.slug };
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
