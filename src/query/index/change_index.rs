//! The changes of a workspace: what is proposed beside what is live.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::OnceLock;

use bytes::Bytes;
use sha2::Digest as _;
use sha2::Sha256;

use crate::model::change::ChangeRecord;
use crate::model::change::proposes_deletion;
use crate::model::name::EntryId;
use crate::model::name::EntryPlace;
use crate::stdx::checksum::Checksum;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::time::Timestamp;

/// All changes of a workspace. The next index after an edit shares every other change with its
/// predecessor.
#[derive(Clone, Debug, Default)]
pub struct ChangeIndex {
    by_id: BTreeMap<EntryId, Arc<Change>>,
}

/// A planned publication: its time, the id of the change, and the change.
pub type PlannedPublication<'a> = (Timestamp, &'a EntryId, &'a Arc<Change>);

/// A change with its proposals.
#[derive(Clone, Debug, Default)]
pub struct Change {
    /// The record; nothing while its file is missing or cannot be read.
    pub record: Option<Arc<ChangeRecord>>,
    /// The checksum of the content of its file.
    pub record_sum: Option<Checksum>,
    /// True if there is a record that cannot be read. It may say that the change is closed, so
    /// nothing is done with the change until it can.
    pub is_record_broken: bool,
    /// The proposed states of entries.
    pub proposals: BTreeMap<EntryPlace, ProposedFile>,
    /// The states from which they were begun. An entry that did not exist has none.
    pub bases: BTreeMap<EntryPlace, ProposedFile>,
    /// Grows with every edit of the change.
    pub version: u64,
    /// The sum of everything that it proposes, once somebody asked for it.
    sum: OnceLock<String>,
}

/// A file of a change.
#[derive(Clone, Debug)]
pub struct ProposedFile {
    /// The bytes.
    pub bytes: Bytes,
    /// The content; nothing if the file cannot be read.
    pub json: Option<Arc<Json>>,
    /// The time of its last change.
    pub modified: Timestamp,
}

/// The change, or the future moment, that a snapshot shows as if it were live.
#[derive(Clone, Debug)]
pub struct Overlay {
    /// The id of the change; nothing if it shows a future moment.
    pub change: Option<EntryId>,
    /// The entries that differ from the live ones.
    pub files: BTreeMap<EntryPlace, OverlayFile>,
}

/// The file of an entry as it is in an overlay.
#[derive(Clone, Debug)]
pub struct OverlayFile {
    /// The content; nothing if the entry is deleted.
    pub content: Option<Arc<Json>>,
    /// The time of its last change.
    pub modified: Timestamp,
}

impl ProposedFile {
    /// Returns the members of the file, if it can be read.
    pub fn content(&self) -> Option<&Map> {
        self.json.as_deref()?.as_object()
    }

    /// Returns a text at the top level of the file.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.content()?.get(key)?.as_str()
    }

    /// Returns true if the file proposes to delete the entry.
    pub fn is_deletion(&self) -> bool {
        self.content().is_some_and(proposes_deletion)
    }
}

impl Change {
    /// Returns a copy that is about to be edited.
    pub fn to_next(&self, version: u64) -> Change {
        Change { version, sum: OnceLock::new(), ..self.clone() }
    }

    /// Returns the SHA-256 of everything that the change proposes, in hexadecimal digits. Approvals
    /// are bound to it, so nobody must find another proposal with the same sum. The states from
    /// which proposals were begun belong to it: they decide which values are published.
    pub fn sum(&self) -> &str {
        self.sum.get_or_init(|| {
            let mut sum = Sha256::new();
            let mut add = |part: &[u8]| {
                sum.update((part.len() as u64).to_le_bytes());
                sum.update(part);
            };
            for files in [&self.proposals, &self.bases] {
                add(&(files.len() as u64).to_le_bytes());
                for ((of, id), file) in files {
                    [of.as_bytes(), id.as_bytes(), &file.bytes].into_iter().for_each(&mut add);
                }
            }
            sum.finalize().iter().map(|it| format!("{it:02x}")).collect()
        })
    }

    /// Returns true if the change can still be worked on. Without a record, it can.
    pub fn is_active(&self) -> bool {
        self.record.as_ref().is_none_or(|it| it.state.is_active())
    }

    /// Returns true if the publication of the change is planned.
    pub fn is_planned(&self) -> bool {
        self.is_active() && self.record.as_ref().is_some_and(|it| it.publish_at.is_some())
    }

    /// Returns the time at which the change is published by itself, if it is planned and was not
    /// tried in vain as it is.
    pub fn planned_at(&self) -> Option<Timestamp> {
        let record = self.record.as_ref().filter(|it| it.state.is_active())?;
        let has_failed = record.failure.as_ref().is_some_and(|it| it.sum == self.sum());
        record.publish_at.filter(|_| !has_failed)
    }

    /// Returns the revision of the change: another one after every edit of its record or files.
    pub fn rev(&self) -> Checksum {
        let record = self.record_sum.unwrap_or_default().to_hex();
        Checksum::of_pieces([record.as_slice(), self.sum().as_bytes()].into_iter())
    }

    /// Returns the state from which the proposal for an entry was begun.
    pub fn base(&self, place: &EntryPlace) -> Option<&Map> {
        self.bases.get(place)?.content()
    }
}

impl ChangeIndex {
    /// Returns a change by its id.
    pub fn get(&self, id: &str) -> Option<&Arc<Change>> {
        self.by_id.get(id)
    }

    /// Lists the planned publications, the earliest first.
    pub fn list_planned(&self) -> Vec<PlannedPublication<'_>> {
        let planned = self.by_id.iter().filter_map(|(id, it)| Some((it.planned_at()?, id, it)));
        let mut planned: Vec<_> = planned.collect();
        planned.sort_by_key(|(at, id, _)| (*at, *id));
        planned
    }

    /// Returns all changes in the order of their ids.
    pub fn iter(&self) -> impl Iterator<Item = (&EntryId, &Arc<Change>)> {
        self.by_id.iter()
    }

    /// Puts a change in the place of an earlier one, or removes it if nothing is left of it.
    pub fn set(&mut self, id: EntryId, change: Change) {
        let is_empty = change.proposals.is_empty() && change.bases.is_empty();
        if change.record.is_none() && !change.is_record_broken && is_empty {
            self.by_id.remove(&id);
        } else {
            self.by_id.insert(id, Arc::new(change));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::name::TypeName;

    #[test]
    fn every_edit_gives_another_sum() {
        let change = Change::default();
        let place = (TypeName::parse("posts").unwrap(), EntryId::parse("a").unwrap());
        let file = |text: &'static str| ProposedFile {
            bytes: Bytes::from_static(text.as_bytes()),
            json: None,
            modified: Timestamp::from_seconds(0),
        };
        let mut sums = vec![change.sum().to_string()];
        let mut add = |edit: &dyn Fn(&mut Change)| {
            let mut next = change.to_next(1);
            edit(&mut next);
            sums.push(next.sum().to_string());
        };
        add(&|it| _ = it.proposals.insert(place.clone(), file("1")));
        add(&|it| _ = it.proposals.insert(place.clone(), file("2")));
        add(&|it| _ = it.bases.insert(place.clone(), file("1")));
        let n_sums = sums.len();
        sums.sort();
        sums.dedup();
        assert_eq!(sums.len(), n_sums);
    }
}
