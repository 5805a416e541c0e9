//! People of the PHP original: they log in with the passwords they had, and may do what they could.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::command_line::Server;
use crate::support::command_line::folder;
use crate::support::command_line::json;
use crate::support::command_line::run_well;
use crate::support::command_line::tree;
use crate::support::folder::eventually;
use crate::support::user_session::login;

/// What PHP makes of `rasmuslerdorf`.
const HASH: &str = "$2y$07$BCryptRequires22Chrcte/VlQH0piJtjXl.0t1XkA8pw9dMXTpOq";

fn write(root: &Path, path: &str, content: &str) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}

/// A working folder with an installation of the original.
fn original(root: &Path) {
    run_well(root, &["init", "data", "--empty"]);
    let user = |id: &str, name: &str, role: &str, hash: &str| {
        let text = format!(
            r#"{{"id":"{id}","username":"{name}","display_name":"{name}","role":"{role}",
            "email":"{name}@example.org","password_hash":"{hash}","created_at":"2024-05-01"}}"#
        );
        write(root, &format!("storage/users/{id}.json"), &text);
    };
    user("u1", "Anna", "admin", HASH);
    user("u2", "Ben", "press", HASH);
    user("u3", "anna", "press", HASH);
    user("u4", "Carla", "gone", &HASH.replace("$07$", "$31$"));
    user("u5", "two words", "press", HASH);
    write(root, "storage/users/avatars/u1.png", "no picture");
    let role = |id: &str, permissions: &str| {
        let text = format!(r#"{{"id":"{id}","label":"Press","permissions":[{permissions}]}}"#);
        write(root, &format!("storage/roles/{id}.json"), &text);
    };
    let read = r#"{"effect":"allow","actions":["content.read","dance"],"resources":["content:*"],
        "fields":[],"conditions":[]}"#;
    role("press", read);
    role("admin", read);
    role("strict", r#"{"effect":"deny","actions":["content.read"],"resources":["no such"]}"#);
    write(root, "storage/workspaces/default/content-types/a.json", r#"{"fields":{}}"#);
}

fn import(root: &Path) -> Value {
    json(&run_well(root, &["import", "php", "storage", "--json"]))
}

#[test]
fn people_log_in_with_the_passwords_they_had() {
    let folder = folder();
    let root = folder.path();
    original(root);
    let report = import(root);
    let counts = serde_json::json!({ "created": 4, "updated": 0, "unchanged": 0 });
    assert_eq!(report["people"], counts, "{report:#}");
    let said = report["skipped"].to_string() + &report["altered"].to_string();
    for word in ["dance", "strict.json", "u3.json", "u5.json", "avatars", "gone", "password_hash"] {
        assert!(said.contains(word), "{word}: {said}");
    }
    let role = json(&fs::read_to_string(root.join("data/system/roles/press.json")).unwrap());
    assert_eq!(role["permissions"][0]["actions"], serde_json::json!(["content.read"]));
    assert!(!root.join("data/system/roles/admin.json").exists());
    let path = root.join("data/system/users/u1.json");
    let read = || fs::read_to_string(&path).unwrap();
    let before = tree(&root.join("data/system"));
    let again = import(root);
    assert_eq!((&again["files"], &again["people"]["unchanged"]), (&0.into(), &4.into()));
    assert_eq!(tree(&root.join("data/system")), before);
    assert!(read().contains("$2y$07$"));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }
    let server = Server::start(root, &[]);
    assert_eq!(login(&server, "anna", "Rasmuslerdorf").0, "401");
    assert_eq!(login(&server, "carla", "rasmuslerdorf").0, "401");
    assert_eq!(login(&server, "anna", "rasmuslerdorf").0, "200");
    // From now on the hash is one of today.
    eventually("the hash is a new one", || read().contains("$argon2id$"));
    assert!(!read().contains("$2y$"));
    assert_eq!(login(&server, "anna", "rasmuslerdorf").0, "200");
    assert_eq!(login(&server, "ben", "rasmuslerdorf").0, "200");
}

#[test]
fn people_are_taken_over_by_a_running_server() {
    let folder = folder();
    let root = folder.path();
    original(root);
    let server = Server::start(root, &[]);
    import(root);
    eventually("Ben can log in", || login(&server, "ben", "rasmuslerdorf").0 == "200");
}
