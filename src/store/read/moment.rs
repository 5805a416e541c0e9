//! The present moment, as it compares with the times of files.

use std::time::{Instant, SystemTime, UNIX_EPOCH};

use crate::store::disk::Stat;

/// The time after a change during which another change may leave the stat unchanged: some file
/// systems have a resolution of two seconds.
const RACY_NS: i64 = 2_000_000_000;

/// The current time, for waits and for comparisons with the times of files.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// The monotonic time.
    pub instant: Instant,
    /// Nanoseconds since 1970.
    pub wall_ns: i64,
}

impl Moment {
    /// Returns the current time.
    pub fn now() -> Moment {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let wall_ns = i64::try_from(since.as_nanos()).unwrap_or(i64::MAX);
        Moment { instant: Instant::now(), wall_ns }
    }

    /// Returns true if a file with this stat, read now, may change without changing its stat.
    pub fn is_racy(&self, stat: &Stat) -> bool {
        let last = if stat.changed_ns == 0 { stat.modified_ns } else { stat.changed_ns };
        self.wall_ns.saturating_sub(last) < RACY_NS
    }
}
