//! The preview of a change or deletion of a content type.

use schemars::JsonSchema;
use schemars::Schema;
use schemars::SchemaGenerator;
use schemars::json_schema;
use serde::Serialize;

use crate::app::App;
use crate::app::access::Requester;
use crate::app::content::content_types::change;
use crate::app::content::content_types::entry_migration;
use crate::app::content::content_types::find;
use crate::app::error::Result;
use crate::engine::error::CommitError;
use crate::engine::staging::Staging;
use crate::model::content_type::field_effects::FieldEffect;
use crate::model::content_type::field_effects::FieldEffectCounter;
use crate::model::content_type::type_change;
use crate::model::content_type::unclean_html::UncleanHtmlSearch;
use crate::model::grant::Action;
use crate::model::name::WorkspaceSlug;
use crate::query::execute::referrers;
use crate::query::index::type_index::TypeIndex;
use crate::stdx::json::Map;
use crate::store::layout::EntryCopy;
use crate::store::layout::Folder;
use crate::store::layout::Key;

/// The effects of an update.
#[derive(Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "UpdateEffects")]
pub struct UpdatePreview {
    /// The number of entries.
    pub entries: usize,
    /// The number of entries in the trash.
    pub trash: usize,
    /// The number of files, including those in the trash, that cannot be read. While there are any,
    /// fields cannot be renamed.
    pub unreadable: usize,
    /// The number of files, including those in the trash, in which fields are renamed.
    pub rewritten: usize,
    /// The effects on the values of the entries.
    #[schemars(schema_with = "objects_schema")]
    pub fields: Vec<FieldEffect>,
    /// Warnings about ignored parts of the request, and about values that become HTML.
    pub warnings: Vec<String>,
}

fn objects_schema(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "array", "items": { "type": "object" } })
}

/// The effects of a deletion.
#[derive(Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "DeleteEffects")]
pub struct DeletePreview {
    /// The number of entries that would be deleted.
    pub entries: usize,
    /// The number of entries in the trash that would be deleted.
    pub trash: usize,
    /// The number of revisions that would be deleted.
    pub revisions: usize,
    /// The number of entries of other types whose relations would become dangling.
    pub references: usize,
}

/// Returns the effects of [`change::update`]. Fails if that would fail.
pub fn preview_update(
    app: &App,
    ws: &WorkspaceSlug,
    by: Requester,
    name: String,
    body: Map,
) -> Result<UpdatePreview> {
    app.engine
        .writer()
        .preview_commit(ws, |staging| build_update_preview(staging, &by, &name, &body))
}

/// Returns the effects of [`change::delete`].
pub fn preview_delete(
    app: &App,
    ws: &WorkspaceSlug,
    by: Requester,
    name: String,
) -> Result<DeletePreview> {
    app.engine.writer().preview_commit(ws, |staging| build_delete_preview(staging, &by, &name))
}

fn build_update_preview(
    staging: &mut Staging<'_>,
    by: &Requester,
    name: &str,
    body: &Map,
) -> Result<UpdatePreview> {
    let (_, index) = find(staging.snapshot(), &by.caller, name)?;
    change::check_permission(staging, by, Action::SchemaUpdate, &index.content_type.name)?;
    change::read_type_file(staging, index)?;
    let draft = change::check_views(type_change::update_type(&index.content_type, body))?;
    entry_migration::plan_conversion(index, &draft)?;
    let mut effects =
        FieldEffectCounter::new(&index.content_type, &draft.content_type, &draft.renames);
    let mut unclean =
        UncleanHtmlSearch::new(&index.content_type, &draft.content_type, &draft.renames);
    let (mut trash, mut unreadable, mut rewritten) = (0, 0, 0);
    for key in entry_migration::list_entry_files(staging, index)? {
        let is_trash = matches!(key, Key::Trash(..));
        trash += usize::from(is_trash);
        let mut file = match staging.read_stored(&key) {
            Ok(Some(stored)) => stored.map().clone(),
            Ok(None) => continue,
            Err(CommitError::Broken(_)) => {
                unreadable += 1;
                continue;
            }
            Err(error) => return Err(error.into()),
        };
        if !is_trash {
            effects.count_entry(&file);
        }
        let before = file.clone();
        draft.renames.apply_to_file(&mut file);
        rewritten += usize::from(file != before);
        unclean.search_file(&file);
    }
    let (entries, fields, found) = (index.len(), effects.into_effects(), unclean.into_warnings());
    let warnings = draft.warnings.into_iter().chain(found).collect();
    Ok(UpdatePreview { entries, trash, unreadable, rewritten, fields, warnings })
}

fn build_delete_preview(
    staging: &mut Staging<'_>,
    by: &Requester,
    name: &str,
) -> Result<DeletePreview> {
    let snapshot = staging.snapshot();
    let (_, index) = find(snapshot, &by.caller, name)?;
    let (ws, ty) = (staging.workspace(), &index.content_type.name);
    change::check_permission(staging, by, Action::SchemaDelete, ty)?;
    let keys = entry_migration::list_entry_files(staging, index)?;
    let mut revisions = 0;
    for key in &keys {
        let copy = match key {
            Key::Entry(_, _, id) => EntryCopy::first(id.clone()),
            Key::Trash(_, _, copy) => copy.clone(),
            _ => continue,
        };
        revisions += staging.list(&Folder::Revisions(ws.clone(), ty.clone(), copy))?.len();
    }
    let trash = keys.iter().filter(|it| matches!(it, Key::Trash(..))).count();
    let others =
        referrers::list_referring_types(snapshot, ty).filter(|it| it.content_type.name != *ty);
    let references = others.map(|it| count_referring(it, index)).sum();
    Ok(DeletePreview { entries: keys.len() - trash, trash, revisions, references })
}

/// Returns the number of entries of a type with a relation to an existing entry of another.
fn count_referring(from: &TypeIndex, to: &TypeIndex) -> usize {
    let target = &to.content_type.name;
    let is_there = |id: &str| to.find_ordinal(id).is_some();
    from.iter().filter(|(_, doc)| referrers::has_reference(from, doc, target, is_there)).count()
}
