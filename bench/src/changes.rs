//! Changes beside what is live: the time to publish a large one, the time and memory of an overlay,
//! and reads of what is live while changes are open.

use std::ops::Range;
use std::path::Path;
use std::time::Instant;

use crate::Bench;
use crate::BenchError;
use crate::POSTS;
use crate::generate::Dataset;
use crate::generate::Edit;
use crate::measure;
use crate::measure::Process;
use crate::progress;
use crate::reads;
use crate::reads::MakeTargets;
use crate::report::Goal;
use crate::report::Row;
use crate::report::Spread;
use crate::report::millis;
use crate::side::Side;
use crate::wire::Client;
use crate::wire::request_bytes;
use crate::words;
use crate::writes;
use crate::writes::Scene;

/// The name with which `--only` asks for these rows.
pub(crate) const NAME: &str = "CHANGES";

const PASSWORD: &str = "a password of the benchmark";
const MB: f64 = 1_048_576.0;
const PUBLISHED_ENTRIES: usize = 1_000;
const OVERLAY_ENTRIES: usize = 100;
/// The number of changes of each size; each has entries of its own.
const CHANGES: usize = 5;

const PUBLISH: Goal = Goal::at_most(2_000.0, 1_000.0);
const OVERLAY_MS: Goal = Goal::at_most(50.0, 20.0);
const OVERLAY_MB: Goal = Goal::at_most(5.0, 2.0);
const BESIDE: Goal = Goal::at_least(0.95, 1.0);

/// Measures a copy of the content with open changes.
pub(crate) fn rows(bench: &Bench) -> Result<Vec<Row>, BenchError> {
    progress("changes: a copy of the content with open ones");
    let scene = Scene::open(bench)?;
    let n_posts = scene.dataset.posts.len();
    for number in 0..CHANGES {
        let large = span(number, PUBLISHED_ENTRIES, n_posts);
        write_change(&scene.dataset, &format!("large{number}"), large)?;
        let small = span(number, OVERLAY_ENTRIES, n_posts);
        write_change(&scene.dataset, &format!("small{number}"), small)?;
    }
    let user = create_administrator(bench, &scene)?;
    let server = bench.serve(scene.dataset.folder())?;
    let mut rows = overlays(&scene, &server)?;
    rows.extend(reads_beside(bench, &server)?);
    rows.push(publications(&server, &user)?);
    server.stop();
    Ok(rows)
}

/// Creates an administrator and returns the name. A kept folder collects one for each run.
fn create_administrator(bench: &Bench, scene: &Scene<'_>) -> Result<String, BenchError> {
    let name = format!("bench-{}", std::process::id());
    let file = bench.scratch.join("password");
    std::fs::write(&file, PASSWORD).map_err(BenchError::file(&file))?;
    let mut arguments = words(&["user", "create", &name, "--role", "admin", "--password-file"]);
    arguments.extend([file.into(), "--data".into(), scene.dataset.folder().into()]);
    measure::output_of(&bench.binary, &arguments)?;
    Ok(name)
}

/// Returns the posts of the change of a number.
fn span(number: usize, size: usize, n_posts: usize) -> Range<usize> {
    let begin = (number * size).min(n_posts);
    begin..(begin + size).min(n_posts)
}

