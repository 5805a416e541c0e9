//! Updates over the network and from the command line, against a server of releases that is all of
//! what such servers can be.

use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::path::PathBuf;
use std::process::Command;
use std::process::Output;
use std::process::Stdio;
use std::sync::Arc;

use recto::app::jobs::updates::UpdateSettings;
use recto::app::jobs::updates::Updates;
use recto::model::release::version::Version;
use recto::net::release_fetcher::ReleaseFetcher;
use recto::stdx::time::Timestamp;
use recto::store::disk::OsDisk;
use recto::store::updates::update_store::UpdateStore;
use serde_json::Value;
use tempfile::TempDir;
use tokio::runtime::Runtime;

use crate::support::executables::says;
use crate::support::release_server::Server;
use crate::support::release_server::with_program;
use crate::support::releases::Publisher;
use crate::support::releases::expect_refused;
use crate::support::releases::names;

/// A data folder, a program and a server.
struct World {
    data: TempDir,
    place: TempDir,
    publisher: Publisher,
    server: Server,
    runtime: Runtime,
    now: Timestamp,
}

impl World {
    fn new() -> World {
        World {
            data: tempfile::tempdir().unwrap(),
            place: with_program(),
            publisher: Publisher::new(),
            server: Server::start(),
            runtime: Runtime::new().unwrap(),
            now: Timestamp::parse("2026-06-01").unwrap(),
        }
    }

    fn updates(&self, url: Option<String>) -> Updates {
        let disk = Arc::new(OsDisk::open(self.data.path()).unwrap());
        let settings = UpdateSettings {
            url,
            key: Some(self.publisher.key()),
            current: Version::parse("1.0.0").unwrap(),
            program: Ok(self.place.path().join("recto")),
        };
        Updates::new(UpdateStore::new(self.data.path().into(), disk, false), settings, self.now)
    }

    fn releases(&self, allow_private: bool) -> ReleaseFetcher {
        ReleaseFetcher::new(allow_private, self.runtime.handle().clone())
    }

    fn expect(&self, expect: &str) {
        let updates = self.updates(Some(self.server.url("/latest.json")));
        expect_refused(updates.download(self.now, &self.releases(true)), expect);
        assert!(updates.status().staged.is_none());
        assert_eq!(names(&self.data.path().join(".recto/tmp")), Vec::<String>::new());
    }
}

#[test]
fn a_release_comes_over_the_network() {
    let world = World::new();
    world.server.publish(&world.publisher, "1.1.0");
    let (updates, releases) =
        (world.updates(Some(world.server.url("/latest.json"))), world.releases(true));
    assert!(updates.check_channel(world.now, &releases).unwrap().update_available);
    let (version, status) = updates.download(world.now, &releases).unwrap();
    assert_eq!(version.unwrap().as_str(), status.staged.unwrap().version);
    assert!(updates.download(world.now, &releases).unwrap().0.is_none());
    updates.install(world.now).unwrap();
    assert_eq!(says(&world.place.path().join("recto")), "recto 1.1.0");
    assert_eq!(world.server.hits(), 4);
}

#[test]
fn nobody_is_asked_who_should_not_be() {
    let world = World::new();
    world.server.publish(&world.publisher, "1.1.0");
    let check = |url: Option<String>, expect: &str| {
        let updates = world.updates(url);
        updates.status();
        expect_refused(updates.check_channel(world.now, &world.releases(false)), expect);
        expect_refused(updates.download(world.now, &world.releases(false)), expect);
        updates.status();
        assert_eq!(world.server.hits(), 0);
    };
    check(None, "validation_failed");
    let begin = "update_failed: The manifest of the update channel cannot be used: ";
    check(Some(world.server.url("/latest.json")), &format!("{begin}Only https"));
    let secure = world.server.url("/latest.json").replace("http:", "https:");
    check(Some(secure), begin);
    check(Some("https://127.0.0.1/latest.json".to_string()), begin);
    check(Some("file:///etc/passwd".to_string()), begin);
}

