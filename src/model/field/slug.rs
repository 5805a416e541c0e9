//! `slug`: a text as it can stand in an address.

use serde_json::Value;
use serde_json::json;

use crate::model::field::Comparison;
use crate::model::field::Definition;
use crate::model::field::Face;
use crate::model::field::FieldKind;
use crate::model::field::KindEntry;
use crate::model::field::World;
use crate::model::field::refuse;
use crate::model::field::scalar_text;
use crate::model::problem::FieldProblems;
use crate::stdx::json::Json;
use crate::stdx::slug::slugify;

pub(super) const KIND: KindEntry = KindEntry {
    name: "slug",
    about: "The last part of an address: lower-case letters, digits and hyphens.",
    parse: |definition| Box::new(Slug::parse(definition)),
    settings: || {
        json!({
            "source": { "type": "string", "description": "The field that it is made from." },
        })
    },
};

#[derive(Debug)]
struct Slug;

impl Slug {
    fn parse(definition: &mut Definition<'_>) -> Slug {
        if definition.nesting > 0 {
            definition.problems.add("type", "A slug stands in the content type itself.");
        }
        definition.text("source");
        Slug
    }
}

impl FieldKind for Slug {
    fn name(&self) -> &'static str {
        KIND.name
    }

    fn accept(&self, input: &Json, _world: &dyn World, problems: &mut FieldProblems) -> Json {
        if input.is_empty() {
            return Json::Null;
        }
        let Some(text) = scalar_text(input) else {
            return refuse("a text", input, problems);
        };
        match slugify(&text) {
            slug if slug.is_empty() => Json::Null,
            slug => Json::String(slug),
        }
    }

    fn comparison(&self) -> Comparison {
        Comparison::Text
    }

    fn json_schema(&self, face: Face) -> Value {
        match face {
            Face::Shown => json!({ "type": ["string", "null"] }),
            Face::Input => json!({ "type": ["string", "number", "boolean", "null"] }),
            Face::Stored => json!({ "type": ["string", "null"], "pattern": "^[A-Za-z0-9_-]+$" }),
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
