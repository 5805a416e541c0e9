//! Workspaces: listing them. The modules below change them.

pub mod change;
pub mod icon;

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;

use crate::app::App;
use crate::app::access::Caller;
use crate::app::access::Requester;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::media::split_base;
use crate::model::grant::Action;
use crate::model::grant::Area;
use crate::model::grant::Facts;
use crate::model::grant::Permit;
use crate::model::grant::Resource;
use crate::model::name::WorkspaceSlug;
use crate::query::index::snapshot::Snapshot;
use crate::stdx::time::Timestamp;

/// A workspace in the form of the admin API.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Workspace", description = "A workspace.")]
pub struct WorkspaceView {
    /// The name in addresses, which never changes.
    pub slug: WorkspaceSlug,
    /// The label.
    pub label: String,
    /// The address of its picture, relative to the root of the site.
    pub icon_url: Option<String>,
    /// True if it is archived.
    pub archived: bool,
    /// True if it is the workspace of requests that name none.
    pub default: bool,
    /// The time of creation.
    pub created_at: Option<Timestamp>,
    /// The time of the last change of the workspace itself.
    pub updated_at: Option<Timestamp>,
}

/// Lists the workspaces that the caller may see, by slug; archived ones only if `archived`.
pub fn list(app: &App, caller: &Caller, archived: bool) -> Vec<WorkspaceView> {
    let default = app.engine.registry().default_workspace();
    let workspaces = app.engine.workspaces();
    workspaces
        .values()
        .map(|it| it.current_snapshot())
        .filter(|it| (archived || !it.meta.archived) && may_see(caller, &it.workspace))
        .map(|it| build_view(app, &it, &default))
        .collect()
}

/// Returns true if the caller may see a workspace: by a grant on it, or by any grant on something
/// in it.
pub fn may_see(caller: &Caller, slug: &WorkspaceSlug) -> bool {
    let one = Resource::One(Area::Workspaces, slug.as_str());
    let of_all = [Action::WorkspacesRead, Action::WorkspacesManage];
    of_all.iter().any(|action| caller.has_any_grant("", *action, &one))
        || caller.grants().is_some_and(|it| it.could_match_workspace(slug))
}

/// Returns a workspace, archived or not.
fn find_workspace(app: &App, slug: &str) -> Result<Arc<Snapshot>> {
    let workspace = app.engine.workspace(slug);
    workspace.map(|it| it.current_snapshot()).ok_or_else(|| Error::not_found("workspace", slug))
}

/// Checks the permission to change a workspace, which need not exist.
fn check_may_manage(by: &Requester, slug: &str) -> Result<Permit> {
    let one = Resource::One(Area::Workspaces, slug);
    by.check_permission("", Action::WorkspacesManage, &one, &Facts::default())
}

/// Returns the current state of a workspace.
fn load_view(app: &App, slug: &WorkspaceSlug) -> Result<WorkspaceView> {
    Ok(build_view(app, &*find_workspace(app, slug)?, &app.engine.registry().default_workspace()))
}

fn build_view(app: &App, snapshot: &Snapshot, default: &WorkspaceSlug) -> WorkspaceView {
    let (meta, slug) = (&snapshot.meta, &snapshot.workspace);
    let (_, below) = split_base(app.engine.base_url());
    let icon_url = |tag| format!("{below}/admin/api/workspaces/{slug}/icon?v={tag}");
    WorkspaceView {
        slug: slug.clone(),
        label: meta.label.clone(),
        icon_url: app.engine.folder().icon_tag(slug).map(icon_url),
        archived: meta.archived,
        default: slug == default,
        created_at: meta.created_at,
        updated_at: meta.updated_at,
    }
}
