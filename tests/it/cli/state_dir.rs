//! Users, tokens, backups and caches outside of the data folder: what cleans the folder takes none
//! of them, and places that contradict each other are refused.

use std::fs;
use std::path::Path;
use std::path::PathBuf;

use serde_json::json;
use tempfile::TempDir;

use crate::support::command_line::Server;
use crate::support::command_line::command;
use crate::support::command_line::json;
use crate::support::command_line::run;
use crate::support::command_line::run_well;
use crate::support::folder::eventually;
use crate::support::git::git_in;
use crate::support::user_session::Session;
use crate::support::user_session::run_with;
use crate::support::user_session::status;

const PASSWORD: &str = "correct horse";

/// A working folder in which `data` is a repository whose state is kept in `state`.
struct Scene {
    place: TempDir,
    /// How commands are told where the state is.
    state: PathBuf,
    token: String,
}

impl Scene {
    fn new() -> Scene {
        let place = tempfile::tempdir().unwrap();
        let state = place.path().join("state");
        Scene::with(place, state)
    }

    fn with(place: TempDir, state: PathBuf) -> Scene {
        let mut scene = Scene { place, state, token: String::new() };
        let said = scene.run(&["init", "data", "--empty"]);
        assert!(said.contains("--state-dir"), "{said}");
        let workspace = scene.at("data/workspaces/default");
        let schema = r#"{"fields": {"body": {"type": "text"}}}"#;
        fs::write(workspace.join("schemas/posts.json"), schema).unwrap();
        scene.git(&["init", "-q"]);
        scene.commit();
        let made = run_with(scene.place.path(), PASSWORD, &scene.told(&["user", "create", "anna"]));
        assert_eq!(made.code, 0, "{}", made.err);
        let token = ["token", "create", "--name", "t", "--grant", "*@*"];
        scene.token = scene.run(&token).trim().to_string();
        scene
    }

    fn at(&self, path: &str) -> PathBuf {
        self.place.path().join(path)
    }

