//! The growth comparison: the same requests at 1,000, 10,000 and 100,000 entries, on three servers
//! in turn. With indexes, the size should hardly matter. Creates are compared, too, on copies of
//! the content.

use std::path::Path;

use crate::Bench;
use crate::BenchError;
use crate::generate::Dataset;
use crate::measure::Process;
use crate::open_dataset;
use crate::progress;
use crate::reads;
use crate::reads::MakeTargets;
use crate::report::Figures;
use crate::report::Goal;
use crate::report::Row;
use crate::report::Spread;
use crate::side::Side;
use crate::writes::Scene;

const SIZES: [usize; 3] = [1_000, 10_000, 100_000];
const ROWS: [(&str, &str, MakeTargets); 4] = [
    ("W1", "entry by slug", reads::entries_by_slug),
    ("W2", "20 newest, repeated", reads::newest_repeated),
    ("W2", "20 of a list, never seen", reads::newest_new),
    ("W3", "two filters and sort, never seen", reads::filtered_by_size),
];
/// The percentage lost from the smallest to the largest size.
const GOAL: Goal = Goal::at_most(12.0, 5.0);
/// The percentage of processor time that a create may take more. Rates depend on the disk.
const CREATE_GOAL: Goal = Goal::at_most(15.0, 5.0);

/// Measures each size and request, and the loss from the smallest to the largest size.
pub(crate) fn rows(bench: &Bench, data: &Path) -> Result<Vec<Row>, BenchError> {
    let mut servers = Vec::new();
    for entries in SIZES {
        progress(&format!("growth: {entries} entries"));
        let dataset = open_dataset(data, entries, bench.seed)?;
        let server = bench.serve(dataset.folder())?;
        servers.push((dataset, server));
    }
    let mut rows = Vec::new();
    for (name, what, targets) in ROWS {
        progress(&format!("growth: {name} {what}"));
        let failed = |error| vec![Row::failed(name, format!("growth: {what}"), error)];
        rows.extend(measure(bench, &servers, name, what, targets).unwrap_or_else(failed));
    }
    servers.into_iter().for_each(|(_, server)| server.stop());
    progress("growth: W6 create");
    let failed = |error| vec![Row::failed("W6", "growth: create", error)];
    rows.extend(measure_creates(bench).unwrap_or_else(failed));
    Ok(rows)
}

/// Measures creates of one writer at each size, and the processor time added from the smallest to
/// the largest.
fn measure_creates(bench: &Bench) -> Result<Vec<Row>, BenchError> {
    let mut scenes = Vec::new();
    for entries in SIZES {
        let scene = Scene::open_sized(bench, entries)?;
        let server = bench.serve(scene.dataset.folder())?;
        scenes.push((scene, server));
    }
    let mut sides = Vec::new();
    for (scene, server) in &scenes {
        sides.push(Side::open(server, scene.build_creates(server)?, 1, scene.run_time)?);
    }
    for _ in 0..bench.pairs {
        sides.iter_mut().for_each(|side| side.run(bench.run_time * 2));
    }
    let rows = compare_sizes("W6", "create, 1 writer", &sides, None, Some(CREATE_GOAL));
    drop(sides);
    scenes.into_iter().for_each(|(_, server)| server.stop());
    Ok(rows)
}

fn measure(
    bench: &Bench,
    servers: &[(Dataset, Process)],
    name: &'static str,
    what: &str,
    targets: MakeTargets,
) -> Result<Vec<Row>, BenchError> {
    let mut sides = Vec::new();
    for (dataset, server) in servers {
        sides.push(Side::open_targets(server, &targets(dataset), bench)?);
    }
    for _ in 0..bench.pairs {
        sides.iter_mut().for_each(|side| side.run(bench.run_time));
    }
    Ok(compare_sizes(name, what, &sides, Some(GOAL), None))
}

/// Returns a row for each size, then the rate lost and the processor time added from the smallest
/// to the largest.
fn compare_sizes(
    name: &'static str,
    what: &str,
    sides: &[Side<'_>],
    lost_goal: Option<Goal>,
    added_goal: Option<Goal>,
) -> Vec<Row> {
    let mut rows: Vec<Row> = sides
        .iter()
        .zip(SIZES)
        .map(|(side, entries)| {
            let ratio = sides.first().and_then(|smallest| side.runs.ratio(&smallest.runs));
            row(name, format!("{what}: {entries}"), side, ratio)
        })
        .collect();
    if let Some((smallest, largest)) = sides.first().zip(sides.last()) {
        if let Some(ratio) = largest.runs.ratio(&smallest.runs) {
            let lost = (1.0 - ratio.median) * 100.0;
            let what = format!("{what}: req/s lost by 100×");
            rows.push(Row::value(name, what, lost, "%").goal(lost_goal));
        }
        let cpu = smallest.runs.throughput().cpu_us.zip(largest.runs.throughput().cpu_us);
        if let Some((few, many)) = cpu {
            let added = (many / few.max(1e-9) - 1.0) * 100.0;
            let what = format!("{what}: CPU added by 100×");
            rows.push(Row::value(name, what, added, "%").goal(added_goal));
        }
    }
    rows
}

fn row(name: &'static str, what: String, side: &Side<'_>, ratio: Option<Spread>) -> Row {
    let figures = Figures::Load {
        server: side.runs.throughput(),
        ceiling: None,
        ratio,
        cpu_ratio: None,
        judged: None,
    };
    Row { name, what, figures, goal: None, note: None }
}
