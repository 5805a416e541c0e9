//! Workspaces that are made and changed while others do the same and the folder is looked at: what
//! is served is what the folder holds, and there is always a default one that is not archived.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::SeqCst;
use std::thread;

use recto::app::App;
use recto::app::access::Requester;
use recto::app::error::Code;
use recto::app::media::upload;
use recto::app::system::workspaces::change;
use recto::app::system::workspaces::icon;
use recto::engine::Engine;
use recto::model::event::Actor;
use recto::model::event::EventKind;
use recto::model::event::EventSource;
use recto::model::name::WorkspaceSlug;
use recto::model::problem::ProblemKind;
use recto::stdx::clock::Clock;
use recto::stdx::clock::SystemClock;
use recto::stdx::json::Json;
use recto::stdx::json::Map;
use serde_json::Value;
use serde_json::json;

use crate::support::events::list_event_kinds;
use crate::support::events::list_events;
use crate::support::folder;
use crate::support::folder::Data;

const SETTINGS: &str = "system/settings.json";

fn by(grant: &str) -> Requester {
    let actor = Actor {
        id: "anna".into(),
        name: "Anna".into(),
        ip: None,
        request_id: "r".into(),
        source: EventSource::Admin,
    };
    Requester { caller: folder::holder(grant), actor: actor.into() }
}

fn manager() -> Requester {
    by("workspaces.*@workspaces:*")
}

fn body(value: Value) -> Map {
    Json::from(value).as_object().unwrap().clone()
}

fn open(data: &Data) -> App {
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    folder::app(&Engine::open(folder::options(data.root(), &clock)).unwrap())
}

fn json_of(data: &Data, path: &str) -> Value {
    serde_json::from_slice(&data.read(path)).unwrap()
}

fn is_told_missing(app: &App) -> bool {
    let problems = app.engine.problems().list();
    problems.iter().any(|it| it.problem.kind == ProblemKind::MissingWorkspace)
}

#[test]
fn many_are_made_at_once_and_stay() {
    let data = Data::empty();
    let app = open(&data);
    let over = AtomicBool::new(false);
    let mut slugs: Vec<String> = thread::scope(|scope| {
        scope.spawn(|| {
            while !over.load(SeqCst) {
                app.engine.follower().refresh_until_settled();
            }
        });
        let make = || {
            let made = change::create(&app, &manager(), &body(json!({ "label": "Press" })));
            let slug = made.unwrap().slug;
            for _ in 0..20 {
                assert!(app.engine.snapshot(slug.as_str()).is_some(), "{slug} is served");
            }
            slug.to_string()
        };
        let makers: Vec<_> = (0..6).map(|_| scope.spawn(make)).collect();
        let slugs = makers.into_iter().map(|it| it.join().unwrap()).collect();
        over.store(true, SeqCst);
        slugs
    });
    slugs.sort();
    assert_eq!(slugs, ["press", "press-2", "press-3", "press-4", "press-5", "press-6"]);
    app.engine.follower().refresh_until_settled();
    let served: Vec<String> = app.engine.workspaces().keys().map(|it| it.to_string()).collect();
    let fresh: Vec<String> = open_again(&data, app);
    assert_eq!(served, fresh);
    assert!(slugs.iter().all(|it| served.contains(it)));
}

/// The workspaces that a server finds that starts afterwards.
fn open_again(data: &Data, app: App) -> Vec<String> {
    drop(app);
    open(data).engine.workspaces().keys().map(|it| it.to_string()).collect()
}

