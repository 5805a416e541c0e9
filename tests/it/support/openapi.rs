//! The OpenAPI document of the sample content, and the service that answers beside it.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs;
use std::path::Path;
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
use recto::engine::EngineOptions;
use recto::http::request::state::ServiceOptions;
use recto::http::service::Service;
use recto::http::wire::counters::Counters;
use recto::http::wire::request_body::RequestBody;
use recto::model::name::TokenId;
use recto::model::people::token::Token;
use recto::model::people::token::TokenRecord;
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
    pub(crate) service: Service,
    pub(crate) runtime: Runtime,
    token: String,
    writer: String,
    /// Gone with the stage.
    _root: TempDir,
}

/// An answer as a client gets it.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }
}

impl Stage {
    pub(crate) fn new() -> Stage {
        let reading = r#"["content.read","media.read","schema.read"]"#;
        Stage::with_tokens(reading, r#"["content.*","media.*","schema.*"]"#)
    }

    /// With tokens for these actions.
    pub(crate) fn with_tokens(reading: &str, writing: &str) -> Stage {
        let root = TempDir::new().unwrap();
        copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("data-skeleton"), root.path());
        let (token, writer) = (Token::issue([1; 10], [2; 32]), Token::issue([3; 10], [4; 32]));
        place_token(root.path(), &token, reading);
        place_token(root.path(), &writer, writing);
        let clock = Arc::new(TestClock::at(Timestamp::parse("2026-05-03T12:00:00Z").unwrap()));
        let options = EngineOptions {
            base_url: BASE_URL.to_string(),
            ..EngineOptions::new(root.path().to_path_buf(), clock)
        };
        let app = App::new(Engine::open(options).unwrap(), Settings::default());
        let counters = Arc::new(Counters::default());
        let service = Service::new(app, ServiceOptions::default(), counters).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let (token, writer) = (token.reveal(), writer.reveal());
        Stage { service, runtime, token, writer, _root: root }
    }

    pub(crate) fn get(&self, address: &str, headers: &[(&str, &str)]) -> Answer {
        self.send("get", address, headers, "")
    }

    pub(crate) fn send(
        &self,
        method: &str,
        address: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Answer {
        let method = method.to_ascii_uppercase();
        let mut request = Request::builder().method(method.as_str()).uri(address);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let body = Bytes::copy_from_slice(body.as_bytes());
        let request = request.body(RequestBody::from(body)).unwrap();
        self.runtime.block_on(async {
            let peer = "127.0.0.1:5000".parse().unwrap();
            let (head, body) = self.service.answer_request(request, peer).await.into_parts();
            let body = body.collect().await.unwrap().to_bytes();
            Answer { status: head.status.as_u16(), headers: head.headers, body }
        })
    }

    pub(crate) fn bearer(&self) -> String {
        format!("Bearer {}", self.token)
    }

    pub(crate) fn writer(&self) -> String {
        format!("Bearer {}", self.writer)
    }
}

pub(crate) fn copy(from: &Path, to: &Path) {
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

pub(crate) fn place_token(root: &Path, token: &Token, actions: &str) {
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
    pub(crate) fn resolve<'d>(&'d self, value: &'d Value) -> &'d Value {
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

    pub(crate) fn parameters<'d>(
        &'d self,
        operation: &'d Value,
    ) -> impl Iterator<Item = &'d Value> {
        operation["parameters"].as_array().unwrap().iter().map(|it| self.resolve(it))
    }

    pub(crate) fn parameter<'d>(&'d self, operation: &'d Value, name: &str) -> Option<&'d Value> {
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

    pub(crate) fn validator(&self, schema: &Value) -> Rc<Validator> {
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

pub(crate) fn visit(value: &Value, each: &mut dyn FnMut(&Value)) {
    each(value);
    match value {
        Value::Array(items) => items.iter().for_each(|it| visit(it, each)),
        Value::Object(map) => map.values().for_each(|it| visit(it, each)),
        _ => {}
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
