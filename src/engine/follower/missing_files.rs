//! Files that are missing and may be back in a moment.

use std::collections::BTreeMap;
use std::collections::HashSet;
use std::sync::Arc;

use crate::engine::load::loader;
use crate::model::media::MediaItem;
use crate::model::name::Filename;
use crate::model::name::TypeName;
use crate::model::name::WorkspaceSlug;
use crate::query::index::media_index::MediaIndex;
use crate::store::layout::Folder;
use crate::store::layout::Key;
use crate::store::read::load::FileRef;
use crate::store::read::sweep::FileChange;
use crate::store::read::sweep::Reconciler;

/// Files of one workspace that are missing and may be back in a moment. What is listed anew takes
/// them for being there: nothing is shown to anybody because somebody is saving it.
#[derive(Default)]
pub(crate) struct MissingFiles {
    /// Of types that are defined anew.
    pub(crate) entries: BTreeMap<TypeName, Vec<FileRef>>,
    media: HashSet<Filename>,
    /// Files of which something is said.
    said: HashSet<Filename>,
}

impl MissingFiles {
    pub(crate) fn new(
        reconciler: &Reconciler,
        ws: &WorkspaceSlug,
        changes: &[FileChange],
    ) -> MissingFiles {
        let types = changes.iter().filter_map(|it| match &it.key {
            Key::Schema(_, name) => Some(name.clone()),
            _ => None,
        });
        let entries = |name: TypeName| {
            let files = reconciler.overdue_in(&Folder::Entries(ws.clone(), name.clone()));
            (name, files)
        };
        let names = |folder: Folder| {
            let files = reconciler.overdue_in(&folder).into_iter();
            files.filter_map(|it| loader::filename(&it).cloned()).collect()
        };
        MissingFiles {
            entries: types.map(entries).collect(),
            media: names(Folder::Media(ws.clone())),
            said: names(Folder::MediaMeta(ws.clone())),
        }
    }

    /// Returns true if a media file, or the meta file of one, is missing.
    pub(crate) fn has_media(&self) -> bool {
        !self.media.is_empty() || !self.said.is_empty()
    }

    /// Adds the missing files to those that were found, as they were.
    pub(crate) fn restore_missing(
        &self,
        mut items: Vec<Arc<MediaItem>>,
        before: &MediaIndex,
    ) -> Vec<Arc<MediaItem>> {
        for item in &mut items {
            let known = before.get(item.filename.as_str());
            if let Some(known) = known.filter(|it| self.said.contains(&it.filename)) {
                *item = Arc::new(restore_meta(item, known));
            }
        }
        let there: HashSet<&Filename> = items.iter().map(|it| &it.filename).collect();
        let missing = before.iter().filter(|it| self.media.contains(&it.filename));
        let missing: Vec<_> = missing.filter(|it| !there.contains(&it.filename)).cloned().collect();
        items.extend(missing);
        items
    }
}

/// The file as it is, and what was said of it.
fn restore_meta(item: &MediaItem, before: &MediaItem) -> MediaItem {
    let by_file = before.uploaded_at == before.modified;
    MediaItem {
        uploaded_at: if by_file { item.modified } else { before.uploaded_at },
        size: item.size,
        mime: item.mime,
        width: item.width,
        height: item.height,
        sketch: item.sketch.clone(),
        is_broken: item.is_broken,
        modified: item.modified,
        tag: item.tag,
        ..before.clone()
    }
}
