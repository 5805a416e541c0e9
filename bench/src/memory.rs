//! The rows of W10, resident memory, and of W11, a list without limit, whose memory and processor
//! time matter more than its rate.

use std::net::SocketAddr;
use std::rc::Rc;
use std::time::Duration;

use crate::Bench;
use crate::BenchError;
use crate::POSTS;
use crate::generate::make_empty;
use crate::get_ok;
use crate::load::Load;
use crate::load::Order;
use crate::load::RequestSet;
use crate::load::Until;
use crate::measure::Process;
use crate::progress;
use crate::report::Goal;
use crate::report::Row;
use crate::report::Spread;
use crate::wire::Client;

const MB: f64 = 1_048_576.0;
const IDLE: &[(usize, Goal)] = &[(0, Goal::at_most(12.0, 8.0))];
const LOADED: &[(usize, Goal)] = &[(100_000, Goal::at_most(1.25, 1.1))];
const WITH_TEXT: &[(usize, Goal)] = &[(100_000, Goal::at_most(1.45, 1.2))];
const LESS_CPU: &[(usize, Goal)] = &[(0, Goal::at_least(6.0, 10.0))];
const PROGRAM: &[(usize, Goal)] = &[(0, Goal::at_most(25.0, 15.0))];
const GROWN: &[(usize, Goal)] = &[(0, Goal::at_most(8.0, 8.0))];

/// Measures W10: without content, loaded, and after the first search.
pub(crate) fn resident_rows(bench: &Bench) -> Result<Vec<Row>, BenchError> {
    progress("W10 memory");
    let empty = bench.scratch.join("empty");
    make_empty(&empty)?;
    let server = bench.serve(&empty)?;
    let idle = settled(&server)?;
    server.stop();

    let json_bytes = bench.dataset.json_bytes()? as f64;
    let server = bench.serve(bench.dataset.folder())?;
    let loaded = settled(&server)?;
    let mut client = Client::connect(server.address).map_err(BenchError::Io)?;
    let word = bench.dataset.frequent_words().last().map_or("a", |word| *word).to_owned();
    get_ok(&mut client, &format!("{POSTS}?q={}&limit=1", deunicode::deunicode(&word)))?;
    let with_text = settled(&server)?;
    drop(client);
    server.stop();

    let row = |what: &str, bytes: f64| {
        let row = Row::value("W10", what, bytes / json_bytes, "× JSON");
        row.note(format!("{:.1} MB resident, {:.1} MB of JSON", bytes / MB, json_bytes / MB))
    };
    let program = std::fs::metadata(&bench.binary).map_err(BenchError::file(&bench.binary))?.len();
    Ok(vec![
        Row::value("W10", "size of the program", program as f64 / MB, "MB")
            .goal(bench.goal_at(PROGRAM)),
        Row::value("W10", "resident without content", idle / MB, "MB").goal(bench.goal_at(IDLE)),
        row("resident ÷ JSON, loaded", loaded).goal(bench.goal_at(LOADED)),
        row("resident ÷ JSON, with text index", with_text).goal(bench.goal_at(WITH_TEXT)),
    ])
}

fn settled(server: &Process) -> Result<f64, BenchError> {
    let bytes = server.settled_bytes().ok_or_else(not_told)?;
    Ok(bytes as f64)
}

fn not_told() -> BenchError {
    BenchError::Run("this system does not say what a process uses".into())
}

/// Measures W11: every entry in one response, compared with a server that serialises values for it.
pub(crate) fn whole_list_rows(bench: &Bench) -> Result<Vec<Row>, BenchError> {
    progress("W11 list without limit");
    let server = bench.serve(bench.dataset.folder())?;
    let bodies = bench.bodies_file(server.address)?;
    let serialiser = bench.ceiling("--values", bodies.into())?;
    let mut lists = Lists::open(server.address, POSTS)?;
    let mut values = Lists::open(serialiser.address, "/")?;

    let before = server.resident_bytes().ok_or_else(not_told)?;
    let peak_known = server.reset_peak();
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..bench.pairs {
        ours.push(lists.cpu_of_one(&server)?);
        theirs.push(values.cpu_of_one(&serialiser)?);
    }
    let grown = server.peak_bytes().ok_or_else(not_told)?.saturating_sub(before) as f64 / MB;
    drop(lists);
    server.stop();

    let median = |times| Spread::of(times).map_or(0.0, |spread| spread.median);
    let (ours, theirs) = (median(ours), median(theirs));
    let grown = Row::value("W11", "memory grown by one request", grown, "MB");
    let grown = if peak_known { grown } else { grown.note("counts since the server started") };
    let less_cpu = Row::value("W11", "less CPU than serialising values", theirs / ours, "×");
    let note = format!("serialising takes {theirs:.1} ms");
    Ok(vec![
        Row::value("W11", "CPU of a list of all entries", ours, "ms"),
        less_cpu.goal(bench.goal_at(LESS_CPU)).note(note),
        grown.goal(bench.goal_at(GROWN)),
    ])
}

/// A connection that requests the same long list.
struct Lists {
    load: Load,
    requests: Rc<RequestSet>,
}

impl Lists {
    /// Connects and sends one request, so that memory is allocated already.
    fn open(address: SocketAddr, path: &str) -> Result<Self, BenchError> {
        let load = Load::connect(address, 1).map_err(BenchError::Io)?;
        let requests = Rc::new(RequestSet::new(address, [path], None, Order::Random));
        let mut lists = Lists { load, requests };
        lists.ask(1)?;
        Ok(lists)
    }

    fn ask(&mut self, n_times: u64) -> Result<(), BenchError> {
        let report = self.load.drive(Rc::clone(&self.requests), Until::Answered(n_times));
        match report.first_error {
            Some(error) => Err(BenchError::Run(error)),
            None => Ok(()),
        }
    }

    /// Returns the processor time of one response in milliseconds.
    fn cpu_of_one(&mut self, process: &Process) -> Result<f64, BenchError> {
        const TIMES: u32 = 3;
        let before = process.cpu().ok_or_else(not_told)?;
        self.ask(TIMES.into())?;
        let after = process.cpu().ok_or_else(not_told)?;
        let spent: Duration = after.saturating_sub(before) / TIMES;
        Ok(spent.as_secs_f64() * 1e3)
    }
}
