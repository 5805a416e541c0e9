//! Limits shared by several kinds: of texts, numbers and lists.

use regex::Regex;
use regex::RegexBuilder;
use serde_json::Value;
use serde_json::json;

use crate::model::field::definition::FieldDefinition;
use crate::model::input::wording;
use crate::model::problem::FieldProblems;
use crate::model::sentence::sentence;

/// The maximum memory of a compiled pattern in bytes.
pub(super) const PATTERN_BYTES_MAX: usize = 1 << 20;

/// The limits of a text: its length in characters, and a pattern that must match somewhere in it.
#[derive(Debug)]
pub(super) struct TextLimits {
    min: Option<usize>,
    max: Option<usize>,
    pattern: Option<Regex>,
}

impl TextLimits {
    pub(super) fn parse(definition: &mut FieldDefinition<'_>) -> TextLimits {
        let min = definition.get_count("min_length");
        let max = definition.get_count("max_length");
        check_order(min.zip(max).is_some_and(|(min, max)| min > max), "max_length", definition);
        // Browsers check the same pattern, and for both an empty one means none.
        let pattern = definition.get_text("pattern").filter(|it| !it.is_empty());
        let pattern = pattern.and_then(|text| {
            let regex = RegexBuilder::new(&text).size_limit(PATTERN_BYTES_MAX).build();
            regex.map_err(|error| definition.problems.add("pattern", describe_error(&error))).ok()
        });
        definition.get_text("placeholder");
        TextLimits { min, max, pattern }
    }

    pub(super) fn check_text(&self, text: &str, problems: &mut FieldProblems) {
        if self.min.is_some() || self.max.is_some() {
            let length = text.chars().count();
            if let Some(min) = self.min.filter(|min| length < *min) {
                problems
                    .add("", sentence!("This must have at least {count} characters.", count = min));
            }
            if let Some(max) = self.max.filter(|max| length > *max) {
                problems.add("", wording::too_long(max));
            }
        }
        if let Some(pattern) = self.pattern.as_ref().filter(|it| !it.is_match(text)) {
            problems.add(
                "",
                sentence!("This must match the pattern `{pattern}`.", pattern = pattern.as_str()),
            );
        }
    }

    /// Adds the limits to the schema of a string.
    pub(super) fn add_to_schema(&self, schema: &mut Value) {
        add_key(schema, "minLength", self.min);
        add_key(schema, "maxLength", self.max);
        add_key(schema, "pattern", self.pattern.as_ref().map(Regex::as_str));
    }

    pub(super) fn settings_schema() -> Value {
        json!({
            "min_length": count_setting("The minimum number of characters."),
            "max_length": count_setting("The maximum number of characters."),
            "pattern": {
                "type": "string",
                "format": "regex",
                "description": "A regular expression that must match a part of the text; ^ and $ \
                                match its ends.",
            },
            "placeholder": {
                "type": "string",
                "description": "A text that the empty input shows.",
            },
        })
    }
}

/// The limits of a number.
#[derive(Debug)]
pub(super) struct NumberLimits {
    pub(super) min: Option<f64>,
    pub(super) max: Option<f64>,
    pub(super) step: Option<f64>,
}

impl NumberLimits {
    pub(super) fn parse(definition: &mut FieldDefinition<'_>) -> NumberLimits {
        Self::parse_or(definition, None, None, None)
    }

    /// Parses limits; those that are not given are taken from the arguments.
    pub(super) fn parse_or(
        definition: &mut FieldDefinition<'_>,
        min: Option<f64>,
        max: Option<f64>,
        step: Option<f64>,
    ) -> NumberLimits {
        let min = definition.get_number("min").or(min);
        let max = definition.get_number("max").or(max);
        let given = definition.get_number("step");
        if given.is_some_and(|it| it <= 0.0) {
            definition.problems.add("step", "This must be a number above 0.");
        }
        check_order(min.zip(max).is_some_and(|(min, max)| min > max), "max", definition);
        NumberLimits { min, max, step: given.filter(|it| *it > 0.0).or(step) }
    }

