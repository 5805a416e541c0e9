//! The trash as it lies in the folder: no index knows it.

use crate::engine::Engine;
use crate::engine::read;
use crate::model::name::TypeName;
use crate::model::name::WorkspaceSlug;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::time::Timestamp;
use crate::store::disk;
use crate::store::error::StoreError;
use crate::store::layout::Copy;
use crate::store::layout::Folder;
use crate::store::layout::Key;
use crate::store::load;

/// What an entry in the trash says about when it came there.
const DELETED_AT: &str = "deleted_at";

impl Engine {
    /// The entries of a type in the trash that can be read, with when they came there. Where that is
    /// not written down, it is when something happened to the file last.
    pub fn deleted(
        &self,
        ws: &WorkspaceSlug,
        of: &TypeName,
    ) -> Result<Vec<(Copy, Timestamp)>, StoreError> {
        let files = load::files_in(&*self.disk, &Folder::Trash(ws.clone(), of.clone()))?;
        let deleted = files.into_iter().filter_map(|file| {
            let path = file.path();
            let Key::Trash(_, _, copy) = file.key else { return None };
            let (bytes, stat) = self.read_body(&path).ok()?;
            let Some(Json::Object(map)) = read::json(&path, &bytes).value else { return None };
            let changed = Timestamp::from_seconds(stat.changed_ns.div_euclid(1_000_000_000));
            let touched = read::modified(&stat).max(changed);
            Some((copy, deleted_at(&map).unwrap_or(touched)))
        });
        Ok(deleted.collect())
    }
}

impl Engine {
    /// Makes the trash of every type that has entries: once the disk is full it cannot be made, and
    /// entries can still be deleted.
    pub(super) fn make_trash_folders(&self) {
        for (ws, workspace) in self.workspaces().iter() {
            let snapshot = workspace.current();
            for index in snapshot.types().iter().filter(|it| !it.is_empty()) {
                self.make_trash_folder(ws, &index.content_type.name);
            }
        }
    }

    /// Makes the trash of a type, where there are entries: a workspace that was removed a moment ago
    /// does not come back.
    pub(super) fn make_trash_folder(&self, ws: &WorkspaceSlug, of: &TypeName) {
        let entries = Folder::Entries(ws.clone(), of.clone()).path();
        let trash = Folder::Trash(ws.clone(), of.clone()).path();
        if self.read_only || self.disk.stat(&trash).is_ok() || self.disk.stat(&entries).is_err() {
            return;
        }
        if let Err(error) = disk::make_folders(&*self.disk, &trash) {
            tracing::debug!(%error, "the trash is made when something is deleted");
        }
    }
}

/// When an entry came into the trash, if its file says so.
pub fn deleted_at(file: &Map) -> Option<Timestamp> {
    file.get(DELETED_AT).and_then(Json::as_str).and_then(Timestamp::parse)
}
