//! `markdown`: Markdown text, stored as written.

use crate::model::field::kind::KindEntry;
use crate::model::field::limits::TextLimits;
use crate::model::field::textarea::parse_multiline;

pub(super) const KIND: KindEntry = KindEntry {
    name: "markdown",
    about: "Text in Markdown, stored as written.",
    parse: parse_multiline,
    settings: TextLimits::settings_schema,
};

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
