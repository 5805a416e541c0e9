//! Requests through a service with routes that say what they were sent.

use std::fs;
use std::path::Path;
use std::task::Poll;

use bytes::Bytes;
use http_body_util::BodyExt as _;
use tokio::io::AsyncReadExt as _;
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpListener;
use tokio::net::TcpStream;

use super::*;
use crate::app::Settings;
use crate::app::error::Result;
use crate::engine;
use crate::engine::Engine;
use crate::http::request::endpoint::ChangeDone;
use crate::http::request::endpoint::FinishReply;
use crate::http::request::endpoint::Handler;
use crate::http::request::endpoint::HandlerOutcome;
use crate::http::request::endpoint::QueuedChange;
use crate::http::request::route::Access;
use crate::http::request::route::ActionTarget;
use crate::http::request::route::BodyKind;
use crate::http::request::route::JsonInputKind;
use crate::http::request::route::PathParam;
use crate::http::request::route::ReplyKind;
use crate::http::request::route::RunMode;
use crate::http::request::route::UploadForm;
use crate::http::wire::conn_limits::ConnLimits;
use crate::http::wire::listen;
use crate::model::grant::Action;
use crate::model::grant::Grant;
use crate::model::media::UploadRules;
use crate::model::people::token::Token;
use crate::model::people::token::TokenRecord;
use crate::query::execute::executor::Effort;
use crate::stdx::clock::SystemClock;
use crate::stdx::sync::Mutex;
use crate::store::layout;

const JSON: (&str, &str) = ("content-type", "application/json");
const FORM: (&str, &str) = ("content-type", "multipart/form-data; boundary=b");
const BYTES_MAX: u64 = 40;

fn endpoint(path: &'static str, on: ActionTarget, body: BodyKind, handler: Handler) -> Endpoint {
    let route = Route {
        index: 0,
        name: path,
        method: Method::POST,
        path,
        params: PathParam::list_all(path),
        access: Access::Token { action: Action::ContentUpdate, on },
        body,
        scoped: false,
        query: &[],
        gives: ReplyKind::Plain,
        creates: false,
        run: RunMode::Blocking,
        summary: "",
    };
    Endpoint { route, handler }
}

fn said(text: String) -> Result<HandlerOutcome> {
    Ok(Reply::new(http::StatusCode::OK).with_body(text).into())
}

fn queued(mut it: Endpoint) -> Endpoint {
    it.route.run = RunMode::Queued;
    it
}

/// Calls that tell requests that their changes are made, which one test holds back.
static HELD: Mutex<Vec<ChangeDone>> = Mutex::new(Vec::new());

/// Routes that say what they were sent.
fn table() -> Vec<Endpoint> {
    let json = BodyKind::Json { bytes_max: BYTES_MAX, takes: JsonInputKind::Entry };
    let keys: Handler = |call| {
        let keys: Vec<String> = call.parse_json()?.into_iter().map(|(key, _)| key).collect();
        said(format!("keys {}", keys.join(",")))
    };
    let files: Handler = |call| {
        let upload = call.take_upload()?;
        let show = |it: &crate::store::write::spool::Spooled| {
            let path = call.app().engine.folder().root().join(&it.path);
            assert_eq!(fs::metadata(path).unwrap().len(), it.size);
            format!("{}:{}", it.name, it.size)
        };
        let files: Vec<String> = upload.files.iter().map(show).collect();
        said(format!("files {} in {:?}", files.join(","), upload.category))
    };
    let held: Handler = |_| {
        let submit = |_: &App, done| {
            HELD.lock().push(done);
            None
        };
        Ok(HandlerOutcome::Queued(QueuedChange::new(submit)))
    };
    let rest: Handler = |call| said(format!("rest {}", call.param("category")?));
    let table = [
        endpoint("/w/{workspace}/{collection}", ActionTarget::Collection, json, keys),
        endpoint(
            "/w/{workspace}/{collection}/none",
            ActionTarget::Collection,
            BodyKind::None,
            |_| said("none".to_string()),
        ),
        endpoint(
            "/files/{workspace}",
            ActionTarget::Collection,
            BodyKind::Upload(UploadForm::Media),
            files,
        ),
        endpoint("/w/{workspace}/all/of/{*category}", ActionTarget::Media, BodyKind::None, rest),
        queued(endpoint("/w/{workspace}/{collection}/held", ActionTarget::Collection, json, held)),
    ];
    let media = Access::Token { action: Action::MediaUpload, on: ActionTarget::Media };
    let numbered = table.into_iter().enumerate().map(|(index, mut it)| {
        it.route.index = index;
        if (2..4).contains(&index) {
            it.route.access = media;
        }
        it
    });
    numbered.collect()
}

