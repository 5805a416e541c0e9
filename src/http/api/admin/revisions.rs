//! The routes of `/admin/api/content/{collection}/{identifier}/revisions`.

use crate::app::content::revisions;
use crate::app::content::revisions::Revision;
use crate::app::error::Result;
use crate::app::list_window::ListWindow;
use crate::http::api::admin::access::require_action_on;
use crate::http::api::entry_reply::reply_written;
use crate::http::api::query_params::LIMIT;
use crate::http::api::query_params::LOCALE_OF_STORED;
use crate::http::api::query_params::OFFSET;
use crate::http::api::query_params::WRITTEN_LIVE_QUERY;
use crate::http::api::reply::reply_data;
use crate::http::api::reply::reply_with_meta;
use crate::http::request::call::Call;
use crate::http::request::endpoint::Endpoint;
use crate::http::request::endpoint::HandlerOutcome;
use crate::http::request::endpoint::get;
use crate::http::request::endpoint::post;
use crate::http::request::route::ActionTarget;
use crate::http::request::route::PRETTY;
use crate::http::request::route::QueryParam;
use crate::http::request::route::ReplyKind;
use crate::http::request::route::RunMode;
use crate::model::grant::Action;
use crate::query::render::admin_render::AdminEntry;

const WINDOW: &[QueryParam] = &[LIMIT, OFFSET, LOCALE_OF_STORED, PRETTY];

#[rustfmt::skip]
pub(super) fn list_endpoints() -> Vec<Endpoint> {
    let read = require_action_on(Action::ContentRevisionsRead, ActionTarget::Entry);
    let bring_back = require_action_on(Action::ContentRevisionsRestore, ActionTarget::Entry);
    vec![
        get("admin.revisions.list", "/admin/api/content/{collection}/{identifier}/revisions", read, list_revisions)
            .query(WINDOW).gives(ReplyKind::list_of::<Revision>()).runs_in(RunMode::Blocking).in_workspace().with_summary("Lists the revisions of an entry, newest first."),
        get("admin.revisions.show", "/admin/api/content/{collection}/{identifier}/revisions/{revision}", read, show_revision)
            .query(&[LOCALE_OF_STORED, PRETTY]).gives(ReplyKind::of::<Revision>()).runs_in(RunMode::Blocking).in_workspace().with_summary("Returns a revision of an entry."),
        post("admin.revisions.restore", "/admin/api/content/{collection}/{identifier}/revisions/{revision}/restore", bring_back, restore_revision)
            .query(WRITTEN_LIVE_QUERY).gives(ReplyKind::of::<AdminEntry>()).in_workspace().with_summary("Restores a revision. The current state becomes a revision itself."),
    ]
}

/// Lists the earlier states of an entry.
pub fn list_revisions(call: &Call) -> Result<HandlerOutcome> {
    let params = call.parse_query()?;
    let (name, identifier) = (call.param("collection")?, call.param("identifier")?);
    let (app, snapshot) = (call.app(), call.snapshot()?);
    let page = revisions::list(app, snapshot, &call.caller, name, identifier, &params)?;
    let (total, limit, offset) = (page.total, page.limit, page.offset);
    let meta = ListWindow { total, limit, offset, sort: "created_at", order: "desc" };
    Ok(reply_with_meta(call, page.revisions, Some(meta))?.into())
}

/// Shows one earlier state.
pub fn show_revision(call: &Call) -> Result<HandlerOutcome> {
    let params = call.parse_query()?;
    let (app, snapshot) = (call.app(), call.snapshot()?);
    let revision = revisions::show(app, snapshot, &call.caller, revision_params(call)?, &params)?;
    Ok(reply_data(call, revision)?.into())
}

/// Restores an earlier state.
pub fn restore_revision(call: &Call) -> Result<HandlerOutcome> {
    let (ws, by, precondition) = (call.workspace()?, call.requester(), call.precondition());
    let written = revisions::restore(call.app(), ws, &by, revision_params(call)?, precondition)?;
    Ok(reply_written(call, written)?.into())
}

fn revision_params(call: &Call) -> Result<(&str, &str, &str)> {
    Ok((call.param("collection")?, call.param("identifier")?, call.param("revision")?))
}
