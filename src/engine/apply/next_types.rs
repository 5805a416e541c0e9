//! The indexes of types after their schemas and entries changed.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::engine::apply::effects::Effects;
use crate::engine::apply::file_source::ApplyContext;
use crate::engine::apply::file_source::FileSource;
use crate::engine::apply::file_source::LoadedEntries;
use crate::engine::apply::file_source::first_generation;
use crate::engine::apply::file_states::FileStates;
use crate::engine::apply::file_value::FileValue;
use crate::engine::apply::file_value::parse_state;
use crate::engine::apply::served_change::ServedChange;
use crate::engine::parse::file_parser;
use crate::engine::parse::file_parser::EntryReader;
use crate::engine::parse::file_parser::ReadFile;
use crate::engine::parse::workspace_files;
use crate::model::content_type::ContentType;
use crate::model::name::EntryId;
use crate::model::name::TypeName;
use crate::query::index::snapshot::Snapshot;
use crate::query::index::type_index::EntryChange;
use crate::query::index::type_index::TypeIndex;
use crate::query::render::rendered_entry::RenderedEntry;
use crate::store::read::body_pack::PackedBody;
use crate::store::read::sweep::FileChange;
use crate::store::read::sweep::SweptFile;

/// The types that changed, each with its next index; none if the type is gone.
type ChangedTypes = BTreeMap<TypeName, Option<Arc<TypeIndex>>>;

/// The types of a workspace while a change is applied to them.
pub(super) struct NextTypes<'n, 's, F: FileSource> {
    known: Option<&'n Snapshot>,
    files: &'n mut F,
    context: ApplyContext<'n>,
    effects: &'n mut Effects<'s>,
    changed: ChangedTypes,
}

impl<'n, 's, F: FileSource> NextTypes<'n, 's, F> {
    /// The types as they were.
    pub(super) fn new(
        known: Option<&'n Snapshot>,
        files: &'n mut F,
        context: ApplyContext<'n>,
        effects: &'n mut Effects<'s>,
    ) -> NextTypes<'n, 's, F> {
        NextTypes { known, files, context, effects, changed: BTreeMap::new() }
    }

    /// Returns what changed.
    pub(super) fn into_changed(self) -> ChangedTypes {
        self.changed
    }

    /// Applies changed entries to the types as they were defined before.
    pub(super) fn apply_entries(&mut self, states: &'s FileStates) {
        for (name, changes) in &states.entries {
            let Some(index) = self.known.and_then(|it| it.get(name.as_str())).cloned() else {
                let there = changes.values().filter(|it| !matches!(it.now, SweptFile::Missing));
                there.for_each(|it| self.set_unknown_type(name, &it.path));
                continue;
            };
            if index.is_empty() {
                self.effects.first_entries.push(name.clone());
            }
            let ApplyContext { media_base, now, .. } = self.context;
            let reader = EntryReader { ty: &index.content_type, media_base, now };
            let changes: Vec<EntryChange> = changes
                .iter()
                .filter_map(|(id, it)| self.apply_entry(&reader, &index, id, it))
                .collect();
            if !changes.is_empty() {
                let next = Arc::new(index.with_changes(&changes, now));
                self.changed.insert(name.clone(), Some(next));
            }
        }
    }

    /// Builds the change of one entry; nothing, if the entry stays as it was.
    fn apply_entry(
        &mut self,
        reader: &EntryReader<'_>,
        index: &TypeIndex,
        id: &EntryId,
        change: &'s FileChange,
    ) -> Option<EntryChange> {
        let before = index.find_ordinal(id.as_str()).and_then(|it| index.entry_at(it));
        let doc = match &change.now {
            SweptFile::Missing => {
                before?;
                None
            }
            SweptFile::Read { content, stat } => {
                let ReadFile { value, problems } =
                    reader.render_entry(id, &change.path, content, stat);
                self.effects.set_problems(&change.path, problems);
                // Broken: what was served goes on being served.
                let doc = Arc::new(value?);
                self.effects.accepted.push(change);
                if before.is_some_and(|it| it.sum == doc.sum) {
                    return None;
                }
                Some(doc)
            }
            SweptFile::Seen(_) | SweptFile::Unreadable(_) => return None,
        };
        let (before, after) = (before.cloned(), doc.clone());
        self.effects.served.push(ServedChange::Entry { file: change, before, after });
        Some(EntryChange { id: id.clone(), doc })
    }

