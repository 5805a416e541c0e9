//! The trash: entries that were deleted are looked at, come back, or go for good.

mod list;

use serde::Serialize;

use crate::app::App;
use crate::app::access::Allowed;
use crate::app::access::By;
use crate::app::content_types;
use crate::app::entries::Outcome;
use crate::app::entries::Written;
use crate::app::entries::make_way;
use crate::app::entries::move_revisions;
use crate::app::error::Code;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::engine::commit::CommitError;
use crate::engine::staging::Staging;
use crate::engine::staging::Stored;
use crate::model::content_type::ContentType;
use crate::model::entry::Entry;
use crate::model::entry::FileFacts;
use crate::model::entry::Standing;
use crate::model::entry::needs_publish;
use crate::model::entry::unused_slug;
use crate::model::event::Actor;
use crate::model::event::Event;
use crate::model::event::EventKind;
use crate::model::event::Source;
use crate::model::event::Subject;
use crate::model::grant::Action;
use crate::model::grant::Facts;
use crate::model::grant::Resource;
use crate::model::name::EntryId;
use crate::model::name::WorkspaceSlug;
use crate::query::type_index::TypeIndex;
use crate::stdx::json::Json;
use crate::stdx::json_edit::rewrite;
use crate::store::layout::Copy;
use crate::store::layout::Folder;
use crate::store::layout::Key;

pub use list::InTrash;
pub use list::TrashPage;
pub use list::TrashedEntry;
pub use list::list;
pub use list::overview;

/// How many entries are removed for good by one change.
const PURGED_AT_ONCE: usize = 500;

/// Brings an entry back. `name` is its name in the trash: its id, with a number where several were
/// deleted under one id. A slug that was taken meanwhile gets a number.
pub fn restore(
    app: &App,
    ws: &WorkspaceSlug,
    by: &By,
    type_name: &str,
    name: &str,
) -> Result<Written> {
    let (asker, of, name) = (by.clone(), type_name.to_string(), name.to_string());
    let committed = app.engine.commit(ws, move |staging| {
        let (_, index) = content_types::find(staging.snapshot(), &asker.caller, &of)?;
        let trashed = Trashed::find(staging, &index.content_type, &name)?;
        let allowed = trashed.permits(staging, &asker, Action::ContentRestore, &name)?;
        if needs_publish(None, Standing::of(&trashed.entry)) {
            trashed.may(staging, &asker, Action::ContentPublish)?;
        }
        let id = trashed.id_of(&index.content_type)?;
        stage_restore(&allowed, staging, &asker, &trashed, index, &id)?;
        Ok::<_, Error>(id)
    })?;
    let outcome = Outcome::of(committed.value, Vec::new());
    outcome.told(app, committed.snapshot, by, type_name)
}

/// Removes an entry from the trash for good, with its revisions.
pub fn purge(app: &App, ws: &WorkspaceSlug, by: &By, type_name: &str, name: &str) -> Result<()> {
    let (by, of, name) = (by.clone(), type_name.to_string(), name.to_string());
    let work = move |staging: &mut Staging<'_>| {
        let (_, index) = content_types::find(staging.snapshot(), &by.caller, &of)?;
        let trashed = Trashed::find(staging, &index.content_type, &name)?;
        let allowed = trashed.permits(staging, &by, Action::ContentDelete, &name)?;
        stage_purge(&allowed, staging, Some(&by.actor), &trashed, index);
        Ok(())
    };
    app.engine.commit::<(), Error, _>(ws, work).map(|it| it.value)
}

/// What became of a trash that was emptied.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub struct Emptied {
    /// How many entries are gone for good.
    pub deleted: usize,
    /// How many of those that the caller sees there are left: there is no right to them.
    pub failed: usize,
}

