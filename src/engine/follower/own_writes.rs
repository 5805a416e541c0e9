//! Changes of this server, recorded so that they are not found as news.

use crate::engine::folder::own_write::OwnWrite;
use crate::engine::follower::Follower;
use crate::query::index::snapshot::Snapshot;
use crate::store::layout::Folder;
use crate::store::layout::Key;
use crate::store::write::commit::WrittenStat;
use crate::store::write::file_op::FileOp;
use crate::store::write::file_op::FileTransaction;

impl Follower {
    /// Remembers what a change of ours did to the files, so that it is not found as news. `written`
    /// is the stat of the file that its step wrote, if it is known.
    pub(crate) fn record_own_write(
        &self,
        base: Option<&Snapshot>,
        change: &FileTransaction,
        written: Option<WrittenStat>,
    ) {
        let mut learned = Vec::new();
        let mut returned = Vec::new();
        let before = change.beforehand.iter().map(|op| (op, None));
        // A change with a known stat has one step.
        let steps = change.steps.iter().map(|op| (op, written));
        let after = change.afterwards.iter().map(|op| (op, None));
        for (op, known) in before.chain(steps).chain(after) {
            if let Some((path, bytes)) = op.written_file() {
                self.folder.record_written(path, bytes, known, &mut learned);
            }
            if let Some(path) = op.removed_file() {
                self.folder.record_removed(path.key(), path, &mut learned);
                if let Key::Trash(ws, of, copy) = path.key() {
                    self.folder.erase_packed_entry(ws, of, &copy.id);
                }
            }
            match op {
                FileOp::Replace { keep: Some(kept), .. }
                | FileOp::PlaceOver { keep: Some(kept), .. } => self.mark_overfull(kept),
                FileOp::Create { path, bytes } if matches!(path.key(), Key::Entry(..)) => {
                    returned.push((path.key().clone(), bytes.sum()));
                }
                FileOp::RemoveFolder { folder: Folder::Entries(ws, of) } => {
                    let index = base.and_then(|it| it.get(of.as_str()));
                    for (_, doc) in index.iter().flat_map(|it| it.iter()) {
                        let key = Key::Entry(ws.clone(), of.clone(), doc.to_id());
                        self.folder.record_removed(&key, &key.path(), &mut learned);
                    }
                    self.folder.erase_packed_type(ws, of);
                }
                _ => {}
            }
        }
        let edited: Vec<String> = learned.iter().filter_map(OwnWrite::edited_path).collect();
        self.folder.own_writes.lock().append(&mut learned);
        // Once it is known what was written, so that the edit is seen to differ from it.
        edited.iter().for_each(|path| self.folder.watcher.mark_path(path));
        self.save_returned_bodies(returned);
    }
}
