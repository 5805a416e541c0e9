//! `datetime`: a point in time, to the second, in UTC.

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
    name: "datetime",
    about: "A date and time, stored in UTC, such as 2026-05-03T12:00:00Z.",
    parse: |definition| Box::new(DateTimeField::parse(definition)),
    settings: || {
        json!({
            "min": { "type": "string", "description": "The earliest time allowed." },
            "max": {
                "type": "string",
                "description": "The latest time allowed; a date includes its whole day.",
            },
        })
    },
};

#[derive(Debug)]
struct DateTimeField {
    min: Option<Timestamp>,
    max: Option<Timestamp>,
}

impl DateTimeField {
    fn parse(definition: &mut FieldDefinition<'_>) -> DateTimeField {
        let min = Self::parse_setting(definition, "min", |time| time);
        let max = Self::parse_setting(definition, "max", Timestamp::end_of_day);
        if min.zip(max).is_some_and(|(min, max)| min > max) {
            definition
                .problems
                .add("max", "This is before the earliest time, so no value is valid.");
        }
        DateTimeField { min, max }
    }

    fn parse_setting(
        definition: &mut FieldDefinition<'_>,
        key: &str,
        of_day: fn(Timestamp) -> Timestamp,
    ) -> Option<Timestamp> {
        let text = definition.get_text(key).filter(|it| !it.is_empty())?;
        let Some(time) = Timestamp::parse(&text) else {
            definition.problems.add(key, "This must be a time, such as 2026-05-03T12:00:00Z.");
            return None;
        };
        Some(if parse_date(text.trim()).is_some() { of_day(time) } else { time })
    }

    fn check_time(&self, time: Timestamp, problems: &mut FieldProblems) {
        if let Some(min) = self.min.filter(|min| time < *min) {
            problems.add("", sentence!("This must be {min} or later.", min = min.to_string()));
        }
        if let Some(max) = self.max.filter(|max| time > *max) {
            problems.add("", sentence!("This must be {max} or earlier.", max = max.to_string()));
        }
    }
}

impl FieldKind for DateTimeField {
    fn accept_input(&self, input: &Json, check: &mut InputCheck<'_>) -> Json {
        let Some(text) = trim_text("a time like 2026-05-03T12:00:00Z", input, check.problems)
        else {
            return Json::Null;
        };
        let Some(time) = Timestamp::parse(text) else {
            check.problems.add("", "This is not a time, such as 2026-05-03T12:00:00Z.");
            return Json::Null;
        };
        self.check_time(time, check.problems);
        Json::String(time.to_string())
    }

    fn comparison(&self) -> Comparison {
        Comparison::DateTime
    }

    fn json_schema(&self, form: ValueForm) -> Value {
        match form {
            ValueForm::Input => json!({ "type": ["string", "null"] }),
            ValueForm::Shown | ValueForm::Stored => {
                json!({ "type": ["string", "null"], "format": "date-time" })
            }
        }
    }
}

#[cfg(test)]
pub(super) const SAMPLES: &[super::kind_test::Sample] = &[
    super::kind_test::Sample {
        definition: r#"{"type":"datetime"}"#,
        accepted: &[
            (r#""2026-05-03T14:00:00.5+02:00""#, r#""2026-05-03T12:00:00Z""#),
            (r#""2026-05-03 12:30""#, r#""2026-05-03T12:30:00Z""#),
            (r#""2026-05-03""#, r#""2026-05-03T00:00:00Z""#),
            (r#"" ""#, "null"),
        ],
        refused: &[(r#""tomorrow""#, ""), ("1777777777", ""), (r#"{"a":1}"#, "")],
        shown: &[(r#""soon""#, r#""soon""#)],
        broken: &[
            (r#"{"min":"soon"}"#, "min"),
            (r#"{"max":5}"#, "max"),
            (r#"{"min":"2026-05-03T12:00:00Z","max":"2026-05-03T11:00:00Z"}"#, "max"),
        ],
    },
    super::kind_test::Sample {
        definition: r#"{"type":"datetime","min":"2026-05-03T12:00:00Z","max":"2026-05-03"}"#,
        accepted: &[(r#""2026-05-03T23:59:59Z""#, r#""2026-05-03T23:59:59Z""#)],
        refused: &[(r#""2026-05-04""#, ""), (r#""2026-05-03""#, "")],
        shown: &[],
        broken: &[],
    },
];
