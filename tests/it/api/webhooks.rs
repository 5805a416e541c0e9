//! Webhooks from the change to the receiver, over real sockets. The clock is the test's own: pauses
//! between attempts end when it says so.

use std::sync::Arc;
use std::time::Duration;

use recto::engine::Engine;
use recto::engine::error::CommitError;
use recto::model::event::Event;
use recto::model::event::EventKind;
use recto::model::event::Subject;
use recto::model::name::EntryId;
use recto::model::name::WorkspaceSlug;
use recto::model::webhook::DeliveryAttempt;
use recto::model::webhook::DeliveryState;
use recto::net::http_client::Outgoing;
use recto::net::http_client::OutgoingLimits;
use recto::net::http_client::OutgoingPolicy;
use recto::net::webhook_delivery::WebhookClient;
use recto::net::webhook_delivery::run_deliveries;
use recto::stdx::clock::Clock;
use recto::stdx::clock::TestClock;
use recto::stdx::time::Timestamp;
use serde_json::Value;
use serde_json::json;
use tokio::runtime::Runtime;
use tokio::sync::oneshot;

use crate::support::events::list_events;
use crate::support::folder;
use crate::support::folder::Data;
use crate::support::folder::eventually;
use crate::support::permit::operator_permit;
use crate::support::webhook_receiver::Nobody;
use crate::support::webhook_receiver::Receiver;
use crate::support::webhook_receiver::SECRET;

const FILE: &str = "system/webhooks.json";
const SCHEMA: &str = "workspaces/default/schemas/posts.json";

/// A folder with webhooks that are told what happens.
struct Scene {
    engine: Arc<Engine>,
    clock: Arc<TestClock>,
    data: Data,
    telling: Option<(Runtime, oneshot::Sender<()>)>,
}

impl Scene {
    fn new(webhooks: &[Value]) -> Scene {
        Scene::with(webhooks, true, Duration::from_secs(30))
    }

    fn with(webhooks: &[Value], allow_private: bool, most: Duration) -> Scene {
        let scene = Scene::quiet(webhooks);
        scene.telling(allow_private, most)
    }

    /// Nothing is sent yet.
    fn quiet(webhooks: &[Value]) -> Scene {
        let data = Data::empty();
        data.write(SCHEMA, "{}");
        data.write("workspaces/attic/schemas/posts.json", "{}");
        data.write(FILE, json!({ "webhooks": webhooks }).to_string());
        let clock = Arc::new(TestClock::at(Timestamp::parse("2026-05-03").unwrap()));
        let as_clock: Arc<dyn Clock> = clock.clone();
        let engine = Engine::open(folder::options(data.root(), &as_clock)).unwrap();
        Scene { engine, clock, data, telling: None }
    }

    fn telling(mut self, allow_private: bool, timeout: Duration) -> Scene {
        let runtime = Runtime::new().unwrap();
        let limits = OutgoingLimits { timeout, ..OutgoingLimits::SHORT };
        let webhook_client =
            WebhookClient::new(Outgoing::new(OutgoingPolicy::new(allow_private)), limits);
        let (stop, stopped) = oneshot::channel();
        let stopped = async move { _ = stopped.await };
        runtime.spawn(run_deliveries(self.engine.clone(), Arc::new(webhook_client), stopped));
        self.telling = Some((runtime, stop));
        self
    }

    /// The same folder with a server that starts anew.
    fn restarted(mut self) -> Scene {
        self.telling = None;
        let Scene { engine, clock, data, .. } = self;
        // Whoever was told of it lets go of it when it ends.
        eventually("nobody has the folder open", || Arc::strong_count(&engine) == 1);
        drop(engine);
        let as_clock: Arc<dyn Clock> = clock.clone();
        let engine = Engine::open(folder::options(data.root(), &as_clock)).unwrap();
        Scene { engine, clock, data, telling: None }
    }

    fn happens(&self, title: &str) {
        self.happens_in("default", EventKind::ContentUpdated, title);
    }

