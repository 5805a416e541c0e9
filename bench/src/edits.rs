//! Changes of files by hand: the time until the API shows them.

use std::path::Path;
use std::time::Duration;
use std::time::Instant;

use memchr::memmem;

use crate::Bench;
use crate::BenchError;
use crate::POSTS;
use crate::generate::Edit;
use crate::get_ok;
use crate::histogram::Histogram;
use crate::measure::Process;
use crate::progress;
use crate::report::Goal;
use crate::report::Row;
use crate::report::millis;
use crate::wire::Client;
use crate::words::Rng;

const P50: &[(usize, Goal)] = &[(0, Goal::at_most(80.0, 60.0))];
const P99: &[(usize, Goal)] = &[(0, Goal::at_most(150.0, 100.0))];
const MANY: &[(usize, Goal)] = &[(100_000, Goal::at_most(2_000.0, 1_000.0))];
/// The time after which a change that is not visible counts as lost.
const PATIENCE: Duration = Duration::from_secs(60);
/// The interval between two requests to the API: small compared to the measured times, long enough
/// to leave the server its core.
const LOOK_INTERVAL: Duration = Duration::from_millis(1);
/// A rating that no generated post has.
const MARKED_RATING: u32 = 1_000;

/// Measures single edits, then many files at once. Restores every file afterwards.
pub(crate) fn rows(bench: &Bench) -> Result<Vec<Row>, BenchError> {
    progress("edits by hand");
    bench.dataset.set_clean(false)?;
    let server = bench.serve(bench.dataset.folder())?;
    let single = single_edits(bench, &server);
    let many = many_edits(bench, &server);
    server.stop();
    restore(bench)?;
    let failed = |what| move |error| vec![Row::failed("edit", what, error)];
    let mut rows = single.unwrap_or_else(failed("edited by hand → readable"));
    rows.extend(many.unwrap_or_else(failed("many files changed → readable")));
    Ok(rows)
}

fn published(bench: &Bench) -> Vec<usize> {
    let posts = bench.dataset.posts.iter().enumerate();
    posts.filter(|(_, post)| post.published).map(|(index, _)| index).collect()
}

fn single_edits(bench: &Bench, server: &Process) -> Result<Vec<Row>, BenchError> {
    let mut client = Client::connect(server.address).map_err(BenchError::Io)?;
    let (mut rng, mut latency) = (Rng::new(bench.seed, 9), Histogram::new());
    let posts = published(bench);
    let n_edits = if bench.quick { 10 } else { 60 };
    for number in 0..n_edits {
        // Varied, so that edits do not follow the rhythm of the server.
        std::thread::sleep(Duration::from_millis(rng.between(20, 120) as u64));
        let Some(&index) = posts.get(rng.below(posts.len())) else { continue };
        let Some(post) = bench.dataset.posts.get(index) else { continue };
        let file =
            bench.dataset.post_file(index, Edit { title_suffix: Some(number), rating: None })?;
        let path = bench.dataset.post_path(post);
        let url = format!("{POSTS}/{}", post.id);
        save_as_editors_do(&path, &file, number % 2 == 0)?;
        let saved = Instant::now();
        let marker = format!(" edit{number}\"");
        wait_until(saved, || {
            let answer = get_ok(&mut client, &url)?;
            Ok(memmem::find(&answer.body, marker.as_bytes()).is_some())
        })?;
        latency.add(saved.elapsed());
    }
    let row = |what: &str, percent, goal| {
        let value = millis(latency.percentile(percent));
        Row::value("edit", what, value, "ms").goal(bench.goal_at(goal))
    };
    Ok(vec![
        row("edited by hand → readable, p50", 50.0, P50),
        row("edited by hand → readable, p99", 99.0, P99)
            .note(format!("{n_edits} edits, half in place, half by renaming a new file over")),
    ])
}

/// Saves a file like editors do: in place, or as a new file that is renamed.
fn save_as_editors_do(path: &Path, file: &[u8], in_place: bool) -> Result<(), BenchError> {
    if in_place {
        return std::fs::write(path, file).map_err(BenchError::file(path));
    }
    let beside = path.with_extension("json.tmp");
    std::fs::write(&beside, file).map_err(BenchError::file(&beside))?;
    std::fs::rename(&beside, path).map_err(BenchError::file(path))
}

/// Changes many files like a version control system: unlink, write anew.
fn many_edits(bench: &Bench, server: &Process) -> Result<Vec<Row>, BenchError> {
    let mut posts = published(bench);
    posts.truncate(bench.dataset.posts.len() / 5);
    let edit = Edit { title_suffix: None, rating: Some(MARKED_RATING) };
    let mut files = Vec::new();
    for &index in &posts {
        files.push((index, bench.dataset.post_file(index, edit)?));
    }
    for (index, file) in files {
        let Some(post) = bench.dataset.posts.get(index) else { continue };
        let path = bench.dataset.post_path(post);
        std::fs::remove_file(&path).map_err(BenchError::file(&path))?;
        std::fs::write(&path, file).map_err(BenchError::file(&path))?;
    }
    let written = Instant::now();
    let mut client = Client::connect(server.address).map_err(BenchError::Io)?;
    let url = format!("{POSTS}?filter[rating]={MARKED_RATING}&limit=1");
    wait_until(written, || {
        let answer = get_ok(&mut client, &url)?;
        let answer: serde_json::Value =
            serde_json::from_slice(&answer.body).map_err(BenchError::json(&url))?;
        let total = answer.pointer("/meta/total").and_then(serde_json::Value::as_u64);
        Ok(total == Some(posts.len() as u64))
    })?;
    let what = format!("{} files changed → readable", posts.len());
    let row = Row::value("edit", what, millis(written.elapsed()), "ms");
    Ok(vec![row.goal(bench.goal_at(MANY)).note("counted from the end of writing")])
}

fn wait_until(
    start: Instant,
    mut is_so: impl FnMut() -> Result<bool, BenchError>,
) -> Result<(), BenchError> {
    while !is_so()? {
        if start.elapsed() > PATIENCE {
            return Err(BenchError::Run("not visible after a minute".into()));
        }
        std::thread::sleep(LOOK_INTERVAL);
    }
    Ok(())
}

/// Restores every file to its generated content.
fn restore(bench: &Bench) -> Result<(), BenchError> {
    for (index, post) in bench.dataset.posts.iter().enumerate() {
        let path = bench.dataset.post_path(post);
        let file = bench.dataset.post_file(index, Edit::default())?;
        if std::fs::read(&path).ok().as_deref() != Some(file.as_slice()) {
            std::fs::write(&path, file).map_err(BenchError::file(&path))?;
        }
    }
    bench.dataset.set_clean(true)
}
