//! The changes of a workspace after files of theirs changed.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;

use crate::engine::apply::effects::Effects;
use crate::engine::apply::file_states::FileStates;
use crate::engine::parse::file_parser;
use crate::engine::parse::workspace_files;
use crate::model::name::EntryId;
use crate::query::index::change_index::Change;
use crate::query::index::change_index::ChangeIndex;
use crate::query::index::change_index::ProposedFile;
use crate::store::layout::Key;
use crate::store::read::sweep::FileChange;
use crate::store::read::sweep::SweptFile;

/// Computes the next index of changes; nothing if no file of theirs changed.
pub(super) fn apply_changes(
    known: Option<&ChangeIndex>,
    states: &FileStates,
    version: u64,
    effects: &mut Effects<'_>,
) -> Option<Arc<ChangeIndex>> {
    if states.changes.is_empty() {
        return None;
    }
    let mut next = known.cloned().unwrap_or_default();
    let mut touched: BTreeMap<EntryId, Change> = BTreeMap::new();
    for file in &states.changes {
        let (Key::Change(_, id) | Key::Proposal(_, id, ..) | Key::ProposalBase(_, id, ..)) =
            &file.key
        else {
            continue;
        };
        let change = touched.entry(id.clone()).or_insert_with(|| {
            next.get(id).map(|it| it.as_ref()).unwrap_or(&Change::default()).to_next(version)
        });
        apply_file(change, file, effects);
    }
    for (id, change) in touched {
        next.set(id, change);
    }
    Some(Arc::new(next))
}

fn apply_file(change: &mut Change, file: &FileChange, effects: &mut Effects<'_>) {
    match &file.key {
        Key::Change(..) => apply_record(change, file, effects),
        Key::Proposal(_, _, of, id) => {
            set_file(&mut change.proposals, (of.clone(), id.clone()), read_file(file, effects));
        }
        Key::ProposalBase(_, _, of, id) => {
            set_file(&mut change.bases, (of.clone(), id.clone()), read_file(file, effects));
        }
        _ => {}
    }
}

fn apply_record(change: &mut Change, file: &FileChange, effects: &mut Effects<'_>) {
    // A record that cannot be read must not leave a link in force.
    (change.record, change.record_sum) = (None, None);
    change.is_record_broken = !matches!(file.now, SweptFile::Missing);
    let SweptFile::Read { content, .. } = &file.now else { return };
    let read = workspace_files::parse_change_record(&file.path, content);
    effects.set_problems(&file.path, read.problems);
    if let Some((record, sum)) = read.value {
        (change.record, change.record_sum) = (Some(Arc::new(record)), Some(sum));
        change.is_record_broken = false;
    }
}

fn set_file<K: Ord>(files: &mut BTreeMap<K, ProposedFile>, place: K, state: Option<ProposedFile>) {
    match state {
        Some(file) => _ = files.insert(place, file),
        None => _ = files.remove(&place),
    }
}

/// The state of a proposed file; nothing if there is none. One that cannot be read blocks the
/// publication of its change.
fn read_file(file: &FileChange, effects: &mut Effects<'_>) -> Option<ProposedFile> {
    match &file.now {
        SweptFile::Missing => None,
        SweptFile::Read { content, stat } => {
            let json = match content.json() {
                Some(json) => Some(json.clone()),
                None => {
                    let read = file_parser::parse_json(&file.path, content);
                    effects.set_problems(&file.path, read.problems);
                    read.value
                }
            };
            Some(ProposedFile {
                bytes: Bytes::copy_from_slice(content),
                json: json.map(Arc::new),
                modified: file_parser::modified_at(stat),
            })
        }
        SweptFile::Seen(_) | SweptFile::Unreadable(_) => {
            Some(ProposedFile { bytes: Bytes::new(), json: None, modified: Default::default() })
        }
    }
}
