//! The records of changes: listing, beginning, renaming, closing and deleting them.

use std::sync::Arc;

use crate::app::App;
use crate::app::access::Caller;
use crate::app::access::Requester;
use crate::app::content::change_access;
use crate::app::content::changes::change_inputs::ChangeInput;
use crate::app::content::changes::change_inputs::NewChange;
use crate::app::content::changes::change_request::ChangeRequest;
use crate::app::content::changes::change_view::ChangeView;
use crate::app::content::changes::found_change::FoundChange;
use crate::app::content::changes::found_change::find_permit;
use crate::app::content::changes::found_change::show;
use crate::app::content::changes::found_change::stage_new_record;
use crate::app::content::changes::plan;
use crate::app::content::changes::review_rules::find_state;
use crate::app::content::write_target::check_planned_edit;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::engine::staging::Proposed;
use crate::model::change::ChangeRecord;
use crate::model::change::ChangeState;
use crate::model::change::is_pending;
use crate::model::event::EventKind;
use crate::model::input::wording;
use crate::model::name::EntryId;
use crate::model::name::TypeName;
use crate::model::name::WorkspaceSlug;
use crate::model::problem::FieldProblems;
use crate::query::index::change_index::Change;
use crate::query::index::snapshot::Snapshot;
use crate::query::request::list_query::parse_window;
use crate::query::request::params::QueryParams;
use crate::query::request::params::split_names;
use crate::stdx::json::Map;
use crate::store::layout::Folder;
use crate::store::layout::Key;

/// The changes that a list shows.
#[derive(Clone, Debug, Default)]
pub struct ChangeWindow {
    /// Their states; all if nothing is said.
    pub states: Option<Vec<ChangeState>>,
    /// The most that are shown.
    pub limit: Option<usize>,
    /// The number that is skipped.
    pub offset: usize,
}

/// A part of the changes that a caller may read.
pub struct ChangePage {
    /// The changes, the latest begun first.
    pub changes: Vec<ChangeView>,
    /// The number of all of them.
    pub total: usize,
}

impl ChangeWindow {
    /// Parses the parameters `state`, `limit` and `offset`.
    pub fn parse(params: &QueryParams) -> Result<ChangeWindow> {
        let mut problems = FieldProblems::new();
        let (limit, offset) = parse_window(params, &mut problems);
        // It is no list that may be repeated: as of every other parameter, the last one counts.
        let given = params.iter().filter(|(name, _)| matches!(*name, "state" | "state[]"));
        let last = given.last().map(|(_, value)| value).filter(|it| !it.is_empty());
        let parse = |text: &str| split_names(text).map(ChangeState::parse).collect();
        let states: Option<Option<Vec<ChangeState>>> = last.map(parse);
        if states == Some(None) {
            let message = wording::not_one_of(ChangeState::ALL.map(ChangeState::as_str));
            problems.add("state", message);
        }
        let window = ChangeWindow { states: states.flatten(), limit, offset };
        problems.into_result(window).map_err(Error::invalid)
    }
}

/// Lists the changes that the caller may read, the latest begun first.
pub fn list(app: &App, snapshot: &Snapshot, caller: &Caller, window: &ChangeWindow) -> ChangePage {
    let required = app.settings().editable.approvals_required;
    let has_state = |change: &Change| {
        let states = window.states.as_deref();
        states.is_none_or(|it| it.contains(&find_state(change, required)))
    };
    let all = snapshot.changes.iter();
    let is_listed = |it: &Change| has_state(it) && change_access::may_read(snapshot, caller, it);
    let mut found: Vec<_> = all.filter(|(_, it)| is_listed(it)).collect();
    let begun = |it: &Change| it.record.as_ref().and_then(|it| it.created_at);
    found.sort_by(|one, other| (begun(other.1), other.0).cmp(&(begun(one.1), one.0)));
    let total = found.len();
    let page = found.into_iter().skip(window.offset).take(window.limit.unwrap_or(total));
    let changes = page.map(|(id, it)| ChangeView::new(app, snapshot, caller, id, it)).collect();
    ChangePage { changes, total }
}

