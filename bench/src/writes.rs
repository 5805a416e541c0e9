//! The rows of W6 and W7: durable writes through the API, in turn with a loop that writes the same
//! bytes durably without a server, and the effect of writes on concurrent reads.

use std::collections::HashSet;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::rc::Rc;
use std::time::Duration;

use crate::Bench;
use crate::BenchError;
use crate::POSTS;
use crate::generate::Dataset;
use crate::generate::Edit;
use crate::load::Load;
use crate::load::LoadReport;
use crate::load::NUMBER;
use crate::load::Order;
use crate::load::RequestSet;
use crate::load::WriteRequest;
use crate::make_token;
use crate::measure::Process;
use crate::open_dataset;
use crate::progress;
use crate::raw_loop::RawLoop;
use crate::reads;
use crate::report::Figures;
use crate::report::Goal;
use crate::report::Row;
use crate::report::Spread;
use crate::side::Runs;
use crate::side::Side;

/// The number of concurrent writers in the rows with many.
pub(crate) const WRITERS: usize = 16;
/// The percentage of writes in the mixed row.
const WRITES_PERCENT: usize = 5;
/// The number of different bodies of new entries, not counting their titles.
const BODIES: usize = 256;
/// The prefix of the titles of new entries; their number follows.
const TITLE: &str = "Written ";
const GRANT: &str = "content.read,content.create,content.update,content.publish@content:*";

const ONE_WRITER: Goal = Goal::at_least(0.80, 0.90);
const MANY_WRITERS: Goal = Goal::at_least(3.0, 5.0);
const READS_BESIDE: Goal = Goal::at_most(2.0, 1.0);
const MISSING: Goal = Goal::at_most(0.0, 0.0);

/// Measures writes to a copy of the content, which is removed afterwards.
pub(crate) fn rows(bench: &Bench) -> Result<Vec<Row>, BenchError> {
    progress("W6 and W7: a copy of the content to write to");
    let scene = Scene::open(bench)?;
    let server = bench.serve(scene.dataset.folder())?;
    let mut rows = Vec::new();
    let mut created = Vec::new();
    if bench.wants("W6") {
        progress("W6 create");
        let creates = scene.build_creates(&server)?;
        rows.extend(scene.writes("W6", "create", creates, &server, &mut created)?);
        rows.push(scene.beside_least_server(&server, &mut created)?);
    }
    if bench.wants("W7") {
        progress("W7 update");
        let updates = scene.updates(&server);
        rows.extend(scene.writes("W7", "update", updates.clone(), &server, &mut Vec::new())?);
        progress("W7 reads beside writes");
        rows.extend(scene.reads_beside(&updates, &server)?);
        rows.extend(scene.reads_mixed(&updates, &server)?);
    }
    server.stop();
    if bench.wants("W6") {
        rows.push(scene.missing(&created)?);
    }
    Ok(rows)
}

/// The copy of the content that is written to.
pub(crate) struct Scene<'a> {
    bench: &'a Bench,
    /// The copy.
    pub(crate) dataset: Dataset,
    pub(crate) token: String,
    raw: PathBuf,
    /// The length of a run: syncing varies more than computing.
    pub(crate) run_time: Duration,
}

impl<'a> Scene<'a> {
    /// Makes a copy of the content beside it, hence on the same file system.
    pub(crate) fn open(bench: &'a Bench) -> Result<Self, BenchError> {
        Scene::open_sized(bench, bench.dataset.posts.len())
    }

    /// Makes such a copy of another size.
    pub(crate) fn open_sized(bench: &'a Bench, entries: usize) -> Result<Self, BenchError> {
        let beside = bench.dataset.folder().with_file_name("written");
        let dataset = open_dataset(&beside, entries, bench.seed)?;
        let raw = bench.dataset.folder().with_file_name("written-raw");
        let token = make_token(&bench.binary, dataset.folder(), GRANT)?;
        // An interrupted run leaves changed files, which the next one must generate again.
        dataset.set_clean(false)?;
        // Pending writes would otherwise be synced during the measurement.
        #[cfg(unix)]
        rustix::fs::sync();
        Ok(Scene { bench, dataset, token, raw, run_time: bench.run_time * 2 })
    }

