//! The trash: what comes back is what was deleted, and what goes for good leaves nothing.

use recto::app::content::entries::EffortResult;
use recto::app::content::trash;
use recto::app::content::write_target::WriteTarget;
use recto::app::precondition::Precondition;
use recto::model::event::EventKind;
use recto::query::execute::executor::Effort;
use recto::query::request::params::QueryParams;

use crate::support::entry_writes::Scene;
use crate::support::entry_writes::all;
use crate::support::entry_writes::code;
use crate::support::entry_writes::data;
use crate::support::entry_writes::grant;
use crate::support::entry_writes::map;
use crate::support::entry_writes::text;
use crate::support::entry_writes::ws;
use crate::support::events::list_event_kinds;
use crate::support::random_content::token;

impl Scene {
    fn restore(&self, ty: &str, name: &str) -> String {
        let by = self.by(&all());
        let restored = trash::restore(&self.app, &ws(), &by, ty, name, Precondition::None);
        match restored {
            Ok(written) => format!("{} {}", written.id, text(&data(&written), "slug")),
            refused => code(refused),
        }
    }

    /// The ids on a page of the trash and the total; nothing if it takes more effort.
    fn page(&self, grant: &str, query: &str, effort: Effort) -> Option<String> {
        let (snapshot, caller) = (self.app.engine.snapshot(&ws()).unwrap(), token(&[grant.into()]));
        let params = QueryParams::parse(query).unwrap();
        let page = trash::list(&self.app, &snapshot, &caller, "posts", &params, effort).unwrap();
        let EffortResult::Done(page) = page else { return None };
        let shown = page.entries.iter().map(|it| map(&serde_json::to_string(it).unwrap()));
        let ids: Vec<String> = shown.map(|it| text(&it, "id")).collect();
        Some(format!("{} of {}", ids.join(" "), page.total))
    }

    fn purge(&self, ty: &str, name: &str) -> String {
        let by = self.by(&all());
        code(trash::purge(&self.app, &ws(), &by, ty, name, Precondition::None))
    }

    /// The files of entries, in the trash and of revisions, of one type.
    fn everything(&self, ty: &str) -> [Vec<String>; 3] {
        ["content", "trash", "revisions"].map(|folder| self.files(&format!("{folder}/{ty}")))
    }

    /// The same, as text.
    fn shown(&self, ty: &str) -> String {
        self.everything(ty).map(|it| it.join(" ")).join(" | ")
    }
}

const A: &str = r#"{
	"title": "A",   "slug": "a", "colour": 7,
	"created_at": "2026-05-01T00:00:00Z", "updated_at": "2026-05-01T00:00:00Z", "data": {}
}"#;

