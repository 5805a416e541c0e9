//! Backups to a target at a time of every day. What was missed while the server was off is made up
//! at its start, and what failed is tried again.

use std::io;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;

use crate::engine::Engine;
use crate::engine::backups::repository::TargetError;
use crate::engine::backups::repository::run::BackupDestination;
use crate::engine::backups::repository::run::BackupRun;
use crate::engine::backups::repository::status::BackupStatus;
use crate::model::backup_schedule::DailyTime;
use crate::model::backup_schedule::RetentionRule;
use crate::stdx::time::Timestamp;
use crate::store::objects::ObjectStore;

/// The pauses after failed tries; the last one repeats. In seconds.
const PAUSES_S: [i64; 4] = [60, 5 * 60, 15 * 60, 60 * 60];

/// The longest time between two looks at the clock, which may be set.
const LOOK_EVERY: Duration = Duration::from_secs(30);

/// The plan of backups.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BackupPlan {
    /// The time of the backup.
    pub at: DailyTime,
    /// The place of the target.
    pub target: String,
    /// The backups that are kept.
    pub rule: RetentionRule,
}

/// The store of a target, with the passphrase of the backups in it.
pub struct OpenedStore {
    /// The store.
    pub store: Box<dyn ObjectStore>,
    /// The passphrase, if the backups are sealed.
    pub passphrase: Option<String>,
}

/// Opens the store of the target. It is asked before each backup, since the files with keys and the
/// passphrase may have changed.
pub type OpenStore = Box<dyn Fn() -> Result<OpenedStore, String> + Send>;

/// The state of scheduled backups.
#[derive(Debug, Serialize, JsonSchema)]
pub struct BackupSchedule {
    /// The place of the backups.
    target: String,
    /// The time of the day, in UTC.
    at: String,
    /// The time of the next backup; that of the next try if the last one failed.
    next_at: Timestamp,
    /// The time of the last backup that succeeded.
    pub last_success_at: Option<Timestamp>,
    /// The name of that backup.
    last_backup: Option<String>,
    /// The reason why the last try failed.
    pub error: Option<String>,
    /// A problem of the last try although it succeeded.
    warning: Option<String>,
}

impl BackupPlan {
    /// Returns the state of the backups of a folder.
    pub fn report(&self, engine: &Engine) -> BackupSchedule {
        let status = engine.backups().load_status(&self.target);
        let next_at = self.next_at(&status, 1, engine.clock().now());
        BackupSchedule {
            target: self.target.clone(),
            at: self.at.to_string(),
            next_at,
            last_success_at: status.last_success_at,
            last_backup: status.last_backup,
            error: status.error,
            warning: status.warning,
        }
    }

    /// Returns the time of the next try, after so many tries of this process that failed.
    fn next_at(&self, status: &BackupStatus, failures: usize, now: Timestamp) -> Timestamp {
        let due = self.at.next_due(status.last_success_at, now);
        let pause = failures.checked_sub(1).map(|it| PAUSES_S.get(it).unwrap_or(&PAUSES_S[3]));
        match (pause, status.last_try_at) {
            (Some(pause), Some(at)) if status.error.is_some() && at <= now => {
                due.max(Timestamp::from_seconds(at.seconds().saturating_add(*pause)))
            }
            _ => due,
        }
    }
}

/// Starts the thread of scheduled backups, which runs until [`Engine::close`].
pub fn start_backups(
    engine: Arc<Engine>,
    plan: BackupPlan,
    open_store: OpenStore,
) -> io::Result<thread::JoinHandle<()>> {
    thread::Builder::new().name("backups".to_string()).spawn(move || {
        let (mut failures, mut status) = (0, BackupStatus::default());
        while !engine.scheduler().is_closed() {
            let now = engine.clock().now();
            // Others may have made a backup, and what cannot be written down happened all the same.
            let written = engine.backups().load_status(&plan.target);
            if written.last_try_at >= status.last_try_at {
                status = written;
            }
            let next = plan.next_at(&status, failures, now);
            if next <= now && engine.folder().is_leader() {
                let is_made = make_backup(&engine, &plan, &open_store, &mut status, now);
                failures = if is_made { 0 } else { failures + 1 };
                continue;
            }
            let left = u64::try_from(next.seconds().saturating_sub(now.seconds())).unwrap_or(0);
            let left = left.max(1);
            engine.scheduler().wait_unless_closed(LOOK_EVERY.min(Duration::from_secs(left)));
        }
    })
}

/// Makes a backup and writes down how that went. Returns false if it failed.
fn make_backup(
    engine: &Engine,
    plan: &BackupPlan,
    open_store: &OpenStore,
    status: &mut BackupStatus,
    now: Timestamp,
) -> bool {
    let opened = open_store().map_err(TargetError::Unusable);
    let run = opened.and_then(|opened| {
        let destination = BackupDestination {
            store: &*opened.store,
            passphrase: opened.passphrase.as_deref(),
            rule: plan.rule,
            takes_over: false,
        };
        let is_stopped = || engine.scheduler().is_closed();
        engine.backups().run_backup(&destination, &is_stopped)
    });
    if run.is_err() && engine.scheduler().is_closed() {
        tracing::info!("the backup is not finished; it is made up for at the next start");
        return false;
    }
    log_run(plan, &run);
    // A clock that moved meanwhile decides when the next one is due.
    if let Err(error) = engine.backups().record_status(status, now, &run) {
        tracing::warn!(%error, "cannot write down how the backup went");
    }
    run.is_ok()
}

fn log_run(plan: &BackupPlan, run: &Result<BackupRun, TargetError>) {
    let target = &plan.target;
    match run {
        Ok(BackupRun { summary, pruned }) => {
            let (name, files, new) = (summary.name.as_str(), summary.files, summary.new_bytes);
            tracing::info!(target, name, files, new_bytes = new, "made the scheduled backup");
            if let Err(error) = pruned {
                tracing::warn!(target, %error, "old backups could not be removed");
            }
        }
        Err(error) => tracing::error!(target, %error, "the scheduled backup failed"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        Timestamp::parse(text).unwrap()
    }

    #[test]
    fn what_failed_is_tried_again_after_longer_and_longer_pauses() {
        let plan = BackupPlan {
            at: DailyTime::parse("03:30").unwrap(),
            target: "/backups".to_string(),
            rule: RetentionRule::default(),
        };
        let mut status = BackupStatus {
            last_success_at: Some(at("2026-05-02T03:30:00Z")),
            last_try_at: Some(at("2026-05-03T03:30:00Z")),
            error: Some("no".to_string()),
            ..BackupStatus::default()
        };
        let now = at("2026-05-03T03:30:10Z");
        let check = |status: &BackupStatus, failures: usize, expect: &str| {
            assert_eq!(plan.next_at(status, failures, now), at(expect), "{failures}");
        };
        // A process that has not tried yet does so at once.
        check(&status, 0, "2026-05-03T03:30:10Z");
        check(&status, 1, "2026-05-03T03:31:00Z");
        check(&status, 2, "2026-05-03T03:35:00Z");
        check(&status, 4, "2026-05-03T04:30:00Z");
        check(&status, 40, "2026-05-03T04:30:00Z");
        status.error = None;
        status.last_success_at = status.last_try_at;
        check(&status, 0, "2026-05-04T03:30:00Z");
    }
}
