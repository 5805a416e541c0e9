//! The engine: opens a data folder, serves it from memory, and changes it. It owns the parts that
//! do the work, and knows none of their details.
//!
//! A part uses only those above it in this list:
//!
//! - `apply` computes the next snapshot from the states of files.
//! - [`folder`] is the open data folder: disk, clock, locks, problems.
//! - [`records`] serves users, roles, tokens, settings and webhooks.
//! - [`outbox`] tells everybody what happened.
//! - [`staging`] puts a change together; [`workspaces`] holds the snapshots.
//! - [`overlays`] makes the snapshots that show a change as if it were live.
//! - [`follower`] watches the folder and takes over what others did to it.
//! - [`writer`] makes changes durable and public.
//! - [`file_set`] puts files from outside into the folder, all or none.
//! - [`backups`] packs and restores all of it.

pub(crate) mod apply;
pub mod backups;
pub mod error;
pub mod file_set;
pub mod file_size;
pub mod folder;
pub mod follower;
pub mod installation;
pub mod load;
pub mod outbox;
pub mod overlays;
pub(crate) mod parse;
pub mod records;
pub mod scheduler;
pub mod staging;
mod text_indexing;
pub mod workspaces;
pub(crate) mod write_queue;
pub mod writer;

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use arc_swap::Guard;

use crate::engine::backups::Backups;
use crate::engine::error::CommitError;
use crate::engine::folder::OpenFolder;
pub use crate::engine::folder::options::EngineOptions;
use crate::engine::folder::problems::ProblemRegistry;
use crate::engine::follower::Follower;
use crate::engine::installation::Installation;
pub use crate::engine::load::folder_check::check_folder;
use crate::engine::load::folder_check::check_values;
use crate::engine::load::loader::Loader;
use crate::engine::outbox::EventOutbox;
use crate::engine::outbox::activity::repair_log;
use crate::engine::overlays::Overlays;
use crate::engine::records::Records;
use crate::engine::scheduler::Scheduler;
use crate::engine::staging::Staging;
use crate::engine::staging::SystemStaging;
use crate::engine::workspaces::registry::WorkspaceRegistry;
pub use crate::engine::workspaces::registry::Workspaces;
use crate::engine::workspaces::workspace::Workspace;
use crate::engine::writer::Committed;
use crate::engine::writer::Writer;
use crate::model::name::WorkspaceSlug;
use crate::model::problem::Problem;
use crate::query::index::snapshot::Snapshot;
use crate::stdx::clock::Clock;
use crate::store::error::StoreError;

/// An open data folder that is served.
pub struct Engine {
    folder: Arc<OpenFolder>,
    records: Arc<Records>,
    outbox: Arc<EventOutbox>,
    workspaces: Arc<WorkspaceRegistry>,
    follower: Arc<Follower>,
    writer: Arc<Writer>,
    backups: Backups,
    scheduler: Arc<Scheduler>,
    overlays: Overlays,
}

impl Engine {
    /// Opens a data folder and loads all of it. Fails when another server has it open, or when it
    /// cannot be listed; defects of single files are in [`Engine::problems`].
    pub fn open(options: EngineOptions) -> Result<Arc<Engine>, StoreError> {
        let folder = Arc::new(OpenFolder::open(&options, &repair_log)?);
        let now = folder.clock.now();
        let loaded = Loader { now, ..Loader::of_folder(&folder) }.load_folder()?;
        folder.finish_loading()?;
        let records = Arc::new(Records::new(folder.clone(), loaded.installation, &options, now));
        let outbox = Arc::new(EventOutbox::new(folder.clone(), records.clone()));
        let workspaces = Arc::new(WorkspaceRegistry::new(
            folder.clone(),
            records.clone(),
            loaded.snapshots,
            now,
        ));
        for slug in loaded.known.list_workspaces() {
            if let Some(workspace) = workspaces.workspace(slug.as_str()) {
                workspace.has_folder.store(true, Relaxed);
            }
        }
        folder.problems.set_files(loaded.problems, now);
        folder.problems.set_names(loaded.known.list_problems(), now);
        let follower = Arc::new(Follower::new(
            folder.clone(),
            records.clone(),
            outbox.clone(),
            workspaces.clone(),
            loaded.known,
        ));
        workspaces.report_missing_default();
        workspaces.make_trash_folders();
        let writer = Arc::new(Writer {
            folder: folder.clone(),
            records: records.clone(),
            outbox: outbox.clone(),
            workspaces: workspaces.clone(),
            follower: follower.clone(),
        });
        let backups =
            Backups::new(folder.clone(), records.clone(), workspaces.clone(), follower.clone());
        let scheduler = Arc::new(Scheduler {
            folder: folder.clone(),
            records: records.clone(),
            outbox: outbox.clone(),
            workspaces: workspaces.clone(),
        });
        let overlays = Overlays::new(folder.clone(), workspaces.clone());
        Ok(Arc::new(Engine {
            folder,
            records,
            outbox,
            workspaces,
            follower,
            writer,
            backups,
            scheduler,
            overlays,
        }))
    }

