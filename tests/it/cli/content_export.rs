//! `recto export --format`: the import takes back what it writes, without a change.

use std::fs;
use std::path::Path;

use serde_json::Value;
use serde_json::json;
use tempfile::TempDir;

use crate::support::command_line::folder;
use crate::support::command_line::json;
use crate::support::command_line::run;
use crate::support::command_line::run_well;
use crate::support::command_line::tree;
use crate::support::importing::PNG;

const NOTES: &str = r#"{"locales":["en","de"],"fields":{"body":{"type":"markdown"},
    "tags":{"type":"select","multiple":true,"options":["a","b|c"]},"price":{"type":"number"},
    "done":{"type":"boolean"},"other":{"type":"relation","target":"notes","multiple":true},
    "date":{"type":"date"},"files":{"type":"media","multiple":true},"any":{"type":"json"},
    "rows":{"type":"repeater","subfields":[{"key":"text","type":"text"}]}}}"#;

fn write(root: &Path, path: &str, content: impl AsRef<[u8]>) {
    let path = root.join("data/workspaces/default").join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}

/// A working folder with entries that are hard to write down.
fn notes() -> TempDir {
    let folder = folder();
    let root = folder.path();
    run_well(root, &["init", "data", "--empty"]);
    write(root, "schemas/notes.json", NOTES);
    write(root, "media/a b.png", PNG);
    write(root, "media/c.png", [PNG, b"2"].concat());
    let first = json!({ "title": "=1+1 \"quoted\", and more", "slug": "first", "status": "published",
        "published_at": "2026-05-03T12:00:00Z", "created_at": "2026-05-01T00:00:00Z", "data": {
            "body": "# Head\n\n![x](/media/default/a%20b.png) [y](recto:notes/n2)\n\n---\n{{< call >}}",
            "tags": ["a", "b|c"], "price": -1.5, "done": true, "other": ["n2", "n3"],
            "date": "2020-01-02", "files": ["c.png"], "any": { "deep": [1, "x", null] },
            "rows": [{ "text": "1; 2" }, { "text": "a,b" }] },
        "translations": { "de": { "title": "Erstes: das", "data": { "body": "Text\nauf Deutsch" } } } });
    write(root, "content/notes/n1.json", first.to_string());
    let second = json!({ "title": "Second", "slug": "index", "data": {
        "body": "\n  leading and trailing \n", "any": "text", "tags": ["b|c"], "price": 0 } });
    write(root, "content/notes/n2.json", second.to_string());
    let third = json!({ "title": "\u{2028}#x: [y]", "slug": "2026-05-03-day", "status": "archived",
        "created_at": "2026-05-01T00:00:00Z", "unpublish_at": "2030-01-01T00:00:00Z",
        "data": { "any": [], "done": false, "body": "---\ntitle: no\n---" } });
    write(root, "content/notes/n3.json", third.to_string());
    folder
}

fn report(root: &Path, arguments: &[&str]) -> Value {
    json(&run_well(root, &[&["import", "--json"], arguments].concat()))
}

