//! The schemas derived from the types that route rows name.

use schemars::Schema;
use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use serde_json::Map;
use serde_json::Value;
use serde_json::json;

use crate::http::openapi::json_schema;
use crate::http::request::json_type::JsonType;
use crate::http::request::route::BodyKind;
use crate::http::request::route::JsonInputKind;
use crate::http::request::route::ReplyKind;
use crate::http::request::route::Route;
use crate::stdx::json_schema::NULLABLE;

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
    let mut inputs = settings
        .clone()
        .for_deserialize()
        .with_transform(RecursiveTransform(refuse_null))
        .into_generator();
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

/// Removes `null` from the optional members of bodies: they are left out instead, unless they are
/// marked as [`NULLABLE`]. Deriving cannot tell the two apart, since both are an `Option`.
fn refuse_null(schema: &mut Schema) {
    let required = schema.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    let Some(members) = schema.get_mut("properties").and_then(Value::as_object_mut) else { return };
    for (name, member) in members {
        let is_optional = !required.iter().any(|it| it == name);
        let Some(member) = member.as_object_mut() else { continue };
        if member.remove(NULLABLE).is_none() && is_optional {
            remove_null(member);
        }
    }
}

/// Removes `null` from the values that a schema allows, in the forms that an `Option` has.
fn remove_null(schema: &mut Map<String, Value>) {
    let nulls =
        [("type", json!("null")), ("enum", Value::Null), ("anyOf", json!({"type": "null"}))];
    for (keyword, null) in nulls {
        if let Some(Value::Array(choices)) = schema.get_mut(keyword) {
            choices.retain(|it| *it != null);
        }
    }
    if let Some([one]) = schema.get("type").and_then(Value::as_array).map(Vec::as_slice) {
        let one = one.clone();
        schema.insert("type".to_string(), one);
    }
    if let Some([Value::Object(one)]) =
        schema.get("anyOf").and_then(Value::as_array).map(Vec::as_slice)
    {
        let one = one.clone();
        schema.remove("anyOf");
        schema.extend(one);
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn optional_members_of_bodies_are_left_out() {
        let check = |members: Value, expect: Value| {
            let value = json!({ "properties": members, "required": ["must"] });
            let mut schema = Schema::try_from(value).unwrap();
            refuse_null(&mut schema);
            assert_eq!(schema.get("properties"), Some(&expect));
        };
        let texts = json!(["string", "null"]);
        check(json!({ "may": { "type": texts } }), json!({ "may": { "type": "string" } }));
        check(json!({ "must": { "type": texts } }), json!({ "must": { "type": texts } }));
        let marked = json!({ "may": { "type": texts, "nullable": true } });
        check(marked, json!({ "may": { "type": texts } }));
        let two = json!({ "may": { "type": ["array", "string", "null"] } });
        check(two, json!({ "may": { "type": ["array", "string"] } }));
        let names = json!({ "may": { "type": texts, "enum": ["a", null] } });
        check(names, json!({ "may": { "type": "string", "enum": ["a"] } }));
        let named = json!({ "$ref": "#/components/schemas/A" });
        let reference = json!({ "may": { "anyOf": [named, { "type": "null" }] } });
        check(reference, json!({ "may": named }));
    }
}
