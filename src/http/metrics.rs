//! What happened since the start, counted, in Prometheus text format.

use std::fmt::Write as _;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use http::StatusCode;

use crate::app::App;
use crate::http::conn::Counters;
use crate::http::route::Route;

/// Counters of one route.
#[derive(Default)]
struct Row {
    name: &'static str,
    /// By the first digit of the status, from 1 to 5.
    by_class: [AtomicU64; 5],
    micros: AtomicU64,
}

/// Counters of requests.
pub struct Metrics {
    /// One a route, and the last for requests that met none.
    rows: Vec<Row>,
    panics: AtomicU64,
}

impl Metrics {
    /// Zeros for every route.
    pub fn new(table: &'static [Route]) -> Metrics {
        let names = table.iter().map(|it| it.name).chain(["none"]);
        let rows = names.map(|name| Row { name, ..Row::default() }).collect();
        Metrics { rows, panics: AtomicU64::new(0) }
    }

    /// Counts a finished request.
    pub fn record(&self, route: Option<&Route>, status: StatusCode, took: Duration) {
        let row = route.and_then(|it| self.rows.get(it.index)).or(self.rows.last());
        let class = usize::from(status.as_u16() / 100).saturating_sub(1);
        if let Some(row) = row
            && let Some(count) = row.by_class.get(class)
        {
            count.fetch_add(1, Relaxed);
            row.micros.fetch_add(u64::try_from(took.as_micros()).unwrap_or(u64::MAX), Relaxed);
        }
    }

    /// Counts a handler that panicked.
    pub fn panicked(&self) {
        self.panics.fetch_add(1, Relaxed);
    }

    /// The text that Prometheus reads.
    pub fn text(&self, app: &App, counters: &Counters) -> String {
        let mut out = String::new();
        self.requests(&mut out);
        let panics = self.panics.load(Relaxed) + counters.panics.load(Relaxed);
        number(&mut out, "recto_panics_total", "counter", "Requests that panicked.", panics);
        connections(counters, &mut out);
        content(app, &mut out);
        out
    }

    /// How many requests each route answered how, and how long that took.
    fn requests(&self, out: &mut String) {
        head(out, "recto_requests_total", "counter", "Requests answered.");
        for row in &self.rows {
            let name = row.name;
            for (class, count) in (1..).zip(&row.by_class) {
                let count = count.load(Relaxed);
                if count > 0 {
                    let labels = format!("route=\"{name}\",status=\"{class}xx\"");
                    line(out, &format!("recto_requests_total{{{labels}}} {count}"));
                }
            }
        }
        let about = "Time until answers were ready.";
        head(out, "recto_request_seconds_total", "counter", about);
        for row in self.rows.iter().filter(|it| it.micros.load(Relaxed) > 0) {
            let seconds = row.micros.load(Relaxed) as f64 / 1e6;
            let name = row.name;
            line(out, &format!("recto_request_seconds_total{{route=\"{name}\"}} {seconds}"));
        }
    }
}

fn connections(counters: &Counters, out: &mut String) {
    let open = counters.open.load(Relaxed);
    number(out, "recto_connections", "gauge", "Open connections.", open);
    let accepted = counters.accepted.load(Relaxed);
    number(out, "recto_connections_total", "counter", "Accepted connections.", accepted);
    let (name, about) = ("recto_connections_refused_total", "Connections over a limit.");
    number(out, name, "counter", about, counters.turned_away.load(Relaxed));
}

fn content(app: &App, out: &mut String) {
    head(out, "recto_entries", "gauge", "Entries in memory.");
    for (ws, workspace) in app.engine.workspaces().iter() {
        let count = workspace.current().entries();
        line(out, &format!("recto_entries{{workspace=\"{ws}\"}} {count}"));
    }
    head(out, "recto_problems", "gauge", "Defects in the data folder.");
    for (kind, count) in app.engine.problems().count_by_kind() {
        line(out, &format!("recto_problems{{kind=\"{kind}\"}} {count}"));
    }
}

/// A metric of one value.
fn number(out: &mut String, name: &str, kind: &str, about: &str, value: u64) {
    head(out, name, kind, about);
    line(out, &format!("{name} {value}"));
}

fn head(out: &mut String, name: &str, kind: &str, about: &str) {
    line(out, &format!("# HELP {name} {about}\n# TYPE {name} {kind}"));
}

fn line(out: &mut String, text: &str) {
    // Writing into a string cannot fail.
    let _ = writeln!(out, "{text}");
}