    /// Applies changed schemas: the entries of a type that is defined anew are all rendered anew.
    pub(super) fn apply_schemas(&mut self, states: &'s FileStates) {
        for (name, change) in &states.schemas {
            let known = self.known.and_then(|it| it.get(name.as_str()));
            let before = known.map(|it| it.content_type.clone());
            let parse =
                |path: &str, bytes: &[u8]| file_parser::parse_content_type(name, path, bytes);
            let value = parse_state(change, before.clone(), &*self.files, self.effects, parse);
            let is_gone = matches!(value, FileValue::Absent);
            let after = value.into_value();
            if is_gone || after.is_some() {
                let (before, after) = (before.clone(), after.clone());
                self.effects.served.push(ServedChange::Schema { before, after });
            }
            match after {
                Some(ty) if before.is_some_and(|it| it.sum == ty.sum) => {}
                Some(ty) => self.rebuild_type(ty, states),
                None if is_gone => {
                    self.changed.insert(name.clone(), None);
                    self.report_orphans(name);
                }
                None => {}
            }
        }
        if self.known.is_none() {
            for name in self.files.list_types() {
                if !self.changed.contains_key(&name) {
                    self.report_orphans(&name);
                }
            }
        }
    }

    /// Renders all entries of a type anew: those that changed as they are now, the others as their
    /// files are.
    fn rebuild_type(&mut self, ty: Arc<ContentType>, states: &'s FileStates) {
        let ApplyContext { media_base, now, version, .. } = self.context;
        let reader = EntryReader { ty: &ty, media_base, now };
        let changes = states.entries.get(&ty.name);
        let is_changed = |id: &EntryId| changes.is_some_and(|it| it.contains_key(id));
        // Entries that cannot be read now are no reason to serve none: the type stays as it was.
        let Some(loaded) = self.files.load_entries(&reader, &is_changed) else {
            self.changed.remove(&ty.name);
            return;
        };
        let LoadedEntries { mut docs, problems } = loaded;
        for (path, problems) in problems {
            self.effects.set_problems(&path, problems);
        }
        let changes = changes.into_iter().flatten();
        docs.extend(changes.filter_map(|(id, it)| self.render_changed(&reader, id, it)));
        let name = ty.name.clone();
        let index = TypeIndex::build(ty, docs, first_generation(version), now);
        self.changed.insert(name, Some(Arc::new(index)));
    }

    /// Renders a changed entry of a type that is defined anew. If it cannot be parsed, its last
    /// good body stands in.
    fn render_changed(
        &mut self,
        reader: &EntryReader<'_>,
        id: &EntryId,
        change: &'s FileChange,
    ) -> Option<Arc<RenderedEntry>> {
        let path = &change.path;
        match &change.now {
            SweptFile::Missing => return None,
            SweptFile::Read { content, stat } => {
                let ReadFile { value, problems } = reader.render_entry(id, path, content, stat);
                let falls_back = problems.iter().any(|it| it.kind.falls_back());
                self.effects.set_problems(path, problems);
                if let Some(doc) = value {
                    self.effects.accepted.push(change);
                    return Some(Arc::new(doc));
                }
                if !falls_back {
                    return None;
                }
            }
            SweptFile::Seen(_) | SweptFile::Unreadable(_) => {}
        }
        let PackedBody { bytes, stat, .. } = self.files.read_last_good(path)?;
        reader.render_entry(id, path, &*bytes, &stat).value.map(Arc::new)
    }

    /// Reports the entries of a type that has no schema: they are not served.
    fn report_orphans(&mut self, name: &TypeName) {
        for path in self.files.list_entries(name) {
            self.set_unknown_type(name, &path);
        }
    }

    fn set_unknown_type(&mut self, name: &TypeName, path: &str) {
        let problem = workspace_files::unknown_type_problem(name, path);
        self.effects.set_problems(path, vec![problem]);
    }
}
