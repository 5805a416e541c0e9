//! The plan of an import: what a source contains, compared with the workspace. An entry is found by
//! its key and merged as a request that writes it would be; one that stays the same is left alone.

mod entry_links;
mod file_sizes;
mod history;
mod people;
mod settings;
mod texts;

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::collections::HashMap;
use std::sync::Arc;

use crate::app::content::entries::media_base;
use crate::app::import::import_scope::ImportNames;
use crate::app::import::import_scope::ImportScope;
use crate::app::import::import_set::EntryKey;
use crate::app::import::import_set::ImportSet;
use crate::app::import::import_set::ImportedEntry;
use crate::app::import::import_set::ImportedType;
use crate::app::import::import_set::LinkNotation;
use crate::app::import::media_plan::MediaPlanner;
use crate::app::import::report::ImportCounts;
use crate::app::import::report::ImportReport;
use crate::app::import::report::ImportedTypeInfo;
use crate::app::import::report::SourcePlace;
use crate::app::import::request::ImportRequest;
use crate::app::import::stored_view::leave_unset;
use crate::app::import::stored_view::show_stored;
use crate::engine::error::CommitError;
use crate::engine::file_set::FileSet;
use crate::engine::installation::Installation;
use crate::engine::staging::Staging;
use crate::engine::staging::StoredFile;
use crate::model::content_type::ContentType;
use crate::model::content_type::type_change;
use crate::model::entry::Api;
use crate::model::entry::CurrentEntry;
use crate::model::entry::EntryWrite;
use crate::model::entry::MergedEntry;
use crate::model::entry::merge_entry;
use crate::model::entry::set_key;
use crate::model::field::Field;
use crate::model::field::InputCheck;
use crate::model::field::PermissiveContext;
use crate::model::field::REQUIRED;
use crate::model::name::EntryId;
use crate::model::name::FieldName;
use crate::model::name::TypeName;
use crate::model::problem::FieldProblems;
use crate::model::revision::RevisionEvent;
use crate::model::revision::RevisionName;
use crate::query::index::type_index::Ordinal;
use crate::query::index::type_index::TypeIndex;
use crate::stdx::fold::casefold;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::slug::slugify;
use crate::stdx::time::Timestamp;
use crate::store::layout::EntryCopy;
use crate::store::layout::Key;

/// An import that is ready to be written.
pub struct ImportPlan {
    /// The files to write; none if there are problems.
    pub files: FileSet,
    /// The report.
    pub report: ImportReport,
}

/// A content type that entries of the import have.
#[derive(Clone)]
struct TargetType {
    content_type: Arc<ContentType>,
    /// The entries of the workspace; `None` if the import creates the type.
    index: Option<Arc<TypeIndex>>,
    /// The place of the type in the source; `None` if the source does not define it.
    place: Option<SourcePlace>,
    /// The fields that the workspace requires and the source does not have.
    missing: Vec<FieldName>,
}

/// An entry of the import with the one of the workspace that it updates, or a new id.
struct PlannedEntry {
    entry: ImportedEntry,
    id: EntryId,
    this: Option<Ordinal>,
}

/// The planner of one import.
pub(super) struct Planner<'p, 's> {
    staging: &'p mut Staging<'s>,
    request: &'p ImportRequest<'p>,
    keeps_revisions: bool,
    media_base: String,
    types: BTreeMap<TypeName, TargetType>,
    names: ImportNames,
    /// The ids of entries by the value of a field, read from all files of a type once.
    values: HashMap<(TypeName, FieldName), HashMap<String, Vec<EntryId>>>,
    /// The warnings by type, with the first place and the number of places.
    warnings: BTreeMap<(TypeName, String), (SourcePlace, usize)>,
    /// The missing fields by type, as far as entries need them.
    unfilled: BTreeMap<TypeName, BTreeSet<String>>,
    /// The numbers of entries by type.
    counts: BTreeMap<TypeName, ImportCounts>,
    files: FileSet,
    report: ImportReport,
}

