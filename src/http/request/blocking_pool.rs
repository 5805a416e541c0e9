//! The pools of blocking work: limits on how much slow work runs at once.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

use tokio::sync::AcquireError;
use tokio::sync::OwnedSemaphorePermit;
use tokio::sync::Semaphore;
use tokio::sync::SemaphorePermit;
use tokio::task::JoinError;
use tokio::task::spawn_blocking;

use crate::app::access::Caller;
use crate::http::wire::stream_pool::STREAM_PERMITS_PER_CORE;
use crate::stdx::processor::count_cores;
use crate::stdx::sync::Mutex;

/// Pieces of work on blocking threads, per core: more would only wait for each other.
const THREADS_PER_CORE: usize = 16;

/// Blocking threads beside those of all pools: short work that no pool limits, as reading files,
/// making the changes that wait, and recording webhook deliveries.
const SPARE_THREADS: usize = 256;

/// Returns the number of blocking threads that the runtime may have. If all that pools allow run at
/// once, what they wait for still finds a thread.
pub fn count_threads_max(cores: usize) -> usize {
    let per_core = THREADS_PER_CORE + LANE_SHARES + STREAM_PERMITS_PER_CORE;
    cores.saturating_mul(per_core).saturating_add(LOGIN_THREADS + SPARE_THREADS)
}

/// The share of a pool that a request may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PoolShare {
    /// All of it.
    Whole,
    /// Three quarters, together with all other requests without a credential.
    Anonymous,
}

impl PoolShare {
    /// Returns the share of a caller's requests.
    pub fn for_caller(caller: &Caller) -> PoolShare {
        if caller.is_anonymous() { PoolShare::Anonymous } else { PoolShare::Whole }
    }
}

/// Permits of which requests without a credential take a part only: however many strangers ask,
/// editors find some free.
#[derive(Clone)]
struct SharedPermits {
    all: Arc<Semaphore>,
    anonymous: Arc<Semaphore>,
}

/// A permit, with that of the share if it has a limit.
type SharedPermit = (Option<OwnedSemaphorePermit>, OwnedSemaphorePermit);

impl SharedPermits {
    fn with_count(count: usize) -> SharedPermits {
        let anonymous = (count * 3 / 4).max(1);
        SharedPermits {
            all: Arc::new(Semaphore::new(count)),
            anonymous: Arc::new(Semaphore::new(anonymous)),
        }
    }

    /// Acquires a permit. Those who wait for the limit of their share do not wait in front of
    /// others.
    async fn acquire(&self, share: PoolShare) -> Result<SharedPermit, AcquireError> {
        let of_share = match share {
            PoolShare::Whole => None,
            PoolShare::Anonymous => Some(self.anonymous.clone().acquire_owned().await?),
        };
        Ok((of_share, self.all.clone().acquire_owned().await?))
    }

    /// Acquires a permit that is free now.
    fn try_acquire(&self, share: PoolShare) -> Option<SharedPermit> {
        let of_share = match share {
            PoolShare::Whole => None,
            PoolShare::Anonymous => Some(self.anonymous.clone().try_acquire_owned().ok()?),
        };
        Some((of_share, self.all.clone().try_acquire_owned().ok()?))
    }
}

/// A pool of blocking jobs with limited concurrency.
pub struct BlockingPool {
    permits: SharedPermits,
    waiting: AtomicUsize,
}

impl Default for BlockingPool {
    fn default() -> Self {
        BlockingPool::for_cores(count_cores())
    }
}

/// A guard that counts a waiting request, also if the request is dropped.
struct WaitGuard<'a>(&'a AtomicUsize);

impl<'a> WaitGuard<'a> {
    fn new(count: &'a AtomicUsize) -> WaitGuard<'a> {
        count.fetch_add(1, Relaxed);
        WaitGuard(count)
    }
}

impl Drop for WaitGuard<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}

impl BlockingPool {
    /// Creates the pool of a machine with so many cores.
    pub fn for_cores(cores: usize) -> BlockingPool {
        BlockingPool::with_permits(cores * THREADS_PER_CORE)
    }

    fn with_permits(count: usize) -> BlockingPool {
        BlockingPool { permits: SharedPermits::with_count(count), waiting: AtomicUsize::new(0) }
    }

    /// Returns the number of waiting jobs.
    pub fn n_waiting(&self) -> usize {
        self.waiting.load(Relaxed)
    }

    /// Runs `work` on a blocking thread when a permit is free. The thread keeps the permit until it
    /// is done: work continues even if nobody waits for it, and counts as long.
    ///
    /// # Errors
    ///
    /// Fails if the work panicked.
    pub async fn run<T: Send + 'static>(
        &self,
        share: PoolShare,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, JoinError> {
        let waiting = WaitGuard::new(&self.waiting);
        let permit = self.permits.acquire(share).await;
        drop(waiting);
        let with_permit = move || {
            let _permit = permit;
            work()
        };
        spawn_blocking(with_permit).await
    }
}

