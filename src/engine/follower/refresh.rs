//! Looks at the folder and takes over what changed.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;
use std::time::Instant;

use crate::engine::apply::Applied;
use crate::engine::apply::file_states::FileStates;
use crate::engine::follower::Follower;
use crate::engine::follower::missing_files::MissingFiles;
use crate::engine::load::loader::Loader;
use crate::engine::workspaces::workspace::Workspace;
use crate::model::event::Event;
use crate::model::grant::Permit;
use crate::model::name::WorkspaceSlug;
use crate::stdx::checksum::Checksum;
use crate::store::layout::FilePath;
use crate::store::layout::Key;
use crate::store::read::body_pack::WithdrawnBody;
use crate::store::read::sweep::FileChange;
use crate::store::read::sweep::Reconciler;
use crate::store::read::sweep::SweptFile;
use crate::store::read::watch::DirtySet;

/// The consequences of a change of files that is published now.
pub(super) struct AppliedChange {
    /// The events, if somebody edited the files.
    pub(super) events: Vec<Event>,
    /// The bodies that were replaced.
    pub(super) replaced: Vec<(Key, WithdrawnBody)>,
    /// The files that came back, with their checksums.
    pub(super) returned: Vec<(Key, Checksum)>,
}

/// The pause before a workspace that could be read only in part is read again.
const HALF_LOADED_POLL: Duration = Duration::from_secs(1);

impl Follower {
    /// Looks at what is dirty and takes over what changed. Returns the time to look again at what
    /// is not believed yet.
    pub fn refresh(&self, dirty: &DirtySet) -> Option<Instant> {
        let mut reconciler = self.reconciler();
        self.folder.flush_own_writes(&mut reconciler);
        self.folder.take_missed().iter().for_each(|folder| reconciler.mark_folder_missed(folder));
        let step = match self.scan_folder(&mut reconciler, dirty) {
            Ok(step) => step,
            Err(wake) => return wake,
        };
        let missing = step.missing.or_else(|| self.folder.missing_state_folder());
        self.folder.settle_outage(missing.is_some());
        self.folder.report_missing(missing);
        if !step.outage {
            let present: BTreeSet<WorkspaceSlug> =
                reconciler.stat_index().list_workspaces().into_iter().collect();
            let named = reconciler.list_problems();
            self.adopt_changes(step.changes, &present, &reconciler);
            // Without `system`, nothing is known of who is in it.
            if step.missing.is_none() {
                self.records.relist_people();
            }
            self.follow_hidden_meta(&named);
            self.unlisted_content.forget_listed(&named);
            self.folder.problems.set_names(named, self.folder.clock.now());
            self.reload_half_loaded();
            self.workspaces.report_missing_default();
        }
        self.folder.write_planned_packs();
        // What could only be read in part is read again soon.
        let half_loaded = !self.half_loaded_workspaces().is_empty();
        let again = half_loaded.then(|| Instant::now() + HALF_LOADED_POLL);
        step.wake.into_iter().chain(again).min()
    }

    /// Puts what others have committed into the replica, and does not serve it yet, for tests.
    #[cfg(any(test, feature = "simulate"))]
    pub fn fetch_committed(&self) {
        let fetched = self.folder.replica.as_ref().map(|it| it.catch_up());
        fetched.transpose().expect("the database of a test answers");
    }

    /// Waits until everything on the disk has been taken over, for tests.
    #[cfg(any(test, feature = "simulate"))]
    pub fn refresh_until_settled(&self) {
        if let Some(replica) = &self.folder.replica {
            replica.write_pending_files(&|| false).expect("the database of a test answers");
            replica.catch_up().expect("the database of a test answers");
            self.adopt_news(replica);
            self.folder.write_planned_packs();
            self.folder.errands.wait_until_idle();
            // Events of edits are commits of their own.
            replica.catch_up().expect("the database of a test answers");
            return self.adopt_news(replica);
        }
        let mut wake = self.refresh(&DirtySet::everything());
        while !self.reconciler().is_settled() || self.following.lock().git.is_busy() {
            if let Some(until) = wake {
                std::thread::sleep(until.saturating_duration_since(Instant::now()));
            }
            wake = self.refresh(&DirtySet::nothing());
        }
        self.folder.errands.wait_until_idle();
    }

    fn adopt_changes(
        &self,
        changes: Vec<FileChange>,
        present: &BTreeSet<WorkspaceSlug>,
        reconciler: &Reconciler,
    ) {
        let mut by_workspace: BTreeMap<WorkspaceSlug, Vec<FileChange>> = BTreeMap::new();
        let mut of_system = Vec::new();
        for change in changes {
            self.folder.record_problem(&change);
            match change.key.workspace() {
                Some(ws) => by_workspace.entry(ws.clone()).or_default().push(change),
                None => of_system.push(change),
            }
        }
        self.records.adopt_system_changes(of_system);
        self.sync_workspaces(present, &mut by_workspace);
        for (ws, changes) in by_workspace {
            if let Some(workspace) = self.workspaces.workspace(ws.as_str()) {
                let missing = MissingFiles::new(reconciler, &ws, &changes);
                let take_over = || self.adopt_workspace_changes(&workspace, changes, &missing);
                workspace.line.run_exclusive(take_over);
            }
        }
    }

