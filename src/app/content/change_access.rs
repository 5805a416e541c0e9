//! The permission to look at a change, and the snapshot in which it is seen.

use std::sync::Arc;

use crate::app::App;
use crate::app::access::Caller;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::engine::overlays::Unveiled;
use crate::model::change::ChangeState;
use crate::model::change::PENDING;
use crate::model::change::PreviewToken;
use crate::model::change::pending_id;
use crate::model::entry::EntryStatus;
use crate::model::grant::Action;
use crate::model::grant::EntryRow;
use crate::model::grant::Facts;
use crate::model::grant::Resource;
use crate::model::name::EntryId;
use crate::model::name::EntryPlace;
use crate::model::name::TypeName;
use crate::query::execute::view::build_row;
use crate::query::index::change_index::Change;
use crate::query::index::change_index::ProposedFile;
use crate::query::index::snapshot::Snapshot;
use crate::query::index::type_index::TypeIndex;
use crate::query::render::rendered_entry::RenderedEntry;

/// The actions of those who write entries.
pub(crate) const WRITE_ACTIONS: &[Action] =
    &[Action::ContentUpdate, Action::ContentCreate, Action::ContentDelete];

/// The error for a change that does not exist, or not for the caller.
pub(crate) fn missing_change(reference: &str) -> Error {
    Error::not_found("release", reference)
}

/// Looks up a change as a request names it, whoever may read it. `pending` is the pending change of
/// the caller, which is an empty one until something is proposed.
pub(crate) fn look_up_change(
    live: &Snapshot,
    caller: &Caller,
    reference: &str,
) -> Result<(EntryId, Arc<Change>)> {
    let missing = || missing_change(reference);
    if caller.is_anonymous() {
        return Err(missing());
    }
    let own = pending_id(&caller.author_id_and_name().0);
    let id = match reference {
        PENDING => own.clone(),
        _ => EntryId::parse(reference).map_err(|_| missing())?,
    };
    match live.changes.get(&id) {
        Some(change) => Ok((id, change.clone())),
        None if id == own => Ok((id, Arc::default())),
        None => Err(missing()),
    }
}

