//! One workspace: its current snapshot for readers, and how the next one is made.

use std::sync::Arc;
use std::sync::Mutex;

use arc_swap::ArcSwap;

use crate::model::name::WorkspaceSlug;
use crate::query::doc::Doc;
use crate::query::snapshot::Snapshot;
use crate::query::type_index::Change;
use crate::stdx::time::Timestamp;

/// A workspace while the server runs.
pub struct Workspace {
    /// Its name.
    pub slug: WorkspaceSlug,
    current: ArcSwap<Snapshot>,
    /// Held by whoever makes the next snapshot.
    writer: Mutex<()>,
}

impl Workspace {
    pub(crate) fn new(snapshot: Snapshot) -> Workspace {
        Workspace {
            slug: snapshot.workspace.clone(),
            current: ArcSwap::from_pointee(snapshot),
            writer: Mutex::new(()),
        }
    }

    /// The snapshot as it was last published.
    pub fn current(&self) -> Arc<Snapshot> {
        self.current.load_full()
    }

    /// Publishes what `next` makes of the current snapshot, if anything. One at a time.
    pub(crate) fn publish(&self, next: impl FnOnce(&Snapshot) -> Option<Snapshot>) {
        // The lock guards no data, so poison means nothing.
        let _writer = self.writer.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let current = self.current.load_full();
        if let Some(next) = next(&current) {
            self.current.store(Arc::new(next));
        }
    }

    /// Publishes a snapshot in which everything is public whose time has come. `reread` gives the
    /// entry anew where its status changes with that.
    pub(crate) fn go_live(
        &self,
        now: Timestamp,
        version: u64,
        reread: impl Fn(&Snapshot, &Doc) -> Option<Change>,
    ) {
        self.publish(|snapshot| {
            if snapshot.next_due().is_none_or(|it| it > now) {
                return None;
            }
            let due =
                snapshot.types().iter().filter(|it| it.next_due().is_some_and(|it| it <= now));
            let changed = due.map(|index| {
                let turning = index.due_by(now).filter(|it| it.turns_published);
                let turned: Vec<Change> = turning.filter_map(|doc| reread(snapshot, doc)).collect();
                let live = index.live_at(now);
                if turned.is_empty() { live } else { live.with(&turned, now) }
            });
            Some(snapshot.with_types(changed.collect(), version))
        });
    }
}
