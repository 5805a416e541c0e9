//! Deliveries to webhooks: the messages, their outcomes and the schedule of retries.

use schemars::JsonSchema;
use serde::Deserialize;
use serde::Serialize;

use crate::model::event::EmittedEvent;
use crate::model::event::EventSource;
use crate::model::event::Subject;
use crate::model::name::EntryId;
use crate::model::webhook::webhook_record::TEST_EVENT;
use crate::stdx::time::Timestamp;

/// The time after an event during which its delivery is retried.
pub(super) const EXPIRES_SECONDS: i64 = 24 * 60 * 60;

/// The delay of the first retry, and the factor for each further one.
const PAUSE_FIRST_SECONDS: i64 = 5;
const PAUSE_FACTOR: i64 = 3;
const PAUSE_SECONDS_MAX: i64 = 60 * 60;

/// The length of the response body that is stored.
const EXCERPT_BYTES_MAX: usize = 1_024;
const ERROR_BYTES_MAX: usize = 512;

/// A message to a webhook.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WebhookMessage {
    /// The value of `webhook-id`; it stays the same in retries.
    pub id: String,
    /// The name of the event.
    pub event: String,
    /// The workspace of the event; `None` for a test.
    pub workspace: Option<String>,
    /// The time of the event.
    pub at: Timestamp,
    /// The request that caused the event, if any.
    pub request_id: Option<String>,
    /// The operation on several entries that the event is a part of. Its messages are sent in one
    /// call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation: Option<String>,
    /// The number of events of the operation that have no message, because it has too many. Only
    /// its last message has it.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub n_omitted: usize,
    /// True for a call that was sent before, and is sent again as it was.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_call: bool,
    /// The body.
    pub body: String,
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

fn is_false(flag: &bool) -> bool {
    !*flag
}

/// The body, with its members in the documented order.
#[derive(Serialize)]
struct MessageBody<'a, D: Serialize> {
    id: &'a str,
    event: &'a str,
    occurred_at: Timestamp,
    workspace: Option<&'a str>,
    source: EventSource,
    #[serde(skip_serializing_if = "Option::is_none")]
    in_change: Option<&'a str>,
    data: D,
}

impl WebhookMessage {
    /// Creates the message about an event.
    pub fn from_event(emitted: &EmittedEvent, webhook: &EntryId) -> WebhookMessage {
        let event = &emitted.event;
        let (id, kind, at) = (emitted.id.as_str(), event.kind.as_str(), emitted.at);
        let workspace = emitted.workspace.as_deref();
        let (source, data): (EventSource, &Subject) = (event.source, &event.subject);
        let in_change = event.in_change.as_deref();
        let body =
            MessageBody { id, event: kind, occurred_at: at, workspace, source, in_change, data };
        let by = event.by.as_ref().map(|it| it.request_id.clone()).filter(|it| !it.is_empty());
        WebhookMessage {
            id: message_id(id, webhook),
            event: kind.to_string(),
            workspace: workspace.map(str::to_string),
            at,
            request_id: by,
            operation: None,
            n_omitted: 0,
            is_call: false,
            body: to_json_text(&body),
        }
    }

    /// Creates the message of a test delivery.
    pub fn build_test(
        id: &str,
        webhook: &EntryId,
        name: &str,
        at: Timestamp,
        request: &str,
    ) -> WebhookMessage {
        #[derive(Serialize)]
        struct Tested<'a> {
            webhook: &'a str,
            name: &'a str,
        }
        let data = Tested { webhook, name };
        let (event, source) = (TEST_EVENT, EventSource::Admin);
        let body = MessageBody {
            id,
            event,
            occurred_at: at,
            workspace: None,
            source,
            in_change: None,
            data,
        };
        WebhookMessage {
            id: message_id(id, webhook),
            event: event.to_string(),
            workspace: None,
            at,
            request_id: Some(request.to_string()),
            operation: None,
            n_omitted: 0,
            is_call: false,
            body: to_json_text(&body),
        }
    }
}

/// Returns the id of a message. It contains the webhook: two webhooks may have the same receiver,
/// which would take the second message for a repetition of the first.
fn message_id(event: &str, webhook: &EntryId) -> String {
    format!("{event}_{webhook}")
}

pub(super) fn to_json_text(body: &impl Serialize) -> String {
    // Structs of strings and numbers can always be serialized.
    serde_json::to_string(body).unwrap_or_default()
}

/// The outcome of a delivery attempt.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeliveryOutcome {
    /// The status of the response, if there was one.
    pub status: Option<u16>,
    /// The beginning of the response's body.
    pub response: String,
    /// The reason why there was no response.
    pub error: Option<String>,
    /// The duration in milliseconds.
    pub latency_ms: u64,
    /// The number of seconds in the receiver's `Retry-After`.
    pub retry_after: Option<i64>,
}

