//! The last accepted bodies of entries and schemas: what stands in for a file that is broken, and
//! what is left for a week of one that was deleted by hand.

use std::sync::Arc;

use crate::engine::Engine;
use crate::stdx::sum::Sum;
use crate::stdx::time::Timestamp;
use crate::store::disk::Disk;
use crate::store::disk::Stat;
use crate::store::lastgood;
use crate::store::pack::Pack;
use crate::store::pack::Withdrawn;

impl Engine {
    /// Keeps a body that was accepted.
    pub(super) fn keep_body(&self, path: &str, bytes: &[u8], stat: &Stat, sum: Sum) {
        if let Some(pack) = &self.pack {
            pack.put(path, stat, sum, bytes);
        }
    }

    /// Writes what was kept to the disk.
    pub(super) fn flush_bodies(&self) {
        if let Some(pack) = &self.pack {
            pack.flush();
        }
    }

    /// Puts the bodies of deleted files by, where nobody waits for it.
    pub(super) fn put_by(&self, paths: Vec<String>) {
        let Some(pack) = self.pack.clone() else { return };
        if paths.is_empty() {
            return;
        }
        // Taken out at once, because the files may be made anew at once.
        let bodies: Vec<Withdrawn> = paths.iter().filter_map(|it| pack.withdraw(it)).collect();
        let (disk, now) = (self.disk.clone(), self.clock.now());
        self.errands.add(move || put_by(&*disk, &pack, &bodies, now));
    }
}

fn put_by(disk: &dyn Disk, pack: &Arc<Pack>, bodies: &[Withdrawn], now: Timestamp) {
    for body in bodies {
        if let Some(bytes) = body.read()
            && let Err(error) = lastgood::keep(disk, &body.path, &bytes, now)
        {
            tracing::warn!(%error, "the last body of a deleted file is not kept");
        }
    }
    if let Err(error) = lastgood::prune(disk, now) {
        tracing::warn!(%error, "old bodies of deleted files are not removed");
    }
    pack.flush();
}
