//! `/admin/api/workspaces`: which there are, and how they are made, named and put away.

use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::workspaces;
use crate::app::workspaces::change;
use crate::app::workspaces::icon;
use crate::http::admin::ANY;
use crate::http::admin::created;
use crate::http::admin::done;
use crate::http::admin::envelope;
use crate::http::admin::picture;
use crate::http::admin::right;
use crate::http::call::Call;
use crate::http::route;
use crate::http::route::Access;
use crate::http::route::Form;
use crate::http::route::Gives;
use crate::http::route::Outcome;
use crate::http::route::PRETTY;
use crate::http::route::Query;
use crate::http::route::QueryKind;
use crate::http::route::Route;
use crate::http::route::Run;
use crate::http::route::Takes;
use crate::http::route::get;
use crate::http::route::post;
use crate::http::route::put;
use crate::http::route::query;
use crate::model::grant::Action;
use crate::model::grant::Area;
use crate::query::params::Params;

const MANAGE: Access = right(Action::WorkspacesManage, Area::Workspaces);

const LIST: &[Query] = &[query("archived", QueryKind::Flag, "Archived ones as well."), PRETTY];
const ICON: &[Query] = &[query("v", QueryKind::Text, "Another one whenever the picture is.")];

#[rustfmt::skip]
pub(super) fn rows() -> Vec<Route> {
    vec![
        get("admin.workspaces.list", "/admin/api/workspaces", ANY, list)
            .query(LIST).gives(Gives::AdminList("Workspace")).runs(Run::Blocking).about("The workspaces that one has to do with."),
        post("admin.workspaces.create", "/admin/api/workspaces", MANAGE, create)
            .takes(Takes::Admin("WorkspaceCreate")).creates(Gives::Admin("Workspace")).about("Makes a workspace."),
        put("admin.workspaces.update", "/admin/api/workspaces/{workspace}", MANAGE, update)
            .takes(Takes::Admin("WorkspaceUpdate")).gives(Gives::Admin("Workspace")).about("Names a workspace, archives it or brings it back, or makes it the default one."),
        route::delete("admin.workspaces.archive", "/admin/api/workspaces/{workspace}", MANAGE, archive)
            .gives(Gives::Done).about("Archives a workspace; its files stay."),
        get("admin.workspaces.icon", "/admin/api/workspaces/{workspace}/icon", ANY, show_icon)
            .query(ICON).gives(Gives::Picture).runs(Run::Blocking).about("The picture of a workspace, as a PNG."),
        post("admin.workspaces.set_icon", "/admin/api/workspaces/{workspace}/icon", MANAGE, set_icon)
            .uploads(Form::Icon).runs(Run::Lane).gives(Gives::Admin("Workspace")).about("Gives a workspace a picture: JPEG, PNG, WebP or GIF."),
        route::delete("admin.workspaces.remove_icon", "/admin/api/workspaces/{workspace}/icon", MANAGE, remove_icon)
            .gives(Gives::Admin("Workspace")).about("Takes the picture of a workspace away."),
    ]
}

/// The workspaces that the caller has to do with.
pub fn list(call: &Call) -> Result<Outcome> {
    let params = Params::parse(call.query()).map_err(Error::bad_request)?;
    let list = workspaces::list(call.app(), &call.caller, params.flag("archived"));
    Ok(envelope(call, list)?.into())
}

/// Makes a workspace.
pub fn create(call: &Call) -> Result<Outcome> {
    let workspace = change::create(call.app(), &call.by(), &call.json()?)?;
    Ok(created(envelope(call, workspace)?).into())
}

/// Changes a workspace.
pub fn update(call: &Call) -> Result<Outcome> {
    let (slug, body) = (call.param("workspace")?, call.json()?);
    Ok(envelope(call, change::update(call.app(), &call.by(), slug, &body)?)?.into())
}

/// Archives a workspace.
pub fn archive(call: &Call) -> Result<Outcome> {
    change::archive(call.app(), &call.by(), call.param("workspace")?)?;
    Ok(done(call)?.into())
}

/// The picture of a workspace.
pub fn show_icon(call: &Call) -> Result<Outcome> {
    let png = icon::show(call.app(), &call.caller, call.param("workspace")?)?;
    Ok(picture(png).into())
}

/// Gives a workspace a picture.
pub fn set_icon(call: &Call) -> Result<Outcome> {
    let (slug, upload) = (call.param("workspace")?, call.upload()?);
    let workspace = icon::set(call.app(), &call.by(), slug, &upload.files)?;
    Ok(envelope(call, workspace)?.into())
}

/// Takes the picture of a workspace away.
pub fn remove_icon(call: &Call) -> Result<Outcome> {
    let workspace = icon::remove(call.app(), &call.by(), call.param("workspace")?)?;
    Ok(envelope(call, workspace)?.into())
}
