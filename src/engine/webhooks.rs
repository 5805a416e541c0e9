//! What webhooks are told: queued with the change that it is about, kept until it was sent or given
//! up, and remembered for a while. Sending it is for whoever may wait for others.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::MutexGuard;
use std::sync::OnceLock;
use std::sync::PoisonError;

use crate::engine::Engine;
use crate::engine::commit::CommitError;
use crate::model::event::Told;
use crate::model::name::EntryId;
use crate::model::webhook::Attempt;
use crate::model::webhook::Message;
use crate::model::webhook::Outcome;
use crate::model::webhook::State;
use crate::model::webhook::Webhook;
use crate::stdx::time::Timestamp;
use crate::store::delivery_log::DeliveryLog;
use crate::store::disk::Disk;
use crate::store::layout;
use crate::store::outbox::GivenUp;
use crate::store::outbox::Outbox;

/// Queues and logs of all webhooks.
pub struct Webhooks {
    disk: Arc<dyn Disk>,
    posts: Mutex<HashMap<EntryId, Arc<Mutex<Post>>>>,
    bell: OnceLock<Box<dyn Fn() + Send + Sync>>,
}

/// What there is of one webhook.
struct Post {
    outbox: Outbox,
    log: DeliveryLog,
    /// Where the first message was tried: another place is worth another try at once.
    tried_at: Option<String>,
}

/// A message that is to be sent now.
#[derive(Debug)]
pub struct Sending {
    /// To whom.
    pub webhook: Arc<Webhook>,
    /// What.
    pub message: Message,
    number: u64,
    attempt: u32,
}

impl Webhooks {
    pub(super) fn new(disk: Arc<dyn Disk>) -> Webhooks {
        Webhooks { disk, posts: Mutex::default(), bell: OnceLock::new() }
    }

    /// Who is told that there may be something to send. The first one counts.
    pub fn on_news(&self, bell: impl Fn() + Send + Sync + 'static) {
        let _ = self.bell.set(Box::new(bell));
    }

    /// There may be something to send.
    pub fn ring(&self) {
        if let Some(bell) = self.bell.get() {
            bell();
        }
    }

    fn post(&self, id: &EntryId) -> Arc<Mutex<Post>> {
        let mut posts = lock(&self.posts);
        let open = || {
            let (outbox, log) = (self.disk.clone(), self.disk.clone());
            let outbox = Outbox::open(outbox, id.clone());
            let post = Post { outbox, log: DeliveryLog::open(log, id.clone()), tried_at: None };
            Arc::new(Mutex::new(post))
        };
        posts.entry(id.clone()).or_insert_with(open).clone()
    }

