//! The locks of the data folder: the right to serve it, and the turn among all processes that
//! write.

use std::sync::atomic::Ordering::Relaxed;

use crate::engine::folder::OpenFolder;
use crate::model::problem::Problem;
use crate::model::problem::ProblemKind;
use crate::store::error::StoreError;
use crate::store::layout;
use crate::store::lock::InstanceLock;
use crate::store::lock::LockRenewal;

impl OpenFolder {
    /// Returns the folder that is missing if the state directory is. A lock would make it anew,
    /// and the first to come could set the server up.
    pub(crate) fn missing_state_folder(&self) -> Option<&'static str> {
        self.places.is_state_away().then_some(layout::SYSTEM)
    }

    /// Reports the folder that is missing at the top of the data folder as a problem.
    pub(crate) fn report_missing(&self, missing: Option<&'static str>) {
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
            self.problems.set_file(path, problem.into_iter().collect(), now);
        }
    }

    /// Returns true if the locked folder is no longer the one under its name. Nothing is written
    /// then until it is taken over.
    pub(crate) fn has_lost_lock(&self) -> bool {
        let lost = !self.holds_lock();
        if lost {
            self.outage.store(true, Relaxed);
            self.watcher.sweep_now();
        }
        lost
    }

    /// Notes what a sweep found: an outage, or that there is none. A folder that was replaced since
    /// the sweep began stays an outage, also if a write notices that at this moment.
    pub(crate) fn settle_outage(&self, is_missing: bool) {
        if is_missing {
            self.outage.store(true, Relaxed);
        } else if !self.has_lost_lock() {
            self.outage.store(false, Relaxed);
            self.has_lost_lock();
        }
    }

    /// Returns true if the lock is still that of the folder under its name, or if none is needed.
    pub(crate) fn holds_lock(&self) -> bool {
        let lock = self.lock.lock();
        lock.as_ref().is_none_or(InstanceLock::is_held)
    }

    /// Takes the locks that others could have by now.
    pub(crate) fn renew_locks(&self) -> Result<LockRenewal, StoreError> {
        // A state directory that is away would be made anew by its lock.
        self.places.check_present()?;
        let lock = self.lock.lock();
        lock.as_ref().map_or_else(|| Ok(LockRenewal::default()), |it| it.acquire_lost(&self.places))
    }
}
