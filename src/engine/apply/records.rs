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
            let ReadFile { value, problems } = read_change(known, it);
            applied.problems.insert(it.path.clone(), problems);
            value
        })
        .collect();
    applied.installation.apply_files(files);
    applied
}

/// Reads a changed file. Without a value, the installation stays as it was.
fn read_change(known: &Installation, change: &FileChange) -> ReadFile<SystemFile> {
    let FileChange { key, path, .. } = change;
    match &change.now {
        SweptFile::Read { content, .. } => system_files::parse_system_file(key, path, content),
        SweptFile::Seen(_) | SweptFile::Missing => {
            ReadFile { value: system_files::missing_system_file(key), problems: Vec::new() }
        }
        SweptFile::Unreadable(problem) => {
            // The system refused for now: users who could do something go on being able to. A
            // user or role that was never read counts as one that cannot be read.
            let stays = problem.kind == ProblemKind::Unreadable && known.has_record(key);
            let value = if stays { None } else { system_files::broken_system_file(key) };
            ReadFile { value, problems: vec![problem.clone()] }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::disk::Stat;
    use crate::store::layout::Key;

    const EDITOR: &str = "system/roles/editor.json";
    const NARROW: &str =
        r#"{"permissions": [{"actions": ["content.read"], "resources": ["content:*"]}]}"#;

    fn change_of(path: &str, now: SweptFile) -> FileChange {
        FileChange::new(Key::parse(path).unwrap().into(), now)
    }

    fn read(path: &str, text: &str) -> FileChange {
        let content = text.as_bytes().to_vec().into();
        change_of(path, SweptFile::Read { content, stat: Stat::default() })
    }

    fn refused(path: &str) -> FileChange {
        let problem = Problem::new(ProblemKind::Unreadable, path, "The file cannot be read.");
        change_of(path, SweptFile::Unreadable(problem))
    }

    fn apply(known: &Installation, change: &FileChange) -> Installation {
        apply_records(known, [change]).installation
    }

    #[test]
    fn a_user_whose_file_was_never_read_is_somebody() {
        let (path, nobody) = ("system/users/anna.json", Installation::default());
        assert!(!apply(&nobody, &refused(path)).is_empty());
        let anna = apply(&nobody, &read(path, r#"{"username": "anna", "role": "editor"}"#));
        assert!(anna.user("anna").is_some());
        let anna = apply(&anna, &refused(path));
        assert!(anna.user("anna").is_some() && !anna.is_empty());
    }

    #[test]
    fn a_role_whose_file_cannot_be_read_grants_no_more_than_it_did() {
        let grants = |it: &Installation| it.role("editor").unwrap().permissions.len();
        let fresh = Installation::default();
        assert!(grants(&fresh) > 1);
        let narrow = apply(&fresh, &read(EDITOR, NARROW));
        for broken in [refused(EDITOR), read(EDITOR, "{"), read(EDITOR, "[]")] {
            let (before, after) = (apply(&fresh, &broken), apply(&narrow, &broken));
            assert_eq!((grants(&before), grants(&after)), (0, 1), "{:?}", broken.now);
            let demands = |it: &Installation| it.role("editor").unwrap().requires_second_factor;
            assert_eq!((demands(&before), demands(&after)), (true, false));
        }
        let removed = apply(&narrow, &change_of(EDITOR, SweptFile::Missing));
        assert_eq!(grants(&removed), grants(&fresh));
    }

    #[test]
    fn administrators_keep_their_permissions_and_need_a_second_factor() {
        let known = apply(&Installation::default(), &refused("system/roles/admin.json"));
        let role = known.role("admin").unwrap();
        assert!(role.permissions.len() == 1 && role.requires_second_factor);
    }
}
