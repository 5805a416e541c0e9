//! Exports of Directus: a snapshot, items, translations, connections between collections, files.

use std::fs;
use std::path::Path;

use serde_json::Value;
use serde_json::json;

use crate::support::command_line::folder;
use crate::support::command_line::json as parse;
use crate::support::command_line::run_well;
use crate::support::importing::PNG;
use crate::support::importing::entry;
use crate::support::importing::expect_stored;
use crate::support::importing::import;
use crate::support::importing::is_idempotent;
use crate::support::importing::problems;
use crate::support::importing::stored;
use crate::support::importing::write;

const PICTURE: &str = "11111111-2222-3333-4444-555555555555";
const POST: &str = "aaaaaaaa-2222-3333-4444-555555555555";

fn field(of: &str, name: &str, kind: &str, interface: &str, more: Value) -> Value {
    let special = more.get("special").cloned().unwrap_or(Value::Null);
    let options = more.get("options").cloned().unwrap_or(Value::Null);
    let sort = more.get("sort").cloned().unwrap_or(Value::Null);
    json!({ "collection": of, "field": name, "type": kind,
        "meta": { "interface": interface, "special": special, "options": options, "sort": sort },
        "schema": { "is_primary_key": name == "id" || name == "code" } })
}

fn relation(many: &str, field: &str, one: Value, shown: Value, junction: Value) -> Value {
    json!({ "collection": many, "field": field, "related_collection": one,
        "meta": { "one_field": shown, "junction_field": junction, "sort_field": null } })
}

/// The schema of a blog.
fn snapshot() -> Value {
    let collection = |name: &str, meta: Value| json!({ "collection": name, "meta": meta, "schema": { "name": name } });
    let mut any = relation("posts_parts", "item", Value::Null, Value::Null, "posts_id".into());
    any["meta"]["one_collection_field"] = "collection".into();
    any["meta"]["one_allowed_collections"] = json!(["quotes", "tags"]);
    let mut parts =
        relation("posts_parts", "posts_id", "posts".into(), "parts".into(), "item".into());
    parts["meta"]["sort_field"] = "sort".into();
    let choices = json!({ "choices": [{ "text": "News", "value": "news" }, { "text": "Essay", "value": "essay" }] });
    let rows = json!({ "fields": [{ "field": "label", "name": "Label", "type": "string", "meta": { "interface": "input" } },
        { "field": "count", "type": "integer", "meta": { "interface": "input" } }] });
    json!({ "version": 1, "directus": "11.1.0", "vendor": "sqlite",
        "collections": [
            collection("posts", json!({ "display_template": "{{headline}}", "archive_field": "status", "archive_value": "archived" })),
            collection("tags", json!({})), collection("quotes", json!({})),
            collection("posts_tags", json!({ "hidden": true })), collection("posts_parts", json!({})),
            collection("posts_files", json!({})),
            collection("posts_translations", json!({})), collection("languages", json!({})),
            collection("home", json!({ "singleton": true })),
            json!({ "collection": "blog", "meta": {}, "schema": null }) ],
        "fields": [
            field("posts", "id", "uuid", "input", json!({ "special": ["uuid"] })),
            field("posts", "status", "string", "select-dropdown", json!({})),
            field("posts", "headline", "string", "input", json!({})),
            field("posts", "slug", "string", "input", json!({})),
            field("posts", "kind", "string", "select-dropdown", json!({ "options": choices })),
            field("posts", "words", "csv", "tags", json!({ "special": ["cast-csv"] })),
            field("posts", "featured", "boolean", "boolean", json!({})),
            field("posts", "facts", "json", "list", json!({ "options": rows })),
            field("posts", "raw", "json", "input-code", json!({})),
            field("posts", "at", "dateTime", "datetime", json!({})),
            field("posts", "secret", "hash", "input-hash", json!({})),
            field("posts", "image", "uuid", "file-image", json!({ "special": ["file"] })),
            field("posts", "gallery", "alias", "files", json!({ "special": ["files"] })),
            field("posts", "topic", "integer", "select-dropdown-m2o", json!({ "special": ["m2o"] })),
            field("posts", "tags", "alias", "list-m2m", json!({ "special": ["m2m"] })),
            field("posts", "parts", "alias", "list-m2a", json!({ "special": ["m2a"] })),
            field("posts", "translations", "alias", "translations", json!({ "special": ["translations"] })),
            field("posts", "date_created", "timestamp", "datetime", json!({ "special": ["date-created"] })),
            field("posts", "user_created", "uuid", "select-dropdown-m2o", json!({ "special": ["user-created"] })),
            field("tags", "id", "integer", "input", json!({})), field("tags", "name", "string", "input", json!({})),
            field("tags", "posts", "alias", "list-o2m", json!({ "special": ["o2m"] })),
            field("quotes", "id", "integer", "input", json!({})), field("quotes", "text", "text", "input-multiline", json!({})),
            field("posts_tags", "id", "integer", "input", json!({})),
            field("posts_translations", "id", "integer", "input", json!({})),
            field("posts_translations", "posts_id", "uuid", "input", json!({})),
            field("posts_translations", "languages_code", "string", "input", json!({})),
            field("posts_translations", "body", "text", "input-rich-text-md", json!({})),
            field("languages", "code", "string", "input", json!({})),
            field("home", "id", "integer", "input", json!({})), field("home", "title", "string", "input", json!({})) ],
        "relations": [
            relation("posts", "image", "directus_files".into(), Value::Null, Value::Null),
            relation("posts", "user_created", "directus_users".into(), Value::Null, Value::Null),
            relation("posts", "topic", "tags".into(), "posts".into(), Value::Null),
            relation("posts_tags", "posts_id", "posts".into(), "tags".into(), "tags_id".into()),
            relation("posts_tags", "tags_id", "tags".into(), Value::Null, "posts_id".into()),
            relation("posts_files", "posts_id", "posts".into(), "gallery".into(), "directus_files_id".into()),
            relation("posts_files", "directus_files_id", "directus_files".into(), Value::Null, "posts_id".into()),
            parts, any,
            relation("posts_translations", "posts_id", "posts".into(), "translations".into(), "languages_code".into()),
            relation("posts_translations", "languages_code", "languages".into(), Value::Null, "posts_id".into()) ] })
}

