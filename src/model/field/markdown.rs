//! `markdown`: Markdown, kept as it was written.

use crate::model::field::KindEntry;
use crate::model::field::limits::Lengths;
use crate::model::field::textarea::Textarea;

pub(super) const KIND: KindEntry = KindEntry {
    name: "markdown",
    about: "Text in Markdown, kept as it was written.",
    parse: |definition| Box::new(Textarea::parse("markdown", definition)),
    settings: Lengths::settings,
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
