//! Limits that several kinds share: of texts, of numbers and of lists.

use regex::Regex;
use regex::RegexBuilder;
use serde_json::Value;
use serde_json::json;

use crate::model::field::Definition;
use crate::model::problem::FieldProblems;

/// The most memory that one compiled pattern may take.
pub(super) const PATTERN_BYTES_MAX: usize = 1 << 20;

/// Limits of a text: characters, and a pattern that must be found in it.
#[derive(Debug)]
pub(super) struct Lengths {
    min: Option<usize>,
    max: Option<usize>,
    pattern: Option<Regex>,
}

impl Lengths {
    pub(super) fn parse(definition: &mut Definition<'_>) -> Lengths {
        let min = definition.count("min_length");
        let max = definition.count("max_length");
        order(min.zip(max).is_some_and(|(min, max)| min > max), "max_length", definition);
        // Browsers check the same text, so an empty pattern means none there and here.
        let pattern = definition.text("pattern").filter(|it| !it.is_empty());
        let pattern = pattern.and_then(|text| {
            let regex = RegexBuilder::new(&text).size_limit(PATTERN_BYTES_MAX).build();
            regex.map_err(|error| definition.problems.add("pattern", sentence(&error))).ok()
        });
        definition.text("placeholder");
        Lengths { min, max, pattern }
    }

    pub(super) fn check(&self, text: &str, problems: &mut FieldProblems) {
        if self.min.is_some() || self.max.is_some() {
            let length = text.chars().count();
            if let Some(min) = self.min.filter(|min| length < *min) {
                problems.add("", format!("This must have at least {min} characters."));
            }
            if let Some(max) = self.max.filter(|max| length > *max) {
                problems.add("", format!("This must have at most {max} characters."));
            }
        }
        if let Some(pattern) = self.pattern.as_ref().filter(|it| !it.is_match(text)) {
            problems.add("", format!("This must match the pattern `{pattern}`."));
        }
    }

    /// Adds the limits to the schema of a string.
    pub(super) fn describe(&self, schema: &mut Value) {
        put(schema, "minLength", self.min);
        put(schema, "maxLength", self.max);
        put(schema, "pattern", self.pattern.as_ref().map(Regex::as_str));
    }

    pub(super) fn settings() -> Value {
        json!({
            "min_length": count_setting("The fewest characters."),
            "max_length": count_setting("The most characters."),
            "pattern": {
                "type": "string",
                "format": "regex",
                "description": "A regular expression that must be found in the text; ^ and $ stand \
                                for its ends.",
            },
            "placeholder": {
                "type": "string",
                "description": "Shown in the empty input.",
            },
        })
    }
}

/// Limits of a number.
#[derive(Debug)]
pub(super) struct Bounds {
    pub(super) min: Option<f64>,
    pub(super) max: Option<f64>,
    pub(super) step: Option<f64>,
}

impl Bounds {
    pub(super) fn parse(definition: &mut Definition<'_>) -> Bounds {
        Self::parse_or(definition, None, None, None)
    }

    /// Reads limits; what is not given is taken from the arguments.
    pub(super) fn parse_or(
        definition: &mut Definition<'_>,
        min: Option<f64>,
        max: Option<f64>,
        step: Option<f64>,
    ) -> Bounds {
        let min = definition.number("min").or(min);
        let max = definition.number("max").or(max);
        let given = definition.number("step");
        if given.is_some_and(|it| it <= 0.0) {
            definition.problems.add("step", "This is a number above 0.");
        }
        order(min.zip(max).is_some_and(|(min, max)| min > max), "max", definition);
        Bounds { min, max, step: given.filter(|it| *it > 0.0).or(step) }
    }

    pub(super) fn check(&self, number: f64, problems: &mut FieldProblems) {
        if let Some(min) = self.min.filter(|min| number < *min) {
            problems.add("", format!("This must be {min} or more."));
        }
        if let Some(max) = self.max.filter(|max| number > *max) {
            problems.add("", format!("This must be {max} or less."));
        }
        if let Some(step) = self.step.filter(|step| !self.is_step(number, *step)) {
            let from = self.min.unwrap_or(0.0);
            problems.add("", format!("This must be {from} or some steps of {step} from it."));
        }
    }

    fn is_step(&self, number: f64, step: f64) -> bool {
        let steps = (number - self.min.unwrap_or(0.0)) / step;
        // Decimals like 0.1 are not exact, so that neither is their quotient.
        (steps - steps.round()).abs() <= 1e-9 * steps.abs().max(1.0)
    }

    /// Adds the limits to the schema of a number.
    pub(super) fn describe(&self, schema: &mut Value) {
        put(schema, "minimum", self.min);
        put(schema, "maximum", self.max);
    }

    pub(super) fn settings() -> Value {
        json!({
            "min": { "type": "number", "description": "The least value." },
            "max": { "type": "number", "description": "The greatest value." },
            "step": {
                "type": "number",
                "exclusiveMinimum": 0,
                "description": "Values are some steps from the least one (else from 0).",
            },
        })
    }
}

/// How many items a list may have; an empty list is no value, and always fits.
#[derive(Debug)]
pub(super) struct Counts {
    min: usize,
    max: Option<usize>,
}

impl Counts {
    /// Reads the limits under these keys; no key, no limit.
    pub(super) fn parse(
        definition: &mut Definition<'_>,
        min_key: Option<&str>,
        max_key: &str,
    ) -> Counts {
        let min = min_key.and_then(|key| definition.count(key)).unwrap_or(0);
        let max = definition.count(max_key);
        order(max.is_some_and(|max| min > max), max_key, definition);
        Counts { min, max }
    }

    pub(super) fn check(&self, count: usize, problems: &mut FieldProblems) {
        if count > 0 && count < self.min {
            problems.add("", format!("There must be at least {}, not {count}.", self.min));
        }
        if let Some(max) = self.max.filter(|max| count > *max) {
            problems.add("", format!("There must be at most {max}, not {count}."));
        }
    }

    /// Adds the limits to the schema of an array.
    pub(super) fn describe(&self, schema: &mut Value) {
        put(schema, "maxItems", self.max);
        if self.min > 0 {
            put(schema, "anyOf", Some(json!([{ "maxItems": 0 }, { "minItems": self.min }])));
        }
    }

    pub(super) fn settings() -> Value {
        json!({
            "min_items": count_setting("The fewest items, when there are any."),
            "max_items": count_setting("The most items."),
        })
    }
}

/// The schema of a setting that is a count.
pub(super) fn count_setting(description: &str) -> Value {
    json!({ "type": "integer", "minimum": 0, "description": description })
}

/// Adds a key to a schema, if there is something to add.
pub(super) fn put(schema: &mut Value, key: &str, value: Option<impl Into<Value>>) {
    if let (Some(map), Some(value)) = (schema.as_object_mut(), value) {
        map.insert(key.to_string(), value.into());
    }
}

fn order(crossed: bool, key: &str, definition: &mut Definition<'_>) {
    if crossed {
        definition.problems.add(key, "This is below the least, so that nothing fits.");
    }
}

/// The error without the drawing of where it is, which needs a wide screen.
fn sentence(error: &regex::Error) -> String {
    match error {
        regex::Error::CompiledTooBig(_) => "This pattern is too large.".to_string(),
        other => {
            let text = other.to_string();
            let reason = text.lines().last().unwrap_or_default().trim_start_matches("error: ");
            format!("This is no regular expression: {reason}.")
        }
    }
}