    /// Adopts what others did to the files of a workspace. For whoever has its turn.
    pub(crate) fn adopt_workspace_changes(
        &self,
        workspace: &Workspace,
        changes: Vec<FileChange>,
        missing: &MissingFiles,
    ) {
        let changes = self.folder.confirm_changes(changes);
        let deleted = changes.iter().filter(|it| matches!(it.now, SweptFile::Missing));
        let deleted: Vec<String> = deleted.map(|it| it.path.clone()).collect();
        let applied = self.publish_applied(workspace, changes, missing);
        self.outbox.emit(&workspace.slug, applied.events);
        self.save_replaced_bodies(applied.replaced);
        self.save_returned_bodies(applied.returned);
        self.folder.withdraw_bodies(deleted);
    }

    /// Publishes what a permitted change did to many files of a workspace, with events in the name
    /// of whoever asked for it. For whoever has its turn.
    pub(crate) fn publish_changes(
        &self,
        workspace: &Workspace,
        changes: Vec<FileChange>,
        permit: &Permit,
    ) {
        // What was replaced became revisions with the change.
        let AppliedChange { events, returned, .. } =
            self.publish_applied(workspace, changes, &MissingFiles::default());
        let events = events.into_iter().map(|it| permit.attribute_event(it.kind, it.subject));
        self.outbox.emit(&workspace.slug, events.collect());
        self.save_returned_bodies(returned);
    }

    /// Applies changes of files to a workspace and publishes the result. For whoever has its turn.
    pub(super) fn publish_applied(
        &self,
        workspace: &Workspace,
        changes: Vec<FileChange>,
        missing: &MissingFiles,
    ) -> AppliedChange {
        let current = workspace.current_snapshot();
        let mut states = FileStates::from_changes(changes);
        self.observe_media(&current, &mut states, missing);
        let Applied { snapshot, effects, needs_reload } =
            self.apply_states(&current, &states, missing);
        let events = effects.list_events(self.folder.clock.now());
        let returned = effects.list_returned().map(|(key, sum)| (key.clone(), sum)).collect();
        let replaced = self.perform_effects(&workspace.slug, effects);
        if needs_reload {
            self.request_reload(&workspace.slug);
        }
        if let Some(next) = snapshot {
            self.workspaces.publish(workspace, Arc::new(next));
        }
        AppliedChange { events, replaced, returned }
    }

    /// Workspaces come and go with their folders; `default` is always there.
    pub(crate) fn sync_workspaces(
        &self,
        present: &BTreeSet<WorkspaceSlug>,
        changes: &mut BTreeMap<WorkspaceSlug, Vec<FileChange>>,
    ) {
        let known = self.workspaces.workspaces();
        for (slug, workspace) in known.iter() {
            // `default` may be made anew once it is believed gone.
            workspace.has_folder.store(present.contains(slug), Relaxed);
        }
        let gone = |ws: &WorkspaceSlug| !present.contains(ws) && ws.as_str() != "default";
        let added: Vec<&WorkspaceSlug> =
            present.iter().filter(|it| !known.contains_key(*it)).collect();
        if added.is_empty() && !known.keys().any(gone) {
            return;
        }
        let mut next = known.as_ref().clone();
        next.retain(|ws, _| !gone(ws));
        for ws in added {
            let version = self.workspaces.next_version();
            match Loader::of_folder(&self.folder).load_workspace(ws, version) {
                Ok(loaded) => {
                    next.insert(ws.clone(), Arc::new(Workspace::new(loaded.snapshot)));
                    self.folder.problems.set_files(loaded.problems, self.folder.clock.now());
                    loaded.missed.into_iter().for_each(|it| self.folder.mark_missed(it));
                    if !loaded.is_whole {
                        self.half_loaded_workspaces().insert(ws.clone());
                    }
                    // All of it has just been read.
                    changes.remove(ws);
                }
                Err(error) => {
                    tracing::error!(%error, workspace = %ws, "a workspace cannot be read")
                }
            }
        }
        self.workspaces.replace_all(next);
    }

    /// Takes files over as they are now: somebody edited them, and that comes first. For whoever
    /// has the workspace's turn.
    pub(crate) fn adopt_files(&self, workspace: &Workspace, paths: Vec<FilePath>) {
        let changes = self.folder.observe_files(paths);
        if !changes.is_empty() {
            self.adopt_workspace_changes(workspace, changes, &Default::default());
        }
    }
}
