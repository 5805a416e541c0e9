//! The retention of trash: entries that stayed there long enough are purged. The operator's setting
//! causes this, not a caller; the result is the same as when a user purges each entry. Unfinished
//! files of killed processes go in the same rounds.

use std::io;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crate::app::content::trash::TrashedFile;
use crate::app::content::trash::stage_purge;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::engine::Engine;
use crate::engine::folder::content_files::parse_deleted_at;
use crate::engine::staging::Staging;
use crate::model::grant::Action;
use crate::model::grant::Permit;
use crate::model::name::TypeName;
use crate::model::name::WorkspaceSlug;
use crate::stdx::time::Timestamp;

/// The seconds between two purges.
const ROUND_SECONDS: i64 = 60 * 60;
/// The interval of checking whether a purge is due: the clock may be set, the machine may sleep,
/// and the setting may change.
const CHECK_INTERVAL: Duration = Duration::from_secs(60);
const SECONDS_PER_DAY: i64 = 86_400;

/// The time that entries stay in the trash.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Retention {
    /// The time in the settings of the installation.
    #[default]
    AsSaved,
    /// No limit: they stay until someone purges them.
    Forever,
    /// A number of days.
    Days(u32),
}

impl Retention {
    /// Returns the number of days after which an entry is purged, if it ever is.
    pub fn days(self, engine: &Engine) -> Option<u32> {
        match self {
            Retention::AsSaved => engine.installation().settings().trash_retention_days(),
            Retention::Forever => None,
            Retention::Days(days) => Some(days),
        }
    }
}

/// Starts the retention thread, which runs until [`Engine::close`].
pub fn start_retention(
    engine: Arc<Engine>,
    retention: Retention,
) -> io::Result<thread::JoinHandle<()>> {
    thread::Builder::new().name("retention".to_string()).spawn(move || {
        let mut rounds = RetentionRounds::new(retention);
        let mut cleared = None;
        while !engine.scheduler().is_closed() {
            rounds.purge_when_due(&engine);
            clear_when_due(&engine, &mut cleared);
            engine.scheduler().wait_unless_closed(CHECK_INTERVAL);
        }
    })
}

/// Removes what killed processes left behind, as often as entries are purged. `cleared` is the last
/// time.
fn clear_when_due(engine: &Engine, cleared: &mut Option<Timestamp>) {
    let now = engine.clock().now();
    if cleared.is_some_and(|at| is_fresh(at, now)) {
        return;
    }
    engine.folder().clear_abandoned_files();
    *cleared = Some(now);
}

/// Returns true if a round at this time was less than the time between two rounds ago. After the
/// clock was set back, the last one may lie in the future and does not count.
fn is_fresh(at: Timestamp, now: Timestamp) -> bool {
    (0..ROUND_SECONDS).contains(&now.seconds().saturating_sub(at.seconds()))
}

/// The schedule of purges: a purge is due regularly, and when the retention changes.
#[derive(Debug)]
pub struct RetentionRounds {
    retention: Retention,
    last: Option<(Option<u32>, Timestamp)>,
}

impl RetentionRounds {
    /// Returns a schedule whose first purge is due at once.
    pub fn new(retention: Retention) -> RetentionRounds {
        RetentionRounds { retention, last: None }
    }

    /// Purges expired entries if a purge is due, and then returns their number.
    pub fn purge_when_due(&mut self, engine: &Engine) -> Option<usize> {
        if !engine.folder().is_leader() {
            return None;
        }
        let (days, now) = (self.retention.days(engine), engine.clock().now());
        if self.last.is_some_and(|(of, at)| of == days && is_fresh(at, now)) {
            return None;
        }
        self.last = Some((days, now));
        Some(days.map_or(0, |days| purge_expired(engine, days)))
    }
}

/// Purges entries deleted at least `days` days ago. Returns their number. Entries that cannot be
/// purged now are left for the next time.
pub fn purge_expired(engine: &Engine, days: u32) -> usize {
    let kept = i64::from(days).saturating_mul(SECONDS_PER_DAY);
    let until = Timestamp::from_seconds(engine.clock().now().seconds().saturating_sub(kept));
    let mut n_purged = 0_usize;
    for ws in engine.workspaces().keys() {
        let Some(snapshot) = engine.snapshot(ws.as_str()) else { continue };
        for index in snapshot.types() {
            n_purged += purge_of_type(engine, ws, &index.content_type.name, until);
        }
    }
    if n_purged > 0 {
        tracing::info!(entries = n_purged, days, "purged expired entries from the trash");
    }
    n_purged
}

fn purge_of_type(engine: &Engine, ws: &WorkspaceSlug, of: &TypeName, until: Timestamp) -> usize {
    let deleted = engine.folder().list_deleted(ws, of).unwrap_or_else(|error| {
        tracing::warn!(%error, "cannot read the trash");
        Vec::new()
    });
    let mut n_purged = 0_usize;
    for (copy, _) in deleted.into_iter().filter(|(_, at)| *at <= until) {
        if engine.scheduler().is_closed() {
            break;
        }
        match purge_entry(engine, ws, of, copy.stem(), until) {
            Ok(purged) => n_purged += usize::from(purged),
            Err(error) => {
                // The other entries would fail in the same way.
                tracing::warn!(type_name = %of, id = %copy.id, %error, "cannot purge a deleted entry");
                break;
            }
        }
    }
    n_purged
}

/// Purges an entry. Returns false if it is gone or not old enough.
fn purge_entry(
    engine: &Engine,
    ws: &WorkspaceSlug,
    of: &TypeName,
    name: String,
    until: Timestamp,
) -> Result<bool> {
    let of = of.clone();
    let work = move |staging: &mut Staging<'_>| {
        let Some(index) = staging.snapshot().get(of.as_str()) else { return Ok(false) };
        let Ok(trashed) = TrashedFile::find(staging, &index.content_type, &name) else {
            return Ok(false);
        };
        // Another may lie there by now.
        if parse_deleted_at(trashed.stored.map()).unwrap_or(trashed.stored.modified) > until {
            return Ok(false);
        }
        let permit = Permit::for_setting(Action::ContentDelete);
        stage_purge(&permit, staging, &trashed, index);
        Ok(true)
    };
    engine.commit::<bool, Error, _>(ws, work).map(|it| it.value)
}
