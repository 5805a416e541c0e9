//! A whole installation of the PHP original: every public answer is the one that the original gave,
//! by its rules. The guide on imports lists where they differ on purpose.

use std::fs;
use std::path::Path;

use serde_json::Value;
use serde_json::json;

use crate::support::command_line::Server;
use crate::support::command_line::folder;
use crate::support::command_line::json as parse;
use crate::support::command_line::run_well;
use crate::support::importing::PNG;
use crate::support::importing::entry;
use crate::support::importing::import;
use crate::support::importing::is_idempotent;
use crate::support::importing::write;

const API: &str = "/api/v1/workspaces/default";

const ARGUMENTS: &[&str] = &["php", "storage", "--from", "main"];

/// A picture that can be decoded.
fn picture(side: u32) -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    image::RgbImage::new(side, side).write_to(&mut bytes, image::ImageFormat::Png).unwrap();
    bytes.into_inner()
}

/// The types of the original, with a field of each of its kinds.
fn write_types(root: &Path) {
    let at = |name: &str| format!("storage/workspaces/main/content-types/{name}.json");
    let posts = json!({ "name": "posts", "label": "Posts", "icon": "mdi:post", "singleton": false,
        "slug_field": "slug", "slug_source": "title", "locales": ["en", "de"], "default_locale": "en",
        "fields": {
            "lead": { "type": "text", "label": "Lead", "required": true, "layout": { "width": "1/2" } },
            "notes": { "type": "textarea" }, "body": { "type": "markdown" }, "legal": { "type": "html" },
            "price": { "type": "number", "min": 0, "localized": false },
            "rating": { "type": "range", "min": 0, "max": 10, "display_decimals": 1 },
            "featured": { "type": "boolean", "localized": false },
            "kind": { "type": "select", "options": { "a": "Option A", "b": "Option B" } },
            "tags": { "type": "select", "multiple": true, "options": ["x", "y", "z"] },
            "day": { "type": "date" }, "at": { "type": "datetime" },
            "hero": { "type": "media" }, "gallery": { "type": "media", "multiple": true },
            "alias": { "type": "slug" }, "raw": { "type": "json" },
            "author": { "type": "relation", "target": "authors" },
            "related": { "type": "relation", "target": "posts", "multiple": true },
            "links": { "type": "repeater", "subfields": [{ "key": "label", "type": "text" },
                { "key": "to", "type": "relation", "target": "authors" }] },
            "tint": { "type": "color" } } });
    write(root, &at("posts"), posts.to_string());
    let authors = json!({ "name": "authors", "label": "Authors", "icon": "mdi:account", "fields": {
        "bio": { "type": "textarea" }, "picture": { "type": "media" } } });
    write(root, &at("authors"), authors.to_string());
    let home = json!({ "name": "home", "label": "Home", "singleton": true, "fields": {
        "text": { "type": "markdown" } } });
    write(root, &at("home"), home.to_string());
    let notes = json!({ "name": "notes", "label": "Notes", "visibility": "private", "fields": {} });
    write(root, &at("notes"), notes.to_string());
}

fn write_entry(root: &Path, of: &str, slug: &str, more: Value) {
    let mut entry = json!({ "id": slug, "collection": of, "status": "published",
        "published_at": "2024-05-03 12:00:00", "created_at": "2024-05-01T10:00:00+02:00",
        "updated_at": "2024-05-04", "author_id": "u1", "updated_by": "u2", "title": slug, "slug": slug });
    for (key, value) in more.as_object().unwrap() {
        entry[key] = value.clone();
    }
    let path = format!("storage/workspaces/main/content/{of}/{slug}.json");
    // As PHP writes it.
    write(root, &path, entry.to_string().replace('ä', "\\u00e4").replace('Ä', "\\u00c4"));
}

