//! What nobody can make the server hold or do by asking for it: much expanded in few entries, much
//! memory in few bytes.

use std::sync::Arc;

use bytes::Bytes;
use http::Request;
use http::Response;
use http_body_util::BodyExt as _;
use recto::app::App;
use recto::app::Settings;
use recto::app::content::entries::EffortResult;
use recto::app::system::activity;
use recto::engine::Engine;
use recto::http::request::state::LogRequests;
use recto::http::request::state::ServiceOptions;
use recto::http::service::Service;
use recto::http::wire::counters::Counters;
use recto::http::wire::reply::ReplyBody;
use recto::http::wire::request_body::RequestBody;
use recto::query::execute::executor::Effort;
use recto::query::request::include::IncludeLimits;
use recto::stdx::clock::Clock;
use recto::stdx::clock::SystemClock;
use serde_json::Value;
use tokio::runtime::Runtime;

use crate::support::credentials::token;
use crate::support::credentials::token_file;
use crate::support::entry_writes::Scene;
use crate::support::folder;
use crate::support::random_content;

const WS: &str = "/api/v1/workspaces/main";

/// What a frame may have at most: what is cut at 64 KiB, and an id or the end behind it.
const FRAME_BYTES_MAX: usize = 65 * 1_024;

struct Server {
    service: Service,
    runtime: Runtime,
    _folder: tempfile::TempDir,
}

/// Entries of so many bytes, each related to all of them.
fn server(entries: usize, bytes: usize, include: IncludeLimits) -> Server {
    let schema = r#"{"fields":{"text":{"type":"text"},"related":{"type":"relation","target":"notes","multiple":true}}}"#;
    let related: Vec<String> = (0..entries).map(|it| format!("\"n{it}\"")).collect();
    let (related, text) = (related.join(","), "words ".repeat(bytes / 6));
    let mut files = vec![("schemas/notes.json".to_string(), schema.to_string())];
    files.extend((0..entries).map(|n| {
        let entry = format!(
            r#"{{"title":"N {n}","status":"published","data":{{"text":"{text}","related":[{related}]}}}}"#
        );
        (format!("content/notes/n{n}.json"), entry)
    }));
    serve(&files, include)
}

