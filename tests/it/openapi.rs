//! The OpenAPI document against the service it describes: the one of the sample data is recorded
//! in `docs/openapi.json` (`UPDATE=1` writes it anew), and every answer must be as it says.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

use bytes::Bytes;
use http::HeaderMap;
use http::Request;
use http_body_util::BodyExt as _;
use jsonschema::Validator;
use recto::app::App;
use recto::app::Settings;
use recto::engine::Engine;
use recto::engine::Options;
use recto::http::body::RequestBody;
use recto::http::conn::Counters;
use recto::http::conn::Service as _;
use recto::http::service;
use recto::http::service::Service;
use recto::http::vet::Refusal;
use recto::model::name::TokenId;
use recto::model::token::Token;
use recto::model::token::TokenRecord;
use recto::stdx::clock::TestClock;
use recto::stdx::json::Json;
use recto::stdx::time::Timestamp;
use serde_json::Value;
use tempfile::TempDir;
use tokio::runtime::Runtime;

pub(crate) const BASE_URL: &str = "http://localhost:8080";
pub(crate) const DOCUMENT: &str = "/api/v1/workspaces/default/openapi.json";

/// A service over a copy of the sample data, with a token that may read everything and one that may
/// do everything.
pub(crate) struct Stage {
    service: Service,
    runtime: Runtime,
    token: String,
    writer: String,
    /// Gone with the stage.
    _root: TempDir,
}

/// An answer as a client gets it.
pub(crate) struct Answer {
    pub(crate) status: u16,
    headers: HeaderMap,
    body: Bytes,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }
}

impl Stage {
    pub(crate) fn new() -> Stage {
        let root = TempDir::new().unwrap();
        copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("data-skeleton"), root.path());
        let (token, writer) = (Token::issue([1; 10], [2; 32]), Token::issue([3; 10], [4; 32]));
        let reading = r#"["content.read","media.read","schema.read"]"#;
        place_token(root.path(), &token, reading);
        place_token(root.path(), &writer, r#"["content.*","media.*","schema.*"]"#);
        let clock = Arc::new(TestClock::at(Timestamp::parse("2026-05-03T12:00:00Z").unwrap()));
        let options = Options {
            base_url: BASE_URL.to_string(),
            ..Options::new(root.path().to_path_buf(), clock)
        };
        let app = App::new(Engine::open(options).unwrap(), Settings::default());
        let counters = Arc::new(Counters::default());
        let service = Service::new(app, service::Options::default(), counters).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let (token, writer) = (token.reveal(), writer.reveal());
        Stage { service, runtime, token, writer, _root: root }
    }

    pub(crate) fn get(&self, address: &str, headers: &[(&str, &str)]) -> Answer {
        self.send("get", address, headers, "")
    }

    fn send(&self, method: &str, address: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let method = method.to_ascii_uppercase();
        let mut request = Request::builder().method(method.as_str()).uri(address);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let body = Bytes::copy_from_slice(body.as_bytes());
        let request = request.body(RequestBody::from(body)).unwrap();
        self.runtime.block_on(async {
            let peer = "127.0.0.1:5000".parse().unwrap();
            let (head, body) = self.service.answer(request, peer).await.into_parts();
            let body = body.collect().await.unwrap().to_bytes();
            Answer { status: head.status.as_u16(), headers: head.headers, body }
        })
    }

    fn bearer(&self) -> String {
        format!("Bearer {}", self.token)
    }

    fn writer(&self) -> String {
        format!("Bearer {}", self.writer)
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for item in fs::read_dir(from).unwrap() {
        let item = item.unwrap();
        let target = to.join(item.file_name());
        if item.file_type().unwrap().is_dir() {
            copy(&item.path(), &target);
        } else {
            fs::copy(item.path(), target).unwrap();
        }
    }
}

fn place_token(root: &Path, token: &Token, actions: &str) {
    let permissions = r#"{"name":"someone","permissions":[{"effect":"allow","actions":ACTIONS,
        "resources":["content:*","media:*","schema:*"]}],"secret_sha256":"FINGERPRINT"}"#;
    let text = permissions.replace("ACTIONS", actions);
    let text = text.replace("FINGERPRINT", &token.fingerprint().to_hex());
    let id: TokenId = token.id().clone();
    let record = TokenRecord::parse(&id, &Json::parse(text.as_bytes()).unwrap()).unwrap();
    let folder = root.join("system/tokens");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join(format!("{id}.json")), record.to_file().to_file()).unwrap();
}

