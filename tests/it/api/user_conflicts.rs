//! People who change each other at the same moment, and the first user.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::Barrier;
use std::thread;

use recto::app::App;
use recto::app::Settings;
use recto::app::access::Caller;
use recto::app::access::Requester;
use recto::app::error::Code;
use recto::app::error::Error;
use recto::app::error::Result;
use recto::app::people::profile;
use recto::app::people::roles;
use recto::app::people::sessions;
use recto::app::people::sessions::LoginOrigin;
use recto::app::people::tokens;
use recto::app::people::users;
use recto::engine::Engine;
use recto::engine::EngineOptions;
use recto::engine::staging::SystemStaging;
use recto::model::event::Actor;
use recto::model::event::EventSource;
use recto::model::people::session::SessionRecord;
use recto::model::people::session::SessionSecret;
use recto::model::people::user::PasswordHash;
use recto::model::people::user::UserRecord;
use recto::stdx::clock::TestClock;
use recto::stdx::json::Json;
use recto::stdx::json::Map;
use recto::stdx::time::Timestamp;
use recto::store::layout::Key;

use crate::support::credentials::user_record;
use crate::support::permit::operator_permit;

/// A hash of `correct horse`, made with little effort.
const HASH: &str = "$argon2id$v=19$m=8,t=1,p=1$AQEBAQEBAQEBAQEBAQEBAQ$";

fn app(root: &Path) -> App {
    let clock = Arc::new(TestClock::at(Timestamp::from_seconds(1_780_000_000)));
    let engine = Engine::open(EngineOptions::new(root.to_path_buf(), clock)).unwrap();
    App::new(engine, Settings::default())
}

fn body(text: &str) -> Map {
    match Json::parse(text.as_bytes()).unwrap() {
        Json::Object(map) => map,
        _ => panic!("{text} is no object"),
    }
}

/// A user, and the same logged in.
fn add(app: &App, name: &str, role: &str) -> Requester {
    let record = UserRecord { password: Some(PasswordHash::new(HASH)), ..user_record(name, role) };
    let create = |staging: &mut SystemStaging<'_>| {
        staging
            .write(&operator_permit())
            .create(&Key::User(record.id.clone()), record.to_file().to_file());
        Ok::<(), Error>(())
    };
    app.engine.commit_system(create).unwrap();
    let mut bytes = [0; 32];
    bytes[..name.len()].copy_from_slice(name.as_bytes());
    let secret = SessionSecret::new(bytes);
    let now = app.engine.clock().now();
    let session = SessionRecord {
        user: record.id.clone(),
        stamp: record.session_stamp(),
        created_at: now,
        used_at: now,
        remember: true,
        by_proxy: false,
        ip: String::new(),
        agent: String::new(),
    };
    app.engine.records().sessions().start_session(secret.key(), session).unwrap();
    let caller = Caller::from_session(&app.engine, &secret).unwrap();
    let actor = Actor {
        id: name.to_string(),
        name: name.to_string(),
        ip: None,
        request_id: String::new(),
        source: EventSource::Admin,
    };
    Requester { caller, actor: actor.into() }
}

/// Something that is tried.
type Try<'a> = Box<dyn FnOnce() -> Result<()> + Send + 'a>;

/// What becomes of several who do something at the same moment: how many succeed, and what the
/// others are told.
fn at_once(tries: Vec<Try<'_>>) -> (usize, Vec<Code>) {
    let barrier = &Barrier::new(tries.len());
    let ends: Vec<Result<()>> = thread::scope(|scope| {
        let mut threads = Vec::new();
        for it in tries {
            threads.push(scope.spawn(move || {
                barrier.wait();
                it()
            }));
        }
        threads.into_iter().map(|it| it.join().unwrap()).collect()
    });
    let codes: Vec<Code> = ends.iter().filter_map(|it| Some(it.as_ref().err()?.code)).collect();
    (ends.len() - codes.len(), codes)
}

const LOCAL: std::net::IpAddr = std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

fn visit() -> LoginOrigin {
    LoginOrigin {
        ip: LOCAL,
        block: LOCAL,
        agent: String::new(),
        request_id: String::new(),
        is_local: false,
    }
}

