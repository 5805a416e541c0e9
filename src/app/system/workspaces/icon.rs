//! The pictures of workspaces: small PNGs, stored beside their files.

use bytes::Bytes;

use crate::app::App;
use crate::app::access::Caller;
use crate::app::access::Requester;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::media::pictures::make_small_png;
use crate::app::system::workspaces::WorkspaceView;
use crate::app::system::workspaces::change::emit_event;
use crate::app::system::workspaces::check_may_manage;
use crate::app::system::workspaces::find_workspace;
use crate::app::system::workspaces::load_view;
use crate::app::system::workspaces::may_see;
use crate::engine::staging::SystemStaging;
use crate::model::event::EventKind;
use crate::model::problem::FieldProblems;
use crate::store::layout::Key;
use crate::store::write::spool::Spooled;

/// The longest side in pixels.
const SIDE_MAX: u32 = 256;

/// The name of the form field.
const FIELD: &str = "icon";

/// Returns the picture of a workspace that the caller may see, as a PNG.
pub fn show(app: &App, caller: &Caller, slug: &str) -> Result<Bytes> {
    let workspace = find_workspace(app, slug)?;
    if !may_see(caller, &workspace.workspace) {
        return Err(Error::not_found("workspace", slug));
    }
    app.engine
        .folder()
        .read_icon(&workspace.workspace)
        .ok_or_else(|| Error::not_found("picture of", slug))
}

/// Sets the picture of a workspace.
pub fn set(app: &App, by: &Requester, slug: &str, files: &[Spooled]) -> Result<WorkspaceView> {
    check_may_manage(by, slug)?;
    let workspace = find_workspace(app, slug)?;
    let (slug, label) = (&workspace.workspace, &workspace.meta.label);
    let [file] = files else {
        let message = "Send one picture.";
        return Err(Error::upload_failed(FieldProblems::from_problem(FIELD, message)));
    };
    let png = make_small_png(
        &app.thumbnails.budget,
        &app.engine.folder().read_picture(file)?,
        SIDE_MAX,
        FIELD,
    )?;
    app.engine.commit_system(|staging: &mut SystemStaging<'_>| {
        let permit = check_may_manage(by, slug)?;
        staging.write(&permit).put(&Key::Icon(slug.clone()), png.clone());
        emit_event(staging, &permit, EventKind::WorkspaceUpdated, slug, label);
        Ok::<_, Error>(())
    })?;
    load_view(app, slug)
}

/// Removes the picture of a workspace. Succeeds if there is none.
pub fn remove(app: &App, by: &Requester, slug: &str) -> Result<WorkspaceView> {
    check_may_manage(by, slug)?;
    let workspace = find_workspace(app, slug)?;
    let (slug, label) = (&workspace.workspace, &workspace.meta.label);
    app.engine.commit_system(|staging: &mut SystemStaging<'_>| {
        let permit = check_may_manage(by, slug)?;
        let key = Key::Icon(slug.clone());
        if staging.exists(&key) {
            staging.write(&permit).remove(&key);
            emit_event(staging, &permit, EventKind::WorkspaceUpdated, slug, label);
        }
        Ok::<_, Error>(())
    })?;
    load_view(app, slug)
}
