//! Pending builds of derived structures. Concurrent requests share one build, few builds run at the
//! same time, and a long build stays useful if entries change meanwhile.

use std::collections::HashMap;
use std::io;
use std::panic::AssertUnwindSafe;
use std::panic::catch_unwind;
use std::sync::Arc;
use std::sync::LazyLock;
use std::sync::OnceLock;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;
use std::thread::JoinHandle;

use crate::query::index::entry_table::EntryTable;
use crate::query::index::entry_table::Ordinal;
use crate::stdx::processor::count_cores;
use crate::stdx::sync::Mutex;
use crate::stdx::thread_limit::ThreadLimit;

/// The number of builds above which finished ones are removed. Unfinished ones are not limited.
const BUILDS_MAX: usize = 8;

/// The number of changes after which a finished build is removed: nobody waits for it any more.
const CHANGES_MAX: usize = 64;

/// The builds on one core: as many at a time as there are cores.
static CORES: LazyLock<ThreadLimit> = LazyLock::new(|| ThreadLimit::new(count_cores()));

/// The builds that use several threads themselves: one at a time. They take seconds, so the others
/// do not wait for them.
static MACHINE: ThreadLimit = ThreadLimit::new(1);

/// The cores that a build uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CoreDemand {
    /// One core.
    Core,
    /// All cores: the build uses several threads itself.
    Machine,
}

impl CoreDemand {
    fn limit(self) -> &'static ThreadLimit {
        match self {
            CoreDemand::Core => &CORES,
            CoreDemand::Machine => &MACHINE,
        }
    }
}

/// One build, with the entries it starts from and its result.
pub(super) struct SharedBuild<T> {
    pub(super) base: Arc<EntryTable>,
    built: OnceLock<T>,
    /// The number of changes since the build finished.
    changes: AtomicUsize,
}

impl<T: Clone> SharedBuild<T> {
    /// Returns the result of the build. The first caller builds it; all others wait for it.
    pub(super) fn get_or_build(&self, load: CoreDemand, build: impl FnOnce(&EntryTable) -> T) -> T {
        let build = || build(&self.base);
        // The thread that answers requests builds what is small. So it waits for no other build.
        let built = self.built.get_or_init(|| match self.base.is_small() {
            true => build(),
            false => load.limit().run(build),
        });
        built.clone()
    }

    /// Returns the result of the build, if it is finished.
    pub(super) fn get_finished(&self) -> Option<T> {
        self.built.get().cloned()
    }

    /// Returns the ordinals of the entries that differ between the build's base and `index`.
    pub(super) fn find_changed(&self, index: &EntryTable) -> Vec<Ordinal> {
        self.base.list_differences(index)
    }
}

/// The key of a build: the text that identifies the structure, and the locale.
type BuildKey = (String, Option<usize>);

/// The builds of one kind of structure, for all generations of a type's index.
pub(super) struct SingleFlight<T>(Mutex<HashMap<BuildKey, Arc<SharedBuild<T>>>>);

impl<T> Default for SingleFlight<T> {
    fn default() -> Self {
        SingleFlight(Mutex::default())
    }
}

impl<T: Clone> SingleFlight<T> {
    /// Returns the build under a key, and true if it is new. A new build replaces a finished one if
    /// `is_stale` returns true for the number of entries changed since.
    pub(super) fn join_build(
        &self,
        key: BuildKey,
        index: &Arc<EntryTable>,
        is_stale: impl Fn(usize) -> bool,
    ) -> (Arc<SharedBuild<T>>, bool) {
        let mut flights = self.0.lock();
        // What is small is built by the thread that answers requests: it waits for nothing large.
        let is_large = |it: &SharedBuild<T>| index.is_small() && !it.base.is_small();
        if let Some(flight) = flights.get(&key)
            && (flight.get_finished().is_some() || !is_large(flight))
            && (flight.get_finished().is_none() || !is_stale(flight.find_changed(index).len()))
        {
            return (flight.clone(), false);
        }
        if flights.len() >= BUILDS_MAX {
            flights.retain(|_, it| it.built.get().is_none());
        }
        let (built, changes) = (OnceLock::new(), AtomicUsize::new(0));
        let flight = Arc::new(SharedBuild { base: index.clone(), built, changes });
        flights.insert(key, flight.clone());
        (flight, true)
    }

