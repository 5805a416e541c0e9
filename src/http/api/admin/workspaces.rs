//! The routes of `/admin/api/workspaces`: listing, creating, changing and archiving workspaces.

use crate::app::error::Result;
use crate::app::system::workspaces;
use crate::app::system::workspaces::WorkspaceView;
use crate::app::system::workspaces::change;
use crate::app::system::workspaces::change::NewWorkspace;
use crate::app::system::workspaces::change::WorkspaceChange;
use crate::app::system::workspaces::icon;
use crate::http::api::admin::access::ANY;
use crate::http::api::admin::access::require_action;
use crate::http::api::reply::mark_created;
use crate::http::api::reply::reply_data;
use crate::http::api::reply::reply_ok;
use crate::http::api::reply::reply_png;
use crate::http::api::reply::reply_whole_list;
use crate::http::request::call::Call;
use crate::http::request::endpoint;
use crate::http::request::endpoint::Endpoint;
use crate::http::request::endpoint::HandlerOutcome;
use crate::http::request::endpoint::get;
use crate::http::request::endpoint::post;
use crate::http::request::endpoint::put;
use crate::http::request::route::Access;
use crate::http::request::route::JsonInputKind;
use crate::http::request::route::PRETTY;
use crate::http::request::route::QueryKind;
use crate::http::request::route::QueryParam;
use crate::http::request::route::ReplyKind;
use crate::http::request::route::RunMode;
use crate::http::request::route::UploadForm;
use crate::http::request::route::query;
use crate::model::grant::Action;
use crate::model::grant::Area;

const MANAGE: Access = require_action(Action::WorkspacesManage, Area::Workspaces);

const LIST: &[QueryParam] =
    &[query("archived", QueryKind::Flag, "Includes archived workspaces."), PRETTY];
const ICON: &[QueryParam] =
    &[query("v", QueryKind::Text, "A value that changes with the picture.")];

#[rustfmt::skip]
pub(super) fn list_endpoints() -> Vec<Endpoint> {
    vec![
        get("admin.workspaces.list", "/admin/api/workspaces", ANY, list_workspaces)
            .query(LIST).gives(ReplyKind::list_of::<WorkspaceView>()).runs_in(RunMode::Blocking).with_summary("Lists the workspaces that the caller has access to."),
        post("admin.workspaces.create", "/admin/api/workspaces", MANAGE, create_workspace)
            .takes_json(JsonInputKind::of::<NewWorkspace>()).gives_created(ReplyKind::of::<WorkspaceView>()).with_summary("Creates a workspace."),
        put("admin.workspaces.update", "/admin/api/workspaces/{workspace}", MANAGE, update_workspace)
            .takes_json(JsonInputKind::of::<WorkspaceChange>()).gives(ReplyKind::of::<WorkspaceView>()).with_summary("Renames a workspace, archives or unarchives it, or makes it the default one."),
        endpoint::delete("admin.workspaces.archive", "/admin/api/workspaces/{workspace}", MANAGE, archive_workspace)
            .gives(ReplyKind::Done).with_summary("Archives a workspace; its files stay."),
        get("admin.workspaces.icon", "/admin/api/workspaces/{workspace}/icon", ANY, show_icon)
            .query(ICON).gives(ReplyKind::Picture).runs_in(RunMode::Blocking).with_summary("Returns the picture of a workspace, as a PNG."),
        post("admin.workspaces.set_icon", "/admin/api/workspaces/{workspace}/icon", MANAGE, set_icon)
            .takes_upload(UploadForm::Icon).runs_in(RunMode::Lane).gives(ReplyKind::of::<WorkspaceView>()).with_summary("Sets the picture of a workspace: JPEG, PNG, WebP or GIF."),
        endpoint::delete("admin.workspaces.remove_icon", "/admin/api/workspaces/{workspace}/icon", MANAGE, remove_icon)
            .gives(ReplyKind::of::<WorkspaceView>()).with_summary("Removes the picture of a workspace."),
    ]
}

/// Lists the workspaces that the caller may see.
pub fn list_workspaces(call: &Call) -> Result<HandlerOutcome> {
    let list = workspaces::list(call.app(), &call.caller, call.parse_flag("archived")?);
    Ok(reply_whole_list(call, list, "slug", "asc")?.into())
}

/// Creates a workspace.
pub fn create_workspace(call: &Call) -> Result<HandlerOutcome> {
    let workspace = change::create(call.app(), &call.requester(), &call.parse_json()?)?;
    Ok(mark_created(reply_data(call, workspace)?).into())
}

/// Updates a workspace.
pub fn update_workspace(call: &Call) -> Result<HandlerOutcome> {
    let (slug, body) = (call.param("workspace")?, call.parse_json()?);
    Ok(reply_data(call, change::update(call.app(), &call.requester(), slug, &body)?)?.into())
}

/// Archives a workspace.
pub fn archive_workspace(call: &Call) -> Result<HandlerOutcome> {
    change::archive(call.app(), &call.requester(), call.param("workspace")?)?;
    Ok(reply_ok(call)?.into())
}

/// Shows the picture of a workspace.
pub fn show_icon(call: &Call) -> Result<HandlerOutcome> {
    let png = icon::show(call.app(), &call.caller, call.param("workspace")?)?;
    Ok(reply_png(png).into())
}

/// Sets the picture of a workspace.
pub fn set_icon(call: &Call) -> Result<HandlerOutcome> {
    let (slug, upload) = (call.param("workspace")?, call.take_upload()?);
    let workspace = icon::set(call.app(), &call.requester(), slug, &upload.files)?;
    Ok(reply_data(call, workspace)?.into())
}

/// Removes the picture of a workspace.
pub fn remove_icon(call: &Call) -> Result<HandlerOutcome> {
    let workspace = icon::remove(call.app(), &call.requester(), call.param("workspace")?)?;
    Ok(reply_data(call, workspace)?.into())
}
