//! The rules of comments: their first word, and their width.

use crate::support::source_tree::SourceFile;
use crate::support::source_tree::check;
use crate::support::source_tree::sources;

/// Words that no doc comment opens with. It opens with a noun phrase or a third-person verb
/// ("The index of one content type.", "Returns the entries that …").
const BAD_OPENERS: &[&str] = &[
    "What", "Whatever", "Whether", "Who", "Whoever", "Whom", "Whose", "Which", "How", "Where",
    "Wherever", "When", "Whenever", "As", "If", "That",
];

/// The widest line of a comment, in characters.
const COLUMNS_MAX: usize = 100;

#[test]
fn comments_wrap_at_100_columns() {
    let mut found = Vec::new();
    for source in sources() {
        for (number, line) in source.text.lines().enumerate() {
            if line.trim_start().starts_with("//") && line.chars().count() > COLUMNS_MAX {
                found.push(format!("{}:{}", source.path, number + 1));
            }
        }
    }
    check("Comments with lines that are too wide (docs/STYLE.md)", found);
}

#[test]
fn a_doc_comment_opens_with_a_noun_or_a_verb() {
    let sources = sources();
    let product = sources.iter().filter(|it| it.path.starts_with("src/"));
    check(
        "Doc comments that do not open with a noun or a verb (docs/STYLE.md)",
        product.flat_map(find_bad_openers).collect(),
    );
}

/// Places of doc comments whose first word is one of [`BAD_OPENERS`].
fn find_bad_openers(source: &SourceFile) -> Vec<String> {
    let mut previous = "";
    let mut found = Vec::new();
    for (number, line) in source.text.lines().enumerate() {
        let words = doc_text(line).filter(|_| doc_text(previous).is_none()).unwrap_or_default();
        let first = words.split_whitespace().next().unwrap_or_default();
        if BAD_OPENERS.contains(&first.trim_end_matches(',')) {
            found.push(format!("{}:{}: {}", source.path, number + 1, words.trim()));
        }
        previous = line;
    }
    found
}

/// The words of a line of a doc comment.
fn doc_text(line: &str) -> Option<&str> {
    let line = line.trim();
    line.strip_prefix("///").or_else(|| line.strip_prefix("//!"))
}
