//! The format of a workspace: one that this program does not know is left alone.

use crate::engine::apply::effects::Effects;
use crate::engine::apply::file_states::FileStates;
use crate::engine::parse::workspace_files;
use crate::model::name::WorkspaceSlug;
use crate::query::index::snapshot::Snapshot;
use crate::store::read::sweep::SweptFile;

/// The format of a workspace after a change of its files.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum FormatChange {
    /// This program knows it.
    Supported,
    /// The workspace is left alone, for this reason.
    Unsupported(String),
    /// The workspace was left alone until now: all of it has to be loaded anew.
    SupportedAgain,
}

impl FormatChange {
    /// Finds the format after these files changed.
    pub(super) fn find(
        known: Option<&Snapshot>,
        states: &FileStates,
        ws: &WorkspaceSlug,
        effects: &mut Effects<'_>,
    ) -> FormatChange {
        let before = known.and_then(|it| it.meta.unsupported.clone());
        let now = match states.meta.as_ref().map(|it| (&it.now, &it.path)) {
            Some((SweptFile::Read { content, .. }, path)) => {
                let problems = workspace_files::parse_workspace_meta(ws, path, content).problems;
                let reason = workspace_files::unsupported_reason(&problems);
                if before.is_some() || reason.is_some() {
                    effects.set_problems(path, problems);
                }
                reason
            }
            Some((SweptFile::Missing, _)) => None,
            Some((SweptFile::Seen(_) | SweptFile::Unreadable(_), _)) | None => before.clone(),
        };
        match (before, now) {
            (_, Some(reason)) => FormatChange::Unsupported(reason),
            (Some(_), None) => FormatChange::SupportedAgain,
            (None, None) => FormatChange::Supported,
        }
    }
}

/// Returns true if this program can read a workspace whose own file is in this state.
pub(crate) fn is_readable(ws: &WorkspaceSlug, states: &FileStates) -> bool {
    let format = FormatChange::find(None, states, ws, &mut Effects::default());
    format == FormatChange::Supported
}