    /// Returns the finished builds whose results may not be kept elsewhere, with their locales.
    pub(super) fn list_finished(&self) -> Vec<(Option<usize>, Arc<SharedBuild<T>>)> {
        let flights = self.0.lock();
        let finished = flights.iter().filter(|(_, it)| it.built.get().is_some());
        finished.map(|((_, locale), it)| (*locale, it.clone())).collect()
    }

    /// Runs a build on a new thread. A build that panics is removed, so that the next request
    /// starts another.
    ///
    /// # Errors Fails if no thread can be started.
    pub(super) fn build_in_background(
        self: &Arc<Self>,
        key: &BuildKey,
        flight: &Arc<SharedBuild<T>>,
        load: CoreDemand,
        build: impl FnOnce(&EntryTable) -> T + Send + 'static,
    ) -> io::Result<JoinHandle<()>>
    where
        T: Send + Sync + 'static,
    {
        let (flights, key, flight) = (self.clone(), key.clone(), flight.clone());
        let work = move || {
            let built = catch_unwind(AssertUnwindSafe(|| flight.get_or_build(load, build)));
            if built.is_err() {
                flights.forget_build(&key, &flight);
            }
        };
        thread::Builder::new().name("index".to_string()).spawn(work)
    }

    /// Removes a build that has failed, or whose result is kept elsewhere.
    pub(super) fn forget_build(&self, key: &BuildKey, flight: &Arc<SharedBuild<T>>) {
        let mut flights = self.0.lock();
        if flights.get(key).is_some_and(|it| Arc::ptr_eq(it, flight)) {
            flights.remove(key);
        }
    }