    fn happens_in(&self, ws: &str, kind: EventKind, title: &str) {
        let (ws, title) = (WorkspaceSlug::parse(ws).unwrap(), title.to_string());
        let done = self.engine.commit(&ws, move |staging| {
            let subject = Subject::Entry {
                type_name: "posts".into(),
                id: "p1".into(),
                slug: "p1".into(),
                status: "draft".into(),
                title: title.clone(),
            };
            staging.write(&operator_permit()).add_event(kind, subject);
            Ok::<_, CommitError>(())
        });
        done.unwrap();
    }

    fn attempts(&self, webhook: &str) -> Vec<DeliveryAttempt> {
        self.engine.outbox().list_attempts(&EntryId::parse(webhook).unwrap())
    }

    /// The newest attempt, once there are so many.
    fn attempt(&self, webhook: &str, number: usize) -> DeliveryAttempt {
        let what = format!("{webhook} was tried {number} times");
        eventually(&what, || self.attempts(webhook).len() >= number);
        self.attempts(webhook).remove(0)
    }

    /// Lets time pass until the failed attempt is made again.
    fn pass(&self, attempt: &DeliveryAttempt) {
        self.clock.set(attempt.next_attempt_at.unwrap());
        self.engine.outbox().webhooks().wake_sender();
    }
}

fn hook(id: &str, url: &str) -> Value {
    let (events, workspaces) = (["*"], ["*"]);
    json!({
        "id": id, "name": id, "url": url, "events": events, "workspaces": workspaces,
        "enabled": true, "secret": SECRET,
    })
}

fn with(mut hook: Value, key: &str, value: Value) -> Value {
    hook[key] = value;
    hook
}

#[test]
fn a_message_arrives_as_documented() {
    let receiver = Receiver::willing();
    let scene = Scene::new(&[hook("h1", &receiver.url("/hook?key=1"))]);
    scene.happens("Hello");
    let got = receiver.wait_for(1).remove(0);
    let id = list_events(&scene.engine)[0].id.clone();
    assert!(got.is_signed(), "{got:?}");
    assert_eq!(got.path, "/hook?key=1");
    assert_eq!(got.headers["webhook-id"], format!("{id}_h1"));
    let now = scene.clock.now().seconds();
    assert_eq!(got.headers["webhook-timestamp"], now.to_string());
    assert_eq!(got.headers["content-type"], "application/json; charset=utf-8");
    assert_eq!(got.headers["user-agent"], concat!("Recto/", env!("CARGO_PKG_VERSION")));
    let expect = json!({
        "id": id, "event": "content.updated", "occurred_at": "2026-05-03T00:00:00Z",
        "workspace": "default", "source": "schedule",
        "data": { "type": "posts", "id": "p1", "slug": "p1", "status": "draft", "title": "Hello" },
    });
    assert_eq!(got.json(), expect);
    let attempt = scene.attempt("h1", 1);
    assert_eq!((attempt.state, attempt.status), (DeliveryState::Delivered, Some(200)));
    assert_eq!(attempt.response.as_deref(), Some("ok"));
    // The secret is nowhere but in its file.
    let log = scene.data.read(".recto/webhooks/h1.log");
    assert!(!String::from_utf8(log).unwrap().contains(&SECRET[6..]));
}

#[test]
fn who_was_away_is_told_everything_in_order() {
    let nobody = Nobody::new();
    let scene = Scene::new(&[hook("h1", &nobody.url())]);
    for number in 0..5 {
        scene.happens(&number.to_string());
    }
    let failed = scene.attempt("h1", 1);
    assert_eq!((failed.state, failed.attempt, failed.status), (DeliveryState::Retrying, 1, None));
    assert!(failed.error.is_some_and(|it| it.starts_with("No connection")));
    scene.pass(&scene.attempt("h1", 1));
    let failed = scene.attempt("h1", 2);
    assert_eq!(failed.attempt, 2);
    let receiver = Receiver::instead_of(nobody, |_| Some("204 No Content"));
    scene.pass(&failed);
    let got = receiver.wait_for(5);
    assert_eq!(receiver.titles(), ["0", "1", "2", "3", "4"]);
    assert!(got.iter().all(crate::support::webhook_receiver::Received::is_signed));
    assert_eq!(scene.attempt("h1", 7).state, DeliveryState::Delivered);
    // Only the first one had to be tried again.
    let tried: Vec<u32> = scene.attempts("h1").iter().rev().map(|it| it.attempt).collect();
    assert_eq!(tried, [1, 2, 3, 1, 1, 1, 1]);
}

