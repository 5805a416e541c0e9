//! Preview links on every route that takes one: dead at the next request after they are revoked, or
//! have expired.

use recto::http::routes;
use serde_json::Value;

use crate::support::scenario::stage::Stage;

fn stage() -> Stage {
    let views = r#"{"views":{"all":{"limit":100,"pages":true}}}"#;
    let views = format!("patch workspaces/default/schemas/books.json {views}");
    let preamble = ["fixture library".into(), "user eddie editor".into(), views];
    let mut stage = Stage::prepare(&preamble);
    stage.open();
    stage
}

/// A link to the pending change of the editor: its token and its id.
fn make_link(stage: &Stage, body: &str) -> (String, String) {
    let more = ["as eddie", &format!("json {body}")];
    let (status, _, answer) = stage.ask_with("POST /admin/api/changes/pending/previews", &more);
    assert_eq!(status, 201);
    let answer: Value = serde_json::from_slice(&answer).unwrap();
    let text = |path: &str| answer.pointer(path).unwrap().as_str().unwrap().to_string();
    (text("/data/token"), text("/data/link/id"))
}

/// The addresses of all routes with the parameter. A route with a parameter in its path
/// that is unknown here fails the test: it has to be asked, too.
fn addresses() -> Vec<String> {
    let table = routes::build_table();
    let previewing = table.iter().filter(|it| it.query.iter().any(|param| param.name == "preview"));
    let addresses: Vec<String> = previewing
        .map(|route| {
            let path = route.path.replace("{workspace}", "default");
            let path = path.replace("{collection}", "books").replace("{identifier}", "alpha");
            let path = path.replace("{view}", "all").replace("{page}", "1");
            assert!(!path.contains('{'), "{path}");
            assert_eq!(route.method, "GET", "a preview link only reads");
            path
        })
        .collect();
    assert!(addresses.len() >= 4, "{addresses:?}");
    addresses
}

#[test]
fn a_link_that_is_revoked_or_has_expired_is_dead_on_every_route() {
    let mut stage = stage();
    let propose = ["as eddie", r#"json {"title":"Proposed"}"#];
    let (status, ..) =
        stage.ask_with("PUT /admin/api/content/books/alpha?change=pending", &propose);
    assert_eq!(status, 200);
    let (revoked, link) = make_link(&stage, "{}");
    let (expiring, _) = make_link(&stage, r#"{"days":1}"#);
    let (lasting, _) = make_link(&stage, r#"{"days":2}"#);
    let check = |stage: &Stage, token: &str, expect: u16| {
        for address in addresses() {
            let (status, headers, body) =
                stage.ask_with(&format!("GET {address}?preview={token}"), &[]);
            assert_eq!(status, expect, "{address}");
            let is_shown = String::from_utf8_lossy(&body).contains("Proposed");
            assert!(status == 200 || !is_shown, "{address}");
            assert_ne!(headers.get("cache-control").map(|it| it.as_bytes()), Some(&b"public"[..]));
        }
    };
    [&revoked, &expiring, &lasting].iter().for_each(|it| check(&stage, it, 200));
    // It is no session.
    for address in ["content/books", "content/books/alpha"] {
        let line = format!("GET /admin/api/{address}?preview={lasting}");
        assert_eq!(stage.ask_with(&line, &[]).0, 401, "{address}");
    }
    let revoke = format!("DELETE /admin/api/changes/pending/previews/{link}");
    assert_eq!(stage.ask_with(&revoke, &["as eddie"]).0, 200);
    check(&stage, &revoked, 401);
    check(&stage, &expiring, 200);
    stage.do_command("clock 2026-01-16T11:59:59Z");
    check(&stage, &expiring, 200);
    stage.do_command("clock 2026-01-16T12:00:00Z");
    check(&stage, &expiring, 401);
    check(&stage, &lasting, 200);
    let publish = "POST /admin/api/changes/pending/publish";
    assert_eq!(stage.ask_with(publish, &["as eddie"]).0, 200);
    check(&stage, &lasting, 401);
    stage.close();
}
