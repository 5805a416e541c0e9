//! A side of a comparison: a server, its requests and the results of its runs.

use std::rc::Rc;
use std::time::Duration;

use crate::Bench;
use crate::BenchError;
use crate::histogram::Histogram;
use crate::load::Load;
use crate::load::LoadReport;
use crate::load::RequestSet;
use crate::load::Until;
use crate::measure::Process;
use crate::measure::own_cpu;
use crate::reads::Targets;
use crate::report::Spread;
use crate::report::Throughput;

/// One run of one side.
pub(crate) struct Run {
    /// The responses.
    pub(crate) load: LoadReport,
    /// The processor time of the server.
    pub(crate) cpu: Option<Duration>,
    /// The processor time of the load generator.
    pub(crate) generator_cpu: Option<Duration>,
}

/// All runs of one side.
#[derive(Default)]
pub(crate) struct Runs(pub(crate) Vec<Run>);

impl Runs {
    /// Adds a run without processor times.
    pub(crate) fn push(&mut self, load: LoadReport) {
        self.0.push(Run { load, cpu: None, generator_cpu: None });
    }

    /// Returns the requests per second of this side ÷ the other, run by run.
    pub(crate) fn ratio(&self, other: &Runs) -> Option<Spread> {
        self.compare(other, LoadReport::per_second)
    }

    /// Returns a figure of this side ÷ that of the other, run by run.
    pub(crate) fn compare(&self, other: &Runs, figure: fn(&LoadReport) -> f64) -> Option<Spread> {
        let pairs = self.0.iter().zip(&other.0);
        Spread::of(pairs.map(|(a, b)| figure(&a.load) / figure(&b.load).max(1e-9)))
    }

    /// Returns the first error.
    pub(crate) fn first_error(&self) -> Option<String> {
        self.0.iter().find_map(|run| run.load.first_error.clone())
    }

    /// Returns the median share of a core used in a run.
    fn share(&self, cpu: fn(&Run) -> Option<Duration>) -> Option<f64> {
        let shares = self.0.iter().filter_map(|run| {
            Some(cpu(run)?.as_secs_f64() / run.load.elapsed.as_secs_f64().max(1e-9))
        });
        Spread::of(shares).map(|spread| spread.median)
    }

    /// Returns the throughput over all runs.
    pub(crate) fn throughput(&self) -> Throughput {
        let mut latency = Histogram::new();
        self.0.iter().for_each(|run| latency.merge(&run.load.latency));
        let sum = |count: fn(&LoadReport) -> u64| -> u64 {
            self.0.iter().map(|run| count(&run.load)).sum()
        };
        let (answers, errors) = (sum(|load| load.answers), sum(|load| load.errors));
        let per_second = Spread::of(self.0.iter().map(|run| run.load.per_second()));
        let cpu_us = self
            .0
            .iter()
            .filter_map(|run| Some(run.cpu?.as_secs_f64() * 1e6 / run.load.answers.max(1) as f64));
        let micros = |time: Duration| time.as_secs_f64() * 1e6;
        Throughput {
            per_second: per_second.unwrap_or(Spread { median: 0.0, min: 0.0, max: 0.0 }),
            cpu_us: Spread::of(cpu_us).map(|spread| spread.median),
            busy: self.share(|run| run.cpu),
            generator_busy: self.share(|run| run.generator_cpu),
            p50_us: micros(latency.percentile(50.0)),
            p99_us: micros(latency.percentile(99.0)),
            body_bytes: sum(|load| load.body_bytes) / answers.max(1),
            answers,
            errors,
        }
    }
}

/// A server, its requests and its results.
pub(crate) struct Side<'a> {
    process: &'a Process,
    load: Load,
    requests: Rc<RequestSet>,
    /// The results.
    pub(crate) runs: Runs,
    /// The mean size of a body during the warm-up.
    pub(crate) body_bytes_mean: u64,
    /// The numbers of all successful writes.
    pub(crate) acknowledged: Vec<u64>,
}

impl<'a> Side<'a> {
    /// Connects and warms up. Fails if the server returns no successful response.
    pub(crate) fn open(
        process: &'a Process,
        requests: Rc<RequestSet>,
        n_connections: usize,
        warm_up: Duration,
    ) -> Result<Self, BenchError> {
        let mut load = Load::connect(process.address, n_connections).map_err(BenchError::Io)?;
        let report = load.drive(Rc::clone(&requests), Until::Elapsed(warm_up));
        if report.answers == 0 {
            let reason = report.first_error.unwrap_or_else(|| "no answers".into());
            return Err(BenchError::Run(reason));
        }
        let body_bytes_mean = report.body_bytes_mean();
        let acknowledged = report.acknowledged;
        let runs = Runs::default();
        Ok(Side { process, load, requests, runs, body_bytes_mean, acknowledged })
    }

    /// Opens a side for all requests of `targets`.
    pub(crate) fn open_targets(
        process: &'a Process,
        targets: &Targets,
        bench: &Bench,
    ) -> Result<Self, BenchError> {
        let requests = targets.set(process.address, None);
        Side::open(process, requests, bench.connections, bench.run_time)
    }

    /// Adds a run.
    pub(crate) fn run(&mut self, time: Duration) {
        let (cpu, own) = (self.process.cpu(), own_cpu());
        let load = self.load.drive(Rc::clone(&self.requests), Until::Elapsed(time));
        let since = |before: Option<Duration>, after: Option<Duration>| {
            before.zip(after).map(|(before, after)| after.saturating_sub(before))
        };
        self.acknowledged.extend_from_slice(&load.acknowledged);
        let (cpu, generator_cpu) = (since(cpu, self.process.cpu()), since(own, own_cpu()));
        self.runs.0.push(Run { load, cpu, generator_cpu });
    }
}
