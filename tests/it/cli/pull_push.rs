//! `recto pull` and `recto push`: between a folder and a server, both ways, with conflicts, limited
//! tokens, interruptions, and servers that are not what they should be.

use std::fs;
use std::io::Read;
use std::io::Write;
use std::net::TcpListener;
use std::process::Stdio;
use std::sync::Mutex;
use std::sync::mpsc;
use std::thread;

use serde_json::Value;
use serde_json::json;

use crate::support::folder::eventually;
use crate::support::replication::A;
use crate::support::replication::B;
use crate::support::replication::Sides;
use crate::support::replication::content;
use crate::support::replication::get;
use crate::support::replication::in_common;
use crate::support::replication::place;
use crate::support::replication::proxy;
use crate::support::replication::put;
use crate::support::replication::snapshot;
use crate::support::server_process::Connection;
use crate::support::server_process::Server;

#[test]
fn a_first_pull_brings_everything_and_a_second_one_nothing() {
    let sides = Sides::start(content);
    let before = snapshot(&sides.here);
    let dry = sides.run(&["pull", "--dry-run"]);
    assert!(dry.out.contains("entries of posts: 2 created, 0 changed, 0 removed\n"), "{}", dry.out);
    assert!(dry.out.contains("6 files would be changed"), "{}", dry.out);
    let asked = sides.run(&["pull"]);
    assert_eq!((asked.code, asked.err.contains("--yes")), (2, true), "{}", asked.err);
    assert!(snapshot(&sides.here) == before);
    let expect = [
        "+ schemas/texts.json",
        "+ media/A note.txt",
        "+ media-meta/A note.txt.json",
        "+ content/posts/a1.json",
        "+ content/posts/b1.json",
        "+ content/texts/t1.json",
    ];
    assert_eq!(sides.done(&["pull"]), expect);
    for path in [A, B, "content/texts/t1.json", "schemas/texts.json"] {
        assert_eq!(get(&sides.here, path), get(&sides.there, path), "{path}");
    }
    assert_eq!(fs::read(place(&sides.here, "media/A note.txt")).unwrap(), b"one");
    sides.here.check();
    let after = snapshot(&sides.here);
    assert_eq!(sides.done(&["pull"]), [""; 0]);
    assert_eq!(sides.done(&["push"]), [""; 0]);
    assert!(snapshot(&sides.here) == after);
    // A copy has everything in common, without knowing it.
    fs::remove_dir_all(sides.here.data.join(".recto/remotes")).unwrap();
    assert_eq!(sides.done(&["pull"]), [""; 0]);
    assert!(snapshot(&sides.here) == after);
}

#[test]
fn a_push_sends_what_changed_here() {
    let sides = in_common();
    put(
        &sides.here,
        "schemas/notes.json",
        r#"{"visibility":"private","fields":{"text":{"type":"text"}}}"#,
    );
    let note = r#"{"title":"N","slug":"n","status":"published","created_at":"2024-01-01T00:00:00Z","data":{"text":"new"}}"#;
    put(&sides.here, "content/notes/n1.json", note);
    put(&sides.here, "media/Neü 1.txt", "new");
    put(
        &sides.here,
        "media-meta/Neü 1.txt.json",
        r#"{"title":"new","visibility":"private","category":"Notes"}"#,
    );
    put(&sides.here, "media/A note.txt", "other");
    put(&sides.here, A, fs::read_to_string(place(&sides.here, A)).unwrap().replace("one", "two"));
    fs::remove_file(place(&sides.here, B)).unwrap();
    let dirty = fs::read_to_string(place(&sides.here, "content/texts/t1.json")).unwrap();
    put(&sides.here, "content/texts/t1.json", dirty.replace("<b>", "<b onclick='x()'>"));
    let expect = [
        "+ schemas/notes.json",
        "~ media/A note.txt",
        "+ media/Neü 1.txt",
        "+ media-meta/Neü 1.txt.json",
        "+ content/notes/n1.json",
        "~ content/posts/a1.json",
        "- content/posts/b1.json",
        "~ content/texts/t1.json",
    ];
    assert_eq!(sides.done(&["push"]), expect);
    let pushed = get(&sides.there, A);
    assert_eq!((&pushed["data"]["body"], &pushed["data"]["n"]), (&"two".into(), &1.into()));
    assert_eq!(pushed["created_at"], "2025-01-01T00:00:00Z");
    assert!(pushed["updated_by"].as_str().unwrap().starts_with("tok_"), "{pushed}");
    let note = get(&sides.there, "content/notes/n1.json");
    assert_eq!((&note["slug"], &note["created_at"]), (&"n".into(), &"2024-01-01T00:00:00Z".into()));
    assert_eq!(get(&sides.there, "content/texts/t1.json")["data"]["text"], "<b>x</b>");
    assert_eq!(get(&sides.there, "trash/posts/b1.json")["title"], "B");
    assert_eq!(get(&sides.there, B), Value::Null);
    assert_eq!(fs::read(place(&sides.there, "media/A note.txt")).unwrap(), b"other");
    assert_eq!(fs::read(place(&sides.there, "media/Neü 1.txt")).unwrap(), b"new");
    let meta = get(&sides.there, "media-meta/Neü 1.txt.json");
    assert_eq!(
        (&meta["title"], &meta["visibility"], &meta["category"]),
        (&"new".into(), &"private".into(), &"Notes".into())
    );
    // Again: nothing. What was cleaned there comes back.
    let after = snapshot(&sides.there);
    assert_eq!(sides.done(&["push"]), [""; 0]);
    assert!(snapshot(&sides.there) == after);
    assert_eq!(sides.done(&["pull"]), ["~ content/texts/t1.json"]);
    assert_eq!(sides.done(&["pull"]), [""; 0]);
    assert_eq!(sides.done(&["push"]), [""; 0]);
    sides.there.check();
    sides.here.check();
}