/// The content of the original, with everything that its files can have.
fn write_content(root: &Path) {
    let values = json!({ "lead": "Lead ä", "notes": "a\nb", "legal": "<p>x</p>", "price": 12.5,
        "rating": 7, "featured": true, "kind": "a", "tags": ["x", "z"], "day": "2024-05-03",
        "at": "2024-05-03T12:00:00Z", "hero": ["Pic_1.png"], "gallery": ["Pic_1.png", "b.png"],
        "alias": "an-alias", "raw": { "k": [1, null] }, "author": "anna",
        "related": ["second", "secret", "nowhere", "first"], "tint": "#ff8800",
        "links": [{ "label": "L", "to": "anna" }, { "label": "M", "to": null }] });
    let mut first = json!({ "uid": "aB3_-9xYz01", "title": "Ärste",
        "translations": { "en": { "title": "Ärste", "fields": { "body": "Hello" } },
            "de": { "title": "Erste", "fields": { "lead": "Zuerst", "body": "Hallo", "price": 99 } } } });
    for (key, value) in values.as_object().unwrap() {
        first[key] = value.clone();
    }
    write_entry(root, "posts", "first", first);
    write_entry(root, "posts", "second", json!({ "lead": "2" }));
    let later =
        json!({ "uid": "FutureUid_1", "lead": "3", "published_at": "2999-01-01T00:00:00Z" });
    write_entry(root, "posts", "later", later);
    for status in ["draft", "protected", "archived"] {
        let slug = if status == "draft" { "secret" } else { status };
        write_entry(root, "posts", slug, json!({ "status": status, "lead": status }));
    }
    let gone = json!({ "uid": "GoneUid__01", "lead": "x", "deleted_at": "2024-06-01T00:00:00Z", "deleted_by": "u1" });
    write_entry(root, "posts", "gone", gone.clone());
    write(root, "storage/workspaces/main/trash/content/posts/gone.json", gone.to_string());
    write_entry(
        root,
        "authors",
        "anna",
        json!({ "uid": "AnnaUid__01", "title": "Anna", "bio": "B", "picture": ["b.png"] }),
    );
    write_entry(
        root,
        "home",
        "home",
        json!({ "uid": "HomeUid__01", "title": "Welcome", "text": "T" }),
    );
    write_entry(root, "notes", "hidden", json!({ "uid": "NoteUid__01" }));
    for (stem, event, lead) in [
        ("20240502100000-0000000a", "update", "Old 1"),
        ("20240502110000-0000000b", "restore", "Old 2"),
    ] {
        let revision = json!({ "id": stem, "collection": "posts", "entry_id": "first", "event": event,
            "created_at": format!("2024-05-02T1{}:00:00Z", u8::from(event == "restore")), "created_by": "u2",
            "entry": { "uid": "aB3_-9xYz01", "title": "Before", "slug": "first", "status": "draft", "lead": lead,
                "related": ["nowhere"] } });
        let path = format!("storage/workspaces/main/revisions/content/posts/first/{stem}.json");
        write(root, &path, revision.to_string());
    }
    write(root, "storage/workspaces/main/media/Pic_1.png", picture(2));
    write(root, "storage/workspaces/main/media/b.png", picture(4));
    write(root, "storage/workspaces/main/media/secret.png", [PNG, b"s"].concat());
    let index = json!({ "categories": ["Press", "Press / Logos"], "files": {
        "Pic_1.png": { "category": "Press / Logos", "alt": "A picture", "title": "T",
            "uploaded_by": "u1", "uploaded_at": "2024-05-01T00:00:00Z", "visibility": "public" },
        "secret.png": { "visibility": "private" } } });
    write(root, "storage/workspaces/main/media-meta/index.json", index.to_string());
}

