//! Pulled content as files of the data folder here, which are written together.

use crate::app::replication::file::ReplicatedFile;
use crate::app::replication::file::ReplicatedValue;
use crate::app::replication::local::LocalContent;
use crate::app::replication::plan::ReplicationStep;
use crate::app::replication::replicated_types::ReplicatedTypes;
use crate::engine::error::CommitError;
use crate::engine::file_set::FileSet;
use crate::engine::staging::Staging;
use crate::model::name::EntryId;
use crate::model::name::TypeName;
use crate::model::revision::RevisionEvent;
use crate::model::revision::RevisionName;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::json_edit::KeyOrder;
use crate::store::layout::EntryCopy;
use crate::store::layout::Key;

/// The name of those who remove entries by pulling.
const DELETED_BY: &str = "recto pull";

/// The content that is pulled into a workspace.
pub struct PulledFiles<'p, 's> {
    /// The folder as it is.
    pub staging: &'p mut Staging<'s>,
    /// Its files.
    pub local: &'p LocalContent,
    /// True if the replaced states of entries are kept here: no server does.
    pub keeps_revisions: bool,
    /// The files to write.
    files: FileSet,
    /// The types as they will be.
    types: ReplicatedTypes,
}

impl<'p, 's> PulledFiles<'p, 's> {
    /// Collects the files that the steps of a plan write. HTML is cleaned as in any other change:
    /// the other server may not be what it was.
    pub fn collect(
        staging: &'p mut Staging<'s>,
        local: &'p LocalContent,
        keeps_revisions: bool,
        steps: &[ReplicationStep],
    ) -> Result<FileSet, CommitError> {
        let now = local.values.iter();
        let then = steps.iter().filter_map(|it| Some((&it.file, it.after.as_ref()?)));
        let (files, types) = (FileSet::default(), ReplicatedTypes::read(now.chain(then)));
        let mut pulled = PulledFiles { staging, local, keeps_revisions, files, types };
        for step in steps {
            match &step.after {
                Some(ReplicatedValue::Json(map)) => pulled.write_json(&step.file, map)?,
                Some(ReplicatedValue::Bytes { sum, .. }) => {
                    let before = local.stats.get(&step.file).copied();
                    let key = step.file.key(pulled.staging.workspace());
                    pulled.files.copy(key, &step.file.path(), *sum, before);
                }
                None => pulled.remove(&step.file)?,
            }
        }
        Ok(pulled.files)
    }

    fn write_json(&mut self, file: &ReplicatedFile, map: &Map) -> Result<(), CommitError> {
        let mut map = map.clone();
        self.types.sanitize_entry(file, &mut map);
        let key = file.key(self.staging.workspace());
        let Some(before) = self.local.stats.get(file).copied() else {
            self.files.create(key, Json::Object(map).to_file());
            return Ok(());
        };
        let Some(stored) = self.staging.read_stored(&key)? else {
            return Err(CommitError::Stale);
        };
        let order = match file {
            ReplicatedFile::Schema(_) => KeyOrder::OfValue,
            _ => KeyOrder::OfSource,
        };
        let bytes = stored.rewrite_with_order(map, order);
        if bytes == stored.bytes {
            return Ok(());
        }
        if let (ReplicatedFile::Entry(of, id), true) = (file, self.keeps_revisions) {
            self.keep_revision(of, id, stored.bytes);
        }
        self.files.replace(key, bytes, Some(before));
        Ok(())
    }

    fn keep_revision(&mut self, of: &TypeName, id: &EntryId, bytes: Vec<u8>) {
        let event = Some(RevisionEvent::Disk);
        let name = RevisionName { id: self.staging.new_id(), event, by: None };
        let (ws, copy) = (self.staging.workspace().clone(), EntryCopy::first(id.clone()));
        self.files.create(Key::Revision(ws, of.clone(), copy, name.to_id()), bytes);
    }

    /// Removes a file. Entries go to the trash.
    fn remove(&mut self, file: &ReplicatedFile) -> Result<(), CommitError> {
        let key = file.key(self.staging.workspace());
        let Some(before) = self.local.stats.get(file).copied() else { return Ok(()) };
        if let ReplicatedFile::Entry(of, id) = file {
            let Some(stored) = self.staging.read_stored(&key)? else {
                return Err(CommitError::Stale);
            };
            let copy = self.find_free_copy(of, id);
            let mut map = stored.map().clone();
            if copy.number > 0 {
                map.set("id", id.as_str().into());
            }
            map.set("deleted_at", self.staging.now().to_string().into());
            map.set("deleted_by", DELETED_BY.into());
            let trashed = Key::Trash(self.staging.workspace().clone(), of.clone(), copy);
            self.files.create(trashed, stored.rewrite(map));
        }
        self.files.remove(key, before);
        Ok(())
    }

    fn find_free_copy(&self, of: &TypeName, id: &EntryId) -> EntryCopy {
        let copy = |number| EntryCopy { id: id.clone(), number };
        let ws = self.staging.workspace();
        let key = |it: &EntryCopy| Key::Trash(ws.clone(), of.clone(), it.clone());
        let free = (0..u32::MAX).map(copy).find(|it| !self.staging.exists(&key(it)));
        free.unwrap_or_else(|| copy(u32::MAX))
    }
}
