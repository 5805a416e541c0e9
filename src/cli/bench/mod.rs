//! `recto bench`: starts the server on generated content and measures what it does, as ratios
//! against a bare hyper server in the same run, because absolute numbers drift with the machine.
//!
//! Each requirement has its rows: `reads`, `writes` and `growth` load the server and a ceiling in
//! turn, `start`, `memory` and `edits` look at a server of their own. The rest are their tools.

#![expect(clippy::print_stdout, reason = "the report and the ready line of a ceiling go there")]
#![expect(clippy::print_stderr, reason = "a run takes minutes and says what it is doing")]

mod ceiling;
mod edits;
mod generate;
mod growth;
mod histogram;
mod load;
mod measure;
mod memory;
mod pictures;
mod reads;
mod report;
mod side;
mod start;
mod wire;
mod words;
mod writes;

use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::Path;
use std::path::PathBuf;
use std::time::Duration;
use std::time::Instant;

use ceiling::Bodies;
use generate::Dataset;
use measure::Machine;
use measure::Process;
use report::Goal;
use report::Report;
use report::Row;
use report::Settings;
use wire::Client;

pub use ceiling::CeilingArgs;
pub use ceiling::run_ceiling;

/// Arguments of `recto bench`.
#[derive(Debug, clap::Args)]
pub struct BenchArgs {
    /// Entries to generate
    #[arg(long, default_value_t = 10_000, value_name = "N", value_parser = at_least_one)]
    pub entries: usize,
    /// Measure only these: W1 to W11, edits
    #[arg(long, value_delimiter = ',', value_name = "NAMES", value_parser = section)]
    pub only: Vec<String>,
    /// Fewer and shorter runs: a first impression in under a minute
    #[arg(long)]
    pub quick: bool,
    /// Also compare 1,000, 10,000 and 100,000 entries
    #[arg(long)]
    pub growth: bool,
    /// Keep the generated content here and use it again next time
    #[arg(long, value_name = "DIR")]
    pub keep: Option<PathBuf>,
    /// Write the report as JSON
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Keep-alive connections
    #[arg(long, default_value_t = 32, value_name = "N", value_parser = at_least_one)]
    pub connections: usize,
    /// Worker threads of the server and of the ceiling; the load generator needs a core too
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = at_least_one)]
    pub workers: usize,
    /// Seed of the generated content
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub seed: u64,
    /// Measure this program instead of the running one
    #[arg(long, value_name = "FILE")]
    pub binary: Option<PathBuf>,
}

/// Why a measurement could not be made.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// A file or program could not be used.
    #[error("{path}: {source}")]
    File {
        /// Which.
        path: String,
        /// Why.
        source: std::io::Error,
    },
    /// JSON that is not what it should be.
    #[error("{path}: {source}")]
    Json {
        /// Where.
        path: String,
        /// What is wrong.
        source: serde_json::Error,
    },
    /// A picture could not be made.
    #[error("a picture could not be made: {0}")]
    Image(image::ImageError),
    /// The network or the system failed.
    #[error(transparent)]
    Io(std::io::Error),
    /// Anything else.
    #[error("{0}")]
    Run(String),
}

impl BenchError {
    /// Names the file that an error is about.
    fn file(path: &Path) -> impl Fn(std::io::Error) -> Self {
        let path = path.display().to_string();
        move |source| BenchError::File { path: path.clone(), source }
    }

    /// Names the JSON that an error is about.
    fn json(path: impl AsRef<Path>) -> impl Fn(serde_json::Error) -> Self {
        let path = path.as_ref().display().to_string();
        move |source| BenchError::Json { path: path.clone(), source }
    }
}

/// Path of the list of posts.
const POSTS: &str = "/api/v1/workspaces/default/content/posts";

/// The requirements that can be asked for with `--only`, and what measures each group.
const SECTIONS: [(&[&str], Section); 6] = [
    (&["W1", "W2", "W3", "W5", "W8", "W4"], reads::rows),
    (&["W6", "W7"], writes::rows),
    (&["W9"], start::rows),
    (&["W10"], memory::resident_rows),
    (&["W11"], memory::whole_list_rows),
    (&["EDITS"], edits::rows),
];

