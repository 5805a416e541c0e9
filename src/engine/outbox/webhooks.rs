//! Messages to webhooks: queued with the change that they are about, kept until they are sent or
//! given up, and remembered for a while. Sending them is for whoever may wait for others.

use std::sync::Arc;

use crate::engine::error::CommitError;
use crate::engine::outbox::EventOutbox;
use crate::engine::outbox::operations;
use crate::engine::outbox::webhook_queues::DueMessage;
use crate::engine::outbox::webhook_queues::WebhookQueue;
use crate::model::event::EmittedEvent;
use crate::model::event_record;
use crate::model::event_record::DeliveryNews;
use crate::model::name::EntryId;
use crate::model::webhook::DeliveryAttempt;
use crate::model::webhook::DeliveryOutcome;
use crate::model::webhook::DeliveryState;
use crate::model::webhook::Webhook;
use crate::model::webhook::WebhookMessage;
use crate::stdx::time::Timestamp;
use crate::store::logs::outbox::DroppedMessages;

impl EventOutbox {
    /// Queues what webhooks want to be told. Nothing is synced: a power cut may cost a message, the
    /// end of the process does not.
    pub(crate) fn queue_messages(&self, told: &[Arc<EmittedEvent>]) {
        let installation = self.records.installation();
        if self.folder.read_only {
            return;
        }
        let mut any = false;
        for webhook in installation.webhooks().iter() {
            let messages = operations::build_messages(webhook, told, &self.webhooks.running);
            if messages.is_empty() {
                continue;
            }
            any = true;
            let post = self.webhooks.open_queue(&webhook.id);
            let mut post = post.lock();
            match post.outbox.push(messages) {
                Ok(None) => {}
                Ok(Some(given_up)) => self.record_given_up(&mut post, webhook, given_up),
                Err(error) => {
                    tracing::error!(webhook = %webhook.id, %error, "a webhook gets no messages");
                }
            }
        }
        if any {
            self.webhooks.wake_sender();
        }
    }

    fn record_given_up(
        &self,
        post: &mut WebhookQueue,
        webhook: &Webhook,
        given_up: DroppedMessages,
    ) {
        let count = given_up.count;
        tracing::warn!(webhook = %webhook.id, count, "too many messages wait; the oldest are given up");
        if let Some(last) = given_up.last {
            let (id, now) = (self.folder.new_id(), self.folder.clock.now());
            post.record_attempt(DeliveryAttempt::new_dropped(&id, &webhook.id, &last, now, count));
        }
    }

    /// The webhooks that have something to be sent, and when.
    pub fn list_due_webhooks(&self) -> Vec<(EntryId, Timestamp)> {
        let now = self.folder.clock.now();
        let installation = self.records.installation();
        let active = installation.webhooks().iter().filter(|it| it.is_active());
        let due = active.filter_map(|webhook| {
            let due = self.webhooks.open_queue(&webhook.id).lock().due_time(webhook, now)?;
            Some((webhook.id.clone(), due.unwrap_or(now)))
        });
        due.collect()
    }

    /// The message that is to be sent to a webhook now, if one is.
    pub fn next_due_message(&self, id: &EntryId) -> Option<DueMessage> {
        if !self.folder.is_leader() {
            return None;
        }
        let webhook = self.records.find_webhook(id).filter(|it| it.is_active())?;
        let post = self.webhooks.open_queue(id);
        let mut post = post.lock();
        let now = self.folder.clock.now();
        if post.due_time(&webhook, now)?.is_some_and(|it| it > now) {
            return None;
        }
        let next = post.next_call(&webhook).unwrap_or_else(|error| {
            post.read_later(&error, now);
            None
        });
        let (waiting, last) = next?;
        post.tried_at = Some(webhook.url.clone());
        let (first, attempt) = (waiting.number, waiting.attempts.saturating_add(1));
        Some(DueMessage { webhook, message: waiting.message, first, last, attempt })
    }

    /// Records the outcome of a delivery: the message is done with, or waits for the next time.
    pub fn record_delivery(&self, sending: &DueMessage, outcome: &DeliveryOutcome) {
        let DueMessage { webhook, message, first, last, attempt } = sending;
        if self.records.find_webhook(&webhook.id).is_none() {
            return;
        }
        let (id, now) = (self.folder.new_id(), self.folder.clock.now());
        let random = getrandom::u32().unwrap_or_default();
        let (state, next) = outcome.decide_state(message, *attempt, now, random);
        let post = self.webhooks.open_queue(&webhook.id);
        let mut post = post.lock();
        let completed = match (next, &self.folder.replica) {
            (None, Some(_)) => post.outbox.list_ids(*last).unwrap_or_default(),
            _ => Vec::new(),
        };
        let kept = match next {
            Some(next) => post.outbox.record_retry(*first, *attempt, next),
            None => post.outbox.mark_done(*last),
        };
        if let Err(error) = kept {
            tracing::warn!(webhook = %webhook.id, %error, "a message may be sent once more");
        }
        let noted = DeliveryAttempt::new(
            &id,
            &webhook.id,
            message,
            (*attempt, now),
            outcome,
            (state, next),
        );
        log_failure(&noted);
        post.record_attempt(noted.clone());
        drop(post);
        self.share_news(|| {
            event_record::encode_delivery(DeliveryNews { attempt: noted, completed })
        });
    }