#[test]
fn what_fails_comes_again_with_the_same_id() {
    let receiver = Receiver::new(|number| match number {
        0 => Some("500 No"),
        1 => Some("302 Found\r\nlocation: http://127.0.0.1:1/"),
        // No answer at all.
        2 => None,
        3 => Some("429 Wait\r\nretry-after: 600"),
        _ => Some("200 OK"),
    });
    let hooks = [hook("h1", &receiver.url("/"))];
    let scene = Scene::with(&hooks, true, Duration::from_millis(500));
    scene.happens("A");
    scene.happens("B");
    for number in 1..=4 {
        let failed = scene.attempt("h1", number);
        assert_eq!((failed.state, failed.attempt), (DeliveryState::Retrying, number as u32));
        let wait = failed.next_attempt_at.unwrap().seconds() - failed.attempted_at.seconds();
        match number {
            1 => assert_eq!(failed.status, Some(500)),
            2 => assert_eq!(failed.status, Some(302)),
            3 => assert!(failed.error.as_ref().unwrap().contains("The answer was not complete")),
            _ => assert_eq!((failed.status, wait), (Some(429), 600)),
        }
        // What comes later waits behind it.
        assert_eq!(receiver.titles(), vec!["A"; number]);
        scene.pass(&failed);
    }
    let got = receiver.wait_for(6);
    assert_eq!(receiver.titles(), ["A", "A", "A", "A", "A", "B"]);
    let ids: Vec<&String> = got.iter().map(|it| &it.headers["webhook-id"]).collect();
    assert!(ids[..5].iter().all(|it| it == &ids[0]) && ids[5] != ids[0], "{ids:?}");
    // Each is signed for its own time.
    let times: Vec<&String> = got.iter().map(|it| &it.headers["webhook-timestamp"]).collect();
    assert!(times[..5].is_sorted() && times[0] != times[4], "{times:?}");
    assert!(got.iter().all(crate::support::webhook_receiver::Received::is_signed));
}

#[test]
fn a_redirect_leads_nowhere() {
    let inside = Receiver::willing();
    let location: &'static str =
        format!("307 Elsewhere\r\nlocation: {}", inside.url("/secret")).leak();
    let receiver = Receiver::new(move |_| Some(location));
    let scene = Scene::new(&[hook("h1", &receiver.url("/"))]);
    scene.happens("A");
    let failed = scene.attempt("h1", 1);
    assert_eq!((failed.state, failed.status), (DeliveryState::Retrying, Some(307)));
    assert!(inside.all().is_empty());
}

#[test]
fn addresses_inside_are_not_asked() {
    let receiver = Receiver::willing();
    let localhost = format!("http://localhost:{}/", receiver.address.port());
    let hooks =
        [hook("h1", &receiver.url("/")), hook("h2", &localhost), hook("h3", "http://[::1]/")];
    let scene = Scene::with(&hooks, false, Duration::from_secs(10));
    scene.happens("A");
    for id in ["h1", "h2", "h3"] {
        let failed = scene.attempt(id, 1);
        assert_eq!((failed.state, failed.status), (DeliveryState::Retrying, None));
    }
    let error = scene.attempt("h3", 1).error.unwrap();
    assert_eq!(error, "The host has an address that is not public.");
    assert!(receiver.all().is_empty());
}

