//! The SARIF 2.1.0 log of problems, which code scanning services show beside the files.

use std::path::Path;

use percent_encoding::AsciiSet;
use percent_encoding::NON_ALPHANUMERIC;
use percent_encoding::utf8_percent_encode;
use serde_json::Value;
use serde_json::json;

use crate::model::problem::Problem;
use crate::model::problem::ProblemKind;
use crate::model::problem::Severity;

/// The characters that need no escape in the path of a URI.
const PATH: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~').remove(b'/');

/// Builds the log of one check of a data folder. Paths are relative to the working folder.
pub(super) fn sarif_log(root: &Path, problems: &[Problem]) -> Value {
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "Recto",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": ProblemKind::ALL.iter().map(|it| sarif_rule(*it)).collect::<Vec<_>>(),
            } },
            "results": problems.iter().map(|it| sarif_result(root, it)).collect::<Vec<_>>(),
        }],
    })
}

fn sarif_rule(kind: ProblemKind) -> Value {
    json!({
        "id": kind.as_str(),
        "shortDescription": { "text": kind.as_str().replace('_', " ") },
        "defaultConfiguration": { "level": sarif_level(kind) },
    })
}

fn sarif_result(root: &Path, problem: &Problem) -> Value {
    let mut location = json!({ "artifactLocation": { "uri": file_uri(root, &problem.path) } });
    if let Some(line) = problem.line {
        location["region"] = json!({ "startLine": line });
        if let Some(column) = problem.column {
            location["region"]["startColumn"] = json!(column);
        }
    }
    let field = problem.field.as_ref().map(|it| format!("{it}: ")).unwrap_or_default();
    json!({
        "ruleId": problem.kind.as_str(),
        "ruleIndex": ProblemKind::ALL.iter().position(|it| *it == problem.kind),
        "level": sarif_level(problem.kind),
        "message": { "text": format!("{field}{}", problem.message) },
        "locations": [{ "physicalLocation": location }],
    })
}

fn sarif_level(kind: ProblemKind) -> &'static str {
    match kind.severity() {
        Severity::Warning => "warning",
        Severity::Error => "error",
    }
}

fn file_uri(root: &Path, path: &str) -> String {
    let scheme = if root.is_absolute() { "file://" } else { "" };
    let root = root.to_string_lossy().replace('\\', "/");
    let root = root.trim_start_matches("./").trim_end_matches('/');
    let joined = if matches!(root, "" | ".") { path.to_owned() } else { format!("{root}/{path}") };
    format!("{scheme}{}", utf8_percent_encode(&joined, PATH))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uris_of_files() {
        let check =
            |root: &str, expect: &str| assert_eq!(file_uri(Path::new(root), "a b.json"), expect);
        check(".", "a%20b.json");
        check("./data", "data/a%20b.json");
        check("data/", "data/a%20b.json");
        #[cfg(unix)]
        check("/srv/ä", "file:///srv/%C3%A4/a%20b.json");
    }

    #[test]
    fn results_point_at_rules_and_places() {
        let problem = Problem::new(ProblemKind::Bom, "a.json", "No.").at_position(1, 2);
        let log = sarif_log(Path::new("."), &[problem]);
        let run = &log["runs"][0];
        let result = &run["results"][0];
        let index = result["ruleIndex"].as_u64().unwrap() as usize;
        assert_eq!(run["tool"]["driver"]["rules"][index]["id"], result["ruleId"]);
        let region = &result["locations"][0]["physicalLocation"]["region"];
        assert_eq!(region, &json!({ "startLine": 1, "startColumn": 2 }));
    }
}
