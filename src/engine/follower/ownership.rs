//! The right to follow the folder, and the time to: another folder may stand in the place of the
//! one that was locked, and git may be in the midst of changing files.

use std::collections::HashMap;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;
use std::time::Instant;

use crate::engine::follower::Follower;
use crate::engine::follower::follow_state::FollowState;
use crate::store::error::StoreError;
use crate::store::read::git::GitState;
use crate::store::read::moment::Moment;
use crate::store::read::sweep::FileChange;
use crate::store::read::sweep::GitWork;
use crate::store::read::sweep::Reconciler;
use crate::store::read::sweep::SweepResult;
use crate::store::read::watch::DirtySet;
use crate::store::write::half_deleted;
use crate::store::write::journal;

/// The pause between attempts to take over a folder that another server has.
const LOCK_POLL: Duration = Duration::from_secs(1);

impl Follower {
    /// Looks at the folder, unless it is not the time to: then only when to try again is told.
    pub(crate) fn scan_folder(
        &self,
        reconciler: &mut Reconciler,
        dirty: &DirtySet,
    ) -> Result<SweepResult, Option<Instant>> {
        let mut following = self.following.lock();
        let is_there = || {
            self.folder.missing_state_folder().is_none() && reconciler.is_there(&*self.folder.disk)
        };
        if !self.folder.holds_lock() && is_there() {
            self.claim_folder(&mut following, reconciler)?;
        }
        let mut git = following.git.poll_state(Instant::now(), dirty.has_events());
        let mut is_first = true;
        loop {
            let now = Moment::now();
            let work = |since, is_certain| GitWork { since, is_certain };
            let mut step = match git {
                GitState::Busy(wake) => return Err(Some(wake)),
                GitState::Idle => reconciler.sweep_dirty(&*self.folder.disk, now, dirty),
                GitState::Done(since) => {
                    reconciler.sweep_after_git(&*self.folder.disk, now, work(since, true))
                }
                GitState::Wrote(since) => {
                    reconciler.sweep_after_git(&*self.folder.disk, now, work(since, false))
                }
            };
            if step.outage {
                return Ok(step);
            }
            following.held.append(&mut step.changes);
            // It may have been at work meanwhile: then that was half of what it did. Once more will
            // do; somebody may run one command after the other.
            git = following.git.poll_state(Instant::now(), false);
            if git == GitState::Idle || !is_first && !matches!(git, GitState::Busy(_)) {
                step.changes = keep_latest(std::mem::take(&mut following.held));
                return Ok(step);
            }
            is_first = false;
        }
    }

    /// Takes the folder that is there now, unless another server has it: then it is an outage, and
    /// when to try again is told.
    fn claim_folder(
        &self,
        following: &mut FollowState,
        reconciler: &mut Reconciler,
    ) -> Result<(), Option<Instant>> {
        let taken = self.folder.renew_locks().and_then(|lock| {
            if let Some(write_lock) = &self.folder.write_lock {
                self.folder.places.claim_folders()?;
                write_lock.reopen(self.folder.places.root())?;
                let _turn = write_lock.acquire_turn()?;
                journal::recover_changes(&*self.folder.disk)?;
                half_deleted::undo_half_deletions(&*self.folder.disk)?;
            }
            Ok(lock)
        });
        match taken {
            Ok(renewal) => {
                tracing::warn!(
                    "the data folder was replaced or its lock was removed; locking it again"
                );
                let mut lock = self.folder.lock.lock();
                if let Some(lock) = lock.as_mut() {
                    lock.renew(renewal);
                }
                drop(lock);
                following.is_told = false;
                if let Some(pack) = &self.folder.pack {
                    pack.reopen();
                }
                reconciler.reset_watches();
                Ok(())
            }
            Err(error) => {
                if !std::mem::replace(&mut following.is_told, true) {
                    let of_another = matches!(error, StoreError::Locked { .. });
                    tracing::error!(%error, of_another, "the data folder cannot be taken anew");
                }
                self.folder.outage.store(true, Relaxed);
                Err(Some(Instant::now() + LOCK_POLL))
            }
        }
    }
}

/// Of several changes of one file the one that was found last.
fn keep_latest(changes: Vec<FileChange>) -> Vec<FileChange> {
    let places: HashMap<String, usize> =
        changes.iter().enumerate().map(|(place, it)| (it.path.clone(), place)).collect();
    let mut last: Vec<FileChange> = changes
        .into_iter()
        .enumerate()
        .filter(|(place, it)| places.get(&it.path) == Some(place))
        .map(|(_, it)| it)
        .collect();
    last.sort_by(|one, other| one.path.cmp(&other.path));
    last
}
