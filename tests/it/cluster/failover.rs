//! Sixteen clients write through three servers while PostgreSQL's primary is killed and its standby
//! takes its place, while servers are killed, and while the network between a server and PostgreSQL
//! stalls. Whatever was acknowledged is there afterwards, once; entity tags decide between writers
//! on different servers; and nobody sees time run backwards who says what they have seen.
//!
//! `tests/cluster/failover.sh` runs it.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::Path;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::SeqCst;
use std::thread;
use std::time::Duration;
use std::time::Instant;

use serde_json::Value;
use serde_json::json;

use crate::support::cluster_node::Node;
use crate::support::cluster_node::Reply;
use crate::support::cluster_node::ask;
use crate::support::stalling_proxy::StallingProxy;

const WRITERS: u64 = 16;
const SERVERS: usize = 3;
const COUNTERS: usize = 4;
const POSTS: &str = "/api/v1/workspaces/default/content/posts";

/// What the clients know.
#[derive(Default)]
struct History {
    /// Entries whose creation was acknowledged, by their number.
    created: BTreeMap<u64, String>,
    /// Numbers of entries of which it is not known.
    unknown: BTreeSet<u64>,
    /// The values of each counter whose setting was acknowledged, and those of which it is not
    /// known.
    counted: [BTreeSet<u64>; COUNTERS],
    maybe_counted: [BTreeSet<u64>; COUNTERS],
    longest_gap: Duration,
}

struct Campaign {
    nodes: Vec<Mutex<Node>>,
    networks: Vec<Network>,
    addresses: Vec<String>,
    token: String,
    next: AtomicU64,
    is_over: AtomicBool,
    acknowledged: AtomicU64,
    history: Mutex<History>,
}

#[test]
#[ignore = "it needs PostgreSQL: tests/cluster/failover.sh"]
fn nothing_acknowledged_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let rounds: u32 = std::env::var("ROUNDS").map_or(3, |it| it.parse().unwrap());
    let database = folder.path().join("postgres");
    std::fs::create_dir(&database).unwrap();
    #[cfg(unix)]
    std::fs::set_permissions(folder.path(), std::os::unix::fs::PermissionsExt::from_mode(0o755))
        .unwrap();
    let postgres = Postgres { folder: database };
    let address = postgres.run("create");
    let token = Node::prepare(folder.path(), address.trim());
    let networks: Vec<Network> = (0..SERVERS).map(|_| Network::start(address.trim())).collect();
    let start =
        |(number, network): (usize, &Network)| Node::start(folder.path(), number, &network.address);
    let nodes: Vec<Node> = networks.iter().enumerate().map(start).collect();
    let campaign = Campaign {
        addresses: nodes.iter().map(|it| it.address.clone()).collect(),
        nodes: nodes.into_iter().map(Mutex::new).collect(),
        networks,
        token,
        next: AtomicU64::new(0),
        is_over: AtomicBool::new(false),
        acknowledged: AtomicU64::new(0),
        history: Mutex::default(),
    };
    for number in 0..COUNTERS {
        let body = json!({"title": format!("Counter {number}"), "slug": format!("counter-{number}"),
            "status": "published", "data": {"n": 0}});
        let reply = campaign.ask(0, "POST", POSTS, &[], &body).unwrap();
        assert_eq!(reply.status, 201, "{reply:?}");
    }
    thread::scope(|scope| {
        for number in 0..WRITERS {
            let campaign = &campaign;
            scope.spawn(move || match number % 4 {
                0 => campaign.count(number),
                _ => campaign.create(number),
            });
        }
        for number in 0..3 {
            let campaign = &campaign;
            scope.spawn(move || campaign.watch(number));
        }
        let guard = OverGuard(&campaign.is_over);
        for round in 0..rounds {
            campaign.expect_progress();
            let number = (round / 5) as usize % SERVERS;
            match round % 5 {
                4 => {
                    // Now and then longer than anything waits.
                    let seconds = if number == 1 { 15 } else { 2 };
                    campaign.networks[number].set_stalled(true);
                    thread::sleep(Duration::from_secs(seconds));
                    campaign.expect_progress();
                    campaign.networks[number].set_stalled(false);
                }
                3 => campaign.nodes[number].lock().unwrap().restart(),
                2 => _ = postgres.run("restart"),
                _ => {
                    postgres.run("kill");
                    postgres.run("promote");
                    let promoted = Instant::now();
                    campaign.expect_progress();
                    let gap = promoted.elapsed();
                    let mut history = campaign.history.lock().unwrap();
                    history.longest_gap = history.longest_gap.max(gap);
                    drop(history);
                    postgres.run("rejoin");
                }
            }
        }
        campaign.expect_progress();
        drop(guard);
    });
    campaign.check();
}

