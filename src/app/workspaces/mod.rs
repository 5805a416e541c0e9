//! Workspaces: which there are for whom, and in the modules below how they are changed.

pub mod change;
pub mod icon;

use std::sync::Arc;

use serde::Serialize;

use crate::app::App;
use crate::app::access::Allowed;
use crate::app::access::By;
use crate::app::access::Caller;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::media::split_base;
use crate::model::grant::Action;
use crate::model::grant::Area;
use crate::model::grant::Facts;
use crate::model::grant::Resource;
use crate::model::name::WorkspaceSlug;
use crate::query::snapshot::Snapshot;
use crate::stdx::time::Timestamp;

/// A workspace as the admin API shows it.
#[derive(Clone, Debug, Serialize)]
pub struct WorkspaceView {
    /// Its name in addresses; it never changes.
    pub slug: WorkspaceSlug,
    /// What people call it.
    pub label: String,
    /// Where its picture is, below the site's root.
    pub icon_url: Option<String>,
    /// Whether it is put away.
    pub archived: bool,
    /// Whether it is meant when none is named.
    pub default: bool,
    /// When it was made.
    pub created_at: Option<Timestamp>,
    /// When something about it was changed.
    pub updated_at: Option<Timestamp>,
}

/// The workspaces that the caller has anything to do with, by slug; archived ones when asked for.
pub fn list(app: &App, caller: &Caller, archived: bool) -> Vec<WorkspaceView> {
    let default = app.engine.default_workspace();
    let workspaces = app.engine.workspaces();
    workspaces
        .values()
        .map(|it| it.current())
        .filter(|it| (archived || !it.meta.archived) && may_see(caller, &it.workspace))
        .map(|it| view(app, &it, &default))
        .collect()
}

/// Whether the caller may see a workspace: that is granted by itself, and by any right on something
/// in it.
pub fn may_see(caller: &Caller, slug: &WorkspaceSlug) -> bool {
    let one = Resource::One(Area::Workspaces, slug.as_str());
    let of_all = [Action::WorkspacesRead, Action::WorkspacesManage];
    of_all.iter().any(|action| caller.could("", *action, &one))
        || caller.grants().is_some_and(|it| it.count_in(slug))
}

/// A workspace, archived or not.
fn find(app: &App, slug: &str) -> Result<Arc<Snapshot>> {
    let workspace = app.engine.workspace(slug);
    workspace.map(|it| it.current()).ok_or_else(|| Error::not_found("workspace", slug))
}

/// The right to change a workspace, be it there or not.
fn may_manage<'b>(by: &'b By, slug: &str) -> Result<Allowed<'b>> {
    let one = Resource::One(Area::Workspaces, slug);
    by.caller.may("", Action::WorkspacesManage, &one, &Facts::default())
}

/// A workspace as it is now.
fn shown(app: &App, slug: &WorkspaceSlug) -> Result<WorkspaceView> {
    Ok(view(app, &*find(app, slug)?, &app.engine.default_workspace()))
}

fn view(app: &App, snapshot: &Snapshot, default: &WorkspaceSlug) -> WorkspaceView {
    let (meta, slug) = (&snapshot.meta, &snapshot.workspace);
    let (_, below) = split_base(app.engine.base_url());
    let icon_url = |tag| format!("{below}/admin/api/workspaces/{slug}/icon?v={tag}");
    WorkspaceView {
        slug: slug.clone(),
        label: meta.label.clone(),
        icon_url: app.engine.icon_tag(slug).map(icon_url),
        archived: meta.archived,
        default: slug == default,
        created_at: meta.created_at,
        updated_at: meta.updated_at,
    }
}
