//! `recto token rotate`: another secret beside a running server.

use crate::support::command_line::Server;
use crate::support::command_line::json;
use crate::support::command_line::run;
use crate::support::command_line::run_well;
use crate::support::command_line::with_posts;
use crate::support::folder::eventually;
use crate::support::user_session::status;

#[test]
fn both_secrets_work_until_the_overlap_ends() {
    let folder = with_posts(&[]);
    let root = folder.path();
    let grant = ["--name", "site", "--grant", "content.read@content:*"];
    let old = run_well(root, &[&["token", "create"][..], &grant].concat());
    let id = old.split('_').nth(1).unwrap();
    let server = Server::start(root, &[]);
    let works = |token: &str| {
        let token = token.trim();
        let answer = server.ask(&format!(
            "GET /api/v1/workspaces/default/content-types HTTP/1.1\r\nhost: x\r\n\
             connection: close\r\nauthorization: Bearer {token}\r\n\r\n"
        ));
        status(&answer) == "200"
    };
    assert!(works(&old));
    let new = run_well(root, &["token", "rotate", id]);
    assert_ne!(new, old);
    eventually("the new secret works", || works(&new));
    assert!(works(&old));
    let listed = run_well(root, &["token", "list", "--json"]);
    assert!(json(&listed)[0]["previous_ends_at"].is_string() && !listed.contains("sha256"));
    let last = run_well(root, &["token", "rotate", id, "--overlap", "0"]);
    eventually("the secrets before have ended", || !works(&new) && !works(&old) && works(&last));
    assert_eq!(run(root, &["token", "rotate", id, "--overlap", "soon"]).code, 2);
    run_well(root, &["token", "revoke", id]);
    assert_eq!(run(root, &["token", "rotate", id]).code, 1);
}
