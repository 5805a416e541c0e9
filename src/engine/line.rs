//! The line of those who want to change a workspace. One at a time has the turn; whoever gets it
//! does the work of all who wait, so that they share what is slow: while one batch is synced, the
//! next one gathers.

use std::collections::VecDeque;
use std::sync::Condvar;
use std::sync::Mutex;
use std::sync::MutexGuard;
use std::sync::PoisonError;

/// How many pieces of work share one turn.
const BATCH_MAX: usize = 256;

/// A line of waiting work.
pub(crate) struct Line<W> {
    state: Mutex<State<W>>,
    moved: Condvar,
}

struct State<W> {
    busy: bool,
    waiting: VecDeque<W>,
}

/// The turn; over when dropped, also by a panic.
struct Turn<'a, W>(&'a Line<W>);

impl<W> Line<W> {
    pub(crate) fn new() -> Line<W> {
        let state = State { busy: false, waiting: VecDeque::new() };
        Line { state: Mutex::new(state), moved: Condvar::new() }
    }

    /// Queues pieces of work and returns when `is_done` says that they were done: by this thread,
    /// with all that waits besides, or by another one.
    pub(crate) fn join(
        &self,
        works: impl IntoIterator<Item = W>,
        is_done: impl Fn() -> bool,
        batch: impl Fn(VecDeque<W>),
    ) {
        let mut state = self.lock();
        state.waiting.extend(works);
        while !is_done() {
            if state.busy {
                state = self.moved.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            let count = state.waiting.len().min(BATCH_MAX);
            let works = state.waiting.drain(..count).collect();
            state.busy = true;
            drop(state);
            let turn = Turn(self);
            batch(works);
            drop(turn);
            state = self.lock();
        }
    }

    /// How many pieces of work wait.
    pub(crate) fn len(&self) -> usize {
        self.lock().waiting.len()
    }

    /// Does something while nobody else has the turn.
    pub(crate) fn alone<T>(&self, work: impl FnOnce() -> T) -> T {
        let mut state = self.lock();
        while state.busy {
            state = self.moved.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.busy = true;
        drop(state);
        let _turn = Turn(self);
        work()
    }

    // The state is whole after every step, so poison means nothing.
    fn lock(&self) -> MutexGuard<'_, State<W>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<W> Drop for Turn<'_, W> {
    fn drop(&mut self) {
        self.0.lock().busy = false;
        self.0.moved.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;
    use std::sync::atomic::AtomicUsize;
    use std::sync::atomic::Ordering::SeqCst;

    use super::*;

    #[test]
    fn everybody_is_served_once_and_never_two_at_a_time() {
        let line: Line<usize> = Line::new();
        let done: Vec<AtomicBool> = (0..200).map(|_| AtomicBool::new(false)).collect();
        let (inside, served) = (AtomicBool::new(false), AtomicUsize::new(0));
        let serve = |works: VecDeque<usize>| {
            assert!(!inside.swap(true, SeqCst), "two at a time");
            for work in works {
                assert!(!done[work].swap(true, SeqCst), "twice");
                served.fetch_add(1, SeqCst);
            }
            inside.store(false, SeqCst);
        };
        std::thread::scope(|scope| {
            for worker in 0..8 {
                let (line, done, serve) = (&line, &done, &serve);
                scope.spawn(move || {
                    for number in 0..25 {
                        let work = worker * 25 + number;
                        line.join([work], || done[work].load(SeqCst), serve);
                        if number % 5 == 0 {
                            line.alone(|| serve(VecDeque::new()));
                        }
                    }
                });
            }
        });
        assert_eq!(served.load(SeqCst), 200);
    }

    #[test]
    fn a_panic_ends_the_turn() {
        let line: Line<()> = Line::new();
        let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            line.alone(|| panic!("on purpose"));
        }));
        assert!(panicked.is_err());
        assert_eq!(line.alone(|| 7), 7);
    }
}
