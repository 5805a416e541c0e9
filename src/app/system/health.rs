//! The health of the service, for people, monitors and load balancers.

use schemars::JsonSchema;
use serde::Serialize;

use crate::app::App;
use crate::stdx::time::Timestamp;
use crate::store::cluster::replica::Replica;

/// The name in health and metrics responses.
pub const NAME: &str = "Recto";

/// The version of this build.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The answer of the health route.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Health")]
pub struct HealthReport {
    /// Always `true`.
    ok: bool,
    /// Always `Recto`.
    name: &'static str,
    /// The version of the program.
    version: &'static str,
    /// The time of the server.
    time: Timestamp,
    /// Features that were optional once; all are `true`.
    extensions: Extensions,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(inline)]
struct Extensions {
    /// True if thumbnails can be generated.
    gd: bool,
    /// True if archives can be read.
    zip: bool,
}

/// Reports that the service answers, and its optional features. Both are always built in.
pub fn report_health(app: &App) -> HealthReport {
    HealthReport {
        ok: true,
        name: NAME,
        version: VERSION,
        time: app.engine.clock().now(),
        extensions: Extensions { gd: true, zip: true },
    }
}

/// The response of `readyz`.
#[derive(Debug, Serialize)]
pub struct Readiness {
    /// True if requests should be sent to this server.
    pub ready: bool,
    /// False while there is content that could not be loaded since the start.
    loaded: bool,
    /// True if changes of the folder are noticed.
    following: bool,
    /// The reason for polling the folder, if it is polled.
    #[serde(skip_serializing_if = "Option::is_none")]
    polling: Option<String>,
    /// The database that several servers share, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    database: Option<DatabaseHealth>,
    /// True if the server must not write.
    read_only: bool,
    /// True if the disk accepts writes.
    writable: bool,
    /// The number of workspaces, for callers that may know it.
    #[serde(skip_serializing_if = "Option::is_none")]
    workspaces: Option<usize>,
    /// The number of entries, drafts included, for callers that may know it.
    #[serde(skip_serializing_if = "Option::is_none")]
    entries: Option<usize>,
    problems: ProblemSummary,
    /// The scheduled backups, if there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    backups: Option<BackupHealth>,
}

#[derive(Debug, Serialize)]
struct DatabaseHealth {
    /// False if it does not answer: reads are answered from memory, and changes are refused.
    ok: bool,
    /// The seconds since it last answered.
    last_answer_seconds: u64,
    /// The number of the last commit that is served. It tells how often hidden things change.
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<u64>,
    /// True if this server does the work that only one does.
    leader: bool,
}

#[derive(Debug, Serialize)]
struct BackupHealth {
    /// False if the last try failed.
    ok: bool,
    last_success_at: Option<Timestamp>,
    /// The reason why the last try failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

#[derive(Debug, Serialize)]
struct ProblemSummary {
    count: usize,
    by_kind: std::collections::BTreeMap<&'static str, usize>,
    /// The first problems, with file and position.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    items: Vec<ProblemSummaryItem>,
}

#[derive(Debug, Serialize)]
struct ProblemSummaryItem {
    kind: &'static str,
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<u32>,
    message: String,
    since: Timestamp,
}

/// The most problems shown.
const ITEMS_MAX: usize = 20;

/// Checks whether requests should be sent to this server. Details are included only for callers
/// that may see them: filenames, and how much content there is.
pub fn check_readiness(app: &App, with_details: bool) -> Readiness {
    let engine = &app.engine;
    let by_kind = engine.problems().count_by_kind();
    let items = if with_details { list_items(app) } else { Vec::new() };
    let workspaces = engine.workspaces();
    let counts = workspaces.values().map(|it| it.current_snapshot().count_entries());
    let loaded = !engine.follower().misses_content();
    let writable = engine.folder().is_writable();
    let database = engine.folder().replica().map(|it| check_database(it, with_details));
    Readiness {
        // Without its database it still answers reads, as all servers do then.
        ready: loaded
            && engine.follower().is_following()
            && (engine.is_read_only() || writable || database.as_ref().is_some_and(|it| !it.ok)),
        loaded,
        following: engine.follower().is_following(),
        polling: engine.folder().polling_reason(),
        database,
        read_only: engine.is_read_only(),
        writable,
        workspaces: with_details.then(|| workspaces.len()),
        entries: with_details.then(|| counts.sum()),
        problems: ProblemSummary { count: by_kind.values().sum(), by_kind, items },
        backups: check_backups(app, with_details),
    }
}

fn check_database(replica: &Replica, with_position: bool) -> DatabaseHealth {
    DatabaseHealth {
        ok: replica.is_reachable(),
        last_answer_seconds: replica.silence().as_secs(),
        position: with_position.then(|| replica.published_position()),
        leader: replica.is_leader(),
    }
}

/// Returns how scheduled backups go. The reason of a failure is only for callers that may see it.
fn check_backups(app: &App, with_problems: bool) -> Option<BackupHealth> {
    let schedule = app.settings().backups.as_ref()?.report(&app.engine);
    Some(BackupHealth {
        ok: schedule.error.is_none(),
        last_success_at: schedule.last_success_at,
        error: schedule.error.filter(|_| with_problems),
    })
}

fn list_items(app: &App) -> Vec<ProblemSummaryItem> {
    let known = app.engine.problems().first_by_path(ITEMS_MAX);
    known
        .into_iter()
        .map(|known| ProblemSummaryItem {
            kind: known.problem.kind.as_str(),
            path: known.problem.path,
            line: known.problem.line,
            column: known.problem.column,
            message: known.problem.message,
            since: known.since,
        })
        .collect()
}
