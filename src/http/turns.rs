//! Turns on blocking threads: how much of what takes long is done at once.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::MutexGuard;
use std::sync::PoisonError;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

use tokio::sync::OwnedSemaphorePermit;
use tokio::sync::Semaphore;
use tokio::sync::SemaphorePermit;
use tokio::task::JoinError;
use tokio::task::spawn_blocking;

/// Pieces of work on blocking threads, per core: more would only wait for each other.
const TURNS_PER_CORE: usize = 16;

/// How many pieces of work may still begin.
pub struct Turns {
    places: Arc<Semaphore>,
    waiting: AtomicUsize,
}

impl Default for Turns {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Turns::new(Arc::new(Semaphore::new(cores * TURNS_PER_CORE)))
    }
}

/// Counted as long as it is there, also when whoever waits goes away.
struct Waiting<'a>(&'a AtomicUsize);

impl<'a> Waiting<'a> {
    fn new(count: &'a AtomicUsize) -> Waiting<'a> {
        count.fetch_add(1, Relaxed);
        Waiting(count)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}

impl Turns {
    fn new(places: Arc<Semaphore>) -> Turns {
        Turns { places, waiting: AtomicUsize::new(0) }
    }

    /// How many pieces of work wait for a turn.
    pub fn n_waiting(&self) -> usize {
        self.waiting.load(Relaxed)
    }

    /// Does `work` on a blocking thread when there is a turn for it. The thread keeps the turn until
    /// it is done: work goes on when nobody waits for it any more, and counts as long as it does.
    ///
    /// # Errors
    /// The work panicked.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, JoinError> {
        let waiting = Waiting::new(&self.waiting);
        let turn = self.places.clone().acquire_owned().await;
        drop(waiting);
        let in_turn = move || {
            let _turn = turn;
            work()
        };
        spawn_blocking(in_turn).await
    }
}

/// How many people are let in at once: as many as are hashed, and as many whose login is written
/// down meanwhile.
const DOOR_TURNS: usize = 4;

/// How many may be at the door, waiting or not.
const DOOR_PLACES: usize = 40;

/// Where people log in: apart from everything else, and with a short queue.
pub struct Door {
    turns: Turns,
    places: Semaphore,
}

impl Default for Door {
    fn default() -> Self {
        let turns = Turns::new(Arc::new(Semaphore::new(DOOR_TURNS)));
        Door { turns, places: Semaphore::new(DOOR_PLACES) }
    }
}

impl Door {
    /// A place in the queue; none when it is long enough. Whoever leaves gives it back.
    pub fn place(&self) -> Option<SemaphorePermit<'_>> {
        self.places.try_acquire().ok()
    }

    /// The turns of those who have a place.
    pub fn turns(&self) -> &Turns {
        &self.turns
    }
}

/// Turns of the lane, per core. One client takes those of one share at most, so that others find
/// some free.
const LANE_SHARES: usize = 4;

/// How many requests of one client may be in the lane, waiting or not: a page full of thumbnails.
const LANE_PLACES_PER_CLIENT: usize = 128;

/// How many requests may be in the lane, waiting or not.
const LANE_PLACES: usize = 512;

/// Where work that keeps a core busy for long is done: decoding pictures and rendering previews.
/// It has turns of its own, so that it never takes those of short requests, and each client waits
/// for turns of its own, so that nobody waits for the queue of another.
pub struct Lane<K> {
    turns: Arc<Semaphore>,
    places: Arc<Semaphore>,
    clients: Arc<Clients<K>>,
}

type Clients<K> = Mutex<HashMap<K, Client>>;

/// A client with requests in the lane.
struct Client {
    turns: Arc<Semaphore>,
    places: usize,
}

impl<K> Default for Lane<K> {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Lane {
            turns: Arc::new(Semaphore::new(cores * LANE_SHARES)),
            places: Arc::new(Semaphore::new(LANE_PLACES)),
            clients: Arc::default(),
        }
    }
}

impl<K: Clone + Eq + Hash> Lane<K> {
    /// A place in the lane; none when the client has enough of them, or the lane is full.
    pub fn place(&self, client: &K) -> Option<LanePlace<K>> {
        let place = self.places.clone().try_acquire_owned().ok()?;
        let mut clients = lock(&self.clients);
        let known = clients.entry(client.clone()).or_insert_with(|| Client {
            turns: Arc::new(Semaphore::new(self.turns_per_client())),
            places: 0,
        });
        if known.places >= LANE_PLACES_PER_CLIENT {
            return None;
        }
        known.places += 1;
        Some(LanePlace {
            turns: self.turns.clone(),
            of_client: known.turns.clone(),
            client: client.clone(),
            clients: self.clients.clone(),
            _place: place,
        })
    }

    /// How many requests wait for a turn.
    pub fn n_waiting(&self) -> usize {
        let placed = LANE_PLACES.saturating_sub(self.places.available_permits());
        let turns = self.turns_per_client() * LANE_SHARES;
        placed.saturating_sub(turns.saturating_sub(self.turns.available_permits()))
    }

