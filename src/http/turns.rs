//! Turns on blocking threads: how much of what takes long is done at once.

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

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

#[cfg(test)]
mod tests {
    use super::*;

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