/// The installation around the content.
fn write_installation(root: &Path) {
    let settings = json!({ "workspaces": [{ "slug": "main", "label": "Main site" }],
        "default_workspace": "main", "content_type_order_main": ["home", "authors", "posts"],
        "webhooks": [
            { "url": "https://build.example/hook", "secret": "a secret of the original", "name": "Build",
                "events": ["content.published", "cache.cleared"], "enabled": true },
            { "url": "https://short.example/", "secret": "short", "events": ["content.created"] }] });
    write(root, "storage/settings.json", settings.to_string());
    write(root, "storage/workspaces/icons/main.png", picture(4));
    let user = json!({ "id": "u1", "username": "anna", "role": "admin",
        "password_hash": "$2y$07$BCryptRequires22Chrcte/VlQH0piJtjXl.0t1XkA8pw9dMXTpOq" });
    write(root, "storage/users/u1.json", user.to_string());
    write(root, "storage/users/avatars/u1.png", picture(4));
    write(root, "storage/users/avatars/u2.webp", "no picture");
    write(
        root,
        "storage/users/u2.json",
        user.to_string().replace("u1", "u2").replace("anna", "ben"),
    );
    write(root, "storage/api-tokens/tok_0123456789.json", "{}");
    write(root, "storage/logs/app.log", "x");
}

fn get(server: &Server, path: &str) -> Value {
    let answer = server.get(&format!("{API}/{path}"));
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    assert!(head.contains("200 OK"), "{path}: {answer}");
    parse(body)
}

/// An entry as the original answered it.
fn recorded(id: &Value, of: &str, slug: &str, title: &str, data: Value) -> Value {
    json!({ "id": id, "slug": slug, "type": of, "status": "published", "title": title,
        "published_at": "2024-05-03T12:00:00Z", "created_at": "2024-05-01T08:00:00Z",
        "updated_at": "2024-05-04T00:00:00Z", "author_id": "u1", "updated_by": "u2", "data": data })
}

/// Compares an answer with a recorded one, field by field. Additional fields are welcome.
fn expect(found: &Value, wanted: &Value, at: &str) {
    match (found, wanted) {
        (Value::Object(found), Value::Object(wanted)) if !at.ends_with(".raw") => {
            for (key, value) in wanted {
                expect(found.get(key).unwrap_or(&Value::Null), value, &format!("{at}.{key}"));
            }
        }
        (Value::Array(found), Value::Array(wanted)) => {
            assert_eq!(found.len(), wanted.len(), "{at}: {found:?}");
            for (number, (found, wanted)) in found.iter().zip(wanted).enumerate() {
                expect(found, wanted, &format!("{at}[{number}]"));
            }
        }
        _ => assert_eq!(found, wanted, "{at}"),
    }
}

/// The values of the first post, as the original answered them.
fn first_data(base: &str, second: &Value) -> Value {
    let url = |name: &str| format!("{base}/media/default/{name}");
    json!({ "lead": "Lead ä", "notes": "a\nb", "body": "Hello", "legal": "<p>x</p>", "price": 12.5,
        "rating": 7, "featured": true, "kind": "a", "tags": ["x", "z"], "day": "2024-05-03",
        "at": "2024-05-03T12:00:00Z", "hero": [url("Pic_1.png")],
        "gallery": [url("Pic_1.png"), url("b.png")], "alias": "an-alias", "raw": { "k": [1, null] },
        "author": "AnnaUid__01", "related": [second, "aB3_-9xYz01"], "tint": "#ff8800",
        "links": [{ "label": "L", "to": "AnnaUid__01" }, { "label": "M", "to": null }] })
}

