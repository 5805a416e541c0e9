//! The restoring of earlier states of entries. The replaced state becomes a revision itself.

use std::collections::BTreeSet;

use crate::app::App;
use crate::app::access::Requester;
use crate::app::content::entries::EntryOutcome;
use crate::app::content::entries::StateScope;
use crate::app::content::entries::TargetEntry;
use crate::app::content::entries::WrittenEntry;
use crate::app::content::entries::list_changed_fields;
use crate::app::content::entries::media_base;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::media::FormerNames;
use crate::app::media::missing_file_warnings;
use crate::app::precondition::Precondition;
use crate::engine::staging::Staging;
use crate::engine::staging::StoredFile;
use crate::model::content_type::ContentType;
use crate::model::content_type::field_renames::Renames;
use crate::model::entry::Entry;
use crate::model::entry::EntryFinding;
use crate::model::entry::FileFacts;
use crate::model::entry::Publication;
use crate::model::entry::fill_slug_field;
use crate::model::entry::find_unused_slug;
use crate::model::entry::needs_publish;
use crate::model::entry::set_key;
use crate::model::event::EventKind;
use crate::model::event::Subject;
use crate::model::field::is_equivalent;
use crate::model::grant::Action;
use crate::model::grant::Facts;
use crate::model::grant::Permit;
use crate::model::name::WorkspaceSlug;
use crate::model::problem::FieldProblems;
use crate::model::revision::RevisionEvent;
use crate::model::revision::RevisionName;
use crate::stdx::id;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::time::Timestamp;
use crate::store::layout::EntryCopy;
use crate::store::layout::Folder;
use crate::store::layout::Key;

/// Restores an earlier state with its status and all its locales. The id stays; a slug that is
/// taken now gets a number.
pub fn restore(
    app: &App,
    ws: &WorkspaceSlug,
    by: &Requester,
    (type_name, identifier, revision): (&str, &str, &str),
    precondition: Precondition,
) -> Result<WrittenEntry> {
    let (requester, name) = (by.clone(), type_name.to_string());
    let (identifier, revision) = (identifier.to_string(), revision.to_string());
    let committed = app.engine.commit(ws, move |staging: &mut Staging<'_>| {
        let action = Action::ContentRevisionsRestore;
        let found = TargetEntry::find_entry(
            staging.snapshot(),
            &requester,
            action,
            &name,
            &identifier,
            None,
        )?;
        let stored = found.read_file(staging)?;
        // Callers without this permission do not learn which revisions exist.
        let locales = list_locales(&found);
        let facts = Facts {
            status: Some(found.doc.status),
            author_id: found.doc.author_id(),
            locales: &locales,
            ..Facts::default()
        };
        check_permission(staging, &requester, &found, action, &facts)?;
        let mut past = read_past_state(staging, &found, &revision)?;
        let gone = follow_media(staging, &found, &mut past);
        let restored = RestoredEntry::from_past(staging, &requester, &found, &stored, past.file);
        let permit = restored.check_rights(staging, &requester, &found)?;
        found.check_draft_rule(staging, &requester)?;
        found.check_precondition(staging, &precondition, &requester)?;
        restored.stage_restore(&permit, staging, &requester, &found, &stored)?;
        Ok::<_, Error>((found.doc.to_id(), gone))
    })?;
    let (id, gone) = committed.value;
    EntryOutcome::without_locale(id, missing_file_warnings(gone)).render_written(
        app,
        committed.snapshot,
        by,
        type_name,
    )
}

/// Updates media references of the state to current filenames. Returns the names of files that no
/// longer exist.
fn follow_media(
    staging: &Staging<'_>,
    found: &TargetEntry<'_>,
    past: &mut PastState,
) -> BTreeSet<String> {
    let names = FormerNames::from_snapshot(found.snapshot, staging.base_url());
    names.update_references(&found.index.content_type.fields, &mut past.file, past.replaced_at)
}

