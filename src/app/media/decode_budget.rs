//! The memory budget for decoding pictures, limited to what this process may use.

use std::time::Duration;
use std::time::Instant;

use crate::stdx::processor::count_cores;
use crate::stdx::sync::Condvar;
use crate::stdx::sync::Mutex;
use crate::store::process_memory;

/// The largest budget, in bytes.
const BUDGET_BYTES_MAX: u64 = 768 * 1024 * 1024;

/// The fraction of the free memory that decoding may take: four fifths.
const SHARE: (u64, u64) = (4, 5);

/// The longest wait for a part of the budget.
const WAIT_MAX: Duration = Duration::from_secs(20);

/// A memory budget. A picture is decoded only while its memory is reserved here, and at most as
/// many at once as there are cores.
#[derive(Default)]
pub struct DecodeBudget {
    state: Mutex<DecodeUsage>,
    freed: Condvar,
}

#[derive(Default)]
struct DecodeUsage {
    running: usize,
    used_bytes: u64,
    total_bytes: u64,
}

/// The reason why no memory was reserved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BudgetExhausted {
    /// More than the whole budget was requested.
    TooLarge,
    /// Other pictures keep the memory for too long.
    Busy,
}

impl DecodeBudget {
    /// Reserves memory, and waits until others release theirs.
    ///
    /// # Errors
    ///
    /// Fails if the budget is too small or is not released in time.
    pub fn acquire(&self, bytes: u64) -> Result<MemoryReservation<'_>, BudgetExhausted> {
        self.acquire_within(bytes, budget_bytes, Instant::now() + WAIT_MAX)
    }

    fn acquire_within(
        &self,
        bytes: u64,
        budget_bytes: impl Fn() -> u64,
        deadline: Instant,
    ) -> Result<MemoryReservation<'_>, BudgetExhausted> {
        let cores = count_cores();
        let mut state = self.state.lock();
        loop {
            // The free memory is measured only while no picture counts as used memory.
            if state.running == 0 {
                state.total_bytes = budget_bytes();
            }
            if bytes > state.total_bytes {
                return Err(BudgetExhausted::TooLarge);
            }
            let used_bytes = state.used_bytes.saturating_add(bytes);
            if state.running < cores && used_bytes <= state.total_bytes {
                state.running += 1;
                state.used_bytes = used_bytes;
                return Ok(MemoryReservation { budget: self, bytes });
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(BudgetExhausted::Busy);
            }
            state = self.freed.wait_timeout(state, left);
        }
    }
}

/// Returns the memory that all pictures decoded at once may take.
fn budget_bytes() -> u64 {
    compute_budget(process_memory::limit_bytes(), process_memory::resident_bytes())
}

fn compute_budget(limit_bytes: Option<u64>, resident_bytes: Option<u64>) -> u64 {
    let Some(limit) = limit_bytes else { return BUDGET_BYTES_MAX };
    let free = limit.saturating_sub(resident_bytes.unwrap_or_default());
    BUDGET_BYTES_MAX.min(free / SHARE.1 * SHARE.0)
}

/// A reservation of memory, released when dropped.
pub struct MemoryReservation<'a> {
    budget: &'a DecodeBudget,
    bytes: u64,
}

impl Drop for MemoryReservation<'_> {
    fn drop(&mut self) {
        let mut state = self.budget.state.lock();
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
            assert_eq!(compute_budget(limit, resident), expect, "{limit:?} {resident:?}");
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
        let take = |bytes| budget.acquire_within(bytes, || 100, Instant::now());
        assert_eq!(take(101).err(), Some(BudgetExhausted::TooLarge));
        let first = take(60).ok();
        assert!(first.is_some());
        assert_eq!(take(41).err(), Some(BudgetExhausted::Busy));
        drop(first);
        assert!(take(100).is_ok());
        assert_eq!(budget.state.lock().used_bytes, 0);
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
                        let share = budget.acquire_within(60, || 100, deadline).ok().unwrap();
                        most.fetch_max(
                            budget.state.lock().used_bytes,
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
