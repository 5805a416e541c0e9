//! Workspaces: which there are for whom.

use serde::Serialize;

use crate::app::App;
use crate::app::access::Caller;
use crate::model::grant::Action;
use crate::model::grant::Area;
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
        .map(|it| view(&it, &default))
        .collect()
}

/// Whether the caller may see a workspace, or has any grant that counts in it.
pub fn may_see(caller: &Caller, slug: &WorkspaceSlug) -> bool {
    let ws = slug.as_str();
    let one = Resource::One(Area::Workspaces, ws);
    caller.could(ws, Action::WorkspacesRead, &one)
        || [Action::ContentRead, Action::ContentCreate, Action::ContentUpdate]
            .iter()
            .any(|action| caller.could(ws, *action, &Resource::Collection("*")))
        || caller.could(ws, Action::MediaRead, &Resource::Media)
        || caller.could(ws, Action::SchemaRead, &Resource::Schemas)
}

fn view(snapshot: &Snapshot, default: &WorkspaceSlug) -> WorkspaceView {
    let meta = &snapshot.meta;
    WorkspaceView {
        slug: snapshot.workspace.clone(),
        label: meta.label.clone(),
        icon_url: None,
        archived: meta.archived,
        default: snapshot.workspace == *default,
        created_at: meta.created_at,
        updated_at: meta.updated_at,
    }
}