/// Returns all locales, since a restored state concerns all of them.
fn list_locales<'f>(found: &'f TargetEntry<'_>) -> Vec<&'f str> {
    found.index.content_type.locales.iter().map(|it| it.as_str()).collect()
}

fn check_permission(
    staging: &Staging<'_>,
    by: &Requester,
    found: &TargetEntry<'_>,
    action: Action,
    facts: &Facts<'_>,
) -> Result<Permit> {
    by.check_permission(staging.workspace(), action, &found.resource(), facts)
}

/// An earlier state of an entry.
struct PastState {
    /// The file of the revision, with fields under their current names.
    file: Map,
    /// The time at which it was replaced; `None` if the name of the revision does not contain it.
    replaced_at: Option<Timestamp>,
}

fn read_past_state(
    staging: &mut Staging<'_>,
    found: &TargetEntry<'_>,
    revision: &str,
) -> Result<PastState> {
    let missing = || Error::not_found("revision", revision);
    let ty = &found.index.content_type;
    let copy = EntryCopy::first(found.doc.to_id());
    let folder = Folder::Revisions(staging.workspace().clone(), ty.name.clone(), copy);
    let is_it = |key: &Key| match key {
        Key::Revision(_, _, _, stem) => RevisionName::parse(stem).id.as_str() == revision,
        _ => false,
    };
    let file = staging.list(&folder)?.into_iter().find(|it| is_it(&it.key)).ok_or_else(missing)?;
    let past = staging.read_stored(&file.key)?.ok_or_else(missing)?;
    let mut file = past.map().clone();
    Renames::from_type(ty).apply_to_file(&mut file);
    Ok(PastState { file, replaced_at: replaced_at(revision) })
}

/// Returns the time at which a state was replaced, by the id of its revision.
fn replaced_at(revision: &str) -> Option<Timestamp> {
    let seconds = id::time_ms(revision)? / 1_000;
    i64::try_from(seconds).ok().map(Timestamp::from_seconds)
}

/// Checks whether the requester may make the author of an earlier state the author again.
fn may_change_author(
    staging: &Staging<'_>,
    by: &Requester,
    found: &TargetEntry<'_>,
    old: &Entry,
    wanted: &Entry,
) -> bool {
    let facts = Facts {
        status: Some(old.status),
        new_status: Some(wanted.status),
        author_id: old.author_id.as_deref(),
        changed: &["author_id"],
        ..Facts::default()
    };
    check_permission(staging, by, found, Action::ContentPublish, &facts).is_ok()
}

/// An entry as it will be.
struct RestoredEntry {
    file: Map,
    old: Entry,
    new: Entry,
    /// The changed fields, as grants name them.
    changed: Vec<String>,
    problems: FieldProblems,
}

impl RestoredEntry {
    fn from_past(
        staging: &Staging<'_>,
        by: &Requester,
        found: &TargetEntry<'_>,
        stored: &StoredFile,
        mut file: Map,
    ) -> RestoredEntry {
        let index = found.index;
        let ty = &index.content_type;
        let read = |file: &Map, findings: &mut Vec<EntryFinding>| {
            let facts = FileFacts { modified: stored.modified, now: staging.now() };
            Entry::read(found.doc.to_id(), ty, file.clone().into(), facts, findings)
        };
        let old = read(stored.map(), &mut Vec::new());
        keep_current(&mut file, stored.map(), "created_at");
        keep_required(ty, &mut file, stored.map());
        let wanted = read(&file, &mut Vec::new());
        if !ty.singleton {
            let slug = find_unused_slug(&wanted.slug, |it| index.has_name(it, Some(found.ordinal)));
            if slug != wanted.slug || !file.contains("slug") {
                fill_slug_field(ty, &mut file, &slug);
                set_key(&mut file, "slug", slug.into());
            }
        }
        if wanted.author_id != old.author_id
            && !may_change_author(staging, by, found, &old, &wanted)
        {
            keep_current(&mut file, stored.map(), "author_id");
        }
        keep_current(&mut file, stored.map(), "former_slugs");
        let next = read(&file, &mut Vec::new());
        let publication = Publication::of_entry(&next);
        if let Some(former) = old.list_former_slugs(&next.slug, publication, staging.now()) {
            set_key(&mut file, "former_slugs", former);
        }
        let mut findings = Vec::new();
        let new = read(&file, &mut findings);
        let changed = list_changed_fields(ty, &old, &new);
        let media_base = media_base(staging.base_url(), found.snapshot.workspace.as_str());
        let scope = StateScope { index, this: Some(found.ordinal), media_base: &media_base };
        let problems = scope.check_changed(&new, &changed, findings);
        RestoredEntry { file, old, new, changed, problems }
    }

