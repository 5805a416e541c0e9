//! The rules of doc comments: their first word.

use std::collections::BTreeMap;

use crate::support::source_tree::SourceFile;
use crate::support::source_tree::check;
use crate::support::source_tree::layer_of;
use crate::support::source_tree::sources;

/// Words that no doc comment opens with. It opens with a noun phrase or a third-person verb
/// ("The index of one content type.", "Returns the entries that …").
const BAD_OPENERS: &[&str] = &[
    "What", "Whatever", "Whether", "Who", "Whoever", "Whom", "Whose", "Which", "How", "Where",
    "Wherever", "When", "Whenever", "As", "If", "That",
];

/// Doc comments of each layer that still open with such a word. The numbers only go down; a layer
/// that reaches 0 leaves the list.
const BAD_OPENERS_LEFT: &[(&str, usize)] = &[
    ("stdx", 81),
    ("model", 459),
    ("store", 336),
    ("query", 168),
    ("engine", 217),
    ("app", 362),
    ("net", 19),
    ("http", 258),
    ("cli", 74),
];

#[test]
fn a_doc_comment_opens_with_a_noun_or_a_verb() {
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for source in sources().iter().filter(|it| it.path.starts_with("src/")) {
        let layer = layer_of(source).unwrap_or("main").to_owned();
        places.entry(layer).or_default().extend(find_bad_openers(source));
    }
    for (layer, found) in places {
        let left =
            BAD_OPENERS_LEFT.iter().find(|(it, _)| *it == layer).map_or(0, |(_, most)| *most);
        let opening = format!("{layer}: {} doc comments, at most {left}", found.len());
        check(&opening, if found.len() > left { found } else { Vec::new() });
    }
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
