//! The creation, update and deletion of content types. Each is one commit, together with all files
//! that depend on the type.

use std::sync::Arc;

use serde_json::value::to_raw_value;

use crate::app::App;
use crate::app::access::Requester;
use crate::app::content::content_types::entry_migration;
use crate::app::content::content_types::find;
use crate::app::content::saved_views;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::precondition::Precondition;
use crate::engine::staging::Staging;
use crate::engine::staging::StoredFile;
use crate::model::content_type::ContentType;
use crate::model::content_type::type_change;
use crate::model::content_type::type_change::TypeDraft;
use crate::model::event::EventKind;
use crate::model::event::Subject;
use crate::model::grant::Action;
use crate::model::grant::Facts;
use crate::model::grant::Permit;
use crate::model::grant::Resource;
use crate::model::name::TypeName;
use crate::model::name::WorkspaceSlug;
use crate::model::problem::FieldProblems;
use crate::model::revision::RevisionEvent;
use crate::model::sentence::sentence;
use crate::query::index::type_index::TypeIndex;
use crate::query::request::view_check::find_view_problems;
use crate::stdx::checksum::Checksum;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::json_edit::KeyOrder;
use crate::store::layout::Folder;
use crate::store::layout::Key;

/// A content type after a change.
#[derive(Debug)]
pub struct ChangedType {
    /// The current state.
    pub content_type: Arc<ContentType>,
    /// Warnings about ignored parts of the request.
    pub warnings: Vec<String>,
}

/// Creates a content type. It is listed last until an order names it.
pub fn create(app: &App, ws: &WorkspaceSlug, by: Requester, body: Map) -> Result<ChangedType> {
    let work = move |staging: &mut Staging<'_>| stage_create(staging, &by, &body);
    Ok(app.engine.commit(ws, work)?.value)
}

/// Updates the members of a content type that the body names, and the files of its entries where
/// necessary.
pub fn update(
    app: &App,
    ws: &WorkspaceSlug,
    by: Requester,
    name: String,
    body: Map,
    precondition: Precondition,
) -> Result<ChangedType> {
    let work =
        move |staging: &mut Staging<'_>| stage_update(staging, &by, &name, &body, &precondition);
    Ok(app.engine.commit(ws, work)?.value)
}

/// Deletes a content type with its entries, its trash and all revisions. Relations to it become
/// dangling.
pub fn delete(
    app: &App,
    ws: &WorkspaceSlug,
    by: Requester,
    name: String,
    precondition: Precondition,
) -> Result<()> {
    let (requester, of) = (by.clone(), name.clone());
    let work = move |staging: &mut Staging<'_>| {
        stage_delete(staging, &by, &name, &precondition)?;
        saved_views::stage_removal(staging, &by, &[&name])
    };
    app.engine.commit(ws, work)?;
    // The type is gone, whatever becomes of them.
    let _ = saved_views::remove_own(app, ws, &requester, &[&of]);
    Ok(())
}

fn stage_create(staging: &mut Staging<'_>, by: &Requester, body: &Map) -> Result<ChangedType> {
    let Ok(name) = type_change::parse_name(body) else {
        // Without a valid name there is no resource to check; all problems are reported.
        let problems = type_change::create_type(body, |_| false).err().unwrap_or_default();
        return Err(Error::invalid(problems));
    };
    let permit = check_permission(staging, by, Action::SchemaCreate, &name)?;
    let taken = list_type_names(staging)?;
    let is_taken = |name: &TypeName| taken.iter().any(|it| it.eq_ignore_ascii_case(name));
    let draft = check_views(type_change::create_type(body, is_taken))?;
    let ty = &draft.content_type;
    let key = Key::Schema(staging.workspace().clone(), ty.name.clone());
    staging.write(&permit).create(&key, Json::from(ty.source.clone()).to_file());
    emit_event(staging, &permit, EventKind::SchemaCreated, ty);
    Ok(ChangedType::from_draft(draft))
}

fn stage_update(
    staging: &mut Staging<'_>,
    by: &Requester,
    name: &str,
    body: &Map,
    precondition: &Precondition,
) -> Result<ChangedType> {
    let (_, index) = find(staging.snapshot(), &by.caller, name)?;
    let current = &index.content_type;
    let permit = check_permission(staging, by, Action::SchemaUpdate, &current.name)?;
    let stored = read_type_file(staging, index)?;
    check_precondition(precondition, current)?;
    let draft = check_views(type_change::update_type(current, body))?;
    if draft.content_type.source == current.source {
        return Ok(ChangedType { content_type: current.clone(), warnings: draft.warnings });
    }
    staging.write(&permit).label_revisions(RevisionEvent::Schema, &by.actor.id);
    entry_migration::stage_migration(staging, &by.caller, &permit, index, &draft)?;
    // Fields are shown in their order in the file.
    let bytes = stored.rewrite_with_order(draft.content_type.source.clone(), KeyOrder::OfValue);
    staging.write(&permit).replace(&stored, bytes);
    emit_event(staging, &permit, EventKind::SchemaUpdated, &draft.content_type);
    Ok(ChangedType::from_draft(draft))
}

