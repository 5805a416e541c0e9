//! Texts of values, and the problem of a value of another type.

use std::borrow::Cow;

use crate::model::input::wording;
use crate::model::problem::FieldProblems;
use crate::stdx::json::Json;

/// Returns the text of a string, or the compact JSON text of any other value.
pub(super) fn text_of(value: &Json) -> Cow<'_, str> {
    if let Json::String(text) = value {
        return Cow::Borrowed(text);
    }
    let mut out = Vec::new();
    value.write_compact(&mut out);
    // The output is valid UTF-8, since the writer copies UTF-8 text.
    Cow::Owned(String::from_utf8(out).unwrap_or_default())
}

/// Returns the text of a scalar: strings as they are, numbers and booleans as written.
pub(super) fn scalar_text(value: &Json) -> Option<Cow<'_, str>> {
    match value {
        Json::Null | Json::Array(_) | Json::Object(_) => None,
        scalar => Some(text_of(scalar)),
    }
}

/// Appends a piece of searchable text.
pub(super) fn push_text(text: &str, out: &mut String) {
    if !text.is_empty() {
        if !out.is_empty() {
            out.push('\n');
        }
        out.push_str(text);
    }
}

/// Reports a value whose JSON type the kind does not take.
pub(super) fn refuse_type(wanted: &str, got: &Json, problems: &mut FieldProblems) -> Json {
    problems.add("", wording::wrong_type(wanted, got));
    Json::Null
}

/// Returns the trimmed text of a one-line value. Returns `None` for an empty value, and for a value
/// of another JSON type, which is rejected as not being `wanted`.
pub(super) fn trim_text<'v>(
    wanted: &str,
    input: &'v Json,
    problems: &mut FieldProblems,
) -> Option<&'v str> {
    match input {
        empty if empty.is_empty() => None,
        Json::String(text) => Some(text.trim()).filter(|it| !it.is_empty()),
        other => {
            refuse_type(wanted, other, problems);
            None
        }
    }
}