#[test]
fn each_is_told_what_it_wants() {
    let receiver = Receiver::willing();
    let to = |id: &str| hook(id, &receiver.url(&format!("/{id}")));
    let scene = Scene::new(&[
        to("all"),
        with(to("off"), "enabled", json!(false)),
        with(to("attic"), "workspaces", json!(["attic"])),
        with(to("deleted"), "events", json!(["content.deleted"])),
        with(to("media"), "events", json!(["media.*", "schema.created"])),
        with(to("unsigned"), "secret", Value::Null),
    ]);
    scene.happens_in("default", EventKind::ContentUpdated, "A");
    scene.happens_in("attic", EventKind::ContentDeleted, "B");
    scene.happens_in("default", EventKind::MediaUploaded, "C");
    scene.happens_in("default", EventKind::SchemaCreated, "D");
    // What concerns the installation is nobody's business.
    let event = Event::from_disk(EventKind::UserCreated, Subject::Only { subject: "users".into() });
    scene.engine.outbox().emit_system(vec![event]);
    scene.happens_in("attic", EventKind::ContentUpdated, "E");
    receiver.wait_for(5 + 2 + 1 + 2);
    let told = |id: &str| {
        let all = receiver.all();
        let mine = all.iter().filter(|it| it.path == format!("/{id}"));
        mine.map(crate::support::webhook_receiver::Received::title).collect::<String>()
    };
    assert_eq!(told("all"), "ABCDE");
    assert_eq!(told("attic"), "BE");
    assert_eq!(told("deleted"), "B");
    assert_eq!(told("media"), "CD");
    assert_eq!((told("off"), told("unsigned")), (String::new(), String::new()));
    let queued = scene.data.files(".recto/webhooks", ".queue");
    assert_eq!(queued.len(), 4, "{queued:?}");
}

#[test]
fn one_that_fails_holds_nobody_else_up() {
    let receiver = Receiver::willing();
    let failing = Receiver::new(|_| Some("503 No"));
    let scene = Scene::new(&[hook("h1", &failing.url("/")), hook("h2", &receiver.url("/"))]);
    for title in ["A", "B", "C"] {
        scene.happens(title);
    }
    receiver.wait_for(3);
    assert_eq!(receiver.titles(), ["A", "B", "C"]);
    let failed = scene.attempt("h1", 1);
    assert_eq!((failing.titles(), failed.state), (vec!["A".to_string()], DeliveryState::Retrying));
}

#[test]
fn who_is_gone_or_away_for_a_day_is_given_up() {
    let receiver = Receiver::new(|number| match number {
        0 => Some("410 Gone"),
        1..=2 => Some("500 No"),
        _ => Some("200 OK"),
    });
    let scene = Scene::new(&[hook("h1", &receiver.url("/"))]);
    scene.happens("A");
    let failed = scene.attempt("h1", 1);
    assert_eq!((failed.state, failed.next_attempt_at), (DeliveryState::Failed, None));
    scene.happens("B");
    let failed = scene.attempt("h1", 2);
    assert_eq!(failed.state, DeliveryState::Retrying);
    scene.clock.set(Timestamp::from_seconds(failed.attempted_at.seconds() + 24 * 60 * 60));
    scene.happens("C");
    let given_up = |it: &DeliveryAttempt| {
        it.state == DeliveryState::Failed && it.message.id == failed.message.id
    };
    eventually("B is given up", || scene.attempts("h1").iter().any(given_up));
    receiver.wait_for(4);
    assert_eq!(receiver.titles(), ["A", "B", "B", "C"]);
}

