//! Concurrent syncs: those that run at the same time may share a commit of the file system's
//! journal and a flush of the disk (see `sync_order`). The threads that help are kept for the next
//! syncs, because starting a thread costs more than waking one.

use std::collections::VecDeque;
use std::io;
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rustix::fs;

use crate::stdx::sync::{Condvar, Mutex};
use crate::store::disk::sync_order::SyncOrder;

/// The maximum number of threads that help.
const HELPERS_MAX: usize = 15;

/// The time after which a thread without work ends.
const IDLE: Duration = Duration::from_secs(10);

/// Threads that help with syncs. They end with the pool.
#[derive(Debug, Default)]
pub(super) struct SyncPool {
    shared: Arc<PoolShared>,
    order: SyncOrder,
}

#[derive(Debug, Default)]
struct PoolShared {
    state: Mutex<PoolState>,
    called: Condvar,
}

#[derive(Debug, Default)]
struct PoolState {
    /// The rounds to help with; one may be listed several times, once for each helper it can use.
    calls: VecDeque<Arc<SyncRound>>,
    n_helpers: usize,
    n_idle: usize,
    is_closed: bool,
}

/// Files and folders that are synced together.
#[derive(Debug)]
struct SyncRound {
    handles: Vec<Arc<OwnedFd>>,
    /// The place of the first one that nobody has begun.
    next: AtomicUsize,
    outcome: Mutex<SyncOutcome>,
    finished: Condvar,
}

#[derive(Debug)]
struct SyncOutcome {
    n_left: usize,
    error: Option<io::Error>,
}

impl SyncPool {
    /// Syncs files and folders, and returns an error if one of them could not be synced.
    pub(super) fn sync_files_and_folders(
        &self,
        mut files: Vec<Arc<OwnedFd>>,
        folders: Vec<Arc<OwnedFd>>,
    ) -> io::Result<()> {
        if files.is_empty() || folders.is_empty() || !self.order.begin_round() {
            files.extend(folders);
            return self.sync_handles(files);
        }
        let began = Instant::now();
        self.sync_handles(files)?;
        let synced_files = Instant::now();
        self.sync_handles(folders)?;
        self.order.record_times(synced_files - began, synced_files.elapsed());
        Ok(())
    }

    /// Syncs these at the same time.
    fn sync_handles(&self, handles: Vec<Arc<OwnedFd>>) -> io::Result<()> {
        if let [handle] = handles.as_slice() {
            return Ok(fs::fsync(handle)?);
        }
        let n_handles = handles.len();
        let round = Arc::new(SyncRound {
            handles,
            next: AtomicUsize::new(0),
            outcome: Mutex::new(SyncOutcome { n_left: n_handles, error: None }),
            finished: Condvar::new(),
        });
        self.shared.call_helpers(&round, n_handles.saturating_sub(1).min(HELPERS_MAX));
        // Whatever the helpers do not begin, this thread does.
        round.sync_rest();
        self.shared.state.lock().calls.retain(|it| !Arc::ptr_eq(it, &round));
        let mut outcome = round.finished.wait_while(round.outcome.lock(), |it| it.n_left > 0);
        outcome.error.take().map_or(Ok(()), Err)
    }
}

impl Drop for SyncPool {
    fn drop(&mut self) {
        self.shared.state.lock().is_closed = true;
        self.shared.called.notify_all();
    }
}

impl PoolShared {
    fn call_helpers(self: &Arc<Self>, round: &Arc<SyncRound>, n_wanted: usize) {
        let mut state = self.state.lock();
        state.calls.extend((0..n_wanted).map(|_| Arc::clone(round)));
        let n_missing = state.calls.len().saturating_sub(state.n_idle);
        let n_new = n_missing.min(HELPERS_MAX.saturating_sub(state.n_helpers));
        state.n_helpers += n_new;
        drop(state);
        (0..n_wanted).for_each(|_| self.called.notify_one());
        for _ in 0..n_new {
            let shared = Arc::clone(self);
            let started = thread::Builder::new().name("sync".into()).spawn(move || shared.help());
            if started.is_err() {
                // The other threads do the work.
                self.state.lock().n_helpers -= 1;
            }
        }
    }

    /// Helps with syncs until there are none for a while.
    fn help(&self) {
        let mut state = self.state.lock();
        loop {
            if let Some(round) = state.calls.pop_front() {
                drop(state);
                round.sync_rest();
                drop(round);
                state = self.state.lock();
                continue;
            }
            state.n_idle += 1;
            let is_idle = |it: &mut PoolState| it.calls.is_empty() && !it.is_closed;
            state = self.called.wait_timeout_while(state, IDLE, is_idle);
            state.n_idle -= 1;
            if state.calls.is_empty() {
                break;
            }
        }
        state.n_helpers -= 1;
    }
}

impl SyncRound {
    /// Syncs what nobody else has begun.
    fn sync_rest(&self) {
        while let Some(handle) = self.handles.get(self.next.fetch_add(1, Ordering::Relaxed)) {
            let synced = fs::fsync(handle);
            let mut outcome = self.outcome.lock();
            outcome.n_left -= 1;
            if let Err(error) = synced {
                outcome.error.get_or_insert(error.into());
            }
            if outcome.n_left == 0 {
                self.finished.notify_all();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use super::*;

    fn handles(count: usize) -> Vec<Arc<OwnedFd>> {
        (0..count).map(|_| Arc::new(tempfile::tempfile().unwrap().into())).collect()
    }

    #[test]
    fn all_are_synced_by_many_at_a_time() {
        let pool = SyncPool::default();
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for count in [0, 1, 2, 40] {
                        pool.sync_handles(handles(count)).unwrap();
                    }
                });
            }
        });
        let state = pool.shared.state.lock();
        assert!(state.n_helpers <= HELPERS_MAX, "{}", state.n_helpers);
    }

    #[test]
    fn one_failure_is_the_failure_of_all() {
        let pool = SyncPool::default();
        let mut handles = handles(3);
        // A pipe cannot be synced.
        handles.insert(1, Arc::new(std::io::pipe().unwrap().0.into()));
        assert!(pool.sync_handles(handles).is_err());
        pool.sync_handles(vec![Arc::new(File::open("/").unwrap().into())]).unwrap();
        let pipe = || vec![Arc::new(std::io::pipe().unwrap().0.into())];
        for _ in 0..45 {
            assert!(pool.sync_files_and_folders(self::handles(2), pipe()).is_err());
            assert!(pool.sync_files_and_folders(pipe(), self::handles(2)).is_err());
            pool.sync_files_and_folders(self::handles(2), self::handles(1)).unwrap();
        }
    }

    #[test]
    fn helpers_end_with_their_pool() {
        let pool = SyncPool::default();
        pool.sync_handles(handles(8)).unwrap();
        let shared = Arc::clone(&pool.shared);
        drop(pool);
        while shared.state.lock().n_helpers > 0 {
            thread::yield_now();
        }
    }
}
