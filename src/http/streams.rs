//! Turns for making long answers: few of them, and never all for one client.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::Weak;

use tokio::sync::Semaphore;
use tokio::task::JoinError;
use tokio::task::spawn_blocking;

use super::headers::client_block;

/// Turns for the pieces of long answers, per core. One is as long as it takes to write and compress
/// two frames, a few milliseconds; more at once would only take the processors from short answers.
const STREAM_TURNS_PER_CORE: usize = 2;

/// So many clients are known before those that have gone are forgotten.
const CLIENTS_SWEPT: usize = 64;

/// Turns for the pieces of long answers. One client gets half of them at most, however many answers
/// it asks for.
pub struct Streams {
    all: Arc<Semaphore>,
    of_one: usize,
    clients: Mutex<HashMap<IpAddr, Weak<Semaphore>>>,
}

impl Default for Streams {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Streams::of(cores * STREAM_TURNS_PER_CORE)
    }
}

impl Streams {
    /// So many turns.
    pub(super) fn of(turns: usize) -> Streams {
        let all = Arc::new(Semaphore::new(turns));
        Streams { all, of_one: turns.div_ceil(2), clients: Mutex::default() }
    }

    /// The turns of a client.
    pub fn turns_of(&self, client: IpAddr) -> StreamTurns {
        // The map is whole after every step, so poison means nothing.
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        if clients.len() >= CLIENTS_SWEPT {
            clients.retain(|_, it| it.strong_count() > 0);
        }
        let kept = clients.entry(client_block(client)).or_default();
        let own = kept.upgrade().unwrap_or_else(|| Arc::new(Semaphore::new(self.of_one)));
        *kept = Arc::downgrade(&own);
        StreamTurns { all: self.all.clone(), own }
    }
}

/// The turns of one client among those of all.
#[derive(Clone)]
pub struct StreamTurns {
    all: Arc<Semaphore>,
    own: Arc<Semaphore>,
}

impl StreamTurns {
    /// Does `work` on a blocking thread when it is this client's turn.
    ///
    /// # Errors
    /// The work panicked.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, JoinError> {
        // In this order: whoever waits for its own turns keeps nobody else from theirs.
        let own = self.own.clone().acquire_owned().await;
        let turn = self.all.clone().acquire_owned().await;
        let in_turn = move || {
            let _turns = (own, turn);
            work()
        };
        spawn_blocking(in_turn).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn one_client_does_not_get_all_turns() {
        let streams = Arc::new(Streams::of(2));
        let (end, ended) = std::sync::mpsc::channel::<()>();
        let (begin, mut begun) = tokio::sync::mpsc::unbounded_channel();
        let ended = Arc::new(Mutex::new(ended));
        for _ in 0..5 {
            let (turns, begin, ended) =
                (streams.turns_of([192, 0, 2, 1].into()), begin.clone(), ended.clone());
            tokio::spawn(async move {
                let work = move || {
                    begin.send(()).unwrap();
                    ended.lock().unwrap().recv().unwrap();
                };
                turns.run(work).await.unwrap();
            });
        }
        begun.recv().await.unwrap();
        // The first has one of two turns and four answers wait for it; the second is not kept.
        streams.turns_of([192, 0, 2, 2].into()).run(|| ()).await.unwrap();
        assert!(begun.try_recv().is_err());
        (0..5).for_each(|_| end.send(()).unwrap());
        for _ in 1..5 {
            begun.recv().await.unwrap();
        }
    }

    #[test]
    fn clients_that_have_gone_are_forgotten() {
        let streams = Streams::of(2);
        let kept = streams.turns_of([192, 0, 2, 1].into());
        for n in 0..1_000_u32 {
            streams.turns_of(std::net::Ipv4Addr::from(n).into());
        }
        assert!(streams.clients.lock().unwrap().len() <= CLIENTS_SWEPT + 1);
        assert!(Arc::ptr_eq(&kept.own, &streams.turns_of([192, 0, 2, 1].into()).own));
    }
}
