//! `recto import`: all of a source or nothing, the same again without a change, and every problem
//! at its place.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::support::command_line::Server;
use crate::support::command_line::folder;
use crate::support::command_line::json;
use crate::support::command_line::run;
use crate::support::command_line::run_well;
use crate::support::folder::eventually;
use crate::support::importing::PNG;
use crate::support::importing::entry;
use crate::support::importing::expect_stored;
use crate::support::importing::import;
use crate::support::importing::is_idempotent;
use crate::support::importing::problems;
use crate::support::importing::stored;
use crate::support::importing::write;

const PRODUCTS: &str = r#"{"fields":{"price":{"type":"number","min":0,"label":"Price"},
    "sku":{"type":"text","unique":true},"tags":{"type":"select","multiple":true,"options":["a","b"]},
    "owner":{"type":"relation","target":"people"},"day":{"type":"date"},"text":{"type":"html"}}}"#;

/// A working folder with types to import into.
fn shop() -> TempDir {
    let folder = folder();
    run_well(folder.path(), &["init", "data", "--empty"]);
    write(folder.path(), "data/workspaces/default/schemas/products.json", PRODUCTS);
    let people = r#"{"locales":["en","de"],"fields":{"bio":{"type":"text"}}}"#;
    write(folder.path(), "data/workspaces/default/schemas/people.json", people);
    folder
}

#[test]
fn a_table_becomes_entries() {
    let folder = shop();
    let root = folder.path();
    write(root, "people.csv", "title,bio,title.de\nAnna,writes,Änna\nErik,,\n");
    write(
        root,
        "products.csv",
        "\u{feff}title;Price;sku;tags;owner;day;text;other\r\n\
         \"A \"\"b\"\"\";1.5;S1;a|b;anna;2026-05-03;<b onclick=x()>x;1\r\n\r\nC;;S2;;;;;\r\n\
         D;2,50;S3;;;;;\r\n",
    );
    assert_eq!(import(root, &["csv", "people.csv", "--type", "people"])["entries"]["created"], 2);
    assert_eq!(entry(root, "people", "anna")["translations"]["de"]["title"], "Änna");
    let arguments = ["csv", "products.csv", "--type", "products", "--status", "published"];
    let before = stored(root);
    let dry = import(root, &[&arguments[..], &["--dry-run"]].concat());
    assert_eq!(
        (&dry["files"], &dry["dry_run"], stored(root) == before),
        (&3.into(), &true.into(), true)
    );
    let report = import(root, &arguments);
    assert_eq!(report["skipped"][0]["field"], "other");
    let first = entry(root, "products", "a-b");
    let id = entry(root, "people", "anna")["id"].clone();
    assert_eq!(first["title"], "A \"b\"");
    let data = serde_json::json!({ "price": 1.5, "sku": "S1", "tags": ["a", "b"], "owner": id,
        "day": "2026-05-03", "text": "<b>x</b>" });
    assert_eq!((&first["data"], &first["status"]), (&data, &"published".into()));
    assert_eq!(entry(root, "products", "d")["data"]["price"], 2.5);
    assert!(first.get("author_id").is_none() && first.get("updated_by").is_none());
    is_idempotent(root, &arguments);
    assert_eq!(run_well(root, &["check"]).trim(), "no problems");
}

#[test]
fn a_folder_has_tables_and_other_files() {
    let folder = shop();
    let root = folder.path();
    for path in ["people/.gitignore", "people/.recto/locks/a.csv", "people/README.md"] {
        write(root, path, "title\nNobody\n");
    }
    write(root, "people/a.csv", "title\nAnna\n");
    write(root, "people/more/b.TSV", "title\tbio\nErik\twrites\n");
    let report = import(root, &["csv", "people", "--type", "people"]);
    assert_eq!(report["entries"]["created"], 2);
    let skipped = report["skipped"].as_array().unwrap();
    assert!(skipped.len() == 1 && skipped[0]["file"] == "README.md", "{skipped:?}");
    // A file by itself is a table whatever it is called.
    assert_eq!(import(root, &["csv", "people/README.md", "--type", "people"])["files"], 1);
}

