//! Whether this server is the one that follows the folder, and whether it is time to: another folder
//! may stand in the place of the one that was locked, and git may be in the midst of changing files.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Mutex;
use std::sync::MutexGuard;
use std::sync::PoisonError;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;
use std::time::Instant;

use crate::engine::Engine;
use crate::model::problem::Problem;
use crate::model::problem::ProblemKind;
use crate::store::error::StoreError;
use crate::store::git::Git;
use crate::store::git::GitWatch;
use crate::store::half_deleted;
use crate::store::journal;
use crate::store::known::Moment;
use crate::store::layout;
use crate::store::load::is_absence;
use crate::store::lock::InstanceLock;
use crate::store::sweep::FileChange;
use crate::store::sweep::GitWork;
use crate::store::sweep::Reconciler;
use crate::store::sweep::Step;
use crate::store::watch::DirtySet;

/// How often it is tried to take a folder over that another server has.
const LOCK_POLL: Duration = Duration::from_secs(1);

/// What following the folder waits for.
pub(super) struct Following {
    git: GitWatch,
    /// Found while git began its work: taken over with the rest of it.
    held: Vec<FileChange>,
    /// Whether the log says that another server has the folder.
    is_told: bool,
}

impl Following {
    pub(super) fn new(root: &Path) -> Mutex<Following> {
        let git = GitWatch::new(root);
        Mutex::new(Following { git, held: Vec::new(), is_told: false })
    }
}

impl Engine {
    /// Looks at the folder, unless it is not the time to: then only when to try again is told.
    pub(super) fn step(
        &self,
        reconciler: &mut Reconciler,
        dirty: &DirtySet,
    ) -> Result<Step, Option<Instant>> {
        let mut following = self.following();
        if !self.holds_lock() && reconciler.is_there(&*self.disk) {
            self.take_folder_over(&mut following, reconciler)?;
        }
        let heard = dirty.folders().next().is_some();
        let mut git = following.git.look(Instant::now(), heard);
        let mut is_first = true;
        loop {
            let now = Moment::now();
            let work = |since, is_certain| GitWork { since, is_certain };
            let mut step = match git {
                Git::Busy(wake) => return Err(Some(wake)),
                Git::Idle => reconciler.step(&*self.disk, now, dirty),
                Git::Done(since) => reconciler.step_after_git(&*self.disk, now, work(since, true)),
                Git::Wrote(since) => {
                    reconciler.step_after_git(&*self.disk, now, work(since, false))
                }
            };
            if step.outage {
                return Ok(step);
            }
            following.held.append(&mut step.changes);
            // It may have been at work meanwhile: then that was half of what it did. Once more will do;
            // somebody may run one command after the other.
            git = following.git.look(Instant::now(), false);
            if git == Git::Idle || !is_first && !matches!(git, Git::Busy(_)) {
                step.changes = last_of_each(std::mem::take(&mut following.held));
                return Ok(step);
            }
            is_first = false;
        }
    }

    /// Tells what is missing at the top of the data folder, and what that means.
    pub(super) fn tell_missing(&self, missing: Option<&'static str>) {
        let now = self.clock.now();
        for (top, path) in
            [("", "."), (layout::WORKSPACES, layout::WORKSPACES), (layout::SYSTEM, layout::SYSTEM)]
        {
            let problem = (missing == Some(top)).then(|| {
                let what = if top.is_empty() { "data folder" } else { "folder" };
                let message = format!(
                    "The {what} is missing. What was in it is served as it was, and nothing is \
                     written until it is back."
                );
                Problem::new(ProblemKind::Unreadable, path, message)
            });
            self.problems.set(path, problem.into_iter().collect(), now);
        }
    }

    /// Whether git is in the midst of changing files.
    pub(super) fn waits_for_git(&self) -> bool {
        self.following().git.is_busy()
    }

    /// Whether the folder that is locked is still the one under its name. If not, nothing is written
    /// until it is taken over.
    pub(super) fn has_lost_lock(&self) -> bool {
        let lost = !self.holds_lock();
        if lost {
            self.outage.store(true, Relaxed);
            self.watcher.sweep_now();
        }
        lost
    }

    /// Whether people, or tokens, are known and the folder of their files is not there. Whatever was
    /// written into a new one would look as if they had been removed.
    pub(super) fn has_lost_system(&self) -> bool {
        let installation = self.installation();
        let mut tokens = installation.tokens();
        let is_known = tokens.next().is_some() || installation.users().next().is_some();
        is_known && self.disk.stat(layout::SYSTEM).is_err_and(|error| is_absence(&error))
    }

    /// Whether the right to serve the folder is still that to the folder under its name, or none is
    /// needed.
    fn holds_lock(&self) -> bool {
        let lock = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        lock.as_ref().is_none_or(InstanceLock::is_held)
    }

    /// Takes the folder that is there now, unless another server has it: then it is an outage, and
    /// when to try again is told.
    fn take_folder_over(
        &self,
        following: &mut Following,
        reconciler: &mut Reconciler,
    ) -> Result<(), Option<Instant>> {
        let taken = InstanceLock::take(&self.root).and_then(|lock| {
            if let Some(write_lock) = &self.write_lock {
                write_lock.reopen(&self.root)?;
                let _turn = write_lock.take()?;
                journal::recover(&*self.disk)?;
                half_deleted::undo(&*self.disk)?;
            }
            Ok(lock)
        });
        match taken {
            Ok(lock) => {
                tracing::warn!(
                    "the data folder is another one, or its lock was removed: taken anew"
                );
                *self.lock.lock().unwrap_or_else(PoisonError::into_inner) = Some(lock);
                following.is_told = false;
                if let Some(pack) = &self.pack {
                    pack.reopen();
                }
                reconciler.begin_anew();
                Ok(())
            }
            Err(error) => {
                if !std::mem::replace(&mut following.is_told, true) {
                    let of_another = matches!(error, StoreError::Locked { .. });
                    tracing::error!(%error, of_another, "the data folder cannot be taken anew");
                }
                self.outage.store(true, Relaxed);
                Err(Some(Instant::now() + LOCK_POLL))
            }
        }
    }

    // A panic while the folder is looked at leaves at worst a look to be taken again.
    fn following(&self) -> MutexGuard<'_, Following> {
        self.following.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Of several changes of one file the one that was found last.
fn last_of_each(changes: Vec<FileChange>) -> Vec<FileChange> {
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
