//! The report of an import at the terminal.

use std::process::ExitCode;

use serde_json::json;

use crate::app::import::report::ImportCounts;
use crate::app::import::report::ImportRemark;
use crate::app::import::report::ImportReport;
use crate::cli::error::CommandError;
use crate::cli::import::import_args::ImportArgs;
use crate::cli::terminal::format_count;
use crate::cli::terminal::print_json;
use crate::cli::terminal::print_note;
use crate::cli::terminal::print_text;

/// The most remarks of one kind that are printed; JSON has all of them.
const REMARKS_MAX: usize = 100;

/// Prints a report. The exit code is 1 if there are problems.
pub(super) fn print_report(
    report: &ImportReport,
    args: &ImportArgs,
) -> Result<ExitCode, CommandError> {
    let failed = !report.problems.is_empty();
    if args.json {
        let mut value = serde_json::to_value(report).map_err(CommandError::failed)?;
        value["dry_run"] = json!(args.dry_run);
        value["written"] = json!(!args.dry_run && !failed && report.files > 0);
        print_json(&value)?;
    } else {
        print_remarks("skipped", &report.skipped);
        print_remarks("altered", &report.altered);
        print_remarks("problem", &report.problems);
        if !failed {
            print_counts(report)?;
        }
        print_text(&format!("{}\n", summarize(report, args.dry_run)))?;
    }
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn print_counts(report: &ImportReport) -> Result<(), CommandError> {
    for info in report.types.iter().filter(|it| it.created) {
        print_text(&format!("type {}: {}\n", info.name, info.fields.join(", ")))?;
    }
    print_text(&format!("entries: {}\n", format_counts(report.entries)))?;
    if report.revisions != ImportCounts::default() {
        print_text(&format!("revisions: {}\n", format_counts(report.revisions)))?;
    }
    if report.people != ImportCounts::default() {
        print_text(&format!("users and roles: {}\n", format_counts(report.people)))?;
    }
    if report.media != ImportCounts::default() {
        print_text(&format!("media: {}\n", format_counts(report.media)))?;
    }
    Ok(())
}

fn summarize(report: &ImportReport, dry_run: bool) -> String {
    let files = format_count(report.files, "file", "files");
    match report.problems.len() {
        0 if dry_run => format!("{files} would be written"),
        0 => format!("{files} written"),
        number => format!("nothing was written: {}", format_count(number, "problem", "problems")),
    }
}

fn format_counts(counts: ImportCounts) -> String {
    let ImportCounts { created, updated, unchanged } = counts;
    format!("{created} new, {updated} changed, {unchanged} unchanged")
}

fn print_remarks(word: &str, remarks: &[ImportRemark]) {
    for remark in remarks.iter().take(REMARKS_MAX) {
        print_note(&format!("{word}: {}", escape_controls(&remark.to_string())));
    }
    if let Some(more) = remarks.len().checked_sub(REMARKS_MAX).filter(|it| *it > 0) {
        print_note(&format!("{word}: and {more} more; --json has all of them"));
    }
}

/// Removes control characters from text written by others, which could control the terminal.
fn escape_controls(text: &str) -> String {
    text.chars().map(|it| if it.is_control() { ' ' } else { it }).collect()
}
