//! Revisions of edits by hand, and the removal of the oldest where there are too many.

use std::collections::BTreeSet;
use std::time::Duration;

use crate::engine::error::CommitError;
use crate::engine::follower::Follower;
use crate::model::revision::RevisionEvent;
use crate::model::revision::RevisionName;
use crate::stdx::checksum::Checksum;
use crate::store::disk;
use crate::store::disk::Disk;
use crate::store::disk::FolderItem;
use crate::store::layout::EntryCopy;
use crate::store::layout::FilePath;
use crate::store::layout::Folder;
use crate::store::layout::Key;
use crate::store::read::body_pack::WithdrawnBody;
use crate::store::read::removed_bodies;
use crate::store::write::commit;
use crate::store::write::file_op::FileOp;
use crate::store::write::file_op::FileTransaction;

/// The longest wait, before revisions are listed, for those that are about to be written.
const REVISIONS_WAIT_MAX: Duration = Duration::from_secs(2);

/// The size of all revisions of one media file. The number of revisions is bounded as well.
const MEDIA_REVISIONS_BYTES_MAX: u64 = 1024 * 1024 * 1024;

impl Follower {
    /// Keeps replaced bodies of edits by hand as revisions, where nobody waits for it.
    pub(crate) fn save_replaced_bodies(&self, replaced: Vec<(Key, WithdrawnBody)>) {
        if replaced.is_empty() || self.records.max_revisions() == 0 || self.folder.read_only {
            return;
        }
        let mut changes = Vec::with_capacity(replaced.len());
        for (key, body) in replaced {
            changes.extend(self.plan_disk_revision(&key).map(|path| (path, body)));
        }
        let disk = self.folder.disk.clone();
        self.folder.errands.enqueue(move || {
            for some in changes.chunks(512) {
                write_revisions(&*disk, some);
            }
        });
    }

    /// Ids that are used again: what is kept of the entries that had them, which somebody deleted
    /// by hand, becomes a revision of those that have them now, where nobody waits for it.
    pub(crate) fn save_returned_bodies(&self, returned: Vec<(Key, Checksum)>) {
        if returned.is_empty() || self.records.max_revisions() == 0 || self.folder.read_only {
            return;
        }
        let revisions: Vec<(String, Checksum, FilePath)> = returned
            .into_iter()
            .filter_map(|(key, sum)| {
                let path = key.path();
                let is_kept = self.folder.has_removed_body(&path);
                let revision = is_kept.then(|| self.plan_disk_revision(&key)).flatten()?;
                Some((path, sum, revision))
            })
            .collect();
        if revisions.is_empty() {
            return;
        }
        let disk = self.folder.disk.clone();
        self.folder.errands.enqueue(move || {
            for (path, sum, revision) in revisions {
                save_removed_body(&*disk, &path, sum, revision);
            }
        });
    }

    /// Waits until the bodies that edits by hand have replaced are kept as revisions: a moment,
    /// unless there are very many of them.
    pub fn finish_revisions(&self) {
        self.folder.errands.wait_at_most(REVISIONS_WAIT_MAX);
    }

    /// Lists the revisions in a folder, oldest first. Those beyond the number that is kept are left
    /// out: after quick edits they are there until the next look at the folder.
    pub fn list_revisions(&self, folder: &Folder) -> Result<Vec<Key>, CommitError> {
        let mut keys = self.folder.list_keys(folder)?;
        // Once none are kept any more, those of before stay.
        if let Ok(most @ 1..) = usize::try_from(self.records.max_revisions()) {
            keys.drain(..keys.len().saturating_sub(most));
        }
        Ok(keys)
    }

    /// Chooses the path of the revision of an entry that was edited by hand.
    fn plan_disk_revision(&self, key: &Key) -> Option<FilePath> {
        let Key::Entry(ws, of, id) = key else { return None };
        let name =
            RevisionName { id: self.folder.new_id(), event: Some(RevisionEvent::Disk), by: None };
        let copy = EntryCopy::first(id.clone());
        let path = Key::Revision(ws.clone(), of.clone(), copy, name.to_id()).into();
        self.mark_overfull(&path);
        Some(path)
    }