/// The number of logins that run at once: those being hashed, and as many that are being recorded
/// meanwhile.
const LOGIN_THREADS: usize = 4;

/// The most logins that run or wait.
const LOGIN_QUEUE_MAX: usize = 40;

/// The queue of logins: separate from all other work, and short.
pub struct LoginGate {
    pool: BlockingPool,
    places: Semaphore,
}

impl Default for LoginGate {
    fn default() -> Self {
        let pool = BlockingPool::with_permits(LOGIN_THREADS);
        LoginGate { pool, places: Semaphore::new(LOGIN_QUEUE_MAX) }
    }
}

impl LoginGate {
    /// Acquires a place in the queue, released when dropped. Returns `None` if the queue is full.
    pub fn acquire_place(&self) -> Option<SemaphorePermit<'_>> {
        self.places.try_acquire().ok()
    }

    /// The turns of those who have a place.
    pub fn pool(&self) -> &BlockingPool {
        &self.pool
    }
}

/// The concurrent jobs of the lane per core. One client gets at most one share of them, so that
/// others find some free.
const LANE_SHARES: usize = 4;

/// The most requests of one client in the lane, running or waiting: a page full of thumbnails.
const LANE_PLACES_PER_CLIENT: usize = 128;

/// The most requests in the lane, running or waiting.
const LANE_PLACES: usize = 512;

/// A pool for work that keeps a core busy for long: decoding pictures, rendering previews and
/// indexing many entries. It has its own permits, so that it never takes those of short requests,
/// and each client has its own limit, so that nobody waits for the queue of another.
pub struct Lane<K> {
    permits: SharedPermits,
    places: SharedPermits,
    clients: Arc<LaneClients<K>>,
}

type LaneClients<K> = Mutex<HashMap<K, LaneClient>>;

/// A client with requests in the lane.
struct LaneClient {
    permits: Arc<Semaphore>,
    places: usize,
}

impl<K> Default for Lane<K> {
    fn default() -> Self {
        let cores = count_cores();
        Lane {
            permits: SharedPermits::with_count(cores * LANE_SHARES),
            places: SharedPermits::with_count(LANE_PLACES),
            clients: Arc::default(),
        }
    }
}

impl<K: Clone + Eq + Hash> Lane<K> {
    /// Acquires a place in the lane. Returns `None` if the client has too many, or the lane is
    /// full.
    pub fn acquire_place(&self, share: PoolShare, client: &K) -> Option<LanePlace<K>> {
        let place = self.places.try_acquire(share)?;
        let mut clients = self.clients.lock();
        let known = clients.entry(client.clone()).or_insert_with(|| LaneClient {
            permits: Arc::new(Semaphore::new(self.permits_per_client())),
            places: 0,
        });
        if known.places >= LANE_PLACES_PER_CLIENT {
            return None;
        }
        known.places += 1;
        Some(LanePlace {
            permits: self.permits.clone(),
            share,
            of_client: known.permits.clone(),
            client: client.clone(),
            clients: self.clients.clone(),
            _place: place,
        })
    }

    /// Returns the number of waiting requests.
    pub fn n_waiting(&self) -> usize {
        let placed = LANE_PLACES.saturating_sub(self.places.all.available_permits());
        let permits = self.permits_per_client() * LANE_SHARES;
        placed.saturating_sub(permits.saturating_sub(self.permits.all.available_permits()))
    }

    fn permits_per_client(&self) -> usize {
        count_cores()
    }
}

/// A place in the lane, released when dropped.
pub struct LanePlace<K: Eq + Hash> {
    permits: SharedPermits,
    share: PoolShare,
    of_client: Arc<Semaphore>,
    client: K,
    clients: Arc<LaneClients<K>>,
    _place: SharedPermit,
}

impl<K: Eq + Hash + Send + 'static> LanePlace<K> {
    /// Runs `work` on a blocking thread when it is the client's permit. The thread keeps the permit
    /// and the place until it is done, even if nobody waits for it.
    ///
    /// # Errors
    ///
    /// Fails if the work panicked.
    pub async fn run<T: Send + 'static>(
        self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, JoinError> {
        let own = self.of_client.clone().acquire_owned().await;
        let permit = self.permits.acquire(self.share).await;
        let with_permit = move || {
            let _held = (permit, own, self);
            work()
        };
        spawn_blocking(with_permit).await
    }
}

