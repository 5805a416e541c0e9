//! Exports of Contentful: types, entries with locales, rich text, assets.

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

fn field(id: &str, kind: &str, more: Value) -> Value {
    let mut field = json!({ "id": id, "name": id.to_uppercase(), "type": kind, "localized": false,
        "required": false, "disabled": false, "omitted": false, "validations": [] });
    for (key, value) in more.as_object().unwrap() {
        field[key] = value.clone();
    }
    field
}

fn to(of: &str, id: &str) -> Value {
    json!({ "sys": { "type": "Link", "linkType": of, "id": id } })
}

fn item(id: &str, of: &str, sys: Value, fields: Value) -> Value {
    let mut item = json!({ "metadata": { "tags": [] }, "sys": { "id": id, "type": "Entry",
        "createdAt": "2024-05-01T10:00:00.000Z", "updatedAt": "2024-05-02T10:00:00.000Z",
        "firstPublishedAt": "2024-05-03T10:00:00.000Z", "publishedVersion": 4, "version": 5,
        "contentType": to("ContentType", of) }, "fields": fields });
    for (key, value) in sys.as_object().unwrap() {
        item["sys"][key] = value.clone();
    }
    item
}

fn asset(id: &str, name: &str, published: Value) -> Value {
    let url = format!("//images.ctfassets.net/space1/{id}/token1/{name}");
    json!({ "sys": { "id": id, "type": "Asset", "version": 3, "publishedVersion": published },
        "fields": { "title": { "en-US": "Title" }, "description": { "en-US": "A picture" },
            "file": { "en-US": { "url": url, "fileName": name, "contentType": "image/png" } } } })
}

/// The export of a space.
fn space() -> Value {
    let text = |it: &str| json!({ "nodeType": "text", "value": it, "marks": [{ "type": "italic" }], "data": {} });
    let node = |kind: &str, data: Value, content: Vec<Value>| json!({ "nodeType": kind, "data": data, "content": content });
    let target = |of: &str, id: &str| json!({ "target": to(of, id) });
    let story = node(
        "document",
        json!({}),
        vec![
            node(
                "paragraph",
                json!({}),
                vec![
                    text("Hi"),
                    node("entry-hyperlink", target("Entry", "author-1"), vec![text("Anna")]),
                ],
            ),
            node("embedded-asset-block", target("Asset", "pic"), vec![]),
            node("embedded-entry-block", target("Entry", "gone"), vec![]),
        ],
    );
    let posts = json!({ "sys": { "id": "blogPost" }, "name": "Blog post", "displayField": "headline",
        "fields": [
            field("headline", "Symbol", json!({ "localized": true, "required": true })),
            field("slug", "Symbol", json!({ "validations": [{ "unique": true }] })),
            field("story", "RichText", json!({ "localized": true })),
            field("notes", "Text", json!({})), field("plain", "Text", json!({})),
            field("kind", "Symbol", json!({ "validations": [{ "in": ["a", "b"] }] })),
            field("words", "Array", json!({ "items": { "type": "Symbol", "validations": [] } })),
            field("size", "Integer", json!({ "validations": [{ "range": { "min": 1 } }] })),
            field("day", "Date", json!({})), field("at", "Date", json!({})),
            field("place", "Location", json!({})), field("extra", "Object", json!({})),
            field("hero", "Link", json!({ "linkType": "Asset" })),
            field("pictures", "Array", json!({ "items": { "type": "Link", "linkType": "Asset" } })),
            field("author", "Link", json!({ "linkType": "Entry", "validations": [{ "linkContentType": ["author"] }] })),
            field("more", "Array", json!({ "items": { "type": "Link", "linkType": "Entry" } })),
            field("unused", "Link", json!({ "linkType": "Entry" })),
            field("other", "ResourceLink", json!({})) ] });
    let authors = json!({ "sys": { "id": "author" }, "name": "Author", "displayField": "name",
        "fields": [field("name", "Symbol", json!({}))] });
    let en = |value: Value| json!({ "en-US": value });
    let fields = json!({ "headline": { "en-US": "First", "de": "Erstes" }, "slug": en("first".into()),
        "story": { "en-US": story, "de": node("document", json!({}), vec![node("paragraph", json!({}), vec![text("Hallo")])]) },
        "notes": en("![x](//images.ctfassets.net/space1/pic/token1/My%20pic.png?w=100)".into()),
        "plain": en("a *b*".into()), "kind": en("a".into()), "words": en(json!(["x", "y"])),
        "size": en(3.into()), "day": en("2024-05-03".into()), "at": en("2024-05-03T10:00+02:00".into()),
        "place": en(json!({ "lat": 1.5, "lon": 2.5 })), "extra": en(json!({ "a": [1] })),
        "hero": en(to("Asset", "pic")), "pictures": en(json!([to("Asset", "pic"), to("Asset", "nofile")])),
        "author": en(to("Entry", "author-1")),
        "more": en(json!([to("Entry", "author-1"), to("Entry", "post-2"), to("Entry", "gone")])) });
    json!({ "contentTypes": [posts, authors],
        "editorInterfaces": [{ "sys": { "contentType": to("ContentType", "blogPost") },
            "controls": [{ "fieldId": "plain", "widgetId": "multipleLine" }] }],
        "entries": [
            item("post-1", "blogPost", json!({}), fields),
            item("post-2", "blogPost", json!({ "publishedVersion": null, "firstPublishedAt": null }),
                json!({ "headline": en("Second".into()), "slug": en("second".into()) })),
            item("post.3", "blogPost", json!({ "version": 9 }),
                json!({ "headline": en("Third".into()), "slug": en("third".into()) })),
            item("post-4", "blogPost", json!({ "archivedAt": "2024-05-03T10:00:00.000Z" }),
                json!({ "headline": en("Fourth".into()), "slug": en("fourth".into()) })),
            item("author-1", "author", json!({}), json!({ "name": en("Anna".into()) })) ],
        "assets": [asset("pic", "My%20pic.png", 2.into()), asset("nofile", "b.png", 2.into()),
            asset("hidden", "c.png", Value::Null)],
        "locales": [{ "code": "de", "default": false }, { "code": "en-US", "default": true }],
        "webhooks": [{ "url": "https://x.org" }], "roles": [] })
}

