//! Many at once: writers of the API beside each other, beside the command line and beside people
//! who edit by hand. What was acknowledged stays, what only one can have only one gets, and nobody
//! sees half of anything.
//!
//! `SLOW=1` for ten thousand increments by a hundred writers, and more of the rest.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Child;
use std::process::Command;
use std::sync::Barrier;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use recto::stdx::json::Json;
use recto::stdx::json_edit::rewrite_json;
use recto::store::disk;
use recto::store::disk::Disk;
use recto::store::disk::OsDisk;
use recto::store::lock::WriteLock;
use serde_json::Value;
use serde_json::json;

use crate::support::folder::eventually;
use crate::support::server_process::Connection;
use crate::support::server_process::Place;
use crate::support::server_process::Reply;
use crate::support::server_process::Server;

const API: &str = "/api/v1/workspaces/default";
const WS: &str = "workspaces/default";
const POSTS: &str = "/api/v1/workspaces/default/content/posts";

/// Writers of each sort where two sorts stand beside each other.
const WRITERS: usize = 16;

/// What a tool that is another process is told: the data folder, its number, how often it writes.
const TOOL: &str = "A_TOOL_AT_WORK";

/// How often something is done: rarely, unless somebody has time.
fn times(usually: usize, slow: usize) -> usize {
    if std::env::var_os("SLOW").is_some() { slow } else { usually }
}

/// Does something on so many threads that begin together.
fn together<T: Send>(threads: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let begin = Barrier::new(threads);
    std::thread::scope(|scope| {
        let start = |number| {
            let (begin, work) = (&begin, &work);
            scope.spawn(move || {
                begin.wait();
                work(number)
            })
        };
        let running: Vec<_> = (0..threads).map(start).collect();
        running.into_iter().map(|it| it.join().unwrap()).collect()
    })
}

struct Scene {
    server: Server,
    place: Place,
    folder: tempfile::TempDir,
}