#[test]
fn rows_update_the_entries_with_their_key() {
    let folder = shop();
    let root = folder.path();
    write(root, "a.csv", "name,sku,Price\nA,S1,1\nB,S2,2\n");
    let map = ["--type", "products", "--map", "name=title", "--key", "sku"];
    import(root, &[&["csv", "a.csv"], &map[..]].concat());
    let id = entry(root, "products", "a")["id"].clone();
    write(root, "b.csv", "name,sku,Price\nA2,S1,\nB,S2,2\nC,S3,3\n");
    let report = import(root, &[&["csv", "b.csv"], &map[..]].concat());
    assert_eq!(
        report["entries"],
        serde_json::json!({ "created": 1, "updated": 1, "unchanged": 1 })
    );
    let changed = entry(root, "products", "a");
    assert_eq!((&changed["id"], &changed["title"]), (&id, &"A2".into()));
    assert!(changed["data"]["price"].is_null());
    // What was there is kept.
    let revisions =
        root.join("data/workspaces/default/revisions/products").join(id.as_str().unwrap());
    assert_eq!(fs::read_dir(revisions).unwrap().count(), 1);
    is_idempotent(root, &[&["csv", "b.csv"], &map[..]].concat());
    // Two rows cannot be one entry, and a key must be unique.
    write(root, "c.csv", "name,sku\nA,S1\nB,s1\n");
    assert_eq!(problems(root, &[&["csv", "c.csv"], &map[..]].concat()), ["c.csv row=3 line=3"]);
    let wrong = ["csv", "a.csv", "--type", "products", "--key", "day", "--map", "name=nothing"];
    let found = problems(root, &wrong);
    assert!(found.len() > 2 && found[0].is_empty() && found[1].is_empty(), "{found:?}");
}

#[test]
fn json_and_lines_of_it_are_tables_too() {
    let folder = shop();
    let root = folder.path();
    let items = r#"[{"id":"p1","title":"A","price":1,"tags":["a"]},
        {"id":"p2","title":"B","data":{"sku":"S"},"created_at":"2020-01-02T00:00:00Z"}]"#;
    write(root, "a.json", items);
    import(root, &["json", "a.json", "--type", "products", "--key", "id"]);
    let (first, second) = (entry(root, "products", "a"), entry(root, "products", "b"));
    assert_eq!((&first["id"], &first["data"]["tags"][0]), (&"p1".into(), &"a".into()));
    assert_eq!(
        (&second["data"]["sku"], &second["created_at"]),
        (&"S".into(), &"2020-01-02T00:00:00Z".into())
    );
    write(root, "a.ndjson", "{\"id\":\"p1\",\"title\":\"A\"}\n\n{\"id\":\"p3\",\"title\":\"C\"}\n");
    let report = import(root, &["ndjson", "a.ndjson", "--type", "products", "--key", "id"]);
    assert_eq!(
        (&report["entries"]["created"], &report["entries"]["unchanged"]),
        (&1.into(), &1.into())
    );
    write(
        root,
        "b.ndjson",
        "{\"title\":\"A\"}\n{\"title\":\n[]\n{\"title\":\"B\",\"price\":\"x\"}\n",
    );
    let found = problems(root, &["ndjson", "b.ndjson", "--type", "products"]);
    assert_eq!(found, ["b.ndjson line=2", "b.ndjson line=3", "b.ndjson line=4 price"]);
    for (text, expect) in [("{\"a\":[", "c.json line=1"), ("{}", "c.json"), ("[1]", "c.json row=1")]
    {
        write(root, "c.json", text);
        assert_eq!(problems(root, &["json", "c.json", "--type", "products"]), [expect], "{text}");
    }
}

#[test]
fn three_wrong_rows_of_many_are_named_and_nothing_is_written() {
    let folder = shop();
    let root = folder.path();
    let mut table = "title,Price,sku,tags,owner\n".to_string();
    for number in 0..10_000 {
        let price = if number == 17 { "-5" } else { "1" };
        let tag = if number == 500 { "z" } else { "a" };
        let owner = if number == 9_998 { "nobody" } else { "" };
        table.push_str(&format!("Product {number},{price},S{number},{tag},{owner}\n"));
    }
    write(root, "a.csv", table);
    let expect = [
        "a.csv row=19 line=19 Price",
        "a.csv row=502 line=502 tags",
        "a.csv row=10000 line=10000 owner",
    ];
    assert_eq!(problems(root, &["csv", "a.csv", "--type", "products"]), expect);
}

