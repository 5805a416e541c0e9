//! The routes of `/admin/api/changes` and below: what is proposed beside what is live.

use crate::app::content::changes;
use crate::app::content::changes::ChangeImpact;
use crate::app::content::changes::ChangeInput;
use crate::app::content::changes::ChangeView;
use crate::app::content::changes::EntryDiff;
use crate::app::content::changes::NewChange;
use crate::app::content::changes::NewPreview;
use crate::app::content::changes::PreviewInput;
use crate::app::error::Result;
use crate::app::list_window::ListWindow;
use crate::http::api::admin::access::ANY;
use crate::http::api::query_params::LIMIT;
use crate::http::api::query_params::OFFSET;
use crate::http::api::reply::mark_created;
use crate::http::api::reply::reply_data;
use crate::http::api::reply::reply_ok;
use crate::http::api::reply::reply_with_meta;
use crate::http::request::call::Call;
use crate::http::request::endpoint::Endpoint;
use crate::http::request::endpoint::HandlerOutcome;
use crate::http::request::endpoint::delete;
use crate::http::request::endpoint::get;
use crate::http::request::endpoint::post;
use crate::http::request::endpoint::put;
use crate::http::request::route::JsonInputKind;
use crate::http::request::route::PRETTY;
use crate::http::request::route::QueryKind;
use crate::http::request::route::QueryParam;
use crate::http::request::route::ReplyKind;
use crate::http::request::route::RunMode;
use crate::http::request::route::query;

const LIST_QUERY: &[QueryParam] = &[
    query("state", QueryKind::Text, "Only changes in one of these states, separated by commas."),
    LIMIT,
    OFFSET,
    PRETTY,
];

#[rustfmt::skip]
pub(super) fn list_endpoints() -> Vec<Endpoint> {
    vec![
        get("admin.changes.list", "/admin/api/changes", ANY, list_changes)
            .query(LIST_QUERY).gives(ReplyKind::list_of::<ChangeView>()).runs_in(RunMode::Blocking).in_workspace().with_summary("Lists the changes that the caller may read, the latest begun first."),
        post("admin.changes.create", "/admin/api/changes", ANY, create_change)
            .takes_json(JsonInputKind::of::<NewChange>()).gives_created(ReplyKind::of::<ChangeView>()).in_workspace().with_summary("Begins a change. Entries are proposed in it with `?change={id}`."),
        get("admin.changes.show", "/admin/api/changes/{change}", ANY, show_change)
            .query(&[PRETTY]).gives(ReplyKind::of::<ChangeView>()).runs_in(RunMode::Blocking).in_workspace().with_summary("Returns a change, by id; `pending` is the own pending change."),
        put("admin.changes.update", "/admin/api/changes/{change}", ANY, update_change)
            .takes_json(JsonInputKind::of::<ChangeInput>()).gives(ReplyKind::of::<ChangeView>()).in_workspace().with_summary("Renames a change, or closes it."),
        delete("admin.changes.delete", "/admin/api/changes/{change}", ANY, delete_change)
            .gives(ReplyKind::Done).in_workspace().with_summary("Deletes a change permanently, with everything that it proposes."),
        get("admin.changes.diff", "/admin/api/changes/{change}/diff", ANY, show_diff)
            .query(&[PRETTY]).gives(ReplyKind::list_of::<EntryDiff>()).runs_in(RunMode::Blocking).in_workspace().with_summary("Lists the differences that a change makes, field by field, with conflicts."),
        get("admin.changes.impact", "/admin/api/changes/{change}/impact", ANY, show_impact)
            .query(&[PRETTY]).gives(ReplyKind::of::<ChangeImpact>()).runs_in(RunMode::Blocking).in_workspace().with_summary("Compares what anonymous readers see now with what they will see once the change is published."),
        post("admin.changes.publish", "/admin/api/changes/{change}/publish", ANY, publish_change)
            .gives(ReplyKind::of::<ChangeView>()).in_workspace().with_summary("Makes everything live that a change proposes: all or nothing."),
        post("admin.changes.revert", "/admin/api/changes/{change}/revert", ANY, revert_change)
            .gives_created(ReplyKind::of::<ChangeView>()).in_workspace().with_summary("Begins a change that takes a published one back."),
        post("admin.changes.preview", "/admin/api/changes/{change}/previews", ANY, create_preview)
            .takes_json(JsonInputKind::of::<PreviewInput>()).gives_created(ReplyKind::of::<NewPreview>()).in_workspace().with_summary("Creates a preview link. Its token is shown only now."),
        delete("admin.changes.revoke_preview", "/admin/api/changes/{change}/previews/{link}", ANY, revoke_preview)
            .gives(ReplyKind::Done).in_workspace().with_summary("Revokes a preview link."),
        delete("admin.changes.discard", "/admin/api/changes/{change}/entries/{collection}/{identifier}", ANY, discard_proposal)
            .gives(ReplyKind::Done).in_workspace().with_summary("Takes an entry out of a change, by its id."),
    ]
}

