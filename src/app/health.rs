//! How the service is: for people, for monitors, for load balancers.

use serde::Serialize;

use crate::app::App;
use crate::stdx::time::Timestamp;

/// The name that health and metrics go by.
pub const NAME: &str = "Recto";

/// The version of this build.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What the health route says.
#[derive(Debug, Serialize)]
pub struct Health {
    ok: bool,
    name: &'static str,
    version: &'static str,
    time: Timestamp,
    extensions: Extensions,
}

#[derive(Debug, Serialize)]
struct Extensions {
    gd: bool,
    zip: bool,
}

/// Says that the service answers and what it can do. Both abilities are built in.
pub fn health(app: &App) -> Health {
    Health {
        ok: true,
        name: NAME,
        version: VERSION,
        time: app.engine.clock().now(),
        extensions: Extensions { gd: true, zip: true },
    }
}

/// What `readyz` says.
#[derive(Debug, Serialize)]
pub struct Readiness {
    /// Whether requests should be sent here.
    pub ready: bool,
    /// Whether everything has been loaded: always, once there is an answer.
    loaded: bool,
    /// Whether changes of the folder are noticed.
    following: bool,
    /// Why the folder is polled, if it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    polling: Option<String>,
    /// Whether the server may not write.
    read_only: bool,
    /// Whether the disk takes what is written.
    writable: bool,
    workspaces: usize,
    entries: usize,
    problems: Problems,
}

#[derive(Debug, Serialize)]
struct Problems {
    count: usize,
    by_kind: std::collections::BTreeMap<&'static str, usize>,
    /// The first ones, with file and place.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    items: Vec<Item>,
}

#[derive(Debug, Serialize)]
struct Item {
    kind: &'static str,
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<u32>,
    message: String,
    since: Timestamp,
}

/// How many problems are shown.
const ITEMS_MAX: usize = 20;

/// Says whether requests should be sent here. Names of files are for callers that may see them.
pub fn readiness(app: &App, with_problems: bool) -> Readiness {
    let engine = &app.engine;
    let by_kind = engine.problems().count_by_kind();
    let items = if with_problems { items(app) } else { Vec::new() };
    let workspaces = engine.workspaces();
    let writable = engine.is_writable();
    Readiness {
        ready: engine.is_following() && (engine.is_read_only() || writable),
        loaded: true,
        following: engine.is_following(),
        polling: engine.polling(),
        read_only: engine.is_read_only(),
        writable,
        workspaces: workspaces.len(),
        entries: workspaces.values().map(|it| it.current().entries()).sum(),
        problems: Problems { count: by_kind.values().sum(), by_kind, items },
    }
}

fn items(app: &App) -> Vec<Item> {
    let known = app.engine.problems().first(ITEMS_MAX);
    known
        .into_iter()
        .map(|known| Item {
            kind: known.problem.kind.as_str(),
            path: known.problem.path,
            line: known.problem.line,
            column: known.problem.column,
            message: known.problem.message,
            since: known.since,
        })
        .collect()
}
