//! Content types are made, changed and deleted: each in one commit, with all files that depend on
//! them.

use std::sync::Arc;

use bytes::Bytes;

use crate::app::App;
use crate::app::access::Allowed;
use crate::app::access::By;
use crate::app::content_types::entry_files;
use crate::app::content_types::find;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::precondition::Precondition;
use crate::engine::staging::Staging;
use crate::engine::staging::Stored;
use crate::model::content_type::ContentType;
use crate::model::event::Event;
use crate::model::event::EventKind;
use crate::model::event::Subject;
use crate::model::grant::Action;
use crate::model::grant::Facts;
use crate::model::grant::Resource;
use crate::model::name::TypeName;
use crate::model::name::WorkspaceSlug;
use crate::model::revision::RevisionEvent;
use crate::model::schema;
use crate::model::schema::Draft;
use crate::query::type_index::TypeIndex;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::json_edit;
use crate::store::layout::Folder;
use crate::store::layout::Key;

/// A content type after a change.
#[derive(Debug)]
pub struct Changed {
    /// As it is now.
    pub content_type: Arc<ContentType>,
    /// What of the request counts for nothing.
    pub warnings: Vec<String>,
}

/// Makes a content type. It comes last in the order, since that does not name it.
pub fn create(app: &App, ws: &WorkspaceSlug, by: By, body: Map) -> Result<Changed> {
    let work = move |staging: &mut Staging<'_>| stage_create(staging, &by, &body);
    Ok(app.engine.commit(ws, work)?.value)
}

/// Changes what the body names of a content type, and the files of its entries where they must
/// follow.
pub fn update(
    app: &App,
    ws: &WorkspaceSlug,
    by: By,
    name: String,
    body: Map,
    precondition: Precondition,
) -> Result<Changed> {
    let work =
        move |staging: &mut Staging<'_>| stage_update(staging, &by, &name, &body, &precondition);
    Ok(app.engine.commit(ws, work)?.value)
}

/// Deletes a content type with its entries, its trash and all revisions. Relations to it dangle.
pub fn delete(
    app: &App,
    ws: &WorkspaceSlug,
    by: By,
    name: String,
    precondition: Precondition,
) -> Result<()> {
    let work = move |staging: &mut Staging<'_>| stage_delete(staging, &by, &name, &precondition);
    app.engine.commit(ws, work)?;
    Ok(())
}

fn stage_create(staging: &mut Staging<'_>, by: &By, body: &Map) -> Result<Changed> {
    let Ok(name) = schema::name(body) else {
        // Without a name there is nothing to have a right on; all that is wrong is told.
        let wrong = schema::create(body, |_| false).err().unwrap_or_default();
        return Err(Error::invalid(wrong));
    };
    let _: Allowed<'_> = may(staging, by, Action::SchemaCreate, &name)?;
    let taken = names(staging)?;
    let is_taken = |name: &TypeName| taken.iter().any(|it| it.eq_ignore_ascii_case(name));
    let draft = schema::create(body, is_taken).map_err(Error::invalid)?;
    let ty = &draft.content_type;
    let key = Key::Schema(staging.workspace().clone(), ty.name.clone());
    staging.create(&key, Json::from(ty.source.clone()).to_file());
    tell(staging, by, EventKind::SchemaCreated, ty);
    Ok(Changed::of(draft))
}

fn stage_update(
    staging: &mut Staging<'_>,
    by: &By,
    name: &str,
    body: &Map,
    precondition: &Precondition,
) -> Result<Changed> {
    let (_, index) = find(staging.snapshot(), &by.caller, name)?;
    let current = &index.content_type;
    let allowed = may(staging, by, Action::SchemaUpdate, &current.name)?;
    let stored = stored(staging, index)?;
    check(precondition, current)?;
    let draft = schema::update(current, body).map_err(Error::invalid)?;
    if draft.content_type.source == current.source {
        return Ok(Changed { content_type: current.clone(), warnings: draft.warnings });
    }
    staging.revision(RevisionEvent::Schema, &by.actor.id);
    entry_files::stage(staging, &allowed, index, &draft)?;
    let source = Json::from(draft.content_type.source.clone());
    // Fields are shown in the order that they stand in.
    staging.replace(&stored, json_edit::rewrite_in_order(&stored.bytes, &source));
    tell(staging, by, EventKind::SchemaUpdated, &draft.content_type);
    Ok(Changed::of(draft))
}

fn stage_delete(
    staging: &mut Staging<'_>,
    by: &By,
    name: &str,
    precondition: &Precondition,
) -> Result<()> {
    let (_, index) = find(staging.snapshot(), &by.caller, name)?;
    let ty = &index.content_type;
    let _: Allowed<'_> = may(staging, by, Action::SchemaDelete, &ty.name)?;
    check(precondition, ty)?;
    let (ws, name) = (staging.workspace(), &ty.name);
    staging.remove(&Key::Schema(ws.clone(), name.clone()));
    staging.remove_folder(&Folder::Entries(ws.clone(), name.clone()));
    staging.remove_folder(&Folder::Trash(ws.clone(), name.clone()));
    staging.remove_folder(&Folder::RevisionsOfType(ws.clone(), name.clone()));
    tell(staging, by, EventKind::SchemaDeleted, ty);
    Ok(())
}

impl Changed {
    fn of(draft: Draft) -> Changed {
        Changed { content_type: Arc::new(draft.content_type), warnings: draft.warnings }
    }
}

/// Whether the action may be taken on the type of this name.
pub(super) fn may<'b>(
    staging: &Staging<'_>,
    by: &'b By,
    action: Action,
    name: &TypeName,
) -> Result<Allowed<'b>> {
    by.caller.may(staging.workspace(), action, &Resource::Schema(name), &Facts::default())
}

/// The names of all types, also of those whose file cannot be read.
fn names(staging: &Staging<'_>) -> Result<Vec<TypeName>> {
    let known = staging.snapshot().types().iter().map(|it| it.content_type.name.clone());
    let mut names: Vec<TypeName> = known.collect();
    for file in staging.list(&Folder::Schemas(staging.workspace().clone()))? {
        if let Key::Schema(_, name) = file.key {
            names.push(name);
        }
    }
    Ok(names)
}

/// The file of a type, which says what the type is. While it is broken the type is what it said
/// before, and nothing that is written could be told from that.
pub(super) fn stored(staging: &mut Staging<'_>, index: &TypeIndex) -> Result<Stored> {
    let ty = &index.content_type;
    let key = Key::Schema(staging.workspace().clone(), ty.name.clone());
    let stored = staging.stored(&key)?;
    let stored = stored.ok_or_else(|| Error::not_found("content type", &ty.name))?;
    if Json::from(stored.map.clone()).sum() != ty.sum {
        let message = "The file of this content type is broken; mend it first.";
        return Err(Error::conflict(message));
    }
    Ok(stored)
}

fn check(precondition: &Precondition, ty: &ContentType) -> Result<()> {
    if precondition.holds_for(ty.sum) {
        return Ok(());
    }
    // Whoever gets here may change the type, and sees it.
    let shown = serde_json::to_vec(&ty.to_json()).map_err(Error::internal)?;
    Err(Error::precondition_failed(Some(Bytes::from(shown))))
}

fn tell(staging: &mut Staging<'_>, by: &By, kind: EventKind, ty: &ContentType) {
    let (type_name, label) = (ty.name.to_string(), ty.label.clone());
    let subject = Subject::Schema { type_name, label };
    staging.tell(Event::by(&by.actor, kind, subject));
}
