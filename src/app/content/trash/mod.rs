//! The trash of deleted entries: restoring and purging.

pub mod deletion_times;
mod list;

use schemars::JsonSchema;
use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::value::to_raw_value;

use crate::app::App;
use crate::app::access::Requester;
use crate::app::content::content_types;
use crate::app::content::entries::EntryOutcome;
use crate::app::content::entries::StateScope;
use crate::app::content::entries::WrittenEntry;
use crate::app::content::entries::media_base;
use crate::app::content::entries::move_revisions;
use crate::app::content::entries::rename_trashed;
use crate::app::error::Code;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::media::FormerNames;
use crate::app::media::missing_file_warnings;
use crate::app::precondition::Precondition;
use crate::engine::error::CommitError;
use crate::engine::staging::Staging;
use crate::engine::staging::StoredFile;
use crate::model::content_type::ContentType;
use crate::model::entry::Entry;
use crate::model::entry::FileFacts;
use crate::model::entry::Publication;
use crate::model::entry::fill_slug_field;
use crate::model::entry::find_unused_slug;
use crate::model::entry::needs_publish;
use crate::model::event::EventKind;
use crate::model::event::Subject;
use crate::model::grant::Action;
use crate::model::grant::Facts;
use crate::model::grant::Permit;
use crate::model::grant::Resource;
use crate::model::name::EntryId;
use crate::model::name::WorkspaceSlug;
use crate::model::sentence::sentence;
use crate::query::index::type_index::TypeIndex;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::time::Timestamp;
use crate::store::layout::EntryCopy;
use crate::store::layout::Folder;
use crate::store::layout::Key;

pub use list::TrashCount;
pub use list::TrashedEntry;
pub use list::count_by_type;
pub use list::list;

/// The most entries purged by one commit.
const PURGED_AT_ONCE: usize = 500;

/// Restores an entry. `name` is its name in the trash: its id, with a number if several were
/// deleted under one id. An id that is no name there means the last one that was deleted under it.
/// A slug that is taken now gets a number; with a unique value that is taken, or an id that is the
/// slug of another entry, it stays in the trash.
pub fn restore(
    app: &App,
    ws: &WorkspaceSlug,
    by: &Requester,
    type_name: &str,
    name: &str,
    precondition: Precondition,
) -> Result<WrittenEntry> {
    let (requester, of, id) = (by.clone(), type_name.to_string(), name.to_string());
    let committed = app.engine.commit(ws, move |staging| {
        let (_, index) = content_types::find(staging.snapshot(), &requester.caller, &of)?;
        let trashed = TrashedFile::find_last(staging, &index.content_type, &id)?;
        let permit = trashed.check_permission(staging, &requester, Action::ContentRestore, &id)?;
        if needs_publish(None, Publication::of_entry(&trashed.entry)) {
            trashed.check_active_permission(staging, &requester, Action::ContentPublish)?;
        }
        trashed.check_precondition(&precondition)?;
        let id = trashed.resolve_id(&index.content_type)?;
        let gone = stage_restore(&permit, staging, &trashed, index, &id)?;
        Ok::<_, Error>((id, gone))
    });
    let committed = committed.map_err(|it| with_current(app, ws, by, (type_name, name), it))?;
    let (id, gone) = committed.value;
    let outcome = EntryOutcome::without_locale(id, missing_file_warnings(gone));
    outcome.render_written(app, committed.snapshot, by, type_name)
}

/// Purges an entry from the trash with its revisions.
pub fn purge(
    app: &App,
    ws: &WorkspaceSlug,
    by: &Requester,
    type_name: &str,
    name: &str,
    precondition: Precondition,
) -> Result<()> {
    let (requester, of, id) = (by.clone(), type_name.to_string(), name.to_string());
    let work = move |staging: &mut Staging<'_>| {
        let (_, index) = content_types::find(staging.snapshot(), &requester.caller, &of)?;
        let trashed = TrashedFile::find(staging, &index.content_type, &id)?;
        let permit = trashed.check_permission(staging, &requester, Action::ContentDelete, &id)?;
        trashed.check_precondition(&precondition)?;
        stage_purge(&permit, staging, &trashed, index);
        Ok(())
    };
    let purged = app.engine.commit::<(), Error, _>(ws, work).map(|it| it.value);
    purged.map_err(|it| with_current(app, ws, by, (type_name, name), it))
}

