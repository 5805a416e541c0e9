//! Folders of content that could not be listed when the server started: what is in them is not
//! served until they can be. In a folder that cannot be listed later, what was read goes on being
//! served.

use std::collections::BTreeSet;

use crate::model::name::WorkspaceSlug;
use crate::model::problem::Problem;
use crate::model::problem::ProblemKind;
use crate::stdx::sync::Mutex;
use crate::store::layout::Folder;
use crate::store::layout::is_within;

/// The paths of folders of content that were never listed.
pub(crate) struct UnlistedContent(Mutex<BTreeSet<String>>);

impl UnlistedContent {
    /// Begins with the problems of the start.
    pub(crate) fn new(problems: &[Problem]) -> UnlistedContent {
        UnlistedContent(Mutex::new(list_unlisted(problems)))
    }

    /// Returns true if content that is to be served was never listed.
    pub(crate) fn is_missed(&self, is_archived: impl Fn(&WorkspaceSlug) -> bool) -> bool {
        self.0.lock().iter().any(|path| match Folder::parse(path) {
            Some(
                Folder::Schemas(ws)
                | Folder::Contents(ws)
                | Folder::Entries(ws, _)
                | Folder::Media(ws)
                | Folder::MediaMeta(ws),
            ) => !is_archived(&ws),
            // Whether the workspace is archived is in this folder.
            _ => true,
        })
    }

    /// Forgets the folders that no longer have the problem. One below them may be the next that
    /// cannot be listed.
    pub(crate) fn forget_listed(&self, problems: &[Problem]) {
        let mut known = self.0.lock();
        let mut still = list_unlisted(problems);
        still.retain(|path| known.iter().any(|it| is_within(path, it)));
        *known = still;
    }
}

/// Returns the paths of the folders of content that have the problem of not being listed.
fn list_unlisted(problems: &[Problem]) -> BTreeSet<String> {
    let unreadable = problems.iter().filter(|it| it.kind == ProblemKind::Unreadable);
    let paths = unreadable.map(|it| it.path.as_str());
    let is_content = |path: &&str| Folder::parse(path).is_some_and(|it| holds_content(&it));
    paths.filter(is_content).map(str::to_string).collect()
}

fn holds_content(folder: &Folder) -> bool {
    use Folder::{Contents, Entries, Media, MediaMeta, Schemas, Workspace, Workspaces};
    matches!(folder, Workspaces | Workspace(_) | Schemas(_) | Contents(_) | Entries(..))
        || matches!(folder, Media(_) | MediaMeta(_))
}