impl<'p, 's> Planner<'p, 's> {
    /// Creates a planner. Revisions of replaced entries are kept if `keeps_revisions` is set.
    pub(super) fn new(
        staging: &'p mut Staging<'s>,
        request: &'p ImportRequest<'p>,
        keeps_revisions: bool,
    ) -> Planner<'p, 's> {
        let media_base = media_base(staging.base_url(), staging.workspace().as_str());
        Planner {
            staging,
            request,
            keeps_revisions,
            media_base,
            types: BTreeMap::new(),
            names: ImportNames::default(),
            values: HashMap::new(),
            warnings: BTreeMap::new(),
            unfilled: BTreeMap::new(),
            counts: BTreeMap::new(),
            files: FileSet::default(),
            report: ImportReport::default(),
        }
    }

    /// Plans the import of a set.
    pub(super) fn plan(
        mut self,
        mut set: ImportSet,
        installation: &Installation,
    ) -> Result<ImportPlan, CommitError> {
        if self.request.is_content_only {
            set.leave_out_installation();
        }
        self.report = set.report;
        set.types.into_iter().for_each(|it| self.plan_type(it));
        let (gone, live): (Vec<_>, Vec<_>) =
            set.entries.into_iter().partition(|it| it.deletion.is_some());
        let mut planned = self.identify_entries(live)?;
        let gone = self.identify_deleted(gone);
        MediaPlanner {
            staging: self.staging,
            source: self.request.source,
            rules: self.request.rules,
            budget: self.request.budget,
            files: &mut self.files,
            report: &mut self.report,
            placed: HashMap::new(),
        }
        .plan_files(set.media, &mut self.names)?;
        self.plan_categories(&set.categories)?;
        let mut history = Vec::new();
        for planned in &mut planned {
            let states = std::mem::take(&mut planned.entry.history);
            history.push((planned.entry.type_name.clone(), planned.id.clone(), states));
        }
        for entry in planned {
            self.plan_entry(entry, set.links, set.is_lenient)?;
        }
        for (mut entry, id) in gone {
            let states = std::mem::take(&mut entry.history);
            history.push((entry.type_name.clone(), id.clone(), states));
            self.plan_deleted(entry, id, set.links);
        }
        self.plan_history(history, set.links);
        self.plan_people(installation, set.roles, set.users, &set.avatars);
        self.plan_webhooks(set.webhooks)?;
        self.plan_workspace(set.workspace)?;
        self.report_unfilled();
        self.describe_types();
        self.report_large_files();
        if !self.report.problems.is_empty() {
            self.files = FileSet::default();
        }
        self.report.files = self.files.files.len();
        Ok(ImportPlan { files: self.files, report: self.report })
    }

    fn describe_types(&mut self) {
        for ((_, message), (place, count)) in std::mem::take(&mut self.warnings) {
            let more = if count > 1 { format!(" ({count} times)") } else { String::new() };
            self.report.add_skipped(place, message + &more);
        }
        for (name, target) in &self.types {
            let fields = target.content_type.fields.iter();
            self.report.types.push(ImportedTypeInfo {
                name: name.clone(),
                created: target.index.is_none(),
                fields: fields.map(|it| format!("{}: {}", it.name, it.kind_name())).collect(),
                entries: self.counts.get(name).copied().unwrap_or_default(),
            });
        }
        for counts in self.counts.values() {
            self.report.entries.add(*counts);
        }
    }

    /// Names each content type once whose entries lack what the source does not have.
    fn report_unfilled(&mut self) {
        for (name, fields) in std::mem::take(&mut self.unfilled) {
            let place = self.types.get(&name).and_then(|it| it.place.clone()).unwrap_or_default();
            let fields: Vec<String> = fields.iter().map(|it| format!("`{it}`")).collect();
            let message = format!(
                "The workspace has a content type `{name}` that requires values that the source \
                 does not have: {}. Import into another workspace, or rename or delete that \
                 content type.",
                fields.join(", ")
            );
            self.report.add_problem(place, message);
        }
    }

    /// Access to the numbers of entries of a type.
    fn count_entries(&mut self, of: &TypeName) -> &mut ImportCounts {
        self.counts.entry(of.clone()).or_default()
    }

