//! The check of the changes of a workspace: what their proposals build on and what is gone.

use crate::engine::load::broken_files::BrokenFiles;
use crate::engine::parse::file_parser;
use crate::model::content_type::ContentType;
use crate::model::entry::entry_file;
use crate::model::field::Reference;
use crate::model::name::EntryId;
use crate::model::problem::FieldProblems;
use crate::model::problem::Problem;
use crate::model::problem::ProblemKind;
use crate::query::index::change_index::Change;
use crate::query::index::change_index::ProposedFile;
use crate::query::index::snapshot::Snapshot;
use crate::stdx::json::Map;
use crate::store::layout::Key;

/// Checks the proposals of changes that are worked on. Those of published and closed ones are
/// history.
pub(super) fn check_changes(snapshot: &Snapshot, broken: &BrokenFiles) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (id, change) in snapshot.changes.iter() {
        if !change.is_active() {
            continue;
        }
        for place in change.bases.keys().filter(|it| !change.proposals.contains_key(*it)) {
            let path = Key::of_base(&snapshot.workspace, id, place).path();
            let message = "This is where an edit began, but there is no file with the edit.";
            problems.push(Problem::new(ProblemKind::OrphanBase, path, message));
        }
        for (place, proposed) in &change.proposals {
            let path = Key::of_proposal(&snapshot.workspace, id, place).path();
            match snapshot.get(place.0.as_str()) {
                Some(index) => {
                    let ty = &index.content_type;
                    let check = ReferenceCheck { snapshot, change, ty, broken };
                    problems.extend(check.check_references(&path, proposed));
                }
                None if broken.has_type(&snapshot.workspace, &place.0) => {}
                None => {
                    let message = format!("There is no content type `{}`.", place.0);
                    problems.push(Problem::new(ProblemKind::UnknownType, path, message));
                }
            }
        }
    }
    problems
}

/// A proposal among what it builds on.
struct ReferenceCheck<'a> {
    snapshot: &'a Snapshot,
    change: &'a Change,
    ty: &'a ContentType,
    broken: &'a BrokenFiles,
}

impl ReferenceCheck<'_> {
    fn check_references(&self, path: &str, proposed: &ProposedFile) -> Vec<Problem> {
        let Some(file) = proposed.content() else { return Vec::new() };
        let (relations, media) = self.find_dangling(file);
        let kinds =
            [(ProblemKind::DanglingRelation, relations), (ProblemKind::MissingMedia, media)];
        let found = kinds.into_iter().flat_map(|(kind, defects)| {
            file_parser::locate_defects(path, &proposed.bytes, kind, &defects)
        });
        found.collect()
    }

    /// Finds the references to entries that are neither live nor proposed, and to missing files.
    fn find_dangling(&self, file: &Map) -> (FieldProblems, FieldProblems) {
        let (mut relations, mut media) = (FieldProblems::new(), FieldProblems::new());
        entry_file::visit_references(
            &self.ty.fields,
            file,
            &mut |path, reference| match reference {
                Reference::Entry { target, id, .. } => {
                    let place = EntryId::parse(id).ok().map(|id| (target.clone(), id));
                    let is_there = place.is_some_and(|it| match self.change.proposals.get(&it) {
                        Some(file) => !file.is_deletion(),
                        None => self.broken.knows_entry(self.snapshot, &it.0, it.1.as_str()),
                    });
                    if !is_there {
                        let message = format!("There is no entry `{id}` in `{target}`.");
                        relations.add(path, message);
                    }
                }
                Reference::Media(name) if self.snapshot.media.get(name).is_none() => {
                    media.add(path, format!("There is no media file `{name}`."));
                }
                Reference::Media(_) => {}
            },
        );
        (relations, media)
    }
}
