//! Servers that share a PostgreSQL database: starting, reading, writing, and the time until another
//! server shows a change.

use std::ffi::OsString;
use std::path::Path;
use std::path::PathBuf;
use std::time::Duration;
use std::time::Instant;

use crate::Bench;
use crate::BenchError;
use crate::POSTS;
use crate::get_ok;
use crate::histogram::Histogram;
use crate::instructions;
use crate::make_token;
use crate::measure;
use crate::measure::Process;
use crate::progress;
use crate::reads;
use crate::reads::MakeTargets;
use crate::report::Goal;
use crate::report::Row;
use crate::report::millis;
use crate::side::Side;
use crate::wire::Client;
use crate::wire::write_bytes;
use crate::words;
use crate::writes;

/// The name with which `--only` asks for these rows.
pub(crate) const NAME: &str = "CLUSTER";

/// The variable with the address of an empty database.
const STORE: &str = "RECTO_BENCH_STORE";

/// The time between two looks at the files that are still to be written.
const FILES_LOOK: Duration = Duration::from_millis(50);

const WRITERS: usize = 32;
const GRANT: &str = "content.*@content:*";
const FRESH: &[(usize, Goal)] = &[(100_000, Goal::at_most(3_000.0, 2_000.0))];
const CACHED: &[(usize, Goal)] = &[(100_000, Goal::at_most(500.0, 300.0))];
/// The kinds of reads that are compared with those of a folder.
const KINDS: &[(&str, MakeTargets)] =
    &[("entry by slug", reads::entries_by_slug), ("20 newest", reads::newest_repeated)];
const READS: Goal = Goal::at_least(0.98, 1.0);
const INSTRUCTIONS: Goal = Goal::at_most(1.02, 1.0);
const WRITES: Goal = Goal::at_least(1_000.0, 2_000.0);
const SEEN_P50: Goal = Goal::at_most(5.0, 2.0);
const SEEN_P99: Goal = Goal::at_most(50.0, 20.0);

/// Measures two servers on the database that [`STORE`] names; nothing without it.
pub(crate) fn rows(bench: &Bench) -> Result<Vec<Row>, BenchError> {
    let Ok(store) = std::env::var(STORE) else {
        let missing = || format!("{STORE} names no empty database of PostgreSQL");
        return if bench.is_named(NAME) { Err(BenchError::Run(missing())) } else { Ok(Vec::new()) };
    };
    progress("cluster: copying the content into the database");
    let token = make_token(&bench.binary, bench.dataset.folder(), GRANT)?;
    let begun = Instant::now();
    let copy =
        [words(&["copy"]), vec![bench.dataset.folder().into(), store.clone().into()]].concat();
    measure::output_of(&bench.binary, &copy)?;
    let copied = millis(begun.elapsed());
    let cluster = Cluster { bench, store, token };
    let mut rows = vec![Row::value("cluster", "folder → database", copied, "ms")];
    progress("cluster: starts");
    let (one, other) = (bench.scratch.join("one"), bench.scratch.join("other"));
    let (first, fresh) = cluster.start(&one)?;
    rows.push(row("start without a replica", fresh, "ms").goal(bench.goal_at(FRESH)));
    await_files(&first)?;
    first.stop();
    let (first, cached) = cluster.start(&one)?;
    rows.push(row("start with a replica", cached, "ms").goal(bench.goal_at(CACHED)));
    let (second, _) = cluster.start(&other)?;
    rows.extend(cluster.reads(&first)?);
    first.stop();
    // Before anything is written: both servers have the same content.
    rows.extend(
        cluster
            .count_instructions(&one)
            .unwrap_or_else(|error| vec![Row::failed("cluster", "instructions ÷ a folder", error)]),
    );
    let (first, _) = cluster.start(&one)?;
    rows.push(cluster.writes(&first)?);
    rows.extend(cluster.propagation(&first, &second)?);
    first.stop();
    second.stop();
    Ok(rows)
}

fn row(what: &str, value: f64, unit: &'static str) -> Row {
    Row::value("cluster", what, value, unit)
}

/// Waits until a server has written all files of its replica.
fn await_files(server: &Process) -> Result<(), BenchError> {
    let mut client = Client::connect(server.address).map_err(BenchError::Io)?;
    loop {
        let metrics = String::from_utf8_lossy(&get_ok(&mut client, "/metrics")?.body).into_owned();
        if metrics.lines().any(|it| it == "recto_database_pending_files 0") {
            return Ok(());
        }
        std::thread::sleep(FILES_LOOK);
    }
}

struct Cluster<'a> {
    bench: &'a Bench,
    store: String,
    token: String,
}

