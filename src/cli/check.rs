//! `recto check`: everything that is wrong in a data folder, without a server.

use std::collections::BTreeSet;
use std::path::Path;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::ValueEnum;
use serde_json::Value;
use serde_json::json;

use crate::cli::config;
use crate::cli::count;
use crate::cli::error::Error;
use crate::cli::fix;
use crate::cli::folder;
use crate::cli::sarif;
use crate::engine;
use crate::model::problem::Problem;
use crate::stdx::clock::Clock;
use crate::stdx::clock::SystemClock;

/// Where a change that an ending server left half done waits.
const JOURNAL: &str = "journal";

/// Arguments of `recto check`.
#[derive(Debug, clap::Args)]
pub(super) struct CheckArgs {
    /// The data folder; the configured one, else ./data, unless given
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
    /// The same, as other commands have it
    #[arg(long, value_name = "DIR", conflicts_with = "folder")]
    data: Option<PathBuf>,
    /// How problems are told
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Write entries and schemas in canonical form first, without changing what they say
    #[arg(long)]
    fix: bool,
    /// Remove the revisions of entries that are neither there nor in the trash first, for good
    #[arg(long)]
    remove_orphans: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    /// A line for each, and how many there are
    Text,
    /// One object
    Json,
    /// What code scanning services read, SARIF 2.1.0
    Sarif,
}

pub(super) fn run(args: CheckArgs) -> Result<ExitCode, Error> {
    let root = config::data_folder(args.folder.or(args.data))?;
    folder::expect(&root)?;
    if args.fix {
        let fixed = fix::run(&root)?;
        fixed.iter().for_each(|path| super::note(&format!("rewrote {}", at(&root, path))));
        super::note(&format!("{} rewritten", count(fixed.len(), "file", "files")));
    }
    if args.remove_orphans {
        let removed = fix::remove_orphans(&root)?;
        removed.iter().for_each(|path| super::note(&format!("removed {}", at(&root, path))));
        let n_removed = count(removed.len(), "folder of revisions", "folders of revisions");
        super::note(&format!("{n_removed} removed"));
    }
    let intents = intents(&root);
    for intent in &intents {
        let path = at(&root, intent);
        super::note(&format!(
            "{path}: a change waits to be finished; start Recto once before this folder is copied"
        ));
    }
    let problems = engine::check(&root, SystemClock.now())?;
    match args.format {
        Format::Text => super::print(&text(&root, &problems))?,
        Format::Json => super::print_json(&as_json(&root, &problems, &intents))?,
        Format::Sarif => super::print_json(&sarif::log(&root, &problems))?,
    }
    Ok(if problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// `path:line:column: kind: message`, and a line that sums up.
fn text(root: &Path, problems: &[Problem]) -> String {
    let mut out: String = problems.iter().map(|it| line(root, it)).collect();
    let files: BTreeSet<&str> = problems.iter().map(|it| it.path.as_str()).collect();
    if problems.is_empty() {
        out.push_str("no problems\n");
    } else {
        let n_problems = count(problems.len(), "problem", "problems");
        out.push_str(&format!("{n_problems} in {}\n", count(files.len(), "file", "files")));
    }
    out
}

fn line(root: &Path, problem: &Problem) -> String {
    let mut line = at(root, &problem.path);
    for number in [problem.line, problem.column].into_iter().flatten() {
        line.push_str(&format!(":{number}"));
    }
    line.push_str(&format!(": {}: ", problem.kind));
    if let Some(field) = &problem.field {
        line.push_str(&format!("{field}: "));
    }
    line.push_str(&problem.message);
    line.push('\n');
    line
}

fn as_json(root: &Path, problems: &[Problem], intents: &[String]) -> Value {
    let problems: Vec<Value> = problems
        .iter()
        .map(|it| {
            json!({
                "kind": it.kind,
                "severity": it.severity(),
                "path": it.path,
                "line": it.line,
                "column": it.column,
                "field": it.field,
                "message": it.message,
            })
        })
        .collect();
    json!({ "folder": root, "problems": problems, "unfinished": intents })
}

/// The path of a file as it is reached from here, which editors and terminals can follow.
fn at(root: &Path, path: &str) -> String {
    if root == Path::new(".") { path.to_owned() } else { root.join(path).display().to_string() }
}

/// Changes that are decided and not finished, by path.
fn intents(root: &Path) -> Vec<String> {
    // A folder that is not there, or cannot be listed, holds none that could be told.
    let names = std::fs::read_dir(root.join(JOURNAL)).into_iter().flatten().flatten();
    let names = names.filter_map(|entry| entry.file_name().into_string().ok());
    let mut paths: Vec<String> = names
        .filter(|name| name.ends_with(".intent"))
        .map(|name| format!("{JOURNAL}/{name}"))
        .collect();
    paths.sort();
    paths
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::problem::ProblemKind;

    #[test]
    fn lines_name_place_and_kind() {
        let problem = Problem::new(ProblemKind::InvalidJson, "a/b.json", "No.");
        assert_eq!(line(Path::new("."), &problem), "a/b.json: invalid_json: No.\n");
        let placed = problem.at(3, 7).of_field("data.x");
        assert_eq!(
            line(Path::new("data"), &placed),
            "data/a/b.json:3:7: invalid_json: data.x: No.\n"
        );
        assert!(
            text(Path::new("."), &[placed.clone(), placed]).ends_with("2 problems in 1 file\n")
        );
        assert_eq!(text(Path::new("."), &[]), "no problems\n");
    }
}
