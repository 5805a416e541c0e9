//! The schemas derived from the types that route rows name.

use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::Map;
use serde_json::Value;

use crate::http::openapi::json_schema;
use crate::http::request::json_type::JsonType;
use crate::http::request::route::BodyKind;
use crate::http::request::route::JsonInputKind;
use crate::http::request::route::ReplyKind;
use crate::http::request::route::Route;

/// Returns the schemas of these types of answers, and those that they refer to, by name.
pub(super) fn define_replies(types: &[JsonType]) -> Map<String, Value> {
    let settings = configure(SchemaSettings::draft2020_12());
    let mut replies = settings.for_serialize().into_generator();
    types.iter().for_each(|it| it.define_in(&mut replies));
    take_definitions(replies)
}

/// Returns the schemas of all types that these routes read and send, by name.
pub(super) fn collect_derived(routes: &[&Route]) -> Map<String, Value> {
    let settings = configure(SchemaSettings::draft2020_12());
    let mut inputs = settings.clone().for_deserialize().into_generator();
    let mut replies = settings.for_serialize().into_generator();
    for route in routes {
        if let BodyKind::Json { takes: JsonInputKind::Of(input), .. } = route.body {
            input.define_in(&mut inputs);
        }
        if let ReplyKind::Of(reply) | ReplyKind::ListOf(reply) = route.gives {
            reply.define_in(&mut replies);
        }
    }
    let mut found = take_definitions(inputs);
    found.extend(take_definitions(replies));
    found
}

fn configure(settings: SchemaSettings) -> SchemaSettings {
    settings.with(|it| {
        it.definitions_path = json_schema::SCHEMAS_PATH.into();
        it.meta_schema = None;
    })
}

fn take_definitions(mut generator: SchemaGenerator) -> Map<String, Value> {
    let mut found = generator.take_definitions(true);
    found.values_mut().for_each(remove_widths);
    found.values_mut().for_each(merge_constants);
    found.values_mut().for_each(join_lines);
    found
}

/// Replaces alternatives that are all constants, as derived from the variants of an `enum` with
/// doc comments, by the list of their values.
fn merge_constants(schema: &mut Value) {
    match schema {
        Value::Array(items) => items.iter_mut().for_each(merge_constants),
        Value::Object(members) => {
            if let Some(values) = members.get("oneOf").and_then(collect_constants) {
                members.remove("oneOf");
                members.insert("enum".to_string(), values.into());
            }
            members.values_mut().for_each(merge_constants);
        }
        _ => {}
    }
}

fn collect_constants(alternatives: &Value) -> Option<Vec<Value>> {
    alternatives.as_array()?.iter().map(|it| it.get("const").cloned()).collect()
}

/// Removes the widths of numbers (`format: "uint32"`), which the API does not promise.
fn remove_widths(schema: &mut Value) {
    match schema {
        Value::Array(items) => items.iter_mut().for_each(remove_widths),
        Value::Object(members) => {
            if members.get("format").and_then(Value::as_str).is_some_and(is_width) {
                members.remove("format");
            }
            members.values_mut().for_each(remove_widths);
        }
        _ => {}
    }
}

/// Joins the lines of descriptions, which are wrapped in the doc comments that they come from.
fn join_lines(schema: &mut Value) {
    match schema {
        Value::Array(items) => items.iter_mut().for_each(join_lines),
        Value::Object(members) => {
            if let Some(Value::String(text)) = members.get_mut("description") {
                *text = text.replace('\n', " ");
            }
            members.values_mut().for_each(join_lines);
        }
        _ => {}
    }
}

fn is_width(format: &str) -> bool {
    format.starts_with("uint") || format.starts_with("int") || matches!(format, "double" | "float")
}
