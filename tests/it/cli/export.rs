//! `recto export`: the files are what the live service answers, and nothing else is touched.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;
use std::time::SystemTime;

use serde_json::Value;
use serde_json::json;
use tempfile::TempDir;

use recto::http::routes;

use crate::support::command_line::folder;
use crate::support::command_line::json;
use crate::support::command_line::run;
use crate::support::command_line::run_well;
use crate::support::command_line::tree;
use crate::support::static_host::LiveService;
use crate::support::static_host::StaticHost;

const BASE_URL: &str = "https://cms.example/cms";
const WS: &str = "/api/v1/workspaces/default";

/// The header fields that have to be those of the live answer.
const COMPARED: [&str; 8] = [
    "content-type",
    "cache-control",
    "content-disposition",
    "x-content-type-options",
    "referrer-policy",
    "access-control-allow-origin",
    "access-control-expose-headers",
    "cross-origin-resource-policy",
];

/// A working folder with the library in `data`, in which everything is that an export can have.
fn library() -> TempDir {
    let folder = folder();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/library");
    for (path, bytes) in tree(&source) {
        let path = folder.path().join("data").join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        // What was written just now can change without a sign of it, so nothing is made of it yet.
        let file = fs::File::options().write(true).open(&path).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(60)).unwrap();
    }
    let root = folder.path();
    edit(root, "schemas/books.json", |it| {
        it["feed"] = json!({ "url": "https://example.org/{slug}", "summary": "summary" });
        it["cache"] = json!({ "max_age": 60 });
        it["views"] = json!({
            "short": { "sort": "pages", "limit": 2, "pages": true, "offset": 1 },
            "full": { "include": ["author"], "media": "full" },
            "none": { "filter": { "pages": { "gt": 100_000 } }, "limit": 5, "pages": true },
        });
    });
    edit(root, "schemas/pages.json", |it| {
        it["feed"] = json!({ "url": "https://example.org/{locale}/{slug}" });
    });
    edit(root, "content/books/b1.json", |it| it["former_slugs"] = json!(["an-old-name"]));
    edit(root, "content/books/b5.json", |it| {
        it["slug"] = json!("index.json");
        it["former_slugs"] = json!(["..", "a\nb", "a\"b"]);
    });
    edit(root, "content/books/b7.json", |it| it["former_slugs"] = json!(["a-hidden-name"]));
    let settings = json!({ "images": { "presets": { "card": { "w": 40, "h": 30 } } } });
    fs::create_dir_all(root.join("data/system")).unwrap();
    fs::write(root.join("data/system/settings.json"), settings.to_string()).unwrap();
    folder
}

/// Changes a JSON file of the default workspace.
fn edit(root: &Path, path: &str, change: impl FnOnce(&mut Value)) {
    let path = root.join("data/workspaces/default").join(path);
    let mut value = json(&fs::read_to_string(&path).unwrap());
    change(&mut value);
    fs::write(path, value.to_string()).unwrap();
}

fn export(root: &Path, more: &[&str]) -> Value {
    let arguments = [&["export", "out", "--json", "--base-url", BASE_URL], more].concat();
    json(&run_well(root, &arguments))
}

fn manifest(root: &Path) -> Value {
    json(&fs::read_to_string(root.join("out/.recto-export.json")).unwrap())
}

/// The targets of all exported addresses with the paths of their files.
fn targets(manifest: &Value) -> BTreeMap<String, String> {
    let files = manifest["files"].as_object().unwrap().iter();
    files.map(|(it, file)| (it.clone(), file["path"].as_str().unwrap().to_string())).collect()
}

/// The times of the last changes of all files.
fn times(root: &Path) -> BTreeMap<String, SystemTime> {
    let out = root.join("out");
    let paths = tree(&out).into_iter().map(|(path, _)| path);
    paths.map(|it| (it.clone(), fs::metadata(out.join(it)).unwrap().modified().unwrap())).collect()
}

