//! Exports of Strapi: types with components and zones, entries with locales and versions, files.

use std::fs;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;
use serde_json::json;

use crate::support::command_line::folder;
use crate::support::command_line::json as parse;
use crate::support::command_line::run;
use crate::support::command_line::run_well;
use crate::support::importing::PNG;
use crate::support::importing::entry;
use crate::support::importing::expect_stored;
use crate::support::importing::import;
use crate::support::importing::is_idempotent;
use crate::support::importing::problems;
use crate::support::importing::stored;
use crate::support::importing::write;

fn lines(items: &[Value]) -> String {
    items.iter().map(|it| format!("{it}\n")).collect()
}

/// The schemas of a blog.
fn schemas() -> Vec<Value> {
    let localized = json!({ "i18n": { "localized": true } });
    vec![
        json!({ "uid": "api::article.article", "kind": "collectionType", "modelType": "contentType",
            "info": { "singularName": "article", "pluralName": "articles", "displayName": "Article" },
            "options": { "draftAndPublish": true }, "pluginOptions": localized,
            "attributes": {
                "headline": { "type": "string", "required": true, "pluginOptions": localized },
                "slug": { "type": "uid", "targetField": "headline", "pluginOptions": localized },
                "body": { "type": "richtext", "pluginOptions": localized },
                "intro": { "type": "blocks", "pluginOptions": localized },
                "cover": { "type": "media", "multiple": false, "allowedTypes": ["images"] },
                "type": { "type": "enumeration", "enum": ["news", "essay"], "default": "news" },
                "rating": { "type": "decimal", "min": 0 },
                "category": { "type": "relation", "relation": "manyToOne",
                    "target": "api::category.category", "inversedBy": "articles" },
                "related": { "type": "relation", "relation": "manyToMany",
                    "target": "api::article.article" },
                "owner": { "type": "relation", "relation": "oneToOne", "target": "admin::user" },
                "secret": { "type": "password" },
                "seo": { "type": "component", "component": "shared.seo", "repeatable": false },
                "facts": { "type": "component", "component": "shared.fact", "repeatable": true },
                "parts": { "type": "dynamiczone", "components": ["shared.quote", "media.quote"] },
                "createdAt": { "type": "datetime" }, "publishedAt": { "type": "datetime" },
                "locale": { "type": "string" },
                "localizations": { "type": "relation", "relation": "oneToMany",
                    "target": "api::article.article" } } }),
        json!({ "uid": "api::category.category", "kind": "collectionType",
            "info": { "singularName": "category", "pluralName": "categories", "displayName": "Category" },
            "options": { "draftAndPublish": false },
            "attributes": { "name": { "type": "string" },
                "articles": { "type": "relation", "relation": "oneToMany",
                    "target": "api::article.article", "mappedBy": "category" } } }),
        json!({ "uid": "api::home.home", "kind": "singleType",
            "info": { "singularName": "home", "pluralName": "homes", "displayName": "Home" },
            "options": {}, "attributes": { "title": { "type": "string" } } }),
        json!({ "uid": "shared.seo", "modelType": "component", "info": { "displayName": "Seo" },
            "attributes": { "metaTitle": { "type": "string" }, "image": { "type": "media" } } }),
        json!({ "uid": "shared.fact", "modelType": "component", "info": { "displayName": "Fact" },
            "attributes": { "text": { "type": "richtext" } } }),
        json!({ "uid": "shared.quote", "modelType": "component", "info": { "displayName": "Quote" },
            "attributes": { "text": { "type": "text" }, "by": { "type": "relation",
                "relation": "oneToOne", "target": "api::category.category" } } }),
        json!({ "uid": "media.quote", "modelType": "component", "info": { "displayName": "Clip" },
            "attributes": { "address": { "type": "string" } } }),
        json!({ "uid": "plugin::users-permissions.user", "info": {}, "attributes": {} }),
    ]
}

fn record(of: &str, id: u32, data: Value) -> Value {
    json!({ "type": of, "id": id, "data": data })
}

fn link(from: (&str, u32, &str), to: (&str, u32), position: u32) -> Value {
    json!({ "kind": "relation.basic", "relation": "manyToOne",
        "left": { "type": from.0, "ref": from.1, "field": from.2, "pos": position },
        "right": { "type": to.0, "ref": to.1 } })
}

fn file_link(file: u32, to: (&str, u32, &str)) -> Value {
    json!({ "kind": "relation.morph", "relation": "morphToMany",
        "left": { "type": "plugin::upload.file", "ref": file, "field": "related" },
        "right": { "type": to.0, "ref": to.1, "field": to.2, "pos": 1 } })
}

