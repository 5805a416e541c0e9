//! The routes of `/admin/api/changes` and below: what is proposed beside what is live.

use crate::app::content::changes;
use crate::app::content::changes::ChangeImpact;
use crate::app::content::changes::ChangeInput;
use crate::app::content::changes::ChangeMode;
use crate::app::content::changes::ChangePage;
use crate::app::content::changes::ChangeRequest;
use crate::app::content::changes::ChangeView;
use crate::app::content::changes::ChangeWindow;
use crate::app::content::changes::EntryDiff;
use crate::app::content::changes::NewChange;
use crate::app::content::changes::NewPreview;
use crate::app::content::changes::PreviewInput;
use crate::app::content::changes::ReviewInput;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::list_window::ListWindow;
use crate::http::api::admin::access::ANY;
use crate::http::api::query_params::DRY_RUN_QUERY;
use crate::http::api::query_params::LIMIT;
use crate::http::api::query_params::OFFSET;
use crate::http::api::reply::mark_created;
use crate::http::api::reply::reply_data;
use crate::http::api::reply::reply_ok;
use crate::http::api::reply::reply_with_meta;
use crate::http::api::reply::with_entry_tag;
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
use crate::http::wire::reply::Reply;
use crate::stdx::checksum::Checksum;

const LIST_QUERY: &[QueryParam] = &[
    query(
        "state",
        QueryKind::Text,
        "The states to list, separated by commas: `open,in_review,approved`. All if left out.",
    ),
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
            .query(&[PRETTY]).gives(ReplyKind::of::<ChangeView>()).runs_in(RunMode::Blocking).in_workspace().with_summary("Returns a change, by id; `pending` is the one with the own drafts."),
        put("admin.changes.update", "/admin/api/changes/{change}", ANY, update_change)
            .takes_json(JsonInputKind::of::<ChangeInput>()).query(DRY_RUN_QUERY).gives(ReplyKind::of::<ChangeView>()).in_workspace().with_summary("Renames a change, plans its publication, or closes it."),
        delete("admin.changes.delete", "/admin/api/changes/{change}", ANY, delete_change)
            .query(DRY_RUN_QUERY).gives(ReplyKind::Done).in_workspace().with_summary("Deletes a change permanently, with everything that it proposes."),
        get("admin.changes.diff", "/admin/api/changes/{change}/diff", ANY, show_diff)
            .query(&[PRETTY]).gives(ReplyKind::list_of::<EntryDiff>()).runs_in(RunMode::Blocking).in_workspace().with_summary("Lists the differences that a change makes, field by field, with conflicts."),
        get("admin.changes.impact", "/admin/api/changes/{change}/impact", ANY, show_impact)
            .query(&[PRETTY]).gives(ReplyKind::of::<ChangeImpact>()).runs_in(RunMode::Blocking).in_workspace().with_summary("Compares what anonymous readers see now with what they will see once the change is published."),
        post("admin.changes.request_review", "/admin/api/changes/{change}/review", ANY, request_review)
            .takes_json(JsonInputKind::of::<ReviewInput>()).query(DRY_RUN_QUERY).gives(ReplyKind::of::<ChangeView>()).in_workspace().with_summary("Asks for the review of a change."),
        delete("admin.changes.return", "/admin/api/changes/{change}/review", ANY, return_change)
            .takes_json(JsonInputKind::of::<ReviewInput>()).query(DRY_RUN_QUERY).gives(ReplyKind::of::<ChangeView>()).in_workspace().with_summary("Takes a change out of its review: by its author, or because more work is needed."),
        post("admin.changes.approve", "/admin/api/changes/{change}/approve", ANY, approve_change)
            .query(DRY_RUN_QUERY).gives(ReplyKind::of::<ChangeView>()).in_workspace().with_summary("Approves a change as it is."),
        delete("admin.changes.withdraw_approval", "/admin/api/changes/{change}/approve", ANY, withdraw_approval)
            .query(DRY_RUN_QUERY).gives(ReplyKind::of::<ChangeView>()).in_workspace().with_summary("Withdraws the own approval of a change."),
        post("admin.changes.publish", "/admin/api/changes/{change}/publish", ANY, publish_change)
            .query(DRY_RUN_QUERY).gives(ReplyKind::of::<ChangeView>()).in_workspace().with_summary("Makes everything live that a change proposes: all or nothing."),
        post("admin.changes.revert", "/admin/api/changes/{change}/revert", ANY, revert_change)
            .gives_created(ReplyKind::of::<ChangeView>()).in_workspace().with_summary("Begins a change that reverts a published one."),
        post("admin.changes.preview", "/admin/api/changes/{change}/previews", ANY, create_preview)
            .takes_json(JsonInputKind::of::<PreviewInput>()).gives_created(ReplyKind::of::<NewPreview>()).in_workspace().with_summary("Creates a preview link. Its token is shown only now."),
        delete("admin.changes.revoke_preview", "/admin/api/changes/{change}/previews/{link}", ANY, revoke_preview)
            .query(DRY_RUN_QUERY).gives(ReplyKind::Done).in_workspace().with_summary("Revokes a preview link."),
        delete("admin.changes.discard", "/admin/api/changes/{change}/entries/{collection}/{identifier}", ANY, discard_proposal)
            .query(DRY_RUN_QUERY).gives(ReplyKind::Done).in_workspace().with_summary("Takes an entry out of a change, by its id."),
    ]
}