impl DeliveryOutcome {
    /// Returns true if the receiver accepted the message.
    pub fn is_success(&self) -> bool {
        self.status.is_some_and(|it| (200..300).contains(&it))
    }

    /// Returns the state of a message after its `attempt`th delivery, and the time of the next one.
    /// `random` spreads the retries of messages that failed together.
    pub fn decide_state(
        &self,
        message: &WebhookMessage,
        attempt: u32,
        now: Timestamp,
        random: u32,
    ) -> (DeliveryState, Option<Timestamp>) {
        const GONE: u16 = 410;
        if self.is_success() {
            return (DeliveryState::Delivered, None);
        }
        let asked = self.retry_after.unwrap_or(0).clamp(0, PAUSE_SECONDS_MAX);
        let next = now.seconds().saturating_add(compute_delay(attempt, random).max(asked));
        let too_late = next > message.at.seconds().saturating_add(EXPIRES_SECONDS);
        if self.status == Some(GONE) || too_late {
            return (DeliveryState::Failed, None);
        }
        (DeliveryState::Retrying, Some(Timestamp::from_seconds(next)))
    }
}

/// Returns the delay in seconds until the next attempt: 5, 15, 45, 135 …, at most an hour, each
/// plus or minus a fifth.
fn compute_delay(attempt: u32, random: u32) -> i64 {
    let longer = PAUSE_FACTOR.saturating_pow(attempt.saturating_sub(1));
    let pause = PAUSE_FIRST_SECONDS.saturating_mul(longer).min(PAUSE_SECONDS_MAX);
    let spread = pause * 2 / 5;
    // Scales `random` from 2³² values to the spread.
    pause - pause / 5 + ((i64::from(random) * (spread + 1)) >> 32)
}

/// The state of a message after an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum DeliveryState {
    /// The receiver accepted it.
    Delivered,
    /// It will be retried.
    Retrying,
    /// All attempts failed.
    Failed,
    /// It was never sent, because too many messages were waiting.
    Dropped,
}

/// A line of the delivery log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeliveryAttempt {
    /// The id.
    pub id: String,
    /// The webhook.
    pub webhook: String,
    /// The time of the attempt.
    pub attempted_at: Timestamp,
    /// The number of the attempt; 0 if the message was never sent.
    pub attempt: u32,
    /// The state of the message after the attempt.
    pub state: DeliveryState,
    /// The status of the response, if there was one.
    pub status: Option<u16>,
    /// The duration in milliseconds.
    pub latency_ms: Option<u64>,
    /// The reason for the failure.
    pub error: Option<String>,
    /// The beginning of the response's body.
    pub response: Option<String>,
    /// The time of the next attempt.
    pub next_attempt_at: Option<Timestamp>,
    /// The message.
    pub message: WebhookMessage,
}

impl DeliveryAttempt {
    /// Creates the log entry of an attempt.
    pub fn new(
        id: &str,
        webhook: &EntryId,
        message: &WebhookMessage,
        (attempt, at): (u32, Timestamp),
        outcome: &DeliveryOutcome,
        (state, next_attempt_at): (DeliveryState, Option<Timestamp>),
    ) -> DeliveryAttempt {
        let error = match (&outcome.error, outcome.status) {
            (Some(error), _) => Some(cut_excerpt(error, ERROR_BYTES_MAX)),
            (None, Some(status)) if !outcome.is_success() => {
                Some(format!("The receiver answered {status}."))
            }
            _ => None,
        };
        let response = cut_excerpt(&outcome.response, EXCERPT_BYTES_MAX);
        DeliveryAttempt {
            id: id.to_string(),
            webhook: webhook.to_string(),
            attempted_at: at,
            attempt,
            state,
            status: outcome.status,
            latency_ms: Some(outcome.latency_ms),
            error,
            response: Some(response).filter(|it| !it.is_empty()),
            next_attempt_at,
            message: message.clone(),
        }
    }

    /// Creates the log entry for `count` dropped messages, the last of which is `message`.
    pub fn new_dropped(
        id: &str,
        webhook: &EntryId,
        message: &WebhookMessage,
        at: Timestamp,
        count: usize,
    ) -> DeliveryAttempt {
        let error = format!("Too many messages were waiting, so the {count} oldest were dropped.");
        let outcome = DeliveryOutcome { error: Some(error), ..DeliveryOutcome::default() };
        let dropped = (DeliveryState::Dropped, None);
        let attempt = DeliveryAttempt::new(id, webhook, message, (0, at), &outcome, dropped);
        DeliveryAttempt { latency_ms: None, ..attempt }
    }
}