fn article(headline: &str, more: Value) -> Value {
    let mut data = json!({ "headline": headline, "createdAt": "2024-05-01T10:00:00.000Z",
        "updatedAt": "2024-05-02T10:00:00.000Z", "publishedAt": "2024-05-03T10:00:00.000Z" });
    for (key, value) in more.as_object().unwrap() {
        data[key] = value.clone();
    }
    data
}

/// The records that all versions have.
fn common() -> (Vec<Value>, Vec<Value>) {
    let file = |id: u32, hash: &str, name: &str, alt: &str| {
        let url = format!("/uploads/{hash}.png");
        let small = json!({ "thumbnail": { "url": format!("/uploads/thumbnail_{hash}.png") } });
        record(
            "plugin::upload.file",
            id,
            json!({ "name": name, "hash": hash, "ext": ".png", "url": url, "formats": small,
                "alternativeText": alt, "caption": name, "createdAt": "2024-04-01T00:00:00.000Z" }),
        )
    };
    let rows = vec![
        file(1, "pic_a1b2", "Pic.png", "A picture"),
        file(2, "gone_c3d4", "gone.png", "gone.png"),
        record("plugin::upload.folder", 1, json!({ "name": "Press", "pathId": 1 })),
        record("plugin::i18n.locale", 1, json!({ "code": "en", "name": "English" })),
        record("plugin::i18n.locale", 2, json!({ "code": "de", "name": "German" })),
        record("plugin::users-permissions.role", 1, json!({ "name": "Public", "type": "public" })),
        record(
            "plugin::users-permissions.permission",
            1,
            json!({ "action": "api::article.article.find" }),
        ),
        record("plugin::users-permissions.user", 1, json!({ "email": "anna@example.org" })),
        record("api::category.category", 3, json!({ "name": "Über uns", "documentId": null })),
        record("api::home.home", 1, json!({ "title": "Welcome" })),
    ];
    let links = vec![
        link(
            ("plugin::users-permissions.permission", 1, "role"),
            ("plugin::users-permissions.role", 1),
            1,
        ),
        link(("plugin::upload.file", 1, "folder"), ("plugin::upload.folder", 1), 1),
    ];
    (rows, links)
}

const SETTINGS: &str = concat!(
    r#"{"type":"core-store","value":{"key":"plugin_i18n_default_locale","value":"\"en\""}}"#,
    "\n",
    r#"{"type":"core-store","value":{"key":"plugin_content_manager_configuration_content_types::api::article.article","value":"{\"settings\":{\"mainField\":\"headline\"}}"}}"#,
    "\n"
);

