//! Commands that read the content of a database: in the replica of a server that runs here, else in
//! a copy.

use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::Value;
use serde_json::json;

use crate::support::cluster_node::Node;
use crate::support::cluster_node::ask;
use crate::support::server_process::Place;
use crate::support::skip::skipped;
use crate::support::test_database::TestDatabase;

const POSTS: &str = "/api/v1/workspaces/default/content/posts";

/// Runs a command that finds the database in its environment.
fn run(place: &Place, store: &str, arguments: &[&str]) -> Output {
    place.command(arguments).env("RECTO_STORE", store).output().unwrap()
}

fn run_well(place: &Place, store: &str, arguments: &[&str]) -> String {
    let ran = run(place, store, arguments);
    let err = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "{arguments:?}: {err}");
    String::from_utf8(ran.stdout).unwrap()
}

/// What the commands read: one post.
fn expect_content(place: &Place, store: &str, data: &str) {
    assert_eq!(run_well(place, store, &["check"]), "no problems\n");
    let exported =
        run_well(place, store, &["export", "--format", "json", "--type", "posts", "--data", data]);
    let exported: Value = serde_json::from_str(&exported).unwrap();
    assert_eq!(exported[0]["title"], "A", "{exported}");
    assert!(run_well(place, store, &["types", "--data", data]).contains("Posts"));
    run_well(place, store, &["export", "--data", data, &format!("{data}-site")]);
    let site = place.working_folder.join(format!("{data}-site{POSTS}"));
    assert!(site.parent().unwrap().exists(), "{}", site.display());
}

fn backups(data: &Path) -> usize {
    fs::read_dir(data.join("backups")).map_or(0, Iterator::count)
}

#[test]
fn commands_read_the_database() {
    let Some(store) = TestDatabase::from_environment() else {
        return skipped("it needs PostgreSQL: tests/cluster/run.sh");
    };
    let TestDatabase::Postgres(database) = &store else {
        return skipped("it needs PostgreSQL: tests/cluster/run.sh");
    };
    let url = database.url();
    let folder = tempfile::tempdir().unwrap();
    let place = Place::make(folder.path(), &folder.path().join("source"));
    // A command that reads makes no tables.
    for arguments in [["check"].as_slice(), &["copy", url, "nowhere"]] {
        let refused = run(&place, url, arguments);
        let message = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(!refused.status.success() && message.contains("no content of Recto"), "{message}");
    }
    assert!(!place.working_folder.join("nowhere").exists());
    run_well(&place, "", &["copy", "source", url]);

    let node = Node::start(folder.path(), 0, url);
    let body = json!({"title": "A", "status": "published"});
    let made = ask(&node.address, &place.token, "POST", POSTS, &[], &body).unwrap();
    assert_eq!(made.status, 201, "{made:?}");
    // The server's own replica is read while it runs, and by a command on another machine a copy.
    for data in ["node-0", "elsewhere"] {
        expect_content(&place, url, data);
        let name = run_well(&place, url, &["backup", "create", "--data", data]);
        assert_eq!(backups(&folder.path().join(data)), 1);
        run_well(&place, url, &["backup", "inspect", name.trim(), "--data", data]);
    }
    drop(node);
    expect_content(&place, url, "node-0");

    // What would be written would be lost.
    let read_only =
        run(&place, url, &["serve", "--data", "node-0", "--read-only", "--listen", "127.0.0.1:0"]);
    assert_eq!(read_only.status.code(), Some(2), "{read_only:?}");
    let fixed = run(&place, url, &["check", "node-0", "--fix"]);
    let message = String::from_utf8_lossy(&fixed.stderr).into_owned();
    assert!(message.contains("is the replica of a database"), "{message}");
}
