//! `recto-bench`: runs the server on generated content and reports its performance as ratios to a
//! bare hyper server in the same run, because absolute numbers drift with the machine.
//!
//! Each requirement has its rows: `reads`, `writes` and `growth` load the server and a ceiling in
//! turn; `start`, `memory` and `edits` use a server of their own. The other modules are their
//! tools.

#![expect(clippy::print_stdout, reason = "the report and the ready line of a ceiling go there")]
#![expect(clippy::print_stderr, reason = "a run takes minutes and says what it is doing")]

mod backup;
mod ceiling;
mod changes;
mod cluster;
mod edits;
mod first_search;
mod generate;
mod growth;
mod histogram;
mod instructions;
mod load;
mod measure;
mod memory;
mod peers;
mod pictures;
mod raw_loop;
mod reads;
mod report;
mod side;
mod start;
mod thumbnails;
mod variants;
mod wire;
mod words;
mod writes;

use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::Path;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;
use std::time::Instant;

use ceiling::Bodies;
use ceiling::CeilingArgs;
use clap::Parser;
use generate::Dataset;
use measure::Machine;
use measure::Process;
use report::Goal;
use report::Report;
use report::Row;
use report::Settings;
use wire::Client;

/// Measure a Recto server on generated content
#[derive(Debug, Parser)]
#[command(name = "recto-bench", version, args_conflicts_with_subcommands = true)]
struct Arguments {
    #[command(flatten)]
    bench: BenchArgs,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Serve as a ceiling for the benchmark
    #[command(hide = true)]
    Ceiling(CeilingArgs),
}

/// The arguments of a run.
#[derive(Debug, clap::Args)]
struct BenchArgs {
    /// Entries to generate; 10,000 unless given, or 100,000 with --full
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    entries: Option<usize>,
    /// Measure everything, including what has to be named otherwise: takes half an hour
    #[arg(long, conflicts_with = "only")]
    full: bool,
    /// Measure only these: W1 to W11, first-search, edits, changes, backup, thumbnails,
    /// instructions, peers, cluster (on the empty PostgreSQL database of RECTO_BENCH_STORE)
    #[arg(long, value_delimiter = ',', value_name = "NAMES", value_parser = section)]
    only: Vec<String>,
    /// Fewer and shorter runs: a first impression in under a minute
    #[arg(long)]
    quick: bool,
    /// Also compare 1,000, 10,000 and 100,000 entries
    #[arg(long)]
    growth: bool,
    /// Keep the generated content here and use it again next time
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
    /// Write the report as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Keep-alive connections
    #[arg(long, default_value_t = 32, value_name = "N", value_parser = at_least_one)]
    connections: usize,
    /// Worker threads of the server and of the ceiling; the load generator needs a core too
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = at_least_one)]
    workers: usize,
    /// Seed of the generated content
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// The server to measure; the `recto` beside this program unless given
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
}

/// The error of a measurement.
#[derive(Debug, thiserror::Error)]
enum BenchError {
    /// A file or program could not be used.
    #[error("{path}: {source}")]
    File {
        /// The path.
        path: String,
        /// The cause.
        source: std::io::Error,
    },
    /// Unexpected JSON.
    #[error("{path}: {source}")]
    Json {
        /// The source of the JSON.
        path: String,
        /// The cause.
        source: serde_json::Error,
    },
    /// A picture could not be encoded.
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
    /// Adds the path of the file to an error.
    fn file(path: &Path) -> impl Fn(std::io::Error) -> Self {
        let path = path.display().to_string();
        move |source| BenchError::File { path: path.clone(), source }
    }

    /// Adds the source of the JSON to an error.
    fn json(path: impl AsRef<Path>) -> impl Fn(serde_json::Error) -> Self {
        let path = path.as_ref().display().to_string();
        move |source| BenchError::Json { path: path.clone(), source }
    }
}

/// Path of the list of posts.
const POSTS: &str = "/api/v1/workspaces/default/content/posts";

/// The requirements that `--only` can name, and the function that measures each group.
const SECTIONS: [(&[&str], Section); 14] = [
    (&["W1", "W2", "W3", "W5", "W8", "W4"], reads::rows),
    (&[first_search::NAME], first_search::rows),
    (&["W6", "W7"], writes::rows),
    (&["W9"], start::rows),
    (&["W10"], memory::resident_rows),
    (&["W11"], memory::whole_list_rows),
    (&["EDITS"], edits::rows),
    (&[changes::NAME], changes::rows),
    (&[backup::NAME], backup::rows),
    (&[thumbnails::NAME], thumbnails::rows),
    (&[variants::NAME], variants::rows),
    (&[instructions::NAME], instructions::rows),
    (&[peers::NAME], peers::rows),
    (&[cluster::NAME], cluster::rows),
];

type Section = fn(&Bench) -> Result<Vec<Row>, BenchError>;

/// One run of the benchmark.
struct Bench {
    /// The program under measurement.
    binary: PathBuf,
    /// The version that the program reports.
    version: String,
    /// The running program, which also serves as a ceiling.
    own_binary: PathBuf,
    scratch: PathBuf,
    dataset: Dataset,
    token: String,
    connections: usize,
    workers: usize,
    pairs: usize,
    run_time: Duration,
    seed: u64,
    /// The names given with `--only`, in capitals; empty for all.
    only: Vec<String>,
    quick: bool,
}

