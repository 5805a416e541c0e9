//! `range`: a number chosen on a scale.

use serde_json::Number;
use serde_json::Value;

use crate::model::field::definition::FieldDefinition;
use crate::model::field::kind::Comparison;
use crate::model::field::kind::FieldKind;
use crate::model::field::kind::KindEntry;
use crate::model::field::kind::ValueForm;
use crate::model::field::limits::NumberLimits;
use crate::model::field::limits::add_key;
use crate::model::field::limits::count_setting;
use crate::model::field::number::narrow_to_integer;
use crate::model::field::number::number_schema;
use crate::model::field::number::read_number;
use crate::model::field::value_context::InputCheck;
use crate::model::problem::FieldProblems;
use crate::stdx::json::Json;

pub(super) const KIND: KindEntry = KindEntry {
    name: "range",
    about: "A number on a scale. It always has a value: the default, or else the minimum.",
    parse: |definition| Box::new(RangeField::parse(definition)),
    settings,
};

#[derive(Debug)]
struct RangeField {
    bounds: NumberLimits,
    default: Number,
}

impl RangeField {
    fn parse(definition: &mut FieldDefinition<'_>) -> RangeField {
        let bounds = NumberLimits::parse_or(definition, Some(0.0), Some(100.0), Some(1.0));
        definition.get_count("display_decimals");
        let default = Self::parse_default(definition, &bounds);
        let least = bounds.min.and_then(Number::from_f64).map_or(0.into(), narrow_to_integer);
        let default = default.unwrap_or(least);
        RangeField { bounds, default }
    }

    fn parse_default(
        definition: &mut FieldDefinition<'_>,
        bounds: &NumberLimits,
    ) -> Option<Number> {
        let number = match read_number(definition.get("default")?) {
            Ok(number) => number?,
            Err(problem) => {
                definition.problems.add("default", problem);
                return None;
            }
        };
        let mut found = FieldProblems::new();
        bounds.check_number(number.as_f64().unwrap_or_default(), &mut found);
        let fits = found.is_empty();
        definition.problems.extend(found.with_prefix("default"));
        fits.then_some(number)
    }
}

impl FieldKind for RangeField {
    fn accept_input(&self, input: &Json, check: &mut InputCheck<'_>) -> Json {
        match read_number(input) {
            Ok(Some(number)) => {
                self.bounds.check_number(number.as_f64().unwrap_or_default(), check.problems);
                Json::Number(number)
            }
            Ok(None) => self.empty_value(),
            Err(problem) => {
                check.problems.add("", problem);
                Json::Null
            }
        }
    }

    fn empty_value(&self) -> Json {
        Json::Number(self.default.clone())
    }

    fn comparison(&self) -> Comparison {
        Comparison::Number
    }

    fn json_schema(&self, form: ValueForm) -> Value {
        number_schema("number", &self.bounds, form)
    }
}

fn settings() -> Value {
    let mut settings = NumberLimits::settings_schema();
    for (key, default) in [("min", 0), ("max", 100), ("step", 1)] {
        if let Some(setting) = settings.get_mut(key) {
            add_key(setting, "default", Some(default));
        }
    }
    let decimals = count_setting("The number of decimals that the interface shows.");
    add_key(&mut settings, "display_decimals", Some(decimals));
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