fn write_space(root: &Path, space: &Value) {
    write(root, "space/export.json", space.to_string());
    write(root, "space/images.ctfassets.net/space1/pic/token1/My pic.png", PNG);
    write(root, "space/images.ctfassets.net/space1/hidden/token1/c.png", [PNG, b"c"].concat());
}

#[test]
fn an_export_of_contentful_becomes_types_entries_and_media() {
    let folder = folder();
    let root = folder.path();
    run_well(root, &["init", "data", "--empty"]);
    write_space(root, &space());
    let before = stored(root);
    import(root, &["contentful", "space", "--dry-run"]);
    expect_stored(root, &before);
    let report = import(root, &["contentful", "space"]);
    let created = (&report["entries"]["created"], &report["media"]["created"]);
    assert_eq!(created, (&5.into(), &2.into()), "{report:#}");
    let path = root.join("data/workspaces/default/schemas/blogPost.json");
    let schema = parse(&fs::read_to_string(path).unwrap());
    assert_eq!(schema["locales"], json!(["en-US", "de"]));
    let kind = |name: &str| schema["fields"][name]["type"].as_str().unwrap_or("none").to_string();
    assert_eq!(
        ["story", "notes", "plain", "kind", "words", "day", "at", "place", "author", "more"]
            .map(kind),
        [
            "markdown", "markdown", "textarea", "select", "select", "date", "datetime", "object",
            "relation", "blocks"
        ]
    );
    let first = entry(root, "blogPost", "first");
    assert_eq!((&first["id"], &first["status"]), (&"post-1".into(), &"published".into()));
    let data = json!({
        "story": "*Hi*[*Anna*](recto:author/author-1)\n\n![A picture](/media/default/my-20pic.png)\n",
        "notes": "![x](/media/default/my-20pic.png)", "plain": "a *b*", "kind": "a",
        "words": ["x", "y"], "size": 3, "day": "2024-05-03", "at": "2024-05-03T08:00:00Z",
        "place": { "lat": 1.5, "lon": 2.5 }, "extra": { "a": [1] }, "hero": ["my-20pic.png"],
        "pictures": ["my-20pic.png"], "author": "author-1",
        "more": [{ "_type": "author", "_id": "link-0", "entry": "author-1" },
            { "_type": "blogPost", "_id": "link-1", "entry": "post-2" }] });
    assert_eq!(first["data"], data);
    let german = json!({ "title": "Erstes", "data": { "story": "*Hallo*\n" } });
    assert_eq!(first["translations"], json!({ "de": german }));
    let status = |slug: &str| entry(root, "blogPost", slug)["status"].clone();
    assert_eq!(["second", "third", "fourth"].map(status), ["draft", "draft", "archived"]);
    assert_eq!(entry(root, "blogPost", "third")["id"], "post-3");
    let meta = |name: &str| {
        let path = root.join(format!("data/workspaces/default/media-meta/{name}.json"));
        parse(&fs::read_to_string(path).unwrap())
    };
    assert_eq!(
        (&meta("my-20pic.png")["alt"], &meta("c.png")["visibility"]),
        (&"A picture".into(), &"private".into())
    );
    let said = report["skipped"].to_string() + &report["altered"].to_string();
    for word in [
        "download-assets",
        "lead nowhere",
        "several types",
        "ResourceLink",
        "Webhooks",
        "unused",
        "delivery-token",
    ] {
        assert!(said.contains(word), "{word}: {said}");
    }
    is_idempotent(root, &["contentful", "space"]);
    assert_eq!(run_well(root, &["check"]).trim(), "no problems");
}

#[test]
fn all_problems_of_a_space_are_named() {
    let folder = folder();
    let root = folder.path();
    run_well(root, &["init", "data", "--empty"]);
    assert_eq!(problems(root, &["contentful", "data"]), [""]);
    let mut wrong = space();
    wrong["entries"][0]["fields"]["kind"]["en-US"] = "z".into();
    wrong["entries"][0]["fields"]["size"]["en-US"] = 0.into();
    wrong["entries"][4]["sys"]["contentType"] = to("ContentType", "nothing");
    write_space(root, &wrong);
    let mut found = problems(root, &["contentful", "space"]);
    found.sort();
    assert_eq!(
        found,
        [
            "export.json entries.author-1",
            "export.json entries.post-1.kind",
            "export.json entries.post-1.size"
        ]
    );
    write(root, "space/export.json", "{\"contentTypes\":[\n");
    assert_eq!(problems(root, &["contentful", "space"]), ["export.json line=2"]);
}
