//! The examples of `docs/API.md`: each read is played against the sample content, and its answer is
//! the one that the page shows. A `…` in it stands for something that is left out.

use serde_json::Value;

use crate::support::openapi::Stage;
use crate::support::source_tree::read;

const WORKSPACE: &str = "/api/v1/workspaces/default";

#[test]
fn examples_of_reads_are_true() {
    let stage = Stage::new();
    let page = read("docs/API.md");
    let mut played = 0;
    for example in page.split("```\ncurl ").skip(1) {
        let (command, rest) = example.split_once("\n```\n").unwrap();
        let address = command.split('"').nth(1).and_then(|it| it.strip_prefix("$WS"));
        let (Some(address), false) = (address, command.contains("-X")) else { continue };
        let expect = rest.strip_prefix("```json\n").and_then(|it| it.split("\n```").next());
        let expect = expect.unwrap_or_else(|| panic!("{command} has no answer"));
        let expect: Value = serde_json::from_str(expect).unwrap();
        let address = address.replace('[', "%5B").replace(']', "%5D");
        let answer = stage.get(&format!("{WORKSPACE}{address}"), &[]).json();
        assert!(matches(&expect, &answer), "{command} is answered with {answer:#}");
        played += 1;
    }
    assert!(played >= 4, "only {played} examples were played");
}

/// Returns true if the answer is the expected one, apart from what that leaves out.
fn matches(expect: &Value, answer: &Value) -> bool {
    match (expect, answer) {
        (Value::Object(expect), Value::Object(answer)) => {
            let is_whole = !expect.contains_key("…");
            let shown = || expect.iter().filter(|(key, _)| *key != "…");
            (!is_whole || expect.len() == answer.len())
                && shown().all(|(key, it)| answer.get(key).is_some_and(|own| matches(it, own)))
        }
        (Value::Array(expect), Value::Array(answer)) => {
            expect.len() == answer.len() && expect.iter().zip(answer).all(|(a, b)| matches(a, b))
        }
        (Value::String(expect), Value::String(answer)) => match expect.strip_suffix('…') {
            Some(beginning) => answer.starts_with(beginning),
            None => expect == answer,
        },
        _ => expect == answer,
    }
}