#[test]
fn every_file_is_the_live_answer() {
    let folder = library();
    let root = folder.path();
    let report = export(root, &[]);
    assert_eq!((&report["failed"], &report["notes"]), (&json!({}), &json!([])));
    assert_eq!(report["left_out"], json!([]));
    let live = LiveService::open(&root.join("data"), BASE_URL, true);
    let host = StaticHost::open(&root.join("out"));
    let manifest = manifest(root);
    let targets = targets(&manifest);
    assert_eq!(report["files"], targets.len());
    for (target, path) in &targets {
        let target = format!("/cms{target}");
        let (expect, got) = (live.ask(&target), host.ask(&target));
        assert_eq!((expect.status, got.status), (200, 200), "{target}");
        assert!(expect.body == got.body, "{target}");
        assert!(expect.body == fs::read(root.join("out").join(path)).unwrap(), "{path}");
        for name in COMPARED {
            assert_eq!(expect.headers.get(name), got.headers.get(name), "{name} of {target}");
        }
        // A tag in the address changes no byte.
        if target.starts_with("/cms/media/") {
            let tagged = format!(
                "{target}{}v=0123456789abcdef",
                if target.contains('?') { '&' } else { '?' }
            );
            assert!(host.ask(&tagged).body == got.body, "{tagged}");
        }
    }
    let old = format!("/cms{WS}/content/books/an-old-name");
    let (expect, got) = (live.ask(&old), host.ask(&old));
    assert_eq!((expect.status, got.status), (301, 301));
    assert_eq!(expect.headers.get("location"), got.headers.get("location"));
    for absent in ["a-hidden-name", "b7", "kept-back"] {
        let target = format!("/cms{WS}/content/books/{absent}");
        assert_eq!((live.ask(&target).status, host.ask(&target).status), (404, 404), "{absent}");
    }
    for expect in [
        "/views/books/short",
        "/views/books/short/1",
        "/views/books/short/3",
        "/views/books/none/1",
        "/views/books/full",
        "/feeds/books/atom.xml",
        "/feeds/pages/feed.json?locale=en",
        "/content/pages/g1?locale=en",
        "/content/pages?locale=fr",
        "/sitemap.xml",
        "/bundle",
    ] {
        assert!(targets.contains_key(&format!("{WS}{expect}")), "{expect}");
    }
    assert!(!targets.contains_key(&format!("{WS}/views/books/short/4")));
    assert!(targets.contains_key("/media/default/sunset.jpg?preset=card"));
}

/// Each route that readers without a token use is exported, or has a reason not to be.
#[test]
fn no_route_is_forgotten() {
    // They say what happens now; the last one is for tokens alone.
    const NOT_EXPORTED: [&str; 4] = ["health", "sync.changes", "sync.events", "replication.list"];
    let folder = library();
    export(folder.path(), &[]);
    let targets = targets(&manifest(folder.path()));
    let reads = routes::build_table();
    let reads = reads.iter().filter(|it| {
        it.method == http::Method::GET
            && (it.path.starts_with("/api/v1/workspaces") || it.path.starts_with("/media"))
    });
    for route in reads {
        let fits = |target: &String| {
            let path = target.split('?').next().unwrap_or_default();
            let (parts, names) = (route.path.split('/'), path.split('/'));
            parts.clone().count() == names.clone().count()
                && parts.zip(names).all(|(a, b)| a == b || a.starts_with('{'))
        };
        let is_there = targets.keys().any(fits);
        assert!(is_there || NOT_EXPORTED.contains(&route.name), "{}", route.name);
    }
}

