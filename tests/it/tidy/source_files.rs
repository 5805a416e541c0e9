//! The rules of source files: their opening, length, names and types.

use std::collections::BTreeMap;

use crate::support::source_tree::SourceFile;
use crate::support::source_tree::blank_comments_and_literals;
use crate::support::source_tree::check;
use crate::support::source_tree::files;
use crate::support::source_tree::is_word;
use crate::support::source_tree::root;
use crate::support::source_tree::sources;

/// Lines of a file before its tests.
const LINES_MAX: usize = 650;

/// Lines of a function.
const FUNCTION_LINES_MAX: usize = 60;

/// Functions that are longer, by file and name.
const LONGER_FUNCTIONS: &[(&str, &str)] = &[];

const FILE_BYTES_MAX: u64 = 1024 * 1024;

/// Names that say nothing about what is inside.
const EMPTY_NAMES: &[&str] = &["common", "helper", "helpers", "manager", "misc", "util", "utils"];

#[test]
fn a_file_opens_with_what_it_is_for() {
    let silent = sources().into_iter().filter(|it| !it.text.starts_with("//! "));
    check(
        "Files that do not open with `//!` and what they are for",
        silent.map(|it| it.path).collect(),
    );
}

/// Types that are defined once for each kind of system.
const DEFINED_TWICE: &[&str] = &["EchoGuard", "HangUp", "OsDisk", "Signals"];

#[test]
fn a_type_has_a_name_of_its_own() {
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for source in sources().iter().filter(|it| it.path.starts_with("src/")) {
        for (number, line) in source.untested().lines().enumerate() {
            if let Some(name) = defined_type(line) {
                places.entry(name).or_default().push(format!("{}:{}", source.path, number + 1));
            }
        }
    }
    places.retain(|name, places| places.len() > 1 && !DEFINED_TWICE.contains(&name.as_str()));
    let found = places.into_iter().map(|(name, places)| format!("{name}: {}", places.join(", ")));
    check("Types that share a name", found.collect());
}

/// The name of the type that a line begins to define.
fn defined_type(line: &str) -> Option<String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let at = words.iter().position(|it| ["struct", "enum", "trait"].contains(it))?;
    let is_definition = words.iter().take(at).all(|it| it.starts_with("pub"));
    let name = words.get(at + 1).filter(|_| is_definition)?;
    Some(name.chars().take_while(|it| it.is_alphanumeric() || *it == '_').collect())
}

#[test]
fn files_are_short() {
    let sources = sources();
    let long = sources.iter().filter(|it| it.lines() > LINES_MAX);
    check(
        "Files that are too long",
        long.map(|it| format!("{}: {} lines", it.path, it.lines())).collect(),
    );
}

#[test]
fn functions_are_short() {
    let long = long_functions(&sources());
    let allowed = |it: &&LongFunction| {
        LONGER_FUNCTIONS.iter().any(|(path, name)| it.path == *path && it.name == *name)
    };
    let found = long.iter().filter(|it| !allowed(it));
    check(
        "Functions that are too long",
        found.map(|it| format!("{}: `{}` has {} lines", it.path, it.name, it.lines)).collect(),
    );
}

/// A function of the product with more than [`FUNCTION_LINES_MAX`] lines.
struct LongFunction {
    path: String,
    name: String,
    lines: usize,
}

fn long_functions(sources: &[SourceFile]) -> Vec<LongFunction> {
    let mut found = Vec::new();
    for source in sources.iter().filter(|it| it.path.starts_with("src/")) {
        let code = source.untested();
        for (at, word) in code.match_indices("fn ").filter(|(at, _)| is_word(code, *at)) {
            let rest = &code[at + word.len()..];
            let name: String =
                rest.chars().take_while(|it| it.is_alphanumeric() || *it == '_').collect();
            let lines = function_length(rest).map_or(0, |len| rest[..len].lines().count());
            if !name.is_empty() && lines > FUNCTION_LINES_MAX {
                found.push(LongFunction { path: source.path.clone(), name, lines });
            }
        }
    }
    found
}

/// The bytes from the name of a function to the end of its body; nothing if it has none.
fn function_length(rest: &str) -> Option<usize> {
    let (mut inside, mut braces) = (0, 0);
    for (at, letter) in rest.char_indices() {
        match letter {
            '(' | '[' => inside += 1,
            ')' | ']' => inside -= 1,
            ';' if inside == 0 && braces == 0 => return None,
            '{' => braces += 1,
            '}' if braces == 1 => return Some(at + 1),
            '}' => braces -= 1,
            _ => {}
        }
    }
    None
}

#[test]
fn files_have_names_that_say_something_and_no_weight() {
    let mut found = Vec::new();
    for path in files() {
        let stem = path.file_stem().and_then(|it| it.to_str()).unwrap_or_default();
        if EMPTY_NAMES.contains(&stem) {
            found.push(format!("{}: says nothing", path.display()));
        }
        let bytes = std::fs::metadata(root().join(&path)).map_or(0, |it| it.len());
        if bytes > FILE_BYTES_MAX {
            found.push(format!("{}: {bytes} bytes", path.display()));
        }
    }
    check("Files whose name says nothing, or that are too large", found);
}

#[test]
fn exceptions_of_length_are_needed() {
    let long = long_functions(&sources());
    let is_long =
        |(path, name): &(&str, &str)| long.iter().any(|it| it.path == *path && it.name == *name);
    let short = LONGER_FUNCTIONS.iter().filter(|it| !is_long(it));
    check(
        "Exceptions in this test that are no longer needed",
        short.map(|(path, name)| format!("{path}: `{name}` is short")).collect(),
    );
}

#[test]
fn comments_and_literals_are_no_code() {
    let check =
        |text: &str, expect: &str| assert_eq!(blank_comments_and_literals(text), expect, "{text}");
    check("a // b\nc", "a     \nc");
    check("a /* b\n */ c", "a     \n    c");
    check(r#"f("x\"y") + 'z'"#, "f(      ) +    ");
    check(r##"f(r#"x"y"#, r"z")"##, "f(        ,     )");
    check(r"fn f<'a>(it: &'a str) { '\'' }", "fn f<'a>(it: &'a str) {      }");
    check("'ä' 'b", "     'b");
}
