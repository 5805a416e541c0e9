//! Webhooks: their settings, tests, and the history of deliveries.

use std::collections::HashSet;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;

use crate::app::App;
use crate::app::access::Caller;
use crate::app::access::Requester;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::model::event::EventKind;
use crate::model::event::Subject;
use crate::model::grant::Action;
use crate::model::grant::Area;
use crate::model::grant::Facts;
use crate::model::grant::Resource;
use crate::model::name::EntryId;
use crate::model::problem::FieldProblems;
use crate::model::webhook::DeliveryAttempt;
use crate::model::webhook::DeliveryOutcome;
use crate::model::webhook::DeliveryState;
use crate::model::webhook::WEBHOOKS_MAX;
use crate::model::webhook::Webhook;
use crate::model::webhook::WebhookMessage;
use crate::model::webhook::WebhookRules;
use crate::model::webhook::WebhookSecret;
use crate::model::webhook::WebhooksReplace;
use crate::query::request::list_query::parse_window;
use crate::query::request::params::QueryParams;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::time::Timestamp;
use crate::store::layout::Key;

/// All webhooks in the form of the admin interface. Must not be logged: it contains new secrets.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Webhooks", description = "All webhooks.", deny_unknown_fields)]
pub struct WebhookList {
    /// The webhooks.
    webhooks: Vec<WebhookView>,
}

/// A webhook in the form of the admin interface.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Webhook", description = "A webhook.")]
#[schemars(extend("additionalProperties" = false))]
struct WebhookView {
    #[serde(flatten)]
    webhook: Webhook,
    /// True if it has a secret. Nothing is sent without one.
    secret_set: bool,
    /// The secret, only in the answer to the request that created it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("type" = "string"))]
    secret: Option<String>,
    /// The number of messages that are not sent yet.
    waiting: usize,
    /// The last attempt to send a message.
    last_delivery: Option<Delivery>,
}

/// A delivery attempt in the form of the admin interface.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(description = "An attempt to deliver a message.", deny_unknown_fields)]
pub struct Delivery {
    /// The id.
    id: String,
    /// The id of the webhook.
    webhook_id: String,
    /// The header `webhook-id`, the same for every attempt.
    message_id: String,
    /// The name of the event.
    event: String,
    /// The slug of the workspace of the event, if it has one.
    workspace: Option<String>,
    /// The time of the event.
    occurred_at: Timestamp,
    /// The time of the attempt.
    attempted_at: Timestamp,
    /// The number of the attempt.
    attempt: u32,
    /// The state of the message after the attempt.
    state: DeliveryState,
    /// The status of the receiver's answer.
    #[schemars(with = "Option<u32>")]
    status: Option<u16>,
    /// The time until the answer, in milliseconds.
    latency_ms: Option<u64>,
    /// The reason why it failed.
    error: Option<String>,
    /// The time of the next attempt, if there will be one.
    next_attempt_at: Option<Timestamp>,
    /// The id of the request that caused the event.
    request_id: Option<String>,
    /// The message that was sent.
    body: String,
    /// The first KiB of the receiver's answer.
    response: Option<String>,
}