/// A document, and what it says of answers. Validators are kept by their schema: they are slow to
/// build.
pub(crate) struct Document(pub(crate) Value, pub(crate) RefCell<HashMap<String, Rc<Validator>>>);

impl Document {
    /// What a reference points to.
    fn resolve<'d>(&'d self, value: &'d Value) -> &'d Value {
        match value["$ref"].as_str() {
            Some(path) => self.0.pointer(path.strip_prefix('#').unwrap()).unwrap(),
            None => value,
        }
    }

    /// All operations, each with its path and method.
    pub(crate) fn operations(&self) -> impl Iterator<Item = (&str, &str, &Value)> {
        self.0["paths"].as_object().unwrap().iter().flat_map(|(path, methods)| {
            let methods = methods.as_object().unwrap().iter();
            methods.map(move |(method, it)| (path.as_str(), method.as_str(), it))
        })
    }

    /// Those that read.
    pub(crate) fn paths(&self) -> impl Iterator<Item = (&str, &Value)> {
        let reading = self.operations().filter(|(_, method, _)| *method == "get");
        reading.map(|(path, _, operation)| (path, operation))
    }

    fn parameters<'d>(&'d self, operation: &'d Value) -> impl Iterator<Item = &'d Value> {
        operation["parameters"].as_array().unwrap().iter().map(|it| self.resolve(it))
    }

    fn parameter<'d>(&'d self, operation: &'d Value, name: &str) -> Option<&'d Value> {
        self.parameters(operation).find(|it| it["name"] == name)
    }

    /// Asserts that an answer to `address` is one that the operation documents.
    pub(crate) fn check(&self, operation: &Value, address: &str, answer: &Answer) {
        let status = answer.status.to_string();
        let text = String::from_utf8_lossy(&answer.body);
        let documented = &operation["responses"][&status];
        assert!(documented.is_object(), "{address} gave an undocumented {status}: {text}");
        let response = self.resolve(documented);
        for (name, header) in response["headers"].as_object().unwrap() {
            let required = self.resolve(header)["required"] == true;
            assert!(!required || answer.headers.contains_key(name), "{address} has no {name}");
        }
        let schema = &response["content"]["application/json"]["schema"];
        if schema.is_object() {
            let validator = self.validator(schema);
            let json = answer.json();
            let problems: Vec<_> = validator
                .iter_errors(&json)
                .map(|it| format!("{it} at {}", it.instance_path()))
                .collect();
            assert!(problems.is_empty(), "{address}: {problems:#?}\n{text}");
        }
    }

    fn validator(&self, schema: &Value) -> Rc<Validator> {
        let build = || {
            let mut whole = schema.clone();
            whole["components"] = self.0["components"].clone();
            let options = jsonschema::draft202012::options().should_validate_formats(true);
            Rc::new(options.build(&whole).unwrap())
        };
        self.1.borrow_mut().entry(schema.to_string()).or_insert_with(build).clone()
    }
}

pub(crate) fn document(stage: &Stage, headers: &[(&str, &str)]) -> Document {
    let answer = stage.get(DOCUMENT, headers);
    assert_eq!(answer.status, 200);
    Document(answer.json(), RefCell::default())
}

#[test]
fn the_document_is_the_recorded_one() {
    let stage = Stage::new();
    let Document(document, _) = document(&stage, &[]);
    let text = serde_json::to_string_pretty(&document).unwrap() + "\n";
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("docs/openapi.json");
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&file, &text).unwrap();
    }
    let recorded = fs::read_to_string(&file).unwrap_or_default();
    let differs = text.lines().zip(recorded.lines()).find(|(new, old)| new != old);
    assert!(text == recorded, "differs first at {differs:?} (UPDATE=1 records it anew)");
}

#[test]
fn schemas_and_references_are_valid() {
    let stage = Stage::new();
    let document = document(&stage, &[]);
    for (name, schema) in document.0["components"]["schemas"].as_object().unwrap() {
        if let Err(error) = jsonschema::draft202012::meta::validate(schema) {
            panic!("{name}: {error}");
        }
        document.validator(schema);
    }
    visit(&document.0, &mut |value| {
        if let Some(path) = value["$ref"].as_str() {
            assert!(document.0.pointer(path.strip_prefix('#').unwrap()).is_some(), "{path}");
        }
    });
    let mut ids: Vec<&str> =
        document.operations().map(|(_, _, it)| it["operationId"].as_str().unwrap()).collect();
    let count = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), count, "an operation id is there twice");
}