    /// Plans a content type. One that exists wins.
    fn plan_type(&mut self, imported: ImportedType) {
        let ImportedType { name, definition, place } = imported;
        if let Some(index) = self.staging.snapshot().get(name.as_str()).cloned() {
            let content_type = index.content_type.clone();
            let missing = list_missing(&content_type, &definition);
            let index = Some(index);
            self.types
                .insert(name, TargetType { content_type, index, place: Some(place), missing });
            return;
        }
        let is_taken = |it: &TypeName| {
            let mut known = self.staging.snapshot().types().iter();
            known.any(|known| known.content_type.name.eq_ignore_ascii_case(it))
        };
        match type_change::create_type(&definition, is_taken) {
            Ok(draft) => {
                let key = Key::Schema(self.staging.workspace().clone(), name.clone());
                let source = draft.content_type.source.clone();
                self.create_file(&place, key, Json::Object(source).to_file());
                let content_type = Arc::new(draft.content_type);
                let (place, missing) = (Some(place), Vec::new());
                self.types.insert(name, TargetType { content_type, index: None, place, missing });
            }
            Err(problems) => {
                for (field, message) in problems.iter() {
                    let place = place.with_field(format!("{name}.{field}"));
                    self.report.add_problem(place, message);
                }
            }
        }
    }

    /// Finds for each entry the one it updates, or gives it an id, and lets others refer to it.
    fn identify_entries(
        &mut self,
        entries: Vec<ImportedEntry>,
    ) -> Result<Vec<PlannedEntry>, CommitError> {
        let mut planned = Vec::with_capacity(entries.len());
        let mut seen: HashMap<(TypeName, EntryId), SourcePlace> = HashMap::new();
        let mut derived: HashMap<(TypeName, String), EntryId> = HashMap::new();
        for entry in entries {
            let Some(target) = self.find_target(&entry) else { continue };
            let key = entry.key.clone().or_else(|| derive_key(&target.content_type, &entry));
            let folded = key.as_ref().map(fold_key);
            let before = folded.map(|it| {
                let place = (entry.type_name.clone(), it);
                let known = derived.get(&place).cloned();
                (place, known)
            });
            let found = match &before {
                Some((_, Some(id))) => Some((id.clone(), None)),
                _ => self.find_existing(&entry, key.as_ref())?,
            };
            let (id, this) = match found {
                Some(found) => found,
                None => (self.choose_id(&entry), None),
            };
            if let Some((place, None)) = before {
                derived.insert(place, id.clone());
            }
            let place = (entry.type_name.clone(), id.clone());
            if let Some(first) = seen.get(&place) {
                let message = format!(
                    "This is the same entry as the one in {first}: both have the key `{}`.",
                    key.as_ref().map(show_key).unwrap_or_default()
                );
                self.report.add_problem(entry.place.clone(), message);
                continue;
            }
            seen.insert(place, entry.place.clone());
            self.introduce(&entry, key.as_ref(), &id);
            planned.push(PlannedEntry { entry, id, this });
        }
        Ok(planned)
    }

    /// Lets others refer to an entry by its id, its slug and its names in the source.
    fn introduce(&mut self, entry: &ImportedEntry, key: Option<&EntryKey>, id: &EntryId) {
        let of = &entry.type_name;
        self.names.add_name(of, id.as_str(), id);
        if let Some(slug) = entry.values.get("slug").and_then(Json::as_str) {
            let slug = slugify(slug);
            self.names.add_name(of, &slug, id);
            self.names.reserve_slug(of, &slug, id);
        }
        if let Some(EntryKey::Slug(slug)) = key {
            self.names.add_name(of, slug, id);
            self.names.reserve_slug(of, slug, id);
        }
        entry.names.iter().for_each(|name| self.names.add_name(of, name, id));
    }

