//! The check of all values of a workspace, kept until something changes there.

use std::sync::Arc;

use crate::app::error::Error;
use crate::app::error::Result;
use crate::engine::Engine;
use crate::model::name::WorkspaceSlug;
use crate::model::problem::Problem;
use crate::query::index::snapshot::Snapshot;
use crate::stdx::sync::Mutex;

/// The result of a check of all values of a workspace, valid until something changes there.
#[derive(Default)]
pub struct DeepChecks(Mutex<Option<CheckedWorkspace>>);

struct CheckedWorkspace {
    workspace: WorkspaceSlug,
    version: u64,
    problems: Arc<Vec<Problem>>,
}

impl DeepChecks {
    /// One look at a time: it reads every file.
    pub(super) fn find_problems(
        &self,
        engine: &Engine,
        snapshot: &Snapshot,
    ) -> Result<Arc<Vec<Problem>>> {
        let Some(mut last) = self.0.try_lock() else {
            return Err(Error::rate_limited("Another deep check is already running.", 5));
        };
        let same = |it: &&CheckedWorkspace| {
            it.workspace == snapshot.workspace && it.version == snapshot.version
        };
        if let Some(checked) = last.as_ref().filter(same) {
            return Ok(checked.problems.clone());
        }
        let problems = Arc::new(engine.check_values(snapshot));
        let (workspace, version) = (snapshot.workspace.clone(), snapshot.version);
        *last = Some(CheckedWorkspace { workspace, version, problems: problems.clone() });
        Ok(problems)
    }

    /// The problems that the last check found, if it was one of this workspace and none runs now.
    pub(super) fn get_last_problems(&self, workspace: &WorkspaceSlug) -> Option<Arc<Vec<Problem>>> {
        let last = self.0.try_lock()?;
        last.as_ref().filter(|it| it.workspace == *workspace).map(|it| it.problems.clone())
    }
}
