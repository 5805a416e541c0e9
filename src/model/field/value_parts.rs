//! The parts of a value: what it holds at any depth in fields that have none inside.

use crate::stdx::json::Json;
use crate::stdx::json::Map;

/// Calls `each` for every part of the value of a field with this definition, with the definition of
/// the field that holds the part: for the value itself, or for those inside of objects, rows and
/// blocks.
pub fn visit_parts(definition: &Map, value: &mut Json, each: &mut dyn FnMut(&Map, &mut Json)) {
    let kind = definition.get("type").and_then(Json::as_str).unwrap_or_default();
    match (kind, value) {
        ("object", Json::Object(row)) => {
            if let Some(fields) = definition.get("fields").and_then(Json::as_object) {
                visit_members(fields, row, each);
            }
        }
        ("repeater", Json::Array(rows)) => {
            let subfields = definition.get("subfields").and_then(Json::as_array);
            let keyed = subfields.unwrap_or_default().iter().filter_map(|it| {
                let name = it.as_object()?.get("key")?.as_str()?;
                Some((name.to_string(), it.clone()))
            });
            let fields: Map = keyed.collect();
            for row in rows {
                if let Json::Object(row) = row {
                    visit_members(&fields, row, each);
                }
            }
        }
        ("blocks", Json::Array(rows)) => {
            let types = definition.get("blocks").and_then(Json::as_object);
            for row in rows {
                let Json::Object(row) = row else { continue };
                let name = row.get("_type").and_then(Json::as_str).unwrap_or_default();
                let block = types.and_then(|it| it.get(name)?.as_object());
                if let Some(fields) = block.and_then(|it| it.get("fields")?.as_object()) {
                    visit_members(fields, row, each);
                }
            }
        }
        (_, value) => each(definition, value),
    }
}

fn visit_members(fields: &Map, row: &mut Map, each: &mut dyn FnMut(&Map, &mut Json)) {
    for (name, definition) in fields.iter() {
        if let (Some(definition), Some(value)) = (definition.as_object(), row.get_mut(name)) {
            visit_parts(definition, value, each);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stdx::json::from_text::json;

    #[test]
    fn parts_are_found_at_any_depth() {
        let definition = json(
            r#"{"type":"blocks","blocks":{"a":{"fields":{"rows":{"type":"repeater","subfields":[
                {"key":"text","type":"text"},{"key":"in","type":"object",
                "fields":{"who":{"type":"relation","target":"people"}}}]}}}}}"#,
        );
        let mut value = json(
            r#"[{"_type":"a","rows":[{"text":"x","in":{"who":["y"]}},{"other":1}]},
                {"_type":"b","rows":[]},3]"#,
        );
        let (expect, mut found) = (value.clone(), Vec::new());
        visit_parts(definition.as_object().unwrap(), &mut value, &mut |definition, part| {
            found.push((definition.get("type").cloned(), part.clone()));
        });
        let part = |kind: &str, text: &str| (Some(Json::from(kind)), json(text));
        assert_eq!(found, [part("text", r#""x""#), part("relation", r#"["y"]"#)]);
        assert_eq!(value, expect);
    }
}
