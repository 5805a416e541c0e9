//! Entries that others refer to are deleted, many at once.

use std::sync::Arc;

use recto::app::content::entries;
use recto::app::content::entries::BulkResult;
use recto::app::content::entries::CLEARED_BYTES_MAX;
use recto::app::content::entries::CLEARED_MAX;
use recto::app::error::Error;
use recto::app::usage_guard::UsageGuard;
use recto::query::index::snapshot::Snapshot;
use recto::stdx::json::Json;
use recto::stdx::json::Map;

use crate::support::entry_writes::Scene;
use crate::support::entry_writes::all;
use crate::support::entry_writes::code;
use crate::support::entry_writes::ws;

/// As many as one request may name.
const MANY: usize = 1_000;

/// How many entries refer to all of them.
const REFERRERS: usize = 5;

const TASKS: &str =
    r#"{"fields":{"next":{"type":"relation","target":"tasks","on_delete":"block"}}}"#;
const NOTES: &str = r#"{"fields":{"text":{},"see":{"type":"relation","target":"tasks","multiple":true,
    "on_delete":"clear"}}}"#;

fn scene(contents: Vec<(String, String)>) -> Scene {
    let types = [("schemas/tasks.json", TASKS), ("schemas/notes.json", NOTES)];
    let contents = contents.iter().map(|(path, text)| (path.as_str(), text.as_str()));
    Scene::new(&types.into_iter().chain(contents).collect::<Vec<_>>())
}

fn task(number: usize, next: usize) -> (String, String) {
    let file = format!(r#"{{"title":"T","data":{{"next":"t{next}"}}}}"#);
    (format!("content/tasks/t{number}.json"), file)
}

fn note(number: usize, data: &str) -> (String, String) {
    (format!("content/notes/n{number}.json"), format!(r#"{{"title":"N","data":{data}}}"#))
}

fn delete(scene: &Scene, ids: impl Iterator<Item = String>) -> Result<BulkResult, Error> {
    let mut body = Map::new();
    body.push("ids", ids.map(|it| it.as_str().into()).collect::<Vec<Json>>());
    entries::delete_many(&scene.app, &ws(), &scene.by(&all()), "tasks", &body, UsageGuard::Off)
}

fn snapshot(scene: &Scene) -> Arc<Snapshot> {
    scene.app.engine.snapshot(ws().as_str()).unwrap()
}

/// A thousand entries in a circle: each keeps the one before.
#[test]
fn many_that_keep_each_other_go_in_one_change() {
    let circle = (0..MANY).map(|it| task(it, (it + 1) % MANY));
    let ids: Vec<String> = (0..MANY).map(|it| format!("\"t{it}\"")).collect();
    let see = format!(r#"{{"see":[{},"other"]}}"#, ids.join(","));
    let notes = (0..REFERRERS).map(|it| note(it, &see));
    let scene = scene(circle.chain(notes).collect());

    let version = snapshot(&scene).version;
    let all_but_one = delete(&scene, (1..MANY).map(|it| format!("t{it}"))).unwrap();
    assert_eq!((all_but_one.done, all_but_one.errors.len()), (0, MANY - 1));
    assert_eq!(snapshot(&scene).version, version);

    let bulk = delete(&scene, (0..MANY).map(|it| format!("t{it}"))).unwrap();
    assert_eq!((bulk.done, bulk.errors.len()), (MANY, 0));
    assert_eq!(scene.files("trash/tasks").len(), MANY);
    assert_eq!(snapshot(&scene).version, version + 1);
    for number in 0..REFERRERS {
        let file = scene.file(&format!("content/notes/n{number}.json"));
        assert!(file.contains(r#""see":["other"]"#), "{file}");
        assert_eq!(scene.files(&format!("revisions/notes/n{number}")).len(), 1);
    }
}

#[test]
fn references_are_not_removed_from_more_entries_than_the_limit() {
    let notes = (0..=CLEARED_MAX).map(|it| note(it, r#"{"see":["t0"]}"#));
    let scene = scene(notes.chain([task(0, 0)]).collect());
    assert_eq!(code(scene.delete(&all(), "tasks", "t0")), "conflict");
    assert!(scene.files("trash/tasks").is_empty() && scene.files("revisions").is_empty());
}

#[test]
fn references_are_removed_from_so_large_files_together() {
    let large = "x".repeat(1_900_000);
    let many = CLEARED_BYTES_MAX / large.len() + 1;
    let data = format!(r#"{{"text":"{large}","see":["t0"]}}"#);
    let notes = (0..many).map(|it| note(it, &data));
    let scene = scene(notes.chain([task(0, 0)]).collect());
    assert_eq!(code(scene.delete(&all(), "tasks", "t0")), "conflict");
    scene.delete(&all(), "notes", "n0").unwrap();
    assert_eq!(code(scene.delete(&all(), "tasks", "t0")), "ok");
}
