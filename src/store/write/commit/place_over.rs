//! The replacement of a file by a finished upload, whose bytes may be large: they are never read.

use std::io;

use crate::store::disk;
use crate::store::error::StoreError;
use crate::store::write::commit::CommitOutcome;
use crate::store::write::commit::StagedBytes;
use crate::store::write::commit::TransactionBatch;
use crate::store::write::commit::link_or_copy;
use crate::store::write::file_op::FileOp;

impl TransactionBatch<'_> {
    /// Gives an upload, whose bytes are durable, a name of its own from which it can be moved. Its
    /// first name stays: if the file has changed meanwhile, all of the change is repeated.
    pub(super) fn stage_upload(&mut self, source: &str, path: &str) -> Result<(), StoreError> {
        let place = disk::unfinished_path(self.disk, path);
        let staged = StagedBytes { place: place.clone(), stat: None, is_durable: true };
        self.waiting.push_back(staged);
        if link_or_copy(self.disk, source, &place)? {
            return Ok(());
        }
        Err(StoreError::io("read", source)(io::ErrorKind::NotFound.into()))
    }

    /// Moves the upload to its path, and removes its first name.
    pub(super) fn place_over(&mut self, op: &FileOp) -> CommitOutcome {
        let FileOp::PlaceOver { source, path, seen, keep } = op else {
            return CommitOutcome::NotTried;
        };
        match self.replace_file(path, Some(*seen), keep.as_deref()) {
            Ok(Some(_)) => {
                // Whoever wrote the upload would do so too, but only after the stat of the file
                // was recorded, which a removed name changes.
                let _ = self.disk.remove(source);
                CommitOutcome::Done(None)
            }
            Ok(None) => CommitOutcome::Stale(path.clone()),
            Err(outcome) => outcome,
        }
    }
}
