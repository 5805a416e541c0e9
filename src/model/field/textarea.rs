//! `textarea`: text of several lines, kept as it is but for its line ends.

use serde_json::Value;

use crate::model::field::Comparison;
use crate::model::field::Definition;
use crate::model::field::Face;
use crate::model::field::FieldKind;
use crate::model::field::KindEntry;
use crate::model::field::World;
use crate::model::field::limits::Lengths;
use crate::model::field::push_text;
use crate::model::field::text::accept_text;
use crate::model::field::text::text_schema;
use crate::model::problem::FieldProblems;
use crate::stdx::json::Json;

pub(super) const KIND: KindEntry = KindEntry {
    name: "textarea",
    about: "Text of several lines.",
    parse: |definition| Box::new(Textarea::parse("textarea", definition)),
    settings: Lengths::settings,
};

/// Text of several lines, whatever its notation.
#[derive(Debug)]
pub(super) struct Textarea {
    name: &'static str,
    lengths: Lengths,
}

impl Textarea {
    pub(super) fn parse(name: &'static str, definition: &mut Definition<'_>) -> Textarea {
        Textarea { name, lengths: Lengths::parse(definition) }
    }
}

impl FieldKind for Textarea {
    fn name(&self) -> &'static str {
        self.name
    }

    fn accept(&self, input: &Json, _world: &dyn World, problems: &mut FieldProblems) -> Json {
        accept_text(input, &self.lengths, problems, unix_lines)
    }

    fn comparison(&self) -> Comparison {
        Comparison::LongText
    }

    fn text(&self, value: &Json, out: &mut String) {
        push_text(value.as_str().unwrap_or_default(), out);
    }

    fn json_schema(&self, face: Face) -> Value {
        text_schema(&self.lengths, face)
    }
}

/// The text with each CR LF, and whatever CRs stand before it, as one LF: once, not once a visit.
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
