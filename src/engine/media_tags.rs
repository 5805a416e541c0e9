//! Large media files are read when nobody waits, so that the tag of each is made of its bytes. Until
//! then it is made of the state of the file.

use std::sync::Arc;
use std::time::Duration;

use crate::engine::Engine;
use crate::engine::load;
use crate::engine::workspace::Workspace;
use crate::model::event::Event;
use crate::model::event::EventKind;
use crate::model::event::Subject;
use crate::model::media::MediaItem;
use crate::model::media::MediaTag;
use crate::query::media_index::MediaChanges;
use crate::stdx::sum::Sum;
use crate::store::disk::Stat;
use crate::store::known::Moment;
use crate::store::layout::Key;

/// When to look again at a file that changed just now, or cannot be read.
const RETRY: Duration = Duration::from_secs(3);

/// The longest time until then: each further try waits twice as long.
const RETRY_MAX: Duration = Duration::from_secs(300);

/// How many files are read before what was learned is published.
const BATCH_MAX: usize = 64;

/// So much read is published at once, in bytes.
const BATCH_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// What was learned of a file.
struct Tagged {
    item: Arc<MediaItem>,
    sum: Sum,
}

impl Engine {
    /// Reads media files whose bytes are not known, whenever there are any, until the engine is
    /// closed.
    pub(super) fn tag_media_until_closed(&self) {
        let workspaces = self.workspaces();
        self.sums.retain(|path| is_there(&workspaces, path));
        drop(workspaces);
        let mut retry = RETRY;
        let mut is_done = self.tag_media();
        while let Some(woken) = self.sums.wait((!is_done).then_some(retry)) {
            is_done = self.tag_media();
            retry = if woken { RETRY } else { RETRY_MAX.min(retry * 2) };
        }
    }

    /// Reads all media files whose bytes are not known. Whether none is left: one that changes while
    /// it is read is left to the next time.
    pub fn tag_media(&self) -> bool {
        let workspaces = self.workspaces();
        let mut is_done = true;
        for workspace in workspaces.values() {
            let items: Vec<Arc<MediaItem>> = {
                let snapshot = workspace.current();
                let unread = snapshot.media.iter().filter(|it| it.tag.content.is_none());
                unread.cloned().collect()
            };
            let (mut batch, mut bytes) = (Vec::new(), 0_u64);
            for item in items {
                if self.sums.is_closed() {
                    break;
                }
                let size = item.size;
                match self.read_media(workspace, &item) {
                    Some(sum) => batch.push(Tagged { item, sum }),
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
    fn read_media(&self, workspace: &Workspace, item: &MediaItem) -> Option<Sum> {
        let path = Key::Media(workspace.slug.clone(), item.filename.clone()).path();
        let (mut file, stat) = self.disk.open(&path).ok()?;
        let is_known = |it: &Stat| it.sum() == item.tag.state;
        if !is_known(&stat) || Moment::now().is_racy(&stat) {
            return None;
        }
        let read = self.sums.read(&mut file);
        let read = read.inspect_err(|error| tracing::warn!(path, %error, "a file cannot be read"));
        let sum = read.ok().flatten()?;
        let after = self.disk.stat(&path).ok()?.stat;
        if !is_known(&after) {
            return None;
        }
        self.sums.put(&path, &after, sum);
        Some(sum)
    }

    /// Publishes what was learned of files that are still in the state in which they were read.
    fn publish_tags(&self, workspace: &Workspace, tagged: Vec<Tagged>) {
        if tagged.is_empty() {
            return;
        }
        let events = workspace.line.alone(|| {
            let current = workspace.current();
            let (mut changes, mut events) = (MediaChanges::default(), Vec::new());
            for Tagged { item, sum } in tagged {
                let now = current.media.get(item.filename.as_str());
                let Some(now) = now.filter(|it| it.tag.state == item.tag.state) else { continue };
                let tag = MediaTag::of_content(item.tag.state, sum);
                if now.tag.before.is_some_and(|it| it != sum) {
                    let subject = Subject::Media { filename: now.filename.to_string() };
                    events.push(Event::on_disk(EventKind::MediaUpdated, subject));
                }
                let read = MediaItem { tag, ..MediaItem::clone(now) };
                changes.items.push((now.filename.clone(), Some(Arc::new(read))));
            }
            let version = self.next_version();
            let media = current.media.with(&changes, load::epoch(version));
            let next = current.with_types(Vec::new(), version).with_media(Arc::new(media), version);
            workspace.publish(Arc::new(next), self);
            events
        });
        self.tell(&workspace.slug, events);
    }
}

/// Whether a path is that of a media file that is served.
fn is_there(workspaces: &crate::engine::Workspaces, path: &str) -> bool {
    let Some(Key::Media(ws, name)) = Key::parse(path) else { return false };
    let workspace = workspaces.get(&ws);
    workspace.is_some_and(|it| it.current().media.get(name.as_str()).is_some())
}
