//! The values of request bodies about media. Problems are collected by field.

use crate::app::media::media_view::normalize_name;
use crate::model::input::ObjectReader;
use crate::model::input::check_length;
use crate::model::input::wording;
use crate::model::media::Visibility;
use crate::model::media::category::CategoryPath;

/// The most files changed by one request.
pub(super) const FILES_MAX: usize = 1_000;

/// The longest title or alternative text in characters.
pub(super) const TEXT_CHARS_MAX: usize = 2_000;

/// Reads a text that is shown with a file, which clears it if it is empty.
pub(super) fn read_text(input: &mut ObjectReader<'_>, key: &str) -> Option<String> {
    let text = input.clearable_text(key)?;
    input.accept_checked(key, check_length(text, TEXT_CHARS_MAX));
    Some(text.to_owned())
}

/// Reads the required `visibility`.
pub(super) fn read_visibility(input: &mut ObjectReader<'_>) -> Option<Visibility> {
    if input.value("visibility").is_none() {
        input.add_problem("visibility", wording::REQUIRED);
    }
    input.choice("visibility", Visibility::NAMES, Visibility::parse)
}

/// Reads a required path of a category.
pub(super) fn read_path(input: &mut ObjectReader<'_>, key: &str) -> Option<CategoryPath> {
    let text = input.required_text(key)?;
    input.accept(key, CategoryPath::parse(text))
}

/// Reads the required `category`; empty for none.
pub(super) fn read_category(input: &mut ObjectReader<'_>) -> Option<Option<CategoryPath>> {
    let text = input.required_text("category")?;
    if text.trim().is_empty() {
        return Some(None);
    }
    input.accept("category", CategoryPath::parse(text)).map(Some)
}

/// Reads `files`: at least one name, each with its index.
pub(super) fn read_files(input: &mut ObjectReader<'_>) -> Vec<(usize, String)> {
    let items = input.filled_list("files", FILES_MAX, "files");
    input.parse_items("files", items, |name| Ok::<_, String>(normalize_name(name)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stdx::json::from_text::map;

    #[test]
    fn everything_wrong_is_told() {
        let check = |text: &str, expect: &[&str]| {
            let body = map(text);
            let mut input = ObjectReader::new(&body);
            self::read_text(&mut input, "alt");
            read_visibility(&mut input);
            read_category(&mut input);
            read_files(&mut input);
            let problems = input.into_problems();
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
        let body = map(r#"{"alt":"","category":""}"#);
        let mut input = ObjectReader::new(&body);
        assert_eq!(read_text(&mut input, "alt").as_deref(), Some(""));
        assert_eq!(read_text(&mut input, "title"), None);
        assert_eq!(read_category(&mut input), Some(None));
        assert!(input.into_problems().is_empty());
    }
}