/// Removes all entries of a type from the trash that the caller may remove, with their revisions.
pub fn empty(app: &App, ws: &WorkspaceSlug, by: &By, type_name: &str) -> Result<Emptied> {
    let snapshot = app.engine.snapshot(ws).ok_or_else(|| Error::not_found("workspace", ws))?;
    let (_, index) = content_types::find(&snapshot, &by.caller, type_name)?;
    let folder = Folder::Trash(ws.clone(), index.content_type.name.clone());
    let keys = app.engine.keys_in(&folder)?;
    let mut emptied = Emptied::default();
    for chunk in keys.chunks(PURGED_AT_ONCE) {
        let (by, of, chunk) = (by.clone(), type_name.to_string(), chunk.to_vec());
        let work = move |staging: &mut Staging<'_>| {
            let (_, index) = content_types::find(staging.snapshot(), &by.caller, &of)?;
            let mut emptied = Emptied::default();
            for key in &chunk {
                let trashed = match Trashed::read(staging, &index.content_type, key) {
                    Ok(Some(trashed)) => trashed,
                    Ok(None) => continue,
                    // What cannot be read is nobody's to judge.
                    Err(CommitError::Broken(_)) => {
                        emptied.failed += 1;
                        continue;
                    }
                    Err(error) => return Err(error.into()),
                };
                match trashed.permits(staging, &by, Action::ContentDelete, "") {
                    Ok(allowed) => {
                        stage_purge(&allowed, staging, Some(&by.actor), &trashed, index);
                        emptied.deleted += 1;
                    }
                    Err(error) => emptied.failed += usize::from(error.code == Code::Forbidden),
                }
            }
            Ok(emptied)
        };
        let part = app.engine.commit::<Emptied, Error, _>(ws, work)?.value;
        emptied.deleted += part.deleted;
        emptied.failed += part.failed;
    }
    Ok(emptied)
}

/// An entry in the trash.
pub(super) struct Trashed {
    copy: Copy,
    /// Its file.
    pub(super) stored: Stored,
    entry: Entry,
}

impl Trashed {
    /// The entry of this name in the trash.
    pub(super) fn find(staging: &mut Staging<'_>, ty: &ContentType, name: &str) -> Result<Trashed> {
        let missing = || Error::not_found("entry in the trash", name);
        let folder = Folder::Trash(staging.workspace().clone(), ty.name.clone());
        let key = folder.file(&format!("{name}.json")).ours().ok_or_else(missing)?;
        Trashed::read(staging, ty, &key)?.ok_or_else(missing)
    }

    fn read(
        staging: &mut Staging<'_>,
        ty: &ContentType,
        key: &Key,
    ) -> std::result::Result<Option<Trashed>, CommitError> {
        let Key::Trash(_, _, copy) = key else { return Ok(None) };
        let Some(stored) = staging.stored(key)? else { return Ok(None) };
        let mut map = stored.map.clone();
        // Said again by a file that has a number in its name.
        map.remove("id");
        let facts = FileFacts { modified: stored.modified, now: staging.now() };
        let entry = Entry::read(copy.id.clone(), ty, map.into(), facts, &mut Vec::new());
        Ok(Some(Trashed { copy: copy.clone(), stored, entry }))
    }

