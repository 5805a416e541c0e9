//! The rows of W1 to W5 and W8: requests under load, in turn with their comparison.

use std::ffi::OsString;
use std::fmt::Write;
use std::net::SocketAddr;
use std::process::Command;
use std::process::Stdio;
use std::rc::Rc;

use percent_encoding::NON_ALPHANUMERIC;
use percent_encoding::utf8_percent_encode;

use crate::Bench;
use crate::BenchError;
use crate::POSTS;
use crate::generate::CATEGORIES;
use crate::generate::Dataset;
use crate::generate::Post;
use crate::load::Order;
use crate::load::RequestSet;
use crate::measure;
use crate::measure::Process;
use crate::pictures;
use crate::progress;
use crate::report::Figures;
use crate::report::Goal;
use crate::report::Row;
use crate::side::Side;

/// The requests of a row.
pub(crate) struct Targets {
    paths: Vec<String>,
    order: Order,
}

impl Targets {
    fn random(paths: impl IntoIterator<Item = String>) -> Self {
        Targets { paths: paths.into_iter().collect(), order: Order::Random }
    }

    fn once(paths: impl IntoIterator<Item = String>) -> Self {
        Targets { paths: paths.into_iter().collect(), order: Order::Once }
    }

    /// Returns the requests as bytes, for a server at this address.
    pub(crate) fn set(&self, authority: SocketAddr, token: Option<&str>) -> Rc<RequestSet> {
        let paths = self.paths.iter().map(String::as_str);
        Rc::new(RequestSet::new(authority, paths, token, self.order))
    }
}

/// A function that returns the requests of a row for some content.
pub(crate) type MakeTargets = fn(&Dataset) -> Targets;

/// The comparison of a row.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Against {
    /// None: the latency is reported.
    Nothing,
    /// A bare hyper server with a constant body of the same size.
    Constant,
    /// A bare hyper server with identical bodies and headers.
    SameBodies,
    /// nginx sending the same file.
    Nginx,
}

/// The credential and the number of connections.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ReaderKind {
    /// Anonymous, on all connections.
    Anybody,
    /// With a token, on all connections.
    TokenHolder,
    /// Anonymous, on one connection, to measure the latency of one reader.
    OneReader,
}

/// A row of the table below.
struct ReadRow {
    name: &'static str,
    what: &'static str,
    client: ReaderKind,
    targets: MakeTargets,
    against: Against,
    /// The goals, each from a number of entries on.
    goals: &'static [(usize, Goal)],
}

const LIST_REPEATED: &[(usize, Goal)] = &[(10_000, Goal::at_least(0.90, 0.95))];
const LIST_NEW: &[(usize, Goal)] = &[(10_000, Goal::at_least(0.40, 0.55))];
const ENTRY: &[(usize, Goal)] =
    &[(10_000, Goal::at_least(0.70, 0.78)), (100_000, Goal::at_least(0.65, 0.78))];

