//! What a document gets at last, whatever made its parts: what tools need spelled out, and nothing
//! that is not used.

use std::collections::BTreeSet;

use serde_json::Map;
use serde_json::Value;

/// Keywords whose members are schemas by name: these names are no keywords.
const SCHEMAS_BY_NAME: [&str; 4] = ["properties", "patternProperties", "$defs", "schemas"];

/// Keywords that hold values, in which nothing is a keyword.
const VALUES: [&str; 5] = ["const", "default", "enum", "example", "examples"];

/// Where schemas and other components are referred to.
const COMPONENTS: &str = "#/components/";

/// Spells out types, and leaves out empty lists and components that nothing refers to.
pub(super) fn finish(document: &mut Value) {
    spell_out(document, false);
    prune(document);
}

/// Gives each schema with an `enum` or a `const` the type that its values have, and takes empty
/// lists of what is required away: many tools expect both.
fn spell_out(value: &mut Value, is_by_name: bool) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|it| spell_out(it, false)),
        Value::Object(map) => {
            if !is_by_name {
                spell_out_one(map);
            }
            for (key, inner) in map.iter_mut() {
                if is_by_name || !VALUES.contains(&key.as_str()) {
                    spell_out(inner, !is_by_name && SCHEMAS_BY_NAME.contains(&key.as_str()));
                }
            }
        }
        _ => {}
    }
}

fn spell_out_one(schema: &mut Map<String, Value>) {
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

/// The type that these values have, or the list of their types.
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

/// Takes the components away to which nothing refers that an operation refers to.
fn prune(document: &mut Value) {
    let mut used = BTreeSet::new();
    let mut unread = Vec::new();
    references(&document["paths"], &mut unread);
    while let Some(reference) = unread.pop() {
        if let Some(component) = document.pointer(&reference["#".len()..]) {
            let before = used.len();
            used.insert(reference);
            if used.len() > before {
                references(component, &mut unread);
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

fn references(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Array(items) => items.iter().for_each(|it| references(it, found)),
        Value::Object(map) => {
            let reference = map.get("$ref").and_then(Value::as_str);
            found.extend(reference.filter(|it| it.starts_with(COMPONENTS)).map(String::from));
            map.values().for_each(|it| references(it, found));
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
            finish(&mut document);
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
        // Fields may be called like keywords, and values may look like schemas.
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
        finish(&mut document);
        let left: Vec<&String> =
            document["components"]["schemas"].as_object().unwrap().keys().collect();
        assert_eq!(left, ["Used", "UsedByUsed"]);
    }
}