#[test]
fn hostile_tables_are_refused() {
    let folder = shop();
    let root = folder.path();
    let check = |content: &[u8], expect: &str| {
        write(root, "a.csv", content);
        assert_eq!(problems(root, &["csv", "a.csv", "--type", "products"]), [expect]);
    };
    check(b"title\nA\n\xff\xfe\n", "a.csv");
    check(b"title,sku\nA,\"x\n", "a.csv row=2 line=2");
    check(b"id,title\n../../etc/passwd,A\n", "a.csv row=2 line=2 id");
    check(b"title,sku\nA,same\nB,SAME\n", "a.csv row=3 line=3 sku");
    assert_eq!(run(root, &["import", "csv", "missing.csv", "--type", "products"]).code, 2);
    assert_eq!(run(root, &["import", "csv", "a.csv"]).code, 2);
    assert_eq!(problems(root, &["csv", "a.csv", "--type", "nothing"]), [""]);
    assert_eq!(
        run(root, &["import", "csv", "a.csv", "--type", "products", "--workspace", "x"]).code,
        2
    );
}

#[test]
fn entries_that_could_not_be_read_back_are_refused() {
    let folder = shop();
    let root = folder.path();
    // As much as the file of an entry can have, without what is around it.
    let large = "x".repeat(8 * 1024 * 1024 - 4 * 1024);
    write(root, "a.csv", format!("title,bio\nAnna,short\nErik,{large}\n"));
    let arguments = ["csv", "a.csv", "--type", "people"];
    assert_eq!(problems(root, &arguments), ["a.csv row=3 line=3"]);
    write(root, "a.csv", "title,bio\nAnna,short\nErik,short\n");
    import(root, &arguments);
    write(root, "a.csv", format!("title,bio\nAnna,{large}\nErik,short\n"));
    assert_eq!(problems(root, &arguments), ["a.csv row=2 line=2"]);
}

#[test]
fn a_source_that_is_none_is_a_problem() {
    let folder = shop();
    let root = folder.path();
    write(root, "a.csv", "title\nA\n");
    fs::create_dir(root.join("empty")).unwrap();
    // The end of an archive without files.
    write(root, "empty.zip", [b"PK\x05\x06".as_slice(), &[0; 18]].concat());
    for source in ["a.csv", "empty", "empty.zip"] {
        assert_eq!(problems(root, &["markdown", source]), [""], "{source}");
    }
    for source in ["empty", "empty.zip"] {
        assert_eq!(problems(root, &["csv", source, "--type", "people"]), [""], "{source}");
    }
}

#[test]
fn options_of_other_formats_are_refused() {
    let folder = shop();
    let root = folder.path();
    write(root, "site/notes/a.md", "# A\n");
    write(root, "a.csv", "title\nA\n");
    let check = |arguments: &[&str], named: &str| {
        let before = stored(root);
        let ran = run(root, &[&["import"], arguments].concat());
        assert_eq!(ran.code, 2, "{arguments:?} {}{}", ran.out, ran.err);
        assert!(ran.err.contains(named), "{arguments:?} {}", ran.err);
        expect_stored(root, &before);
    };
    let tables = ["--type", "a", "--key", "b", "--map", "c=d"];
    check(&[&["markdown", "site"], &tables[..]].concat(), "--type, --map, --key: ");
    check(&["markdown", "site", "--from", "a"], "--from: ");
    check(&["csv", "a.csv", "--type", "people", "--from", "a"], "--from: ");
    for kind in ["wordpress", "strapi", "directus", "contentful", "php"] {
        check(&[kind, "site", "--status", "draft", "--locale", "de"], "--status, --locale: ");
    }
}

#[test]
fn a_running_server_serves_what_is_imported() {
    let folder = shop();
    let root = folder.path();
    write(root, "a.csv", "title,status\nA,published\n");
    let server = Server::start(root, &[]);
    import(root, &["csv", "a.csv", "--type", "products"]);
    let path = "/api/v1/workspaces/default/content/products/a";
    eventually("it is served", || server.get(path).contains("200 OK"));
    write(root, "a.csv", "title,status,sku\nA,published,S9\n");
    assert_eq!(import(root, &["csv", "a.csv", "--type", "products"])["entries"]["updated"], 1);
    eventually("the change is served", || server.get(path).contains("S9"));
    // The server writes its log meanwhile.
    assert_eq!(import(root, &["csv", "a.csv", "--type", "products"])["files"], 0);
}

