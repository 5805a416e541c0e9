//! Whole workspaces, loaded again: after a restore, and when they could be read only in part.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::MutexGuard;

use crate::engine::error::WriteRefusal;
use crate::engine::folder::own_write::OwnWrite;
use crate::engine::follower::Follower;
use crate::engine::load::loader::Loader;
use crate::engine::load::media_loader::list_hidden_meta;
use crate::engine::workspaces::workspace::Workspace;
use crate::model::name::WorkspaceSlug;
use crate::model::problem::Problem;
use crate::model::problem::ProblemKind;
use crate::store::archive::survey::SurveyedFile;
use crate::store::disk::Disk;
use crate::store::layout::FilePath;
use crate::store::layout::Key;

impl Follower {
    /// Serves a workspace as it is in the folder now. For whoever has its turn.
    pub(crate) fn reload_workspace(&self, workspace: &Workspace, touched: &[SurveyedFile]) {
        let now = self.folder.clock.now();
        let mine = || touched.iter().filter(|it| it.key.workspace() == Some(&workspace.slug));
        mine().for_each(|it| self.folder.problems.set_file(&it.path, Vec::new(), now));
        self.folder.record_removals(mine());
        match Loader::of_folder(&self.folder)
            .load_workspace(&workspace.slug, self.workspaces.next_version())
        {
            Ok(loaded) => {
                if !loaded.is_whole {
                    // What is served goes on being served until all of it can be read.
                    self.half_loaded_workspaces().insert(workspace.slug.clone());
                    return;
                }
                let is_read = |path: &str| {
                    let key = Key::parse(path);
                    key.is_some_and(|it| it.workspace() == Some(&workspace.slug) && it.is_watched())
                };
                if loaded.snapshot.meta.unsupported.is_some() {
                    self.folder.problems.set_files(loaded.problems, now);
                } else {
                    self.folder.problems.set_matching(is_read, loaded.problems, now);
                }
                // Of a format that is not known nothing was read.
                match &loaded.snapshot.meta.unsupported {
                    Some(reason) => self.workspaces.publish_unsupported(workspace, reason),
                    None => {
                        self.workspaces.publish(workspace, Arc::new(loaded.snapshot));
                        let read = OwnWrite::Loaded(workspace.slug.clone(), loaded.known);
                        self.folder.own_writes.lock().push(read);
                    }
                }
                loaded.missed.into_iter().for_each(|it| self.folder.mark_missed(it));
            }
            Err(error) => {
                tracing::error!(%error, workspace = %workspace.slug, "cannot be read");
                self.half_loaded_workspaces().insert(workspace.slug.clone());
            }
        }
    }

    /// Tries once more to serve workspaces of which not all could be listed when it had to be.
    pub(crate) fn reload_half_loaded(&self) {
        let slugs = std::mem::take(&mut *self.half_loaded_workspaces());
        for workspace in slugs.iter().filter_map(|it| self.workspaces.workspace(it.as_str())) {
            workspace.line.run_exclusive(|| self.reload_workspace(&workspace, &[]));
        }
    }

    /// Has workspaces loaded again whose folder of meta files became a link, or is a folder again
    /// that can be listed. In one that cannot be listed since, what was read last goes on counting.
    pub(crate) fn follow_hidden_meta(&self, problems: &[Problem]) {
        let hidden = list_hidden_meta(problems);
        let is_link = |it: &&Problem| it.kind == ProblemKind::NotAFile;
        let replaced = list_hidden_meta(problems.iter().filter(is_link));
        let mut known = self.hidden_meta.lock();
        let still = known.intersection(&hidden);
        let next: BTreeSet<WorkspaceSlug> = still.chain(&replaced).cloned().collect();
        self.half_loaded_workspaces().extend(known.symmetric_difference(&next).cloned());
        *known = next;
    }

    pub(crate) fn half_loaded_workspaces(&self) -> MutexGuard<'_, BTreeSet<WorkspaceSlug>> {
        self.half_loaded.lock()
    }

    /// Checks that a workspace may be changed now. For whoever has its turn.
    pub(crate) fn check_workspace_writable(
        &self,
        workspace: &Workspace,
        disk: &dyn Disk,
    ) -> Result<(), WriteRefusal> {
        self.workspaces.check_folder_present(workspace, disk)?;
        let is_left_alone = workspace.current_snapshot().meta.unsupported.is_some();
        match self.workspaces.read_format(workspace, disk) {
            // Nothing was read since.
            Some(true) if is_left_alone => {
                self.reload_workspace(workspace, &[]);
                self.folder.watcher.sweep_now();
            }
            Some(false) if !is_left_alone => {
                self.adopt_files(workspace, vec![Key::Workspace(workspace.slug.clone()).into()]);
            }
            _ => {}
        }
        match &workspace.current_snapshot().meta.unsupported {
            Some(reason) => Err(WriteRefusal::Unsupported(reason.clone())),
            None => Ok(()),
        }
    }

    /// Publishes files of workspaces that were changed together with those of the installation. Not
    /// for whoever has a turn: it waits for those of the workspaces.
    pub(crate) fn publish_workspaces(&self, paths: Vec<FilePath>) {
        for path in paths {
            let Some(slug) = path.key().workspace().cloned() else { continue };
            match self.workspaces.workspace(slug.as_str()) {
                Some(workspace) => workspace.line.run_exclusive(|| {
                    let found = self.folder.observe_once(path);
                    let changes = found.into_iter().collect();
                    self.adopt_workspace_changes(&workspace, changes, &Default::default());
                }),
                None => self.add_new_workspaces(),
            }
        }
        self.workspaces.report_missing_default();
    }

    /// Serves workspaces that were made here, before the folder is looked at again.
    fn add_new_workspaces(&self) {
        // Held to the end: a look at the folder that began before would drop them again.
        let mut reconciler = self.reconciler();
        self.folder.flush_own_writes(&mut reconciler);
        let present: BTreeSet<WorkspaceSlug> =
            reconciler.stat_index().list_workspaces().into_iter().collect();
        self.sync_workspaces(&present, &mut BTreeMap::new());
    }
}