    /// Finds the content type of an entry. One that does not exist is a problem.
    fn find_target(&mut self, entry: &ImportedEntry) -> Option<&TargetType> {
        let name = &entry.type_name;
        if !self.types.contains_key(name) {
            let Some(index) = self.staging.snapshot().get(name.as_str()).cloned() else {
                let message = format!("There is no content type `{name}`.");
                self.report.add_problem(entry.place.clone(), message);
                return None;
            };
            let content_type = index.content_type.clone();
            let (index, missing) = (Some(index), Vec::new());
            let found = TargetType { content_type, index, place: None, missing };
            self.types.insert(name.clone(), found);
        }
        self.types.get(name)
    }

    fn choose_id(&self, entry: &ImportedEntry) -> EntryId {
        let target = self.types.get(&entry.type_name);
        if target.is_some_and(|it| it.content_type.singleton)
            && let Ok(id) = EntryId::parse(entry.type_name.as_str())
        {
            return id;
        }
        let taken = |id: &EntryId| {
            let ws = self.staging.workspace().clone();
            let (of, id) = (entry.type_name.clone(), id.clone());
            self.staging.exists(&Key::Trash(ws.clone(), of.clone(), EntryCopy::first(id.clone())))
                || self.staging.exists(&Key::Entry(ws, of, id))
        };
        let wanted = entry.id.clone().filter(|it| !taken(it));
        wanted.unwrap_or_else(|| self.staging.new_id())
    }

    /// Finds the entry of the workspace that an imported one updates.
    fn find_existing(
        &mut self,
        entry: &ImportedEntry,
        key: Option<&EntryKey>,
    ) -> Result<Option<(EntryId, Option<Ordinal>)>, CommitError> {
        let target = self.types.get(&entry.type_name);
        let Some(index) = target.and_then(|it| it.index.clone()) else { return Ok(None) };
        let ordinal = if index.content_type.singleton {
            index.find_ordinal(entry.type_name.as_str())
        } else {
            match key {
                None => None,
                Some(EntryKey::Id(id)) => index.find_ordinal(id.as_str()),
                Some(EntryKey::Slug(slug)) => index.list_claimants(slug).first().copied(),
                Some(EntryKey::Value(field, value)) => {
                    self.find_by_value(&index, entry, field, value)?
                }
            }
        };
        let doc = ordinal.and_then(|it| index.entry_at(it));
        Ok(doc.map(|it| (it.to_id(), ordinal)))
    }

    fn find_by_value(
        &mut self,
        index: &TypeIndex,
        entry: &ImportedEntry,
        field: &FieldName,
        value: &Json,
    ) -> Result<Option<Ordinal>, CommitError> {
        let place = (entry.type_name.clone(), field.clone());
        if !self.values.contains_key(&place) {
            let read = self.read_values(index, field)?;
            self.values.insert(place.clone(), read);
        }
        let accepted = index.content_type.fields.get(field).map(|it| accept_key(it, value));
        let wanted = fold_value(accepted.as_ref().unwrap_or(value));
        let found = self.values.get(&place).and_then(|it| it.get(&wanted));
        if found.is_some_and(|it| it.len() > 1) {
            let message = format!("Several entries have this value in `{field}`.");
            self.report.add_problem(entry.place.with_field(field.as_str()), message);
        }
        Ok(found.and_then(|it| it.first()).and_then(|it| index.find_ordinal(it.as_str())))
    }

    /// Reads the values that the entries of a type have in a field.
    fn read_values(
        &mut self,
        index: &TypeIndex,
        field: &FieldName,
    ) -> Result<HashMap<String, Vec<EntryId>>, CommitError> {
        let mut values: HashMap<String, Vec<EntryId>> = HashMap::new();
        for (_, doc) in index.iter() {
            let id = doc.to_id();
            let Some(stored) = self.read_entry(&index.content_type.name, &id)? else { continue };
            let data = stored.map().get("data").and_then(Json::as_object);
            let value = data.and_then(|it| it.get(field)).or_else(|| stored.map().get(field));
            if let Some(value) = value.filter(|it| !it.is_empty()) {
                values.entry(fold_value(value)).or_default().push(id);
            }
        }
        Ok(values)
    }

