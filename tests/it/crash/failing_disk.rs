//! What is answered through the use cases while single calls of the disk fail: what was done is
//! told as it is, and what is not known is a disk that cannot be reached. Never is something said
//! to be missing, or a credential to be wrong, because a file could not be read.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use recto::app::App;
use recto::app::Settings;
use recto::app::access::Caller;
use recto::app::access::Requester;
use recto::app::content::entries;
use recto::app::content::entries::WrittenEntry;
use recto::app::content::revisions;
use recto::app::content::trash;
use recto::app::content::write_target::WriteTarget;
use recto::app::error::Code;
use recto::app::error::Error;
use recto::app::precondition::Precondition;
use recto::engine::Engine;
use recto::engine::EngineOptions;
use recto::model::event::Actor;
use recto::model::event::EventSource;
use recto::stdx::checksum::Checksum;
use recto::stdx::clock::Clock;
use recto::stdx::clock::TestClock;
use recto::store::cluster::copy::copy_into_database;
use recto::store::cluster::database::Database;
use recto::store::cluster::memory_database::MemoryDatabase;
use recto::store::cluster::shared_paths::is_shared;
use recto::store::disk::memory::MemDisk;
use recto::store::read::watch::DirtySet;

use crate::support::crash::expect_none;
use crate::support::crash_shapes::at;
use crate::support::credentials::token;
use crate::support::credentials::token_file;
use crate::support::entry_writes::all;
use crate::support::entry_writes::map;
use crate::support::entry_writes::ws;
use crate::support::folder::options;
use crate::support::random_content::NOW;
use crate::support::random_content::time;

const EIO: i32 = 5;
const EMFILE: i32 = 24;

type Answer = Result<WrittenEntry, Error>;

struct Scene {
    app: App,
    disk: Arc<MemDisk>,
    _root: tempfile::TempDir,
}

/// What is asked, and how.
struct Ask {
    name: &'static str,
    make: fn(&Scene, &Requester) -> Answer,
}

