//! Content types are made, changed and deleted, and the files of their entries follow.

use std::collections::BTreeSet;
use std::sync::Arc;

use recto::app::App;
use recto::app::access::Requester;
use recto::app::content::content_types::change;
use recto::app::content::content_types::change::ChangedType;
use recto::app::content::content_types::preview;
use recto::app::error::Code;
use recto::app::error::Error;
use recto::app::precondition::Precondition;
use recto::engine::Engine;
use recto::model::event::Actor;
use recto::model::event::EventSource;
use recto::model::name::WorkspaceSlug;
use recto::stdx::checksum::Checksum;
use recto::stdx::clock::Clock;
use recto::stdx::clock::SystemClock;
use recto::stdx::json::Json;
use recto::stdx::json::Map;

use crate::support::events::list_events;
use crate::support::folder;
use crate::support::folder::Data;

struct Scene {
    data: Data,
    app: App,
    clock: Arc<dyn Clock>,
}

fn ws() -> WorkspaceSlug {
    WorkspaceSlug::parse("main").unwrap()
}

fn map(text: &str) -> Map {
    Json::parse(text.as_bytes()).unwrap().as_object().unwrap().clone()
}

fn by(grant: &str) -> Requester {
    let actor = Actor {
        id: "tok_x".into(),
        name: "Somebody".into(),
        ip: None,
        request_id: "r".into(),
        source: EventSource::Api,
    };
    Requester { caller: folder::holder(grant), actor: actor.into() }
}

/// `code field field…`
fn told(error: &Error) -> String {
    let fields = error.fields.iter().map(|(path, _)| path);
    std::iter::once(error.code.as_str()).chain(fields).collect::<Vec<_>>().join(" ")
}

impl Scene {
    /// Files below `workspaces/main`.
    fn new(files: &[(&str, &str)]) -> Scene {
        let data = Data::empty();
        data.write("workspaces/main/workspace.json", r#"{"types":["posts"]}"#);
        for (path, text) in files {
            data.write(&format!("workspaces/main/{path}"), text);
        }
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        let engine = Engine::open(folder::options(data.root(), &clock)).unwrap();
        Scene { app: folder::app(&engine), data, clock }
    }

    fn create(&self, body: &str) -> Result<ChangedType, Error> {
        change::create(&self.app, &ws(), by("schema.*@schema:*"), map(body))
    }

    fn update(&self, name: &str, body: &str) -> Result<ChangedType, Error> {
        let (by, any) = (by("schema.*@schema:*"), Precondition::None);
        change::update(&self.app, &ws(), by, name.to_string(), map(body), any)
    }

    fn delete(&self, name: &str) -> Result<(), Error> {
        let (by, any) = (by("schema.*@schema:*"), Precondition::None);
        change::delete(&self.app, &ws(), by, name.to_string(), any)
    }

    fn text(&self, path: &str) -> String {
        String::from_utf8(self.data.read(&format!("workspaces/main/{path}"))).unwrap()
    }

    fn files(&self) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        folder::files_below(self.data.root(), "workspaces/main", &mut found);
        found.iter().map(|it| it["workspaces/main/".len()..].to_string()).collect()
    }

    /// The events so far.
    fn events(&self) -> Vec<String> {
        let all = list_events(&self.app.engine);
        all.iter()
            .map(|it| format!("{} {}", it.event.kind.as_str(), it.event.subject.label()))
            .collect()
    }

    /// What is served is what a fresh load serves.
    fn is_sound(&self) {
        let events = self.events();
        self.app.engine.follower().refresh_until_settled();
        assert_eq!(self.events(), events, "our own writes were taken for news");
        let fresh = folder::app(&folder::fresh(self.data.root(), &self.clock));
        let lists = |_: &_| vec![String::new(), "locale=de".to_string()];
        assert_eq!(folder::picture(&self.app, &lists), folder::picture(&fresh, &lists));
    }
}

