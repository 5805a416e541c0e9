//! Live streams over a real socket: what happens is heard by those who may know of it, while it
//! happens.

use std::fs;
use std::io::BufRead;
use std::io::BufReader;
use std::io::Write;
use std::net::SocketAddr;
use std::net::TcpStream;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use recto::app::App;
use recto::app::Settings;
use recto::engine;
use recto::engine::Engine;
use recto::http::request::state::ServiceOptions;
use recto::http::service::Service;
use recto::http::wire::conn_limits::ConnLimits;
use recto::http::wire::counters::Counters;
use recto::http::wire::listen;
use recto::model::people::session::SessionKey;
use recto::model::people::session::SessionRecord;
use recto::model::people::session::SessionSecret;
use recto::model::people::user::UserRecord;
use recto::stdx::clock::Clock;
use recto::stdx::clock::SystemClock;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::support::credentials::user_record;

/// How long anything may take before a test fails: never waited for when all is well.
const PATIENCE: Duration = Duration::from_secs(30);

struct Server {
    folder: tempfile::TempDir,
    engine: Arc<Engine>,
    address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    serving: Option<JoinHandle<listen::Drained>>,
    runtime: Runtime,
    users: Vec<(String, SessionSecret)>,
}

impl Server {
    /// Users with the ids of their roles.
    fn start(users: &[(&str, &str)]) -> Server {
        let folder = tempfile::tempdir().unwrap();
        copy(Path::new("tests/data/library"), folder.path());
        let narrow = r#"{"label":"Narrow","permissions":[{"actions":["content.read"],"resources":["content:books:*"]}]}"#;
        write(folder.path(), "system/roles/narrow.json", narrow);
        for (name, role) in users {
            let file = user_record(name, role).to_file().to_file();
            let text = String::from_utf8(file).unwrap();
            write(folder.path(), &format!("system/users/{name}.json"), &text);
        }
        let clock = Arc::new(SystemClock);
        let options = engine::EngineOptions::new(folder.path().to_path_buf(), clock.clone());
        let engine = Engine::open(options).unwrap();
        let secrets = users.iter().map(|(name, role)| {
            let secret = SessionSecret::new([name.as_bytes()[0]; 32]);
            let record = session(&user_record(name, role), &*clock);
            engine.records().sessions().start_session(secret.key(), record).unwrap();
            (name.to_string(), secret)
        });
        let users = secrets.collect();
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        let counters = Arc::new(Counters::default());
        let app = App::new(engine.clone(), Settings::default());
        let service = Service::new(app, ServiceOptions::default(), counters.clone()).unwrap();
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel::<()>();
        let ends = async { drop(stopped.await) };
        let limits = ConnLimits { drain: PATIENCE, ..ConnLimits::default() };
        let serving =
            runtime.spawn(listen::serve(listener, limits, counters, Arc::new(service), ends));
        let (stop, serving) = (Some(stop), Some(serving));
        Server { folder, engine, address, stop, serving, runtime, users }
    }

    fn key(&self, name: &str) -> SessionKey {
        self.secret(name).key()
    }

    fn secret(&self, name: &str) -> &SessionSecret {
        &self.users.iter().find(|(it, _)| it == name).unwrap().1
    }

    fn request(&self, method: &str, path: &str, name: &str, more: &str, body: &str) -> TcpStream {
        let secret = self.secret(name);
        let (cookie, csrf) = (secret.reveal(), secret.csrf_token());
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: x\r\nCookie: recto_session={cookie}\r\n\
             X-CSRF-Token: {csrf}\r\nAccept-Encoding: gzip, br\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n{more}\r\n{body}",
            body.len()
        );
        stream.write_all(head.as_bytes()).unwrap();
        stream
    }

    fn listen(&self, name: &str, more: &str) -> Stream {
        let stream = self.request("GET", "/admin/api/events", name, more, "");
        let mut lines = BufReader::new(stream);
        let head = head(&mut lines);
        assert!(head.starts_with("HTTP/1.1 200"), "{head}");
        assert!(!head.contains("content-encoding"), "{head}");
        Stream { lines }
    }

    fn say(&self, method: &str, path: &str, name: &str, body: &str) -> String {
        let stream = self.request(method, path, name, "Connection: close\r\n", body);
        head(&mut BufReader::new(stream))
    }

    /// Changes a file by hand; what it does is known once this returns.
    fn edit(&self, path: &str, text: &str) {
        write(self.folder.path(), path, text);
        self.engine.follower().refresh_until_settled();
    }

    fn edit_entry(&self, of: &str, id: &str, title: &str) {
        let text = format!(r#"{{"title":"{title}","status":"draft"}}"#);
        self.edit(&format!("workspaces/default/content/{of}/{id}.json"), &text);
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(serving) = self.serving.take() {
            serving.abort();
            let _ = self.runtime.block_on(serving);
        }
        self.engine.close();
    }
}

