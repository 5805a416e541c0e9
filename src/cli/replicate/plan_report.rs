//! The plan of a replication at the terminal.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use serde_json::json;

use crate::app::replication::base::ReplicationPair;
use crate::app::replication::file::ReplicatedFile;
use crate::app::replication::plan::Direction;
use crate::app::replication::plan::ReplicationConflict;
use crate::app::replication::plan::ReplicationPlan;
use crate::app::replication::plan::ReplicationStep;
use crate::cli::error::CommandError;
use crate::cli::terminal::format_count;
use crate::cli::terminal::print_json;
use crate::cli::terminal::print_note;
use crate::cli::terminal::print_text;

/// The most files of one group that are named; JSON has all of them.
const NAMED_MAX: usize = 20;

/// A plan, with what it is about.
pub(super) struct PlanReport<'r> {
    pub(super) direction: Direction,
    pub(super) pair: &'r ReplicationPair,
    pub(super) plan: &'r ReplicationPlan,
    /// The paths that the token may not see.
    pub(super) unseen: &'r BTreeSet<String>,
    pub(super) dry_run: bool,
}

impl PlanReport<'_> {
    /// Prints the plan: the files of each type, and the conflicts.
    pub(super) fn print(&self) -> Result<(), CommandError> {
        let ReplicationPair { url, remote, local } = self.pair;
        print_text(&match self.direction {
            Direction::Pull => format!("pull from {url} ({remote}) into {local}\n"),
            Direction::Push => format!("push {local} to {url} ({remote})\n"),
        })?;
        let mut groups: BTreeMap<String, Vec<&ReplicationStep>> = BTreeMap::new();
        for step in &self.plan.steps {
            groups.entry(group_of(&step.file)).or_default().push(step);
        }
        for (name, steps) in groups {
            let count = |sign| steps.iter().filter(|it| sign_of(it) == sign).count();
            let (created, changed, removed) = (count('+'), count('~'), count('-'));
            let line = format!("{name}: {created} created, {changed} changed, {removed} removed");
            print_text(&format!("{line}\n"))?;
            for step in steps.iter().take(NAMED_MAX) {
                print_text(&format!("  {} {}\n", sign_of(step), step.file))?;
            }
            if let Some(more) = steps.len().checked_sub(NAMED_MAX).filter(|it| *it > 0) {
                print_text(&format!("  and {more} more; --json has all of them\n"))?;
            }
        }
        self.print_unseen();
        for conflict in &self.plan.conflicts {
            let at = if conflict.field.is_empty() { "" } else { " " };
            let (file, field, reason) = (&conflict.file, &conflict.field, conflict.reason);
            print_note(&escape_controls(&format!("conflict: {file}{at}{field}: {reason}")));
        }
        if !self.plan.conflicts.is_empty() {
            let count = format_count(self.plan.conflicts.len(), "conflict", "conflicts");
            let choice = match self.plan.conflicts.iter().any(ReplicationConflict::can_be_chosen) {
                true => ", or choose with --ours (here) or --theirs (there)",
                false => "",
            };
            print_note(&format!("nothing was changed: {count}. Change one side{choice}."));
        }
        Ok(())
    }

    fn print_unseen(&self) {
        if !self.unseen.is_empty() {
            let paths: Vec<&str> = self.unseen.iter().map(String::as_str).collect();
            let paths = escape_controls(&paths.join(", "));
            print_note(&format!("the token does not see all of: {paths}"));
        }
        if !self.plan.unseen.is_empty() {
            let count = format_count(self.plan.unseen.len(), "file", "files");
            print_note(&format!("left alone, as the token does not see them any more: {count}"));
        }
    }

    /// Prints what came of it.
    pub(super) fn print_end(&self, is_written: bool) -> Result<(), CommandError> {
        let files = format_count(self.plan.steps.len(), "file", "files");
        print_text(&match (self.plan.steps.is_empty(), is_written) {
            (true, _) => "nothing to do\n".to_string(),
            (false, true) => format!("{files} changed\n"),
            (false, false) => format!("{files} would be changed\n"),
        })
    }

    /// Prints the plan as JSON.
    pub(super) fn print_json(&self, is_written: bool) -> Result<(), CommandError> {
        let change = |it: &ReplicationStep| match sign_of(it) {
            '+' => "created",
            '-' => "removed",
            _ => "changed",
        };
        let steps = self.plan.steps.iter();
        let steps = steps.map(|it| json!({ "path": it.file.path(), "change": change(it) }));
        let conflicts =
            self.plan.conflicts.iter().map(
                |it| json!({ "path": it.file.path(), "field": it.field, "reason": it.reason }),
            );
        print_json(&json!({
            "files": steps.collect::<Vec<_>>(),
            "conflicts": conflicts.collect::<Vec<_>>(),
            "unseen": self.unseen,
            "dry_run": self.dry_run,
            "written": is_written,
        }))
    }
}

fn group_of(file: &ReplicatedFile) -> String {
    match file {
        ReplicatedFile::Schema(_) => "content types".to_string(),
        ReplicatedFile::Media(_) => "media files".to_string(),
        ReplicatedFile::MediaMeta(_) => "texts of media files".to_string(),
        ReplicatedFile::Entry(of, _) => format!("entries of {of}"),
    }
}

fn sign_of(step: &ReplicationStep) -> char {
    match (&step.before, &step.after) {
        (None, _) => '+',
        (_, None) => '-',
        _ => '~',
    }
}

/// Removes control characters from text written by others, which could control the terminal.
fn escape_controls(text: &str) -> String {
    text.chars().map(|it| if it.is_control() { ' ' } else { it }).collect()
}