#[test]
fn a_type_is_made() {
    let scene = Scene::new(&[("schemas/posts.json", "{}"), ("schemas/Broken.json", "{")]);
    let made = scene.create(r#"{"name":"Über uns","singleton":true,"colour":"red"}"#).unwrap();
    assert_eq!((&*made.content_type.name, made.warnings.len()), ("uber-uns", 1));
    let file = scene.text("schemas/uber-uns.json");
    assert!(file.starts_with("{\n  \"label\": \"Uber uns\",\n") && file.ends_with("}\n"), "{file}");
    assert_eq!(scene.events(), ["schema.created content type `uber-uns`"]);
    let snapshot = scene.app.engine.snapshot("main").unwrap();
    assert_eq!(snapshot.get("uber-uns").unwrap().content_type.sum, made.content_type.sum);
    let check = |body: &str, expect: &str| {
        assert_eq!(told(&scene.create(body).unwrap_err()), expect, "{body}");
    };
    check(r#"{"name":"POSTS"}"#, "validation_failed name");
    check(r#"{"name":"broken"}"#, "validation_failed name");
    check(r#"{"fields":{"a":{"type":"?"}}}"#, "validation_failed name fields.a.type");
    let other =
        change::create(&scene.app, &ws(), by("schema.create@schema:a*"), map(r#"{"name":"b"}"#));
    assert_eq!(other.unwrap_err().code, Code::Forbidden);
    scene.is_sound();
}

#[test]
fn an_update_touches_what_it_names() {
    let file = "{\r\n\t\"own\": 1.50,\r\n\t\"label\": \"Posts\"\r\n}";
    let scene =
        Scene::new(&[("schemas/posts.json", file), ("content/posts/a.json", "{\"title\":\"A\"}")]);
    let unchanged =
        scene.update("posts", r#"{"label":"Posts","icon":"file-text","name":"x"}"#).unwrap();
    assert_eq!((scene.text("schemas/posts.json"), scene.events()), (file.to_string(), vec![]));
    let revs = |rev: Checksum| Precondition::Revs(vec![rev]);
    let (rev, body) = (unchanged.content_type.sum, map(r#"{"label":"News"}"#));
    let update = |rev| {
        let by = by("schema.update@schema:posts");
        change::update(&scene.app, &ws(), by, "posts".into(), body.clone(), revs(rev))
    };
    assert_eq!(update(rev).unwrap().content_type.label, "News");
    assert_eq!(scene.text("schemas/posts.json"), file.replace("Posts", "News"));
    let late = update(rev).unwrap_err();
    assert_eq!(late.code, Code::PreconditionFailed);
    let current = serde_json::to_string(&late.current_state()).unwrap();
    assert!(current.starts_with(r#"{"name":"posts","label":"News""#), "{current}");
    assert_eq!(scene.text("content/posts/a.json"), "{\"title\":\"A\"}");
    assert_eq!(scene.events(), ["schema.updated content type `posts`"]);
    let check = |name: &str, body: &str, expect: &str| {
        assert_eq!(told(&scene.update(name, body).unwrap_err()), expect, "{name} {body}");
    };
    check("none", "{}", "not_found");
    check("posts", r#"{"icon":7,"locales":["a b"]}"#, "validation_failed locales[0] icon");
    // An edit by hand comes first, and a broken one is not written over.
    scene.data.write("workspaces/main/schemas/posts.json", "{\"icon\":\"star\"}");
    assert_eq!(scene.update("posts", r#"{"label":"N"}"#).unwrap().content_type.icon, "star");
    scene.data.write("workspaces/main/schemas/posts.json", "{\"icon\":5}");
    check("posts", r#"{"label":"M"}"#, "conflict");
    assert_eq!(scene.text("schemas/posts.json"), "{\"icon\":5}");
}

#[test]
fn values_that_become_html_are_told() {
    let scene = Scene::new(&[
        ("schemas/posts.json", r#"{"fields":{"a":{},"b":{}}}"#),
        ("content/posts/1.json", r#"{"title":"One","data":{"a":"<img src=x onerror=x()>"}}"#),
        ("content/posts/2.json", r#"{"title":"Two","data":{"a":"<i onclick=x()>","b":"<b>"}}"#),
    ]);
    let body = map(r#"{"fields":{"a":{"type":"html"},"b":{"type":"textarea"}}}"#);
    let seen = preview::preview_update(&scene.app, &ws(), by("schema.*@*"), "posts".into(), body);
    let expect = "a: Some values hold markup that is removed on writing. They are served as they \
                  are until somebody changes them.";
    assert_eq!(seen.unwrap().warnings, [expect]);
}

#[test]
fn fields_are_renamed_in_all_files() {
    let scene = Scene::new(&[
        ("schemas/posts.json", r#"{"locales":["en","de"],"fields":{"a":{},"b":{}}}"#),
        ("content/posts/1.json", "{\"title\": \"One\",\n \"data\": {\"b\": 2, \"a\": 1.0}}"),
        ("content/posts/2.json", r#"{"title":"Two","translations":{"de":{"data":{"a":"x"}}}}"#),
        ("content/posts/3.json", r#"{"title":"Three","data":{"b":"only"}}"#),
        ("trash/posts/4.json", r#"{"title":"Four","data":{"a":4}}"#),
        ("trash/posts/4~1.json", r#"{"title":"Four","data":{"a":5}}"#),
    ]);
    let body = r#"{"migrations":[{"from":"a","to":"text"}]}"#;
    scene.data.write("workspaces/main/content/posts/4.json", "{");
    assert_eq!(told(&scene.update("posts", body).unwrap_err()), "conflict");
    scene.data.write("workspaces/main/content/posts/4.json", r#"{"data":{"a":1,"text":2}}"#);
    assert_eq!(
        told(&scene.update("posts", body).unwrap_err()),
        "validation_failed migrations[0].to"
    );
    assert_eq!(scene.text("content/posts/3.json"), r#"{"title":"Three","data":{"b":"only"}}"#);
    scene.data.remove("workspaces/main/content/posts/4.json");
    scene.app.engine.follower().refresh_until_settled();

    let seen =
        preview::preview_update(&scene.app, &ws(), by("schema.*@*"), "posts".into(), map(body))
            .unwrap();
    assert_eq!((seen.trash, seen.unreadable, seen.rewritten), (2, 0, 4));
    assert_eq!((seen.fields[0].field.as_str(), seen.fields[0].entries), ("text", 2));

    let before = scene.events().len();
    scene.update("posts", body).unwrap();
    assert_eq!(
        scene.text("content/posts/1.json"),
        "{\"title\": \"One\",\n \"data\": {\"b\": 2, \"text\": 1.0}}"
    );
    assert_eq!(
        scene.text("content/posts/2.json"),
        r#"{"title":"Two","translations":{"de":{"data":{"text":"x"}}}}"#
    );
    assert_eq!(scene.text("trash/posts/4.json"), r#"{"title":"Four","data":{"text":4}}"#);
    assert_eq!(scene.text("trash/posts/4~1.json"), r#"{"title":"Four","data":{"text":5}}"#);
    let revisions: Vec<_> =
        scene.files().into_iter().filter(|it| it.starts_with("revisions/")).collect();
    assert_eq!(revisions.len(), 2, "{revisions:?}");
    assert!(revisions.iter().all(|it| it.ends_with("-schema-tok_x.json")), "{revisions:?}");
    // A look takes no edits in: that the fourth is gone may be told with the change.
    let mut events = scene.events().split_off(before);
    events.retain(|it| it != "content.deleted posts `4`");
    assert_eq!(events, ["schema.updated content type `posts`"]);
    scene.is_sound();
}

const REFERRING: &str = r#"{"locales":["en"],"root_locale":"en","fields":{
    "to":{"type":"relation","target":"posts"},
    "rows":{"type":"repeater","subfields":[
        {"key":"to","type":"relation","target":"posts","multiple":true}]}}}"#;

#[test]
fn the_one_entry_becomes_the_page() {
    let scene = Scene::new(&[
        ("schemas/posts.json", r#"{"fields":{"self":{"type":"relation","target":"posts"}}}"#),
        ("schemas/notes.json", REFERRING),
        ("schemas/plain.json", r#"{"fields":{"to":{"type":"relation","target":"posts"}}}"#),
        (
            "content/posts/p1.json",
            r#"{"title":"Home","slug":"home","id":"p1","data":{"self":"p1"}}"#,
        ),
        ("content/posts/p2.json", r#"{"title":"Second"}"#),
        ("revisions/posts/p1/r1-update.json", r#"{"title":"Old"}"#),
        (
            "content/notes/n.json",
            r#"{"title":"N","data":{"rows":[{"to":["x","p1"]}]},"translations":{"fr":{"data":{"to":"p1"}}}}"#,
        ),
        ("content/plain/a.json", r#"{"title":"A","data":{"to":"p1"}}"#),
        ("content/plain/b.json", r#"{"title":"B","data":{"to":"p2"}}"#),
        ("trash/plain/t.json", r#"{"title":"T","data":{"to":"p1"}}"#),
    ]);
    let on = r#"{"singleton":true}"#;
    assert_eq!(told(&scene.update("posts", on).unwrap_err()), "validation_failed singleton");
    scene.data.remove("workspaces/main/content/posts/p2.json");
    scene.app.engine.follower().refresh_until_settled();
    scene.update("posts", on).unwrap();
    assert_eq!(
        scene.text("content/posts/posts.json"),
        r#"{"title":"Home","slug":"posts","id":"posts","data":{"self":"posts"}}"#
    );
    assert_eq!(
        scene.text("content/notes/n.json"),
        r#"{"title":"N","data":{"rows":[{"to":["x","posts"]}]},"translations":{"fr":{"data":{"to":"posts"}}}}"#
    );
    assert_eq!(scene.text("content/plain/a.json"), r#"{"title":"A","data":{"to":"posts"}}"#);
    assert_eq!(scene.text("content/plain/b.json"), r#"{"title":"B","data":{"to":"p2"}}"#);
    assert_eq!(scene.text("trash/plain/t.json"), r#"{"title":"T","data":{"to":"posts"}}"#);
    assert_eq!(scene.text("revisions/posts/posts/r1-update.json"), r#"{"title":"Old"}"#);
    assert!(!scene.data.at("workspaces/main/content/posts/p1.json").exists());
    assert!(!scene.data.at("workspaces/main/revisions/posts/p1").exists());
    scene.is_sound();
    // And back: nothing of the entry changes.
    scene.update("posts", r#"{"singleton":false}"#).unwrap();
    assert!(scene.text("content/posts/posts.json").contains(r#""slug":"posts""#));
    scene.is_sound();
}

#[test]
fn a_type_goes_with_all_its_entries() {
    let scene = Scene::new(&[
        ("schemas/posts.json", "{}"),
        ("schemas/plain.json", r#"{"fields":{"to":{"type":"relation","target":"posts"}}}"#),
        ("content/posts/p1.json", r#"{"title":"One"}"#),
        ("content/posts/README.md", "mine"),
        ("content/plain/a.json", r#"{"title":"A","data":{"to":"p1"}}"#),
        ("content/plain/b.json", r#"{"title":"B","data":{"to":"gone"}}"#),
        ("trash/posts/t.json", "{}"),
        ("revisions/posts/p1/r1.json", "{}"),
        ("revisions/posts/p1/r2.json", "{}"),
        ("revisions/posts/t/r3.json", "{}"),
    ]);
    let seen =
        preview::preview_delete(&scene.app, &ws(), by("schema.*@*"), "posts".into()).unwrap();
    assert_eq!((seen.entries, seen.trash, seen.revisions, seen.references), (1, 1, 3, 1));
    let refused = |grant: &str, rev| {
        let deleted = change::delete(&scene.app, &ws(), by(grant), "posts".into(), rev);
        deleted.unwrap_err().code
    };
    assert_eq!(refused("schema.update@*", Precondition::None), Code::Forbidden);
    assert_eq!(refused("schema.*@*", Precondition::Revs(vec![])), Code::PreconditionFailed);
    scene.delete("posts").unwrap();
    let left: Vec<_> = scene.files().into_iter().filter(|it| it.contains("posts")).collect();
    assert_eq!(left, ["content/posts/README.md"]);
    assert_eq!(scene.events(), ["schema.deleted content type `posts`"]);
    assert_eq!(scene.delete("posts").unwrap_err().code, Code::NotFound);
    scene.is_sound();
    // The name is free again, and nothing of the old entries comes back.
    scene.create(r#"{"name":"posts"}"#).unwrap();
    assert!(scene.app.engine.snapshot("main").unwrap().get("posts").unwrap().is_empty());
    scene.is_sound();
}
