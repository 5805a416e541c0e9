//! What happened since the start and how things stand, in the OpenMetrics text format that
//! Prometheus reads.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;
use std::time::SystemTime;

use http::StatusCode;
use prometheus_client::collector::Collector;
use prometheus_client::encoding::DescriptorEncoder;
use prometheus_client::encoding::EncodeMetric as _;
use prometheus_client::encoding::MetricEncoder;
use prometheus_client::encoding::text;
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::gauge::ConstGauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;
use prometheus_client::registry::Unit;

use crate::http::conn::Counters;
use crate::http::route::Route;
use crate::http::service::Shared;

/// Limits of the buckets of durations, in seconds: from answers out of memory to the longest that a
/// client waits for.
const SECONDS: [f64; 16] = [
    0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5,
    10.0, 60.0,
];

/// What is counted while requests are answered.
pub struct Metrics {
    requests: Arc<Requests>,
    panics: AtomicU64,
    started: SystemTime,
}

impl Metrics {
    /// Zeros for every route.
    pub fn new(table: &'static [Route]) -> Metrics {
        let names = table.iter().map(|it| it.name).chain(["none"]);
        let requests = Arc::new(Requests { rows: names.map(Row::new).collect() });
        Metrics { requests, panics: AtomicU64::new(0), started: SystemTime::now() }
    }

    /// Counts a finished request.
    pub fn record(&self, route: Option<&Route>, status: StatusCode, took: Duration) {
        let rows = &self.requests.rows;
        let row = route.and_then(|it| rows.get(it.index)).or(rows.last());
        let class = usize::from(status.as_u16() / 100).saturating_sub(1);
        if let Some(row) = row
            && let Some(count) = row.by_class.get(class)
        {
            count.fetch_add(1, Relaxed);
            row.seconds.observe(took.as_secs_f64());
        }
    }

    /// Counts a handler that panicked.
    pub fn panicked(&self) {
        self.panics.fetch_add(1, Relaxed);
    }

    /// The text that Prometheus reads.
    ///
    /// # Errors
    /// The library refuses to write one of them, which no value can bring about.
    pub(super) fn text(&self, shared: &Shared) -> Result<String, fmt::Error> {
        let mut standing = Standing::default();
        self.process(&mut standing);
        connections(&shared.counters, &mut standing);
        queues(shared, &mut standing);
        content(shared, &mut standing);
        let mut registry = Registry::default();
        registry.register_collector(Box::new(self.requests.clone()));
        registry.register_collector(Box::new(standing));
        let mut out = String::new();
        text::encode(&mut out, &registry)?;
        Ok(out)
    }

    fn process(&self, standing: &mut Standing) {
        let build = [
            ("version", env!("CARGO_PKG_VERSION")),
            ("os", std::env::consts::OS),
            ("arch", std::env::consts::ARCH),
            ("profile", if cfg!(debug_assertions) { "debug" } else { "release" }),
        ];
        let labels = build.map(|(key, value)| (key, value.to_string())).to_vec();
        standing.gauge("recto_build_info", "The program.", vec![(labels, 1)]);
        let started = self.started.duration_since(SystemTime::UNIX_EPOCH);
        let about = "When the process started, in seconds since 1970.";
        standing.number("process_start_time_seconds", about, started.map_or(0, |it| it.as_secs()));
        if let Some(memory) = memory_stats::memory_stats() {
            let (resident, virtually) = (memory.physical_mem as u64, memory.virtual_mem as u64);
            let about = "Memory of the process that is in RAM.";
            standing.number("process_resident_memory_bytes", about, resident);
            let about = "Address space of the process.";
            standing.number("process_virtual_memory_bytes", about, virtually);
        }
    }
}

/// Finished requests by route.
#[derive(Debug)]
struct Requests {
    /// One a route, and the last for requests that met none.
    rows: Vec<Row>,
}

#[derive(Debug)]
struct Row {
    name: &'static str,
    /// By the first digit of the status, from 1 to 5.
    by_class: [AtomicU64; 5],
    seconds: Histogram,
}

impl Row {
    fn new(name: &'static str) -> Row {
        Row { name, by_class: Default::default(), seconds: Histogram::new(SECONDS) }
    }

    /// Most routes of a server are never asked.
    fn is_used(&self) -> bool {
        self.by_class.iter().any(|it| it.load(Relaxed) > 0)
    }
}

/// In the order of the route table; families of the library have none.
impl Collector for Requests {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let about = "Requests answered.";
        let mut total =
            encoder.encode_descriptor("recto_requests", about, None, MetricType::Counter)?;
        for row in &self.rows {
            for (class, count) in (1..).zip(&row.by_class) {
                let count = count.load(Relaxed);
                if count > 0 {
                    let labels =
                        [("route", row.name.to_string()), ("status", format!("{class}xx"))];
                    ConstCounter::new(count).encode(total.encode_family(&labels)?)?;
                }
            }
        }
        let (name, about) = ("recto_request_duration", "Time until answers were ready.");
        let mut seconds =
            encoder.encode_descriptor(name, about, Some(&Unit::Seconds), MetricType::Histogram)?;
        for row in self.rows.iter().filter(|it| it.is_used()) {
            row.seconds.encode(seconds.encode_family(&[("route", row.name)])?)?;
        }
        Ok(())
    }
}

