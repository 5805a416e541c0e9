//! What all workspaces share: users, roles and sessions as files, changed through the engine and by
//! hand.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use recto::app::access::Caller;
use recto::engine::Engine;
use recto::engine::EngineOptions;
use recto::engine::error::CommitError;
use recto::engine::staging::SystemStaging;
use recto::model::name::EntryId;
use recto::model::people::session::SESSIONS_MAX;
use recto::model::people::session::SessionRecord;
use recto::model::people::session::SessionSecret;
use recto::model::people::user::PasswordHash;
use recto::model::people::user::UserRecord;
use recto::model::problem::ProblemKind;
use recto::stdx::clock::TestClock;
use recto::stdx::time::Timestamp;
use recto::store::disk::FILE_BYTES_MAX;
use recto::store::layout::Key;

use crate::support::credentials::user_record;
use crate::support::permit::operator_permit;

const NOW: i64 = 1_780_000_000;

fn open(root: &Path) -> (Arc<Engine>, Arc<TestClock>) {
    let clock = Arc::new(TestClock::at(Timestamp::from_seconds(NOW)));
    (Engine::open(EngineOptions::new(root.to_path_buf(), clock.clone())).unwrap(), clock)
}

fn id(text: &str) -> EntryId {
    EntryId::parse(text).unwrap()
}

fn user(name: &str, role: &str) -> UserRecord {
    UserRecord { password: Some(PasswordHash::new("$a$b")), ..user_record(name, role) }
}

fn add(engine: &Engine, record: &UserRecord) {
    let create = |staging: &mut SystemStaging<'_>| {
        staging
            .write(&operator_permit())
            .create(&Key::User(record.id.clone()), record.to_file().to_file());
        Ok::<(), CommitError>(())
    };
    engine.commit_system(create).unwrap();
}

fn log_in(engine: &Engine, name: &str, number: u8) -> SessionSecret {
    let secret = SessionSecret::new([number; 32]);
    let account = engine.installation().user(name).unwrap().clone();
    let now = engine.clock().now();
    let record = SessionRecord {
        user: id(name),
        stamp: account.record.session_stamp(),
        created_at: now,
        used_at: now,
        remember: true,
        by_proxy: false,
        ip: String::new(),
        agent: String::new(),
    };
    engine.records().sessions().start_session(secret.key(), record).unwrap();
    secret
}

fn is_in(engine: &Engine, secret: &SessionSecret) -> bool {
    Caller::from_session(engine, secret).is_some()
}

/// Changes a user's file as an editor would.
fn edit(engine: &Engine, root: &Path, name: &str, from: &str, to: &str) {
    let path = root.join(format!("system/users/{name}.json"));
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(from), "{text}");
    fs::write(&path, text.replace(from, to)).unwrap();
    engine.follower().refresh_until_settled();
}

#[test]
fn users_are_there_at_once_and_after_a_restart() {
    let root = tempfile::tempdir().unwrap();
    let (engine, _) = open(root.path());
    assert!(engine.installation().is_empty());
    add(&engine, &user("anna", "editor"));
    let check = |engine: &Engine| {
        let installation = engine.installation();
        let anna = installation.find_username("ANNA").unwrap();
        assert_eq!(anna.record.role.as_str(), "editor");
        assert_eq!(
            anna.grants.list().len(),
            installation.role("editor").unwrap().permissions.len()
        );
        assert!(!installation.is_empty());
    };
    check(&engine);
    drop(engine);
    check(&open(root.path()).0);
}

#[test]
fn a_user_file_that_is_too_large_is_unreadable_until_it_is_repaired() {
    let root = tempfile::tempdir().unwrap();
    let (engine, _) = open(root.path());
    add(&engine, &user("anna", "editor"));
    let secret = log_in(&engine, "anna", 1);
    drop(engine);
    let path = root.path().join("system/users/anna.json");
    let good = fs::read(&path).unwrap();
    let padding = vec![b' '; usize::try_from(FILE_BYTES_MAX).unwrap()];
    fs::write(&path, [good.as_slice(), &padding].concat()).unwrap();
    let (engine, _) = open(root.path());
    assert!(engine.installation().is_unreadable(&id("anna")));
    assert!(engine.installation().user("anna").is_none() && !engine.installation().is_empty());
    assert!(!is_in(&engine, &secret));
    fs::write(&path, good).unwrap();
    engine.follower().refresh_until_settled();
    assert!(!engine.installation().is_unreadable(&id("anna")) && is_in(&engine, &secret));
}

