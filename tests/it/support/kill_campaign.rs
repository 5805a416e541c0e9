//! Clients that write through the public API and remember what was acknowledged, and the comparison
//! of what is found after a kill with what was promised.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Condvar;
use std::sync::Mutex;

use crate::support::server_process::Connection;
use crate::support::server_process::Place;
use crate::support::server_process::Server;
use serde_json::Value;
use serde_json::json;

const CONTENT: &str = "/api/v1/workspaces/default/content/posts";
const TYPES: &str = "/api/v1/workspaces/default/content-types";

/// How many write at once.
const CLIENTS: usize = 16;

/// Then a new folder is begun: what is kept of the old would take ever longer to look at.
const ROUNDS_IN_A_FOLDER: usize = 20;

/// How many entries of its own a client keeps going.
const LIVE_MAX: usize = 12;

/// How many writes all clients together had acknowledged; somebody may wait for a number.
#[derive(Default)]
struct Progress {
    state: Mutex<(u64, usize)>,
    moved: Condvar,
}

impl Progress {
    fn acknowledged(&self) -> u64 {
        self.state.lock().unwrap().0
    }

    /// Waits until so many writes were acknowledged, or so many clients have ended.
    fn wait_for(&self, acknowledged: u64, clients: usize) {
        let waiting = |it: &mut (u64, usize)| it.0 < acknowledged && it.1 < clients;
        drop(self.moved.wait_while(self.state.lock().unwrap(), waiting).unwrap());
    }

    fn note(&self, acknowledged: u64, ended: usize) {
        let mut state = self.state.lock().unwrap();
        *state = (state.0 + acknowledged, state.1 + ended);
        self.moved.notify_all();
    }
}

/// What a client writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Entries,
    /// Content types without entries: deleting one goes through the journal.
    Types,
}

/// What an entry or a type may be found as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Absent,
    /// With this number, and the text that belongs to it.
    Numbered(u64),
}

/// What is known of one entry or type.
#[derive(Debug)]
struct Track {
    /// What it is asked for by, once it is known.
    id: Option<String>,
    acknowledged: State,
    /// Asked for since, and not answered.
    attempted: Vec<State>,
}

/// A client, and all it knows of what it wrote, by slug.
pub(crate) struct Client {
    name: usize,
    writes: What,
    chance: u64,
    n_created: u64,
    entries: BTreeMap<String, Track>,
    /// An answer that is neither the one hoped for nor silence.
    pub(crate) surprise: Option<String>,
}

/// What a request came to.
enum Answer {
    Acknowledged(Value),
    Refused(String),
    Silence,
}

impl Client {
    fn new(name: usize) -> Client {
        let chance = 0x9e37_79b9 + name as u64;
        let writes = if name % 8 == 7 { What::Types } else { What::Entries };
        Client { name, writes, chance, n_created: 0, entries: BTreeMap::new(), surprise: None }
    }

    /// Writes until there is no answer any more, or not the one hoped for.
    fn write(&mut self, place: &Place, server: &str, progress: &Progress) {
        if let Ok(mut connection) = Connection::open(server, &place.token) {
            while self.write_once(&mut connection) {
                progress.note(1, 0);
            }
        }
        progress.note(0, 1);
    }

