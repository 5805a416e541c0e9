//! `textarea`: text of several lines, stored as written except for its line ends.

use serde_json::Value;

use crate::model::field::definition::FieldDefinition;
use crate::model::field::kind::Comparison;
use crate::model::field::kind::FieldKind;
use crate::model::field::kind::KindEntry;
use crate::model::field::kind::ValueForm;
use crate::model::field::limits::TextLimits;
use crate::model::field::text::accept_text;
use crate::model::field::text::text_schema;
use crate::model::field::value_context::ValueContext;
use crate::model::field::value_text::push_text;
use crate::model::problem::FieldProblems;
use crate::stdx::json::Json;

pub(super) const KIND: KindEntry = KindEntry {
    name: "textarea",
    about: "Text of several lines.",
    parse: |definition| Box::new(TextareaField::parse("textarea", definition)),
    settings: TextLimits::settings_schema,
};

/// A text of several lines in any notation.
#[derive(Debug)]
pub(super) struct TextareaField {
    name: &'static str,
    lengths: TextLimits,
}

impl TextareaField {
    pub(super) fn parse(name: &'static str, definition: &mut FieldDefinition<'_>) -> TextareaField {
        TextareaField { name, lengths: TextLimits::parse(definition) }
    }
}

impl FieldKind for TextareaField {
    fn name(&self) -> &'static str {
        self.name
    }

    fn accept_input(
        &self,
        input: &Json,
        _context: &dyn ValueContext,
        problems: &mut FieldProblems,
    ) -> Json {
        accept_text(input, &self.lengths, problems, unix_lines)
    }

    fn comparison(&self) -> Comparison {
        Comparison::LongText
    }

    fn collect_text(&self, value: &Json, out: &mut String) {
        push_text(value.as_str().unwrap_or_default(), out);
    }

    fn json_schema(&self, form: ValueForm) -> Value {
        text_schema(&self.lengths, form)
    }
}

/// Replaces each CR LF, with all CRs before it, by an LF. The result does not change when it is
/// normalized again.
fn unix_lines(text: &str) -> String {
    if !text.contains("\r\n") {
        return text.to_string();
    }
    let mut lines = text.split('\n').peekable();
    let mut out = String::with_capacity(text.len());
    while let Some(line) = lines.next() {
        if lines.peek().is_some() {
            out.push_str(line.trim_end_matches('\r'));
            out.push('\n');
        } else {
            out.push_str(line);
        }
    }
    out
}

#[cfg(test)]
pub(super) const SAMPLES: &[super::kind_test::Sample] = &[super::kind_test::Sample {
    definition: r#"{"type":"textarea","max_length":9}"#,
    accepted: &[
        (r#"" a\r\nb\n""#, r#"" a\nb\n""#),
        (r#""a\rb\r\r\n""#, r#""a\rb\n""#),
        (r#"" ""#, r#"" ""#),
        ("5", r#""5""#),
        (r#""""#, "null"),
    ],
    refused: &[(r#""0123456789""#, ""), (r#"["a"]"#, ""), (r#"{"a":1}"#, "")],
    shown: &[("5", "5")],
    broken: &[(r#"{"max_length":"9"}"#, "max_length")],
}];
