//! The binary as people and scripts use it: arguments in, output and exit code out.

use std::fs;
use std::path::Path;
use std::time::Duration;
use std::time::SystemTime;

use crate::support::command_line::Server;
use crate::support::command_line::command;
use crate::support::command_line::folder;
use crate::support::command_line::json;
use crate::support::command_line::run;
use crate::support::command_line::run_well;
use crate::support::command_line::tree;
use crate::support::command_line::with_posts;
use crate::support::command_line::with_samples;
use recto::stdx::checksum::Checksum;
use serde_json::Value;
use serde_json::json;

#[test]
fn the_configuration_says_where_it_comes_from() {
    let folder = folder();
    let root = folder.path();
    fs::write(root.join("recto.toml"), "workers = 3\nlog_level = \"debug\"\n").unwrap();
    let output = command(root, &["config", "--json", "--workers", "5"])
        .env("RECTO_LISTEN", "127.0.0.1:81")
        .output()
        .unwrap();
    let rows = json(&String::from_utf8(output.stdout).unwrap());
    let check = |key: &str, value: Value, source: &str| {
        let row = rows.as_array().unwrap().iter().find(|it| it["key"] == key).unwrap();
        assert_eq!((&row["value"], row["source"].as_str().unwrap()), (&value, source), "{key}");
    };
    check("workers", json!(5), "flag --workers");
    check("listen", json!("127.0.0.1:81"), "environment RECTO_LISTEN");
    check("base_url", json!("http://localhost:81"), "default");
    check("log_level", json!("debug"), "recto.toml:2");
    check("read_only", json!(false), "default");
    let all = run_well(root, &["config", "--json", "--max-revisions", "-1"]);
    let rows = json(&all);
    let kept = rows.as_array().unwrap().iter().find(|it| it["key"] == "max_revisions").unwrap();
    assert_eq!(kept["value"], -1);
    for (flag, value, range) in [
        ("--max-revisions", "-5000", "from -1 to "),
        ("--trash-retention-days", "-1", "from 0 to 36500"),
        ("--trash-retention-days", "x", "from 0 to 36500"),
    ] {
        let ran = run(root, &["config", &format!("{flag}={value}")]);
        assert!(ran.code == 2 && ran.err.contains(range), "{}", ran.err);
    }
    fs::write(root.join("recto.toml"), "\nworker = 3\n").unwrap();
    let ran = run(root, &["serve"]);
    assert_eq!(ran.code, 2);
    assert_eq!(ran.err, "recto: recto.toml:2: there is no setting `worker`\n");
}

#[test]
fn init_gives_the_sample_content_and_refuses_what_is_there() {
    let folder = with_samples();
    let data = folder.path().join("data");
    let skeleton = Path::new(env!("CARGO_MANIFEST_DIR")).join("data-skeleton");
    let (made, generated): (Vec<_>, Vec<_>) =
        tree(&data).into_iter().partition(|(path, _)| !path.starts_with(".vscode/schemas/"));
    assert_eq!(made, tree(&skeleton));
    assert!(generated.iter().any(|(path, _)| path == ".vscode/schemas/default.posts.json"));
    let ran = run(folder.path(), &["init", "data"]);
    assert_eq!(
        (ran.code, ran.err.as_str()),
        (2, "recto: data is not empty; nothing was changed\n")
    );
    assert_eq!(run_well(folder.path(), &["check", "data"]), "no problems\n");
}

#[test]
fn init_can_leave_the_samples_out() {
    let folder = folder();
    run_well(folder.path(), &["init", "bare", "--empty"]);
    let bare = folder.path().join("bare");
    let paths: Vec<String> = tree(&bare).into_iter().map(|(path, _)| path).collect();
    let expect = [
        ".gitattributes",
        ".gitignore",
        ".vscode/schemas/content-type.json",
        ".vscode/settings.json",
        "workspaces/default/workspace.json",
    ];
    assert_eq!(paths, expect);
    assert!(bare.join("workspaces/default/content").is_dir());
    assert_eq!(run_well(folder.path(), &["check", "bare"]), "no problems\n");
}

