//! What the scenarios must cover: every route, every way to fail.

use std::collections::BTreeMap;

use http::Method;
use recto::app::error::Code;
use recto::http::route::Access;
use recto::http::router::Found;
use recto::http::router::Router;
use recto::http::routes;

use super::script::Script;

/// A route of the public API has at least so many requests.
const PER_ROUTE: usize = 3;

/// Codes that no route gives yet.
const NOT_YET: &[Code] = &[
    // tests/it/crash.rs fills a disk.
    Code::InsufficientStorage,
];

fn scripts() -> Vec<Script> {
    let read = |path| Script::parse(&std::fs::read_to_string(path).unwrap());
    super::all().into_iter().map(read).collect()
}

/// How many requests each route has in the scenarios.
fn requests() -> BTreeMap<&'static str, usize> {
    let table = routes::table();
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
                if let Found::Route { value, .. } = router.find(&method, &path) {
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
    for route in routes::table() {
        let public = !matches!(route.access, Access::Monitor | Access::Operator);
        let wanted = if public { PER_ROUTE } else { 1 };
        let count = counts[route.name];
        assert!(count >= wanted, "{} has {count} requests of {wanted}", route.name);
    }
}

#[test]
fn every_code_occurs() {
    let scripts = scripts();
    let mut answers = String::new();
    for step in scripts.iter().flat_map(|it| &it.steps) {
        answers.push_str(step.answer.as_deref().unwrap_or_default());
        for row in &step.rows {
            answers.push_str(&row.result.replace(" | ", "\""));
            answers.push_str("\"\n");
        }
    }
    for code in Code::ALL {
        let occurs = answers.contains(&format!("\"{}\"", code.as_str()));
        assert_eq!(occurs, !NOT_YET.contains(code), "{}", code.as_str());
    }
}