#[test]
fn another_address_is_tried_at_once() {
    let failing = Receiver::new(|_| Some("500 No"));
    let receiver = Receiver::willing();
    let scene = Scene::new(&[hook("h1", &failing.url("/"))]);
    let following = scene.engine.follower().spawn_follower().unwrap();
    scene.happens("A");
    scene.attempt("h1", 1);
    let file = json!({ "webhooks": [hook("h1", &receiver.url("/"))] });
    scene.data.write(FILE, file.to_string());
    let url = receiver.url("/");
    let is_followed = || scene.engine.records().find_webhook("h1").is_some_and(|it| it.url == url);
    eventually("the edit is followed", is_followed);
    scene.engine.outbox().webhooks().wake_sender();
    receiver.wait_for(1);
    // A slip costs nobody his messages.
    scene.data.write(FILE, "{\"webhooks\": [");
    eventually("the slip is told", || !scene.engine.problems().list().is_empty());
    scene.happens("B");
    receiver.wait_for(2);
    assert_eq!(receiver.titles(), ["A", "B"]);
    scene.engine.close();
    following.join().unwrap();
}

#[test]
fn what_waits_for_one_that_is_switched_off_waits_on() {
    let nobody = Nobody::new();
    let url = nobody.url();
    let scene = Scene::new(&[hook("h1", &url)]);
    let following = scene.engine.follower().spawn_follower().unwrap();
    let switch = |enabled: bool| {
        let hook = with(hook("h1", &url), "enabled", json!(enabled));
        scene.data.write(FILE, json!({ "webhooks": [hook] }).to_string());
        let is_so =
            || scene.engine.records().find_webhook("h1").is_some_and(|it| it.enabled == enabled);
        eventually("the switch is seen", is_so);
    };
    scene.happens("A");
    let failed = scene.attempt("h1", 1);
    switch(false);
    scene.happens("while it is off");
    let receiver = Receiver::instead_of(nobody, |_| Some("200 OK"));
    scene.pass(&failed);
    assert!(scene.engine.outbox().list_due_webhooks().is_empty());
    switch(true);
    scene.engine.outbox().webhooks().wake_sender();
    scene.happens("B");
    receiver.wait_for(2);
    assert_eq!(receiver.titles(), ["A", "B"]);
    scene.engine.close();
    following.join().unwrap();
}

#[test]
fn edits_by_hand_and_the_calendar_are_told() {
    let receiver = Receiver::willing();
    let scene = Scene::new(&[hook("h1", &receiver.url("/"))]);
    let following = scene.engine.follower().spawn_follower().unwrap();
    let scheduled = r#"{"title":"Soon","status":"scheduled","slug":"soon",
        "published_at":"2026-05-04","unpublish_at":"2026-05-05"}"#;
    scene.data.write("workspaces/default/content/posts/a.json", scheduled);
    let created = receiver.wait_for(1).remove(0).json();
    assert_eq!(
        (&created["event"], &created["source"]),
        (&json!("content.created"), &json!("disk"))
    );
    assert_eq!(created["data"]["id"], "a");
    scene.clock.set(Timestamp::parse("2026-05-04").unwrap());
    scene.engine.scheduler().emit_due();
    let published = receiver.wait_for(2).remove(1).json();
    let (event, source) = (&published["event"], &published["source"]);
    assert_eq!((event, source), (&json!("content.published"), &json!("schedule")));
    scene.clock.set(Timestamp::parse("2026-05-05").unwrap());
    scene.engine.scheduler().emit_due();
    let ended = receiver.wait_for(3).remove(2).json();
    let (event, source) = (&ended["event"], &ended["source"]);
    assert_eq!((event, source), (&json!("content.unpublished"), &json!("schedule")));
    assert_eq!(ended["data"]["status"], "scheduled");
    scene.engine.close();
    following.join().unwrap();
}

#[test]
fn what_was_sent_is_sent_again_when_asked() {
    let receiver = Receiver::new(|number| Some(if number == 2 { "500 No" } else { "200 OK" }));
    let scene = Scene::new(&[hook("h1", &receiver.url("/"))]);
    scene.happens("A");
    let delivered = scene.attempt("h1", 1);
    scene.happens("B");
    scene.attempt("h1", 2);
    let (webhook, attempt) = scene.engine.outbox().find_attempt(&delivered.id).unwrap();
    // It fails this time and waits; to ask for it once more is to try it at once.
    scene.engine.outbox().send_again(&webhook, &attempt.message).unwrap();
    let failed = scene.attempt("h1", 3);
    assert_eq!((failed.state, failed.attempt), (DeliveryState::Retrying, 1));
    scene.engine.outbox().send_again(&webhook, &failed.message).unwrap();
    let got = receiver.wait_for(4);
    assert_eq!(receiver.titles(), ["A", "B", "A", "A"]);
    assert_eq!(got[3].headers["webhook-id"], got[0].headers["webhook-id"]);
    assert_eq!(scene.attempt("h1", 4).state, DeliveryState::Delivered);
    assert!(scene.engine.outbox().find_attempt("unknown").is_none());
}