/// The rows in their order: the first search makes the server build its text index, so W4 comes
/// last.
const ROWS: &[ReadRow] = &[
    ReadRow {
        name: "W1",
        what: "entry by slug ÷ constant",
        client: ReaderKind::Anybody,
        targets: entries_by_slug,
        against: Against::Constant,
        goals: ENTRY,
    },
    ReadRow {
        name: "W1",
        what: "entry by id ÷ constant",
        client: ReaderKind::Anybody,
        targets: entries_by_id,
        against: Against::Constant,
        goals: ENTRY,
    },
    ReadRow {
        name: "W1",
        what: "entry by slug ÷ same bodies",
        client: ReaderKind::Anybody,
        targets: entries_by_slug,
        against: Against::SameBodies,
        goals: &[(0, Goal::at_least(0.90, 0.95))],
    },
    ReadRow {
        name: "W1",
        what: "with a token ÷ same bodies",
        client: ReaderKind::TokenHolder,
        targets: entries_by_slug,
        against: Against::SameBodies,
        goals: &[(0, Goal::at_least(0.80, 0.95))],
    },
    ReadRow {
        name: "W2",
        what: "20 newest, repeated",
        client: ReaderKind::Anybody,
        targets: newest_repeated,
        against: Against::Constant,
        goals: LIST_REPEATED,
    },
    ReadRow {
        name: "W2",
        what: "20 of a list, never seen",
        client: ReaderKind::Anybody,
        targets: newest_new,
        against: Against::Constant,
        goals: LIST_NEW,
    },
    ReadRow {
        name: "W3",
        what: "two filters and sort, repeated",
        client: ReaderKind::Anybody,
        targets: filtered_repeated,
        against: Against::Constant,
        goals: &[],
    },
    ReadRow {
        name: "W3",
        what: "two filters and sort, never seen",
        client: ReaderKind::Anybody,
        targets: filtered_new,
        against: Against::Constant,
        goals: &[],
    },
    ReadRow {
        name: "W5",
        what: "20 newest with author, repeated",
        client: ReaderKind::Anybody,
        targets: included_repeated,
        against: Against::Constant,
        goals: LIST_REPEATED,
    },
    ReadRow {
        name: "W5",
        what: "20 of a list with author, never seen",
        client: ReaderKind::Anybody,
        targets: included_new,
        against: Against::Constant,
        goals: LIST_NEW,
    },
    ReadRow {
        name: "W8",
        what: "media file of 100 KB ÷ constant",
        client: ReaderKind::Anybody,
        targets: media_file,
        against: Against::Constant,
        goals: &[],
    },
    ReadRow {
        name: "W8",
        what: "media file of 100 KB ÷ nginx",
        client: ReaderKind::Anybody,
        targets: media_file,
        against: Against::Nginx,
        goals: &[(0, Goal::at_least(0.90, 1.0))],
    },
    ReadRow {
        name: "W8",
        what: "thumbnail ÷ constant",
        client: ReaderKind::Anybody,
        targets: thumbnail,
        against: Against::Constant,
        goals: &[],
    },
    ReadRow {
        name: "W4",
        what: "one word, one reader (p99 ms)",
        client: ReaderKind::OneReader,
        targets: search_one_word,
        against: Against::Nothing,
        goals: &[(100_000, Goal::at_most(5.0, 1.0))],
    },
    ReadRow {
        name: "W4",
        what: "frequent words together, one reader (p99 ms)",
        client: ReaderKind::OneReader,
        targets: search_frequent_words,
        against: Against::Nothing,
        goals: &[(100_000, Goal::at_most(60.0, 20.0))],
    },
    ReadRow {
        name: "W4",
        what: "one word ÷ constant",
        client: ReaderKind::Anybody,
        targets: search_one_word,
        against: Against::Constant,
        goals: &[],
    },
];

/// Returns the posts that anonymous readers see.
pub(crate) fn published(dataset: &Dataset) -> impl Iterator<Item = &Post> {
    dataset.posts.iter().filter(|post| post.published)
}

/// Returns every published entry under its slug.
pub(crate) fn entries_by_slug(dataset: &Dataset) -> Targets {
    Targets::random(published(dataset).map(|post| format!("{POSTS}/{}", post.slug)))
}

/// Returns every published entry under its id.
pub(crate) fn entries_by_id(dataset: &Dataset) -> Targets {
    Targets::random(published(dataset).map(|post| format!("{POSTS}/{}", post.id)))
}

/// Returns every published entry under its slug, with its author.
pub(crate) fn entries_with_author(dataset: &Dataset) -> Targets {
    let target = |post: &Post| format!("{POSTS}/{}?include=author", post.slug);
    Targets::random(published(dataset).map(target))
}

/// Returns one list, requested repeatedly.
pub(crate) fn newest_repeated(_: &Dataset) -> Targets {
    Targets::random([format!("{POSTS}?limit=20")])
}

/// Returns pages that all differ: about 20 entries from everywhere in the list.
pub(crate) fn newest_new(dataset: &Dataset) -> Targets {
    Targets::once(pages("", published(dataset).count()))
}

fn filtered_repeated(_: &Dataset) -> Targets {
    let category = CATEGORIES[0];
    let filter = format!("filter[category]={category}&filter[featured]=true&sort=-date");
    Targets::random([format!("{POSTS}?{filter}&limit=20")])
}

fn filtered_new(dataset: &Dataset) -> Targets {
    filtered(dataset, true, dataset.posts.len() / 100)
}

/// Returns the requests of W3 with enough matches for a full page at every size.
pub(crate) fn filtered_by_size(dataset: &Dataset) -> Targets {
    filtered(dataset, false, dataset.posts.len() * 8 / 100)
}

