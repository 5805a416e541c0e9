//! The queue of those who change a workspace. One at a time has the turn and does the work of all
//! who wait, so that they share what is slow: while one batch is synced, the next one gathers.
//!
//! A thread that queues work waits until somebody has done it, or, with [`WriteQueue::submit`],
//! leaves it to the runner: one thread at a time, which runs the queue while such work waits.

use std::collections::VecDeque;
use std::panic::AssertUnwindSafe;
use std::panic::catch_unwind;
use std::sync::MutexGuard;
use std::thread;
use std::thread::Thread;
use std::thread::ThreadId;
use std::time::Duration;
use std::time::Instant;

use crate::stdx::processor::thread_cpu_time;
use crate::stdx::sync::Condvar;
use crate::stdx::sync::Mutex;

/// The most pieces of work that share one turn.
const BATCH_MAX: usize = 256;

/// The time for which the runner waits for those who wrote a moment ago and are about to write
/// again, as a share of the time of the last batch.
const GATHER_SHARE: u32 = 4;

/// The longest such wait.
const GATHER_MAX: Duration = Duration::from_millis(5);

/// A line of waiting work.
pub(crate) struct WriteQueue<W> {
    state: Mutex<QueueState<W>>,
    /// Notified when as many wait as the runner gathers.
    gathered: Condvar,
}

struct QueueState<W> {
    busy: bool,
    /// True while somebody has the duty to run the queue.
    has_runner: bool,
    waiting: VecDeque<W>,
    /// The pieces of work that were in the last batch of the runner or waited at its end.
    n_recent: usize,
    /// True if that batch computed for more than half of its time.
    was_computing: bool,
    /// The longest wait for the recent writers.
    gather_time: Duration,
    /// True while the runner waits for them.
    is_gathering: bool,
    /// The number of pieces of work that were ever taken into a batch, in the order of the queue.
    taken: u64,
    /// The threads that sleep until they are woken, in the order in which they came.
    sleepers: VecDeque<Sleeper>,
    /// The thread that was woken to take the next turn and has not come yet. The runner leaves it
    /// the turn.
    called: Option<ThreadId>,
}

/// A thread that waits for its work to be done by another one, or for the turn.
struct Sleeper {
    thread: Thread,
    /// The value of [`QueueState::taken`] with which all of its work is in batches. `None` if it
    /// needs the turn itself.
    until: Option<u64>,
}

/// The moment in which a batch began.
struct BatchStart {
    time: Instant,
    /// The time for which this thread has computed so far, if the system tells.
    computed: Option<Duration>,
}

impl BatchStart {
    fn now() -> BatchStart {
        BatchStart { time: Instant::now(), computed: thread_cpu_time() }
    }

    /// Returns true if this thread has computed for more than half of the time since then.
    fn was_computing(&self) -> bool {
        let computed =
            self.computed.zip(thread_cpu_time()).map(|(from, to)| to.saturating_sub(from));
        computed.is_some_and(|it| is_mostly(it, self.time.elapsed()))
    }
}

fn is_mostly(part: Duration, whole: Duration) -> bool {
    part > whole / 2
}

/// Returns how many of the recent writers a batch waits for. If the last batch mostly waited, it is
/// worth waiting for all of them, who then share the syncs. Otherwise half of them are enough:
/// while their changes are made, the others are answered and write again, on another processor.
/// Waiting for a processor counts as waiting.
fn count_awaited(n_recent: usize, was_computing: bool) -> usize {
    let n_awaited = if was_computing { n_recent.div_ceil(2) } else { n_recent };
    n_awaited.min(BATCH_MAX)
}

/// The turn; over when dropped, also by a panic.
struct QueueTurn<'a, W>(&'a WriteQueue<W>);

impl<W> WriteQueue<W> {
    pub(crate) fn new() -> WriteQueue<W> {
        let state = QueueState {
            busy: false,
            has_runner: false,
            waiting: VecDeque::new(),
            n_recent: 0,
            was_computing: false,
            gather_time: Duration::ZERO,
            is_gathering: false,
            taken: 0,
            sleepers: VecDeque::new(),
            called: None,
        };
        WriteQueue { state: Mutex::new(state), gathered: Condvar::new() }
    }

    /// Queues pieces of work and returns when `is_done` says that they were done: by this thread,
    /// with all that waits besides, or by another one.
    pub(crate) fn run_queued(
        &self,
        works: Vec<W>,
        is_done: &dyn Fn() -> bool,
        batch: &dyn Fn(VecDeque<W>),
    ) {
        let mut state = self.state.lock();
        state.waiting.extend(works);
        let until = state.taken + state.waiting.len() as u64;
        while !is_done() {
            if state.busy {
                state = self.sleep(state, Some(until));
                continue;
            }
            let works = state.take_batch();
            drop(state);
            let turn = QueueTurn(self);
            batch(works);
            drop(turn);
            state = self.state.lock();
        }
    }