fn write(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn copy(from: &Path, to: &Path) {
    for found in walkdir::WalkDir::new(from).min_depth(1) {
        let found = found.unwrap();
        let to = to.join(found.path().strip_prefix(from).unwrap());
        if found.file_type().is_dir() {
            fs::create_dir(to).unwrap();
        } else {
            fs::copy(found.path(), to).unwrap();
        }
    }
}

fn session(user: &UserRecord, clock: &dyn Clock) -> SessionRecord {
    SessionRecord {
        user: user.id.clone(),
        stamp: user.session_stamp(),
        created_at: clock.now(),
        used_at: clock.now(),
        remember: true,
        by_proxy: false,
        ip: "127.0.0.1".to_string(),
        agent: "test".to_string(),
    }
}

fn head(lines: &mut impl BufRead) -> String {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        assert!(lines.read_line(&mut head).unwrap() > 0, "{head}");
    }
    head
}

/// Events as they come.
struct Stream {
    lines: BufReader<TcpStream>,
}

/// One of them.
#[derive(Debug, Default)]
struct Event {
    name: String,
    id: String,
    data: String,
}

impl Stream {
    /// The next event; nothing, when the stream has ended.
    fn next(&mut self) -> Option<Event> {
        let mut event = Event::default();
        loop {
            let mut line = String::new();
            if self.lines.read_line(&mut line).unwrap() == 0 {
                return None;
            }
            // The sizes of chunks and the ends of lines are between them.
            let line = line.trim_end();
            if let Some(id) = line.strip_prefix("id: ") {
                event.id = id.to_string();
            } else if let Some(name) = line.strip_prefix("event: ") {
                event.name = name.to_string();
            } else if let Some(data) = line.strip_prefix("data: ") {
                event.data = data.to_string();
                return Some(event);
            } else if line == "0" {
                return None;
            }
        }
    }

    fn expect(&mut self, name: &str, part: &str) -> Event {
        let event = self.next().expect("the stream goes on");
        assert!(event.name == name && event.data.contains(part), "{name} {part}: {event:?}");
        event
    }
}

