//! The reason for which the search found an entry: a field, and the text around the words.

use std::ops::Range;

use memchr::memmem;
use memchr::memrchr;
use schemars::JsonSchema;
use serde::Serialize;

use crate::app::content::markdown_html::strip_markdown;
use crate::model::content_type::ContentType;
use crate::model::field::Field;
use crate::query::render::rendered_entry::RenderedEntry;
use crate::query::render::rendered_entry::Variant;
use crate::query::request::list_query::TERMS_MAX;
use crate::stdx::fold::fold_into;
use crate::stdx::fold::fold_text;
use crate::stdx::json::Json;

/// The characters of an excerpt before the words.
const BEFORE_CHARS: usize = 50;
/// The characters of an excerpt from the words on.
const AFTER_CHARS: usize = 110;

/// The bytes of Markdown before and behind the words of which the notation is removed: more than an
/// excerpt shows, so that most links and emphases are complete.
const WINDOW_BYTES: usize = 800;

/// The most bytes of a field in which the words are looked for. Of a longer text it is the
/// beginning, and longer values of other kinds are left out.
const FIELD_BYTES_MAX: usize = 256 * 1024;

/// The most bytes of all fields of the entries on a page in which the words are looked for.
pub(super) const PAGE_BYTES_MAX: usize = 4 * 1024 * 1024;

/// The place in an entry at which the words are.
#[derive(Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(inline)]
pub(super) struct SearchMatch {
    /// The name of the field.
    field: String,
    /// The name of the field that people see.
    label: String,
    /// The text around the words, in one line and without the notation of Markdown, about 160
    /// characters of it. `…` stands for what is left out.
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
        let words = phrase.split_whitespace().take(TERMS_MAX).map(str::to_string).collect();
        SearchWords { phrase, words }
    }

    fn count_in(&self, folded: &str) -> usize {
        self.words.iter().filter(|it| find_text(folded, it).is_some()).count()
    }

    /// Returns the place of all words together, else of the first one that occurs.
    fn find_in(&self, folded: &str) -> Option<usize> {
        let first = || self.words.iter().filter_map(|it| find_text(folded, it)).min();
        find_text(folded, &self.phrase).or_else(first)
    }
}

/// Finds a word faster than `str::find` does.
fn find_text(text: &str, word: &str) -> Option<usize> {
    memmem::find(text.as_bytes(), word.as_bytes())
}

/// Finds the field that says best why an entry was found: the first one with all words, else the
/// one with most of them. It looks at the rendering that is searched, and at nothing else: at the
/// beginning of long fields, and at as many `bytes_left` of fields as the page has.
pub(super) fn find_match(
    ty: &ContentType,
    doc: &RenderedEntry,
    locale: Option<usize>,
    words: &SearchWords,
    bytes_left: &mut usize,
) -> Option<SearchMatch> {
    let variant = doc.variant_for(locale);
    let title = || match Json::parse(variant.title_json()) {
        Ok(Json::String(title)) => title,
        _ => String::new(),
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
            let (json, mut text) = (variant.field_json(index), String::new());
            if let Some(value) = parse_beginning(json, FIELD_BYTES_MAX.min(*bytes_left)) {
                *bytes_left -= json.len().min(FIELD_BYTES_MAX).min(*bytes_left);
                field.kind.collect_text(&value, &mut text);
            }
            consider(field.name.as_str(), text)
        })
        || consider("slug", doc.slug().to_string());
    let (_, name, text) = best?;
    let label = ty.fields.get(name).map_or(name, |it| it.label.as_str()).to_string();
    let found = ty.data_fields().enumerate().find(|(_, it)| it.name.as_str() == name);
    let text = match found.is_some_and(|(index, it)| has_markdown(it, variant, index)) {
        true => cut_markdown_excerpt(&text, words),
        false => cut_excerpt(&text, words),
    };
    Some(SearchMatch { field: name.to_string(), label, text })
}