type Section = fn(&Bench) -> Result<Vec<Row>, BenchError>;

/// One run of the benchmark: what is measured and how.
struct Bench {
    /// The program under measurement.
    binary: PathBuf,
    /// The program that is running, for the ceilings.
    own_binary: PathBuf,
    scratch: PathBuf,
    dataset: Dataset,
    token: String,
    connections: usize,
    workers: usize,
    pairs: usize,
    run_time: Duration,
    seed: u64,
    /// Asked for with `--only`, in capitals; empty means all.
    only: Vec<String>,
    quick: bool,
}

impl Bench {
    fn wants(&self, name: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|only| only == name)
    }

    fn empty_report(&self) -> Report {
        Report {
            version: env!("CARGO_PKG_VERSION"),
            machine: Machine::describe(),
            settings: Settings {
                entries: self.dataset.posts.len(),
                seed: self.seed,
                connections: self.connections,
                workers: self.workers,
                pairs: self.pairs,
                run_ms: self.run_time.as_millis(),
            },
            rows: Vec::new(),
            seconds: 0.0,
        }
    }

    /// Starts the program under measurement on a data folder.
    fn serve(&self, folder: &Path) -> Result<Process, BenchError> {
        let mut arguments = words(&["serve", "--listen", "127.0.0.1:0", "--log", "text"]);
        arguments.extend(["--workers".into(), self.workers.to_string().into()]);
        // The load keeps its connections: what connecting costs is not what is measured.
        arguments.extend(words(&["--requests-per-connection-max", "0"]));
        arguments.extend(["--data".into(), folder.into()]);
        Process::start(&self.binary, &arguments, &self.scratch.join("server.log"))
    }

    /// Starts a ceiling: `--constant`, `--bodies` or `--values` with what belongs to it.
    fn ceiling(&self, what: &str, value: OsString) -> Result<Process, BenchError> {
        let arguments = [
            "bench-ceiling".into(),
            "--workers".into(),
            self.workers.to_string().into(),
            what.into(),
            value,
        ];
        Process::start(&self.own_binary, &arguments, &self.scratch.join("ceiling.log"))
    }

    /// The target that holds at this number of entries: the last one that starts at or below it.
    fn goal_at(&self, goals: &[(usize, Goal)]) -> Option<Goal> {
        let fits = goals.iter().rev().find(|(entries, _)| *entries <= self.dataset.posts.len());
        fits.map(|(_, goal)| *goal)
    }

    /// The answers to all published posts in a file, for the ceilings that hand out the same.
    fn bodies_file(&self, server: SocketAddr) -> Result<PathBuf, BenchError> {
        let path = self.scratch.join("bodies");
        if path.exists() {
            return Ok(path);
        }
        let mut client = Client::connect(server).map_err(BenchError::Io)?;
        let mut found = Bodies { headers: Vec::new(), bodies: Vec::new() };
        for post in self.dataset.posts.iter().filter(|post| post.published) {
            let answer = get_ok(&mut client, &format!("{POSTS}/{}", post.slug))?;
            found.headers = answer.headers;
            found.bodies.push(answer.body);
        }
        // The ceiling's hyper adds these itself.
        let framing = ["content-length", "transfer-encoding", "connection", "date"];
        found.headers.retain(|(name, _)| !framing.contains(&name.to_lowercase().as_str()));
        found.save(&path)?;
        Ok(path)
    }
}

/// An answer that must be a good one.
fn get_ok(client: &mut Client, path: &str) -> Result<wire::Answer, BenchError> {
    let answer = client.get(path).map_err(BenchError::Io)?;
    match answer.status {
        200 => Ok(answer),
        status => Err(BenchError::Run(format!("status {status} for {path}"))),
    }
}

fn words(words: &[&str]) -> Vec<OsString> {
    words.iter().map(OsString::from).collect()
}

/// A folder that goes away with the run.
struct Scratch(PathBuf);

