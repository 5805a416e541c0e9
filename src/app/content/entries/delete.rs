//! The deletion of entries, which moves them to the trash.

use std::collections::HashSet;

use crate::app::App;
use crate::app::access::Requester;
use crate::app::content::content_types;
use crate::app::content::entries::on_delete::DeletionEffects;
use crate::app::content::entries::target_entry::TargetEntry;
use crate::app::content::entries::write::EntryEffect;
use crate::app::content::entries::write::free_copy;
use crate::app::content::entries::write::move_revisions;
use crate::app::content::write_target::WriteTarget;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::precondition::Precondition;
use crate::app::usage_guard::UsageGuard;
use crate::engine::staging::Staging;
use crate::engine::staging::StoredFile;
use crate::model::event::EventKind;
use crate::model::grant::Action;
use crate::model::grant::Facts;
use crate::model::grant::Permit;
use crate::model::name::EntryId;
use crate::model::name::TypeName;
use crate::model::name::WorkspaceSlug;
use crate::store::layout::EntryCopy;
use crate::store::layout::Key;

/// Moves an entry to the trash, from which it can be restored. Returns the change in which the
/// deletion is proposed, if it goes into one.
pub fn delete(
    app: &App,
    ws: &WorkspaceSlug,
    by: &Requester,
    target: &WriteTarget,
    entry: (&str, &str),
    precondition: Precondition,
    guard: UsageGuard,
) -> Result<Option<EntryId>> {
    let work = prepare_deletion(app, by, target, entry, precondition, guard);
    app.engine.commit::<_, Error, _>(ws, work).map(|it| it.value)
}

/// Judges the deletion of an entry as [`delete`] does, and changes nothing.
pub fn judge_deletion(
    app: &App,
    ws: &WorkspaceSlug,
    by: &Requester,
    target: &WriteTarget,
    entry: (&str, &str),
) -> Result<EntryEffect> {
    let work = prepare_deletion(app, by, target, entry, Precondition::None, UsageGuard::Off);
    let change = app.engine.writer().preview_commit(ws, work)?;
    Ok(EntryEffect { change, changed: Vec::new(), warnings: Vec::new() })
}

/// Returns what stages the deletion of an entry. It gives the change that the deletion goes into.
fn prepare_deletion(
    app: &App,
    by: &Requester,
    target: &WriteTarget,
    (type_name, identifier): (&str, &str),
    precondition: Precondition,
    guard: UsageGuard,
) -> impl Fn(&mut Staging<'_>) -> Result<Option<EntryId>> + Send + 'static {
    let (by, name, identifier) = (by.clone(), type_name.to_string(), identifier.to_string());
    let (engine, target) = (app.engine.clone(), target.clone());
    move |staging| {
        let action = Action::ContentDelete;
        let snapshot = staging.snapshot();
        let found = TargetEntry::find_entry(snapshot, &by, action, &name, &identifier, None);
        let target = match found {
            Ok(found) => found.choose_target(&by, &target).into_owned(),
            Err(_) => target.clone(),
        };
        let ((), change) = target.stage_work(&engine, staging, &by, |staging| {
            let mut answers =
                stage_deletions(staging, &by, &name, &[&identifier], &precondition, guard)?;
            answers.pop().unwrap_or_else(|| Err(Error::not_found("entry", &identifier)))
        })?;
        Ok(change)
    }
}

/// Stages the deletion of those entries of one type that may and can be deleted. Returns the result
/// for each; problems beyond single entries are an error.
pub(crate) fn stage_deletions(
    staging: &mut Staging<'_>,
    by: &Requester,
    type_name: &str,
    identifiers: &[&str],
    precondition: &Precondition,
    guard: UsageGuard,
) -> Result<Vec<Result<()>>> {
    let snapshot = staging.snapshot();
    let mut ids = HashSet::new();
    let mut leaving = Vec::with_capacity(identifiers.len());
    for identifier in identifiers {
        let one = DeletableEntry::find_deletable(staging, by, type_name, identifier, precondition);
        leaving.push(one.and_then(|it| {
            let is_new = ids.insert(it.found.doc.id());
            if is_new { Ok(it) } else { Err(Error::not_found("entry", identifier)) }
        }));
    }
    let Ok((_, index)) = content_types::find(snapshot, &by.caller, type_name) else {
        return Ok(leaving.into_iter().map(|it| it.map(drop)).collect());
    };
    let target = &index.content_type.name;
    let mut consequences = DeletionEffects::compute_effects(staging, by, target, ids, guard)?;
    let mut answers = Vec::with_capacity(leaving.len());
    for one in leaving {
        answers.push(one.and_then(|it| {
            let refused = consequences.refused.remove(it.found.doc.id());
            refused.map_or(Ok(()), Err)?;
            stage_delete(&it.permit, staging, &it.found, &it.stored, by)
        }));
    }
    consequences.stage_effects(staging, by)?;
    Ok(answers)
}

/// Stages the deletion of an entry whose effects on others were judged with other changes.
pub(crate) fn stage_judged_deletion(
    staging: &mut Staging<'_>,
    by: &Requester,
    type_name: &TypeName,
    id: &EntryId,
) -> Result<()> {
    let unconditional = Precondition::None;
    let it = DeletableEntry::find_deletable(staging, by, type_name, id, &unconditional)?;
    stage_delete(&it.permit, staging, &it.found, &it.stored, by)
}

/// An entry that the caller may delete.
struct DeletableEntry<'a> {
    found: TargetEntry<'a>,
    stored: StoredFile,
    permit: Permit,
}

