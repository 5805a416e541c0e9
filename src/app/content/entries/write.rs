//! The creation and update of entries.

use std::borrow::Cow;
use std::sync::Arc;

use bytes::Bytes;
use serde::Serialize;

use crate::app::App;
use crate::app::access::Caller;
use crate::app::access::Requester;
use crate::app::content::content_types;
use crate::app::content::entries::admin_view;
use crate::app::content::entries::clean_html::CleanHtml;
use crate::app::content::entries::entry_response::EntryResponse;
use crate::app::content::entries::entry_response::WriteRemarks;
use crate::app::content::entries::target_entry::TargetEntry;
use crate::app::content::entries::write_scope::WriteScope;
use crate::app::content::entries::write_scope::media_base;
use crate::app::content::write_target::WriteTarget;
use crate::app::content::write_target::find_written_snapshot;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::precondition::Precondition;
use crate::engine::Engine;
use crate::engine::staging::Staging;
use crate::engine::staging::StoredFile;
use crate::model::content_type::ContentType;
use crate::model::entry::Api;
use crate::model::entry::CurrentEntry;
use crate::model::entry::EntryWrite;
use crate::model::entry::MergedEntry;
use crate::model::entry::merge_entry;
use crate::model::entry::names_author;
use crate::model::entry::parse_write_locale;
use crate::model::event::EventKind;
use crate::model::event::EventSource;
use crate::model::event::Subject;
use crate::model::grant::Action;
use crate::model::grant::Facts;
use crate::model::grant::Permit;
use crate::model::grant::Resource;
use crate::model::name::EntryId;
use crate::model::name::LocaleCode;
use crate::model::name::TypeName;
use crate::model::problem::FieldProblems;
use crate::model::revision::RevisionEvent;
use crate::model::sentence::sentence;
use crate::query::execute::executor::Effort;
use crate::query::execute::view::View;
use crate::query::index::snapshot::Snapshot;
use crate::query::index::type_index::TypeIndex;
use crate::query::render::entry_writer::render_for_writer;
use crate::query::render::rendered_entry::BODY_HEAD;
use crate::query::request::list_query;
use crate::query::request::list_query::Shape;
use crate::stdx::checksum::Checksum;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::store::layout::EntryCopy;
use crate::store::layout::Folder;
use crate::store::layout::Key;
use crate::store::summed_content::SummedContent;

/// The longest entry that is rendered for its writer on a thread that others wait for, in all its
/// locales: a few hundred microseconds of work.
const QUICK_BYTES_MAX: usize = 64 * 1024;

/// An entry that was created or updated.
pub struct WrittenEntry {
    /// The id.
    pub id: EntryId,
    /// The entry as the caller reads it in the locale of the write, with warnings.
    pub shown: EntryResponse,
    snapshot: Arc<Snapshot>,
    reader: WriteResponder,
    type_name: String,
    outcome: EntryOutcome,
}

impl WrittenEntry {
    /// Renders the entry in another locale, if the caller may read it there, else in that of the
    /// write.
    pub fn render_in(&self, locale: &str) -> Result<EntryResponse> {
        let view = View::new(&self.snapshot, self.reader.caller.viewer(), Some(locale));
        let place = self.snapshot.type_position(&self.type_name).unwrap_or_default();
        if view.find_by_id(place, self.id.as_str()).is_none() {
            return Ok(self.shown.clone());
        }
        self.reader.render_entry(&view, &self.type_name, &self.outcome)
    }

    /// Returns the warning about a locale that the type does not have.
    pub fn describe_unknown_locale(&self, locale: &str) -> Option<String> {
        let index = self.snapshot.get(&self.type_name)?;
        list_query::describe_unknown_locale(&index.content_type, locale)
    }
}

/// The caller that gets the response, and the form of the response.
struct WriteResponder {
    caller: Caller,
    /// The engine that reads files, for the admin API.
    files: Option<Arc<Engine>>,
}

/// The effect that a change of an entry would have.
#[derive(Debug, Serialize)]
pub struct EntryEffect {
    /// The change that it would go into; `None` if it would be live.
    pub change: Option<EntryId>,
    /// The fields that would change, as grants name them.
    pub changed: Vec<String>,
    /// The warnings about ignored values.
    pub warnings: Vec<String>,
}