#[test]
fn what_waits_survives_a_restart() {
    let receiver = Receiver::willing();
    let scene = Scene::quiet(&[hook("h1", &receiver.url("/"))]);
    for number in 0..30 {
        scene.happens(&number.to_string());
    }
    let scene = scene.restarted();
    scene.happens("30");
    let scene = scene.telling(true, Duration::from_secs(30));
    receiver.wait_for(31);
    let expect: Vec<String> = (0..=30).map(|it| it.to_string()).collect();
    assert_eq!(receiver.titles(), expect);
    scene.attempt("h1", 31);
    // All of it is done with.
    let scene = scene.restarted().telling(true, Duration::from_secs(30));
    scene.happens("31");
    receiver.wait_for(32);
    assert_eq!(receiver.titles()[31], "31");
}

#[test]
fn webhooks_that_are_no_more_leave_nothing_behind() {
    let scene = Scene::quiet(&[hook("h1", "https://a.test"), hook("h2", "https://b.test")]);
    scene.happens("A");
    assert_eq!(scene.data.files(".recto/webhooks", ".queue").len(), 2);
    let following = scene.engine.follower().spawn_follower().unwrap();
    scene.data.write(FILE, json!({ "webhooks": [hook("h2", "https://b.test")] }).to_string());
    eventually("the edit is followed", || scene.engine.records().find_webhook("h1").is_none());
    scene.engine.outbox().drop_removed_webhooks();
    let left = scene.data.files(".recto/webhooks", ".queue");
    assert!(left.len() == 1 && left[0].contains("h2"), "{left:?}");
    scene.engine.close();
    following.join().unwrap();
}

/// A slip of whoever edits the file, or a disk that fails, is no reason to forget what is to be
/// told.
#[test]
fn no_queue_is_forgotten_while_webhooks_cannot_be_read() {
    let (one, two) = (hook("h1", "https://a.test"), hook("h2", "https://b.test"));
    let file = |webhooks: Value| json!({ "webhooks": webhooks }).to_string();
    let mut scene = Scene::quiet(&[one.clone(), two.clone()]);
    scene.happens("A");
    let too_large = " ".repeat(8 * 1024 * 1024 + 1);
    let in_part = file(json!([{ "id": "h1", "name": "" }, two]));
    let texts = ["{", &too_large, &in_part, &file(json!({})), &file(json!([one, two]))];
    for text in texts {
        scene.data.write(FILE, text);
        scene = scene.restarted();
        scene.engine.outbox().drop_removed_webhooks();
        let queues = scene.data.files(".recto/webhooks", ".queue");
        assert_eq!(queues.len(), 2, "{}", &text[..text.len().min(80)]);
    }
    // Once they are known again, those that are no more are forgotten.
    scene.data.write(FILE, file(json!([two])));
    let scene = scene.restarted();
    scene.engine.outbox().drop_removed_webhooks();
    assert_eq!(scene.data.files(".recto/webhooks", ".queue").len(), 1);
}

