//! Exports of content as tables and texts, which other programs read and `recto import` takes back.
//! They have everything, drafts as well: who calls them has checked that the reader may see it.

pub mod csv_table;
pub mod exported_entry;
pub mod markdown_text;
pub mod text_places;

use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::export::exported_entry::ExportedEntry;
use crate::app::export::exported_entry::ExportedType;
use crate::engine::Engine;
use crate::engine::error::CommitError;
use crate::engine::staging::Staging;
use crate::model::entry::EntryStatus;
use crate::model::name::TypeName;
use crate::model::name::WorkspaceSlug;
use crate::query::index::snapshot::Snapshot;
use crate::store::error::StoreError;
use crate::store::layout::Folder;
use crate::store::layout::Key;

/// A request for the content of a type.
pub struct ExportRequest<'a> {
    /// The workspace.
    pub workspace: &'a WorkspaceSlug,
    /// The content type.
    pub type_name: &'a TypeName,
    /// The statuses of the entries; all of them if there are none.
    pub statuses: &'a [EntryStatus],
}

/// Reads the entries of a type as they are stored, in the order of their ids.
pub fn read_type(
    engine: &Engine,
    snapshot: &Snapshot,
    request: &ExportRequest<'_>,
) -> Result<ExportedType> {
    let name = request.type_name.as_str();
    let index = snapshot.get(name).ok_or_else(|| Error::not_found("content type", name))?;
    let content_type = index.content_type.clone();
    let mut read = ExportedType { content_type, entries: Vec::new(), broken: Vec::new() };
    engine.writer().preview_commit(request.workspace, |staging: &mut Staging<'_>| {
        // The index does not know those that were never readable.
        let folder = Folder::Entries(request.workspace.clone(), request.type_name.clone());
        let mut keys: Vec<Key> = staging.list(&folder)?.into_iter().map(|it| it.key).collect();
        keys.sort_unstable();
        for key in keys {
            let Key::Entry(_, _, id) = &key else { continue };
            let id = id.clone();
            let stored = match staging.read_stored(&key) {
                Err(CommitError::Broken(problem)) => {
                    read.broken.push(problem.to_string());
                    continue;
                }
                Err(CommitError::Store(error @ StoreError::Io { .. })) => {
                    read.broken.push(error.to_string());
                    continue;
                }
                stored => stored?,
            };
            let Some(stored) = stored else { continue };
            let slug = index.find_ordinal(id.as_str()).and_then(|it| index.entry_at(it));
            let slug = slug.map(|it| it.slug().to_string()).unwrap_or_default();
            let entry = ExportedEntry { id, slug, file: stored.map().clone() };
            if request.statuses.is_empty() || request.statuses.contains(&entry.status()) {
                read.entries.push(entry);
            }
        }
        Ok::<(), CommitError>(())
    })?;
    Ok(read)
}