#[test]
fn what_comes_back_is_what_was_deleted() {
    let scene = Scene::new(&[("content/posts/a.json", A)]);
    scene.update(&all(), "a", r#"{"body":"one"}"#).unwrap();
    let before = scene.file("content/posts/a.json");
    scene.delete(&all(), "posts", "a").unwrap();
    assert_eq!(scene.shown("posts"), " | a.json | a");
    assert_eq!(scene.restore("posts", "a"), "a a");
    assert_eq!(scene.file("content/posts/a.json"), before);
    assert_eq!(scene.shown("posts"), "a.json |  | a");
    assert_eq!(scene.restore("posts", "a"), "not_found");
    let kinds = list_event_kinds(&scene.app.engine);
    let expect = [EventKind::ContentUpdated, EventKind::ContentDeleted, EventKind::ContentRestored];
    assert_eq!(kinds, expect);
}

#[test]
fn a_slug_that_was_taken_gets_a_number() {
    let scene = Scene::new(&[("content/posts/x.json", A)]);
    scene.delete(&all(), "posts", "x").unwrap();
    scene.create(&all(), "posts", r#"{"title":"A"}"#).unwrap();
    assert_eq!(scene.restore("posts", "x"), "x a-2");
}

#[test]
fn an_id_that_became_a_slug_keeps_an_entry_out() {
    let scene = Scene::new(&[("content/posts/a.json", A)]);
    scene.delete(&all(), "posts", "a").unwrap();
    scene.create(&all(), "posts", r#"{"title":"B","slug":"a"}"#).unwrap();
    let before = scene.everything("posts");
    assert_eq!(scene.restore("posts", "a"), "conflict");
    assert_eq!(scene.everything("posts"), before);
    scene.update(&all(), "a", r#"{"slug":"b"}"#).unwrap();
    assert_eq!(scene.restore("posts", "a"), "a a");
}

#[test]
fn a_unique_value_that_was_taken_keeps_an_entry_out() {
    let schema = r#"{"locales":["en","de"],
        "fields":{"title":{"type":"text","unique":true},"code":{"unique":true}}}"#;
    let other = r#"{"title":"It","slug":"it","data":{"code":"ONE"},
        "translations":{"de":{"title":"Es","data":{"code":"zwei"}}}}"#;
    let check = |file: &str, expect: &str| {
        let file = format!(r#"{{"slug":"s",{file}}}"#);
        let scene = Scene::new(&[
            ("schemas/posts.json", schema),
            ("content/posts/it.json", other),
            ("trash/posts/t.json", file.as_str()),
        ]);
        assert_eq!(scene.restore("posts", "t"), expect, "{file}");
        let n_left = usize::from(expect != "t s");
        assert_eq!(scene.files("trash/posts").len(), n_left, "{file}");
    };
    check(r#""title":"T","data":{"code":"three"}"#, "t s");
    check(r#""title":"T","data":{"code":""}"#, "t s");
    check(r#""title":"T","data":{"code":"one"}"#, "validation_failed code");
    check(r#""title":"T","data":{"code":"Zwei"}"#, "validation_failed code");
    check(r#""title":"ES","data":{"code":"one"}"#, "validation_failed title code");
    let translated = |code: &str| {
        let data = r#"{"title":"IT","data":{"code":"One"}}"#;
        format!(r#""title":"T","translations":{{"{code}":{data}}}"#)
    };
    check(&translated("de"), "validation_failed title code");
    // No locale of the type shows these values.
    check(&translated("fr"), "t s");
}

#[test]
fn pages_come_back_one_at_a_time() {
    let scene = Scene::new(&[]);
    for title in ["First", "Second", "Third"] {
        scene.create(&all(), "page", &format!(r#"{{"title":"{title}"}}"#)).unwrap();
        let again = format!(r#"{{"title":"{title} again"}}"#);
        let by = scene.by(&all());
        let none = recto::app::precondition::Precondition::None;
        let body = crate::support::entry_writes::map(&again);
        recto::app::content::entries::update(
            &scene.app,
            &ws(),
            &by,
            &WriteTarget::Live,
            ("page", "page"),
            body,
            none,
        )
        .unwrap();
        scene.delete(&all(), "page", "page").unwrap();
    }
    let [content, trash, revisions] = scene.everything("page");
    assert_eq!((content.len(), trash.len(), revisions.len()), (0, 3, 3));
    let titles: Vec<(String, String)> = trash
        .iter()
        .map(|name| (name.clone(), scene.file(&format!("trash/page/{name}"))))
        .collect();
    let second = titles.iter().find(|(_, file)| file.contains("Second again")).unwrap();
    let name = second.0.strip_suffix(".json").unwrap();
    assert_eq!(scene.restore("page", name), "page page");
    assert!(scene.file("content/page/page.json").contains("Second again"));
    let kept = scene.files("revisions/page/page");
    assert_eq!(kept.len(), 1);
    assert!(scene.file(&format!("revisions/page/page/{}", kept[0])).contains("\"Second\""));
    let other = titles.iter().find(|(_, file)| file.contains("First again")).unwrap();
    let name = other.0.strip_suffix(".json").unwrap();
    assert_eq!(scene.restore("page", name), "conflict");
    assert_eq!(scene.purge("page", name), "ok");
    // The revisions of the page that is there stay.
    assert_eq!(scene.files("revisions/page/page").len(), 1);
    assert_eq!(scene.everything("page")[1].len(), 1);
}

#[test]
fn an_id_means_the_last_entry_that_was_deleted_under_it() {
    let file = |slug: &str, month: u32| {
        format!(r#"{{"title":"A","slug":"{slug}","deleted_at":"2026-0{month}-01T00:00:00Z"}}"#)
    };
    let (one, two, three) = (file("one", 1), file("two", 3), file("three", 2));
    let scene = Scene::new(&[
        ("trash/posts/a~1.json", one.as_str()),
        ("trash/posts/a~2.json", two.as_str()),
        ("trash/posts/a~3.json", three.as_str()),
    ]);
    // What is deleted for good is named exactly: sent again, it would hit another one.
    assert_eq!(scene.purge("posts", "a"), "not_found");
    assert_eq!(scene.restore("posts", "a"), "a two");
    assert_eq!(scene.restore("posts", "a"), "conflict");
    assert_eq!(scene.restore("posts", "b"), "not_found");
    assert_eq!(scene.files("trash/posts"), ["a~1.json", "a~3.json"]);
}

#[test]
fn what_is_purged_leaves_nothing() {
    let scene = Scene::new(&[("content/posts/a.json", A)]);
    scene.update(&all(), "a", r#"{"body":"one"}"#).unwrap();
    assert_eq!(scene.purge("posts", "a"), "not_found");
    scene.delete(&all(), "posts", "a").unwrap();
    assert_eq!(scene.purge("posts", "a"), "ok");
    assert_eq!(scene.shown("posts"), " |  | ");
    for name in ["../a", "a~0", "a/b", ""] {
        assert_eq!(scene.purge("posts", name), "not_found", "{name}");
    }
}

#[test]
fn rights_are_those_on_what_it_was() {
    let scene = Scene::new(&[
        ("trash/posts/a.json", r#"{"title":"A","status":"published","author_id":"u1"}"#),
        ("trash/posts/b.json", r#"{"title":"B"}"#),
    ]);
    let check = |actions: &str, more: &str, name: &str, expect: &str| {
        let caller = token(&[grant(actions, "content:posts:*", more)]);
        let (by, precondition) = (scene.by(&caller), Precondition::None);
        let restored = trash::restore(&scene.app, &ws(), &by, "posts", name, precondition);
        assert_eq!(code(restored), expect, "{actions} {more} {name}");
    };
    // What nobody of these reads is as good as missing.
    check("update create", "", "a", "not_found");
    check("update create read", "", "a", "forbidden");
    check("restore", "", "a", "forbidden");
    check("restore publish", r#","conditions":{"own":true}"#, "a", "not_found");
    check("restore", r#","conditions":{"status":["published"]}"#, "b", "not_found");
    check("restore publish", "", "a", "ok");
    // Only a grant without conditions covers the type for those who do not read the entry.
    check("restore", r#","conditions":{"status":["draft"]}"#, "b", "not_found");
    check("restore read", r#","conditions":{"status":["draft"]}"#, "b", "ok");
}

#[test]
fn a_page_reads_the_files_that_it_shows() {
    let file = |n: usize| {
        let (hour, minute) = (n / 60, n % 60);
        format!(r#"{{"title":"No {n}","deleted_at":"2026-01-01T{hour:02}:{minute:02}:00Z"}}"#)
    };
    let files: Vec<(String, String)> =
        (0..300).map(|n| (format!("trash/posts/e{n}.json"), file(n))).collect();
    let mut files: Vec<(&str, &str)> =
        files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    files.push(("trash/posts/broken.json", "{"));
    let scene = Scene::new(&files);
    let everything = grant("read", "content:*", "");
    // No file was read before.
    assert_eq!(scene.page(&everything, "limit=1", Effort::Thorough), None);
    let first = scene.page(&everything, "limit=2", Effort::Heavy);
    assert_eq!(first.as_deref(), Some("e299 e298 of 300"));
    // Now the order is known.
    let next = scene.page(&everything, "limit=2&offset=2", Effort::Thorough);
    assert_eq!(next.as_deref(), Some("e297 e296 of 300"));
    assert_eq!(scene.page(&everything, "", Effort::Thorough), None);
    assert_eq!(scene.page(&everything, "limit=1&q=no", Effort::Thorough), None);
    // A file that has changed is read again.
    let path = scene.data.path().join("workspaces/main/trash/posts/e7.json");
    std::fs::write(path, r#"{"title":"Last","deleted_at":"2026-02-01T00:00:00Z"}"#).unwrap();
    let changed = scene.page(&everything, "limit=2", Effort::Thorough);
    assert_eq!(changed.as_deref(), Some("e7 e299 of 300"));
    // What some may read depends on what is in the files.
    let drafts = grant("read", "content:*", r#","conditions":{"status":["published"]}"#);
    assert_eq!(scene.page(&drafts, "limit=1", Effort::Thorough), None);
    assert_eq!(scene.page(&drafts, "limit=1", Effort::Heavy).as_deref(), Some(" of 0"));
}
