//! One side of a comparison: a server, what is asked of it, and what came of each run.

use std::rc::Rc;
use std::time::Duration;

use super::Bench;
use super::BenchError;
use super::histogram::Histogram;
use super::load::Load;
use super::load::LoadReport;
use super::load::RequestSet;
use super::load::Until;
use super::measure::Process;
use super::measure::own_cpu;
use super::reads::Targets;
use super::report::Spread;
use super::report::Throughput;

/// One run of one side.
pub(super) struct Run {
    /// What was answered.
    pub(super) load: LoadReport,
    /// Processor time of the server.
    pub(super) cpu: Option<Duration>,
    /// Processor time of the load generator.
    pub(super) generator_cpu: Option<Duration>,
}

/// All runs of one side.
#[derive(Default)]
pub(super) struct Runs(pub(super) Vec<Run>);

impl Runs {
    /// Adds one that only its answers are known of.
    pub(super) fn push(&mut self, load: LoadReport) {
        self.0.push(Run { load, cpu: None, generator_cpu: None });
    }

    /// Requests a second of this side ÷ the other, run by run.
    pub(super) fn ratio(&self, other: &Runs) -> Option<Spread> {
        self.compare(other, LoadReport::per_second)
    }

    /// Some figure of this side ÷ the other's, run by run.
    pub(super) fn compare(&self, other: &Runs, figure: fn(&LoadReport) -> f64) -> Option<Spread> {
        let pairs = self.0.iter().zip(&other.0);
        Spread::of(pairs.map(|(a, b)| figure(&a.load) / figure(&b.load).max(1e-9)))
    }

    /// The first thing that went wrong.
    pub(super) fn first_error(&self) -> Option<String> {
        self.0.iter().find_map(|run| run.load.first_error.clone())
    }

    /// The middle share of a core that somebody used in a run.
    fn share(&self, cpu: fn(&Run) -> Option<Duration>) -> Option<f64> {
        let shares = self.0.iter().filter_map(|run| {
            Some(cpu(run)?.as_secs_f64() / run.load.elapsed.as_secs_f64().max(1e-9))
        });
        Spread::of(shares).map(|spread| spread.median)
    }

    /// All runs together.
    pub(super) fn throughput(&self) -> Throughput {
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

/// A server, what is asked of it and what it did.
pub(super) struct Side<'a> {
    process: &'a Process,
    load: Load,
    requests: Rc<RequestSet>,
    /// What came of it.
    pub(super) runs: Runs,
    /// Mean size of a body while it warmed up.
    pub(super) body_bytes_mean: u64,
    /// Numbers of all writes that were answered well.
    pub(super) acknowledged: Vec<u64>,
}

impl<'a> Side<'a> {
    /// Connects and warms up; fails when the server does not give good answers.
    pub(super) fn open(
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

    /// As `open`, for everything the targets name.
    pub(super) fn open_targets(
        process: &'a Process,
        targets: &Targets,
        bench: &Bench,
    ) -> Result<Self, BenchError> {
        let requests = targets.set(process.address, None);
        Side::open(process, requests, bench.connections, bench.run_time)
    }

    /// One more run.
    pub(super) fn run(&mut self, time: Duration) {
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