/// The data of a commit that the response needs.
pub(crate) struct EntryOutcome {
    id: EntryId,
    locale: Option<LocaleCode>,
    warnings: Vec<String>,
    /// The content written to the file, for responses that need it after the file may be gone.
    file: Option<Map>,
    /// The change that it was written into.
    change: Option<EntryId>,
    /// The fields that changed, as grants name them.
    changed: Vec<String>,
}

impl EntryOutcome {
    /// Returns the outcome of a change in no locale.
    pub(crate) fn without_locale(id: EntryId, warnings: Vec<String>) -> EntryOutcome {
        let (file, change, changed) = (None, None, Vec::new());
        EntryOutcome { id, locale: None, warnings, file, change, changed }
    }

    /// Returns the id of the entry, and the content of its file if the admin API wrote it.
    pub(super) fn into_file(self) -> Option<(EntryId, Map)> {
        Some((self.id, self.file?))
    }

    /// Returns the warnings about ignored keys.
    pub(super) fn into_warnings(self) -> Vec<String> {
        self.warnings
    }

    /// Names the change that the entry was written into.
    pub(super) fn into_change(self, change: Option<EntryId>) -> EntryOutcome {
        EntryOutcome { change, ..self }
    }

    /// Returns the effect of a change that was only judged.
    pub(super) fn into_effect(self) -> EntryEffect {
        let EntryOutcome { change, changed, warnings, .. } = self;
        EntryEffect { change, changed, warnings }
    }

    /// Lets the response show the entry as read without a locale.
    pub(super) fn forget_locale(&mut self) {
        self.locale = None;
    }

    /// Returns the effort of rendering the entry: a long one takes long, and one in a change takes
    /// a snapshot that shows the change.
    pub(super) fn render_effort(&self, snapshot: &Snapshot, type_name: &str) -> Effort {
        let index = snapshot.get(type_name);
        let doc = index.and_then(|it| it.entry_at(it.find_ordinal(self.id.as_str())?));
        let is_long = doc.is_some_and(|it| it.memory_bytes() > QUICK_BYTES_MAX);
        if is_long || self.change.is_some() { Effort::Thorough } else { Effort::Quick }
    }

    /// Renders the entry for the caller that changed it.
    pub(crate) fn render_written(
        self,
        app: &App,
        snapshot: Arc<Snapshot>,
        by: &Requester,
        type_name: &str,
    ) -> Result<WrittenEntry> {
        let snapshot = find_written_snapshot(&app.engine, snapshot, self.change.as_ref());
        let is_admin = by.actor.source == EventSource::Admin;
        let files = is_admin.then(|| app.engine.clone());
        let reader = WriteResponder { caller: by.caller.clone(), files };
        let view = View::new(&snapshot, by.caller.viewer(), self.locale.as_deref());
        let shown = reader.render_entry(&view, type_name, &self)?;
        let (id, type_name) = (self.id.clone(), type_name.to_string());
        Ok(WrittenEntry { id, shown, snapshot, reader, type_name, outcome: self })
    }
}

/// Stages a new entry, after checking every permission it takes.
pub(super) fn stage_new_entry(
    staging: &mut Staging<'_>,
    by: &Requester,
    type_name: &str,
    body: &Map,
    clean_html: &CleanHtml,
) -> Result<EntryOutcome> {
    let snapshot = staging.snapshot();
    let (_, index) = content_types::find(snapshot, &by.caller, type_name)?;
    let id = new_id(staging, &index.content_type)?;
    let request = EntryWriteRequest {
        by,
        index,
        id: &id,
        body,
        clean_html,
        existing: None,
        event: RevisionEvent::Update,
    };
    let (merged, permit) = request.check_and_merge(staging, Action::ContentCreate)?;
    let merged = request.ensure_single_page(merged);
    let outcome = request.build_outcome(&merged);
    stage_create(&permit, staging, &request, merged)?;
    Ok(outcome)
}

/// An update of an entry.
pub(super) struct EntryEdit {
    pub(super) type_name: String,
    pub(super) identifier: String,
    pub(super) body: Arc<Map>,
    /// The sanitized HTML of the body.
    pub(super) clean_html: Arc<CleanHtml>,
    pub(super) precondition: Precondition,
    /// The label of the revision with the replaced state.
    pub(super) event: RevisionEvent,
}

