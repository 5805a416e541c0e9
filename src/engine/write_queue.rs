//! The queue of those who change a workspace. One at a time has the turn and does the work of all
//! who wait, so that they share what is slow: while one batch is synced, the next one gathers.

use std::collections::VecDeque;
use std::sync::MutexGuard;
use std::thread;
use std::thread::Thread;

use crate::stdx::sync::Mutex;

/// The most pieces of work that share one turn.
const BATCH_MAX: usize = 256;

/// A line of waiting work.
pub(crate) struct WriteQueue<W> {
    state: Mutex<QueueState<W>>,
}

struct QueueState<W> {
    busy: bool,
    waiting: VecDeque<W>,
    /// The number of pieces of work that were ever taken into a batch, in the order of the queue.
    taken: u64,
    /// The threads that sleep until they are woken, in the order in which they came.
    sleepers: VecDeque<Sleeper>,
}

/// A thread that waits for its work to be done by another one, or for the turn.
struct Sleeper {
    thread: Thread,
    /// The value of [`QueueState::taken`] with which all of its work is in batches. `None` if it
    /// needs the turn itself.
    until: Option<u64>,
}

/// The turn; over when dropped, also by a panic.
struct QueueTurn<'a, W>(&'a WriteQueue<W>);

impl<W> WriteQueue<W> {
    pub(crate) fn new() -> WriteQueue<W> {
        let state = QueueState {
            busy: false,
            waiting: VecDeque::new(),
            taken: 0,
            sleepers: VecDeque::new(),
        };
        WriteQueue { state: Mutex::new(state) }
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
        let until = state.taken + state.waiting.len() as u64;
        while !is_done() {
            if state.busy {
                state = self.sleep(state, Some(until));
                continue;
            }
            let count = state.waiting.len().min(BATCH_MAX);
            let works = state.waiting.drain(..count).collect();
            state.taken += count as u64;
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
            state = self.sleep(state, None);
        }
        state.busy = true;
        drop(state);
        let _turn = QueueTurn(self);
        work()
    }

    /// Waits until the end of a turn concerns this thread. May return earlier.
    fn sleep<'q>(
        &'q self,
        mut state: MutexGuard<'q, QueueState<W>>,
        until: Option<u64>,
    ) -> MutexGuard<'q, QueueState<W>> {
        let thread = thread::current();
        let id = thread.id();
        state.sleepers.push_back(Sleeper { thread, until });
        drop(state);
        thread::park();
        let mut state = self.state.lock();
        // It is listed still if it woke by itself. Waking it again would wake nobody.
        state.sleepers.retain(|it| it.thread.id() != id);
        state
    }
}

impl<W> QueueState<W> {
    /// Returns the threads to wake after a turn: those whose work is done, and one more, which
    /// takes the next turn with the work of all others.
    fn take_sleepers_to_wake(&mut self) -> VecDeque<Sleeper> {
        let taken = self.taken;
        let is_done = |it: &Sleeper| it.until.is_some_and(|until| until <= taken);
        let (mut woken, rest): (VecDeque<Sleeper>, VecDeque<Sleeper>) =
            self.sleepers.drain(..).partition(is_done);
        self.sleepers = rest;
        woken.extend(self.sleepers.pop_front());
        woken
    }
}

impl<W> Drop for QueueTurn<'_, W> {
    fn drop(&mut self) {
        let mut state = self.0.state.lock();
        state.busy = false;
        let woken = state.take_sleepers_to_wake();
        drop(state);
        woken.iter().for_each(|it| it.thread.unpark());
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