impl From<DeliveryAttempt> for Delivery {
    fn from(attempt: DeliveryAttempt) -> Delivery {
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

/// Lists all webhooks.
pub fn list(app: &App, caller: &Caller) -> Result<WebhookList> {
    check_permission(caller)?;
    Ok(build_list(app, &HashSet::new()))
}

/// Replaces all webhooks. New secrets are shown only in this response.
pub fn replace(app: &App, by: &Requester, body: &Map) -> Result<WebhookList> {
    let whole = Resource::Whole(Area::Webhooks);
    let permit = by.check_permission("", Action::WebhooksManage, &whole, &Facts::default())?;
    let allow_private = app.settings().webhooks_allow_private;
    let new = app.engine.commit_system(|staging| {
        let old: Vec<Webhook> =
            staging.installation().webhooks().iter().map(|it| it.as_ref().clone()).collect();
        let rules = WebhookRules { allow_private };
        let mut random = random_secrets()?;
        let fresh = || {
            let secret = random.next().expect("there is one for each webhook that is taken");
            (staging.new_id(), WebhookSecret::issue(secret))
        };
        let parsed = WebhooksReplace::parse(body, &old, &rules).into_result();
        let parsed = parsed.map_err(Error::invalid_webhook)?;
        let webhooks = parsed.into_webhooks(staging.now(), fresh);
        let items: Vec<Json> = webhooks.iter().map(|(it, _)| it.to_file()).collect();
        let mut file = Map::new();
        file.push("webhooks", items);
        let mut write = staging.write(&permit);
        write.write_record(&Key::Webhooks, &Json::Object(file))?;
        let subject = Subject::Only { subject: "webhooks".into() };
        write.add_event(EventKind::WebhooksUpdated, subject);
        let new = webhooks.into_iter().filter(|(_, is_new)| *is_new).map(|(it, _)| it.id);
        Ok::<HashSet<EntryId>, Error>(new.collect())
    })?;
    app.engine.outbox().drop_removed_webhooks();
    Ok(build_list(app, &new))
}

/// Creates a test message for a webhook. Returns both.
pub fn create_test(app: &App, by: &Requester, id: &str) -> Result<(Arc<Webhook>, WebhookMessage)> {
    let webhook = find_webhook(app, &by.caller, id)?;
    if webhook.secret.is_none() {
        let problem = FieldProblems::from_problem(
            "secret",
            "Nothing is sent without a signing secret. Give this webhook one.",
        );
        return Err(Error::invalid_webhook(problem));
    }
    let (event, now) = (app.engine.folder().new_id(), app.engine.clock().now());
    let request = &by.actor.request_id;
    let message = WebhookMessage::build_test(&event, &webhook.id, &webhook.name, now, request);
    Ok((webhook, message))
}

/// Records the result of a test.
///
/// # Errors
///
/// Fails if the webhook did not accept the message.
pub fn record_test(
    app: &App,
    webhook: &Webhook,
    message: &WebhookMessage,
    outcome: &DeliveryOutcome,
) -> Result<Delivery> {
    let attempt = app.engine.outbox().record_test(webhook, message, outcome);
    match &attempt.error {
        None => Ok(attempt.into()),
        Some(error) => Err(Error::webhook_failed(error)),
    }
}

/// Returns a page of the deliveries to a webhook, newest first.
pub fn list_deliveries(
    app: &App,
    caller: &Caller,
    id: &str,
    query: &str,
) -> Result<(Vec<Delivery>, DeliveriesMeta)> {
    let webhook = find_webhook(app, caller, id)?;
    let params = QueryParams::parse(query).map_err(Error::bad_request)?;
    let mut problems = FieldProblems::new();
    let (limit, offset) = parse_window(&params, &mut problems);
    problems.into_result(()).map_err(Error::invalid)?;
    let attempts = app.engine.outbox().list_attempts(&webhook.id);
    let total = attempts.len();
    let page = attempts.into_iter().skip(offset).take(limit.unwrap_or(usize::MAX));
    let page: Vec<Delivery> = page.map(Delivery::from).collect();
    let limit = limit.unwrap_or(page.len());
    Ok((page, DeliveriesMeta { total, limit, offset }))
}

/// Sends a delivered message again.
pub fn redeliver(app: &App, by: &Requester, id: &str) -> Result<()> {
    check_permission(&by.caller)?;
    let found = app.engine.outbox().find_attempt(id);
    let (webhook, attempt) = found.ok_or_else(|| Error::not_found("delivery", id))?;
    if !webhook.is_active() {
        return Err(Error::conflict("This webhook is disabled, so nothing is sent to it."));
    }
    Ok(app.engine.outbox().send_again(&webhook, &attempt.message)?)
}

/// Returns a secret for each possible webhook.
fn random_secrets() -> Result<impl Iterator<Item = [u8; 32]>> {
    let mut random = [[0; 32]; WEBHOOKS_MAX];
    getrandom::fill(random.as_flattened_mut()).map_err(Error::internal)?;
    Ok(random.into_iter())
}

fn check_permission(caller: &Caller) -> Result<()> {
    let resource = Resource::Whole(Area::Webhooks);
    caller.check_permission("", Action::WebhooksManage, &resource, &Facts::default())
}

fn find_webhook(app: &App, caller: &Caller, id: &str) -> Result<Arc<Webhook>> {
    check_permission(caller)?;
    app.engine.records().find_webhook(id).ok_or_else(|| Error::not_found("webhook", id))
}

fn build_list(app: &App, new: &HashSet<EntryId>) -> WebhookList {
    let installation = app.engine.installation();
    let webhooks = installation.webhooks().iter().map(|webhook| {
        let shown = webhook.secret.as_ref().filter(|_| new.contains(&webhook.id));
        let (waiting, last) = app.engine.outbox().queue_status(&webhook.id);
        WebhookView {
            secret_set: webhook.secret.is_some(),
            secret: shown.map(|it| it.reveal().to_string()),
            waiting,
            last_delivery: last.map(Delivery::from),
            webhook: webhook.as_ref().clone(),
        }
    });
    WebhookList { webhooks: webhooks.collect() }
}