const ASKS: &[Ask] = &[
    Ask {
        name: "restore an entry",
        make: |scene, by| trash::restore(&scene.app, &ws(), by, "posts", "t", Precondition::None),
    },
    Ask {
        name: "restore a revision",
        make: |scene, by| {
            let revision = ("posts", "a", "01jz8x3m5q7v9c2a");
            revisions::restore(&scene.app, &ws(), by, revision, Precondition::None)
        },
    },
    Ask {
        name: "update",
        make: |scene, by| {
            let body = map(r#"{"title": "Other", "picture": "q.png"}"#);
            entries::update(
                &scene.app,
                &ws(),
                by,
                &WriteTarget::Live,
                ("posts", "a"),
                body,
                Precondition::None,
            )
        },
    },
];

fn entry(title: &str) -> String {
    let times = r#""published_at":"2026-05-03T12:00:00Z","created_at":"2026-05-03T12:00:00Z","updated_at":"2026-05-03T12:00:00Z""#;
    format!(
        r#"{{"title":"{title}","slug":"s","status":"published",{times},"data":{{"picture":"p.png"}}}}"#
    )
}

fn folder() -> MemDisk {
    MemDisk::with_files([
        (at("schemas/posts.json"), r#"{"fields":{"picture":{"type":"media"}}}"#.to_string()),
        (at("content/posts/a.json"), entry("A")),
        (at("trash/posts/t.json"), entry("T")),
        (at("revisions/posts/a/01jz8x3m5q7v9c2a.json"), entry("Old A")),
        (at("media/p.png"), "PNG".to_string()),
        (at("media/q.png"), "PNG".to_string()),
    ])
}

impl Scene {
    fn open(disk: MemDisk) -> Scene {
        let (root, disk) = (tempfile::tempdir().unwrap(), Arc::new(disk));
        let clock: Arc<dyn Clock> = Arc::new(TestClock::at(time(NOW)));
        let options = EngineOptions { disk: Some(disk.clone()), ..options(root.path(), &clock) };
        let app = App::new(Engine::open(options).unwrap(), Settings::default());
        Scene { app, disk, _root: root }
    }

    fn by(&self, source: EventSource) -> Requester {
        let (caller, ip, request_id) = (all(), None, "r1".to_string());
        let (id, name) = caller.author_id_and_name();
        Requester { caller, actor: Actor { id, name, ip, request_id, source }.into() }
    }
}

fn shown(answer: &Answer) -> String {
    match answer {
        Ok(written) => String::from_utf8_lossy(&written.shown.body).into_owned(),
        Err(error) => format!("{error}"),
    }
}

#[test]
#[expect(clippy::print_stderr, reason = "how much was looked at is worth knowing")]
fn an_answer_is_the_truth_or_that_it_is_not_known() {
    let (mut n_faults, mut wrong) = (0, Vec::new());
    for (ask, source) in
        ASKS.iter().flat_map(|it| [(it, EventSource::Api), (it, EventSource::Admin)])
    {
        let whole = Scene::open(folder());
        let opened = whole.disk.count_calls();
        let expect = (ask.make)(&whole, &whole.by(source));
        assert!(expect.is_ok(), "{}: {}", ask.name, shown(&expect));
        for number in opened..whole.disk.count_calls() {
            for errno in [EIO, EMFILE] {
                n_faults += 1;
                let scene = Scene::open(folder());
                scene.disk.fail_at(number, errno);
                let answer = (ask.make)(&scene, &scene.by(source));
                let is_unknown =
                    answer.as_ref().is_err_and(|it| it.code == Code::StorageUnavailable);
                if !is_unknown && shown(&answer) != shown(&expect) {
                    let call =
                        scene.disk.list_calls()[usize::try_from(number).unwrap()].to_string();
                    let (name, shown) = (ask.name, shown(&answer));
                    wrong.push(format!("{name}, {source:?}, {errno} at `{call}`: {shown}"));
                }
            }
        }
    }
    eprintln!("{n_faults} faults");
    expect_none("answers", &wrong);
}

/// A server whose folder is a replica, with the database that it is of.
fn open_replica() -> (Scene, MemoryDatabase) {
    let database = MemoryDatabase::default();
    copy_into_database(&folder(), &database).unwrap();
    let (root, disk) = (tempfile::tempdir().unwrap(), Arc::new(MemDisk::new()));
    let clock: Arc<dyn Clock> = Arc::new(TestClock::at(time(NOW)));
    let options = EngineOptions {
        disk: Some(disk.clone()),
        database: Some(Arc::new(database.connect())),
        ..EngineOptions::new(root.path().to_path_buf(), clock)
    };
    let app = App::new(Engine::open(options).unwrap(), Settings::default());
    (Scene { app, disk, _root: root }, database)
}

/// The paths at which a replica differs from its database.
fn differing(scene: &Scene, database: &MemoryDatabase) -> Vec<String> {
    let mut facts = BTreeMap::new();
    database.read_files(&mut |it| _ = facts.insert(it.path, it.sum)).unwrap();
    let mut here = scene.disk.read_tree().files;
    here.retain(|path, _| is_shared(path));
    let all: BTreeSet<String> = facts.keys().chain(here.keys()).cloned().collect();
    let sum_here = |path: &String| here.get(path).map(|it| Checksum::of_bytes(it));
    all.into_iter().filter(|it| facts.get(it).copied().flatten() != sum_here(it)).collect()
}

/// What other servers see counts: a server whose disk fails after a commit of the database has what
/// the database has, at once or as soon as its disk works again.
#[test]
fn a_replica_has_what_its_database_has() {
    let mut wrong = Vec::new();
    for (ask, fails_on) in ASKS.iter().flat_map(|it| [(it, false), (it, true)]) {
        let (whole, _) = open_replica();
        let opened = whole.disk.count_calls();
        let expect = (ask.make)(&whole, &whole.by(EventSource::Api));
        assert!(expect.is_ok(), "{}: {}", ask.name, shown(&expect));
        for number in opened..whole.disk.count_calls() {
            let (scene, database) = open_replica();
            match fails_on {
                true => scene.disk.fail_from(number, EIO),
                false => scene.disk.fail_at(number, EIO),
            }
            let answer = (ask.make)(&scene, &scene.by(EventSource::Api));
            scene.disk.clear_faults();
            scene.app.engine.follower().refresh_until_settled();
            let differing = differing(&scene, &database);
            let is_unknown = answer.as_ref().is_err_and(|it| it.code == Code::StorageUnavailable);
            if !differing.is_empty() || (!is_unknown && shown(&answer) != shown(&expect)) {
                let call = scene.disk.list_calls()[usize::try_from(number).unwrap()].to_string();
                let (name, shown) = (ask.name, shown(&answer));
                wrong.push(format!("{name} at `{call}`, {fails_on}: {differing:?} {shown}"));
            }
        }
    }
    expect_none("replicas", &wrong);
}

/// A server that could not write all files after its first start has all of them after its next.
#[test]
fn a_replica_that_was_begun_is_completed() {
    let database = MemoryDatabase::default();
    copy_into_database(&folder(), &database).unwrap();
    let open = |root: &Path, disk: &Arc<MemDisk>| {
        let clock: Arc<dyn Clock> = Arc::new(TestClock::at(time(NOW)));
        Engine::open(EngineOptions {
            disk: Some(disk.clone()),
            database: Some(Arc::new(database.connect())),
            ..EngineOptions::new(root.to_path_buf(), clock)
        })
    };
    let (mut n_failed, mut wrong) = (0, Vec::new());
    for number in (0..).step_by(5) {
        let (root, disk) = (tempfile::tempdir().unwrap(), Arc::new(MemDisk::new()));
        disk.fail_from(number, EIO);
        let write = |it: Arc<Engine>| it.folder().replica().unwrap().write_pending_files(&|| false);
        match open(root.path(), &disk).and_then(write) {
            Ok(()) if number > disk.count_calls() => break,
            Ok(()) => {}
            Err(_) => n_failed += 1,
        }
        disk.clear_faults();
        match open(root.path(), &disk) {
            Ok(engine) => {
                engine.follower().refresh_until_settled();
                let app = App::new(engine, Settings::default());
                let differing = differing(&Scene { app, disk, _root: root }, &database);
                if !differing.is_empty() {
                    wrong.push(format!("after call {number}: {differing:?}"));
                }
            }
            Err(error) => wrong.push(format!("after call {number}: {error}")),
        }
    }
    assert!(n_failed > 10, "{n_failed}");
    expect_none("starts", &wrong);
}

#[test]
fn a_token_that_cannot_be_read_is_not_said_to_be_wrong() {
    let (token, (path, bytes)) = (token(), token_file());
    let scene = Scene::open(folder());
    // Made by a tool beside the server, and not seen yet.
    scene.disk.edit_file(&path, &bytes);
    let who = || Caller::from_token(&scene.app.engine, token.reveal());
    scene.disk.fail_from(scene.disk.count_calls(), EIO);
    assert_eq!(who().map(drop).unwrap_err().code, Code::StorageUnavailable);
    scene.disk.clear_faults();
    who().unwrap();
}

#[test]
fn a_token_stays_valid_while_its_file_cannot_be_read() {
    let (token, (path, bytes)) = (token(), token_file());
    let look = |fail_at: Option<u64>| {
        let scene = Scene::open(folder());
        scene.disk.edit_file(&path, &bytes);
        scene.app.engine.follower().refresh_until_settled();
        // Written once more: whoever looks now has to read it.
        scene.disk.edit_file(&path, &[&bytes[..], b"\n"].concat());
        let begun = scene.disk.count_calls();
        fail_at.into_iter().for_each(|it| scene.disk.fail_at(begun + it, EIO));
        scene.app.engine.follower().refresh(&DirtySet::everything());
        let n_calls = scene.disk.count_calls() - begun;
        scene.disk.fail_from(scene.disk.count_calls(), EIO);
        assert!(Caller::from_token(&scene.app.engine, token.reveal()).is_ok(), "{fail_at:?}");
        n_calls
    };
    (0..look(None)).for_each(|it| _ = look(Some(it)));
}
