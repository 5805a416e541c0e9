//! What bodies say about media: each value read, and whatever is wrong told by its field.

use crate::app::media::staged::composed;
use crate::model::category::CategoryPath;
use crate::model::media::Visibility;
use crate::model::problem::FieldProblems;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

/// How many files one request changes at most.
const FILES_MAX: usize = 1_000;

/// How long a title or an alternative text is at most, in characters.
const TEXT_CHARS_MAX: usize = 2_000;

/// A text that may be left out; `null` is one that is empty.
pub(super) fn text(body: &Map, key: &str, problems: &mut FieldProblems) -> Option<String> {
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

/// A text that must be there, though it may be empty.
pub(super) fn required<'a>(
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

/// `visibility`, which must be there.
pub(super) fn visibility(body: &Map, problems: &mut FieldProblems) -> Option<Visibility> {
    let text = required(body, "visibility", problems)?;
    let visibility = Visibility::parse(text);
    if visibility.is_none() {
        problems.add("visibility", "This must be `public` or `private`.");
    }
    visibility
}

/// `category`, which must be there; empty for none.
pub(super) fn category(body: &Map, problems: &mut FieldProblems) -> Option<Option<CategoryPath>> {
    let text = required(body, "category", problems)?;
    if text.trim().is_empty() { Some(None) } else { path(text, "category", problems).map(Some) }
}

/// The path of a category.
pub(super) fn path(text: &str, key: &str, problems: &mut FieldProblems) -> Option<CategoryPath> {
    CategoryPath::parse(text).map_err(|error| problems.add(key, error.message())).ok()
}

/// `files`: names, at least one, each with where it stands.
pub(super) fn files(body: &Map, problems: &mut FieldProblems) -> Vec<(usize, String)> {
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
            Json::String(name) => names.push((index, composed(name))),
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
            self::text(&body, "alt", &mut problems);
            visibility(&body, &mut problems);
            category(&body, &mut problems);
            files(&body, &mut problems);
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
        assert_eq!(text(&body(r#"{"alt":""}"#), "alt", &mut problems).as_deref(), Some(""));
        assert_eq!(text(&body("{}"), "alt", &mut problems), None);
        assert_eq!(category(&body(r#"{"category":""}"#), &mut problems), Some(None));
        assert!(problems.is_empty());
    }
}