/// Labels of a value.
type Labels = Vec<(&'static str, String)>;

/// How things stand at one moment.
#[derive(Debug, Default)]
struct Standing(Vec<Measured>);

/// A metric with its values.
#[derive(Debug)]
struct Measured {
    name: &'static str,
    about: &'static str,
    is_counter: bool,
    values: Vec<(Labels, u64)>,
}

impl Standing {
    /// What goes up and down, by labels.
    fn gauge(&mut self, name: &'static str, about: &'static str, values: Vec<(Labels, u64)>) {
        self.0.push(Measured { name, about, is_counter: false, values });
    }

    /// What goes up and down.
    fn number(&mut self, name: &'static str, about: &'static str, value: u64) {
        self.gauge(name, about, vec![(Labels::new(), value)]);
    }

    /// What only goes up. Its name gets `_total` behind it.
    fn counter(&mut self, name: &'static str, about: &'static str, value: u64) {
        let values = vec![(Labels::new(), value)];
        self.0.push(Measured { name, about, is_counter: true, values });
    }
}

impl Collector for Standing {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        for Measured { name, about, is_counter, values } in &self.0 {
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

fn connections(counters: &Counters, standing: &mut Standing) {
    standing.number("recto_connections", "Open connections.", counters.open.load(Relaxed));
    let accepted = counters.accepted.load(Relaxed);
    standing.counter("recto_connections_accepted", "Accepted connections.", accepted);
    let refused = counters.turned_away.load(Relaxed);
    standing.counter("recto_connections_refused", "Connections over a limit.", refused);
    let cut = counters.cut.load(Relaxed);
    standing.counter("recto_connections_cut", "Connections that were too slow or idle.", cut);
}

/// What waits for its turn.
fn queues(shared: &Shared, standing: &mut Standing) {
    let engine = &shared.app.engine;
    let lengths = [
        ("work", shared.turns.n_waiting()),
        ("pictures", shared.lane.n_waiting()),
        ("logins", shared.door.turns().n_waiting()),
        ("writes", engine.n_writes_waiting()),
        ("webhooks", engine.n_messages_waiting()),
    ];
    let values = lengths.map(|(queue, length)| (vec![("queue", queue.to_string())], length as u64));
    let about = "What waits for its turn.";
    standing.gauge("recto_queue_length", about, values.to_vec());
    let streams = shared.hub.n_open() as u64;
    standing.number("recto_live_streams", "Open live streams.", streams);
}

fn content(shared: &Shared, standing: &mut Standing) {
    let app = &shared.app;
    let panics = shared.metrics.panics.load(Relaxed) + shared.counters.panics.load(Relaxed);
    standing.counter("recto_panics", "Requests that panicked.", panics);
    let workspaces = app.engine.workspaces();
    let entries = workspaces.iter().map(|(ws, workspace)| {
        (vec![("workspace", ws.to_string())], workspace.current().entries() as u64)
    });
    standing.gauge("recto_entries", "Entries in memory.", entries.collect());
    let problems = app.engine.problems().count_by_kind().into_iter();
    let problems = problems.map(|(kind, count)| (vec![("kind", kind.to_string())], count as u64));
    standing.gauge("recto_problems", "Defects in the data folder.", problems.collect());
    if let Some(free) = app.engine.free_bytes() {
        let about = "Bytes that can still be written where the data folder is.";
        standing.number("recto_disk_free_bytes", about, free);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_counted_by_route_in_buckets() {
        let table: &'static [Route] = Vec::leak(crate::http::routes::table());
        let metrics = Metrics::new(table);
        let list = table.iter().find(|it| it.name == "entries.list").unwrap();
        for milliseconds in (1..=100).map(|it| if it > 99 { 2_000 } else { 20 }) {
            let took = Duration::from_millis(milliseconds);
            metrics.record(Some(list), StatusCode::OK, took);
        }
        metrics.record(None, StatusCode::NOT_FOUND, Duration::from_micros(50));
        let mut registry = Registry::default();
        registry.register_collector(Box::new(metrics.requests));
        let mut text = String::new();
        text::encode(&mut text, &registry).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        for expect in [
            "# TYPE recto_requests counter",
            r#"recto_requests_total{route="entries.list",status="2xx"} 100"#,
            r#"recto_requests_total{route="none",status="4xx"} 1"#,
            "# TYPE recto_request_duration_seconds histogram",
            r#"recto_request_duration_seconds_count{route="entries.list"} 100"#,
            // The 99th percentile lies at 25 ms, and the slowest request above it.
            r#"recto_request_duration_seconds_bucket{le="0.01",route="entries.list"} 0"#,
            r#"recto_request_duration_seconds_bucket{le="0.025",route="entries.list"} 99"#,
            r#"recto_request_duration_seconds_bucket{le="1.0",route="entries.list"} 99"#,
            r#"recto_request_duration_seconds_bucket{le="2.5",route="entries.list"} 100"#,
            r#"recto_request_duration_seconds_bucket{le="0.0001",route="none"} 1"#,
            "# EOF",
        ] {
            assert!(lines.contains(&expect), "{expect} is not in\n{text}");
        }
        assert!(!text.contains("media.list"), "a route that was never asked is told:\n{text}");
    }
}
