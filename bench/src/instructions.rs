//! The rows of instructions: the user-space instructions of the server for one request, counted by
//! valgrind. They are the same on a busy machine, where rates and times are not.

use std::ffi::OsString;
use std::path::Path;
use std::path::PathBuf;
use std::rc::Rc;

use crate::Bench;
use crate::BenchError;
use crate::load::Load;
use crate::load::RequestSet;
use crate::load::Until;
use crate::measure;
use crate::measure::Process;
use crate::progress;
use crate::reads;
use crate::reads::MakeTargets;
use crate::report::Row;
use crate::words;

/// The name to give to `--only`.
pub(crate) const NAME: &str = "INSTRUCTIONS";

/// The requests before counting starts: they fill caches, as those of a server that runs for long.
const WARM_UP: u64 = 100;

/// The requests that are counted for each row. Under valgrind each takes about 50 times as long.
const COUNTED: u64 = 1_000;

/// The runs after which a row gives up waiting for two that agree.
const RUNS_MAX: usize = 6;

/// A row: its name, what is asked for, the requests, and whether they have a token.
type CountedRow = (&'static str, &'static str, MakeTargets, bool);

const ROWS: &[CountedRow] = &[
    ("W1", "entry by slug", reads::entries_by_slug, false),
    ("W1", "entry by id", reads::entries_by_id, false),
    ("W1", "entry by slug with a token", reads::entries_by_slug, true),
    ("W5", "entry by slug with author", reads::entries_with_author, false),
    ("W2", "20 newest, repeated", reads::newest_repeated, false),
    ("W2", "20 of a list, never seen", reads::newest_new, false),
    ("W5", "20 newest with author, repeated", reads::included_repeated, false),
    ("W5", "20 of a list with author, never seen", reads::included_new, false),
];

/// Counts the instructions of reads.
pub(crate) fn rows(bench: &Bench) -> Result<Vec<Row>, BenchError> {
    if !bench.is_named(NAME) {
        return Ok(Vec::new());
    }
    let counter = Counter::start(bench, "counts", bench.serve_arguments(bench.dataset.folder()))?;
    let count = |row: &CountedRow| {
        let (name, what, targets, has_token) = *row;
        let token = has_token.then_some(bench.token.as_str());
        let count = counter.count(bench, what, targets, token)?;
        let row = Row::value(name, format!("{what}: instructions"), count.each as f64, "");
        Ok(if count.is_steady { row } else { row.note(UNSTEADY) })
    };
    ROWS.iter().map(count).collect()
}

/// Counts the instructions for each request of every kind, on a server that has these arguments.
/// `name` is that of the files with counts.
pub(crate) fn count_kinds(
    bench: &Bench,
    name: &str,
    arguments: Vec<OsString>,
    kinds: &[(&str, MakeTargets)],
) -> Result<Vec<Count>, BenchError> {
    let counter = Counter::start(bench, name, arguments)?;
    let count = |(what, targets): &(&str, MakeTargets)| counter.count(bench, what, *targets, None);
    let counts = kinds.iter().map(count).collect::<Result<_, _>>()?;
    counter.server.stop();
    Ok(counts)
}

/// What was counted for one row.
pub(crate) struct Count {
    /// The instructions for each request.
    pub(crate) each: u64,
    /// True if the last two runs agreed.
    pub(crate) is_steady: bool,
}

/// The note below a row whose count is not steady.
pub(crate) const UNSTEADY: &str = "no two runs agreed";

/// A server that runs under valgrind.
struct Counter {
    server: Process,
    control: PathBuf,
    /// The path of the files with counts, to which valgrind adds their number.
    counts: PathBuf,
}

