//! Pictures of workspaces: small PNGs beside their files, whatever was uploaded.

use bytes::Bytes;

use crate::app::App;
use crate::app::access::By;
use crate::app::access::Caller;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::pictures::small_png;
use crate::app::workspaces::WorkspaceView;
use crate::app::workspaces::change::tell;
use crate::app::workspaces::find;
use crate::app::workspaces::may_manage;
use crate::app::workspaces::may_see;
use crate::app::workspaces::shown;
use crate::engine::system::SystemStaging;
use crate::model::event::EventKind;
use crate::model::problem::FieldProblems;
use crate::store::layout::Key;
use crate::store::spool::Spooled;

/// The longest side of a picture in pixels.
const SIDE_MAX: u32 = 256;

/// The field of the form with the picture.
const FIELD: &str = "icon";

/// The picture of a workspace that the caller may see, as a PNG.
pub fn show(app: &App, caller: &Caller, slug: &str) -> Result<Bytes> {
    let workspace = find(app, slug)?;
    if !may_see(caller, &workspace.workspace) {
        return Err(Error::not_found("workspace", slug));
    }
    app.engine.icon(&workspace.workspace).ok_or_else(|| Error::not_found("picture of", slug))
}

/// Gives a workspace a picture.
pub fn set(app: &App, by: &By, slug: &str, files: &[Spooled]) -> Result<WorkspaceView> {
    may_manage(by, slug)?;
    let workspace = find(app, slug)?;
    let (slug, label) = (&workspace.workspace, &workspace.meta.label);
    let [file] = files else {
        let message = "One picture is needed.";
        return Err(Error::upload_failed(FieldProblems::one(FIELD, message)));
    };
    let png = small_png(app, &app.engine.read_picture(file)?, SIDE_MAX, FIELD)?;
    app.engine.commit_system(|staging: &mut SystemStaging<'_>| {
        let allowed = may_manage(by, slug)?;
        staging.place(&Key::Icon(slug.clone()), png.clone());
        tell(staging, &allowed, by, EventKind::WorkspaceUpdated, slug, label);
        Ok::<_, Error>(())
    })?;
    shown(app, slug)
}

/// Takes the picture of a workspace away. One without is fine.
pub fn remove(app: &App, by: &By, slug: &str) -> Result<WorkspaceView> {
    may_manage(by, slug)?;
    let workspace = find(app, slug)?;
    let (slug, label) = (&workspace.workspace, &workspace.meta.label);
    app.engine.commit_system(|staging: &mut SystemStaging<'_>| {
        let allowed = may_manage(by, slug)?;
        let key = Key::Icon(slug.clone());
        if staging.exists(&key) {
            staging.remove(&key);
            tell(staging, &allowed, by, EventKind::WorkspaceUpdated, slug, label);
        }
        Ok::<_, Error>(())
    })?;
    shown(app, slug)
}
