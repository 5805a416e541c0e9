//! Backups outside the data folder, as operators see them: on the command line and made by a
//! server, in a directory and in a bucket.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::sync::mpsc;

use serde_json::Value;
use tempfile::TempDir;

use crate::support::backups::files;
use crate::support::bucket_server::ACCESS_KEY;
use crate::support::bucket_server::BUCKET;
use crate::support::bucket_server::BucketServer;
use crate::support::bucket_server::Mishap;
use crate::support::bucket_server::REGION;
use crate::support::bucket_server::SECRET_KEY;
use crate::support::command_line::Ran;
use crate::support::command_line::Server;
use crate::support::command_line::command;
use crate::support::command_line::json;
use crate::support::command_line::run;
use crate::support::command_line::run_well;
use crate::support::command_line::with_samples;
use crate::support::folder::eventually;

const PASSPHRASE: &str = "correct horse battery staple";

/// A working folder with the sample content, a user and a token, and the secrets of targets.
fn working_folder() -> TempDir {
    let folder = with_samples();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("passphrase"), format!("{PASSPHRASE}\n")).unwrap();
    fs::write(at("wrong"), "something else\n").unwrap();
    let keys = |secret: &str| {
        format!("[default]\naws_access_key_id = {ACCESS_KEY}\naws_secret_access_key = {secret}\n")
    };
    fs::write(at("keys"), keys(SECRET_KEY)).unwrap();
    fs::write(at("wrong-keys"), keys("another")).unwrap();
    fs::write(at("password"), "a long password\n").unwrap();
    run_well(folder.path(), &["user", "create", "anna", "--password-file", "password"]);
    run_well(folder.path(), &["token", "create", "--name", "CI", "--grant", "content.read@*"]);
    folder
}

/// The arguments that lead to a bucket.
fn bucket_access(server: &BucketServer) -> Vec<String> {
    let pairs = [
        ("--endpoint", server.endpoint()),
        ("--region", REGION.to_string()),
        ("--credentials-file", "keys".to_string()),
    ];
    pairs.into_iter().flat_map(|(flag, value)| [flag.to_string(), value]).collect()
}

fn bucket_target() -> String {
    format!("s3://{BUCKET}/sites/one")
}

fn run_with(root: &Path, arguments: &[&str], access: &[String]) -> Ran {
    let access: Vec<&str> = access.iter().map(String::as_str).collect();
    run(root, &[arguments, &access].concat())
}

fn run_well_with(root: &Path, arguments: &[&str], access: &[String]) -> String {
    let ran = run_with(root, arguments, access);
    assert_eq!(ran.code, 0, "{arguments:?}: {}{}", ran.out, ran.err);
    ran.out
}

/// The names of all files in a folder that are not part of a backup.
fn left_out(root: &Path) -> Vec<String> {
    let all = walkdir::WalkDir::new(root).into_iter().map(Result::unwrap);
    let paths = all.filter(|it| it.file_type().is_file());
    let paths = paths.map(|it| it.path().strip_prefix(root).unwrap().display().to_string());
    let kept = files(root);
    paths.filter(|it| !kept.contains_key(it)).collect()
}