/// Returns pages of each category, newest and oldest first; `n_matches` is the approximate number
/// of matches of one category.
fn filtered(dataset: &Dataset, featured: bool, n_matches: usize) -> Targets {
    let n_matches = n_matches.min(dataset.posts.len()).max(25);
    Targets::once(["-date", "date"].into_iter().flat_map(move |sort| {
        CATEGORIES.into_iter().flat_map(move |category| {
            let filter =
                format!("filter[category]={category}&filter[featured]={featured}&sort={sort}&");
            pages(&filter, n_matches).collect::<Vec<_>>()
        })
    }))
}

/// Returns one list with authors, requested repeatedly.
pub(crate) fn included_repeated(_: &Dataset) -> Targets {
    Targets::random([format!("{POSTS}?include=author&limit=20")])
}

/// Returns the pages of `newest_new`, with authors.
pub(crate) fn included_new(dataset: &Dataset) -> Targets {
    Targets::once(pages("include=author&", published(dataset).count()))
}

/// Returns queries for pages of 16 to 24 entries at every offset that leaves a full page.
fn pages(query: &str, n_matches: usize) -> impl Iterator<Item = String> {
    let offsets = n_matches.saturating_sub(24).max(1);
    (16..=24).flat_map(move |limit| {
        (0..offsets).map(move |offset| format!("{POSTS}?{query}limit={limit}&offset={offset}"))
    })
}

fn media_file(_: &Dataset) -> Targets {
    Targets::random([format!("/media/default/{}", pictures::SERVED)])
}

fn thumbnail(_: &Dataset) -> Targets {
    Targets::random([format!("/media-thumbs/default/{}", pictures::SERVED)])
}

fn search_one_word(dataset: &Dataset) -> Targets {
    Targets::once(dataset.search_words().map(|word| search(&[word])))
}

/// Returns searches for three words at a time that nearly every entry contains.
fn search_frequent_words(dataset: &Dataset) -> Targets {
    let words = dataset.frequent_words();
    Targets::once(words.windows(3).map(search))
}

/// Returns a search for words.
pub(crate) fn search(words: &[&str]) -> String {
    let words: Vec<String> =
        words.iter().map(|word| utf8_percent_encode(word, NON_ALPHANUMERIC).to_string()).collect();
    format!("{POSTS}?q={}&limit=20", words.join("+"))
}

/// Measures all requested rows on one server.
pub(crate) fn rows(bench: &Bench) -> Result<Vec<Row>, BenchError> {
    let server = bench.serve(bench.dataset.folder())?;
    let measure = |row: &ReadRow| {
        progress(&format!("{} {}", row.name, row.what));
        let failed = |error| Row::failed(row.name, row.what, error);
        row.measure(bench, &server).unwrap_or_else(failed)
    };
    let rows = ROWS.iter().filter(|row| bench.wants(row.name)).map(measure).collect();
    server.stop();
    Ok(rows)
}

impl ReadRow {
    fn measure(&self, bench: &Bench, server: &Process) -> Result<Row, BenchError> {
        let targets = (self.targets)(&bench.dataset);
        let n_connections =
            if self.client == ReaderKind::OneReader { 1 } else { bench.connections };
        let token = (self.client == ReaderKind::TokenHolder).then_some(bench.token.as_str());
        let requests = targets.set(server.address, token);
        let mut side = Side::open(server, requests, n_connections, bench.run_time)?;
        let Some((ceiling, paths)) = self.start_ceiling(bench, server, side.body_bytes_mean)?
        else {
            (0..bench.pairs).for_each(|_| side.run(bench.run_time));
            return Ok(self.row(bench, side, None));
        };
        let requests = paths.set(ceiling.address, None);
        let mut other = Side::open(&ceiling, requests, n_connections, bench.run_time)?;
        for _ in 0..bench.pairs {
            side.run(bench.run_time);
            other.run(bench.run_time);
        }
        Ok(self.row(bench, side, Some(other)))
    }

    /// Starts the comparison of the row, and returns its requests.
    fn start_ceiling(
        &self,
        bench: &Bench,
        server: &Process,
        body_bytes: u64,
    ) -> Result<Option<(Process, Targets)>, BenchError> {
        let root = || Targets::random(["/".to_owned()]);
        Ok(match self.against {
            Against::Nothing => None,
            Against::Constant => {
                Some((bench.ceiling("--constant", body_bytes.to_string().into())?, root()))
            }
            Against::SameBodies => {
                let bodies = bench.bodies_file(server.address)?;
                let n_bodies = published(&bench.dataset).count();
                let paths = (0..n_bodies).map(|ordinal| format!("/{ordinal}"));
                Some((bench.ceiling("--bodies", bodies.into())?, Targets::random(paths)))
            }
            Against::Nginx => {
                let path = format!("/{}", pictures::SERVED);
                Some((start_nginx(bench)?, Targets::random([path])))
            }
        })
    }