    fn turns_per_client(&self) -> usize {
        std::thread::available_parallelism().map_or(1, usize::from)
    }
}

/// A place in the lane, given back when dropped.
pub struct LanePlace<K: Eq + Hash> {
    turns: Arc<Semaphore>,
    of_client: Arc<Semaphore>,
    client: K,
    clients: Arc<Clients<K>>,
    _place: OwnedSemaphorePermit,
}

impl<K: Eq + Hash + Send + 'static> LanePlace<K> {
    /// Does `work` on a blocking thread when it is the client's turn. The thread keeps turn and
    /// place until it is done, whether or not anybody waits for it.
    ///
    /// # Errors
    /// The work panicked.
    pub async fn run<T: Send + 'static>(
        self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, JoinError> {
        let own = self.of_client.clone().acquire_owned().await;
        let turn = self.turns.clone().acquire_owned().await;
        let in_turn = move || {
            let _held = (turn, own, self);
            work()
        };
        spawn_blocking(in_turn).await
    }
}

impl<K: Eq + Hash> Drop for LanePlace<K> {
    fn drop(&mut self) {
        let mut clients = lock(&self.clients);
        let Some(client) = clients.get_mut(&self.client) else { return };
        client.places = client.places.saturating_sub(1);
        if client.places == 0 {
            clients.remove(&self.client);
        }
    }
}

// What it guards cannot be left half done by a panic.
fn lock<K>(clients: &Clients<K>) -> MutexGuard<'_, HashMap<K, Client>> {
    clients.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_client_in_the_lane_keeps_nobody_else_waiting() {
        let lane = Lane::default();
        let (end, ended) = std::sync::mpsc::channel::<()>();
        let ended = Arc::new(Mutex::new(ended));
        let mut crowd = Vec::new();
        for _ in 0..LANE_PLACES_PER_CLIENT {
            let (place, ended) = (lane.place(&"crowd").unwrap(), ended.clone());
            let work = move || ended.lock().unwrap().recv().unwrap();
            crowd.push(tokio::spawn(place.run(work)));
        }
        assert!(lane.place(&"crowd").is_none());
        let other = lane.place(&"other").unwrap();
        assert_eq!(other.run(|| 7).await.unwrap(), 7);
        while lane.n_waiting() != LANE_PLACES_PER_CLIENT - lane.turns_per_client() {
            tokio::task::yield_now().await;
        }
        for _ in &crowd {
            end.send(()).unwrap();
        }
        for one in crowd {
            one.await.unwrap().unwrap();
        }
        assert!(lock(&lane.clients).is_empty());
    }

    #[test]
    fn the_lane_has_an_end() {
        let lane = Lane::default();
        let places: Vec<_> = (0..LANE_PLACES).map(|it| lane.place(&(it / 100))).collect();
        assert!(places.iter().all(Option::is_some) && lane.place(&9).is_none());
        assert!(!lock(&lane.clients).contains_key(&9));
        drop(places);
        assert!(lane.place(&9).is_some());
    }

    #[test]
    fn the_queue_at_the_door_is_short() {
        let door = Door::default();
        let mut places: Vec<_> = (0..DOOR_PLACES).map(|_| door.place()).collect();
        assert!(places.iter().all(Option::is_some) && door.place().is_none());
        places.pop();
        assert!(door.place().is_some());
    }

    #[tokio::test]
    async fn work_keeps_its_turn_when_nobody_waits() {
        let places = Arc::new(Semaphore::new(1));
        let turns = Turns::new(places.clone());
        let (begin, begun) = tokio::sync::oneshot::channel();
        let (end, ended) = std::sync::mpsc::channel::<()>();
        let work = move || {
            begin.send(()).unwrap();
            ended.recv().unwrap();
        };
        let client = tokio::spawn(async move { turns.run(work).await });
        begun.await.unwrap();
        client.abort();
        assert!(client.await.unwrap_err().is_cancelled());
        assert_eq!(places.available_permits(), 0);
        end.send(()).unwrap();
        assert!(places.acquire().await.is_ok());
    }

    #[tokio::test]
    async fn those_who_wait_are_counted_until_they_leave() {
        let places = Arc::new(Semaphore::new(1));
        let turns = Arc::new(Turns::new(places.clone()));
        let taken = places.acquire().await.unwrap();
        let wait = || {
            let turns = turns.clone();
            tokio::spawn(async move { turns.run(|| ()).await })
        };
        let (leaves, stays) = (wait(), wait());
        while turns.n_waiting() < 2 {
            tokio::task::yield_now().await;
        }
        leaves.abort();
        assert!(leaves.await.unwrap_err().is_cancelled());
        assert_eq!(turns.n_waiting(), 1);
        drop(taken);
        stays.await.unwrap().unwrap();
        assert_eq!(turns.n_waiting(), 0);
    }
}
