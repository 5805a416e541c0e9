//! What a change or a deletion of a content type would do, without doing it.

use serde::Serialize;

use crate::app::App;
use crate::app::access::By;
use crate::app::content_types::change;
use crate::app::content_types::entry_files;
use crate::app::content_types::find;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::engine::commit::CommitError;
use crate::engine::staging::Staging;
use crate::model::field_effects::FieldEffect;
use crate::model::field_effects::FieldEffects;
use crate::model::grant::Action;
use crate::model::name::WorkspaceSlug;
use crate::model::schema;
use crate::query::referrers;
use crate::query::type_index::TypeIndex;
use crate::stdx::json::Map;
use crate::store::layout::Copy;
use crate::store::layout::Folder;
use crate::store::layout::Key;

/// What an update would do.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct UpdatePreview {
    /// The number of entries.
    pub entries: usize,
    /// The number of entries in the trash.
    pub trash: usize,
    /// The files, of either, that cannot be read. Fields get no other names while there are any.
    pub unreadable: usize,
    /// The files, of either, in which fields get other names.
    pub rewritten: usize,
    /// What happens to the values of the entries.
    pub fields: Vec<FieldEffect>,
    /// What of the request counts for nothing.
    pub warnings: Vec<String>,
}

/// What a deletion would do.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct DeletePreview {
    /// The entries that would be gone.
    pub entries: usize,
    /// The entries in the trash that would be gone.
    pub trash: usize,
    /// The revisions that would be gone.
    pub revisions: usize,
    /// The entries of other types with relations that would dangle.
    pub references: usize,
}

/// What [`change::update`] would do. It fails as that would.
pub fn update(
    app: &App,
    ws: &WorkspaceSlug,
    by: By,
    name: String,
    body: Map,
) -> Result<UpdatePreview> {
    app.engine.preview(ws, |staging| look_at_update(staging, &by, &name, &body))
}

/// What [`change::delete`] would do.
pub fn delete(app: &App, ws: &WorkspaceSlug, by: By, name: String) -> Result<DeletePreview> {
    app.engine.preview(ws, |staging| look_at_delete(staging, &by, &name))
}

fn look_at_update(
    staging: &mut Staging<'_>,
    by: &By,
    name: &str,
    body: &Map,
) -> Result<UpdatePreview> {
    let (_, index) = find(staging.snapshot(), &by.caller, name)?;
    change::may(staging, by, Action::SchemaUpdate, &index.content_type.name)?;
    change::stored(staging, index)?;
    let draft = schema::update(&index.content_type, body).map_err(Error::invalid)?;
    entry_files::page(index, &draft)?;
    let mut effects = FieldEffects::new(&index.content_type, &draft.content_type, &draft.renames);
    let (mut trash, mut unreadable, mut rewritten) = (0, 0, 0);
    for key in entry_files::all(staging, index)? {
        let is_trash = matches!(key, Key::Trash(..));
        trash += usize::from(is_trash);
        let mut file = match staging.stored(&key) {
            Ok(Some(stored)) => stored.map,
            Ok(None) => continue,
            Err(CommitError::Broken(_)) => {
                unreadable += 1;
                continue;
            }
            Err(error) => return Err(error.into()),
        };
        if !is_trash {
            effects.add(&file);
        }
        let before = file.clone();
        draft.renames.apply(&mut file);
        rewritten += usize::from(file != before);
    }
    let (entries, fields, warnings) = (index.len(), effects.finish(), draft.warnings);
    Ok(UpdatePreview { entries, trash, unreadable, rewritten, fields, warnings })
}

fn look_at_delete(staging: &mut Staging<'_>, by: &By, name: &str) -> Result<DeletePreview> {
    let snapshot = staging.snapshot();
    let (_, index) = find(snapshot, &by.caller, name)?;
    let (ws, ty) = (staging.workspace(), &index.content_type.name);
    change::may(staging, by, Action::SchemaDelete, ty)?;
    let keys = entry_files::all(staging, index)?;
    let mut revisions = 0;
    for key in &keys {
        let copy = match key {
            Key::Entry(_, _, id) => Copy::first(id.clone()),
            Key::Trash(_, _, copy) => copy.clone(),
            _ => continue,
        };
        revisions += staging.list(&Folder::Revisions(ws.clone(), ty.clone(), copy))?.len();
    }
    let trash = keys.iter().filter(|it| matches!(it, Key::Trash(..))).count();
    let others = referrers::types(snapshot, ty).filter(|it| it.content_type.name != *ty);
    let references = others.map(|it| referring(it, index)).sum();
    Ok(DeletePreview { entries: keys.len() - trash, trash, revisions, references })
}

/// How many entries of a type have a relation to one that is there.
fn referring(from: &TypeIndex, to: &TypeIndex) -> usize {
    let target = &to.content_type.name;
    let is_there = |id: &str| to.ordinal(id).is_some();
    from.iter().filter(|(_, doc)| referrers::refers(from, doc, target, is_there)).count()
}
