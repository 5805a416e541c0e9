//! `text`: one line of text, trimmed.

use serde_json::Value;
use serde_json::json;

use crate::model::field::definition::FieldDefinition;
use crate::model::field::kind::Comparison;
use crate::model::field::kind::FieldKind;
use crate::model::field::kind::KindEntry;
use crate::model::field::kind::ValueForm;
use crate::model::field::limits::TextLimits;
use crate::model::field::value_context::InputCheck;
use crate::model::field::value_text::push_text;
use crate::model::field::value_text::refuse_type;
use crate::model::field::value_text::scalar_text;
use crate::model::input::wording;
use crate::model::problem::FieldProblems;
use crate::stdx::json::Json;

pub(super) const KIND: KindEntry = KindEntry {
    name: "text",
    about: "One line of text.",
    parse: |definition| {
        let normalise = |text: &str| text.trim().to_string();
        Box::new(TextField::parse(definition, Comparison::Text, normalise))
    },
    settings: TextLimits::settings_schema,
};

/// Text that is stored in a normal form.
#[derive(Debug)]
pub(super) struct TextField {
    lengths: TextLimits,
    comparison: Comparison,
    normalise: fn(&str) -> String,
}

impl TextField {
    pub(super) fn parse(
        definition: &mut FieldDefinition<'_>,
        comparison: Comparison,
        normalise: fn(&str) -> String,
    ) -> TextField {
        TextField { lengths: TextLimits::parse(definition), comparison, normalise }
    }
}

impl FieldKind for TextField {
    fn accept_input(&self, input: &Json, check: &mut InputCheck<'_>) -> Json {
        accept_text(input, &self.lengths, check.problems, self.normalise)
    }

    fn comparison(&self) -> Comparison {
        self.comparison
    }

    fn collect_text(&self, value: &Json, out: &mut String) {
        push_text(value.as_str().unwrap_or_default(), out);
    }

    fn json_schema(&self, form: ValueForm) -> Value {
        text_schema(&self.lengths, form)
    }
}

/// Accepts a value of any text kind: scalars are converted to text, empty values to `null`, and the
/// limits apply to the result of `normalise`.
pub(super) fn accept_text(
    input: &Json,
    lengths: &TextLimits,
    problems: &mut FieldProblems,
    normalise: impl FnOnce(&str) -> String,
) -> Json {
    if input.is_empty() {
        return Json::Null;
    }
    let Some(text) = scalar_text(input) else {
        return refuse_type(wording::STRING, input, problems);
    };
    let text = normalise(&text);
    if text.is_empty() {
        return Json::Null;
    }
    lengths.check_text(&text, problems);
    Json::String(text)
}

/// Returns the schema of any text kind. Input may still be trimmed, so only stored values have
/// limits.
pub(super) fn text_schema(lengths: &TextLimits, form: ValueForm) -> Value {
    match form {
        ValueForm::Shown => json!({ "type": ["string", "null"] }),
        ValueForm::Input => json!({ "type": ["string", "number", "boolean", "null"] }),
        ValueForm::Stored => {
            let mut schema = json!({ "type": ["string", "null"] });
            lengths.add_to_schema(&mut schema);
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
