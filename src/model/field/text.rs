//! `text`: one line of text, trimmed.

use serde_json::Value;
use serde_json::json;

use crate::model::field::Comparison;
use crate::model::field::Definition;
use crate::model::field::Face;
use crate::model::field::FieldKind;
use crate::model::field::KindEntry;
use crate::model::field::World;
use crate::model::field::limits::Lengths;
use crate::model::field::push_text;
use crate::model::field::refuse;
use crate::model::field::scalar_text;
use crate::model::problem::FieldProblems;
use crate::stdx::json::Json;

pub(super) const KIND: KindEntry = KindEntry {
    name: "text",
    about: "One line of text.",
    parse: |definition| Box::new(Text::parse(definition)),
    settings: Lengths::settings,
};

#[derive(Debug)]
struct Text {
    lengths: Lengths,
}

impl Text {
    fn parse(definition: &mut Definition<'_>) -> Text {
        Text { lengths: Lengths::parse(definition) }
    }
}

impl FieldKind for Text {
    fn name(&self) -> &'static str {
        KIND.name
    }

    fn accept(&self, input: &Json, _world: &dyn World, problems: &mut FieldProblems) -> Json {
        accept_text(input, &self.lengths, problems, |text| text.trim().to_string())
    }

    fn comparison(&self) -> Comparison {
        Comparison::Text
    }

    fn text(&self, value: &Json, out: &mut String) {
        push_text(value.as_str().unwrap_or_default(), out);
    }

    fn json_schema(&self, face: Face) -> Value {
        text_schema(&self.lengths, face)
    }
}

/// What all kinds of text have in common: scalars are taken as their text, nothing is `null`, and
/// the limits apply to what `normalise` makes of it.
pub(super) fn accept_text(
    input: &Json,
    lengths: &Lengths,
    problems: &mut FieldProblems,
    normalise: impl FnOnce(&str) -> String,
) -> Json {
    if input.is_empty() {
        return Json::Null;
    }
    let Some(text) = scalar_text(input) else {
        return refuse("a text", input, problems);
    };
    let text = normalise(&text);
    if text.is_empty() {
        return Json::Null;
    }
    lengths.check(&text, problems);
    Json::String(text)
}

/// The schema of all kinds of text. What is sent may still be trimmed, so only what is stored has
/// limits.
pub(super) fn text_schema(lengths: &Lengths, face: Face) -> Value {
    match face {
        Face::Shown => json!({ "type": ["string", "null"] }),
        Face::Input => json!({ "type": ["string", "number", "boolean", "null"] }),
        Face::Stored => {
            let mut schema = json!({ "type": ["string", "null"] });
            lengths.describe(&mut schema);
            schema
        }
    }
}

#[cfg(test)]
pub(super) const SAMPLES: &[super::kind_test::Sample] = &[
    super::kind_test::Sample {
        definition: r#"{"type":"text"}"#,
        accepted: &[
            (r#""  a b ""#, r#""a b""#),
            ("5", r#""5""#),
            ("1.5", r#""1.5""#),
            ("true", r#""true""#),
            (r#""  ""#, "null"),
            ("[]", "null"),
        ],
        refused: &[(r#"["a"]"#, ""), (r#"{"a":1}"#, "")],
        shown: &[(r#""<b>\"""#, r#""<b>\"""#), ("[1]", "[1]")],
        broken: &[],
    },
    super::kind_test::Sample {
        definition: r#"{"type":"text","min_length":2,"max_length":3,"pattern":"^[a-zä]+$"}"#,
        accepted: &[(r#"" äbc ""#, r#""äbc""#), (r#""""#, "null")],
        refused: &[(r#""a""#, ""), (r#""abcd""#, ""), (r#""A1""#, "")],
        shown: &[],
        broken: &[
            (r#"{"min_length":5,"max_length":4}"#, "max_length"),
            (r#"{"min_length":-1}"#, "min_length"),
            (r#"{"max_length":1.5}"#, "max_length"),
            (r#"{"pattern":"("}"#, "pattern"),
            (r#"{"pattern":"\\w{1000}{1000}"}"#, "pattern"),
            (r#"{"placeholder":5}"#, "placeholder"),
            (r#"{"label":5}"#, "label"),
            (r#"{"required":"yes"}"#, "required"),
            (r#"{"visible_if":["a"]}"#, "visible_if"),
        ],
    },
];