    fn told<'a>(&'a self, arguments: &[&'a str]) -> Vec<&'a str> {
        [arguments, &["--state-dir", self.state.to_str().unwrap()]].concat()
    }

    fn run(&self, arguments: &[&str]) -> String {
        run_well(self.place.path(), &self.told(arguments))
    }

    /// The exit code of what is refused, and why.
    fn refused(&self, arguments: &[&str]) -> (i32, String) {
        let ran = run(self.place.path(), arguments);
        assert_ne!(ran.code, 0, "{arguments:?}: {}", ran.out);
        (ran.code, ran.err)
    }

    fn serve(&self) -> Server {
        Server::start(self.place.path(), &self.told(&[])[..])
    }

    fn git(&self, arguments: &[&str]) {
        git_in(&self.at("data"), arguments);
    }

    fn commit(&self) {
        self.git(&["add", "-A"]);
        let who = ["-c", "user.name=t", "-c", "user.email=t@example.org"];
        self.git(&[&who[..], &["commit", "-q", "--allow-empty", "-m", "it"]].concat());
    }

    fn clean(&self) {
        self.git(&["clean", "-q", "-f", "-d", "-x"]);
    }

    /// Whether the token counts, asked with an entry that no one else sees.
    fn shows(&self, server: &Server, entry: &str) -> String {
        let token = &self.token;
        let answer = server.ask(&format!(
            "GET /api/v1/workspaces/default/content/posts/{entry} HTTP/1.1\r\nhost: x\r\n\
             authorization: Bearer {token}\r\nconnection: close\r\n\r\n"
        ));
        status(&answer).to_string()
    }
}

fn create(session: &Session<'_>, slug: &str) -> String {
    let body = json!({ "title": slug, "slug": slug, "status": "draft" });
    status(&session.ask("POST", "content/posts", &body)).to_string()
}

#[cfg(unix)]
#[test]
fn what_git_clean_takes_is_nothing_that_counts() {
    let scene = Scene::new();
    let server = scene.serve();
    let cookie = {
        let anna = Session::of(&server, "anna", PASSWORD);
        assert_eq!(create(&anna, "one"), "201");
        anna.cookie
    };
    let backup = scene.run(&["backup", "create", "--secrets"]).trim().to_string();
    for folder in ["system", "backups"] {
        assert!(scene.at("state").join(folder).is_dir() && !scene.at("data").join(folder).exists());
    }
    assert!(scene.at(&format!("state/backups/{backup}")).is_file());
    assert_eq!(server.stop().code, 0);
    scene.commit();
    scene.clean();
    for gone in [".recto", "journal"] {
        assert!(!scene.at("data").join(gone).exists(), "{gone}");
    }

    let server = scene.serve();
    assert_eq!(scene.shows(&server, "one"), "200", "the token counts");
    let me = "GET /admin/api/me HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncookie: ";
    assert_eq!(status(&server.ask(&format!("{me}{cookie}\r\n\r\n"))), "200", "still logged in");
    assert_eq!(create(&Session::of(&server, "anna", PASSWORD), "two"), "201");
    let users = json(&scene.run(&["user", "list", "--json"]));
    assert_eq!(users[0]["username"], "anna");
    assert!(scene.run(&["backup", "list"]).contains(&backup));
    assert_eq!(server.stop().code, 0);

    // What was there when the backup was made, and nothing else.
    let put = ["backup", "restore", &backup, "--parts", "content,users,tokens", "--overwrite"];
    scene.run(&put);
    let server = scene.serve();
    assert_eq!(
        (scene.shows(&server, "one").as_str(), scene.shows(&server, "two").as_str()),
        ("200", "404")
    );
    assert_eq!(scene.run(&["check", "data"]), "no problems\n");
    // Nothing that Recto keeps shows in git.
    scene.commit();
    let left: Vec<_> =
        fs::read_dir(scene.at("data/workspaces/default/content/posts")).unwrap().collect();
    assert_eq!(left.len(), 1);
}

#[cfg(unix)]
#[test]
fn git_clean_beside_a_server_stops_nothing() {
    let scene = Scene::new();
    // Nobody reads what it logs while it refuses.
    let quiet = scene.told(&["--log-requests", "none", "--log-level", "error"]);
    let server = Server::start(scene.place.path(), &quiet);
    let anna = Session::of(&server, "anna", PASSWORD);
    assert_eq!(create(&anna, "one"), "201");
    scene.commit();
    scene.clean();
    eventually("writing goes on", || create(&anna, "two") == "201");
    assert_eq!(scene.shows(&server, "one"), "200");
    // The folder is marked anew, and taken.
    eventually("the folder is marked", || scene.at("data/.recto/state-dir").is_file());
    let (code, why) = scene.refused(&["serve", "--listen", "127.0.0.1:0"]);
    assert!(code == 2 && why.contains("--state-dir"), "{why}");
}

#[test]
fn two_servers_on_one_folder_are_refused_whatever_their_states() {
    let scene = Scene::new();
    let _server = scene.serve();
    let other = ["serve", "--listen", "127.0.0.1:0", "--state-dir", "other"];
    let (code, why) = scene.refused(&other);
    assert!(code == 2 && why.contains("is kept in"), "{why}");
    // Also where nothing says that the state is elsewhere.
    fs::remove_file(scene.at("data/.recto/state-dir")).unwrap();
    for arguments in [&other[..], &other[..3]] {
        let (code, why) = scene.refused(arguments);
        assert!(code == 1 && why.contains("in use by process"), "{why}");
    }
    assert!(!scene.at("other").join("system").exists() && !scene.at("data/system").exists());
}

#[test]
fn one_state_is_never_shared_by_two_folders() {
    let scene = Scene::new();
    let _server = scene.serve();
    run_well(scene.place.path(), &["init", "second", "--empty"]);
    let second = ["serve", "--data", "second", "--listen", "127.0.0.1:0", "--state-dir", "state"];
    let (code, why) = scene.refused(&second);
    assert!(code == 2 && why.contains("two folders cannot share one"), "{why}");
    fs::remove_file(scene.at("state/.recto/data-folder")).unwrap();
    let (code, why) = scene.refused(&second);
    assert!(code == 2 && why.contains("in use by process"), "{why}");
}

#[test]
fn every_command_minds_where_the_state_is() {
    let scene = Scene::new();
    let commands: &[&[&str]] = &[
        &["serve", "--listen", "127.0.0.1:0"],
        &["serve", "--listen", "127.0.0.1:0", "--read-only"],
        &["check"],
        &["user", "list"],
        &["user", "delete", "anna"],
        &["token", "list"],
        &["backup", "create"],
        &["backup", "list"],
        &["openapi"],
        &["types"],
        &["update", "status"],
    ];
    for arguments in commands {
        let (code, why) = scene.refused(arguments);
        assert!(code == 2 && why.contains("--state-dir"), "{arguments:?}: {why}");
    }
    assert!(!scene.at("data/system").exists() && !scene.at("data/backups").exists());
    for arguments in [&["check"][..], &["user", "list"], &["token", "list"], &["schema"]] {
        scene.run(arguments);
    }
    scene.run(&["openapi"]);
    scene.run(&["update", "status"]);
    assert!(scene.run(&["config"]).contains("flag --state-dir"));
}

#[test]
fn the_state_directory_is_configured_as_everything_is() {
    let scene = Scene::new();
    let lists = |ran: std::process::Output| {
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
        String::from_utf8(ran.stdout).unwrap().contains("anna")
    };
    let list = || command(scene.place.path(), &["user", "list"]);
    assert!(lists(list().env("RECTO_STATE_DIR", "state").output().unwrap()));
    // A path in a file begins where the file is.
    fs::write(scene.at("data/recto.toml"), "state_dir = \"../state\"\n").unwrap();
    assert!(lists(list().output().unwrap()));
    fs::remove_file(scene.at("data/recto.toml")).unwrap();
    fs::write(scene.at("recto.toml"), "data = \"data\"\nstate_dir = \"state\"\n").unwrap();
    assert!(lists(list().output().unwrap()));
    let shown = run_well(scene.place.path(), &["config"]);
    assert!(shown.contains("# recto.toml:2"), "{shown}");
}

#[test]
fn state_in_both_places_is_refused_until_it_is_moved() {
    let scene = Scene::new();
    let place = scene.place.path();
    run_well(place, &["init", "old", "--empty"]);
    let made = run_with(place, PASSWORD, &["user", "create", "otto", "--data", "old"]);
    assert_eq!(made.code, 0, "{}", made.err);
    let list = ["user", "list", "--data", "old", "--state-dir", "fresh"];
    let (code, why) = scene.refused(&["check", "old", "--state-dir", "fresh"]);
    assert!(code == 2 && why.contains(" && mv "), "{why}");
    assert!(!scene.at("fresh").exists(), "nothing is written before");
    let (_, way) = why.trim().split_once("move it: ").unwrap();
    let moved = std::process::Command::new("sh").args(["-c", way]).status().unwrap();
    assert!(moved.success(), "{way}");
    assert!(run_well(place, &list).contains("otto"));
    for inside in ["old", "old/state", "old/workspaces/default/state"] {
        let (code, why) = scene.refused(&["check", "old", "--state-dir", inside]);
        assert!(code == 2 && why.contains("inside the data folder"), "{why}");
    }
    let (code, why) = scene.refused(&["check", "data", "--state-dir", "nowhere"]);
    assert!(code == 2, "{why}");
}

/// The state of `data` is moved with what it holds to another file system, where links and renames
/// from the content do not lead.
#[cfg(target_os = "linux")]
#[test]
fn the_state_may_be_on_another_file_system() {
    use std::os::unix::fs::MetadataExt as _;
    let place = tempfile::tempdir().unwrap();
    let Ok(elsewhere) = tempfile::tempdir_in("/dev/shm") else {
        return crate::support::skip::skipped("there is no /dev/shm");
    };
    let device = |path: &Path| path.metadata().unwrap().dev();
    if device(place.path()) == device(elsewhere.path()) {
        return crate::support::skip::skipped(
            "/dev/shm is on the file system of other temporary files",
        );
    }
    let scene = Scene::with(place, elsewhere.path().join("state"));
    let server = scene.serve();
    let backup = {
        let anna = Session::of(&server, "anna", PASSWORD);
        assert_eq!(create(&anna, "one"), "201");
        let settings = json!({ "site_name": "Elsewhere" });
        assert_eq!(status(&anna.ask("PUT", "settings", &settings)), "200");
        scene.run(&["backup", "create", "--secrets"]).trim().to_string()
    };
    assert_eq!(server.stop().code, 0);
    assert!(scene.state.join("backups").join(&backup).is_file());
    assert!(scene.state.join("system/settings.json").is_file());
    scene.run(&["user", "list"]);
    let second = run_with(
        scene.place.path(),
        PASSWORD,
        &scene.told(&["user", "create", "otto", "--role", "editor"]),
    );
    assert_eq!(second.code, 0, "{}", second.err);
    let put = ["backup", "restore", &backup, "--parts", "content,users,settings", "--overwrite"];
    scene.run(&put);
    let users = scene.run(&["user", "list"]);
    assert!(users.contains("anna") && !users.contains("otto"), "{users}");
    let server = scene.serve();
    assert_eq!(scene.shows(&server, "one"), "200");
}