/// Writes a change that proposes another title for some posts.
fn write_change(dataset: &Dataset, id: &str, posts: Range<usize>) -> Result<(), BenchError> {
    let content = dataset.posts_folder();
    let workspace = content.ancestors().nth(2).unwrap_or(&content);
    let folder = workspace.join("changes").join(id);
    let (proposed, base) = (folder.join("content/posts"), folder.join("base/posts"));
    for folder in [&proposed, &base] {
        std::fs::create_dir_all(folder).map_err(BenchError::file(folder))?;
    }
    let write =
        |path: &Path, bytes: &[u8]| std::fs::write(path, bytes).map_err(BenchError::file(path));
    write(&folder.join("change.json"), format!(r#"{{"label":"{id}"}}"#).as_bytes())?;
    let edit = Edit { title_suffix: Some(0), rating: None };
    for index in posts {
        let Some(post) = dataset.posts.get(index) else { continue };
        let name = format!("{}.json", post.id);
        write(&proposed.join(&name), &dataset.post_file(index, edit)?)?;
        write(&base.join(&name), &dataset.post_file(index, Edit::default())?)?;
    }
    Ok(())
}

/// Measures the first request for each of several overlays, and what they add to the memory.
fn overlays(scene: &Scene<'_>, server: &Process) -> Result<Vec<Row>, BenchError> {
    let mut client = Client::connect(server.address).map_err(BenchError::Io)?;
    let mut ask = |query: &str| {
        let path = format!("{POSTS}?limit=1{query}");
        let request = request_bytes(server.address, &path, Some(&scene.token));
        let begun = Instant::now();
        let answer = client.exchange(&request).map_err(BenchError::Io)?;
        match answer.status {
            200 => Ok(millis(begun.elapsed())),
            status => Err(BenchError::Run(format!("status {status} for {path}"))),
        }
    };
    // What the first request of a server costs is no part of it.
    ask("")?;
    ask("")?;
    let before = server.settled_bytes();
    let mut times = Vec::new();
    for number in 0..CHANGES {
        times.push(ask(&format!("&change=small{number}"))?);
    }
    let after = server.settled_bytes();
    let grown = before.zip(after).map(|(before, after)| after.saturating_sub(before) as f64 / MB);
    let what = |what: &str| format!("overlay of {OVERLAY_ENTRIES} entries: {what}");
    let first = Spread::of(times).map_or(f64::INFINITY, |spread| spread.median);
    let mut rows =
        vec![Row::value("changes", what("first request"), first, "ms").goal(Some(OVERLAY_MS))];
    if let Some(grown) = grown {
        let row = Row::value("changes", what("memory"), grown / CHANGES as f64, "MB");
        rows.push(row.goal(Some(OVERLAY_MB)).note(format!("of {CHANGES} overlays, each")));
    }
    Ok(rows)
}

/// Measures reads of what is live beside open changes, in turn with a server that has none.
fn reads_beside(bench: &Bench, server: &Process) -> Result<Vec<Row>, BenchError> {
    let without = bench.serve(bench.dataset.folder())?;
    let kinds: [(&str, MakeTargets); 2] =
        [("entry by slug", reads::entries_by_slug), ("20 newest", reads::newest_repeated)];
    let mut rows = Vec::new();
    for (what, make) in kinds {
        let targets = make(&bench.dataset);
        let mut beside = Side::open_targets(server, &targets, bench)?;
        let mut alone = Side::open_targets(&without, &targets, bench)?;
        for _ in 0..bench.pairs {
            beside.run(bench.run_time);
            alone.run(bench.run_time);
        }
        let what = format!("{what}, {} open changes ÷ none", 2 * CHANGES);
        rows.push(writes::row("changes", what, &beside.runs, Some(&alone.runs)).goal(Some(BESIDE)));
    }
    without.stop();
    Ok(rows)
}

/// Measures the publication of large changes by an administrator.
fn publications(server: &Process, user: &str) -> Result<Row, BenchError> {
    let mut session = Session::begin(server, user)?;
    let mut times = Vec::new();
    for number in 0..CHANGES {
        let begun = Instant::now();
        session.post(&format!("/admin/api/changes/large{number}/publish"), "")?;
        times.push(millis(begun.elapsed()));
    }
    let spread = Spread::of(times);
    let median = spread.as_ref().map_or(f64::INFINITY, |spread| spread.median);
    let what = format!("publish {PUBLISHED_ENTRIES} entries");
    let note = spread.map_or(String::new(), |it| format!("{:.0} to {:.0} ms", it.min, it.max));
    Ok(Row::value("changes", what, median, "ms").goal(Some(PUBLISH)).note(note))
}

/// A session of an administrator.
struct Session<'a> {
    server: &'a Process,
    client: Client,
    cookie: String,
    csrf: String,
}

impl<'a> Session<'a> {
    fn begin(server: &'a Process, user: &str) -> Result<Self, BenchError> {
        let client = Client::connect(server.address).map_err(BenchError::Io)?;
        let mut session = Session { server, client, cookie: String::new(), csrf: String::new() };
        let body = format!(r#"{{"username":"{user}","password":"{PASSWORD}"}}"#);
        let answer = session.post("/admin/api/login", &body)?;
        let is_cookie = |name: &str| name.eq_ignore_ascii_case("set-cookie");
        let mut headers = answer.headers.iter();
        let cookie = headers.find(|(name, _)| is_cookie(name)).map(|(_, value)| value.as_str());
        let cookie = cookie.and_then(|it| it.split(';').next()).unwrap_or_default().to_string();
        let body: serde_json::Value =
            serde_json::from_slice(&answer.body).map_err(BenchError::json("/admin/api/login"))?;
        let csrf = body.pointer("/data/csrf_token").and_then(serde_json::Value::as_str);
        session.csrf = csrf.unwrap_or_default().to_string();
        session.cookie = cookie;
        Ok(session)
    }

    fn post(&mut self, path: &str, body: &str) -> Result<crate::wire::Answer, BenchError> {
        let (cookie, csrf, length) = (&self.cookie, &self.csrf, body.len());
        let host = self.server.address;
        let request = format!(
            "POST {path} HTTP/1.1\r\nHost: {host}\r\nCookie: {cookie}\r\nX-CSRF-Token: {csrf}\r\n\
             Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
        );
        let answer = self.client.exchange(request.as_bytes()).map_err(BenchError::Io)?;
        if !(200..300).contains(&answer.status) {
            let body = String::from_utf8_lossy(&answer.body);
            return Err(BenchError::Run(format!("status {} for {path}: {body}", answer.status)));
        }
        Ok(answer)
    }
}
