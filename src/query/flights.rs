//! Builds under way: what many ask for is made once, few things are made at a time, and a build that
//! takes long outlives the changes that come meanwhile.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::Condvar;
use std::sync::LazyLock;
use std::sync::Mutex;
use std::sync::MutexGuard;
use std::sync::OnceLock;
use std::sync::PoisonError;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;

use crate::query::type_index::Ordinal;
use crate::query::type_index::TypeIndex;

/// How many builds are remembered when they are done. More are under way only if more are asked for
/// at the same time.
const LANDED_MAX: usize = 8;

/// After so many changes nobody is expected any more who waits for a build that is done.
const CHANGES_MAX: usize = 64;

/// All builds of this process: at most one a core.
static GATE: LazyLock<Gate> =
    LazyLock::new(|| Gate::of(thread::available_parallelism().map_or(1, usize::from)));

/// Lets so many in at a time.
struct Gate {
    cores: usize,
    free: Mutex<usize>,
    freed: Condvar,
}

/// How much of the machine a build takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Load {
    /// One core.
    Core,
    /// All of them: it uses several threads itself.
    Machine,
}

impl Gate {
    fn of(cores: usize) -> Gate {
        Gate { cores, free: Mutex::new(cores), freed: Condvar::new() }
    }

    fn within<T>(&self, load: Load, build: impl FnOnce() -> T) -> T {
        let wanted = if load == Load::Machine { self.cores } else { 1 };
        // The number is right after every step, so poison means nothing.
        let free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.freed.wait_while(free, |it| *it < wanted);
        let mut free = waited.unwrap_or_else(PoisonError::into_inner);
        *free -= wanted;
        drop(free);
        let _inside = Inside { gate: self, taken: wanted };
        build()
    }
}

/// Somebody who is in, and leaves however the build ends.
struct Inside<'g> {
    gate: &'g Gate,
    taken: usize,
}

impl Drop for Inside<'_> {
    fn drop(&mut self) {
        *self.gate.free.lock().unwrap_or_else(PoisonError::into_inner) += self.taken;
        self.gate.freed.notify_all();
    }
}

/// One build: of which entries, and what came of it.
pub(super) struct Flight<T> {
    pub(super) base: Arc<TypeIndex>,
    built: OnceLock<T>,
    /// How many changes there were since it is done.
    changes: AtomicUsize,
}

impl<T: Clone> Flight<T> {
    /// What is built, by whoever comes first; all others wait for it.
    pub(super) fn get(&self, load: Load, build: impl FnOnce(&TypeIndex) -> T) -> T {
        self.built.get_or_init(|| GATE.within(load, || build(&self.base))).clone()
    }

    /// What is built, if it is.
    pub(super) fn landed(&self) -> Option<T> {
        self.built.get().cloned()
    }

    /// The entries in which an index differs from the one that is built from.
    pub(super) fn touched(&self, index: &TypeIndex) -> Vec<Ordinal> {
        self.base.differing(index)
    }
}

/// What a build is known by: the text of what is made, and the locale.
type Key = (String, Option<usize>);

/// The builds of one kind, of a type and of what becomes of it.
pub(super) struct Flights<T>(Mutex<HashMap<Key, Arc<Flight<T>>>>);

impl<T> Default for Flights<T> {
    fn default() -> Self {
        Flights(Mutex::default())
    }
}

impl<T: Clone> Flights<T> {
    /// The build under a key, with whether it begins now: there is none, or it is done and so much has
    /// changed since that `is_stale` of the differences.
    pub(super) fn join(
        &self,
        key: Key,
        index: &Arc<TypeIndex>,
        is_stale: impl Fn(usize) -> bool,
    ) -> (Arc<Flight<T>>, bool) {
        let mut flights = self.lock();
        if let Some(flight) = flights.get(&key)
            && (flight.landed().is_none() || !is_stale(flight.touched(index).len()))
        {
            return (flight.clone(), false);
        }
        if flights.len() >= LANDED_MAX {
            flights.retain(|_, it| it.built.get().is_none());
        }
        let (built, changes) = (OnceLock::new(), AtomicUsize::new(0));
        // Without what is derived from it, which knows of this build.
        let base = Arc::new(index.detached());
        let flight = Arc::new(Flight { base, built, changes });
        flights.insert(key, flight.clone());
        (flight, true)
    }

    /// Forgets a build that is done and kept elsewhere.
    pub(super) fn land(&self, key: &Key, flight: &Arc<Flight<T>>) {
        let mut flights = self.lock();
        if flights.get(key).is_some_and(|it| Arc::ptr_eq(it, flight)) {
            flights.remove(key);
        }
    }

