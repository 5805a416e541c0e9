//! Slugs: what they are made of, and which of them is left when others have the first choice.

use crate::model::content_type::ContentType;
use crate::model::content_type::is_top_level;
use crate::model::name::EntryId;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::slug::MAX_LEN;
use crate::stdx::slug::slugify;

/// How many numbers are tried one after the other before the search takes wider steps.
const TRIED_IN_TURN: u32 = 16;

/// The text that the slug of an entry with these root values is made of when it has none.
pub(super) fn source<'a>(ty: &ContentType, title: &'a str, data: &'a Map) -> &'a str {
    // The title's value is at the top level; `data.title` is nobody's.
    let inside = !is_top_level(&ty.slug_source);
    let source = data.get(&ty.slug_source).filter(|_| inside).and_then(Json::as_str);
    source.filter(|it| !it.is_empty()).unwrap_or(title)
}

/// The slug that a text gives an entry: its id when nothing of the text can be written in one.
pub(super) fn made_of(text: &str, id: &EntryId) -> String {
    let made = slugify(text);
    if made.is_empty() { id.to_string() } else { made }
}

/// `slug` when it is free, else with the first free number from 2 on behind it. Among very many
/// taken ones a greater number may be found.
pub fn unused_slug(slug: &str, is_taken: impl Fn(&str) -> bool) -> String {
    if !is_taken(slug) {
        return slug.to_string();
    }
    let taken = |number: u32| is_taken(&numbered(slug, number));
    if let Some(free) = (2..=TRIED_IN_TURN).find(|it| !taken(*it)) {
        return numbered(slug, free);
    }
    let (mut low, mut high) = (TRIED_IN_TURN, TRIED_IN_TURN * 2);
    while taken(high) && high < u32::MAX / 2 {
        (low, high) = (high, high * 2);
    }
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if taken(middle) { low = middle } else { high = middle }
    }
    numbered(slug, high)
}

/// The slug with a number, cut so that both fit.
fn numbered(slug: &str, number: u32) -> String {
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

    #[test]
    fn the_first_free_number_is_taken() {
        let check = |slug: &str, taken: &[&str], expect: &str| {
            assert_eq!(unused_slug(slug, |it| taken.contains(&it)), expect);
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
            assert_eq!(unused_slug("a", is_taken), format!("a-{}", most + 1));
            assert!(asked.get() < 64);
        }
    }
}
