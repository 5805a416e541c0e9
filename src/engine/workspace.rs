//! One workspace: its current snapshot for readers, and how the next one is made.

use std::sync::Arc;
use std::sync::Mutex;
use std::sync::MutexGuard;
use std::sync::PoisonError;
use std::sync::atomic::AtomicBool;

use arc_swap::ArcSwap;

use crate::engine::Engine;
use crate::engine::commit::Work;
use crate::engine::line::Line;
use crate::engine::schedule;
use crate::model::name::WorkspaceSlug;
use crate::query::doc::Doc;
use crate::query::snapshot::Snapshot;
use crate::query::type_index::Change;
use crate::query::type_index::TypeIndex;
use crate::store::disk::Stat;

/// A workspace while the server runs.
pub struct Workspace {
    /// Its name.
    pub slug: WorkspaceSlug,
    current: ArcSwap<Snapshot>,
    /// Whoever changes the files or takes over what changed in them has the turn, for as long as the
    /// disk takes.
    pub(super) line: Line<Box<dyn Work>>,
    /// Files that other processes wrote and that were not read since.
    foreign: Mutex<Vec<String>>,
    /// Whether its folder was there.
    pub(super) has_folder: AtomicBool,
    /// The stat of its own file when the format was looked at last.
    pub(super) format_seen: Mutex<Option<Stat>>,
    /// Held while one snapshot takes the place of another, which is no time at all: readers may have
    /// to let entries go live.
    writer: Mutex<()>,
}

impl Workspace {
    pub(crate) fn new(snapshot: Snapshot) -> Workspace {
        Workspace {
            slug: snapshot.workspace.clone(),
            current: ArcSwap::from_pointee(snapshot),
            line: Line::new(),
            foreign: Mutex::default(),
            has_folder: AtomicBool::new(false),
            format_seen: Mutex::default(),
            writer: Mutex::new(()),
        }
    }

    /// The snapshot as it was last published.
    pub fn current(&self) -> Arc<Snapshot> {
        self.current.load_full()
    }

    /// Publishes the next snapshot, made by whoever has the turn. Entries whose time came meanwhile
    /// are public in it as well. What was published is returned.
    pub(super) fn publish(&self, next: Arc<Snapshot>, engine: &Engine) -> Arc<Snapshot> {
        let _writer = self.writing();
        let next = live(&next, engine).map_or(next, Arc::new);
        let another = next.next_due() != self.current.load().next_due();
        self.current.store(next.clone());
        if another {
            engine.schedule.went_live(&self.slug, Vec::new());
        }
        next
    }

    /// Publishes a snapshot in which everything is public whose time has come.
    pub(super) fn go_live(&self, engine: &Engine) {
        let _writer = self.writing();
        if let Some(next) = live(&self.current.load_full(), engine) {
            self.current.store(Arc::new(next));
        }
    }

    // A list of names, whole at any time.
    pub(super) fn foreign(&self) -> MutexGuard<'_, Vec<String>> {
        self.foreign.lock().unwrap_or_else(PoisonError::into_inner)
    }

    // The lock guards no data, so poison means nothing.
    fn writing(&self) -> MutexGuard<'_, ()> {
        self.writer.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The snapshot in which everything is public whose time has come, when there is such a thing.
fn live(snapshot: &Snapshot, engine: &Engine) -> Option<Snapshot> {
    let now = engine.clock().now();
    if snapshot.next_due().is_none_or(|it| it > now) {
        return None;
    }
    let due = snapshot.types().iter().filter(|it| it.next_due().is_some_and(|it| it <= now));
    let mut events = Vec::new();
    let mut went_live = |index: &TypeIndex| {
        let ty = &index.content_type.name;
        events.extend(index.due_by(now).map(|doc| schedule::published(ty, doc)));
    };
    let changed = due.map(|index| {
        went_live(index);
        let turning = index.due_by(now).filter(|it| it.turns_published);
        let reread = |doc: &Arc<Doc>| engine.reread(snapshot, doc, now);
        let turned: Vec<Change> = turning.filter_map(reread).collect();
        let live = index.live_at(now);
        if turned.is_empty() { live } else { live.with(&turned, now) }
    });
    let next = snapshot.with_types(changed.collect(), engine.next_version());
    engine.schedule.went_live(&snapshot.workspace, events);
    Some(next)
}