#[test]
fn check_names_file_line_and_column() {
    let folder = with_posts(&[
        ("good.json", r#"{"title":"Good","data":{"body":"b"}}"#),
        ("torn.json", "{\n  \"title\": }"),
        ("bare.json", "{\"title\":\"Bare\",\n \"data\":{\"n\":\"x\",\"body\":\"b\"}}"),
    ]);
    let root = folder.path();
    fs::create_dir(root.join("data/journal")).unwrap();
    fs::write(root.join("data/journal/7.intent"), "").unwrap();
    let ran = run(root, &["check", "data"]);
    assert_eq!(ran.code, 1);
    let posts = "data/workspaces/default/content/posts";
    let lines: Vec<&str> = ran.out.lines().collect();
    assert!(lines[0].starts_with(&format!("{posts}/bare.json:2:14: schema_violation: data.n: ")));
    assert!(lines[1].starts_with(&format!("{posts}/torn.json:2:12: invalid_json: ")));
    assert_eq!(lines[2], "2 problems in 2 files");
    assert!(ran.err.starts_with("data/journal/7.intent: a change is unfinished"));

    let found = json(&run(root, &["check", "data", "--format", "json"]).out);
    assert_eq!(found["unfinished"], json!(["journal/7.intent"]));
    let torn = &found["problems"][1];
    assert_eq!((&torn["kind"], &torn["line"]), (&json!("invalid_json"), &json!(2)));
    assert_eq!(torn["path"], "workspaces/default/content/posts/torn.json");

    let sarif = json(&run(root, &["check", "data", "--format", "sarif"]).out);
    let result = &sarif["runs"][0]["results"][1];
    assert_eq!((&sarif["version"], &result["ruleId"]), (&json!("2.1.0"), &json!("invalid_json")));
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], format!("{posts}/torn.json"));
}

