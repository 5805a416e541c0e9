//! `json`: any JSON value, optionally validated by a JSON Schema.

use recto_json_schema::SchemaValidator;
use serde_json::Value;
use serde_json::json;

use crate::model::field::definition::FieldDefinition;
use crate::model::field::kind::Comparison;
use crate::model::field::kind::FieldKind;
use crate::model::field::kind::KindEntry;
use crate::model::field::kind::ValueForm;
use crate::model::field::limits::PATTERN_BYTES_MAX;
use crate::model::field::value_context::InputCheck;
use crate::model::problem::FieldProblems;
use crate::stdx::json::Json;

pub(super) const KIND: KindEntry = KindEntry {
    name: "json",
    about: "Any JSON value.",
    parse: |definition| Box::new(JsonField::parse(definition)),
    settings: || {
        json!({
            "schema": {
                "type": ["object", "boolean"],
                "description": "A JSON Schema for the value, without remote references. An empty value need not fit.",
            },
        })
    },
};

/// The maximum number of reported defects per value.
const DEFECTS_MAX: usize = 100;

/// The maximum number of pairs of a part of the value and a part of the schema for which single
/// defects are reported: the validator collects all of them before it returns the first.
const JUDGED_MAX: usize = 200_000;

#[derive(Debug)]
struct JsonField {
    schema: Option<CompiledSchema>,
}

#[derive(Debug)]
struct CompiledSchema {
    written: Value,
    validator: SchemaValidator,
}

impl CompiledSchema {
    fn check_value(&self, value: &Value, problems: &mut FieldProblems) {
        if self.validator.is_valid(value) {
            return;
        }
        if count_parts(value).saturating_mul(count_parts(&self.written)) > JUDGED_MAX {
            return problems.add("", "This does not match the schema of this field.");
        }
        for defect in self.validator.list_defects(value, DEFECTS_MAX) {
            problems.add(path_from_pointer(&defect.pointer), defect.message + ".");
        }
    }
}

/// The maximum number of parts of a schema after its references are followed. A few parts that
/// refer to each other twice would keep a server busy forever.
const FOLLOWED_MAX: usize = 10_000;

/// Keywords that apply several parts of a schema to the same value.
const COMBINING: &[&str] = &[
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "if",
    "then",
    "else",
    "contains",
    "dependencies",
    "dependentSchemas",
    "patternProperties",
    "propertyNames",
    "unevaluatedItems",
    "unevaluatedProperties",
];

/// Returns true if validation takes at most linear time: the references expand to few parts, and
/// where they are recursive, they do not apply twice to the same part of a value.
fn is_bounded(schema: &Value) -> bool {
    let mut walk =
        SchemaWalk { schema, within: Vec::new(), left: FOLLOWED_MAX, back: 0, combines: false };
    walk.check_part(schema) && (walk.back <= 1 || !walk.combines)
}

/// A traversal of a schema that follows its references.
struct SchemaWalk<'s> {
    schema: &'s Value,
    /// The references being followed.
    within: Vec<&'s str>,
    left: usize,
    /// The number of recursive references.
    back: usize,
    combines: bool,
}

impl<'s> SchemaWalk<'s> {
    /// Returns true if the traversal of a part stays within the limits.
    fn check_part(&mut self, part: &'s Value) -> bool {
        let Some(left) = self.left.checked_sub(1) else { return false };
        self.left = left;
        match part {
            Value::Array(items) => items.iter().all(|it| self.check_part(it)),
            Value::Object(map) => map.iter().all(|(key, value)| self.check_member(key, value)),
            _ => true,
        }
    }

    fn check_member(&mut self, key: &str, value: &'s Value) -> bool {
        self.combines |= COMBINING.contains(&key);
        match (key, value) {
            // The target of these references is only known during validation.
            ("$dynamicRef" | "$recursiveRef", Value::String(_)) => false,
            // Definitions are visited where they are referred to.
            ("$defs" | "definitions", Value::Object(_)) => true,
            ("$ref", Value::String(place)) if self.within.contains(&place.as_str()) => {
                self.back += 1;
                true
            }
            ("$ref", Value::String(place)) => {
                let target = place.strip_prefix('#').and_then(|it| self.schema.pointer(it));
                let Some(target) = target else { return false };
                self.within.push(place);
                let bounded = self.check_part(target);
                self.within.pop();
                bounded
            }
            (_, value) => self.check_part(value),
        }
    }
}