/// Begins a named change: `{label, note?, publish_at?, unpublish_at?}`.
pub fn create(app: &App, ws: &WorkspaceSlug, by: &Requester, body: &Map) -> Result<ChangeView> {
    let (engine, requester, body) = (app.engine.clone(), by.clone(), body.clone());
    let committed = app.engine.commit(ws, move |staging| {
        let permit = find_permit(staging.snapshot(), &requester)?;
        let input = NewChange::parse(&body, staging.now());
        let NewChange { label, note, publish_at, unpublish_at } =
            input.into_result().map_err(Error::invalid)?;
        let mut record = ChangeRecord::begin(label, &requester.actor.id, staging.now());
        record.add_contributors(&requester.caller.person_ids());
        record.note = note;
        let (by, id, change) = (requester.clone(), staging.new_id(), Arc::default());
        let mut found = FoundChange { by, id, change, record };
        let (from, to) = (Some(publish_at), Some(unpublish_at));
        let is_planned = plan::change_plan(&engine, staging, &mut found, from, to)?;
        stage_new_record(staging, &permit, &found.id, &found.record);
        if is_planned {
            staging.write(&permit).add_event(EventKind::ChangePlanned, found.subject());
        }
        Ok::<_, Error>(found.id)
    })?;
    show(app, &committed.snapshot, &by.caller, &committed.value)
}

/// Changes the record of a change: `{label?, note?, closed?, publish_at?, unpublish_at?}`.
pub fn update(app: &App, request: &ChangeRequest, body: &Map) -> Result<ChangeView> {
    let (engine, body) = (app.engine.clone(), body.clone());
    request.edit_record(app, move |found, staging| {
        let permit = found.check_may_manage(staging.snapshot())?;
        let input = ChangeInput::parse(&body, staging.now());
        let ChangeInput { label, note, closed, publish_at, unpublish_at } =
            input.into_result().map_err(Error::invalid)?;
        let record = &mut found.record;
        record.label = label.unwrap_or_else(|| record.label.clone());
        record.note = note.unwrap_or_else(|| record.note.clone());
        let is_closed = match closed {
            Some(closed) => close_or_reopen(found, closed)?,
            None => false,
        };
        let is_planned = plan::change_plan(&engine, staging, found, publish_at, unpublish_at)?;
        let kind = match (is_closed, is_planned) {
            (true, _) => EventKind::ChangeClosed,
            (false, true) => EventKind::ChangePlanned,
            (false, false) => EventKind::ChangeUpdated,
        };
        Ok((permit, kind))
    })
}

/// Gives a change up, or takes it up again. Returns true if it is given up now.
fn close_or_reopen(found: &mut FoundChange, closed: bool) -> Result<bool> {
    let record = &mut found.record;
    match (closed, record.state) {
        (_, ChangeState::Published) => Err(change_access::published_error()),
        (true, _) if is_pending(&found.id) => {
            let message = "Drafts cannot be closed. Publish or discard them.";
            Err(Error::conflict(message))
        }
        (true, ChangeState::Closed) => Ok(false),
        (true, _) => {
            // What is taken up again begins anew: its plan may lie in the past by then.
            plan::clear_plan(record);
            record.approvals.clear();
            record.state = ChangeState::Closed;
            Ok(true)
        }
        (false, ChangeState::Closed) => {
            // A file that was edited by hand may have one.
            plan::clear_plan(record);
            record.state = ChangeState::Open;
            Ok(false)
        }
        (false, _) => Ok(false),
    }
}

/// Deletes a change with everything that it proposes.
pub fn delete(app: &App, request: &ChangeRequest) -> Result<()> {
    request.run_silently(app, |found, staging| {
        let permit = found.check_may_manage(staging.snapshot())?;
        let ws = staging.workspace().clone();
        let subject = found.subject();
        let mut write = staging.write(&permit);
        for place in found.change.proposals.keys() {
            write.remove(&Key::of_proposal(&ws, &found.id, place));
        }
        for place in found.change.bases.keys() {
            write.remove(&Key::of_base(&ws, &found.id, place));
        }
        write.remove(&Key::Change(ws.clone(), found.id.clone()));
        write.add_event(EventKind::ChangeDeleted, subject);
        write.steps_after().remove_folder(&Folder::Change(ws, found.id));
        Ok(())
    })
}

/// Takes an entry out of a change: what was proposed for it is discarded.
pub fn discard(app: &App, request: &ChangeRequest, (type_name, id): (&str, &str)) -> Result<()> {
    let missing = || Error::not_found("draft of the entry", id);
    let place = TypeName::parse(type_name).ok().zip(EntryId::parse(id).ok()).ok_or_else(missing)?;
    request.run_silently(app, move |found, staging| {
        let permit = found.check_may_manage(staging.snapshot())?;
        change_access::check_active(&found.change)?;
        if !found.change.proposals.contains_key(&place) {
            return Err(Error::not_found("draft of the entry", place.1.as_str()));
        }
        if found.change.is_planned() {
            let edit = Proposed { place: place.clone(), file: None };
            check_planned_edit(staging.snapshot(), &found.by, &found.change, &edit)?;
        }
        staging.discard_proposal(&permit, &found.id, &place);
        staging.write(&permit).add_event(EventKind::ChangeUpdated, found.subject());
        Ok(())
    })
}
