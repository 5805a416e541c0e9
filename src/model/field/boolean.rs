//! `boolean`: true or false.

use serde_json::Value;
use serde_json::json;

use crate::model::field::kind::Comparison;
use crate::model::field::kind::FieldKind;
use crate::model::field::kind::KindEntry;
use crate::model::field::kind::ValueForm;
use crate::model::field::value_context::InputCheck;
use crate::model::input::wording;
use crate::stdx::json::Json;

pub(super) const KIND: KindEntry = KindEntry {
    name: "boolean",
    about: "True or false; false by default.",
    parse: |_| Box::new(BooleanField),
    settings: || json!({}),
};

#[derive(Debug)]
struct BooleanField;

impl FieldKind for BooleanField {
    fn accept_input(&self, input: &Json, check: &mut InputCheck<'_>) -> Json {
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
            None if input.is_empty() => self.empty_value(),
            None => {
                check.problems.add("", wording::wrong_type(wording::BOOLEAN, input));
                Json::Null
            }
        }
    }

    fn empty_value(&self) -> Json {
        Json::Bool(false)
    }

    fn comparison(&self) -> Comparison {
        Comparison::Bool
    }

    fn json_schema(&self, form: ValueForm) -> Value {
        match form {
            ValueForm::Shown | ValueForm::Stored => json!({ "type": ["boolean", "null"] }),
            ValueForm::Input => json!({ "type": ["boolean", "integer", "string", "null"] }),
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
