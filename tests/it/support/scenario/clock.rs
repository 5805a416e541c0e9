//! The clock of a scenario: moved by hand, and broken on purpose.

use std::sync::atomic::AtomicI32;
use std::sync::atomic::Ordering::SeqCst;

use recto::stdx::clock::Clock;
use recto::stdx::clock::TestClock;
use recto::stdx::time::Timestamp;

/// A test clock that can break: it then panics once, as a bug in a handler would.
pub(super) struct ScenarioClock {
    pub(super) time: TestClock,
    pub(super) looks_left: AtomicI32,
}

impl ScenarioClock {
    /// A clock that works, at this time.
    pub(super) fn at(time: &str) -> ScenarioClock {
        let time = TestClock::at(Timestamp::parse(time).unwrap());
        ScenarioClock { time, looks_left: AtomicI32::new(0) }
    }
}

impl Clock for ScenarioClock {
    fn now(&self) -> Timestamp {
        if self.looks_left.fetch_sub(1, SeqCst) == 1 {
            panic!("the clock broke, as the scenario says");
        }
        self.time.now()
    }
}
