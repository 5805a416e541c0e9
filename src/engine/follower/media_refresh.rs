//! The media of a workspace after files of theirs changed.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::engine::follower::Follower;
use crate::engine::follower::adopted_edits::AdoptedEdits;
use crate::engine::follower::missing_files::MissingFiles;
use crate::engine::follower::workspace_changes::WorkspaceChanges;
use crate::engine::load::loader;
use crate::engine::load::loader::FileIdentity;
use crate::engine::load::loader::Loader;
use crate::engine::load::media_loader;
use crate::engine::load::media_loader::RereadMedia;
use crate::engine::load::media_loader::reload_media;
use crate::engine::parse::file_parser::ReadFile;
use crate::engine::parse::workspace_files;
use crate::model::media::category::Categories;
use crate::model::name::Filename;
use crate::query::index::media_index::MediaChanges;
use crate::query::index::media_index::MediaIndex;
use crate::query::index::snapshot::Snapshot;
use crate::stdx::checksum::Checksum;
use crate::stdx::time::Timestamp;
use crate::store::disk::ReadError;
use crate::store::layout::Folder;
use crate::store::layout::Key;
use crate::store::read::load::FileRef;
use crate::store::read::load::scan_folders;

/// Up to so many media files are looked at one by one; of more, their folders are listed.
const MEDIA_FEW: usize = 500;

impl Follower {
    /// The snapshot with its media as they are now.
    pub(crate) fn apply_media(
        &self,
        snapshot: Snapshot,
        batch: &WorkspaceChanges,
        awaited: &MissingFiles,
        version: u64,
        taken: &mut AdoptedEdits,
    ) -> Snapshot {
        if batch.media.is_empty() && batch.categories.is_none() {
            return snapshot;
        }
        if !awaited.has_media() && batch.media.len() <= MEDIA_FEW {
            let declared = batch.categories.is_some();
            let declared =
                declared.then(|| self.read_categories(&snapshot, self.folder.clock.now()));
            return self.apply_few_media(snapshot, &batch.media, declared, version, taken);
        }
        let ws = &snapshot.workspace;
        let folders = [Folder::Media(ws.clone()), Folder::MediaMeta(ws.clone())];
        let files = match scan_folders(&*self.folder.disk, &folders) {
            Ok(scan) => scan.files,
            Err(error) => {
                tracing::error!(%error, workspace = %ws, "the media cannot be listed");
                folders.into_iter().for_each(|it| self.folder.mark_missed(it));
                return snapshot;
            }
        };
        let (files, metas): (Vec<FileRef>, Vec<FileRef>) =
            files.into_iter().partition(|it| matches!(it.key, Key::Media(..)));
        let read = media_loader::load_media(
            &Loader::of_folder(&self.folder),
            &files,
            &metas,
            &snapshot.media,
        );
        let now = self.folder.clock.now();
        for (file, problems, seen) in read.seen {
            match (seen, problems.first()) {
                // Read again, although the sweep that found it could read it.
                (FileIdentity::Not, Some(problem)) => {
                    self.folder.record_unseen(file.key, problem.clone())
                }
                _ => self.folder.problems.set_file(&file.path(), problems, now),
            }
        }
        let categories = self.read_categories(&snapshot, now);
        let items = awaited.restore_missing(read.items, &snapshot.media);
        let media = MediaIndex::build(items, categories, loader::first_generation(version));
        let before = &snapshot.media;
        for item in media.iter() {
            taken.add_media(before.get(item.filename.as_str()), Some(item));
        }
        for item in before.iter().filter(|it| media.get(it.filename.as_str()).is_none()) {
            self.folder.sums.forget_file(&Key::Media(ws.clone(), item.filename.clone()).path());
            taken.add_media(Some(item), None);
        }
        snapshot.with_media(Arc::new(media), version)
    }

    /// The categories as their file declares them, or as it last did.
    fn read_categories(&self, snapshot: &Snapshot, now: Timestamp) -> Categories {
        let key = Key::Categories(snapshot.workspace.clone());
        let path = key.path();
        let (bytes, stat) = match self.folder.read_body(&path) {
            Ok(read) => read,
            Err(ReadError::Missing) => return Categories::default(),
            Err(error) => {
                if error.is_transient() {
                    self.folder.record_unseen(key, error.to_problem(&path));
                }
                return self.last_good_categories(&path);
            }
        };
        let ReadFile { value, problems } = workspace_files::parse_categories(&path, &bytes);
        self.folder.problems.set_file(&path, problems, now);
        let Some(categories) = value else { return self.last_good_categories(&path) };
        self.folder.save_last_good(&path, &bytes, &stat, Checksum::of_bytes(&bytes));
        categories
    }

    fn last_good_categories(&self, path: &str) -> Categories {
        let kept = self.folder.pack.as_ref().and_then(|it| it.get(path));
        kept.and_then(|it| workspace_files::parse_categories(path, &it.bytes).value)
            .unwrap_or_default()
    }

    /// The snapshot after changes of a few media files, and of the declared categories if they are
    /// given: no folder is listed, and the next index costs what has changed.
    pub(crate) fn apply_few_media(
        &self,
        snapshot: Snapshot,
        names: &BTreeSet<Filename>,
        declared: Option<Categories>,
        version: u64,
        taken: &mut AdoptedEdits,
    ) -> Snapshot {
        let before = &snapshot.media;
        let reread =
            reload_media(&Loader::of_folder(&self.folder), &snapshot.workspace, names, before);
        let RereadMedia { items, problems, unseen } = reread;
        unseen.into_iter().for_each(|(key, problem)| self.folder.record_unseen(key, problem));
        for (path, problems) in problems {
            self.folder.problems.set_file(&path, problems, self.folder.clock.now());
        }
        for (name, item) in &items {
            taken.add_media(before.get(name.as_str()), item.as_ref());
        }
        let media = before
            .with_changes(&MediaChanges { items, declared }, loader::first_generation(version));
        snapshot.with_media(Arc::new(media), version)
    }
}
