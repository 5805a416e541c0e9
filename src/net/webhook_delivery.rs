//! The delivery of waiting messages to webhooks: one at a time to each webhook, to all webhooks
//! concurrently. A delivery that is interrupted by a stop of the server is repeated after the next
//! start.

use std::collections::HashMap;
use std::collections::HashSet;
use std::fmt;
use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use std::time::Instant;
use std::time::SystemTime;

use bytes::Bytes;
use http::HeaderMap;
use http::HeaderName;
use http::HeaderValue;
use http::Method;
use http::header;
use tokio::sync::Notify;
use tokio::task::JoinSet;
use tokio::time::sleep;
use tokio::time::timeout;

use crate::engine::Engine;
use crate::engine::outbox::webhook_queues::DueMessage;
use crate::model::name::EntryId;
use crate::model::webhook::DeliveryOutcome;
use crate::model::webhook::Webhook;
use crate::model::webhook::WebhookMessage;
use crate::net::http_client::Outgoing;
use crate::net::http_client::OutgoingLimits;
use crate::net::http_client::OutgoingPolicy;
use crate::net::http_client::OutgoingRequest;
use crate::net::http_client::OutgoingResponse;
use crate::stdx::time::Timestamp;

/// The longest time between two searches for due messages, since the clock may be set and the
/// machine may sleep.
const LOOK_EVERY: Duration = Duration::from_secs(30);

/// The time that running deliveries have to finish when the server stops.
const END_MAX: Duration = Duration::from_secs(2);

/// The content type of messages.
const JSON: HeaderValue = HeaderValue::from_static("application/json; charset=utf-8");

const WEBHOOK_ID: HeaderName = HeaderName::from_static("webhook-id");
const WEBHOOK_TIMESTAMP: HeaderName = HeaderName::from_static("webhook-timestamp");
const WEBHOOK_SIGNATURE: HeaderName = HeaderName::from_static("webhook-signature");
const X_RECTO_SIGNATURE: HeaderName = HeaderName::from_static("x-recto-signature");

/// A client that sends messages to webhooks.
pub struct WebhookClient {
    outgoing: Outgoing,
    limits: OutgoingLimits,
}

impl WebhookClient {
    /// Returns a client that sends by `outgoing`, within `limits`.
    pub fn new(outgoing: Outgoing, limits: OutgoingLimits) -> WebhookClient {
        WebhookClient { outgoing, limits }
    }

    /// Signs and sends one message.
    pub async fn send_message(
        &self,
        webhook: &Webhook,
        message: &WebhookMessage,
        now: Timestamp,
    ) -> DeliveryOutcome {
        let failed = |error: String, begun: Instant| {
            let latency_ms = count_millis(begun.elapsed());
            DeliveryOutcome { error: Some(error), latency_ms, ..DeliveryOutcome::default() }
        };
        let begun = Instant::now();
        let Some(headers) = sign_headers(webhook, message, now) else {
            return failed("There is no secret to sign with.".to_string(), begun);
        };
        let (url, body) = (webhook.url.clone(), Bytes::from(message.body.clone()));
        let request = OutgoingRequest { method: Method::POST, url, headers, body };
        match self.outgoing.send(request, self.limits).await {
            Ok(response) => classify_response(&response),
            Err(error) => failed(error.to_string(), begun),
        }
    }
}

impl Default for WebhookClient {
    fn default() -> WebhookClient {
        WebhookClient::new(Outgoing::new(OutgoingPolicy::new(false)), OutgoingLimits::SHORT)
    }
}

impl fmt::Debug for WebhookClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WebhookClient").field("limits", &self.limits).finish_non_exhaustive()
    }
}

/// Sends all due messages until `stop` resolves.
pub async fn run_deliveries(
    engine: Arc<Engine>,
    webhook_client: Arc<WebhookClient>,
    stop: impl Future<Output = ()>,
) {
    let bell = Arc::new(Notify::new());
    let rung = bell.clone();
    engine.outbox().webhooks().set_waker(move || rung.notify_one());
    let mut stop = pin!(stop);
    let mut under_way = ActiveDeliveries::default();
    loop {
        let pause = under_way.start_due(&engine, &webhook_client).await;
        tokio::select! {
            biased;
            () = &mut stop => break,
            () = under_way.wait_one(), if !under_way.is_empty() => {}
            () = bell.notified() => {}
            () = sleep(pause) => {}
        }
    }
    // Deliveries that do not finish in time are cancelled, and repeated after the next start.
    let _ = timeout(END_MAX, under_way.wait_all()).await;
}

/// The webhooks with a running delivery.
#[derive(Default)]
struct ActiveDeliveries {
    tasks: JoinSet<()>,
    webhooks: HashMap<tokio::task::Id, EntryId>,
}

impl ActiveDeliveries {
    fn is_empty(&self) -> bool {
        self.tasks.is_empty()
    }

