//! Many at once on several servers: what was acknowledged counts, what only one can have only one
//! gets, and nobody sees half of a change.
//!
//! On the database that `RECTO_TEST_STORE` names, else on one in memory. `SLOW=1` for more of it.

use std::collections::BTreeSet;
use std::sync::Barrier;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::SeqCst;
use std::thread;

use recto::app::content::entries;
use recto::app::precondition::Precondition;
use recto::app::usage_guard::UsageGuard;
use recto::query::index::type_index::TypeIndex;
use recto::stdx::json::Json;
use recto::stdx::json::Map;
use serde_json::Value;

use crate::support::cluster::Cluster;
use crate::support::cluster::Server;
use crate::support::entry_writes::all;
use crate::support::entry_writes::code;
use crate::support::entry_writes::ws;
use crate::support::requester::requester_of;
use crate::support::test_database::TestDatabase;

const SERVERS: usize = 3;
const WRITERS: usize = 12;

fn times(usually: usize, slow: usize) -> usize {
    if std::env::var_os("SLOW").is_some() { slow } else { usually }
}

fn servers(files: &[(&str, &str)]) -> (Cluster, Vec<Server>) {
    let cluster = Cluster::new(TestDatabase::create(), files);
    let servers = (0..SERVERS).map(|_| cluster.open()).collect();
    (cluster, servers)
}

/// Does something on all writers, which begin together, each on a server.
fn together<T: Send>(servers: &[Server], work: impl Fn(usize, &Server) -> T + Sync) -> Vec<T> {
    let begin = Barrier::new(WRITERS);
    thread::scope(|scope| {
        let start = |number| {
            let (begin, work) = (&begin, &work);
            scope.spawn(move || {
                begin.wait();
                work(number, &servers[number % SERVERS])
            })
        };
        let running: Vec<_> = (0..WRITERS).map(start).collect();
        running.into_iter().map(|it| it.join().unwrap()).collect()
    })
}

/// Lets every server know everything, and checks that all have the same files.
fn expect_agreement(servers: &[Server]) {
    servers.iter().for_each(Server::follow);
    let files = servers[0].files();
    for server in &servers[1..] {
        assert_eq!(server.titles(), servers[0].titles());
        assert_eq!(server.files(), files);
    }
}