pub(crate) fn visit(value: &Value, each: &mut dyn FnMut(&Value)) {
    each(value);
    match value {
        Value::Array(items) => items.iter().for_each(|it| visit(it, each)),
        Value::Object(map) => map.values().for_each(|it| visit(it, each)),
        _ => {}
    }
}

#[test]
fn private_types_are_described_to_their_readers_alone() {
    let stage = Stage::new();
    let knows = |headers: &[(&str, &str)]| {
        let Document(document, _) = document(&stage, headers);
        document["components"]["schemas"]["NotesEntry"].is_object()
    };
    assert!(!knows(&[]));
    assert!(knows(&[("authorization", &stage.bearer())]));
}

#[test]
fn every_answer_is_as_documented() {
    let stage = Stage::new();
    let bearer = stage.bearer();
    let with_token = [("authorization", bearer.as_str())];
    for headers in [&[][..], &with_token[..]] {
        let document = document(&stage, headers);
        let mut entries = 0;
        for (path, operation) in document.paths() {
            for address in addresses(&stage, path, headers) {
                for query in queries(&document, operation) {
                    let address = format!("{address}{query}");
                    let answer = stage.get(&address, headers);
                    assert!(answer.status < 300 || answer.status == 404, "{address}");
                    document.check(operation, &address, &answer);
                    entries += usize::from(address.contains("/content/"));
                }
            }
        }
        assert!(entries > 100, "only {entries} addresses of entries were tried");
    }
}

/// A path with its parameters filled in, in all ways that lead somewhere and one that does not.
pub(crate) fn addresses(stage: &Stage, path: &str, headers: &[(&str, &str)]) -> Vec<String> {
    let ids = |list: &str, key: &str| {
        let answer = stage.get(list, headers).json();
        let items = answer["data"].as_array().cloned().unwrap_or_default();
        let named = items.iter().map(|it| it[key].as_str().unwrap().to_string());
        named.chain(["nothing".to_string()]).collect::<Vec<String>>()
    };
    if let Some(before) = path.strip_suffix("/{filename}") {
        let names = ids("/api/v1/workspaces/default/media", "filename");
        return names.into_iter().map(|it| format!("{before}/{it}")).collect();
    }
    if path.contains("{collection}") {
        let types = ids("/api/v1/workspaces/default/content-types", "name");
        let filled = types.into_iter().map(|it| path.replace("{collection}", &it));
        return filled.flat_map(|it| addresses(stage, &it, headers)).collect();
    }
    if let Some(before) = path.strip_suffix("/{identifier}") {
        return ids(before, "id").into_iter().map(|it| format!("{before}/{it}")).collect();
    }
    vec![path.to_string()]
}

/// Query strings that an operation takes, with every value that its parameters name.
fn queries(document: &Document, operation: &Value) -> Vec<String> {
    let mut found = vec![String::new(), "?unknown=1".to_string()];
    let takes = |name: &str| document.parameter(operation, name);
    if takes("limit").is_some() {
        found.push("?limit=1&offset=1&order=asc&q=the".to_string());
    }
    if takes("counts").is_some() {
        found.push("?counts=status&lenient=true&filter[nothing]=1&pretty=true".to_string());
    }
    if let Some(locale) = takes("locale") {
        let codes = locale["schema"]["enum"].as_array().unwrap();
        found.extend(codes.iter().map(|it| format!("?locale={}", it.as_str().unwrap())));
    }
    for name in ["include", "fields"] {
        let Some(items) = takes(name).map(|it| &it["schema"]["items"]) else { continue };
        let names =
            if items["enum"].is_array() { &items["enum"] } else { &items["anyOf"][0]["enum"] };
        let names: Vec<&str> =
            names.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        found.push(format!("?{name}={}&locale=de", names.join(",")));
        found.extend(names.iter().map(|it| format!("?{name}={it}")));
    }
    found
}

