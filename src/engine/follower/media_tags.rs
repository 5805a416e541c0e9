//! Tags of large media files. The files are read when nobody waits, so that the tag of each is made
//! of its bytes; until then it is made of the state of the file.

use std::sync::Arc;
use std::time::Duration;

use crate::engine::apply::file_states::FileStates;
use crate::engine::apply::file_states::MediaStates;
use crate::engine::follower::Follower;
use crate::engine::follower::missing_files::MissingFiles;
use crate::engine::workspaces::registry::Workspaces;
use crate::engine::workspaces::workspace::Workspace;
use crate::model::event::Event;
use crate::model::event::EventKind;
use crate::model::event::Subject;
use crate::model::media::MediaItem;
use crate::model::media::MediaTag;
use crate::stdx::checksum::Checksum;
use crate::store::disk::Stat;
use crate::store::layout::Key;
use crate::store::read::moment::Moment;

/// The pause before another look at a file that changed just now, or cannot be read.
const RETRY: Duration = Duration::from_secs(3);

/// The longest time until then: each further try waits twice as long.
const RETRY_MAX: Duration = Duration::from_secs(300);

/// The most files that are read before their tags are published.
const BATCH_MAX: usize = 64;

/// So much read is published at once, in bytes.
const BATCH_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// A file and the sum of its bytes.
struct TaggedMedia {
    item: Arc<MediaItem>,
    sum: Checksum,
}

impl Follower {
    /// Reads media files whose bytes are not known, whenever there are any, until the engine is
    /// closed.
    pub(crate) fn tag_media_until_closed(&self) {
        let workspaces = self.workspaces.workspaces();
        self.folder.sums.retain(|path| is_served(&workspaces, path));
        self.folder.sketches.retain(|path| is_served(&workspaces, path));
        drop(workspaces);
        let mut retry = RETRY;
        let mut is_done = self.tag_media();
        while let Some(woken) = self.folder.sums.wait_for_request((!is_done).then_some(retry)) {
            is_done = self.tag_media();
            retry = if woken { RETRY } else { RETRY_MAX.min(retry * 2) };
        }
    }

    /// Reads all media files whose bytes are not known. Returns true if none is left: one that
    /// changes while it is read is left to the next time.
    pub fn tag_media(&self) -> bool {
        let workspaces = self.workspaces.workspaces();
        let mut is_done = true;
        for workspace in workspaces.values() {
            let items: Vec<Arc<MediaItem>> = {
                let snapshot = workspace.current_snapshot();
                let unread = snapshot.media.iter().filter(|it| it.tag.content.is_none());
                unread.cloned().collect()
            };
            let (mut batch, mut bytes) = (Vec::new(), 0_u64);
            for item in items {
                if self.folder.sums.is_closed() {
                    break;
                }
                let size = item.size;
                match self.sum_media_file(workspace, &item) {
                    Some(sum) => batch.push(TaggedMedia { item, sum }),
                    None => is_done = false,
                }
                bytes = bytes.saturating_add(size);
                if batch.len() >= BATCH_MAX || bytes >= BATCH_BYTES_MAX {
                    self.publish_tags(workspace, std::mem::take(&mut batch));
                    bytes = 0;
                }
            }
            self.publish_tags(workspace, batch);
        }
        is_done
    }

    /// Reads one file; nothing when it is not in the state that is known, or may have changed since
    /// without a sign of it.
    fn sum_media_file(&self, workspace: &Workspace, item: &MediaItem) -> Option<Checksum> {
        let path = Key::Media(workspace.slug.clone(), item.filename.clone()).path();
        let (mut file, stat) = self.folder.disk.open(&path).ok()?;
        let is_known = |it: &Stat| it.compute_sum() == item.tag.state;
        if !is_known(&stat) || Moment::now().is_racy(&stat) {
            return None;
        }
        let read = self.folder.sums.sum_slowly(&mut file);
        let read = read.inspect_err(|error| tracing::warn!(path, %error, "a file cannot be read"));
        let sum = read.ok().flatten()?;
        let after = self.folder.disk.stat(&path).ok()?.stat;
        if !is_known(&after) {
            return None;
        }
        self.folder.sums.record_sum(&path, &after, sum);
        Some(sum)
    }

    /// Publishes what was learned of files that are still in the state in which they were read.
    fn publish_tags(&self, workspace: &Workspace, tagged: Vec<TaggedMedia>) {
        if tagged.is_empty() {
            return;
        }
        let events = workspace.line.run_exclusive(|| {
            let current = workspace.current_snapshot();
            let (mut media, mut events) = (MediaStates::default(), Vec::new());
            for TaggedMedia { item, sum } in tagged {
                let now = current.media.get(item.filename.as_str());
                let Some(now) = now.filter(|it| it.tag.state == item.tag.state) else { continue };
                let tag = MediaTag::of_content(item.tag.state, sum);
                if now.tag.before.is_some_and(|it| it != sum) {
                    let subject = Subject::Media { filename: now.filename.to_string() };
                    events.push(Event::from_disk(EventKind::MediaUpdated, subject));
                }
                let path = Key::Media(workspace.slug.clone(), now.filename.clone()).path();
                let mut read = MediaItem { tag, ..MediaItem::clone(now) };
                read.set_sketch(self.folder.sketches.get(&path, sum));
                media.items.push((now.filename.clone(), Some(Arc::new(read))));
            }
            let states = FileStates { media: Some(media), ..FileStates::default() };
            let applied = self.apply_states(&current, &states, &MissingFiles::default());
            if let Some(next) = applied.snapshot {
                self.workspaces.publish(workspace, Arc::new(next));
            }
            events
        });
        self.outbox.emit(&workspace.slug, events);
    }
}

/// Returns true if a path is that of a media file that is served.
fn is_served(workspaces: &Workspaces, path: &str) -> bool {
    let Some(Key::Media(ws, name)) = Key::parse(path) else { return false };
    let workspace = workspaces.get(&ws);
    workspace.is_some_and(|it| it.current_snapshot().media.get(name.as_str()).is_some())
}