#[test]
fn what_happens_is_heard_by_those_who_may_know() {
    let server = Server::start(&[("anna", "admin"), ("nat", "narrow")]);
    let (mut anna, mut nat) = (server.listen("anna", ""), server.listen("nat", ""));
    anna.expect("ready", "false");
    nat.expect("ready", "false");
    server.edit_entry("articles", "draft", "Hidden from Nat");
    server.edit_entry("books", "b1", "Seen by both");
    let told = anna.expect("content.updated", "Hidden from Nat");
    assert!(told.data.contains(r#""source":"disk""#) && told.data.contains(&told.id));
    anna.expect("content.updated", "Seen by both");
    nat.expect("content.updated", "Seen by both");
}

#[test]
fn work_on_a_change_is_heard_by_those_who_may_read_it() {
    let server = Server::start(&[("anna", "admin"), ("nat", "narrow")]);
    let (mut anna, mut nat) = (server.listen("anna", ""), server.listen("nat", ""));
    let first = anna.expect("ready", "false");
    nat.expect("ready", "false");
    let propose = |of: &str, id: &str| {
        let path = format!("/admin/api/content/{of}/{id}?change=pending");
        let said = server.say("PATCH", &path, "anna", r#"{"title":"Only proposed"}"#);
        assert!(said.starts_with("HTTP/1.1 200"), "{said}");
    };
    propose("books", "b1");
    let told = anna.expect("change.updated", r#""change":"pending-anna""#);
    assert!(told.data.contains(r#""user_id":"anna""#), "{told:?}");
    assert!(!told.data.contains("Only proposed"), "{told:?}");
    nat.expect("change.updated", r#""change":"pending-anna""#);
    // From here on it has an entry that Nat may not read.
    propose("articles", "draft");
    anna.expect("change.updated", "pending-anna");
    server.edit_entry("books", "b7", "Seen by both");
    anna.expect("content.updated", "Seen by both");
    nat.expect("content.updated", "Seen by both");
    let entry = "/admin/api/changes/pending/entries/books/b1";
    assert!(server.say("DELETE", entry, "anna", "").starts_with("HTTP/1.1 200"));
    anna.expect("change.updated", "pending-anna");
    let named = r#"{"label":"Spring"}"#;
    assert!(server.say("POST", "/admin/api/changes", "anna", named).starts_with("HTTP/1.1 201"));
    anna.expect("change.created", "Spring");
    // Who comes back hears of it as well, if they may.
    let resume = |name: &str| server.listen(name, &format!("Last-Event-ID: {}\r\n", first.id));
    resume("anna").expect("change.updated", "pending-anna");
    resume("nat").expect("content.updated", "Seen by both");
}

#[test]
fn defects_are_told_to_those_who_run_the_server() {
    let server = Server::start(&[("anna", "admin"), ("eddie", "editor")]);
    let (mut anna, mut eddie) = (server.listen("anna", ""), server.listen("eddie", ""));
    anna.expect("ready", "");
    eddie.expect("ready", "");
    server.edit("workspaces/default/content/books/b1.json", "{\"title\": ");
    let found = anna.expect("problem.found", "invalid_json");
    assert!(found.id.is_empty(), "it cannot be asked for again");
    server.edit_entry("books", "b1", "Put right");
    let mut names = [anna.next().unwrap().name, anna.next().unwrap().name];
    names.sort();
    assert_eq!(names, ["content.updated", "problem.solved"]);
    eddie.expect("content.updated", "Put right");
}

#[test]
fn who_comes_back_misses_nothing() {
    let server = Server::start(&[("anna", "admin")]);
    let first = server.listen("anna", "").expect("ready", "");
    for n in 0..3 {
        server.edit_entry("books", "b7", &format!("Title {n}"));
    }
    let resume = |id: &str| server.listen("anna", &format!("Last-Event-ID: {id}\r\n"));
    let mut stream = resume(&first.id);
    stream.expect("content.updated", "Title 0");
    let second = stream.expect("content.updated", "Title 1");
    let mut stream = resume(&second.id);
    let last = stream.expect("content.updated", "Title 2");
    assert_eq!(stream.expect("ready", "true").id, last.id);
    server.edit_entry("books", "b7", "Title 3");
    stream.expect("content.updated", "Title 3");
    resume("0000000000000000").expect("reset", "");
}

#[test]
fn a_stream_ends_with_its_session() {
    let server = Server::start(&[("anna", "admin"), ("eddie", "editor")]);
    let (mut anna, mut eddie) = (server.listen("anna", ""), server.listen("eddie", ""));
    anna.expect("ready", "");
    eddie.expect("ready", "");
    assert!(server.say("POST", "/admin/api/logout", "eddie", "").starts_with("HTTP/1.1 200"));
    assert!(eddie.next().is_none(), "logging out is told, though not to streams");
    // Taken away from outside, it ends with the next thing that happens.
    server.engine.records().sessions().end_session(&server.key("anna"));
    server.edit_entry("books", "b1", "Nobody listens");
    assert!(anna.next().is_none());
}

#[test]
fn a_lost_right_counts_at_once() {
    let server = Server::start(&[("anna", "admin"), ("nat", "narrow")]);
    let (mut anna, mut nat) = (server.listen("anna", ""), server.listen("nat", ""));
    anna.expect("ready", "");
    nat.expect("ready", "");
    let nothing = r#"{"label":"Narrow","permissions":[{"actions":["content.read"],"resources":["content:places:*"]}]}"#;
    server.edit("system/roles/narrow.json", nothing);
    server.edit_entry("books", "b1", "Not for Nat");
    server.edit_entry("places", "new", "For Nat");
    anna.expect("content.updated", "Not for Nat");
    nat.expect("content.created", "For Nat");
}

#[test]
fn people_see_each_other() {
    let server = Server::start(&[("anna", "admin"), ("nat", "narrow")]);
    let mut nat = server.listen("nat", "");
    nat.expect("ready", "");
    let look = |of: &str, id: &str| {
        let body = format!(r#"{{"type":"{of}","id":"{id}"}}"#);
        let said = server.say("POST", "/admin/api/presence", "anna", &body);
        assert!(said.starts_with("HTTP/1.1 200"), "{said}");
    };
    look("articles", "draft");
    look("books", "b1");
    look("books", "b1");
    look("books", "b2");
    nat.expect("presence", r#""id":"b1","users":[{"id":"anna","name":"anna"}]"#);
    nat.expect("presence", r#""id":"b2""#);
}

#[test]
fn streams_are_few_and_end_with_the_server() {
    let mut server = Server::start(&[("anna", "admin")]);
    let mut streams: Vec<Stream> = (0..20).map(|_| server.listen("anna", "")).collect();
    let refused = server.say("GET", "/admin/api/events", "anna", "");
    assert!(refused.starts_with("HTTP/1.1 429") && refused.contains("retry-after"), "{refused}");
    server.stop.take().unwrap().send(()).unwrap();
    let serving = server.serving.take().unwrap();
    assert_eq!(server.runtime.block_on(serving).unwrap(), listen::Drained::All);
    for stream in &mut streams {
        stream.expect("ready", "");
        assert!(stream.next().is_none());
    }
}

#[test]
fn an_entry_can_be_read_while_it_is_written() {
    let server = Server::start(&[("anna", "admin")]);
    let path = "/admin/api/content/books/b1";
    let written = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for number in 0..60 {
                let body = format!(r#"{{"title":"Title {number}"}}"#);
                let said = server.say("PATCH", path, "anna", &body);
                assert!(said.starts_with("HTTP/1.1 200"), "{said}");
            }
            written.store(true, Relaxed);
        });
        while !written.load(Relaxed) {
            let said = server.say("GET", path, "anna", "");
            assert!(said.starts_with("HTTP/1.1 200"), "{said}");
        }
    });
}
