//! The one way from files to the installation: a pure function of the installation before and the
//! states of the files that changed.

use std::collections::BTreeMap;

use crate::engine::installation::Installation;
use crate::engine::installation::SystemFile;
use crate::engine::parse::file_parser::ReadFile;
use crate::engine::parse::system_files;
use crate::model::problem::Problem;
use crate::model::problem::ProblemKind;
use crate::store::read::sweep::FileChange;
use crate::store::read::sweep::SweptFile;

/// The result of a change of files of the installation.
pub(crate) struct AppliedRecords {
    pub(crate) installation: Installation,
    /// The problems inside files, by path; none where all is well.
    pub(crate) problems: BTreeMap<String, Vec<Problem>>,
}

/// Computes the installation after these files changed.
pub(crate) fn apply_records<'s>(
    known: &Installation,
    changes: impl IntoIterator<Item = &'s FileChange>,
) -> AppliedRecords {
    let mut applied = AppliedRecords { installation: known.clone(), problems: BTreeMap::new() };
    let files: Vec<SystemFile> = changes
        .into_iter()
        .filter_map(|it| {
            let ReadFile { value, problems } = read_change(it);
            applied.problems.insert(it.path.clone(), problems);
            value
        })
        .collect();
    applied.installation.apply_files(files);
    applied
}

/// Reads a changed file. Without a value, the installation stays as it was.
fn read_change(change: &FileChange) -> ReadFile<SystemFile> {
    let FileChange { key, path, .. } = change;
    match &change.now {
        SweptFile::Read { content, .. } => system_files::parse_system_file(key, path, content),
        SweptFile::Seen(_) | SweptFile::Missing => {
            ReadFile { value: system_files::missing_system_file(key), problems: Vec::new() }
        }
        SweptFile::Unreadable(problem) => {
            // The system refused for now: users who could do something go on being able to.
            let is_transient = problem.kind == ProblemKind::Unreadable;
            let value = if is_transient { None } else { system_files::broken_system_file(key) };
            ReadFile { value, problems: vec![problem.clone()] }
        }
    }
}
