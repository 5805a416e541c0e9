//! The last accepted bodies of entries and schemas. They stand in for a broken file, and are kept
//! for a week when a file is deleted by hand.

use std::sync::Arc;

use crate::engine::folder::OpenFolder;
use crate::stdx::checksum::Checksum;
use crate::stdx::time::Timestamp;
use crate::store::disk::Disk;
use crate::store::disk::Stat;
use crate::store::layout::Key;
use crate::store::read::body_pack::BodyPack;
use crate::store::read::body_pack::WithdrawnBody;
use crate::store::read::removed_bodies;

impl OpenFolder {
    /// Keeps a body that was accepted.
    pub(crate) fn save_last_good(&self, path: &str, bytes: &[u8], stat: &Stat, sum: Checksum) {
        if let Some(pack) = &self.pack {
            pack.put_body(path, stat, sum, bytes);
        }
    }

    /// Writes what was kept to the disk.
    pub(crate) fn flush_last_good(&self) {
        if let Some(pack) = &self.pack {
            pack.flush();
        }
    }

    /// Puts the bodies of deleted files by, where nobody waits for it.
    pub(crate) fn withdraw_bodies(&self, paths: Vec<String>) {
        let Some(pack) = self.pack.clone() else { return };
        if paths.is_empty() || self.read_only {
            return;
        }
        // Taken out at once, because the files may be made anew at once.
        let bodies: Vec<WithdrawnBody> =
            paths.iter().filter_map(|it| pack.withdraw_body(it)).collect();
        let (disk, now) = (self.disk.clone(), self.clock.now());
        let known = self.removed_bodies.clone();
        self.errands.enqueue(move || {
            write_removed_bodies(&*disk, &pack, &bodies, now);
            known.record_body();
        });
    }

    /// Returns true if the body of a deleted file is kept, or will be soon.
    pub(crate) fn has_removed_body(&self, path: &str) -> bool {
        self.errands.is_busy()
            || self.removed_bodies.has_any(&*self.disk)
                && removed_bodies::find_newest(&*self.disk, path).is_some()
    }

    /// Returns true if a good version of a file is known.
    pub fn has_last_good(&self, path: &str) -> bool {
        self.pack.as_ref().is_some_and(|it| it.hold_body(path).is_some())
    }
}

/// Returns true if the last good body of a file is kept.
pub(crate) fn keeps_last_good(key: &Key) -> bool {
    use Key::{Categories, Entry, Schema, Settings, Workspace};
    matches!(key, Entry(..) | Schema(..) | Workspace(_) | Categories(_) | Settings)
}

fn write_removed_bodies(
    disk: &dyn Disk,
    pack: &Arc<BodyPack>,
    bodies: &[WithdrawnBody],
    now: Timestamp,
) {
    for body in bodies {
        if let Some(bytes) = body.read()
            && let Err(error) = removed_bodies::keep_body(disk, &body.path, &bytes, now)
        {
            tracing::warn!(%error, "the last body of a deleted file is not kept");
        }
    }
    if let Err(error) = removed_bodies::prune_expired(disk, now) {
        tracing::warn!(%error, "old bodies of deleted files are not removed");
    }
    pack.flush();
}