impl EntryEdit {
    /// Chooses where the update goes: one of a published entry that takes the permission to publish
    /// becomes a proposal.
    pub(super) fn choose_target<'t>(
        &self,
        staging: &Staging<'_>,
        by: &Requester,
        target: &'t WriteTarget,
    ) -> Cow<'t, WriteTarget> {
        let (name, identifier) = (self.type_name.as_str(), self.identifier.as_str());
        let found = TargetEntry::find_entry(
            staging.snapshot(),
            by,
            Action::ContentUpdate,
            name,
            identifier,
            Some(&self.body),
        );
        match found {
            Ok(found) => found.choose_target(by, target),
            // It may be in the change alone.
            Err(_) => Cow::Borrowed(target),
        }
    }

    /// Stages the update, after checking every permission it takes.
    pub(super) fn stage_edit(
        &self,
        staging: &mut Staging<'_>,
        by: &Requester,
    ) -> Result<EntryOutcome> {
        let (action, body) = (Action::ContentUpdate, &*self.body);
        let (name, identifier) = (&self.type_name, &self.identifier);
        let found =
            TargetEntry::find_entry(staging.snapshot(), by, action, name, identifier, Some(body))?;
        found.check_draft_rule(staging, by)?;
        let stored = found.read_file(staging)?;
        let request = EntryWriteRequest {
            by,
            index: found.index,
            id: &found.doc.to_id(),
            body,
            clean_html: &self.clean_html,
            existing: Some((&found, &stored)),
            event: self.event,
        };
        let (merged, permit) = request.check_and_merge(staging, action)?;
        found.check_precondition(staging, &self.precondition, by)?;
        let outcome = request.build_outcome(&merged);
        stage_update(&permit, staging, &request, merged)?;
        Ok(outcome)
    }
}

/// Returns the id of a new entry. That of a single page is the name of its type.
fn new_id(staging: &Staging<'_>, ty: &ContentType) -> Result<EntryId> {
    if ty.singleton {
        EntryId::parse(&ty.name).map_err(Error::internal)
    } else {
        Ok(staging.new_id())
    }
}

/// A request to write an entry, with its target.
struct EntryWriteRequest<'a> {
    by: &'a Requester,
    index: &'a Arc<TypeIndex>,
    id: &'a EntryId,
    body: &'a Map,
    clean_html: &'a CleanHtml,
    existing: Option<(&'a TargetEntry<'a>, &'a StoredFile)>,
    event: RevisionEvent,
}

