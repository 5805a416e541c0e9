//! The OpenAPI document against the service it describes: the one of the sample data is recorded
//! in `docs/openapi.json` (`UPDATE=1` writes it anew), and every answer must be as it says.

use crate::support::openapi::Answer;
use crate::support::openapi::DOCUMENT;
use crate::support::openapi::Document;
use crate::support::openapi::Stage;
use crate::support::openapi::addresses;
use crate::support::openapi::document;
use crate::support::openapi::visit;
use crate::support::recorded::check_recorded;
use http_body_util::BodyExt as _;
use recto::http::wire::head_check::HeadRefusal;
use recto::http::wire::http_service::HttpService as _;
use recto::http::wire::peer::Peer;
use serde_json::Value;

#[test]
fn the_document_is_the_recorded_one() {
    let stage = Stage::new();
    let Document(document, _) = document(&stage, &[]);
    let text = serde_json::to_string_pretty(&document).unwrap() + "\n";
    check_recorded("docs/openapi.json", &text, "openapi");
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

/// Documents are cached, by the types that the caller knows of.
#[test]
fn a_document_follows_the_content_types() {
    let stage = Stage::new();
    let (bearer, writer) = (stage.bearer(), stage.writer());
    let reading = [("authorization", &*bearer)];
    let writing = [("authorization", &*writer), ("content-type", "application/json")];
    let types = format!("{}/types.ts", DOCUMENT.rsplit_once('/').unwrap().0);
    let look = |headers: &[(&str, &str)]| {
        [DOCUMENT, &types, &format!("{DOCUMENT}?profile=simple")].map(|address| {
            let answer = stage.get(address, headers);
            let again = stage.get(address, headers);
            assert_eq!((answer.status, &answer.body), (200, &again.body), "{address}");
            assert_eq!(answer.headers["etag"], again.headers["etag"], "{address}");
            (String::from_utf8(answer.body.to_vec()).unwrap(), answer.headers["etag"].clone())
        })
    };
    let knows = |name: &str, headers: &[(&str, &str)]| {
        look(headers).map(|(text, _)| text.contains(name)).iter().all(|it| *it)
    };
    let (visitors, readers) = (look(&[]), look(&reading));
    assert!(visitors.iter().zip(&readers).all(|(one, other)| one != other));
    let address = format!("{}/content-types", DOCUMENT.rsplit_once('/').unwrap().0);
    let new = r#"{"name":"quokkas","label":"Quokkas","fields":{"pouch":{"type":"text"}}}"#;
    let made = stage.send("post", &address, &writing, new);
    assert_eq!(made.status, 201, "{:?}", made.body);
    assert!(knows("pouch", &reading));
    let address = format!("{address}/quokkas");
    let changed = r#"{"label":"Quokkas","fields":{"burrow":{"type":"text"}}}"#;
    let put = stage.send("put", &address, &writing, changed);
    assert_eq!(put.status, 200, "{:?}", put.body);
    assert!(knows("burrow", &reading) && !knows("pouch", &reading));
    assert_eq!(stage.send("delete", &address, &writing, "").status, 200);
    assert_eq!(look(&reading), readers);
    assert_eq!(look(&[]), visitors);
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
                    // Without a cursor or a token there is nothing to follow.
                    let follows = document.parameter(operation, "since").is_some();
                    let asks = path.ends_with("/files") && answer.status == 401;
                    let fits = answer.status < 300 || answer.status == 404 || follows || asks;
                    assert!(fits, "{address}");
                    document.check(operation, &address, &answer);
                    entries += usize::from(address.contains("/content/"));
                }
            }
        }
        assert!(entries > 100, "only {entries} addresses of entries were tried");
    }
}

/// Query strings that an operation takes, with every value that its parameters name.
fn queries(document: &Document, operation: &Value) -> Vec<String> {
    let mut found = vec![String::new(), "?unknown=1".to_string()];
    let takes = |name: &str| document.parameter(operation, name);
    if operation["responses"]["200"]["content"]["text/event-stream"].is_object() {
        // Others do not end.
        return vec!["?wait=0".to_string()];
    }
    if takes("limit").is_some() {
        found.push("?limit=1&offset=1&order=asc&q=the".to_string());
    }
    if takes("counts").is_some() {
        found.push("?counts=status&lenient=true&filter[nothing]=1&pretty=true".to_string());
    }
    if takes("media").is_some() {
        found.push("?media=full".to_string());
    }
    if let Some(locale) = takes("locale") {
        let codes = locale["schema"]["enum"].as_array();
        found.extend(
            codes.into_iter().flatten().map(|it| format!("?locale={}", it.as_str().unwrap())),
        );
    }
    for name in ["include", "fields"] {
        let Some(items) = takes(name).map(|it| &it["schema"]["items"]) else { continue };
        let names =
            if items["enum"].is_array() { &items["enum"] } else { &items["anyOf"][0]["enum"] };
        let names: Vec<&str> =
            names.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        found.push(format!("?{name}={}&locale=de", names.join(",")));
        found.push(format!("?{name}={}&media=full", names.join(",")));
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
    for query in ["w=abc", "preset=zz", "fit=tight"] {
        check(files, &format!("{file}?{query}"), &[], 422);
    }
    let sitemap = "/api/v1/workspaces/default/sitemap.xml";
    check(sitemap, &format!("{sitemap}?part=abc"), &[], 422);
}

#[test]
fn refused_requests_are_as_documented() {
    let stage = Stage::new();
    let document = document(&stage, &[]);
    let health = "/api/v1/workspaces/default/health";
    let operation = &document.0["paths"][health]["get"];
    for refusal in [HeadRefusal::Host, HeadRefusal::TargetTooLong, HeadRefusal::TooManyHeaders] {
        let response =
            stage.service.render_refusal(refusal, Peer::plain(([127, 0, 0, 1], 5000).into()));
        let (head, body) = response.into_response().into_parts();
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
    // What writing files takes depends on the files.
    let writes = document.operations().filter(|it| it.1 != "get" && !it.0.ends_with("/files"));
    for (path, method, operation) in writes {
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
            // A file that replaces another is taken without a form.
            let is_bare = method == "put" && path.ends_with("/media/{filename}");
            check(&[as_writer, text], "{}", if is_bare { &[404] } else { &[415] });
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
