//! Two servers in this process that share a database in memory.

use std::fs;
use std::net::SocketAddr;
use std::sync::Arc;

use bytes::Bytes;
use http::Request;
use recto::app::media::upload;
use recto::app::media::upload::UploadMeta;
use recto::app::precondition::Precondition;
use recto::engine::Engine;
use recto::engine::EngineOptions;
use recto::http::request::state::ServiceOptions;
use recto::http::service::Service;
use recto::http::wire::request_body::RequestBody;
use recto::model::event::EventKind;
use recto::model::event::EventSource;
use recto::model::problem::ProblemKind;
use recto::model::webhook::DeliveryOutcome;
use recto::stdx::clock::Clock;
use recto::store::cluster::copy::copy_from_database;
use recto::store::cluster::database::Seen;
use recto::store::cluster::replica_state::is_complete_replica;
use recto::store::data_folder::DataFolder;
use recto::store::disk::OsDisk;
use recto::store::layout;
use serde_json::Value;

use crate::support::cluster::Cluster;
use crate::support::cluster::Server;
use crate::support::credentials::token;
use crate::support::credentials::token_file;
use crate::support::entry_writes::code;
use crate::support::entry_writes::ws;
use crate::support::folder;
use crate::support::requester::requester_of;
use crate::support::webhook_receiver::SECRET;