/// Ends the clients, also if the campaign fails.
struct OverGuard<'a>(&'a AtomicBool);

impl Drop for OverGuard<'_> {
    fn drop(&mut self) {
        self.0.store(true, SeqCst);
    }
}

impl Campaign {
    fn ask(
        &self,
        server: usize,
        method: &str,
        path: &str,
        headers: &[(&str, String)],
        body: &Value,
    ) -> std::io::Result<Reply> {
        ask(&self.addresses[server], &self.token, method, path, headers, body)
    }

    /// Waits until changes are acknowledged again, which must not take long.
    fn expect_progress(&self) {
        let before = self.acknowledged.load(SeqCst);
        let until = Instant::now() + Duration::from_secs(60);
        while self.acknowledged.load(SeqCst) < before + 20 {
            assert!(Instant::now() < until, "no change was acknowledged for a minute");
            thread::sleep(Duration::from_millis(5));
        }
    }

    fn create(&self, writer: u64) {
        let mut server = writer as usize % SERVERS;
        while !self.is_over.load(SeqCst) {
            server = (server + 1) % SERVERS;
            let n = self.next.fetch_add(1, SeqCst) + 1;
            let body =
                json!({"title": format!("Entry {n}"), "status": "published", "data": {"n": n}});
            let reply = self.ask(server, "POST", POSTS, &[], &body);
            let mut history = self.history.lock().unwrap();
            match reply {
                Ok(reply) if reply.status == 201 => {
                    let id = reply.body["data"]["id"].as_str().unwrap().to_string();
                    history.created.insert(n, id);
                    self.acknowledged.fetch_add(1, SeqCst);
                }
                Ok(reply) => {
                    assert_eq!(reply.status, 503, "{reply:?}");
                    history.unknown.insert(n);
                    drop(history);
                    thread::sleep(Duration::from_millis(20));
                }
                Err(_) => {
                    history.unknown.insert(n);
                    drop(history);
                    thread::sleep(Duration::from_millis(20));
                }
            }
        }
    }

    /// Counts on: reads at one server, writes at another, and only if nobody was faster.
    fn count(&self, writer: u64) {
        let mut server = writer as usize % SERVERS;
        let mut turn = writer as usize;
        while !self.is_over.load(SeqCst) {
            turn += 1;
            server = (server + 1) % SERVERS;
            let counter = turn % COUNTERS;
            let path = format!("{POSTS}/counter-{counter}");
            let Ok(read) = self.ask(server, "GET", &path, &[], &Value::Null) else { continue };
            if read.status != 200 {
                continue;
            }
            let n = read.body["data"]["data"]["n"].as_u64().unwrap() + 1;
            let other = (server + 1) % SERVERS;
            let condition = [("if-match", read.tag.clone())];
            let reply = self.ask(other, "PATCH", &path, &condition, &json!({"data": {"n": n}}));
            let mut history = self.history.lock().unwrap();
            match reply.map(|it| it.status) {
                Ok(200) => {
                    let is_first = history.counted[counter].insert(n);
                    assert!(is_first, "counter {counter} was set to {n} twice");
                    self.acknowledged.fetch_add(1, SeqCst);
                }
                Ok(412) => {}
                Ok(503) | Err(_) => {
                    history.maybe_counted[counter].insert(n);
                    drop(history);
                    thread::sleep(Duration::from_millis(20));
                }
                Ok(status) => panic!("{status}"),
            }
        }
    }

    /// Reads a counter at all servers in turn, with what was seen so far: it never goes back.
    fn watch(&self, reader: usize) {
        let (mut seen, mut position, mut server) = (0, 0_u64, reader);
        let path = format!("{POSTS}/counter-{reader}");
        while !self.is_over.load(SeqCst) {
            server = (server + 1) % SERVERS;
            let after = [("recto-after", position.to_string())];
            match self.ask(server, "GET", &path, &after, &Value::Null) {
                Ok(reply) if reply.status == 200 => {
                    let n = reply.body["data"]["data"]["n"].as_u64().unwrap();
                    assert!(n >= seen, "counter {reader} went from {seen} back to {n}");
                    seen = n;
                    position = position.max(reply.position);
                }
                _ => thread::sleep(Duration::from_millis(10)),
            }
        }
    }