impl Scene {
    /// A server on a folder with these files in its workspace.
    fn new(files: &[(&str, &str)]) -> Scene {
        let folder = tempfile::tempdir().unwrap();
        let place = Place::make(folder.path(), &folder.path().join("data"));
        for (path, text) in files {
            let path = place.data.join(WS).join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        Scene { server: Server::start(&place), place, folder }
    }

    fn client(&self) -> Client {
        self.client_with(&self.place.token)
    }

    fn client_with(&self, token: &str) -> Client {
        let (address, token) = (self.server.address.clone(), token.to_string());
        Client { address, token, connection: None, beside_tools: false }
    }

    fn at(&self, path: &str) -> std::path::PathBuf {
        self.place.data.join(WS).join(path)
    }

    /// What a file says.
    fn file(&self, path: &str) -> Value {
        let bytes = fs::read(self.at(path)).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        serde_json::from_slice(&bytes).unwrap_or_else(|error| panic!("{path}: {error}: {text}"))
    }

    /// The names of the files in a folder, if it is there.
    fn names(&self, folder: &str) -> Vec<String> {
        let Ok(items) = fs::read_dir(self.at(folder)) else { return Vec::new() };
        let mut names: Vec<String> =
            items.map(|it| it.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// The activity lines, oldest first.
    fn activity(&self) -> Vec<Value> {
        let folder = self.place.data.join("system/activity");
        let mut months: Vec<_> =
            fs::read_dir(folder).unwrap().map(|it| it.unwrap().path()).collect();
        months.sort();
        let text: String = months.iter().map(|it| fs::read_to_string(it).unwrap()).collect();
        text.lines().map(|it| serde_json::from_str(it).unwrap()).collect()
    }

    /// All files are in order, nothing is left under way, and what is served is what is there.
    fn is_sound(&self) {
        self.place.check();
        let under_way = fs::read_dir(self.place.data.join("journal")).map_or(0, |it| it.count());
        assert_eq!(under_way, 0, "something is left under way");
        let files: BTreeMap<String, Value> = self
            .names("content/posts")
            .iter()
            .map(|it| {
                let mut file = self.file(&format!("content/posts/{it}"));
                let data = file.as_object_mut().unwrap().remove("data").unwrap_or(json!({}));
                (it.trim_end_matches(".json").to_string(), data)
            })
            .collect();
        let mut client = self.client();
        // What others have written may be seen a moment later.
        eventually("what is served is what is there", || {
            let served = client.get(POSTS);
            let served = served["data"].as_array().unwrap().iter();
            let served: BTreeMap<String, Value> = served
                .map(|it| (it["id"].as_str().unwrap().to_string(), it["data"].clone()))
                .collect();
            served == files
        });
    }
}

/// Somebody to whom the server never says that something is its own fault.
struct Client {
    address: String,
    token: String,
    /// Until the server has had enough of it.
    connection: Option<Connection>,
    beside_tools: bool,
}

impl Client {
    /// The same, beside tools that write. On a slow disk they may have the write lock for longer
    /// than a request waits; the answer then says when to try again.
    fn beside_tools(self) -> Client {
        Client { beside_tools: true, ..self }
    }

    fn ask(&mut self, method: &str, path: &str, tag: &str, body: &Value) -> Reply {
        let mut reply = self.exchange(method, path, tag, body);
        let is_busy = |it: &Reply| it.status == 503 && it.body["error"]["retry_after"].is_u64();
        if self.beside_tools && is_busy(&reply) {
            eventually("the tools leave the write lock to others", || {
                reply = self.exchange(method, path, tag, body);
                !is_busy(&reply)
            });
        }
        assert!(reply.status < 500, "{method} {path}: {reply:?}");
        reply
    }

    fn exchange(&mut self, method: &str, path: &str, tag: &str, body: &Value) -> Reply {
        let open = || Connection::open(&self.address, &self.token).unwrap();
        let connection = self.connection.get_or_insert_with(open);
        let reply = connection.exchange(method, path, tag, body).unwrap();
        if reply.is_last {
            self.connection = None;
        }
        reply
    }

    fn get(&mut self, path: &str) -> Value {
        let reply = self.ask("GET", path, "", &Value::Null);
        assert_eq!(reply.status, 200, "{path}: {reply:?}");
        reply.body
    }

    fn post(&mut self, path: &str, body: &Value) -> Reply {
        self.ask("POST", path, "", body)
    }

    fn put(&mut self, path: &str, body: &Value) -> Reply {
        self.ask("PUT", path, "", body)
    }

    fn create(&mut self, body: &Value) -> Value {
        let reply = self.post(POSTS, body);
        assert_eq!(reply.status, 201, "{reply:?}");
        reply.body["data"].clone()
    }

    fn delete(&mut self, path: &str) -> u16 {
        self.ask("DELETE", path, "", &Value::Null).status
    }

    /// Adds one to a number: reads it and writes it back, until nobody came in between.
    fn increment(&mut self, id: &str, field: &str) {
        let path = format!("{POSTS}/{id}");
        loop {
            let read = self.ask("GET", &path, "", &Value::Null);
            assert_eq!(read.status, 200, "{read:?}");
            let n = read.body["data"]["data"][field].as_u64().unwrap();
            let written = self.ask("PUT", &path, &read.tag, &json!({ field: n + 1 }));
            match written.status {
                200 => return assert_eq!(written.body["data"]["data"][field], n + 1),
                412 => assert_eq!(written.body["error"]["current"]["id"], id),
                _ => panic!("{written:?}"),
            }
        }
    }
}

const COUNTERS: &str = r#"{"fields": {"api": {"type": "number"}, "tools": {"type": "number"},
    "own": {"type": "json"}, "body": {"type": "textarea"}}}"#;

/// A type with entries `e0`, `e1`… whose counters are at nothing, written the way `text` does it.
fn counters(entries: usize, text: impl Fn(usize) -> String) -> Scene {
    let paths: Vec<(String, String)> =
        (0..entries).map(|it| (format!("content/posts/e{it}.json"), text(it))).collect();
    let mut files = vec![("schemas/posts.json", COUNTERS)];
    files.extend(paths.iter().map(|(path, text)| (path.as_str(), text.as_str())));
    Scene::new(&files)
}

fn counter(number: usize) -> String {
    format!(
        "{{\n  \"title\": \"Entry {number}\",\n  \"slug\": \"entry-{number}\",\n  \
         \"status\": \"published\",\n  \"created_at\": \"2026-05-03T12:00:00Z\",\n  \
         \"data\": {{\n    \"api\": 0,\n    \"tools\": 0\n  }}\n}}\n"
    )
}

#[test]
fn eighty_entries_of_one_title_get_eighty_slugs() {
    let scene = Scene::new(&[]);
    let made = together(80, |number| {
        let body = json!({"title": "Über uns", "status": "published", "n": number});
        scene.client().create(&body)
    });
    let slugs: BTreeSet<&str> = made.iter().map(|it| it["slug"].as_str().unwrap()).collect();
    let expect: BTreeSet<String> = (1..=80)
        .map(|it| if it == 1 { "uber-uns".into() } else { format!("uber-uns-{it}") })
        .collect();
    assert!(slugs.iter().copied().eq(expect.iter().map(String::as_str)), "{slugs:?}");
    let mut client = scene.client();
    for (number, entry) in made.iter().enumerate() {
        for name in [&entry["slug"], &entry["id"]] {
            let shown = client.get(&format!("{POSTS}/{}", name.as_str().unwrap()));
            assert_eq!((&shown["data"], &shown["data"]["data"]["n"]), (entry, &json!(number)));
        }
    }
    assert_eq!(scene.names("content/posts").len(), 80);
    scene.is_sound();
}

#[test]
fn increments_with_if_match_all_count() {
    let (writers, each) = (times(12, 100), times(15, 100));
    let scene = counters(1, counter);
    together(writers, |_| {
        let mut client = scene.client();
        (0..each).for_each(|_| client.increment("e0", "api"));
    });
    let expect = json!(writers * each);
    assert_eq!(scene.client().get(&format!("{POSTS}/e0"))["data"]["data"]["api"], expect);
    assert_eq!(scene.file("content/posts/e0.json")["data"]["api"], expect);
    scene.is_sound();
}

/// The work of another process of this program, which `start_tool` starts: it writes as tools of
/// the command line do beside a server.
#[test]
#[ignore = "other tests start it in a process of its own"]
fn a_tool_at_work() {
    let told = std::env::var(TOOL).unwrap();
    let [root, number, writes, entries] = *told.split('|').collect::<Vec<_>>() else { panic!() };
    let [number, writes, entries] =
        [number, writes, entries].map(|it| it.parse::<usize>().unwrap());
    let disk = OsDisk::open(Path::new(root)).unwrap();
    let lock = WriteLock::open(Path::new(root)).unwrap();
    for write in 0..writes {
        let path = format!("{WS}/content/posts/e{}.json", (number + write) % entries);
        // A server has its turn between two changes, as everybody else.
        let mut turn = lock.acquire_turn().unwrap();
        let mut bytes = Vec::new();
        disk.read(&path, &mut bytes).unwrap();
        let Json::Object(mut file) = Json::parse(&bytes).unwrap() else { panic!("{path}") };
        let Some(Json::Object(data)) = file.get_mut("data") else { panic!("{path}") };
        let n = data.get("tools").and_then(Json::as_f64).unwrap() as u64;
        data.set("tools", Json::from(serde_json::json!(n + 1)));
        disk::replace_file(&disk, &path, &rewrite_json(&bytes, &Json::Object(file))).unwrap();
        turn.record_paths(std::slice::from_ref(&path)).unwrap();
    }
}

fn start_tool(scene: &Scene, number: usize, writes: usize, entries: usize) -> Child {
    let told = format!("{}|{number}|{writes}|{entries}", scene.place.data.display());
    let log = fs::File::create(scene.folder.path().join(format!("tool-{number}"))).unwrap();
    Command::new(std::env::current_exe().unwrap())
        .args(["api::concurrency::a_tool_at_work", "--exact", "--ignored", "--test-threads=1"])
        .env(TOOL, told)
        .stdout(log.try_clone().unwrap())
        .stderr(log)
        .spawn()
        .unwrap()
}

#[test]
fn neither_the_api_nor_tools_lose_an_update() {
    let (entries, writes) = (4, times(8, 100));
    let scene = counters(entries, counter);
    let tools: Vec<Child> =
        (0..WRITERS).map(|number| start_tool(&scene, number, writes, entries)).collect();
    together(WRITERS, |number| {
        let mut client = scene.client().beside_tools();
        for write in 0..writes {
            let id = format!("e{}", (number + write) % entries);
            if number % 2 == 0 {
                client.increment(&id, "api");
            } else {
                // Without a condition: nothing of what others write meanwhile may get lost.
                let put = client
                    .put(&format!("{POSTS}/{id}"), &json!({"body": format!("{number} {write}")}));
                assert_eq!(put.status, 200, "{put:?}");
            }
        }
    });
    for (number, mut tool) in tools.into_iter().enumerate() {
        let log = || fs::read_to_string(scene.folder.path().join(format!("tool-{number}")));
        assert!(tool.wait().unwrap().success(), "{:?}", log());
    }
    let sum = |field: &str| -> u64 {
        let value =
            |it: usize| scene.file(&format!("content/posts/e{it}.json"))["data"][field].as_u64();
        (0..entries).map(|it| value(it).unwrap()).sum()
    };
    let expect = (WRITERS * writes) as u64;
    assert_eq!((sum("tools"), sum("api")), (expect, expect / 2));
    scene.is_sound();
}

#[test]
fn the_command_line_works_beside_writers() {
    let entries = 6;
    // Neither the order nor the spaces are canonical.
    let scene = counters(entries, |it| {
        format!(
            r#"{{"data": {{"tools": 0,   "api": 0}}, "status": "published", "title": "Entry {it}"}}"#
        )
    });
    let data = scene.place.data.to_str().unwrap().to_string();
    let each = times(12, 200);
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !is_over.load(Relaxed) {
                scene.place.run_well(&["check", &data, "--fix"]);
            }
        });
        scope.spawn(|| {
            let create = ["token", "create", "--name", "Guest", "--grant", "content.*@content:*"];
            let create = [&create[..], &["--data", &data]].concat();
            loop {
                let token = scene.place.run_well(&create).trim().to_string();
                let mut guest = scene.client_with(&token);
                let mut status =
                    || guest.ask("PUT", &format!("{POSTS}/e0"), "", &json!({"body": "x"})).status;
                eventually("the token counts", || status() == 200);
                let id = token.split('_').nth(1).unwrap();
                scene.place.run_well(&["token", "revoke", id, "--data", &data]);
                eventually("the token counts no longer", || status() == 401);
                if is_over.load(Relaxed) {
                    break;
                }
            }
        });
        together(8, |number| {
            let mut client = scene.client();
            (0..each)
                .for_each(|it| client.increment(&format!("e{}", (number + it) % entries), "api"));
        });
        is_over.store(true, Relaxed);
    });
    scene.place.run_well(&["check", &data, "--fix"]);
    let count = |it: usize| {
        scene.file(&format!("content/posts/e{it}.json"))["data"]["api"].as_u64().unwrap() as usize
    };
    assert_eq!((0..entries).map(count).sum::<usize>(), 8 * each);
    let file = fs::read_to_string(scene.at("content/posts/e1.json")).unwrap();
    assert!(file.starts_with("{\n  \"title\": \"Entry 1\",\n"), "{file}");
    scene.is_sound();
}

