//! What clients see when the disk refuses: every route that writes, on a disk that is full, broken,
//! for reading alone or not ours, beside a file that cannot be read, and while another process
//! writes. Nothing is changed then, nothing is told of the machine, and reads go on.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicI32;
use std::sync::atomic::Ordering::SeqCst;

use bytes::Bytes;
use http::Request;
use http::response::Parts;
use http_body_util::BodyExt as _;
use recto::app::App;
use recto::app::Settings;
use recto::app::people::passwords::hash_password;
use recto::engine::Engine;
use recto::engine::EngineOptions;
use recto::http::request::state::LogRequests;
use recto::http::request::state::ServiceOptions;
use recto::http::service::Service;
use recto::http::wire::counters::Counters;
use recto::http::wire::request_body::RequestBody;
use recto::model::people::user::UserRecord;
use recto::stdx::clock::Clock;
use recto::stdx::clock::SystemClock;
use recto::store::disk::Disk;
use recto::store::disk::Listing;
use recto::store::disk::ReadError;
use recto::store::disk::Stat;
use recto::store::disk::StatResult;
use recto::store::disk::memory::MemDisk;
use recto::store::layout;
use serde_json::Value;
use serde_json::json;
use tokio::runtime::Runtime;

use crate::support::credentials::token;
use crate::support::credentials::token_file;
use crate::support::credentials::user_record;
use crate::support::folder::eventually;
use crate::support::folder::options;

const EIO: i32 = 5;
const EACCES: i32 = 13;
const EMFILE: i32 = 24;
const ENOSPC: i32 = 28;
const EROFS: i32 = 30;
const EDQUOT: i32 = 122;

const WS: &str = "/api/v1/workspaces/main";

/// A disk in memory on which every change can be refused while reads go on.
struct Refusing {
    disk: MemDisk,
    /// The error with which changes are refused; 0 for none.
    errno: AtomicI32,
}

impl Refusing {
    fn change<T>(&self, make: impl FnOnce(&MemDisk) -> io::Result<T>) -> io::Result<T> {
        match self.errno.load(SeqCst) {
            0 => make(&self.disk),
            errno => Err(io::Error::from_raw_os_error(errno)),
        }
    }
}

impl Disk for Refusing {
    fn read(&self, path: &str, into: &mut Vec<u8>) -> Result<Stat, ReadError> {
        self.disk.read(path, into)
    }

    fn open(&self, path: &str) -> Result<(File, Stat), ReadError> {
        self.disk.open(path)
    }

    fn stat(&self, path: &str) -> io::Result<StatResult> {
        self.disk.stat(path)
    }

    fn list(&self, folder: &str) -> io::Result<Listing> {
        self.disk.list(folder)
    }

    fn write_new(&self, path: &str, bytes: &[u8], mode: u32) -> io::Result<()> {
        self.change(|it| it.write_new(path, bytes, mode))
    }

    fn write_unsynced(&self, path: &str, bytes: &[u8], mode: u32) -> io::Result<Stat> {
        self.change(|it| it.write_unsynced(path, bytes, mode))
    }

    fn sync_file(&self, path: &str) -> io::Result<()> {
        self.change(|it| it.sync_file(path))
    }

    fn append(&self, path: &str, bytes: &[u8], mode: u32) -> io::Result<()> {
        self.change(|it| it.append(path, bytes, mode))
    }

    fn create(&self, path: &str) -> io::Result<File> {
        self.change(|it| it.create(path))
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        self.change(|it| it.rename(from, to))
    }

    fn rename_new(&self, from: &str, to: &str) -> io::Result<()> {
        self.change(|it| it.rename_new(from, to))
    }

    fn link(&self, from: &str, to: &str) -> io::Result<()> {
        self.change(|it| it.link(from, to))
    }

    fn remove(&self, path: &str) -> io::Result<()> {
        self.change(|it| it.remove(path))
    }