#[test]
fn different_fields_are_merged_and_the_same_field_is_a_conflict() {
    let sides = in_common();
    let here = fs::read_to_string(place(&sides.here, A)).unwrap();
    put(&sides.here, A, here.replace("one", "here"));
    assert_eq!(sides.ask("PUT", "content/posts/a1", &json!({ "n": 7 })).0, 200);
    assert_eq!(sides.done(&["pull"]), ["~ content/posts/a1.json"]);
    assert_eq!(get(&sides.here, A)["data"], json!({ "n": 7, "body": "here" }));
    assert_eq!(sides.done(&["push"]), ["~ content/posts/a1.json"]);
    assert_eq!(get(&sides.there, A)["data"], json!({ "n": 7, "body": "here" }));

    let here = fs::read_to_string(place(&sides.here, A)).unwrap();
    put(&sides.here, A, here.replace("here", "mine"));
    assert_eq!(sides.ask("PUT", "content/posts/a1", &json!({ "body": "yours", "n": 8 })).0, 200);
    for command in ["pull", "push"] {
        assert_eq!(sides.conflicts(&[command]), ["content/posts/a1.json data.body"], "{command}");
    }
    let said = sides.run(&["pull", "--yes"]);
    let conflict = "conflict: content/posts/a1.json data.body: changed on both sides";
    assert!(said.err.contains(conflict) && said.err.contains("--ours"), "{}", said.err);
    assert_eq!(sides.done(&["pull", "--ours"]), ["~ content/posts/a1.json"]);
    assert_eq!(get(&sides.here, A)["data"], json!({ "n": 8, "body": "mine" }));
    assert_eq!(sides.done(&["push"]), ["~ content/posts/a1.json"]);
    assert_eq!(get(&sides.there, A)["data"], json!({ "n": 8, "body": "mine" }));

    let here = fs::read_to_string(place(&sides.here, A)).unwrap();
    put(&sides.here, A, here.replace("mine", "mine again"));
    assert_eq!(sides.ask("PUT", "content/posts/a1", &json!({ "body": "yours again" })).0, 200);
    assert_eq!(sides.done(&["pull", "--theirs"]), ["~ content/posts/a1.json"]);
    assert_eq!(get(&sides.here, A)["data"]["body"], "yours again");
    assert_eq!(sides.done(&["push"]), [""; 0]);
}

