//! The sentences about invalid values, one for each kind of mistake.

use serde_json::Value;

use crate::model::sentence::Sentence;
use crate::model::sentence::sentence;
use crate::stdx::json::Json;

/// A required value is missing.
pub const REQUIRED: &str = "This field is required.";

/// A value is `null`, which has no meaning here.
pub const NOT_NULL: &str = "This must not be null.";

/// An optional text in a file is not what it should be.
pub const UNREADABLE: &str = "This cannot be read, and counts as missing.";

/// A text is not a date and a time.
pub const NOT_A_TIME: &str = "This must be a date and time, such as 2026-05-03T12:00:00Z.";

/// A time has passed.
pub const NOT_IN_FUTURE: &str = "This must be in the future.";

/// A text contains control characters.
pub const CONTROL_CHARACTERS: &str = "This must not contain control characters.";

/// A number has decimals.
pub const NOT_WHOLE: &str = "This must be a whole number.";

/// The names of types, for [`wrong_type`].
pub const STRING: &str = "a string";
/// A boolean.
pub const BOOLEAN: &str = "true or false";
/// A number.
pub const NUMBER: &str = "a number";
/// A value of a filter.
pub const STRING_NUMBER_OR_BOOLEAN: &str = "a string, a number, true or false";
/// An array.
pub const LIST: &str = "a list";
/// An array of strings.
pub const STRINGS: &str = "a list of strings";
/// An object.
pub const OBJECT: &str = "an object";

/// A value has another type than the wanted one.
pub fn wrong_type(wanted: &str, found: &Json) -> String {
    format!("This must be {wanted}, not {}.", found.kind())
}

/// A value is not a list of strings.
pub fn not_strings(found: &Json) -> String {
    match found {
        Json::Array(_) => format!("This must be {STRINGS}."),
        other => wrong_type(STRINGS, other),
    }
}

/// A text is too long.
pub fn too_long(chars_max: usize) -> Sentence {
    sentence!("This must have at most {count} characters.", count = chars_max)
}

/// A value is too large.
pub fn too_large(bytes_max: usize) -> Sentence {
    if bytes_max.is_multiple_of(1024) {
        return sentence!("This must have at most {count} KiB.", count = bytes_max / 1024);
    }
    sentence!("This must have at most {count} bytes.", count = bytes_max)
}

/// A list has too many items; `items` names them in the plural.
pub fn too_many(items_max: usize, items: &str) -> Sentence {
    sentence!("There can be at most {count} {items}.", count = items_max, items)
}

/// A number is not a whole number of at least `least`.
pub fn not_whole_from(least: impl Into<Value>) -> Sentence {
    let least: Value = least.into();
    sentence!("This must be a whole number, {least} or more.", least)
}

/// A number is not a whole number in a range.
pub fn not_whole_within(least: impl Into<Value>, most: impl Into<Value>) -> Sentence {
    let (least, most): (Value, Value) = (least.into(), most.into());
    sentence!("This must be a whole number from {least} to {most}.", least, most)
}

/// A text is not a whole number of at least `least`, or one that is too large to be read.
pub fn not_count(text: &str, least: usize) -> Sentence {
    let is_number = !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
    if is_number && text.parse::<usize>().is_err() {
        return not_whole_within(least, usize::MAX);
    }
    not_whole_from(least)
}

/// A value is not a list of numbers from 0 to 1, one for each of these.
pub fn not_fractions<const N: usize>(names: [&str; N]) -> String {
    let (last, rest) = names.split_last().unwrap_or((&"", &[]));
    format!("This must be a list of {N} numbers from 0 to 1: {} and {last}.", rest.join(", "))
}

/// A value is not one of those allowed.
pub fn not_one_of<'a>(allowed: impl IntoIterator<Item = &'a str>) -> String {
    let quoted: Vec<String> = allowed.into_iter().map(|it| format!("`{it}`")).collect();
    match quoted.split_last() {
        Some((last, [])) => format!("This must be {last}."),
        Some((last, rest)) => format!("This must be {} or {last}.", rest.join(", ")),
        None => NOT_NULL.to_string(),
    }
}

/// There is nothing of this kind with this name.
pub fn unknown(kind: &str, name: &str) -> String {
    format!("There is no {kind} `{name}`.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_name_what_is_wanted() {
        assert_eq!(wrong_type(STRING, &Json::from(7)), "This must be a string, not a number.");
        assert_eq!(too_large(2048).as_str(), "This must have at most 2 KiB.");
        assert_eq!(too_large(4000).as_str(), "This must have at most 4000 bytes.");
        for text in ["", "-1", "1.5", "0", "x", "-99999999999999999999"] {
            let told = not_count(text, 1);
            assert_eq!(told.as_str(), "This must be a whole number, 1 or more.", "{text}");
        }
        let range = format!("This must be a whole number from 1 to {}.", usize::MAX);
        assert_eq!(not_count("99999999999999999999", 1).as_str(), range);
        assert_eq!(not_one_of(["a"]), "This must be `a`.");
        assert_eq!(not_one_of(["a", "b", "c"]), "This must be `a`, `b` or `c`.");
    }
}
