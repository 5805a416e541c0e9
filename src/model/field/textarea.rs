//! `textarea`: text of several lines, stored as written except for its line ends.

use crate::model::field::definition::FieldDefinition;
use crate::model::field::kind::Comparison;
use crate::model::field::kind::FieldKind;
use crate::model::field::kind::KindEntry;
use crate::model::field::limits::TextLimits;
use crate::model::field::text::TextField;

pub(super) const KIND: KindEntry = KindEntry {
    name: "textarea",
    about: "Text of several lines.",
    parse: parse_multiline,
    settings: TextLimits::settings_schema,
};

/// Parses the definition of a text of several lines in any notation.
pub(super) fn parse_multiline(definition: &mut FieldDefinition<'_>) -> Box<dyn FieldKind> {
    Box::new(TextField::parse(definition, Comparison::LongText, unix_lines))
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
