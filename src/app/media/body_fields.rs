//! The values of request bodies about media. Problems are collected by field.

use crate::app::media::media_view::normalize_name;
use crate::model::media::Visibility;
use crate::model::media::category::CategoryPath;
use crate::model::problem::FieldProblems;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

/// The most files changed by one request.
const FILES_MAX: usize = 1_000;

/// The longest title or alternative text in characters.
const TEXT_CHARS_MAX: usize = 2_000;

/// Parses an optional text; `null` counts as empty text.
pub(super) fn parse_text(body: &Map, key: &str, problems: &mut FieldProblems) -> Option<String> {
    let text = match body.get(key)? {
        Json::Null => "",
        Json::String(text) => text.as_str(),
        other => {
            problems.add(key, format!("This should be a text and is {}.", other.kind()));
            return None;
        }
    };
    if text.chars().count() > TEXT_CHARS_MAX {
        problems.add(key, format!("This must have at most {TEXT_CHARS_MAX} characters."));
    }
    Some(text.to_owned())
}

/// Parses a required text, which may be empty.
pub(super) fn parse_required<'a>(
    body: &'a Map,
    key: &str,
    problems: &mut FieldProblems,
) -> Option<&'a str> {
    match body.get(key) {
        Some(Json::String(text)) => Some(text),
        None | Some(Json::Null) => {
            problems.add(key, "This field is required.");
            None
        }
        Some(other) => {
            problems.add(key, format!("This should be a text and is {}.", other.kind()));
            None
        }
    }
}

/// Parses the required `visibility`.
pub(super) fn parse_visibility(body: &Map, problems: &mut FieldProblems) -> Option<Visibility> {
    let text = parse_required(body, "visibility", problems)?;
    let visibility = Visibility::parse(text);
    if visibility.is_none() {
        problems.add("visibility", "This must be `public` or `private`.");
    }
    visibility
}

/// Parses the required `category`; empty for none.
pub(super) fn parse_category(
    body: &Map,
    problems: &mut FieldProblems,
) -> Option<Option<CategoryPath>> {
    let text = parse_required(body, "category", problems)?;
    if text.trim().is_empty() {
        Some(None)
    } else {
        parse_path(text, "category", problems).map(Some)
    }
}

/// Parses the path of a category.
pub(super) fn parse_path(
    text: &str,
    key: &str,
    problems: &mut FieldProblems,
) -> Option<CategoryPath> {
    CategoryPath::parse(text).map_err(|error| problems.add(key, error.message())).ok()
}

/// Parses `files`: at least one name, each with its index.
pub(super) fn parse_files(body: &Map, problems: &mut FieldProblems) -> Vec<(usize, String)> {
    let items = match body.get("files") {
        Some(Json::Array(items)) => items.as_slice(),
        None | Some(Json::Null) => &[],
        Some(other) => {
            let message = format!("This should be a list of file names and is {}.", other.kind());
            problems.add("files", message);
            return Vec::new();
        }
    };
    if items.is_empty() {
        problems.add("files", "At least one file is needed.");
    }
    if items.len() > FILES_MAX {
        problems.add("files", format!("{FILES_MAX} files at once are the most."));
        return Vec::new();
    }
    let mut names = Vec::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        match item {
            Json::String(name) => names.push((index, normalize_name(name))),
            _ => problems.add(format!("files[{index}]"), "This should be a file name."),
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(text: &str) -> Map {
        Json::parse(text.as_bytes()).unwrap().as_object().unwrap().clone()
    }

    #[test]
    fn everything_wrong_is_told() {
        let check = |text: &str, expect: &[&str]| {
            let (body, mut problems) = (body(text), FieldProblems::new());
            self::parse_text(&body, "alt", &mut problems);
            parse_visibility(&body, &mut problems);
            parse_category(&body, &mut problems);
            parse_files(&body, &mut problems);
            let fields: Vec<_> = problems.iter().map(|(field, _)| field).collect();
            assert_eq!(fields, expect, "{text}");
        };
        let fine = r#"{"alt":null,"visibility":"private","category":" ","files":["a.png"]}"#;
        check(fine, &[]);
        check("{}", &["visibility", "category", "files"]);
        let wrong = r#"{"alt":5,"visibility":"secret","category":"a\u0000","files":["a",5]}"#;
        check(wrong, &["alt", "visibility", "category", "files[1]"]);
        check(
            r#"{"visibility":true,"category":[],"files":"a"}"#,
            &["visibility", "category", "files"],
        );
        let long = format!(
            r#"{{"alt":"{}","visibility":"public","category":"","files":[]}}"#,
            "ä".repeat(2001)
        );
        check(&long, &["alt", "files"]);
        let many = vec!["\"a\""; FILES_MAX + 1].join(",");
        check(&format!(r#"{{"visibility":"public","category":"a","files":[{many}]}}"#), &["files"]);
    }

    #[test]
    fn empty_clears() {
        let mut problems = FieldProblems::new();
        assert_eq!(parse_text(&body(r#"{"alt":""}"#), "alt", &mut problems).as_deref(), Some(""));
        assert_eq!(parse_text(&body("{}"), "alt", &mut problems), None);
        assert_eq!(parse_category(&body(r#"{"category":""}"#), &mut problems), Some(None));
        assert!(problems.is_empty());
    }
}