    /// Queues a piece of work without waiting for it. Returns true if this makes the caller the
    /// runner, who calls [`WriteQueue::run_batch`] until it returns false.
    pub(crate) fn submit(&self, work: W) -> bool {
        let mut state = self.state.lock();
        state.waiting.push_back(work);
        if state.is_gathering && !state.misses_some() {
            state.is_gathering = false;
            self.gathered.notify_one();
        }
        !std::mem::replace(&mut state.has_runner, true)
    }

    /// Returns true if several pieces of work were under way a moment ago.
    pub(crate) fn had_company(&self) -> bool {
        self.state.lock().n_recent > 1
    }

    /// Does what waits now, for the runner. Returns false if nothing waits: then there is no runner
    /// any more.
    pub(crate) fn run_batch(&self, batch: impl FnOnce(VecDeque<W>)) -> bool {
        let mut state = self.gather(self.state.lock());
        while (state.busy || state.called.is_some()) && !state.waiting.is_empty() {
            state = self.sleep(state, None);
        }
        if !state.busy {
            let (works, began) = (state.take_batch(), BatchStart::now());
            let n_works = works.len();
            drop(state);
            let turn = QueueTurn(self);
            // A panic costs the work of this batch. Whoever waits behind it needs the runner still.
            let run = || {
                if n_works > 0 {
                    batch(works)
                }
            };
            let done = catch_unwind(AssertUnwindSafe(run));
            drop(turn);
            if done.is_err() {
                tracing::error!("a batch of changes panicked");
            }
            state = self.state.lock();
            state.n_recent = n_works + state.waiting.len();
            state.was_computing = began.was_computing();
            state.gather_time = (began.time.elapsed() / GATHER_SHARE).min(GATHER_MAX);
        }
        state.has_runner = !state.waiting.is_empty();
        state.has_runner
    }

    /// Waits briefly until enough of the recent writers wait again.
    fn gather<'q>(
        &'q self,
        mut state: MutexGuard<'q, QueueState<W>>,
    ) -> MutexGuard<'q, QueueState<W>> {
        state.is_gathering = !state.busy && state.misses_some();
        let at_most = state.gather_time;
        let mut state =
            self.gathered.wait_timeout_while(state, at_most, |it| it.is_gathering && !it.busy);
        state.is_gathering = false;
        state
    }

    /// Ends the duty of a runner who cannot go on.
    pub(crate) fn release_runner(&self) {
        self.state.lock().has_runner = false;
    }

    /// The number of pieces of work that wait.
    pub(crate) fn len(&self) -> usize {
        self.state.lock().waiting.len()
    }

    /// Does something while nobody else has the turn.
    pub(crate) fn run_exclusive<T>(&self, work: impl FnOnce() -> T) -> T {
        let _turn = self.take_turn();
        work()
    }

    /// Waits for the turn.
    fn take_turn(&self) -> QueueTurn<'_, W> {
        let mut state = self.state.lock();
        while state.busy {
            state = self.sleep(state, None);
        }
        state.busy = true;
        drop(state);
        QueueTurn(self)
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
        state.called.take_if(|it| *it == id);
        state
    }
}

impl<W> QueueState<W> {
    /// Returns true if too few wait for a batch.
    fn misses_some(&self) -> bool {
        self.waiting.len() < count_awaited(self.n_recent, self.was_computing)
    }

    /// Takes the turn, and the work of those who came first.
    fn take_batch(&mut self) -> VecDeque<W> {
        let count = self.waiting.len().min(BATCH_MAX);
        self.taken += count as u64;
        self.busy = true;
        self.waiting.drain(..count).collect()
    }

