//! Folders of Markdown: what is public, and what front matter says, stays as it was.

use serde_json::Value;
use tempfile::TempDir;

use crate::support::command_line::folder;
use crate::support::command_line::run_well;
use crate::support::importing::PNG;
use crate::support::importing::entry;
use crate::support::importing::import;
use crate::support::importing::is_idempotent;
use crate::support::importing::problems;
use crate::support::importing::write;

/// A working folder without content.
fn empty() -> TempDir {
    let folder = folder();
    run_well(folder.path(), &["init", "data", "--empty"]);
    folder
}

#[test]
fn what_is_not_clearly_public_stays_a_draft() {
    let folder = empty();
    let root = folder.path();
    let check = |head: &str, expect: &str, remark: &str| {
        write(root, "site/notes/a.md", format!("---\ntitle: A\n{head}\n---\n"));
        let report = import(root, &["markdown", "site"]);
        assert_eq!(entry(root, "notes", "a")["status"], expect, "{head}");
        assert!(report["altered"].to_string().contains(remark), "{head}: {report:#}");
    };
    check("draft: yes", "draft", "[]");
    check("draft: no", "published", "[]");
    check("draft: \"true\"", "draft", "[]");
    check("published: no", "draft", "[]");
    check("draft: maybe", "draft", "neither true nor false");
    check("status: pending", "draft", "The status `pending` becomes `draft`.");
    check("status: archived", "archived", "[]");
}

#[test]
fn a_translation_that_is_a_draft_is_not_published() {
    let folder = empty();
    let root = folder.path();
    write(root, "site/notes/a.md", "---\ntitle: A\nslug: an-a\ndate: 2024-05-03\n---\nPublic\n");
    let german = |head: &str| {
        write(root, "site/notes/a.de.md", format!("---\ntitle: Geheim\n{head}\n---\nGeheim\n"));
    };
    for head in ["draft: true", "draft: yes", "status: pending", "status: archived"] {
        german(head);
        let report = import(root, &["markdown", "site"]);
        let a = entry(root, "notes", "an-a");
        let german = &a["translations"]["de"];
        assert_eq!((&a["status"], german), (&"published".into(), &Value::Null), "{head}");
        let skipped = report["skipped"].to_string();
        assert!(skipped.contains("a.de.md") && skipped.contains("left out"), "{head}: {skipped}");
    }
    german("draft: false\nslug: ein-a\ndate: 2024-06-03\nlastmod: 2024-07-03");
    let report = import(root, &["markdown", "site"]);
    let a = entry(root, "notes", "an-a");
    assert_eq!(a["translations"]["de"]["title"], "Geheim");
    assert_eq!(a["published_at"], "2024-05-03T00:00:00Z");
    let message = "All locales share these keys, so they are left out: `slug`, `date`, `lastmod`.";
    assert_eq!(report["skipped"][0]["message"], message);
    // A translation is not public if its entry is not.
    write(root, "site/notes/a.md", "---\ntitle: A\nslug: an-a\ndraft: true\n---\nPublic\n");
    german("draft: false");
    let report = import(root, &["markdown", "site"]);
    assert_eq!(entry(root, "notes", "an-a")["status"], "draft");
    assert!(report["altered"].to_string().contains("a.de.md"), "{report:#}");
}