/// Adds the entry as it is in the trash for a sender who expected another state.
fn with_current(
    app: &App,
    ws: &WorkspaceSlug,
    by: &Requester,
    (type_name, name): (&str, &str),
    error: Error,
) -> Error {
    if error.code != Code::PreconditionFailed {
        return error;
    }
    let snapshot = app.engine.snapshot(ws);
    let current = snapshot.and_then(|it| list::find(app, &it, &by.caller, type_name, name));
    Error::precondition_failed(current.and_then(|it| to_raw_value(&it).ok()))
}

/// The result of emptying the trash.
#[derive(Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "Emptied")]
pub struct EmptiedTrash {
    /// The number of entries that were deleted.
    pub deleted: usize,
    /// The number of entries that the caller may read but not delete.
    pub failed: usize,
}

/// Purges all entries of a type that the caller may delete, with their revisions.
pub fn empty(
    app: &App,
    ws: &WorkspaceSlug,
    by: &Requester,
    type_name: &str,
) -> Result<EmptiedTrash> {
    let snapshot = app.engine.snapshot(ws).ok_or_else(|| Error::not_found("workspace", ws))?;
    let (_, index) = content_types::find(&snapshot, &by.caller, type_name)?;
    let folder = Folder::Trash(ws.clone(), index.content_type.name.clone());
    let keys = app.engine.folder().list_keys(&folder)?;
    let mut emptied = EmptiedTrash::default();
    let _operation = app.engine.outbox().begin_operation(&by.actor);
    for chunk in keys.chunks(PURGED_AT_ONCE) {
        let (by, of, chunk) = (by.clone(), type_name.to_string(), chunk.to_vec());
        let work = move |staging: &mut Staging<'_>| {
            let (_, index) = content_types::find(staging.snapshot(), &by.caller, &of)?;
            let mut emptied = EmptiedTrash::default();
            for key in &chunk {
                let trashed = match TrashedFile::read_key(staging, &index.content_type, key) {
                    Ok(Some(trashed)) => trashed,
                    Ok(None) => continue,
                    // An unreadable entry cannot be checked.
                    Err(CommitError::Broken(_)) => {
                        emptied.failed += 1;
                        continue;
                    }
                    Err(error) => return Err(error.into()),
                };
                match trashed.check_permission(staging, &by, Action::ContentDelete, "") {
                    Ok(permit) => {
                        stage_purge(&permit, staging, &trashed, index);
                        emptied.deleted += 1;
                    }
                    Err(error) => emptied.failed += usize::from(error.code == Code::Forbidden),
                }
            }
            Ok(emptied)
        };
        let part = app.engine.commit::<EmptiedTrash, Error, _>(ws, work)?.value;
        emptied.deleted += part.deleted;
        emptied.failed += part.failed;
    }
    Ok(emptied)
}

/// An entry in the trash.
pub(crate) struct TrashedFile {
    copy: EntryCopy,
    /// The file.
    pub(crate) stored: StoredFile,
    entry: Entry,
}

impl TrashedFile {
    /// Finds the entry of this name in the trash.
    pub(crate) fn find(
        staging: &mut Staging<'_>,
        ty: &ContentType,
        name: &str,
    ) -> Result<TrashedFile> {
        let missing = || Error::not_found("entry in the trash", name);
        let folder = Folder::Trash(staging.workspace().clone(), ty.name.clone());
        let key = folder.classify_file(&format!("{name}.json")).into_ours().ok_or_else(missing)?;
        TrashedFile::read_key(staging, ty, &key)?.ok_or_else(missing)
    }

    /// Finds the entry of this name in the trash, else the last one that was deleted under this id.
    /// Its name changed if another entry got the id.
    fn find_last(staging: &mut Staging<'_>, ty: &ContentType, name: &str) -> Result<TrashedFile> {
        let missing = match TrashedFile::find(staging, ty, name) {
            Err(error) if error.code == Code::NotFound => error,
            found => return found,
        };
        let folder = Folder::Trash(staging.workspace().clone(), ty.name.clone());
        let mut last: Option<TrashedFile> = None;
        for file in staging.list(&folder)? {
            let is_copy = matches!(&file.key, Key::Trash(_, _, copy) if copy.id.as_str() == name);
            if !is_copy {
                continue;
            }
            let Some(found) = TrashedFile::read_key(staging, ty, &file.key)? else { continue };
            if last.as_ref().is_none_or(|it| it.sort_key() < found.sort_key()) {
                last = Some(found);
            }
        }
        last.ok_or(missing)
    }

