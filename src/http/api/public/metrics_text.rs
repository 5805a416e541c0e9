//! The metrics as text: what happened since the start and how things stand, in the OpenMetrics
//! format that Prometheus reads.

use std::fmt;
use std::sync::atomic::Ordering::Relaxed;
use std::time::SystemTime;

use prometheus_client::collector::Collector;
use prometheus_client::encoding::DescriptorEncoder;
use prometheus_client::encoding::EncodeMetric as _;
use prometheus_client::encoding::MetricEncoder;
use prometheus_client::encoding::text;
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::gauge::ConstGauge;
use prometheus_client::registry::Registry;

use crate::http::request::state::ServerState;
use crate::http::wire::counters::Counters;

/// The text that Prometheus reads.
///
/// # Errors
/// The library refuses to write one of them, which no value can bring about.
pub(crate) fn render_text(state: &ServerState) -> Result<String, fmt::Error> {
    let mut measurements = Measurements::default();
    add_process(state.metrics.started(), &mut measurements);
    add_connections(&state.counters, &mut measurements);
    add_queues(state, &mut measurements);
    add_content(state, &mut measurements);
    add_backups(state, &mut measurements);
    add_database(state, &mut measurements);
    let mut registry = Registry::default();
    registry.register_collector(Box::new(state.metrics.requests()));
    registry.register_collector(Box::new(measurements));
    let mut out = String::new();
    text::encode(&mut out, &registry)?;
    Ok(out)
}

fn add_process(started: SystemTime, measurements: &mut Measurements) {
    let build = [
        ("version", env!("CARGO_PKG_VERSION")),
        ("os", std::env::consts::OS),
        ("arch", std::env::consts::ARCH),
        ("profile", if cfg!(debug_assertions) { "debug" } else { "release" }),
    ];
    let labels = build.map(|(key, value)| (key, value.to_string())).to_vec();
    measurements.add_gauges("recto_build_info", "The program.", vec![(labels, 1)]);
    let started = started.duration_since(SystemTime::UNIX_EPOCH);
    let about = "When the process started, in seconds since 1970.";
    measurements.add_gauge(
        "process_start_time_seconds",
        about,
        started.map_or(0, |it| it.as_secs()),
    );
    if let Some(memory) = memory_stats::memory_stats() {
        let (resident, virtually) = (memory.physical_mem as u64, memory.virtual_mem as u64);
        let about = "Memory of the process that is in RAM.";
        measurements.add_gauge("process_resident_memory_bytes", about, resident);
        let about = "Address space of the process.";
        measurements.add_gauge("process_virtual_memory_bytes", about, virtually);
    }
}

/// Labels of a value.
type Labels = Vec<(&'static str, String)>;

/// The measurements of one moment.
#[derive(Debug, Default)]
struct Measurements(Vec<Measurement>);

/// A metric with its values.
#[derive(Debug)]
struct Measurement {
    name: &'static str,
    about: &'static str,
    is_counter: bool,
    values: Vec<(Labels, u64)>,
}

impl Measurements {
    /// Adds values that go up and down, by labels.
    fn add_gauges(&mut self, name: &'static str, about: &'static str, values: Vec<(Labels, u64)>) {
        self.0.push(Measurement { name, about, is_counter: false, values });
    }

    /// Adds a value that goes up and down.
    fn add_gauge(&mut self, name: &'static str, about: &'static str, value: u64) {
        self.add_gauges(name, about, vec![(Labels::new(), value)]);
    }

    /// Adds a value that only goes up. Its name gets the suffix `_total`.
    fn add_counter(&mut self, name: &'static str, about: &'static str, value: u64) {
        let values = vec![(Labels::new(), value)];
        self.0.push(Measurement { name, about, is_counter: true, values });
    }
}

impl Collector for Measurements {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        for Measurement { name, about, is_counter, values } in &self.0 {
            let kind = if *is_counter { MetricType::Counter } else { MetricType::Gauge };
            let put = |value: u64, into: MetricEncoder<'_>| match is_counter {
                true => ConstCounter::new(value).encode(into),
                false => ConstGauge::new(value).encode(into),
            };
            let mut family = encoder.encode_descriptor(name, about, None, kind)?;
            for (labels, value) in values.iter().filter(|it| !it.0.is_empty()) {
                put(*value, family.encode_family(labels)?)?;
            }
            if let [(labels, value)] = values.as_slice()
                && labels.is_empty()
            {
                put(*value, family)?;
            }
        }
        Ok(())
    }
}