    fn read_entry(
        &mut self,
        of: &TypeName,
        id: &EntryId,
    ) -> Result<Option<StoredFile>, CommitError> {
        let key = Key::Entry(self.staging.workspace().clone(), of.clone(), id.clone());
        self.staging.read_stored(&key)
    }

    /// Merges an entry and plans its file.
    fn plan_entry(
        &mut self,
        planned: PlannedEntry,
        links: LinkNotation,
        is_lenient: bool,
    ) -> Result<(), CommitError> {
        let PlannedEntry { mut entry, id, this } = planned;
        let Some(target) = self.types.get(&entry.type_name).cloned() else { return Ok(()) };
        let content_type = target.content_type.clone();
        self.rewrite_links(&content_type, &mut entry, links);
        let stored = match this {
            Some(_) => match self.read_entry(&entry.type_name, &id) {
                Err(CommitError::Broken(problem)) => {
                    let message = format!("The entry that it updates is broken: {problem}.");
                    self.report.add_problem(entry.place.clone(), message);
                    return Ok(());
                }
                read => read?,
            },
            None => None,
        };
        let current = stored.as_ref().map(|it| (it, show_stored(&content_type, it, &entry.values)));
        if let Some((stored, shown)) = &current {
            leave_unset(&content_type, &mut entry.values, shown, stored.map());
        }
        let current = current.as_ref().map(|(stored, shown)| CurrentEntry {
            file: stored.map(),
            shown,
            modified: stored.modified,
        });
        let merged = self.merge_values(&target, &id, this, current, &entry.values);
        if self.report_merged(&entry, &merged, is_lenient) {
            self.plan_file(&entry, id, stored, merged);
        }
        Ok(())
    }

    /// Merges values into the file of an entry, or into a new one.
    fn merge_values(
        &self,
        target: &TargetType,
        id: &EntryId,
        this: Option<Ordinal>,
        current: Option<CurrentEntry<'_>>,
        values: &Map,
    ) -> MergedEntry {
        let scope = ImportScope {
            snapshot: self.staging.snapshot(),
            names: &self.names,
            index: target.index.as_deref(),
            type_name: &target.content_type.name,
            id,
            this,
            media_base: &self.media_base,
            new_id: &|| self.staging.new_id(),
        };
        merge_entry(&EntryWrite {
            ty: &target.content_type,
            id,
            current,
            body: values,
            api: Api::Admin,
            by: self.request.by,
            sets_author: true,
            is_proposal: false,
            now: self.staging.now(),
            context: &scope,
            others: &scope,
        })
    }

    /// Reports what is wrong with a merged entry. Returns true if it can be written.
    fn report_merged(
        &mut self,
        entry: &ImportedEntry,
        merged: &MergedEntry,
        is_lenient: bool,
    ) -> bool {
        let mut is_sound = true;
        for (path, message) in merged.problems.iter() {
            if is_lenient && message == REQUIRED && path != "title" {
                let message = "It has no value, although the field is required.";
                self.report.add_altered(entry.place.join_field(path), message);
                continue;
            }
            is_sound = false;
            let target = self.types.get(&entry.type_name);
            if message == REQUIRED
                && target.is_some_and(|it| it.missing.iter().any(|it| it == path))
            {
                let fields = self.unfilled.entry(entry.type_name.clone()).or_default();
                fields.insert(path.to_string());
                continue;
            }
            let name = path.split(['.', '[']).next().unwrap_or(path);
            let shown = entry.columns.get(path).or_else(|| entry.columns.get(name));
            let shown = shown.map_or(path, String::as_str);
            self.report.add_problem(entry.place.join_field(shown), message);
        }
        for warning in &merged.warnings {
            let known = self.warnings.entry((entry.type_name.clone(), warning.clone()));
            known.or_insert_with(|| (entry.place.clone(), 0)).1 += 1;
        }
        is_sound
    }