    /// Starts deliveries to all webhooks with due messages. Returns the time until the next message
    /// is due.
    async fn start_due(
        &mut self,
        engine: &Arc<Engine>,
        webhook_client: &Arc<WebhookClient>,
    ) -> Duration {
        let looking = engine.clone();
        let due =
            run_blocking(move || looking.outbox().list_due_webhooks()).await.unwrap_or_default();
        let now = engine.clock().now();
        let busy: HashSet<EntryId> = self.webhooks.values().cloned().collect();
        let mut pause = LOOK_EVERY;
        for (webhook, at) in due.into_iter().filter(|(id, _)| !busy.contains(id)) {
            if at <= now {
                let telling = deliver_due(engine.clone(), webhook_client.clone(), webhook.clone());
                let task = self.tasks.spawn(telling);
                self.webhooks.insert(task.id(), webhook);
            } else {
                let seconds = u64::try_from(at.seconds().saturating_sub(now.seconds()));
                pause = pause.min(Duration::from_secs(seconds.unwrap_or(0)));
            }
        }
        pause
    }

    async fn wait_one(&mut self) {
        match self.tasks.join_next_with_id().await {
            Some(Ok((id, ()))) => _ = self.webhooks.remove(&id),
            Some(Err(error)) => {
                tracing::error!(%error, "a webhook delivery panicked");
                self.webhooks.remove(&error.id());
                // Without a pause, the failure would repeat at once.
                sleep(Duration::from_secs(1)).await;
            }
            None => {}
        }
    }

    async fn wait_all(&mut self) {
        while self.tasks.join_next().await.is_some() {}
    }
}

/// Sends a webhook all due messages.
async fn deliver_due(engine: Arc<Engine>, webhook_client: Arc<WebhookClient>, webhook: EntryId) {
    loop {
        let (looking, id) = (engine.clone(), webhook.clone());
        let Some(sending) =
            run_blocking(move || looking.outbox().next_due_message(&id)).await.flatten()
        else {
            return;
        };
        let DueMessage { webhook, message, .. } = &sending;
        let outcome = webhook_client.send_message(webhook, message, engine.clock().now()).await;
        let noting = engine.clone();
        run_blocking(move || noting.outbox().record_delivery(&sending, &outcome)).await;
    }
}

/// Runs work that may block on the disk. A panic is logged, and the result is `None`.
async fn run_blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    let done = tokio::task::spawn_blocking(work).await;
    done.inspect_err(|error| tracing::error!(%error, "work for webhooks panicked")).ok()
}

fn sign_headers(webhook: &Webhook, message: &WebhookMessage, now: Timestamp) -> Option<HeaderMap> {
    let secret = webhook.secret.as_ref()?;
    let value = |text: String| HeaderValue::try_from(text).ok();
    let mut headers = HeaderMap::new();
    headers.insert(header::CONTENT_TYPE, JSON);
    headers.insert(WEBHOOK_ID, value(message.id.clone())?);
    headers.insert(WEBHOOK_TIMESTAMP, HeaderValue::from(now.seconds()));
    headers.insert(WEBHOOK_SIGNATURE, value(secret.sign(&message.id, now, &message.body))?);
    headers.insert(X_RECTO_SIGNATURE, value(secret.sign_body(&message.body))?);
    Some(headers)
}

fn classify_response(response: &OutgoingResponse) -> DeliveryOutcome {
    DeliveryOutcome {
        status: Some(response.status.as_u16()),
        response: String::from_utf8_lossy(&response.body).into_owned(),
        error: None,
        latency_ms: count_millis(response.latency),
        retry_after: retry_after(&response.headers, SystemTime::now()),
    }
}

fn count_millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// Returns the seconds to wait according to `Retry-After`, which is a number of seconds or a date.
fn retry_after(headers: &HeaderMap, now: SystemTime) -> Option<i64> {
    let text = headers.get(header::RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = text.parse::<u32>() {
        return Some(i64::from(seconds));
    }
    let date = httpdate::parse_http_date(text).ok()?;
    let left = date.duration_since(now).unwrap_or_default();
    Some(i64::try_from(left.as_secs()).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn receivers_may_ask_for_time() {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(784_111_777);
        let check = |text: &'static str, expect: Option<i64>| {
            let mut headers = HeaderMap::new();
            headers.insert(header::RETRY_AFTER, HeaderValue::from_static(text));
            assert_eq!(retry_after(&headers, now), expect, "{text}");
        };
        check("120", Some(120));
        check("0", Some(0));
        check("Sun, 06 Nov 1994 08:50:37 GMT", Some(60));
        check("Sun, 06 Nov 1994 08:00:00 GMT", Some(0));
        check("soon", None);
        check("-1", None);
        check("99999999999999", None);
        assert_eq!(retry_after(&HeaderMap::new(), now), None);
    }
}
