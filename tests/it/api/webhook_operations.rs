//! Operations on several entries: a webhook is told of each in one call.

use std::sync::Arc;

use recto::app::App;
use recto::app::Settings;
use recto::app::access::Requester;
use recto::app::content::changes;
use recto::app::content::changes::ChangeRequest;
use recto::app::content::entries;
use recto::app::content::write_target::WriteTarget;
use recto::app::precondition::Precondition;
use recto::app::system::webhooks;
use recto::app::usage_guard::UsageGuard;
use recto::engine::Engine;
use recto::engine::outbox::webhook_queues::DueMessage;
use recto::model::event::Actor;
use recto::model::name::EntryId;
use recto::model::webhook::DeliveryOutcome;
use recto::stdx::clock::Clock;
use recto::stdx::clock::TestClock;
use recto::stdx::time::Timestamp;
use serde_json::Value;
use serde_json::json;

use crate::support::entry_writes::Scene;
use crate::support::entry_writes::all;
use crate::support::entry_writes::map;
use crate::support::entry_writes::ws;
use crate::support::events::list_events;
use crate::support::folder;
use crate::support::random_content::NOW;
use crate::support::random_content::time;
use crate::support::random_content::token;

fn scene(hooks: &[(&str, Value)]) -> Scene {
    let entry = |name: &str| {
        let path = format!("content/posts/{name}.json");
        let text = json!({ "title": name, "slug": name, "status": "draft" });
        (path, text.to_string())
    };
    let files: Vec<(String, String)> = ["a", "b", "c", "d"].map(entry).into();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (&**path, &**text)).collect();
    let scene = Scene::new(&files);
    let list: Vec<Value> = hooks
        .iter()
        .map(|(name, more)| {
            let mut hook = json!({ "name": name, "url": "https://example.org/", "events": ["*"] });
            hook.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            hook
        })
        .collect();
    let operator =
        token(&[r#"{"actions":["webhooks.manage"],"resources":["webhooks:*"]}"#.to_string()]);
    let body = map(&json!({ "webhooks": list }).to_string());
    webhooks::replace(&scene.app, &scene.by(&operator), &body).unwrap();
    scene
}

fn hook_id(engine: &Engine, name: &str) -> EntryId {
    let installation = engine.records().installation();
    let found = installation.webhooks().iter().find(|it| it.name == name).unwrap();
    found.id.clone()
}

fn next(engine: &Engine, name: &str) -> Option<DueMessage> {
    engine.outbox().next_due_message(&hook_id(engine, name))
}

/// The bodies of all calls that a webhook gets now, which it accepts.
fn calls(engine: &Engine, name: &str) -> Vec<Value> {
    let accepted = DeliveryOutcome { status: Some(200), ..DeliveryOutcome::default() };
    let mut bodies = Vec::new();
    while let Some(due) = next(engine, name) {
        engine.outbox().record_delivery(&due, &accepted);
        bodies.push(serde_json::from_str(&due.message.body).unwrap());
    }
    bodies
}

fn names(call: &Value) -> Vec<&str> {
    call["data"]["events"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["event"].as_str().unwrap())
        .collect()
}

fn entry_ids(call: &Value) -> Vec<&str> {
    call["data"]["entries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["id"].as_str().unwrap())
        .collect()
}

fn with_request(by: &Requester, request_id: &str) -> Requester {
    let actor = Actor { request_id: request_id.to_string(), ..(*by.actor).clone() };
    Requester { actor: actor.into(), ..by.clone() }
}

/// Publishes a change of `a`, `b` and a new entry, and deletes `c` with it.
fn publish(scene: &Scene) -> String {
    let (app, by, any) = (&scene.app, scene.by(&all()), Precondition::None);
    let spring = changes::create(app, &ws(), &by, &map(r#"{"label":"Spring"}"#)).unwrap();
    let target = WriteTarget::Change(spring.id.to_string());
    for name in ["a", "b"] {
        let body = map(r#"{"status":"published"}"#);
        entries::update(app, &ws(), &by, &target, ("posts", name), body, any.clone()).unwrap();
    }
    entries::create(app, &ws(), &by, &target, "posts", map(r#"{"title":"New"}"#)).unwrap();
    entries::delete(app, &ws(), &by, &target, ("posts", "c"), any, UsageGuard::Off).unwrap();
    let request = ChangeRequest::new(&ws(), &by, &spring.id);
    changes::publish(app, &request).unwrap().id.to_string()
}

#[test]
fn a_published_change_is_one_call() {
    let scene = scene(&[
        ("all", json!({})),
        ("changes", json!({ "events": ["change.published"] })),
        ("content", json!({ "events": ["content.*"] })),
        ("deleted", json!({ "events": ["content.deleted", "media.*"] })),
        ("media", json!({ "events": ["media.*"] })),
        ("later", json!({ "debounce_seconds": 60 })),
    ]);
    let change = publish(&scene);
    let engine = &scene.app.engine;
    let expect = [
        "content.updated",
        "content.published",
        "content.updated",
        "content.published",
        "content.created",
        "content.deleted",
    ];
    for name in ["all", "changes"] {
        let sent = calls(engine, name);
        assert_eq!(sent.len(), 1, "{name}: {sent:#?}");
        let (call, data) = (&sent[0], &sent[0]["data"]);
        assert_eq!(call["event"], "change.published");
        assert_eq!((&data["change"], &data["label"]), (&json!(change), &json!("Spring")));
        assert_eq!((&data["count"], &data["complete"]), (&json!(6), &json!(true)));
        let mut told = names(call);
        told.sort_unstable();
        let mut expect = expect;
        expect.sort_unstable();
        assert_eq!(told, expect);
        assert_eq!((entry_ids(call).len(), &data["truncated"]), (4, &json!(false)));
        assert!(data["events"].as_array().unwrap().iter().all(|it| it["in_change"] == change));
    }
    let content = calls(engine, "content");
    assert_eq!((content.len(), &content[0]["event"]), (1, &json!("webhook.batch")));
    assert_eq!((names(&content[0]).len(), entry_ids(&content[0]).len()), (6, 4));
    let deleted = calls(engine, "deleted");
    assert_eq!((deleted.len(), entry_ids(&deleted[0])), (1, vec!["c"]));
    assert!(calls(engine, "media").is_empty() && calls(engine, "later").is_empty());
    // The events say so wherever they are told.
    let events = list_events(engine);
    let marked = events.iter().filter(|it| it.event.in_change.as_deref() == Some(&change));
    assert_eq!(marked.count(), 6);
}

#[test]
fn a_request_about_many_entries_is_one_call() {
    let scene = scene(&[("site", json!({ "events": ["content.*"] }))]);
    let by = scene.by(&all());
    let body = map(r#"{"ids":["a","b","c","gone"],"data":{"status":"published"}}"#);
    let done = entries::update_many(&scene.app, &ws(), &by, "posts", &body).unwrap();
    assert_eq!(done.done, 3);
    let sent = calls(&scene.app.engine, "site");
    assert_eq!((sent.len(), &sent[0]["event"]), (1, &json!("webhook.batch")));
    assert_eq!((&sent[0]["data"]["count"], entry_ids(&sent[0])), (&json!(6), vec!["a", "b", "c"]));
    let body = map(r#"{"ids":["a","b"]}"#);
    entries::delete_many(&scene.app, &ws(), &by, "posts", &body, UsageGuard::Off).unwrap();
    assert_eq!(calls(&scene.app.engine, "site").len(), 1);
    // One entry is told as before.
    let body = r#"{"status":"published"}"#;
    scene.update(&all(), "d", body).unwrap();
    let sent = calls(&scene.app.engine, "site");
    let events: Vec<&Value> = sent.iter().map(|it| &it["event"]).collect();
    assert_eq!(events, [&json!("content.updated"), &json!("content.published")]);
}

#[test]
fn nothing_of_an_operation_is_sent_before_it_ends() {
    let scene = scene(&[("site", json!({}))]);
    let (engine, by) = (&scene.app.engine, scene.by(&all()));
    let many = with_request(&by, "many");
    let title = |by: &Requester, name: &str| {
        let body = map(r#"{"title":"Changed"}"#);
        let place = ("posts", name);
        entries::update(&scene.app, &ws(), by, &WriteTarget::Live, place, body, Precondition::None)
            .unwrap();
    };
    let operation = engine.outbox().begin_operation(&many.actor);
    title(&many, "a");
    assert!(next(engine, "site").is_none());
    title(&by, "b");
    title(&many, "c");
    title(&by, "d");
    assert!(next(engine, "site").is_none());
    drop(operation);
    // What others did meanwhile comes with it, in order; what they did afterwards by itself.
    let sent = calls(engine, "site");
    assert_eq!(sent.len(), 2, "{sent:#?}");
    assert_eq!(entry_ids(&sent[0]), ["a", "b", "c"]);
    assert_eq!(sent[1]["data"]["id"], "d");
}

#[test]
fn an_operation_is_one_call_after_a_restart_and_when_it_comes_again() {
    let scene = scene(&[("site", json!({ "debounce_seconds": 60 }))]);
    publish(&scene);
    let Scene { data, app, source } = scene;
    assert!(next(&app.engine, "site").is_none());
    drop(app);
    let clock = Arc::new(TestClock::at(Timestamp::from_seconds(time(NOW).seconds() + 59)));
    let as_clock: Arc<dyn Clock> = clock.clone();
    let engine = Engine::open(folder::options(data.path(), &as_clock)).unwrap();
    assert!(next(&engine, "site").is_none());
    clock.set(Timestamp::from_seconds(time(NOW).seconds() + 60));
    let refused = DeliveryOutcome { status: Some(500), ..DeliveryOutcome::default() };
    let first = next(&engine, "site").unwrap();
    engine.outbox().record_delivery(&first, &refused);
    let scene = Scene { data, app: App::new(engine, Settings::default()), source };
    scene.update(&all(), "d", r#"{"title":"Meanwhile"}"#).unwrap();
    clock.set(Timestamp::from_seconds(time(NOW).seconds() + 600));
    let again = next(&scene.app.engine, "site").unwrap();
    assert_eq!((&again.message.id, &again.message.body), (&first.message.id, &first.message.body));
    assert_eq!(again.message.event, "change.published");
    let sent = calls(&scene.app.engine, "site");
    assert_eq!((sent.len(), &sent[0]["event"]), (2, &json!("change.published")));
    assert_eq!(entry_ids(&sent[1]), ["d"]);
    // Sent again by hand, it is as it was.
    let attempts = scene.app.engine.outbox().list_attempts(&hook_id(&scene.app.engine, "site"));
    let (hook, first) =
        scene.app.engine.outbox().find_attempt(&attempts.last().unwrap().id).unwrap();
    scene.app.engine.outbox().send_again(&hook, &first.message).unwrap();
    clock.set(Timestamp::from_seconds(time(NOW).seconds() + 900));
    let sent = calls(&scene.app.engine, "site");
    assert_eq!((sent.len(), &sent[0]["event"]), (1, &json!("change.published")));
}
