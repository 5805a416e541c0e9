//! Many entries at once: as if each had been asked for by itself, one after the other.

use recto::app::content::entries;
use recto::app::content::entries::BulkResult;
use recto::app::error::Error;
use recto::app::usage_guard::UsageGuard;
use recto::model::event::EventKind;
use recto::model::event::EventSource;
use recto::stdx::json::Json;

use crate::support::entry_writes::Scene;
use crate::support::entry_writes::all;
use crate::support::entry_writes::code;
use crate::support::entry_writes::map;
use crate::support::entry_writes::ws;
use crate::support::events::list_events;

/// More than share one turn.
const MANY: usize = 300;

fn scene() -> Scene {
    let name = |number| format!("content/posts/e{number}.json");
    let file = |number| format!(r#"{{"title":"T {number}","slug":"t-{number}"}}"#);
    let files: Vec<(String, String)> = (0..MANY).map(|it| (name(it), file(it))).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(it, text)| (&**it, &**text)).collect();
    Scene::new(&files)
}

fn body(data: &str) -> recto::stdx::json::Map {
    let ids: Vec<Json> = (0..MANY).map(|it| format!("e{it}").as_str().into()).collect();
    let mut body = map(data);
    body.push("ids", ids);
    body
}

fn update(scene: &Scene, data: &str) -> Result<BulkResult, Error> {
    let mut by = scene.by(&all());
    std::sync::Arc::make_mut(&mut by.actor).source = EventSource::Admin;
    entries::update_many(&scene.app, &ws(), &by, "posts", &body(data))
}

#[test]
fn each_is_changed_and_kept_as_it_was() {
    let scene = scene();
    let bulk = update(&scene, r#"{"data":{"body":"New"}}"#).unwrap();
    assert_eq!((bulk.done, bulk.errors.len()), (MANY, 0));
    for number in [0, 1, MANY - 1] {
        assert!(scene.file(&format!("content/posts/e{number}.json")).contains("\"New\""));
        let kept = scene.files(&format!("revisions/posts/e{number}"));
        assert!(kept.len() == 1 && kept[0].contains("-bulk-"), "{kept:?}");
    }
    let told = list_events(&scene.app.engine);
    let updated = told.iter().filter(|it| it.event.kind == EventKind::ContentUpdated).count();
    assert_eq!(updated, told.len());
    // The same again changes nothing.
    let again = update(&scene, r#"{"data":{"body":"New"}}"#).unwrap();
    assert_eq!(again.done, MANY);
    assert_eq!(scene.files("revisions/posts/e0").len(), 1);
}

#[test]
fn what_they_ignore_is_told_once() {
    let scene = scene();
    let bulk = update(&scene, r#"{"data":{"zzz":1,"body":"New"}}"#).unwrap();
    assert_eq!((bulk.done, bulk.errors.len()), (MANY, 0));
    assert_eq!(bulk.warnings, ["zzz: `posts` has no such field, so this was ignored."]);
    let quiet = update(&scene, r#"{"data":{"body":"Other"}}"#).unwrap();
    assert!(quiet.warnings.is_empty(), "{:?}", quiet.warnings);
}

#[test]
fn what_one_takes_is_taken_for_the_next() {
    let scene = scene();
    let bulk = update(&scene, r#"{"data":{"code":"only one"}}"#).unwrap();
    assert_eq!((bulk.done, bulk.errors.len()), (1, MANY - 1));
    assert!(bulk.errors.values().all(|it| it.get("code").is_some()));
    assert!(scene.file("content/posts/e0.json").contains("only one"));
}

#[test]
fn all_of_them_go() {
    let scene = scene();
    let by = scene.by(&all());
    let all = &body("{}");
    let bulk = entries::delete_many(&scene.app, &ws(), &by, "posts", all, UsageGuard::Off).unwrap();
    assert_eq!((bulk.done, bulk.errors.len()), (MANY, 0));
    assert!(scene.files("content/posts").is_empty());
    assert_eq!(scene.files("trash/posts").len(), MANY);
    let emptied = recto::app::content::trash::empty(&scene.app, &ws(), &by, "posts").unwrap();
    assert_eq!((emptied.deleted, emptied.failed), (MANY, 0));
    assert!(scene.files("trash/posts").is_empty());
}

#[test]
fn a_request_names_a_thousand_at_most() {
    let scene = Scene::new(&[]);
    let ids: Vec<Json> = (0..1_001).map(|it| format!("e{it}").as_str().into()).collect();
    let mut body = map(r#"{"data":{"body":"x"}}"#);
    body.push("ids", ids);
    let by = scene.by(&all());
    let refused = entries::update_many(&scene.app, &ws(), &by, "posts", &body);
    assert_eq!(code(refused), "validation_failed ids");
}