impl<'a> DeletableEntry<'a> {
    fn find_deletable<'s: 'a>(
        staging: &mut Staging<'s>,
        by: &'a Requester,
        type_name: &'a str,
        identifier: &str,
        precondition: &Precondition,
    ) -> Result<DeletableEntry<'a>> {
        let action = Action::ContentDelete;
        let found =
            TargetEntry::find_entry(staging.snapshot(), by, action, type_name, identifier, None)?;
        let permit = may_delete(&found, by)?;
        found.check_draft_rule(staging, by)?;
        found.check_precondition(staging, precondition, by)?;
        let stored = found.read_file(staging)?;
        Ok(DeletableEntry { found, stored, permit })
    }
}

/// Checks that the caller may delete an entry, before anything is said of what that does to others.
pub(crate) fn check_deletable(
    staging: &mut Staging<'_>,
    by: &Requester,
    type_name: &TypeName,
    id: &EntryId,
) -> Result<()> {
    let none = &Precondition::None;
    DeletableEntry::find_deletable(staging, by, type_name.as_str(), id.as_str(), none).map(drop)
}

/// Checks that the caller may delete an entry. A deletion concerns all locales.
pub(crate) fn may_delete(found: &TargetEntry<'_>, by: &Requester) -> Result<Permit> {
    let locales: Vec<&str> =
        found.index.content_type.locales.iter().map(|it| it.as_str()).collect();
    let facts = Facts {
        status: Some(found.doc.status),
        author_id: found.doc.author_id(),
        locales: &locales,
        ..Facts::default()
    };
    let workspace = found.snapshot.workspace.as_str();
    by.check_permission(workspace, Action::ContentDelete, &found.resource(), &facts)
}

/// Stages a rename, which works on a full disk too. The later rewrite of the file adds who deleted
/// it and when; if that is lost, the time of the file is used.
pub(crate) fn stage_delete(
    permit: &Permit,
    staging: &mut Staging<'_>,
    found: &TargetEntry<'_>,
    stored: &StoredFile,
    by: &Requester,
) -> Result<()> {
    debug_assert_eq!(permit.action(), Action::ContentDelete);
    let (of, id) = (&found.index.content_type.name, found.doc.to_id());
    let copy = free_copy(staging, of, &id);
    if copy.number > 0 {
        move_revisions(staging, permit, of, &EntryCopy::first(id.clone()), &copy)?;
    }
    let trashed = Key::Trash(staging.workspace().clone(), of.clone(), copy.clone());
    let mut file = stored.map().clone();
    if copy.number > 0 {
        file.set("id", id.as_str().into());
    }
    file.set("deleted_at", staging.now().to_string().into());
    file.set("deleted_by", by.actor.id.as_str().into());
    let stamped = stored.rewrite(file);
    let mut write = staging.write(permit);
    write.rename(&stored.key, &trashed);
    write.add_event(EventKind::ContentDeleted, found.subject());
    write.steps_after().replace_moved(stored, &trashed, stamped);
    Ok(())
}
