//! What the scenarios must cover: every route, every way to fail.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use http::Method;
use recto::app::error::Code;
use recto::http::request::route::Access;
use recto::http::request::router::RouteMatch;
use recto::http::request::router::Router;
use recto::http::routes;
use serde_json::Value;

use crate::support::scenario::scenario_files;
use crate::support::scenario::script::Script;

/// A route of the public API has at least so many requests.
const PER_ROUTE: usize = 3;

/// Codes that no scenario can cause, each with the place of its test.
const NOT_YET: &[Code] = &[
    // tests/it/api/disk_errors.rs fills a disk.
    Code::InsufficientStorage,
    // src/http/listen.rs sends a body slowly over a socket.
    Code::TooSlow,
];

fn scripts() -> Vec<Script> {
    let read = |path| Script::parse(&std::fs::read_to_string(path).unwrap());
    scenario_files().into_iter().map(read).collect()
}

/// How many requests each route has in the scenarios.
fn requests() -> BTreeMap<&'static str, usize> {
    let table = routes::build_table();
    let mut router = Router::new("");
    for route in &table {
        router.insert(&route.method, route.path, route.name).unwrap();
    }
    let mut counts: BTreeMap<&'static str, usize> = table.iter().map(|it| (it.name, 0)).collect();
    for script in scripts() {
        for step in &script.steps {
            for line in &step.lines {
                let line = line.trim_start_matches("table ");
                let Some((method, target)) = line.split_once(' ') else { continue };
                let Ok(method) = Method::from_bytes(method.as_bytes()) else { continue };
                let target = target.replace("{ws}", "/api/v1/workspaces/default");
                let path = target.split('?').next().unwrap().replace("{}", "x");
                if let RouteMatch::Route { value, .. } = router.find(&method, &path) {
                    *counts.get_mut(value).unwrap() += step.rows.len().max(1);
                }
            }
        }
    }
    counts
}

#[test]
fn every_route_has_its_scenarios() {
    let counts = requests();
    for route in routes::build_table() {
        let public = !matches!(route.access, Access::Monitor | Access::Operator);
        let wanted = if public { PER_ROUTE } else { 1 };
        let count = counts[route.name];
        assert!(count >= wanted, "{} has {count} requests of {wanted}", route.name);
    }
}

/// Status and code of every error that a scenario records.
fn recorded_errors() -> BTreeSet<(u16, String)> {
    let mut found = BTreeSet::new();
    for step in scripts().iter().flat_map(|it| &it.steps) {
        found.extend(step.answer.as_deref().and_then(error_of_answer));
        found.extend(step.rows.iter().filter_map(|it| error_of_row(&it.result)));
    }
    found
}

/// The error of an answer: its body is JSON, all of it or the parts that the step shows.
fn error_of_answer(answer: &str) -> Option<(u16, String)> {
    let (head, body) = answer.split_once("\n\n")?;
    let status = head.lines().next()?.parse().ok()?;
    let code = match body.lines().find_map(|it| it.strip_prefix("error.code: ")) {
        Some(shown) => serde_json::from_str(shown).ok()?,
        None => serde_json::from_str::<Value>(body).ok()?["error"]["code"].clone(),
    };
    Some((status, code.as_str()?.to_string()))
}

/// The error of a row: its cells are the status, headers, and the code before the message.
fn error_of_row(result: &str) -> Option<(u16, String)> {
    let mut cells = result.split(" | ");
    let status = cells.next()?.parse().ok()?;
    let code = cells.find(|cell| {
        let is_code = |it: &&Code| it.as_str() == *cell && status_of(**it) == status;
        Code::ALL.iter().any(|it| is_code(&it))
    })?;
    Some((status, code.to_string()))
}

#[test]
fn every_code_occurs() {
    let recorded = recorded_errors();
    for code in &Code::ALL {
        let occurs = recorded.contains(&(status_of(*code), code.as_str().to_string()));
        assert_eq!(occurs, !NOT_YET.contains(code), "{code:?}");
    }
    let known: BTreeSet<(u16, String)> =
        Code::ALL.iter().map(|it| (status_of(*it), it.as_str().to_string())).collect();
    let unknown: Vec<_> = recorded.difference(&known).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
}

fn status_of(code: Code) -> u16 {
    recto::http::request::error::status_of(code).as_u16()
}