/// An export of Strapi 4: a record for each locale.
fn write_export(root: &Path) {
    let (mut rows, mut links) = common();
    let of = "api::article.article";
    let node = |text: &str| json!([{ "type": "paragraph", "children": [{ "type": "text", "text": text, "bold": true }] }]);
    rows.push(record(of, 10, article("First", json!({ "slug": "first", "locale": "en", "type": "essay",
        "rating": "4.50", "body": "![x](/uploads/thumbnail_pic_a1b2.png) [y](https://cms.example.org/uploads/pic_a1b2.png)",
        "intro": node("Hi"), "seo": { "id": 5, "metaTitle": "Meta" },
        "facts": [{ "id": 7, "text": "![z](/uploads/pic_a1b2.png)" }, { "id": 8, "text": "b" }],
        "parts": [{ "id": 1, "__component": "shared.quote", "text": "Q" },
            { "id": 1, "__component": "media.quote", "address": "https://x.org" },
            { "id": 2, "__component": "gone.part" }] }))));
    rows.push(record(
        of,
        11,
        article("Erstes", json!({ "slug": "erstes", "locale": "de", "intro": node("Hallo") })),
    ));
    rows.push(record(
        of,
        12,
        article("Second", json!({ "slug": "second", "locale": "en", "publishedAt": null })),
    ));
    rows.push(record(of, 13, article("Privat", json!({ "locale": "de", "publishedAt": null }))));
    links.extend([
        link((of, 10, "localizations"), (of, 11), 1),
        link((of, 11, "localizations"), (of, 10), 1),
        link((of, 12, "localizations"), (of, 13), 1),
        link((of, 13, "localizations"), (of, 12), 1),
        link((of, 10, "category"), ("api::category.category", 3), 1),
        link((of, 10, "related"), (of, 12), 2),
        link((of, 10, "related"), (of, 10), 1),
        link((of, 10, "related"), (of, 99), 3),
        link(("shared.quote", 1, "by"), ("api::category.category", 3), 1),
        file_link(1, (of, 10, "cover")),
        file_link(1, ("shared.seo", 5, "image")),
        file_link(2, (of, 12, "cover")),
    ]);
    write(root, "export/metadata.json", r#"{"strapi":{"version":"4.25.0"}}"#);
    write(root, "export/schemas/schemas_00001.jsonl", lines(&schemas()));
    write(root, "export/entities/entities_00001.jsonl", lines(&rows));
    write(root, "export/links/links_00001.jsonl", lines(&links));
    write(root, "export/configuration/configuration_00001.jsonl", SETTINGS);
    write(root, "export/assets/uploads/pic_a1b2.png", PNG);
}

fn schema(root: &Path, of: &str) -> Value {
    let path = root.join(format!("data/workspaces/default/schemas/{of}.json"));
    parse(&fs::read_to_string(path).unwrap())
}

#[test]
fn an_export_of_strapi_becomes_types_entries_and_media() {
    let folder = folder();
    let root = folder.path();
    run_well(root, &["init", "data", "--empty"]);
    write_export(root);
    let before = stored(root);
    import(root, &["strapi", "export", "--dry-run"]);
    expect_stored(root, &before);
    let report = import(root, &["strapi", "export"]);
    let created = (&report["entries"]["created"], &report["media"]["created"]);
    assert_eq!(created, (&4.into(), &1.into()), "{report:#}");
    let articles = schema(root, "articles");
    let kind = |name: &str| articles["fields"][name]["type"].as_str().unwrap_or("none").to_string();
    assert_eq!(
        ["body", "intro", "cover", "type_", "rating", "category", "seo", "facts", "parts"]
            .map(kind),
        [
            "markdown", "markdown", "media", "select", "number", "relation", "object", "repeater",
            "blocks"
        ]
    );
    assert_eq!(articles["locales"], json!(["en", "de"]));
    assert_eq!(articles["fields"]["title"]["label"], "Headline");
    assert_eq!(articles["fields"]["cover"]["localized"], false);
    assert_eq!(articles.get("visibility").unwrap_or(&json!("public")), "public");
    assert_eq!(schema(root, "content_categories")["visibility"], "private");
    let (first, second) = (entry(root, "articles", "first"), entry(root, "articles", "second"));
    let category = entry(root, "content_categories", "uber-uns");
    assert_eq!((&first["id"], &category["id"]), (&"10".into(), &"3".into()));
    assert_eq!(
        (&first["status"], &first["published_at"], &second["status"]),
        (&"published".into(), &"2024-05-03T10:00:00Z".into(), &"draft".into())
    );
    let data = json!({
        "body": "![x](/media/default/pic.png) [y](/media/default/pic.png)", "intro": "**Hi**\n",
        "cover": ["pic.png"], "type_": "essay", "rating": 4.5, "category": "3",
        "related": ["10", "12"], "seo": { "metaTitle": "Meta", "image": ["pic.png"] },
        "facts": [{ "text": "![z](/media/default/pic.png)" }, { "text": "b" }],
        "parts": [{ "_type": "quote", "_id": "quote-1", "text": "Q", "by": "3" },
            { "_type": "media-quote", "_id": "media-quote-1", "address": "https://x.org" }] });
    assert_eq!(first["data"], data);
    assert_eq!(first["translations"]["de"]["title"], "Erstes");
    assert_eq!(first["translations"]["de"]["data"]["intro"], "**Hallo**\n");
    assert_eq!(second["translations"]["de"]["title"], "Privat");
    assert_eq!(entry(root, "home", "home")["title"], "Welcome");
    let meta = fs::read_to_string(root.join("data/workspaces/default/media-meta/pic.png.json"));
    let meta = parse(&meta.unwrap());
    assert_eq!((&meta["alt"], &meta["category"]), (&"A picture".into(), &"Press".into()));
    let said = report["skipped"].to_string() + &report["altered"].to_string();
    for word in [
        "mappedBy",
        "passwords",
        "admin::user",
        "Users of the site",
        "gone.part",
        "gone_c3d4",
        "slugs of other locales",
        "do not exist",
        "public role",
    ] {
        let known = word == "mappedBy" && said.contains("other side");
        assert!(known || said.contains(word), "{word}: {said}");
    }
    assert!(
        !stored(root).iter().any(|(_, it)| String::from_utf8_lossy(it).contains("anna@example"))
    );
    is_idempotent(root, &["strapi", "export"]);
    assert_eq!(run_well(root, &["check"]).trim(), "no problems");
}

#[test]
fn versions_of_strapi_5_are_one_entry() {
    let folder = folder();
    let root = folder.path();
    run_well(root, &["init", "data", "--empty"]);
    write_export(root);
    let (mut rows, mut links) = common();
    let of = "api::article.article";
    let at = |document: &str, locale: &str, published: Value| {
        json!({ "documentId": document, "locale": locale, "publishedAt": published,
            "slug": document })
    };
    let time = json!("2024-05-03T10:00:00.000Z");
    let later = |mut data: Value| {
        data["updatedAt"] = "2024-06-01T00:00:00.000Z".into();
        data
    };
    rows.push(record(of, 1, later(article("Draft of a", at("doca", "en", Value::Null)))));
    rows.push(record(of, 2, article("A", at("doca", "en", time.clone()))));
    rows.push(record(of, 3, article("Entwurf", at("doca", "de", Value::Null))));
    rows.push(record(of, 4, article("B", at("docb", "en", time))));
    links.push(link((of, 2, "related"), (of, 3), 1));
    links.push(link((of, 2, "related"), (of, 2), 2));
    links.push(link((of, 2, "related"), (of, 4), 3));
    write(root, "export/entities/entities_00001.jsonl", lines(&rows));
    write(root, "export/links/links_00001.jsonl", lines(&links));
    let report = import(root, &["strapi", "export"]);
    let first = entry(root, "articles", "doca");
    assert_eq!((&first["id"], &first["title"]), (&"doca".into(), &"A".into()), "{report:#}");
    // What is not published does not become public.
    assert!(first.get("translations").is_none(), "{first:#}");
    assert_eq!(first["data"]["related"], json!(["doca", "docb"]));
    let said = report["skipped"].to_string();
    assert!(said.contains("`de` is a draft") && said.contains("not published"), "{said}");
    is_idempotent(root, &["strapi", "export"]);
}

/// Packs the export into an archive.
fn pack(root: &Path, name: &str) {
    let out = GzEncoder::new(fs::File::create(root.join(name)).unwrap(), Compression::fast());
    let mut archive = tar::Builder::new(out);
    archive.append_dir_all(".", root.join("export")).unwrap();
    archive.into_inner().unwrap().finish().unwrap();
}

#[test]
fn archives_are_read_without_unpacking_them() {
    let folder = folder();
    let root = folder.path();
    run_well(root, &["init", "data", "--empty"]);
    write_export(root);
    pack(root, "export.tar.gz");
    let report = import(root, &["strapi", "export.tar.gz"]);
    assert_eq!(report["media"]["created"], 1, "{report:#}");
    let picture = fs::read(root.join("data/workspaces/default/media/pic.png")).unwrap();
    assert_eq!(picture, PNG);
    is_idempotent(root, &["strapi", "export.tar.gz"]);
    is_idempotent(root, &["strapi", "export"]);
    fs::rename(root.join("export.tar.gz"), root.join("export.tar.gz.enc")).unwrap();
    let ran = run(root, &["import", "strapi", "export.tar.gz.enc"]);
    assert!(ran.code == 2 && ran.err.contains("--no-encrypt"), "{}", ran.err);
    write(root, "broken.tar.gz", b"\x1f\x8b\x08broken");
    assert_eq!(run(root, &["import", "strapi", "broken.tar.gz"]).code, 2);
    // Names that lead out of an archive name nothing.
    let mut archive = tar::Builder::new(fs::File::create(root.join("bad.tar")).unwrap());
    let mut header = tar::Header::new_gnu();
    let name = b"../../outside.json";
    header.as_gnu_mut().unwrap().name[..name.len()].copy_from_slice(name);
    header.set_size(2);
    header.set_cksum();
    archive.append(&header, &b"{}"[..]).unwrap();
    archive.finish().unwrap();
    assert_eq!(problems(root, &["strapi", "bad.tar"]), [""]);
    assert!(!root.join("../outside.json").exists());
}

#[test]
fn all_problems_of_an_export_are_named() {
    let folder = folder();
    let root = folder.path();
    run_well(root, &["init", "data", "--empty"]);
    assert_eq!(problems(root, &["strapi", "data"]), [""]);
    write_export(root);
    let path = root.join("export/entities/entities_00001.jsonl");
    let rows = fs::read_to_string(&path).unwrap();
    fs::write(&path, format!("{rows}{{\"type\":\n[]\n")).unwrap();
    let n_rows = rows.lines().count();
    let at = |line: usize| format!("entities/entities_00001.jsonl line={line}");
    assert_eq!(problems(root, &["strapi", "export"]), [at(n_rows + 1), at(n_rows + 2)]);
    let wrong = rows.replace(r#""rating":"4.50""#, r#""rating":"-4""#);
    fs::write(&path, wrong.replace(r#""type":"essay""#, r#""type":"poem""#)).unwrap();
    let first = rows.lines().position(|it| it.contains("\"First\"")).unwrap() + 1;
    let found = problems(root, &["strapi", "export"]);
    assert_eq!(found, [format!("{} rating", at(first)), format!("{} type_", at(first))]);
}