/// A site with posts, pages, pictures and links between them.
fn site(root: &Path) {
    write(
        root,
        "site/content/posts/first.md",
        "---\ntitle: First\ndate: 2024-05-03\ntags: [b, a]\ncover: cover.png\nrating: 5\nlayout: post\n---\n\
         ![x](cover.png) [two](second.md#part) [about](/about) [out](https://example.org/a)\n",
    );
    write(root, "site/content/posts/cover.png", PNG);
    write(
        root,
        "site/content/posts/second/index.md",
        "+++\ntitle = \"Second\"\ndraft = true\ntags = [\"c\"]\n+++\n![y](./pic.png \"t\") <img src=\"/img/top.png\">\n",
    );
    write(
        root,
        "site/content/posts/second/index.de.md",
        "---\ntitle: Zweiter\n---\nText auf Deutsch\n",
    );
    write(root, "site/content/posts/second/pic.png", [PNG, b"2"].concat());
    write(root, "site/static/img/top.png", [PNG, b"3"].concat());
    write(root, "site/static/img/unused.png", PNG);
    write(root, "site/content/about.md", "{\"title\":\"About\"}\n\nHello\n");
    write(root, "site/README.md", "not content");
}

#[test]
fn a_folder_of_markdown_becomes_types_entries_and_media() {
    let folder = folder();
    let root = folder.path();
    run_well(root, &["init", "data", "--empty"]);
    site(root);
    let before = stored(root);
    import(root, &["markdown", "site", "--dry-run"]);
    expect_stored(root, &before);
    let report = import(root, &["markdown", "site"]);
    assert_eq!(report["problems"].as_array().unwrap().len(), 0, "{report:#}");
    assert_eq!(
        (&report["entries"]["created"], &report["media"]["created"]),
        (&3.into(), &3.into())
    );
    let schema =
        json(&fs::read_to_string(root.join("data/workspaces/default/schemas/posts.json")).unwrap());
    let kind = |name: &str| schema["fields"][name]["type"].clone();
    assert_eq!(
        ["tags", "cover", "rating", "body"].map(kind),
        ["select", "media", "number", "markdown"].map(Value::from)
    );
    assert_eq!(schema["locales"], serde_json::json!(["en", "de"]));
    let (first, second) = (entry(root, "posts", "first"), entry(root, "posts", "second"));
    let about = entry(root, "pages", "about")["id"].clone();
    let body = format!(
        "![x](/media/default/cover.png) [two](recto:posts/{}#part) [about](recto:pages/{}) \
         [out](https://example.org/a)",
        second["id"].as_str().unwrap(),
        about.as_str().unwrap()
    );
    assert_eq!(first["data"]["body"], body);
    assert_eq!(
        (&first["status"], &first["published_at"]),
        (&"published".into(), &"2024-05-03T00:00:00Z".into())
    );
    assert_eq!(first["data"]["cover"], serde_json::json!(["cover.png"]));
    assert_eq!(second["status"], "draft");
    assert_eq!(second["translations"]["de"]["title"], "Zweiter");
    assert_eq!(
        second["data"]["body"],
        "![y](/media/default/pic.png \"t\") <img src=\"/media/default/top.png\">"
    );
    let skipped = report["skipped"].to_string();
    assert!(skipped.contains("layout") && skipped.contains("README.md"), "{skipped}");
    is_idempotent(root, &["markdown", "site"]);
    assert_eq!(run_well(root, &["check"]).trim(), "no problems");
}

#[test]
fn a_folder_fits_into_existing_types() {
    let folder = shop();
    let root = folder.path();
    write(root, "site/people/anna.md", "---\ntitle: Anna\nbio: writes\nage: 7\n---\n");
    write(root, "site/people/anna.de.md", "---\ntitle: Änna\nbio: schreibt\n---\n");
    let report = import(root, &["markdown", "site"]);
    assert_eq!(report["types"][0]["created"], false);
    assert!(report["skipped"].to_string().contains("age"), "{report:#}");
    let anna = entry(root, "people", "anna");
    assert_eq!(anna["translations"]["de"]["data"]["bio"], "schreibt");
    is_idempotent(root, &["markdown", "site"]);
    write(root, "site/people/erik.md", "---\ntitle: Erik\n---\nA text without a field\n");
    assert_eq!(problems(root, &["markdown", "site"]), ["people/erik.md"]);
}