/// A server parses the files of its replica once, like those of a folder.
#[test]
fn a_replica_has_rendered_packs() {
    let entry = ("workspaces/main/content/posts/a.json", r#"{"title": "A"}"#);
    let cluster = Cluster::in_memory(&[entry]);
    let mut kept = Some(tempfile::tempdir().unwrap());
    // Files that have just been written are in no pack. They get older.
    folder::eventually("a pack", || {
        let server = cluster.open_in(kept.take().unwrap());
        server.follow();
        let Server { app, folder } = server;
        drop(app);
        let packs = fs::read_dir(folder.path().join(layout::RENDERED));
        kept = Some(folder);
        packs.is_ok_and(|it| it.count() > 0)
    });
}

/// A new replica lists files that are not on its disk yet, and tells which names differ only in
/// case.
#[test]
fn a_new_replica_tells_names_that_differ_in_case() {
    let names = ["A.json", "a.json"].map(|it| format!("workspaces/main/content/posts/{it}"));
    let cluster = Cluster::in_memory(&names.each_ref().map(|it| (&**it, r#"{"title": "A"}"#)));
    let server = cluster.open();
    assert!(!server.folder.path().join(&names[0]).exists());
    let problems = folder::problems(&server.app.engine);
    assert_eq!(problems, [(names[1].clone(), ProblemKind::CaseCollision)]);
}

#[test]
fn each_serves_what_the_other_commits() {
    let cluster = Cluster::in_memory(&[]);
    let (one, other) = (cluster.open(), cluster.open());
    one.create(r#"{"title":"A","data":{"code":"x"}}"#).unwrap();
    // Whoever writes knows of it, whether they have heard of it or not.
    let taken = other.create(r#"{"title":"B","data":{"code":"x"}}"#);
    assert_eq!(code(taken), "validation_failed code");
    other.create(r#"{"title":"B","data":{"code":"y"}}"#).unwrap();
    one.follow();
    assert_eq!(one.titles(), ["A", "B"]);
    assert_eq!(other.titles(), ["A", "B"]);
    other.follow();
    // Events are those of the server that made them, once on each.
    assert_eq!(one.events(), other.events());
    assert_eq!(one.events().len(), 2);
    assert_eq!(one.files(), other.files());
}

#[test]
fn entity_tags_decide_between_servers() {
    let cluster = Cluster::in_memory(&[]);
    let (one, other) = (cluster.open(), cluster.open());
    one.create(r#"{"title":"A","slug":"a"}"#).unwrap();
    other.follow();
    let snapshot = other.app.engine.snapshot("main").unwrap();
    let seen = snapshot.get("posts").unwrap().iter().next().unwrap().1.rev;
    let seen = Precondition::Revs(vec![seen]);
    one.update("a", r#"{"title":"B"}"#, Precondition::None).unwrap();
    let late = other.update("a", r#"{"title":"C"}"#, seen);
    assert_eq!(code(late), "precondition_failed");
    assert_eq!(other.titles(), ["B"]);
}

#[test]
fn who_edits_the_database_edits_by_hand() {
    let path = "workspaces/main/content/posts/a.json";
    let cluster = Cluster::in_memory(&[(path, r#"{"title":"A","status":"published"}"#)]);
    let (one, other) = (cluster.open(), cluster.open());
    cluster.memory().edit_file(path, Some(br#"{"title":"B","status":"published"}"#), 1);
    other.follow();
    one.follow();
    other.follow();
    assert_eq!(one.titles(), ["B"]);
    assert_eq!(other.titles(), ["B"]);
    // One server has judged the edit: there is one event, and one revision of what was there.
    let events = one.events();
    assert_eq!(events, other.events());
    let kinds: Vec<_> = events.iter().map(|it| (it.0, it.1)).collect();
    assert_eq!(kinds, [(EventKind::ContentUpdated, EventSource::Disk)]);
    assert_eq!(one.files(), other.files());
    let revisions = one.files().into_iter().filter(|(path, _)| path.contains("/revisions/"));
    assert_eq!(revisions.count(), 1);
    // What cannot be read is a problem, and what was there goes on being served.
    cluster.memory().edit_file(path, Some(b"{"), 2);
    one.follow();
    other.follow();
    assert_eq!((one.titles(), other.titles()), (vec!["B".to_string()], vec!["B".to_string()]));
    assert_eq!(other.app.engine.problems().list().len(), 1);
}

#[test]
fn without_the_database_reads_go_on_and_writes_wait() {
    let cluster = Cluster::in_memory(&[]);
    let server = cluster.open();
    server.create(r#"{"title":"A"}"#).unwrap();
    cluster.memory().set_away(true);
    let refused = server.create(r#"{"title":"B"}"#).unwrap_err();
    assert_eq!((refused.code.as_str(), refused.retry_after), ("storage_unavailable", Some(2)));
    assert_eq!(server.titles(), ["A"]);
    let files = server.files();
    cluster.memory().set_away(false);
    assert_eq!(server.files(), files);
    server.create(r#"{"title":"C"}"#).unwrap();
    assert_eq!(server.titles(), ["A", "C"]);
}

#[test]
fn a_replica_goes_on_where_it_was() {
    let cluster = Cluster::in_memory(&[]);
    let (one, other) = (cluster.open(), cluster.open());
    // It has written all files of its replica.
    other.follow();
    one.create(r#"{"title":"A"}"#).unwrap();
    let Server { folder, app } = other;
    drop(app);
    one.create(r#"{"title":"B"}"#).unwrap();
    // What was written beside the database while no server ran does not count.
    let kept = folder.path().join("workspaces/main/schemas/posts.json");
    assert!(kept.exists());
    let other = cluster.open_in(folder);
    assert_eq!(other.titles(), ["A", "B"]);
    one.follow();
    other.follow();
    assert_eq!(one.files(), other.files());
    // And it heard of what happened.
    let heard = other.events().len();
    assert_eq!(heard, 2, "{:?}", other.events());
}

/// A new server serves what it has read from the database, and writes its files later or when
/// somebody needs one.
#[test]
fn a_new_server_serves_before_it_has_written_its_files() {
    let path = |name: &str| format!("workspaces/main/content/posts/{name}.json");
    let text = |title: &str| format!(r#"{{"title":"{title}","slug":"{title}"}}"#);
    let (a, b, c) = (path("a"), path("b"), path("c"));
    let files = [(&*a, &*text("A")), (&*b, &*text("B")), (&*c, &*text("C"))];
    let cluster = Cluster::in_memory(&files);
    let server = cluster.open();
    assert_eq!(server.titles(), ["A", "B", "C"]);
    assert!(!server.folder.path().join(&a).exists());
    let replica = server.app.engine.folder().replica().unwrap();
    assert_eq!(replica.count_pending_files(), 4);
    // A change needs the file that it replaces, and no other.
    server.update("a", r#"{"title":"A2"}"#, Precondition::None).unwrap();
    assert!(server.folder.path().join(&a).exists());
    assert!(!server.folder.path().join(&c).exists());
    // What others change meanwhile is not overwritten by what was there before.
    cluster.memory().edit_file(&b, Some(text("B2").as_bytes()), 7);
    cluster.memory().edit_file(&c, None, 8);
    server.follow();
    assert_eq!(server.titles(), ["A2", "B2"]);
    assert_eq!(replica.count_pending_files(), 0);
    let other = cluster.open();
    other.follow();
    assert_eq!(server.files(), other.files());
}

/// What a new server has loaded is packed for its next start when it is on the disk.
#[test]
fn a_new_server_packs_what_it_has_loaded() {
    let path = "workspaces/main/content/posts/a.json";
    let cluster = Cluster::in_memory(&[]);
    cluster.memory().edit_file(path, Some(br#"{"title":"A remarkable title"}"#), 7);
    let Server { folder, app } = cluster.open();
    let has_title = |place: &str| {
        let files = walkdir::WalkDir::new(folder.path().join(place)).into_iter();
        let files = files.filter_map(|it| fs::read(it.ok()?.path()).ok());
        files.into_iter().any(|it| memchr::memmem::find(&it, b"A remarkable title").is_some())
    };
    assert!(!has_title(".recto/rendered"));
    app.engine.follower().refresh_until_settled();
    drop(app);
    assert!(has_title(".recto/rendered"));
}

/// A replica that lacks files for a while is not read by commands, though it had all of them.
#[test]
fn a_replica_that_is_behind_is_incomplete_until_it_is_written() {
    let path = "workspaces/main/content/posts/a.json";
    let cluster = Cluster::in_memory(&[(path, r#"{"title":"A"}"#)]);
    let Server { folder, app } = cluster.open();
    app.engine.follower().refresh_until_settled();
    drop(app);
    let places = DataFolder::new(folder.path());
    assert!(is_complete_replica(&places));
    // As after a start of the machine: files may be old or empty.
    let state = folder.path().join(layout::REPLICA);
    let mut json: Value = serde_json::from_slice(&fs::read(&state).unwrap()).unwrap();
    json["boot"] = Value::from("another");
    fs::write(&state, json.to_string()).unwrap();
    cluster.memory().edit_file(path, Some(br#"{"title":"B"}"#), 8);
    let server = cluster.open_in(folder);
    assert_eq!(server.titles(), ["B"]);
    assert!(!server.folder.path().join(path).exists());
    assert!(!is_complete_replica(&places));
    server.follow();
    assert!(is_complete_replica(&places));
}

/// Media are on the disk before they are served, whatever their names.
#[test]
fn media_are_written_at_once() {
    let path = "workspaces/main/media/data.json";
    let cluster = Cluster::in_memory(&[(path, "{}")]);
    assert!(cluster.open().folder.path().join(path).exists());
}

/// A file that somebody has put where none can be does not keep others from being written.
#[test]
fn a_file_that_cannot_be_written_is_not_in_the_way() {
    let path = |name: &str| format!("workspaces/main/content/posts/{name}");
    let (a, below, c) = (path("a.json"), path("a.json/b.json"), path("c.json"));
    let files = [(&*a, r#"{"title":"A"}"#), (&*below, "{}"), (&*c, r#"{"title":"C"}"#)];
    let cluster = Cluster::in_memory(&[]);
    files
        .iter()
        .for_each(|(path, text)| cluster.memory().edit_file(path, Some(text.as_bytes()), 7));
    let server = cluster.open();
    assert_eq!(server.titles(), ["A", "C"]);
    let replica = server.app.engine.folder().replica().unwrap();
    assert!(replica.write_pending_files(&|| false).is_err());
    assert_eq!(replica.count_pending_files(), 1);
    assert!(server.folder.path().join(&c).exists());
    // Until it is gone.
    cluster.memory().edit_file(&below, None, 8);
    server.follow();
    assert_eq!(replica.count_pending_files(), 0);
}

/// A process that ends before all files are written leaves a replica that the next one completes.
#[test]
fn a_replica_that_was_left_incomplete_is_completed() {
    let path = "workspaces/main/content/posts/a.json";
    let cluster = Cluster::in_memory(&[(path, r#"{"title":"A"}"#)]);
    let Server { folder, app } = cluster.open();
    let engine = app.engine.clone();
    drop(app);
    engine.folder().read_text("workspaces/main/schemas/posts.json").unwrap();
    assert_eq!(engine.folder().replica().unwrap().count_pending_files(), 1);
    drop(engine);
    // As it may be left by a process that was killed while it wrote the file.
    fs::create_dir_all(folder.path().join(path).parent().unwrap()).unwrap();
    fs::write(folder.path().join(path), "{").unwrap();
    let server = cluster.open_in(folder);
    assert_eq!(server.titles(), ["A"]);
    server.follow();
    let replica = server.app.engine.folder().replica().unwrap();
    assert_eq!(replica.count_pending_files(), 0);
    let other = cluster.open();
    other.follow();
    assert_eq!(server.files(), other.files());
}

/// A server does not serve a part of the content because the database went away while it started.
#[test]
fn a_start_without_all_files_fails() {
    let path = "workspaces/main/content/posts/a.json";
    let cluster = Cluster::in_memory(&[(path, r#"{"title":"A"}"#)]);
    cluster.memory().set_keeping_files(true);
    assert!(cluster.try_open().is_err());
    cluster.memory().set_keeping_files(false);
    assert_eq!(cluster.open().titles(), ["A"]);
}

#[test]
fn a_folder_goes_into_a_database_and_back() {
    let files = [
        ("workspaces/main/content/posts/a.json", r#"{"title":"A"}"#),
        ("workspaces/main/notes.txt", "not Recto's"),
        ("system/users/0123456789abcdef.json", "{}"),
    ];
    let cluster = Cluster::in_memory(&files);
    let target = tempfile::tempdir().unwrap();
    let report = cluster.database.copy_into(target.path());
    assert_eq!((report.files, report.copied), (files.len() + 1, files.len() + 1));
    for (path, text) in files {
        assert_eq!(fs::read_to_string(target.path().join(path)).unwrap(), text, "{path}");
    }
    // Once more, all files are compared.
    let again = cluster.database.copy_into(target.path());
    assert_eq!((again.files, again.copied), (files.len() + 1, 0));
    // It is a folder like any other, which no database replaces.
    let notes = target.path().join("workspaces/main/notes.txt");
    fs::write(&notes, "changed").unwrap();
    let disk = Arc::new(OsDisk::open(target.path()).unwrap());
    let places = DataFolder::new(target.path());
    let refused = copy_from_database(cluster.database.connect(), disk, &places).unwrap_err();
    assert!(refused.to_string().contains("has content of its own"), "{refused}");
    assert_eq!(fs::read_to_string(notes).unwrap(), "changed");
    let clock: Arc<dyn Clock> = cluster.clock.clone();
    let options = EngineOptions {
        database: Some(cluster.database.connect()),
        ..EngineOptions::new(target.path().to_path_buf(), clock.clone())
    };
    let refused = Engine::open(options).err().unwrap().to_string();
    assert!(refused.contains("has content of its own"), "{refused}");
    // And a replica is no folder like any other.
    let server = cluster.open();
    let Server { folder, app } = server;
    drop(app);
    let options = EngineOptions::new(folder.path().to_path_buf(), clock);
    let refused = Engine::open(options).err().unwrap().to_string();
    assert!(refused.contains("is the replica of a database"), "{refused}");
}

#[test]
fn a_large_upload_is_stored_before_its_turn() {
    let cluster = Cluster::in_memory(&[]);
    let (one, other) = (cluster.open(), cluster.open());
    // A third server has the turn.
    let third = cluster.database.connect();
    third.begin_turn(&Seen::default(), &mut |_| Ok(())).unwrap();
    let mut spool = one.app.engine.folder().create_spool().unwrap();
    spool.write(&vec![b'x'; 3 * 1024 * 1024]).unwrap();
    let mut file = spool.finish().unwrap();
    file.name = "large.txt".to_string();
    let app = folder::app(&one.app.engine);
    let uploading = std::thread::spawn(move || {
        let by = requester_of(folder::holder("*@*"));
        let files = vec![file];
        upload::upload_files(&app, &ws(), &by, files, &UploadMeta::default()).map(drop).unwrap();
    });
    folder::eventually("the upload is stored or has failed", || {
        cluster.memory().count_blobs() == 1 || uploading.is_finished()
    });
    let waits = !uploading.is_finished();
    third.end_turn();
    assert!(waits);
    uploading.join().unwrap();
    other.follow();
    let stored = fs::read(other.folder.path().join("workspaces/main/media/large.txt")).unwrap();
    assert_eq!(stored.len(), 3 * 1024 * 1024);
    assert_eq!(cluster.memory().count_blobs(), 1);
}

#[test]
fn messages_are_delivered_by_one_server_and_by_the_next_one_after_it() {
    let webhooks = format!(
        r#"{{"webhooks":[{{"id":"h1","name":"h1","url":"http://127.0.0.1:9/","events":["*"],
        "workspaces":["*"],"enabled":true,"secret":"{SECRET}"}}]}}"#
    );
    let cluster = Cluster::in_memory(&[("system/webhooks.json", &webhooks)]);
    let (one, other) = (cluster.open(), cluster.open());
    other.create(r#"{"title":"A"}"#).unwrap();
    other.create(r#"{"title":"B"}"#).unwrap();
    one.follow();
    let id = recto::model::name::EntryId::parse("h1").unwrap();
    let waiting = |server: &Server| server.app.engine.outbox().n_messages_waiting();
    assert_eq!((waiting(&one), waiting(&other)), (2, 2));
    // The first one that came does the work of one.
    assert!(other.app.engine.outbox().next_due_message(&id).is_none());
    let due = one.app.engine.outbox().next_due_message(&id).unwrap();
    let delivered = DeliveryOutcome { status: Some(200), ..DeliveryOutcome::default() };
    one.app.engine.outbox().record_delivery(&due, &delivered);
    one.follow();
    other.follow();
    assert_eq!((waiting(&one), waiting(&other)), (1, 1));
    assert_eq!(other.app.engine.outbox().list_attempts(&id).len(), 1);
    // It ends, and the other takes over with what is left.
    drop(one);
    other.app.engine.folder().replica().unwrap().try_lead();
    let due = other.app.engine.outbox().next_due_message(&id).unwrap();
    assert!(due.message.body.contains("\"B\""), "{due:?}");
}

/// The status, and the header of this name, of the answer to a `GET` with `Recto-After`.
fn read_after(
    service: &Service,
    token: Option<&str>,
    after: &str,
    header: &str,
) -> (u16, Option<String>) {
    let mut request = Request::get("/api/v1/workspaces/main/content/posts");
    if let Some(token) = token {
        request = request.header("authorization", format!("Bearer {token}"));
    }
    let request =
        request.header("recto-after", after).body(RequestBody::from(Bytes::new())).unwrap();
    let peer = SocketAddr::from(([127, 0, 0, 1], 1));
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let answer = runtime.block_on(service.answer_request(request, peer));
    let value = answer.headers().get(header).map(|it| it.to_str().unwrap().to_string());
    (answer.status().as_u16(), value)
}

#[test]
fn a_request_waits_for_what_its_client_has_seen() {
    let (path, record) = token_file();
    let cluster = Cluster::in_memory(&[(&path, str::from_utf8(&record).unwrap())]);
    let secret = token().reveal();
    let token = Some(secret.as_str());
    let (one, other) = (cluster.open(), cluster.open());
    one.create(r#"{"title":"A","status":"published"}"#).unwrap();
    let position = one.app.engine.folder().replica().unwrap().position();
    let service = |server: Server| {
        let options = ServiceOptions::default();
        (Service::new(server.app, options, Arc::default()).unwrap(), server.folder)
    };
    let follower = other.app.engine.follower().clone();
    let (service, _folder) = service(other);
    // It does not know that commit, and nobody follows the database.
    assert_eq!(
        read_after(&service, token, &position.to_string(), "retry-after"),
        (503, Some("1".into()))
    );
    // What is no number is ignored.
    assert_eq!(read_after(&service, token, "soon", "retry-after"), (200, None));
    follower.refresh_until_settled();
    let known = (200, Some(position.to_string()));
    assert_eq!(read_after(&service, token, &position.to_string(), "recto-position"), known);
    // Strangers would learn from it how often hidden things change.
    assert_eq!(read_after(&service, None, "0", "recto-position"), (200, None));
    assert_eq!(read_after(&service, None, "1000", "retry-after"), (200, None));
}
