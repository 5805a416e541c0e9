//! The rows of backups: the time to pack and verify everything, and the size of the archive.

use std::time::Instant;

use crate::Bench;
use crate::BenchError;
use crate::measure;
use crate::pictures;
use crate::progress;
use crate::report::Figures;
use crate::report::Goal;
use crate::report::Row;
use crate::report::Spread;
use crate::words;

/// The name to give to `--only`.
pub(crate) const NAME: &str = "BACKUP";

/// The number of large pictures beside the entries, about 290 MB.
const PICTURES: usize = 88;
const SECONDS: &[(usize, Goal)] = &[(100_000, Goal::at_most(15.0, 10.0))];
const MB: f64 = 1_048_576.0;

/// Measures `recto backup create`.
pub(crate) fn rows(bench: &Bench) -> Result<Vec<Row>, BenchError> {
    progress("backup");
    let folder = bench.dataset.folder();
    let media = folder.join("workspaces/default/media");
    let picture = pictures::photograph(bench.seed)?;
    let count = if bench.quick { PICTURES / 10 } else { PICTURES };
    let paths: Vec<_> = (0..count).map(|it| media.join(format!("backup-{it}.jpg"))).collect();
    let mut rows = paths
        .iter()
        .try_for_each(|path| std::fs::write(path, &picture).map_err(BenchError::file(path)))
        .and_then(|()| measure_backups(bench))?;
    for path in &paths {
        std::fs::remove_file(path).map_err(BenchError::file(path))?;
    }
    let note = format!("with {:.0} MB of pictures", (count * picture.len()) as f64 / MB);
    if let Some(first) = rows.first_mut() {
        first.note = Some(note);
    }
    Ok(rows)
}

fn measure_backups(bench: &Bench) -> Result<Vec<Row>, BenchError> {
    let backups = bench.dataset.folder().join("backups");
    let (mut seconds, mut bytes) = (Vec::new(), 0);
    for _ in 0..bench.pairs.min(3) {
        let begin = Instant::now();
        let mut arguments = words(&["backup", "create", "--data"]);
        arguments.push(bench.dataset.folder().into());
        measure::output_of(&bench.binary, &arguments)?;
        seconds.push(begin.elapsed().as_secs_f64());
        for file in std::fs::read_dir(&backups).map_err(BenchError::file(&backups))? {
            let path = file.map_err(BenchError::file(&backups))?.path();
            if path.extension().is_some_and(|it| it == "zip") {
                bytes = path.metadata().map_err(BenchError::file(&path))?.len();
                std::fs::remove_file(&path).map_err(BenchError::file(&path))?;
            }
        }
    }
    let spread = Spread::of(seconds);
    let value = spread.map_or(f64::INFINITY, |spread| spread.median);
    let figures = Figures::Value { value, unit: "s", spread };
    let row = Row { figures, ..Row::value("–", "backup: pack and verify everything", 0.0, "s") };
    Ok(vec![
        row.goal(bench.goal_at(SECONDS)),
        Row::value("–", "backup: size of the archive", bytes as f64 / MB, "MB"),
    ])
}