/// An export is the same whatever is hidden from readers without a token.
#[test]
fn what_is_hidden_leaves_no_trace() {
    let (one, other) = (library(), library());
    let root = other.path();
    edit(root, "content/books/b7.json", |it| {
        it["title"] = json!("Something else");
        it["slug"] = json!("something-else");
        it["former_slugs"] = json!(["once-so"]);
        it["data"] = json!({ "author": "u2", "pages": 1 });
    });
    edit(root, "content/secrets/s1.json", |it| it["title"] = json!("Under the mat"));
    let workspace = root.join("data/workspaces/default");
    fs::copy(workspace.join("content/secrets/s1.json"), workspace.join("content/secrets/s9.json"))
        .unwrap();
    let draft = json!({ "title": "New draft", "status": "draft", "data": {} });
    fs::write(workspace.join("content/books/b8.json"), draft.to_string()).unwrap();
    fs::write(workspace.join("content/people/u99.json"), draft.to_string()).unwrap();
    fs::copy(workspace.join("media/rotated.jpg"), workspace.join("media/private.jpg")).unwrap();
    fs::remove_dir_all(root.join("data/workspaces/shop")).unwrap();
    let exported = |folder: &TempDir| {
        export(folder.path(), &[]);
        let mut manifest = manifest(folder.path());
        for file in manifest["files"].as_object_mut().unwrap().values_mut() {
            file["modified"] = Value::Null;
        }
        let files = tree(&folder.path().join("out"));
        let files = files.into_iter().filter(|(path, _)| path != ".recto-export.json");
        (files.collect::<Vec<_>>(), manifest)
    };
    let ((files, manifest), (others, its_manifest)) = (exported(&one), exported(&other));
    let paths =
        |files: &[(String, Vec<u8>)]| files.iter().map(|it| it.0.clone()).collect::<Vec<_>>();
    assert_eq!(paths(&files), paths(&others));
    for ((path, bytes), (_, its)) in files.iter().zip(&others) {
        assert!(bytes == its, "{path}");
    }
    assert_eq!(manifest, its_manifest);
    assert!(paths(&files).iter().all(|it| !it.contains("private") && !it.contains("secrets")));
    for (path, bytes) in &files {
        let text = String::from_utf8_lossy(bytes);
        for hidden in ["Kept back", "Where the key is", "Draft secret", "a-hidden-name"] {
            assert!(!text.contains(hidden), "{path} has {hidden:?}");
        }
    }
}

/// A web server is another user, and the umask of the program is for content with secrets.
#[cfg(unix)]
#[test]
fn a_web_server_of_another_user_can_read_the_files() {
    use std::os::unix::fs::PermissionsExt;
    let folder = library();
    let root = folder.path();
    export(root, &[]);
    for found in walkdir::WalkDir::new(root.join("out")) {
        let found = found.unwrap();
        let mode = found.metadata().unwrap().permissions().mode() & 0o777;
        let expect = if found.file_type().is_dir() { 0o755 } else { 0o644 };
        assert_eq!(mode, expect, "{}", found.path().display());
    }
}

#[test]
fn only_what_changed_is_written() {
    let folder = library();
    let root = folder.path();
    let first = export(root, &[]);
    let before = times(root);
    let again = export(root, &[]);
    assert_eq!((&again["written"], &again["removed"]), (&json!(0), &json!(0)));
    assert_eq!((&again["cursor"], &again["files"]), (&first["cursor"], &first["files"]));
    assert_eq!(times(root), before);

    fs::write(root.join("out/own.html"), "mine").unwrap();
    fs::write(root.join(format!("out/cms{WS}/content/books/b2")), "spoilt").unwrap();
    edit(root, "content/books/b3.json", |it| it["title"] = json!("Changed"));
    fs::remove_file(root.join("data/workspaces/default/content/books/b4.json")).unwrap();
    let third = export(root, &[]);
    assert_eq!(third["failed"], json!({}));
    let after = times(root);
    let path = |it: &str| format!("cms{WS}/{it}");
    for same in ["content/people/index.json", "content/books/b1", "content-types/books", "types.ts"]
    {
        assert_eq!(before[&path(same)], after[&path(same)], "{same}");
    }
    for written in ["content/books/index.json", "content/books/b3", "content/books/b2", "bundle"] {
        assert_ne!(before[&path(written)], after[&path(written)], "{written}");
    }
    assert!(!after.contains_key(&path("content/books/b4")));
    assert_eq!(fs::read(root.join("out/own.html")).unwrap(), b"mine");
    let live = LiveService::open(&root.join("data"), BASE_URL, true);
    for (target, path) in targets(&manifest(root)) {
        let expect = live.ask(&format!("/cms{target}"));
        assert!(expect.body == fs::read(root.join("out").join(path)).unwrap(), "{target}");
    }
}