    /// The right to act on it. What the caller does not read is as good as missing, unless the
    /// right holds for the whole type.
    fn permits<'b>(
        &self,
        staging: &Staging<'_>,
        by: &'b By,
        action: Action,
        name: &str,
    ) -> Result<Allowed<'b>> {
        let refused = match self.may(staging, by, action) {
            Ok(allowed) => return Ok(allowed),
            Err(refused) => refused,
        };
        let reads = self.may(staging, by, Action::ContentRead).is_ok();
        Err(if reads { refused } else { Error::not_found("entry in the trash", name) })
    }

    /// The right to act on it, decided on what it would be if it were active.
    fn may<'b>(&self, staging: &Staging<'_>, by: &'b By, action: Action) -> Result<Allowed<'b>> {
        let Key::Trash(_, of, _) = &self.stored.key else {
            return Err(Error::internal("this is no key of the trash"));
        };
        let (id, slug) = (self.copy.id.as_str(), self.entry.slug.as_str());
        let resource = Resource::Entry { type_name: of.as_str(), id, slug };
        let ty = staging.snapshot().get(of.as_str()).map(|it| &it.content_type);
        let locales: Vec<&str> =
            ty.into_iter().flat_map(|it| &it.locales).map(|it| it.as_str()).collect();
        // To read one it is enough to read its default locale.
        let default = ty.and_then(|it| it.default_locale.as_deref());
        let read = action == Action::ContentRead;
        let facts = Facts {
            status: Some(self.entry.status),
            author_id: self.entry.author_id.as_deref(),
            locales: if read { default.as_slice() } else { &locales },
            ..Facts::default()
        };
        by.caller.may(staging.workspace(), action, &resource, &facts)
    }

    /// The id it has afterwards: of a page the name of its type, whatever it was before.
    fn id_of(&self, ty: &ContentType) -> Result<EntryId> {
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

fn stage_restore(
    allowed: &Allowed<'_>,
    staging: &mut Staging<'_>,
    by: &By,
    trashed: &Trashed,
    index: &TypeIndex,
    id: &EntryId,
) -> Result<()> {
    debug_assert_eq!(allowed.action(), Action::ContentRestore);
    let ty = &index.content_type;
    let key = Key::Entry(staging.workspace().clone(), ty.name.clone(), id.clone());
    if staging.exists(&key) || ty.singleton && !index.is_empty() {
        return Err(Error::conflict(format!("There is an entry `{id}` already.")));
    }
    let slug = if ty.singleton {
        ty.name.to_string()
    } else {
        unused_slug(&trashed.entry.slug, |slug| index.has_name(slug, None))
    };
    let mut file = trashed.stored.map.clone();
    for key in ["id", "deleted_at", "deleted_by"] {
        file.remove(key);
    }
    if slug != trashed.entry.slug || !file.contains("slug") {
        file.set("slug", slug.as_str().into());
    }
    staging.create(&key, rewrite(&trashed.stored.bytes, &Json::Object(file)));
    staging.remove(&trashed.stored.key);
    let back = Copy::first(id.clone());
    if trashed.copy != back {
        make_way(staging, &ty.name, id)?;
        move_revisions(staging, &ty.name, &trashed.copy, &back)?;
    }
    let public = trashed.entry.status.is_public(trashed.entry.published_at, staging.now());
    let subject = trashed.subject(ty, id, &slug);
    staging.tell(Event::by(&by.actor, EventKind::ContentRestored, subject.clone()));
    if public {
        staging.tell(Event::by(&by.actor, EventKind::ContentPublished, subject));
    }
    Ok(())
}

/// `by` is whoever asked for it; nobody when its time had come.
pub(super) fn stage_purge(
    allowed: &Allowed<'_>,
    staging: &mut Staging<'_>,
    by: Option<&Actor>,
    trashed: &Trashed,
    index: &TypeIndex,
) {
    debug_assert_eq!(allowed.action(), Action::ContentDelete);
    let ty = &index.content_type;
    staging.remove(&trashed.stored.key);
    // An id that is used again has revisions of its own, under the same name.
    let is_active = trashed.copy.number == 0 && index.ordinal(trashed.copy.id.as_str()).is_some();
    if !is_active {
        let (ws, copy) = (staging.workspace().clone(), trashed.copy.clone());
        let revisions = Folder::Revisions(ws, ty.name.clone(), copy);
        // Together with them, or an end in between would leave behind what nobody sees any more.
        if staging.has_folder(&revisions) {
            staging.remove_folder(&revisions);
        }
    }
    let subject = trashed.subject(ty, &trashed.copy.id, &trashed.entry.slug);
    let kind = EventKind::ContentPurged;
    staging.tell(match by {
        Some(actor) => Event::by(actor, kind, subject),
        None => Event { kind, subject, by: None, source: Source::Schedule },
    });
}
