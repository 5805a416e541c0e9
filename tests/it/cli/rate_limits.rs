//! Limits on requests, which hold however a request is read: by the fast path or by hyper.

use crate::support::command_line::Server;
use crate::support::command_line::with_posts;

const PLAIN: &str = "GET /api/v1/workspaces/default/content-types HTTP/1.1\r\nHost: x\r\n\r\n";
/// One that the fast path leaves to hyper.
const OTHER: &str =
    "GET /api/v1/workspaces/default/content-types HTTP/1.1\r\nHost: x\r\nTE: trailers\r\n\r\n";
const LAST: &str = "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";

fn count(text: &str, part: &str) -> usize {
    text.matches(part).count()
}

#[test]
fn all_ways_draw_on_one_quota() {
    let folder = with_posts(&[]);
    let server = Server::start(folder.path(), &["--rate-limit-per-address", "4"]);
    let answers = server.ask(&[PLAIN, PLAIN, OTHER, OTHER, LAST].concat());
    assert_eq!(count(&answers, "HTTP/1.1 200"), 5, "{answers}");
    assert_eq!(count(&answers, "ratelimit-policy: \"address\";q=4;w=60"), 4, "{answers}");
    // Health checks are not counted.
    assert!(answers.contains("\"address\";r=0;t=60"), "{answers}");
    let answers = server.ask(&[PLAIN, OTHER, LAST].concat());
    assert_eq!(count(&answers, "HTTP/1.1 429"), 2, "{answers}");
    assert_eq!(count(&answers, "retry-after: 15"), 2, "{answers}");
}

#[test]
fn nothing_is_said_of_limits_without_any() {
    let folder = with_posts(&[]);
    let server = Server::start(folder.path(), &[]);
    let answers = server.ask(&[PLAIN, OTHER, LAST].concat());
    assert_eq!(count(&answers, "HTTP/1.1 200"), 3, "{answers}");
    assert!(!answers.to_lowercase().contains("ratelimit"), "{answers}");
}
