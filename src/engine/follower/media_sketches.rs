//! Sketches of pictures that others have computed: they become part of what is served.

use std::sync::Arc;

use crate::engine::apply::file_states::FileStates;
use crate::engine::apply::file_states::MediaStates;
use crate::engine::follower::Follower;
use crate::engine::follower::missing_files::MissingFiles;
use crate::engine::workspaces::workspace::Workspace;
use crate::model::media::MediaItem;

impl Follower {
    /// Publishes the recorded sketches of these pictures, unless their bytes have changed since.
    pub fn publish_sketches(&self, workspace: &Workspace, sketched: &[Arc<MediaItem>]) {
        workspace.line.run_exclusive(|| {
            let current = workspace.current_snapshot();
            let mut media = MediaStates::default();
            for item in sketched {
                let Some(now) = current.media.get(item.filename.as_str()) else { continue };
                let Some(sum) = now.tag.content.filter(|it| Some(*it) == item.tag.content) else {
                    continue;
                };
                let mut read = MediaItem::clone(now);
                read.set_sketch(self.folder.find_sketch(&workspace.slug, &now.filename, sum));
                media.items.push((now.filename.clone(), Some(Arc::new(read))));
            }
            let states = FileStates { media: Some(media), ..FileStates::default() };
            let applied = self.apply_states(&current, &states, &MissingFiles::default());
            if let Some(next) = applied.snapshot {
                self.workspaces.publish(workspace, Arc::new(next));
            }
        });
    }
}