    /// There is a next index. Builds that were done long ago are forgotten, and their entries freed.
    pub(super) fn changed(&self) {
        self.lock().retain(|_, it| {
            it.built.get().is_none() || it.changes.fetch_add(1, Relaxed) < CHANGES_MAX
        });
    }

    // The map is whole after every step, so poison means nothing.
    fn lock(&self) -> MutexGuard<'_, HashMap<Key, Arc<Flight<T>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;
    use crate::query::tests::change;
    use crate::query::tests::content_type;
    use crate::query::tests::index;
    use crate::query::tests::now;

    const FILE: &str = r#"{"title":"T"}"#;

    fn entries() -> Arc<TypeIndex> {
        Arc::new(index(&content_type("posts", "{}"), &[("a", FILE), ("b", FILE)]))
    }

    fn key() -> Key {
        ("title".to_string(), None)
    }

    #[test]
    fn many_who_ask_get_one_build() {
        let (flights, index) = (Arc::new(Flights::<u32>::default()), entries());
        let built = Arc::new(AtomicUsize::new(0));
        let (begin, begun) = mpsc::channel();
        let (end, ended) = mpsc::channel::<()>();
        let ended = Arc::new(Mutex::new(ended));
        let ask = || {
            let (flights, index, built) = (flights.clone(), index.clone(), built.clone());
            let (begin, ended) = (begin.clone(), ended.clone());
            thread::spawn(move || {
                let (flight, _) = flights.join(key(), &index, |_| false);
                flight.get(Load::Core, |_| {
                    begin.send(()).unwrap();
                    ended.lock().unwrap().recv().unwrap();
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
        let (flights, index) = (Flights::<u32>::default(), entries());
        let (flight, begins) = flights.join(key(), &index, |_| false);
        let panicking = flight.clone();
        let panicked = thread::spawn(move || panicking.get(Load::Machine, |_| panic!("a bug")));
        assert!(begins && panicked.join().is_err());
        assert_eq!(flight.get(Load::Machine, |_| 8), 8);
    }

    #[test]
    fn builds_outlive_changes() {
        let (flights, first) = (Flights::<usize>::default(), entries());
        let ty = content_type("posts", "{}");
        let next = Arc::new(first.with(&[change(&ty, "a", None)], now()));
        let far = |touched: usize| touched > 1;
        let (flight, begins) = flights.join(key(), &first, far);
        let (same, again) = flights.join(key(), &next, far);
        assert!(begins && !again && Arc::ptr_eq(&flight, &same));
        assert_eq!(same.get(Load::Core, TypeIndex::len), 2);
        assert_eq!(flight.touched(&next), [first.ordinal("a").unwrap()]);
        assert!(!flights.join(key(), &next, far).1);
        let last = Arc::new(next.with(&[change(&ty, "b", None)], now()));
        assert!(flights.join(key(), &last, far).1);
        assert_eq!(flights.join(key(), &last, far).0.get(Load::Core, TypeIndex::len), 0);
        (0..=CHANGES_MAX).for_each(|_| flights.changed());
        assert!(flights.lock().is_empty());
    }

    #[test]
    fn what_is_done_is_forgotten_where_there_is_much() {
        let (flights, index) = (Flights::<u32>::default(), entries());
        for n in 0..100 {
            let (flight, begins) = flights.join((n.to_string(), None), &index, |_| false);
            assert!(begins);
            flight.get(Load::Core, |_| n);
        }
        assert!(flights.lock().len() <= LANDED_MAX);
    }

    #[test]
    fn so_many_build_at_a_time() {
        let gate = Arc::new(Gate::of(2));
        let (inside, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let build = |load: Load| {
            let (gate, inside, most) = (gate.clone(), inside.clone(), most.clone());
            thread::spawn(move || {
                gate.within(load, || {
                    let cores = if load == Load::Machine { 2 } else { 1 };
                    most.fetch_max(inside.fetch_add(cores, Relaxed) + cores, Relaxed);
                    thread::yield_now();
                    inside.fetch_sub(cores, Relaxed);
                });
            })
        };
        let loads = [Load::Core, Load::Machine, Load::Core, Load::Core].into_iter().cycle();
        let threads: Vec<_> = loads.take(40).map(build).collect();
        threads.into_iter().for_each(|it| it.join().unwrap());
        assert!(most.load(Relaxed) <= 2);
        assert_eq!(*gate.free.lock().unwrap(), 2);
    }
}