/// The request for what the caller does with a change.
fn parse_request(call: &Call) -> Result<ChangeRequest> {
    let request = ChangeRequest::new(call.workspace()?, &call.requester(), call.param("change")?);
    let mode = if call.parse_dry_run()? { ChangeMode::DryRun } else { ChangeMode::Commit };
    Ok(ChangeRequest { precondition: call.precondition(), mode, ..request })
}

/// A reply that shows a change, with the tag of its state.
fn reply_change(call: &Call, change: ChangeView) -> Result<Reply> {
    let rev = change.rev;
    let json = serde_json::to_vec(&change).map_err(Error::internal)?;
    Ok(with_entry_tag(reply_data(call, change)?, rev, Checksum::of_bytes(&json)))
}

/// Lists the changes.
pub fn list_changes(call: &Call) -> Result<HandlerOutcome> {
    let window = ChangeWindow::parse(&call.parse_query()?)?;
    let page = changes::list(call.app(), call.snapshot()?, &call.caller, &window);
    let ChangePage { changes, total } = page;
    let (limit, offset) = (window.limit.unwrap_or(changes.len()), window.offset);
    let meta = ListWindow { total, limit, offset, sort: "created_at", order: "desc" };
    Ok(reply_with_meta(call, changes, Some(meta))?.into())
}

/// Begins a change.
pub fn create_change(call: &Call) -> Result<HandlerOutcome> {
    let (ws, by, body) = (call.workspace()?, call.requester(), call.parse_json()?);
    let change = changes::create(call.app(), ws, &by, &body)?;
    Ok(mark_created(reply_change(call, change)?).into())
}

/// Shows a change.
pub fn show_change(call: &Call) -> Result<HandlerOutcome> {
    let (app, snapshot) = (call.app(), call.snapshot()?);
    let change = changes::show(app, snapshot, &call.caller, call.param("change")?)?;
    Ok(reply_change(call, change)?.into())
}

/// Changes the record of a change.
pub fn update_change(call: &Call) -> Result<HandlerOutcome> {
    let change = changes::update(call.app(), &parse_request(call)?, &call.parse_json()?)?;
    Ok(reply_change(call, change)?.into())
}

/// Deletes a change.
pub fn delete_change(call: &Call) -> Result<HandlerOutcome> {
    changes::delete(call.app(), &parse_request(call)?)?;
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

/// Asks for the review of a change.
pub fn request_review(call: &Call) -> Result<HandlerOutcome> {
    let change = changes::request_review(call.app(), &parse_request(call)?, &call.parse_json()?)?;
    Ok(reply_change(call, change)?.into())
}

/// Takes a change out of its review.
pub fn return_change(call: &Call) -> Result<HandlerOutcome> {
    let change = changes::return_to_work(call.app(), &parse_request(call)?, &call.parse_json()?)?;
    Ok(reply_change(call, change)?.into())
}

/// Approves a change.
pub fn approve_change(call: &Call) -> Result<HandlerOutcome> {
    let change = changes::approve(call.app(), &parse_request(call)?)?;
    Ok(reply_change(call, change)?.into())
}

/// Withdraws the own approval of a change.
pub fn withdraw_approval(call: &Call) -> Result<HandlerOutcome> {
    let change = changes::withdraw_approval(call.app(), &parse_request(call)?)?;
    Ok(reply_change(call, change)?.into())
}

/// Publishes a change.
pub fn publish_change(call: &Call) -> Result<HandlerOutcome> {
    let change = changes::publish(call.app(), &parse_request(call)?)?;
    Ok(reply_change(call, change)?.into())
}

/// Begins a change that reverts a published one.
pub fn revert_change(call: &Call) -> Result<HandlerOutcome> {
    let change = changes::revert(call.app(), &parse_request(call)?)?;
    Ok(mark_created(reply_change(call, change)?).into())
}

/// Creates a preview link.
pub fn create_preview(call: &Call) -> Result<HandlerOutcome> {
    let preview = changes::create_preview(call.app(), &parse_request(call)?, &call.parse_json()?)?;
    Ok(mark_created(reply_data(call, preview)?).into())
}

/// Revokes a preview link.
pub fn revoke_preview(call: &Call) -> Result<HandlerOutcome> {
    changes::revoke_preview(call.app(), &parse_request(call)?, call.param("link")?)?;
    Ok(reply_ok(call)?.into())
}

/// Takes an entry out of a change.
pub fn discard_proposal(call: &Call) -> Result<HandlerOutcome> {
    let entry = (call.param("collection")?, call.param("identifier")?);
    changes::discard(call.app(), &parse_request(call)?, entry)?;
    Ok(reply_ok(call)?.into())
}