impl Scratch {
    fn create() -> Result<Self, BenchError> {
        let path = std::env::temp_dir().join(format!("recto-bench-{}", std::process::id()));
        std::fs::create_dir_all(&path).map_err(BenchError::file(&path))?;
        Ok(Scratch(path))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What cannot be removed is left to the system's own cleaning.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Runs the benchmark and prints its report. Not to be called from within an async runtime.
pub fn run(args: &BenchArgs) -> Result<(), BenchError> {
    let begin = Instant::now();
    let scratch = Scratch::create()?;
    let data = args.keep.as_deref().unwrap_or(&scratch.0);
    // nginx reads a relative path from elsewhere.
    let data = std::path::absolute(data).map_err(BenchError::Io)?;
    let bench = prepare(args, &scratch.0, &data)?;
    let mut report = bench.empty_report();
    println!("{}", report.head());
    for (names, section) in SECTIONS {
        if names.iter().any(|name| bench.wants(name)) {
            // One part that fails should not cost the others.
            let failed = |error| vec![Row::failed(names[0], "could not be measured", error)];
            report.rows.extend(section(&bench).unwrap_or_else(failed));
        }
    }
    if args.growth {
        report.rows.extend(growth::rows(&bench, &data)?);
    }
    report.seconds = begin.elapsed().as_secs_f64();
    println!("{}\n{:.0} seconds", report.table(), report.seconds);
    if let Some(path) = &args.json {
        let json = serde_json::to_vec_pretty(&report).map_err(BenchError::json(path))?;
        std::fs::write(path, json).map_err(BenchError::file(path))?;
    }
    Ok(())
}

/// The name of something that is measured, in capitals.
fn section(name: &str) -> Result<String, String> {
    let known: Vec<&str> = SECTIONS.iter().flat_map(|(names, _)| names.iter().copied()).collect();
    let upper = name.to_uppercase();
    if known.contains(&upper.as_str()) {
        return Ok(upper);
    }
    Err(format!("there is {}", known.join(" ")))
}

fn at_least_one(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| *number > 0);
    number.ok_or_else(|| "write a whole number, 1 or more".to_owned())
}

fn prepare(args: &BenchArgs, scratch: &Path, data: &Path) -> Result<Bench, BenchError> {
    let own_binary = std::env::current_exe().map_err(BenchError::Io)?;
    let binary = args.binary.clone().unwrap_or_else(|| own_binary.clone());
    progress(&format!("generating {} entries", args.entries));
    let dataset = open_dataset(data, args.entries, args.seed)?;
    let token = make_token(&binary, dataset.folder(), "content.read@content:*")?;
    Ok(Bench {
        binary,
        own_binary,
        scratch: scratch.to_path_buf(),
        dataset,
        token,
        connections: args.connections,
        workers: args.workers,
        pairs: if args.quick { 3 } else { 7 },
        run_time: Duration::from_millis(if args.quick { 250 } else { 600 }),
        seed: args.seed,
        only: args.only.clone(),
        quick: args.quick,
    })
}

fn open_dataset(data: &Path, entries: usize, seed: u64) -> Result<Dataset, BenchError> {
    Dataset::open(&data.join(format!("posts-{entries}")), entries, seed)
}

fn make_token(binary: &Path, folder: &Path, grant: &str) -> Result<String, BenchError> {
    // A folder that is kept collects a token from each run.
    let name = format!("bench-{}", std::process::id());
    let mut arguments = words(&["token", "create", "--name", &name]);
    arguments.extend(words(&["--grant", grant, "--data"]));
    arguments.push(folder.into());
    measure::output_of(binary, &arguments)
}

fn progress(what: &str) {
    eprintln!("… {what}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_requirements() {
        let check = |name: &str, expect: Option<&str>| {
            assert_eq!(section(name).ok().as_deref(), expect, "{name}");
        };
        check("w10", Some("W10"));
        check("edits", Some("EDITS"));
        check("W12", None);
    }

    #[test]
    fn nothing_cannot_be_measured() {
        let check = |text: &str, expect: Option<usize>| assert_eq!(at_least_one(text).ok(), expect);
        check("1", Some(1));
        check("0", None);
        check("many", None);
    }
}