fn add_connections(counters: &Counters, measurements: &mut Measurements) {
    measurements.add_gauge("recto_connections", "Open connections.", counters.open.load(Relaxed));
    let accepted = counters.accepted.load(Relaxed);
    measurements.add_counter("recto_connections_accepted", "Accepted connections.", accepted);
    let refused = counters.turned_away.load(Relaxed);
    measurements.add_counter(
        "recto_connections_refused",
        "Connections refused over a limit.",
        refused,
    );
    let cut = counters.cut.load(Relaxed);
    measurements.add_counter(
        "recto_connections_cut",
        "Connections cut because they were too slow or idle.",
        cut,
    );
}

/// Adds the lengths of the queues.
fn add_queues(state: &ServerState, measurements: &mut Measurements) {
    let engine = &state.app.engine;
    let lengths = [
        ("work", state.blocking_pool.n_waiting()),
        ("pictures", state.lane.n_waiting()),
        ("logins", state.login_gate.pool().n_waiting()),
        ("writes", engine.registry().n_writes_waiting()),
        ("webhooks", engine.outbox().n_messages_waiting()),
    ];
    let values = lengths.map(|(queue, length)| (vec![("queue", queue.to_string())], length as u64));
    let about = "The length of a queue.";
    measurements.add_gauges("recto_queue_length", about, values.to_vec());
    let streams = state.live_hub.n_open() as u64;
    measurements.add_gauge("recto_live_streams", "Open live streams.", streams);
}

fn add_content(state: &ServerState, measurements: &mut Measurements) {
    let app = &state.app;
    let panics = state.metrics.panics() + state.counters.panics.load(Relaxed);
    measurements.add_counter("recto_panics", "Requests that panicked.", panics);
    let workspaces = app.engine.workspaces();
    let entries = workspaces.iter().map(|(ws, workspace)| {
        (vec![("workspace", ws.to_string())], workspace.current_snapshot().count_entries() as u64)
    });
    measurements.add_gauges("recto_entries", "Entries in memory.", entries.collect());
    let problems = app.engine.problems().count_by_kind().into_iter();
    let problems = problems.map(|(kind, count)| (vec![("kind", kind.to_string())], count as u64));
    measurements.add_gauges("recto_problems", "Defects in the data folder.", problems.collect());
    if let Some(free) = app.engine.folder().free_bytes() {
        let about = "Free bytes on the file system of the data folder.";
        measurements.add_gauge("recto_disk_free_bytes", about, free);
    }
}

/// Adds the database that several servers share, if there is one.
fn add_database(state: &ServerState, measurements: &mut Measurements) {
    let Some(replica) = state.app.engine.folder().replica() else { return };
    let about = "The last commit of the database that is in the replica.";
    measurements.add_gauge("recto_database_position", about, replica.position());
    let about = "The last commit of the database that is served.";
    measurements.add_gauge("recto_database_served_position", about, replica.published_position());
    let about = "Files that are not on the disk of this server yet.";
    let pending = replica.count_pending_files() as u64;
    measurements.add_gauge("recto_database_pending_files", about, pending);
    let about = "1 if the database has answered in the last seconds.";
    measurements.add_gauge("recto_database_up", about, u64::from(replica.is_reachable()));
    let about = "1 if this server does the work that only one does.";
    measurements.add_gauge("recto_database_leader", about, u64::from(replica.is_leader()));
    let counts = replica.counts();
    let about = "Turns among all servers.";
    measurements.add_counter("recto_database_turns", about, counts.turns.load(Relaxed));
    let about = "Milliseconds that this server waited for turns.";
    measurements.add_counter(
        "recto_database_turn_wait_milliseconds",
        about,
        counts.waited_ms.load(Relaxed),
    );
    let about = "Commits of other servers that were taken over.";
    measurements.add_counter(
        "recto_database_commits_followed",
        about,
        counts.followed.load(Relaxed),
    );
    let about = "Calls of the database that failed.";
    measurements.add_counter("recto_database_failures", about, counts.failures.load(Relaxed));
}

/// Adds the scheduled backups, if there are any.
fn add_backups(state: &ServerState, measurements: &mut Measurements) {
    let settings = state.app.settings();
    let Some(plan) = &settings.backups else { return };
    let schedule = plan.report(&state.app.engine);
    let at = schedule.last_success_at.map_or(0, |it| it.seconds());
    let about = "The time of the last scheduled backup that succeeded, in seconds since 1970.";
    let at = u64::try_from(at).unwrap_or_default();
    measurements.add_gauge("recto_backup_last_success_timestamp_seconds", about, at);
    let about = "1 if the last try of a scheduled backup failed.";
    measurements.add_gauge("recto_backup_failing", about, u64::from(schedule.error.is_some()));
}
