//! What becomes of the media of a workspace when files of theirs changed.

use std::sync::Arc;

use crate::engine::Engine;
use crate::engine::awaited::Awaited;
use crate::engine::load;
use crate::engine::read::ReadFile;
use crate::engine::refresh::Batch;
use crate::engine::taken::Taken;
use crate::model::category::Categories;
use crate::query::media_index::MediaIndex;
use crate::query::snapshot::Snapshot;
use crate::stdx::sum::Sum;
use crate::stdx::time::Timestamp;
use crate::store::disk::ReadError;
use crate::store::layout::Folder;
use crate::store::layout::Key;
use crate::store::load::FileRef;
use crate::store::load::scan;

/// Up to so many media files are looked at one by one; of more, their folders are listed.
const MEDIA_FEW: usize = 500;

impl Engine {
    /// The snapshot with its media as they are now.
    pub(super) fn with_media(
        &self,
        snapshot: Snapshot,
        batch: &Batch,
        awaited: &Awaited,
        version: u64,
        taken: &mut Taken,
    ) -> Snapshot {
        if batch.media.is_empty() && batch.categories.is_none() {
            return snapshot;
        }
        if !awaited.has_media() && batch.media.len() <= MEDIA_FEW {
            let declared = batch.categories.is_some();
            let declared = declared.then(|| self.declared_categories(&snapshot, self.clock.now()));
            return self.with_few_media(snapshot, &batch.media, declared, version, taken);
        }
        let ws = &snapshot.workspace;
        let folders = [Folder::Media(ws.clone()), Folder::MediaMeta(ws.clone())];
        let files = match scan(&*self.disk, &folders) {
            Ok(scan) => scan.files,
            Err(error) => {
                tracing::error!(%error, workspace = %ws, "the media cannot be listed");
                folders.into_iter().for_each(|it| self.miss(it));
                return snapshot;
            }
        };
        let (files, metas): (Vec<FileRef>, Vec<FileRef>) =
            files.into_iter().partition(|it| matches!(it.key, Key::Media(..)));
        let read = self.loader().media(&files, &metas, &snapshot.media);
        let now = self.clock.now();
        for (file, problems, _) in read.seen {
            self.problems.set(&file.path(), problems, now);
        }
        let categories = self.declared_categories(&snapshot, now);
        let items = awaited.kept(read.items, &snapshot.media);
        let media = MediaIndex::build(items, categories, load::epoch(version));
        let before = &snapshot.media;
        for item in media.iter() {
            taken.media(before.get(item.filename.as_str()), Some(item));
        }
        for item in before.iter().filter(|it| media.get(it.filename.as_str()).is_none()) {
            taken.media(Some(item), None);
        }
        snapshot.with_media(Arc::new(media), version)
    }

    /// The categories as their file declares them, or as it last did.
    fn declared_categories(&self, snapshot: &Snapshot, now: Timestamp) -> Categories {
        let key = Key::Categories(snapshot.workspace.clone());
        let path = key.path();
        let (bytes, stat) = match self.read_body(&path) {
            Ok(read) => read,
            Err(ReadError::Missing) => return Categories::default(),
            Err(error) => {
                if error.passes() {
                    self.learn_unseen(key, error.problem(&path));
                }
                return self.last_categories(&path);
            }
        };
        let ReadFile { value, problems } = load::categories(&path, &bytes);
        self.problems.set(&path, problems, now);
        let Some(categories) = value else { return self.last_categories(&path) };
        self.keep_body(&path, &bytes, &stat, Sum::of(&bytes));
        categories
    }

    fn last_categories(&self, path: &str) -> Categories {
        let kept = self.pack.as_ref().and_then(|it| it.get(path));
        kept.and_then(|it| load::categories(path, &it.bytes).value).unwrap_or_default()
    }
}