/// Breaks a file of the default workspace, and returns its text.
fn spoil(root: &Path, path: &str) -> String {
    let path = root.join("data/workspaces/default").join(path);
    let text = fs::read_to_string(&path).unwrap();
    fs::write(path, "{ \"title\": ").unwrap();
    text
}

#[test]
fn the_last_good_version_of_a_broken_file_is_exported() {
    let folder = library();
    let root = folder.path();
    // A server keeps what it has read.
    let live = LiveService::open(&root.join("data"), BASE_URL, false);
    let engine = live.app.app().engine.clone();
    engine.close();
    engine.follower().spawn_follower().unwrap().join().unwrap();
    export(root, &[]);
    let before = times(root);
    let types = run_well(root, &["types"]);
    let document = run_well(root, &["openapi"]);
    spoil(root, "content/books/b2.json");
    spoil(root, "schemas/people.json");
    let report = export(root, &[]);
    assert_eq!((&report["failed"], &report["removed"]), (&json!({}), &json!(0)));
    assert_eq!(report["written"], json!(0));
    assert_eq!(times(root), before);
    assert_eq!(run_well(root, &["types"]), types);
    assert_eq!(run_well(root, &["openapi"]), document);
    let reader = LiveService::open(&root.join("data"), BASE_URL, true);
    for path in ["content/books/b2", "content/books/alpha", "content/people"] {
        assert_eq!(reader.ask(&format!("/cms{WS}/{path}")).status, 200, "{path}");
    }
}

#[test]
fn what_cannot_be_read_stays_as_it_was_exported() {
    let folder = library();
    let root = folder.path();
    export(root, &[]);
    let before = times(root);
    let good = spoil(root, "content/books/b2.json");
    edit(root, "content/books/b3.json", |it| it["title"] = json!("Changed"));
    let arguments = ["export", "out", "--json", "--base-url", BASE_URL];
    let failing = |of: &str| {
        let ran = run(root, &arguments);
        assert_eq!(ran.code, 1, "{}", ran.err);
        let report = json(&ran.out);
        let failed = &report["failed"];
        let of = format!("workspaces/default/{of}");
        assert!(failed[&of].is_string() && failed.as_object().unwrap().len() == 1, "{failed}");
        assert_eq!(report["removed"], json!(0));
        // Without the manifest and the rules for hosts.
        let files = times(root).into_iter();
        files.filter(|(it, _)| !it.starts_with(['.', '_'])).collect::<BTreeMap<_, _>>()
    };
    let path = |it: &str| format!("cms{WS}/{it}");
    let after = failing("content/books/b2.json");
    // Whatever shows the entry, or refers to it.
    let shows = ["books/b2", "books/alpha", "books/index.json", "people/index.json"];
    for kept in shows.map(|it| path(&format!("content/{it}"))).iter().chain([&path("bundle")]) {
        assert_eq!(before[kept], after[kept], "{kept}");
    }
    assert_ne!(before[&path("content/books/b3")], after[&path("content/books/b3")]);
    assert_eq!(failing("content/books/b2.json"), after);
    fs::write(root.join("data/workspaces/default/content/books/b2.json"), good).unwrap();

    let good = spoil(root, "schemas/books.json");
    let ran = run(root, &["types"]);
    assert!(ran.code == 1 && ran.err.contains("schemas/books.json"), "{}", ran.err);
    assert_eq!(failing("schemas/books.json"), after);
    fs::write(root.join("data/workspaces/default/schemas/books.json"), good).unwrap();

    // Once all of it can be read, everything is exported.
    assert_eq!(export(root, &[])["failed"], json!({}));
    let live = LiveService::open(&root.join("data"), BASE_URL, true);
    for (target, path) in targets(&manifest(root)) {
        let expect = live.ask(&format!("/cms{target}"));
        assert!(expect.body == fs::read(root.join("out").join(path)).unwrap(), "{target}");
    }
    // The first export has nothing to keep.
    spoil(root, "content/books/b2.json");
    fs::remove_dir_all(root.join("out")).unwrap();
    let first = failing("content/books/b2.json");
    assert!(first.contains_key(&path("content/books/b3")));
    assert!(!first.contains_key(&path("content/books/b2")));
}