    fn sort_key(&self) -> (Option<Timestamp>, u32) {
        (self.deleted_at(), self.copy.number)
    }

    fn read_key(
        staging: &mut Staging<'_>,
        ty: &ContentType,
        key: &Key,
    ) -> std::result::Result<Option<TrashedFile>, CommitError> {
        let Key::Trash(_, _, copy) = key else { return Ok(None) };
        let Some(stored) = staging.read_stored(key)? else { return Ok(None) };
        let mut map = stored.map().clone();
        // The id in the file of a numbered copy repeats the original id.
        map.remove("id");
        let facts = FileFacts { modified: stored.modified, now: staging.now() };
        let entry = Entry::read(copy.id.clone(), ty, map.into(), facts, &mut Vec::new());
        Ok(Some(TrashedFile { copy: copy.clone(), stored, entry }))
    }

    /// Returns the time of deletion; without one, the time of the file.
    fn deleted_at(&self) -> Option<Timestamp> {
        let said = self.stored.map().get("deleted_at").and_then(Json::as_str);
        said.and_then(Timestamp::parse).or(Some(self.stored.modified))
    }

    /// Checks that the request is based on the current state.
    fn check_precondition(&self, precondition: &Precondition) -> Result<()> {
        let is_met = precondition.matches_rev(self.entry.sum);
        is_met.then_some(()).ok_or_else(|| Error::precondition_failed(None))
    }

    /// Checks the permission to act on it. An entry that the caller may not read is reported as
    /// missing, unless a grant for the action covers the whole type.
    fn check_permission(
        &self,
        staging: &Staging<'_>,
        by: &Requester,
        action: Action,
        name: &str,
    ) -> Result<Permit> {
        let reads = self.check_active_permission(staging, by, Action::ContentRead).is_ok();
        let whole = Resource::Collection(self.type_name()?);
        let covers_type = || {
            let facts = Facts::default();
            by.check_permission(staging.workspace(), action, &whole, &facts).is_ok()
        };
        if reads || covers_type() {
            self.check_active_permission(staging, by, action)
        } else {
            Err(Error::not_found("entry in the trash", name))
        }
    }

    /// Checks the permission to act on it as if it were active.
    fn check_active_permission(
        &self,
        staging: &Staging<'_>,
        by: &Requester,
        action: Action,
    ) -> Result<Permit> {
        let type_name = self.type_name()?;
        let (id, slug) = (self.copy.id.as_str(), self.entry.slug.as_str());
        let resource = Resource::Entry { type_name, id, slug };
        let ty = staging.snapshot().get(type_name).map(|it| &it.content_type);
        let locales: Vec<&str> =
            ty.into_iter().flat_map(|it| &it.locales).map(|it| it.as_str()).collect();
        // Reading takes only the permission for the default locale.
        let default = ty.and_then(|it| it.default_locale.as_deref());
        let read = action == Action::ContentRead;
        let facts = Facts {
            status: Some(self.entry.status),
            author_id: self.entry.author_id.as_deref(),
            locales: if read { default.as_slice() } else { &locales },
            ..Facts::default()
        };
        by.check_permission(staging.workspace(), action, &resource, &facts)
    }

    fn type_name(&self) -> Result<&str> {
        match &self.stored.key {
            Key::Trash(_, of, _) => Ok(of.as_str()),
            _ => Err(Error::internal("this is no key of the trash")),
        }
    }

    /// Returns the id after restoring. That of a single page is the name of its type.
    fn resolve_id(&self, ty: &ContentType) -> Result<EntryId> {
        if ty.singleton {
            EntryId::parse(&ty.name).map_err(Error::internal)
        } else {
            Ok(self.copy.id.clone())
        }
    }

    fn subject(&self, ty: &ContentType, id: &EntryId, slug: &str) -> Subject {
        Subject::Entry {
            type_name: ty.name.to_string(),
            id: id.to_string(),
            slug: slug.to_string(),
            status: self.entry.status.as_str().to_string(),
            title: self.entry.title.clone(),
        }
    }
}

/// Returns a file in the trash as it was before the deletion.
pub(crate) fn without_deletion(file: &Map) -> Map {
    let mut file = file.clone();
    for key in ["id", "deleted_at", "deleted_by"] {
        file.remove(key);
    }
    file
}