#[test]
fn html_that_a_pull_sanitizes_is_no_change_of_either_side() {
    const DIRTY: &str = "content/texts/d1.json";
    let dirty = r#"{"title":"D","slug":"d","data":{"text":"<b onclick='x()'>x</b>"}}"#;
    let sides = Sides::start(|of| {
        content(of);
        put(of, DIRTY, dirty);
    });
    sides.done(&["pull"]);
    assert_eq!(get(&sides.here, DIRTY)["data"]["text"], "<b>x</b>");
    let before = snapshot(&sides.there);
    assert_eq!(sides.done(&["push"]), [""; 0]);
    assert_eq!(sides.done(&["pull"]), [""; 0]);
    assert!(snapshot(&sides.there) == before);

    // Another value changes there, and the text only here.
    put(&sides.there, DIRTY, dirty.replace("\"D\"", "\"E\""));
    eventually("the server shows it", || {
        sides.ask("GET", "content/texts/d1", &Value::Null).1["data"]["title"] == "E"
    });
    let here = fs::read_to_string(place(&sides.here, DIRTY)).unwrap();
    put(&sides.here, DIRTY, here.replace("<b>x</b>", "<b>y</b>"));
    assert_eq!(sides.done(&["pull"]), ["~ content/texts/d1.json"]);
    let merged = get(&sides.here, DIRTY);
    assert_eq!((&merged["title"], &merged["data"]["text"]), (&"E".into(), &"<b>y</b>".into()));
    assert_eq!(sides.done(&["push"]), ["~ content/texts/d1.json"]);
    assert_eq!(get(&sides.there, DIRTY)["data"]["text"], "<b>y</b>");
}

#[test]
fn no_two_entries_get_the_same_slug() {
    let sides = in_common();
    // Swapped there.
    for (id, slug) in [("a1", "x"), ("b1", "a"), ("a1", "b")] {
        let path = format!("content/posts/{id}");
        assert_eq!(sides.ask("PUT", &path, &json!({ "slug": slug })).0, 200);
    }
    assert_eq!(sides.done(&["pull"]), ["~ content/posts/a1.json", "~ content/posts/b1.json"]);
    assert_eq!(
        (&get(&sides.here, A)["slug"], &get(&sides.here, B)["slug"]),
        (&"b".into(), &"a".into())
    );
    sides.here.check();

    // Given to a new entry here, and to another one there: no side can be chosen.
    let new = r#"{"title":"C","slug":"c"}"#;
    put(&sides.here, "content/posts/c1.json", new);
    assert_eq!(sides.ask("PUT", "content/posts/b1", &json!({ "slug": "c" })).0, 200);
    for arguments in [&["pull"][..], &["pull", "--theirs"], &["push", "--ours"]] {
        let expect = ["content/posts/b1.json slug", "content/posts/c1.json slug"];
        assert_eq!(sides.conflicts(arguments), expect, "{arguments:?}");
    }
    let said = sides.run(&["pull", "--yes"]).err;
    assert!(said.contains("the same slug") && !said.contains("--ours"), "{said}");
    put(&sides.here, "content/posts/c1.json", new.replace("\"c\"", "\"d\""));
    assert_eq!(sides.done(&["pull"]), ["~ content/posts/b1.json"]);
    assert_eq!(sides.done(&["push"]), ["+ content/posts/c1.json"]);
    sides.here.check();
}

