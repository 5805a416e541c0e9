//! The memory for decoding pictures: one budget for all of it, cut to what this process may use.

use std::sync::Condvar;
use std::sync::Mutex;
use std::sync::MutexGuard;
use std::sync::PoisonError;
use std::time::Duration;
use std::time::Instant;

use crate::store::memory;

/// The largest budget, in bytes.
const BUDGET_BYTES_MAX: u64 = 768 * 1024 * 1024;

/// The part of the memory still free when nothing is decoded that decoding may take: four fifths.
const SHARE: (u64, u64) = (4, 5);

/// How long to wait for a part of the budget.
const WAIT_MAX: Duration = Duration::from_secs(20);

/// The budget. A picture is decoded only while its memory is set aside here, and only as many at
/// once as there are cores.
#[derive(Default)]
pub struct DecodeBudget {
    state: Mutex<State>,
    freed: Condvar,
}

#[derive(Default)]
struct State {
    running: usize,
    used_bytes: u64,
    total_bytes: u64,
}

/// Why no memory is set aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoMemory {
    /// It is more than there is for all pictures together.
    TooLarge,
    /// Others have it, and keep it for long.
    Busy,
}

impl DecodeBudget {
    /// Sets memory aside, waiting for others to give some back.
    ///
    /// # Errors
    /// It will never be free, or not soon.
    pub fn take(&self, bytes: u64) -> Result<Share<'_>, NoMemory> {
        self.take_of(bytes, budget_bytes, Instant::now() + WAIT_MAX)
    }

    fn take_of(
        &self,
        bytes: u64,
        budget_bytes: impl Fn() -> u64,
        deadline: Instant,
    ) -> Result<Share<'_>, NoMemory> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let mut state = self.lock();
        loop {
            // What is free is looked at while no picture is a part of what is used.
            if state.running == 0 {
                state.total_bytes = budget_bytes();
            }
            if bytes > state.total_bytes {
                return Err(NoMemory::TooLarge);
            }
            let used_bytes = state.used_bytes.saturating_add(bytes);
            if state.running < cores && used_bytes <= state.total_bytes {
                state.running += 1;
                state.used_bytes = used_bytes;
                return Ok(Share { budget: self, bytes });
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(NoMemory::Busy);
            }
            let waited = self.freed.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    // The numbers are whole after every step, so poison means nothing.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How much memory all pictures may take that are decoded at once.
fn budget_bytes() -> u64 {
    budget_of(memory::limit_bytes(), memory::resident_bytes())
}

fn budget_of(limit_bytes: Option<u64>, resident_bytes: Option<u64>) -> u64 {
    let Some(limit) = limit_bytes else { return BUDGET_BYTES_MAX };
    let free = limit.saturating_sub(resident_bytes.unwrap_or_default());
    BUDGET_BYTES_MAX.min(free / SHARE.1 * SHARE.0)
}

/// Memory that is set aside, given back when dropped.
pub struct Share<'a> {
    budget: &'a DecodeBudget,
    bytes: u64,
}

impl Drop for Share<'_> {
    fn drop(&mut self) {
        let mut state = self.budget.lock();
        state.running = state.running.saturating_sub(1);
        state.used_bytes = state.used_bytes.saturating_sub(self.bytes);
        drop(state);
        self.budget.freed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: u64 = 1024 * 1024;

    #[test]
    fn the_budget_is_a_part_of_what_is_free() {
        let check = |limit: Option<u64>, resident: Option<u64>, expect: u64| {
            assert_eq!(budget_of(limit, resident), expect, "{limit:?} {resident:?}");
        };
        check(None, Some(1), BUDGET_BYTES_MAX);
        check(Some(24_000 * MIB), Some(100 * MIB), BUDGET_BYTES_MAX);
        check(Some(255 * MIB), Some(55 * MIB), 160 * MIB);
        check(Some(100 * MIB), None, 80 * MIB);
        check(Some(100 * MIB), Some(200 * MIB), 0);
    }

    #[test]
    fn what_is_decoded_at_once_fits_the_budget() {
        let budget = DecodeBudget::default();
        let take = |bytes| budget.take_of(bytes, || 100, Instant::now());
        assert_eq!(take(101).err(), Some(NoMemory::TooLarge));
        let first = take(60).ok();
        assert!(first.is_some());
        assert_eq!(take(41).err(), Some(NoMemory::Busy));
        drop(first);
        assert!(take(100).is_ok());
        assert_eq!(budget.lock().used_bytes, 0);
    }

    #[test]
    fn who_waits_gets_what_is_given_back() {
        let budget = DecodeBudget::default();
        let most = std::sync::atomic::AtomicU64::new(0);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..50 {
                        let deadline = Instant::now() + WAIT_MAX;
                        let share = budget.take_of(60, || 100, deadline).ok().unwrap();
                        most.fetch_max(
                            budget.lock().used_bytes,
                            std::sync::atomic::Ordering::SeqCst,
                        );
                        drop(share);
                    }
                });
            }
        });
        assert_eq!(most.into_inner(), 60);
    }
}
