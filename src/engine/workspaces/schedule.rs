//! The entries that went public or ended by themselves and were not announced yet.

use std::sync::MutexGuard;

use crate::model::event::Event;
use crate::model::name::WorkspaceSlug;
use crate::stdx::sync::Condvar;
use crate::stdx::sync::Mutex;
use crate::stdx::time::Timestamp;

/// The scheduled changes that were not told yet, and what is written down of those that were.
pub(crate) struct Schedule {
    /// The moment the folder was loaded for. What happened by then shows in what was loaded, what
    /// came later is heard of.
    pub(crate) loaded_at: Timestamp,
    pub(crate) state: Mutex<ScheduleState>,
    pub(crate) changed: Condvar,
}

#[derive(Default)]
pub(crate) struct ScheduleState {
    pub(crate) live: Vec<(WorkspaceSlug, Event)>,
    /// Up to when another server told what happened, if one did.
    pub(crate) loaded_at: Option<Timestamp>,
    /// True once everything was told that happened while no server ran.
    pub(crate) has_caught_up: bool,
    /// The latest moment of which something was told, here or with a change.
    pub(crate) told: Option<Timestamp>,
    /// Up to when everything was told, as far as that is written down, and for which workspaces.
    pub(crate) marked: Option<(Timestamp, Vec<WorkspaceSlug>)>,
    /// Grows with everything that the thread has to look at.
    pub(crate) nudges: u64,
    pub(crate) closed: bool,
}

impl ScheduleState {
    /// Returns true if a server that started now would tell something again, or would not know of
    /// a workspace.
    pub(crate) fn is_unmarked(&self, workspaces: &[WorkspaceSlug]) -> bool {
        match &self.marked {
            Some((up_to, of)) => self.told > Some(*up_to) || of != workspaces,
            None => true,
        }
    }
}

impl Schedule {
    /// A schedule of what happens after `loaded_at`.
    pub(crate) fn new(loaded_at: Timestamp) -> Schedule {
        Schedule { loaded_at, state: Mutex::default(), changed: Condvar::new() }
    }

    /// Adds events that happened by themselves up to `now`.
    pub(crate) fn add_events(&self, ws: &WorkspaceSlug, events: Vec<Event>, now: Timestamp) {
        let mut state = self.lock();
        state.live.extend(events.into_iter().map(|it| (ws.clone(), it)));
        state.told = state.told.max(Some(now));
        self.wake(state);
    }

    /// Takes note that another snapshot is served. `moved` is true if something else is next;
    /// `passed` is the moment of what came in after it and was told with the change.
    pub(crate) fn snapshot_changed(&self, moved: bool, passed: Option<Timestamp>) {
        if !moved && passed.is_none() {
            return;
        }
        let mut state = self.lock();
        let is_news = passed > state.told.max(state.marked.as_ref().map(|(at, _)| *at));
        if is_news {
            state.told = passed;
        }
        if moved || is_news {
            self.wake(state);
        }
    }

    fn wake(&self, mut state: MutexGuard<'_, ScheduleState>) {
        state.nudges += 1;
        drop(state);
        self.changed.notify_all();
    }

    pub(crate) fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_all();
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, ScheduleState> {
        self.state.lock()
    }
}