    fn make_folder(&self, folder: &str, mode: u32) -> io::Result<()> {
        self.change(|it| it.make_folder(folder, mode))
    }

    fn remove_folder(&self, folder: &str) -> io::Result<()> {
        self.change(|it| it.remove_folder(folder))
    }

    fn sync_folder(&self, folder: &str) -> io::Result<()> {
        self.change(|it| it.sync_folder(folder))
    }

    fn sync_all(&self) -> io::Result<()> {
        self.change(|it| it.sync_all())
    }
}

/// A service over a data folder in memory.
struct Scene {
    disk: Arc<Refusing>,
    engine: Arc<Engine>,
    service: Service,
    runtime: Runtime,
    /// Where locks and caches are.
    root: tempfile::TempDir,
}

/// A request that changes something.
#[derive(Clone, Copy, Debug)]
struct Change {
    method: &'static str,
    path: &'static str,
    body: &'static str,
}

const fn change(method: &'static str, path: &'static str, body: &'static str) -> Change {
    Change { method, path, body }
}

/// One of each kind. Each can be made by itself.
const CHANGES: &[Change] = &[
    change("POST", "content-types", r#"{"name":"new","fields":{"x":{"type":"text"}}}"#),
    change("PUT", "content-types/posts", r#"{"label":"Notes"}"#),
    change("PUT", "content-types/posts", r#"{"migrations":[{"from":"n","to":"m"}]}"#),
    change("PUT", "content-types/lone", r#"{"singleton":true}"#),
    change("DELETE", "content-types/posts", ""),
    change("POST", "content/posts", r#"{"title":"New"}"#),
    change("PUT", "content/posts/a", r#"{"title":"Other"}"#),
    change("PATCH", "content/posts/b", r#"{"n":"other"}"#),
    change("DELETE", "content/posts/a", ""),
    change("POST", "media", UPLOAD),
    change("PUT", "media/p.txt/meta", r#"{"alt":"Other"}"#),
    change("PUT", "media/p.txt/visibility", r#"{"visibility":"private"}"#),
    change("PUT", "media/bulk-visibility", r#"{"files":["p.txt","q.txt"],"visibility":"private"}"#),
    change("PUT", "media/p.txt/category", r#"{"category":"Letters / New"}"#),
    change("POST", "media/categories", r#"{"name":"Other"}"#),
    change("PUT", "media/categories/Letters", r#"{"name":"Post"}"#),
    change("DELETE", "media/categories/Letters", ""),
    change("DELETE", "media/p.txt", ""),
];

const UPLOAD: &str = "--x\r\nContent-Disposition: form-data; name=\"media[]\"; \
    filename=\"r.txt\"\r\n\r\nhello\r\n--x--\r\n";

/// What is asked to see whether anything has changed.
const READS: &[&str] =
    &["content-types", "content/posts?sort=id", "content/posts/a", "content/lone/one", "media"];

fn entry(title: &str) -> String {
    let times = r#""published_at":"2026-05-03T12:00:00Z","created_at":"2026-05-03T12:00:00Z","updated_at":"2026-05-03T12:00:00Z""#;
    format!(r#"{{"title":"{title}","status":"published",{times},"data":{{"n":"1"}}}}"#)
}

fn files() -> MemDisk {
    let at = |path: &str| format!("workspaces/main/{path}");
    let (token_path, record) = token_file();
    let record = String::from_utf8(record).unwrap();
    MemDisk::with_files([
        (at("workspace.json"), "{}".to_string()),
        (at("schemas/posts.json"), r#"{"fields":{"n":{"type":"text"}}}"#.to_string()),
        (at("schemas/lone.json"), "{}".to_string()),
        (at("content/posts/a.json"), entry("A")),
        (at("content/posts/b.json"), entry("B")),
        (at("content/lone/one.json"), entry("One")),
        (at("trash/posts/t.json"), entry("T")),
        (at("revisions/posts/a/01jz8x3m5q7v9c2a-update-tok_x.json"), entry("Old A")),
        (at("media/p.txt"), "dear reader".to_string()),
        (at("media/q.txt"), "dear writer".to_string()),
        (at("media-meta/p.txt.json"), r#"{"category":"Letters"}"#.to_string()),
        (at("media-categories.json"), r#"{"categories":["Letters"]}"#.to_string()),
        (token_path, record),
    ])
}

impl Scene {
    fn new() -> Scene {
        Scene::open(false)
    }

    fn open(read_only: bool) -> Scene {
        let disk = Arc::new(Refusing { disk: files(), errno: AtomicI32::new(0) });
        let root = tempfile::tempdir().unwrap();
        let engine = open(root.path(), disk.clone(), read_only);
        let app = App::new(engine.clone(), Settings::default());
        let chosen = ServiceOptions { log_requests: LogRequests::None, ..Default::default() };
        let service = Service::new(app, chosen, Arc::new(Counters::default())).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        Scene { disk, engine, service, runtime, root }
    }

    fn mem(&self) -> &MemDisk {
        &self.disk.disk
    }

    fn ask(&self, method: &str, path: &str, body: &'static str) -> (u16, Value) {
        let kind =
            if path == "media" { "multipart/form-data; boundary=x" } else { "application/json" };
        let path = if path.starts_with('/') { path.to_string() } else { format!("{WS}/{path}") };
        let bearer = format!("Bearer {}", token().reveal());
        let lines = [("Authorization", bearer.as_str()), ("Content-Type", kind)];
        let (head, json) = self.send(method, &path, &lines, body);
        (head.status.as_u16(), json)
    }

    /// Sends a request with these lines in its head.
    fn send(
        &self,
        method: &str,
        path: &str,
        lines: &[(&str, &str)],
        body: &'static str,
    ) -> (Parts, Value) {
        let mut request = Request::builder().method(method).uri(path);
        for (name, value) in lines.iter().chain(&[("X-Request-Id", "from-a-test")]) {
            request = request.header(*name, *value);
        }
        let request = request.body(RequestBody::from(Bytes::from_static(body.as_bytes()))).unwrap();
        self.runtime.block_on(async {
            let peer = ([127, 0, 0, 1], 4711).into();
            let (head, body) = self.service.answer_request(request, peer).await.into_parts();
            let body = body.collect().await.unwrap().to_bytes();
            let json = serde_json::from_slice(&body).unwrap_or_default();
            is_discreet(head.status.as_u16(), &json);
            (head, json)
        })
    }

    /// Logs Anna in. Returns her cookie and her token of the page.
    fn log_in(&self) -> (String, String) {
        let body = r#"{"username":"anna","password":"correct horse"}"#;
        let kind = [("Content-Type", "application/json")];
        let (head, answer) = self.send("POST", "/admin/api/login", &kind, body);
        assert_eq!(head.status, 200, "{answer}");
        let line = |name: &str| head.headers[name].to_str().unwrap().to_string();
        let cookie = line("set-cookie").split(';').next().unwrap().to_string();
        (cookie, line("x-csrf-token"))
    }

    /// The status of the answer to somebody who is logged in.
    fn ask_as(
        &self,
        (cookie, csrf): &(String, String),
        method: &str,
        path: &str,
        body: &'static str,
    ) -> u16 {
        let lines = [
            ("Cookie", cookie.as_str()),
            ("X-CSRF-Token", csrf.as_str()),
            ("X-Service-Workspace", "main"),
            ("Content-Type", "application/json"),
        ];
        self.send(method, &format!("/admin/api/{path}"), &lines, body).0.status.as_u16()
    }

    fn make(&self, change: &Change) -> (u16, Value) {
        self.ask(change.method, change.path, change.body)
    }

    /// `status code`, as errors are told.
    fn refusal(&self, change: &Change) -> String {
        let (status, body) = self.make(change);
        format!("{status} {}", body["error"]["code"].as_str().unwrap_or("-"))
    }

    /// What readers see.
    fn seen(&self) -> Vec<(u16, Value)> {
        READS.iter().map(|path| self.ask("GET", path, "")).collect()
    }

    /// All files that mean something, by path.
    fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let mut files = self.mem().read_tree().files;
        let is_staged = |path: &str| path.starts_with("journal/") && !path.ends_with(".intent");
        files.retain(|path, _| !path.starts_with(".recto/") && !is_staged(path));
        files
    }

    fn content(&self) -> BTreeMap<String, Vec<u8>> {
        let mut files = self.files();
        files.retain(|path, _| !path.starts_with("system/"));
        files
    }

    /// What is served is what is there.
    fn is_sound(&self) {
        self.engine.follower().refresh_until_settled();
        let seen = self.seen();
        let fresh = Scene::of(self.mem().copy_durable());
        assert_eq!(seen, fresh.seen());
    }

    fn of(disk: MemDisk) -> Scene {
        let scene = Scene::new();
        let disk = Arc::new(Refusing { disk, errno: AtomicI32::new(0) });
        let root = tempfile::tempdir().unwrap();
        let engine = open(root.path(), disk.clone(), true);
        let app = App::new(engine.clone(), Settings::default());
        let chosen = ServiceOptions { log_requests: LogRequests::None, ..Default::default() };
        let service = Service::new(app, chosen, Arc::new(Counters::default())).unwrap();
        Scene { disk, engine, service, root, ..scene }
    }
}

fn open(root: &Path, disk: Arc<Refusing>, read_only: bool) -> Arc<Engine> {
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    Engine::open(EngineOptions { disk: Some(disk), read_only, ..options(root, &clock) }).unwrap()
}

/// Errors of the server say by which id the operator finds them, and nothing of the machine.
fn is_discreet(status: u16, body: &Value) {
    if status < 500 {
        return;
    }
    let error = body["error"].as_object().unwrap();
    assert_eq!(error["request_id"], "from-a-test");
    let known = ["code", "message", "request_id"];
    assert!(error.keys().all(|it| known.contains(&it.as_str())), "{body}");
    let message = error["message"].as_str().unwrap();
    let betrays = |it: &&str| message.contains(it);
    assert!(!["/", ".json", "os error", "main"].iter().any(betrays), "{message}");
}

/// Lets a disk refuse, sees that nothing comes of a change, lets it work again, and sees the change
/// made.
fn refused(change: &Change, break_disk: impl Fn(&Scene), mend: impl Fn(&Scene), expect: &str) {
    let scene = Scene::new();
    let (before, seen) = (scene.content(), scene.seen());
    break_disk(&scene);
    assert_eq!(scene.refusal(change), expect, "{change:?}");
    assert_eq!(scene.seen(), seen, "{change:?}: readers see something else");
    mend(&scene);
    assert_eq!(scene.content(), before, "{change:?}: files have changed");
    scene.is_sound();
    eventually("the change is made", || scene.make(change).0 < 300);
    assert_ne!(scene.content(), before, "{change:?}");
    scene.is_sound();
}

/// Whether a change needs no room: what several files have to say together is written down first.
fn is_removal(change: &Change) -> bool {
    change.method == "DELETE" && ["content/posts/a", "media/p.txt"].contains(&change.path)
}

#[test]
fn on_a_full_disk_nothing_changes_and_deleting_works() {
    for (at, change) in CHANGES.iter().enumerate() {
        let errno = if at % 2 == 0 { ENOSPC } else { EDQUOT };
        if is_removal(change) {
            let scene = Scene::new();
            scene.mem().fill_up(errno);
            assert_eq!(scene.make(change), (200, json!({ "data": { "ok": true } })), "{change:?}");
            scene.is_sound();
            scene.mem().clear_faults();
            scene.is_sound();
            continue;
        }
        let fill = |scene: &Scene| scene.mem().fill_up(errno);
        refused(change, fill, |scene| scene.mem().clear_faults(), "507 insufficient_storage");
    }
}

/// Whoever is to make room has to log in first. Such a session is in memory alone.
#[test]
fn on_a_full_disk_somebody_logs_in_and_makes_room() {
    let hash = hash_password("correct horse", [7; 16]).unwrap();
    let record = UserRecord { password: Some(hash), ..user_record("anna", "admin") };
    for errno in [ENOSPC, EDQUOT] {
        let scene = Scene::new();
        scene.mem().edit_file("system/users/anna.json", &record.to_file().to_file());
        scene.mem().edit_file("backups/old.zip", b"old");
        scene.engine.follower().refresh_until_settled();
        scene.mem().fill_up(errno);
        let (anna, other) = (scene.log_in(), scene.log_in());
        assert_eq!(scene.ask_as(&anna, "PUT", "content/posts/b", r#"{"title":"Other"}"#), 507);
        for path in [
            "content/posts/a",
            "trash/posts/t",
            "trash/posts",
            "media/p.txt",
            "backups/old.zip",
            "profile/sessions",
        ] {
            assert_eq!(scene.ask_as(&anna, "DELETE", path, ""), 200, "{path}");
        }
        assert_eq!(scene.ask_as(&other, "GET", "me", ""), 401, "it was ended");
        assert_eq!(scene.ask_as(&anna, "GET", "me", ""), 200);
        assert_eq!(scene.ask_as(&anna, "POST", "logout", ""), 200);
        assert_eq!(scene.ask_as(&anna, "GET", "me", ""), 401);
        let left = scene.content();
        let is_gone = |path: &str| left.keys().all(|it| !it.starts_with(path));
        for path in ["trash/posts/", "revisions/posts/a/", "media/p.txt", "media-meta/p.txt"] {
            assert!(is_gone(&format!("workspaces/main/{path}")), "{path}");
        }
        assert!(is_gone("backups/"));
        let last = scene.log_in();
        assert_eq!(Scene::of(scene.mem().copy_durable()).ask_as(&last, "GET", "me", ""), 401);
        scene.mem().clear_faults();
        scene.is_sound();
    }
}

#[test]
fn a_disk_that_refuses_all_changes_is_told_apart_from_a_full_one() {
    for (at, change) in CHANGES.iter().enumerate() {
        for errno in [EROFS, EACCES].into_iter().skip(at % 2).take(1) {
            let refuse = |errno: i32| move |scene: &Scene| scene.disk.errno.store(errno, SeqCst);
            refused(change, refuse(errno), refuse(0), "503 storage_unavailable");
        }
    }
}

#[test]
fn a_disk_that_is_broken_keeps_nobody_from_reading() {
    for (at, change) in CHANGES.iter().enumerate() {
        let errno = if at % 2 == 0 { EIO } else { EMFILE };
        let fail = |scene: &Scene| scene.mem().fail_from(scene.mem().count_calls(), errno);
        refused(change, fail, |scene| scene.mem().clear_faults(), "503 storage_unavailable");
    }
}

/// Bytes come from the disk, every time.
#[test]
fn bytes_that_cannot_be_read_are_no_mistake_of_the_client() {
    for errno in [EIO, EMFILE, EACCES] {
        let scene = Scene::new();
        scene.mem().fail_from(scene.mem().count_calls(), errno);
        let (status, body) = scene.ask("GET", "/media/main/p.txt", "");
        assert_eq!((status, &body["error"]["code"]), (503, &json!("storage_unavailable")));
        scene.mem().clear_faults();
        assert_eq!(scene.ask("GET", "/media/main/p.txt", "").0, 200);
    }
}

/// Wherever it fails, the answer is a success that is kept, or a refusal.
#[test]
fn a_disk_that_fails_once_gives_a_plain_answer() {
    for change in CHANGES {
        let whole = Scene::new();
        let opened = whole.mem().count_calls();
        assert!(whole.make(change).0 < 300, "{change:?}");
        let made = whole.mem().count_calls();
        for (at, number) in (opened..made).enumerate().filter(|(at, _)| at % 5 == 0) {
            let errno = [EIO, ENOSPC, EMFILE][at / 5 % 3];
            let scene = Scene::new();
            scene.mem().fail_at(number, errno);
            let answer = scene.refusal(change);
            let call = scene.mem().list_calls().get(number as usize).map(ToString::to_string);
            let known = ["200 -", "201 -", "503 storage_unavailable", "507 insufficient_storage"];
            assert!(known.contains(&answer.as_str()), "{change:?}, {errno} at {call:?}: {answer}");
            scene.mem().clear_faults();
            if !answer.starts_with('2') {
                // A change that was promised may be finished by then.
                eventually("it is made or was", || {
                    matches!(scene.make(change).0, 200..300 | 404 | 422)
                });
            }
        }
    }
}

#[test]
fn a_server_for_reading_writes_nothing() {
    let scene = Scene::open(true);
    let (before, seen) = (scene.files(), scene.seen());
    for change in CHANGES {
        assert_eq!(scene.refusal(change), "503 storage_unavailable", "{change:?}");
    }
    assert_eq!(scene.seen(), seen);
    assert_eq!(scene.files(), before);
}

/// A file that somebody is at work on is in the way of what needs it, and is left alone.
#[test]
fn a_broken_file_is_not_written_over() {
    let broken = b"{\"title\": \"Half\n";
    let check = |path: &str, change: &Change, expect: &str| {
        let path = format!("workspaces/main/{path}");
        let scene = Scene::new();
        let seen = scene.seen();
        scene.mem().edit_file(&path, broken);
        assert_eq!(scene.refusal(change), expect, "{path}: {change:?}");
        assert_eq!(
            scene.mem().read_bytes(&path).as_deref(),
            Some(&broken[..]),
            "{path}: {change:?}"
        );
        scene.engine.follower().refresh_until_settled();
        assert_eq!(scene.refusal(change), expect, "{path}: {change:?}, once it is known");
        assert_eq!(
            scene.mem().read_bytes(&path).as_deref(),
            Some(&broken[..]),
            "{path}: {change:?}"
        );
        // What is said of a file is the exception: that may have been that it is private.
        let seen_now = scene.seen();
        let n = if path.contains("media-meta") { READS.len() - 1 } else { READS.len() };
        assert_eq!(seen_now[..n], seen[..n], "{path}: what was in order is served");
    };
    let conflict = "409 conflict";
    check("content/posts/a.json", &CHANGES[6], conflict);
    check("content/posts/b.json", &CHANGES[7], conflict);
    check("content/posts/a.json", &CHANGES[2], conflict);
    check("trash/posts/t.json", &CHANGES[2], conflict);
    check("content/lone/one.json", &CHANGES[3], conflict);
    check("schemas/posts.json", &CHANGES[1], conflict);
    check("content/posts/a.json", &CHANGES[8], conflict);
    check("media-meta/p.txt.json", &CHANGES[10], conflict);
    check("media-meta/p.txt.json", &CHANGES[12], conflict);
    check("media-categories.json", &CHANGES[14], conflict);
}

/// Another process writes for longer than anybody waits.
#[test]
fn while_another_process_writes_reads_go_on() {
    let scene = Scene::new();
    let (before, seen) = (scene.content(), scene.seen());
    let lock = File::options().write(true).open(scene.root.path().join(layout::WRITE_LOCK));
    let lock = lock.unwrap();
    fs2::FileExt::lock_exclusive(&lock).unwrap();
    assert_eq!(scene.refusal(&CHANGES[6]), "503 storage_unavailable");
    assert_eq!(scene.seen(), seen);
    assert_eq!(scene.content(), before);
    fs2::FileExt::unlock(&lock).unwrap();
    assert_eq!(scene.make(&CHANGES[6]).0, 200);
    scene.is_sound();
}