#[test]
fn redirects_are_not_followed() {
    let world = World::new();
    let bytes = world.server.publish(&world.publisher, "1.1.0");
    let elsewhere = Server::start();
    elsewhere.file("/recto", &bytes);
    let location = elsewhere.url("/recto");
    let moved = format!("HTTP/1.1 302 Found\r\nlocation: {location}\r\ncontent-length: 0\r\n\r\n");
    world.server.answer("/recto", moved.clone().into_bytes(), false);
    world.expect(
        "update_failed: The program cannot be downloaded: The server answers with a redirect",
    );
    world.server.answer("/latest.json", moved.into_bytes(), false);
    world.expect(
        "update_failed: The manifest of the update channel cannot be used: The server answers with a redirect",
    );
    assert_eq!(elsewhere.hits(), 0);
}

#[test]
fn answers_that_are_none() {
    let world = World::new();
    let bytes = world.server.publish(&world.publisher, "1.1.0");
    let wire = |head: &str, body: &[u8]| [head.as_bytes(), b"\r\n\r\n", body].concat();
    let program = |answer: Vec<u8>, expect: &str| {
        world.server.answer("/recto", answer, false);
        world.expect(&format!("update_failed: The program {expect}"));
    };
    let length = format!("HTTP/1.1 200 OK\r\ncontent-length: {}", bytes.len());
    program(wire(&length, &bytes[..100]), "cannot be downloaded: The connection broke");
    program(wire("HTTP/1.1 200 OK", &bytes[..100]), "does not match the signed checksum");
    program(wire("HTTP/1.1 200 OK", &bytes.repeat(2)), "cannot be downloaded: The answer has more");
    program(wire("HTTP/1.1 500 Oops", b""), "cannot be downloaded: The server answers 500");
    program(wire("hello", b""), "cannot be downloaded");
    program(Vec::new(), "cannot be downloaded");
    let manifest = |answer: Vec<u8>, expect: &str| {
        world.server.answer("/latest.json", answer, false);
        world.expect(&format!(
            "update_failed: The manifest of the update channel cannot be used: {expect}"
        ));
    };
    manifest(wire("HTTP/1.1 404 Not Found", b"{}"), "The server answers 404");
    manifest(wire("HTTP/1.1 200 OK", &vec![b' '; 300_000]), "The answer has more than 262144");
    manifest(wire("HTTP/1.1 200 OK", b"<html>"), "it is not JSON");
    // And one that is not there any more.
    let gone = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let updates = world.updates(Some(format!("http://{gone}/latest.json")));
    let begin = "update_failed: The manifest of the update channel cannot be used: No connection";
    expect_refused(updates.check_channel(world.now, &world.releases(true)), begin);
}

/// The command line, as a copy of the program with a data folder of its own.
struct Tool {
    place: TempDir,
    publisher: Publisher,
    server: Server,
}

impl Tool {
    fn new() -> Tool {
        let place = tempfile::tempdir().unwrap();
        let own = PathBuf::from(env!("CARGO_BIN_EXE_recto"));
        fs::create_dir_all(place.path().join("data/workspaces")).unwrap();
        fs::create_dir(place.path().join("bin")).unwrap();
        let copy = place.path().join("bin/recto");
        if fs::hard_link(&own, &copy).is_err() {
            fs::copy(&own, &copy).unwrap();
        }
        Tool { place, publisher: Publisher::new(), server: Server::start() }
    }

    fn path(&self, path: &str) -> PathBuf {
        self.place.path().join(path)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(self.path("bin/recto"));
        command.arg("update").args(arguments).current_dir(self.place.path());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("RECTO_")) {
            command.env_remove(name);
        }
        command.env("RECTO_UPDATES_URL", self.server.url("/latest.json"));
        command.env("RECTO_UPDATES_PUBLIC_KEY", self.publisher.key().to_base64());
        command.env("RECTO_UPDATES_ALLOW_PRIVATE", "true");
        command
    }

    fn run(&self, arguments: &[&str]) -> (Option<i32>, String) {
        told(self.command(arguments).output().unwrap())
    }
}

fn told(output: Output) -> (Option<i32>, String) {
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(text).unwrap().trim_end().to_string())
}

fn inode(path: &Path) -> u64 {
    std::os::unix::fs::MetadataExt::ino(&path.metadata().unwrap())
}