#[test]
fn documented_keys_and_operators_are_understood() {
    let stage = Stage::new();
    let document = document(&stage, &[]);
    let mut tried = 0;
    for (path, operation) in document.paths() {
        let mut check = |query: String| {
            let address = format!("{path}?{query}").replace('[', "%5B").replace(']', "%5D");
            let answer = stage.get(&address, &[]);
            assert_eq!(answer.status, 200, "{address}: {:?}", answer.body);
            assert!(answer.json()["meta"]["warnings"].is_null(), "{address} gave warnings");
            tried += 1;
        };
        if path.contains('{') {
            continue;
        }
        for parameter in document.parameters(operation) {
            let name = parameter["name"].as_str().unwrap();
            let schema = document.resolve(&parameter["schema"]);
            if parameter["style"] == "deepObject" {
                for (key, value) in schema["properties"].as_object().unwrap() {
                    check(format!("{name}[{key}]={}", sample(value)));
                }
            } else if name == "sort" {
                let keys = &schema["items"]["enum"];
                let keys = if keys.is_array() { keys } else { &schema["enum"] };
                for key in keys.as_array().unwrap() {
                    check(format!("sort={}", key.as_str().unwrap()));
                }
            }
        }
    }
    assert!(tried > 500, "only {tried} queries were tried");
}

fn sample(schema: &Value) -> &'static str {
    match (schema["type"].as_str(), schema["anyOf"].is_array()) {
        (Some("number"), _) => "1.5",
        (Some("boolean"), _) => "true",
        (_, true) => "2026-05-03",
        _ => "",
    }
}

#[test]
fn failures_are_as_documented() {
    let stage = Stage::new();
    let document = document(&stage, &[]);
    let etag = |address: &str| {
        let answer = stage.get(address, &[]);
        answer.headers["etag"].to_str().unwrap().to_string()
    };
    let check = |path: &str, address: &str, headers: &[(&str, &str)], status: u16| {
        let answer = stage.get(address, headers);
        assert_eq!(answer.status, status, "{address}: {:?}", answer.body);
        document.check(&document.0["paths"][path]["get"], address, &answer);
    };
    let posts = "/api/v1/workspaces/default/content/posts";
    let media = "/api/v1/workspaces/default/media";
    let file = "/media/default/emblem.png";
    let files = "/media/default/{filename}";
    for path in [posts, media, "/api/v1/workspaces/default/content-types", DOCUMENT] {
        check(path, path, &[("if-none-match", &etag(path))], 304);
        check(path, path, &[("authorization", "Bearer no")], 401);
    }
    for query in ["limit=0", "offset=-1", "order=up", "sort=nothing"] {
        check(posts, &format!("{posts}?{query}"), &[], 422);
        check(media, &format!("{media}?{query}"), &[], 422);
    }
    check(posts, &format!("{posts}?filter[nothing]=1&filter[featured]=maybe"), &[], 422);
    check(posts, &format!("{posts}?q=%FF"), &[], 400);
    check(media, &format!("{media}?q=%FF"), &[], 400);
    check(files, file, &[("range", "bytes=0-9")], 206);
    check(files, file, &[("range", "bytes=0-9,500-509")], 206);
    check(files, file, &[("range", "bytes=99999999-")], 416);
    check(files, file, &[("if-none-match", &etag(file))], 304);
    check(files, &format!("{file}?v=%FF"), &[], 400);
}

#[test]
fn refused_requests_are_as_documented() {
    let stage = Stage::new();
    let document = document(&stage, &[]);
    let health = "/api/v1/workspaces/default/health";
    let operation = &document.0["paths"][health]["get"];
    for refusal in [Refusal::Host, Refusal::TargetTooLong, Refusal::TooManyHeaders] {
        let response = stage.service.refuse(refusal, "127.0.0.1:5000".parse().unwrap());
        let (head, body) = response.into_parts();
        let body = stage.runtime.block_on(body.collect()).unwrap().to_bytes();
        let answer = Answer { status: head.status.as_u16(), headers: head.headers, body };
        document.check(operation, health, &answer);
    }
}