    /// Returns requests that create posts.
    pub(crate) fn build_creates(&self, server: &Process) -> Result<Rc<RequestSet>, BenchError> {
        build_creates(&self.dataset, server.address, POSTS, &self.token)
    }

    /// Returns requests that update one field of any entry.
    fn updates(&self, server: &Process) -> Rc<RequestSet> {
        let request = |id: &String| WriteRequest {
            method: "PUT",
            path: format!("{POSTS}/{id}"),
            body: format!(r#"{{"rating":1.{NUMBER}}}"#),
        };
        let requests = self.dataset.posts.iter().map(|post| request(&post.id));
        Rc::new(RequestSet::writing(server.address, requests, &self.token, Order::Random))
    }

    /// Measures the raw loop, one writer and many writers in turn.
    fn writes(
        &self,
        name: &'static str,
        what: &str,
        requests: Rc<RequestSet>,
        server: &Process,
        acknowledged: &mut Vec<u64>,
    ) -> Result<Vec<Row>, BenchError> {
        let mut raw_loop =
            RawLoop::open(&self.raw.join(name), self.dataset.post_file(0, Edit::default())?)?;
        let side = |n_writers| Side::open(server, requests.clone(), n_writers, self.run_time);
        let (mut one, mut many, mut raw) = (side(1)?, side(WRITERS)?, Runs::default());
        for pair in 0..self.bench.pairs {
            // Alternate, so that neither always follows the many writers, which leave the disk
            // busy.
            if pair % 2 == 1 {
                one.run(self.run_time);
            }
            raw.push(raw_loop.run(self.run_time)?);
            if pair % 2 == 0 {
                one.run(self.run_time);
            }
            many.run(self.run_time);
        }
        acknowledged.extend([&one, &many].iter().flat_map(|side| &side.acknowledged));
        let one_writer = row(name, format!("{what}, 1 writer ÷ raw loop"), &one.runs, Some(&raw));
        let many_what = format!("{what}, {WRITERS} writers ÷ 1 writer");
        let many_writers = row(name, many_what, &many.runs, Some(&one.runs));
        Ok(vec![
            row(name, "raw loop: write, fsync, rename, fsync".into(), &raw, None),
            one_writer.goal(Some(ONE_WRITER)),
            many_writers.goal(Some(MANY_WRITERS)),
        ])
    }

    /// Measures one writer in turn with a server that does nothing but the raw loop for each
    /// request: what HTTP costs beside the disk.
    fn beside_least_server(
        &self,
        server: &Process,
        acknowledged: &mut Vec<u64>,
    ) -> Result<Row, BenchError> {
        let folder = self.raw.join("least");
        std::fs::create_dir_all(&folder).map_err(BenchError::file(&folder))?;
        let least = self.bench.ceiling("--durable", folder.into())?;
        let creates = |at: &Process| build_creates(&self.dataset, at.address, POSTS, &self.token);
        let side = |process, requests| Side::open(process, requests, 1, self.run_time);
        let mut ours = side(server, creates(server)?)?;
        let mut theirs = side(&least, creates(&least)?)?;
        for _ in 0..self.bench.pairs {
            ours.run(self.run_time);
            theirs.run(self.run_time);
        }
        acknowledged.append(&mut ours.acknowledged);
        let what = "create, 1 writer ÷ a server that does only the raw loop";
        let row = row("W6", what.into(), &ours.runs, Some(&theirs.runs));
        least.stop();
        Ok(row)
    }

    fn reads(&self, server: &Process) -> Rc<RequestSet> {
        reads::entries_by_slug(&self.dataset).set(server.address, None)
    }

    /// Measures reads on all connections, without and with writers on other connections.
    fn reads_beside(
        &self,
        updates: &Rc<RequestSet>,
        server: &Process,
    ) -> Result<Vec<Row>, BenchError> {
        let (reads, n_readers) = (self.reads(server), self.bench.connections);
        let mut alone = Side::open(server, reads.clone(), n_readers, self.bench.run_time)?;
        let mut load = connect(server, n_readers + WRITERS)?;
        let (mut beside, mut writes) = (Runs::default(), Runs::default());
        for _ in 0..self.bench.pairs {
            alone.run(self.run_time);
            let [read, written] = load.drive_beside(n_readers, [&reads, updates], self.run_time);
            beside.push(read);
            writes.push(written);
        }
        let what = format!("entry by slug beside {WRITERS} writers");
        let p99 = beside.compare(&alone.runs, LoadReport::p99_us);
        let p99 = Figures::Value {
            value: p99.map_or(f64::INFINITY, |spread| spread.median),
            unit: "×",
            spread: p99,
        };
        Ok(vec![
            row("W1", format!("{what} ÷ without"), &beside, Some(&alone.runs)),
            row("W7", "update, writers beside the readers".into(), &writes, None),
            Row { figures: p99, ..Row::value("W1", format!("p99, {what} ÷ without"), 0.0, "") }
                .goal(Some(READS_BESIDE)),
        ])
    }

    /// Measures reads with some writes mixed in.
    fn reads_mixed(
        &self,
        updates: &Rc<RequestSet>,
        server: &Process,
    ) -> Result<Vec<Row>, BenchError> {
        let reads = self.reads(server);
        let mut load = connect(server, self.bench.connections)?;
        let (mut read, mut written) = (Runs::default(), Runs::default());
        for _ in 0..self.bench.pairs {
            let kinds = [&reads, updates];
            let [mostly, sometimes] = load.drive_mixed(kinds, WRITES_PERCENT, self.run_time);
            read.push(mostly);
            written.push(sometimes);
        }
        let what = |kind: &str| format!("{WRITES_PERCENT} % writes mixed in: {kind}");
        Ok(vec![row("W1", what("reads"), &read, None), row("W7", what("writes"), &written, None)])
    }

    /// Looks for all acknowledged writes in the files.
    fn missing(&self, created: &[u64]) -> Result<Row, BenchError> {
        let found = self.created_numbers()?;
        let missing = created.iter().filter(|number| !found.contains(number)).count();
        let row = Row::value("W6", "acknowledged creates that are not there", missing as f64, "");
        Ok(row.goal(Some(MISSING)).note(format!("of {}", created.len())))
    }

    fn created_numbers(&self) -> Result<HashSet<u64>, BenchError> {
        let folder = self.dataset.posts_folder();
        let mut numbers = HashSet::new();
        for file in std::fs::read_dir(&folder).map_err(BenchError::file(&folder))? {
            let path = file.map_err(BenchError::file(&folder))?.path();
            let bytes = std::fs::read(&path).map_err(BenchError::file(&path))?;
            let entry: serde_json::Value =
                serde_json::from_slice(&bytes).map_err(BenchError::json(&path))?;
            let title = entry.get("title").and_then(serde_json::Value::as_str).unwrap_or("");
            numbers.extend(title.strip_prefix(TITLE).and_then(|digits| digits.parse::<u64>().ok()));
        }
        Ok(numbers)
    }
}

impl Drop for Scene<'_> {
    fn drop(&mut self) {
        // Leftover files are replaced by the next run.
        let _ = std::fs::remove_dir_all(self.dataset.folder());
        let _ = std::fs::remove_dir_all(&self.raw);
    }
}