#[test]
fn an_entry_takes_the_slug_of_one_that_is_removed() {
    const C: &str = "content/posts/c1.json";
    let sides = in_common();
    fs::remove_file(place(&sides.here, B)).unwrap();
    let new = r#"{"title":"C","slug":"b","data":{"n":"three"}}"#;
    put(&sides.here, C, new);
    // While the new one is refused, the old one stays.
    let before = snapshot(&sides.there);
    let refused = sides.run(&["push", "--yes"]);
    assert_eq!(refused.code, 1, "{}", refused.out);
    assert!(refused.err.contains("content/posts/c1.json.n"), "{}", refused.err);
    assert!(!refused.err.contains("c1.json.slug"), "{}", refused.err);
    assert!(snapshot(&sides.there) == before);

    put(&sides.here, C, new.replace("\"three\"", "3"));
    assert_eq!(sides.done(&["push"]), ["- content/posts/b1.json", "+ content/posts/c1.json"]);
    assert_eq!(get(&sides.there, C)["slug"], "b");
    assert_eq!(get(&sides.there, B), Value::Null);
    assert_eq!(get(&sides.there, "trash/posts/b1.json")["title"], "B");
    assert_eq!(sides.done(&["push"]), [""; 0]);
    sides.there.check();

    // And gives it back, by way of the other side.
    fs::remove_file(place(&sides.here, C)).unwrap();
    put(&sides.here, B, r#"{"title":"B again","slug":"b","data":{"n":2}}"#);
    assert_eq!(sides.done(&["push"]), ["+ content/posts/b1.json", "- content/posts/c1.json"]);
    assert_eq!(get(&sides.there, B)["title"], "B again");
    sides.there.check();
}

#[test]
fn without_a_common_state_only_what_differs_is_a_conflict() {
    let sides = Sides::start(content);
    put(
        &sides.here,
        A,
        r#"{"title":"A","slug":"a","status":"published","created_at":"2025-01-01T00:00:00Z","data":{"n":1,"body":"else"}}"#,
    );
    put(&sides.here, B, r#"{"slug":"b","title":"B","data":{"n":2.0}}"#);
    put(&sides.here, "content/posts/c1.json", r#"{"title":"C","slug":"c"}"#);
    assert_eq!(sides.conflicts(&["push"]), ["content/posts/a1.json data.body"]);
    assert_eq!(sides.done(&["push", "--theirs"]), ["+ content/posts/c1.json"]);
    let expect = [
        "+ schemas/texts.json",
        "+ media/A note.txt",
        "+ media-meta/A note.txt.json",
        "~ content/posts/a1.json",
        "+ content/texts/t1.json",
    ];
    assert_eq!(sides.done(&["pull"]), expect);
    assert_eq!(get(&sides.here, A), get(&sides.there, A));
}

#[test]
fn what_is_removed_on_one_side_goes_to_the_trash_of_the_other() {
    let sides = in_common();
    assert_eq!(sides.ask("DELETE", "content/posts/b1", &Value::Null).0, 200);
    assert_eq!(sides.ask("DELETE", "media/A%20note.txt", &Value::Null).0, 200);
    let expect = ["- media/A note.txt", "- media-meta/A note.txt.json", "- content/posts/b1.json"];
    assert_eq!(sides.done(&["pull"]), expect);
    assert_eq!(get(&sides.here, "trash/posts/b1.json")["title"], "B");
    assert!(!place(&sides.here, B).exists() && !place(&sides.here, "media/A note.txt").exists());
    assert_eq!(sides.done(&["pull"]), [""; 0]);

    // Removed here and changed there: nobody decides that but people.
    fs::remove_file(place(&sides.here, A)).unwrap();
    assert_eq!(sides.ask("PUT", "content/posts/a1", &json!({ "n": 5 })).0, 200);
    assert_eq!(sides.conflicts(&["push"]), ["content/posts/a1.json "]);
    assert_eq!(sides.conflicts(&["pull"]), ["content/posts/a1.json "]);
    assert_eq!(sides.done(&["pull", "--theirs"]), ["+ content/posts/a1.json"]);
    assert_eq!(get(&sides.here, A)["data"]["n"], 5);

    // A type goes with its entries, unless there are new ones.
    fs::remove_file(place(&sides.here, "schemas/texts.json")).unwrap();
    let broken = sides.run(&["push", "--yes"]);
    assert!(broken.code == 1 && broken.err.contains("content/texts has entries"), "{}", broken.err);
    fs::remove_dir_all(place(&sides.here, "content/texts")).unwrap();
    assert_eq!(sides.ask("POST", "content/texts", &json!({ "title": "New" })).0, 201);
    assert_eq!(sides.conflicts(&["push"]), ["schemas/texts.json "]);
    let removed = sides.done(&["push", "--ours"]);
    assert_eq!(removed.len(), 3, "{removed:?}");
    assert_eq!(sides.ask("GET", "content/texts", &Value::Null).0, 404);
    assert_eq!(sides.done(&["push"]), [""; 0]);
}

#[test]
fn tokens_do_what_their_grants_allow() {
    let sides = in_common();
    let reader =
        sides.token(&["content.read@content:*", "schema.read@schema:*", "media.read@media:*"]);
    put(&sides.here, A, fs::read_to_string(place(&sides.here, A)).unwrap().replace("one", "two"));
    let before = snapshot(&sides.there);
    let url = sides.url();
    let refused = sides.run_at(&["push", "--yes"], &url, &reader);
    assert_eq!(refused.code, 1, "{}", refused.err);
    assert!(refused.err.contains("content.update"), "{}", refused.err);
    assert!(snapshot(&sides.there) == before);
    assert_eq!(sides.run_at(&["pull", "--yes"], &url, &reader).code, 0);

    // Who edits may not publish.
    let editor = sides.token(&[
        "content.read@content:*",
        "content.create@content:*",
        "content.update@content:*",
        "schema.read@schema:*",
        "media.read@media:*",
    ]);
    assert_eq!(sides.run_at(&["push", "--yes"], &url, &editor).code, 0);
    let published = r#"{"title":"P","slug":"p","status":"published","author_id":"somebody"}"#;
    put(&sides.here, "content/posts/p1.json", published);
    let refused = sides.run_at(&["push", "--yes"], &url, &editor);
    assert!(refused.code == 1 && refused.err.contains("content.publish"), "{}", refused.err);
    put(&sides.here, "content/posts/p1.json", published.replace("published", "draft"));
    assert_eq!(sides.run_at(&["push", "--yes"], &url, &editor).code, 0);
    let author = get(&sides.there, "content/posts/p1.json")["author_id"].clone();
    assert!(author.as_str().unwrap().starts_with("tok_"), "{author}");

    for token in ["", "recto_nonsense"] {
        let refused = sides.run_at(&["pull", "--yes"], &url, &format!(" {token}"));
        assert_ne!(refused.code, 0, "{}", refused.err);
    }
}

#[test]
fn what_a_token_no_longer_sees_does_not_count_as_removed() {
    let sides = in_common();
    let reader = sides.token(&["schema.read@schema:*"]);
    // Only what is public.
    let grants = json!([
        { "effect": "allow", "actions": ["schema.read"], "resources": ["schema:*"] },
        { "effect": "allow", "actions": ["content.read"], "resources": ["content:posts:*"], "conditions": { "status": ["published"] } },
    ]);
    let id = reader.split('_').nth(1).unwrap();
    let record = sides.there.data.join(format!("system/tokens/{id}.json"));
    let mut token: Value = serde_json::from_slice(&fs::read(&record).unwrap()).unwrap();
    token["permissions"] = grants;
    fs::write(record, token.to_string()).unwrap();
    let list = |token: &str| {
        let mut connection = Connection::open(&sides.server.address, token).unwrap();
        let text = format!(
            "GET /api/v1/workspaces/default/files HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: Bearer {token}\r\n\r\n"
        );
        connection.raw(&text)
    };
    eventually("the grants are those of the file", || list(&reader).contains("a1.json"));
    let seen = list(&reader);
    // Whole names: a request id may have the letters, too.
    assert!(["/b1.json", "/t1.json", "A note"].iter().all(|it| !seen.contains(it)), "{seen}");
    let before = snapshot(&sides.here);
    let pulled = sides.run_at(&["pull", "--yes"], &sides.url(), &reader);
    assert_eq!(pulled.code, 0, "{}", pulled.err);
    assert!(
        pulled.err.contains("content/posts/, content/texts/, media-meta/, media/"),
        "{}",
        pulled.err
    );
    assert!(pulled.out.contains("nothing to do"), "{}", pulled.out);
    assert!(snapshot(&sides.here) == before);
    // With the other token, everything is in common as before.
    assert_eq!(sides.done(&["pull"]), [""; 0]);
    assert_eq!(sides.done(&["push"]), [""; 0]);
}

#[test]
fn an_edit_between_plan_and_write_is_not_written_over() {
    let sides = in_common();
    let (address, token) = (sides.server.address.clone(), sides.there.token.clone());
    let url = proxy(&sides.server.address, move |line| {
        if line.starts_with("POST") {
            let mut connection = Connection::open(&address, &token).unwrap();
            let path = "/api/v1/workspaces/default/content/posts/a1";
            let edit = json!({ "body": "there" });
            assert_eq!(connection.try_ask("PUT", path, &edit).unwrap().0, 200);
        }
        true
    });
    // What both have in common is known for each address.
    assert_eq!(sides.run_at(&["pull", "--yes"], &url, &sides.there.token).code, 0);
    put(&sides.here, A, fs::read_to_string(place(&sides.here, A)).unwrap().replace("one", "here"));
    put(&sides.here, "content/posts/n1.json", r#"{"title":"N","slug":"n"}"#);
    let refused = sides.run_at(&["push", "--yes"], &url, &sides.there.token);
    assert_eq!(refused.code, 1, "{}", refused.out);
    assert!(refused.err.contains("run the command again"), "{}", refused.err);
    assert!(refused.err.contains("content/posts/a1.json"), "{}", refused.err);
    assert_eq!(get(&sides.there, A)["data"]["body"], "there");
    assert_eq!(get(&sides.there, "content/posts/n1.json"), Value::Null);
    assert_eq!(sides.conflicts(&["push"]), ["content/posts/a1.json data.body"]);
}

#[test]
fn whoever_is_killed_half_way_repeats_it() {
    let sides = in_common();
    // The answer is not waited for.
    let (sender, receiver) = mpsc::channel();
    let (address, sender) = (sides.server.address.clone(), Mutex::new(sender));
    let url = proxy(&address, move |line| {
        if line.starts_with("POST") {
            sender.lock().unwrap().send(()).unwrap();
        }
        true
    });
    assert_eq!(sides.run_at(&["pull", "--yes"], &url, &sides.there.token).code, 0);
    put(&sides.here, A, fs::read_to_string(place(&sides.here, A)).unwrap().replace("one", "two"));
    let mut push = sides.command(&["push", "--yes"], &url, &sides.there.token);
    let mut child = push.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    receiver.recv().unwrap();
    eventually("the server has it", || get(&sides.there, A)["data"]["body"] == "two");
    child.kill().unwrap();
    child.wait().unwrap();
    // By the other address, what arrived is in common as if nothing were known of it.
    let fixed = r#"{"title":"B","slug":"b","data":{"n":3}}"#;
    put(&sides.here, B, fixed);
    assert_eq!(sides.done(&["push"]), ["~ content/posts/b1.json"]);
    assert_eq!(sides.done(&["push"]), [""; 0]);

    // A pull that waits for a media file has changed nothing.
    let (sender, asked) = mpsc::channel();
    let sender = Mutex::new(sender);
    let slow = proxy(&address, move |line| {
        let is_media = line.starts_with("GET /media/default/slow.txt");
        if is_media {
            sender.lock().unwrap().send(()).unwrap();
        }
        !is_media
    });
    assert_eq!(sides.run_at(&["pull", "--yes"], &slow, &sides.there.token).code, 0);
    put(&sides.there, "media/slow.txt", "slow");
    assert_eq!(sides.ask("PUT", "content/posts/a1", &json!({ "n": 9 })).0, 200);
    eventually("the server lists it", || {
        sides.ask("GET", "media", &Value::Null).1.to_string().contains("slow.txt")
    });
    let before = snapshot(&sides.here);
    let mut pull = sides.command(&["pull", "--yes"], &slow, &sides.there.token);
    let mut child = pull.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    asked.recv().unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    let left: Vec<_> =
        snapshot(&sides.here).into_iter().filter(|it| !before.contains(it)).collect();
    assert!(left.iter().all(|it| it.0.starts_with("journal/")), "{left:?}");
    assert_eq!(sides.done(&["pull"]), ["+ media/slow.txt", "~ content/posts/a1.json"]);
    let left = snapshot(&sides.here);
    assert!(left.iter().all(|it| !it.0.starts_with("journal/")), "{left:?}");
    assert_eq!(sides.done(&["pull"]), [""; 0]);
}

#[test]
fn both_commands_work_beside_a_running_server() {
    let sides = in_common();
    let beside = Server::start(&sides.here);
    assert_eq!(sides.ask("PUT", "content/posts/a1", &json!({ "n": 9 })).0, 200);
    assert_eq!(sides.done(&["pull"]), ["~ content/posts/a1.json"]);
    let mut here = Connection::open(&beside.address, &sides.here.token).unwrap();
    let path = "/api/v1/workspaces/default/content/posts/a1";
    eventually("the server here shows it", || {
        here.try_ask("GET", path, &Value::Null).unwrap().1["data"]["data"]["n"] == 9
    });
    assert_eq!(here.try_ask("PUT", path, &json!({ "n": 10 })).unwrap().0, 200);
    assert_eq!(sides.done(&["push"]), ["~ content/posts/a1.json"]);
    assert_eq!(get(&sides.there, A)["data"]["n"], 10);
}

#[test]
fn broken_files_are_named_and_nothing_is_done() {
    let sides = in_common();
    put(&sides.here, A, "{ broken");
    let before = snapshot(&sides.there);
    for command in ["pull", "push"] {
        let refused = sides.run(&[command, "--yes"]);
        assert_eq!(refused.code, 1, "{}", refused.out);
        assert!(refused.err.contains("content/posts/a1.json"), "{}", refused.err);
    }
    assert!(snapshot(&sides.there) == before);
    // Values that the server refuses are all named.
    put(&sides.here, A, r#"{"title":"A","slug":"a","status":"published","data":{"n":"x"}}"#);
    put(&sides.here, B, r#"{"title":"B","slug":"a","data":{"n":2}}"#);
    let refused = sides.run(&["push", "--yes"]);
    for place in ["content/posts/a1.json.n", "content/posts/b1.json.slug"] {
        assert!(refused.err.contains(place), "{place}: {}", refused.err);
    }
    assert!(snapshot(&sides.there) == before);
}

/// A server that answers everything with one text. Returns its URL.
fn answer_with(answer: String) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        for client in listener.incoming() {
            let mut client = client.unwrap();
            let _ = client.read(&mut [0; 4096]);
            let _ = client.write_all(answer.as_bytes());
        }
    });
    url
}

#[test]
fn other_servers_do_not_leave_the_folder_nor_get_the_token() {
    let sides = Sides::start(|_| {});
    let before = snapshot(&sides.here);
    let token = &sides.there.token;
    let check = |answer: String, expect: &str| {
        let refused = sides.run_at(&["pull", "--yes"], &answer_with(answer), token);
        assert_eq!(refused.code, 1, "{}", refused.out);
        assert!(refused.err.contains(expect), "{expect}: {}", refused.err);
        assert!(!refused.err.contains('\u{1b}'), "{}", refused.err);
        assert!(snapshot(&sides.here) == before);
    };
    let lines = |lines: &str| {
        format!(
            "HTTP/1.1 200 OK\r\ncontent-type: application/x-ndjson\r\nconnection: close\r\n\r\n{lines}"
        )
    };
    let sum = "0123456789abcdef";
    for path in [
        "../../system/users/x.json",
        "media/../../x",
        "content/posts/../../x.json",
        "workspace.json",
        "/etc/passwd",
        "media/a\\u0000b",
    ] {
        let line = format!(
            "{{\"kind\":\"file\",\"path\":\"{path}\",\"sum\":\"{sum}\",\"size\":1,\"content\":{{}}}}\n"
        );
        check(lines(&format!("{line}{{\"kind\":\"end\",\"unseen\":[]}}\n")), "not one of Recto");
    }
    check(lines("{\"kind\":\"file\"}\n"), "not one of Recto");
    check(lines(""), "ends too early");
    // Bytes that are not those that were announced.
    let media = format!(
        "{{\"kind\":\"file\",\"path\":\"media/a.png\",\"sum\":\"{sum}\",\"size\":9999}}\n{{\"kind\":\"end\",\"unseen\":[]}}\n"
    );
    check(lines(&media), "it changed while it was read");
    let evil = answer_with("HTTP/1.1 200 OK\r\n\r\n".to_string());
    check(
        format!("HTTP/1.1 302 Found\r\nlocation: {evil}\r\ncontent-length: 0\r\n\r\n"),
        "not followed",
    );
    check("HTTP/1.1 500 Oh\r\ncontent-length: 45\r\n\r\n{\"error\":{\"message\":\"\\u001b[31mred\",\"fields\":0}}".to_string(), "red");

    for (url, code) in [("http://192.0.2.1:1", 2), ("ftp://x", 2), ("https://a@b.test", 2)] {
        let refused = sides.run_at(&["pull", "--yes"], url, token);
        assert_eq!(refused.code, code, "{url}: {}", refused.err);
    }
    let file = sides.here.working_folder.join("token");
    fs::write(&file, format!("{token}\n")).unwrap();
    let mut command = sides.command(&["pull", "--yes", "--token-file", "token"], &sides.url(), "");
    assert!(command.output().unwrap().status.success());
}
