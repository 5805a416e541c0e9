//! The rows of variants of pictures: how long the first one takes, how fast a kept one is served
//! compared with a file of its size, and what many first ones at once cost in memory.

use std::rc::Rc;
use std::time::Duration;

use crate::Bench;
use crate::BenchError;
use crate::generate::make_empty;
use crate::load::Load;
use crate::load::LoadReport;
use crate::load::Order;
use crate::load::RequestSet;
use crate::load::Until;
use crate::measure::Process;
use crate::pictures;
use crate::progress;
use crate::report::Goal;
use crate::report::Row;
use crate::report::Spread;

/// The name to give to `--only`.
pub(crate) const NAME: &str = "VARIANTS";

/// The number of pictures of 12 megapixels whose variants are made one after the other.
const ALONE: usize = 10;
/// The number whose variants are asked for at once.
const TOGETHER: usize = 32;
/// The width that is asked for.
const WIDTH: u32 = 960;
/// The milliseconds of a first variant.
const FIRST: Goal = Goal::at_most(400.0, 250.0);
/// The rate of a kept variant, compared with that of a file of its size.
const KEPT: Goal = Goal::at_least(0.90, 1.0);
/// The megabytes beside what the server has before.
const MEMORY: Goal = Goal::at_most(200.0, 150.0);
const MB: f64 = 1_048_576.0;

/// Measures variants of pictures.
pub(crate) fn rows(bench: &Bench) -> Result<Vec<Row>, BenchError> {
    if !bench.is_named(NAME) {
        return Ok(Vec::new());
    }
    progress("variants of pictures");
    let untold = || BenchError::Run("this system does not say what a process uses".into());
    let folder = bench.scratch.join("variants");
    make_empty(&folder)?;
    let media = folder.join("workspaces/default/media");
    std::fs::create_dir_all(&media).map_err(BenchError::file(&media))?;
    let picture = pictures::large(bench.seed)?;
    for number in 0..ALONE + TOGETHER {
        let path = media.join(format!("large-{number}.jpg"));
        std::fs::write(&path, &picture).map_err(BenchError::file(&path))?;
    }
    let server = bench.serve(&folder)?;
    let path = |number: usize| format!("/media/default/large-{number}.jpg?w={WIDTH}");
    let mut first = Vec::new();
    let mut bytes = 0;
    for number in 0..ALONE {
        let report = drive(&server, &[path(number)], 1, Until::Answered(1))?;
        first.push(report.elapsed.as_secs_f64() * 1e3);
        bytes = report.body_bytes;
    }
    let before = server.settled_bytes().ok_or_else(untold)? as f64 / MB;
    server.reset_peak();
    let together: Vec<String> = (ALONE..ALONE + TOGETHER).map(path).collect();
    drive(&server, &together, TOGETHER, Until::Answered(TOGETHER as u64))?;
    let peak = server.peak_bytes().ok_or_else(untold)? as f64 / MB;
    let plain = media.join("same.txt");
    let same = vec![b'a'; usize::try_from(bytes).unwrap_or_default()];
    std::fs::write(&plain, same).map_err(BenchError::file(&plain))?;
    wait_for_file(&server, "/media/default/same.txt")?;
    let ratio = compare_rates(bench, &server, &path(0), "/media/default/same.txt")?;
    server.stop();
    let median = Spread::of(first).map_or(0.0, |it| it.median);
    let value = |what: &str, value, unit| Row::value("VARIANTS", what, value, unit);
    Ok(vec![
        value("first variant of 12 megapixels", median, "ms").goal(Some(FIRST)),
        value("kept variant ÷ file of its size", ratio, "×").goal(Some(KEPT)),
        value("32 first variants at once: memory at its peak", peak - before, "MB")
            .goal(Some(MEMORY)),
    ])
}

/// Waits until the server has found a new file.
fn wait_for_file(server: &Process, path: &str) -> Result<(), BenchError> {
    let ask = || drive(server, &[path.to_string()], 1, Until::Answered(1));
    for _ in 0..100 {
        if ask().is_ok() {
            return Ok(());
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    ask().map(|_| ())
}

/// Returns the rate of one path divided by that of another, measured in turn.
fn compare_rates(
    bench: &Bench,
    server: &Process,
    one: &str,
    other: &str,
) -> Result<f64, BenchError> {
    let warm = Until::Elapsed(Duration::from_millis(1_500));
    drive(server, &[one.to_string(), other.to_string()], 4, warm)?;
    let mut ratios = Vec::new();
    for _ in 0..bench.pairs {
        let rate = |path: &str| -> Result<f64, BenchError> {
            let until = Until::Elapsed(bench.run_time);
            Ok(drive(server, &[path.to_string()], bench.connections, until)?.per_second())
        };
        ratios.push(rate(one)? / rate(other)?.max(1.0));
    }
    Ok(Spread::of(ratios).map_or(0.0, |it| it.median))
}

fn drive(
    server: &Process,
    paths: &[String],
    clients: usize,
    until: Until,
) -> Result<LoadReport, BenchError> {
    let paths = paths.iter().map(String::as_str);
    let order = if matches!(until, Until::Answered(_)) { Order::Once } else { Order::Random };
    let requests = Rc::new(RequestSet::new(server.address, paths, None, order));
    let mut load = Load::connect(server.address, clients).map_err(BenchError::Io)?;
    let report = load.drive(requests, until);
    match report.first_error {
        Some(error) => Err(BenchError::Run(error)),
        None => Ok(report),
    }
}