/// Finds a change that the caller may read.
pub(crate) fn find_change(
    live: &Snapshot,
    caller: &Caller,
    reference: &str,
) -> Result<(EntryId, Arc<Change>)> {
    let (id, change) = look_up_change(live, caller, reference)?;
    if !may_read(live, caller, &change) {
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
    let (id, change) = find_change(live, caller, reference)?;
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
    change.record.as_ref().map_or(Ok(()), |it| check_state_active(it.state))
}

/// Checks that a change in this state can still be worked on.
pub(crate) fn check_state_active(state: ChangeState) -> Result<()> {
    match state {
        ChangeState::Published => Err(published_error()),
        ChangeState::Closed => Err(Error::conflict("This release is closed. Reopen it first.")),
        ChangeState::Open | ChangeState::InReview | ChangeState::Approved => Ok(()),
    }
}

/// Returns the error of work on a change that is published.
pub(crate) fn published_error() -> Error {
    Error::conflict("This release is published already. It can only be reverted.")
}

/// Checks that a change proposes something.
pub(crate) fn check_not_empty(change: &Change) -> Result<()> {
    if change.proposals.is_empty() {
        return Err(Error::conflict("This release has no entries yet. Add one first."));
    }
    Ok(())
}

/// Checks that what a change says of itself is known: it may be published or closed, and by whom
/// it was begun decides who may change it.
pub(crate) fn check_record_readable(change: &Change) -> Result<()> {
    if change.is_record_broken {
        return Err(Error::conflict(
            "The file `change.json` of this release cannot be read. Repair \
                                    it first.",
        ));
    }
    Ok(())
}

/// Returns true if the caller may read every entry of a change. Without a grant nobody may: that an
/// entry is to become public does not make its proposal so.
pub(crate) fn may_read(live: &Snapshot, caller: &Caller, change: &Change) -> bool {
    if change.proposals.is_empty() {
        return may_read_empty(live, caller, change);
    }
    check_proposals(live, caller, Action::ContentRead, change).is_ok()
}

/// Checks that the caller may rename, close, share and delete a change: whoever began it, and
/// whoever may publish all of its entries, or all entries if it has none.
pub(crate) fn check_may_manage(
    live: &Snapshot,
    caller: &Caller,
    id: &EntryId,
    change: &Change,
) -> Result<()> {
    let (action, own) = (Action::ContentPublish, caller.author_id_and_name().0);
    let record = change.record.as_ref();
    if record.is_some_and(|it| it.author_id == own) || *id == pending_id(&own) {
        return Ok(());
    }
    check_proposals(live, caller, action, change)?;
    if change.proposals.is_empty() {
        let mut names = live.types().iter().map(|it| &it.content_type.name);
        names.try_for_each(|it| check_all(live, caller, action, it))?;
    }
    Ok(())
}

/// Returns true if the caller may manage a change, and write entries at all.
pub(crate) fn may_manage(live: &Snapshot, caller: &Caller, id: &EntryId, change: &Change) -> bool {
    check_may_manage(live, caller, id, change).is_ok() && may_write(live, caller)
}

/// Returns true if the caller may write entries of some type, if only the own ones.
fn may_write(live: &Snapshot, caller: &Caller) -> bool {
    let check = |action, on: &Resource<'_>, facts: &Facts<'_>| {
        caller.check_permission(live.workspace.as_str(), action, on, facts)
    };
    find_allowed(live, caller, WRITE_ACTIONS, check).is_some()
}

/// Asks `check` about these actions on each type, with the facts of the own entries. Returns its
/// first yes.
pub(crate) fn find_allowed<T>(
    live: &Snapshot,
    caller: &Caller,
    actions: &[Action],
    check: impl Fn(Action, &Resource<'_>, &Facts<'_>) -> Result<T>,
) -> Option<T> {
    let own = caller.author_id_and_name().0;
    let facts = Facts { author_id: Some(&own), ..Facts::default() };
    let names = live.types().iter().map(|it| it.content_type.name.as_str());
    let mut pairs = names.flat_map(|name| actions.iter().map(move |action| (name, *action)));
    pairs.find_map(|(name, action)| check(action, &Resource::Collection(name), &facts).ok())
}

/// Returns true if the caller may publish a change, as far as its entries and their status tell.
/// The fields that it changes are judged when it is published.
pub(crate) fn may_publish(live: &Snapshot, caller: &Caller, change: &Change) -> bool {
    let may = |place: &EntryPlace, file: &ProposedFile| {
        let (of, current) = (&place.0, live.find_entry(place).map(|it| build_row(it)));
        let proposed = row_of_file(place, file);
        let action = match (file.is_deletion(), current) {
            (true, _) => Action::ContentDelete,
            (false, Some(_)) => Action::ContentUpdate,
            (false, None) => Action::ContentCreate,
        };
        let Some(row) = current.or(proposed) else { return file.is_deletion() };
        let is_public = |it: &EntryRow<'_>| it.status.is_for_public();
        let is_drafted = live.get(of.as_str()).is_some_and(|it| it.content_type.drafts);
        let changes = [current, proposed].into_iter().flatten().any(|it| is_public(&it));
        let takes_publish = match (current, proposed) {
            (Some(one), Some(other)) if is_public(&one) == is_public(&other) => {
                is_public(&one) && is_drafted
            }
            (Some(_), None) => changes && is_drafted,
            _ => changes,
        };
        check_row(live, caller, action, of, &row).is_ok()
            && (!takes_publish || check_row(live, caller, Action::ContentPublish, of, &row).is_ok())
    };
    change.proposals.iter().all(|(place, file)| may(place, file)) && may_write(live, caller)
}

/// Checks a permission on every entry of a change: as it is, as it was when it was proposed, as it
/// is proposed, and as it would be published. Where no state is known, it takes the permission for
/// all entries of the type.
pub(crate) fn check_proposals(
    live: &Snapshot,
    caller: &Caller,
    action: Action,
    change: &Change,
) -> Result<()> {
    change.proposals.iter().try_for_each(|(place, file)| {
        let current = live.find_entry(place).map(|it| build_row(it));
        let base = change.bases.get(place).and_then(|it| row_of_file(place, it));
        let proposed = row_of_file(place, file);
        let merged = current.zip(proposed).map(|(it, proposed)| merge_row(base, it, proposed));
        let rows = [current, base, proposed, merged].into_iter().flatten();
        check_rows(live, caller, action, &place.0, rows)
    })
}

/// Checks a permission on an entry as it is, and as each of these files has it. Where no state is
/// known, it takes the permission for all entries of the type.
pub(crate) fn check_files(
    live: &Snapshot,
    caller: &Caller,
    action: Action,
    place: &EntryPlace,
    files: &[Option<&ProposedFile>],
) -> Result<()> {
    let current = live.find_entry(place).map(|it| build_row(it));
    let rows = files.iter().flatten().filter_map(|it| row_of_file(place, it));
    check_rows(live, caller, action, &place.0, current.into_iter().chain(rows))
}

/// Checks a permission on all states of an entry; if none is known, on all entries of the type.
fn check_rows<'r>(
    live: &Snapshot,
    caller: &Caller,
    action: Action,
    of: &TypeName,
    rows: impl Iterator<Item = EntryRow<'r>>,
) -> Result<()> {
    let mut rows = rows.peekable();
    if rows.peek().is_none() {
        return check_all(live, caller, action, of);
    }
    rows.try_for_each(|row| check_row(live, caller, action, of, &row))
}