/// Returns the number of values in a value, including itself.
fn count_parts(value: &Value) -> usize {
    match value {
        Value::Array(items) => items.iter().map(count_parts).sum::<usize>() + 1,
        Value::Object(map) => map.values().map(count_parts).sum::<usize>() + 1,
        _ => 1,
    }
}

impl JsonField {
    fn parse(definition: &mut FieldDefinition<'_>) -> JsonField {
        let written = match definition.get("schema") {
            None => return JsonField { schema: None },
            Some(schema @ (Json::Object(_) | Json::Bool(_))) => Value::from(schema),
            Some(other) => {
                definition.add_type_problem("schema", "a JSON Schema", other);
                return JsonField { schema: None };
            }
        };
        if !is_bounded(&written) {
            let problem = "References must name a part of this schema by its path \
                           (`#/$defs/name`). They must not \
                           make it too large, or lead back in several ways.";
            definition.problems.extend(FieldProblems::from_problem("schema", problem));
            return JsonField { schema: None };
        }
        match SchemaValidator::compile(&written, PATTERN_BYTES_MAX) {
            Ok(validator) => JsonField { schema: Some(CompiledSchema { written, validator }) },
            Err(defect) => {
                let at = path_from_pointer(&defect.pointer);
                let problem = format!("This is not a usable JSON Schema: {}.", defect.message);
                let found = FieldProblems::from_problem(at, problem);
                definition.problems.extend(found.with_prefix("schema"));
                JsonField { schema: None }
            }
        }
    }
}

impl FieldKind for JsonField {
    fn accept_input(&self, input: &Json, check: &mut InputCheck<'_>) -> Json {
        if let Some(schema) = self.schema.as_ref().filter(|_| !input.is_empty()) {
            schema.check_value(&Value::from(input), check.problems);
        }
        input.clone()
    }

    fn comparison(&self) -> Comparison {
        Comparison::Json
    }

    fn json_schema(&self, form: ValueForm) -> Value {
        match &self.schema {
            Some(schema) if form != ValueForm::Shown && is_self_contained(&schema.written) => {
                json!({ "anyOf": [schema.written, { "enum": [null, "", [], {}] }] })
            }
            _ => json!({}),
        }
    }
}

/// Returns true if a schema has the same meaning inside of another schema.
fn is_self_contained(schema: &Value) -> bool {
    match schema {
        Value::Object(map) => {
            map.iter().all(|(key, value)| !key.starts_with('$') && is_self_contained(value))
        }
        Value::Array(items) => items.iter().all(is_self_contained),
        _ => true,
    }
}

/// Converts a JSON pointer to the path of a field: `/rows/2/key` becomes `rows[2].key`.
fn path_from_pointer(pointer: &str) -> String {
    let mut path = String::new();
    for token in pointer.split('/').skip(1) {
        if !token.is_empty() && token.bytes().all(|it| it.is_ascii_digit()) {
            path.push_str(&format!("[{token}]"));
            continue;
        }
        if !path.is_empty() {
            path.push('.');
        }
        path.push_str(&token.replace("~1", "/").replace("~0", "~"));
    }
    path
}

