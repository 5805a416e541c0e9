//! The health of the disk. After a failed sync nobody can say what is durable, so nothing is
//! written until the disk has shown that it works again.

use std::time::Duration;
use std::time::Instant;

use crate::engine::error::CommitError;
use crate::engine::error::WriteRefusal;
use crate::stdx::sync::Mutex;
use crate::store::disk;
use crate::store::disk::Disk;
use crate::store::error::StoreError;
use crate::store::lock::WriteLock;
use crate::store::write::half_deleted;
use crate::store::write::journal;

/// The shortest pause between attempts at a disk that failed.
const TRY_EVERY: Duration = Duration::from_millis(250);

/// The time for which a probe of the disk stands.
const PROBE_EVERY: Duration = Duration::from_secs(5);

/// The health of the disk.
#[derive(Default)]
pub(crate) struct DiskHealth {
    doubt: Mutex<Option<DiskFailure>>,
    /// The time of the last probe, and true if it succeeded.
    probe: Mutex<Option<(Instant, bool)>>,
}

struct DiskFailure {
    reason: String,
    tried: Instant,
}

impl DiskHealth {
    /// Refuses writes until [`DiskHealth::verify`] has succeeded.
    pub(crate) fn suspend(&self, error: &StoreError) -> CommitError {
        let reason = error.to_string();
        tracing::error!(%error, "the disk failed; nothing is written until it works again");
        let doubt = DiskFailure { reason: reason.clone(), tried: Instant::now() };
        *self.doubt.lock() = Some(doubt);
        CommitError::Unverified(reason)
    }

    /// Returns true if writes are refused.
    pub(crate) fn is_suspended(&self) -> bool {
        self.doubt.lock().is_some()
    }

    /// Returns the reason for which writes are refused, if they are.
    pub(crate) fn suspension(&self) -> Option<String> {
        self.doubt.lock().as_ref().map(|it| it.reason.clone())
    }

    /// Returns true if the disk takes what is written, as of a few seconds ago at most.
    pub(crate) fn probe(&self, disk: &dyn Disk) -> bool {
        let mut probe = self.probe.lock();
        let kept = probe.filter(|(at, _)| at.elapsed() < PROBE_EVERY).map(|(_, writable)| writable);
        kept.unwrap_or_else(|| {
            let writable = write_probe_files(disk).is_ok();
            *probe = Some((Instant::now(), writable));
            writable
        })
    }

    /// Tries a disk that failed, when it is time to. Returns true if it works again; a disk that
    /// did not fail is not tried.
    pub(crate) fn verify(
        &self,
        disk: &dyn Disk,
        lock: Option<&WriteLock>,
    ) -> Result<bool, WriteRefusal> {
        let tried = Instant::now();
        {
            let mut health = self.doubt.lock();
            let Some(doubt) = health.as_mut() else { return Ok(false) };
            if doubt.tried.elapsed() < TRY_EVERY {
                return Err(WriteRefusal::Unverified(doubt.reason.clone()));
            }
            doubt.tried = tried;
        }
        // A writer that has the turn takes the doubt when the disk fails again, so nobody who holds
        // the doubt may wait for the turn.
        let turn = lock.ok_or(WriteRefusal::ReadOnly)?.acquire_turn();
        let probed = turn.and_then(|turn| probe_disk(disk).map(|()| turn));
        let mut health = self.doubt.lock();
        match (health.as_mut(), probed) {
            (None, _) => Ok(false),
            (Some(doubt), Ok(_turn)) if doubt.tried == tried => {
                *health = None;
                tracing::warn!("the disk works again");
                Ok(true)
            }
            // It failed again in the meantime.
            (Some(doubt), Ok(_)) => Err(WriteRefusal::Unverified(doubt.reason.clone())),
            (Some(doubt), Err(error)) => {
                doubt.reason = error.to_string();
                Err(WriteRefusal::Unverified(doubt.reason.clone()))
            }
        }
    }
}

/// Finishes what is under way, then writes a file for nothing, durably.
fn probe_disk(disk: &dyn Disk) -> Result<(), StoreError> {
    journal::recover_changes(disk)?;
    half_deleted::undo_half_deletions(disk)?;
    write_probe_files(disk)?;
    for folder in disk::unfinished_folders(disk) {
        disk.sync_folder(folder).map_err(StoreError::io("sync", folder))?;
    }
    Ok(())
}

/// Writes a probe file where content is written, and one where the state is.
fn write_probe_files(disk: &dyn Disk) -> Result<(), StoreError> {
    for folder in disk::unfinished_folders(disk) {
        disk::make_folders(disk, folder)?;
        let probe = disk::unfinished_in(folder);
        disk.write_new(&probe, b"probe", 0o600).map_err(StoreError::io("write", &probe))?;
        disk.remove(&probe).map_err(StoreError::io("remove", &probe))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::disk::memory::MemDisk;

    fn failure() -> StoreError {
        StoreError::io("sync", "content")(std::io::Error::other("broken"))
    }

    /// Makes it time for the next try, and returns when the last one seems to have been.
    fn make_time_pass(health: &DiskHealth) -> Instant {
        let mut doubt = health.doubt.lock();
        let tried = &mut doubt.as_mut().unwrap().tried;
        *tried -= TRY_EVERY;
        *tried
    }

    #[test]
    fn a_disk_that_fails_again_while_it_is_tried_stays_in_doubt() {
        let (folder, disk) = (tempfile::tempdir().unwrap(), MemDisk::new());
        let lock = WriteLock::open(folder.path()).unwrap();
        let health = DiskHealth::default();
        assert!(!health.verify(&disk, Some(&lock)).unwrap());
        health.suspend(&failure());
        let before = make_time_pass(&health);
        let turn = lock.acquire_turn().unwrap();
        std::thread::scope(|scope| {
            let tried = scope.spawn(|| health.verify(&disk, Some(&lock)));
            while health.doubt.lock().as_ref().unwrap().tried == before {
                std::thread::yield_now();
            }
            // The writer that has the turn finds that the disk fails again.
            health.suspend(&failure());
            drop(turn);
            assert!(tried.join().unwrap().is_err());
        });
        assert!(health.is_suspended());
        make_time_pass(&health);
        assert!(health.verify(&disk, Some(&lock)).unwrap());
        assert!(!health.is_suspended());
    }
}