    fn write_once(&mut self, connection: &mut Connection) -> bool {
        let live = |it: &Track| it.id.is_some() && it.acknowledged != State::Absent;
        let live: Vec<&String> =
            self.entries.iter().filter(|(_, it)| live(it)).map(|(slug, _)| slug).collect();
        let pick = live.get(self.chance as usize % live.len().max(1)).map(ToString::to_string);
        let n_live = live.len();
        self.chance = self.chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1 << 33 | 1);
        match (pick, (self.chance >> 33) % 8) {
            (Some(slug), 0..=3) => self.update(connection, &slug),
            (Some(slug), 4) => self.delete(connection, &slug),
            (Some(slug), _) if n_live >= LIVE_MAX => self.delete(connection, &slug),
            _ => self.create(connection),
        }
    }

    fn create(&mut self, connection: &mut Connection) -> bool {
        self.n_created += 1;
        let slug = format!("w{}-{}", self.name, self.n_created);
        let track = Track { id: None, acknowledged: State::Absent, attempted: Vec::new() };
        self.entries.insert(slug.clone(), track);
        let (path, id, body) = match self.writes {
            What::Entries => {
                let (title, status, body) = (&slug, "published", text(1));
                let entry = json!({
                    "title": title, "slug": slug, "status": status, "n": 1, "body": body,
                });
                (CONTENT, "id", entry)
            }
            What::Types => (TYPES, "name", json!({ "name": slug, "label": "1" })),
        };
        let ask = || connection.ask("POST", path, &body, 201);
        let Some(answer) = self.attempt(&slug, State::Numbered(1), ask) else { return false };
        let id = answer["data"][id].as_str().map(str::to_string);
        self.entries.get_mut(&slug).unwrap().id = id;
        true
    }

    fn update(&mut self, connection: &mut Connection, slug: &str) -> bool {
        let acknowledged = self.entries[slug].acknowledged;
        let n = if let State::Numbered(n) = acknowledged { n + 1 } else { 1 };
        let body = match self.writes {
            What::Entries => json!({ "n": n, "body": text(n) }),
            What::Types => json!({ "label": n.to_string() }),
        };
        let path = self.path(slug);
        let ask = || connection.ask("PUT", &path, &body, 200);
        self.attempt(slug, State::Numbered(n), ask).is_some()
    }

    fn delete(&mut self, connection: &mut Connection, slug: &str) -> bool {
        let path = self.path(slug);
        let ask = || connection.ask("DELETE", &path, &Value::Null, 200);
        self.attempt(slug, State::Absent, ask).is_some()
    }

    fn path(&self, slug: &str) -> String {
        let folder = if self.writes == What::Types { TYPES } else { CONTENT };
        format!("{folder}/{}", self.entries[slug].id.as_deref().unwrap())
    }

    fn attempt(&mut self, slug: &str, state: State, ask: impl FnOnce() -> Answer) -> Option<Value> {
        let track = self.entries.get_mut(slug).unwrap();
        track.attempted.push(state);
        match ask() {
            Answer::Acknowledged(answer) => {
                (track.acknowledged, track.attempted) = (state, Vec::new());
                Some(answer)
            }
            Answer::Refused(answer) => {
                self.surprise = Some(answer);
                None
            }
            Answer::Silence => None,
        }
    }
}

impl Connection {
    fn ask(&mut self, method: &str, path: &str, body: &Value, expect: u16) -> Answer {
        match self.try_ask(method, path, body) {
            Ok((status, answer)) if status == expect => Answer::Acknowledged(answer),
            Ok((status, answer)) => Answer::Refused(format!("{method} {path}: {status} {answer}")),
            Err(_) => Answer::Silence,
        }
    }
}

/// The text that belongs to a number: a file in which they do not fit together is torn.
fn text(n: u64) -> String {
    format!("{n} ").repeat(usize::try_from(n * 97 % 500).unwrap() + 1)
}

/// Clients write to a server below `folder` round after round: `end` makes an end of it when enough
/// is acknowledged, `between` sees the folder and the clients before the next one is started, which
/// is compared with what was promised. How many writes were acknowledged.
pub(crate) fn campaign(
    folder: &Path,
    rounds: u64,
    mut end: impl FnMut(u64, &mut Server),
    mut between: impl FnMut(u64, &Place, &mut [Client]),
) -> u64 {
    let working_folder = tempfile::tempdir().unwrap();
    let mut n_acknowledged = 0;
    for first in (0..rounds).step_by(ROUNDS_IN_A_FOLDER) {
        let data = folder.join(format!("data-{first}"));
        let place = Place::make(working_folder.path(), &data);
        let mut clients: Vec<Client> = (0..CLIENTS).map(Client::new).collect();
        let mut server = Server::start(&place);
        for round in (first..rounds).take(ROUNDS_IN_A_FOLDER) {
            n_acknowledged += write_until(&place, &mut clients, &mut server, |server, progress| {
                // Anywhere between the first answer and a few hundred.
                progress.wait_for(1 + round * 7_919 % 300, CLIENTS);
                end(round, server);
            });
            between(round, &place, &mut clients);
            server = compare(&place, &mut clients);
        }
        drop(server);
        fs::remove_dir_all(data).unwrap();
    }
    n_acknowledged
}

/// All clients write at once, until `stop` has made an end of the server.
fn write_until(
    place: &Place,
    clients: &mut [Client],
    server: &mut Server,
    stop: impl FnOnce(&mut Server, &Progress),
) -> u64 {
    let progress = Progress::default();
    std::thread::scope(|scope| {
        let address = server.address.clone();
        for client in clients.iter_mut() {
            let (address, progress) = (address.clone(), &progress);
            scope.spawn(move || client.write(place, &address, progress));
        }
        stop(server, &progress);
    });
    progress.acknowledged()
}

