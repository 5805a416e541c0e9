//! `slug`: a text that is valid in a URL.

use serde_json::Value;
use serde_json::json;

use crate::model::field::definition::FieldDefinition;
use crate::model::field::kind::Comparison;
use crate::model::field::kind::FieldKind;
use crate::model::field::kind::KindEntry;
use crate::model::field::kind::ValueForm;
use crate::model::field::value_context::InputCheck;
use crate::model::field::value_text::refuse_type;
use crate::model::field::value_text::scalar_text;
use crate::model::input::wording;
use crate::stdx::json::Json;
use crate::stdx::slug::slugify;

pub(super) const KIND: KindEntry = KindEntry {
    name: "slug",
    about: "The last part of an address: lower-case letters, digits and hyphens.",
    parse: |definition| Box::new(SlugField::parse(definition)),
    settings: || {
        json!({
            "source": { "type": "string", "description": "The field that the slug is made from." },
        })
    },
};

#[derive(Debug)]
struct SlugField;

impl SlugField {
    fn parse(definition: &mut FieldDefinition<'_>) -> SlugField {
        if definition.nesting > 0 {
            definition
                .problems
                .add("type", "A slug must be a top-level field of the content type.");
        }
        definition.get_text("source");
        SlugField
    }
}

impl FieldKind for SlugField {
    fn accept_input(&self, input: &Json, check: &mut InputCheck<'_>) -> Json {
        if input.is_empty() {
            return Json::Null;
        }
        let Some(text) = scalar_text(input) else {
            return refuse_type(wording::STRING, input, check.problems);
        };
        match slugify(&text) {
            slug if slug.is_empty() => Json::Null,
            slug => Json::String(slug),
        }
    }

    fn comparison(&self) -> Comparison {
        Comparison::Text
    }

    fn json_schema(&self, form: ValueForm) -> Value {
        match form {
            ValueForm::Shown => json!({ "type": ["string", "null"] }),
            ValueForm::Input => json!({ "type": ["string", "number", "boolean", "null"] }),
            ValueForm::Stored => {
                json!({ "type": ["string", "null"], "pattern": "^[A-Za-z0-9_-]+$" })
            }
        }
    }
}

#[cfg(test)]
pub(super) const SAMPLES: &[super::kind_test::Sample] = &[super::kind_test::Sample {
    definition: r#"{"type":"slug","source":"title"}"#,
    accepted: &[
        (r#""Über uns!""#, r#""uber-uns""#),
        ("2026", r#""2026""#),
        (r#""!""#, "null"),
        (r#""""#, "null"),
    ],
    refused: &[(r#"["a"]"#, ""), (r#"{"a":1}"#, "")],
    shown: &[(r#""As It Is""#, r#""As It Is""#)],
    broken: &[(r#"{"source":["title"]}"#, "source")],
}];
