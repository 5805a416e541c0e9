//! The routes of `/admin/api/trash`.

use crate::app::content::entries::EffortResult;
use crate::app::content::trash;
use crate::app::content::trash::EmptiedTrash;
use crate::app::content::trash::TrashCount;
use crate::app::content::trash::TrashedEntry;
use crate::app::error::Result;
use crate::app::list_window::ListWindow;
use crate::http::api::admin::access::ANY;
use crate::http::api::admin::access::require_action_on;
use crate::http::api::entry_reply::reply_written;
use crate::http::api::query_params::LIMIT;
use crate::http::api::query_params::LOCALE_OF_STORED;
use crate::http::api::query_params::OFFSET;
use crate::http::api::query_params::WRITTEN_LIVE_QUERY;
use crate::http::api::reply::reply_data;
use crate::http::api::reply::reply_ok;
use crate::http::api::reply::reply_with_meta;
use crate::http::request::call::Call;
use crate::http::request::endpoint::Endpoint;
use crate::http::request::endpoint::HandlerOutcome;
use crate::http::request::endpoint::delete;
use crate::http::request::endpoint::get;
use crate::http::request::endpoint::post;
use crate::http::request::route::ActionTarget;
use crate::http::request::route::PRETTY;
use crate::http::request::route::QueryKind;
use crate::http::request::route::QueryParam;
use crate::http::request::route::ReplyKind;
use crate::http::request::route::RunMode;
use crate::http::request::route::query;
use crate::model::grant::Action;
use crate::query::render::admin_render::AdminEntry;
use schemars::JsonSchema;
use serde::Serialize;

const LIST_QUERY: &[QueryParam] = &[
    query("q", QueryKind::Text, "Words that must all occur in the entry's text."),
    LIMIT,
    OFFSET,
    LOCALE_OF_STORED,
    PRETTY,
];

#[rustfmt::skip]
pub(super) fn list_endpoints() -> Vec<Endpoint> {
    let read = require_action_on(Action::ContentRead, ActionTarget::Collection);
    let bring_back = require_action_on(Action::ContentRestore, ActionTarget::Collection);
    let remove = require_action_on(Action::ContentDelete, ActionTarget::Collection);
    vec![
        get("admin.trash.overview", "/admin/api/trash", ANY, show_overview)
            .query(&[PRETTY]).gives(ReplyKind::of::<TrashOverview>()).runs_in(RunMode::Blocking).in_workspace().with_summary("Counts the entries in the trash by content type."),
        get("admin.trash.list", "/admin/api/trash/{collection}", read, list_trash)
            .query(LIST_QUERY).gives(ReplyKind::list_of::<TrashedEntry>()).runs_in(RunMode::Blocking).in_workspace().with_summary("Lists the entries of a content type in the trash, last deleted first."),
        delete("admin.trash.empty", "/admin/api/trash/{collection}", remove, empty_trash)
            .gives(ReplyKind::of::<EmptiedTrash>()).in_workspace().with_summary("Deletes the entries of a content type in the trash permanently, each if the caller may delete it."),
        post("admin.trash.restore", "/admin/api/trash/{collection}/{identifier}/restore", bring_back, restore_entry)
            .query(WRITTEN_LIVE_QUERY).gives(ReplyKind::of::<AdminEntry>()).in_workspace().with_summary("Restores an entry from the trash."),
        delete("admin.trash.purge", "/admin/api/trash/{collection}/{identifier}", remove, purge_entry)
            .gives(ReplyKind::Done).in_workspace().with_summary("Deletes an entry in the trash and its revisions permanently."),
    ]
}

/// The number of entries in the trash by content type.
#[derive(Serialize, JsonSchema)]
struct TrashOverview(Vec<TrashCount>);

/// Shows the number of entries in the trash by type.
pub fn show_overview(call: &Call) -> Result<HandlerOutcome> {
    let counted = trash::count_by_type(call.app(), call.snapshot()?, &call.caller, call.effort)?;
    let EffortResult::Done(counts) = counted else { return Ok(HandlerOutcome::NeedsEffort) };
    Ok(reply_data(call, TrashOverview(counts))?.into())
}

/// Lists entries in the trash.
pub fn list_trash(call: &Call) -> Result<HandlerOutcome> {
    let params = call.parse_query()?;
    let name = call.param("collection")?;
    let (app, snapshot, effort) = (call.app(), call.snapshot()?, call.effort);
    let listed = trash::list(app, snapshot, &call.caller, name, &params, effort)?;
    let EffortResult::Done(page) = listed else { return Ok(HandlerOutcome::NeedsEffort) };
    let (total, limit, offset) = (page.total, page.limit, page.offset);
    let meta = ListWindow { total, limit, offset, sort: "deleted_at", order: "desc" };
    Ok(reply_with_meta(call, page.entries, Some(meta))?.into())
}

/// Empties the trash.
pub fn empty_trash(call: &Call) -> Result<HandlerOutcome> {
    let (ws, name) = (call.workspace()?, call.param("collection")?);
    Ok(reply_data(call, trash::empty(call.app(), ws, &call.requester(), name)?)?.into())
}

/// Restores an entry.
pub fn restore_entry(call: &Call) -> Result<HandlerOutcome> {
    let (name, identifier) = (call.param("collection")?, call.param("identifier")?);
    let (app, ws, by) = (call.app(), call.workspace()?, call.requester());
    let written = trash::restore(app, ws, &by, name, identifier, call.precondition())?;
    Ok(reply_written(call, written)?.into())
}

/// Purges an entry.
pub fn purge_entry(call: &Call) -> Result<HandlerOutcome> {
    let (name, identifier) = (call.param("collection")?, call.param("identifier")?);
    let (app, ws, by) = (call.app(), call.workspace()?, call.requester());
    trash::purge(app, ws, &by, name, identifier, call.precondition())?;
    Ok(reply_ok(call)?.into())
}