#[test]
fn refused_writes_are_as_documented() {
    let stage = Stage::new();
    let (reader, writer) = (stage.bearer(), stage.writer());
    let document = document(&stage, &[("authorization", &reader)]);
    let large = " ".repeat(2 * 1024 * 1024 + 1);
    let mut tried = 0;
    for (path, method, operation) in document.operations().filter(|it| it.1 != "get") {
        let address = path
            .replace("{collection}", "posts")
            .replace("{identifier}", "nothing")
            .replace("{filename}", "nothing.png")
            .replace("{category}", "Nothing");
        let mut check = |headers: &[(&str, &str)], body: &str, statuses: &[u16]| {
            let answer = stage.send(method, &address, headers, body);
            let told = format!("{method} {address} with {headers:?}");
            assert!(statuses.contains(&answer.status), "{told}: {:?}", answer.body);
            document.check(operation, &told, &answer);
            tried += 1;
        };
        let (as_reader, as_writer) =
            (("authorization", reader.as_str()), ("authorization", writer.as_str()));
        // A private type is there for those who know of it.
        check(&[], "{}", if path.contains("/notes") { &[404] } else { &[401] });
        check(&[("authorization", "Bearer no")], "{}", &[401]);
        check(&[as_reader], "{}", &[403]);
        let content = &document.resolve(&operation["requestBody"])["content"];
        if content.is_object() {
            let text = ("content-type", "text/plain");
            check(&[as_writer, text], "{}", &[415]);
        }
        if content["application/json"].is_object() {
            let json = ("content-type", "application/json");
            check(&[as_writer, json], "[]", &[400]);
            check(&[as_writer, json], r#"{"a":1,"a":1}"#, &[400]);
            check(&[as_writer, json], &large, &[413]);
        }
        if content["multipart/form-data"].is_object() {
            let form = ("content-type", "multipart/form-data; boundary=b");
            check(&[as_writer, form], "--b", &[400]);
            check(&[as_writer, form], "--b--", &[422]);
        }
    }
    assert!(tried > 150, "only {tried} requests were refused");
}

#[test]
fn writes_are_as_documented() {
    let stage = Stage::new();
    let writer = stage.writer();
    let writer = ("authorization", writer.as_str());
    let document = document(&stage, &[writer]);
    let check = |method: &str, path: &str, below: &str, more: (&str, &str), body: &str| {
        let scoped = |it: &str| format!("/api/v1/workspaces/default/{it}");
        let (path, address) = (scoped(path), scoped(below));
        let answer = stage.send(method, &address, &[writer, more], body);
        document.check(&document.0["paths"][&path][method], &address, &answer);
        answer.status
    };
    let json = ("content-type", "application/json");
    let form = ("content-type", "multipart/form-data; boundary=b");
    let file = "--b\r\nContent-Disposition: form-data; name=\"media[]\"; filename=\"a.txt\"\r\n\r\n\
                text\r\n--b--\r\n";
    let topic = "content/topics/{identifier}";
    let any_category = "media/categories/{category}";
    for (method, path, below, kind, body, expect) in [
        ("post", "content/topics", "content/topics", json, r#"{"title":"Wool","x":1}"#, 201),
        ("post", "content/{collection}", "content/topics", json, r#"{"title":"Wool"}"#, 201),
        ("put", topic, "content/topics/wool", json, r#"{"title":"Silk"}"#, 200),
        ("put", topic, "content/topics/wool", json, r#"{"title":""}"#, 422),
        ("patch", topic, "content/topics/wool?locale=de", json, r##"{"color":"#fff"}"##, 200),
        ("delete", topic, "content/topics/wool", ("if-match", "\"0\""), "", 412),
        ("delete", topic, "content/topics/wool", ("if-match", "*"), "", 200),
        ("patch", "content/start/start", "content/start/start", json, "{}", 200),
        ("post", "content-types", "content-types", json, r#"{"name":"songs"}"#, 201),
        ("put", "content-types/{collection}", "content-types/songs", json, "{}", 200),
        ("delete", "content-types/{collection}", "content-types/songs", json, "", 200),
        ("post", "media", "media", form, file, 201),
        ("put", "media/{filename}/meta", "media/a.txt/meta", json, r#"{"alt":"A"}"#, 200),
        ("patch", "media/{filename}/category", "media/a.txt/category", json, "{}", 422),
        ("post", "media/categories", "media/categories", json, r#"{"name":"A/B"}"#, 201),
        ("put", any_category, "media/categories/A/B", json, r#"{"name":"C"}"#, 200),
        ("delete", any_category, "media/categories/C", json, "", 200),
        ("delete", "media/{filename}", "media/a.txt", json, "", 200),
    ] {
        assert_eq!(check(method, path, below, kind, body), expect, "{method} {below} {body}");
    }
    let private = r#"{"visibility":"private"}"#;
    for method in ["put", "patch"] {
        let path = "media/{filename}/visibility";
        assert_eq!(check(method, path, "media/emblem.png/visibility", json, private), 200);
    }
    let many = r#"{"files":["emblem.png"],"visibility":"public"}"#;
    assert_eq!(check("put", "media/bulk-visibility", "media/bulk-visibility", json, many), 200);
}