#[test]
fn what_happens_together_is_one_call() {
    let receiver = Receiver::new(|number| Some(if number == 0 { "500 No" } else { "200 OK" }));
    let hooks = [with(hook("h1", &receiver.url("/")), "debounce_seconds", json!(60))];
    let scene = Scene::new(&hooks);
    // Twenty entries that are published are forty events.
    for number in 0..20 {
        scene.happens(&format!("{number}"));
        scene.happens_in("default", EventKind::ContentPublished, &format!("{number}"));
    }
    let later = |seconds: i64| Timestamp::from_seconds(scene.clock.now().seconds() + seconds);
    let due = scene.engine.outbox().list_due_webhooks();
    assert_eq!((due.len(), due[0].1, receiver.all().len()), (1, later(60), 0));
    scene.clock.set(later(60));
    scene.engine.outbox().webhooks().wake_sender();
    let failed = scene.attempt("h1", 1);
    // What comes before the next attempt is told by another call.
    scene.happens("later");
    scene.pass(&failed);
    let sent = receiver.wait_for(2);
    let (first, again) = (&sent[0], &sent[1]);
    assert_eq!(first.headers["webhook-id"], again.headers["webhook-id"]);
    assert!(first.body == again.body && again.is_signed());
    let body = again.json();
    let events = body["data"]["events"].as_array().unwrap();
    assert_eq!((&body["event"], &body["workspace"]), (&json!("webhook.batch"), &json!("default")));
    assert_eq!((&body["data"]["count"], &body["data"]["complete"]), (&json!(40), &json!(true)));
    assert_eq!((events.len(), &events[1]["event"]), (40, &json!("content.published")));
    assert_eq!(events[38]["data"]["title"], "19");
    let delivered = scene.attempt("h1", 2);
    assert_eq!(delivered.state, DeliveryState::Delivered);
    scene.clock.set(later(60));
    scene.engine.outbox().webhooks().wake_sender();
    let last = receiver.wait_for(3).remove(2).json();
    assert_eq!(
        (&last["data"]["count"], &last["data"]["events"][0]["data"]["title"]),
        (&json!(1), &json!("later"))
    );
    // What told several is sent again as it was, beside what waits.
    scene.happens("waits");
    let (webhook, _) = scene.engine.outbox().find_attempt(&delivered.id).unwrap();
    scene.engine.outbox().send_again(&webhook, &delivered.message).unwrap();
    scene.clock.set(later(60));
    scene.engine.outbox().webhooks().wake_sender();
    let got = receiver.wait_for(5);
    assert_eq!(got[3].json()["data"]["events"][0]["data"]["title"], "waits");
    assert_eq!(got[4].body, first.body);
}

#[test]
fn a_call_lists_so_many_events_and_counts_the_others() {
    let receiver = Receiver::willing();
    let hooks = [with(hook("h1", &receiver.url("/")), "debounce_seconds", json!(1))];
    let scene = Scene::quiet(&hooks);
    for number in 0..=200 {
        scene.happens(&format!("{number}"));
    }
    scene.happens_in("attic", EventKind::ContentUpdated, "elsewhere");
    scene.clock.set(Timestamp::from_seconds(scene.clock.now().seconds() + 1));
    let scene = scene.telling(true, Duration::from_secs(30));
    let body = receiver.wait_for(1).remove(0).json();
    let data = &body["data"];
    assert_eq!(
        (&data["count"], &data["complete"], &body["workspace"]),
        (&json!(202), &json!(false), &Value::Null)
    );
    assert_eq!(data["events"].as_array().unwrap().len(), 200);
    let entry = json!([{ "type": "posts", "id": "p1" }]);
    assert_eq!((&data["entries"], &data["truncated"]), (&entry, &json!(false)));
    assert_eq!(scene.attempt("h1", 1).state, DeliveryState::Delivered);
}

#[test]
fn without_events_it_is_told_of_nothing() {
    let receiver = Receiver::willing();
    let hooks = [
        with(hook("h1", &receiver.url("/1")), "events", json!([])),
        with(hook("h2", &receiver.url("/2")), "secret", json!("any sixteen letters")),
    ];
    let scene = Scene::new(&hooks);
    scene.happens("A");
    assert_eq!(scene.attempt("h2", 1).state, DeliveryState::Delivered);
    assert!(
        scene.attempts("h1").is_empty() && scene.engine.outbox().list_due_webhooks().is_empty()
    );
}
