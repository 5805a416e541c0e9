//! Proposals: changes of entries that are written into a change beside what is live.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;

use crate::engine::error::CommitError;
use crate::engine::staging::workspace_staging::Staging;
use crate::model::grant::Permit;
use crate::model::name::EntryId;
use crate::model::name::EntryPlace;
use crate::query::index::change_index::ProposedFile;
use crate::query::index::snapshot::Snapshot;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::store::layout::Key;
use crate::store::summed_content::SummedContent;
use crate::store::write::file_op::FileOp;
use crate::store::write::file_op::FileTransaction;

/// What is proposed for an entry.
pub struct Proposed {
    /// The entry.
    pub place: EntryPlace,
    /// Its file; nothing if it is to be deleted.
    pub file: Option<ProposedFile>,
}

impl Staging<'_> {
    /// Stages what was written to entries of an overlay as proposals of its change.
    pub(super) fn stage_proposals(
        &mut self,
        overlay: &Snapshot,
        record: Option<Map>,
        written: &FileTransaction,
    ) -> Result<Vec<Proposed>, CommitError> {
        let Some(overlay) = &overlay.overlay else { return Ok(Vec::new()) };
        let Some(change) = &overlay.change else { return Ok(Vec::new()) };
        if let Some(record) = record
            && !written.is_empty()
        {
            let key = Key::Change(self.workspace().clone(), change.clone());
            match self.read_stored(&key)? {
                Some(stored) => {
                    let bytes = stored.rewrite(record);
                    self.change.beforehand.replace(&stored, bytes);
                }
                None => self.change.beforehand.create(&key, Json::Object(record).to_file()),
            }
        }
        let mut all = Vec::new();
        for (place, proposed) in list_proposed(written) {
            let file = proposed.as_ref().map(|it| ProposedFile {
                bytes: Bytes::copy_from_slice(it),
                json: it.json().cloned().or_else(|| Json::parse(it).ok()).map(Arc::new),
                modified: self.now(),
            });
            match proposed {
                Some(content) => self.stage_proposal(change, &place, content)?,
                None => self.stage_proposed_deletion(change, &place)?,
            }
            all.push(Proposed { place, file });
        }
        Ok(all)
    }

    /// Stages the proposed deletion of an entry. One that only the change has is given up instead.
    fn stage_proposed_deletion(
        &mut self,
        change: &EntryId,
        place: &EntryPlace,
    ) -> Result<(), CommitError> {
        if self.snapshot().find_entry(place).is_some() {
            return self.stage_proposal(change, place, tombstone());
        }
        self.remove_proposal(change, place);
        Ok(())
    }

    /// Stages the proposed content of an entry. The state from which it is begun is kept beside it.
    fn stage_proposal(
        &mut self,
        change: &EntryId,
        place: &EntryPlace,
        content: SummedContent,
    ) -> Result<(), CommitError> {
        let ws = self.workspace();
        let (live, key) = (Key::of_entry(ws, place), Key::of_proposal(ws, change, place));
        let base = Key::of_base(ws, change, place);
        match self.read_stored(&key)? {
            Some(stored) => self.change.steps.replace(&stored, content.to_vec()),
            None => {
                // One that is left from an earlier proposal of the entry is no base of this.
                match (self.read_stored(&live)?, self.exists(&base)) {
                    (Some(live), true) => self.change.beforehand.overwrite(&base, live.bytes),
                    (Some(live), false) => self.change.beforehand.create(&base, live.bytes),
                    (None, true) => self.change.beforehand.remove(&base),
                    (None, false) => {}
                }
                self.change.steps.create(&key, content);
            }
        }
        Ok(())
    }

    /// Stages the removal of what a change proposes for an entry.
    pub fn discard_proposal(&mut self, _: &Permit, change: &EntryId, place: &EntryPlace) {
        self.remove_proposal(change, place);
    }

    /// Stages a proposal that takes back what another change has published: from the published
    /// state of an entry to the one before, where nothing means that there was no such entry.
    pub fn stage_inverse(
        &mut self,
        _: &Permit,
        change: &EntryId,
        place: &EntryPlace,
        before: Option<Vec<u8>>,
        published: Option<Vec<u8>>,
    ) {
        let ws = self.workspace();
        let content = before.map_or_else(tombstone, SummedContent::from);
        self.change.steps.create(&Key::of_proposal(ws, change, place), content);
        if let Some(published) = published {
            self.change.steps.create(&Key::of_base(ws, change, place), published);
        }
    }

    fn remove_proposal(&mut self, change: &EntryId, place: &EntryPlace) {
        let ws = self.workspace();
        self.change.steps.remove(&Key::of_proposal(ws, change, place));
        self.change.steps.remove(&Key::of_base(ws, change, place));
    }
}

/// The content of a proposal that deletes an entry.
fn tombstone() -> SummedContent {
    let mut file = Map::new();
    file.push("delete", Json::Bool(true));
    SummedContent::from_json(Json::Object(file))
}

/// The entries that were written, each with its last content, or nothing if it was deleted.
fn list_proposed(written: &FileTransaction) -> BTreeMap<EntryPlace, Option<SummedContent>> {
    let mut proposed = BTreeMap::new();
    for op in &written.steps {
        let (path, content) = match op {
            FileOp::Create { path, bytes } | FileOp::Replace { path, bytes, .. } => {
                (path, Some(bytes.clone()))
            }
            FileOp::Remove { path } | FileOp::Rename { from: path, .. } => (path, None),
            FileOp::Place { .. } | FileOp::RemoveFolder { .. } => continue,
        };
        if let Key::Entry(_, of, id) = path.key() {
            proposed.insert((of.clone(), id.clone()), content);
        }
    }
    proposed
}
