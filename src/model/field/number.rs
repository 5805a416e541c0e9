//! `number`: a finite number.

use serde_json::Number as JsonNumber;
use serde_json::Value;
use serde_json::json;

use crate::model::field::definition::FieldDefinition;
use crate::model::field::kind::Comparison;
use crate::model::field::kind::FieldKind;
use crate::model::field::kind::KindEntry;
use crate::model::field::kind::ValueForm;
use crate::model::field::limits::NumberLimits;
use crate::model::field::limits::add_key;
use crate::model::field::limits::count_setting;
use crate::model::field::value_context::InputCheck;
use crate::model::input::wording;
use crate::stdx::json::Json;

pub(super) const KIND: KindEntry = KindEntry {
    name: "number",
    about: "A number.",
    parse: |definition| Box::new(NumberField::parse(definition)),
    settings,
};

/// The maximum number of decimals, which is about the precision of a float.
const DECIMALS_MAX: usize = 15;

#[derive(Debug)]
struct NumberField {
    bounds: NumberLimits,
    integer: bool,
    decimals: Option<usize>,
}

impl NumberField {
    fn parse(definition: &mut FieldDefinition<'_>) -> NumberField {
        let decimals = definition.get_count("decimals");
        if decimals.is_some_and(|it| it > DECIMALS_MAX) {
            definition
                .problems
                .add("decimals", format!("There can be at most {DECIMALS_MAX} decimals."));
        }
        NumberField {
            bounds: NumberLimits::parse(definition),
            integer: definition.get_flag("integer", false),
            decimals,
        }
    }

    fn normalize_number(&self, number: JsonNumber) -> Result<JsonNumber, String> {
        let number = match (self.decimals, number.as_f64()) {
            (Some(decimals), Some(float)) if number.is_f64() => round_decimals(float, decimals)?,
            _ => number,
        };
        if self.integer && number.is_f64() {
            return Err(wording::NOT_WHOLE.to_string());
        }
        Ok(number)
    }
}

impl FieldKind for NumberField {
    fn accept_input(&self, input: &Json, check: &mut InputCheck<'_>) -> Json {
        let number = match read_number(input)
            .and_then(|it| it.map(|it| self.normalize_number(it)).transpose())
        {
            Ok(Some(number)) => number,
            Ok(None) => return Json::Null,
            Err(problem) => {
                check.problems.add("", problem);
                return Json::Null;
            }
        };
        self.bounds.check_number(number.as_f64().unwrap_or_default(), check.problems);
        Json::Number(number)
    }

    fn comparison(&self) -> Comparison {
        Comparison::Number
    }

    fn json_schema(&self, form: ValueForm) -> Value {
        let number = if self.integer { "integer" } else { "number" };
        number_schema(number, &self.bounds, form)
    }
}

/// Returns the schema of a number within bounds; writers may send it as text.
pub(super) fn number_schema(number: &str, bounds: &NumberLimits, form: ValueForm) -> Value {
    match form {
        ValueForm::Shown => json!({ "type": [number, "null"] }),
        // Rounding precedes the check of the limits, so a number that is sent may be beyond them.
        ValueForm::Input => json!({ "type": ["number", "string", "null"] }),
        ValueForm::Stored => {
            let mut schema = json!({ "type": [number, "null"] });
            bounds.add_to_schema(&mut schema);
            schema
        }
    }
}

/// Reads the number in a value; an empty value has none.
pub(super) fn read_number(input: &Json) -> Result<Option<JsonNumber>, String> {
    match input {
        empty if empty.is_empty() => Ok(None),
        Json::Number(number) => Ok(Some(narrow_to_integer(number.clone()))),
        Json::String(text) if text.trim().is_empty() => Ok(None),
        Json::String(text) => parse_number(text.trim()).map(Some),
        other => Err(wording::wrong_type(wording::NUMBER, other)),
    }
}

fn parse_number(text: &str) -> Result<JsonNumber, String> {
    if let Ok(number) = text.parse::<i64>() {
        return Ok(number.into());
    }
    if let Ok(number) = text.parse::<u64>() {
        return Ok(number.into());
    }
    let spelled = text.bytes().all(|it| it.is_ascii_digit() || b"+-.eE".contains(&it));
    let number = text.parse::<f64>().ok().filter(|_| spelled);
    let number = number.ok_or_else(|| "This is not a number.".to_string())?;
    JsonNumber::from_f64(number)
        .map(narrow_to_integer)
        .ok_or_else(|| "This number is too large.".to_string())
}

