//! `date`: a day.

use serde_json::Value;
use serde_json::json;

use crate::model::field::Comparison;
use crate::model::field::Definition;
use crate::model::field::Face;
use crate::model::field::FieldKind;
use crate::model::field::KindEntry;
use crate::model::field::World;
use crate::model::field::trimmed;
use crate::model::problem::FieldProblems;
use crate::stdx::json::Json;
use crate::stdx::time::Timestamp;
use crate::stdx::time::parse_date;

pub(super) const KIND: KindEntry = KindEntry {
    name: "date",
    about: "A day, like 2026-05-03.",
    parse: |definition| Box::new(Date::parse(definition)),
    settings: || {
        json!({
            "min": {
                "type": "string", "format": "date", "description": "The first day that fits.",
            },
            "max": {
                "type": "string", "format": "date", "description": "The last day that fits.",
            },
        })
    },
};

/// Days as they are written, which is how they compare.
#[derive(Debug)]
struct Date {
    min: Option<String>,
    max: Option<String>,
}

impl Date {
    fn parse(definition: &mut Definition<'_>) -> Date {
        let min = Self::setting(definition, "min");
        let max = Self::setting(definition, "max");
        if min.as_ref().zip(max.as_ref()).is_some_and(|(min, max)| min > max) {
            definition.problems.add("max", "This is before the first day, so that nothing fits.");
        }
        Date { min, max }
    }

    fn setting(definition: &mut Definition<'_>, key: &str) -> Option<String> {
        let text = definition.text(key).filter(|it| !it.is_empty())?;
        let day = day(&text);
        if day.is_none() {
            definition.problems.add(key, "This is a date like 2026-05-03.");
        }
        day.map(str::to_string)
    }

    fn check(&self, day: &str, problems: &mut FieldProblems) {
        if let Some(min) = self.min.as_ref().filter(|min| day < min.as_str()) {
            problems.add("", format!("This must be {min} or later."));
        }
        if let Some(max) = self.max.as_ref().filter(|max| day > max.as_str()) {
            problems.add("", format!("This must be {max} or earlier."));
        }
    }
}

/// The day in a text; of a point in time the one that is written, wherever on earth that was.
fn day(text: &str) -> Option<&str> {
    let text = text.trim();
    let day = text.get(..10).filter(|it| parse_date(it).is_some())?;
    (day.len() == text.len() || Timestamp::parse(text).is_some()).then_some(day)
}

impl FieldKind for Date {
    fn name(&self) -> &'static str {
        KIND.name
    }

    fn accept(&self, input: &Json, _world: &dyn World, problems: &mut FieldProblems) -> Json {
        let Some(text) = trimmed("a date like 2026-05-03", input, problems) else {
            return Json::Null;
        };
        let Some(day) = day(text) else {
            problems.add("", "This is no date like 2026-05-03.");
            return Json::Null;
        };
        self.check(day, problems);
        Json::from(day)
    }

    fn comparison(&self) -> Comparison {
        Comparison::Date
    }

    fn json_schema(&self, face: Face) -> Value {
        match face {
            Face::Input => json!({ "type": ["string", "null"] }),
            Face::Shown | Face::Stored => json!({ "type": ["string", "null"], "format": "date" }),
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
