//! The media files of a workspace as they are now, after some of them changed.

use std::collections::BTreeSet;

use crate::engine::apply::file_states::FileStates;
use crate::engine::apply::file_states::MediaStates;
use crate::engine::follower::Follower;
use crate::engine::follower::missing_files::MissingFiles;
use crate::engine::load::loader::FileIdentity;
use crate::engine::load::loader::Loader;
use crate::engine::load::media_loader;
use crate::engine::load::media_loader::MetaFiles;
use crate::engine::load::media_loader::RereadMedia;
use crate::model::name::Filename;
use crate::query::index::snapshot::Snapshot;
use crate::store::layout::Folder;
use crate::store::layout::Key;
use crate::store::read::load::FileRef;
use crate::store::read::load::scan_folders;

/// Up to so many media files are looked at one by one; of more, their folders are listed.
const MEDIA_FEW: usize = 500;

impl Follower {
    /// Looks at the media files that changed.
    pub(crate) fn observe_media(
        &self,
        known: &Snapshot,
        states: &mut FileStates,
        missing: &MissingFiles,
    ) {
        let names = &states.media_names;
        if names.is_empty() {
            return;
        }
        states.media = if !missing.has_media() && names.len() <= MEDIA_FEW {
            Some(self.observe_few_media(known, names))
        } else {
            self.observe_all_media(known, missing)
        };
    }

    /// Looks at these files alone: no folder is listed.
    pub(crate) fn observe_few_media(
        &self,
        known: &Snapshot,
        names: &BTreeSet<Filename>,
    ) -> MediaStates {
        let loader = Loader::of_folder(&self.folder);
        let RereadMedia { items, problems, unseen } =
            media_loader::reload_media(&loader, &known.workspace, names, &known.media);
        unseen.into_iter().for_each(|(key, problem)| self.folder.record_unseen(key, problem));
        MediaStates { items, are_all: false, problems }
    }

    /// Lists all media files; nothing, if they cannot be listed now.
    fn observe_all_media(&self, known: &Snapshot, missing: &MissingFiles) -> Option<MediaStates> {
        let ws = &known.workspace;
        let folders = [Folder::Media(ws.clone()), Folder::MediaMeta(ws.clone())];
        let scan = match scan_folders(&*self.folder.disk, &folders) {
            Ok(scan) => scan,
            Err(error) => {
                tracing::error!(%error, workspace = %ws, "the media cannot be listed");
                folders.into_iter().for_each(|it| self.folder.mark_missed(it));
                return None;
            }
        };
        let (files, metas): (Vec<FileRef>, Vec<FileRef>) =
            scan.into_files().partition(|it| matches!(it.key, Key::Media(..)));
        let loader = Loader::of_folder(&self.folder);
        let is_replaced = metas.is_empty() && media_loader::is_meta_replaced(loader.disk, ws);
        let metas = if is_replaced { MetaFiles::Hidden } else { MetaFiles::Listed(&metas) };
        let read = media_loader::load_media(&loader, &files, metas, &known.media);
        let mut problems = Vec::new();
        for (file, found, seen) in read.seen {
            match (seen, found.first()) {
                // Read again, although the sweep that found it could read it.
                (FileIdentity::Not, Some(problem)) => {
                    self.folder.record_unseen(file.key, problem.clone())
                }
                _ => problems.push((file.path(), found)),
            }
        }
        let items = missing.restore_missing(read.items, &known.media);
        let items = items.into_iter().map(|it| (it.filename.clone(), Some(it))).collect();
        Some(MediaStates { items, are_all: true, problems })
    }
}