#[test]
fn an_edit_by_hand_between_reading_and_writing_is_not_lost() {
    let scene = counters(2, counter);
    let mut client = scene.client();
    let revisions = |id: &str| -> Vec<(String, Value)> {
        let folder = format!("revisions/posts/{id}");
        let names = scene.names(&folder).into_iter();
        names.map(|it| (it.clone(), scene.file(&format!("{folder}/{it}")))).collect()
    };
    for (id, conditional) in [("e0", true), ("e1", false)] {
        let (path, file) = (format!("{POSTS}/{id}"), format!("content/posts/{id}.json"));
        let read = client.ask("GET", &path, "", &Value::Null);
        let before = fs::read_to_string(scene.at(&file)).unwrap();
        let edited = before.replace("\"tools\": 0", "\"tools\": 7");
        fs::write(scene.at(&file), &edited).unwrap();
        let tag = if conditional { read.tag.as_str() } else { "" };
        let put = client.ask("PUT", &path, tag, &json!({"api": 5}));
        if conditional {
            assert_eq!(put.status, 412, "{put:?}");
            assert_eq!(put.body["error"]["current"]["data"], json!({"api": 0, "tools": 7}));
            assert_eq!(fs::read_to_string(scene.at(&file)).unwrap(), edited);
        } else {
            assert_eq!(put.status, 200, "{put:?}");
            let expect = json!({"api": 5, "tools": 7, "own": null, "body": null});
            assert_eq!(put.body["data"]["data"], expect);
            assert_eq!(scene.file(&file)["data"], expect);
            let kept = revisions(id).into_iter().any(|(name, it)| {
                name.contains("-update-") && it["data"] == json!({"api": 0, "tools": 7})
            });
            assert!(kept, "{:?}", revisions(id));
        }
        // The state before the edit is kept where nobody waits for it.
        eventually("the state before is kept", || {
            let revisions = revisions(id).into_iter();
            let disk: Vec<_> = revisions.filter(|(name, _)| name.ends_with("-disk.json")).collect();
            matches!(disk.as_slice(), [(_, it)] if it["data"] == json!({"api": 0, "tools": 0}))
        });
        let of_entry = |it: &Value| it["details"]["id"] == id;
        let told: Vec<Value> = scene.activity().into_iter().filter(of_entry).collect();
        let told: Vec<(&str, &str)> = told
            .iter()
            .map(|it| (it["type"].as_str().unwrap(), it["source"].as_str().unwrap()))
            .collect();
        let mut expect = vec![("content.updated", "disk")];
        if !conditional {
            expect.push(("content.updated", "api"));
        }
        assert_eq!(told, expect);
    }
    scene.is_sound();
}

