//! `recto pull` and `recto push` of files that both sides changed: what is merged, what is a
//! conflict, and which side wins.

use std::fs;

use serde_json::Value;
use serde_json::json;

use crate::support::folder::eventually;
use crate::support::replication::A;
use crate::support::replication::B;
use crate::support::replication::TEXTS;
use crate::support::replication::get;
use crate::support::replication::in_common;
use crate::support::replication::place;
use crate::support::replication::put;
use crate::support::server_process::Place;

#[test]
fn a_push_that_merges_leaves_the_other_changes_to_the_next_pull() {
    const META: &str = "media-meta/A note.txt.json";
    const TYPE: &str = "schemas/texts.json";
    let sides = in_common();
    put(&sides.here, TYPE, TEXTS.replace("{\"locales\"", "{\"label\":\"Here\",\"locales\""));
    put(&sides.here, META, r#"{"title":"Here","visibility":"private"}"#);
    let here = fs::read_to_string(place(&sides.here, A)).unwrap();
    put(&sides.here, A, here.replace("one", "here"));
    put(&sides.there, TYPE, TEXTS.replace("\"html\"", "\"html\",\"label\":\"There\""));
    put(&sides.there, META, r#"{"title":"A note","visibility":"private","alt":"There"}"#);
    assert_eq!(sides.ask("PUT", "content/posts/a1", &json!({ "n": 7 })).0, 200);
    eventually("the server shows the changes of its files", || {
        ["content-types", "media"]
            .iter()
            .all(|it| sides.ask("GET", it, &Value::Null).1.to_string().contains("\"There\""))
    });
    let all = ["~ schemas/texts.json", "~ media-meta/A note.txt.json", "~ content/posts/a1.json"];
    assert_eq!(sides.done(&["push"]), all);
    assert_eq!(get(&sides.there, A)["data"], json!({ "n": 7, "body": "here" }));
    assert_eq!(sides.done(&["pull"]), all);
    assert_eq!(get(&sides.here, A)["data"], json!({ "n": 7, "body": "here" }));
    for side in [&sides.here, &sides.there] {
        let (ty, meta) = (get(side, TYPE), get(side, META));
        assert_eq!(
            (&ty["label"], &ty["fields"]["text"]["label"]),
            (&"Here".into(), &"There".into())
        );
        assert_eq!((&meta["title"], &meta["alt"]), (&"Here".into(), &"There".into()));
    }
    assert_eq!(sides.done(&["push"]), [""; 0]);

    // So does one in which the server won a conflict, and one that breaks off.
    let read = |of: &Place, path: &str| fs::read_to_string(place(of, path)).unwrap();
    let mine = read(&sides.here, A).replace("\"here\"", "\"mine\"").replace("\"A\"", "\"Mine\"");
    put(&sides.here, A, mine);
    assert_eq!(sides.ask("PUT", "content/posts/a1", &json!({ "body": "yours" })).0, 200);
    assert_eq!(sides.done(&["push", "--theirs"]), ["~ content/posts/a1.json"]);
    assert_eq!(sides.done(&["pull"]), ["~ content/posts/a1.json"]);
    let merged = get(&sides.here, A);
    assert_eq!((&merged["title"], &merged["data"]["body"]), (&"Mine".into(), &"yours".into()));
    let fine = read(&sides.here, B);
    put(&sides.here, B, r#"{"title":"B","slug":"b","data":{"n":"x"}}"#);
    put(&sides.here, TYPE, read(&sides.here, TYPE).replace("\"Here\"", "\"Here too\""));
    put(&sides.there, TYPE, read(&sides.there, TYPE).replace("\"There\"", "\"There too\""));
    eventually("the server shows the type", || {
        sides.ask("GET", "content-types", &Value::Null).1.to_string().contains("There too")
    });
    assert_eq!(sides.run(&["push", "--yes"]).code, 1);
    put(&sides.here, B, fine);
    assert_eq!(sides.done(&["pull"]), ["~ schemas/texts.json"]);
    assert_eq!(get(&sides.here, TYPE)["fields"]["text"]["label"], "There too");
    assert_eq!(sides.done(&["push"]), [""; 0]);
}

/// Removes the type of texts with its entry.
fn remove_texts(of: &Place) {
    fs::remove_file(place(of, "schemas/texts.json")).unwrap();
    fs::remove_dir_all(place(of, "content/texts")).unwrap();
}

#[test]
fn a_type_with_changed_entries_stays_or_goes_as_the_winner_has_it() {
    const TEXT: &str = "content/texts/t1.json";
    let conflicts = ["schemas/texts.json ", "content/texts/t1.json "];
    let created = ["+ schemas/texts.json", "+ content/texts/t1.json"];
    let removed = ["- schemas/texts.json", "- content/texts/t1.json"];

    // Removed there, and an entry of it was changed here.
    let sides = in_common();
    let here = fs::read_to_string(place(&sides.here, TEXT)).unwrap();
    put(&sides.here, TEXT, here.replace("\"T\"", "\"Here\""));
    assert_eq!(sides.ask("DELETE", "content-types/texts", &Value::Null).0, 200);
    assert_eq!(sides.conflicts(&["pull"]), conflicts);
    assert_eq!(sides.conflicts(&["push"]), conflicts);
    assert_eq!(sides.done(&["pull", "--ours"]), [""; 0]);
    assert_eq!(sides.done(&["push"]), created);
    assert_eq!(get(&sides.there, TEXT)["title"], "Here");
    put(&sides.here, TEXT, here.replace("\"T\"", "\"Here too\""));
    assert_eq!(sides.ask("DELETE", "content-types/texts", &Value::Null).0, 200);
    assert_eq!(sides.done(&["push", "--ours"]), created);
    assert_eq!(get(&sides.there, TEXT)["title"], "Here too");
    put(&sides.here, TEXT, here);
    assert_eq!(sides.ask("DELETE", "content-types/texts", &Value::Null).0, 200);
    assert_eq!(sides.done(&["pull", "--theirs"]), removed);
    assert_eq!(sides.done(&["push"]), [""; 0]);

    // Removed here, and an entry of it was changed there.
    let sides = in_common();
    remove_texts(&sides.here);
    assert_eq!(sides.ask("PUT", "content/texts/t1", &json!({ "title": "There" })).0, 200);
    assert_eq!(sides.conflicts(&["push"]), conflicts);
    assert_eq!(sides.done(&["push", "--theirs"]), [""; 0]);
    assert_eq!(get(&sides.there, TEXT)["title"], "There");
    assert_eq!(sides.done(&["pull"]), created);
    assert_eq!(get(&sides.here, TEXT)["title"], "There");
    remove_texts(&sides.here);
    assert_eq!(sides.ask("PUT", "content/texts/t1", &json!({ "title": "Again" })).0, 200);
    assert_eq!(sides.done(&["pull", "--theirs"]), created);
    remove_texts(&sides.here);
    assert_eq!(sides.ask("PUT", "content/texts/t1", &json!({ "title": "Last" })).0, 200);
    assert_eq!(sides.done(&["push", "--ours"]), removed);
    assert_eq!(sides.done(&["pull"]), [""; 0]);
}

#[test]
fn a_media_file_that_stays_keeps_its_texts() {
    const FILE: &str = "media/A note.txt";
    const META: &str = "media-meta/A note.txt.json";
    let sides = in_common();
    // Removed here, and its bytes were changed there.
    fs::remove_file(place(&sides.here, FILE)).unwrap();
    put(&sides.there, FILE, "other");
    eventually("the server shows the file", || {
        sides.ask("GET", "media", &Value::Null).1.to_string().contains("\"size\":5")
    });
    assert_eq!(sides.conflicts(&["push"]), ["media/A note.txt "]);
    assert_eq!(sides.done(&["push", "--theirs"]), [""; 0]);
    let texts = json!({ "title": "A note", "visibility": "private" });
    assert_eq!(get(&sides.there, META), texts);
    fs::remove_file(place(&sides.here, META)).unwrap();
    assert_eq!(sides.done(&["pull"]), ["+ media/A note.txt", "+ media-meta/A note.txt.json"]);
    assert_eq!(get(&sides.here, META), texts);

    // Removed there, and its texts were changed here.
    put(&sides.here, META, r#"{"title":"Here","visibility":"private"}"#);
    assert_eq!(sides.ask("DELETE", "media/A%20note.txt", &Value::Null).0, 200);
    assert_eq!(sides.conflicts(&["pull"]), ["media/A note.txt ", "media-meta/A note.txt.json "]);
    assert_eq!(
        sides.done(&["push", "--ours"]),
        ["+ media/A note.txt", "+ media-meta/A note.txt.json"]
    );
    let meta = get(&sides.there, META);
    assert_eq!((&meta["title"], &meta["visibility"]), (&"Here".into(), &"private".into()));
}

#[test]
fn a_value_that_a_save_left_empty_is_no_conflict() {
    let sides = in_common();
    let here = fs::read_to_string(place(&sides.here, B)).unwrap();
    put(&sides.here, B, here.replace("\"data\": {", "\"data\": { \"body\": \"here\","));
    assert_eq!(sides.ask("PUT", "content/posts/b1", &json!({ "n": 3 })).0, 200);
    assert_eq!(get(&sides.there, B)["data"], json!({ "n": 3, "body": null }));
    assert_eq!(sides.done(&["pull"]), ["~ content/posts/b1.json"]);
    assert_eq!(sides.done(&["push"]), ["~ content/posts/b1.json"]);
    for side in [&sides.here, &sides.there] {
        assert_eq!(get(side, B)["data"], json!({ "n": 3, "body": "here" }));
    }
    assert_eq!(sides.done(&["pull"]), [""; 0]);
}

#[test]
fn files_that_the_server_sanitized_are_unchanged() {
    const PICTURE: &str = "media/p.svg";
    const TEXT: &str = "content/texts/d1.json";
    const OTHER: &str = "content/texts/e1.json";
    let picture = |width: u8| {
        format!(
            "<svg xmlns='http://www.w3.org/2000/svg' onload='x()'><rect width='{width}'/></svg>"
        )
    };
    let text = |slug: &str, title: &str| {
        let html = "<b onclick='x()'>x</b>";
        json!({ "title": title, "slug": slug, "data": { "text": html } }).to_string()
    };
    let sides = in_common();
    let stored = || fs::read_to_string(place(&sides.there, PICTURE)).unwrap();
    put(&sides.here, PICTURE, picture(1));
    put(&sides.here, TEXT, text("d", "D"));
    assert_eq!(sides.done(&["push"]), ["+ media/p.svg", "+ content/texts/d1.json"]);
    assert!(!stored().contains("onload"), "{}", stored());
    assert_eq!(get(&sides.there, TEXT)["data"]["text"], "<b>x</b>");

    put(&sides.here, PICTURE, picture(2));
    put(&sides.here, TEXT, text("d", "E"));
    assert_eq!(sides.done(&["push"]), ["~ media/p.svg", "~ content/texts/d1.json"]);
    assert!(stored().contains("\"2\""), "{}", stored());
    assert_eq!(get(&sides.there, TEXT)["title"], "E");

    // Removed here, even if something else is pulled before.
    fs::remove_file(place(&sides.here, PICTURE)).unwrap();
    fs::remove_file(place(&sides.here, TEXT)).unwrap();
    assert_eq!(sides.ask("PUT", "content/posts/a1", &json!({ "n": 7 })).0, 200);
    assert_eq!(sides.done(&["pull"]), ["~ content/posts/a1.json"]);
    assert_eq!(sides.done(&["push"]), ["- media/p.svg", "- content/texts/d1.json"]);

    // Changed there after it was sanitized, and removed here.
    put(&sides.here, OTHER, text("e", "E"));
    assert_eq!(sides.done(&["push"]), ["+ content/texts/e1.json"]);
    assert_eq!(sides.ask("PUT", "content/texts/e1", &json!({ "title": "There" })).0, 200);
    fs::remove_file(place(&sides.here, OTHER)).unwrap();
    assert_eq!(sides.conflicts(&["push"]), ["content/texts/e1.json "]);
}