impl<K: Eq + Hash> Drop for LanePlace<K> {
    fn drop(&mut self) {
        let mut clients = self.clients.lock();
        let Some(client) = clients.get_mut(&self.client) else { return };
        client.places = client.places.saturating_sub(1);
        if client.places == 0 {
            clients.remove(&self.client);
        }
    }
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
            let place = lane.acquire_place(PoolShare::Whole, &"crowd").unwrap();
            let ended = ended.clone();
            let work = move || ended.lock().recv().unwrap();
            crowd.push(tokio::spawn(place.run(work)));
        }
        assert!(lane.acquire_place(PoolShare::Whole, &"crowd").is_none());
        let other = lane.acquire_place(PoolShare::Whole, &"other").unwrap();
        assert_eq!(other.run(|| 7).await.unwrap(), 7);
        while lane.n_waiting() != LANE_PLACES_PER_CLIENT - lane.permits_per_client() {
            tokio::task::yield_now().await;
        }
        for _ in &crowd {
            end.send(()).unwrap();
        }
        for one in crowd {
            one.await.unwrap().unwrap();
        }
        assert!(lane.clients.lock().is_empty());
    }

    #[test]
    fn the_lane_has_an_end() {
        let lane = Lane::default();
        let acquire = |share, client| lane.acquire_place(share, &client);
        let anonymous: Vec<_> =
            (0..LANE_PLACES * 3 / 4).map(|it| acquire(PoolShare::Anonymous, it / 100)).collect();
        assert!(anonymous.iter().all(Option::is_some));
        assert!(acquire(PoolShare::Anonymous, 9).is_none(), "the rest is not for strangers");
        let known: Vec<_> =
            (0..LANE_PLACES / 4).map(|it| acquire(PoolShare::Whole, 100 + it / 100)).collect();
        assert!(known.iter().all(Option::is_some) && acquire(PoolShare::Whole, 9).is_none());
        assert!(!lane.clients.lock().contains_key(&9));
        drop((anonymous, known));
        assert!(acquire(PoolShare::Anonymous, 9).is_some());
    }

    /// However many requests without a credential wait, others run at once.
    #[tokio::test]
    async fn strangers_keep_no_editor_waiting() {
        let pool = Arc::new(BlockingPool::with_permits(8));
        let (end, ended) = std::sync::mpsc::channel::<()>();
        let ended = Arc::new(Mutex::new(ended));
        let crowd: Vec<_> = (0..100)
            .map(|_| {
                let (pool, ended) = (pool.clone(), ended.clone());
                let work = move || ended.lock().recv().unwrap();
                tokio::spawn(async move { pool.run(PoolShare::Anonymous, work).await })
            })
            .collect();
        while pool.n_waiting() != 100 - 6 {
            tokio::task::yield_now().await;
        }
        assert_eq!(pool.run(PoolShare::Whole, || 7).await.unwrap(), 7);
        for _ in &crowd {
            end.send(()).unwrap();
        }
        for one in crowd {
            one.await.unwrap().unwrap();
        }
    }

    #[test]
    fn the_login_queue_is_short() {
        let gate = LoginGate::default();
        let mut places: Vec<_> = (0..LOGIN_QUEUE_MAX).map(|_| gate.acquire_place()).collect();
        assert!(places.iter().all(Option::is_some) && gate.acquire_place().is_none());
        places.pop();
        assert!(gate.acquire_place().is_some());
    }

    #[tokio::test]
    async fn work_keeps_its_permit_when_nobody_waits() {
        let pool = Arc::new(BlockingPool::with_permits(1));
        let permits = pool.permits.all.clone();
        let (begin, begun) = tokio::sync::oneshot::channel();
        let (end, ended) = std::sync::mpsc::channel::<()>();
        let work = move || {
            begin.send(()).unwrap();
            ended.recv().unwrap();
        };
        let client = tokio::spawn(async move { pool.run(PoolShare::Whole, work).await });
        begun.await.unwrap();
        client.abort();
        assert!(client.await.unwrap_err().is_cancelled());
        assert_eq!(permits.available_permits(), 0);
        end.send(()).unwrap();
        assert!(permits.acquire().await.is_ok());
    }

    #[tokio::test]
    async fn those_who_wait_are_counted_until_they_leave() {
        let pool = Arc::new(BlockingPool::with_permits(1));
        let permits = pool.permits.all.clone();
        let taken = permits.acquire().await.unwrap();
        let wait = || {
            let pool = pool.clone();
            tokio::spawn(async move { pool.run(PoolShare::Whole, || ()).await })
        };
        let (leaves, stays) = (wait(), wait());
        while pool.n_waiting() < 2 {
            tokio::task::yield_now().await;
        }
        leaves.abort();
        assert!(leaves.await.unwrap_err().is_cancelled());
        assert_eq!(pool.n_waiting(), 1);
        drop(taken);
        stays.await.unwrap().unwrap();
        assert_eq!(pool.n_waiting(), 0);
    }
}
