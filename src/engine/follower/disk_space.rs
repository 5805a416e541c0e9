//! The room on the disk, and how much of it the files take.

use std::time::Duration;
use std::time::Instant;

use crate::engine::follower::Follower;
use crate::store::read::sweep::Reconciler;

/// The time for which the sum of all files stands.
const SUM_EVERY: Duration = Duration::from_secs(60);

/// The room on the disk.
#[derive(Clone, Copy, Debug)]
pub struct DiskSpace {
    /// Bytes that can still be written, where that is known.
    pub free_bytes: Option<u64>,
    /// Bytes of the files that are served or read: content, media and what belongs to them, without
    /// revisions, trash and backups.
    pub data_bytes: u64,
}

impl Follower {
    /// Returns the room on the disk, and the bytes of the files as of a minute ago at most. They
    /// are summed up from what is known, without a walk through the folder.
    pub fn disk_space(&self) -> DiskSpace {
        let mut summed = self.summed.lock();
        let fresh = summed.filter(|(at, _)| at.elapsed() < SUM_EVERY).map(|(_, bytes)| bytes);
        let data_bytes = fresh.unwrap_or_else(|| {
            let known = |reconciler: &Reconciler| reconciler.stat_index().total_bytes();
            let bytes = match (self.reconciler.try_lock(), *summed) {
                (Some(reconciler), _) => known(&reconciler),
                // While the folder is looked at, what was known before will do.
                (None, Some((_, bytes))) => return bytes,
                (None, None) => known(&self.reconciler()),
            };
            *summed = Some((Instant::now(), bytes));
            bytes
        });
        DiskSpace { free_bytes: self.folder.free_bytes(), data_bytes }
    }
}