#[test]
fn public_answers_are_those_of_the_original() {
    let folder = folder();
    let root = folder.path();
    run_well(root, &["init", "data", "--empty"]);
    write_types(root);
    write_content(root);
    write_installation(root);
    let report = import(root, ARGUMENTS);
    let problems = report["problems"].as_array().unwrap();
    assert!(problems.is_empty(), "{problems:#?}");
    let server = Server::start(root, &["--base-url", "https://cms.example.org"]);
    let base = "https://cms.example.org";

    let types = get(&server, "content-types");
    let names: Vec<&str> =
        types["data"].as_array().unwrap().iter().map(|it| it["name"].as_str().unwrap()).collect();
    // Single types are behind the others.
    assert_eq!(names, ["authors", "posts", "home"]);
    let posts = json!({ "name": "posts", "label": "Posts", "icon": "mdi:post", "singleton": false,
        "slug_field": "slug", "slug_source": "title", "locales": ["en", "de"], "default_locale": "en" });
    expect(&types["data"][1], &posts, "posts");
    let kinds = &get(&server, "content-types/posts")["data"]["fields"];
    let kinds: Vec<&str> =
        kinds.as_object().unwrap().values().map(|it| it["type"].as_str().unwrap()).collect();
    for kind in [
        "text", "textarea", "markdown", "html", "number", "range", "boolean", "select", "date",
        "datetime", "media", "slug", "json", "relation", "repeater", "color",
    ] {
        assert!(kinds.contains(&kind), "{kind}: {kinds:?}");
    }

    // What is not public is not there: drafts, protected, archived and future entries, the trash.
    let list = get(&server, "content/posts?sort=slug");
    assert_eq!(list["meta"]["total"], 2, "{list:#}");
    let second = list["data"][1]["id"].clone();
    let data = first_data(base, &second);
    let first = recorded(&"aB3_-9xYz01".into(), "posts", "first", "Ärste", data.clone());
    let empty = json!({ "lead": "2", "notes": null, "price": null, "featured": false, "tags": [],
        "hero": [], "author": null, "related": [], "links": [] });
    expect(
        &list["data"],
        &json!([first, recorded(&second, "posts", "second", "second", empty)]),
        "list",
    );
    for identifier in ["aB3_-9xYz01", "first"] {
        expect(&get(&server, &format!("content/posts/{identifier}"))["data"], &first, identifier);
    }
    let german = get(&server, "content/posts/first?locale=de");
    let mut wanted = data;
    (wanted["lead"], wanted["body"]) = ("Zuerst".into(), "Hallo".into());
    expect(
        &german["data"],
        &recorded(&"aB3_-9xYz01".into(), "posts", "first", "Erste", wanted),
        "de",
    );
    let found = get(&server, "content/posts?filter[kind]=a&filter[tags]=z&q=hello");
    assert_eq!(found["data"][0]["id"], "aB3_-9xYz01");
    let anna = json!({ "bio": "B", "picture": [format!("{base}/media/default/b.png")] });
    let anna = recorded(&"AnnaUid__01".into(), "authors", "anna", "Anna", anna);
    expect(
        &get(&server, "content/posts/first?include=author")["data"]["data"]["author"],
        &anna,
        "author",
    );
    let home = recorded(&"home".into(), "home", "home", "Welcome", json!({ "text": "T" }));
    expect(&get(&server, "content/home/home")["data"], &home, "home");
    for path in [
        "content/posts/secret",
        "content/posts/FutureUid_1",
        "content/posts/GoneUid__01",
        "content/notes/hidden",
    ] {
        assert!(server.get(&format!("{API}/{path}")).contains("404 Not Found"), "{path}");
    }

    let media = get(&server, "media");
    let pic = json!({ "filename": "Pic_1.png", "url": format!("{base}/media/default/Pic_1.png"),
        "size": picture(2).len(), "mime": "image/png", "category": "Press / Logos", "alt": "A picture",
        "title": "T", "visibility": "public", "width": 2, "height": 2, "uploaded_by": "u1",
        "uploaded_at": "2024-05-01T00:00:00Z" });
    let items = media["data"].as_array().unwrap();
    assert_eq!(
        (items.len(), &media["meta"]["categories"]),
        (2, &json!(["Press", "Press / Logos"]))
    );
    expect(items.iter().find(|it| it["filename"] == "Pic_1.png").unwrap(), &pic, "media");
    // Without the bytes, which are no text.
    let head = "HEAD /media/default/Pic_1.png HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";
    assert!(server.ask(head).contains("200 OK"));
    assert!(server.get("/media/default/secret.png").contains("401 Unauthorized"));
}