impl Counter {
    fn start(
        bench: &Bench,
        name: &str,
        serve_arguments: Vec<OsString>,
    ) -> Result<Counter, BenchError> {
        let missing =
            || BenchError::Run("install valgrind (Debian: apt-get install valgrind)".into());
        let valgrind = measure::find_on_path("valgrind").ok_or_else(missing)?;
        let control = measure::find_on_path("callgrind_control").ok_or_else(missing)?;
        progress("the server starts under valgrind");
        let counts = bench.scratch.join(name);
        let mut out_file = OsString::from("--callgrind-out-file=");
        out_file.push(&counts);
        let mut arguments = words(&["--tool=callgrind", "--instr-atstart=no"]);
        arguments.extend([out_file, bench.binary.clone().into()]);
        arguments.extend(serve_arguments);
        let server = Process::start(&valgrind, &arguments, &bench.scratch.join("server.log"))?;
        let counter = Counter { server, control, counts };
        counter.control("--instr=on")?;
        Ok(counter)
    }

    /// Counts the instructions of one kind of request.
    fn count(
        &self,
        bench: &Bench,
        what: &str,
        targets: MakeTargets,
        token: Option<&str>,
    ) -> Result<Count, BenchError> {
        progress(&format!("instructions of {what}"));
        let requests = targets(&bench.dataset).set(self.server.address, token);
        let mut load = Load::connect(self.server.address, 1).map_err(BenchError::Io)?;
        send(&mut load, &requests, WARM_UP)?;
        let mut counts = vec![self.count_requests(&mut load, &requests)?];
        // A server that was just started does other things beside, for a while.
        while !agree(&counts) && counts.len() < RUNS_MAX {
            counts.push(self.count_requests(&mut load, &requests)?);
        }
        let each = counts.last().copied().unwrap_or_default();
        Ok(Count { each, is_steady: agree(&counts) })
    }

    /// Returns the instructions for each request of one run.
    fn count_requests(
        &self,
        load: &mut Load,
        requests: &Rc<RequestSet>,
    ) -> Result<u64, BenchError> {
        self.control("--zero")?;
        send(load, requests, COUNTED)?;
        self.control("--dump")?;
        Ok(self.read_newest_count()? / COUNTED)
    }

    fn control(&self, command: &str) -> Result<(), BenchError> {
        let pid = self.server.id().to_string();
        measure::output_of(&self.control, &words(&[command, &pid])).map(drop)
    }

    /// Returns the count in the file with the highest number.
    fn read_newest_count(&self) -> Result<u64, BenchError> {
        let numbered = |number: u32| self.counts.with_extension(number.to_string());
        let newest = (1..).map(numbered).take_while(|path| path.exists()).last();
        let newest = newest.ok_or_else(|| BenchError::Run("valgrind wrote no counts".into()))?;
        let text = std::fs::read_to_string(&newest).map_err(BenchError::file(&newest))?;
        parse_total(&text).ok_or_else(|| no_total(&newest))
    }
}

fn send(load: &mut Load, requests: &Rc<RequestSet>, count: u64) -> Result<(), BenchError> {
    let report = load.drive(Rc::clone(requests), Until::Answered(count));
    report.first_error.map_or(Ok(()), |reason| Err(BenchError::Run(reason)))
}

/// Returns true if the last two runs differ by less than one per cent.
fn agree(counts: &[u64]) -> bool {
    matches!(counts, [.., before, last] if before.abs_diff(*last) * 100 < *last)
}

fn no_total(path: &Path) -> BenchError {
    BenchError::Run(format!("{} has no total", path.display()))
}

/// Returns the number of instructions in a file of counts.
fn parse_total(text: &str) -> Option<u64> {
    let lines = text.lines().rev().filter_map(|line| line.split_once(':'));
    let mut totals = lines.filter(|(key, _)| matches!(*key, "totals" | "summary"));
    totals.next()?.1.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn totals_are_found() {
        let text = "version: 1\nevents: Ir\nsummary: 45\n\nfn=(1) a\n1 45\n\ntotals: 46\n";
        assert_eq!(parse_total(text), Some(46));
        assert_eq!(parse_total("events: Ir\nsummary: 45\n"), Some(45));
        assert_eq!(parse_total("events: Ir\n"), None);
    }
}