fn write_items(root: &Path) {
    let put =
        |name: &str, items: Value| write(root, &format!("site/{name}.json"), items.to_string());
    put(
        "posts 20240503-101500",
        json!([
        { "id": POST, "status": "published", "headline": "First", "slug": "first", "kind": "news",
            "words": "a,b", "featured": 1, "facts": [{ "label": "x", "count": 2 }], "raw": "{\"a\":1}",
            "at": "2024-05-03T10:00:00", "secret": "$argon2id$abc", "image": PICTURE,
            "gallery": [{ "directus_files_id": PICTURE }, { "directus_files_id": { "id": "gone" } }],
            "topic": { "id": 1, "name": "Red" }, "tags": [1, 2], "parts": [1, 2], "translations": [1, 2],
            "date_created": "2024-05-01T10:00:00.000Z", "user_created": "u" },
        { "id": "bbbbbbbb-2222-3333-4444-555555555555", "status": "review", "headline": "Second",
            "slug": "second", "topic": 9 } ]),
    );
    put("tags", json!({ "data": [{ "id": 1, "name": "Red" }, { "id": 2, "name": "Blue" }] }));
    put("quotes", json!([{ "id": 1, "text": "Q" }]));
    put("home", json!({ "data": { "id": 1, "title": "Welcome" } }));
    put("languages", json!([{ "code": "en-US" }, { "code": "de-DE" }]));
    put(
        "posts_tags",
        json!([{ "id": 1, "posts_id": POST, "tags_id": 2 }, { "id": 2, "posts_id": POST, "tags_id": { "id": 1 } }]),
    );
    put(
        "posts_parts",
        json!([
        { "id": 1, "posts_id": POST, "collection": "tags", "item": "1", "sort": 2 },
        { "id": 2, "posts_id": POST, "collection": "quotes", "item": "1", "sort": 1 } ]),
    );
    let body = format!("![x](https://cms.example.org/assets/{PICTURE}?width=100)");
    put(
        "posts_translations",
        json!([
        { "id": 1, "posts_id": POST, "languages_code": "en-US", "body": body },
        { "id": 2, "posts_id": POST, "languages_code": "de-DE", "body": "Hallo" } ]),
    );
    put(
        "directus_files",
        json!([
        { "id": PICTURE, "filename_disk": format!("{PICTURE}.png"), "filename_download": "Pic.png",
            "title": "Pic", "description": "A picture", "folder": "f1" },
        { "id": "gone", "filename_disk": "gone.png" } ]),
    );
    put("directus_folders", json!([{ "id": "f1", "name": "Press", "parent": null }]));
    put("notes", json!([]));
    write(root, &format!("site/uploads/{PICTURE}.png"), PNG);
}

