//! The follower: it watches the folder, sweeps it, and takes over what others did to the files.

pub(crate) mod apply_changes;
pub mod disk_space;
pub(crate) mod folder_files;
pub(crate) mod follow_state;
pub(crate) mod follow_thread;
pub(crate) mod media_refresh;
pub(crate) mod media_sketches;
pub(crate) mod media_tags;
pub(crate) mod missing_files;
pub(crate) mod own_writes;
pub(crate) mod ownership;
pub(crate) mod refresh;
pub(crate) mod reload;
pub(crate) mod replica_news;
pub(crate) mod revisions;
pub(crate) mod unlisted_content;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::MutexGuard;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

use crate::engine::folder::OpenFolder;
use crate::engine::follower::follow_state::FollowState;
use crate::engine::follower::unlisted_content::UnlistedContent;
use crate::engine::load::media_loader;
use crate::engine::outbox::EventOutbox;
use crate::engine::records::Records;
use crate::engine::workspaces::registry::WorkspaceRegistry;
use crate::model::name::WorkspaceSlug;
use crate::stdx::sync::Mutex;
use crate::store::layout::Folder;
use crate::store::read::stat_index::StatIndex;
use crate::store::read::sweep::Reconciler;

/// Follows what happens in the folder, and keeps the snapshots current.
pub struct Follower {
    pub(crate) folder: Arc<OpenFolder>,
    pub(crate) records: Arc<Records>,
    pub(crate) outbox: Arc<EventOutbox>,
    pub(crate) workspaces: Arc<WorkspaceRegistry>,
    reconciler: Mutex<Reconciler>,
    following: Mutex<FollowState>,
    /// Workspaces of which not all could be listed when it had to be.
    half_loaded: Mutex<BTreeSet<WorkspaceSlug>>,
    /// Workspaces that are served as if all media files were private, since their meta files are
    /// hidden.
    hidden_meta: Mutex<BTreeSet<WorkspaceSlug>>,
    unlisted_content: UnlistedContent,
    /// Folders of revisions that may hold too many.
    overfull: Mutex<BTreeSet<Folder>>,
    /// Events of other servers that were not told here yet, as JSON.
    foreign_events: Mutex<Vec<String>>,
    /// The time of the last sum of all files, and their bytes.
    summed: Mutex<Option<(Instant, u64)>>,
    /// True while the thread that follows the folder runs.
    watching: AtomicBool,
}

impl Follower {
    /// A follower of a folder whose files are `known` as they were loaded.
    pub(crate) fn new(
        folder: Arc<OpenFolder>,
        records: Arc<Records>,
        outbox: Arc<EventOutbox>,
        workspaces: Arc<WorkspaceRegistry>,
        known: StatIndex,
    ) -> Follower {
        let watcher = folder.watcher.clone();
        let problems = known.list_problems();
        let hidden_meta = media_loader::list_hidden_meta(&problems);
        let watch = Box::new(move |path: &str| watcher.watch_folder(path));
        Follower {
            following: FollowState::new(folder.root()),
            folder,
            records,
            outbox,
            workspaces,
            reconciler: Mutex::new(Reconciler::new(known, watch)),
            half_loaded: Mutex::default(),
            hidden_meta: Mutex::new(hidden_meta),
            unlisted_content: UnlistedContent::new(&problems),
            overfull: Mutex::default(),
            foreign_events: Mutex::default(),
            summed: Mutex::default(),
            watching: AtomicBool::new(false),
        }
    }

    /// Returns true if the folder is there and followed.
    pub fn is_following(&self) -> bool {
        self.watching.load(Relaxed) && !self.folder.is_outage()
    }

    /// Returns true if there is content that was never read, since its folder cannot be listed.
    pub fn misses_content(&self) -> bool {
        self.unlisted_content.is_missed(|ws| {
            let found = self.workspaces.workspace(ws.as_str());
            found.is_some_and(|it| it.current_snapshot().meta.archived)
        })
    }

    // A panic while the folder is looked at leaves at worst a look to be taken again.
    pub(crate) fn reconciler(&self) -> MutexGuard<'_, Reconciler> {
        self.reconciler.lock()
    }
}