#[test]
fn nothing_of_others_is_touched() {
    let folder = library();
    let root = folder.path();
    let refused = |more: &[&str], code: i32, message: &str| {
        let ran = run(root, &[&["export", "out", "--base-url", BASE_URL], more].concat());
        assert_eq!(ran.code, code, "{}", ran.err);
        assert!(ran.err.contains(message), "{}", ran.err);
    };
    fs::create_dir_all(root.join(format!("out/cms{WS}"))).unwrap();
    fs::write(root.join("out/_headers"), "mine").unwrap();
    refused(&[], 2, "out has files and no export wrote there");
    refused(&["--force"], 2, "1 file that no export wrote would be replaced, such as _headers");
    assert_eq!(tree(&root.join("out")).len(), 1);
    run_well(root, &["export", "out", "--base-url", BASE_URL, "--force", "--no-rules"]);
    assert_eq!(fs::read(root.join("out/_headers")).unwrap(), b"mine");
    refused(&["--no-rules", "--workspace", "shop"], 2, "out has the export of `default`");
    refused(&["--workspace", "nowhere"], 2, "there is no workspace `nowhere`");
    refused(&["--data", "missing"], 2, "missing");
    refused(&["--no-rules", "--since", "0123"], 2, "the cursor is too old");
    for since in ["nosuch", "0123"] {
        let ran = run(root, &["export", "new", "--base-url", BASE_URL, "--since", since]);
        assert_eq!((ran.code, root.join("new").exists()), (2, false), "{}", ran.err);
    }
    for folder in ["data/out", "."] {
        let ran = run(root, &["export", folder, "--force"]);
        assert!(ran.code == 2 && ran.err.contains("must be apart"), "{}", ran.err);
    }
    // A file that came into the way later.
    edit(root, "content/books/b2.json", |it| it["slug"] = json!("in-the-way"));
    let stranger = root.join(format!("out/cms{WS}/content/books/in-the-way"));
    fs::write(&stranger, "mine").unwrap();
    refused(&["--no-rules"], 2, "in-the-way; nothing was changed");
    assert_eq!(fs::read(&stranger).unwrap(), b"mine");
    // A damaged manifest names nothing that could be removed.
    fs::write(root.join("out/.recto-export.json"), "{}").unwrap();
    refused(&["--no-rules"], 2, "is damaged");
}

#[test]
fn files_and_folders_change_places() {
    let folder = library();
    let root = folder.path();
    export(root, &[]);
    for pages in [false, true, false] {
        edit(root, "schemas/books.json", |it| it["views"]["short"]["pages"] = json!(pages));
        let report = export(root, &[]);
        assert_eq!(report["failed"], json!({}), "{pages}");
        let view = root.join(format!("out/cms{WS}/views/books/short"));
        assert_eq!((view.is_dir(), view.is_file()), (pages, !pages));
        let again = export(root, &[]);
        assert_eq!((&again["written"], &again["failed"]), (&json!(0), &json!({})), "{pages}");
    }
    // A folder with something of others stays in the way.
    edit(root, "schemas/books.json", |it| it["views"]["short"]["pages"] = json!(true));
    export(root, &[]);
    let own = root.join(format!("out/cms{WS}/views/books/short/own.html"));
    fs::write(&own, "mine").unwrap();
    edit(root, "schemas/books.json", |it| it["views"]["short"]["pages"] = json!(false));
    let ran = run(root, &["export", "out", "--base-url", BASE_URL]);
    assert!(ran.code == 2 && ran.err.contains("nothing was changed"), "{}", ran.err);
    assert_eq!(fs::read(own).unwrap(), b"mine");
}

