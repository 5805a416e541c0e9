//! `recto user`: users made, listed, given passwords and removed, beside a server and without one.

use std::fs;
use std::path::Path;

use serde_json::json;

use crate::support::command_line::Server;
use crate::support::command_line::json;
use crate::support::command_line::run;
use crate::support::command_line::run_well;
use crate::support::command_line::with_posts;
use crate::support::folder::eventually;
use crate::support::user_session::Session;
use crate::support::user_session::login;
use crate::support::user_session::run_with;
use crate::support::user_session::status;

fn make(root: &Path, more: &[&str]) {
    let ran = run_with(root, "correct horse\n", &[&["user", "create"], more].concat());
    assert_eq!(ran.code, 0, "{more:?}: {}", ran.err);
}

fn files(root: &Path) -> Vec<String> {
    let entries = fs::read_dir(root.join("data/system/users"));
    entries
        .into_iter()
        .flatten()
        .map(|it| fs::read_to_string(it.unwrap().path()).unwrap())
        .collect()
}
/// Waits until a session counts no more.
fn wait_for_end(server: &Server, cookie: &str) {
    let me = format!(
        "GET /admin/api/me HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncookie: {cookie}\r\n\r\n"
    );
    while status(&server.ask(&me)) == "200" {
        std::thread::yield_now();
    }
}

#[test]
fn users_are_made_listed_and_removed() {
    let folder = with_posts(&[]);
    let root = folder.path();
    // The first one may do everything.
    make(root, &["Anna", "--display-name", "Anna A.", "--email", "anna@example.org"]);
    assert!(!files(root)[0].contains("correct") && files(root)[0].contains("$argon2id$"));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let users = root.join("data/system/users");
        assert_eq!(users.metadata().unwrap().permissions().mode() & 0o777, 0o700);
    }
    make(root, &["erik", "--role", "editor"]);
    let listed = json(&run_well(root, &["user", "list", "--json"]));
    let anna = listed.as_array().unwrap().iter().find(|it| it["username"] == "Anna").unwrap();
    assert_eq!((&anna["role"], &anna["email"]), (&json!("admin"), &json!("anna@example.org")));
    assert!(!listed.to_string().contains("argon2"));
    let text = run_well(root, &["user", "list"]);
    assert!(text.contains("never       Anna A.\n") && text.contains("erik      editor"), "{text}");
    let refused = run(root, &["user", "delete", "anna"]);
    assert!(refused.code == 1 && refused.err.contains("the last user with the role admin"));
    make(root, &["otto", "--role", "admin"]);
    assert_eq!(run(root, &["user", "delete", "ANNA"]).err, "user Anna is deleted\n");
    assert_eq!(files(root).len(), 2);
    assert_eq!(run(root, &["user", "delete", "anna"]).code, 1);
}