    /// Returns the threads to wake after a turn: those whose work is done, and one more, which
    /// takes the next turn with the work of all others.
    fn take_sleepers_to_wake(&mut self) -> VecDeque<Sleeper> {
        let taken = self.taken;
        let is_done = |it: &Sleeper| it.until.is_some_and(|until| until <= taken);
        let (mut woken, rest): (VecDeque<Sleeper>, VecDeque<Sleeper>) =
            self.sleepers.drain(..).partition(is_done);
        self.sleepers = rest;
        let next = self.sleepers.pop_front();
        self.called = next.as_ref().map(|it| it.thread.id());
        woken.extend(next);
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
                        line.run_queued(vec![work], &|| done[work].load(SeqCst), serve);
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
    fn one_runner_does_what_was_submitted_beside_those_who_wait() {
        let line: WriteQueue<usize> = WriteQueue::new();
        let done: Vec<AtomicBool> = (0..400).map(|_| AtomicBool::new(false)).collect();
        let served = AtomicUsize::new(0);
        let serve = |works: VecDeque<usize>| {
            for work in works {
                assert!(!done[work].swap(true, SeqCst), "twice");
                served.fetch_add(1, SeqCst);
            }
        };
        std::thread::scope(|scope| {
            for worker in 0..8 {
                let (line, done, serve) = (&line, &done, &serve);
                scope.spawn(move || {
                    for number in 0..50 {
                        let work = worker * 50 + number;
                        if number % 3 == 0 {
                            line.run_queued(vec![work], &|| done[work].load(SeqCst), serve);
                        } else if line.submit(work) {
                            while line.run_batch(serve) {}
                        }
                        if number % 7 == 0 {
                            line.run_exclusive(|| ());
                        }
                    }
                });
            }
        });
        assert_eq!(served.load(SeqCst), 400);
    }

    #[test]
    fn the_runner_leaves_the_turn_to_those_who_waited_before() {
        let line: WriteQueue<u32> = WriteQueue::new();
        let had_turn = AtomicBool::new(false);
        assert!(line.submit(1));
        std::thread::scope(|scope| {
            let more = line.run_batch(|_| {
                scope.spawn(|| line.run_exclusive(|| had_turn.store(true, SeqCst)));
                while line.state.lock().sleepers.is_empty() {
                    thread::yield_now();
                }
                line.submit(2);
            });
            assert!(more && !line.run_batch(|_| assert!(had_turn.load(SeqCst))));
        });
    }

    #[test]
    fn a_runner_that_gives_up_is_replaced() {
        let line: WriteQueue<u32> = WriteQueue::new();
        assert!(line.submit(1) && !line.submit(2));
        line.release_runner();
        assert!(line.submit(3));
        let done = Mutex::new(Vec::new());
        assert!(!line.run_batch(|works| done.lock().extend(works)));
        assert_eq!(*done.lock(), [1, 2, 3]);
        assert!(line.submit(4), "the first one is over");
    }

    #[test]
    fn half_of_the_writers_are_enough_for_a_batch_that_computes() {
        let sizes = [0, 1, 2, 3, 4, 16, 256, 257, 600];
        assert_eq!(sizes.map(|it| count_awaited(it, false)), [0, 1, 2, 3, 4, 16, 256, 256, 256]);
        assert_eq!(sizes.map(|it| count_awaited(it, true)), [0, 1, 1, 2, 2, 8, 128, 129, 256]);
        let ms = Duration::from_millis;
        assert!(is_mostly(ms(6), ms(10)) && !is_mostly(ms(5), ms(10)));
        let line: WriteQueue<u32> = WriteQueue::new();
        for (was_computing, n_waiting) in [(true, 2), (false, 4)] {
            let mut state = line.state.lock();
            (state.n_recent, state.was_computing) = (4, was_computing);
            state.waiting = (1..n_waiting).collect();
            assert!(state.misses_some());
            state.waiting.push_back(0);
            assert!(!state.misses_some());
        }
    }

    #[test]
    fn a_batch_that_sleeps_does_not_compute() {
        let line: WriteQueue<u32> = WriteQueue::new();
        line.state.lock().was_computing = true;
        assert!(line.submit(1));
        assert!(!line.run_batch(|_| thread::sleep(Duration::from_millis(50))));
        assert!(!line.state.lock().was_computing);
    }

    #[test]
    fn the_runner_waits_for_those_who_wrote_a_moment_ago() {
        let line: WriteQueue<u32> = WriteQueue::new();
        let sizes = Mutex::new(Vec::new());
        let run = || line.run_batch(|works| sizes.lock().push(works.len()));
        (0..3).for_each(|it| _ = line.submit(it));
        assert!(!line.had_company() && !run() && line.had_company());
        let set_gather_time = |time| {
            let mut state = line.state.lock();
            (state.gather_time, state.was_computing) = (time, false);
        };
        set_gather_time(Duration::from_secs(60));
        std::thread::scope(|scope| {
            assert!(line.submit(3));
            scope.spawn(run);
            while !line.state.lock().is_gathering {
                thread::yield_now();
            }
            (4..6).for_each(|it| assert!(!line.submit(it)));
        });
        // One who does not come is not waited for again.
        set_gather_time(Duration::from_millis(1));
        (6..8).for_each(|it| _ = line.submit(it));
        assert!(!run());
        set_gather_time(Duration::from_secs(60));
        (8..10).for_each(|it| _ = line.submit(it));
        assert!(!run());
        assert_eq!(*sizes.lock(), [3, 3, 2, 2]);
    }

    #[test]
    fn a_panic_ends_no_runner() {
        let line: WriteQueue<u32> = WriteQueue::new();
        (0..300).for_each(|it| assert_eq!(line.submit(it), it == 0));
        assert!(line.run_batch(|_| panic!("on purpose")));
        let n_left = AtomicUsize::new(0);
        assert!(!line.run_batch(|works| n_left.store(works.len(), SeqCst)));
        assert_eq!(n_left.load(SeqCst), 300 - BATCH_MAX);
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