struct Stage {
    folder: tempfile::TempDir,
    service: Service,
    tokens: Vec<String>,
}

/// A folder with two types, the second private, and tokens with these grants.
fn stage(grants: &[&str]) -> Stage {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &[u8]| {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("workspaces/main/schemas/posts.json", b"{\"fields\":{}}");
    write("workspaces/main/schemas/notes.json", b"{\"fields\":{},\"visibility\":\"private\"}");
    let tokens = grants.iter().zip(1..).map(|(grant, number)| {
        let token = Token::issue([number; 10], [number; 32]);
        let record = TokenRecord {
            id: token.id().clone(),
            name: "writer".to_string(),
            description: String::new(),
            permissions: vec![Grant::parse_line(grant).unwrap()],
            created_at: None,
            created_by: None,
            expires_at: None,
            last_used_at: None,
            revoked_at: None,
            previous_ends_at: None,
            previous: None,
            fingerprint: token.fingerprint(),
        };
        let path = format!("system/tokens/{}.json", token.id());
        write(&path, &record.to_file().to_file());
        token.reveal()
    });
    let tokens = tokens.collect();
    let options = engine::EngineOptions {
        base_url: "https://cms.test".to_string(),
        ..engine::EngineOptions::new(folder.path().to_path_buf(), Arc::new(SystemClock))
    };
    let uploads = UploadRules { file_bytes_max: 1_000_000, ..UploadRules::default() };
    let mut settings = Settings::default();
    settings.editable.uploads = uploads;
    let app = App::new(Engine::open(options).unwrap(), settings);
    let counters = Arc::new(Counters::default());
    let service = Service::with_routes(app, ServiceOptions::default(), counters, table()).unwrap();
    Stage { folder, service, tokens }
}

impl Stage {
    /// Sends a request with one of the tokens; shows the status and what was said.
    async fn ask(
        &self,
        path: &str,
        token: Option<usize>,
        headers: &[(&str, &str)],
        body: &str,
    ) -> String {
        let mut request = Request::post(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        if let Some(token) = token {
            let token = self.tokens.get(token).map_or("no token", String::as_str);
            request = request.header("authorization", format!("Bearer {token}"));
        }
        let body = RequestBody::from(Bytes::copy_from_slice(body.as_bytes()));
        let request = request.body(body).unwrap();
        let response = self.service.answer_request(request, ([127, 0, 0, 1], 1).into()).await;
        let status = response.status().as_u16();
        let body = response.into_body().collect().await.unwrap().to_bytes();
        let said = match serde_json::from_slice::<serde_json::Value>(&body) {
            Ok(json) => format!(
                "{} {}",
                json["error"]["code"].as_str().unwrap(),
                json["error"]["message"].as_str().unwrap()
            ),
            Err(_) => String::from_utf8_lossy(&body).into_owned(),
        };
        format!("{status} {said}")
    }

    fn unfinished(&self) -> usize {
        unfinished(self.folder.path())
    }
}

fn unfinished(root: &Path) -> usize {
    fs::read_dir(root.join(layout::TMP)).map_or(0, |it| it.count())
}

#[tokio::test]
async fn checks_come_in_their_order() {
    let stage = stage(&["content.update@content:posts:a", "content.read@content:*"]);
    let check = async |path: &str, token: Option<usize>, body: &str, expect: &str| {
        let answer = stage.ask(path, token, &[("content-type", "text/plain")], body).await;
        assert!(answer.starts_with(expect), "{path} {token:?}: {answer}");
    };
    let (writer, reader, invalid) = (Some(0), Some(1), Some(9));
    // Each of these has all the mistakes of those that follow.
    check("/nowhere", invalid, "x", "404 ").await;
    check("/w/%00/x", invalid, "x", "404 ").await;
    check("/w/nowhere/x", invalid, "x", "401 ").await;
    check("/w/nowhere/x", None, "x", "404 not_found There is no workspace").await;
    check("/w/main/nothing", None, "x", "404 not_found There is no content type").await;
    check("/w/main/notes", None, "x", "404 ").await;
    check("/w/main/notes", writer, "x", "404 ").await;
    check("/w/main/notes", reader, "x", "403 ").await;
    check("/w/main/posts", None, "x", "401 unauthorized This request needs a token.").await;
    let missing = "403 forbidden This needs the permission `content.update` on `content:posts:*`.";
    check("/w/main/posts", reader, "x", missing).await;
    check("/w/main/posts?a=%FF", writer, "x", "400 bad_request ").await;
    check("/w/main/posts", writer, "x", "415 ").await;
}

#[tokio::test]
async fn json_is_read_to_its_limit() {
    let stage = stage(&["content.update@content:*"]);
    let check = async |headers: &[(&str, &str)], body: &str, expect: &str| {
        let answer = stage.ask("/w/main/posts", Some(0), headers, body).await;
        assert_eq!(answer, expect, "{body}");
    };
    check(&[], "", "200 keys ").await;
    check(&[("content-type", "text/plain")], "", "200 keys ").await;
    check(&[JSON], r#"{"b":1,"a":2}"#, "200 keys b,a").await;
    let other = "415 unsupported_media_type The body must be JSON in UTF-8: application/json.";
    check(&[], "{}", other).await;
    check(&[("content-type", "text/plain")], "{}", other).await;
    let twice = "415 unsupported_media_type There is more than one Content-Type.";
    check(&[JSON, JSON], "{}", twice).await;
    let longest = format!("{{{}}}", " ".repeat(38));
    check(&[JSON], &longest, "200 keys ").await;
    let long = "413 payload_too_large The request body is larger than 40 bytes.";
    check(&[JSON], &format!("{longest} "), long).await;
    let list =
        "400 invalid_json The body must be a JSON object; this is an array at line 1, column 1.";
    check(&[JSON], "[]", list).await;
    for bad in ["{", "\n {\"a\": 1, \"a\": 2}", "{} {}", " "] {
        let answer = stage.ask("/w/main/posts", Some(0), &[JSON], bad).await;
        assert!(answer.starts_with("400 invalid_json "), "{bad}: {answer}");
        assert!(answer.contains(" at line ") && answer.contains(", column "), "{answer}");
    }
    let unread = stage.ask("/w/main/posts/none", Some(0), &[], "whatever").await;
    assert_eq!(unread, "200 none");
}

#[tokio::test]
async fn a_queued_change_counts_until_it_is_made_and_is_answered_where_there_is_time() {
    let stage = stage(&["content.update@content:*"]);
    let used = || stage.service.state.bodies.used_bytes();
    let held = async |leaves: bool| {
        let mut answer = Box::pin(stage.ask("/w/main/posts/held", Some(0), &[JSON], "{}"));
        let done = std::future::poll_fn(|context| {
            let answered = answer.as_mut().poll(context);
            assert!(answered.is_pending());
            let done = HELD.lock().pop();
            done.map_or_else(
                || {
                    context.waker().wake_by_ref();
                    Poll::Pending
                },
                Poll::Ready,
            )
        });
        (done.await, (!leaves).then_some(answer))
    };
    // The client leaves, and its body is in memory still.
    let (done, _) = held(true).await;
    assert!(used() > 0);
    done(FinishReply::new(Effort::Quick, |_| said(String::new())));
    assert_eq!(used(), 0);
    let here = std::thread::current().id();
    for (effort, is_here) in [(Effort::Quick, true), (Effort::Thorough, false)] {
        let (done, answer) = held(false).await;
        done(FinishReply::new(effort, move |_| {
            said(format!("here: {}", std::thread::current().id() == here))
        }));
        assert_eq!(answer.unwrap().await, format!("200 here: {is_here}"));
        assert_eq!(used(), 0);
    }
}

/// A route that is tried before the tree must not take the requests of another one.
#[test]
fn every_route_is_found_by_its_own_path() {
    let table: &'static [Endpoint] = Vec::leak(routes::list_endpoints());
    let router = build_router("", table).unwrap();
    for Endpoint { route, .. } in table {
        for value in ["x", "entries", "%41.zip"] {
            let segments = route.path.split('/').map(|it| match it.split_once('{') {
                Some((before, param)) => {
                    let after = param.split_once('}').unwrap().1;
                    format!("{before}{value}{after}")
                }
                None => it.to_string(),
            });
            let path = segments.collect::<Vec<_>>().join("/");
            let RouteMatch::Route { value: found, params } = router.find(&route.method, &path)
            else {
                panic!("no route for {} {path}", route.method);
            };
            let is_literal = found.route.path.matches('{').count() < route.params.len();
            assert!(found.route.name == route.name || is_literal, "{path}: {}", found.route.name);
            assert_eq!(params.iter().count(), found.route.params.len(), "{path}");
        }
    }
    for name in DIRECT_ROUTES {
        assert!(table.iter().any(|it| it.route.name == name), "there is no route {name}");
    }
}

#[tokio::test]
async fn the_rest_of_a_path_is_a_parameter() {
    let stage = stage(&["media.upload@media:*"]);
    for (path, expect) in [
        ("a", "200 rest a"),
        ("a%20%2F%20b", "200 rest a / b"),
        ("a/b%C3%A4/", "200 rest a/bä"),
        ("a/../b", "404 not_found There is nothing at this address."),
    ] {
        let path = format!("/w/main/all/of/{path}");
        assert_eq!(stage.ask(&path, Some(0), &[], "").await, expect, "{path}");
    }
}

fn part(disposition: &str, data: &str) -> String {
    format!("--b\r\nContent-Disposition: form-data; {disposition}\r\n\r\n{data}\r\n")
}

#[tokio::test]
async fn files_are_spooled_and_swept_away() {
    let stage = stage(&["media.upload@media:*"]);
    let check = async |parts: &[String], expect: &str| {
        let body = parts.concat() + "--b--\r\n";
        let answer = stage.ask("/files/main", Some(0), &[FORM], &body).await;
        assert_eq!(answer, expect);
        while stage.unfinished() > 0 {
            tokio::task::yield_now().await;
        }
    };
    let one = part("name=\"media[]\"; filename=a.png", "12345");
    let most = part("name=media; filename=b", &"x".repeat(1_000_000));
    let more = part("name=media; filename=b", &"x".repeat(1_000_001));
    let category = part("name=category", "Photos / Ä");
    let other = part("name=other", &"x".repeat(100_000));
    let nothing = part("name=\"media[]\"; filename=\"\"", "");
    check(std::slice::from_ref(&one), "200 files a.png:5 in None").await;
    check(
        &[category, other, nothing.clone(), most, one.clone()],
        "200 files b:1000000,a.png:5 in Some(\"Photos / Ä\")",
    )
    .await;
    // Whether that is enough is for those to say who know what the caller may do.
    check(&[nothing], "200 files  in None").await;
    check(
        &[one.clone(), more],
        "422 file_too_large This file is too large. The maximum is 1000000 bytes.",
    )
    .await;
    let long = part("name=category", &"x".repeat(70_000));
    check(&[one.clone(), long], "413 payload_too_large A text in the form has more than 64 KiB.")
        .await;
    let answer = stage.ask("/files/main", Some(0), &[FORM], &one).await;
    assert_eq!(answer, "400 bad_request The form is incomplete.");
    let answer = stage.ask("/files/main", Some(0), &[JSON], "{}").await;
    assert!(answer.starts_with("415 unsupported_media_type "), "{answer}");
    let unbound = ("content-type", "multipart/form-data");
    let answer = stage.ask("/files/main", Some(0), &[unbound], "{}").await;
    assert!(answer.starts_with("400 bad_request "), "{answer}");
}

#[tokio::test]
async fn who_leaves_leaves_nothing_behind() {
    let stage = stage(&["media.upload@media:*"]);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let counters = Arc::new(Counters::default());
    let service = Arc::new(stage.service.clone());
    let limits = ConnLimits::default();
    let server =
        tokio::spawn(listen::serve(listener, limits, counters, service, std::future::pending()));
    let mut client = TcpStream::connect(address).await.unwrap();
    let head = format!(
        "POST /files/main HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {}\r\n\
         Content-Type: {}\r\nContent-Length: 1000000\r\n\r\n",
        stage.tokens[0], FORM.1
    );
    let begun = part("name=media; filename=a", &"x".repeat(600_000));
    client.write_all((head + &begun).as_bytes()).await.unwrap();
    while stage.unfinished() == 0 {
        tokio::task::yield_now().await;
    }
    client.shutdown().await.unwrap();
    let mut answer = String::new();
    client.read_to_string(&mut answer).await.unwrap();
    while stage.unfinished() > 0 {
        tokio::task::yield_now().await;
    }
    server.abort();
}
