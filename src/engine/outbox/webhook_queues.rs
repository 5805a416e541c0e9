//! The queues of messages to webhooks: a file of waiting messages and a log of attempts for each.

use std::collections::HashMap;
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::OnceLock;

use crate::engine::outbox::running_operations::RunningOperations;
use crate::model::name::EntryId;
use crate::model::webhook::DeliveryAttempt;
use crate::model::webhook::Webhook;
use crate::model::webhook::WebhookMessage;
use crate::stdx::sync::Mutex;
use crate::stdx::time::Timestamp;
use crate::store::disk::Disk;
use crate::store::error::StoreError;
use crate::store::layout;
use crate::store::logs::delivery_log::DeliveryLog;
use crate::store::logs::outbox::MessageGroup;
use crate::store::logs::outbox::Outbox;
use crate::store::logs::outbox::QueuedMessage;

/// The longest time for which a call waits for the end of an operation. A server that is slow does
/// not delay messages forever.
const OPERATION_SECONDS_MAX: i64 = 60;

/// The pause after a failed read of waiting messages.
const READ_AGAIN_SECONDS: i64 = 5;

/// Queues and logs of all webhooks.
pub struct WebhookQueues {
    disk: Arc<dyn Disk>,
    posts: Mutex<HashMap<EntryId, Arc<Mutex<WebhookQueue>>>>,
    pub(super) running: Arc<RunningOperations>,
    bell: OnceLock<Box<dyn Fn() + Send + Sync>>,
}

/// The queue and the log of one webhook.
pub(crate) struct WebhookQueue {
    pub(crate) outbox: Outbox,
    pub(crate) log: DeliveryLog,
    running: Arc<RunningOperations>,
    /// The URL at which the first message was tried: another one is tried at once.
    pub(crate) tried_at: Option<String>,
    /// Up to which message the call tells that is being tried. What comes later is told by the
    /// next.
    pub(crate) batch_to: Option<u64>,
    /// The time to look at the messages again, after they could not be read.
    pub(crate) read_again_at: Option<Timestamp>,
    /// Messages that another server has delivered, until they are the first that wait.
    settled: HashSet<String>,
}

/// A message that is to be sent now.
#[derive(Debug)]
pub struct DueMessage {
    /// The webhook that receives it.
    pub webhook: Arc<Webhook>,
    /// The message itself.
    pub message: WebhookMessage,
    /// The message that waits first, and the last that is told.
    pub(crate) first: u64,
    pub(crate) last: u64,
    pub(crate) attempt: u32,
}

impl WebhookQueues {
    pub(crate) fn new(disk: Arc<dyn Disk>) -> WebhookQueues {
        WebhookQueues {
            disk,
            posts: Mutex::default(),
            running: Arc::default(),
            bell: OnceLock::new(),
        }
    }

    /// Sets the function that is called when there may be something to send. The first one counts.
    pub fn set_waker(&self, bell: impl Fn() + Send + Sync + 'static) {
        let _ = self.bell.set(Box::new(bell));
    }

    /// Wakes the sender: there may be something to send.
    pub fn wake_sender(&self) {
        if let Some(bell) = self.bell.get() {
            bell();
        }
    }

    pub(crate) fn open_queue(&self, id: &EntryId) -> Arc<Mutex<WebhookQueue>> {
        let mut posts = self.posts.lock();
        let open = || {
            let (outbox, log) = (self.disk.clone(), self.disk.clone());
            let outbox = Outbox::open(outbox, id.clone());
            let post = WebhookQueue {
                outbox,
                log: DeliveryLog::open(log, id.clone()),
                running: self.running.clone(),
                tried_at: None,
                batch_to: None,
                read_again_at: None,
                settled: HashSet::new(),
            };
            Arc::new(Mutex::new(post))
        };
        posts.entry(id.clone()).or_insert_with(open).clone()
    }

    /// Forgets what there is of webhooks that are no more.
    pub(crate) fn retain_webhooks(&self, webhooks: &[Arc<Webhook>]) {
        let is_there = |id: &str| webhooks.iter().any(|it| it.id == *id);
        self.posts.lock().retain(|id, _| is_there(id));
        let Ok(listing) = self.disk.list(layout::WEBHOOKS) else { return };
        for item in listing.items {
            let stem = item.name.split('.').next().unwrap_or_default();
            if !is_there(stem) {
                // What stays is a few bytes that nobody looks at.
                let _ = self.disk.remove(&format!("{}/{}", layout::WEBHOOKS, item.name));
            }
        }
    }
}

