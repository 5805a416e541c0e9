//! Counters of requests since the start.

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
use prometheus_client::encoding::NoLabelSet;
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::registry::Unit;

use crate::http::request::route::Route;

/// The bounds of the buckets of durations in microseconds: from responses out of memory to the
/// longest wait of a client.
const MICROSECONDS: [u64; 16] = [
    100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000,
    1_000_000, 2_500_000, 10_000_000, 60_000_000,
];

/// The counters that are updated while requests are answered.
pub struct Metrics {
    requests: Arc<RequestCounts>,
    panics: AtomicU64,
    started: SystemTime,
}

impl Metrics {
    /// Zeros for every route.
    pub fn new(table: &[Route]) -> Metrics {
        let names = table.iter().map(|it| it.name).chain(["none"]);
        let requests = Arc::new(RequestCounts { rows: names.map(RouteCounts::new).collect() });
        Metrics { requests, panics: AtomicU64::new(0), started: SystemTime::now() }
    }

    /// Counts a finished request.
    pub fn record_request(&self, route: Option<&Route>, status: StatusCode, took: Duration) {
        let rows = &self.requests.rows;
        let row = route.and_then(|it| rows.get(it.index)).or(rows.last());
        let class = usize::from(status.as_u16() / 100).saturating_sub(1);
        if let Some(row) = row
            && let Some(count) = row.by_class.get(class)
        {
            count.fetch_add(1, Relaxed);
            row.durations.record(took);
        }
    }

    /// The counters of finished requests.
    pub(crate) fn requests(&self) -> Arc<RequestCounts> {
        self.requests.clone()
    }

    /// Returns the number of handlers that have panicked.
    pub(crate) fn panics(&self) -> u64 {
        self.panics.load(Relaxed)
    }

    /// The moment the process started.
    pub(crate) fn started(&self) -> SystemTime {
        self.started
    }

    /// Counts a handler that panicked.
    pub fn record_panic(&self) {
        self.panics.fetch_add(1, Relaxed);
    }
}

/// The finished requests by route.
#[derive(Debug)]
pub(crate) struct RequestCounts {
    /// One a route, and the last for requests that met none.
    rows: Vec<RouteCounts>,
}

#[derive(Debug)]
struct RouteCounts {
    name: &'static str,
    /// The counts by the first digit of the status, from 1 to 5.
    by_class: [AtomicU64; 5],
    durations: DurationCounts,
}

/// Durations by bucket, counted without a lock: the sum may be ahead of the counts for a moment.
#[derive(Debug, Default)]
struct DurationCounts {
    /// One a bound, and one for what is longer.
    by_bound: [AtomicU64; MICROSECONDS.len() + 1],
    nanoseconds: AtomicU64,
}

impl DurationCounts {
    fn record(&self, took: Duration) {
        let nanoseconds = u64::try_from(took.as_nanos()).unwrap_or(u64::MAX);
        // Nearly all are in the first bucket.
        let bound = MICROSECONDS.iter().position(|it| nanoseconds <= it * 1_000);
        self.by_bound[bound.unwrap_or(MICROSECONDS.len())].fetch_add(1, Relaxed);
        self.nanoseconds.fetch_add(nanoseconds, Relaxed);
    }

    fn encode(&self, mut encoder: MetricEncoder<'_>) -> fmt::Result {
        let bounds = MICROSECONDS.iter().map(|it| *it as f64 / 1e6).chain([f64::MAX]);
        let counts = self.by_bound.iter().map(|it| it.load(Relaxed));
        let buckets: Vec<(f64, u64)> = bounds.zip(counts).collect();
        let count = buckets.iter().map(|(_, count)| count).sum();
        let seconds = self.nanoseconds.load(Relaxed) as f64 / 1e9;
        encoder.encode_histogram::<NoLabelSet>(seconds, count, &buckets, None)
    }
}

impl RouteCounts {
    fn new(name: &'static str) -> RouteCounts {
        RouteCounts { name, by_class: Default::default(), durations: DurationCounts::default() }
    }

    /// Returns true if the route was used; most routes of a server never are.
    fn is_used(&self) -> bool {
        self.by_class.iter().any(|it| it.load(Relaxed) > 0)
    }
}

/// The rows in the order of the route table; the families of the library have no order.
impl Collector for RequestCounts {
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
            row.durations.encode(seconds.encode_family(&[("route", row.name)])?)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use prometheus_client::encoding::text;
    use prometheus_client::registry::Registry;

    use super::*;

    #[test]
    fn durations_are_counted_by_route_in_buckets() {
        let table = crate::http::routes::build_table();
        let metrics = Metrics::new(&table);
        let list = table.iter().find(|it| it.name == "entries.list").unwrap();
        for milliseconds in (1..=100).map(|it| if it > 99 { 2_000 } else { 20 }) {
            let took = Duration::from_millis(milliseconds);
            metrics.record_request(Some(list), StatusCode::OK, took);
        }
        metrics.record_request(None, StatusCode::NOT_FOUND, Duration::from_micros(50));
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
            // The 99th percentile is at 25 ms, and the slowest request above it.
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