#[cfg(unix)]
#[test]
fn two_exports_into_one_folder_do_not_mix() {
    let folder = library();
    let root = folder.path();
    fs::create_dir(root.join("out")).unwrap();
    let held = fs::File::open(root.join("out")).unwrap();
    held.lock().unwrap();
    let ran = run(root, &["export", "out", "--base-url", BASE_URL]);
    assert!(ran.code == 2 && ran.err.contains("another export into out is running"), "{}", ran.err);
    drop(held);
    export(root, &[]);
}

#[test]
fn an_interrupted_export_goes_on() {
    let folder = library();
    let root = folder.path();
    export(root, &[]);
    // Written down before anything is written, and nothing more.
    let mut draft = manifest(root);
    let paths: Vec<Value> = targets(&draft).into_values().map(Value::from).collect();
    let others = ["_headers", "_redirects", "_nginx.conf", "gone"].map(Value::from).to_vec();
    draft["others"] = Value::from([paths, others].concat());
    draft["files"] = json!({});
    fs::write(root.join("out/.recto-export.json"), draft.to_string()).unwrap();
    fs::write(root.join("out/.recto-export-1-1"), "half").unwrap();
    fs::write(root.join("out/gone"), "of before").unwrap();
    let report = export(root, &[]);
    assert_eq!((&report["failed"], &report["written"]), (&json!({}), &json!(0)));
    assert!(!root.join("out/.recto-export-1-1").exists() && !root.join("out/gone").exists());
}

#[test]
fn what_changed_since_a_cursor() {
    let folder = library();
    let root = folder.path();
    // The server that gives the cursor keeps what it was given for.
    let cursor = {
        let live = LiveService::open(&root.join("data"), BASE_URL, false);
        let bundle = live.ask(&format!("/cms{WS}/bundle")).body;
        let last = String::from_utf8(bundle).unwrap().lines().last().unwrap().to_string();
        live.app.app().engine.close();
        json(&last)["cursor"].as_str().unwrap().to_string()
    };
    edit(root, "content/books/b2.json", |it| {
        it["title"] = json!("Changed");
        it["slug"] = json!("elsewhere");
    });
    let part = export(root, &["--since", &cursor]);
    assert!(part["notes"][0].as_str().unwrap().contains("only a part was exported"), "{part}");
    assert!(!root.join("out/_headers").exists());
    let found = targets(&manifest(root));
    assert!(found.contains_key(&format!("{WS}/content/books/elsewhere")));
    assert!(found.contains_key(&format!("{WS}/content/books")));
    let others = |it: &String| it.contains("/content/people/") || it.contains("/media/default/");
    assert!(!found.keys().any(others), "{found:?}");
    // Without a cursor, the rest follows; and nothing that did not change is asked for with one.
    let whole = export(root, &[]);
    let again = export(root, &["--since", whole["cursor"].as_str().unwrap()]);
    assert_eq!((&again["written"], &again["files"]), (&json!(0), &whole["files"]));
    edit(root, "content/books/b1.json", |it| it["slug"] = json!("b-one"));
    let last = export(root, &["--since", &cursor]);
    assert_eq!(last["failed"], json!({}));
    let live = LiveService::open(&root.join("data"), BASE_URL, true);
    for (target, path) in targets(&manifest(root)) {
        let expect = live.ask(&format!("/cms{target}"));
        assert!(expect.body == fs::read(root.join("out").join(path)).unwrap(), "{target}");
    }
}