    /// Forgets what there is of webhooks that are no more.
    fn forget_all_but(&self, webhooks: &[Arc<Webhook>]) {
        let is_there = |id: &str| webhooks.iter().any(|it| it.id == *id);
        lock(&self.posts).retain(|id, _| is_there(id));
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

impl Post {
    /// Writes an attempt down. A line that is missing is missing in a list alone.
    fn note(&mut self, attempt: Attempt) {
        if let Err(error) = self.log.add(attempt) {
            tracing::warn!(%error, "the delivery log cannot be written");
        }
    }

    /// When the first message is to be sent.
    fn due(&self, webhook: &Webhook) -> Option<Option<Timestamp>> {
        let elsewhere = self.tried_at.as_ref().is_some_and(|it| *it != webhook.url);
        self.outbox.due().map(|due| due.filter(|_| !elsewhere))
    }
}

impl Engine {
    /// Queues and logs of webhooks.
    pub fn webhooks(&self) -> &Webhooks {
        &self.webhooks
    }

    /// The webhook of this id.
    pub fn webhook(&self, id: &str) -> Option<Arc<Webhook>> {
        self.installation().webhooks().iter().find(|it| it.id == *id).cloned()
    }

    /// Queues what webhooks want to be told. Nothing is synced: a power cut may cost a message, the
    /// end of the process does not.
    pub(super) fn post(&self, told: &[Arc<Told>]) {
        let installation = self.installation();
        if self.read_only {
            return;
        }
        let mut any = false;
        for webhook in installation.webhooks().iter() {
            let wanted = told.iter().filter(|it| webhook.wants(it));
            let messages: Vec<Message> = wanted.map(|it| Message::of(it, &webhook.id)).collect();
            if messages.is_empty() {
                continue;
            }
            any = true;
            let post = self.webhooks.post(&webhook.id);
            let mut post = lock(&post);
            match post.outbox.push(messages) {
                Ok(None) => {}
                Ok(Some(given_up)) => self.note_given_up(&mut post, webhook, given_up),
                Err(error) => {
                    tracing::error!(webhook = %webhook.id, %error, "a webhook will not be told");
                }
            }
        }
        if any {
            self.webhooks.ring();
        }
    }

    fn note_given_up(&self, post: &mut Post, webhook: &Webhook, given_up: GivenUp) {
        let count = given_up.count;
        tracing::warn!(webhook = %webhook.id, count, "too many messages wait; the oldest are given up");
        if let Some(last) = given_up.last {
            let (id, now) = (self.new_id(), self.clock.now());
            post.note(Attempt::dropped(&id, &webhook.id, &last, now, count));
        }
    }

    /// The webhooks that have something to be sent, and when.
    pub fn webhooks_due(&self) -> Vec<(EntryId, Timestamp)> {
        let now = self.clock.now();
        let installation = self.installation();
        let active = installation.webhooks().iter().filter(|it| it.is_active());
        let due = active.filter_map(|webhook| {
            let due = lock(&self.webhooks.post(&webhook.id)).due(webhook)?;
            Some((webhook.id.clone(), due.unwrap_or(now)))
        });
        due.collect()
    }

    /// The message that is to be sent to a webhook now, if one is.
    pub fn next_sending(&self, id: &EntryId) -> Option<Sending> {
        let webhook = self.webhook(id).filter(|it| it.is_active())?;
        let post = self.webhooks.post(id);
        let mut post = lock(&post);
        let is_due = post.due(&webhook)?.is_none_or(|it| it <= self.clock.now());
        let waiting = if is_due { post.outbox.first()? } else { return None };
        post.tried_at = Some(webhook.url.clone());
        let (number, attempt) = (waiting.number, waiting.attempts.saturating_add(1));
        Some(Sending { webhook, message: waiting.message, number, attempt })
    }

    /// What came of sending a message: it is done with, or waits for the next time.
    pub fn sent(&self, sending: &Sending, outcome: &Outcome) {
        let Sending { webhook, message, number, attempt } = sending;
        if self.webhook(&webhook.id).is_none() {
            return;
        }
        let (id, now) = (self.new_id(), self.clock.now());
        let random = getrandom::u32().unwrap_or_default();
        let (state, next) = outcome.verdict(message, *attempt, now, random);
        let post = self.webhooks.post(&webhook.id);
        let mut post = lock(&post);
        let kept = match next {
            Some(next) => post.outbox.retry(*number, *attempt, next),
            None => post.outbox.done(*number),
        };
        if let Err(error) = kept {
            tracing::warn!(webhook = %webhook.id, %error, "a message may be sent once more");
        }
        let noted =
            Attempt::new(&id, &webhook.id, message, (*attempt, now), outcome, (state, next));
        tell_operator(&noted);
        post.note(noted);
    }

    /// Writes down what came of a test.
    pub fn tested(&self, webhook: &Webhook, message: &Message, outcome: &Outcome) -> Attempt {
        let (id, now) = (self.new_id(), self.clock.now());
        let state = if outcome.is_success() { State::Delivered } else { State::Failed };
        let when = (1, now);
        let attempt = Attempt::new(&id, &webhook.id, message, when, outcome, (state, None));
        if !self.read_only {
            lock(&self.webhooks.post(&webhook.id)).note(attempt.clone());
        }
        attempt
    }

    /// The attempts that are remembered of a webhook, newest first.
    pub fn attempts(&self, id: &EntryId) -> Vec<Attempt> {
        let post = self.webhooks.post(id);
        let post = lock(&post);
        post.log.all()
    }

    /// How many messages wait for webhooks.
    pub fn n_messages_waiting(&self) -> usize {
        let installation = self.installation();
        let waiting = |it: &Arc<Webhook>| lock(&self.webhooks.post(&it.id)).outbox.len();
        installation.webhooks().iter().map(waiting).sum()
    }

    /// How many messages wait for a webhook, and its newest attempt.
    pub fn standing(&self, id: &EntryId) -> (usize, Option<Attempt>) {
        let post = self.webhooks.post(id);
        let post = lock(&post);
        (post.outbox.len(), post.log.last().cloned())
    }

    /// The webhook and the attempt of this id.
    pub fn attempt(&self, id: &str) -> Option<(Arc<Webhook>, Attempt)> {
        let installation = self.installation();
        let mut found = installation.webhooks().iter().filter_map(|webhook| {
            let attempts = self.attempts(&webhook.id);
            Some((webhook.clone(), attempts.into_iter().find(|it| it.id == id)?))
        });
        found.next()
    }

    /// Sends a message once more: at once if it is the next one anyway, else after those that wait,
    /// the first of which is tried at once.
    pub fn send_again(&self, webhook: &Webhook, message: &Message) -> Result<(), CommitError> {
        self.may_write()?;
        let post = self.webhooks.post(&webhook.id);
        let mut post = lock(&post);
        let is_first = post.outbox.first().is_some_and(|it| it.message.id == message.id);
        if !is_first {
            let given_up = post.outbox.push(vec![message.clone()])?;
            given_up.into_iter().for_each(|it| self.note_given_up(&mut post, webhook, it));
        }
        post.outbox.hurry();
        drop(post);
        self.webhooks.ring();
        Ok(())
    }

    /// Takes note that webhooks were changed.
    pub fn webhooks_changed(&self) {
        self.webhooks.forget_all_but(self.installation().webhooks());
        self.webhooks.ring();
    }
}

/// The first failure of a message, and its end, are worth a line. The URL, which may hold a key, is
/// not in it.
fn tell_operator(attempt: &Attempt) {
    let Attempt { webhook, attempt: number, message, .. } = attempt;
    let (event, error) = (&message.event, attempt.error.as_deref().unwrap_or_default());
    match attempt.state {
        State::Retrying if *number == 1 => {
            tracing::warn!(webhook, event, error, "a webhook did not take a message");
        }
        State::Failed => tracing::warn!(webhook, event, error, number, "a message is given up"),
        _ => {}
    }
}

// Queue and log are whole after every step, so poison means nothing.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