#[test]
fn the_default_one_is_never_archived() {
    let data = Data::empty();
    for slug in ["a", "b"] {
        data.write(&format!("workspaces/{slug}/workspace.json"), r#"{"types":["x"],"own":1}"#);
    }
    let app = open(&data);
    change::update(&app, &manager(), "a", &body(json!({ "default": true }))).unwrap();
    thread::scope(|scope| {
        for slug in ["a", "b"] {
            for wish in
                [json!({"default": true}), json!({"archived": true}), json!({"archived": false})]
            {
                let app = &app;
                scope.spawn(move || {
                    for _ in 0..15 {
                        // Each of these may be refused, whatever the others have just done.
                        let _ = change::update(app, &manager(), slug, &body(wish.clone()));
                    }
                });
            }
        }
    });
    let default = app.engine.registry().default_workspace();
    let file = json_of(&data, &format!("workspaces/{default}/workspace.json"));
    assert_eq!(json_of(&data, SETTINGS)["default_workspace"], default.as_str());
    assert_ne!(file["archived"], true);
    // What is not ours in the files stays, and so does the order of types.
    assert_eq!((&file["types"], &file["own"]), (&json!(["x"]), &json!(1)));
    assert!(!is_told_missing(&app));
    for slug in ["a", "b"] {
        let file = json_of(&data, &format!("workspaces/{slug}/workspace.json"));
        let served = app.engine.workspace(slug).unwrap().current_snapshot().meta.archived;
        assert_eq!(served, file["archived"].as_bool().unwrap_or_default(), "{slug}");
    }
}

#[test]
fn a_missing_default_one_is_told() {
    let data = Data::empty();
    data.write(SETTINGS, r#"{"default_workspace":"press","site_name":"S"}"#);
    let app = open(&data);
    assert_eq!(app.engine.registry().default_workspace().as_str(), "default");
    assert!(is_told_missing(&app));
    change::create(&app, &manager(), &body(json!({ "label": "Press" }))).unwrap();
    assert_eq!(app.engine.registry().default_workspace().as_str(), "press");
    assert!(!is_told_missing(&app));
    // By hand it can be archived.
    data.write("workspaces/press/workspace.json", r#"{"archived":true}"#);
    app.engine.follower().refresh_until_settled();
    assert!(is_told_missing(&app));
    change::update(&app, &manager(), "default", &body(json!({ "default": true }))).unwrap();
    assert!(!is_told_missing(&app));
    assert_eq!(json_of(&data, SETTINGS)["site_name"], "S");
}

#[test]
fn a_file_that_cannot_be_read_is_left_alone() {
    let check = |file: &str, code: Code, message: &str| {
        let data = Data::empty();
        data.write("workspaces/press/workspace.json", file);
        let app = open(&data);
        for wish in
            [json!({"label": "Other"}), json!({"archived": false}), json!({"default": true})]
        {
            let refused = change::update(&app, &manager(), "press", &body(wish)).unwrap_err();
            assert_eq!(refused.code, code, "{file}");
            assert!(refused.message.contains(message), "{file}: {}", refused.message);
        }
        assert_eq!(data.read("workspaces/press/workspace.json"), file.as_bytes());
    };
    check(r#"{"label":"Press","types":["posts","#, Code::Conflict, "");
    check("<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> other\n", Code::Conflict, "");
    let code = Code::StorageUnavailable;
    check(r#"{"label":"Press","format":99}"#, code, "This workspace is in format 99");
    for format in ["0", "null", "\"1\""] {
        let file = format!(r#"{{"label":"Press","format":{format}}}"#);
        check(&file, code, "must be a whole number, 1 or more");
    }
}

#[test]
fn a_missing_default_is_made_by_the_first_write() {
    let data = Data::empty();
    let app = open(&data);
    assert!(!data.at("workspaces/default").exists());
    let mut spool = app.engine.folder().create_spool().unwrap();
    spool.write(b"Hello.").unwrap();
    let mut file = spool.finish().unwrap();
    file.name = "a.txt".to_string();
    let ws = WorkspaceSlug::parse("default").unwrap();
    upload::upload_files(
        &app,
        &ws,
        &by("media.*@media:*"),
        vec![file],
        &upload::UploadMeta::default(),
    )
    .unwrap();
    assert_eq!(data.read("workspaces/default/media/a.txt"), b"Hello.");
    let named = change::update(&app, &manager(), "default", &body(json!({ "label": "Mine" })));
    assert_eq!(named.unwrap().label, "Mine");
    assert_eq!(json_of(&data, "workspaces/default/workspace.json")["label"], "Mine");
    app.engine.follower().refresh_until_settled();
    assert_eq!(app.engine.snapshot("default").unwrap().media.len(), 1);
}

#[test]
fn a_picture_is_told_and_shown_at_once() {
    let data = Data::empty();
    let app = open(&data);
    let picture = || {
        let mut spool = app.engine.folder().create_spool().unwrap();
        let mut bytes = std::io::Cursor::new(Vec::new());
        let picture = image::DynamicImage::new_rgb8(600, 300);
        picture.write_to(&mut bytes, image::ImageFormat::Png).unwrap();
        spool.write(bytes.get_ref()).unwrap();
        spool.finish().unwrap()
    };
    let first = icon::set(&app, &manager(), "default", &[picture()]).unwrap().icon_url.unwrap();
    assert!(first.starts_with("/admin/api/workspaces/default/icon?v="), "{first}");
    let shown = icon::show(&app, &by("content.read@content:*").caller, "default").unwrap();
    assert_eq!(shown, data.read("workspaces/default/icon.png"));
    let shown = image::load_from_memory(&shown).unwrap();
    assert_eq!((shown.width(), shown.height()), (256, 128));
    let hidden = icon::show(&app, &by("users.read@users:*").caller, "default").unwrap_err();
    assert_eq!(hidden.code, Code::NotFound);
    assert_eq!(icon::remove(&app, &manager(), "default").unwrap().icon_url, None);
    let kinds: Vec<EventKind> = list_event_kinds(&app.engine);
    assert_eq!(kinds, [EventKind::WorkspaceUpdated; 2]);
    // The folder is as it was: nothing of it is news.
    app.engine.follower().refresh_until_settled();
    assert_eq!(list_events(&app.engine).len(), 2);
}

#[test]
fn an_empty_folder_is_no_workspace() {
    let data = Data::empty();
    data.write("workspaces/shop/workspace.json", r#"{"format": 1}"#);
    std::fs::create_dir(data.root().join("workspaces/empty")).unwrap();
    std::fs::create_dir_all(data.root().join("workspaces/begun/schemas")).unwrap();
    let app = open(&data);
    let known = || {
        let known = app.engine.workspaces();
        known.keys().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(known(), "begun default shop");
    app.engine.follower().refresh_until_settled();
    assert_eq!(known(), "begun default shop");
    std::fs::create_dir(data.root().join("workspaces/later")).unwrap();
    app.engine.follower().refresh_until_settled();
    assert_eq!(known(), "begun default shop");
    data.write("workspaces/later/workspace.json", "{}");
    app.engine.follower().refresh_until_settled();
    assert_eq!(known(), "begun default later shop");
    // Its name is free: whoever made the folder may have been stopped half way.
    let made = json!({ "label": "Empty", "slug": "empty" });
    change::create(&app, &manager(), &body(made)).unwrap();
    assert_eq!(known(), "begun default empty later shop");
    std::fs::remove_file(data.root().join("workspaces/later/workspace.json")).unwrap();
    app.engine.follower().refresh_until_settled();
    assert_eq!(known(), "begun default empty shop");
}
