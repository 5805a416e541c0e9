//! The rows of W9: the time from starting the program to its first successful response, and to its
//! first list while texts are indexed.

use std::time::Instant;

use crate::Bench;
use crate::BenchError;
use crate::POSTS;
use crate::get_ok;
use crate::measure::drop_file_caches;
use crate::progress;
use crate::report::Figures;
use crate::report::Goal;
use crate::report::Row;
use crate::report::Spread;
use crate::report::millis;
use crate::wire::Client;

const WARM: &[(usize, Goal)] =
    &[(10_000, Goal::at_most(150.0, 50.0)), (100_000, Goal::at_most(1_000.0, 300.0))];
const COLD: &[(usize, Goal)] = &[(100_000, Goal::at_most(5_000.0, 2_000.0))];

/// Measures warm starts, then starts with empty file caches.
pub(crate) fn rows(bench: &Bench) -> Result<Vec<Row>, BenchError> {
    progress("W9 start");
    let newest = bench.dataset.posts.iter().rev().find(|post| post.published);
    let newest = newest.ok_or_else(|| BenchError::Run("there is no published entry".into()))?;
    let entry = format!("{POSTS}/{}", newest.id);
    // The first starts write the caches of the following ones. Files that have just changed are not
    // kept by the first.
    start_once(bench, &[], &entry)?;
    start_once(bench, &[], &entry)?;
    let n_starts = if bench.quick { 3 } else { 7 };
    let (mut warm, mut lists) = (Vec::new(), Vec::new());
    for _ in 0..n_starts {
        warm.push(start_once(bench, &[], &entry)?);
        // As a site is started, which prepares for searching.
        lists.push(start_once(bench, &["--search-eager=true"], POSTS)?);
    }
    let mut rows = vec![
        row("start to first answer, warm", warm, bench.goal_at(WARM)),
        row("start to first list, texts indexed meanwhile", lists, None),
    ];
    let mut cold = Vec::new();
    for _ in 0..n_starts.min(3) {
        if let Err(reason) = drop_file_caches() {
            rows.push(Row::failed("W9", "start to first answer, cold", reason));
            return Ok(rows);
        }
        cold.push(start_once(bench, &[], &entry)?);
    }
    rows.push(row("start to first answer, cold", cold, bench.goal_at(COLD)));
    Ok(rows)
}

/// Returns the milliseconds of one start with these arguments, until `target` is answered.
fn start_once(bench: &Bench, arguments: &[&str], target: &str) -> Result<f64, BenchError> {
    let start = Instant::now();
    let server = bench.serve_with(bench.dataset.folder(), arguments)?;
    let mut client = Client::connect(server.address).map_err(BenchError::Io)?;
    get_ok(&mut client, target)?;
    let took = start.elapsed();
    drop(client);
    server.stop();
    Ok(millis(took))
}

fn row(what: &str, times: Vec<f64>, goal: Option<Goal>) -> Row {
    let spread = Spread::of(times);
    let value = spread.map_or(0.0, |spread| spread.median);
    let figures = Figures::Value { value, unit: "ms", spread };
    Row { name: "W9", what: what.to_owned(), figures, goal, note: None }
}