#[test]
fn lists_are_taken_back_without_a_change() {
    let folder = notes();
    let root = folder.path();
    let before = tree(&root.join("data"));
    for format in ["csv", "json", "ndjson"] {
        let printed = run_well(root, &["export", "--format", format, "--type", "notes"]);
        run_well(root, &["export", "--format", format, "--type", "notes", "out"]);
        assert_eq!(fs::read_to_string(root.join("out")).unwrap(), printed);
        let imported = report(root, &[format, "out", "--type", "notes", "--key", "id"]);
        let counts = json!({ "created": 0, "updated": 0, "unchanged": 3 });
        assert_eq!((&imported["entries"], &imported["files"]), (&counts, &0.into()), "{format}");
        assert_eq!(imported["skipped"], json!([]), "{format}");
        // Another folder has the same afterwards.
        let other = crate::support::command_line::folder();
        run_well(other.path(), &["init", "data", "--empty"]);
        write(other.path(), "schemas/notes.json", NOTES);
        for (path, bytes) in before.iter().filter(|(it, _)| it.contains("/media/")) {
            let path = other.path().join("data").join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
        let source = root.join("out");
        let source = source.to_str().unwrap();
        report(other.path(), &[format, source, "--type", "notes", "--key", "id"]);
        let again = run_well(other.path(), &["export", "--format", "ndjson", "--type", "notes"]);
        let expect = run_well(root, &["export", "--format", "ndjson", "--type", "notes"]);
        let values = |text: &str| text.lines().map(|it| json(it)["data"].clone()).collect();
        let (again, expect): (Vec<Value>, Vec<Value>) = (values(&again), values(&expect));
        for (again, expect) in again.iter().zip(&expect) {
            for (field, value) in expect.as_object().unwrap() {
                let is_empty = |it: &Value| it.is_null() || it == "" || it == &json!([]);
                let same = again[field] == *value || is_empty(&again[field]) && is_empty(value);
                assert!(same, "{format} {field}: {again} {expect}");
            }
        }
    }
    let after = tree(&root.join("data"));
    assert_eq!(after, before);
}

#[test]
fn texts_are_taken_back_without_a_change() {
    let folder = notes();
    let root = folder.path();
    let printed = run_well(root, &["export", "--format", "markdown", "site", "--json"]);
    let counts = json!({ "entries": 3, "files": 6, "written": 6, "broken": 0 });
    assert_eq!(json(&printed), counts);
    let files: Vec<String> = tree(&root.join("site")).into_iter().map(|(path, _)| path).collect();
    let expect = [
        "notes/first.de.md",
        "notes/first.md",
        "notes/n2.md",
        "notes/n3.md",
        "static/media/default/a b.png",
        "static/media/default/c.png",
    ];
    assert_eq!(files, expect);
    let first = fs::read_to_string(root.join("site/notes/first.md")).unwrap();
    assert!(first.contains("published_at: 2026-05-03T12:00:00Z\n"), "{first}");
    assert!(first.contains("date: \"2020-01-02\"\n"), "{first}");
    assert!(first.contains("other: [\"index\",\"2026-05-03-day\"]\n"), "{first}");
    assert!(first.contains("[y](../notes/n2.md)"), "{first}");
    assert!(first.ends_with("\n---\n{{< call >}}\n"), "{first}");
    let imported = report(root, &["markdown", "site"]);
    let counts = json!({ "created": 0, "updated": 0, "unchanged": 3 });
    assert_eq!((&imported["entries"], &imported["files"]), (&counts, &0.into()), "{imported:#}");
    // Again, nothing is written; and a folder with other files is left alone.
    assert_eq!(run(root, &["export", "--format", "markdown", "site"]).code, 2);
    let again = run_well(root, &["export", "--format", "markdown", "site", "--force", "--json"]);
    assert_eq!(json(&again)["written"], 0);
    // The sample content is taken back, too.
    let samples = crate::support::command_line::folder();
    let root = samples.path();
    run_well(root, &["init", "data"]);
    run_well(root, &["export", "--format", "markdown", "site"]);
    let imported = report(root, &["markdown", "site"]);
    assert_eq!(imported["files"], 0, "{imported:#}");
}

/// What people write by hand for no value, and numbers beyond those of most programs.
#[test]
fn empty_values_and_large_numbers_are_taken_back_without_a_change() {
    let folder = notes();
    let root = folder.path();
    let entry = json!({ "title": "Second", "slug": "second", "data": { "body": "", "tags": [],
        "price": u64::MAX, "any": { "limit": 1_u64 << 63 } },
        "translations": { "de": { "title": "Zweites", "data": { "body": "" } } } });
    write(root, "content/notes/n2.json", entry.to_string());
    let before = tree(&root.join("data"));
    for format in ["csv", "json", "ndjson", "markdown"] {
        let target = format!("out-{format}");
        let target = target.as_str();
        run_well(root, &["export", "--format", format, "--type", "notes", target]);
        let by: &[&str] = match format {
            "markdown" => &[],
            _ => &["--type", "notes", "--key", "id"],
        };
        let imported = report(root, &[&[format, target], by].concat());
        let counts = json!({ "created": 0, "updated": 0, "unchanged": 3 });
        assert_eq!((&imported["entries"], &imported["files"]), (&counts, &0.into()), "{format}");
    }
    assert_eq!(tree(&root.join("data")), before);
}

#[test]
fn texts_are_taken_into_another_folder() {
    let (samples, other) = (folder(), folder());
    let (root, other) = (samples.path(), other.path());
    run_well(root, &["init", "data"]);
    run_well(root, &["export", "--format", "markdown", "site"]);
    let site = root.join("site");
    let about = fs::read_to_string(site.join("pages/about.md")).unwrap();
    assert!(about.contains("\"posts\":[\"the-long-way-to-the-bakery\","), "{about}");
    assert!(about.contains("\"image\":[\"/media/default/emblem.png\"]"), "{about}");
    // The other folder has the content types, and no content.
    run_well(other, &["init", "data", "--empty"]);
    let schemas = root.join("data/workspaces/default/schemas");
    for (path, schema) in tree(&schemas) {
        write(other, &format!("schemas/{path}"), schema);
    }
    let imported = report(other, &["markdown", site.to_str().unwrap()]);
    assert_eq!(imported["problems"], json!([]), "{imported:#}");
    run_well(other, &["export", "--format", "markdown", "site"]);
    let (again, expect) = (tree(&other.join("site")), tree(&site));
    // HTML is sanitized on its way.
    let added = r#" rel=\"noopener noreferrer\""#;
    let show = |it: &[u8]| String::from_utf8_lossy(it).replace(added, "");
    for (one, two) in again.iter().zip(&expect) {
        assert_eq!((&one.0, show(&one.1)), (&two.0, show(&two.1)));
    }
    assert_eq!(again.len(), expect.len());
}

#[test]
fn entries_are_chosen_by_their_status() {
    let folder = notes();
    let root = folder.path();
    let chosen = ["export", "--format", "ndjson", "--type", "notes", "--status", "published"];
    let printed = run_well(root, &chosen);
    assert_eq!(printed.lines().map(|it| json(it)["id"].clone()).collect::<Vec<_>>(), ["n1"]);
    let both = run_well(root, &[&chosen[..], &["--status", "archived"]].concat());
    assert_eq!(both.lines().count(), 2);
}

#[test]
fn what_is_dangerous_or_broken_is_named() {
    let folder = notes();
    let root = folder.path();
    let csv = run(root, &["export", "--format", "csv", "--type", "notes"]);
    assert!(csv.err.contains("2 values begin with ="), "{}", csv.err);
    write(root, "content/notes/n4.json", "{");
    let broken = run(root, &["export", "--format", "json", "--type", "notes"]);
    assert_eq!(broken.code, 1);
    assert!(broken.err.contains("notes/n4.json"), "{}", broken.err);
}

/// An entry or a media file that the user may not read keeps nothing else from being exported.
#[cfg(unix)]
#[test]
fn what_may_not_be_read_is_left_out() {
    use std::os::unix::fs::PermissionsExt;

    use crate::support::skip::skipped;
    let folder = notes();
    let root = folder.path();
    let (entry, media) = ("content/notes/n2.json", "media/c.png");
    for path in [entry, media] {
        let path = root.join("data/workspaces/default").join(path);
        fs::set_permissions(&path, PermissionsExt::from_mode(0o000)).unwrap();
        if fs::read(&path).is_ok() {
            return skipped("nothing is forbidden to whoever runs this");
        }
    }
    let ran = run(root, &["export", "--format", "markdown", "site"]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(ran.err.contains("notes/n2.json") && ran.err.contains("c.png"), "{}", ran.err);
    assert!(ran.out.starts_with("exported 2 entries"), "{}", ran.out);
}

#[test]
fn exports_that_make_no_sense_are_refused() {
    let folder = notes();
    let root = folder.path();
    let before = tree(root);
    let check = |arguments: &[&str]| {
        let ran = run(root, &[&["export"], arguments].concat());
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{arguments:?}: {}", ran.err);
    };
    check(&["--format", "csv"]);
    check(&["--format", "csv", "--type", "nothing"]);
    check(&["--format", "csv", "--type", "../notes"]);
    check(&["--format", "csv", "--type", "notes", "--status", "nothing"]);
    check(&["--format", "csv", "--type", "notes", "--workspace", "nothing"]);
    check(&["--format", "csv", "--type", "notes", "--type", "notes"]);
    check(&["--format", "csv", "--type", "notes", "data/workspaces/default/content/notes/x.json"]);
    check(&["--format", "markdown"]);
    check(&["--format", "markdown", "data/site"]);
    check(&["--format", "csv", "--type", "notes", "--base-url", "https://x.example"]);
    check(&["site", "--type", "notes"]);
    check(&[]);
    let several = ["export", "--format", "json", "--type", "notes", "--type", "notes"];
    let ran = run(root, &several);
    assert!(ran.err.contains("this format takes one --type"), "{}", ran.err);
    assert_eq!(tree(root), before);
}

#[cfg(unix)]
#[test]
fn devices_pipes_and_links_stay_what_they_are() {
    use std::os::unix::fs::FileTypeExt;
    use std::os::unix::fs::symlink;
    let folder = notes();
    let root = folder.path();
    let to =
        |place: &str| ["export", "--format", "csv", "--type", "notes", place].map(str::to_string);
    let export = |place: &str| run_well(root, &to(place).each_ref().map(String::as_str));
    let expect = run_well(root, &["export", "--format", "csv", "--type", "notes"]);
    assert!(export("/dev/stdout").starts_with(&expect));

    let fifo = root.join("fifo");
    assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let reader = std::thread::spawn({
        let fifo = fifo.clone();
        move || fs::read_to_string(fifo).unwrap()
    });
    export("fifo");
    // Before anything waits for a writer that does not come.
    assert!(fs::symlink_metadata(&fifo).unwrap().file_type().is_fifo());
    assert_eq!(reader.join().unwrap(), expect);

    fs::create_dir(root.join("far")).unwrap();
    fs::write(root.join("far/old.csv"), "old").unwrap();
    symlink("old.csv", root.join("far/link")).unwrap();
    for (name, target) in [("one", "far/link"), ("two", "far/new.csv")] {
        symlink(target, root.join(name)).unwrap();
        export(name);
        assert!(fs::symlink_metadata(root.join(name)).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(root.join(name)).unwrap(), expect);
    }
    assert_eq!(fs::read_to_string(root.join("far/old.csv")).unwrap(), expect);
    // Nor does a link lead into the data folder.
    symlink("data/workspaces/default/content/notes/x.json", root.join("three")).unwrap();
    let ran = run(root, &to("three").each_ref().map(String::as_str));
    assert!(ran.code == 2 && ran.err.contains("must be apart"), "{}", ran.err);
}

#[cfg(unix)]
#[test]
fn no_link_leads_an_export_elsewhere() {
    let folder = notes();
    let root = folder.path();
    fs::create_dir_all(root.join("site")).unwrap();
    fs::create_dir_all(root.join("elsewhere")).unwrap();
    std::os::unix::fs::symlink(root.join("elsewhere"), root.join("site/notes")).unwrap();
    let ran = run(root, &["export", "--format", "markdown", "site", "--force"]);
    assert_eq!(ran.code, 1);
    assert!(fs::read_dir(root.join("elsewhere")).unwrap().next().is_none());
}