#[test]
fn a_directory_with_sealed_backups_is_restored_on_an_empty_host() {
    let folder = working_folder();
    let root = folder.path();
    let sealed = ["--passphrase-file".to_string(), "passphrase".to_string()];
    let ran = run_with(root, &["backup", "run", "--target", "target"], &sealed);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let name = ran.out.trim().to_string();
    assert!(ran.err.starts_with("backed up "), "{}", ran.err);
    let listed = run_well_with(root, &["backup", "list", "target"], &sealed);
    assert!(listed.starts_with(&name) && listed.lines().count() == 1, "{listed}");
    let verified = run_well_with(root, &["backup", "verify", "target"], &sealed);
    assert!(verified.contains("all of them are right"), "{verified}");

    let host = tempfile::tempdir().unwrap();
    let (target, passphrase) = (root.join("target"), root.join("passphrase"));
    let (target, passphrase) = (target.to_str().unwrap(), passphrase.to_str().unwrap());
    let restore = ["restore", target, "data", "--passphrase-file", passphrase];
    let ran = run(host.path(), &restore);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.starts_with("restored ") && ran.out.contains(&name), "{}", ran.out);
    let restored = host.path().join("data");
    let expect = files(&root.join("data"));
    assert!(files(&restored) == expect);
    // What a backup leaves out is not the content of a site. What a new folder has is added.
    for path in left_out(&restored) {
        assert!(path.starts_with(".git") || path.starts_with(".vscode/"), "{path}");
    }
    let ignored = fs::read_to_string(restored.join(".gitignore")).unwrap();
    assert!(ignored.contains("/system/"), "{ignored}");
    assert!(restored.join(".vscode/schemas/content-type.json").is_file());
    for path in left_out(&root.join("data")) {
        let known = [".recto/", "backups/", "system/activity/", ".vscode/", ".git", "README"];
        assert!(known.iter().any(|it| path.starts_with(it)), "{path}");
    }
    let server = Server::start(host.path(), &["--data", "data"]);
    assert!(server.get("/healthz").contains("200 OK"), "{}", server.ready);
    // It is not set up anew: the users are there.
    assert!(!server.ready.contains("setup?token"), "{}", server.ready);
}

#[test]
fn all_commands_for_targets_read_the_configuration_of_the_data_folder() {
    let folder = working_folder();
    let root = folder.path();
    fs::rename(root.join("data"), root.join("site")).unwrap();
    let path = |name: &str| root.join(name).display().to_string();
    let (target, passphrase) = (path("target"), path("passphrase"));
    let config = format!("[backups]\ntarget = \"{target}\"\npassphrase_file = \"{passphrase}\"\n");
    fs::write(root.join("site/recto.toml"), config).unwrap();
    let of_site = ["--data", "site"];
    let run_site = |command: &[&str]| run_well(root, &[command, &of_site].concat());
    let name = run_site(&["backup", "run"]);
    assert!(run_site(&["backup", "list", &target]).starts_with(name.trim()));
    assert!(run_site(&["backup", "verify"]).contains("all of them are right"));
    let ran = run(root, &["backup", "verify"]);
    assert!(ran.code == 2 && ran.err.contains("`backups.target` is not set"), "{}", ran.err);
}

#[test]
fn a_target_is_for_one_data_folder_until_it_is_taken_over() {
    let folder = working_folder();
    let root = folder.path();
    run_well(root, &["backup", "run", "--target", "target"]);
    run_well(root, &["restore", "target", "restored"]);
    let of_the_other = |more: &[&str]| {
        run(root, &[&["backup", "run", "--target", "target", "--data", "restored"], more].concat())
    };
    let refused = of_the_other(&[]);
    assert_eq!(refused.code, 1, "{}", refused.err);
    assert!(refused.err.contains("backups of another data folder"), "{}", refused.err);
    let listed = || run_well(root, &["backup", "list", "target"]).lines().count();
    assert_eq!(listed(), 1);

    let taken = of_the_other(&["--take-over"]);
    assert_eq!(taken.code, 0, "{}", taken.err);
    assert_eq!(of_the_other(&[]).code, 0);
    let refused = run(root, &["backup", "run", "--target", "target"]);
    assert!(refused.err.contains("--take-over"), "{}", refused.err);
    // The files were there already.
    assert!(taken.err.contains(" 0 of them new"), "{}", taken.err);
}