#[test]
fn the_command_line_updates_itself() {
    let tool = Tool::new();
    let check = |arguments: &[&str], code: i32, text: &str| {
        let (left, told) = tool.run(arguments);
        assert!(left == Some(code) && told.starts_with(text), "{arguments:?}: {left:?} {told}");
    };
    check(&["status"], 0, "Recto has not looked for updates yet.");
    assert_eq!(tool.server.hits(), 0);
    let output = tool.command(&["check"]).env("RECTO_UPDATES_URL", "").output().unwrap();
    assert_eq!(told(output), (Some(1), "recto: No update channel is configured.".to_string()));
    assert_eq!(tool.server.hits(), 0);
    check(
        &["check"],
        1,
        "recto: The manifest of the update channel cannot be used: The server answers 404",
    );
    check(&["install", "--anyway"], 1, "recto: There is nothing to install");
    tool.server.publish(&tool.publisher, "99.0.0");
    check(&["check"], 0, "Recto 99.0.0 is available.");
    check(&["download"], 0, "Recto 99.0.0 is downloaded and verified");
    let (_, json) = tool.run(&["status", "--json"]);
    let status: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(status["latest"]["version"], "99.0.0");
    assert_eq!(status["staged"]["version"], "99.0.0");
    check(&["install", "--anyway"], 0, "Recto 99.0.0 is installed. Restart the server to run it.");
    assert_eq!(says(&tool.path("bin/recto")), "recto 99.0.0");
    assert_eq!(names(&tool.path("bin")), ["recto", "recto.previous"]);
    // The old one is whole, and takes its place again.
    fs::rename(tool.path("bin/recto.previous"), tool.path("bin/recto")).unwrap();
    check(&["status"], 0, "");
}

#[test]
fn a_download_that_is_killed_leaves_nothing_in_the_way() {
    let tool = Tool::new();
    let bytes = tool.server.publish(&tool.publisher, "99.0.0");
    let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n", bytes.len());
    tool.server.answer("/recto", [head.as_bytes(), &bytes[..100]].concat(), true);
    let before = inode(&tool.path("bin/recto"));
    let mut child = tool.command(&["download"]).spawn().unwrap();
    let paths: Vec<String> = tool.server.answered.iter().take(2).collect();
    assert_eq!(paths, ["/latest.json", "/recto"]);
    // Another has to wait meanwhile.
    let busy = (Some(1), "recto: Another update is already running.".to_string());
    assert_eq!(tool.run(&["download"]), busy);
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(tool.run(&["status"]), (Some(0), "Recto 99.0.0 is available.".to_string()));
    assert_eq!(inode(&tool.path("bin/recto")), before);
    tool.server.publish(&tool.publisher, "99.0.0");
    assert_eq!(tool.run(&["download"]).0, Some(0));
    assert_eq!(tool.run(&["install", "--anyway"]).0, Some(0));
    assert_eq!(says(&tool.path("bin/recto")), "recto 99.0.0");
}

#[test]
fn the_channel_is_configured_in_a_file() {
    let folder = crate::support::command_line::with_posts(&[]);
    let root = folder.path();
    let key = Publisher::new().key().to_base64();
    let file = |url: &str, key: &str| {
        let text = format!("[updates]\nurl = \"{url}\"\npublic_key = \"{key}\"\n");
        fs::write(root.join("recto.toml"), text).unwrap();
    };
    file("https://releases.example.org/latest.json", &key);
    let shown = crate::support::command_line::json(&crate::support::command_line::run_well(
        root,
        &["update", "status", "--json"],
    ));
    assert_eq!(shown["channel_url"], "https://releases.example.org/latest.json");
    file("", "");
    let shown = crate::support::command_line::json(&crate::support::command_line::run_well(
        root,
        &["update", "status", "--json"],
    ));
    assert_eq!(shown["channel_url"], Value::Null);
    let refused = |line: &str| {
        let ran = crate::support::command_line::run(root, &["update", "status"]);
        assert!(ran.code == 2 && ran.err.starts_with(line), "{}", ran.err);
    };
    file("releases.example.org", &key);
    refused("recto: recto.toml:2: `releases.example.org` is not a valid `updates.url`");
    file("https://anna:secret@example.org/", &key);
    refused("recto: recto.toml:2: ");
    file("https://releases.example.org/", "AAAA");
    refused("recto: recto.toml:3: `AAAA` is not a valid `updates.public_key`");
}