#[test]
fn columns_of_one_field_are_refused() {
    let folder = shop();
    let root = folder.path();
    write(root, "a.csv", "title,price,Price\nA,1,2\n");
    let arguments = ["csv", "a.csv", "--type", "products"];
    assert_eq!(problems(root, &arguments), ["a.csv Price"]);
    let mapped = ["csv", "a.csv", "--type", "products", "--map", "Price=sku"];
    assert_eq!(import(root, &mapped)["entries"]["created"], 1);
    let rows = r#"[{"title":"B","price":1,"Price":1},{"title":"C","price":1,"Price":2}]"#;
    write(root, "a.json", rows);
    assert_eq!(problems(root, &["json", "a.json", "--type", "products"]), ["a.json row=2 Price"]);
}

#[test]
fn all_problems_of_a_folder_are_named() {
    let folder = folder();
    let root = folder.path();
    run_well(root, &["init", "data", "--empty"]);
    write(root, "site/posts/a.md", "---\ntitle: a\ntitle: b\n---\n");
    write(root, "site/posts/b.md", "---\ndate: someday\n---\n# B\n");
    write(root, "site/posts/c.md", b"---\ntitle: \xff\n---\n");
    write(root, "site/posts/d.md", "---\ntitle: [\n");
    write(root, "site/posts/e.md", "---\nslug: b\ntitle: E\n---\n");
    let mut bomb = "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n".to_string();
    for level in 1..12 {
        let items = vec![format!("*a{}", level - 1); 10].join(",");
        bomb.push_str(&format!("a{level}: &a{level} [{items}]\n"));
    }
    write(root, "site/posts/f.md", format!("---\n{bomb}---\n"));
    let mut found = problems(root, &["markdown", "site"]);
    found.sort();
    let files: Vec<&str> = found.iter().map(|it| it.split(' ').next().unwrap()).collect();
    let expect = ["a", "b", "c", "d", "e", "f"].map(|it| format!("posts/{it}.md"));
    assert_eq!(files, expect);
}

#[cfg(unix)]
#[test]
fn nothing_from_outside_of_a_folder_comes_in() {
    let folder = folder();
    let root = folder.path();
    run_well(root, &["init", "data", "--empty"]);
    write(root, "secret.png", PNG);
    write(root, "outside/x.md", "---\ntitle: Outside\n---\n");
    write(root, "site/posts/a.md", "---\ntitle: A\n---\n![x](../../secret.png) ![y](link.png)\n");
    std::os::unix::fs::symlink(root.join("secret.png"), root.join("site/posts/link.png")).unwrap();
    std::os::unix::fs::symlink(root.join("outside"), root.join("site/outside")).unwrap();
    let report = import(root, &["markdown", "site"]);
    assert_eq!(
        (&report["media"]["created"], &report["entries"]["created"]),
        (&0.into(), &1.into())
    );
    assert_eq!(entry(root, "posts", "a")["data"]["body"], "![x](../../secret.png) ![y](link.png)");
    let skipped = report["skipped"].to_string();
    assert!(skipped.contains("posts/link.png") && skipped.contains("outside"), "{skipped}");
}

/// The data folder of an installation of the original.
fn original(root: &Path) {
    let at = |path: &str| format!("storage/{path}");
    let ws = |path: &str| format!("storage/workspaces/main/{path}");
    let hook =
        r#"{"workspaces":[],"webhooks":[{"url":"https://build.example/hook","secret":"s"}]}"#;
    write(root, &at("settings.json"), hook);
    write(root, &at("users/u1.json"), r#"{"id":"u1","password_hash":"$2y$10$abc"}"#);
    write(root, &at("api-tokens/tok_0123456789.json"), "{}");
    write(root, &at("workspaces/other/content-types/a.json"), "{}");
    write(
        root,
        &ws("content-types/posts.json"),
        r#"{"name":"posts","label":"Posts","icon":"mdi:post","locales":["en","de"],
            "default_locale":"en","color":"red","fields":{
            "body":{"type":"markdown","label":"Text","layout":{"width":"1\/2","row":2}},
            "kind":{"type":"select","options":{"a":"Option A","b":"Option B"}},
            "rating":{"type":"range","min":0,"max":10,"localized":false},
            "lead":{"type":"text","required":true},
            "hero":{"type":"media"},"next":{"type":"relation","target":"posts","multiple":true},
            "rows":{"type":"repeater","subfields":[{"key":"cell","type":"text"}]}}}"#,
    );
    write(
        root,
        &ws("content/posts/first.json"),
        r#"{"id":"first","uid":"aB3_-9xYz01","collection":"posts","status":"published",
            "published_at":"2024-05-03 12:00:00","created_at":"2024-05-01","updated_at":"no date",
            "author_id":"u1","title":"\u00c4rste","slug":"first","kind":"a","rating":7,"lead":"L",
            "hero":["Pic_1.png","gone.png"],"next":["second","nowhere"],"rows":[{"cell":"x"}],
            "translations":{"en":{"title":"\u00c4rste","fields":{"body":"Hello"}},
            "de":{"title":"Erste","fields":{"body":"Hallo","rating":3}}}}"#,
    );
    write(root, &ws("content/posts/second.json"), r#"{"title":"Second","status":"draft"}"#);
    write(
        root,
        &ws("content/posts/third.json"),
        r#"{"title":"Third","deleted_at":"2024-05-03T12:00:00Z"}"#,
    );
    write(root, &ws("media/Pic_1.png"), PNG);
    write(
        root,
        &ws("media-meta/index.json"),
        r#"{"categories":["Press","Press \/ Logos"],"files":{"Pic_1.png":{"category":"Press",
            "alt":"A picture","visibility":"private","uploaded_at":"2024-05-01T00:00:00Z"}}}"#,
    );
    write(root, &ws("revisions/content/posts/first/20240501-00000000.json"), "{}");
}