impl Cluster<'_> {
    fn arguments(&self, replica: &Path) -> Vec<OsString> {
        let mut arguments = self.bench.serve_arguments(replica);
        arguments.extend(["--store".into(), self.store.clone().into()]);
        arguments
    }

    /// Starts a server, and returns the milliseconds until it has answered.
    fn start(&self, replica: &Path) -> Result<(Process, f64), BenchError> {
        let arguments = self.arguments(replica);
        let log: PathBuf = self.bench.scratch.join("server.log");
        let begun = Instant::now();
        let server = Process::start(&self.bench.binary, &arguments, &log)?;
        let newest = reads::published(&self.bench.dataset).last();
        let newest = newest.ok_or_else(|| BenchError::Run("no published entry".into()))?;
        let mut client = Client::connect(server.address).map_err(BenchError::Io)?;
        get_ok(&mut client, &format!("{POSTS}/{}", newest.id))?;
        Ok((server, millis(begun.elapsed())))
    }

    /// Measures reads, in turn with a server of a folder.
    fn reads(&self, server: &Process) -> Result<Vec<Row>, BenchError> {
        progress("cluster: reads");
        let folder = self.bench.serve(self.bench.dataset.folder())?;
        let mut rows = Vec::new();
        for (what, make) in KINDS {
            let targets = make(&self.bench.dataset);
            let mut shared = Side::open_targets(server, &targets, self.bench)?;
            let mut alone = Side::open_targets(&folder, &targets, self.bench)?;
            for _ in 0..self.bench.pairs {
                shared.run(self.bench.run_time);
                alone.run(self.bench.run_time);
            }
            let what = format!("{what} ÷ a folder");
            let row = writes::row("cluster", what, &shared.runs, Some(&alone.runs));
            rows.push(row.goal(Some(READS)));
        }
        folder.stop();
        Ok(rows)
    }

    /// Compares the instructions of reads with those of a server of a folder, which no other
    /// activity of the machine changes.
    fn count_instructions(&self, replica: &Path) -> Result<Vec<Row>, BenchError> {
        let alone = self.bench.serve_arguments(self.bench.dataset.folder());
        let count = |name, arguments| instructions::count_kinds(self.bench, name, arguments, KINDS);
        let alone = count("counts-alone", alone)?;
        let shared = count("counts-shared", self.arguments(replica))?;
        let rows =
            KINDS.iter().zip(shared.iter().zip(alone)).map(|((what, _), (shared, alone))| {
                let ratio = shared.each as f64 / alone.each.max(1) as f64;
                let what = format!("{what}: instructions ÷ a folder");
                let row = row(&what, ratio, "").goal(Some(INSTRUCTIONS));
                let is_steady = shared.is_steady && alone.is_steady;
                if is_steady { row } else { row.note(instructions::UNSTEADY) }
            });
        Ok(rows.collect())
    }

    /// Measures creates by many writers on one server.
    fn writes(&self, server: &Process) -> Result<Row, BenchError> {
        progress("cluster: writes");
        let requests =
            writes::build_creates(&self.bench.dataset, server.address, POSTS, &self.token)?;
        let mut side = Side::open(server, requests, WRITERS, self.bench.run_time * 2)?;
        for _ in 0..self.bench.pairs {
            side.run(self.bench.run_time * 2);
        }
        let rate = side.runs.throughput().per_second.median;
        Ok(row(&format!("creates by {WRITERS} writers"), rate, "/s").goal(Some(WRITES)))
    }

    /// Measures the time from the answer to a change at one server until another shows it.
    fn propagation(&self, one: &Process, other: &Process) -> Result<Vec<Row>, BenchError> {
        progress("cluster: changes seen by another server");
        let post = reads::published(&self.bench.dataset).next();
        let post = post.ok_or_else(|| BenchError::Run("no published entry".into()))?;
        let path = format!("{POSTS}/{}", post.id);
        let mut writer = Client::connect(one.address).map_err(BenchError::Io)?;
        let mut reader = Client::connect(other.address).map_err(BenchError::Io)?;
        let mut latency = Histogram::new();
        for number in 0..if self.bench.quick { 50 } else { 400 } {
            let body = format!(r#"{{"data":{{"rating":7.{number}1}}}}"#);
            let request = write_bytes(one.address, "PATCH", &path, &self.token, &body);
            let answer = writer.exchange(&request).map_err(BenchError::Io)?;
            if answer.status != 200 {
                return Err(BenchError::Run(format!("status {} for {path}", answer.status)));
            }
            let written = Instant::now();
            let marker = format!("7.{number}1");
            while memchr::memmem::find(&get_ok(&mut reader, &path)?.body, marker.as_bytes())
                .is_none()
            {
                if written.elapsed() > Duration::from_secs(10) {
                    return Err(BenchError::Run("a change was not seen in ten seconds".into()));
                }
            }
            latency.add(written.elapsed());
        }
        let value = |percent| millis(latency.percentile(percent));
        Ok(vec![
            row("change seen by another server, p50", value(50.0), "ms").goal(Some(SEEN_P50)),
            row("change seen by another server, p99", value(99.0), "ms").goal(Some(SEEN_P99)),
        ])
    }
}