    /// Stops following the folder.
    pub fn close(&self) {
        self.workspaces.schedule.close();
        self.folder.sums.close();
        self.folder.watcher.stop();
    }

    /// The data folder with its media files, uploads and other files that are not in memory.
    pub fn folder(&self) -> &Arc<OpenFolder> {
        &self.folder
    }

    /// The records of the installation.
    pub fn records(&self) -> &Records {
        &self.records
    }

    /// Events on their way out.
    pub fn outbox(&self) -> &EventOutbox {
        &self.outbox
    }

    /// The follower of the folder.
    pub fn follower(&self) -> &Arc<Follower> {
        &self.follower
    }

    /// The scheduler of what goes public and ends.
    pub fn scheduler(&self) -> &Arc<Scheduler> {
        &self.scheduler
    }

    /// The workspaces of the folder.
    pub fn registry(&self) -> &WorkspaceRegistry {
        &self.workspaces
    }

    /// The backups of the folder.
    pub fn backups(&self) -> &Backups {
        &self.backups
    }

    /// The snapshots that show changes as if they were live.
    pub fn overlays(&self) -> &Overlays {
        &self.overlays
    }

    /// The writer of changes.
    pub fn writer(&self) -> &Arc<Writer> {
        &self.writer
    }

    /// The workspace of this name, archived or not.
    pub fn workspace(&self, slug: &str) -> Option<Arc<Workspace>> {
        self.workspaces.workspace(slug)
    }

    /// All workspaces, archived ones too.
    pub fn workspaces(&self) -> Arc<Workspaces> {
        self.workspaces.workspaces()
    }

    /// The current snapshot of a workspace: everything whose time has come is public in it, and
    /// nothing that has ended.
    pub fn snapshot(&self, slug: &str) -> Option<Arc<Snapshot>> {
        self.workspaces.snapshot(slug)
    }

    /// The installation: what all workspaces share.
    pub fn installation(&self) -> Guard<Arc<Installation>> {
        self.records.installation()
    }

    /// The installation, kept for as long as it is needed.
    pub fn installation_arc(&self) -> Arc<Installation> {
        self.records.installation_arc()
    }

    /// The defects of the folder.
    pub fn problems(&self) -> &ProblemRegistry {
        &self.folder.problems
    }

    /// The clock of the server.
    pub fn clock(&self) -> &dyn Clock {
        &*self.folder.clock
    }

    /// The text that absolute URLs begin with.
    pub fn base_url(&self) -> &str {
        &self.folder.base_url
    }

    /// Returns true if nothing is ever written.
    pub fn is_read_only(&self) -> bool {
        self.folder.read_only
    }

    /// Checks the values and references of a workspace, for which every entry is read once more.
    pub fn check_values(&self, snapshot: &Snapshot) -> Vec<Problem> {
        check_values(&self.folder, snapshot)
    }

    /// Commits a change of a workspace: see [`Writer::commit`].
    pub fn commit<T, E, F>(&self, ws: &WorkspaceSlug, work: F) -> Result<Committed<T>, E>
    where
        F: FnMut(&mut Staging<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<CommitError> + Send + 'static,
    {
        self.writer.commit(ws, work)
    }

    /// Commits a change of what all workspaces share: see [`Writer::commit_system`].
    pub fn commit_system<T, E: From<CommitError>>(
        &self,
        work: impl FnMut(&mut SystemStaging<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        self.writer.commit_system(work)
    }
}