    pub(crate) fn mark_overfull(&self, revision: &FilePath) {
        if self.records.max_revisions() > 0 {
            let folder = revision.key().folder();
            self.overfull.lock().insert(folder);
        }
    }

    /// Removes the oldest revisions of entries and files that have too many.
    pub(crate) fn prune_revisions(&self) {
        let folders: BTreeSet<Folder> = std::mem::take(&mut *self.overfull.lock());
        let Ok(most) = usize::try_from(self.records.max_revisions()) else { return };
        for place in folders {
            let folder = place.path();
            let Ok(listing) = self.folder.disk.list(&folder) else { continue };
            // Their names sort by time. What is not ours is left alone.
            let is_ours = |it: &&FolderItem| place.classify_file(&it.name).into_ours().is_some();
            let ours: Vec<&FolderItem> = listing.items.iter().filter(is_ours).collect();
            let kept = match place {
                Folder::MediaRevisions(..) => count_kept_files(&ours, most),
                _ => most,
            };
            let too_many = ours.len().saturating_sub(kept);
            let old: Vec<String> =
                ours.into_iter().take(too_many).map(|it| format!("{folder}/{}", it.name)).collect();
            if let Err(error) = disk::remove_files(&*self.folder.disk, &old) {
                tracing::warn!(%error, folder, "an old revision cannot be removed");
            }
        }
    }
}

/// Returns how many of the newest revisions of a media file are kept: at most `most`, of together
/// no more than [`MEDIA_REVISIONS_BYTES_MAX`]. The newest one is kept whatever its size.
fn count_kept_files(revisions: &[&FolderItem], most: usize) -> usize {
    let newest_first = revisions.iter().rev().take(most);
    let totals = newest_first.scan(0_u64, |total, it| {
        *total = total.saturating_add(it.stat.size);
        Some(*total)
    });
    let n_fitting = totals.take_while(|it| *it <= MEDIA_REVISIONS_BYTES_MAX).count();
    n_fitting.max(most.min(1))
}

/// Moves the last body of a deleted file to a revision, unless the file says the same again.
fn save_removed_body(disk: &dyn Disk, path: &str, sum: Checksum, revision: FilePath) {
    let Some(kept) = removed_bodies::find_newest(disk, path) else { return };
    let mut bytes = Vec::new();
    if disk.read(&kept, &mut bytes).is_err() || Checksum::of_bytes(&bytes) == sum {
        return;
    }
    let change = FileTransaction::single(FileOp::Place { source: kept, path: revision });
    if let Err(outcome) = commit::commit_transactions(disk, &[change]) {
        tracing::warn!(?outcome, "what was deleted by hand is no revision of what has its id now");
    }
}

fn write_revisions(disk: &dyn Disk, revisions: &[(FilePath, WithdrawnBody)]) {
    let change = |(path, body): &(FilePath, WithdrawnBody)| {
        let create = FileOp::Create { path: path.clone(), bytes: body.read()?.into() };
        Some(FileTransaction::single(create))
    };
    let changes: Vec<FileTransaction> = revisions.iter().filter_map(change).collect();
    if let Err(outcome) = commit::commit_transactions(disk, &changes) {
        tracing::warn!(?outcome, "what was edited by hand is not kept as it was");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::disk::FileKind;
    use crate::store::disk::Stat;

    #[test]
    fn the_newest_files_are_kept() {
        const MIB: u64 = 1024 * 1024;
        // Sizes in MiB, oldest first.
        let check = |sizes: &[u64], most: usize, expect: usize| {
            let item = |mib: &u64| FolderItem {
                name: "1.png".to_string(),
                kind: FileKind::File,
                stat: Stat { size: mib * MIB, ..Stat::default() },
            };
            let items: Vec<FolderItem> = sizes.iter().map(item).collect();
            let items: Vec<&FolderItem> = items.iter().collect();
            assert_eq!(count_kept_files(&items, most), expect, "{sizes:?} {most}");
        };
        check(&[], 50, 1);
        check(&[1, 1, 1], 50, 3);
        check(&[1, 1, 1], 2, 2);
        check(&[1, 1, 1], 0, 0);
        check(&[600, 600, 424], 50, 2);
        check(&[1, 600, 425], 50, 1);
        check(&[1, 2000], 50, 1);
    }
}
