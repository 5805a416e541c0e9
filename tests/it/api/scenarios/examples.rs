//! `docs/API-EXAMPLES.md`: for every route a request and the answer it got, from the scenarios, so
//! that what the documentation shows is what happens. `UPDATE=1` writes it anew.

use std::collections::BTreeMap;
use std::fs;

use http::Method;
use recto::http::request::route::Access;
use recto::http::request::route::Route;
use recto::http::request::router::RouteMatch;
use recto::http::request::router::Router;
use recto::http::routes;

use crate::support::recorded::check_recorded;
use crate::support::scenario::scenario_files;
use crate::support::scenario::script::Script;
use crate::support::scenario::script::Step;

/// Answers are shown up to so many lines.
const LINES_MAX: usize = 45;

const HEAD: &str = "\
# Examples

This page shows a request and its answer for every route. It is generated from the scenarios in
`tests/scenarios`, which every test run plays. `{ws}` stands for `/api/v1/workspaces/default`, and
`<…>` for a value that varies. `as NAME` means that the request carries the token of that name
(`Authorization: Bearer …`) or, below `/admin/api`, that user's session cookie and `X-CSRF-Token`.
";

/// A step that asks a route once, and how good an example it is: the less, the better.
struct Example {
    cost: usize,
    text: String,
}

fn example(step: &Step) -> Option<(Method, String, Example)> {
    let answer = step.answer.as_deref()?;
    let status = answer.lines().next()?.trim();
    if !step.rows.is_empty() || !status.starts_with('2') {
        return None;
    }
    let at = step.lines.iter().position(|line| {
        let method = line.split(' ').next().unwrap_or_default();
        !method.is_empty() && method.bytes().all(|it| it.is_ascii_uppercase())
    })?;
    let (method, target) = step.lines[at].split_once(' ')?;
    let method = Method::from_bytes(method.as_bytes()).ok()?;
    let request = &step.lines[at..];
    let partial = request
        .iter()
        .any(|it| ["show ", "only ", "headers ", "raw"].iter().any(|word| it.starts_with(word)));
    let n_lines = answer.lines().count();
    let body: Vec<&str> = answer.lines().take(LINES_MAX).collect();
    let cut = if n_lines > LINES_MAX { "\n…" } else { "" };
    let hidden = ["show ", "only ", "headers ", "raw", "csrf "];
    let request: Vec<&str> = request
        .iter()
        .map(String::as_str)
        .filter(|it| !hidden.iter().any(|word| it.starts_with(word)))
        .collect();
    let request = request.join("\n");
    let text = format!(
        "```http\n{}\n```\n```http\n{}{cut}\n```\n",
        request.trim_end(),
        body.join("\n").trim_end()
    );
    // A whole answer that fits a page, rather a short one than one of nothing.
    let cost = usize::from(partial) * 10_000
        + n_lines.saturating_sub(LINES_MAX) * 10
        + usize::from(answer.contains("[]") || answer.contains("<row>")) * 100
        + target.len();
    Some((method, target.to_string(), Example { cost, text }))
}

fn document() -> String {
    let table = routes::build_table();
    let mut router = Router::new("");
    for route in &table {
        router.insert(&route.method, route.path, route.name).unwrap();
    }
    let mut best: BTreeMap<&str, Example> = BTreeMap::new();
    for path in scenario_files() {
        let script = Script::parse(&fs::read_to_string(path).unwrap());
        for (method, target, example) in script.steps.iter().filter_map(example) {
            let target = target.replace("{ws}", "/api/v1/workspaces/default");
            let path = target.split('?').next().unwrap();
            let RouteMatch::Route { value, .. } = router.find(&method, path) else { continue };
            if best.get(value).is_none_or(|it| example.cost < it.cost) {
                best.insert(value, example);
            }
        }
    }
    let mut out = HEAD.to_string();
    for route in table.iter().filter(|it| is_shown(it)) {
        let example = best.get(route.name).map(|it| it.text.as_str());
        let example = example.unwrap_or("No scenario shows a success of it.\n");
        out.push_str(&format!(
            "\n## `{} {}`\n{}\n\n{example}",
            route.method, route.path, route.summary
        ));
    }
    out
}

fn is_shown(route: &Route) -> bool {
    !matches!(route.access, Access::Monitor)
}

#[test]
fn every_route_has_its_example() {
    let now = document();
    check_recorded("docs/API-EXAMPLES.md", &now, "scenarios");
    let without = now.matches("No scenario shows").count();
    assert_eq!(
        without, 0,
        "routes without an example in docs/API-EXAMPLES.md: add them to a scenario"
    );
}
