//! Whether generators of clients can read both OpenAPI documents: what they stumbled over is not in
//! there. `tests/clients.sh` lets some of them make clients.

use std::cell::RefCell;
use std::collections::BTreeSet;

use recto::http::openapi;
use recto::http::routes;
use serde_json::Value;

use crate::support::openapi::BASE_URL;
use crate::support::openapi::DOCUMENT;
use crate::support::openapi::Document;
use crate::support::openapi::Stage;
use crate::support::openapi::addresses;
use crate::support::openapi::document;
use crate::support::openapi::visit;

/// Both documents, the first in both profiles.
fn documents(stage: &Stage) -> Vec<(&'static str, Value)> {
    let simple = stage.get(&format!("{DOCUMENT}?profile=simple"), &[]);
    assert_eq!(simple.status, 200);
    vec![
        ("full", document(stage, &[]).0),
        ("simple", simple.json()),
        ("admin", openapi::admin::build_document(&routes::build_table(), BASE_URL)),
    ]
}

/// What generators stumble over, each of which one of them did.
#[test]
fn generators_find_nothing_to_stumble_over() {
    for (document, text) in documents(&Stage::new()) {
        assert_eq!(text["info"]["license"]["identifier"], "MIT OR Apache-2.0", "{document}");
        assert!(text["info"]["contact"]["url"].is_string(), "{document}");
        let described = |what: &Value, about: &str| {
            let is_there = what["description"].as_str().is_some_and(|it| !it.is_empty());
            assert!(is_there, "{document}: {about} has no description");
        };
        for tag in text["tags"].as_array().unwrap() {
            let name = tag["name"].as_str().unwrap();
            described(tag, &format!("the group `{name}` (`about_tag` in src/http/openapi/)"));
        }
        for (path, methods) in text["paths"].as_object().unwrap() {
            for (method, operation) in methods.as_object().unwrap() {
                described(operation, &format!("{method} {path}"));
                let own = |it: &&Value| it["$ref"].is_null();
                for parameter in operation["parameters"].as_array().unwrap().iter().filter(own) {
                    described(parameter, &format!("{path} {}", parameter["name"]));
                }
            }
        }
        let references = references(&text);
        for (kind, components) in text["components"].as_object().unwrap() {
            for (name, component) in components.as_object().unwrap() {
                let is_plain = |it: char| it.is_ascii_alphanumeric() || "_-".contains(it);
                assert!(name.chars().all(is_plain), "{document}: {name}");
                let path = format!("#/components/{kind}/{name}");
                let is_used = kind == "securitySchemes" || references.contains(path.as_str());
                assert!(is_used, "{document}: nothing refers to {name}");
                if kind == "parameters" {
                    described(component, name);
                }
            }
        }
        visit(&text, &mut |schema| is_plain_schema(document, &text, schema));
    }
}

/// Asserts that an enumeration has a type, that what is required is declared, and that what a
/// schema inherits is not said again.
fn is_plain_schema(document: &str, text: &Value, schema: &Value) {
    if schema["enum"].is_array() || schema["const"].is_string() {
        assert!(!schema["type"].is_null(), "{document}: {schema} has no type");
    }
    let declares = |it: &Value, name: &str| !it["properties"][name].is_null();
    for name in schema["required"].as_array().into_iter().flatten() {
        let name = name.as_str().unwrap();
        assert!(
            declares(schema, name),
            "{document}: {name} is required and not declared: {schema}"
        );
    }
    let mut inherited = BTreeSet::new();
    for part in schema["allOf"].as_array().into_iter().flatten() {
        let part = match part["$ref"].as_str() {
            Some(path) => text.pointer(&path[1..]).unwrap(),
            None => part,
        };
        for name in part["properties"].as_object().into_iter().flat_map(|it| it.keys()) {
            assert!(inherited.insert(name), "{document}: {name} is said twice: {schema}");
        }
    }
}

fn references(value: &Value) -> BTreeSet<&str> {
    match value {
        Value::Array(items) => items.iter().flat_map(references).collect(),
        Value::Object(map) => {
            let own = map.get("$ref").and_then(Value::as_str);
            own.into_iter().chain(map.values().flat_map(references)).collect()
        }
        _ => BTreeSet::new(),
    }
}

#[test]
fn the_simple_profile_has_no_schema_that_contains_itself() {
    let stage = Stage::new();
    let contains_itself = |document: &Value| {
        let schemas = document["components"]["schemas"].as_object().unwrap();
        schemas.keys().any(|name| {
            let path = format!("#/components/schemas/{name}");
            let (mut seen, mut unread) = (BTreeSet::new(), references(&schemas[name]));
            while let Some(reference) = unread.pop_first() {
                if seen.insert(reference) {
                    unread.extend(references(document.pointer(&reference[1..]).unwrap()));
                }
            }
            seen.contains(path.as_str())
        })
    };
    let documents = documents(&stage);
    let [(_, full), (_, simple), _] = documents.as_slice() else { panic!() };
    assert!(contains_itself(full) && !contains_itself(simple));
    assert!(
        full.to_string().contains("\"include\"") && !simple.to_string().contains("\"include\"")
    );
    let takes_media = |it: &Value| it["components"]["parameters"]["media"].is_object();
    assert!(takes_media(full) && !takes_media(simple));
    // What is answered without `include` and `media` is as it says.
    let simple = Document(simple.clone(), RefCell::default());
    let mut entries = 0;
    for (path, operation) in simple.paths() {
        for address in addresses(&stage, path, &[]) {
            simple.check(operation, &address, &stage.get(&address, &[]));
            entries += usize::from(address.contains("/content/"));
        }
    }
    assert!(entries > 20, "only {entries} addresses of entries were tried");
}
