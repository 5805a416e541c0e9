//! `range`: a number chosen on a scale.

use serde_json::Number;
use serde_json::Value;

use crate::model::field::Comparison;
use crate::model::field::Definition;
use crate::model::field::Face;
use crate::model::field::FieldKind;
use crate::model::field::KindEntry;
use crate::model::field::World;
use crate::model::field::limits::Bounds;
use crate::model::field::limits::count_setting;
use crate::model::field::limits::put;
use crate::model::field::number::number_schema;
use crate::model::field::number::plain;
use crate::model::field::number::read;
use crate::model::problem::FieldProblems;
use crate::stdx::json::Json;

pub(super) const KIND: KindEntry = KindEntry {
    name: "range",
    about: "A number on a scale. It always has a value: the default, else the least.",
    parse: |definition| Box::new(Range::parse(definition)),
    settings,
};

#[derive(Debug)]
struct Range {
    bounds: Bounds,
    default: Number,
}

impl Range {
    fn parse(definition: &mut Definition<'_>) -> Range {
        let bounds = Bounds::parse_or(definition, Some(0.0), Some(100.0), Some(1.0));
        definition.count("display_decimals");
        let default = Self::default(definition, &bounds);
        let least = bounds.min.and_then(Number::from_f64).map_or(0.into(), plain);
        let default = default.unwrap_or(least);
        Range { bounds, default }
    }

    fn default(definition: &mut Definition<'_>, bounds: &Bounds) -> Option<Number> {
        let number = match read(definition.get("default")?) {
            Ok(number) => number?,
            Err(problem) => {
                definition.problems.add("default", problem);
                return None;
            }
        };
        let mut found = FieldProblems::new();
        bounds.check(number.as_f64().unwrap_or_default(), &mut found);
        let fits = found.is_empty();
        definition.problems.extend(found.at("default"));
        fits.then_some(number)
    }
}

impl FieldKind for Range {
    fn name(&self) -> &'static str {
        KIND.name
    }

    fn accept(&self, input: &Json, _world: &dyn World, problems: &mut FieldProblems) -> Json {
        match read(input) {
            Ok(Some(number)) => {
                self.bounds.check(number.as_f64().unwrap_or_default(), problems);
                Json::Number(number)
            }
            Ok(None) => self.empty(),
            Err(problem) => {
                problems.add("", problem);
                Json::Null
            }
        }
    }

    fn empty(&self) -> Json {
        Json::Number(self.default.clone())
    }

    fn comparison(&self) -> Comparison {
        Comparison::Number
    }

    fn json_schema(&self, face: Face) -> Value {
        number_schema("number", &self.bounds, face)
    }
}

fn settings() -> Value {
    let mut settings = Bounds::settings();
    for (key, default) in [("min", 0), ("max", 100), ("step", 1)] {
        if let Some(setting) = settings.get_mut(key) {
            put(setting, "default", Some(default));
        }
    }
    let decimals = count_setting("How many decimals the interface shows.");
    put(&mut settings, "display_decimals", Some(decimals));
    settings
}

#[cfg(test)]
pub(super) const SAMPLES: &[super::kind_test::Sample] = &[
    super::kind_test::Sample {
        definition: r#"{"type":"range"}"#,
        accepted: &[("0", "0"), ("100", "100"), (r#""50""#, "50"), (r#""""#, "0"), ("[]", "0")],
        refused: &[("-1", ""), ("101", ""), ("1.5", ""), ("true", ""), (r#""x""#, "")],
        shown: &[("101", "101"), ("null", "0")],
        broken: &[
            (r#"{"min":200}"#, "max"),
            (r#"{"max":-1}"#, "max"),
            (r#"{"min":2,"max":1}"#, "max"),
            (r#"{"step":0}"#, "step"),
            (r#"{"default":101}"#, "default"),
            (r#"{"default":"a"}"#, "default"),
            (r#"{"display_decimals":"a"}"#, "display_decimals"),
        ],
    },
    super::kind_test::Sample {
        definition: r#"{"type":"range","min":-1,"max":1,"step":0.5,"default":0.5}"#,
        accepted: &[(r#""""#, "0.5"), ("-0.5", "-0.5"), ("1.0", "1")],
        refused: &[("0.25", "")],
        shown: &[("null", "0.5")],
        broken: &[],
    },
];