#[test]
fn values_that_are_ignored_are_told_and_the_rest_counts() {
    let root = tempfile::tempdir().unwrap();
    let path = "system/roles/writer.json";
    fs::create_dir_all(root.path().join("system/roles")).unwrap();
    let text = r#"{"label": 5, "permissions": [], "requires_second_factor": true,
        "created_at": "soon", "updated_at": ""}"#;
    fs::write(root.path().join(path), text).unwrap();
    let user = "system/users/u1.json";
    fs::create_dir_all(root.path().join("system/users")).unwrap();
    let text = r#"{"username": "vera", "role": "writer",
        "views": {"default": {"posts": [{"id": "a", "name": "A"}, {"name": "B"}]}}}"#;
    fs::write(root.path().join(user), text).unwrap();
    let (engine, _) = open(root.path());
    let known = engine.problems().list();
    let told = |path: &str| -> Vec<(ProblemKind, Option<String>)> {
        let told = known.iter().map(|it| &it.problem).filter(|it| it.path == path);
        told.map(|it| (it.kind, it.field.clone())).collect()
    };
    let wrong = |field: &str| (ProblemKind::SchemaViolation, Some(field.to_string()));
    assert_eq!(told(path), [wrong("label"), wrong("created_at")]);
    assert_eq!(told(user), [wrong("views.default.posts[1].id")]);
    let installation = engine.installation();
    let role = installation.role("writer").unwrap();
    assert!(role.label == "writer" && role.requires_second_factor);
}

#[test]
fn sessions_outlive_a_restart_and_end_in_time() {
    let root = tempfile::tempdir().unwrap();
    let (engine, _) = open(root.path());
    add(&engine, &user("anna", "editor"));
    let secret = log_in(&engine, "anna", 1);
    assert!(is_in(&engine, &secret) && !is_in(&engine, &SessionSecret::new([2; 32])));
    drop(engine);
    let (engine, clock) = open(root.path());
    assert!(is_in(&engine, &secret));
    clock.set(Timestamp::from_seconds(NOW + 14 * 86_400 - 1));
    assert!(is_in(&engine, &secret));
    clock.set(Timestamp::from_seconds(NOW + 30 * 86_400));
    assert!(!is_in(&engine, &secret));
    assert_eq!(fs::read_dir(root.path().join(".recto/sessions")).unwrap().count(), 0);
}

#[test]
fn what_is_on_the_disk_opens_no_session() {
    let root = tempfile::tempdir().unwrap();
    let (engine, _) = open(root.path());
    add(&engine, &user("anna", "editor"));
    let secret = log_in(&engine, "anna", 1);
    let path = root.path().join(format!(".recto/sessions/{}.json", secret.key()));
    let text = fs::read_to_string(path).unwrap();
    assert!(!text.contains(&secret.reveal()) && !text.contains(&secret.csrf_token()), "{text}");
}

#[test]
fn sessions_end_with_the_password_the_role_and_the_user() {
    let root = tempfile::tempdir().unwrap();
    let (engine, _) = open(root.path());
    for name in ["anna", "ben", "cara", "dan"] {
        add(&engine, &user(name, "editor"));
    }
    let [anna, ben, cara, dan] =
        [("anna", 1), ("ben", 2), ("cara", 3), ("dan", 4)].map(|(it, n)| log_in(&engine, it, n));
    edit(&engine, root.path(), "anna", "$a$b", "$a$c");
    edit(&engine, root.path(), "ben", "\"role\": \"editor\"", "\"role\": \"viewer\"");
    fs::remove_file(root.path().join("system/users/cara.json")).unwrap();
    engine.follower().refresh_until_settled();
    edit(&engine, root.path(), "dan", "\"email\": \"\"", "\"email\": \"dan@example.org\"");
    for (secret, expect) in [(anna, false), (ben, false), (cara, false), (dan, true)] {
        assert_eq!(is_in(&engine, &secret), expect);
    }
}

