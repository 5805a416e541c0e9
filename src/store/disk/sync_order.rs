//! The order of syncs that may run at the same time.
//!
//! A file system with a journal, such as ext4 or XFS, commits the changes of names that precede a
//! sync of a file together with it. A folder that is synced afterwards has nothing left to write.
//! If they are synced at the same time, each often needs a commit of its own. On ext4 without a
//! journal, it is faster to sync them at the same time. Only their times tell which is the case.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::time::Duration;

/// One in so many rounds syncs files first to measure whether that is faster.
const TRY_EVERY: u32 = 64;

/// Folders that take less than this share of the time of the files had nothing left to write.
const COVERED_SHARE: u32 = 4;

/// The order in which files and folders are synced. Both orders are safe: a round is over when all
/// of them are durable.
#[derive(Debug, Default)]
pub(super) struct SyncOrder {
    /// True if folders were covered by the sync of the files when that was measured last.
    are_folders_covered: AtomicBool,
    n_rounds: AtomicU32,
}

impl SyncOrder {
    /// Begins a round. Returns true if it syncs files first and folders after them, and measures
    /// both.
    pub(super) fn begin_round(&self) -> bool {
        let round = self.n_rounds.fetch_add(1, Relaxed);
        self.are_folders_covered.load(Relaxed) || round.is_multiple_of(TRY_EVERY)
    }

    /// Records how long files took, and then folders.
    pub(super) fn record_times(&self, files: Duration, folders: Duration) {
        self.are_folders_covered.store(folders < files / COVERED_SHARE, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_first_while_that_covers_folders() {
        let order = SyncOrder::default();
        let us = Duration::from_micros;
        let count_first = |n: u32| (0..n).filter(|_| order.begin_round()).count();
        // Once in a while this is tried, …
        assert_eq!(count_first(2 * TRY_EVERY), 2);
        order.record_times(us(400), us(200));
        assert_eq!(count_first(2 * TRY_EVERY), 2);
        // … and kept while it is faster.
        order.record_times(us(400), us(20));
        assert_eq!(count_first(2 * TRY_EVERY), 128);
        order.record_times(us(400), us(100));
        assert_eq!(count_first(TRY_EVERY), 1);
    }
}
