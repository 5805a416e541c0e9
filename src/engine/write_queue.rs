//! The queue of those who change a workspace. One at a time has the turn and does the work of all who
//! wait, so that they share what is slow: while one batch is synced, the next one gathers.

use std::collections::VecDeque;

use crate::stdx::sync::Condvar;
use crate::stdx::sync::Mutex;

/// The most pieces of work that share one turn.
const BATCH_MAX: usize = 256;

/// A line of waiting work.
pub(crate) struct WriteQueue<W> {
    state: Mutex<QueueState<W>>,
    moved: Condvar,
}

struct QueueState<W> {
    busy: bool,
    waiting: VecDeque<W>,
}

/// The turn; over when dropped, also by a panic.
struct QueueTurn<'a, W>(&'a WriteQueue<W>);

impl<W> WriteQueue<W> {
    pub(crate) fn new() -> WriteQueue<W> {
        let state = QueueState { busy: false, waiting: VecDeque::new() };
        WriteQueue { state: Mutex::new(state), moved: Condvar::new() }
    }

    /// Queues pieces of work and returns when `is_done` says that they were done: by this thread,
    /// with all that waits besides, or by another one.
    pub(crate) fn run_queued(
        &self,
        works: impl IntoIterator<Item = W>,
        is_done: impl Fn() -> bool,
        batch: impl Fn(VecDeque<W>),
    ) {
        let mut state = self.state.lock();
        state.waiting.extend(works);
        while !is_done() {
            if state.busy {
                state = self.moved.wait(state);
                continue;
            }
            let count = state.waiting.len().min(BATCH_MAX);
            let works = state.waiting.drain(..count).collect();
            state.busy = true;
            drop(state);
            let turn = QueueTurn(self);
            batch(works);
            drop(turn);
            state = self.state.lock();
        }
    }

    /// The number of pieces of work that wait.
    pub(crate) fn len(&self) -> usize {
        self.state.lock().waiting.len()
    }

    /// Does something while nobody else has the turn.
    pub(crate) fn run_exclusive<T>(&self, work: impl FnOnce() -> T) -> T {
        let mut state = self.state.lock();
        while state.busy {
            state = self.moved.wait(state);
        }
        state.busy = true;
        drop(state);
        let _turn = QueueTurn(self);
        work()
    }
}

impl<W> Drop for QueueTurn<'_, W> {
    fn drop(&mut self) {
        self.0.state.lock().busy = false;
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
        let line: WriteQueue<usize> = WriteQueue::new();
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
                        line.run_queued([work], || done[work].load(SeqCst), serve);
                        if number % 5 == 0 {
                            line.run_exclusive(|| serve(VecDeque::new()));
                        }
                    }
                });
            }
        });
        assert_eq!(served.load(SeqCst), 200);
    }

    #[test]
    fn a_panic_ends_the_turn() {
        let line: WriteQueue<()> = WriteQueue::new();
        let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            line.run_exclusive(|| panic!("on purpose"));
        }));
        assert!(panicked.is_err());
        assert_eq!(line.run_exclusive(|| 7), 7);
    }
}
