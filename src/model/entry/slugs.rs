//! Slugs: their derivation from a text, and the search for an unused one.

use crate::model::content_type::ContentType;
use crate::model::content_type::is_top_level;
use crate::model::entry::entry_file::data_paths;
use crate::model::entry::entry_file::value_mut;
use crate::model::field::join_path;
use crate::model::name::EntryId;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::slug::MAX_LEN;
use crate::stdx::slug::slugify;

/// The maximum length of a slug in bytes.
pub(super) const SLUG_BYTES_MAX: usize = 200;

/// Returns true if the text is valid as a path segment without escaping.
pub(super) fn is_slug(text: &str) -> bool {
    let legal = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    !text.is_empty() && text.len() <= SLUG_BYTES_MAX && text.bytes().all(legal)
}

/// The number of suffixes tried in sequence before the search takes wider steps.
const TRIED_IN_TURN: u32 = 16;

/// Returns the text that the slug of an entry with these root values is derived from.
pub(super) fn find_source_text<'a>(ty: &ContentType, title: &'a str, data: &'a Map) -> &'a str {
    // The value of the title is at the top level; `data.title` does not count.
    let inside = !is_top_level(&ty.slug_source);
    let source = data.get(&ty.slug_source).filter(|_| inside).and_then(Json::as_str);
    source.filter(|it| !it.is_empty()).unwrap_or(title)
}

/// Derives a slug from a text; returns the id if no character of the text can be used.
pub(super) fn derive_slug(text: &str, id: &EntryId) -> String {
    let made = slugify(text);
    if made.is_empty() { id.to_string() } else { made }
}

/// Gives the field that is the slug the slug of an entry, wherever a file has a value of the field.
pub fn fill_slug_field(ty: &ContentType, file: &mut Map, slug: &str) {
    let Some(field) = ty.find_slug_copy() else { return };
    for path in data_paths(file) {
        if let Some(value) = value_mut(file, &join_path(&path, field.name.as_str())) {
            *value = slug.into();
        }
    }
}

/// Returns `slug` if it is free, otherwise `slug` with the first free number from 2 on. If very
/// many are taken, a later free number may be found.
pub fn find_unused_slug(slug: &str, is_taken: impl Fn(&str) -> bool) -> String {
    if !is_taken(slug) {
        return slug.to_string();
    }
    let taken = |number: u32| is_taken(&append_number(slug, number));
    if let Some(free) = (2..=TRIED_IN_TURN).find(|it| !taken(*it)) {
        return append_number(slug, free);
    }
    let (mut low, mut high) = (TRIED_IN_TURN, TRIED_IN_TURN * 2);
    while taken(high) && high < u32::MAX / 2 {
        (low, high) = (high, high * 2);
    }
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if taken(middle) { low = middle } else { high = middle }
    }
    append_number(slug, high)
}

/// Appends a number to a slug, truncated so that both fit.
fn append_number(slug: &str, number: u32) -> String {
    let suffix = format!("-{number}");
    let mut end = slug.len().min(MAX_LEN.saturating_sub(suffix.len()));
    while !slug.is_char_boundary(end) {
        end -= 1;
    }
    format!("{}{suffix}", slug[..end].trim_end_matches('-'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::name::TypeName;
    use crate::stdx::json::from_text::json;
    use crate::stdx::json::from_text::map;

    #[test]
    fn a_field_that_is_the_slug_is_filled_where_it_has_a_value() {
        let schema = r#"{"slug_field":"path","fields":{"path":{"type":"slug"}}}"#;
        let (ty, _) = ContentType::parse(TypeName::parse("posts").unwrap(), &json(schema));
        let before = r#"{"data":{"path":"a"},"translations":{"de":{"data":{"path":"b"}},
            "fr":{"data":{}}}}"#;
        let after = r#"{"data":{"path":"c"},"translations":{"de":{"data":{"path":"c"}},
            "fr":{"data":{}}}}"#;
        let mut file = map(before);
        fill_slug_field(&ty.unwrap(), &mut file, "c");
        assert_eq!(file, map(after));
    }

    #[test]
    fn the_first_free_number_is_taken() {
        let check = |slug: &str, taken: &[&str], expect: &str| {
            assert_eq!(find_unused_slug(slug, |it| taken.contains(&it)), expect);
        };
        check("a", &[], "a");
        check("a", &["b"], "a");
        check("a", &["a"], "a-2");
        check("a", &["a", "a-2", "a-4"], "a-3");
        let long = "x".repeat(100);
        check(&long, &[long.as_str()], &format!("{}-2", "x".repeat(98)));
        let dashed = format!("{}-yy", "x".repeat(97));
        check(&dashed, &[dashed.as_str()], &format!("{}-2", "x".repeat(97)));
    }

    #[test]
    fn thousands_of_taken_ones_are_passed_quickly() {
        for most in [16, 17, 31, 32, 33, 1000, 65_000] {
            let asked = std::cell::Cell::new(0);
            let is_taken = |it: &str| {
                asked.set(asked.get() + 1);
                it.strip_prefix("a-").map_or(0, |it| it.parse().unwrap()) <= most
            };
            assert_eq!(find_unused_slug("a", is_taken), format!("a-{}", most + 1));
            assert!(asked.get() < 64);
        }
    }
}