#[test]
fn an_export_of_directus_becomes_types_entries_and_media() {
    let folder = folder();
    let root = folder.path();
    run_well(root, &["init", "data", "--empty"]);
    write(root, "site/snapshot.json", json!({ "data": snapshot() }).to_string());
    write_items(root);
    let before = stored(root);
    import(root, &["directus", "site", "--dry-run"]);
    expect_stored(root, &before);
    let report = import(root, &["directus", "site"]);
    let created = (&report["entries"]["created"], &report["media"]["created"]);
    assert_eq!(created, (&6.into(), &1.into()), "{report:#}");
    let path = root.join("data/workspaces/default/schemas/posts.json");
    let schema = parse(&fs::read_to_string(path).unwrap());
    assert_eq!(
        (&schema["locales"], &schema["visibility"]),
        (&json!(["en-US", "de-DE"]), &"private".into())
    );
    let kind = |name: &str| schema["fields"][name]["type"].as_str().unwrap_or("none").to_string();
    assert_eq!(
        [
            "body", "kind", "words", "featured", "facts", "raw", "image", "gallery", "topic",
            "tags", "parts", "secret"
        ]
        .map(kind),
        [
            "markdown", "select", "select", "boolean", "repeater", "json", "media", "media",
            "relation", "relation", "blocks", "none"
        ]
    );
    let first = entry(root, "posts", "first");
    assert_eq!(
        (&first["id"], &first["title"], &first["status"]),
        (&POST.into(), &"First".into(), &"published".into())
    );
    assert_eq!(first["created_at"], "2024-05-01T10:00:00Z");
    let data = json!({ "kind": "news", "words": ["a", "b"], "featured": true,
        "facts": [{ "label": "x", "count": 2 }], "raw": { "a": 1 }, "at": "2024-05-03T10:00:00Z",
        "image": ["pic.png"], "gallery": ["pic.png"], "topic": "1", "tags": ["2", "1"],
        "parts": [{ "_type": "quotes", "_id": "item-0", "entry": "1" }, { "_type": "tags", "_id": "item-1", "entry": "1" }],
        "body": "![x](/media/default/pic.png)" });
    assert_eq!(first["data"], data);
    assert_eq!(first["translations"], json!({ "de-DE": { "data": { "body": "Hallo" } } }));
    let second = entry(root, "posts", "second");
    assert_eq!((&second["status"], &second["data"]["topic"]), (&"draft".into(), &Value::Null));
    assert_eq!(entry(root, "home", "home")["title"], "Welcome");
    let meta = fs::read_to_string(root.join("data/workspaces/default/media-meta/pic.png.json"));
    let meta = parse(&meta.unwrap());
    assert_eq!(
        (&meta["alt"], &meta["category"], &meta["visibility"]),
        (&"A picture".into(), &"Press".into(), &"private".into())
    );
    let said = report["skipped"].to_string() + &report["altered"].to_string();
    for word in [
        "review",
        "secrets",
        "users of Directus",
        "other side",
        "gone",
        "do not exist",
        "notes.json",
        "private",
    ] {
        assert!(said.contains(word), "{word}: {said}");
    }
    assert!(
        !stored(root).iter().any(|(_, it)| String::from_utf8_lossy(it).contains("argon2id$abc"))
    );
    is_idempotent(root, &["directus", "site"]);
    assert_eq!(run_well(root, &["check"]).trim(), "no problems");
}

#[test]
fn a_snapshot_can_be_yaml_and_a_template_has_parts() {
    let folder = folder();
    let root = folder.path();
    run_well(root, &["init", "data", "--empty"]);
    let yaml = "version: 1\ncollections:\n  - collection: tags\n    meta: {}\n    schema: {name: tags}\n\
                fields:\n  - collection: tags\n    field: id\n    type: integer\n    schema: {is_primary_key: true}\n  \
                - collection: tags\n    field: name\n    type: string\n    meta: {interface: input}\nrelations: []\n";
    write(root, "site/snapshot.yaml", yaml);
    write(root, "site/tags.json", r#"[{"id":1,"name":"Red"}]"#);
    import(root, &["directus", "site"]);
    assert_eq!(entry(root, "tags", "red")["id"], "1");
    is_idempotent(root, &["directus", "site"]);
    let whole = snapshot();
    for part in ["collections", "fields", "relations"] {
        write(root, &format!("template/{part}.json"), whole[part].to_string());
    }
    write(root, "template/content/quotes.json", r#"[{"id":1,"text":"Q"}]"#);
    assert_eq!(import(root, &["directus", "template"])["entries"]["created"], 1);
}

#[test]
fn all_problems_of_a_folder_of_directus_are_named() {
    let folder = folder();
    let root = folder.path();
    run_well(root, &["init", "data", "--empty"]);
    write(root, "empty/tags.json", "[]");
    assert_eq!(problems(root, &["directus", "empty"]), [""]);
    write(root, "site/snapshot.json", snapshot().to_string());
    write_items(root);
    write(root, "site/tags.json", r#"[{"id":1,"name":"Red"},7]"#);
    write(root, "site/quotes.json", "[{");
    assert_eq!(problems(root, &["directus", "site"]), ["quotes.json line=1", "tags.json row=2"]);
    write(root, "site/quotes.json", r#"[{"text":"no key"}]"#);
    assert_eq!(problems(root, &["directus", "site"]), ["tags.json row=2"]);
    write(root, "site/tags.json", r#"[{"id":1,"name":"Red"}]"#);
    let posts = r#"[{"id":"p","headline":"P","kind":"z","at":"someday"}]"#;
    write(root, "site/posts 20240503-101500.json", posts);
    let posts = "posts 20240503-101500.json row=1";
    let mut found = problems(root, &["directus", "site"]);
    found.sort();
    assert_eq!(
        found,
        [format!("{posts} at"), format!("{posts} kind"), "quotes.json row=1".to_string()]
    );
}
