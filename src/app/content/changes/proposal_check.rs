//! The reasons for which a proposal cannot be published as it is, as far as they are known without
//! what others changed in the same values: what it builds on is gone.

use std::collections::BTreeSet;

use crate::app::content::proposed_uses::UsedThing;
use crate::model::content_type::ContentType;
use crate::model::entry::entry_file;
use crate::model::field::Reference;
use crate::model::field::is_equivalent;
use crate::model::name::EntryId;
use crate::model::name::EntryPlace;
use crate::model::name::TypeName;
use crate::model::problem::FieldProblems;
use crate::query::index::change_index::Change;
use crate::query::index::change_index::ProposedFile;
use crate::query::index::snapshot::Snapshot;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

/// The problem of a proposal whose file cannot be read.
pub(super) const UNREADABLE: &str = "The file with these edits cannot be read. Repair it.";

/// The proposal for one entry, beside what is live.
pub(super) struct ProposalCheck<'a> {
    /// The live content.
    pub(super) live: &'a Snapshot,
    pub(super) change: &'a Change,
    pub(super) place: &'a EntryPlace,
    pub(super) proposed: &'a ProposedFile,
}

impl ProposalCheck<'_> {
    /// Returns why the proposal cannot be published as it is, as a text for people.
    pub(super) fn describe_problem(&self) -> Option<String> {
        let problems = self.find_problems();
        let is_known = self.live.get(self.place.0.as_str()).is_some();
        if is_known && self.is_deleted_meanwhile() {
            return Some("This entry was deleted in the meantime.".to_string());
        }
        let (path, message) = problems.iter().next()?;
        let text = if path.is_empty() { message.to_string() } else { format!("{path}: {message}") };
        let others = problems.len() - 1;
        Some(if others > 0 { format!("{text} ({others} more)") } else { text })
    }

    /// Returns true if the proposal changes an entry that is no longer live, which is a conflict.
    fn is_deleted_meanwhile(&self) -> bool {
        let is_update = !self.proposed.is_deletion() && self.change.bases.contains_key(self.place);
        is_update && self.live.find_entry(self.place).is_none()
    }

    /// Lists what the proposal builds on and what is gone, by the path in the file. A value that
    /// the proposal leaves as it was is not judged: with it, publishing makes nothing worse.
    pub(super) fn find_problems(&self) -> FieldProblems {
        let wrong = |message: &str| FieldProblems::from_problem("", message);
        let Some(index) = self.live.get(self.place.0.as_str()) else {
            return wrong("The content type of this entry no longer exists.");
        };
        if self.change.bases.get(self.place).is_some_and(|it| it.content().is_none()) {
            return wrong(
                "The version that these edits are based on cannot be read. Repair its \
                          file.",
            );
        }
        let Some(file) = self.proposed.content() else {
            return wrong(UNREADABLE);
        };
        if self.proposed.is_deletion() {
            return FieldProblems::new();
        }
        let ty = &index.content_type;
        if ty.singleton && self.place.1.as_str() != ty.name.as_str() {
            return wrong("This content type is a single page now, which has only one entry.");
        }
        let mut problems = FieldProblems::new();
        self.find_gone_fields(ty, file, &mut problems);
        self.find_gone_targets(ty, file, &mut problems);
        problems
    }

    /// Adds the values that the proposal gives to fields that the type does not have.
    fn find_gone_fields(&self, ty: &ContentType, file: &Map, problems: &mut FieldProblems) {
        let base = self.change.base(self.place);
        for path in entry_file::data_paths(file) {
            let Some(values) = entry_file::get_data(file, &path) else { continue };
            let before = base.and_then(|it| entry_file::get_data(it, &path));
            let is_same = |name: &str, value: &Json| {
                let before = before.and_then(|it| it.get(name));
                before.map_or(value.is_empty(), |it| is_equivalent(it, value))
            };
            let unknown = values.iter().filter(|(name, _)| ty.fields.get(name).is_none());
            for (name, _) in unknown.filter(|(name, value)| !is_same(name, value)) {
                problems.add(format!("{path}.{name}"), "This field no longer exists.");
            }
        }
    }

    /// Adds the references to what is not there, or not after the publication. They do not say
    /// which entry it was: not everybody may know of it.
    fn find_gone_targets(&self, ty: &ContentType, file: &Map, problems: &mut FieldProblems) {
        let mut known = BTreeSet::new();
        if let Some(base) = self.change.base(self.place) {
            entry_file::visit_references(&ty.fields, base, &mut |_, reference| {
                known.insert(UsedThing::of_reference(reference));
            });
        }
        entry_file::visit_references(&ty.fields, file, &mut |path, reference| {
            let message = match reference {
                _ if known.contains(&UsedThing::of_reference(reference)) => return,
                Reference::Entry { target, id, .. } => self.miss_entry(target, id),
                Reference::Media(name) if self.live.media.get(name).is_some() => return,
                Reference::Media(_) => Some("This file no longer exists."),
            };
            if let Some(message) = message {
                problems.add(path, message);
            }
        });
    }

    /// Returns what is wrong with a reference to an entry after the publication.
    fn miss_entry(&self, target: &TypeName, id: &str) -> Option<&'static str> {
        // References have the form of ids; anything else refers to nothing.
        let place = (target.clone(), EntryId::parse(id).ok()?);
        match self.change.proposals.get(&place) {
            Some(file) if file.is_deletion() => {
                Some("This refers to an entry that this release deletes.")
            }
            Some(_) => None,
            None if self.live.find_entry(&place).is_some() => None,
            None => Some("This refers to an entry that no longer exists."),
        }
    }
}