#[test]
fn a_session_that_changes_its_own_password_goes_on() {
    let root = tempfile::tempdir().unwrap();
    let (engine, _) = open(root.path());
    add(&engine, &user("anna", "editor"));
    let (mine, other) = (log_in(&engine, "anna", 1), log_in(&engine, "anna", 2));
    let mut next = user("anna", "editor");
    next.password = Some(PasswordHash::new("$new"));
    engine
        .commit_system(|staging: &mut SystemStaging<'_>| {
            staging.write(&operator_permit()).write_record(&Key::User(id("anna")), &next.to_file())
        })
        .unwrap();
    engine.records().sessions().update_stamp(&mine.key(), next.session_stamp()).unwrap();
    assert!(is_in(&engine, &mine) && !is_in(&engine, &other));
    drop(engine);
    assert!(is_in(&open(root.path()).0, &mine));
}

#[test]
fn a_user_has_so_many_sessions() {
    let root = tempfile::tempdir().unwrap();
    let (engine, clock) = open(root.path());
    add(&engine, &user("anna", "editor"));
    let mut secrets = Vec::new();
    for number in 0..=SESSIONS_MAX {
        clock.set(Timestamp::from_seconds(NOW + i64::try_from(number).unwrap()));
        secrets.push(log_in(&engine, "anna", u8::try_from(number).unwrap()));
    }
    let open: Vec<bool> = secrets.iter().map(|it| is_in(&engine, it)).collect();
    assert_eq!(open.iter().filter(|it| **it).count(), SESSIONS_MAX);
    assert!(!open[0]);
}

#[test]
fn what_people_write_into_the_files_stays() {
    let root = tempfile::tempdir().unwrap();
    let (engine, _) = open(root.path());
    add(&engine, &user("anna", "editor"));
    edit(&engine, root.path(), "anna", "{\n", "{\n  \"note\": \"asked for by Ben\",\n");
    let mut next = user("anna", "editor");
    next.email = "anna@example.org".to_string();
    engine
        .commit_system(|staging: &mut SystemStaging<'_>| {
            staging.write(&operator_permit()).write_record(&Key::User(id("anna")), &next.to_file())
        })
        .unwrap();
    let text = fs::read_to_string(root.path().join("system/users/anna.json")).unwrap();
    assert!(text.contains("asked for by Ben") && text.contains("anna@example.org"), "{text}");
    assert_eq!(engine.installation().user("anna").unwrap().record.email, "anna@example.org");
}

#[test]
fn changes_see_each_other() {
    let root = tempfile::tempdir().unwrap();
    let (engine, _) = open(root.path());
    let made: usize = std::thread::scope(|scope| {
        let try_to_make = |number: u32| {
            let engine = &engine;
            scope.spawn(move || {
                engine.commit_system(|staging: &mut SystemStaging<'_>| {
                    if staging.installation().find_username("anna").is_some() {
                        return Ok(0);
                    }
                    let record = UserRecord { id: id(&format!("u{number}")), ..user("anna", "x") };
                    staging
                        .write(&operator_permit())
                        .create(&Key::User(record.id.clone()), record.to_file().to_file());
                    Ok::<usize, CommitError>(1)
                })
            })
        };
        let workers: Vec<_> = (0..8).map(try_to_make).collect();
        workers.into_iter().map(|it| it.join().unwrap().unwrap()).sum()
    });
    assert_eq!(made, 1);
    assert_eq!(engine.installation().users().count(), 1);
}

#[test]
fn a_broken_file_locks_out_and_opens_nothing() {
    let root = tempfile::tempdir().unwrap();
    let (engine, _) = open(root.path());
    add(&engine, &user("anna", "admin"));
    let secret = log_in(&engine, "anna", 1);
    edit(&engine, root.path(), "anna", "{", "<<<");
    let check = |engine: &Engine| {
        assert!(!is_in(engine, &secret));
        assert!(!engine.installation().is_empty(), "anybody could set the installation up");
        let problems = engine.problems().list();
        assert!(problems.iter().any(|it| it.problem.path.contains("users/anna")));
    };
    check(&engine);
    drop(engine);
    check(&open(root.path()).0);
}

/// Puts a link, or a file, in the place of a folder.
#[cfg(unix)]
fn replace_folder(root: &Path, path: &str, by_link: bool) {
    let (place, aside) = (root.join(path), root.join("aside"));
    fs::rename(&place, &aside).unwrap();
    match by_link {
        true => std::os::unix::fs::symlink(&aside, &place).unwrap(),
        false => fs::write(&place, "").unwrap(),
    }
}

