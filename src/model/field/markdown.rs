//! `markdown`: Markdown text, stored as written.

use serde_json::Value;

use crate::model::field::kind::Comparison;
use crate::model::field::kind::FieldKind;
use crate::model::field::kind::KindEntry;
use crate::model::field::kind::ValueForm;
use crate::model::field::limits::TextLimits;
use crate::model::field::textarea::parse_multiline;
use crate::model::field::value_context::InputCheck;
use crate::stdx::json::Json;

pub(super) const KIND: KindEntry = KindEntry {
    name: "markdown",
    about: "Text in Markdown, stored as written.",
    parse: |definition| Box::new(MarkdownField { text: parse_multiline(definition) }),
    settings: TextLimits::settings_schema,
};

/// Text of several lines that can be rendered.
#[derive(Debug)]
struct MarkdownField {
    text: Box<dyn FieldKind>,
}

impl FieldKind for MarkdownField {
    fn accept_input(&self, input: &Json, check: &mut InputCheck<'_>) -> Json {
        self.text.accept_input(input, check)
    }

    fn comparison(&self) -> Comparison {
        self.text.comparison()
    }

    fn collect_text(&self, value: &Json, out: &mut String) {
        self.text.collect_text(value, out);
    }

    fn json_schema(&self, form: ValueForm) -> Value {
        self.text.json_schema(form)
    }

    fn render_markdown(&self, shown: &Json, render: &mut dyn FnMut(&str) -> Json) -> Option<Json> {
        Some(shown.as_str().map_or(Json::Null, render))
    }
}

#[cfg(test)]
pub(super) const SAMPLES: &[super::kind_test::Sample] = &[super::kind_test::Sample {
    definition: r#"{"type":"markdown"}"#,
    accepted: &[
        (r##""# a\r\n\r\n<b>  \n""##, r##""# a\n\n<b>  \n""##),
        ("false", r#""false""#),
        ("{}", "null"),
    ],
    refused: &[(r#"["a"]"#, "")],
    shown: &[],
    broken: &[(r#"{"pattern":"["}"#, "pattern")],
}];