/// A server of a workspace with these files.
fn serve(files: &[(String, String)], include: IncludeLimits) -> Server {
    let data = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &[u8]| {
        let path = data.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    for (path, text) in files {
        write(&format!("workspaces/main/{path}"), text.as_bytes());
    }
    let (path, record) = token_file();
    write(&path, &record);
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let engine = Engine::open(folder::options(data.path(), &clock)).unwrap();
    let app = App::new(engine, Settings { include, ..Settings::default() });
    let chosen = ServiceOptions { log_requests: LogRequests::None, ..Default::default() };
    let service = Service::new(app, chosen, Arc::new(Counters::default())).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    Server { service, runtime, _folder: data }
}

impl Server {
    fn ask(&self, request: http::request::Builder, body: &str) -> Response<ReplyBody> {
        let body = RequestBody::from(Bytes::copy_from_slice(body.as_bytes()));
        let request = request.body(body).unwrap();
        self.runtime.block_on(self.service.answer_request(request, ([127, 0, 0, 1], 1).into()))
    }

    fn get(&self, path: &str) -> Response<ReplyBody> {
        self.ask(Request::get(format!("{WS}/content/notes{path}")), "")
    }

    fn frames(&self, response: Response<ReplyBody>) -> Vec<Bytes> {
        let mut body = response.into_body();
        self.runtime.block_on(async {
            let mut frames = Vec::new();
            while let Some(frame) = body.frame().await {
                frames.push(frame.unwrap().into_data().unwrap());
            }
            frames
        })
    }

    fn json(&self, response: Response<ReplyBody>) -> (u16, Value) {
        let status = response.status().as_u16();
        let body = self.frames(response).concat();
        (status, serde_json::from_slice(&body).unwrap_or_else(|error| panic!("{error}")))
    }
}

/// A client that does not read holds two frames. Of those who get a list of everything, four have
/// large ones.
#[test]
fn few_answers_have_large_frames() {
    let server = server(300, 3_000, IncludeLimits::default());
    let longest = |bodies: &mut [ReplyBody]| {
        bodies.iter_mut().map(|body| server.runtime.block_on(longest_of_frames(body, 3))).max()
    };
    let open = |count: usize| -> Vec<ReplyBody> {
        (0..count).map(|_| server.get("").into_body()).collect()
    };
    let mut first = open(4);
    for body in &mut first {
        assert!(longest(std::slice::from_mut(body)) > Some(3 * FRAME_BYTES_MAX));
    }
    assert!(longest(&mut open(4)) <= Some(FRAME_BYTES_MAX));
    let whole = server.frames(server.get("")).concat();
    drop(first);
    let large = server.frames(server.get(""));
    assert!(large.iter().any(|it| it.len() > 3 * FRAME_BYTES_MAX));
    assert!(large.concat() == whole);
}

/// Returns the length of the longest of the next frames.
async fn longest_of_frames(body: &mut ReplyBody, count: usize) -> usize {
    let mut longest = 0;
    for _ in 0..count {
        let frame = body.frame().await.unwrap().unwrap().into_data().unwrap();
        longest = longest.max(frame.len());
    }
    longest
}

#[test]
fn what_is_expanded_is_cut_inside_entries_too() {
    let server = server(30, 20_000, IncludeLimits::default());
    for path in ["?include=related&sort=id", "/n3?include=related", "/n3?include=related&pretty"] {
        let frames = server.frames(server.get(path));
        let longest = frames.iter().map(Bytes::len).max().unwrap();
        let most = if path.ends_with("pretty") { 2 * FRAME_BYTES_MAX } else { FRAME_BYTES_MAX };
        assert!(frames.len() > 5 && longest <= most, "{path}: {} of {longest}", frames.len());
        let body: Value = serde_json::from_slice(&frames.concat()).unwrap();
        let one = body["data"].get(0).unwrap_or(&body["data"]);
        let related = one["data"]["related"].as_array().unwrap();
        assert_eq!((related.len(), related[29]["id"].as_str()), (30, Some("n29")), "{path}");
    }
}

#[test]
fn a_long_entry_is_tagged_like_a_short_one() {
    let server = server(30, 20_000, IncludeLimits::default());
    let tag = |path: &str| server.get(path).headers()["etag"].to_str().unwrap().to_string();
    let plain = tag("/n3?include=related");
    assert_eq!(plain, tag("/n3?include=related"));
    assert_ne!(plain, tag("/n3?include=related&pretty"));
    assert_ne!(plain, tag("/n3"));
    let again = Request::get(format!("{WS}/content/notes/n3?include=related"));
    let again = again.header("if-none-match", plain.as_str());
    assert_eq!(server.ask(again, "").status(), 304);
    let coded = Request::get(format!("{WS}/content/notes/n3?include=related"));
    let coded = server.ask(coded.header("accept-encoding", "br, gzip"), "");
    assert_eq!(coded.headers()["content-encoding"], "gzip");
    assert_eq!(coded.headers()["etag"], format!("{}-gzip\"", plain.trim_end_matches('"')).as_str());
}

#[test]
fn what_is_expanded_is_counted_before_the_first_byte() {
    let check = |limits: IncludeLimits, path: &str, expect: Option<&str>| {
        let server = server(30, 1_000, limits);
        let (status, body) = server.json(server.get(path));
        let told = body["error"]["fields"]["include"].as_str();
        assert_eq!((status, told), (if expect.is_some() { 422 } else { 200 }, expect), "{path}");
    };
    let limits = |entries_max, bytes_max| IncludeLimits { entries_max, bytes_max };
    let entries = |most: usize| {
        format!(
            "This would expand more than {most} entries, the limit `include.max_entries`. Request \
             fewer at once."
        )
    };
    check(limits(900, u64::MAX), "?include=related", None);
    check(limits(899, u64::MAX), "?include=related", Some(&entries(899)));
    check(limits(899, u64::MAX), "?include=related&limit=29", None);
    check(limits(29, u64::MAX), "/n1?include=related", Some(&entries(29)));
    check(limits(30, u64::MAX), "/n1?include=related", None);
    let bytes = "This would expand more than 1000000 bytes, the limit `include.max_bytes`. Request \
                 fewer at once.";
    check(limits(usize::MAX, 1_000_000), "?include=related", Some(bytes));
    check(limits(usize::MAX, 1_000_000), "?include=related&limit=10", None);
    let deep = "This would expand more than 10000 entries.";
    check(limits(usize::MAX, u64::MAX), "?include=related.related", Some(deep));
}

/// Two bytes of text can take a hundred in memory.
#[test]
fn bodies_have_so_many_values() {
    let server = server(1, 100, IncludeLimits::default());
    let post = |values: usize| {
        let request = Request::post(format!("{WS}/content/notes"))
            .header("authorization", format!("Bearer {}", token().reveal()))
            .header("content-type", "application/json");
        // The body, `x` and its items.
        let items = vec!["[]"; values - 2].join(",");
        let (status, body) = server.json(server.ask(request, &format!("{{\"x\":[{items}]}}")));
        (status, body["error"]["message"].as_str().unwrap().to_string())
    };
    let most = "The body has more than 200000 values.".to_string();
    assert_eq!(post(200_001), (413, most));
    assert_eq!(post(200_000).0, 422, "an entry needs a title");
}

/// The pages of an entry name each other: in many languages, a few entries fill a sitemap.
#[test]
fn parts_of_a_sitemap_are_short() {
    const LOCALES: usize = 90;
    const ENTRIES: usize = 24;
    let locales: Vec<String> = (0..LOCALES).map(|it| format!("l{it}")).collect();
    let schema = serde_json::json!({
        "locales": locales,
        "fields": {},
        "feed": { "url": "https://www.example.org/{locale}/stories/of/all/people/{id}" },
    });
    let translations: serde_json::Map<String, Value> = locales
        .iter()
        .skip(1)
        .map(|it| (it.clone(), serde_json::json!({ "title": "T" })))
        .collect();
    let mut files = vec![("schemas/notes.json".to_string(), schema.to_string())];
    files.extend((0..ENTRIES).map(|n| {
        let title = format!("N {n}");
        let entry = serde_json::json!({
            "title": title, "status": "published", "translations": translations,
        });
        (format!("content/notes/n{n}.json"), entry.to_string())
    }));
    let server = serve(&files, IncludeLimits::default());
    let sitemap = |query: &str| {
        let response = server.ask(Request::get(format!("{WS}/sitemap.xml{query}")), "");
        let status = response.status().as_u16();
        (status, String::from_utf8(server.frames(response).concat()).unwrap())
    };
    let (status, list) = sitemap("");
    assert!(status == 200 && list.contains("sitemap.xml?part=1</loc>"), "{status} {list}");
    let n_parts = list.matches("<sitemap>").count();
    assert!(n_parts > 1, "{list}");
    let mut n_pages = 0;
    for part in 1..=n_parts {
        let (status, text) = sitemap(&format!("?part={part}"));
        assert!(status == 200 && text.len() <= 12 * 1_024 * 1_024, "{status} {}", text.len());
        n_pages += text.matches("<loc>").count();
    }
    assert_eq!(n_pages, LOCALES * ENTRIES);
    assert_eq!(sitemap(&format!("?part={}", n_parts + 1)).0, 422);
}

/// A list that takes long is kept, and is the same as one that is not.
#[test]
fn many_types_are_listed_once() {
    const TYPES: usize = 250;
    let file = |n: usize| (format!("schemas/t{n}.json"), r#"{"fields":{}}"#.to_string());
    let server = serve(&(0..TYPES).map(file).collect::<Vec<_>>(), IncludeLimits::default());
    let list = |query: &str| {
        let response = server.ask(Request::get(format!("{WS}/content-types{query}")), "");
        assert_eq!(response.headers()["content-type"], "application/json; charset=utf-8");
        server.json(response)
    };
    let (status, first) = list("");
    assert_eq!((status, first["data"].as_array().map(Vec::len)), (200, Some(TYPES)));
    assert_eq!(first["meta"]["total"], TYPES);
    assert_eq!(list(""), (200, first.clone()));
    assert_eq!(list("?pretty=1"), (200, first));
}

#[test]
fn a_long_activity_log_is_read_in_the_lane() {
    let scene = Scene::new(&[]);
    let folder = scene.data.path().join("system/activity");
    std::fs::create_dir_all(&folder).unwrap();
    let line = r#"{"id":"1","time":"2025-12-24T18:00:00Z","level":"info","type":"settings.updated","message":"Settings were updated."}"#;
    let lines = format!("{line}\n").repeat(50_000);
    std::fs::write(folder.join("2025-12.jsonl"), lines).unwrap();
    std::fs::write(folder.join("2026-01.jsonl"), format!("{line}\n")).unwrap();
    let grants = r#"{"actions":["*"],"resources":["*"]}"#.to_string();
    let caller = random_content::token(&[grants]);
    let check = |query: &str, effort: Effort, expect: Option<usize>| {
        let listed = activity::list(&scene.app, &caller, query, effort).unwrap();
        let EffortResult::Done(page) = listed else { return assert_eq!(expect, None, "{query}") };
        let meta = serde_json::to_value(&page.meta).unwrap();
        assert_eq!(meta["total"].as_u64(), expect.map(|it| it as u64), "{query}");
    };
    check("limit=1", Effort::Thorough, None);
    check("limit=1", Effort::Heavy, Some(50_001));
    check("limit=1&level=error", Effort::Heavy, Some(0));
    check("limit=1&since=2026-01-01", Effort::Thorough, Some(0));
    check("limit=1&type=settings&since=2025-12-01", Effort::Thorough, None);
}
