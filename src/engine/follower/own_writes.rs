//! Changes of this server, recorded so that they are not found as news.

use std::sync::PoisonError;

use crate::engine::folder::own_write::OwnWrite;
use crate::engine::follower::Follower;
use crate::query::index::snapshot::Snapshot;
use crate::stdx::checksum::Checksum;
use crate::store::layout::Folder;
use crate::store::layout::Key;
use crate::store::read::moment::Moment;
use crate::store::write::commit::FileOp;
use crate::store::write::commit::FileTransaction;

impl Follower {
    /// Remembers what a change of ours did to the files, so that it is not found as news.
    pub(crate) fn record_own_write(&self, base: Option<&Snapshot>, change: &FileTransaction) {
        let mut learned = Vec::new();
        let mut returned = Vec::new();
        let now = Moment::now();
        let ops = change.beforehand.iter().chain(&change.steps).chain(&change.afterwards);
        for op in ops {
            match op {
                FileOp::Create { path, bytes } | FileOp::Replace { path, bytes, .. } => {
                    self.folder.record_written(path, bytes, now, &mut learned);
                    match (op, Key::parse(path)) {
                        (FileOp::Replace { keep: Some(kept), .. }, _) => self.mark_overfull(kept),
                        (FileOp::Create { .. }, Some(key @ Key::Entry(..))) => {
                            returned.push((key, Checksum::of_bytes(bytes)));
                        }
                        _ => {}
                    }
                }
                FileOp::Remove { path } => self.folder.record_removed(path, &mut learned),
                FileOp::Rename { from, .. } => self.folder.record_removed(from, &mut learned),
                FileOp::RemoveFolder { folder } => {
                    if let Some(Folder::Entries(ws, of)) = Folder::parse(folder)
                        && let Some(index) = base.and_then(|it| it.get(of.as_str()))
                    {
                        for (_, doc) in index.iter() {
                            let key = Key::Entry(ws.clone(), of.clone(), doc.id.clone());
                            self.folder.record_removed(&key.path(), &mut learned);
                        }
                    }
                }
            }
        }
        let edited: Vec<String> = learned.iter().filter_map(OwnWrite::edited_path).collect();
        self.folder.own_writes.lock().unwrap_or_else(PoisonError::into_inner).append(&mut learned);
        // Once it is known what was written, so that the edit is seen to differ from it.
        edited.iter().for_each(|path| self.folder.watcher.mark_path(path));
        self.save_returned_bodies(returned);
    }
}