/// Lists the changes.
pub fn list_changes(call: &Call) -> Result<HandlerOutcome> {
    let page = changes::list(call.app(), call.snapshot()?, &call.caller, call.query())?;
    let (total, limit, offset) = (page.total, page.limit, page.offset);
    let meta = ListWindow { total, limit, offset, sort: "created_at", order: "desc" };
    Ok(reply_with_meta(call, page.changes, Some(meta))?.into())
}

/// Begins a change.
pub fn create_change(call: &Call) -> Result<HandlerOutcome> {
    let (ws, by, body) = (call.workspace()?, call.requester(), call.parse_json()?);
    let change = changes::create(call.app(), ws, &by, &body)?;
    Ok(mark_created(reply_data(call, change)?).into())
}

/// Shows a change.
pub fn show_change(call: &Call) -> Result<HandlerOutcome> {
    let (app, snapshot) = (call.app(), call.snapshot()?);
    let change = changes::show(app, snapshot, &call.caller, call.param("change")?)?;
    Ok(reply_data(call, change)?.into())
}

/// Changes the record of a change.
pub fn update_change(call: &Call) -> Result<HandlerOutcome> {
    let (ws, by, body) = (call.workspace()?, call.requester(), call.parse_json()?);
    let change = changes::update(call.app(), ws, &by, call.param("change")?, &body)?;
    Ok(reply_data(call, change)?.into())
}

/// Deletes a change.
pub fn delete_change(call: &Call) -> Result<HandlerOutcome> {
    let (ws, by) = (call.workspace()?, call.requester());
    changes::delete(call.app(), ws, &by, call.param("change")?)?;
    Ok(reply_ok(call)?.into())
}

/// Lists the differences that a change makes.
pub fn show_diff(call: &Call) -> Result<HandlerOutcome> {
    let (app, snapshot) = (call.app(), call.snapshot()?);
    let all = changes::list_differences(app, snapshot, &call.caller, call.param("change")?)?;
    let (total, limit) = (all.len(), all.len());
    let meta = ListWindow { total, limit, offset: 0, sort: "collection", order: "asc" };
    Ok(reply_with_meta(call, all, Some(meta))?.into())
}

/// Compares what readers see before and after the publication of a change.
pub fn show_impact(call: &Call) -> Result<HandlerOutcome> {
    let (app, snapshot) = (call.app(), call.snapshot()?);
    let impact = changes::compute_impact(app, snapshot, &call.caller, call.param("change")?)?;
    Ok(reply_data(call, impact)?.into())
}

/// Publishes a change.
pub fn publish_change(call: &Call) -> Result<HandlerOutcome> {
    let (ws, by) = (call.workspace()?, call.requester());
    let change = changes::publish(call.app(), ws, &by, call.param("change")?)?;
    Ok(reply_data(call, change)?.into())
}

/// Begins a change that takes a published one back.
pub fn revert_change(call: &Call) -> Result<HandlerOutcome> {
    let (ws, by) = (call.workspace()?, call.requester());
    let change = changes::revert(call.app(), ws, &by, call.param("change")?)?;
    Ok(mark_created(reply_data(call, change)?).into())
}

/// Creates a preview link.
pub fn create_preview(call: &Call) -> Result<HandlerOutcome> {
    let (ws, by, body) = (call.workspace()?, call.requester(), call.parse_json()?);
    let preview = changes::create_preview(call.app(), ws, &by, call.param("change")?, &body)?;
    Ok(mark_created(reply_data(call, preview)?).into())
}

/// Revokes a preview link.
pub fn revoke_preview(call: &Call) -> Result<HandlerOutcome> {
    let (ws, by) = (call.workspace()?, call.requester());
    let (change, link) = (call.param("change")?, call.param("link")?);
    changes::revoke_preview(call.app(), ws, &by, change, link)?;
    Ok(reply_ok(call)?.into())
}

/// Takes an entry out of a change.
pub fn discard_proposal(call: &Call) -> Result<HandlerOutcome> {
    let (ws, by, change) = (call.workspace()?, call.requester(), call.param("change")?);
    let entry = (call.param("collection")?, call.param("identifier")?);
    changes::discard(call.app(), ws, &by, change, entry)?;
    Ok(reply_ok(call)?.into())
}
