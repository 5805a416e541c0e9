//! `boolean`: yes or no.

use serde_json::Value;
use serde_json::json;

use crate::model::field::Comparison;
use crate::model::field::Face;
use crate::model::field::FieldKind;
use crate::model::field::KindEntry;
use crate::model::field::World;
use crate::model::problem::FieldProblems;
use crate::stdx::json::Json;

pub(super) const KIND: KindEntry = KindEntry {
    name: "boolean",
    about: "Yes or no; no unless said.",
    parse: |_| Box::new(Boolean),
    settings: || json!({}),
};

#[derive(Debug)]
struct Boolean;

impl FieldKind for Boolean {
    fn name(&self) -> &'static str {
        KIND.name
    }

    fn accept(&self, input: &Json, _world: &dyn World, problems: &mut FieldProblems) -> Json {
        let value = match input {
            Json::Bool(value) => Some(*value),
            Json::String(text) => match text.as_str() {
                "true" | "1" | "on" | "yes" => Some(true),
                "false" | "0" | "off" | "no" => Some(false),
                _ => None,
            },
            Json::Number(number) if number.as_f64() == Some(1.0) => Some(true),
            Json::Number(number) if number.as_f64() == Some(0.0) => Some(false),
            _ => None,
        };
        match value {
            Some(value) => Json::Bool(value),
            None if input.is_empty() => self.empty(),
            None => {
                problems.add("", "This is true or false.");
                Json::Null
            }
        }
    }

    fn empty(&self) -> Json {
        Json::Bool(false)
    }

    fn comparison(&self) -> Comparison {
        Comparison::Bool
    }

    fn json_schema(&self, face: Face) -> Value {
        match face {
            Face::Shown | Face::Stored => json!({ "type": ["boolean", "null"] }),
            Face::Input => json!({ "type": ["boolean", "integer", "string", "null"] }),
        }
    }
}

#[cfg(test)]
pub(super) const SAMPLES: &[super::kind_test::Sample] = &[super::kind_test::Sample {
    definition: r#"{"type":"boolean"}"#,
    accepted: &[
        ("true", "true"),
        ("false", "false"),
        ("1", "true"),
        ("0", "false"),
        (r#""1""#, "true"),
        (r#""0""#, "false"),
        (r#""true""#, "true"),
        (r#""false""#, "false"),
        (r#""on""#, "true"),
        (r#""off""#, "false"),
        (r#""yes""#, "true"),
        (r#""no""#, "false"),
        (r#""""#, "false"),
    ],
    refused: &[("2", ""), (r#""maybe""#, ""), ("[true]", ""), (r#"{"a":1}"#, "")],
    shown: &[("null", "false"), ("1", "1")],
    broken: &[],
}];
