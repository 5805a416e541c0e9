//! `recto check`: all problems of a data folder, found without a server.

use std::collections::BTreeSet;
use std::path::Path;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::ValueEnum;
use serde_json::Value;
use serde_json::json;

use crate::cli::check_fix;
use crate::cli::config::PlaceArgs;
use crate::cli::database;
use crate::cli::error::CommandError;
use crate::cli::folder_setup;
use crate::cli::sarif;
use crate::cli::terminal::format_count;
use crate::cli::terminal::print_json;
use crate::cli::terminal::print_note;
use crate::cli::terminal::print_text;
use crate::engine;
use crate::model::problem::Problem;
use crate::stdx::clock::Clock;
use crate::stdx::clock::SystemClock;

/// The folder of changes that were interrupted before they were finished.
const JOURNAL: &str = "journal";

/// Arguments of `recto check`.
#[derive(Debug, clap::Args)]
pub(super) struct CheckArgs {
    /// The data folder; by default the configured one, else ./data
    #[arg(value_name = "DIR", conflicts_with_all = ["data", "store"])]
    folder: Option<PathBuf>,
    #[command(flatten)]
    place: PlaceArgs,
    /// The format of the report
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    format: ReportFormat,
    /// First rewrite entries and schemas in canonical form, without changing their values
    #[arg(long, conflicts_with = "store")]
    fix: bool,
    /// First delete the revisions of entries that exist neither as content nor in the trash, and of
    /// media files that do not exist
    #[arg(long, conflicts_with = "store")]
    remove_orphans: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ReportFormat {
    /// One line for each problem, and a summary
    Text,
    /// One JSON object
    Json,
    /// SARIF 2.1.0, for code scanning services
    Sarif,
}

pub(super) fn run(args: CheckArgs) -> Result<ExitCode, CommandError> {
    let place = args.place.or_folder(args.folder);
    let writes = args.fix || args.remove_orphans;
    let config = place.resolve_config()?;
    if writes {
        folder_setup::check_is_writable(&config)?;
    }
    // What is written would have to go into the database.
    let copy = match writes || place.names_folder_alone() {
        true => None,
        false => database::open_to_read(&config)?,
    };
    let places = match &copy {
        Some(copy) => copy.places.clone(),
        None => config.data_folder(),
    };
    folder_setup::check_is_folder(places.root())?;
    places.check_present()?;
    let root = places.root();
    if args.fix {
        let fixed = check_fix::rewrite_files(&places)?;
        fixed.iter().for_each(|path| print_note(&format!("rewrote {}", display_path(root, path))));
        print_note(&format!("{} rewritten", format_count(fixed.len(), "file", "files")));
    }
    if args.remove_orphans {
        let removed = check_fix::remove_orphans(&places)?;
        removed
            .iter()
            .for_each(|path| print_note(&format!("removed {}", display_path(root, path))));
        let n_removed = format_count(removed.len(), "folder of revisions", "folders of revisions");
        print_note(&format!("{n_removed} removed"));
    }
    let intents = list_intents(root);
    for intent in &intents {
        let path = display_path(root, intent);
        print_note(&format!(
            "{path}: a change is unfinished; start Recto once before you copy this folder"
        ));
    }
    let problems = engine::check_folder(&places, SystemClock.now())?;
    // Paths in a copy lead nowhere once it is gone.
    let root = if copy.is_some() { Path::new(".") } else { root };
    match args.format {
        ReportFormat::Text => print_text(&format_text(root, &problems))?,
        ReportFormat::Json => print_json(&format_json(root, &problems, &intents))?,
        ReportFormat::Sarif => print_json(&sarif::sarif_log(root, &problems))?,
    }
    Ok(if problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Formats problems as `path:line:column: kind: message`, with a summary line at the end.
fn format_text(root: &Path, problems: &[Problem]) -> String {
    let mut out: String = problems.iter().map(|it| format_line(root, it)).collect();
    let files: BTreeSet<&str> = problems.iter().map(|it| it.path.as_str()).collect();
    if problems.is_empty() {
        out.push_str("no problems\n");
    } else {
        let n_problems = format_count(problems.len(), "problem", "problems");
        out.push_str(&format!("{n_problems} in {}\n", format_count(files.len(), "file", "files")));
    }
    out
}

fn format_line(root: &Path, problem: &Problem) -> String {
    let mut line = display_path(root, &problem.path);
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

fn format_json(root: &Path, problems: &[Problem], intents: &[String]) -> Value {
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

/// Returns the path of a file relative to the working folder, so that editors and terminals can
/// open it.
fn display_path(root: &Path, path: &str) -> String {
    if root == Path::new(".") { path.to_owned() } else { root.join(path).display().to_string() }
}

/// Lists unfinished changes by path.
fn list_intents(root: &Path) -> Vec<String> {
    // A missing or unreadable folder lists none.
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
        assert_eq!(format_line(Path::new("."), &problem), "a/b.json: invalid_json: No.\n");
        let placed = problem.at_position(3, 7).with_field("data.x");
        assert_eq!(
            format_line(Path::new("data"), &placed),
            "data/a/b.json:3:7: invalid_json: data.x: No.\n"
        );
        assert!(
            format_text(Path::new("."), &[placed.clone(), placed])
                .ends_with("2 problems in 1 file\n")
        );
        assert_eq!(format_text(Path::new("."), &[]), "no problems\n");
    }
}
