//! Clocks: the system's clock for the server, and a manual one for tests.

#[cfg(any(test, feature = "simulate"))]
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::stdx::time::Timestamp;

/// A source of the current time.
pub trait Clock: Send + Sync {
    /// Returns the current second.
    fn now(&self) -> Timestamp;
}

/// The clock of the machine.
#[derive(Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Timestamp::from_seconds(i64::try_from(since.as_secs()).unwrap_or(i64::MAX))
    }
}

/// A clock for tests, which only moves when it is set.
#[cfg(any(test, feature = "simulate"))]
#[derive(Debug)]
pub struct TestClock(AtomicI64);

#[cfg(any(test, feature = "simulate"))]
impl TestClock {
    /// Creates a clock that is set to `now`.
    pub fn at(now: Timestamp) -> TestClock {
        TestClock(AtomicI64::new(now.seconds()))
    }

    /// Sets the clock to `now`.
    pub fn set(&self, now: Timestamp) {
        self.0.store(now.seconds(), Ordering::SeqCst);
    }
}

#[cfg(any(test, feature = "simulate"))]
impl Clock for TestClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_seconds(self.0.load(Ordering::SeqCst))
    }
}
