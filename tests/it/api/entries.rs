//! Writing entries through the use cases: who may do what, in which order it is told, and what is
//! in the folder afterwards.

use recto::app::access::Caller;
use recto::app::content::entries;
use recto::app::content::write_target::WriteTarget;
use recto::app::error::Code;
use recto::app::precondition::Precondition;
use recto::model::event::EventKind;
use recto::model::event::EventSource;
use recto::stdx::checksum::Checksum;
use recto::stdx::json::Json;

use crate::support::entry_writes::Scene;
use crate::support::entry_writes::all;
use crate::support::entry_writes::code;
use crate::support::entry_writes::data;
use crate::support::entry_writes::grant;
use crate::support::entry_writes::map;
use crate::support::entry_writes::text;
use crate::support::entry_writes::ws;
use crate::support::random_content::NOW;
use crate::support::random_content::TOKEN;
use crate::support::random_content::token;

#[test]
fn an_entry_is_made_changed_and_deleted() {
    let scene = Scene::new(&[]);
    let made = scene.create(&all(), "posts", r#"{"title":"Hi","bogus":1}"#).unwrap();
    let id = made.id.to_string();
    let shown = data(&made);
    assert_eq!(
        (text(&shown, "slug"), text(&shown, "author_id")),
        ("hi".into(), format!("tok_{TOKEN}"))
    );
    assert!(String::from_utf8_lossy(&made.shown.body).contains(r#""meta":{"warnings":["bogus: "#));
    assert!(
        scene.file(&format!("content/posts/{id}.json")).starts_with("{\n  \"title\": \"Hi\",\n")
    );
    let same = scene.update(&all(), "hi", r#"{"title":"Hi"}"#).unwrap();
    assert_eq!(same.shown.rev, made.shown.rev);
    assert!(scene.files(&format!("revisions/posts/{id}")).is_empty());
    let changed = scene.update(&all(), &id, r#"{"body":"x","status":"published"}"#).unwrap();
    assert_ne!(changed.shown.rev, made.shown.rev);
    assert_eq!(text(&data(&changed), "published_at"), NOW);
    let revisions = scene.files(&format!("revisions/posts/{id}"));
    assert!(
        revisions.len() == 1 && revisions[0].ends_with(&format!("-update-tok_{TOKEN}.json")),
        "{revisions:?}"
    );
    scene.delete(&all(), "posts", "hi").unwrap();
    let trashed = map(&scene.file(&format!("trash/posts/{id}.json")));
    assert_eq!(
        (text(&trashed, "deleted_at"), text(&trashed, "deleted_by")),
        (NOW.into(), format!("tok_{TOKEN}"))
    );
    assert!(scene.files("content/posts").is_empty());
    assert_eq!(code(scene.delete(&all(), "posts", "hi")), "not_found");
    use EventKind::{ContentCreated, ContentDeleted, ContentPublished, ContentUpdated};
    assert_eq!(scene.told(), [ContentCreated, ContentUpdated, ContentPublished, ContentDeleted]);
}

const FILES: &[(&str, &str)] = &[
    ("content/posts/open.json", r#"{"title":"Open","status":"published","author_id":"u1"}"#),
    (
        "content/posts/draft.json",
        r#"{"title":"Draft","slug":"d","author_id":"tok_0123456789abcdef","data":{"code":"C1"}}"#,
    ),
    (
        "content/posts/linked.json",
        r#"{"title":"Linked","status":"published","data":{"link":"draft"}}"#,
    ),
];

#[test]
fn who_may_change_what() {
    let scene = Scene::new(FILES);
    let check = |grants: &[String], name: &str, body: &str, expect: &str| {
        assert_eq!(
            code(scene.update(&token(grants), name, body)),
            expect,
            "{grants:?} {name} {body}"
        );
    };
    let only = |actions: &str, resource: &str, more: &str| vec![grant(actions, resource, more)];
    let body = r#"{"body":5}"#;
    check(&only("update", "content:posts:*", ""), "draft", body, "ok");
    check(&only("update", "content:posts:*", ""), "nobody", body, "not_found");
    check(&only("read update", "content:posts:*", ""), "d", body, "ok");
    // Who may not read it is not told that it is there.
    check(&only("update", "content:posts:d", ""), "d", body, "not_found");
    check(&only("update", "content:posts:open", ""), "draft", body, "not_found");
    check(
        &[grant("read", "content:*", ""), grant("update", "content:posts:d", "")],
        "draft",
        body,
        "ok",
    );
    check(
        &[grant("read", "content:*", ""), grant("update", "content:posts:d", "")],
        "open",
        body,
        "forbidden",
    );
    let own = r#","conditions":{"own":true}"#;
    check(
        &[grant("read", "content:*", ""), grant("update", "content:*", own)],
        "open",
        body,
        "forbidden",
    );
    check(
        &[grant("read", "content:*", ""), grant("update", "content:*", own)],
        "draft",
        body,
        "ok",
    );
    let fields = r#","fields":["body","title"]"#;
    check(
        &only("read update", "content:*", fields),
        "draft",
        r#"{"body":"b","title":"D","slug":"d"}"#,
        "ok",
    );
    check(&only("read update", "content:*", fields), "draft", r#"{"slug":"other"}"#, "forbidden");
    let drafts = r#","conditions":{"status":["draft"]}"#;
    check(
        &only("update publish", "content:*", drafts),
        "draft",
        r#"{"status":"archived"}"#,
        "not_found",
    );
    check(
        &[grant("read", "content:*", ""), grant("update publish", "content:*", drafts)],
        "draft",
        r#"{"status":"archived"}"#,
        "forbidden",
    );
    let writer = only("read update", "content:*", "");
    check(&writer, "draft", r#"{"status":"published"}"#, "forbidden");
    check(&writer, "draft", r#"{"status":"scheduled","published_at":"2030-01-01"}"#, "forbidden");
    check(&writer, "open", r#"{"status":"published","body":"y"}"#, "ok");
    check(&writer, "open", r#"{"published_at":"2026-01-01"}"#, "forbidden");
    check(&writer, "open", r#"{"author_id":"u2","body":"z"}"#, "ok");
    check(&writer, "open", r#"{"author_id":[]}"#, "ok");
    assert!(scene.file("content/posts/open.json").contains("\"author_id\":\"u1\""));
    // A refusal comes before what is wrong with the request.
    check(&writer, "draft", r#"{"status":"published","title":null}"#, "forbidden");
    check(&writer, "draft", r#"{"title":null,"link":"nobody"}"#, "validation_failed title link");
    assert_eq!(code(scene.update(&Caller::Anonymous, "open", "{}")), "unauthorized");
    let create = |grants: &[String], body: &str| code(scene.create(&token(grants), "posts", body));
    assert_eq!(create(&only("create", "content:posts:*", own), r#"{"title":"T"}"#), "ok");
    assert_eq!(create(&only("create", "content:posts:x", ""), r#"{"title":"T"}"#), "forbidden");
    assert_eq!(
        create(&only("create", "content:*", ""), r#"{"title":"T","status":"published"}"#),
        "forbidden"
    );
    assert_eq!(
        create(&only("create publish", "content:*", ""), r#"{"title":"T","status":"published"}"#),
        "ok"
    );
    assert_eq!(
        create(&only("create", "content:*", ""), r#"{"link":"x"}"#),
        "validation_failed title link"
    );
    assert_eq!(code(scene.create(&all(), "nothing", "{}")), "not_found");
}

#[test]
fn what_a_writer_does_not_see_stays_and_is_not_told() {
    let scene = Scene::new(FILES);
    let blind =
        token(&[grant("update", "content:posts:*", ""), grant("read", "content:posts:linked", "")]);
    let written = scene.update(&blind, "linked", r#"{"link":null,"body":"x"}"#).unwrap();
    let shown = data(&written);
    assert_eq!(shown.get("data").unwrap().as_object().unwrap().get("link"), Some(&Json::Null));
    assert!(scene.file("content/posts/linked.json").contains("\"link\":\"draft\""));
    assert_eq!(
        code(scene.update(&blind, "linked", r#"{"link":"draft"}"#)),
        "validation_failed link"
    );
    assert_eq!(code(scene.update(&all(), "linked", r#"{"link":"d"}"#)), "ok");
    // It may write what it may not read, and is shown what it wrote.
    let unseen = scene.update(&blind, "draft", r#"{"body":"y"}"#).unwrap();
    assert_eq!(text(&data(&unseen), "title"), "Draft");
}

#[test]
fn preconditions_come_before_what_is_wrong() {
    let scene = Scene::new(FILES);
    let rev = scene.update(&all(), "open", "{}").unwrap().shown.rev;
    let attempt = |caller: &Caller, body: &str, revs: Vec<Checksum>| {
        scene.update_if(caller, "open", body, Precondition::Revs(revs))
    };
    let failed = attempt(&all(), r#"{"title":null}"#, vec![Checksum(1)]).err().unwrap();
    assert_eq!(failed.code, Code::PreconditionFailed);
    let current = Json::parse(failed.current_state().unwrap().get().as_bytes()).unwrap();
    assert_eq!(text(current.as_object().unwrap(), "title"), "Open");
    let blind = token(&[grant("update", "content:posts:*", "")]);
    assert!(attempt(&blind, "{}", vec![Checksum(1)]).err().unwrap().current_state().is_none());
    assert_eq!(
        code(attempt(&all(), r#"{"title":null}"#, vec![Checksum(1), rev])),
        "validation_failed title"
    );
    assert_eq!(code(attempt(&all(), r#"{"body":"x"}"#, vec![Checksum(1), rev])), "ok");
    assert_eq!(code(attempt(&all(), r#"{"body":"y"}"#, vec![rev])), "precondition_failed");
    assert_eq!(code(scene.update_if(&all(), "open", r#"{"body":"z"}"#, Precondition::Any)), "ok");
}

#[test]
fn slugs_and_unique_values_are_shared_by_nobody() {
    let mut scene = Scene::new(FILES);
    let slug = |scene: &Scene, body: &str| {
        text(&data(&scene.create(&all(), "posts", body).unwrap()), "slug")
    };
    assert_eq!(slug(&scene, r#"{"title":"Open"}"#), "open-2");
    assert_eq!(slug(&scene, r#"{"title":"Open"}"#), "open-3");
    assert_eq!(slug(&scene, r#"{"title":"T","slug":"draft"}"#), "draft-2");
    assert_eq!(
        code(scene.create(&all(), "posts", r#"{"title":"T","code":"c1"}"#)),
        "validation_failed code"
    );
    scene.source = EventSource::Admin;
    assert_eq!(
        code(scene.create(&all(), "posts", r#"{"title":"T","slug":"d"}"#)),
        "validation_failed slug"
    );
    scene.source = EventSource::Api;
    let slugs: Vec<String> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|_| {
                scope.spawn(|| {
                    (0..10).map(|_| slug(&scene, r#"{"title":"Race"}"#)).collect::<Vec<_>>()
                })
            })
            .collect();
        threads.into_iter().flat_map(|it| it.join().unwrap()).collect()
    });
    let distinct: std::collections::HashSet<_> = slugs.iter().collect();
    assert_eq!(distinct.len(), 80);
    let codes: Vec<String> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|_| {
                scope
                    .spawn(|| code(scene.create(&all(), "posts", r#"{"title":"U","code":"once"}"#)))
            })
            .collect();
        threads.into_iter().map(|it| it.join().unwrap()).collect()
    });
    assert_eq!(codes.iter().filter(|it| *it == "ok").count(), 1, "{codes:?}");
}

#[test]
fn a_single_page_is_there_once_and_its_trash_keeps_all() {
    let scene = Scene::new(&[]);
    for round in 0..3 {
        let made =
            scene.create(&all(), "page", &format!(r#"{{"title":"P{round}","slug":"x"}}"#)).unwrap();
        assert_eq!((made.id.as_str(), text(&data(&made), "slug")), ("page", "page".into()));
        assert_eq!(
            code(scene.create(&all(), "page", r#"{"title":"Again"}"#)),
            "validation_failed slug"
        );
        let by = scene.by(&all());
        let body = map(&format!(r#"{{"title":"Q{round}"}}"#));
        entries::update(
            &scene.app,
            &ws(),
            &by,
            &WriteTarget::Live,
            ("page", "page"),
            body,
            Precondition::None,
        )
        .unwrap();
        scene.delete(&all(), "page", "page").unwrap();
    }
    assert_eq!(scene.files("trash/page"), ["page.json", "page~1.json", "page~2.json"]);
    for folder in ["revisions/page/page", "revisions/page/page~1", "revisions/page/page~2"] {
        assert_eq!(scene.files(folder).len(), 1, "{folder}");
    }
    assert_eq!(text(&map(&scene.file("trash/page/page.json")), "title"), "Q2");
    assert_eq!(text(&map(&scene.file("trash/page/page~1.json")), "title"), "Q0");
}