/// Stages the file of a content type as another server has it: a new one, or one in the place of
/// the current. Fields that were renamed there come with entries of their own. Returns the checksum
/// of the stored content.
pub(crate) fn stage_file(
    staging: &mut Staging<'_>,
    by: &Requester,
    name: &TypeName,
    file: Map,
) -> Result<Checksum> {
    let draft = || check_views(type_change::read_type(name.clone(), file));
    let Some(index) = staging.snapshot().get(name.as_str()).cloned() else {
        let permit = check_permission(staging, by, Action::SchemaCreate, name)?;
        if list_type_names(staging)?.iter().any(|it| it.eq_ignore_ascii_case(name)) {
            let name = name.as_str();
            let message = sentence!("The content type `{name}` already exists.", name);
            return Err(Error::conflict(message));
        }
        let draft = draft()?;
        let key = Key::Schema(staging.workspace().clone(), name.clone());
        let source = Json::from(draft.content_type.source.clone());
        staging.write(&permit).create(&key, source.to_file());
        emit_event(staging, &permit, EventKind::SchemaCreated, &draft.content_type);
        return Ok(draft.content_type.sum);
    };
    let permit = check_permission(staging, by, Action::SchemaUpdate, name)?;
    let stored = read_type_file(staging, &index)?;
    let draft = draft()?;
    staging.write(&permit).label_revisions(RevisionEvent::Schema, &by.actor.id);
    entry_migration::stage_migration(staging, &by.caller, &permit, &index, &draft)?;
    let bytes = stored.rewrite_with_order(draft.content_type.source.clone(), KeyOrder::OfValue);
    staging.write(&permit).replace(&stored, bytes);
    emit_event(staging, &permit, EventKind::SchemaUpdated, &draft.content_type);
    Ok(draft.content_type.sum)
}

/// Stages the deletion of a content type with its entries, its trash and all revisions.
pub(crate) fn stage_delete(
    staging: &mut Staging<'_>,
    by: &Requester,
    name: &str,
    precondition: &Precondition,
) -> Result<()> {
    let (_, index) = find(staging.snapshot(), &by.caller, name)?;
    let ty = &index.content_type;
    let permit = check_permission(staging, by, Action::SchemaDelete, &ty.name)?;
    check_precondition(precondition, ty)?;
    let (ws, name) = (staging.workspace(), &ty.name);
    let mut write = staging.write(&permit);
    write.remove(&Key::Schema(ws.clone(), name.clone()));
    write.remove_folder(&Folder::Entries(ws.clone(), name.clone()));
    write.remove_folder(&Folder::Trash(ws.clone(), name.clone()));
    write.remove_folder(&Folder::RevisionsOfType(ws.clone(), name.clone()));
    emit_event(staging, &permit, EventKind::SchemaDeleted, ty);
    Ok(())
}

impl ChangedType {
    fn from_draft(draft: TypeDraft) -> ChangedType {
        ChangedType { content_type: Arc::new(draft.content_type), warnings: draft.warnings }
    }
}

/// Returns a draft whose views name what is there.
pub(super) fn check_views(
    draft: std::result::Result<TypeDraft, FieldProblems>,
) -> Result<TypeDraft> {
    let draft = draft.map_err(Error::invalid)?;
    find_view_problems(&draft.content_type).into_result(draft).map_err(Error::invalid)
}

/// Checks that the action may be taken on the type of this name.
pub(super) fn check_permission(
    staging: &Staging<'_>,
    by: &Requester,
    action: Action,
    name: &TypeName,
) -> Result<Permit> {
    by.check_permission(staging.workspace(), action, &Resource::Schema(name), &Facts::default())
}

/// Returns the names of all types, including those whose file cannot be read.
fn list_type_names(staging: &Staging<'_>) -> Result<Vec<TypeName>> {
    let known = staging.snapshot().types().iter().map(|it| it.content_type.name.clone());
    let mut names: Vec<TypeName> = known.collect();
    for file in staging.list(&Folder::Schemas(staging.workspace().clone()))? {
        if let Key::Schema(_, name) = file.key {
            names.push(name);
        }
    }
    Ok(names)
}

/// Returns the file of a type.
///
/// # Errors
///
/// Fails while the file is broken: the type is then served from its last valid content, and a
/// change would be lost.
pub(super) fn read_type_file(staging: &mut Staging<'_>, index: &TypeIndex) -> Result<StoredFile> {
    let ty = &index.content_type;
    let key = Key::Schema(staging.workspace().clone(), ty.name.clone());
    let stored = staging.read_stored(&key)?;
    let stored = stored.ok_or_else(|| Error::not_found("content type", &ty.name))?;
    if stored.json.compute_checksum() != ty.sum {
        let message = "The schema file of this content type is broken. Repair it first.";
        return Err(Error::conflict(message));
    }
    Ok(stored)
}

fn check_precondition(precondition: &Precondition, ty: &ContentType) -> Result<()> {
    if precondition.matches_rev(ty.sum) {
        return Ok(());
    }
    // A caller who gets here may update the type, and so see it.
    let current = to_raw_value(&Json::from(ty.to_map())).map_err(Error::internal)?;
    Err(Error::precondition_failed(Some(current)))
}

fn emit_event(staging: &mut Staging<'_>, permit: &Permit, kind: EventKind, ty: &ContentType) {
    let (type_name, label) = (ty.name.to_string(), ty.label.clone());
    let subject = Subject::Schema { type_name, label };
    staging.write(permit).add_event(kind, subject);
}