#[test]
fn check_and_schema_name_the_folder_as_other_commands_do() {
    let folder = with_posts(&[("a.json", r#"{"title":"A","data":{"body":"b","bdoy":"c"}}"#)]);
    let root = folder.path();
    fs::rename(root.join("data"), root.join("site")).unwrap();
    let ran = run(root, &["check", "--data", "site"]);
    assert_eq!(ran.code, 1, "a warning is a problem, too");
    let line = "site/workspaces/default/content/posts/a.json:1:33: unknown_key: data.bdoy: \
                There is no field `bdoy` here. Did you mean `body`?\n";
    assert_eq!(ran.out, format!("{line}1 problem in 1 file\n"));
    assert_eq!(run(root, &["schema", "--data", "site"]).code, 0);
    assert_eq!(run(root, &["check", "site", "--data", "site"]).code, 2);
}

#[test]
fn check_needs_a_data_folder() {
    let folder = folder();
    for arguments in [["check", "nowhere"], ["check", "."], ["schema", "nowhere"]] {
        let ran = run(folder.path(), &arguments);
        assert_eq!(ran.code, 2);
        assert!(ran.err.contains("is not a data folder"), "{}", ran.err);
    }
}

#[test]
fn fixing_writes_the_canonical_form_and_nothing_else() {
    let torn = "{\"title\": ";
    let folder = with_posts(&[
        ("torn.json", torn),
        ("a.json", "\u{feff}{\"data\":{\"x\":1.50,\"n\":2,\"body\":\"\\u00e4\"},\"title\":\"A\"}"),
    ]);
    let root = folder.path();
    let posts = root.join("data/workspaces/default/content/posts");
    // An entry without a date has that of its file.
    let then = SystemTime::UNIX_EPOCH + Duration::from_secs(1_577_836_800);
    fs::File::options().write(true).open(posts.join("a.json")).unwrap().set_modified(then).unwrap();
    let ran = run(root, &["check", "data", "--fix"]);
    assert_eq!(ran.code, 1, "the torn file stays torn");
    assert_eq!(posts.join("a.json").metadata().unwrap().modified().unwrap(), then);
    assert!(ran.err.contains("rewrote data/workspaces/default/content/posts/a.json\n"));
    assert!(ran.err.contains("2 files rewritten"), "the schema too: {}", ran.err);
    let fixed = "{\n  \"title\": \"A\",\n  \"data\": {\n    \"body\": \"ä\",\n    \"n\": 2,\n    \
                 \"x\": 1.50\n  }\n}\n";
    assert_eq!(fs::read_to_string(posts.join("a.json")).unwrap(), fixed);
    assert_eq!(fs::read_to_string(posts.join("torn.json")).unwrap(), torn);
    assert!(run(root, &["check", "data", "--fix"]).err.contains("0 files rewritten"));
}

#[test]
fn revisions_without_an_entry_are_told_and_go_when_that_is_asked_for() {
    let entry = r#"{"title": "A", "status": "draft", "data": {"body": "B"}}"#;
    let folder = with_posts(&[("a.json", entry)]);
    let root = folder.path();
    let revisions = root.join("data/workspaces/default/revisions/posts");
    for id in ["a", "gone"] {
        fs::create_dir_all(revisions.join(id)).unwrap();
        fs::write(revisions.join(id).join("01jz8x3m5q7v9c2a.json"), entry).unwrap();
    }
    let place = "data/workspaces/default/revisions/posts/gone";
    for args in [&["check", "data"][..], &["check", "data", "--fix"]] {
        let ran = run(root, args);
        assert_eq!(ran.code, 1);
        assert!(ran.out.contains(&format!("{place}: orphan_revisions: ")), "{}", ran.out);
        assert!(!ran.out.contains("posts/a:"), "{}", ran.out);
    }
    assert!(revisions.join("gone").exists(), "what was deleted by hand may be wanted once more");
    let ran = run(root, &["check", "data", "--remove-orphans"]);
    assert_eq!((ran.code, ran.out.as_str()), (0, "no problems\n"), "{}", ran.err);
    assert!(ran.err.contains(&format!("removed {place}\n")), "{}", ran.err);
    assert!(revisions.join("a/01jz8x3m5q7v9c2a.json").exists() && !revisions.join("gone").exists());
}

/// The promise to delete an entry under an id that is in the trash already, written down and half
/// done: its revisions have moved, and it has not.
#[test]
fn a_change_that_is_half_done_is_finished_before_anything_is_mended() {
    let entry = r#"{"title": "A", "status": "draft", "data": {"body": "B"}}"#;
    for arg in ["--remove-orphans", "--fix"] {
        let folder = with_posts(&[("a.json", entry)]);
        let root = folder.path();
        let of = |part: &str| root.join("data/workspaces/default").join(part);
        let revision = of("revisions/posts/a~1/01jz8x3m5q7v9c2a.json");
        fs::create_dir_all(revision.parent().unwrap()).unwrap();
        fs::write(&revision, entry).unwrap();
        let (from, to) = ("content/posts/a.json", "trash/posts/a~1.json");
        let steps = format!(
            r#"[{{"do":"rename","from":"workspaces/default/{from}","to":"workspaces/default/{to}"}}]"#
        );
        let sum = Checksum::of_bytes(steps.as_bytes());
        fs::create_dir_all(root.join("data/journal")).unwrap();
        let intent = format!(r#"{{"format":1,"steps":{steps},"sum":"{sum}"}}"#);
        fs::write(root.join("data/journal/7.intent"), intent).unwrap();
        let ran = run(root, &["check", "data", arg]);
        assert!(revision.exists(), "{arg}: {}", ran.err);
        assert_eq!(fs::read_to_string(of(to)).unwrap(), entry, "{arg}");
        assert!(!of(from).exists() && !root.join("data/journal/7.intent").exists(), "{arg}");
    }
}

#[test]
fn nothing_is_mended_while_a_change_cannot_be_finished() {
    let folder = with_posts(&[("a.json", r#"{"title":"A"}"#)]);
    let root = folder.path();
    fs::create_dir_all(root.join("data/journal")).unwrap();
    fs::write(root.join("data/journal/7.intent"), "torn").unwrap();
    for arg in ["--remove-orphans", "--fix"] {
        let ran = run(root, &["check", "data", arg]);
        assert!(
            ran.code != 0 && ran.err.contains("journal/ has an unfinished change"),
            "{arg}: {}",
            ran.err
        );
    }
    let posts = root.join("data/workspaces/default/content/posts");
    assert_eq!(fs::read_to_string(posts.join("a.json")).unwrap(), r#"{"title":"A"}"#);
}

#[test]
fn the_samples_are_canonical() {
    let folder = with_samples();
    let ran = run(folder.path(), &["check", "data", "--fix"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, "0 files rewritten\n"));
}

#[test]
fn tokens_are_made_listed_and_revoked() {
    let folder = with_posts(&[]);
    let root = folder.path();
    let create = ["token", "create", "--name", "Site", "--grant", "content.read@content:*"];
    let token = run_well(root, &[&create[..], &["--expires", "90d"]].concat());
    let id = token.split('_').nth(1).unwrap();
    assert!(token.starts_with("recto_") && token.trim().len() == 72, "{token}");
    let file = root.join(format!("data/system/tokens/{id}.json"));
    assert!(!fs::read_to_string(&file).unwrap().contains(token.trim()));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&file), mode(file.parent().unwrap())), (0o600, 0o700));
    }
    let listed = json(&run_well(root, &["token", "list", "--json"]));
    assert_eq!((&listed[0]["id"], &listed[0]["revoked_at"]), (&json!(id), &Value::Null));
    assert!(listed[0].get("secret_sha256").is_none());
    assert!(run_well(root, &["token", "list"]).contains("Site  content.read@content:*"));
    for expect in ["is revoked", "was already revoked"] {
        let ran = run(root, &["token", "revoke", id]);
        assert!(ran.code == 0 && ran.err.contains(expect), "{}", ran.err);
    }
    assert!(run_well(root, &["token", "list"]).contains("revoked 20"));
    assert_eq!(run(root, &["token", "revoke", "0123456789abcdef"]).code, 1);
}

#[test]
fn tokens_that_make_no_sense_are_refused() {
    let folder = with_posts(&[]);
    let create = ["token", "create", "--name", "a", "--grant"];
    let check = |more: &[&str], expect: &str| {
        let ran = run(folder.path(), &[&create[..], more].concat());
        assert!(ran.code == 2 && ran.err.contains(expect), "{}", ran.err);
    };
    check(&["content.read"], "grant `content.read`: ");
    check(&["content.fly@content:*"], "There is no action");
    check(&["*@*", "--expires", "2001-01-01"], "expires_at: This must be in the future.");
    check(&["*@*", "--expires", "soon"], "not a time at which a token can expire");
    check(&["*@*", "--data", "nowhere"], "not a data folder");
    assert!(!folder.path().join("data/system").exists());
}

#[test]
fn schemas_accept_the_samples_and_know_their_fields() {
    let folder = with_samples();
    let data = folder.path().join("data");
    let mut n_entries = 0;
    for (path, bytes) in tree(&data.join("workspaces/default/content")) {
        let (ty, _) = path.split_once('/').unwrap();
        let schema = fs::read(data.join(format!(".vscode/schemas/default.{ty}.json"))).unwrap();
        let schema = jsonschema::validator_for(&serde_json::from_slice(&schema).unwrap()).unwrap();
        let entry: Value = serde_json::from_slice(&bytes).unwrap();
        if let Err(error) = schema.validate(&entry) {
            panic!("{path}: {error}");
        }
        assert!(!schema.is_valid(&json!({})) && !schema.is_valid(&json!({ "title": 7 })));
        let valid = |entry: Value| schema.is_valid(&entry);
        let mut misspelt = entry.clone();
        misspelt["stauts"] = json!("draft");
        let mut annotated = entry.clone();
        annotated["$schema"] = json!("./schema.json");
        assert!(!valid(misspelt) && valid(annotated), "{path}");
        n_entries += 1;
    }
    assert!(n_entries > 20);
    let of_types = fs::read(data.join(".vscode/schemas/content-type.json")).unwrap();
    let of_types = jsonschema::validator_for(&serde_json::from_slice(&of_types).unwrap()).unwrap();
    for (path, bytes) in tree(&data.join("workspaces/default/schemas")) {
        assert!(of_types.is_valid(&serde_json::from_slice(&bytes).unwrap()), "{path}");
    }
}

#[test]
fn schemas_are_mapped_and_other_settings_kept() {
    let folder = with_posts(&[]);
    let root = folder.path();
    let settings = root.join("data/.vscode/settings.json");
    let before = json!({
        "editor.tabSize": 3,
        "json.schemas": [
            { "fileMatch": ["x.json"], "url": "./mine.json" },
            { "fileMatch": ["gone"], "url": "./.vscode/schemas/default.gone.json" },
        ],
    });
    fs::write(&settings, before.to_string()).unwrap();
    run_well(root, &["schema", "data"]);
    let after = json(&fs::read_to_string(&settings).unwrap());
    assert_eq!(after["editor.tabSize"], 3);
    let urls: Vec<&str> = after["json.schemas"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["url"].as_str().unwrap())
        .collect();
    let expect = [
        "./mine.json",
        "./.vscode/schemas/default.posts.json",
        "./.vscode/schemas/content-type.json",
    ];
    assert_eq!(urls, expect);
    fs::write(&settings, "{ // mine\n}").unwrap();
    assert!(run(root, &["schema", "data"]).err.contains("is not plain JSON and stays as it is"));
    assert_eq!(fs::read_to_string(&settings).unwrap(), "{ // mine\n}");
    let one = json(&run_well(root, &["schema", "data", "--stdout", "posts"]));
    assert_eq!(one["properties"]["data"]["required"], json!(["body"]));
    assert_eq!(run(root, &["schema", "data", "--stdout", "nothing"]).code, 2);
}

#[test]
fn mistakes_in_settings_and_webhooks_are_told() {
    let folder = with_posts(&[]);
    let system = folder.path().join("data/system");
    fs::create_dir_all(&system).unwrap();
    let settings = r#"{"site_nmae": "x", "cache": {"maxage": 1}, "max_revisions": "all"}"#;
    fs::write(system.join("settings.json"), settings).unwrap();
    let hook = r#"{"id": "a", "name": "A", "url": "https://a.test", "enable": true,
        "secret": "0123456789abcdef"}"#;
    fs::write(system.join("webhooks.json"), format!(r#"{{"webhooks": [{hook}]}}"#)).unwrap();
    let ran = run(folder.path(), &["check", "data"]);
    assert_eq!(ran.code, 1);
    for line in [
        "data/system/settings.json:1:2: unknown_key: site_nmae: The file of the settings has no key \
         `site_nmae`. Did you mean `site_name`?",
        "data/system/settings.json:1:30: unknown_key: cache.maxage: ",
        "data/system/settings.json:1:61: schema_violation: max_revisions: This is not a number of \
         revisions (0 for none, -1 for all). Until you correct it, Recto keeps all revisions.",
        "data/system/webhooks.json:1:65: unknown_key: webhooks[0].enable: ",
    ] {
        assert!(ran.out.contains(line), "{line}\n{}", ran.out);
    }
    assert!(ran.out.ends_with("4 problems in 2 files\n"), "{}", ran.out);
}

#[cfg(unix)]
#[test]
fn serving_makes_the_folder_says_so_once_and_stops_when_asked() {
    let folder = folder();
    let root = folder.path();
    let server = Server::start(root, &["--base-url", "https://x.org/cms/", "--log", "json"]);
    let ready = &server.ready;
    assert!(ready.starts_with("Recto ") && ready.contains(" serves ./data at http://127.0.0.1:"));
    assert!(ready.contains("/cms (") && ready.contains(" entries in "), "{ready}");
    let answer = server.get("/cms/api/v1/workspaces/default/content/posts");
    assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
    assert!(answer.contains("https://x.org/cms/media/default/"), "{answer}");
    assert!(server.get("/api/v1/workspaces/default/content/posts").contains(" 404 "));

    let second = run(root, &["serve", "--listen", "127.0.0.1:0"]);
    assert_eq!(second.code, 1);
    assert!(second.err.contains(&format!("in use by process {}", server.child.id())));
    let beside = Server::start(root, &["--read-only"]);
    assert!(beside.get("/healthz").starts_with("HTTP/1.1 200 OK"));
    let port = ready.split_once("127.0.0.1:").unwrap().1.split('/').next().unwrap();
    let taken = run(root, &["serve", "--data", "other", "--listen", &format!("127.0.0.1:{port}")]);
    assert!(taken.code == 1 && taken.err.contains("another program uses this address"));
    assert!(!root.join("other").exists());

    let ended = server.stop();
    assert_eq!((ended.code, ended.out.as_str()), (0, ""));
    let mut lines = ended.err.lines().map(json);
    assert_eq!(lines.next().unwrap()["message"], "created a data folder with sample content");
}

#[cfg(unix)]
#[test]
fn logs_for_machines_hold_numbers_and_tell_what_was_not_found() {
    let folder = folder();
    let flags = ["--log", "json", "--log-level", "debug", "--log-requests", "all"];
    let server = Server::start(folder.path(), &flags);
    let missing = "/api/v1/workspaces/default/content/nothing/at-all";
    assert!(server.get(&format!("{missing}?token=secret")).starts_with("HTTP/1.1 404 "));
    assert!(server.get("/healthz").starts_with("HTTP/1.1 200 "));
    let err = server.stop().err;
    let lines: Vec<Value> = err.lines().map(json).collect();
    let requests = lines.iter().filter(|it| it["message"] == "request");
    let mut routes = Vec::new();
    for line in requests {
        for key in ["status", "micros", "bytes"] {
            assert!(line[key].is_u64(), "{key} is no number in {line}");
        }
        routes.push(line["route"].as_str().unwrap());
    }
    assert_eq!(routes, ["entries.show", "healthz"]);
    let refused: Vec<&Value> = lines.iter().filter(|it| it["message"] == "refused").collect();
    let [refused] = refused.as_slice() else { panic!("{refused:?}") };
    let told = [&refused["method"], &refused["path"], &refused["status"], &refused["route"]];
    assert_eq!(told, [&json!("GET"), &json!(missing), &json!(404), &json!("entries.show")]);
    assert!(!err.contains("secret"), "{err}");
}

#[test]
fn metrics_tell_of_the_process_its_queues_and_its_disk() {
    let folder = folder();
    let server = Server::start(folder.path(), &["--metrics-public"]);
    assert!(server.get("/healthz").starts_with("HTTP/1.1 200 "));
    let metrics = server.get("/metrics");
    assert!(metrics.contains("content-type: application/openmetrics-text; version=1.0.0"));
    let value = |name: &str| -> u64 {
        let line = metrics.lines().find_map(|it| it.strip_prefix(name)?.strip_prefix(' '));
        line.and_then(|it| it.parse().ok()).unwrap_or_else(|| panic!("{name} in {metrics}"))
    };
    assert!(metrics.contains(concat!("recto_build_info{version=\"", env!("CARGO_PKG_VERSION"))));
    for queue in ["work", "pictures", "logins", "writes", "webhooks"] {
        assert_eq!(value(&format!("recto_queue_length{{queue=\"{queue}\"}}")), 0);
    }
    assert_eq!(value("recto_request_duration_seconds_count{route=\"healthz\"}"), 1);
    assert!(value("process_start_time_seconds") > 1_700_000_000);
    assert!(value("recto_disk_free_bytes") > 0);
    if cfg!(target_os = "linux") {
        let resident = value("process_resident_memory_bytes");
        assert!(resident > 1_000_000 && resident <= value("process_virtual_memory_bytes"));
    }
    assert!(metrics.ends_with("# EOF\n"));
}

#[test]
fn a_start_keeps_the_secrets_of_any_folder_out_of_git() {
    let folder = with_posts(&[]);
    let data = folder.path().join("data");
    let ignored = fs::read(data.join(".gitignore")).unwrap();
    fs::remove_file(data.join(".gitignore")).unwrap();
    fs::remove_dir_all(data.join(".vscode")).unwrap();
    drop(Server::start(folder.path(), &[]));
    assert_eq!(fs::read(data.join(".gitignore")).unwrap(), ignored);
    assert!(data.join(".vscode/schemas/default.posts.json").is_file());
}

#[cfg(unix)]
#[test]
fn serving_tells_of_problems_and_closes_what_is_secret() {
    use std::os::unix::fs::PermissionsExt;
    let folder = with_posts(&[("torn.json", "{")]);
    let system = folder.path().join("data/system");
    fs::create_dir(&system).unwrap();
    fs::set_permissions(&system, PermissionsExt::from_mode(0o755)).unwrap();
    let server = Server::start(folder.path(), &[]);
    assert_eq!(system.metadata().unwrap().permissions().mode() & 0o777, 0o700);
    let err = server.stop().err;
    assert!(err.contains("1 problem in the data folder; `recto check ./data`"), "{err}");
    assert!(err.contains("restricted 1 secret file to the owner"), "{err}");
}

#[test]
fn backups_are_made_beside_a_server_and_restored_without_one() {
    const USUAL: &str = "schemas,content,revisions,trash,media,settings";
    let folder = with_samples();
    let root = folder.path();
    let content = |from: &Path| tree(&from.join("data/workspaces"));
    let before = content(root);
    assert!(run(root, &["backup", "list"]).err.contains("there are no backups"));
    let server = Server::start(root, &[]);
    let create = ["backup", "create", "--json", "--note", "first\u{1b}[2J"];
    let made = json(&run_well(root, &create));
    let name = made["name"].as_str().unwrap();
    assert_eq!(made["manifest"]["problems"], json!([]));
    let refused = run(root, &["backup", "restore", name, "--parts", "content"]);
    assert_eq!(refused.code, 1);
    assert!(
        refused
            .err
            .contains(&format!("a server (process {}) serves this folder", server.child.id()))
    );
    drop(server);
    let listed = run_well(root, &["backup", "list"]);
    assert!(listed.contains(name) && listed.contains("everything (first[2J)"), "{listed}");
    assert_eq!(json(&run_well(root, &["backup", "list", "--json"]))[0]["name"], name);
    assert!(run_well(root, &["backup", "inspect", name]).contains("workspaces  default\n"));
    let inspected = json(&run_well(root, &["backup", "inspect", name, "--json"]));
    assert_eq!(inspected["manifest"], made["manifest"]);
    fs::remove_dir_all(root.join("data/workspaces/default/content")).unwrap();
    fs::remove_dir_all(root.join("data/workspaces/default/media")).unwrap();
    let spoilt = content(root);
    let stem = name.strip_suffix(".zip").unwrap();
    for without in [&["--overwrite"][..], &["--dry-run"], &["--parts", ""]] {
        let refused = run(root, &[&["backup", "restore", name], without].concat());
        assert!(refused.code == 2 && refused.err.contains("--parts"), "{}", refused.err);
        assert!(content(root) == spoilt);
    }
    let told = run_well(root, &["backup", "restore", stem, "--parts", USUAL, "--dry-run"]);
    assert!(told.starts_with("to restore ") && content(root) == spoilt, "{told}");
    let parts = ["--parts", "content", "--workspaces", "default", "--json"];
    let done = json(&run_well(root, &[&["backup", "restore", name], &parts[..]].concat()));
    assert_eq!(done["restored"]["content"], made["manifest"]["counts"]["content"]);
    let done = run_well(root, &["backup", "restore", name, "--parts", USUAL, "--overwrite"]);
    assert!(done.starts_with("restored 6 files, removed 0 files, skipped "), "{done}");
    assert!(content(root) == before);
    assert_eq!(run(root, &["backup", "restore", "none", "--parts", "content"]).code, 1);
    assert_eq!(run(root, &["backup", "restore", "../x", "--parts", "content"]).code, 2);
    assert_eq!(run(root, &["backup", "create", "--parts", "everything"]).code, 2);
    let unknown = run(root, &["backup", "create", "--workspaces", "default,nosuch"]);
    assert_eq!(
        (unknown.code, unknown.err.as_str()),
        (2, "recto: There is no workspace `nosuch`.\n")
    );
    let told = run(root, &["backup", "create"]);
    assert!(told.code == 0 && told.err.contains("personal data"), "{}", told.err);
    let told = run(root, &["backup", "create", "--parts", "content,users"]);
    assert!(told.code == 0 && !told.err.contains("personal data"), "{}", told.err);
    fs::write(root.join("data/backups/torn.zip"), "PK").unwrap();
    let torn = run(root, &["backup", "inspect", "torn"]);
    assert!(torn.code == 1 && torn.err.contains("cut off"), "{}", torn.err);
}

#[test]
fn commands_that_work_in_a_folder_refuse_a_database() {
    const STORE: &str = "postgres://localhost:1/none";
    let folder = with_posts(&[]);
    let root = folder.path();
    fs::write(root.join("rows.json"), "[]").unwrap();
    let pull = ["pull", "https://cms.example.org", "--token-file", "rows.json", "--dry-run"];
    for arguments in [
        &["import", "json", "rows.json", "--type", "posts"][..],
        &["backup", "run", "--target", "target"],
        &["backup", "restore", "none", "--parts", "content"],
        &pull,
    ] {
        let ran = run(root, &[arguments, &["--store", STORE]].concat());
        let refused = ran.err.contains("does not work on a database");
        assert!(ran.code == 2 && refused, "{arguments:?}: {}", ran.err);
        let configured = command(root, arguments).env("RECTO_STORE", STORE).output().unwrap();
        assert_eq!(configured.status.code(), Some(2), "{arguments:?}");
    }
    assert_eq!(run(root, &["update", "status", "--store", STORE]).code, 2);
    assert!(!root.join("target").exists());
    let mut folder_alone = command(root, &["backup", "run", "--target", "target", "--store", ""]);
    let ran = folder_alone.env("RECTO_STORE", STORE).output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
}

#[test]
fn completions_and_documents_are_printed() {
    let folder = with_posts(&[]);
    assert!(run_well(folder.path(), &["completions", "bash"]).contains("_recto()"));
    let document = json(&run_well(folder.path(), &["openapi"]));
    assert_eq!(document["openapi"], "3.1.0");
    assert_eq!(run(folder.path(), &["openapi", "--workspace", "none"]).code, 2);
    let types = run_well(folder.path(), &["types", "--lang", "ts"]);
    assert!(types.contains("export interface PostsEntryData {"), "{types}");
    assert_eq!(run(folder.path(), &["types", "--workspace", "none"]).code, 2);
    assert_eq!(run(folder.path(), &["fly"]).code, 2);
}
