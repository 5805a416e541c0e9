//! W9: from starting the program to its first good answer.

use std::time::Instant;

use super::Bench;
use super::BenchError;
use super::POSTS;
use super::get_ok;
use super::measure::drop_file_caches;
use super::progress;
use super::report::Figures;
use super::report::Goal;
use super::report::Row;
use super::report::Spread;
use super::report::millis;
use super::wire::Client;

const WARM: &[(usize, Goal)] =
    &[(10_000, Goal::at_most(150.0, 50.0)), (100_000, Goal::at_most(1_000.0, 300.0))];
const COLD: &[(usize, Goal)] = &[(100_000, Goal::at_most(5_000.0, 2_000.0))];

/// Warm, then with empty file caches.
pub(super) fn rows(bench: &Bench) -> Result<Vec<Row>, BenchError> {
    progress("W9 start");
    // The first start leaves behind what the server keeps for the next ones.
    start_once(bench)?;
    let n_starts = if bench.quick { 3 } else { 7 };
    let mut warm = Vec::new();
    for _ in 0..n_starts {
        warm.push(start_once(bench)?);
    }
    let mut cold = Vec::new();
    for _ in 0..n_starts.min(3) {
        if let Err(reason) = drop_file_caches() {
            let failed = Row::failed("W9", "start to first answer, cold", reason);
            return Ok(vec![row("start to first answer, warm", warm, bench.goal_at(WARM)), failed]);
        }
        cold.push(start_once(bench)?);
    }
    Ok(vec![
        row("start to first answer, warm", warm, bench.goal_at(WARM)),
        row("start to first answer, cold", cold, bench.goal_at(COLD)),
    ])
}

/// Milliseconds of one start.
fn start_once(bench: &Bench) -> Result<f64, BenchError> {
    let newest = bench.dataset.posts.iter().rev().find(|post| post.published);
    let newest = newest.ok_or_else(|| BenchError::Run("there is no published entry".into()))?;
    let start = Instant::now();
    let server = bench.serve(bench.dataset.folder())?;
    let mut client = Client::connect(server.address).map_err(BenchError::Io)?;
    get_ok(&mut client, &format!("{POSTS}/{}", newest.id))?;
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