    /// Plans the file of an entry, unless it stays the same.
    fn plan_file(
        &mut self,
        entry: &ImportedEntry,
        id: EntryId,
        stored: Option<StoredFile>,
        merged: MergedEntry,
    ) {
        if stored.is_some() && !merged.is_change() {
            self.count_entries(&entry.type_name).unchanged += 1;
            return;
        }
        // An entry that is there was created when it says so.
        let created_at = entry.created_at.filter(|_| stored.is_none());
        let mut file = finish_file(merged.file, created_at, entry.updated_at);
        if let Some(by) = &entry.updated_by {
            set_key(&mut file, "updated_by", by.as_str().into());
        }
        let ws = self.staging.workspace().clone();
        let key = Key::Entry(ws.clone(), entry.type_name.clone(), id.clone());
        let Some(stored) = stored else {
            self.count_entries(&entry.type_name).created += 1;
            return self.create_file(&entry.place, key, Json::Object(file).to_file());
        };
        self.count_entries(&entry.type_name).updated += 1;
        if self.keeps_revisions {
            let event = Some(RevisionEvent::Bulk);
            let by = Some(self.request.by.to_string()).filter(|it| !it.is_empty());
            let name = RevisionName { id: self.staging.new_id(), event, by };
            let copy = EntryCopy::first(id);
            let kept = Key::Revision(ws, entry.type_name.clone(), copy, name.to_id());
            self.files.create(kept, stored.bytes.clone());
        }
        self.replace_file(&entry.place, key, stored.rewrite(file), stored.stat());
    }
}

/// Sets the times of a file, and removes members without a value.
fn finish_file(mut file: Map, created_at: Option<Timestamp>, updated_at: Option<Timestamp>) -> Map {
    for (key, time) in [("created_at", created_at), ("updated_at", updated_at)] {
        if let Some(time) = time {
            set_key(&mut file, key, time.into());
        }
    }
    for key in ["author_id", "updated_by"] {
        if file.get(key).is_some_and(Json::is_empty) {
            file.remove(key);
        }
    }
    file
}

/// Lists the fields that a content type requires and the definition of a source does not have.
fn list_missing(ty: &ContentType, definition: &Map) -> Vec<FieldName> {
    let given = definition.get("fields").and_then(Json::as_object);
    let is_missing =
        |it: &&Field| it.required && given.is_none_or(|given| given.get(&it.name).is_none());
    ty.fields.iter().filter(is_missing).map(|it| it.name.clone()).collect()
}

/// Returns the key of an entry that names none: the slug that its title makes.
fn derive_key(ty: &ContentType, entry: &ImportedEntry) -> Option<EntryKey> {
    let get = |name: &str| {
        let data = entry.values.get("data").and_then(Json::as_object);
        let value = entry.values.get(name).or_else(|| data?.get(name));
        value.and_then(Json::as_str).filter(|it| !it.is_empty())
    };
    let source = get("slug").or_else(|| get(&ty.slug_source)).or_else(|| get("title"))?;
    Some(slugify(source)).filter(|it| !it.is_empty()).map(EntryKey::Slug)
}

fn fold_key(key: &EntryKey) -> String {
    match key {
        EntryKey::Id(id) => format!("id {id}"),
        EntryKey::Slug(slug) => format!("slug {}", casefold(slug)),
        EntryKey::Value(field, value) => format!("{field} {}", fold_value(value)),
    }
}

fn show_key(key: &EntryKey) -> String {
    match key {
        EntryKey::Id(id) => id.to_string(),
        EntryKey::Slug(slug) => slug.clone(),
        EntryKey::Value(_, Json::String(text)) => text.clone(),
        EntryKey::Value(_, value) => fold_value(value),
    }
}

/// Returns the stored form of a value that entries are found by.
fn accept_key(field: &Field, value: &Json) -> Json {
    let (context, mut ignored) = (PermissiveContext::sanitizing(), FieldProblems::new());
    field.kind.accept_input(value, &mut InputCheck::new(&context, &mut ignored))
}

/// Returns a text that two values have in common if they are equal, ignoring case.
fn fold_value(value: &Json) -> String {
    let mut text = Vec::new();
    value.write_compact(&mut text);
    casefold(&String::from_utf8_lossy(&text)).into_owned()
}
