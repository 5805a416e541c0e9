//! The last step of building a document: adds types that tools expect, and removes unused parts.

use std::collections::BTreeSet;

use serde_json::Map;
use serde_json::Value;

/// Keywords whose members are schemas by name; these names are no keywords.
const SCHEMAS_BY_NAME: [&str; 4] = ["properties", "patternProperties", "$defs", "schemas"];

/// Keywords that contain values, in which nothing is a keyword.
const VALUES: [&str; 5] = ["const", "default", "enum", "example", "examples"];

/// The prefix of references to components.
const COMPONENTS: &str = "#/components/";

/// Spells out types, and removes empty lists and unreferenced components.
pub(super) fn finish_document(document: &mut Value) {
    spell_out_types(document, false);
    prune_components(document);
}

/// Adds the type of the values to each schema with `enum` or `const`, and removes empty `required`
/// lists: many tools expect both.
fn spell_out_types(value: &mut Value, is_by_name: bool) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|it| spell_out_types(it, false)),
        Value::Object(map) => {
            if !is_by_name {
                spell_out_schema(map);
            }
            for (key, inner) in map.iter_mut() {
                if is_by_name || !VALUES.contains(&key.as_str()) {
                    spell_out_types(inner, !is_by_name && SCHEMAS_BY_NAME.contains(&key.as_str()));
                }
            }
        }
        _ => {}
    }
}

fn spell_out_schema(schema: &mut Map<String, Value>) {
    if schema.get("required").and_then(Value::as_array).is_some_and(Vec::is_empty) {
        schema.remove("required");
    }
    if schema.contains_key("type") {
        return;
    }
    let one = schema.get("const").map(std::slice::from_ref);
    let values = one.or_else(|| schema.get("enum").and_then(Value::as_array).map(Vec::as_slice));
    if let Some(types) = values.and_then(types_of) {
        schema.insert("type".to_string(), types);
    }
}

/// Returns the type of these values, or the list of their types.
fn types_of(values: &[Value]) -> Option<Value> {
    let mut types: Vec<&str> = values.iter().map(type_of).collect();
    if types.contains(&"number") {
        types.retain(|it| *it != "integer");
    }
    types.sort_unstable();
    types.dedup();
    match types.as_slice() {
        [] => None,
        [one] => Some((*one).into()),
        several => Some(several.into()),
    }
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(it) if it.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// Removes the components that no operation references, directly or indirectly.
fn prune_components(document: &mut Value) {
    let mut used = BTreeSet::new();
    let mut unread = Vec::new();
    collect_references(&document["paths"], &mut unread);
    while let Some(reference) = unread.pop() {
        if let Some(component) = document.pointer(&reference["#".len()..]) {
            let before = used.len();
            used.insert(reference);
            if used.len() > before {
                collect_references(component, &mut unread);
            }
        }
    }
    let Some(components) = document["components"].as_object_mut() else { return };
    for (kind, of_kind) in components.iter_mut().filter(|it| it.0 != "securitySchemes") {
        if let Some(of_kind) = of_kind.as_object_mut() {
            of_kind.retain(|name, _| used.contains(&format!("{COMPONENTS}{kind}/{name}")));
        }
    }
}

fn collect_references(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Array(items) => items.iter().for_each(|it| collect_references(it, found)),
        Value::Object(map) => {
            let reference = map.get("$ref").and_then(Value::as_str);
            found.extend(reference.filter(|it| it.starts_with(COMPONENTS)).map(String::from));
            map.values().for_each(|it| collect_references(it, found));
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn types_of_values_are_spelled_out() {
        let check = |schema: Value, expect: Value| {
            let mut document = json!({ "paths": { "/": { "schema": schema } } });
            finish_document(&mut document);
            assert_eq!(document["paths"]["/"]["schema"], expect);
        };
        for (values, expect) in [
            (json!(["a", "b"]), json!("string")),
            (json!(["a", null]), json!(["null", "string"])),
            (json!([1, 2]), json!("integer")),
            (json!([1, 2.5, null]), json!(["null", "number"])),
        ] {
            check(json!({ "enum": values }), json!({ "enum": values, "type": expect }));
        }
        check(json!({ "const": true }), json!({ "const": true, "type": "boolean" }));
        check(
            json!({ "enum": ["a"], "type": "object" }),
            json!({ "enum": ["a"], "type": "object" }),
        );
        check(json!({ "required": [], "type": "object" }), json!({ "type": "object" }));
        // Fields may be named like keywords, and values may look like schemas.
        let alike = json!({
            "properties": { "const": { "type": "string" }, "required": {}, "properties": {} },
            "default": { "enum": ["a"], "required": [] },
        });
        check(alike.clone(), alike);
    }

    #[test]
    fn what_nothing_refers_to_is_left_out() {
        let reference = |name: &str| json!({ "$ref": format!("#/components/schemas/{name}") });
        let mut document = json!({
            "paths": { "/": { "schema": reference("Used") } },
            "components": { "schemas": {
                "Used": { "items": reference("UsedByUsed") },
                "UsedByUsed": { "items": reference("Used") },
                "Unused": { "items": reference("UsedByUnused") },
                "UsedByUnused": {},
            } },
        });
        finish_document(&mut document);
        let left: Vec<&String> =
            document["components"]["schemas"].as_object().unwrap().keys().collect();
        assert_eq!(left, ["Used", "UsedByUsed"]);
    }
}
