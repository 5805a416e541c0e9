//! Commits of other servers: they are in the replica, and are served without being anybody's edit.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::sync::MutexGuard;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;
use std::time::Instant;

use crate::engine::follower::Follower;
use crate::engine::workspaces::workspace::Workspace;
use crate::model::event_record;
use crate::model::name::WorkspaceSlug;
use crate::model::problem::Problem;
use crate::store::cluster::replica::Replica;
use crate::store::cluster::shared_paths;
use crate::store::disk::FileKind;
use crate::store::layout;
use crate::store::layout::FilePath;
use crate::store::layout::Folder;
use crate::store::layout::NameMeaning;
use crate::store::lock::WriteTurn;
use crate::store::read::sweep::FileChange;

/// The longest time between two looks at the log: a notification may be lost with a connection.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// A queue of files that a workspace takes over.
type FileQueue = fn(&Workspace) -> MutexGuard<'_, Vec<FilePath>>;

impl Follower {
    /// Takes over what others wrote to a workspace, before anything is judged. For whoever has its
    /// turn.
    pub(crate) fn adopt_foreign_writes(&self, workspace: &Workspace, turn: &mut WriteTurn<'_>) {
        self.route_foreign_writes(turn);
        if self.folder.replica.is_some() {
            return self.adopt_routed(workspace);
        }
        let mine = std::mem::take(&mut *workspace.foreign_writes());
        // Some are named often.
        let mine: BTreeSet<FilePath> = mine.into_iter().collect();
        self.adopt_files(workspace, mine.into_iter().collect());
    }

    /// Serves what is queued to a workspace. For whoever has its turn.
    fn adopt_routed(&self, workspace: &Workspace) {
        let mine = std::mem::take(&mut *workspace.foreign_writes());
        self.adopt_committed(workspace, mine);
        let edited = std::mem::take(&mut *workspace.edited_files());
        let changes = self.observe_replica_files(workspace, edited);
        if !changes.is_empty() {
            self.adopt_workspace_changes(workspace, changes, &Default::default());
        }
    }

    /// Queues what others wrote to the workspaces and the records that it is about.
    pub(crate) fn route_foreign_writes(&self, turn: &mut WriteTurn<'_>) {
        match &self.folder.replica {
            Some(replica) => self.route_news(replica),
            None => {
                let foreign = turn.find_foreign(&mut self.folder.foreign_position());
                self.workspaces.route_foreign_writes(foreign);
            }
        }
    }

    /// Serves what others commit, until the engine is closed.
    pub(crate) fn follow_replica(&self, replica: &Replica) {
        let mut led = Instant::now();
        while !self.folder.watcher.is_stopped() {
            if let Err(error) = replica.catch_up() {
                tracing::warn!(%error, "what other servers have written is not known");
                self.folder.watcher.wait_until_stopped(LOOK_EVERY);
            }
            if led.elapsed() >= LOOK_EVERY {
                led = Instant::now();
                replica.try_lead();
                replica.clean_up_when_due();
            }
            self.adopt_news(replica);
            self.folder.flush_own_writes(&mut self.reconciler());
            self.folder.write_planned_packs();
            self.finish_look();
            replica.wait_for_commits(LOOK_EVERY);
        }
    }

    /// Writes the files that were only read from the database so far, until all are on the disk or
    /// the engine is closed.
    pub(super) fn write_pending_files(&self, replica: &Replica) {
        if replica.count_pending_files() == 0 {
            return;
        }
        let is_stopped = || self.folder.watcher.is_stopped();
        while !is_stopped() {
            match replica.write_pending_files(&is_stopped) {
                Ok(()) if replica.count_pending_files() == 0 => {
                    self.folder.write_planned_packs();
                    return tracing::info!("all files are in the replica");
                }
                Ok(()) => {}
                Err(error) => {
                    tracing::warn!(%error, "files are missing in the replica");
                    self.folder.watcher.wait_until_stopped(LOOK_EVERY);
                }
            }
        }
    }

    /// Serves everything that is in the replica, and says so.
    pub(crate) fn adopt_news(&self, replica: &Replica) {
        let position = replica.position();
        if position <= replica.published_position() && !replica.has_news() {
            return self.reload_half_loaded();
        }
        self.route_news(replica);
        self.records.adopt_committed_files();
        self.sync_replica_workspaces();
        for workspace in self.workspaces.workspaces().values() {
            // Whoever has the turn may be about to serve what was queued here.
            workspace.line.run_exclusive(|| self.adopt_routed(workspace));
        }
        self.reload_half_loaded();
        self.tell_news();
        replica.set_published(position);
    }

