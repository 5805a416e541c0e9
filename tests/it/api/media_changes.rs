//! Media that are uploaded, described, sorted, renamed and deleted through the use cases: what is
//! answered is what a fresh load of the folder shows.

use std::io::Cursor;
use std::sync::Arc;

use recto::app::App;
use recto::app::access::Requester;
use recto::app::error::Code;
use recto::app::error::Error;
use recto::app::media::categories;
use recto::app::media::delete;
use recto::app::media::media_files;
use recto::app::media::meta;
use recto::app::media::meta::MediaTarget;
use recto::app::media::rename;
use recto::app::media::upload;
use recto::app::precondition::Precondition;
use recto::app::usage_guard::UsageGuard;
use recto::model::event::Actor;
use recto::model::event::EventKind;
use recto::model::event::EventSource;
use recto::model::name::WorkspaceSlug;
use recto::stdx::checksum::Checksum;
use recto::stdx::clock::Clock;
use recto::stdx::clock::SystemClock;
use recto::stdx::json::Json;
use recto::stdx::json::Map;
use recto::store::write::spool::Spooled;
use serde::Serialize;
use serde_json::Value;
use serde_json::json;

use crate::support::events::list_event_kinds;
use crate::support::folder;
use crate::support::folder::Data;

const ALL: &str = "media.*@media:*";

struct Scene {
    data: Data,
    app: App,
}

fn ws() -> WorkspaceSlug {
    WorkspaceSlug::parse("main").unwrap()
}

fn by(grant: &str) -> Requester {
    let actor = Actor {
        id: "tok_writer".into(),
        name: "Writer".into(),
        ip: None,
        request_id: "r".into(),
        source: EventSource::Api,
    };
    Requester { caller: folder::holder(grant), actor: actor.into() }
}

fn body(value: Value) -> Map {
    Json::from(value).as_object().unwrap().clone()
}

/// A picture of this width.
fn png(width: u32) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    image::DynamicImage::new_rgb8(width, 2).write_to(&mut bytes, image::ImageFormat::Png).unwrap();
    bytes.into_inner()
}

fn target<'a>(ws: &'a WorkspaceSlug, name: &'a str) -> MediaTarget<'a> {
    MediaTarget { ws, name, precondition: &Precondition::None }
}

/// An answer as it goes out, or the code and the fields of an error.
fn told<T: Serialize>(answer: Result<T, Error>) -> Value {
    match answer {
        Ok(answer) => serde_json::to_value(answer).unwrap(),
        Err(error) => {
            let fields: Vec<&str> = error.fields.iter().map(|(field, _)| field).collect();
            json!({ "code": error.code.as_str(), "fields": fields })
        }
    }
}

fn refused(code: Code, fields: &[&str]) -> Value {
    json!({ "code": code.as_str(), "fields": fields })
}

