//! The rows of thumbnails: what many large pictures, seen for the first time, cost in memory while
//! they are decoded, and whether it is given back.

use std::rc::Rc;

use crate::Bench;
use crate::BenchError;
use crate::generate::make_empty;
use crate::load::Load;
use crate::load::Order;
use crate::load::RequestSet;
use crate::load::Until;
use crate::pictures;
use crate::progress;
use crate::report::Goal;
use crate::report::Row;

/// The name to give to `--only`.
pub(crate) const NAME: &str = "THUMBNAILS";

/// The number of pictures, each of 12 megapixels.
const PICTURES: usize = 200;
/// The connections on which their thumbnails are asked for.
const CLIENTS: usize = 8;
/// The megabytes that a server may keep after all of them.
const KEPT: Goal = Goal::at_most(16.0, 8.0);
const MB: f64 = 1_048_576.0;

/// Measures the memory before, while and after thumbnails are made.
pub(crate) fn rows(bench: &Bench) -> Result<Vec<Row>, BenchError> {
    if !bench.is_named(NAME) {
        return Ok(Vec::new());
    }
    progress("thumbnails of large pictures");
    let untold = || BenchError::Run("this system does not say what a process uses".into());
    let folder = bench.scratch.join("pictures");
    make_empty(&folder)?;
    let media = folder.join("workspaces/default/media");
    std::fs::create_dir_all(&media).map_err(BenchError::file(&media))?;
    let picture = pictures::large(bench.seed)?;
    let count = if bench.quick { PICTURES / 10 } else { PICTURES };
    let names: Vec<String> = (0..count).map(|number| format!("large-{number}.jpg")).collect();
    for name in &names {
        let path = media.join(name);
        std::fs::write(&path, &picture).map_err(BenchError::file(&path))?;
    }
    let server = bench.serve(&folder)?;
    let before = server.settled_bytes().ok_or_else(untold)? as f64 / MB;
    let cpu = server.total_cpu().ok_or_else(untold)?;
    server.reset_peak();
    let paths: Vec<String> =
        names.iter().map(|name| format!("/media-thumbs/default/{name}")).collect();
    let paths = paths.iter().map(String::as_str);
    let requests = Rc::new(RequestSet::new(server.address, paths, None, Order::Once));
    let mut load = Load::connect(server.address, CLIENTS).map_err(BenchError::Io)?;
    let report = load.drive(requests, Until::Answered(count as u64));
    if let Some(error) = report.first_error {
        return Err(BenchError::Run(error));
    }
    drop(load);
    let peak = server.peak_bytes().ok_or_else(untold)? as f64 / MB;
    let spent = server.total_cpu().ok_or_else(untold)?.saturating_sub(cpu);
    let after = server.settled_bytes().ok_or_else(untold)? as f64 / MB;
    server.stop();
    let each = spent.as_secs_f64() * 1e3 / count as f64;
    let value = |what: &str, value, unit| Row::value("W8", what, value, unit);
    let note = format!("{before:.1} MB before, {after:.1} MB after");
    Ok(vec![
        value("thumbnail of 12 megapixels: CPU", each, "ms"),
        value("many thumbnails: memory at its peak", peak - before, "MB"),
        value("many thumbnails: memory kept", after - before, "MB").goal(Some(KEPT)).note(note),
    ])
}
