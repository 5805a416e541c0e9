//! Sets of files for a workspace that is served: they are published like every other change, with
//! one swap, and in the name of whoever asked for them.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::engine::error::CommitError;
use crate::engine::file_set::FileSet;
use crate::engine::file_set::FileSetError;
use crate::engine::file_set::StagedSet;
use crate::engine::workspaces::workspace::Workspace;
use crate::engine::writer::Writer;
use crate::model::grant::Permit;
use crate::model::name::TypeName;
use crate::query::index::snapshot::Snapshot;
use crate::store::layout::FilePath;
use crate::store::layout::Key;
use crate::store::source::ContentSource;
use crate::store::write::journal;

/// The basis of a set, and the right to write it.
pub struct ServedSet<'a> {
    /// The files, all of one workspace.
    pub files: &'a FileSet,
    /// The snapshot from before the files were planned.
    pub base: &'a Arc<Snapshot>,
    /// The source of the files that are copied.
    pub source: &'a dyn ContentSource,
    /// The permit of the change.
    pub permit: &'a Permit,
}

impl Writer {
    /// Writes a set, and publishes it. It is stale if an entry of the types that it touches has
    /// changed since it was planned.
    pub fn commit_file_set(&self, set: &ServedSet<'_>) -> Result<(), FileSetError> {
        self.records.check_writable().map_err(CommitError::from)?;
        let slug = &set.base.workspace;
        let workspace = self.workspaces.workspace(slug.as_str()).ok_or(CommitError::NoWorkspace)?;
        if set.files.files.iter().any(|it| it.key.workspace() != Some(slug)) {
            return Err(CommitError::NoWorkspace.into());
        }
        let name = self.folder.new_id();
        let staged = set.files.stage(&*self.folder.disk, name.as_str(), set.source)?;
        workspace.line.run_exclusive(|| self.place_file_set(&workspace, staged, set))
    }

    /// Puts a set to its place. For whoever has the turn of the workspace.
    fn place_file_set(
        &self,
        workspace: &Workspace,
        staged: StagedSet<'_>,
        set: &ServedSet<'_>,
    ) -> Result<(), FileSetError> {
        let disk = &*self.folder.disk;
        let lock = self.folder.write_lock.as_ref().ok_or(CommitError::ReadOnly)?;
        let mut turn = lock.acquire_turn()?;
        self.follower.adopt_foreign_writes(workspace, &mut turn);
        let writable = self.follower.check_workspace_writable(workspace, disk);
        writable.map_err(CommitError::from)?;
        if let Some(reason) = self.folder.write_suspension() {
            return Err(CommitError::Unverified(reason).into());
        }
        if !is_current(set, &workspace.current_snapshot()) || !set.files.fits(disk)? {
            return Err(FileSetError::Stale);
        }
        let placed = staged.place_files(set.files);
        // In doubt of the disk others ask for the lock.
        drop(turn);
        match placed {
            Ok(()) => {
                self.publish_file_set(workspace, set);
                Ok(())
            }
            Err(FileSetError::Store(error)) if journal::is_under_way(disk).unwrap_or(true) => {
                Err(self.folder.suspend_writes(&error).into())
            }
            Err(error) => Err(error),
        }
    }

    fn publish_file_set(&self, workspace: &Workspace, set: &ServedSet<'_>) {
        let mut changes = Vec::with_capacity(set.files.files.len());
        for file in &set.files.files {
            let path = FilePath::from(file.key.clone());
            if matches!(file.key, Key::Revision(..)) {
                self.follower.mark_overfull(&path);
            }
            if file.key.is_watched() {
                changes.extend(self.folder.observe_once(path));
            }
        }
        self.follower.publish_changes(workspace, changes, set.permit);
    }
}

/// Returns true if the entries of the types that a set touches are the ones that it was planned on.
fn is_current(set: &ServedSet<'_>, now: &Snapshot) -> bool {
    let touched: BTreeSet<&TypeName> = set
        .files
        .files
        .iter()
        .filter_map(|it| match &it.key {
            Key::Schema(_, of)
            | Key::Entry(_, of, _)
            | Key::Trash(_, of, _)
            | Key::Revision(_, of, _, _) => Some(of),
            _ => None,
        })
        .collect();
    touched.into_iter().all(|of| match (set.base.get(of.as_str()), now.get(of.as_str())) {
        (Some(before), Some(now)) => Arc::ptr_eq(before, now),
        (before, now) => before.is_none() && now.is_none(),
    })
}