    /// Counts a change of the index. Removes builds that finished long ago, which frees their
    /// entries.
    pub(super) fn expire_finished(&self) {
        self.0.lock().retain(|_, it| {
            it.built.get().is_none() || it.changes.fetch_add(1, Relaxed) < CHANGES_MAX
        });
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;
    use crate::query::index::entry_table::SMALL_COUNT_BELOW;
    use crate::query::tests::change;
    use crate::query::tests::content_type;
    use crate::query::tests::index;
    use crate::query::tests::now;

    const FILE: &str = r#"{"title":"T"}"#;

    fn entries() -> Arc<EntryTable> {
        index(&content_type("posts", "{}"), &[("a", FILE), ("b", FILE)]).entries().clone()
    }

    fn key() -> BuildKey {
        ("title".to_string(), None)
    }

    #[test]
    fn many_who_ask_get_one_build() {
        let (flights, index) = (Arc::new(SingleFlight::<u32>::default()), entries());
        let built = Arc::new(AtomicUsize::new(0));
        let (begin, begun) = mpsc::channel();
        let (end, ended) = mpsc::channel::<()>();
        let ended = Arc::new(Mutex::new(ended));
        let ask = || {
            let (flights, index, built) = (flights.clone(), index.clone(), built.clone());
            let (begin, ended) = (begin.clone(), ended.clone());
            thread::spawn(move || {
                let (flight, _) = flights.join_build(key(), &index, |_| false);
                flight.get_or_build(CoreDemand::Core, |_| {
                    begin.send(()).unwrap();
                    ended.lock().recv().unwrap();
                    built.fetch_add(1, Relaxed);
                    7
                })
            })
        };
        let first = ask();
        begun.recv().unwrap();
        let others: Vec<_> = (0..15).map(|_| ask()).collect();
        end.send(()).unwrap();
        assert_eq!(first.join().unwrap(), 7);
        assert!(others.into_iter().all(|it| it.join().unwrap() == 7));
        assert_eq!(built.load(Relaxed), 1);
    }

    #[test]
    fn whoever_waits_builds_when_the_first_one_panics() {
        let (flights, index) = (SingleFlight::<u32>::default(), entries());
        let (flight, begins) = flights.join_build(key(), &index, |_| false);
        let panicking = flight.clone();
        let panicked =
            thread::spawn(move || panicking.get_or_build(CoreDemand::Machine, |_| panic!("a bug")));
        assert!(begins && panicked.join().is_err());
        assert_eq!(flight.get_or_build(CoreDemand::Machine, |_| 8), 8);
    }

    #[test]
    fn a_build_behind_that_panics_is_begun_anew() {
        let (flights, index) = (Arc::new(SingleFlight::<u32>::default()), entries());
        let (flight, begins) = flights.join_build(key(), &index, |_| false);
        assert!(begins && !flights.join_build(key(), &index, |_| false).1);
        let thread =
            flights.build_in_background(&key(), &flight, CoreDemand::Machine, |_| panic!("a bug"));
        thread.unwrap().join().unwrap();
        let (flight, begins) = flights.join_build(key(), &index, |_| false);
        assert!(begins);
        let thread = flights.build_in_background(&key(), &flight, CoreDemand::Machine, |_| 9);
        thread.unwrap().join().unwrap();
        assert_eq!(flight.get_finished(), Some(9));
    }

    #[test]
    fn builds_outlive_changes() {
        let (flights, first) = (SingleFlight::<usize>::default(), entries());
        let ty = content_type("posts", "{}");
        let next = Arc::new(first.with_changes(&[change(&ty, "a", None)], now()).0);
        let far = |touched: usize| touched > 1;
        let (flight, begins) = flights.join_build(key(), &first, far);
        let (same, again) = flights.join_build(key(), &next, far);
        assert!(begins && !again && Arc::ptr_eq(&flight, &same));
        assert_eq!(same.get_or_build(CoreDemand::Core, EntryTable::len), 2);
        assert_eq!(flight.find_changed(&next), [first.find_ordinal("a").unwrap()]);
        assert!(!flights.join_build(key(), &next, far).1);
        let last = Arc::new(next.with_changes(&[change(&ty, "b", None)], now()).0);
        assert!(flights.join_build(key(), &last, far).1);
        assert_eq!(
            flights.join_build(key(), &last, far).0.get_or_build(CoreDemand::Core, EntryTable::len),
            0
        );
        (0..=CHANGES_MAX).for_each(|_| flights.expire_finished());
        assert!(flights.0.lock().is_empty());
    }

    #[test]
    fn what_is_done_is_forgotten_where_there_is_much() {
        let (flights, index) = (SingleFlight::<u32>::default(), entries());
        for n in 0..100 {
            let (flight, begins) = flights.join_build((n.to_string(), None), &index, |_| false);
            assert!(begins);
            flight.get_or_build(CoreDemand::Core, |_| n);
        }
        assert!(flights.0.lock().len() <= BUILDS_MAX);
    }

    /// A build for all cores takes seconds, and whoever wants a list must not wait for it.
    #[test]
    fn nobody_waits_for_a_build_of_another_kind() {
        let many: Vec<String> = (0..SMALL_COUNT_BELOW).map(|it| format!("e{it}")).collect();
        let many: Vec<(&str, &str)> = many.iter().map(|it| (it.as_str(), FILE)).collect();
        let many = index(&content_type("posts", "{}"), &many).entries().clone();
        let flights = SingleFlight::<u32>::default();
        let begin =
            |key: &str, base| flights.join_build((key.to_string(), None), base, |_| false).0;
        let (text, order) = (begin("text", &many), begin("order", &many));
        let built = text
            .get_or_build(CoreDemand::Machine, |_| order.get_or_build(CoreDemand::Core, |_| 1) + 1);
        assert_eq!(built, 2);
    }

    /// A type that became small meanwhile does not wait for the build of what it was.
    #[test]
    fn what_is_small_waits_for_nothing_large() {
        let many: Vec<String> = (0..SMALL_COUNT_BELOW).map(|it| format!("e{it}")).collect();
        let many: Vec<(&str, &str)> = many.iter().map(|it| (it.as_str(), FILE)).collect();
        let large = index(&content_type("posts", "{}"), &many).entries().clone();
        let (flights, small) = (SingleFlight::<u32>::default(), entries());
        assert!(flights.join_build(key(), &large, |_| false).1);
        assert!(!flights.join_build(key(), &large, |_| false).1);
        assert!(flights.join_build(key(), &small, |_| false).1);
        assert!(!flights.join_build(key(), &small, |_| false).1);
    }

    /// The thread that answers requests builds what is small itself.
    #[test]
    fn a_small_build_waits_for_none() {
        let (flights, index) = (SingleFlight::<u32>::default(), entries());
        let (flight, _) = flights.join_build(key(), &index, |_| false);
        let built = MACHINE.run(|| flight.get_or_build(CoreDemand::Machine, |_| 1));
        assert_eq!(built, 1);
    }
}
