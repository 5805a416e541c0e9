//! `kill -9` while messages wait: after the next start all of them arrive, in order.

use serde_json::json;

use crate::support::server_process::Connection;
use crate::support::server_process::Place;
use crate::support::server_process::Server;
use crate::support::webhook_receiver::Nobody;
use crate::support::webhook_receiver::Receiver;
use crate::support::webhook_receiver::SECRET;

const MESSAGES: usize = 100;

#[test]
fn a_killed_server_forgets_no_message() {
    let folder = tempfile::tempdir().unwrap();
    let place = Place::make(folder.path(), &folder.path().join("data"));
    let nobody = Nobody::new();
    let hook = json!({
        "id": "h1", "name": "Site", "url": nobody.url(), "events": ["*"],
        "workspaces": ["*"], "enabled": true, "secret": SECRET,
    });
    let system = place.data.join("system");
    std::fs::create_dir_all(&system).unwrap();
    std::fs::write(system.join("webhooks.json"), json!({ "webhooks": [hook] }).to_string())
        .unwrap();
    std::fs::write(place.data.join("recto.toml"), "[webhooks]\nallow_private = true\n").unwrap();
    let mut server = Server::start(&place);
    let mut connection = Connection::open(&server.address, &place.token).unwrap();
    for number in 0..MESSAGES {
        let entry = json!({ "title": number.to_string(), "slug": format!("p{number}") });
        let path = "/api/v1/workspaces/default/content/posts";
        let reply = connection.exchange("POST", path, "", &entry).unwrap();
        assert_eq!(reply.status, 201, "{}", reply.body);
    }
    server.kill();
    // Once more before it comes to anything.
    Server::start_and_kill(&place);
    let receiver = Receiver::instead_of(nobody, |_| Some("200 OK"));
    let _server = Server::start(&place);
    let got = receiver.wait_for(MESSAGES);
    let mut titles: Vec<String> = receiver.titles();
    // What was under way when it was killed may come twice.
    titles.dedup();
    let expect: Vec<String> = (0..MESSAGES).map(|it| it.to_string()).collect();
    assert_eq!(titles, expect, "{}", place.log());
    assert!(got.iter().all(|it| it.is_signed() && it.json()["event"] == "content.created"));
}
