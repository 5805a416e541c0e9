//! Changes beside what is live: nobody without the right sees a byte of them, and links to them
//! end.

use std::sync::Arc;

use recto::app::access::Caller;
use recto::app::content::change_access;
use recto::app::content::changes;
use recto::app::content::changes::ChangeRequest;
use recto::app::content::entries;
use recto::app::content::write_target::WriteTarget;
use recto::app::error::Code;
use recto::app::precondition::Precondition;
use recto::app::usage_guard::UsageGuard;
use recto::query::index::snapshot::Snapshot;

use crate::support::entry_writes::Scene;
use crate::support::entry_writes::all;
use crate::support::entry_writes::code;
use crate::support::entry_writes::grant;
use crate::support::entry_writes::map;
use crate::support::entry_writes::ws;
use crate::support::property::run;
use crate::support::random_content::Draw;
use crate::support::random_content::token;
use crate::support::reads::Got;
use crate::support::reads::list;
use crate::support::reads::show;

const DRAFTED: &str = r#"{"drafts":true,"fields":{"body":{"type":"textarea"},
    "code":{"unique":true},"link":{"type":"relation","target":"posts"}}}"#;

const NAMES: [&str; 4] = ["a", "b", "c", "d"];

fn scene() -> Scene {
    let entry = |title: &str, status: &str| {
        format!(
            r#"{{"title":"{title}","slug":"{title}","status":"{status}",
            "published_at":"2026-01-01T00:00:00Z","data":{{"body":"the body of {title}"}}}}"#
        )
    };
    let files: Vec<(String, String)> = NAMES
        .iter()
        .map(|name| {
            let status = if *name == "d" { "draft" } else { "published" };
            (format!("content/posts/{name}.json"), entry(name, status))
        })
        .chain([("schemas/posts.json".to_string(), DRAFTED.to_string())])
        .collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (&**path, &**text)).collect();
    Scene::new(&files)
}

/// An author, who may do everything with entries but publish them.
fn author() -> Caller {
    token(&[grant("read create update delete", "content:*", "")])
}

