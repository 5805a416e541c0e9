//! What was in the trash for as long as it may be goes for good. The operator's setting asks for
//! that, not a caller; what it leaves is the same as when somebody purged each entry.

use std::io;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crate::app::access::Allowed;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::trash::Trashed;
use crate::app::trash::stage_purge;
use crate::engine::Engine;
use crate::engine::staging::Staging;
use crate::engine::trashed::deleted_at;
use crate::model::grant::Action;
use crate::model::name::TypeName;
use crate::model::name::WorkspaceSlug;
use crate::stdx::time::Timestamp;

/// How long after one look at the trash the next is due.
const ROUND_SECONDS: i64 = 60 * 60;
/// The clock may be set, the machine may sleep, the setting may change: that is looked at this often.
const LOOK_EVERY: Duration = Duration::from_secs(60);
const SECONDS_PER_DAY: i64 = 86_400;

/// How long entries stay in the trash.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Retention {
    /// As the settings of the installation say.
    #[default]
    AsSaved,
    /// Until somebody purges them.
    Forever,
    /// So many days.
    Days(u32),
}

impl Retention {
    /// After how many days an entry goes, if it goes by itself.
    pub fn days(self, engine: &Engine) -> Option<u32> {
        match self {
            Retention::AsSaved => engine.installation().settings().trash_retention_days(),
            Retention::Forever => None,
            Retention::Days(days) => Some(days),
        }
    }
}

/// Starts to look after the trash, on a thread of its own, until [`Engine::close`].
pub fn keep(engine: Arc<Engine>, retention: Retention) -> io::Result<thread::JoinHandle<()>> {
    thread::Builder::new().name("retention".to_string()).spawn(move || {
        let mut rounds = Rounds::new(retention);
        while !engine.is_closed() {
            rounds.look(&engine);
            engine.pause(LOOK_EVERY);
        }
    })
}

/// Looks at the trash when that is due, and when it has to be kept for another time than before.
#[derive(Debug)]
pub struct Rounds {
    retention: Retention,
    last: Option<(Option<u32>, Timestamp)>,
}

impl Rounds {
    /// The first look is due at once.
    pub fn new(retention: Retention) -> Rounds {
        Rounds { retention, last: None }
    }

    /// How many entries were purged, if the time for a look had come.
    pub fn look(&mut self, engine: &Engine) -> Option<usize> {
        let (days, now) = (self.retention.days(engine), engine.clock().now());
        let is_fresh = |(of, at): (Option<u32>, Timestamp)| {
            // A clock that was set back makes no look of the future.
            let age = now.seconds().saturating_sub(at.seconds());
            of == days && (0..ROUND_SECONDS).contains(&age)
        };
        if self.last.is_some_and(is_fresh) {
            return None;
        }
        self.last = Some((days, now));
        Some(days.map_or(0, |days| purge_expired(engine, days)))
    }
}

/// Purges what came into the trash so many days ago or earlier, and tells how many entries that
/// were. What cannot be purged now is left for another time.
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
        tracing::info!(entries = n_purged, days, "purged what was in the trash long enough");
    }
    n_purged
}

fn purge_of_type(engine: &Engine, ws: &WorkspaceSlug, of: &TypeName, until: Timestamp) -> usize {
    let deleted = engine.deleted(ws, of).unwrap_or_else(|error| {
        tracing::warn!(%error, "the trash cannot be looked at");
        Vec::new()
    });
    let mut n_purged = 0_usize;
    for (copy, _) in deleted.into_iter().filter(|(_, at)| *at <= until) {
        if engine.is_closed() {
            break;
        }
        match purge(engine, ws, of, copy.stem(), until) {
            Ok(purged) => n_purged += usize::from(purged),
            Err(error) => {
                // It would go on like that with the others.
                tracing::warn!(type_name = %of, id = %copy.id, %error, "the trash stays as it is");
                break;
            }
        }
    }
    n_purged
}

/// Whether it was there still, and long enough.
fn purge(
    engine: &Engine,
    ws: &WorkspaceSlug,
    of: &TypeName,
    name: String,
    until: Timestamp,
) -> Result<bool> {
    let of = of.clone();
    let work = move |staging: &mut Staging<'_>| {
        let Some(index) = staging.snapshot().get(of.as_str()) else { return Ok(false) };
        let Ok(trashed) = Trashed::find(staging, &index.content_type, &name) else {
            return Ok(false);
        };
        // Another may lie there by now.
        if deleted_at(&trashed.stored.map).unwrap_or(trashed.stored.modified) > until {
            return Ok(false);
        }
        let allowed = Allowed::by_setting(Action::ContentDelete);
        stage_purge(&allowed, staging, None, &trashed, index);
        Ok(true)
    };
    engine.commit::<bool, Error, _>(ws, work).map(|it| it.value)
}
