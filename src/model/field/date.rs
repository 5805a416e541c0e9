//! `date`: a day.

use serde_json::Value;
use serde_json::json;

use crate::model::field::definition::FieldDefinition;
use crate::model::field::kind::Comparison;
use crate::model::field::kind::FieldKind;
use crate::model::field::kind::KindEntry;
use crate::model::field::kind::ValueForm;
use crate::model::field::value_context::InputCheck;
use crate::model::field::value_text::trim_text;
use crate::model::problem::FieldProblems;
use crate::model::sentence::sentence;
use crate::stdx::json::Json;
use crate::stdx::time::Timestamp;
use crate::stdx::time::parse_date;

pub(super) const KIND: KindEntry = KindEntry {
    name: "date",
    about: "A day, like 2026-05-03.",
    parse: |definition| Box::new(DateField::parse(definition)),
    settings: || {
        json!({
            "min": {
                "type": "string", "format": "date", "description": "The earliest date allowed.",
            },
            "max": {
                "type": "string", "format": "date", "description": "The latest date allowed.",
            },
        })
    },
};

/// A range of days. The days are kept as text, which sorts in the order of time.
#[derive(Debug)]
struct DateField {
    min: Option<String>,
    max: Option<String>,
}

impl DateField {
    fn parse(definition: &mut FieldDefinition<'_>) -> DateField {
        let min = Self::parse_setting(definition, "min");
        let max = Self::parse_setting(definition, "max");
        if min.as_ref().zip(max.as_ref()).is_some_and(|(min, max)| min > max) {
            definition
                .problems
                .add("max", "This is before the earliest date, so no value is valid.");
        }
        DateField { min, max }
    }

    fn parse_setting(definition: &mut FieldDefinition<'_>, key: &str) -> Option<String> {
        let text = definition.get_text(key).filter(|it| !it.is_empty())?;
        let day = parse_day(&text);
        if day.is_none() {
            definition.problems.add(key, "This must be a date, such as 2026-05-03.");
        }
        day.map(str::to_string)
    }

    fn check_day(&self, day: &str, problems: &mut FieldProblems) {
        if let Some(min) = self.min.as_ref().filter(|min| day < min.as_str()) {
            problems.add("", sentence!("This must be {min} or later.", min = min.as_str()));
        }
        if let Some(max) = self.max.as_ref().filter(|max| day > max.as_str()) {
            problems.add("", sentence!("This must be {max} or earlier.", max = max.as_str()));
        }
    }
}

/// Returns the day in a text. For a point in time this is the day as written, regardless of the
/// time zone.
fn parse_day(text: &str) -> Option<&str> {
    let text = text.trim();
    let day = text.get(..10).filter(|it| parse_date(it).is_some())?;
    (day.len() == text.len() || Timestamp::parse(text).is_some()).then_some(day)
}

impl FieldKind for DateField {
    fn accept_input(&self, input: &Json, check: &mut InputCheck<'_>) -> Json {
        let Some(text) = trim_text("a date like 2026-05-03", input, check.problems) else {
            return Json::Null;
        };
        let Some(day) = parse_day(text) else {
            check.problems.add("", "This is not a date, such as 2026-05-03.");
            return Json::Null;
        };
        self.check_day(day, check.problems);
        Json::from(day)
    }

    fn comparison(&self) -> Comparison {
        Comparison::Date
    }

    fn json_schema(&self, form: ValueForm) -> Value {
        match form {
            ValueForm::Input => json!({ "type": ["string", "null"] }),
            ValueForm::Shown | ValueForm::Stored => {
                json!({ "type": ["string", "null"], "format": "date" })
            }
        }
    }
}

#[cfg(test)]
pub(super) const SAMPLES: &[super::kind_test::Sample] = &[
    super::kind_test::Sample {
        definition: r#"{"type":"date"}"#,
        accepted: &[
            (r#"" 2026-05-03 ""#, r#""2026-05-03""#),
            (r#""2026-05-03T23:30:00-05:00""#, r#""2026-05-03""#),
            (r#""2026-05-03 23:30""#, r#""2026-05-03""#),
            (r#""9999-12-31""#, r#""9999-12-31""#),
            (r#""0000-01-01""#, r#""0000-01-01""#),
            (r#""""#, "null"),
        ],
        refused: &[
            (r#""03.05.2026""#, ""),
            (r#""2026-02-30""#, ""),
            (r#""2026-05-03x""#, ""),
            (r#""2026-05""#, ""),
            (r#""ä026-05-03""#, ""),
            ("20260503", ""),
            (r#"["2026-05-03"]"#, ""),
        ],
        shown: &[(r#""soon""#, r#""soon""#)],
        broken: &[
            (r#"{"min":"soon"}"#, "min"),
            (r#"{"max":5}"#, "max"),
            (r#"{"min":"2026-05-04","max":"2026-05-03"}"#, "max"),
        ],
    },
    super::kind_test::Sample {
        definition: r#"{"type":"date","min":"2026-01-01","max":"2026-12-31"}"#,
        accepted: &[
            (r#""2026-01-01""#, r#""2026-01-01""#),
            (r#""2026-12-31T23:59:59Z""#, r#""2026-12-31""#),
        ],
        refused: &[(r#""2025-12-31""#, ""), (r#""2027-01-01""#, "")],
        shown: &[],
        broken: &[],
    },
];