fn connect(server: &Process, n_connections: usize) -> Result<Load, BenchError> {
    Load::connect(server.address, n_connections).map_err(BenchError::Io)
}

/// Returns requests that create posts of this content at a path of a server.
pub(crate) fn build_creates(
    dataset: &Dataset,
    authority: SocketAddr,
    path: &str,
    token: &str,
) -> Result<Rc<RequestSet>, BenchError> {
    let title = format!("{TITLE}{NUMBER}");
    let request = |index| {
        let body = dataset.new_post(index, &title)?;
        Ok(WriteRequest { method: "POST", path: path.to_owned(), body })
    };
    let posts = 0..BODIES.min(dataset.posts.len());
    let requests: Vec<WriteRequest> = posts.map(request).collect::<Result<_, BenchError>>()?;
    Ok(Rc::new(RequestSet::writing(authority, requests, token, Order::Random)))
}

/// Returns a row with the runs of a server, and their ratio to those of another.
pub(crate) fn row(name: &'static str, what: String, runs: &Runs, other: Option<&Runs>) -> Row {
    let ratio = other.and_then(|other| runs.ratio(other));
    let (server, ceiling) = (runs.throughput(), other.map(Runs::throughput));
    let judged = ratio.map(|Spread { median, .. }| median);
    let figures = Figures::Load { server, ceiling, ratio, cpu_ratio: None, judged };
    Row { name, what, figures, goal: None, note: runs.first_error() }
}