#[test]
fn a_workspace_of_the_original_keeps_ids_translations_and_media() {
    let folder = folder();
    let root = folder.path();
    run_well(root, &["init", "data", "--empty"]);
    original(root);
    // Which of the two workspaces is meant has to be said.
    assert_eq!(problems(root, &["php", "storage"]), [""]);
    let arguments = ["php", ".", "--from", "main"];
    let before = stored(root);
    import(root, &["php", "storage", "--from", "main", "--dry-run"]);
    expect_stored(root, &before);
    let report = import(root, &["php", "storage", "--from", "main"]);
    assert_eq!(
        (&report["entries"]["created"], &report["media"]["created"]),
        (&3.into(), &1.into())
    );
    let (first, second) = (entry(root, "posts", "first"), entry(root, "posts", "second"));
    assert!(root.join("data/workspaces/default/trash/posts/deleted-third.json").is_file());
    assert_eq!((&first["id"], &first["title"]), (&"aB3_-9xYz01".into(), &"Ärste".into()));
    assert_eq!(first["published_at"], "2024-05-03T12:00:00Z");
    assert_eq!(
        (&first["created_at"], &first["author_id"]),
        (&"2024-05-01T00:00:00Z".into(), &"u1".into())
    );
    let data = serde_json::json!({ "body": "Hello", "kind": "a", "rating": 7, "lead": "L",
        "hero": ["Pic_1.png"], "next": [second["id"]], "rows": [{ "cell": "x" }] });
    assert_eq!(first["data"], data);
    let german = serde_json::json!({ "title": "Erste", "data": { "body": "Hallo" } });
    assert_eq!(first["translations"]["de"], german);
    assert_eq!((&second["status"], &second["data"]["lead"]), (&"draft".into(), &Value::Null));
    let meta = fs::read_to_string(root.join("data/workspaces/default/media-meta/Pic_1.png.json"));
    let meta = json(&meta.unwrap());
    assert_eq!((&meta["alt"], &meta["visibility"]), (&"A picture".into(), &"private".into()));
    let categories = fs::read_to_string(root.join("data/workspaces/default/media-categories.json"));
    assert!(categories.unwrap().contains("Press / Logos"));
    let said = report["skipped"].to_string() + &report["altered"].to_string();
    for word in [
        "other",
        "users/u1.json",
        "api-tokens/",
        "revisions/",
        "https://build.example/hook",
        "color",
        "gone.png",
        "nowhere",
        "no date",
        "lead",
    ] {
        assert!(said.contains(word), "{word}: {said}");
    }
    is_idempotent(root, &["php", "storage", "--from", "main"]);
    is_idempotent(root, &arguments);
    write(root, "storage/workspaces/main/content/posts/broken.json", "{\"title\":");
    write(root, "storage/workspaces/main/content/posts/wrong.json", r#"{"title":"W","kind":"z"}"#);
    let found = problems(root, &["php", "storage", "--from", "main"]);
    let at = |name: &str| format!("workspaces/main/content/posts/{name}.json");
    assert_eq!(found, [format!("{} line=1", at("broken")), format!("{} kind", at("wrong"))]);
    assert_eq!(problems(root, &["php", "data", "--from", "x"]), [""]);
}