/// Parses the value of a field, or the beginning of a text that has more bytes.
fn parse_beginning(json: &[u8], bytes_max: usize) -> Option<Json> {
    if json.len() <= bytes_max {
        return Json::parse(json).ok();
    }
    let text = json.get(..bytes_max).filter(|it| it.starts_with(b"\""))?;
    // No escape and no letter contains a space.
    let mut text = text.get(..memrchr(b' ', text)?)?.to_vec();
    text.push(b'"');
    Json::parse(&text).ok()
}

/// Returns true if there is Markdown in the value of a field.
fn has_markdown(field: &Field, variant: &Variant, index: usize) -> bool {
    let value = parse_beginning(variant.field_json(index), FIELD_BYTES_MAX).unwrap_or_default();
    field.kind.render_markdown(&value, &mut |_| Json::Null).is_some()
}

/// Returns the text around the words without the notation of Markdown. Words that only the notation
/// has, such as the address of a link, show as they stand there.
fn cut_markdown_excerpt(text: &str, words: &SearchWords) -> String {
    let at = find_words(text, words);
    let window = find_window(text, at);
    let plain = strip_markdown(text.get(window.clone()).unwrap_or_default());
    if words.find_in(&fold_text(&plain)).is_none() {
        return cut_excerpt(text, words);
    }
    let excerpt = cut_excerpt(&plain, words);
    let is_cut = |edge: Option<&str>| edge.is_some_and(|it| !it.trim().is_empty());
    let before = is_cut(text.get(..window.start)) && !excerpt.starts_with('…');
    let after = is_cut(text.get(window.end..)) && !excerpt.ends_with('…');
    format!("{}{excerpt}{}", if before { "…" } else { "" }, if after { "…" } else { "" })
}