impl<'a> EntryWriteRequest<'a> {
    fn ty(&self) -> &'a ContentType {
        &self.index.content_type
    }

    fn locale(&self) -> Option<LocaleCode> {
        parse_write_locale(self.ty(), self.body).ok().flatten()
    }

    /// Merges the body, after checking every permission that takes. Problems of the request are not
    /// revealed before.
    fn check_and_merge(
        &self,
        staging: &Staging<'_>,
        action: Action,
    ) -> Result<(MergedEntry, Permit)> {
        let mut merged = self.merge_body(staging, true);
        if names_author(self.body)
            && self.check_permission(staging, Action::ContentPublish, &merged).is_err()
        {
            merged = self.merge_body(staging, false);
        }
        let permit = self.check_permission(staging, action, &merged)?;
        // What is only proposed takes this permission when it is published.
        if merged.needs_publish() && !staging.is_proposal() {
            self.check_permission(staging, Action::ContentPublish, &merged)?;
        }
        Ok((merged, permit))
    }

    fn merge_body(&self, staging: &Staging<'_>, sets_author: bool) -> MergedEntry {
        let snapshot = staging.snapshot();
        let locale = self.locale();
        let view = View::new(snapshot, self.by.caller.viewer(), locale.as_deref());
        let shown = self.existing.map(|(found, stored)| {
            let bytes = found.render_current(self.by, stored, staging.now(), Some(self.body));
            // A rendering is always a JSON object.
            match Json::parse(&bytes) {
                Ok(Json::Object(map)) => map,
                _ => Map::new(),
            }
        });
        let current = self.existing.zip(shown.as_ref()).map(|((_, stored), shown)| CurrentEntry {
            file: stored.map(),
            shown,
            modified: stored.modified,
        });
        let new_id = || staging.new_id();
        let has_file = |of: &TypeName, id: &EntryId| {
            staging.exists(&Key::Entry(snapshot.workspace.clone(), of.clone(), id.clone()))
        };
        let around = WriteScope {
            view: &view,
            caller: &self.by.caller,
            index: self.index,
            this: self.existing.map(|(found, _)| found.ordinal),
            media_base: media_base(staging.base_url(), snapshot.workspace.as_str()),
            new_id: &new_id,
            has_file: &has_file,
            clean_html: self.clean_html,
        };
        let is_admin = self.by.actor.source == EventSource::Admin;
        merge_entry(&EntryWrite {
            ty: self.ty(),
            id: self.id,
            current,
            body: self.body,
            api: if is_admin { Api::Admin } else { Api::Public },
            by: &self.by.actor.id,
            sets_author,
            is_proposal: staging.is_proposal(),
            now: staging.now(),
            context: &around,
            others: &around,
        })
    }

    /// Checks the permission to write the merged entry. A new entry is judged by its future state:
    /// creating one takes a permission on the whole type.
    fn check_permission(
        &self,
        staging: &Staging<'_>,
        action: Action,
        merged: &MergedEntry,
    ) -> Result<Permit> {
        let changed: Vec<&str> = merged.changed.iter().map(String::as_str).collect();
        let locales: Vec<&str> = merged.locales.iter().map(|it| it.as_str()).collect();
        let author = match self.existing {
            Some((found, _)) => found.doc.author_id(),
            None => merged.author_id.as_deref(),
        };
        let facts = Facts {
            status: merged.old.map(|it| it.status),
            new_status: Some(merged.new.status),
            author_id: author,
            locales: &locales,
            changed: &changed,
        };
        let type_name = self.ty().name.as_str();
        let resource = match self.existing {
            Some((found, _)) => found.resource(),
            None if action == Action::ContentCreate => Resource::Collection(type_name),
            None => Resource::Entry { type_name, id: self.id.as_str(), slug: &merged.slug },
        };
        self.by.check_permission(staging.workspace(), action, &resource, &facts)
    }

    /// Adds a problem if a single page exists already.
    fn ensure_single_page(&self, mut merged: MergedEntry) -> MergedEntry {
        if self.ty().singleton && !self.index.is_empty() {
            let name = &self.ty().name;
            let message = sentence!("The page `{name}` already exists.", name = name.as_str());
            merged.problems.add("slug", message);
        }
        merged
    }

    fn build_outcome(&self, merged: &MergedEntry) -> EntryOutcome {
        let warnings = merged.warnings.clone();
        let is_admin = self.by.actor.source == EventSource::Admin;
        let file = is_admin.then(|| merged.file.clone());
        let (id, locale) = (self.id.clone(), self.locale());
        let changed = merged.changed.clone();
        EntryOutcome { id, locale, warnings, file, change: None, changed }
    }

    /// Adds the events of the change.
    fn emit_event(&self, staging: &mut Staging<'_>, permit: &Permit, merged: &MergedEntry) {
        let now = staging.now();
        let before = self.existing.map(|(found, _)| found.doc.is_public(now));
        let after = merged.new.is_public(now);
        let title = merged.file.get("title").and_then(Json::as_str).unwrap_or_default();
        let subject = Subject::Entry {
            type_name: self.ty().name.to_string(),
            id: self.id.to_string(),
            slug: merged.slug.clone(),
            status: merged.new.status.as_str().to_string(),
            title: title.to_string(),
        };
        for kind in EventKind::for_entry_change(before, Some(after)) {
            staging.write(permit).add_event(kind, subject.clone());
        }
    }
}

fn stage_create(
    permit: &Permit,
    staging: &mut Staging<'_>,
    request: &EntryWriteRequest<'_>,
    merged: MergedEntry,
) -> Result<()> {
    debug_assert_eq!(permit.action(), Action::ContentCreate);
    check_problems(&merged.problems)?;
    let (of, id) = (&request.ty().name, request.id);
    let key = Key::Entry(staging.workspace().clone(), of.clone(), id.clone());
    // Other ids were never used before.
    if request.ty().singleton {
        if staging.exists(&key) {
            let message = "The file of this entry already exists, and cannot be read.";
            return Err(Error::conflict(message));
        }
        rename_trashed(staging, permit, of, id)?;
    }
    request.emit_event(staging, permit, &merged);
    staging.write(permit).create(&key, SummedContent::from_json(Json::Object(merged.file)));
    Ok(())
}