#[test]
fn two_administrators_cannot_demote_each_other_at_once() {
    let root = tempfile::tempdir().unwrap();
    let app = app(root.path());
    for round in 0..20 {
        let names = [format!("a{round}"), format!("b{round}")];
        let [a, b] = [&names[0], &names[1]].map(|it| add(&app, it, "admin"));
        if round > 0 {
            // Whoever was left of the round before makes room.
            let left: Vec<String> = app
                .engine
                .installation()
                .users()
                .filter(|it| it.record.role.as_str() == "admin")
                .map(|it| it.record.id.to_string())
                .filter(|it| !names.contains(it))
                .collect();
            for id in left {
                users::update(&app, &a, &id, &body(r#"{"role":"viewer"}"#), LOCAL).unwrap();
            }
        }
        let viewer = body(r#"{"role":"viewer"}"#);
        let demote = |by: Requester, id: String| -> Try<'_> {
            let (app, viewer) = (&app, &viewer);
            Box::new(move || users::update(app, &by, &id, viewer, LOCAL).map(drop))
        };
        let (done, codes) = at_once(vec![demote(a, names[1].clone()), demote(b, names[0].clone())]);
        // The second one is no administrator by then.
        assert_eq!((done, codes), (1, vec![Code::Forbidden]));
        assert_eq!(app.engine.installation().count_role_users("admin"), 1);
    }
}

#[test]
fn a_name_has_one_user_whoever_comes_first() {
    let root = tempfile::tempdir().unwrap();
    let app = app(root.path());
    let anna = add(&app, "anna", "admin");
    let names = ["zoe", "ZOE", "Zoe", "ｚoe"];
    let tries = names.map(|name| -> Try<'_> {
        let text = format!(r#"{{"username":"{name}","password":"a long one","role":"viewer"}}"#);
        let (app, by) = (&app, anna.clone());
        Box::new(move || users::create(app, &by, &body(&text)).map(drop))
    });
    let (done, codes) = at_once(tries.into());
    assert_eq!((done, codes), (1, vec![Code::ValidationFailed; 3]));
    assert_eq!(app.engine.installation().users().count(), 2);
}

/// The name in a file that cannot be read may be any.
#[test]
fn nobody_is_created_while_a_user_cannot_be_read() {
    let root = tempfile::tempdir().unwrap();
    let app = app(root.path());
    let anna = add(&app, "anna", "admin");
    add(&app, "ben", "viewer");
    let create = |name: &str| {
        let text = format!(r#"{{"username":"{name}","password":"a long one","role":"viewer"}}"#);
        users::create(&app, &anna, &body(&text)).map(drop).map_err(|it| it.code)
    };
    edit(root.path(), "system/users/ben.json", "{", "<<<");
    app.engine.follower().refresh_until_settled();
    assert_eq!([create("ben"), create("cara")], [Err(Code::Conflict), Err(Code::Conflict)]);
    edit(root.path(), "system/users/ben.json", "<<<", "{");
    app.engine.follower().refresh_until_settled();
    assert_eq!([create("ben"), create("cara")], [Err(Code::ValidationFailed), Ok(())]);
}

#[test]
fn who_is_deleted_is_not_made_again_by_a_change() {
    let root = tempfile::tempdir().unwrap();
    let app = app(root.path());
    let anna = add(&app, "anna", "admin");
    for round in 0..10 {
        let id = format!("u{round}");
        add(&app, &id, "viewer");
        let changes: Vec<Try<'_>> = vec![
            Box::new(|| users::delete(&app, &anna, &id)),
            Box::new(|| {
                let name = body(r#"{"display_name":"New"}"#);
                users::update(&app, &anna, &id, &name, LOCAL).map(drop)
            }),
        ];
        let (done, codes) = at_once(changes);
        assert!(done == 2 || codes == [Code::NotFound], "{codes:?}");
        assert!(app.engine.installation().user(&id).is_none());
        assert!(!root.path().join(format!("system/users/{id}.json")).exists());
    }
}

#[test]
fn what_was_taken_away_meanwhile_counts_no_longer() {
    let root = tempfile::tempdir().unwrap();
    let app = app(root.path());
    let (anna, mia) = (add(&app, "anna", "admin"), add(&app, "mia", "admin"));
    // Mia's request has come, and then Anna is faster.
    users::update(&app, &anna, "mia", &body(r#"{"role":"viewer"}"#), LOCAL).unwrap();
    let refused = |result: Result<()>| assert_eq!(result.unwrap_err().code, Code::Forbidden);
    let all = r#"{"label":"X","name":"X","permissions":[{"action":"*","resource":"*"}]}"#;
    refused(roles::create(&app, &mia, &body(all)).map(drop));
    refused(tokens::create(&app, &mia, &body(all)).map(drop));
    refused(users::delete(&app, &mia, "anna"));
    refused(users::update(&app, &mia, "mia", &body(r#"{"role":"admin"}"#), LOCAL).map(drop));
    users::delete(&app, &anna, "mia").unwrap();
    let gone = profile::update(&app, &mia, &body(r#"{"display_name":"M"}"#), LOCAL);
    assert_eq!(gone.map(drop).unwrap_err().code, Code::Unauthenticated);
}

/// Edits a file as people do, before a server has noticed anything.
fn edit(root: &Path, file: &str, from: &str, to: &str) {
    let path = root.join(file);
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(from), "{text}");
    fs::write(path, text.replacen(from, to, 1)).unwrap();
}

#[test]
fn what_is_edited_by_hand_is_not_undone_by_a_change() {
    let root = tempfile::tempdir().unwrap();
    let app = app(root.path());
    let (anna, mia) = (add(&app, "anna", "admin"), add(&app, "mia", "admin"));
    for (number, name) in ["M", "Mi", "Mia"].into_iter().enumerate() {
        let (before, after) = (format!("m{number}@x"), format!("m{}@x", number + 1));
        let before = if number == 0 { String::new() } else { before };
        let [before, after] = [before, after].map(|it| format!("\"email\": \"{it}\""));
        edit(root.path(), "system/users/mia.json", &before, &after);
        let change = body(&format!(r#"{{"display_name":"{name}"}}"#));
        let user = users::update(&app, &anna, "mia", &change, LOCAL).unwrap();
        assert_eq!((user.display_name.as_str(), user.email), (name, format!("m{}@x", number + 1)));
    }
    // What Mia may do is decided with the file as it is.
    let demoted = "\"role\": \"viewer\"";
    edit(root.path(), "system/users/mia.json", "\"role\": \"admin\"", demoted);
    profile::update(&app, &mia, &body(r#"{"display_name":"M"}"#), LOCAL).map(drop).unwrap();
    assert_eq!(app.engine.installation().user("mia").unwrap().record.role.as_str(), "viewer");
    let text = fs::read_to_string(root.path().join("system/users/mia.json")).unwrap();
    assert!(text.contains(demoted), "{text}");
}

#[test]
fn a_login_neither_undoes_nor_escapes_what_is_edited_meanwhile() {
    let root = tempfile::tempdir().unwrap();
    let app = app(root.path());
    add(&app, "anna", "admin");
    let hash = app.passwords.hash("correct horse").unwrap();
    edit(root.path(), "system/users/anna.json", HASH, hash.reveal());
    let log_in = || {
        let sent = body(r#"{"username":"anna","password":"correct horse"}"#);
        sessions::log_in(&app, &visit(), &sent).map(drop).map_err(|it| it.code)
    };
    app.engine.follower().refresh_until_settled();
    assert_eq!(log_in(), Ok(()));
    let factor = r#""second_factor": {"secret": "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"}"#;
    edit(root.path(), "system/users/anna.json", r#""second_factor": null"#, factor);
    // The change was not known when the password was verified, and is when the login is recorded.
    assert_eq!(log_in(), Err(Code::InvalidCredentials));
    assert_eq!(log_in(), Err(Code::SecondFactorRequired));
    let text = fs::read_to_string(root.path().join("system/users/anna.json")).unwrap();
    assert!(text.contains("GEZD"), "{text}");
}

#[test]
fn a_role_that_is_given_is_not_removed() {
    let root = tempfile::tempdir().unwrap();
    let app = app(root.path());
    let anna = add(&app, "anna", "admin");
    for round in 0..10 {
        let id = format!("role{round}");
        roles::create(&app, &anna, &body(&format!(r#"{{"label":"{id}"}}"#))).unwrap();
        let text = format!(r#"{{"username":"{id}","password":"a long one","role":"{id}"}}"#);
        let changes: Vec<Try<'_>> = vec![
            Box::new(|| roles::delete(&app, &anna, &id)),
            Box::new(|| users::create(&app, &anna, &body(&text)).map(drop)),
        ];
        let (done, codes) = at_once(changes);
        assert!(done == 1 && codes[0] != Code::ServerError, "{codes:?}");
        let installation = app.engine.installation();
        assert_eq!(installation.role(&id).is_some(), installation.count_role_users(&id) == 1);
    }
}

#[test]
fn the_token_of_the_link_makes_the_first_user_once() {
    let root = tempfile::tempdir().unwrap();
    let app = app(root.path());
    let visit = visit();
    let token = app.setup_token.reveal();
    let sent = |name: &str| {
        let text =
            format!(r#"{{"username":"{name}","password":"a long one","setup_token":"{token}"}}"#);
        body(&text)
    };
    let bodies = ["anna", "ben", "cara"].map(sent);
    let tries = bodies.each_ref().map(|it| -> Try<'_> {
        Box::new(|| sessions::create_first_user(&app, &visit, it).map(drop))
    });
    let (done, codes) = at_once(tries.into());
    assert_eq!((done, codes), (1, vec![Code::AlreadySetUp; 2]));
    assert_eq!(app.engine.installation().count_role_users("admin"), 1);
}