    /// Checks all permissions that restoring takes.
    fn check_rights(
        &self,
        staging: &Staging<'_>,
        by: &Requester,
        found: &TargetEntry<'_>,
    ) -> Result<Permit> {
        let changed: Vec<&str> = self.changed.iter().map(String::as_str).collect();
        let locales = list_locales(found);
        let facts = Facts {
            status: Some(self.old.status),
            new_status: Some(self.new.status),
            author_id: self.old.author_id.as_deref(),
            locales: &locales,
            changed: &changed,
        };
        let permit = check_permission(staging, by, found, Action::ContentRevisionsRestore, &facts)?;
        if !changed.is_empty() {
            // It takes no permission to update, but what is denied there does not come this way.
            let (workspace, action) = (staging.workspace(), Action::ContentUpdate);
            by.check_not_denied(workspace, action, &found.resource(), &facts)?;
        }
        if needs_publish(Some(Publication::of_entry(&self.old)), Publication::of_entry(&self.new)) {
            check_permission(staging, by, found, Action::ContentPublish, &facts)?;
        }
        Ok(permit)
    }

    fn stage_restore(
        mut self,
        permit: &Permit,
        staging: &mut Staging<'_>,
        by: &Requester,
        found: &TargetEntry<'_>,
        stored: &StoredFile,
    ) -> Result<()> {
        debug_assert_eq!(permit.action(), Action::ContentRevisionsRestore);
        self.problems.into_result(()).map_err(Error::invalid)?;
        keep_current(&mut self.file, stored.map(), "updated_at");
        keep_current(&mut self.file, stored.map(), "updated_by");
        if is_equivalent(&Json::Object(self.file.clone()), &stored.json) {
            return Ok(());
        }
        set_key(&mut self.file, "updated_at", staging.now().to_string().into());
        set_key(&mut self.file, "updated_by", by.actor.id.as_str().into());
        let now = staging.now();
        let after = &self.new;
        let before = Publication::of_entry(&self.old).is_public(now);
        let public = Publication::of_entry(after).is_public(now);
        let subject = Subject::Entry {
            type_name: found.index.content_type.name.to_string(),
            id: after.id.to_string(),
            slug: after.slug.clone(),
            status: after.status.as_str().to_string(),
            title: after.title.clone(),
        };
        for kind in EventKind::for_entry_change(Some(before), Some(public)) {
            staging.write(permit).add_event(kind, subject.clone());
        }
        staging.write(permit).label_revisions(RevisionEvent::Restore, &by.actor.id);
        staging.write(permit).replace(stored, stored.rewrite(self.file));
        Ok(())
    }
}

/// Keeps the current value of a key.
fn keep_current(file: &mut Map, today: &Map, key: &str) {
    match today.get(key) {
        Some(value) => set_key(file, key, value.clone()),
        None => _ = file.remove(key),
    }
}

/// Keeps the values of required fields that the earlier state does not have.
fn keep_required(ty: &ContentType, file: &mut Map, today: &Map) {
    let Some(today) = today.get("data").and_then(Json::as_object) else { return };
    let Some(Json::Object(data)) = file.get_mut("data") else { return };
    for field in ty.data_fields().filter(|it| it.required) {
        let name = field.name.as_str();
        if let Some(value) = today.get(name).filter(|_| !data.contains(name)) {
            data.set(name, value.clone());
        }
    }
}
