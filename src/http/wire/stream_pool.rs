//! The pool for making long responses: limited in total and for each client.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::Weak;

use tokio::sync::Semaphore;
use tokio::task::JoinError;
use tokio::task::spawn_blocking;

use super::headers::client_block;
use crate::stdx::processor::count_cores;
use crate::stdx::sync::Mutex;

/// The permits per core. A permit is held for the few milliseconds in which two frames are written
/// and compressed. More permits would only delay short responses.
pub(crate) const STREAM_PERMITS_PER_CORE: usize = 2;

/// The number of known clients from which on those without streams are removed.
const CLIENTS_SWEPT: usize = 64;

/// A pool of permits for making pieces of long responses. One client gets at most half of them,
/// however many responses it requests.
pub struct StreamPool {
    all: Arc<Semaphore>,
    of_one: usize,
    clients: Mutex<HashMap<IpAddr, Weak<Semaphore>>>,
}

impl Default for StreamPool {
    fn default() -> Self {
        let cores = count_cores();
        StreamPool::with_permits(cores * STREAM_PERMITS_PER_CORE)
    }
}

impl StreamPool {
    /// Creates a pool with this many permits.
    pub(super) fn with_permits(permits: usize) -> StreamPool {
        let all = Arc::new(Semaphore::new(permits));
        StreamPool { all, of_one: permits.div_ceil(2), clients: Mutex::default() }
    }

    /// Returns the pool of a client.
    pub fn pool_of(&self, client: IpAddr) -> ClientStreamPool {
        let mut clients = self.clients.lock();
        if clients.len() >= CLIENTS_SWEPT {
            clients.retain(|_, it| it.strong_count() > 0);
        }
        let kept = clients.entry(client_block(client)).or_default();
        let own = kept.upgrade().unwrap_or_else(|| Arc::new(Semaphore::new(self.of_one)));
        *kept = Arc::downgrade(&own);
        ClientStreamPool { all: self.all.clone(), own }
    }
}

/// The pool of one client within the pool of all.
#[derive(Clone)]
pub struct ClientStreamPool {
    all: Arc<Semaphore>,
    own: Arc<Semaphore>,
}

impl ClientStreamPool {
    /// Runs `work` on a blocking thread when the client has a permit.
    ///
    /// # Errors
    ///
    /// Fails if the work panicked.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, JoinError> {
        // In this order, a client that waits for its own permits does not hold those of others.
        let own = self.own.clone().acquire_owned().await;
        let permit = self.all.clone().acquire_owned().await;
        let with_permit = move || {
            let _permits = (own, permit);
            work()
        };
        spawn_blocking(with_permit).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn one_client_does_not_get_all_turns() {
        let streams = Arc::new(StreamPool::with_permits(2));
        let (end, ended) = std::sync::mpsc::channel::<()>();
        let (begin, mut begun) = tokio::sync::mpsc::unbounded_channel();
        let ended = Arc::new(Mutex::new(ended));
        for _ in 0..5 {
            let (pool, begin, ended) =
                (streams.pool_of([192, 0, 2, 1].into()), begin.clone(), ended.clone());
            tokio::spawn(async move {
                let work = move || {
                    begin.send(()).unwrap();
                    ended.lock().recv().unwrap();
                };
                pool.run(work).await.unwrap();
            });
        }
        begun.recv().await.unwrap();
        // The first client has one of two permits and four waiting responses; the second is not
        // delayed.
        streams.pool_of([192, 0, 2, 2].into()).run(|| ()).await.unwrap();
        assert!(begun.try_recv().is_err());
        (0..5).for_each(|_| end.send(()).unwrap());
        for _ in 1..5 {
            begun.recv().await.unwrap();
        }
    }

    #[test]
    fn clients_that_have_gone_are_forgotten() {
        let streams = StreamPool::with_permits(2);
        let kept = streams.pool_of([192, 0, 2, 1].into());
        for n in 0..1_000_u32 {
            streams.pool_of(std::net::Ipv4Addr::from(n).into());
        }
        assert!(streams.clients.lock().len() <= CLIENTS_SWEPT + 1);
        assert!(Arc::ptr_eq(&kept.own, &streams.pool_of([192, 0, 2, 1].into()).own));
    }
}