#[test]
fn the_rest_of_an_installation_comes_along() {
    let folder = folder();
    let root = folder.path();
    run_well(root, &["init", "data", "--empty"]);
    write_types(root);
    write_content(root);
    write_installation(root);
    let report = import(root, ARGUMENTS);
    let read = |path: &str| parse(&fs::read_to_string(root.join("data").join(path)).unwrap());
    let gone = read("workspaces/default/trash/posts/GoneUid__01.json");
    assert_eq!(
        (&gone["deleted_at"], &gone["deleted_by"]),
        (&"2024-06-01T00:00:00Z".into(), &"u1".into())
    );
    let revisions = root.join("data/workspaces/default/revisions/posts/aB3_-9xYz01");
    let mut names: Vec<String> = fs::read_dir(&revisions)
        .unwrap()
        .map(|it| it.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert!(
        names[0].ends_with("-update-u2.json") && names[1].ends_with("-restore-u2.json"),
        "{names:?}"
    );
    let old = parse(&fs::read_to_string(revisions.join(&names[0])).unwrap());
    assert_eq!((&old["title"], &old["data"]["lead"]), (&"Before".into(), &"Old 1".into()));
    assert_eq!(report["revisions"]["created"], 2);
    let hooks = read("system/webhooks.json");
    let hook = json!({ "id": "php-default-0", "name": "Build", "url": "https://build.example/hook",
        "events": ["content.published"], "workspaces": ["default"], "enabled": false,
        "secret": "a secret of the original" });
    assert_eq!(hooks["webhooks"], json!([hook]));
    let workspace = read("workspaces/default/workspace.json");
    assert_eq!(
        (&workspace["label"], &workspace["types"]),
        (&"Main site".into(), &json!(["home", "authors", "posts"]))
    );
    assert!(root.join("data/workspaces/default/icon.png").is_file());
    assert_eq!(read("system/users/u1.json")["has_avatar"], true);
    assert!(root.join("data/system/avatars/u1.png").is_file());
    assert_eq!(read("system/users/u2.json")["has_avatar"], false);
    let said = report["skipped"].to_string() + &report["altered"].to_string();
    for word in [
        "short.example",
        "cache.cleared",
        "switched off",
        "api-tokens",
        "logs/",
        "u2.webp",
        "nowhere",
    ] {
        assert!(said.contains(word), "{word}: {said}");
    }
    is_idempotent(root, ARGUMENTS);
    assert_eq!(run_well(root, &["check"]).trim(), "no problems");
}

#[test]
fn a_field_whose_name_is_reserved_here_gets_another_one() {
    let folder = folder();
    let root = folder.path();
    run_well(root, &["init", "data", "--empty"]);
    let charts = json!({ "name": "charts", "label": "Charts", "locales": ["en", "de"],
        "default_locale": "en", "fields": { "data": { "type": "text" }, "unit": { "type": "text" } } });
    let path = "storage/workspaces/main/content-types/charts.json";
    write(root, path, charts.to_string());
    write_entry(
        root,
        "charts",
        "rain",
        json!({ "uid": "RainUid__01", "data": "1, 2", "unit": "mm" }),
    );
    // The value at the root may be missing, and stands in the translations alone.
    let translations = json!({ "en": { "title": "Sun", "fields": { "data": "3" } }, "de": { "fields": { "data": "4" } } });
    write_entry(root, "charts", "sun", json!({ "translations": translations }));
    let report = import(root, ARGUMENTS);
    assert_eq!(report["problems"], json!([]));
    assert!(report["altered"].to_string().contains("fields.data"), "{report:#}");
    assert!(!report["skipped"].to_string().contains("no such field"), "{report:#}");
    assert_eq!(entry(root, "charts", "rain")["data"], json!({ "data_": "1, 2", "unit": "mm" }));
    let sun = entry(root, "charts", "sun");
    assert_eq!(
        (&sun["data"]["data_"], &sun["translations"]["de"]["data"]["data_"]),
        (&"3".into(), &"4".into())
    );
    is_idempotent(root, ARGUMENTS);
}
