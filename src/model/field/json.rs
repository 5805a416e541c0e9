//! `json`: any JSON value, judged by a JSON Schema if there is one.

use jsonschema::PatternOptions;
use jsonschema::Validator;
use serde_json::Value;
use serde_json::json;

use crate::model::field::Comparison;
use crate::model::field::Definition;
use crate::model::field::Face;
use crate::model::field::FieldKind;
use crate::model::field::KindEntry;
use crate::model::field::World;
use crate::model::field::limits::PATTERN_BYTES_MAX;
use crate::model::problem::FieldProblems;
use crate::stdx::json::Json;

pub(super) const KIND: KindEntry = KindEntry {
    name: "json",
    about: "Any JSON value.",
    parse: |definition| Box::new(AnyJson::parse(definition)),
    settings: || {
        json!({
            "schema": {
                "type": ["object", "boolean"],
                "description": "A JSON Schema for the value, without references to elsewhere.",
            },
        })
    },
};

/// The most defects of one value that are told.
const DEFECTS_MAX: usize = 100;

/// How many pairs of a part of a value and a part of the schema there may be for defects to be told
/// one by one: all of them are gathered before the first is.
const JUDGED_MAX: usize = 200_000;

#[derive(Debug)]
struct AnyJson {
    schema: Option<Schema>,
}

#[derive(Debug)]
struct Schema {
    written: Value,
    validator: Validator,
}

impl Schema {
    fn judge(&self, value: &Value, problems: &mut FieldProblems) {
        if self.validator.is_valid(value) {
            return;
        }
        if parts(value).saturating_mul(parts(&self.written)) > JUDGED_MAX {
            return problems.add("", "This does not fit the schema of this field.");
        }
        for error in self.validator.iter_errors(value).take(DEFECTS_MAX) {
            let problem = format!("{}.", error.masked_with("This"));
            problems.add(path(error.instance_path().as_str()), problem);
        }
    }
}

/// How many parts a schema may come to once its references are followed: a few of them that refer to
/// one another twice would keep a server busy for ever.
const FOLLOWED_MAX: usize = 10_000;

/// Keywords by which several parts of a schema judge one and the same value.
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

/// Whether judging by a schema takes a time that grows with the value and no faster: its references
/// come to few parts in all, and where they lead back to where they stand, they do not do so twice
/// for the same part of a value.
fn is_bounded(schema: &Value) -> bool {
    let mut walk =
        Walk { schema, within: Vec::new(), left: FOLLOWED_MAX, back: 0, combines: false };
    walk.follow(schema) && (walk.back <= 1 || !walk.combines)
}

/// A way through a schema that follows its references.
struct Walk<'s> {
    schema: &'s Value,
    /// The references that are being followed.
    within: Vec<&'s str>,
    left: usize,
    /// How many references lead back.
    back: usize,
    combines: bool,
}

impl<'s> Walk<'s> {
    /// Whether there is an end to it.
    fn follow(&mut self, part: &'s Value) -> bool {
        let Some(left) = self.left.checked_sub(1) else { return false };
        self.left = left;
        match part {
            Value::Array(items) => items.iter().all(|it| self.follow(it)),
            Value::Object(map) => map.iter().all(|(key, value)| self.member(key, value)),
            _ => true,
        }
    }

    fn member(&mut self, key: &str, value: &'s Value) -> bool {
        self.combines |= COMBINING.contains(&key);
        match (key, value) {
            // What such a one refers to is decided while a value is judged.
            ("$dynamicRef" | "$recursiveRef", Value::String(_)) => false,
            // What stands there is looked at where it is referred to.
            ("$defs" | "definitions", Value::Object(_)) => true,
            ("$ref", Value::String(place)) if self.within.contains(&place.as_str()) => {
                self.back += 1;
                true
            }
            ("$ref", Value::String(place)) => {
                let target = place.strip_prefix('#').and_then(|it| self.schema.pointer(it));
                let Some(target) = target else { return false };
                self.within.push(place);
                let bounded = self.follow(target);
                self.within.pop();
                bounded
            }
            (_, value) => self.follow(value),
        }
    }
}

/// How many values there are in a value, with itself.
fn parts(value: &Value) -> usize {
    match value {
        Value::Array(items) => items.iter().map(parts).sum::<usize>() + 1,
        Value::Object(map) => map.values().map(parts).sum::<usize>() + 1,
        _ => 1,
    }
}

impl AnyJson {
    fn parse(definition: &mut Definition<'_>) -> AnyJson {
        let written = match definition.get("schema") {
            None => return AnyJson { schema: None },
            Some(schema @ (Json::Object(_) | Json::Bool(_))) => Value::from(schema),
            Some(other) => {
                definition.wrong("schema", "a JSON Schema", other);
                return AnyJson { schema: None };
            }
        };
        if !is_bounded(&written) {
            let problem = "References lead to a part of this schema by its path (`#/$defs/name`), \
                           to few parts in all, and not back by several ways.";
            definition.problems.extend(FieldProblems::one("schema", problem));
            return AnyJson { schema: None };
        }
        // Patterns that backtrack could keep a server busy for ever.
        let patterns = PatternOptions::regex().size_limit(PATTERN_BYTES_MAX);
        match jsonschema::options().with_pattern_options(patterns).offline().build(&written) {
            Ok(validator) => AnyJson { schema: Some(Schema { written, validator }) },
            Err(error) => {
                let at = path(error.instance_path().as_str());
                let reason = error.masked_with("this");
                let problem = format!("This is no usable JSON Schema: {reason}.");
                let found = FieldProblems::one(at, problem);
                definition.problems.extend(found.at("schema"));
                AnyJson { schema: None }
            }
        }
    }
}

impl FieldKind for AnyJson {
    fn name(&self) -> &'static str {
        KIND.name
    }

    fn accept(&self, input: &Json, _world: &dyn World, problems: &mut FieldProblems) -> Json {
        if let Some(schema) = self.schema.as_ref().filter(|_| !input.is_empty()) {
            schema.judge(&Value::from(input), problems);
        }
        input.clone()
    }

    fn comparison(&self) -> Comparison {
        Comparison::Json
    }

    fn json_schema(&self, face: Face) -> Value {
        match &self.schema {
            Some(schema) if face != Face::Shown && stands_alone(&schema.written) => {
                json!({ "anyOf": [schema.written, { "enum": [null, "", [], {}] }] })
            }
            _ => json!({}),
        }
    }
}

/// Whether a schema means the same wherever it stands.
fn stands_alone(schema: &Value) -> bool {
    match schema {
        Value::Object(map) => {
            map.iter().all(|(key, value)| !key.starts_with('$') && stands_alone(value))
        }
        Value::Array(items) => items.iter().all(stands_alone),
        _ => true,
    }
}

/// A JSON pointer as the path of a field: `/rows/2/key` is `rows[2].key`.
fn path(pointer: &str) -> String {
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
        let validator = jsonschema::validator_for(&schema).unwrap();
        let schema = Schema { written: schema, validator };
        let check = |items: usize, expect: &[&str]| {
            let mut problems = FieldProblems::new();
            schema.judge(&json!(vec![0; items]), &mut problems);
            let told: Vec<&str> = problems.iter().map(|(path, _)| path).collect();
            assert_eq!(told, expect, "{items} items");
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
        // Each part refers twice to the next: 40 of them are a million millions.
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
        let check = |pointer: &str, expect: &str| assert_eq!(path(pointer), expect);
        check("", "");
        check("/a", "a");
        check("/rows/2/key", "rows[2].key");
        check("/0/a~1b/", "[0].a/b.");
    }
}
