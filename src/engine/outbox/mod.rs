//! Events on their way out: to the activity log, to live streams and to webhooks.

pub mod activity;
pub mod feed;
pub mod operations;
mod running_operations;
pub mod webhook_queues;
pub(crate) mod webhooks;

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::engine::folder::OpenFolder;
use crate::engine::outbox::activity::ActivityRange;
use crate::engine::outbox::feed::Feed;
use crate::engine::outbox::webhook_queues::WebhookQueues;
use crate::engine::records::Records;
use crate::model::event::EmittedEvent;
use crate::model::event::Event;
use crate::model::event_record;
use crate::model::name::WorkspaceSlug;
use crate::store::error::StoreError;

/// Events on their way out.
pub struct EventOutbox {
    pub(crate) folder: Arc<OpenFolder>,
    pub(crate) records: Arc<Records>,
    feed: Feed,
    pub(crate) webhooks: WebhookQueues,
}

impl EventOutbox {
    /// An outbox in which nothing waits but what the last server left.
    pub(crate) fn new(folder: Arc<OpenFolder>, records: Arc<Records>) -> EventOutbox {
        let webhooks = WebhookQueues::new(folder.disk.clone());
        EventOutbox { folder, records, feed: Feed::default(), webhooks }
    }

    /// The feed of recent events.
    pub fn feed(&self) -> &Feed {
        &self.feed
    }

    /// The queues and logs of webhooks.
    pub fn webhooks(&self) -> &WebhookQueues {
        &self.webhooks
    }

    /// Gives events of a workspace their ids and time, and tells everybody.
    pub(crate) fn emit(&self, ws: &WorkspaceSlug, events: Vec<Event>) {
        self.emit_all(Some(ws), events);
    }

    /// Gives events that concern no workspace their ids and time, and tells everybody.
    pub fn emit_system(&self, events: Vec<Event>) {
        self.emit_all(None, events);
    }

    fn emit_all(&self, ws: Option<&WorkspaceSlug>, events: Vec<Event>) {
        if events.is_empty() {
            return;
        }
        let told = self.name_events(ws, events);
        self.share_news(|| event_record::encode_events(&told));
        self.receive(told);
    }

    /// Tells other servers, if there are any, of what is no change of files.
    pub(crate) fn share_news(&self, text: impl FnOnce() -> String) {
        let Some(replica) = &self.folder.replica else { return };
        let (replica, text) = (replica.clone(), text());
        self.folder.errands.enqueue(move || {
            if let Err(error) = replica.commit_news(text) {
                tracing::warn!(%error, "other servers do not hear of what happened here");
            }
        });
    }

    /// Gives events their ids and time.
    pub(crate) fn name_events(
        &self,
        ws: Option<&WorkspaceSlug>,
        events: Vec<Event>,
    ) -> Vec<Arc<EmittedEvent>> {
        let at = self.folder.clock.now();
        let told = |event| {
            Arc::new(EmittedEvent {
                id: self.folder.new_id().to_string(),
                at,
                workspace: ws.cloned(),
                event,
            })
        };
        events.into_iter().map(told).collect()
    }

    /// Tells everybody here of events.
    pub(crate) fn receive(&self, told: Vec<Arc<EmittedEvent>>) {
        if told.is_empty() {
            return;
        }
        // A folder made for a line would look as if what is missing were back, with nothing in it.
        let may_make_folder = || !self.records.has_lost_system();
        if !self.folder.read_only
            && let Err(error) = activity::append_events(&*self.folder.disk, &told, may_make_folder)
        {
            tracing::warn!(%error, "the activity log cannot be written");
        }
        self.queue_messages(&told);
        self.feed.push(told);
    }

    /// Passes the lines of the activity log to `each`, the latest first, until it has enough.
    /// Returns true if that was all: a log may be longer than is looked at.
    pub fn read_activity(
        &self,
        span: ActivityRange,
        each: &mut dyn FnMut(&[u8]) -> ControlFlow<()>,
    ) -> Result<bool, StoreError> {
        activity::read_lines(&*self.folder.disk, span, each)
    }

    /// Returns the number of bytes of the activity log that are read for a part of it.
    pub fn measure_activity(&self, span: ActivityRange) -> Result<u64, StoreError> {
        activity::measure_lines(&*self.folder.disk, span)
    }
}