/// Whoever reads no more than everybody, with a token.
fn reader() -> Caller {
    token(&[grant("read", "content:*", r#","conditions":{"status":["published"]}"#)])
}

fn live(scene: &Scene) -> Arc<Snapshot> {
    scene.app.engine.snapshot("main").unwrap()
}

/// Everything that a caller reads.
fn seen(scene: &Scene, snapshot: &Arc<Snapshot>, caller: &Caller) -> Vec<Got> {
    let queries =
        ["", "sort=title", "q=proposed", "filter[title]=proposed", "include=link", "counts=status"];
    let lists = queries.iter().map(|it| list(&scene.app, snapshot, caller, "posts", it));
    let names = NAMES.iter().chain(&["proposed", "proposed-2"]);
    let entries = names.map(|it| show(snapshot, caller, "posts", it, ""));
    lists.chain(entries).collect()
}

/// Does something that an author may do, or is refused.
fn act(scene: &Scene, draw: &mut Draw<'_>) {
    let by = scene.by(&author());
    let name = draw.pick(&NAMES);
    let target = match draw.chance(70) {
        true => WriteTarget::Change("pending".to_string()),
        false => WriteTarget::Live,
    };
    let (app, any) = (&scene.app, Precondition::None);
    let is_live = target == WriteTarget::Live;
    match draw.below(5) {
        0 | 1 => {
            let body = map(r#"{"title":"proposed","data":{"body":"proposed"}}"#);
            let done = entries::update(app, &ws(), &by, &target, ("posts", name), body, any);
            if let Err(error) = done {
                let expected = [Code::PublishRequired, Code::NotFound];
                assert!(expected.contains(&error.code), "{error:?}");
                assert!(is_live || error.code == Code::NotFound, "{error:?}");
            }
        }
        2 => {
            let body = map(r#"{"title":"proposed","status":"published"}"#);
            let done = entries::create(app, &ws(), &by, &target, "posts", body);
            assert_eq!(done.is_err(), is_live, "publishing takes a permission");
        }
        3 => {
            let done =
                entries::delete(app, &ws(), &by, &target, ("posts", name), any, UsageGuard::Off);
            if let Err(error) = done {
                let expected = [Code::PublishRequired, Code::NotFound];
                assert!(expected.contains(&error.code), "{error:?}");
            }
        }
        _ => _ = changes::discard(app, &ChangeRequest::new(&ws(), &by, "pending"), ("posts", name)),
    }
}

#[test]
fn whoever_may_not_publish_leaves_every_public_byte() {
    run(24, 64, |draw| {
        let scene = scene();
        let callers = [Caller::Anonymous, reader()];
        let before = callers.each_ref().map(|it| seen(&scene, &live(&scene), it));
        for _ in 0..8 {
            act(&scene, draw);
            let after = callers.each_ref().map(|it| seen(&scene, &live(&scene), it));
            assert_eq!(after, before);
            for caller in &callers {
                let snapshot = live(&scene);
                for (id, change) in snapshot.changes.iter() {
                    if change.proposals.is_empty() {
                        continue;
                    }
                    let opened = change_access::open_change(&scene.app, &snapshot, caller, id);
                    let has_drafts = change.proposals.keys().any(|(_, id)| id.as_str() == "d");
                    // What is public in both states may be read by whoever reads what is public.
                    if caller.is_anonymous() || has_drafts {
                        assert_eq!(opened.unwrap_err().code, Code::NotFound);
                    }
                }
            }
        }
    });
}

#[test]
fn lists_that_are_kept_for_everybody_show_no_change() {
    let scene = scene();
    let by = scene.by(&author());
    let pending = WriteTarget::Change("pending".to_string());
    let body = map(r#"{"title":"proposed"}"#);
    entries::update(&scene.app, &ws(), &by, &pending, ("posts", "a"), body, Precondition::None)
        .unwrap();
    let made =
        changes::create_preview(&scene.app, &ChangeRequest::new(&ws(), &by, "pending"), &map("{}"))
            .unwrap();
    let anyone = Caller::Anonymous;
    let ask = |snapshot: &Arc<Snapshot>| list(&scene.app, snapshot, &anyone, "posts", "limit=9");
    let preview = || change_access::open_preview(&scene.app, &live(&scene), &made.token).unwrap();
    // The second answer to a query is kept.
    let plain = [ask(&live(&scene)), ask(&live(&scene))];
    let shown = [ask(&preview()), ask(&preview()), ask(&preview())];
    let text = |got: &Got| String::from_utf8(got.as_ref().unwrap().0.clone()).unwrap();
    assert!(shown.iter().all(|it| text(it).contains("proposed")));
    let again = [ask(&live(&scene)), ask(&live(&scene))];
    assert_eq!(plain, again);
    assert!(!text(&plain[0]).contains("proposed"));
}

#[test]
fn a_preview_link_ends_when_it_is_revoked_or_expires() {
    let scene = scene();
    let by = scene.by(&all());
    let pending = WriteTarget::Change("pending".to_string());
    let body = map(r#"{"title":"proposed"}"#);
    entries::update(&scene.app, &ws(), &by, &pending, ("posts", "d"), body, Precondition::None)
        .unwrap();
    let make = |body: &str| {
        changes::create_preview(&scene.app, &ChangeRequest::new(&ws(), &by, "pending"), &map(body))
            .unwrap()
    };
    let open = |token: &str| change_access::open_preview(&scene.app, &live(&scene), token);
    let title = |snapshot: &Arc<Snapshot>, name: &str| {
        let got = show(snapshot, &Caller::Anonymous, "posts", name, "");
        got.map(|(body, _)| String::from_utf8(body).unwrap().contains("proposed"))
    };
    let (whole, one) = (make("{}"), make(r#"{"entry":"posts/d","days":1}"#));
    // A draft that is proposed is shown as it will be.
    assert_eq!(title(&open(&whole.token).unwrap(), "d"), Ok(true));
    assert_eq!(title(&open(&one.token).unwrap(), "d"), Ok(true));
    assert_eq!(title(&live(&scene), "d"), Err(Code::NotFound));

    let (head, _) = whole.token.rsplit_once('.').unwrap();
    let (_, other_secret) = one.token.rsplit_once('.').unwrap();
    for wrong in [format!("{head}.{other_secret}"), head.to_string(), String::new()] {
        assert_eq!(open(&wrong).unwrap_err().code, Code::Unauthorized, "{wrong}");
    }

    let link = whole.link.id.as_str();
    changes::revoke_preview(&scene.app, &ChangeRequest::new(&ws(), &by, "pending"), link).unwrap();
    assert_eq!(open(&whole.token).unwrap_err().code, Code::Unauthorized);
    assert!(open(&one.token).is_ok());

    changes::publish(&scene.app, &ChangeRequest::new(&ws(), &by, "pending")).unwrap();
    assert_eq!(open(&one.token).unwrap_err().code, Code::Unauthorized);
}

#[test]
fn of_too_many_links_the_one_that_expires_first_goes() {
    let scene = scene();
    let by = scene.by(&all());
    let make = |days: usize| {
        let body = map(&format!(r#"{{"entry":"posts/a","days":{days}}}"#));
        let request = ChangeRequest::new(&ws(), &by, "pending");
        changes::create_preview(&scene.app, &request, &body).unwrap()
    };
    let open = |token: &str| change_access::open_preview(&scene.app, &live(&scene), token);
    // One of them, in the middle, expires before the others.
    let made: Vec<_> = (0..50).map(|it| make(if it == 20 { 1 } else { 7 })).collect();
    assert!(made.iter().all(|it| open(&it.token).is_ok()));
    let last = make(1);
    assert!(open(&last.token).is_ok());
    let gone: Vec<usize> = (0..50).filter(|it| open(&made[*it].token).is_err()).collect();
    assert_eq!(gone, [20]);
    let change = changes::show(&scene.app, &live(&scene), &by.caller, "pending").unwrap();
    assert_eq!(change.previews.len(), 50);
}

#[test]
fn many_entries_go_live_at_once() {
    let scene = scene();
    let by = scene.by(&all());
    let spring = changes::create(&scene.app, &ws(), &by, &map(r#"{"label":"Spring"}"#)).unwrap();
    let target = WriteTarget::Change(spring.id.to_string());
    for number in 0..30 {
        let body = map(&format!(r#"{{"title":"n{number}","status":"published"}}"#));
        entries::create(&scene.app, &ws(), &by, &target, "posts", body).unwrap();
    }
    let count = || live(&scene).get("posts").unwrap().len();
    assert_eq!(count(), 4);
    changes::publish(&scene.app, &ChangeRequest::new(&ws(), &by, &spring.id)).unwrap();
    assert_eq!(count(), 34);
    let taken_back =
        changes::revert(&scene.app, &ChangeRequest::new(&ws(), &by, &spring.id)).unwrap();
    changes::publish(&scene.app, &ChangeRequest::new(&ws(), &by, &taken_back.id)).unwrap();
    assert_eq!(count(), 4);
}

#[test]
fn what_comes_back_is_no_slug_of_another() {
    let scene = scene();
    let by = scene.by(&all());
    let publish = |id: &str| changes::publish(&scene.app, &ChangeRequest::new(&ws(), &by, id));
    scene.update(&all(), "d", r#"{"slug":"other"}"#).unwrap();
    let spring = changes::create(&scene.app, &ws(), &by, &map(r#"{"label":"Spring"}"#)).unwrap();
    let target = WriteTarget::Change(spring.id.to_string());
    let (entry, any) = (("posts", "d"), Precondition::None);
    entries::delete(&scene.app, &ws(), &by, &target, entry, any, UsageGuard::Off).unwrap();
    publish(&spring.id).unwrap();
    scene.create(&all(), "posts", r#"{"title":"T","slug":"d"}"#).unwrap();
    let taken_back =
        changes::revert(&scene.app, &ChangeRequest::new(&ws(), &by, &spring.id)).unwrap();
    assert_eq!(code(publish(&taken_back.id)), "validation_failed posts/d.id");
    scene.update(&all(), "d", r#"{"slug":"t"}"#).unwrap();
    assert_eq!(code(publish(&taken_back.id)), "ok");
}