impl Scene {
    fn new() -> Scene {
        let data = Data::empty();
        data.write("workspaces/main/workspace.json", r#"{"label":"Main"}"#);
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        let engine = recto::engine::Engine::open(folder::options(data.root(), &clock)).unwrap();
        Scene { app: folder::app(&engine), data }
    }

    fn spooled(&self, name: &str, bytes: &[u8]) -> Spooled {
        let mut spool = self.app.engine.folder().create_spool().unwrap();
        spool.write(bytes).unwrap();
        let mut spooled = spool.finish().unwrap();
        spooled.name = name.to_string();
        spooled
    }

    fn upload_as(&self, grant: &str, files: &[(&str, &[u8])], category: Option<&str>) -> Value {
        let files = files.iter().map(|(name, bytes)| self.spooled(name, bytes)).collect();
        let said = upload::UploadMeta { category, ..upload::UploadMeta::default() };
        let answer = told(upload::upload_files(&self.app, &ws(), &by(grant), files, &said));
        let unfinished = std::fs::read_dir(self.data.at(".recto/tmp")).map_or(0, Iterator::count);
        assert_eq!(unfinished, 0, "nothing is left of {answer}");
        answer
    }

    fn upload(&self, files: &[(&str, &[u8])], category: Option<&str>) -> Value {
        self.upload_as(ALL, files, category)
    }

    /// The names of the uploaded files.
    fn put(&self, files: &[(&str, &[u8])], category: Option<&str>) -> Vec<String> {
        let answer = self.upload(files, category);
        let items = answer["data"].as_array().unwrap_or_else(|| panic!("{answer}"));
        items.iter().map(|it| it["filename"].as_str().unwrap().to_string()).collect()
    }

    fn said(&self, name: &str) -> Value {
        let bytes = self.data.read(&format!("workspaces/main/media-meta/{name}.json"));
        serde_json::from_slice(&bytes).unwrap()
    }

    fn is_there(&self, path: &str) -> bool {
        self.data.at(&format!("workspaces/main/{path}")).exists()
    }

    /// All categories as the snapshot has them.
    fn categories(&self) -> Vec<String> {
        let snapshot = self.app.engine.snapshot("main").unwrap();
        snapshot.media.categories.iter().map(|it| it.to_string()).collect()
    }

    fn events(&self) -> Vec<EventKind> {
        list_event_kinds(&self.app.engine)
    }

    /// The folder gives the same when it is loaded anew, and looking again finds no news.
    fn is_sound(&self) {
        let before = self.events();
        self.app.engine.follower().refresh_until_settled();
        assert_eq!(self.events(), before, "our own writes were taken for news");
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        let fresh = folder::fresh(self.data.root(), &clock);
        let seen = |engine: &recto::engine::Engine| {
            let snapshot = engine.snapshot("main").unwrap();
            let items: Vec<_> = snapshot.media.iter().cloned().collect();
            (items, snapshot.media.categories.clone(), snapshot.media.sum(true))
        };
        assert_eq!(seen(&self.app.engine), seen(&fresh));
    }
}

#[test]
fn an_upload_is_there_with_all_that_is_known_of_it() {
    let scene = Scene::new();
    let answer = scene.upload(&[("Hero Image.JPG", &png(3))], Some("Press/Logos"));
    let item = &answer["data"][0];
    let known = |key: &str| item[key].clone();
    assert_eq!(known("filename"), "hero-image.png");
    assert_eq!(known("mime"), "image/png");
    assert_eq!(known("category"), "Press / Logos");
    assert_eq!((known("width"), known("height")), (json!(3), json!(2)));
    assert_eq!(known("visibility"), "public");
    assert_eq!(known("uploaded_by"), "tok_writer");
    assert_eq!(answer["meta"]["categories"], json!(["Press", "Press / Logos"]));
    assert_eq!(scene.data.read("workspaces/main/media/hero-image.png"), png(3));
    let said = scene.said("hero-image.png");
    assert_eq!(said["uploaded_at"], known("uploaded_at"));
    assert_eq!(said.as_object().unwrap().len(), 3, "{said}");
    assert_eq!(scene.events(), [EventKind::MediaUploaded]);
    scene.is_sound();
}

#[test]
fn names_are_free_in_every_case() {
    let scene = Scene::new();
    scene.data.write("workspaces/main/media/Photo.PNG", png(1));
    scene.data.write("workspaces/main/media-meta/photo-2.png.json", r#"{"alt":"left over"}"#);
    scene.app.engine.follower().refresh_until_settled();
    // Nobody has told of this one yet.
    scene.data.write("workspaces/main/media/photo-3.png", png(1));
    let (first, second) = (png(2), png(3));
    let names = scene.put(&[("photo.png", &first), ("PHOTO.png", &second), ("a.txt", b"x")], None);
    assert_eq!(names, ["photo-2.png", "photo-4.png", "a.txt"]);
    assert_eq!(scene.data.read("workspaces/main/media/photo-4.png"), second);
    assert_eq!(scene.said("photo-2.png").get("alt"), None);
    assert_eq!(scene.put(&[("photo.png", &first)], None), ["photo-5.png"]);
    scene.app.engine.follower().refresh_until_settled();
    scene.is_sound();
}

#[test]
fn svg_is_cleaned() {
    let scene = Scene::new();
    let svg =
        b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script><path d='M0 0'/></svg>";
    assert_eq!(scene.put(&[("logo.svg", svg)], None), ["logo.svg"]);
    let stored = String::from_utf8(scene.data.read("workspaces/main/media/logo.svg")).unwrap();
    assert!(stored.contains("M0 0") && !stored.contains("script"), "{stored}");
    scene.is_sound();
}

#[test]
fn what_is_refused_leaves_nothing() {
    let scene = Scene::new();
    let check = |files: &[(&str, &[u8])], category: Option<&str>, code: Code, fields: &[&str]| {
        assert_eq!(scene.upload(files, category), refused(code, fields), "{fields:?}");
        assert!(scene.events().is_empty() && !scene.is_there("media"));
        assert!(!scene.is_there("media-meta") && !scene.is_there("media-categories.json"));
    };
    let picture = png(2);
    let cut = &picture[..20];
    let page = b"<html><script>alert(1)</script>".as_slice();
    let svg = b"<svg xmlns='http://www.w3.org/2000/svg'><g></svg>".as_slice();
    check(&[], None, Code::UploadFailed, &["media"]);
    check(&[("a.png", b"")], None, Code::UploadFailed, &["media[0]"]);
    check(&[("a.html", page)], None, Code::FileTypeNotAllowed, &["media[0]"]);
    check(&[("a.png", page)], None, Code::FileTypeNotAllowed, &["media[0]"]);
    check(&[("a.png", cut)], None, Code::InvalidImage, &["media[0]"]);
    check(&[("a.svg", svg)], None, Code::InvalidImage, &["media[0]"]);
    let mixed: &[(&str, &[u8])] = &[("a.png", &picture), ("b.exe", b"MZ\x90\0"), ("c.png", b"")];
    check(mixed, None, Code::FileTypeNotAllowed, &["media[1]", "media[2]"]);
    check(&[("a.png", &picture)], Some("a\0b"), Code::ValidationFailed, &["category"]);
    let many = vec![("a.png", picture.as_slice()); 65];
    check(&many, None, Code::UploadFailed, &["media"]);
}

#[test]
fn rights_are_asked_for_where_the_routes_say() {
    let scene = Scene::new();
    let picture = png(2);
    let file: &[(&str, &[u8])] = &[("a.png", &picture)];
    let may_upload = |grant: &str, category: Option<&str>| {
        scene.upload_as(grant, file, category)["code"].is_null()
    };
    assert!(may_upload("media.upload@media:*", None));
    assert!(may_upload("media.upload@media:*", Some("Press")));
    assert!(may_upload("media.upload@media:category:Press", Some("Press/Logos")));
    assert!(!may_upload("media.upload@media:category:Press", None));
    assert!(!may_upload("media.upload@media:category:Press", Some("Other")));
    assert!(!may_upload("media.update@media:*", None));
    assert!(!may_upload("media.upload@workspace:other:media:*", None));

    let (app, ws) = (&scene.app, ws());
    let one = target(&ws, "a.png");
    let gone = target(&ws, "gone.png");
    let seen = body(json!({ "visibility": "private" }));
    let press = body(json!({ "category": "Press" }));
    let code = |answer: Value| answer["code"].as_str().unwrap_or("ok").to_string();
    let file_only = by("media.*@media:a.png");
    assert_eq!(code(told(meta::set_visibility(app, &file_only, &one, &seen))), "forbidden");
    assert_eq!(code(told(meta::set_visibility(app, &file_only, &gone, &seen))), "forbidden");
    assert_eq!(code(told(meta::set_category(app, &file_only, &one, &press))), "ok");
    assert_eq!(code(told(meta::set_category(app, &file_only, &gone, &press))), "forbidden");
    assert_eq!(
        code(told(delete::delete_file(app, &file_only, &gone, UsageGuard::Off))),
        "forbidden"
    );
    assert_eq!(code(told(delete::delete_file(app, &file_only, &one, UsageGuard::Off))), "ok");
    let all = by(ALL);
    assert_eq!(code(told(meta::set_visibility(app, &all, &gone, &seen))), "not_found");
    assert_eq!(code(told(delete::delete_file(app, &all, &gone, UsageGuard::Off))), "ok");
}

#[test]
fn what_is_said_of_a_file_can_be_changed() {
    let scene = Scene::new();
    let picture = png(2);
    scene.put(&[("a.png", &picture)], None);
    let (app, ws, by) = (&scene.app, ws(), by(ALL));
    let one = target(&ws, "a.png");
    let path = "workspaces/main/media-meta/a.png.json";
    let mut said = scene.said("a.png");
    said["note"] = json!(7);
    scene.data.write(path, said.to_string());
    let set = |value: Value| told(meta::set_details(app, &by, &one, &body(value)));
    let answer = set(json!({ "alt": "A", "title": "T" }));
    assert_eq!((&answer["data"]["alt"], &answer["data"]["title"]), (&json!("A"), &json!("T")));
    assert_eq!(set(json!({ "alt": "" }))["data"]["alt"], "");
    let said = scene.said("a.png");
    assert_eq!((said.get("alt"), &said["title"], &said["note"]), (None, &json!("T"), &json!(7)));
    let events = scene.events().len();
    assert_eq!(set(json!({}))["data"]["title"], "T");
    assert_eq!(scene.events().len(), events, "nothing has happened");
    assert_eq!(
        set(json!({ "alt": 5, "title": [] })),
        refused(Code::ValidationFailed, &["alt", "title"])
    );

    let seen = |value: Value| told(meta::set_visibility(app, &by, &one, &body(value)));
    assert_eq!(seen(json!({ "visibility": "private" }))["data"]["visibility"], "private");
    assert_eq!(scene.said("a.png")["visibility"], "private");
    assert_eq!(seen(json!({})), refused(Code::ValidationFailed, &["visibility"]));
    let known = Precondition::Revs(vec![Checksum(1)]);
    let stale = MediaTarget { ws: &ws, name: "a.png", precondition: &known };
    let answer = told(meta::set_details(app, &by, &stale, &body(json!({ "alt": "B" }))));
    assert_eq!(answer, refused(Code::PreconditionFailed, &[]));

    let at = |value: Value| told(meta::set_category(app, &by, &one, &body(value)));
    let answer = at(json!({ "category": "b/c" }));
    assert_eq!(answer["data"]["category"], "b / c");
    assert_eq!(answer["meta"]["categories"], json!(["b", "b / c"]));
    assert_eq!(at(json!({ "category": "" }))["data"]["category"], "");
    assert_eq!(scene.categories(), ["b", "b / c"], "a category stays without files");
    scene.is_sound();
}

#[test]
fn many_files_change_together_or_not_at_all() {
    let scene = Scene::new();
    let picture = png(2);
    scene.put(&[("a.png", &picture), ("b.png", &picture)], None);
    let (app, ws, by) = (&scene.app, ws(), by(ALL));
    let seen = |value: Value| told(meta::set_visibility_of_many(app, &ws, &by, &body(value)));
    let wrong = json!({ "files": ["a.png", "gone.png", 5], "visibility": "secret" });
    assert_eq!(
        seen(wrong),
        refused(Code::ValidationFailed, &["visibility", "files[2]", "files[1]"])
    );
    assert_eq!(scene.said("a.png").get("visibility"), None);
    let answer = seen(json!({ "files": ["b.png", "a.png", "b.png"], "visibility": "private" }));
    assert_eq!(answer["data"].as_array().unwrap().len(), 2);
    assert_eq!((&answer["data"][0]["filename"], answer.get("meta")), (&json!("b.png"), None));
    let answer = told(meta::set_category_of_many(
        app,
        &ws,
        &by,
        &body(json!({ "files": ["a.png", "b.png"], "category": "New/Deep" })),
    ));
    assert_eq!(answer["meta"]["categories"], json!(["New", "New / Deep"]));
    assert_eq!(scene.said("b.png")["category"], "New / Deep");
    let answer = told(delete::delete_files(
        app,
        &ws,
        &by,
        &body(json!({ "files": ["a.png", "gone.png", "b.png"] })),
        UsageGuard::Off,
    ));
    assert_eq!(answer["data"]["deleted"], json!(["a.png", "b.png"]));
    assert!(answer["data"]["failed"]["gone.png"].is_string());
    assert!(!scene.is_there("media/a.png") && !scene.is_there("media-meta/b.png.json"));
    scene.is_sound();
}

#[test]
fn categories_are_made_renamed_and_deleted() {
    let scene = Scene::new();
    scene.data.write("workspaces/main/media-categories.json", r#"{"note":1,"categories":["Old"]}"#);
    scene.app.engine.follower().refresh_until_settled();
    let (app, ws, by) = (&scene.app, ws(), by(ALL));
    let make = |value: Value| told(categories::create(app, &ws, &by, &body(value)));
    let answer = make(json!({ "name": "Logos/Big", "parent": "Press" }));
    assert_eq!(answer["data"], json!({ "name": "Press / Logos / Big" }));
    let all = json!(["Old", "Press", "Press / Logos", "Press / Logos / Big"]);
    assert_eq!(answer["meta"]["categories"], all);
    assert_eq!(make(json!({ "name": "Press" }))["meta"]["categories"], all);
    assert_eq!(make(json!({})), refused(Code::ValidationFailed, &["name"]));
    let wrong = json!({ "name": "/", "parent": "a\u{0}" });
    assert_eq!(make(wrong), refused(Code::ValidationFailed, &["parent", "name"]));

    let picture = png(2);
    scene.put(&[("a.png", &picture), ("b.png", &picture)], Some("Press/Logos"));
    let name =
        |from: &str, value: Value| told(categories::rename(app, &ws, &by, from, &body(value)));
    let answer = name("Press", json!({ "name": "Media / Press" }));
    assert_eq!(answer["data"]["name"], "Media / Press");
    let moved =
        ["Media", "Media / Press", "Media / Press / Logos", "Media / Press / Logos / Big", "Old"];
    assert_eq!(answer["meta"]["categories"], json!(moved));
    assert_eq!(scene.said("a.png")["category"], "Media / Press / Logos");
    assert_eq!(
        name("Press", json!({ "name": "x" })),
        refused(Code::ValidationFailed, &["category"])
    );
    assert_eq!(name("Press", json!({})), refused(Code::ValidationFailed, &["name", "category"]));
    let deep = json!({ "name": "1/2/3/4/5/6/7/8" });
    let answer = name("Media", deep);
    assert_eq!(answer["code"], "validation_failed");
    scene.is_sound();

    let answer = told(categories::delete(app, &ws, &by, "Media/Press"));
    assert_eq!(
        (&answer["data"]["ok"], &answer["meta"]["categories"]),
        (&json!(true), &json!(["Media", "Old"]))
    );
    assert_eq!(scene.said("b.png").get("category"), None);
    let file: Value =
        serde_json::from_slice(&scene.data.read("workspaces/main/media-categories.json")).unwrap();
    assert_eq!(file, json!({ "note": 1, "categories": ["Media", "Old"] }));
    let answer = told(categories::delete(app, &ws, &by, "Media/Press"));
    assert_eq!(answer, refused(Code::ValidationFailed, &["category"]));
    scene.is_sound();
}

#[test]
fn the_right_to_rename_a_category_reaches_where_it_goes() {
    let scene = Scene::new();
    let (app, ws) = (&scene.app, ws());
    for path in ["Press/Logos", "Other/Logos"] {
        let path = body(json!({ "name": path }));
        categories::create(app, &ws, &by(ALL), &path).unwrap();
    }
    let check = |from: &str, to: &str, allowed: bool| {
        let to_body = body(json!({ "name": to }));
        let press = by("media.update@media:category:Press");
        let answer = told(categories::rename(app, &ws, &press, from, &to_body));
        assert_eq!(answer["code"] != "forbidden", allowed, "{from} → {to}: {answer}");
    };
    check("Other / Logos", "Press / Logos 2", false);
    check("Press / Logos", "Other / Logos 2", false);
    check("Press / Logos", "Logos", false);
    check("Press / Logos", "Other / Logos", false);
    check("Press", "Other", false);
    check("Press / Logos", "Press / Signs", true);
    check("Press", "News", true);
}

#[test]
fn references_follow_a_file_that_is_renamed() {
    let scene = Scene::new();
    let schema = r#"{"fields":{"hero":{"type":"media"},"rows":{"type":"repeater",
        "subfields":[{"key":"pictures","type":"media","multiple":true}]}},"locales":["en","de"]}"#;
    scene.data.write("workspaces/main/schemas/posts.json", schema);
    let entry = r#"{
    "title": "One",  "data": { "hero": "a.png", "rows": [{"pictures": ["b.png", "a.png"]}] },
    "translations": { "de": { "data": { "hero": ["a.png"] } } }
}"#;
    scene.data.write("workspaces/main/content/posts/one.json", entry);
    scene.data.write("workspaces/main/content/posts/two.json", r#"{"data":{"hero":["b.png"]}}"#);
    scene.data.write("workspaces/main/content/posts/bad.json", r#"{"data":{"hero":["a.png"]"#);
    scene.data.write("workspaces/main/trash/posts/old.json", r#"{"data":{"hero":["a.png"]}}"#);
    scene.app.engine.follower().refresh_until_settled();
    let picture = png(2);
    scene.put(&[("a.png", &picture), ("b.png", &picture)], Some("Press"));
    let (app, ws, by) = (&scene.app, ws(), by(ALL));
    let name =
        |value: Value| told(rename::rename_file(app, &by, &target(&ws, "a.png"), &body(value)));
    assert_eq!(name(json!({})), refused(Code::ValidationFailed, &["name"]));
    assert_eq!(name(json!({ "name": "B.PNG" })), refused(Code::ValidationFailed, &["name"]));
    assert_eq!(name(json!({ "name": "A" }))["meta"]["updated_entries"], 0);
    // The broken file cannot be rewritten.
    assert_eq!(name(json!({ "name": "New Name.exe" })), refused(Code::Conflict, &[]));
    scene.data.write("workspaces/main/content/posts/bad.json", r#"{"data":{"hero":["b.png"]"#);
    scene.app.engine.follower().refresh_until_settled();
    let answer = name(json!({ "name": "New Name.exe" }));
    assert_eq!(answer["data"]["filename"], "new-name.png");
    assert_eq!(answer["data"]["category"], "Press");
    assert_eq!(answer["meta"]["updated_entries"], 2);
    let one = String::from_utf8(scene.data.read("workspaces/main/content/posts/one.json")).unwrap();
    assert_eq!(one, entry.replace("a.png", "new-name.png"));
    let old = scene.data.read("workspaces/main/trash/posts/old.json");
    assert_eq!(old, br#"{"data":{"hero":["new-name.png"]}}"#);
    assert!(!scene.is_there("media/a.png") && !scene.is_there("media-meta/a.png.json"));
    let kept = scene.data.files("workspaces/main/revisions/posts/one", ".json");
    assert_eq!(kept.len(), 1, "{kept:?}");
    assert!(kept[0].ends_with("-media-tok_writer.json"), "{kept:?}");
    assert_eq!(scene.data.files("journal", "").len(), 0);
    scene.is_sound();
}

/// What is kept for thumbnails, by path.
fn kept_thumbnails(data: &Data) -> Vec<String> {
    let mut found = std::collections::BTreeSet::new();
    folder::files_below(data.root(), ".recto/thumbs", &mut found);
    found.into_iter().collect()
}

#[test]
fn a_picture_that_cannot_be_decoded_is_decoded_once() {
    let scene = Scene::new();
    let whole = png(700);
    // The header is whole, so there should be a thumbnail.
    scene.data.write("workspaces/main/media/cut.png", &whole[..whole.len() / 2]);
    scene.app.engine.follower().refresh_until_settled();
    let thumbnail = |scene: &Scene| {
        // Without what the memory knows.
        let app = folder::app(&scene.app.engine);
        let snapshot = app.engine.snapshot("main").unwrap();
        let item = snapshot.media.get("cut.png").unwrap().clone();
        let (blob, item) = media_files::open(&app, &snapshot, &item).unwrap();
        let kept = media_files::load_thumbnail(&app, &snapshot, &item, &blob);
        kept.map(|it| it.is_some()).map_err(|error| error.code).and_then(|is_kept| {
            let made = media_files::make_thumbnail(&app, &snapshot, &item, blob);
            made.map(|bytes| (is_kept, bytes)).map_err(|error| error.code)
        })
    };
    assert_eq!(thumbnail(&scene), Err(Code::NotFound));
    let kept = kept_thumbnails(&scene.data);
    assert_eq!(kept.len(), 1, "{kept:?}");
    // Nobody looks at the picture again: what is kept answers.
    scene.data.write(&kept[0], png(3));
    assert_eq!(thumbnail(&scene), Ok((true, png(3).into())));
    // Another version may know better.
    scene.data.write(&kept[0], "cannot be decoded by 0.0.1");
    assert_eq!(thumbnail(&scene), Err(Code::NotFound));
    assert_ne!(scene.data.read(&kept[0]), b"cannot be decoded by 0.0.1");
}

#[test]
fn an_upload_brings_its_thumbnail() {
    let scene = Scene::new();
    scene.put(&[("wide.png", &png(900))], None);
    let snapshot = scene.app.engine.snapshot("main").unwrap();
    let item = snapshot.media.get("wide.png").unwrap().clone();
    let (blob, item) = media_files::open(&scene.app, &snapshot, &item).unwrap();
    let kept = media_files::load_thumbnail(&scene.app, &snapshot, &item, &blob).unwrap().unwrap();
    assert_eq!(image::load_from_memory(&kept).unwrap().width(), 512);
}

#[test]
fn the_bytes_of_an_upload_are_known_whatever_becomes_of_the_file() {
    let scene = Scene::new();
    let bytes = vec![b'x'; 300_000];
    scene.put(&[("large.txt", &bytes)], None);
    let tag = |app: &App, name: &str| {
        let item = app.engine.snapshot("main").unwrap().media.get(name).unwrap().clone();
        item.tag.content
    };
    assert_eq!(tag(&scene.app, "large.txt"), Some(Checksum::of_bytes(&bytes)));
    let ws = ws();
    let to = body(json!({"name": "other.txt"}));
    rename::rename_file(&scene.app, &by(ALL), &target(&ws, "large.txt"), &to).unwrap();
    assert_eq!(tag(&scene.app, "other.txt"), Some(Checksum::of_bytes(&bytes)));
    scene.is_sound();
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let fresh = folder::app(&folder::fresh(scene.data.root(), &clock));
    assert_eq!(tag(&fresh, "other.txt"), Some(Checksum::of_bytes(&bytes)));
}
