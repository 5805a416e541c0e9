//! One workspace: its current snapshot for readers, and the queue of those who change it.

use std::sync::Arc;
use std::sync::MutexGuard;
use std::sync::atomic::AtomicBool;

use arc_swap::ArcSwap;

use crate::engine::staging::queued_work::QueuedWork;
use crate::engine::write_queue::WriteQueue;
use crate::model::name::WorkspaceSlug;
use crate::query::index::snapshot::Snapshot;
use crate::stdx::sync::Mutex;
use crate::store::disk::Stat;
use crate::store::layout::FilePath;

/// A workspace while the server runs.
pub struct Workspace {
    /// Its name.
    pub slug: WorkspaceSlug,
    current: ArcSwap<Snapshot>,
    /// The queue of those who change the files or take over changes of them. One has the turn, for
    /// as long as the disk takes.
    pub(crate) line: WriteQueue<Box<dyn QueuedWork>>,
    /// Files that other processes wrote and that were not read since.
    foreign: Mutex<Vec<FilePath>>,
    /// Files that somebody changed in the database of several servers.
    edited: Mutex<Vec<FilePath>>,
    /// True once its folder was seen.
    pub(crate) has_folder: AtomicBool,
    /// The stat of its own file when the format was looked at last.
    pub(crate) format_seen: Mutex<Option<Stat>>,
    /// Held while one snapshot takes the place of another, which is no time at all: readers may
    /// have to let entries go live.
    writer: Mutex<()>,
}

impl Workspace {
    pub(crate) fn new(snapshot: Snapshot) -> Workspace {
        Workspace {
            slug: snapshot.workspace.clone(),
            current: ArcSwap::from_pointee(snapshot),
            line: WriteQueue::new(),
            foreign: Mutex::default(),
            edited: Mutex::default(),
            has_folder: AtomicBool::new(false),
            format_seen: Mutex::default(),
            writer: Mutex::new(()),
        }
    }

    /// The snapshot as it was last published.
    pub fn current_snapshot(&self) -> Arc<Snapshot> {
        self.current.load_full()
    }

    /// Puts a snapshot in the place of the current one. For whoever holds the lock of
    /// [`Workspace::lock_publication`].
    pub(crate) fn store_snapshot(&self, next: Arc<Snapshot>) {
        self.current.store(next);
    }

    pub(crate) fn foreign_writes(&self) -> MutexGuard<'_, Vec<FilePath>> {
        self.foreign.lock()
    }

    pub(crate) fn edited_files(&self) -> MutexGuard<'_, Vec<FilePath>> {
        self.edited.lock()
    }

    pub(crate) fn lock_publication(&self) -> MutexGuard<'_, ()> {
        self.writer.lock()
    }
}