    /// Compares all servers with what was acknowledged.
    fn check(&self) {
        let history = self.history.lock().unwrap();
        let (mut pictures, mut missing) = (Vec::new(), Vec::<String>::new());
        for server in 0..SERVERS {
            let last = self
                .ask(
                    server,
                    "PATCH",
                    &format!("{POSTS}/counter-0"),
                    &[],
                    &json!({"data": {"body": "the end"}}),
                )
                .unwrap();
            assert_eq!(last.status, 200, "{last:?}");
            let after = [("recto-after", last.position.to_string())];
            let mut found: BTreeMap<u64, String> = BTreeMap::new();
            let mut counters = Vec::new();
            let mut offset = 0;
            loop {
                let path = format!("{POSTS}?limit=100&sort=n&offset={offset}");
                let reply = self.ask(server, "GET", &path, &after, &Value::Null).unwrap();
                let rows = reply.body["data"].as_array().unwrap().clone();
                for row in &rows {
                    let (n, id) = (row["data"]["n"].as_u64().unwrap(), row["id"].as_str().unwrap());
                    match row["slug"].as_str().unwrap().strip_prefix("counter-") {
                        Some(number) => counters.push((number.parse::<usize>().unwrap(), n)),
                        None => assert!(
                            found.insert(n, id.to_string()).is_none(),
                            "entry {n} is there twice"
                        ),
                    }
                }
                if rows.is_empty() {
                    break;
                }
                offset += rows.len();
            }
            let lost = history.created.iter().filter(|(n, id)| found.get(n) != Some(id));
            missing.extend(lost.map(|(n, id)| format!("entry {n} ({id}) on server {server}")));
            for n in found.keys() {
                let is_known = history.created.contains_key(n) || history.unknown.contains(n);
                assert!(is_known, "nobody has written entry {n}");
            }
            counters.sort_unstable();
            for (number, n) in &counters {
                let most = history.counted[*number].iter().max().copied().unwrap_or(0);
                assert!(*n >= most, "counter {number} is {n} and was set to {most}");
                let known = |it: &u64| {
                    history.counted[*number].contains(it)
                        || history.maybe_counted[*number].contains(it)
                };
                assert!((1..=*n).all(|it| known(&it)), "counter {number} counted by itself");
            }
            pictures.push((found, counters));
        }
        assert!(missing.is_empty(), "{missing:?}");
        assert!(pictures.windows(2).all(|it| it[0] == it[1]), "servers differ");
        let summary = format!(
            "{} entries and {} steps acknowledged, {} unknown; longest gap after a promotion {:?}\n",
            history.created.len(),
            history.counted.iter().map(BTreeSet::len).sum::<usize>(),
            history.unknown.len(),
            history.longest_gap,
        );
        std::io::stderr().write_all(summary.as_bytes()).unwrap();
    }
}

/// The network between a server and those of PostgreSQL.
struct Network {
    proxies: Vec<StallingProxy>,
    address: String,
}

impl Network {
    /// Starts proxies of the servers in the address of a database.
    fn start(database: &str) -> Network {
        let (user, rest) = database.split_once('@').unwrap();
        let (hosts, name) = rest.split_once('/').unwrap();
        let proxies: Vec<StallingProxy> =
            hosts.split(',').map(|it| StallingProxy::start(it.parse().unwrap())).collect();
        let hosts: Vec<String> = proxies.iter().map(|it| it.address.to_string()).collect();
        let address = format!("{user}@{}/{name}", hosts.join(","));
        Network { proxies, address }
    }

    fn set_stalled(&self, is_stalled: bool) {
        self.proxies.iter().for_each(|it| it.set_stalled(is_stalled));
    }
}

/// The two servers of PostgreSQL.
struct Postgres {
    folder: PathBuf,
}

impl Postgres {
    fn run(&self, command: &str) -> String {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cluster/postgres.sh");
        let ran = Command::new(script).arg(command).arg(&self.folder).output().unwrap();
        let err = String::from_utf8_lossy(&ran.stderr);
        assert!(ran.status.success(), "{command}: {err}");
        String::from_utf8(ran.stdout).unwrap()
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cluster/postgres.sh");
        let _ = Command::new(script).arg("destroy").arg(&self.folder).output();
    }
}