impl WebhookQueue {
    /// Takes messages away that another server has delivered.
    pub(crate) fn settle_messages(&mut self, ids: Vec<String>) -> Result<(), StoreError> {
        self.settled.extend(ids);
        while !self.settled.is_empty()
            && let Some(first) = self.outbox.read_first()?
            && self.settled.remove(&first.message.id)
        {
            self.outbox.mark_done(first.number)?;
        }
        // What is not waiting here was not heard of here.
        if self.outbox.is_empty() {
            self.settled.clear();
        }
        Ok(())
    }

    /// Writes an attempt down. A line that is missing is missing in a list alone.
    pub(crate) fn record_attempt(&mut self, attempt: DeliveryAttempt) {
        if let Err(error) = self.log.record_attempt(attempt) {
            tracing::warn!(%error, "the delivery log cannot be written");
        }
    }

    /// Returns the time to send the first message. Events that are told together are gathered for
    /// a while, from the first one on.
    pub(crate) fn due_time(
        &mut self,
        webhook: &Webhook,
        now: Timestamp,
    ) -> Option<Option<Timestamp>> {
        if let Some(later) = self.read_again_at.filter(|it| *it > now) {
            return Some(Some(later));
        }
        match self.due_as_read(webhook) {
            Ok(due) => due,
            Err(error) => Some(Some(self.read_later(&error, now))),
        }
    }

    pub(crate) fn due_as_read(
        &mut self,
        webhook: &Webhook,
    ) -> Result<Option<Option<Timestamp>>, StoreError> {
        self.outbox.ensure_read()?;
        let elsewhere = self.tried_at.as_ref().is_some_and(|it| *it != webhook.url);
        let Some(due) = self.outbox.next_due() else { return Ok(None) };
        let is_unfinished = !self.running.is_empty()
            && self.outbox.has_operation(self.call_end(webhook), |it| self.running.contains(it));
        let mut wait = i64::from(webhook.debounce_seconds);
        if is_unfinished {
            wait += OPERATION_SECONDS_MAX;
        }
        let gathered = match wait {
            0 => None,
            seconds => {
                let Some(first) = self.outbox.read_first()? else { return Ok(None) };
                let begun = first.message.at.seconds();
                Some(Timestamp::from_seconds(begun.saturating_add(seconds)))
            }
        };
        Ok(Some(due.filter(|_| !elsewhere).max(gathered)))
    }

    /// The last message of the next call, unless one is tried once more.
    fn call_end(&self, webhook: &Webhook) -> u64 {
        match webhook.debounce_seconds {
            0 => self.outbox.operation_end(),
            _ => self.outbox.last_number(),
        }
    }

    /// Leaves the messages where they are, to be looked at again after a while.
    pub(crate) fn read_later(&mut self, error: &StoreError, now: Timestamp) -> Timestamp {
        tracing::warn!(%error, "what waits for a webhook cannot be read");
        let later = Timestamp::from_seconds(now.seconds().saturating_add(READ_AGAIN_SECONDS));
        self.read_again_at = Some(later);
        later
    }

    /// The call that tells what waits from the first message on: that message itself, or several
    /// gathered.
    pub(crate) fn next_call(
        &mut self,
        webhook: &Webhook,
    ) -> Result<Option<(QueuedMessage, u64)>, StoreError> {
        let Some(waiting) = self.outbox.read_first()? else { return Ok(None) };
        let number = waiting.number;
        let is_single = webhook.debounce_seconds == 0 && waiting.message.operation.is_none();
        if is_single || waiting.message.is_call {
            return Ok(Some((waiting, number)));
        }
        // What is tried once more tells the same, so that the receiver knows it again.
        let tried = self.batch_to.filter(|it| waiting.attempts > 0 && *it >= number);
        let to = tried.unwrap_or_else(|| self.call_end(webhook));
        let Some(together) = self.outbox.read_group(to)? else {
            return Ok(Some((waiting, number)));
        };
        let MessageGroup { content, last: (last, message), counts } = together;
        self.batch_to = Some(last);
        let message = content.into_call(&message, counts);
        Ok(Some((QueuedMessage { message, ..waiting }, last)))
    }
}