    /// Takes note of what the server did that delivers messages: this one may take its place.
    pub(crate) fn note_deliveries(&self, deliveries: Vec<DeliveryNews>) {
        for DeliveryNews { attempt, completed } in deliveries {
            let Some(webhook) = self.records.find_webhook(&attempt.webhook) else { continue };
            let post = self.webhooks.open_queue(&webhook.id);
            let mut post = post.lock();
            post.record_attempt(attempt);
            if let Err(error) = post.settle_messages(completed) {
                tracing::warn!(webhook = %webhook.id, %error, "a message may be sent once more");
            }
        }
    }

    /// Records the outcome of a test.
    pub fn record_test(
        &self,
        webhook: &Webhook,
        message: &WebhookMessage,
        outcome: &DeliveryOutcome,
    ) -> DeliveryAttempt {
        let (id, now) = (self.folder.new_id(), self.folder.clock.now());
        let state =
            if outcome.is_success() { DeliveryState::Delivered } else { DeliveryState::Failed };
        let when = (1, now);
        let attempt = DeliveryAttempt::new(&id, &webhook.id, message, when, outcome, (state, None));
        if !self.folder.read_only {
            self.webhooks.open_queue(&webhook.id).lock().record_attempt(attempt.clone());
        }
        attempt
    }

    /// The attempts that are remembered of a webhook, newest first.
    pub fn list_attempts(&self, id: &EntryId) -> Vec<DeliveryAttempt> {
        let post = self.webhooks.open_queue(id);
        let post = post.lock();
        post.log.list_attempts()
    }

    /// The number of messages that wait for webhooks.
    pub fn n_messages_waiting(&self) -> usize {
        let installation = self.records.installation();
        let waiting = |it: &Arc<Webhook>| self.webhooks.open_queue(&it.id).lock().outbox.len();
        installation.webhooks().iter().map(waiting).sum()
    }

    /// The number of messages that wait for a webhook, and its newest attempt.
    pub fn queue_status(&self, id: &EntryId) -> (usize, Option<DeliveryAttempt>) {
        let post = self.webhooks.open_queue(id);
        let post = post.lock();
        (post.outbox.len(), post.log.last_attempt().cloned())
    }

    /// The webhook and the attempt of this id.
    pub fn find_attempt(&self, id: &str) -> Option<(Arc<Webhook>, DeliveryAttempt)> {
        let installation = self.records.installation();
        let mut found = installation.webhooks().iter().filter_map(|webhook| {
            let attempts = self.list_attempts(&webhook.id);
            Some((webhook.clone(), attempts.into_iter().find(|it| it.id == id)?))
        });
        found.next()
    }

    /// Sends a message once more: at once if it is the next one anyway, else after those that wait,
    /// the first of which is tried at once.
    pub fn send_again(
        &self,
        webhook: &Webhook,
        message: &WebhookMessage,
    ) -> Result<(), CommitError> {
        self.records.check_writable()?;
        let post = self.webhooks.open_queue(&webhook.id);
        let mut post = post.lock();
        let is_first = post.outbox.read_first()?.is_some_and(|it| it.message.id == message.id);
        if !is_first {
            let given_up = post.outbox.push(vec![message.clone()])?;
            given_up.into_iter().for_each(|it| self.record_given_up(&mut post, webhook, it));
        }
        post.outbox.retry_now();
        drop(post);
        self.webhooks.wake_sender();
        Ok(())
    }

    /// Takes note that webhooks were changed. While some of them cannot be read, none is forgotten.
    pub fn drop_removed_webhooks(&self) {
        let installation = self.records.installation();
        if installation.knows_all_webhooks() {
            self.webhooks.retain_webhooks(installation.webhooks());
        }
        self.webhooks.wake_sender();
    }
}

/// The first failure of a message, and its end, are worth a line. The URL, which may hold a key, is
/// not in it.
fn log_failure(attempt: &DeliveryAttempt) {
    let DeliveryAttempt { webhook, attempt: number, message, .. } = attempt;
    let (event, error) = (&message.event, attempt.error.as_deref().unwrap_or_default());
    match attempt.state {
        DeliveryState::Retrying if *number == 1 => {
            tracing::warn!(webhook, event, error, "a webhook did not accept a message");
        }
        DeliveryState::Failed => {
            tracing::warn!(webhook, event, error, number, "a message is given up")
        }
        _ => {}
    }
}
