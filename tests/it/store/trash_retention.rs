//! What was in the trash for as long as it may be goes for good, when its time has come and not
//! before.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use recto::app::jobs::retention;
use recto::app::jobs::retention::Retention;
use recto::app::jobs::retention::RetentionRounds;
use recto::engine::Engine;
use recto::engine::EngineOptions;
use recto::model::event::EventKind;
use recto::model::event::EventSource;
use recto::stdx::clock::TestClock;
use recto::stdx::time::Timestamp;

use crate::support::events::list_events;

struct Bin {
    data: tempfile::TempDir,
    clock: Arc<TestClock>,
    engine: Arc<Engine>,
}

fn at(text: &str) -> Timestamp {
    Timestamp::parse(text).unwrap()
}

fn write(root: &Path, path: &str, text: &str) {
    let path = root.join("workspaces/main").join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn trashed(title: &str, deleted_at: &str) -> String {
    format!(r#"{{"title":"{title}","slug":"a","deleted_at":"{deleted_at}","data":{{}}}}"#)
}

impl Bin {
    fn new(files: &[(&str, &str)]) -> Bin {
        let data = tempfile::tempdir().unwrap();
        write(data.path(), "schemas/posts.json", "{}");
        for (path, text) in files {
            write(data.path(), path, text);
        }
        let clock = Arc::new(TestClock::at(at("2026-06-01T12:00:00Z")));
        let engine = Engine::open(EngineOptions::new(data.path().into(), clock.clone())).unwrap();
        Bin { data, clock, engine }
    }

    fn names(&self, folder: &str) -> String {
        let entries = fs::read_dir(self.data.path().join("workspaces/main").join(folder));
        let name =
            |it: std::io::Result<fs::DirEntry>| it.unwrap().file_name().into_string().unwrap();
        let mut names: Vec<String> = entries.into_iter().flatten().map(name).collect();
        names.sort();
        names.join(" ")
    }

    fn told(&self) -> Vec<String> {
        let told = list_events(&self.engine);
        let purged = told.iter().filter(|it| it.event.kind == EventKind::ContentPurged);
        purged
            .map(|it| {
                assert!(it.event.source == EventSource::Schedule && it.event.by.is_none());
                it.event.message()
            })
            .collect()
    }
}

#[test]
fn what_was_there_long_enough_goes_with_its_revisions() {
    let bin = Bin::new(&[
        ("trash/posts/old.json", &trashed("Old", "2026-05-02T12:00:00Z")),
        ("trash/posts/old~1.json", &trashed("Older", "2025-05-02T12:00:00Z")),
        ("trash/posts/new.json", &trashed("New", "2026-05-02T12:00:01Z")),
        ("trash/posts/broken.json", "{\"title\":"),
        ("trash/posts/notes.txt", "mine"),
        ("trash/gone/old.json", &trashed("Of a type that is gone", "2020-01-01")),
        ("revisions/posts/old/r1.json", "{}"),
        ("revisions/posts/old~1/r1.json", "{}"),
        ("revisions/posts/new/r1.json", "{}"),
        ("content/posts/other.json", r#"{"title":"Other"}"#),
    ]);
    assert_eq!(retention::purge_expired(&bin.engine, 30), 2);
    assert_eq!(bin.names("trash/posts"), "broken.json new.json notes.txt");
    assert_eq!(bin.names("revisions/posts"), "new");
    assert_eq!(bin.names("trash/gone"), "old.json");
    assert_eq!(bin.told(), ["Posts `Old` was purged.", "Posts `Older` was purged."]);
    assert_eq!(retention::purge_expired(&bin.engine, 30), 0);
    bin.clock.set(at("2026-06-01T12:00:01Z"));
    assert_eq!(retention::purge_expired(&bin.engine, 30), 1);
    assert_eq!(bin.names("content/posts"), "other.json");
}

#[test]
fn an_id_that_is_used_again_keeps_its_revisions() {
    let bin = Bin::new(&[
        ("trash/posts/a.json", &trashed("Before", "2026-01-01")),
        ("content/posts/a.json", r#"{"title":"Again"}"#),
        ("revisions/posts/a/r1.json", "{}"),
    ]);
    assert_eq!(retention::purge_expired(&bin.engine, 30), 1);
    assert_eq!(bin.names("trash/posts") + &bin.names("revisions/posts"), "a");
}

#[test]
fn where_no_time_is_written_down_it_is_that_of_the_file() {
    let bin = Bin::new(&[("trash/posts/a.json", r#"{"title":"A","deleted_at":"soon"}"#)]);
    // However old its bytes are, it was moved there just now.
    let file = bin.data.path().join("workspaces/main/trash/posts/a.json");
    let long_ago = std::time::SystemTime::UNIX_EPOCH;
    fs::File::options().write(true).open(&file).unwrap().set_modified(long_ago).unwrap();
    let today = std::time::SystemTime::now().duration_since(long_ago).unwrap().as_secs() as i64;
    bin.clock.set(Timestamp::from_seconds(today + 86_400 * 29));
    assert_eq!(retention::purge_expired(&bin.engine, 30), 0);
    bin.clock.set(Timestamp::from_seconds(today + 86_400 * 31));
    assert_eq!(retention::purge_expired(&bin.engine, 30), 1);
}

#[test]
fn every_workspace_is_looked_after_also_archived_ones() {
    let bin = Bin::new(&[("trash/posts/a.json", &trashed("A", "2026-01-01"))]);
    let attic = bin.data.path().join("workspaces/attic");
    fs::create_dir_all(attic.join("schemas")).unwrap();
    fs::create_dir_all(attic.join("trash/posts")).unwrap();
    fs::write(attic.join("workspace.json"), r#"{"archived":true}"#).unwrap();
    fs::write(attic.join("schemas/posts.json"), "{}").unwrap();
    fs::write(attic.join("trash/posts/b.json"), trashed("B", "2026-01-01")).unwrap();
    let Bin { data, clock, engine } = bin;
    drop(engine);
    let engine = Engine::open(EngineOptions::new(data.path().into(), clock)).unwrap();
    assert_eq!(retention::purge_expired(&engine, 1), 2);
}

#[test]
fn looks_are_taken_when_they_are_due() {
    let bin = Bin::new(&[("trash/posts/a.json", &trashed("A", "2026-05-03T12:30:00Z"))]);
    let mut rounds = RetentionRounds::new(Retention::Days(30));
    let mut check = |time: &str, expect: Option<usize>| {
        bin.clock.set(at(time));
        assert_eq!(rounds.purge_when_due(&bin.engine), expect, "{time}");
    };
    check("2026-06-02T12:00:00Z", Some(0));
    check("2026-06-02T12:00:00Z", None);
    check("2026-06-02T12:59:59Z", None);
    check("2026-06-02T13:00:00Z", Some(1));
    // After a sleep; when the clock was set back.
    check("2026-06-05T13:00:00Z", Some(0));
    check("2026-06-01T13:00:00Z", Some(0));
    check("2026-06-01T13:00:10Z", None);
}

#[test]
fn nothing_goes_unless_that_is_asked_for() {
    let bin = Bin::new(&[("trash/posts/a.json", &trashed("A", "2020-01-01"))]);
    let mut rounds = RetentionRounds::new(Retention::Forever);
    assert_eq!(rounds.purge_when_due(&bin.engine), Some(0));
    assert_eq!(RetentionRounds::new(Retention::default()).purge_when_due(&bin.engine), Some(0));
    assert_eq!(bin.names("trash/posts"), "a.json");
    // More days than there are.
    assert_eq!(retention::purge_expired(&bin.engine, u32::MAX), 0);
}

#[test]
fn what_the_interface_saves_counts_at_once() {
    let bin = Bin::new(&[("trash/posts/a.json", &trashed("A", "2026-05-01"))]);
    let mut rounds = RetentionRounds::new(Retention::AsSaved);
    assert_eq!(rounds.purge_when_due(&bin.engine), Some(0));
    let save = |days: &str| {
        let path = bin.data.path().join("system/settings.json");
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, format!(r#"{{"trash_retention_days":{days}}}"#)).unwrap();
        bin.engine.follower().refresh_until_settled();
    };
    save("90");
    assert_eq!(rounds.purge_when_due(&bin.engine), Some(0));
    assert_eq!(rounds.purge_when_due(&bin.engine), None);
    save("30");
    assert_eq!(rounds.purge_when_due(&bin.engine), Some(1));
    save("null");
    assert_eq!(rounds.purge_when_due(&bin.engine), Some(0));
}

#[test]
fn the_thread_begins_at_once_and_ends_with_the_engine() {
    let bin = Bin::new(&[("trash/posts/a.json", &trashed("A", "2020-01-01"))]);
    let keeping = retention::start_retention(bin.engine.clone(), Retention::Days(1)).unwrap();
    while bin.told().is_empty() {
        std::thread::yield_now();
    }
    bin.engine.close();
    keeping.join().unwrap();
    assert_eq!(bin.names("trash/posts"), "");
}

#[test]
fn what_killed_processes_left_goes_after_a_day() {
    let bin = Bin::new(&[]);
    let folder = bin.data.path().join(".recto/tmp");
    fs::create_dir_all(&folder).unwrap();
    let leave = |name: &str, hours: u64| {
        let file = fs::File::create(folder.join(name)).unwrap();
        let age = std::time::Duration::from_secs(hours * 60 * 60);
        file.set_modified(std::time::SystemTime::now() - age).unwrap();
    };
    leave("1-1.tmp", 23);
    leave("1-2.tmp", 25);
    let keeping = retention::start_retention(bin.engine.clone(), Retention::Forever).unwrap();
    while folder.join("1-2.tmp").exists() {
        std::thread::yield_now();
    }
    bin.engine.close();
    keeping.join().unwrap();
    assert!(folder.join("1-1.tmp").exists());
}

#[test]
fn the_server_looks_after_the_trash() {
    let folder = crate::support::command_line::with_posts(&[]);
    let trash = folder.path().join("data/workspaces/default/trash/posts");
    fs::create_dir_all(&trash).unwrap();
    fs::write(trash.join("a.json"), trashed("A", "2020-01-01")).unwrap();
    let _server = crate::support::command_line::Server::start(
        folder.path(),
        &["--trash-retention-days", "30"],
    );
    while trash.join("a.json").exists() {
        std::thread::yield_now();
    }
}