/// Stages the restoring. Returns the names of referenced media files that no longer exist.
fn stage_restore(
    permit: &Permit,
    staging: &mut Staging<'_>,
    trashed: &TrashedFile,
    index: &TypeIndex,
    id: &EntryId,
) -> Result<BTreeSet<String>> {
    debug_assert_eq!(permit.action(), Action::ContentRestore);
    let ty = &index.content_type;
    let key = Key::Entry(staging.workspace().clone(), ty.name.clone(), id.clone());
    check_id(staging, index, &key, id)?;
    let slug = if ty.singleton {
        ty.name.to_string()
    } else {
        find_unused_slug(&trashed.entry.slug, |slug| index.has_name(slug, None))
    };
    let mut file = without_deletion(trashed.stored.map());
    if slug != trashed.entry.slug || !file.contains("slug") {
        file.set("slug", slug.as_str().into());
        fill_slug_field(ty, &mut file, &slug);
    }
    let names = FormerNames::from_snapshot(staging.snapshot(), staging.base_url());
    let gone = names.update_references(&ty.fields, &mut file, trashed.deleted_at());
    check_unique(staging, index, trashed, &file)?;
    staging.write(permit).create(&key, trashed.stored.rewrite(file));
    staging.write(permit).remove(&trashed.stored.key);
    let back = EntryCopy::first(id.clone());
    if trashed.copy != back {
        rename_trashed(staging, permit, &ty.name, id)?;
        move_revisions(staging, permit, &ty.name, &trashed.copy, &back)?;
    }
    let public = Publication::of_entry(&trashed.entry).is_public(staging.now());
    let subject = trashed.subject(ty, id, &slug);
    staging.write(permit).add_event(EventKind::ContentRestored, subject.clone());
    if public {
        staging.write(permit).add_event(EventKind::ContentPublished, subject);
    }
    Ok(gone)
}

/// Refuses an id under which there is an entry, and one that is the slug of another: it would lead
/// to the restored entry from then on.
fn check_id(staging: &Staging<'_>, index: &TypeIndex, key: &Key, id: &EntryId) -> Result<()> {
    if staging.exists(key) || index.content_type.singleton && !index.is_empty() {
        let message = sentence!("The entry `{id}` already exists.", id = id.as_str());
        return Err(Error::conflict(message));
    }
    if index.has_name(id.as_str(), None) {
        let message = sentence!(
            "Another entry has the slug `{id}`, the id of this one. Change that slug first.",
            id = id.as_str(),
        );
        return Err(Error::conflict(message));
    }
    Ok(())
}

/// Refuses a file with unique values that other entries have now.
fn check_unique(
    staging: &Staging<'_>,
    index: &TypeIndex,
    trashed: &TrashedFile,
    file: &Map,
) -> Result<()> {
    let facts = FileFacts { modified: trashed.stored.modified, now: staging.now() };
    let (id, ty) = (trashed.copy.id.clone(), &index.content_type);
    let entry = Entry::read(id, ty, file.clone().into(), facts, &mut Vec::new());
    let media_base = media_base(staging.base_url(), staging.workspace().as_str());
    let scope = StateScope { index, this: None, media_base: &media_base };
    scope.check_unique(&entry).into_result(()).map_err(Error::invalid)
}

/// Stages the purging, which a user asks for or the end of the retention.
pub(crate) fn stage_purge(
    permit: &Permit,
    staging: &mut Staging<'_>,
    trashed: &TrashedFile,
    index: &TypeIndex,
) {
    debug_assert_eq!(permit.action(), Action::ContentDelete);
    let ty = &index.content_type;
    staging.write(permit).remove(&trashed.stored.key);
    // An id that is used again has its own revisions under the same name.
    let is_active =
        trashed.copy.number == 0 && index.find_ordinal(trashed.copy.id.as_str()).is_some();
    if !is_active {
        let (ws, copy) = (staging.workspace().clone(), trashed.copy.clone());
        let revisions = Folder::Revisions(ws, ty.name.clone(), copy);
        // In the same commit: an interruption in between would leave revisions that nobody sees.
        if staging.has_folder(&revisions) {
            staging.write(permit).remove_folder(&revisions);
        }
    }
    let subject = trashed.subject(ty, &trashed.copy.id, &trashed.entry.slug);
    let kind = EventKind::ContentPurged;
    staging.write(permit).add_event(kind, subject);
}