#[cfg(test)]
pub(super) const SAMPLES: &[super::kind_test::Sample] = &[
    super::kind_test::Sample {
        definition: r#"{"type":"json"}"#,
        accepted: &[
            (r#"{"b":[1,2.0,null],"a":"x"}"#, r#"{"b":[1,2.0,null],"a":"x"}"#),
            (r#""{\"a\":1}""#, r#""{\"a\":1}""#),
            ("false", "false"),
            ("[]", "[]"),
            (r#""""#, r#""""#),
        ],
        refused: &[],
        shown: &[],
        broken: &[
            (r#"{"schema":"x"}"#, "schema"),
            (r#"{"schema":{"properties":{"a":{"type":"nope"}}}}"#, "schema.properties.a.type"),
            (r#"{"schema":{"$ref":"https://x.org/schema.json"}}"#, "schema"),
            (r#"{"schema":{"$ref":"file:///etc/hosts"}}"#, "schema"),
            (r#"{"schema":{"$ref":"other.json"}}"#, "schema"),
            (r##"{"schema":{"$ref":"#/$defs/none"}}"##, "schema"),
            (r#"{"schema":{"pattern":"("}}"#, "schema.pattern"),
        ],
    },
    super::kind_test::Sample {
        definition: r#"{"type":"json","schema":{"type":"object","required":["a"],
            "properties":{"a":{"type":"array","items":{"type":"integer","maximum":9}}}}}"#,
        accepted: &[(r#"{"a":[1,2]}"#, r#"{"a":[1,2]}"#), ("[]", "[]")],
        refused: &[(r#"{"b":1}"#, ""), (r#"{"a":[1,"x",10]}"#, "a[1]"), (r#""a""#, "")],
        shown: &[(r#"{"b":1}"#, r#"{"b":1}"#)],
        broken: &[],
    },
    super::kind_test::Sample {
        definition: r##"{"type":"json","schema":{"$ref":"#/$defs/tree","$defs":{"tree":{
            "type":"object","additionalProperties":{"$ref":"#/$defs/tree"}}}}}"##,
        accepted: &[(r#"{"a":{"b":{}}}"#, r#"{"a":{"b":{}}}"#)],
        refused: &[(r#"{"a":{"b":1}}"#, "a.b")],
        shown: &[],
        broken: &[],
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defects_of_large_values_are_not_gathered() {
        let schema = json!({ "items": { "type": "string" } });
        let validator = SchemaValidator::compile(&schema, PATTERN_BYTES_MAX).unwrap();
        let schema = CompiledSchema { written: schema, validator };
        let check = |items: usize, expect: &[&str]| {
            let mut problems = FieldProblems::new();
            schema.check_value(&json!(vec![0; items]), &mut problems);
            let paths: Vec<&str> = problems.iter().map(|(path, _)| path).collect();
            assert_eq!(paths, expect, "{items} items");
        };
        check(0, &[]);
        check(2, &["[0]", "[1]"]);
        check(JUDGED_MAX, &[""]);
    }

    #[test]
    fn schemas_come_to_an_end() {
        let check = |schema: &str, expect: bool| {
            assert_eq!(is_bounded(&serde_json::from_str(schema).unwrap()), expect, "{schema}");
        };
        check("true", true);
        check(r##"{"$defs":{"a":{"type":"integer"}},"items":{"$ref":"#/$defs/a"}}"##, true);
        check(r##"{"$defs":{"a":{"items":{"$ref":"#/$defs/a"}}},"$ref":"#/$defs/a"}"##, true);
        check(r##"{"properties":{"a":{"$ref":"#"},"b":{"$ref":"#"}}}"##, true);
        check(r##"{"allOf":[{"items":{"$ref":"#"}},{"items":{"$ref":"#"}}]}"##, false);
        check(r##"{"anyOf":[{"type":"null"},{"items":{"$ref":"#"}}]}"##, true);
        check(r##"{"$ref":"#/$defs/missing"}"##, false);
        check(r##"{"$ref":"https://example.org/schema"}"##, false);
        check(r##"{"$dynamicRef":"#a"}"##, false);
        check(r##"{"properties":{"$ref":{"type":"string"}}}"##, true);
        // Each of the 40 parts refers to the next twice: 2^40 parts once expanded.
        let parts: Vec<String> = (0..40)
            .map(|it| {
                let next = format!("{{\"$ref\":\"#/$defs/d{}\"}}", it + 1);
                format!("\"d{it}\":{{\"allOf\":[{next},{next}]}}")
            })
            .collect();
        let bomb =
            format!("{{\"$defs\":{{{},\"d40\":true}},\"$ref\":\"#/$defs/d0\"}}", parts.join(","));
        check(&bomb, false);
    }

    #[test]
    fn pointers_become_paths() {
        let check = |pointer: &str, expect: &str| assert_eq!(path_from_pointer(pointer), expect);
        check("", "");
        check("/a", "a");
        check("/rows/2/key", "rows[2].key");
        check("/0/a~1b/", "[0].a/b.");
    }
}