#[test]
fn entries_of_one_title_get_slugs_of_their_own() {
    let (_cluster, servers) = servers(&[]);
    let each = times(6, 60);
    together(&servers, |_, server| {
        (0..each).for_each(|_| drop(server.create(r#"{"title":"Same"}"#).unwrap()))
    });
    expect_agreement(&servers);
    let snapshot = servers[0].app.engine.snapshot("main").unwrap();
    let index = snapshot.get("posts").unwrap();
    let slugs: BTreeSet<&str> = index.iter().map(|(_, doc)| doc.slug()).collect();
    assert_eq!((index.len(), slugs.len()), (WRITERS * each, WRITERS * each));
    assert_eq!(servers[0].events().len(), WRITERS * each);
}

#[test]
fn a_unique_value_is_given_once() {
    let (_cluster, servers) = servers(&[]);
    for round in 0..times(4, 40) {
        let body = format!(r#"{{"title":"T","data":{{"code":"c{round}"}}}}"#);
        let mut answers = together(&servers, |_, server| code(server.create(&body)));
        answers.sort();
        let mut expected = vec!["validation_failed code"; WRITERS];
        expected[0] = "ok";
        assert_eq!(answers, expected);
    }
    expect_agreement(&servers);
}

#[test]
fn increments_with_if_match_all_count() {
    const ENTRY: &str = r#"{"title":"A","slug":"a","data":{"n":0}}"#;
    const SCHEMA: &str = r#"{"fields":{"n":{"type":"number"}}}"#;
    let path = "workspaces/main/content/counters/a.json";
    let (_cluster, servers) =
        servers(&[("workspaces/main/schemas/counters.json", SCHEMA), (path, ENTRY)]);
    let each = times(5, 100);
    together(&servers, |_, server| {
        let mut left = each;
        while left > 0 {
            let snapshot = server.app.engine.snapshot("main").unwrap();
            let (rev, n) = read_counter(snapshot.get("counters").unwrap());
            let body = format!(r#"{{"data":{{"n":{}}}}}"#, n + 1);
            let seen = Precondition::Revs(vec![rev]);
            match code(server.update_in("counters", "a", &body, seen)).as_str() {
                "ok" => left -= 1,
                "precondition_failed" => {}
                other => panic!("{other}"),
            }
        }
    });
    expect_agreement(&servers);
    let snapshot = servers[0].app.engine.snapshot("main").unwrap();
    assert_eq!(read_counter(snapshot.get("counters").unwrap()).1, (WRITERS * each) as u64);
}

/// The revision of the only entry, and its number.
fn read_counter(index: &TypeIndex) -> (recto::stdx::checksum::Checksum, u64) {
    let (_, doc) = index.iter().next().unwrap();
    let body: Value = serde_json::from_slice(doc.variant_for(None).body()).unwrap();
    (doc.rev, body["data"]["data"]["n"].as_u64().unwrap())
}

/// Entries are deleted in one change with the references to them, while the other servers follow.
#[test]
fn nobody_sees_half_of_a_change() {
    const TASKS: usize = 30;
    const NOTES_SCHEMA: &str = r#"{"fields":{"see":{"type":"relation","target":"tasks",
        "multiple":true,"on_delete":"clear"}}}"#;
    let ids: Vec<String> = (0..TASKS).map(|it| format!("t{it}")).collect();
    let path = |id: &String| format!("workspaces/main/content/tasks/{id}.json");
    let tasks: Vec<(String, &str)> = ids.iter().map(|it| (path(it), r#"{"title":"T"}"#)).collect();
    let see = serde_json::to_string(&ids).unwrap();
    let note = format!(r#"{{"title":"N","data":{{"see":{see}}}}}"#);
    let files = [
        ("workspaces/main/schemas/tasks.json", r#"{"fields":{}}"#),
        ("workspaces/main/schemas/notes.json", NOTES_SCHEMA),
        ("workspaces/main/content/notes/n.json", note.as_str()),
    ];
    let tasks = tasks.iter().map(|(path, text)| (path.as_str(), *text));
    let (_cluster, servers) = servers(&files.into_iter().chain(tasks).collect::<Vec<_>>());
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        for server in &servers[1..] {
            let is_over = &is_over;
            scope.spawn(move || {
                let mut last = false;
                while !last {
                    last = is_over.load(SeqCst);
                    server.follow();
                    let snapshot = server.app.engine.snapshot("main").unwrap();
                    let n_tasks = snapshot.get("tasks").map_or(0, |it| it.len());
                    let (_, note) = snapshot.get("notes").unwrap().iter().next().unwrap();
                    let note: Value =
                        serde_json::from_slice(note.variant_for(None).body()).unwrap();
                    let n_seen = note["data"]["data"]["see"].as_array().map_or(0, Vec::len);
                    assert!(
                        matches!((n_tasks, n_seen), (TASKS, TASKS) | (0, 0)),
                        "{n_tasks} {note}"
                    );
                    assert!(!last || n_tasks == 0);
                }
            });
        }
        let mut body = Map::new();
        body.push("ids", ids.iter().map(|it| it.as_str().into()).collect::<Vec<Json>>());
        let by = requester_of(all());
        let app = &servers[0].app;
        let bulk = entries::delete_many(app, &ws(), &by, "tasks", &body, UsageGuard::Off).unwrap();
        assert_eq!((bulk.done, bulk.errors.len()), (TASKS, 0));
        is_over.store(true, SeqCst);
    });
    expect_agreement(&servers);
}