    pub(super) fn check_number(&self, number: f64, problems: &mut FieldProblems) {
        if let Some(min) = self.min.filter(|min| number < *min) {
            problems.add("", sentence!("This must be {min} or more.", min));
        }
        if let Some(max) = self.max.filter(|max| number > *max) {
            problems.add("", sentence!("This must be {max} or less.", max));
        }
        if let Some(step) = self.step.filter(|step| !self.is_step(number, *step)) {
            let from = self.min.unwrap_or(0.0);
            problems.add(
                "",
                sentence!(
                    "This must be {from}, or differ from it by a multiple of {step}.",
                    from,
                    step,
                ),
            );
        }
    }

    fn is_step(&self, number: f64, step: f64) -> bool {
        let steps = (number - self.min.unwrap_or(0.0)) / step;
        // Decimals like 0.1 are not exact, and neither is their quotient.
        (steps - steps.round()).abs() <= 1e-9 * steps.abs().max(1.0)
    }

    /// Adds the limits to the schema of a number.
    pub(super) fn add_to_schema(&self, schema: &mut Value) {
        add_key(schema, "minimum", self.min);
        add_key(schema, "maximum", self.max);
    }

    pub(super) fn settings_schema() -> Value {
        json!({
            "min": { "type": "number", "description": "The minimum value." },
            "max": { "type": "number", "description": "The maximum value." },
            "step": {
                "type": "number",
                "exclusiveMinimum": 0,
                "description": "Values differ from the minimum, or else from 0, by a multiple of \
                                this.",
            },
        })
    }
}

/// The number of items that a list may have. An empty list means no value and is always valid.
#[derive(Debug)]
pub(super) struct ItemLimits {
    min: usize,
    max: Option<usize>,
}

impl ItemLimits {
    /// Parses the limits under these keys. A limit without a key is not set.
    pub(super) fn parse(
        definition: &mut FieldDefinition<'_>,
        min_key: Option<&str>,
        max_key: &str,
    ) -> ItemLimits {
        let min = min_key.and_then(|key| definition.get_count(key)).unwrap_or(0);
        let max = definition.get_count(max_key);
        check_order(max.is_some_and(|max| min > max), max_key, definition);
        ItemLimits { min, max }
    }

    pub(super) fn check_count(&self, count: usize, problems: &mut FieldProblems) {
        if count > 0 && count < self.min {
            let least = self.min;
            problems.add(
                "",
                sentence!("There must be at least {least} items, not {count}.", least, count),
            );
        }
        if let Some(max) = self.max.filter(|max| count > *max) {
            problems.add(
                "",
                sentence!("There must be at most {most} items, not {count}.", most = max, count),
            );
        }
    }

    /// Adds the limits to the schema of an array.
    pub(super) fn add_to_schema(&self, schema: &mut Value) {
        add_key(schema, "maxItems", self.max);
        if self.min > 0 {
            add_key(schema, "anyOf", Some(json!([{ "maxItems": 0 }, { "minItems": self.min }])));
        }
    }

    pub(super) fn settings_schema() -> Value {
        json!({
            "min_items": count_setting("The minimum number of items, if there are any."),
            "max_items": count_setting("The maximum number of items."),
        })
    }
}

/// Returns the schema of a setting that is a count.
pub(super) fn count_setting(description: &str) -> Value {
    json!({ "type": "integer", "minimum": 0, "description": description })
}

/// Adds a key to a schema if there is a value for it.
pub(super) fn add_key(schema: &mut Value, key: &str, value: Option<impl Into<Value>>) {
    if let (Some(map), Some(value)) = (schema.as_object_mut(), value) {
        map.insert(key.to_string(), value.into());
    }
}

fn check_order(crossed: bool, key: &str, definition: &mut FieldDefinition<'_>) {
    if crossed {
        definition.problems.add(key, "This is below the minimum, so no value is valid.");
    }
}

/// Returns the error without the multi-line drawing of its position.
fn describe_error(error: &regex::Error) -> String {
    match error {
        regex::Error::CompiledTooBig(_) => "This pattern is too large.".to_string(),
        other => {
            let text = other.to_string();
            let reason = text.lines().last().unwrap_or_default().trim_start_matches("error: ");
            format!("This is not a regular expression: {reason}.")
        }
    }
}
