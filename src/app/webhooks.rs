//! Webhooks: who is told of what, whether it arrives, and once more if it did not.

use std::collections::HashSet;
use std::sync::Arc;

use serde::Serialize;

use crate::app::App;
use crate::app::access::By;
use crate::app::access::Caller;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::model::event::Event;
use crate::model::event::EventKind;
use crate::model::event::Subject;
use crate::model::grant::Action;
use crate::model::grant::Area;
use crate::model::grant::Facts;
use crate::model::grant::Resource;
use crate::model::name::EntryId;
use crate::model::problem::FieldProblems;
use crate::model::webhook;
use crate::model::webhook::Attempt;
use crate::model::webhook::Message;
use crate::model::webhook::Outcome;
use crate::model::webhook::Rules;
use crate::model::webhook::Secret;
use crate::model::webhook::State;
use crate::model::webhook::WEBHOOKS_MAX;
use crate::model::webhook::Webhook;
use crate::query::list_query::window;
use crate::query::params::Params;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::time::Timestamp;
use crate::store::layout::Key;

/// All webhooks, as the admin interface sees them. Not to be printed: secrets that are new are in it.
#[derive(Serialize)]
pub struct Webhooks {
    webhooks: Vec<WebhookView>,
}

/// A webhook as the admin interface sees it.
#[derive(Serialize)]
struct WebhookView {
    #[serde(flatten)]
    webhook: Webhook,
    secret_set: bool,
    /// Shown once, when it is new.
    #[serde(skip_serializing_if = "Option::is_none")]
    secret: Option<String>,
    /// How many messages are still to be sent.
    waiting: usize,
    last_delivery: Option<Delivery>,
}

/// One attempt to tell a webhook something, as the admin interface sees it.
#[derive(Debug, Serialize)]
pub struct Delivery {
    id: String,
    webhook_id: String,
    message_id: String,
    event: String,
    workspace: Option<String>,
    occurred_at: Timestamp,
    attempted_at: Timestamp,
    attempt: u32,
    state: State,
    status: Option<u16>,
    latency_ms: Option<u64>,
    error: Option<String>,
    next_attempt_at: Option<Timestamp>,
    request_id: Option<String>,
    /// What was sent, to the byte.
    body: String,
    response: Option<String>,
}

impl From<Attempt> for Delivery {
    fn from(attempt: Attempt) -> Delivery {
        let message = attempt.message;
        Delivery {
            id: attempt.id,
            webhook_id: attempt.webhook,
            message_id: message.id,
            event: message.event,
            workspace: message.workspace,
            occurred_at: message.at,
            attempted_at: attempt.attempted_at,
            attempt: attempt.attempt,
            state: attempt.state,
            status: attempt.status,
            latency_ms: attempt.latency_ms,
            error: attempt.error,
            next_attempt_at: attempt.next_attempt_at,
            request_id: message.request_id,
            body: message.body,
            response: attempt.response,
        }
    }
}

/// The `meta` of a list of deliveries.
#[derive(Debug, Serialize)]
pub struct DeliveriesMeta {
    total: usize,
    limit: usize,
    offset: usize,
}

/// All webhooks.
pub fn list(app: &App, caller: &Caller) -> Result<Webhooks> {
    may(caller)?;
    Ok(view(app, &HashSet::new()))
}

/// Puts other webhooks in the place of all. Secrets that are new are shown this once.
pub fn replace(app: &App, by: &By, body: &Map) -> Result<Webhooks> {
    may(&by.caller)?;
    let allow_private = app.settings().webhooks_allow_private;
    let new = app.engine.commit_system(|staging| {
        let old: Vec<Webhook> =
            staging.installation().webhooks().iter().map(|it| it.as_ref().clone()).collect();
        let rules = Rules { allow_private, now: staging.now() };
        let mut random = random()?;
        let fresh = || {
            let secret = random.next().expect("there is one for each webhook that is taken");
            (staging.new_id(), Secret::issue(secret))
        };
        let asked = webhook::parse_request(body, &old, &rules, fresh);
        let asked = asked.map_err(Error::invalid_webhook)?;
        let items: Vec<Json> = asked.iter().map(|(it, _)| it.to_file()).collect();
        let mut file = Map::new();
        file.push("webhooks", items);
        staging.write(&Key::Webhooks, &Json::Object(file))?;
        let subject = Subject::Only { subject: "webhooks" };
        staging.tell(Event::by(&by.actor, EventKind::WebhooksUpdated, subject));
        let new = asked.into_iter().filter(|(_, is_new)| *is_new).map(|(it, _)| it.id);
        Ok::<HashSet<EntryId>, Error>(new.collect())
    })?;
    app.engine.webhooks_changed();
    Ok(view(app, &new))
}