#[test]
fn keys_that_look_alike_keep_their_values() {
    let folder = empty();
    let root = folder.path();
    let head = "title: A\nog:title: one\nog-title: two\nog_title: three\nid: four\nid_: five";
    write(root, "site/notes/a.md", format!("---\n{head}\n---\n"));
    write(root, "site/notes/b.md", "---\ntitle: B\nog:title: six\nbody: seven\n---\nText\n");
    import(root, &["markdown", "site"]);
    let data = serde_json::json!({ "og_title": "three", "og_title_": "two", "og_title__": "one",
        "id_": "five", "id__": "four" });
    let found = entry(root, "notes", "a")["data"].clone();
    for (name, value) in data.as_object().unwrap() {
        assert_eq!(found[name], *value, "{name}: {found:#}");
    }
    let b = entry(root, "notes", "b");
    assert_eq!((&b["data"]["og_title__"], &b["data"]["body_"]), (&"six".into(), &"seven".into()));
    is_idempotent(root, &["markdown", "site"]);
    // The field that a type has for the text takes no other value.
    let schema = r#"{"fields":{"body":{"type":"markdown"}}}"#;
    write(root, "data/workspaces/default/schemas/logs.json", schema);
    write(root, "site/logs/c.md", "---\ntitle: C\nbody: eight\n---\nText\n");
    let report = import(root, &["markdown", "site"]);
    assert_eq!(entry(root, "logs", "c")["data"]["body"], "Text");
    let skipped = report["skipped"].to_string();
    assert!(skipped.contains("The text goes into this field"), "{skipped}");
}

#[test]
fn pictures_that_an_upload_refuses_are_left_out() {
    let folder = empty();
    let root = folder.path();
    write(root, "site/notes/a/index.md", "---\ntitle: A\n---\n![x](cut.png) ![y](whole.png)\n");
    write(root, "site/notes/a/cut.png", &PNG[..33]);
    write(root, "site/notes/a/whole.png", PNG);
    let report = import(root, &["markdown", "site"]);
    assert_eq!(report["media"]["created"], 1);
    let expect = serde_json::json!([{ "file": "notes/a/cut.png",
        "message": "This picture cannot be read." }]);
    assert_eq!(report["skipped"], expect);
    assert_eq!(
        entry(root, "notes", "a")["data"]["body"],
        "![x](cut.png) ![y](/media/default/whole.png)"
    );
    is_idempotent(root, &["markdown", "site"]);
}

#[test]
fn numbers_and_booleans_are_texts_where_texts_belong() {
    let folder = empty();
    let root = folder.path();
    let people = r#"{"fields":{"bio":{"type":"text"}}}"#;
    write(root, "data/workspaces/default/schemas/people.json", people);
    let head = "title: 1984\nslug: 1984\ndate: 20240503\npublished: true\nlastmod: 20240504";
    write(root, "site/notes/a.md", format!("---\n{head}\n---\n"));
    write(root, "site/notes/b.md", "---\ntitle: 1.50\n---\n");
    write(root, "site/notes/c.md", "---\ntitle: True\npublished: 2024-05-03\n---\n");
    write(root, "site/people/d.md", "+++\ntitle = 7\nbio = 8\n+++\n");
    write(root, "site/people/e.md", "---\ntitle: E\nbio: 007\n---\n");
    import(root, &["markdown", "site"]);
    let a = entry(root, "notes", "1984");
    assert_eq!((&a["title"], &a["status"]), (&"1984".into(), &"published".into()));
    assert_eq!(a["published_at"], "2024-05-03T00:00:00Z");
    assert_eq!(entry(root, "notes", "b")["title"], "1.50");
    let c = entry(root, "notes", "c");
    assert_eq!((&c["title"], &c["status"]), (&"True".into(), &"published".into()));
    let (d, e) = (entry(root, "people", "d"), entry(root, "people", "e"));
    assert_eq!((&d["title"], &d["data"]["bio"]), (&"7".into(), &"8".into()));
    assert_eq!(e["data"]["bio"], "007");
    is_idempotent(root, &["markdown", "site"]);
    for head in ["title: [a]", "slug: {a: b}", "date: 20241345", "date: true", "lastmod: [1]"] {
        write(root, "site/notes/a.md", format!("---\n{head}\n---\n"));
        let key = head.split(':').next().unwrap();
        let found = problems(root, &["markdown", "site"]);
        assert_eq!(found, [format!("notes/a.md {key}")], "{head}");
    }
}
