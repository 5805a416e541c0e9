//! The reason for which the search found an entry: a field, and the text around the words.

use schemars::JsonSchema;
use serde::Serialize;

use crate::model::content_type::ContentType;
use crate::query::render::rendered_entry::RenderedEntry;
use crate::stdx::fold::fold_into;
use crate::stdx::fold::fold_text;
use crate::stdx::json::Json;

/// The characters of an excerpt before the words.
const BEFORE_CHARS: usize = 50;
/// The characters of an excerpt from the words on.
const AFTER_CHARS: usize = 110;

/// The place in an entry at which the words are.
#[derive(Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(inline)]
pub(super) struct SearchMatch {
    /// The name of the field.
    field: String,
    /// The name of the field that people see.
    label: String,
    /// The text around the words, in one line, about 160 characters of it. `…` stands for what is
    /// left out.
    text: String,
}

/// The words of a search, folded.
pub(super) struct SearchWords {
    phrase: String,
    words: Vec<String>,
}

impl SearchWords {
    pub(super) fn parse(text: &str) -> SearchWords {
        let phrase = fold_text(text).into_owned();
        let words = phrase.split_whitespace().map(str::to_string).collect();
        SearchWords { phrase, words }
    }

    fn count_in(&self, folded: &str) -> usize {
        self.words.iter().filter(|it| folded.contains(it.as_str())).count()
    }

    /// Returns the place of all words together, else of the first one that occurs.
    fn find_in(&self, folded: &str) -> Option<usize> {
        let first = || self.words.iter().filter_map(|it| folded.find(it.as_str())).min();
        folded.find(&self.phrase).or_else(first)
    }
}

/// Finds the field that says best why an entry was found: the first one with all words, else the
/// one with most of them. It looks at the rendering that is searched, and at nothing else.
pub(super) fn find_match(
    ty: &ContentType,
    doc: &RenderedEntry,
    locale: Option<usize>,
    words: &SearchWords,
) -> Option<SearchMatch> {
    let variant = doc.variant_for(locale);
    let title = || match Json::parse(variant.title_json()) {
        Ok(Json::String(title)) => title,
        _ => String::new(),
    };
    let value = |index: usize, out: &mut String| {
        let field = ty.data_fields().nth(index)?;
        let value = Json::parse(variant.field_json(index)).ok()?;
        field.kind.collect_text(&value, out);
        Some(())
    };
    let mut best: Option<(usize, &str, String)> = None;
    let mut consider = |field, text: String| {
        let count = words.count_in(&fold_text(&text));
        if count > best.as_ref().map_or(0, |(most, ..)| *most) {
            best = Some((count, field, text));
        }
        count == words.words.len()
    };
    // The slug comes last: it is mostly made from the title.
    let _ = consider("title", title())
        || ty.data_fields().enumerate().any(|(index, field)| {
            let mut text = String::new();
            value(index, &mut text);
            consider(field.name.as_str(), text)
        })
        || consider("slug", doc.slug().to_string());
    let (_, field, text) = best?;
    let label = ty.fields.get(field).map_or(field, |it| it.label.as_str()).to_string();
    Some(SearchMatch { field: field.to_string(), label, text: cut_excerpt(&text, words) })
}

/// Returns the text around the words in one line.
fn cut_excerpt(text: &str, words: &SearchWords) -> String {
    let at = find_words(text, words);
    let begin = text[..at].char_indices().rev().nth(BEFORE_CHARS).map_or(0, |(it, _)| it);
    let end = text[at..].char_indices().nth(AFTER_CHARS).map_or(text.len(), |(it, _)| at + it);
    // Words are not cut, unless they are longer than what is shown.
    let begin = match text[begin..at].find(char::is_whitespace) {
        Some(gap) if begin > 0 => begin + gap,
        _ => begin,
    };
    let end = match text[at..end].rfind(char::is_whitespace) {
        Some(gap) if end < text.len() && gap > 0 => at + gap,
        _ => end,
    };
    let shown = text[begin..end].split_whitespace().collect::<Vec<_>>().join(" ");
    let before = if text[..begin].trim().is_empty() { "" } else { "…" };
    let after = if text[end..].trim().is_empty() { "" } else { "…" };
    format!("{before}{shown}{after}")
}

/// Returns the place of the words in a text that is not folded: folding changes lengths.
fn find_words(text: &str, words: &SearchWords) -> usize {
    let mut folded = String::with_capacity(text.len());
    let mut starts: Vec<(usize, usize)> = Vec::new();
    for (at, letter) in text.char_indices() {
        starts.push((folded.len(), at));
        fold_into(letter.encode_utf8(&mut [0; 4]), &mut folded);
    }
    let Some(found) = words.find_in(&folded) else { return 0 };
    let behind = starts.partition_point(|(start, _)| *start <= found);
    behind.checked_sub(1).and_then(|it| starts.get(it)).map_or(0, |(_, at)| *at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::tests::content_type;
    use crate::query::tests::index;

    #[test]
    fn an_excerpt_is_what_is_around_the_words() {
        let check = |text: &str, query: &str, expect: &str| {
            assert_eq!(cut_excerpt(text, &SearchWords::parse(query)), expect, "{query}");
        };
        check("A short one", "short", "A short one");
        check("  two\n\n lines ", "lines", "two lines");
        check("", "x", "");
        check("Größe zählt", "GROSSE", "Größe zählt");
        check("ﬁne ﬁsh", "fish", "ﬁne ﬁsh");
        check("nothing of it", "zzz", "nothing of it");
        let long = format!("{} needle {}", "before ".repeat(40), "after ".repeat(40));
        let before = "before ".repeat(7);
        let after = " after".repeat(17);
        check(&long, "needle", &format!("…{before}needle{after}…"));
        // A text without spaces is cut where it has to be, and never within a character.
        let dense = format!("{}ß{}", "ä".repeat(300), "ö".repeat(300));
        let around = format!("…{}ß{}…", "ä".repeat(51), "ö".repeat(109));
        check(&dense, "ss", &around);
    }

    #[test]
    fn the_field_with_most_of_the_words_is_the_reason() {
        let ty = content_type("posts", r#"{"fields":{"a":{},"b":{"label":"Bee"}}}"#);
        let file =
            r#"{"title":"Red","slug":"blue-moon","data":{"a":"green red","b":"green blue"}}"#;
        let entries = index(&ty, &[("e", file)]);
        let check = |query: &str, expect: Option<(&str, &str, &str)>| {
            let words = SearchWords::parse(query);
            let found = find_match(&ty, entries.entry_at(0).unwrap(), None, &words);
            let expect = expect.map(|(field, label, text)| SearchMatch {
                field: field.to_string(),
                label: label.to_string(),
                text: text.to_string(),
            });
            assert_eq!(found, expect, "{query}");
        };
        check("red", Some(("title", "Title", "Red")));
        check("green", Some(("a", "A", "green red")));
        check("blue green", Some(("b", "Bee", "green blue")));
        check("moon", Some(("slug", "Slug", "blue-moon")));
        check("red blue moon", Some(("slug", "Slug", "blue-moon")));
        check("zzz", None);
    }
}
