//! The rules of these tests: the harness stands apart, no test module uses another, and commands in
//! documents select tests.

use crate::support::source_tree::SourceFile;
use crate::support::source_tree::check;
use crate::support::source_tree::files;
use crate::support::source_tree::read;
use crate::support::source_tree::root;
use crate::support::source_tree::sources;

const TESTS: &str = "tests/it/";
const HARNESS: &str = "tests/it/support";

#[test]
fn the_harness_holds_no_tests() {
    let harness = sources().into_iter().filter(|it| it.path.starts_with(HARNESS));
    check(
        "Tests in tests/it/support",
        harness.filter(|it| it.code.contains("#[test]")).map(|it| it.path).collect(),
    );
}

#[test]
fn a_test_module_uses_the_harness_alone() {
    let found = tests().iter().flat_map(uses_of_tests).collect();
    check("Test modules that use another test module", found);
}

fn uses_of_tests(source: &SourceFile) -> Vec<String> {
    let used = source.code.match_indices("crate::").filter(|(at, found)| {
        let rest = &source.code[at + found.len()..];
        !rest.starts_with("support::")
    });
    let above = source.code.match_indices("super::");
    used.chain(above).map(|(at, _)| source.line(at)).collect()
}

/// A renamed test would otherwise leave behind a command that runs nothing and passes.
#[test]
fn commands_in_documents_select_tests() {
    let names: Vec<String> = tests().iter().flat_map(names_of_tests).collect();
    let is_told = |path: &str| [".md", ".sh", ".ci/run"].iter().any(|it| path.ends_with(it));
    let mut found = Vec::new();
    for path in files() {
        let path = path.to_str().unwrap().replace('\\', "/");
        if !is_told(&path) {
            continue;
        }
        let text = read(&path);
        for word in text.lines().flat_map(selecting_words) {
            if !names.iter().any(|it| it.contains(&word)) {
                found.push(format!("{path}: `{word}` selects no test"));
            }
        }
        for place in text.split('`').filter(|it| it.starts_with(TESTS)) {
            if !root().join(place).exists() {
                found.push(format!("{path}: there is no {place}"));
            }
        }
    }
    check("Documents that name tests which do not exist", found);
}

/// The words by which the commands on a line select tests; `NAME` stands for any.
fn selecting_words(line: &str) -> Vec<String> {
    let commands = line.split("cargo test --test it").skip(1);
    let words = commands.flat_map(|it| {
        let command = it.split(['`', '|', ';', '&', '"']).next().unwrap_or_default();
        command.split_whitespace().take_while(|it| *it != "#")
    });
    let is_word = |it: &&str| !it.starts_with('-') && it.contains(|it: char| it.is_lowercase());
    words.filter(is_word).map(String::from).collect()
}

/// The paths of the tests in a file, as the command line selects them.
fn names_of_tests(source: &SourceFile) -> Vec<String> {
    let module = source.path.trim_start_matches(TESTS).trim_end_matches(".rs").replace('/', "::");
    let mut names = Vec::new();
    let mut is_test = false;
    for line in source.code.lines().map(str::trim) {
        is_test |= line == "#[test]";
        if let (true, Some(rest)) = (is_test, line.strip_prefix("fn ")) {
            let name = rest.split('(').next().unwrap_or_default();
            names.push(format!("{module}::{name}"));
            is_test = false;
        }
    }
    names
}

/// The files that hold tests.
fn tests() -> Vec<SourceFile> {
    let mut tests = sources();
    tests.retain(|it| it.path.starts_with(TESTS) && !it.path.starts_with(HARNESS));
    tests
}