    fn row(&self, bench: &Bench, side: Side<'_>, other: Option<Side<'_>>) -> Row {
        let ratio = other.as_ref().and_then(|other| side.runs.ratio(&other.runs));
        let error = side.runs.first_error();
        let server = side.runs.throughput();
        let ceiling = other.map(|other| other.runs.throughput());
        let held_back = [Some(&server), ceiling.as_ref()]
            .into_iter()
            .flatten()
            .any(|throughput| throughput.is_held_back(bench.workers));
        let note = error.or(held_back.then(|| "the load generator was the limit".to_owned()));
        let cpu_ratio = ceiling.as_ref().and_then(|ceiling| ceiling.cpu_us).zip(server.cpu_us);
        let judged = match self.against {
            Against::Nothing => Some(server.p99_us / 1e3),
            _ => ratio.map(|ratio| ratio.median),
        };
        let cpu_ratio = cpu_ratio.map(|(ceiling, server)| ceiling / server.max(1e-9));
        let figures = Figures::Load { server, ceiling, ratio, cpu_ratio, judged };
        let goal = bench.goal_at(self.goals);
        Row { name: self.name, what: self.what.to_owned(), figures, goal, note }
    }
}

/// Starts nginx as one process with sendfile over the media folder.
fn start_nginx(bench: &Bench) -> Result<Process, BenchError> {
    let binary = measure::find_on_path("nginx").ok_or_else(|| {
        BenchError::Run("install nginx (Debian: apt-get install nginx-light)".into())
    })?;
    let address = measure::free_address()?;
    let scratch = bench.scratch.join("nginx");
    std::fs::create_dir_all(&scratch).map_err(BenchError::file(&scratch))?;
    let configuration = scratch.join("nginx.conf");
    let media = bench.dataset.folder().join("workspaces/default/media");
    let text = nginx_configuration(address, &scratch.display(), &media.display());
    std::fs::write(&configuration, text).map_err(BenchError::file(&configuration))?;
    let arguments: [OsString; 6] = [
        "-p".into(),
        scratch.clone().into(),
        "-c".into(),
        configuration.into(),
        "-e".into(),
        scratch.join("error.log").into(),
    ];
    let mut command = Command::new(binary);
    command.args(arguments).stdout(Stdio::null()).stderr(Stdio::null());
    Process::start_silent(&mut command, address)
}

fn nginx_configuration(
    address: SocketAddr,
    scratch: &dyn std::fmt::Display,
    media: &dyn std::fmt::Display,
) -> String {
    let mut text = String::from("daemon off; master_process off; worker_processes 1;\n");
    // Writing to a string cannot fail.
    let _ = writeln!(text, "pid {scratch}/nginx.pid; error_log {scratch}/error.log crit;");
    text.push_str("events { worker_connections 1024; }\nhttp {\n");
    text.push_str("  access_log off; sendfile on; tcp_nopush on; tcp_nodelay on;\n");
    text.push_str("  keepalive_requests 1000000000; open_file_cache max=100;\n");
    for kind in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"] {
        let _ = writeln!(text, "  {kind}_temp_path {scratch}/{kind};");
    }
    let _ = writeln!(text, "  types {{ image/jpeg jpg; }}");
    let _ = writeln!(text, "  server {{ listen {address}; root {media}; }}\n}}");
    text
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn new_queries_never_repeat() {
        let parent = tempfile::tempdir().expect("a folder");
        let dataset = Dataset::open(&parent.path().join("posts"), 60, 1).expect("generated");
        for targets in [newest_new, filtered_new, filtered_by_size, included_new, search_one_word] {
            let paths = targets(&dataset).paths;
            assert!(!paths.is_empty());
            assert_eq!(paths.iter().collect::<HashSet<_>>().len(), paths.len());
        }
    }

    #[test]
    fn every_row_has_requests() {
        let parent = tempfile::tempdir().expect("a folder");
        let dataset = Dataset::open(&parent.path().join("posts"), 10, 1).expect("generated");
        for row in ROWS {
            let paths = (row.targets)(&dataset).paths;
            assert!(paths.iter().all(|path| path.starts_with('/') && path.is_ascii()));
            assert!(!paths.is_empty(), "{}", row.what);
        }
    }
}