/// Returns the beginning of a text, cut at a character boundary.
fn cut_excerpt(text: &str, bytes_max: usize) -> String {
    let end = (0..=bytes_max.min(text.len())).rev().find(|it| text.is_char_boundary(*it));
    text[..end.unwrap_or(0)].to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::event::Event;
    use crate::model::event::EventKind;
    use crate::model::name::WorkspaceSlug;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_seconds(seconds)
    }

    fn test_event() -> EmittedEvent {
        let subject = Subject::Entry {
            type_name: "posts".into(),
            id: "p1".into(),
            slug: "hi".into(),
            status: "draft".into(),
            title: "Hi \"there\"".into(),
        };
        let workspace = WorkspaceSlug::parse("main").unwrap();
        let event = Event::from_disk(EventKind::ContentUpdated, subject);
        EmittedEvent { id: "e1".into(), at: at(1_800_000_000), workspace: Some(workspace), event }
    }

    #[test]
    fn a_message_has_the_documented_body() {
        let message = WebhookMessage::from_event(&test_event(), &EntryId::parse("h1").unwrap());
        assert_eq!(message.id, "e1_h1");
        assert_eq!(
            message.body,
            r#"{"id":"e1","event":"content.updated","occurred_at":"2027-01-15T08:00:00Z","workspace":"main","source":"disk","data":{"type":"posts","id":"p1","slug":"hi","status":"draft","title":"Hi \"there\""}}"#
        );
        let test =
            WebhookMessage::build_test("e2", &EntryId::parse("h1").unwrap(), "Site", at(0), "r1");
        assert_eq!(
            test.body,
            r#"{"id":"e2","event":"webhook.test","occurred_at":"1970-01-01T00:00:00Z","workspace":null,"source":"admin","data":{"webhook":"h1","name":"Site"}}"#
        );
    }

    #[test]
    fn pauses_grow_up_to_an_hour() {
        let check = |attempt, least, most| {
            assert_eq!(
                (compute_delay(attempt, 0), compute_delay(attempt, u32::MAX)),
                (least, most),
                "{attempt}"
            );
        };
        check(1, 4, 6);
        check(2, 12, 18);
        check(3, 36, 54);
        check(6, 972, 1_458);
        check(7, 2_880, 4_320);
        check(u32::MAX, 2_880, 4_320);
    }

    #[test]
    fn what_fails_is_tried_for_a_day() {
        let message = WebhookMessage::from_event(&test_event(), &EntryId::parse("h1").unwrap());
        let begun = message.at.seconds();
        let check = |status: Option<u16>,
                     attempt,
                     after: i64,
                     retry_after,
                     expect: (DeliveryState, i64)| {
            let outcome = DeliveryOutcome { status, retry_after, ..DeliveryOutcome::default() };
            let (state, next) = outcome.decide_state(&message, attempt, at(begun + after), 0);
            let next = next.map_or(0, |it| it.seconds() - begun - after);
            assert_eq!((state, next), expect, "{status:?} {attempt} {after} {retry_after:?}");
        };
        check(Some(200), 1, 0, None, (DeliveryState::Delivered, 0));
        check(Some(204), 9, 2 * EXPIRES_SECONDS, None, (DeliveryState::Delivered, 0));
        check(Some(302), 1, 0, None, (DeliveryState::Retrying, 4));
        check(Some(500), 2, 5, None, (DeliveryState::Retrying, 12));
        check(None, 1, 0, None, (DeliveryState::Retrying, 4));
        check(Some(410), 1, 0, None, (DeliveryState::Failed, 0));
        check(Some(500), 40, EXPIRES_SECONDS - 10, None, (DeliveryState::Failed, 0));
        check(None, 1, 2 * EXPIRES_SECONDS, None, (DeliveryState::Failed, 0));
        // The receiver may ask for a longer delay, up to a limit.
        check(Some(429), 1, 0, Some(120), (DeliveryState::Retrying, 120));
        check(Some(503), 1, 0, Some(i64::MAX), (DeliveryState::Retrying, 3_600));
        check(Some(503), 3, 0, Some(-5), (DeliveryState::Retrying, 36));
    }

    #[test]
    fn excerpts_end_between_characters() {
        let check = |text: &str, most, expect: &str| assert_eq!(cut_excerpt(text, most), expect);
        check("abc", 5, "abc");
        check("abc", 2, "ab");
        check("aäb", 2, "a");
        check("ä", 1, "");
        check("", 0, "");
    }
}