/// A message that shows whether a webhook can be told something, and the webhook.
pub fn test(app: &App, by: &By, id: &str) -> Result<(Arc<Webhook>, Message)> {
    let webhook = find(app, &by.caller, id)?;
    if webhook.secret.is_none() {
        let problem = FieldProblems::one("secret", "Without a secret nothing is sent.");
        return Err(Error::invalid_webhook(problem));
    }
    let (event, now) = (app.engine.new_id(), app.engine.clock().now());
    let request = &by.actor.request_id;
    let message = Message::test(&event, &webhook.id, &webhook.name, now, request);
    Ok((webhook, message))
}

/// What came of a test. It fails when the webhook did not take it.
pub fn tested(
    app: &App,
    webhook: &Webhook,
    message: &Message,
    outcome: &Outcome,
) -> Result<Delivery> {
    let attempt = app.engine.tested(webhook, message, outcome);
    match &attempt.error {
        None => Ok(attempt.into()),
        Some(error) => Err(Error::webhook_failed(error)),
    }
}

/// A page of what was sent to a webhook, newest first.
pub fn deliveries(
    app: &App,
    caller: &Caller,
    id: &str,
    query: &str,
) -> Result<(Vec<Delivery>, DeliveriesMeta)> {
    let webhook = find(app, caller, id)?;
    let params = Params::parse(query).map_err(Error::bad_request)?;
    let mut problems = FieldProblems::new();
    let (limit, offset) = window(&params, &mut problems);
    if !problems.is_empty() {
        return Err(Error::invalid(problems));
    }
    let attempts = app.engine.attempts(&webhook.id);
    let total = attempts.len();
    let page = attempts.into_iter().skip(offset).take(limit.unwrap_or(usize::MAX));
    let page: Vec<Delivery> = page.map(Delivery::from).collect();
    let limit = limit.unwrap_or(page.len());
    Ok((page, DeliveriesMeta { total, limit, offset }))
}

/// Sends what was sent once more.
pub fn redeliver(app: &App, by: &By, id: &str) -> Result<()> {
    may(&by.caller)?;
    let found = app.engine.attempt(id);
    let (webhook, attempt) = found.ok_or_else(|| Error::not_found("delivery", id))?;
    if !webhook.is_active() {
        return Err(Error::conflict("This webhook is switched off; nothing is sent to it."));
    }
    Ok(app.engine.send_again(&webhook, &attempt.message)?)
}

/// A secret for each webhook there may be.
fn random() -> Result<impl Iterator<Item = [u8; 32]>> {
    let mut random = [[0; 32]; WEBHOOKS_MAX];
    getrandom::fill(random.as_flattened_mut()).map_err(Error::internal)?;
    Ok(random.into_iter())
}

fn may(caller: &Caller) -> Result<()> {
    let resource = Resource::Whole(Area::Webhooks);
    caller.may("", Action::WebhooksManage, &resource, &Facts::default()).map(|_| ())
}

fn find(app: &App, caller: &Caller, id: &str) -> Result<Arc<Webhook>> {
    may(caller)?;
    app.engine.webhook(id).ok_or_else(|| Error::not_found("webhook", id))
}

fn view(app: &App, new: &HashSet<EntryId>) -> Webhooks {
    let installation = app.engine.installation();
    let webhooks = installation.webhooks().iter().map(|webhook| {
        let shown = webhook.secret.as_ref().filter(|_| new.contains(&webhook.id));
        let (waiting, last) = app.engine.standing(&webhook.id);
        WebhookView {
            secret_set: webhook.secret.is_some(),
            secret: shown.map(|it| it.reveal().to_string()),
            waiting,
            last_delivery: last.map(Delivery::from),
            webhook: webhook.as_ref().clone(),
        }
    });
    Webhooks { webhooks: webhooks.collect() }
}