/// Starts a server on what is left, compares all of it with what was promised, and takes it over
/// as what is there from now on.
fn compare(place: &Place, clients: &mut [Client]) -> Server {
    let server = Server::start(place);
    let workspace = place.data.join("workspaces/default");
    assert_eq!(names(&place.data.join("journal")), [""; 0], "something is left under way");
    let found = entries(&workspace.join("content/posts"));
    let trashed = entries(&workspace.join("trash/posts"));
    for revisions in names(&workspace.join("revisions/posts")) {
        entries(&workspace.join("revisions/posts").join(revisions));
    }
    place.check();
    let types = types(&workspace.join("schemas"));
    let mut n_known = 0;
    for client in clients {
        let found = if client.writes == What::Types { &types } else { &found };
        for (slug, track) in &mut client.entries {
            let (id, state) = match found.iter().find(|(_, it)| it.0 == *slug) {
                Some((id, (_, n))) => (Some(id.clone()), State::Numbered(*n)),
                None => (track.id.clone(), State::Absent),
            };
            n_known += usize::from(state != State::Absent);
            let promised = state == track.acknowledged || track.attempted.contains(&state);
            assert!(promised, "{slug} is {state:?}: {track:?}");
            // What was there and is gone is in the trash.
            if client.writes == What::Entries && state == State::Absent && id.is_some() {
                let trashed = id.iter().any(|it| trashed.contains_key(it));
                assert!(trashed, "{slug} is not in the trash: {track:?}");
            }
            *track = Track { id, acknowledged: state, attempted: Vec::new() };
        }
        // What is gone and comes back would be something that nobody made.
        client.entries.retain(|_, it| it.acknowledged != State::Absent);
    }
    assert_eq!(n_known, found.len() + types.len(), "something is there that nobody made");
    assert_eq!(served(place, &server), found, "what is served is not what is there");
    server
}

/// Slug and number of every entry in a folder, by id; all of them whole.
fn entries(folder: &Path) -> BTreeMap<String, (String, u64)> {
    let read = |name: String| {
        let bytes = fs::read(folder.join(&name)).unwrap();
        let entry: Value = serde_json::from_slice(&bytes).unwrap_or_else(|error| {
            let shown = String::from_utf8_lossy(&bytes);
            panic!("{} is torn: {error}: {shown}", folder.join(&name).display())
        });
        (name.trim_end_matches(".json").to_string(), told(&entry))
    };
    names(folder).into_iter().map(read).collect()
}

/// Name and number of every type that a client made, by name.
fn types(folder: &Path) -> BTreeMap<String, (String, u64)> {
    let names = names(folder).into_iter().filter(|it| it != "posts.json");
    let read = |name: String| {
        let bytes = fs::read(folder.join(&name)).unwrap();
        let schema: Value = serde_json::from_slice(&bytes).unwrap();
        let name = name.trim_end_matches(".json").to_string();
        (name.clone(), (name, schema["label"].as_str().unwrap().parse().unwrap()))
    };
    names.map(read).collect()
}

/// Slug and number of an entry, whose text has to be the one that belongs to the number.
fn told(entry: &Value) -> (String, u64) {
    let number = entry["data"]["n"].as_u64();
    let Some((slug, number)) = entry["slug"].as_str().zip(number) else { panic!("{entry}") };
    assert_eq!(entry["data"]["body"].as_str(), Some(text(number).as_str()), "{slug} is mixed");
    (slug.to_string(), number)
}

/// The same as it is served.
fn served(place: &Place, server: &Server) -> BTreeMap<String, (String, u64)> {
    let mut connection = Connection::open(&server.address, &place.token).unwrap();
    let (status, answer) = connection.try_ask("GET", CONTENT, &Value::Null).unwrap();
    assert_eq!(status, 200, "{answer}");
    let entries = answer["data"].as_array().unwrap().iter();
    entries.map(|it| (it["id"].as_str().unwrap().to_string(), told(it))).collect()
}

/// What is in a folder, if it is there.
fn names(folder: &Path) -> Vec<String> {
    let Ok(items) = fs::read_dir(folder) else { return Vec::new() };
    let mut names: Vec<String> =
        items.map(|it| it.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}