    /// Tells everybody here what other servers have told so far.
    pub(crate) fn tell_news(&self) {
        let texts = std::mem::take(&mut *self.foreign_events.lock());
        for text in texts {
            match event_record::decode_news(&text) {
                Ok(news) => {
                    self.outbox.receive(news.events);
                    self.outbox.note_deliveries(news.deliveries);
                }
                Err(error) => tracing::error!(%error, "events of another server cannot be read"),
            }
        }
    }

    fn route_news(&self, replica: &Replica) {
        let news = replica.take_news();
        let (sessions, files): (Vec<String>, Vec<String>) =
            news.paths.into_iter().partition(|it| shared_paths::is_session(it));
        sessions.iter().for_each(|it| self.records.sessions().reload_session(it));
        let files = files.iter().filter_map(|it| FilePath::parse(it));
        files.for_each(|it| self.route_file(it, Workspace::foreign_writes));
        self.foreign_events.lock().extend(news.events);
        self.route_edits(news.edited);
    }

    /// Queues the files that somebody changed in the database itself. One server judges them like
    /// edits by hand, the others serve what comes of it.
    fn route_edits(&self, edited: BTreeSet<String>) {
        let queue = match self.folder.is_leader() {
            true => Workspace::edited_files,
            false => Workspace::foreign_writes,
        };
        for path in &edited {
            match FilePath::parse(path) {
                Some(file) => self.route_file(file, queue),
                None => self.report_name(path),
            }
        }
    }

    /// Adds a file to a queue of its workspace, or to that of the installation.
    fn route_file(&self, file: FilePath, queue: FileQueue) {
        let Some(slug) = file.key().workspace() else {
            return self.records.system_foreign_writes().push(file);
        };
        // A workspace that is not known yet is loaded as a whole.
        if let Some(workspace) = self.workspaces.workspace(slug.as_str()) {
            queue(&workspace).push(file);
        }
    }

    /// Says what is wrong with the name of a file.
    fn report_name(&self, path: &str) {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let meaning = Folder::parse(folder).map(|it| it.classify_file(name));
        let problem = match meaning {
            Some(NameMeaning::Misnamed(kind, message)) if self.folder.disk.stat(path).is_ok() => {
                Some(Problem::new(kind, path, message))
            }
            _ => None,
        };
        self.folder.problems.set_file(path, problem.into_iter().collect(), self.folder.clock.now());
    }

    /// Serves files of a workspace as they are in the replica.
    fn adopt_committed(&self, workspace: &Workspace, paths: Vec<FilePath>) {
        let changes = self.observe_replica_files(workspace, paths);
        if !changes.is_empty() {
            self.publish_applied(workspace, changes, &Default::default());
        }
    }

    /// Returns files of a workspace as they are in the replica, as far as they are served.
    fn observe_replica_files(
        &self,
        workspace: &Workspace,
        paths: Vec<FilePath>,
    ) -> Vec<FileChange> {
        let paths: BTreeSet<FilePath> =
            paths.into_iter().filter(|it| it.key().is_watched()).collect();
        let mut changes = Vec::with_capacity(paths.len());
        for path in paths {
            match self.folder.observe_once(path) {
                Some(change) => changes.push(change),
                None => self.request_reload(&workspace.slug),
            }
        }
        changes.iter().for_each(|it| self.folder.record_problem(it));
        changes
    }

    /// Serves the workspaces that are in the replica, and no others.
    fn sync_replica_workspaces(&self) {
        let Ok(listing) = self.folder.disk.list(layout::WORKSPACES) else { return };
        let is_present = |ws: &WorkspaceSlug| {
            let listing = self.folder.disk.list(&Folder::Workspace(ws.clone()).path());
            listing.is_ok_and(|it| !it.items.is_empty())
        };
        let folders = listing.items.iter().filter(|it| it.kind == FileKind::Folder);
        let present: BTreeSet<WorkspaceSlug> = folders
            .filter_map(|it| WorkspaceSlug::parse(&it.name).ok())
            .filter(is_present)
            .collect();
        self.sync_workspaces(&present, &mut BTreeMap::new());
        self.workspaces.report_missing_default();
        self.folder.outage.store(false, Relaxed);
    }
}
