//! Work on files that nobody waits for, done in the order in which it came up: on a thread that ends
//! when there is none left.

use std::collections::VecDeque;
use std::panic::AssertUnwindSafe;
use std::panic::catch_unwind;
use std::sync::Arc;
use std::sync::Condvar;
use std::sync::Mutex;
use std::sync::MutexGuard;
use std::sync::PoisonError;
use std::thread;

type Errand = Box<dyn FnOnce() + Send>;

/// A queue of them.
#[derive(Default)]
pub(super) struct Errands {
    state: Mutex<State>,
    idle: Condvar,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Errand>,
    is_running: bool,
}

impl Errands {
    /// Does this after everything that was asked for before.
    pub(super) fn add(self: &Arc<Self>, errand: impl FnOnce() + Send + 'static) {
        let mut state = self.lock();
        state.waiting.push_back(Box::new(errand));
        if state.is_running {
            return;
        }
        state.is_running = true;
        drop(state);
        let errands = self.clone();
        let spawned = thread::Builder::new().name("errands".into()).spawn(move || errands.run());
        if let Err(error) = spawned {
            tracing::warn!(%error, "no thread can be had: everybody waits for what nobody should");
            self.run();
        }
    }

    /// Whether something is left to do.
    pub(super) fn is_busy(&self) -> bool {
        self.lock().is_running
    }

    /// Waits until nothing is left to do.
    pub(super) fn finish(&self) {
        let state = self.lock();
        drop(self.idle.wait_while(state, |it| it.is_running));
    }

    fn run(&self) {
        while let Some(errand) = self.next() {
            // A panic costs this errand alone.
            if catch_unwind(AssertUnwindSafe(errand)).is_err() {
                tracing::error!("work that nobody waits for panicked");
            }
        }
    }

    fn next(&self) -> Option<Errand> {
        let mut state = self.lock();
        let next = state.waiting.pop_front();
        if next.is_none() {
            state.is_running = false;
            self.idle.notify_all();
        }
        next
    }

    // The state is whole after every step, so poison means nothing.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errands_are_done_in_order_whatever_becomes_of_one() {
        let errands = Arc::new(Errands::default());
        let done = Arc::new(Mutex::new(Vec::new()));
        for number in 0..100 {
            let done = done.clone();
            errands.add(move || {
                assert_ne!(number, 50);
                done.lock().unwrap().push(number);
            });
        }
        errands.finish();
        let expect: Vec<i32> = (0..100).filter(|it| *it != 50).collect();
        assert_eq!(*done.lock().unwrap(), expect);
    }
}
