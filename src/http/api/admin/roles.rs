//! The routes of `/admin/api/roles` and below, and of `/admin/api/access-check`.

use crate::app::error::Result;
use crate::app::people::access_check;
use crate::app::people::access_check::AccessAnswer;
use crate::app::people::access_check::AccessQuestion;
use crate::app::people::roles;
use crate::app::people::roles::NewRole;
use crate::app::people::roles::RoleChange;
use crate::app::people::roles::RoleView;
use crate::http::api::admin::access::ANY;
use crate::http::api::admin::access::require_action;
use crate::http::api::query_params::RECORDS_QUERY;
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
use crate::http::request::route::ReplyKind;
use crate::http::request::route::RunMode;
use crate::model::grant::Action;
use crate::model::grant::Area;

#[rustfmt::skip]
pub(super) fn list_endpoints() -> Vec<Endpoint> {
    let may = |action| require_action(action, Area::Roles);
    vec![
        get("admin.roles.list", "/admin/api/roles", may(Action::RolesRead), list_roles)
            .query(RECORDS_QUERY).runs_in(RunMode::Blocking).gives(ReplyKind::list_of::<RoleView>())
            .with_summary("Lists the roles with their grants. `meta` lists the actions and the forms of resources."),
        post("admin.roles.create", "/admin/api/roles", may(Action::RolesCreate), create_role)
            .takes_json(JsonInputKind::of::<NewRole>()).gives_created(ReplyKind::of::<RoleView>())
            .with_summary("Creates a role with grants that the caller has too."),
        put("admin.roles.update", "/admin/api/roles/{id}", may(Action::RolesUpdate), update_role)
            .takes_json(JsonInputKind::of::<RoleChange>()).gives(ReplyKind::of::<RoleView>())
            .with_summary("Updates the label or the grants of a role."),
        delete("admin.roles.delete", "/admin/api/roles/{id}", may(Action::RolesDelete), remove_role)
            .gives(ReplyKind::Done).with_summary("Deletes a role that no user has."),
        post("admin.roles.access_check", "/admin/api/access-check", ANY, check_access)
            .in_workspace().takes_json(JsonInputKind::of::<AccessQuestion>()).gives(ReplyKind::of::<AccessAnswer>())
            .with_summary("Says if a user, a token or a role allows an action on a resource, and which grant decides."),
    ]
}

/// Lists the roles.
pub fn list_roles(call: &Call) -> Result<HandlerOutcome> {
    let (roles, meta) = roles::list(call.app(), &call.caller, &call.parse_query()?)?;
    Ok(reply_with_meta(call, roles, Some(meta))?.into())
}

/// Creates a role.
pub fn create_role(call: &Call) -> Result<HandlerOutcome> {
    let role = roles::create(call.app(), &call.requester(), &call.parse_json()?)?;
    Ok(mark_created(reply_data(call, role)?).into())
}

/// Updates a role.
pub fn update_role(call: &Call) -> Result<HandlerOutcome> {
    let (id, body) = (call.param("id")?, call.parse_json()?);
    Ok(reply_data(call, roles::update(call.app(), &call.requester(), id, &body)?)?.into())
}

/// Deletes a role.
pub fn remove_role(call: &Call) -> Result<HandlerOutcome> {
    roles::delete(call.app(), &call.requester(), call.param("id")?)?;
    Ok(reply_ok(call)?.into())
}

/// Explains whether a subject may take an action.
pub fn check_access(call: &Call) -> Result<HandlerOutcome> {
    let snapshot = call.snapshot()?;
    let answer =
        access_check::explain_access(call.app(), &call.caller, snapshot, &call.parse_json()?)?;
    Ok(reply_data(call, answer)?.into())
}