/// Returns true if the caller may know of a change that proposes nothing: its own one, or any if it
/// may read all entries of some type. Labels and notes are not for everybody.
fn may_read_empty(live: &Snapshot, caller: &Caller, change: &Change) -> bool {
    let Some(record) = &change.record else { return !caller.is_anonymous() };
    let is_own = !caller.is_anonymous() && record.author_id == caller.author_id_and_name().0;
    let reads_all = |it: &Arc<TypeIndex>| {
        check_all(live, caller, Action::ContentRead, &it.content_type.name).is_ok()
    };
    is_own || live.types().iter().any(reads_all)
}

/// Checks a permission on all entries of a type.
pub(crate) fn check_all(
    live: &Snapshot,
    caller: &Caller,
    action: Action,
    of: &TypeName,
) -> Result<()> {
    let on = Resource::Collection(of.as_str());
    caller.check_permission(live.workspace.as_str(), action, &on, &Facts::default())
}

/// The row by which rules decide about a file of a change; nothing for a deletion and for a file
/// that cannot be read.
fn row_of_file<'f>((_, id): &'f EntryPlace, file: &'f ProposedFile) -> Option<EntryRow<'f>> {
    if file.is_deletion() {
        return None;
    }
    file.content()?;
    let status = file.text("status").and_then(EntryStatus::parse).unwrap_or(EntryStatus::Draft);
    let slug = file.text("slug").unwrap_or_default();
    Some(EntryRow { id: id.as_str(), slug, status, author_id: file.text("author_id") })
}

/// Returns the row of an entry as it would be published: with what the proposal changed, and
/// otherwise as it is live.
fn merge_row<'r>(
    base: Option<EntryRow<'r>>,
    current: EntryRow<'r>,
    proposed: EntryRow<'r>,
) -> EntryRow<'r> {
    let Some(base) = base else {
        return EntryRow { author_id: proposed.author_id.or(current.author_id), ..proposed };
    };
    let mut merged = proposed;
    if proposed.slug == base.slug {
        merged.slug = current.slug;
    }
    if proposed.status == base.status {
        merged.status = current.status;
    }
    if proposed.author_id == base.author_id {
        merged.author_id = current.author_id;
    }
    merged
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

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: EntryRow<'_> =
        EntryRow { id: "a", slug: "old", status: EntryStatus::Draft, author_id: Some("me") };

    #[test]
    fn a_merged_row_takes_from_each_side_what_it_changed() {
        let live = EntryRow { author_id: Some("other"), status: EntryStatus::Published, ..OLD };
        let merged = merge_row(Some(OLD), live, EntryRow { slug: "new", ..OLD });
        assert_eq!(merged, EntryRow { slug: "new", ..live });
    }

    #[test]
    fn where_both_changed_it_the_proposal_counts() {
        let live = EntryRow { slug: "live", ..OLD };
        let proposed = EntryRow { slug: "new", author_id: None, ..OLD };
        assert_eq!(merge_row(Some(OLD), live, proposed), proposed);
        let merged = merge_row(None, live, proposed);
        assert_eq!(merged, EntryRow { author_id: Some("me"), ..proposed });
    }
}