fn stage_update(
    permit: &Permit,
    staging: &mut Staging<'_>,
    request: &EntryWriteRequest<'_>,
    merged: MergedEntry,
) -> Result<()> {
    debug_assert_eq!(permit.action(), Action::ContentUpdate);
    check_problems(&merged.problems)?;
    let Some((_, stored)) = request.existing.filter(|_| merged.is_change()) else { return Ok(()) };
    request.emit_event(staging, permit, &merged);
    let bytes = stored.rewrite_with_value(merged.file);
    let mut write = staging.write(permit);
    write.label_revisions(request.event, &request.by.actor.id);
    write.replace(stored, bytes);
    Ok(())
}

fn check_problems(problems: &FieldProblems) -> Result<()> {
    if problems.is_empty() { Ok(()) } else { Err(Error::invalid(problems.clone())) }
}

/// Renames trash under an id that is used again, together with its revisions, to the next free
/// number.
pub(crate) fn rename_trashed(
    staging: &mut Staging<'_>,
    permit: &Permit,
    of: &TypeName,
    id: &EntryId,
) -> Result<()> {
    let trashed = Key::Trash(staging.workspace().clone(), of.clone(), EntryCopy::first(id.clone()));
    if staging.exists(&trashed) {
        let copy = free_copy(staging, of, id);
        let to = Key::Trash(staging.workspace().clone(), of.clone(), copy.clone());
        staging.write(permit).rename(&trashed, &to);
        move_revisions(staging, permit, of, &EntryCopy::first(id.clone()), &copy)?;
    }
    Ok(())
}

/// Returns the first number under which nothing is in the trash.
pub(super) fn free_copy(staging: &Staging<'_>, of: &TypeName, id: &EntryId) -> EntryCopy {
    let copy = |number| EntryCopy { id: id.clone(), number };
    let key = |it: &EntryCopy| Key::Trash(staging.workspace().clone(), of.clone(), it.clone());
    let free = (0..u32::MAX).map(copy).find(|it| !staging.exists(&key(it)));
    free.unwrap_or_else(|| copy(u32::MAX))
}

/// Moves the revisions of an entry to another copy.
pub(crate) fn move_revisions(
    staging: &mut Staging<'_>,
    permit: &Permit,
    of: &TypeName,
    from: &EntryCopy,
    to: &EntryCopy,
) -> Result<()> {
    let folder = Folder::Revisions(staging.workspace().clone(), of.clone(), from.clone());
    for file in staging.list(&folder)? {
        if let Key::Revision(ws, of, _, revision) = &file.key {
            let to = Key::Revision(ws.clone(), of.clone(), to.clone(), revision.clone());
            staging.write(permit).rename(&file.key, &to);
        }
    }
    Ok(())
}

impl WriteResponder {
    /// Renders an entry as the view's caller reads it, without checking the permission to read it.
    fn render_entry(
        &self,
        view: &View<'_>,
        type_name: &str,
        outcome: &EntryOutcome,
    ) -> Result<EntryResponse> {
        let EntryOutcome { id, warnings, file, change, .. } = outcome;
        // It was just written, so its absence does not reveal what happened to it.
        let missing =
            || Error::storage_unavailable(format!("{id} vanished while it was being changed"));
        let (place, index) = view.find_type(type_name).ok_or_else(missing)?;
        let ordinal = index.find_ordinal(id.as_str()).ok_or_else(missing)?;
        if let Some(files) = &self.files {
            let (shape, at) = (Shape::default(), (place, ordinal));
            return admin_view::render_entry(
                files,
                view,
                &self.caller,
                &shape,
                at,
                &WriteRemarks { warnings, change: change.as_ref() },
                file.as_ref(),
            );
        }
        let rev = index.entry_at(ordinal).ok_or_else(missing)?.rev;
        let mut body = BODY_HEAD.to_vec();
        body.extend_from_slice(&render_for_writer(view, place, ordinal, None));
        WriteRemarks { warnings, change: change.as_ref() }.write_meta(&mut body);
        body.push(b'}');
        let variant = Checksum::of_bytes(&body);
        Ok(EntryResponse { body: Bytes::from(body), rev, variant })
    }
}