impl Bench {
    fn wants(&self, name: &str) -> bool {
        self.only.is_empty() || self.is_named(name)
    }

    /// Returns true if `--only` names it.
    fn is_named(&self, name: &str) -> bool {
        self.only.iter().any(|only| only == name)
    }

    fn empty_report(&self) -> Report {
        Report {
            version: self.version.clone(),
            binary: self.binary.display().to_string(),
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
        self.serve_with(folder, &[])
    }

    /// Does the same with more arguments.
    fn serve_with(&self, folder: &Path, more: &[&str]) -> Result<Process, BenchError> {
        let mut arguments = self.serve_arguments(folder);
        arguments.extend(words(more));
        Process::start(&self.binary, &arguments, &self.scratch.join("server.log"))
    }

    /// Returns the arguments with which the program serves a data folder.
    fn serve_arguments(&self, folder: &Path) -> Vec<OsString> {
        let mut arguments = words(&["serve", "--listen", "127.0.0.1:0", "--log", "text"]);
        arguments.extend(["--workers".into(), self.workers.to_string().into()]);
        // The load generator keeps its connections: connecting is not part of the measurement.
        arguments.extend(words(&["--requests-per-connection-max", "0"]));
        // The port changes with each start, the address of a site does not.
        arguments.extend(words(&["--base-url", "http://recto.example"]));
        arguments.extend(["--data".into(), folder.into()]);
        arguments
    }

    /// Starts a ceiling. `what` is `--constant`, `--bodies`, `--values` or `--durable`.
    fn ceiling(&self, what: &str, value: OsString) -> Result<Process, BenchError> {
        let arguments = [
            "ceiling".into(),
            "--workers".into(),
            self.workers.to_string().into(),
            what.into(),
            value,
        ];
        Process::start(&self.own_binary, &arguments, &self.scratch.join("ceiling.log"))
    }

    /// Returns the goal for this number of entries: the last one that starts at or below it.
    fn goal_at(&self, goals: &[(usize, Goal)]) -> Option<Goal> {
        let fits = goals.iter().rev().find(|(entries, _)| *entries <= self.dataset.posts.len());
        fits.map(|(_, goal)| *goal)
    }

    /// Returns a file with the responses of all published posts, for ceilings that send the same.
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

/// Returns a response, which must have status 200.
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

/// A temporary folder, removed at the end of the run.
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
        // A leftover folder is cleaned up by the system.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let done = match arguments.command {
        Some(Command::Ceiling(args)) => ceiling::run(&args),
        None => run(&arguments.bench),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("recto-bench: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Runs the benchmark and prints its report.
fn run(args: &BenchArgs) -> Result<(), BenchError> {
    let begin = Instant::now();
    let scratch = Scratch::create()?;
    let data = args.keep.as_deref().unwrap_or(&scratch.0);
    // nginx resolves relative paths against another folder.
    let data = std::path::absolute(data).map_err(BenchError::Io)?;
    let bench = prepare(args, &scratch.0, &data)?;
    let mut report = bench.empty_report();
    println!("{}", report.head());
    for (names, section) in SECTIONS {
        if names.iter().any(|name| bench.wants(name)) {
            // A part that fails must not prevent the others.
            let failed = |error| vec![Row::failed(names[0], "could not be measured", error)];
            report.rows.extend(section(&bench).unwrap_or_else(failed));
        }
    }
    if args.growth || args.full {
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

/// Returns everything that `--only` can name.
fn section_names() -> Vec<String> {
    SECTIONS.iter().flat_map(|(names, _)| names.iter().map(ToString::to_string)).collect()
}

/// Parses the name of a requirement into capitals.
fn section(name: &str) -> Result<String, String> {
    let known = section_names();
    let upper = name.to_uppercase();
    if known.contains(&upper) {
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
    let binary = match &args.binary {
        Some(binary) => binary.clone(),
        None => beside(&own_binary)?,
    };
    let version = measure::output_of(&binary, &words(&["--version"]))?;
    let entries = args.entries.unwrap_or(if args.full { 100_000 } else { 10_000 });
    progress(&format!("generating {entries} entries"));
    let dataset = open_dataset(data, entries, args.seed)?;
    let token = make_token(&binary, dataset.folder(), "content.read@content:*")?;
    Ok(Bench {
        binary,
        version: version.trim().trim_start_matches("recto ").to_string(),
        own_binary,
        scratch: scratch.to_path_buf(),
        dataset,
        token,
        connections: args.connections,
        workers: args.workers,
        pairs: if args.quick { 3 } else { 7 },
        run_time: Duration::from_millis(if args.quick { 250 } else { 600 }),
        seed: args.seed,
        only: if args.full { section_names() } else { args.only.clone() },
        quick: args.quick,
    })
}

/// Returns the path of the server that was built together with this program.
fn beside(own_binary: &Path) -> Result<PathBuf, BenchError> {
    let path = own_binary.with_file_name(format!("recto{}", std::env::consts::EXE_SUFFIX));
    if path.is_file() {
        return Ok(path);
    }
    let missing = format!("there is no {}: build it, or name one with --binary", path.display());
    Err(BenchError::Run(missing))
}

fn open_dataset(data: &Path, entries: usize, seed: u64) -> Result<Dataset, BenchError> {
    Dataset::open(&data.join(format!("posts-{entries}")), entries, seed)
}

fn make_token(binary: &Path, folder: &Path, grant: &str) -> Result<String, BenchError> {
    // A kept folder collects one token for each run.
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
