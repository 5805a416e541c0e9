//! The rules of input: request bodies are read with `model::input`, which has one sentence for each
//! kind of mistake.

use crate::support::source_tree::SourceFile;
use crate::support::source_tree::blank_comments_and_literals;
use crate::support::source_tree::check;
use crate::support::source_tree::is_word;
use crate::support::source_tree::sources;

/// The folders whose code has request bodies, or values that stand for them.
const READS_INPUT: &[&str] = &["src/app/", "src/http/", "src/cli/"];

/// The ways past the readers: a parsed body is a `Map` called `body`.
const MEMBER_READS: &[&str] =
    &["body.get(", "body.get_mut(", "body.contains(", "body.iter(", "body.clone().into_iter("];

/// The file with the sentences.
const WORDING: &str = "src/model/input/wording.rs";

/// The beginnings of those sentences, in all wordings that there have been.
const SENTENCES: &[&str] = &[
    "This field is required",
    "This is missing",
    "This is a text",
    "This is true or false",
    "This is a list",
    "This is an object",
    "This is a number,",
    "This is not a date and time",
    "This should be",
    "This must be a string",
    "This must be a text",
    "This must be true or false",
    "This must be a list",
    "This must be an object",
    "This must be a whole number",
    "This must be in the future",
    "This must have at most",
    "This must not be null",
    "This must not contain control characters",
];

#[test]
fn a_request_body_is_read_with_the_readers() {
    let sources = sources();
    let product = sources.iter().filter(|it| READS_INPUT.iter().any(|at| it.path.starts_with(at)));
    check(
        "Members of bodies that are not read with `model::input`",
        product.flat_map(find_member_reads).collect(),
    );
}

fn find_member_reads(source: &SourceFile) -> Vec<String> {
    let code = source.untested();
    let found = MEMBER_READS.iter().flat_map(|word| {
        let places = code.match_indices(word).filter(|(at, _)| is_word(code, *at));
        places.map(move |(at, _)| format!("{}: `{word}`", source.line(at)))
    });
    found.collect()
}

#[test]
fn a_mistake_has_one_wording() {
    let sources = sources();
    let product = sources.iter().filter(|it| it.path.starts_with("src/") && it.path != WORDING);
    check(
        "Sentences that belong to `model::input::wording`",
        product.flat_map(find_sentences).collect(),
    );
}

/// Places outside tests where a literal begins with one of the sentences.
fn find_sentences(source: &SourceFile) -> Vec<String> {
    let text = source.text.get(..source.untested().len()).unwrap_or_default();
    let lines = text.lines().enumerate();
    let found =
        lines.filter(|(_, line)| SENTENCES.iter().any(|it| line.contains(&format!("\"{it}"))));
    found.map(|(number, line)| format!("{}:{}: {}", source.path, number + 1, line.trim())).collect()
}

#[test]
fn other_ways_and_words_are_found() {
    let code = "let a = body.get(\"a\");\nproblems.add(\"a\", \"This is a text.\");\n";
    let source = SourceFile {
        path: "src/app/a.rs".to_string(),
        text: code.to_string(),
        code: blank_comments_and_literals(code),
    };
    assert_eq!(find_member_reads(&source), ["src/app/a.rs:1: `body.get(`"]);
    assert_eq!(
        find_sentences(&source),
        ["src/app/a.rs:2: problems.add(\"a\", \"This is a text.\");"]
    );
}