#[test]
fn what_is_unique_goes_to_one() {
    let scene = Scene::new(&[(
        "schemas/posts.json",
        r#"{"fields": {"code": {"type": "text", "unique": true}}}"#,
    )]);
    for round in 0..times(3, 30) {
        let code = format!("Code {round}");
        let statuses = together(50, |_| {
            let made = scene.client().post(POSTS, &json!({"title": "T", "code": code}));
            let refused = made.body["error"]["fields"]["code"].is_string();
            assert!(made.status == 201 || made.status == 422 && refused, "{made:?}");
            made.status
        });
        assert_eq!(statuses.iter().filter(|it| **it == 201).count(), 1, "{statuses:?}");
    }
    scene.is_sound();
}

#[test]
fn no_slug_is_the_id_of_another() {
    let scene = Scene::new(&[
        ("schemas/posts.json", "{}"),
        ("content/posts/news.json", r#"{"title": "Other", "slug": "other"}"#),
    ]);
    let slug = |it: &Value| it["slug"].as_str().unwrap().to_string();
    let first = scene.client().create(&json!({"title": "First"}));
    let id = first["id"].as_str().unwrap().to_string();
    let slugs: BTreeSet<String> = together(20, |number| {
        let body = match number % 4 {
            0 => json!({"title": "T", "slug": id}),
            1 => json!({"title": "T", "slug": "news"}),
            2 => json!({"title": "News"}),
            _ => json!({"title": "Other"}),
        };
        slug(&scene.client().create(&body))
    })
    .into_iter()
    .collect();
    assert_eq!(slugs.len(), 20, "{slugs:?}");
    assert!(["news", "other", "first", &id].iter().all(|it| !slugs.contains(*it)), "{slugs:?}");
    let mut client = scene.client();
    for (name, expect) in [("news", "news"), ("other", "news"), (&id, &id), ("first", &id)] {
        assert_eq!(client.get(&format!("{POSTS}/{name}"))["data"]["id"], expect, "{name}");
    }
    // The other way round: what comes by hand with the id that is a slug here is reached by it.
    let other = client.create(&json!({"title": "By hand"}));
    assert_eq!(slug(&other), "by-hand");
    fs::write(scene.at("content/posts/by-hand.json"), r#"{"title": "Mine"}"#).unwrap();
    eventually("the file is read", || {
        client.get(&format!("{POSTS}/by-hand"))["data"]["title"] == "Mine"
    });
    let path = format!("{POSTS}/{}", other["id"].as_str().unwrap());
    assert_eq!(client.get(&path)["data"]["title"], "By hand");
    assert_eq!(client.put(&path, &json!({"title": "Still there"})).status, 200);
    assert_eq!(client.get(&format!("{POSTS}/by-hand"))["data"]["title"], "Mine");
    scene.is_sound();
}

#[test]
fn what_is_deleted_stays_so() {
    let scene = Scene::new(&[]);
    for round in 0..times(8, 200) {
        let made = scene.client().create(&json!({"title": format!("Round {round}"), "n": 0}));
        let id = made["id"].as_str().unwrap();
        let path = format!("{POSTS}/{id}");
        let deleted = together(12, |number| {
            let mut client = scene.client();
            if number % 6 == 5 {
                let status = client.delete(&path);
                assert!(status == 200 || status == 404, "{status}");
                return usize::from(status == 200);
            }
            let mut is_gone = false;
            for n in 0..4 {
                let status = client.put(&path, &json!({"n": number * 10 + n})).status;
                assert!(status == 404 || status == 200 && !is_gone, "{status} after {is_gone}");
                is_gone |= status == 404;
            }
            0
        });
        assert_eq!(deleted.iter().sum::<usize>(), 1);
        let mut client = scene.client();
        assert_eq!(client.put(&path, &json!({"n": 1})).status, 404);
        assert_eq!(client.ask("GET", &path, "", &Value::Null).status, 404);
        assert!(!scene.at(&format!("content/posts/{id}.json")).exists());
        let trashed = scene.file(&format!("trash/posts/{id}.json"));
        assert!(trashed["deleted_at"].is_string(), "{trashed}");
    }
    scene.is_sound();
}

#[test]
fn a_type_goes_with_all_that_is_made_of_it() {
    let scene = Scene::new(&[]);
    let types = format!("{API}/content-types");
    for round in 0..times(4, 60) {
        if round > 0 {
            let made = scene
                .client()
                .post(&types, &json!({"name": "posts", "fields": {"n": {"type": "number"}}}));
            assert_eq!(made.status, 201, "{made:?}");
            assert_eq!(scene.client().get(POSTS)["data"], json!([]));
        }
        together(9, |number| {
            let mut client = scene.client();
            if number == 0 {
                while client.ask("GET", POSTS, "", &Value::Null).body["meta"]["total"].as_u64()
                    < Some(6)
                {}
                assert_eq!(client.delete(&format!("{types}/posts")), 200);
                return;
            }
            let mut n_made = 0;
            loop {
                let made = client.post(POSTS, &json!({"title": format!("{number}"), "n": n_made}));
                if made.status == 404 {
                    break;
                }
                assert_eq!(made.status, 201, "{made:?}");
                n_made += 1;
                let id = made.body["data"]["id"].as_str().unwrap();
                let changed = client.put(&format!("{POSTS}/{id}"), &json!({"n": 7})).status;
                assert!(changed == 200 || changed == 404, "{changed}");
            }
        });
        assert_eq!(scene.client().ask("GET", POSTS, "", &Value::Null).status, 404);
        for folder in ["content/posts", "trash/posts", "revisions/posts"] {
            assert_eq!(scene.names(folder), [""; 0], "{folder}");
        }
        assert!(!scene.at("schemas/posts.json").exists());
    }
    scene.place.check();
}

#[test]
fn readers_see_all_of_a_change_or_nothing() {
    let entries = 30;
    let scene = counters(entries, counter);
    let is_over = AtomicBool::new(false);
    let path = format!("{API}/content-types/posts");
    let migrations = times(6, 100);
    std::thread::scope(|scope| {
        for reader in 0..3 {
            let (scene, is_over, path) = (&scene, &is_over, &path);
            scope.spawn(move || {
                let mut client = scene.client();
                while !is_over.load(Relaxed) {
                    let query = ["", "?limit=1000", "?sort=title"][reader];
                    let list = client.get(&format!("{POSTS}{query}"));
                    let names: BTreeSet<Vec<&String>> = list["data"]
                        .as_array()
                        .unwrap()
                        .iter()
                        .map(|it| {
                            let data = it["data"].as_object().unwrap();
                            data.keys().filter(|it| it.starts_with("tools")).collect()
                        })
                        .collect();
                    assert_eq!(list["meta"]["total"], entries);
                    assert!(
                        names.len() == 1 && names.first().is_some_and(|it| it.len() == 1),
                        "{names:?}"
                    );
                    client.get(path);
                }
            });
        }
        // Somebody writes entries meanwhile, by whatever name the field has.
        scope.spawn(|| {
            let mut client = scene.client();
            while !is_over.load(Relaxed) {
                client.increment("e3", "api");
            }
        });
        let mut client = scene.client();
        for number in 0..migrations {
            let (from, to) = match number % 2 {
                0 => ("tools", "tools2"),
                _ => ("tools2", "tools"),
            };
            let moved = client.put(&path, &json!({"migrations": [{"from": from, "to": to}]}));
            assert_eq!(moved.status, 200, "{moved:?}");
            let shown = client.get(&format!("{POSTS}/e7"));
            assert_eq!(shown["data"]["data"][to], 0, "{shown}");
        }
        is_over.store(true, Relaxed);
    });
    scene.is_sound();
}
