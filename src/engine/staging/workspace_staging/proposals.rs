//! Proposals: changes of entries that are written into a change beside what is live.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;

use crate::engine::error::CommitError;
use crate::engine::staging::change_steps::StoredFile;
use crate::engine::staging::proposed::Proposed;
use crate::engine::staging::workspace_staging::Staging;
use crate::model::change::build_deletion;
use crate::model::change::proposes_deletion;
use crate::model::entry::entry_file;
use crate::model::event::Event;
use crate::model::event::EventKind;
use crate::model::event::Subject;
use crate::model::grant::Permit;
use crate::model::name::EntryId;
use crate::model::name::EntryPlace;
use crate::model::three_way_merge::rebase_proposal;
use crate::query::index::change_index::ProposedFile;
use crate::query::index::snapshot::Snapshot;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::store::layout::Key;
use crate::store::summed_content::SummedContent;
use crate::store::write::file_op::FileOp;
use crate::store::write::file_op::FileTransaction;

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

    /// Tells that a change was edited, in the name of `cause`: an event of the same work if it were
    /// live.
    pub(super) fn tell_of_proposals(&mut self, overlay: &Snapshot, cause: Event) {
        let Some(id) = overlay.overlay.as_ref().and_then(|it| it.change.as_ref()) else { return };
        let record = self.snapshot().changes.get(id).and_then(|it| it.record.as_ref());
        let label = record.map(|it| it.label.clone()).unwrap_or_default();
        let subject = Subject::Change { change: id.to_string(), label };
        self.change.add_event(Event { kind: EventKind::ChangeUpdated, subject, ..cause });
    }

    /// Stages the proposed deletion of an entry. One that only the change has is given up instead.
    fn stage_proposed_deletion(
        &mut self,
        change: &EntryId,
        place: &EntryPlace,
    ) -> Result<(), CommitError> {
        if self.snapshot().find_entry(place).is_some() {
            return self.stage_proposal(change, place, deletion());
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
            Some(stored) => {
                let base = self.rebase(&stored, &base, &live)?;
                let bytes = match self.give_up_gone_fields(place, &content, base.as_ref()) {
                    Some(file) => stored.rewrite(file),
                    None => content.to_vec(),
                };
                self.change.steps.replace(&stored, bytes);
            }
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

    /// Moves the state from which a proposal was begun to the live one, which its author sees
    /// merged in and saves with it. Both files change in one step: a base that moved alone would
    /// turn what is left of the old proposal into edits of the author. One that has none, because
    /// both sides created the entry, gets one. Returns the base.
    fn rebase(
        &mut self,
        proposed: &StoredFile,
        key: &Key,
        live: &Key,
    ) -> Result<Option<Map>, CommitError> {
        let base = match self.read_stored(key) {
            // It is a problem of the proposal, which is told, and stays one.
            Err(CommitError::Broken(_)) => return Ok(None),
            stored => stored?,
        };
        let before = base.as_ref().map(StoredFile::map);
        // Who proposed to delete the entry has not seen it merged.
        let live = self.read_stored(live)?.filter(|_| !proposes_deletion(proposed.map()));
        let Some(live) = live else { return Ok(before.cloned()) };
        let rebased = rebase_proposal(before, live.map(), proposed.map());
        // Without a conflict it is the live file, to the byte: so it is known to be up to date.
        let is_live = rebased == *live.map();
        let bytes = match &base {
            _ if is_live => live.bytes,
            Some(base) => base.rewrite(rebased.clone()),
            None => Json::Object(rebased.clone()).to_file(),
        };
        match &base {
            Some(base) => self.change.steps.replace(base, bytes),
            None => self.change.steps.create(key, bytes),
        }
        Ok(Some(rebased))
    }

    /// Returns the content of a proposal without what it says in fields that its type has no more;
    /// nothing if there is none. They are in no form, and keep the change from being published: who
    /// saves the entry gives them up.
    fn give_up_gone_fields(
        &self,
        (of, _): &EntryPlace,
        content: &SummedContent,
        base: Option<&Map>,
    ) -> Option<Map> {
        let fields = &self.snapshot().get(of.as_str())?.content_type.fields;
        let Ok(Json::Object(mut file)) = Json::parse(content) else { return None };
        let mut is_changed = false;
        for path in entry_file::data_paths(&file) {
            let before = base.and_then(|it| entry_file::get_data(it, &path));
            let Some(Json::Object(data)) = entry_file::value_mut(&mut file, &path) else {
                continue;
            };
            let names = data.iter().map(|(name, _)| name.to_string());
            let gone: Vec<String> = names.filter(|it| fields.get(it).is_none()).collect();
            for name in gone {
                let before = before.and_then(|it| it.get(&name));
                if data.get(&name) == before {
                    continue;
                }
                is_changed = true;
                match before {
                    Some(before) => data.set(&name, before.clone()),
                    None => _ = data.remove(&name),
                }
            }
        }
        is_changed.then_some(file)
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
        let content = before.map_or_else(deletion, SummedContent::from);
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
fn deletion() -> SummedContent {
    SummedContent::from_json(Json::Object(build_deletion()))
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
            FileOp::Place { .. } | FileOp::PlaceOver { .. } => continue,
            FileOp::RemoveFolder { .. } => continue,
        };
        if let Key::Entry(_, of, id) = path.key() {
            proposed.insert((of.clone(), id.clone()), content);
        }
    }
    proposed
}
