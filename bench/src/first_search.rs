//! The rows of first searches: a search that finds no text index builds it. Many who search at the
//! same time must cost about as much as one, since nobody needs a permission to search.

use std::rc::Rc;
use std::time::Duration;

use crate::Bench;
use crate::BenchError;
use crate::load::Load;
use crate::load::Order;
use crate::load::RequestSet;
use crate::load::Until;
use crate::measure::Process;
use crate::progress;
use crate::reads;
use crate::report::Figures;
use crate::report::Goal;
use crate::report::Row;
use crate::report::Spread;

/// The name to give to `--only`.
pub(crate) const NAME: &str = "FIRST-SEARCH";

/// The people who search at the same time.
const SEARCHERS: usize = 16;
/// The cost of that many, compared with one.
const AT_ONCE: &[(usize, Goal)] = &[(100_000, Goal::at_most(1.3, 1.1))];
const MB: f64 = 1_048_576.0;

/// What the first searches of a server cost.
#[derive(Default)]
struct Costs {
    cpu_ms: Vec<f64>,
    peak_mb: Vec<f64>,
}

/// Measures the processor time and the memory of one first search and of many at the same time, in
/// turn, each on a server of its own.
pub(crate) fn rows(bench: &Bench) -> Result<Vec<Row>, BenchError> {
    progress("first searches");
    let (mut one, mut many) = (Costs::default(), Costs::default());
    for _ in 0..bench.pairs.min(3) {
        one.measure(bench, 1)?;
        many.measure(bench, SEARCHERS)?;
    }
    let ratios = |many: &[f64], one: &[f64]| {
        Spread::of(many.iter().zip(one).map(|(many, one)| many / one.max(1e-9)))
    };
    let what = format!("{SEARCHERS} at the same time ÷ 1");
    let row = |what: String, spread: Option<Spread>, unit| {
        let value = spread.map_or(f64::INFINITY, |spread| spread.median);
        let figures = Figures::Value { value, unit, spread };
        Row { figures, ..Row::value("W4", what, value, unit) }
    };
    let cpu = ratios(&many.cpu_ms, &one.cpu_ms);
    let peak = ratios(&many.peak_mb, &one.peak_mb);
    Ok(vec![
        row("first search: CPU".into(), Spread::of(one.cpu_ms), "ms"),
        row("first search: memory at its peak".into(), Spread::of(one.peak_mb), "MB"),
        row(format!("first searches: CPU, {what}"), cpu, "×").goal(bench.goal_at(AT_ONCE)),
        row(format!("first searches: memory, {what}"), peak, "×").goal(bench.goal_at(AT_ONCE)),
    ])
}

impl Costs {
    /// Lets so many people search a server that has just been started.
    fn measure(&mut self, bench: &Bench, searchers: usize) -> Result<(), BenchError> {
        let untold = || BenchError::Run("this system does not say what a process uses".into());
        let server = bench.serve(bench.dataset.folder())?;
        let before = server.settled_bytes().ok_or_else(untold)?;
        let cpu = server.total_cpu().ok_or_else(untold)?;
        server.reset_peak();
        search_at_once(bench, &server, searchers)?;
        let spent: Duration = server.total_cpu().ok_or_else(untold)?.saturating_sub(cpu);
        let peak = server.peak_bytes().ok_or_else(untold)?.saturating_sub(before);
        server.stop();
        self.cpu_ms.push(spent.as_secs_f64() * 1e3);
        self.peak_mb.push(peak as f64 / MB);
        Ok(())
    }
}

/// Sends one search for each person, each for another word, so that none is answered from a cache.
fn search_at_once(bench: &Bench, server: &Process, searchers: usize) -> Result<(), BenchError> {
    let paths: Vec<String> =
        bench.dataset.search_words().take(searchers).map(|word| reads::search(&[word])).collect();
    let paths = paths.iter().map(String::as_str);
    let requests = Rc::new(RequestSet::new(server.address, paths, None, Order::Once));
    let mut load = Load::connect(server.address, searchers).map_err(BenchError::Io)?;
    let report = load.drive(requests, Until::Answered(searchers as u64));
    match report.first_error {
        Some(error) => Err(BenchError::Run(error)),
        None => Ok(()),
    }
}