/// Returns the number as an integer if it is one: `5.0` and `5` are the same.
pub(super) fn narrow_to_integer(number: JsonNumber) -> JsonNumber {
    /// The limit up to which floats represent every integer.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    match number.as_f64() {
        Some(float) if number.is_f64() && float.fract() == 0.0 && float.abs() <= EXACT => {
            (float as i64).into()
        }
        _ => number,
    }
}

/// Rounds the decimal notation, not the binary value: 1.005 is 1.01 with two decimals.
fn round_decimals(number: f64, decimals: usize) -> Result<JsonNumber, String> {
    let text = number.to_string();
    let end = text.find('.').map_or(text.len(), |point| point + 1 + decimals);
    let Some(next) = text.as_bytes().get(end) else {
        return parse_number(&text);
    };
    let kept: f64 = text.get(..end).unwrap_or_default().parse().unwrap_or_default();
    let step = 0.1_f64.powi(decimals.try_into().unwrap_or_default()).copysign(number);
    let sum = if *next >= b'5' { kept + step } else { kept };
    parse_number(&format!("{sum:.decimals$}"))
}

fn settings() -> Value {
    let mut settings = NumberLimits::settings_schema();
    add_key(
        &mut settings,
        "integer",
        Some(
            json!({ "type": "boolean", "description": "True if only whole numbers are accepted." }),
        ),
    );
    let mut decimals = count_setting("The number of decimals to which values are rounded.");
    add_key(&mut decimals, "maximum", Some(DECIMALS_MAX));
    add_key(&mut settings, "decimals", Some(decimals));
    settings
}

#[cfg(test)]
pub(super) const SAMPLES: &[super::kind_test::Sample] = &[
    super::kind_test::Sample {
        definition: r#"{"type":"number"}"#,
        accepted: &[
            ("5", "5"),
            ("5.0", "5"),
            ("-0.0", "0"),
            ("1.5", "1.5"),
            (r#"" 1.50 ""#, "1.5"),
            (r#""007""#, "7"),
            (r#""1e3""#, "1000"),
            ("12345678901234567890", "12345678901234567890"),
            ("1e300", "1e300"),
            (r#""""#, "null"),
            (r#"" ""#, "null"),
        ],
        refused: &[
            (r#""five""#, ""),
            (r#""1,5""#, ""),
            (r#""NaN""#, ""),
            (r#""inf""#, ""),
            (r#""1e999""#, ""),
            ("true", ""),
            ("[1]", ""),
        ],
        shown: &[(r#""five""#, r#""five""#)],
        broken: &[
            (r#"{"min":2,"max":1}"#, "max"),
            (r#"{"step":0}"#, "step"),
            (r#"{"step":-1}"#, "step"),
            (r#"{"min":"a"}"#, "min"),
            (r#"{"decimals":-1}"#, "decimals"),
            (r#"{"decimals":99}"#, "decimals"),
        ],
    },
    super::kind_test::Sample {
        definition: r#"{"type":"number","min":0.1,"max":1,"step":0.1}"#,
        accepted: &[("0.3", "0.3"), ("1", "1"), ("0.7000000000000001", "0.7000000000000001")],
        refused: &[("0", ""), ("1.1", ""), ("0.25", "")],
        shown: &[("7", "7")],
        broken: &[],
    },
    super::kind_test::Sample {
        definition: r#"{"type":"number","integer":true}"#,
        accepted: &[("3.0", "3"), (r#""3""#, "3")],
        refused: &[("3.5", ""), ("1e300", "")],
        shown: &[],
        broken: &[],
    },
    super::kind_test::Sample {
        definition: r#"{"type":"number","decimals":2,"max":10}"#,
        accepted: &[
            ("1.005", "1.01"),
            ("-1.005", "-1.01"),
            ("1.999", "2"),
            ("10.004", "10"),
            ("0.1", "0.1"),
            ("1e-300", "0"),
        ],
        refused: &[("10.005", "")],
        shown: &[("1.005", "1.005")],
        broken: &[],
    },
];
