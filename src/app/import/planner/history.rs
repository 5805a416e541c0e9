//! Entries in the trash, and the earlier states of entries.

use crate::app::import::import_set::EarlierState;
use crate::app::import::import_set::ImportedEntry;
use crate::app::import::import_set::LinkNotation;
use crate::app::import::planner::Planner;
use crate::app::import::planner::file_sizes::find_excess;
use crate::app::import::planner::finish_file;
use crate::model::entry::MergedEntry;
use crate::model::entry::set_key;
use crate::model::field::REQUIRED;
use crate::model::name::EntryId;
use crate::model::name::TypeName;
use crate::stdx::json::Json;
use crate::stdx::slug::slugify;
use crate::store::layout::EntryCopy;
use crate::store::layout::Key;

impl Planner<'_, '_> {
    /// Gives each entry of the trash its id, and lets others refer to it.
    pub(super) fn identify_deleted(
        &mut self,
        entries: Vec<ImportedEntry>,
    ) -> Vec<(ImportedEntry, EntryId)> {
        let mut identified = Vec::with_capacity(entries.len());
        for entry in entries {
            if self.find_target(&entry).is_none() {
                continue;
            }
            // The same each time, so that a second run finds it.
            let slug = entry.names.first().map(|it| slugify(it)).unwrap_or_default();
            let id = entry.id.clone().or_else(|| EntryId::parse(&format!("deleted-{slug}")).ok());
            let id = id.unwrap_or_else(|| self.staging.new_id());
            let of = &entry.type_name;
            entry.names.iter().for_each(|name| self.names.add_name(of, name, &id));
            identified.push((entry, id));
        }
        identified
    }

    /// Plans an entry in the trash, unless there is one with its id.
    pub(super) fn plan_deleted(
        &mut self,
        mut entry: ImportedEntry,
        id: EntryId,
        links: LinkNotation,
    ) {
        let Some(target) = self.types.get(&entry.type_name).cloned() else { return };
        let (ws, of) = (self.staging.workspace().clone(), entry.type_name.clone());
        let trashed = Key::Trash(ws.clone(), of.clone(), EntryCopy::first(id.clone()));
        if self.staging.exists(&trashed) {
            self.count_entries(&entry.type_name).unchanged += 1;
            return;
        }
        if self.staging.exists(&Key::Entry(ws, of, id.clone())) {
            let message = "It is in the trash, but an entry with its id is here: it is left out.";
            self.report.add_skipped(entry.place, message);
            return;
        }
        self.rewrite_links(&target.content_type, &mut entry, links);
        let merged = self.merge_values(&target, &id, None, None, &entry.values);
        if let Some(problem) = find_problem(&merged) {
            let message = format!("It is in the trash, and is left out: {problem}");
            self.report.add_skipped(entry.place, message);
            return;
        }
        let mut file = finish_file(merged.file, entry.created_at, entry.updated_at);
        if let Some(by) = &entry.updated_by {
            set_key(&mut file, "updated_by", by.as_str().into());
        }
        let at = entry.deletion.as_ref().and_then(|it| it.at);
        let at = at.unwrap_or_else(|| self.staging.now());
        file.set("deleted_at", at.to_string().into());
        if let Some(by) = entry.deletion.and_then(|it| it.by) {
            file.set("deleted_by", by.into());
        }
        let bytes = Json::Object(file).to_file();
        if let Some(problem) = find_excess(&trashed, &bytes) {
            let message = format!("It is in the trash, and is left out: {problem}");
            self.report.add_skipped(entry.place, message);
            return;
        }
        self.count_entries(&entry.type_name).created += 1;
        self.files.create(trashed, bytes);
    }

    /// Plans the earlier states of entries.
    pub(super) fn plan_history(
        &mut self,
        history: Vec<(TypeName, EntryId, Vec<EarlierState>)>,
        links: LinkNotation,
    ) {
        for (of, id, states) in history {
            let Some(target) = self.types.get(&of).cloned() else { continue };
            for state in states {
                let ws = self.staging.workspace().clone();
                let copy = EntryCopy::first(id.clone());
                let key = Key::Revision(ws, of.clone(), copy, state.name.to_id());
                if self.staging.exists(&key) {
                    self.report.revisions.unchanged += 1;
                    continue;
                }
                let mut entry = ImportedEntry::new(state.place, of.clone());
                entry.values = state.values;
                self.rewrite_links(&target.content_type, &mut entry, links);
                let merged = self.merge_values(&target, &id, None, None, &entry.values);
                if let Some(problem) = find_problem(&merged) {
                    let message = format!("This revision is left out: {problem}");
                    self.report.add_skipped(entry.place, message);
                    continue;
                }
                let file = finish_file(merged.file, state.created_at, state.updated_at);
                let bytes = Json::Object(file).to_file();
                if let Some(problem) = find_excess(&key, &bytes) {
                    let message = format!("This revision is left out: {problem}");
                    self.report.add_skipped(entry.place, message);
                    continue;
                }
                self.report.revisions.created += 1;
                self.files.create(key, bytes);
            }
        }
    }
}

/// Returns what is wrong with an old state. It may lack values that are required today.
fn find_problem(merged: &MergedEntry) -> Option<String> {
    let mut problems = merged.problems.iter();
    let problem = problems.find(|(path, message)| *message != REQUIRED || *path == "title");
    problem.map(|(path, message)| format!("`{path}`: {message}"))
}