/// Returns the part of a Markdown text around a place, from the beginning of a line if there is one
/// nearby. Spaces before it would make it code.
fn find_window(text: &str, at: usize) -> Range<usize> {
    let far = text.floor_char_boundary(at.saturating_sub(WINDOW_BYTES));
    let near = text.get(far..at).unwrap_or_default();
    let line = if far > 0 { near.find('\n').unwrap_or_default() } else { 0 };
    let indent = |it: &str| it.len() - it.trim_start().len();
    let start = far + line + near.get(line..).map_or(0, indent);
    start..text.ceil_char_boundary(at.saturating_add(WINDOW_BYTES).min(text.len()))
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
    let Some(found) = words.find_in(&fold_text(text)) else { return 0 };
    if text.as_bytes().get(..=found).is_some_and(<[u8]>::is_ascii) {
        return found;
    }
    let (mut folded, mut place) = (String::new(), 0);
    for (at, letter) in text.char_indices() {
        if folded.len() > found {
            break;
        }
        place = at;
        fold_into(letter.encode_utf8(&mut [0; 4]), &mut folded);
    }
    place
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
    fn an_excerpt_of_markdown_is_without_its_notation() {
        let check = |text: &str, query: &str, expect: &str| {
            let found = cut_markdown_excerpt(text, &SearchWords::parse(query));
            assert_eq!(found, expect, "{query}");
        };
        check("Some **bold** and [a link](/x) *here*.", "bold", "Some bold and a link here.");
        check("# Head\n\n- [x] one `two`\n- ~~three~~", "two", "Head one two three");
        check("| a | b |\n|---|---|\n| **c** | d |\n", "d", "a b c d");
        check("![A hill](/media/main/hill.jpg) at dawn[^1]", "hill", "A hill at dawn");
        // The only place of the word is in the notation.
        check(
            "See [here](https://example.org/dawn).",
            "dawn",
            "See [here](https://example.org/dawn).",
        );
        check("<b title=\"dawn\">x</b>", "dawn", "<b title=\"dawn\">x</b>");
        check("2 * 3 * 4 is snake_case_name", "snake", "2 * 3 * 4 is snake_case_name");
        check("", "x", "");
        let lines = "A **line** of [text](/y).\n\n".repeat(200);
        let text = format!("{lines}- a\n    - the *needle* in it\n\n{lines}");
        let found = cut_markdown_excerpt(&text, &SearchWords::parse("needle"));
        assert!(found.contains("A line of text. a the needle in it A line of text."), "{found}");
        assert!(found.starts_with('…') && found.ends_with('…'), "{found}");
        assert!(!found.contains(['*', '[']), "{found}");
        // No window is cut within a character.
        let dense = format!("{}**ß**{}", "ä".repeat(900), "ö".repeat(900));
        let found = cut_markdown_excerpt(&dense, &SearchWords::parse("ss"));
        assert_eq!(found.chars().count(), 2 + 51 + 110);
    }

    #[test]
    fn the_field_with_most_of_the_words_is_the_reason() {
        let ty = content_type("posts", r#"{"fields":{"a":{},"b":{"label":"Bee"}}}"#);
        let file =
            r#"{"title":"Red","slug":"blue-moon","data":{"a":"green red","b":"green blue"}}"#;
        let entries = index(&ty, &[("e", file)]);
        let check = |query: &str, expect: Option<(&str, &str, &str)>| {
            let words = SearchWords::parse(query);
            let doc = entries.entry_at(0).unwrap();
            let found = find_match(&ty, doc, None, &words, &mut { PAGE_BYTES_MAX });
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

    #[test]
    fn long_fields_are_looked_at_from_their_beginning() {
        let ty = content_type(
            "posts",
            r#"{"fields":{"body":{"type":"markdown"},
                "rows":{"type":"repeater","subfields":[{"key":"cell","type":"text"}]},"note":{}}}"#,
        );
        let many = r#"word \"quoted\" \u00e4 "#.repeat(40_000);
        let file = format!(
            r#"{{"title":"T","slug":"s","data":{{"body":"first **one** {many}last",
                "rows":[{{"cell":"within {many}"}}],"note":"remark"}}}}"#
        );
        let entries = index(&ty, &[("e", file.as_str())]);
        let doc = entries.entry_at(0).unwrap();
        let check = |query: &str, bytes_left: usize, expect: Option<&str>| {
            let mut left = bytes_left;
            let found = find_match(&ty, doc, None, &SearchWords::parse(query), &mut left);
            assert_eq!(found.as_ref().map(|it| it.field.as_str()), expect, "{query}");
            assert!(bytes_left - left <= 2 * FIELD_BYTES_MAX, "{query}");
        };
        check("first", PAGE_BYTES_MAX, Some("body"));
        check("QUOTED Ä", PAGE_BYTES_MAX, Some("body"));
        check("remark", PAGE_BYTES_MAX, Some("note"));
        check("last", PAGE_BYTES_MAX, None);
        check("within", PAGE_BYTES_MAX, None);
        // Nothing is left for this entry, but its title is short.
        check("first", 0, None);
        check("t", 0, Some("title"));
        let mut left = PAGE_BYTES_MAX;
        let found = find_match(&ty, doc, None, &SearchWords::parse("one"), &mut left).unwrap();
        assert!(found.text.starts_with("first one word \"quoted\" ä word"), "{}", found.text);
    }

    #[test]
    fn notation_is_removed_where_there_is_markdown() {
        let ty = content_type(
            "posts",
            r#"{"fields":{"plain":{"type":"textarea"},"body":{"type":"markdown"},
                "parts":{"type":"blocks","blocks":{"text":{"fields":{"t":{"type":"markdown"}}}}}}}"#,
        );
        let file = r#"{"data":{"plain":"one **a**","body":"two **b**",
            "parts":[{"_type":"text","_id":"x","t":"three **c**"}]}}"#;
        let entries = index(&ty, &[("e", file)]);
        for (query, expect) in [("one", "one **a**"), ("two", "two b"), ("three", "three c")] {
            let words = SearchWords::parse(query);
            let doc = entries.entry_at(0).unwrap();
            let found = find_match(&ty, doc, None, &words, &mut { PAGE_BYTES_MAX });
            assert_eq!(found.unwrap().text, expect);
        }
    }
}