#[test]
fn users_that_make_no_sense_are_refused() {
    let folder = with_posts(&[]);
    let root = folder.path();
    make(root, &["anna"]);
    let check = |password: &str, more: &[&str], code: i32, expect: &str| {
        let ran = run_with(root, password, &[&["user", "create"], more].concat());
        assert!(ran.code == code && ran.err.contains(expect), "{more:?}: {}", ran.err);
    };
    let good = "correct horse";
    check(good, &["ANNA", "--role", "editor"], 1, "there is a user `ANNA` already");
    check(good, &["eva", "--role", "boss"], 2, "there is no role `boss`");
    check(good, &["eva"], 2, "name the role");
    check(good, &["e va", "--role", "editor"], 2, "must not contain spaces");
    check(good, &["eva", "--role", "editor", "--email", "here"], 2, "email: This is not");
    check(good, &["eva", "--role", "editor", "--display-name", "E\u{7}"], 2, "control characters");
    let long = "e".repeat(101);
    check(good, &["eva", "--role", "editor", "--display-name", &long], 2, "100 characters");
    fs::create_dir_all(root.join("data/system/roles")).unwrap();
    fs::write(root.join("data/system/roles/torn.json"), r#"{"permissions": 7}"#).unwrap();
    check(good, &["eva", "--role", "torn"], 2, "there is no role `torn`");
    check("password1234", &["eva", "--role", "editor"], 2, "one of the most common passwords");
    check("short", &["eva", "--role", "editor"], 2, "8 to 256 bytes");
    check("evaevaeva", &["EvaEvaEva", "--role", "editor"], 2, "must not be the user name");
    check(good, &["eva", "--role", "editor", "--data", "nowhere"], 2, "not a data folder");
    // A program that says nothing has no terminal to be asked at.
    let silent = run(root, &["user", "create", "eva", "--role", "editor"]);
    assert!(silent.code == 2 && silent.err.contains("--password-stdin"), "{}", silent.err);
    assert_eq!(files(root).len(), 1);
}

/// One rule for names, whichever way they come in.
#[test]
fn the_command_line_and_the_api_refuse_the_same_names() {
    let folder = with_posts(&[]);
    let root = folder.path();
    make(root, &["anna"]);
    let server = Server::start(root, &[]);
    let session = Session::of(&server, "anna", "correct horse");
    let (long, bell) = ("n".repeat(101), "a\u{7}b");
    for (name, is_fine) in
        [("n".repeat(100).as_str(), true), (&long, false), (bell, false), (" ", false)]
    {
        let grants = json!([{ "actions": ["content.read"], "resources": ["content:*"] }]);
        let body = json!({ "name": name, "permissions": grants });
        let by_api = session.ask("POST", "tokens", &body);
        let ran =
            run(root, &["token", "create", "--name", name, "--grant", "content.read@content:*"]);
        assert_eq!((status(&by_api) == "201", ran.code == 0), (is_fine, is_fine), "{name:?}");
    }
    for (name, email, is_fine) in [
        ("Eva E.", "eva@example.org", true),
        (&long, "", false),
        (bell, "", false),
        ("Eva", "eva@", false),
    ] {
        let user = format!("eva{}", files(root).len());
        let body = json!({ "username": format!("{user}api"), "password": "correct horse",
            "role": "editor", "display_name": name, "email": email });
        let by_api = session.ask("POST", "users", &body);
        let more = ["--role", "editor", "--display-name", name, "--email", email];
        let arguments = [&["user", "create", &user][..], &more].concat();
        let ran = run_with(root, "correct horse", &arguments);
        assert_eq!((status(&by_api) == "201", ran.code == 0), (is_fine, is_fine), "{name:?}");
    }
    for password in ["password1234", "PASSWORD", "Summer2026!"] {
        let body = json!({ "username": "otto", "password": password, "role": "editor" });
        let by_api = session.ask("POST", "users", &body);
        assert!(status(&by_api) == "422" && by_api.contains("most common"), "{by_api}");
    }
}

#[cfg(unix)]
#[test]
fn schemas_of_editors_follow_types_that_the_api_changes() {
    let folder = with_posts(&[]);
    let root = folder.path();
    make(root, &["anna"]);
    let server = Server::start(root, &[]);
    let session = Session::of(&server, "anna", "correct horse");
    let schemas = root.join("data/.vscode/schemas");
    let knows = |ty: &str, field: &str| {
        let text = fs::read_to_string(schemas.join(format!("default.{ty}.json"))).ok();
        text.is_some_and(|it| !json(&it)["properties"]["data"]["properties"][field].is_null())
    };
    let fields = json!({ "body": { "type": "text" }, "extra": { "type": "text" } });
    let path = "content-types";
    let changed = session.ask("PUT", &format!("{path}/posts"), &json!({ "fields": fields }));
    assert_eq!(status(&changed), "200", "{changed}");
    let made = session.ask("POST", path, &json!({ "name": "pages", "fields": fields }));
    assert_eq!(status(&made), "201", "{made}");
    eventually("both types are known", || knows("posts", "extra") && knows("pages", "extra"));
    let settings = root.join("data/.vscode/settings.json");
    eventually("the new type is mapped", || {
        fs::read_to_string(&settings).unwrap().contains("content/pages/*.json")
    });
    // A folder that has none gets none.
    fs::remove_dir_all(&schemas).unwrap();
    let made = session.ask("POST", path, &json!({ "name": "notes", "fields": fields }));
    assert_eq!(status(&made), "201", "{made}");
    // Before it ends, a server does what it still has to do.
    assert_eq!(server.stop().code, 0);
    assert!(!schemas.exists());
}

#[test]
fn a_server_follows() {
    let folder = with_posts(&[]);
    let root = folder.path();
    let server = Server::start(root, &[]);
    make(root, &["anna"]);
    // 503 as long as it knows of nobody.
    let mut session = login(&server, "anna", "correct horse");
    while session.0 == "503" {
        session = login(&server, "anna", "correct horse");
    }
    assert_eq!(session.0, "200");
    fs::write(root.join("password"), "another horse\r\n").unwrap();
    run_well(root, &["user", "reset-password", "Anna", "--password-file", "password"]);
    wait_for_end(&server, &session.1);
    assert_eq!(login(&server, "anna", "correct horse").0, "401");
    let session = login(&server, "anna", "another horse");
    assert_eq!(session.0, "200");
    make(root, &["otto", "--role", "admin"]);
    run_well(root, &["user", "delete", "anna"]);
    wait_for_end(&server, &session.1);
    assert_eq!(login(&server, "anna", "another horse").0, "401");
    assert_eq!(login(&server, "otto", "correct horse").0, "200");
}

#[test]
fn a_new_password_keeps_what_else_is_known() {
    let folder = with_posts(&[]);
    let root = folder.path();
    make(root, &["anna"]);
    let users = root.join("data/system/users");
    let path = fs::read_dir(users).unwrap().next().unwrap().unwrap().path();
    let before = fs::read_to_string(&path).unwrap();
    fs::write(&path, before.replacen('{', "{\n  \"pet\": \"cat\",", 1)).unwrap();
    let ran = run_with(root, "another horse", &["user", "reset-password", "anna"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let (before, after) = (json(&before), json(&fs::read_to_string(&path).unwrap()));
    assert_ne!(before["password_hash"], after["password_hash"]);
    assert_eq!((&after["pet"], &after["username"]), (&json!("cat"), &json!("anna")));
    assert_eq!(run_with(root, "x", &["user", "reset-password", "eva"]).code, 1);
}

#[test]
fn a_lost_second_factor_is_removed() {
    let folder = with_posts(&[]);
    let root = folder.path();
    make(root, &["anna"]);
    let server = Server::start(root, &[]);
    let user = fs::read_dir(root.join("data/system/users")).unwrap().next().unwrap().unwrap();
    let text = fs::read_to_string(user.path()).unwrap();
    let factor = r#""second_factor": {"secret": "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"}"#;
    fs::write(user.path(), text.replace(r#""second_factor": null"#, factor)).unwrap();
    eventually("a code is asked for", || {
        let (status, cookie) = login(&server, "anna", "correct horse");
        status == "401" && cookie.is_empty()
    });
    let listed = run_well(root, &["user", "list", "--json"]);
    assert!(listed.contains("\"has_second_factor\": true") && !listed.contains("GEZD"), "{listed}");
    run_well(root, &["user", "reset-second-factor", "ANNA"]);
    let after = fs::read_to_string(user.path()).unwrap();
    assert!(!after.contains("GEZD"), "{after}");
    eventually("the password is enough", || login(&server, "anna", "correct horse").0 == "200");
    run_well(root, &["user", "reset-second-factor", "anna"]);
    assert_eq!(run(root, &["user", "reset-second-factor", "nobody"]).code, 1);
}