#[cfg(unix)]
#[test]
fn restored_secrets_are_for_their_owner() {
    use std::os::unix::fs::PermissionsExt;
    let folder = working_folder();
    let root = folder.path();
    run_well(root, &["backup", "run", "--target", "target"]);
    run_well(root, &["restore", "target", "new"]);
    let mode = |path: &str| root.join(path).metadata().unwrap().permissions().mode() & 0o777;
    let users = fs::read_dir(root.join("new/system/users")).unwrap();
    let user = users.map(|it| it.unwrap().path()).next().unwrap();
    assert_eq!(user.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    for folder in ["new/system", "new/system/users", "target", "target/objects"] {
        assert_eq!(mode(folder), 0o700, "{folder}");
    }
}

#[test]
fn without_the_passphrase_nothing_is_read_and_nothing_is_written() {
    let folder = working_folder();
    let root = folder.path();
    let with = |file: &str| ["--passphrase-file".to_string(), file.to_string()];
    run_well_with(root, &["backup", "run", "--target", "target"], &with("passphrase"));
    let before = walk(&root.join("target"));
    let commands: [&[&str]; 4] = [
        &["backup", "list", "target"],
        &["backup", "verify", "target"],
        &["restore", "target", "new"],
        &["backup", "run", "--target", "target"],
    ];
    for arguments in commands {
        let wrong = run_with(root, arguments, &with("wrong"));
        assert!(wrong.err.contains("the passphrase is wrong"), "{arguments:?}: {}", wrong.err);
        let missing = run(root, arguments);
        assert!(missing.err.contains("the backups are sealed"), "{}", missing.err);
        assert_eq!([wrong.code, missing.code], [2, 2], "{arguments:?}");
        let absent = run_with(root, arguments, &with("not-there"));
        assert!(absent.code == 2 && absent.err.contains("not-there"), "{}", absent.err);
    }
    assert!(!root.join("new").exists());
    assert_eq!(walk(&root.join("target")), before);
    // The other way round: what is open does not become sealed halfway.
    run_well(root, &["backup", "run", "--target", "open"]);
    let ran = run_with(root, &["backup", "run", "--target", "open"], &with("passphrase"));
    assert!(ran.code == 2 && ran.err.contains("not sealed"), "{}", ran.err);
}

fn walk(root: &Path) -> Vec<String> {
    let all = walkdir::WalkDir::new(root).sort_by_file_name().into_iter().map(Result::unwrap);
    all.map(|it| it.path().display().to_string()).collect()
}

#[test]
fn a_damaged_backup_is_not_restored_unasked() {
    let folder = working_folder();
    let root = folder.path();
    fs::write(root.join("data/workspaces/default/media/large.txt"), vec![b'x'; 2_000_000]).unwrap();
    run_well(root, &["backup", "run", "--target", "target"]);
    let objects = walk(&root.join("target/objects"));
    let large = objects.iter().find(|it| it.len() > 64 && !it.ends_with(".gz")).unwrap();
    fs::write(large, vec![b'y'; 2_000_000]).unwrap();
    let ran = run(root, &["backup", "verify", "target"]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(ran.err.contains("workspaces/default/media/large.txt: "), "{}", ran.err);
    assert!(ran.err.contains("1 file is damaged"), "{}", ran.err);
    let ran = run(root, &["backup", "verify", "target", "--all", "--json"]);
    let told = json(&ran.out);
    assert_eq!(told[0]["damaged"][0]["path"], "workspaces/default/media/large.txt");
    let ran = run(root, &["restore", "target", "new"]);
    assert!(ran.code == 1 && ran.err.contains("nothing was restored"), "{}", ran.err);
    assert_eq!(left_out(&root.join("new")), Vec::<String>::new());
    assert!(!root.join("new/workspaces").exists());
    run_well(root, &["restore", "target", "new", "--skip-damaged"]);
    let mut expect = files(&root.join("data"));
    expect.remove("workspaces/default/media/large.txt");
    assert!(files(&root.join("new")) == expect);
}

#[test]
fn a_restore_takes_an_empty_folder_alone() {
    let folder = working_folder();
    let root = folder.path();
    run_well(root, &["backup", "run", "--target", "target"]);
    let ran = run(root, &["restore", "target", "data"]);
    assert!(ran.code == 2 && ran.err.contains("data is not empty"), "{}", ran.err);
    // What a restore that was interrupted left is in nobody's way.
    fs::create_dir_all(root.join("new/.recto-restore/workspaces/x")).unwrap();
    run_well(root, &["restore", "target", "new"]);
    assert!(files(&root.join("new")) == files(&root.join("data")));
    assert!(!root.join("new/.recto-restore").exists());
    let ran = run(root, &["restore", "target", "newer", "--name", "2001-01-01-000000"]);
    assert!(ran.code == 1 && ran.err.contains("there is no backup"), "{}", ran.err);
    let ran = run(root, &["restore", "nothing", "newer"]);
    assert!(ran.code == 1 && ran.err.contains("there are no backups in nothing"), "{}", ran.err);
    let ran = run(root, &["backup", "run", "--target", "data/backups"]);
    assert!(ran.code == 2 && ran.err.contains("inside the data folder"), "{}", ran.err);
    let ran = run(root, &["backup", "run"]);
    assert!(ran.code == 2 && ran.err.contains("`backups.target`"), "{}", ran.err);
}

#[test]
fn a_bucket_is_restored_on_an_empty_host_byte_by_byte() {
    let (folder, server) = (working_folder(), BucketServer::start());
    let (root, access, target) = (folder.path(), bucket_access(&server), bucket_target());
    let large: Vec<u8> = (0..17 * 1024 * 1024_u32).map(|it| (it / 7 % 251) as u8).collect();
    fs::write(root.join("data/workspaces/default/media/large.txt"), large).unwrap();
    for file in ["passphrase", ""] {
        let sealed = ["--passphrase-file".to_string(), file.to_string()];
        let access = [access.clone(), if file.is_empty() { vec![] } else { sealed.to_vec() }];
        let (access, target) = (access.concat(), format!("{target}-{}", file.len()));
        run_well_with(root, &["backup", "run", "--target", &target], &access);
        let again = ["backup", "run", "--json", "--target", &target];
        server.take_requests();
        let again = json(&run_well_with(root, &again, &access));
        assert!(again["new_bytes"].as_u64().unwrap() < 200_000, "{again}");
        let puts = server.take_requests().iter().filter(|it| it.starts_with("PUT ")).count();
        assert!(puts <= 3, "{puts}");
        let listed = run_well_with(root, &["backup", "list", &target, "--json"], &access);
        assert_eq!(json(&listed).as_array().unwrap().len(), 2);
        run_well_with(root, &["backup", "verify", &target, "--all"], &access);
        let new = format!("new-{}", file.len());
        run_well_with(root, &["restore", &target, &new], &access);
        assert!(files(&root.join(new)) == files(&root.join("data")));
    }
    let prefix = "sites/one-";
    assert!(server.objects().keys().all(|it| it.starts_with(prefix)));
}

#[test]
fn requests_that_fail_are_sent_again() {
    let (folder, server) = (working_folder(), BucketServer::start());
    let (root, access, target) = (folder.path(), bucket_access(&server), bucket_target());
    let mut seen = std::collections::BTreeSet::new();
    // The first of each is answered with an error.
    server.fail(move |method, name| match seen.insert(format!("{method} {name}")) {
        true => Mishap::Status(503),
        false => Mishap::None,
    });
    run_well_with(root, &["backup", "run", "--target", &target], &access);
    run_well_with(root, &["restore", &target, "new"], &access);
    assert!(files(&root.join("new")) == files(&root.join("data")));
}

#[test]
fn what_a_bucket_stores_is_compared_with_what_was_sent() {
    let (folder, server) = (working_folder(), BucketServer::start());
    let (root, access, target) = (folder.path(), bucket_access(&server), bucket_target());
    server.forget_checksums();
    run_well_with(root, &["backup", "run", "--target", &target], &access);
    run_well_with(root, &["backup", "verify", &target], &access);
    fs::write(root.join("data/workspaces/default/media/new.txt"), "new").unwrap();
    server.fail(|method, name| match (method, name.contains("/objects/")) {
        ("PUT", true) => Mishap::Corruption,
        _ => Mishap::None,
    });
    let ran = run_with(root, &["backup", "run", "--target", &target], &access);
    assert!(ran.code == 1 && ran.err.contains("not read back"), "{}", ran.err);
    let listed = run_well_with(root, &["backup", "list", &target, "--json"], &access);
    assert_eq!(json(&listed).as_array().unwrap().len(), 1);
}

#[test]
fn refusals_are_told_without_secrets() {
    let (folder, server) = (working_folder(), BucketServer::start());
    let (root, target) = (folder.path(), bucket_target());
    let mut access = bucket_access(&server);
    let told = |ran: Ran, expect: &str| {
        assert_eq!(ran.code, 1, "{}", ran.err);
        assert!(ran.err.contains(expect), "{}", ran.err);
        let all = format!("{}{}", ran.out, ran.err);
        for secret in [SECRET_KEY, ACCESS_KEY, "X-Amz", "another"] {
            assert!(!all.contains(secret), "{all}");
        }
    };
    let missing = format!("s3://not-{BUCKET}/x");
    let ran = run_with(root, &["backup", "run", "--target", &missing], &access);
    told(ran, "404 Not Found (NoSuchBucket)");
    *access.last_mut().unwrap() = "wrong-keys".to_string();
    let ran = run_with(root, &["backup", "run", "--target", &target], &access);
    told(ran, "403 Forbidden (SignatureDoesNotMatch)");
    let ran = run_with(root, &["backup", "list", &target], &access[..4]);
    assert!(ran.code == 2 && ran.err.contains("AWS_ACCESS_KEY_ID"), "{}", ran.err);
    let config = command(root, &["config", "--json", "--backups-credentials-file", "keys"])
        .env("AWS_SECRET_ACCESS_KEY", SECRET_KEY)
        .output()
        .unwrap();
    let config = String::from_utf8(config.stdout).unwrap();
    assert!(config.contains("backups.credentials_file") && !config.contains(SECRET_KEY));
}

#[test]
fn keys_may_come_from_the_environment() {
    let (folder, server) = (working_folder(), BucketServer::start());
    let (endpoint, target) = (server.endpoint(), bucket_target());
    let arguments = ["backup", "run", "--target", &target];
    let access = ["--endpoint", &endpoint, "--region", REGION];
    let ran = command(folder.path(), &[&arguments[..], &access].concat())
        .env("AWS_ACCESS_KEY_ID", ACCESS_KEY)
        .env("AWS_SECRET_ACCESS_KEY", SECRET_KEY)
        .output()
        .unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
}

/// It is killed at every request in turn that writes.
#[test]
fn a_backup_that_is_killed_leaves_the_one_before() {
    let (folder, server) = (working_folder(), BucketServer::start());
    let (root, access, target) = (folder.path(), bucket_access(&server), bucket_target());
    run_well_with(root, &["backup", "run", "--target", &target], &access);
    let (before, stored) = (files(&root.join("data")), server.objects());
    for number in 0..2 {
        let path = format!("data/workspaces/default/media/new-{number}.txt");
        fs::write(root.join(path), vec![b'0' + number; 2_000_000]).unwrap();
    }
    server.take_requests();
    run_well_with(root, &["backup", "run", "--target", &target], &access);
    let is_put = |it: &&String| it.starts_with("PUT ");
    let n_puts = server.take_requests().iter().filter(is_put).count();
    // Two media files, the list of files and the manifest.
    assert_eq!(n_puts, 4);
    let arguments = ["backup", "run", "--target", &target].map(str::to_string).to_vec();
    let arguments = [arguments, access.clone()].concat();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    for stop in 1..=n_puts {
        server.replace_objects(stored.clone());
        let (tell, stopped) = mpsc::channel();
        let mut seen = 0;
        server.fail(move |method, _| {
            seen += usize::from(method == "PUT");
            if method != "PUT" || seen < stop {
                return Mishap::None;
            }
            tell.send(()).unwrap();
            Mishap::Silence
        });
        let mut child = command(root, &arguments).stderr(Stdio::null()).spawn().unwrap();
        stopped.recv().unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
        server.fail(|_, _| Mishap::None);
        let new = format!("new-{stop}");
        run_well_with(root, &["restore", &target, &new], &access);
        assert!(files(&root.join(new)) == before, "{stop}");
    }
    // The next one builds on what is there.
    run_well_with(root, &["backup", "run", "--target", &target], &access);
    run_well_with(root, &["restore", &target, "last"], &access);
    assert!(files(&root.join("last")) == files(&root.join("data")));
}

/// The answer to somebody on the machine itself.
fn ask_locally(server: &Server, path: &str) -> String {
    server.ask(&format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n"))
}

/// What `/readyz` says of backups.
fn health(server: &Server) -> Value {
    let answer = ask_locally(server, "/readyz");
    let (_, body) = answer.split_once("\r\n\r\n").unwrap();
    json(body)["backups"].clone()
}

fn metric(server: &Server, name: &str) -> u64 {
    let text = ask_locally(server, "/metrics");
    let line = text.lines().find_map(|it| it.strip_prefix(&format!("{name} ")));
    line.unwrap_or_else(|| panic!("{name}: {text}")).parse().unwrap()
}

#[test]
fn a_server_makes_the_backups_that_are_configured() {
    let folder = working_folder();
    let root = folder.path();
    let settings = "[backups]\ntarget = \"target\"\nat = \"03:30\"\nkeep_daily = 3\n";
    fs::write(root.join("recto.toml"), settings).unwrap();
    let server = Server::start(root, &["--data", "data"]);
    eventually("the first backup", || health(&server)["last_success_at"].is_string());
    assert_eq!(health(&server)["ok"], true);
    assert_eq!(metric(&server, "recto_backup_failing"), 0);
    assert!(metric(&server, "recto_backup_last_success_timestamp_seconds") > 1_700_000_000);
    let ran = server.stop();
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("made the scheduled backup"), "{}", ran.err);
    run_well(root, &["restore", "target", "new"]);
    assert!(files(&root.join("new")) == files(&root.join("data")));
    // None was missed while it was off.
    let server = Server::start(root, &["--data", "data"]);
    assert!(health(&server)["last_success_at"].is_string());
    let ran = server.stop();
    assert!(!ran.err.contains("scheduled backup"), "{}", ran.err);
    // One of two days ago is made up for.
    let path = root.join("data/.recto/scheduled-backup.json");
    let mut status = json(&fs::read_to_string(&path).unwrap());
    status["last_success_at"] = "2020-01-01T03:30:00Z".into();
    status["last_try_at"] = "2020-01-01T03:30:00Z".into();
    fs::write(&path, status.to_string()).unwrap();
    let server = Server::start(root, &["--data", "data"]);
    let is_new = |it: Value| it["last_success_at"].as_str().is_some_and(|at| at > "2021");
    eventually("what was missed", || is_new(health(&server)));
    let listed = json(&run_well(root, &["backup", "list", "target", "--json"]));
    assert_eq!(listed.as_array().unwrap().len(), 2);
}

#[test]
fn a_failure_is_logged_and_shown_and_tried_again() {
    let (folder, bucket) = (working_folder(), BucketServer::start());
    let root = folder.path();
    bucket.fail(|_, _| Mishap::Status(403));
    let target = bucket_target();
    let endpoint = bucket.endpoint();
    let arguments = [
        "--data",
        "data",
        "--backups-target",
        &target,
        "--backups-endpoint",
        &endpoint,
        "--backups-region",
        REGION,
        "--backups-credentials-file",
        "keys",
    ];
    let server = Server::start(root, &arguments);
    eventually("a failure", || health(&server)["ok"] == false);
    let told = health(&server);
    assert!(told["error"].as_str().unwrap().contains("403 Forbidden"), "{told}");
    assert!(told["last_success_at"].is_null(), "{told}");
    assert_eq!(metric(&server, "recto_backup_failing"), 1);
    assert_eq!(metric(&server, "recto_backup_last_success_timestamp_seconds"), 0);
    let ran = server.stop();
    assert!(ran.err.contains("the scheduled backup failed"), "{}", ran.err);
    assert!(!ran.err.contains(SECRET_KEY) && !ran.err.contains("X-Amz"), "{}", ran.err);
    bucket.fail(|_, _| Mishap::None);
    let server = Server::start(root, &arguments);
    eventually("another try", || health(&server)["ok"] == true);
}

#[test]
fn a_server_stops_in_the_middle_of_a_backup() {
    let (folder, bucket) = (working_folder(), BucketServer::start());
    let (tell, asked) = mpsc::channel();
    bucket.fail(move |_, _| {
        tell.send(()).unwrap();
        Mishap::Silence
    });
    let (target, endpoint) = (bucket_target(), bucket.endpoint());
    let server = Server::start(
        folder.path(),
        &[
            "--data",
            "data",
            "--backups-target",
            &target,
            "--backups-endpoint",
            &endpoint,
            "--backups-region",
            REGION,
            "--backups-credentials-file",
            "keys",
        ],
    );
    asked.recv().unwrap();
    let ran = server.stop();
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("the backup is not finished"), "{}", ran.err);
}
