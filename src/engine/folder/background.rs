//! A queue of background work on files, which nobody waits for. A thread does it in order and ends
//! when none is left.

use std::collections::VecDeque;
use std::panic::AssertUnwindSafe;
use std::panic::catch_unwind;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crate::stdx::sync::Condvar;
use crate::stdx::sync::Mutex;

type BackgroundTask = Box<dyn FnOnce() + Send>;

/// A queue of them.
#[derive(Default)]
pub(crate) struct BackgroundQueue {
    state: Mutex<BackgroundState>,
    idle: Condvar,
}

#[derive(Default)]
struct BackgroundState {
    waiting: VecDeque<BackgroundTask>,
    is_running: bool,
}

impl BackgroundQueue {
    /// Does this after everything that was asked for before.
    pub(crate) fn enqueue(self: &Arc<Self>, errand: impl FnOnce() + Send + 'static) {
        let mut state = self.state.lock();
        state.waiting.push_back(Box::new(errand));
        if state.is_running {
            return;
        }
        state.is_running = true;
        drop(state);
        let errands = self.clone();
        let spawned =
            thread::Builder::new().name("errands".into()).spawn(move || errands.run_tasks());
        if let Err(error) = spawned {
            tracing::warn!(%error, "cannot start a thread; the work runs in the foreground");
            self.run_tasks();
        }
    }

    /// Returns true if something is left to do.
    pub(crate) fn is_busy(&self) -> bool {
        self.state.lock().is_running
    }

    /// Waits until nothing is left to do.
    pub(crate) fn wait_until_idle(&self) {
        let state = self.state.lock();
        drop(self.idle.wait_while(state, |it| it.is_running));
    }

    /// The same, but not for longer than this.
    pub(crate) fn wait_at_most(&self, limit: Duration) {
        let state = self.state.lock();
        drop(self.idle.wait_timeout_while(state, limit, |it| it.is_running));
    }

    fn run_tasks(&self) {
        while let Some(errand) = self.next_task() {
            // A panic costs this errand alone.
            if catch_unwind(AssertUnwindSafe(errand)).is_err() {
                tracing::error!("background work panicked");
            }
        }
    }

    fn next_task(&self) -> Option<BackgroundTask> {
        let mut state = self.state.lock();
        let next = state.waiting.pop_front();
        if next.is_none() {
            state.is_running = false;
            self.idle.notify_all();
        }
        next
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errands_are_done_in_order_whatever_becomes_of_one() {
        let errands = Arc::new(BackgroundQueue::default());
        let done = Arc::new(Mutex::new(Vec::new()));
        for number in 0..100 {
            let done = done.clone();
            errands.enqueue(move || {
                assert_ne!(number, 50);
                done.lock().push(number);
            });
        }
        errands.wait_until_idle();
        let expect: Vec<i32> = (0..100).filter(|it| *it != 50).collect();
        assert_eq!(*done.lock(), expect);
    }
}
