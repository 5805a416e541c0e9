//! Changes of this server, recorded so that they are not found as news.

use crate::engine::folder::own_write::OwnWrite;
use crate::engine::follower::Follower;
use crate::query::index::snapshot::Snapshot;
use crate::store::disk::Stat;
use crate::store::layout::Folder;
use crate::store::layout::Key;
use crate::store::write::file_op::FileOp;
use crate::store::write::file_op::FileTransaction;

impl Follower {
    /// Remembers what a change of ours did to the files, so that it is not found as news. `written`
    /// is the stat of the file that its step wrote, if it is known.
    pub(crate) fn record_own_write(
        &self,
        base: Option<&Snapshot>,
        change: &FileTransaction,
        written: Option<Stat>,
    ) {
        let mut learned = Vec::new();
        let mut returned = Vec::new();
        for op in change.ops() {
            if let Some((path, bytes)) = op.written_file() {
                let is_step = change.steps.first().is_some_and(|it| std::ptr::eq(it, op));
                let known = written.filter(|_| is_step);
                self.folder.record_written(path, bytes, known, &mut learned);
            }
            if let Some(path) = op.removed_file() {
                self.folder.record_removed(path.key(), path, &mut learned);
            }
            match op {
                FileOp::Replace { keep: Some(kept), .. } => self.mark_overfull(kept),
                FileOp::Create { path, bytes } if matches!(path.key(), Key::Entry(..)) => {
                    returned.push((path.key().clone(), bytes.sum()));
                }
                FileOp::RemoveFolder { folder: Folder::Entries(ws, of) } => {
                    let index = base.and_then(|it| it.get(of.as_str()));
                    for (_, doc) in index.iter().flat_map(|it| it.iter()) {
                        let key = Key::Entry(ws.clone(), of.clone(), doc.to_id());
                        self.folder.record_removed(&key, &key.path(), &mut learned);
                    }
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
