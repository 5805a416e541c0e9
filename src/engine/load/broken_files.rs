//! Files that cannot be used as they are. A server serves what was in them last, which the check of
//! a folder does not have: what is missing because of them is no problem of its own.

use std::collections::BTreeSet;

use crate::model::name::EntryId;
use crate::model::name::TypeName;
use crate::model::name::WorkspaceSlug;
use crate::model::problem::Problem;
use crate::model::problem::ProblemKind;
use crate::query::index::snapshot::Snapshot;
use crate::store::layout::Folder;
use crate::store::layout::Key;

/// The paths of broken files; in the check of a folder, also of folders that cannot be listed.
pub(super) struct BrokenFiles(BTreeSet<String>);

impl BrokenFiles {
    /// The files at these paths.
    pub(super) fn from_paths(paths: Vec<String>) -> BrokenFiles {
        BrokenFiles(paths.into_iter().collect())
    }

    /// The files that have one of these problems and are not served as they are because of it.
    pub(super) fn from_problems(problems: &[Problem]) -> BrokenFiles {
        let broken = problems.iter().filter(|it| it.kind.falls_back());
        BrokenFiles(broken.map(|it| it.path.clone()).collect())
    }

    /// Returns true if a problem is only that an entry lacks its type, whose file is broken.
    pub(super) fn explains(&self, problem: &Problem) -> bool {
        let is_of_type = problem.kind == ProblemKind::UnknownType;
        match Key::parse(&problem.path).filter(|_| is_of_type) {
            Some(Key::Entry(ws, name, _)) => self.has_type(&ws, &name),
            _ => false,
        }
    }

    /// Returns true if the schema of a type is broken.
    pub(super) fn has_type(&self, ws: &WorkspaceSlug, name: &TypeName) -> bool {
        self.0.contains(&Key::Schema(ws.clone(), name.clone()).path())
    }

    /// Returns true if there is an entry, even if its file is broken.
    pub(super) fn knows_entry(&self, live: &Snapshot, of: &TypeName, id: &str) -> bool {
        let index = live.get(of.as_str());
        index.is_some_and(|it| it.find_ordinal(id).is_some())
            || self.has_entry(&live.workspace, of, id)
    }

    /// Returns true if an entry is broken, or may be there and nobody can tell.
    fn has_entry(&self, ws: &WorkspaceSlug, of: &TypeName, id: &str) -> bool {
        let Ok(id) = EntryId::parse(id) else { return false };
        self.has_type(ws, of)
            || self.0.contains(&Folder::Entries(ws.clone(), of.clone()).path())
            || self.0.contains(&Key::Entry(ws.clone(), of.clone(), id).path())
    }
}
