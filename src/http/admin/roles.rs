//! `/admin/api/roles` and below, and `/admin/api/access-check`.

use crate::app::access_check;
use crate::app::error::Result;
use crate::app::roles;
use crate::http::admin::ANY;
use crate::http::admin::RECORDS;
use crate::http::admin::created;
use crate::http::admin::done;
use crate::http::admin::envelope;
use crate::http::admin::params;
use crate::http::admin::right;
use crate::http::admin::with_meta;
use crate::http::call::Call;
use crate::http::route::Gives;
use crate::http::route::Outcome;
use crate::http::route::Route;
use crate::http::route::Run;
use crate::http::route::Takes;
use crate::http::route::delete;
use crate::http::route::get;
use crate::http::route::post;
use crate::http::route::put;
use crate::model::grant::Action;
use crate::model::grant::Area;

#[rustfmt::skip]
pub(super) fn rows() -> Vec<Route> {
    let may = |action| right(action, Area::Roles);
    vec![
        get("admin.roles.list", "/admin/api/roles", may(Action::RolesRead), list)
            .query(RECORDS).runs(Run::Blocking).gives(Gives::AdminList("Role"))
            .about("The roles with their grants; `meta` tells of what grants are made."),
        post("admin.roles.create", "/admin/api/roles", may(Action::RolesCreate), create)
            .takes(Takes::Admin("NewRole")).creates(Gives::Admin("Role"))
            .about("Makes a role of grants that the caller has too."),
        put("admin.roles.update", "/admin/api/roles/{id}", may(Action::RolesUpdate), update)
            .takes(Takes::Admin("RoleChange")).gives(Gives::Admin("Role"))
            .about("Changes the label or the grants of a role."),
        delete("admin.roles.delete", "/admin/api/roles/{id}", may(Action::RolesDelete), remove)
            .gives(Gives::Done).about("Removes a role that nobody has."),
        post("admin.roles.access_check", "/admin/api/access-check", ANY, check)
            .scoped().takes(Takes::Admin("AccessQuestion")).gives(Gives::Admin("AccessAnswer"))
            .about("Whether somebody may take an action on something, and which grant says so."),
    ]
}

/// The roles.
pub fn list(call: &Call) -> Result<Outcome> {
    let (roles, meta) = roles::list(call.app(), &call.caller, &params(call)?)?;
    Ok(with_meta(call, roles, Some(meta))?.into())
}

/// Makes a role.
pub fn create(call: &Call) -> Result<Outcome> {
    let role = roles::create(call.app(), &call.by(), &call.json()?)?;
    Ok(created(envelope(call, role)?).into())
}

/// Changes a role.
pub fn update(call: &Call) -> Result<Outcome> {
    let (id, body) = (call.param("id")?, call.json()?);
    Ok(envelope(call, roles::update(call.app(), &call.by(), id, &body)?)?.into())
}

/// Removes a role.
pub fn remove(call: &Call) -> Result<Outcome> {
    roles::delete(call.app(), &call.by(), call.param("id")?)?;
    Ok(done(call)?.into())
}

/// Whether somebody may do something.
pub fn check(call: &Call) -> Result<Outcome> {
    let snapshot = call.snapshot()?;
    let answer = access_check::check(call.app(), &call.caller, snapshot, &call.json()?)?;
    Ok(envelope(call, answer)?.into())
}
