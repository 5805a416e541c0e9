//! Whether the disk keeps what it is given. After a failed sync nobody can say what is durable, so
//! nothing is written until the disk has shown that it works again.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::TryLockError;
use std::time::Duration;
use std::time::Instant;

use crate::engine::Engine;
use crate::engine::commit::CommitError;
use crate::store::disk;
use crate::store::disk::Disk;
use crate::store::error::StoreError;
use crate::store::half_deleted;
use crate::store::journal;
use crate::store::layout;
use crate::store::layout::Folder;
use crate::store::sweep::Reconciler;

/// How often a disk that failed is tried again at most.
const TRY_EVERY: Duration = Duration::from_millis(250);

/// How long the sum of all files stands.
const SUM_EVERY: Duration = Duration::from_secs(60);

/// How long a probe of the disk stands for others.
const PROBE_EVERY: Duration = Duration::from_secs(5);

/// What is known of the disk.
#[derive(Default)]
pub(super) struct Health {
    doubt: Mutex<Option<Doubt>>,
    /// When a file was written for nothing last, and whether it could be.
    probe: Mutex<Option<(Instant, bool)>>,
    /// When the files were summed up last, and how many bytes they had.
    summed: Mutex<Option<(Instant, u64)>>,
}

/// How much room there is.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    /// Bytes that can still be written, where that is known.
    pub free_bytes: Option<u64>,
    /// Bytes of the files that are served or read: content, media and what belongs to them, without
    /// revisions, trash and backups.
    pub data_bytes: u64,
}

struct Doubt {
    reason: String,
    tried: Instant,
}

impl Engine {
    /// Nothing is written any more until [`Engine::verify`] has succeeded.
    pub(super) fn doubt(&self, error: &StoreError) -> CommitError {
        let reason = error.to_string();
        tracing::error!(%error, "the disk failed; nothing is written until it works again");
        let doubt = Doubt { reason: reason.clone(), tried: Instant::now() };
        *self.health.doubt.lock().unwrap_or_else(PoisonError::into_inner) = Some(doubt);
        CommitError::Unverified(reason)
    }

    /// Whether writes are refused since the disk failed.
    pub fn is_in_doubt(&self) -> bool {
        self.health.doubt.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// Whether the disk takes what is written, as of a few seconds ago at most.
    pub fn is_writable(&self) -> bool {
        if self.read_only || self.is_outage() || self.is_in_doubt() {
            return false;
        }
        let mut probe = self.health.probe.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = probe.filter(|(at, _)| at.elapsed() < PROBE_EVERY).map(|(_, writable)| writable);
        kept.unwrap_or_else(|| {
            let writable = write_for_nothing(&*self.disk).is_ok();
            *probe = Some((Instant::now(), writable));
            writable
        })
    }

    /// Bytes that can still be written, where that is known.
    pub fn free_bytes(&self) -> Option<u64> {
        self.disk.free_bytes().ok()
    }

    /// How much room there is; the files as of a minute ago at most. What is known of them is summed
    /// up, so that the folder need not be walked.
    pub fn room(&self) -> Room {
        let mut summed = self.health.summed.lock().unwrap_or_else(PoisonError::into_inner);
        let fresh = summed.filter(|(at, _)| at.elapsed() < SUM_EVERY).map(|(_, bytes)| bytes);
        let data_bytes = fresh.unwrap_or_else(|| {
            let known = |reconciler: &Reconciler| reconciler.known().bytes();
            let bytes = match (self.reconciler.try_lock(), *summed) {
                (Ok(reconciler), _) => known(&reconciler),
                // While the folder is looked at, what was known before will do.
                (Err(TryLockError::WouldBlock), Some((_, bytes))) => return bytes,
                (Err(TryLockError::WouldBlock), None) => known(&self.reconciler()),
                (Err(TryLockError::Poisoned(poisoned)), _) => known(&poisoned.into_inner()),
            };
            *summed = Some((Instant::now(), bytes));
            bytes
        });
        Room { free_bytes: self.free_bytes(), data_bytes }
    }

    /// A folder could not be looked at when it had to be: what is served may not be what is there,
    /// so everything in it is looked at again.
    pub(super) fn miss(&self, folder: Folder) {
        self.missed.lock().unwrap_or_else(PoisonError::into_inner).insert(folder.path(), folder);
        self.watcher.sweep_now();
    }

    /// The folders to be looked at again.
    pub(super) fn take_missed(&self) -> Vec<Folder> {
        let mut missed = self.missed.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *missed).into_values().collect()
    }

    /// Tries a disk that failed, when it is time to. Without doubt nothing is done.
    pub(super) fn verify(&self) -> Result<(), CommitError> {
        let mut health = self.health.doubt.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(doubt) = health.as_mut() else { return Ok(()) };
        if doubt.tried.elapsed() < TRY_EVERY {
            return Err(CommitError::Unverified(doubt.reason.clone()));
        }
        doubt.tried = Instant::now();
        let Some(lock) = &self.write_lock else { return Err(CommitError::ReadOnly) };
        let tried = lock.take().and_then(|_turn| try_disk(&*self.disk));
        match tried {
            Ok(()) => {
                *health = None;
                tracing::warn!("the disk works again");
                // What it kept of the last changes is looked at.
                self.watcher.sweep_now();
                Ok(())
            }
            Err(error) => {
                doubt.reason = error.to_string();
                Err(CommitError::Unverified(doubt.reason.clone()))
            }
        }
    }
}

/// Finishes what is under way, then writes a file for nothing, durably.
fn try_disk(disk: &dyn Disk) -> Result<(), StoreError> {
    journal::recover(disk)?;
    half_deleted::undo(disk)?;
    write_for_nothing(disk)?;
    disk.sync_folder(layout::TMP).map_err(StoreError::io("sync", layout::TMP))
}

fn write_for_nothing(disk: &dyn Disk) -> Result<(), StoreError> {
    disk::make_folders(disk, layout::TMP)?;
    let probe = disk::unfinished(None);
    disk.write_new(&probe, b"probe", 0o600).map_err(StoreError::io("write", &probe))?;
    disk.remove(&probe).map_err(StoreError::io("remove", &probe))
}