#[cfg(unix)]
fn put_back(root: &Path, path: &str) {
    fs::remove_file(root.join(path)).unwrap();
    fs::rename(root.join("aside"), root.join(path)).unwrap();
}

#[cfg(unix)]
#[test]
fn a_folder_of_users_that_cannot_be_listed_hides_nobody() {
    for by_link in [true, false] {
        let root = tempfile::tempdir().unwrap();
        let (engine, _) = open(root.path());
        add(&engine, &user("anna", "admin"));
        replace_folder(root.path(), "system/users", by_link);
        engine.follower().refresh_until_settled();
        assert!(engine.installation().user("anna").is_some(), "{by_link}");
        drop(engine);
        let (engine, _) = open(root.path());
        assert!(engine.installation().user("anna").is_none());
        assert!(!engine.installation().is_empty(), "anybody could set the installation up");
        put_back(root.path(), "system/users");
        engine.follower().refresh_until_settled();
        assert!(engine.installation().user("anna").is_some(), "{by_link}");
        fs::remove_dir_all(root.path().join("system/users")).unwrap();
        engine.follower().refresh_until_settled();
        assert!(engine.installation().is_empty(), "the last one is gone for good");
    }
}

#[cfg(unix)]
#[test]
fn a_folder_of_roles_that_cannot_be_listed_grants_no_more() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("system/roles/editor.json");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, r#"{"label":"Nothing","permissions":[]}"#).unwrap();
    let (engine, _) = open(root.path());
    let grants = |engine: &Engine, role: &str| {
        engine.installation().role(role).map(|it| it.permissions.len())
    };
    let original = grants(&engine, "viewer");
    for by_link in [true, false] {
        replace_folder(root.path(), "system/roles", by_link);
        engine.follower().refresh_until_settled();
        assert_eq!(grants(&engine, "editor"), Some(0), "{by_link}");
        put_back(root.path(), "system/roles");
        engine.follower().refresh_until_settled();
    }
    assert_eq!((grants(&engine, "editor"), grants(&engine, "viewer")), (Some(0), original));
    drop(engine);
    replace_folder(root.path(), "system/roles", true);
    let (engine, _) = open(root.path());
    for (role, expect) in [("editor", 0), ("viewer", 0), ("admin", 1)] {
        assert_eq!(grants(&engine, role), Some(expect), "{role}");
    }
    put_back(root.path(), "system/roles");
    engine.follower().refresh_until_settled();
    assert_eq!((grants(&engine, "editor"), grants(&engine, "viewer")), (Some(0), original));
}

#[test]
fn a_broken_role_grants_what_it_did_and_after_a_restart_nothing() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("system/roles/editor.json");
    let narrow = r#"{"permissions":[{"actions":["content.read"],"resources":["content:*"]}]}"#;
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, narrow).unwrap();
    let grants = |engine: &Engine| engine.installation().role("editor").unwrap().permissions.len();
    let (engine, _) = open(root.path());
    fs::write(&path, "<<<").unwrap();
    engine.follower().refresh_until_settled();
    assert_eq!(grants(&engine), 1);
    drop(engine);
    let (engine, _) = open(root.path());
    assert_eq!(grants(&engine), 0);
    fs::write(&path, narrow).unwrap();
    engine.follower().refresh_until_settled();
    assert_eq!(grants(&engine), 1);
}

#[test]
fn roles_that_are_built_in_are_changed_by_a_file_but_for_the_first() {
    let root = tempfile::tempdir().unwrap();
    let (engine, _) = open(root.path());
    let write = |role: &str| {
        let path = root.path().join(format!("system/roles/{role}.json"));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, r#"{"label":"Changed","permissions":[]}"#).unwrap();
    };
    ["admin", "editor", "own"].into_iter().for_each(write);
    engine.follower().refresh_until_settled();
    let grants = |role: &str| engine.installation().role(role).map(|it| it.permissions.len());
    assert_eq!((grants("admin"), grants("editor"), grants("own")), (Some(1), Some(0), Some(0)));
    for role in ["editor", "own"] {
        fs::remove_file(root.path().join(format!("system/roles/{role}.json"))).unwrap();
    }
    engine.follower().refresh_until_settled();
    assert_eq!((grants("editor"), grants("own")), (Some(4), None));
}
