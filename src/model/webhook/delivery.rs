//! What is sent to a webhook, what became of it, and when it is tried again.

use serde::Deserialize;
use serde::Serialize;

use crate::model::event::Source;
use crate::model::event::Subject;
use crate::model::event::Told;
use crate::model::name::EntryId;
use crate::model::webhook::BATCH_EVENT;
use crate::model::webhook::TEST_EVENT;
use crate::stdx::time::Timestamp;

/// How long after its event a message is still tried.
pub const EXPIRES_SECONDS: i64 = 24 * 60 * 60;

/// How many events a call lists that tells several.
pub const BATCH_EVENTS_MAX: usize = 200;

/// The first pause, and what each next one is longer by.
const PAUSE_FIRST_SECONDS: i64 = 5;
const PAUSE_FACTOR: i64 = 3;
const PAUSE_SECONDS_MAX: i64 = 60 * 60;

/// How much of an answer's body is kept.
const EXCERPT_BYTES_MAX: usize = 1_024;
const ERROR_BYTES_MAX: usize = 512;

/// One message to one webhook.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// The value of `webhook-id`: the same however often it is sent.
    pub id: String,
    /// The name of the event.
    pub event: String,
    /// Where it happened; nowhere in particular for a test.
    pub workspace: Option<String>,
    /// When it happened.
    pub at: Timestamp,
    /// The request that made it happen, if one did.
    pub request_id: Option<String>,
    /// What is sent.
    pub body: String,
}

/// The body, in the order in which it is documented.
#[derive(Serialize)]
struct Body<'a, D: Serialize> {
    id: &'a str,
    event: &'a str,
    occurred_at: Timestamp,
    workspace: Option<&'a str>,
    source: Source,
    data: D,
}

impl Message {
    /// What a webhook is told of an event.
    pub fn of(told: &Told, webhook: &EntryId) -> Message {
        let event = &told.event;
        let (id, kind, at) = (told.id.as_str(), event.kind.as_str(), told.at);
        let workspace = told.workspace.as_deref();
        let (source, data): (Source, &Subject) = (event.source, &event.subject);
        let body = Body { id, event: kind, occurred_at: at, workspace, source, data };
        let by = event.by.as_ref().map(|it| it.request_id.clone()).filter(|it| !it.is_empty());
        Message {
            id: message_id(id, webhook),
            event: kind.to_string(),
            workspace: workspace.map(str::to_string),
            at,
            request_id: by,
            body: text(&body),
        }
    }

    /// One call for `count` messages: it lists the events of the first of them, and is known by the
    /// last, so that it has the same id whenever it tells the same.
    pub fn batch(listed: &[Message], last: &Message, count: usize) -> Message {
        let id = format!("{}_batch", last.id);
        let is_of_one = listed.iter().all(|it| it.workspace == last.workspace);
        let workspace = last.workspace.clone().filter(|_| is_of_one);
        let complete = count == listed.len();
        // The bodies are JSON, and stay as they would have been sent.
        let events: Vec<&str> = listed.iter().map(|it| it.body.as_str()).collect();
        let body = format!(
            r#"{{"id":{},"event":"{BATCH_EVENT}","occurred_at":{},"workspace":{},"data":{{"count":{count},"complete":{complete},"events":[{}]}}}}"#,
            text(&id),
            text(&last.at),
            text(&workspace),
            events.join(","),
        );
        let (event, request_id) = (BATCH_EVENT.to_string(), last.request_id.clone());
        Message { id, event, workspace, at: last.at, request_id, body }
    }

    /// What is sent when somebody wants to see whether it arrives.
    pub fn test(id: &str, webhook: &EntryId, name: &str, at: Timestamp, request: &str) -> Message {
        #[derive(Serialize)]
        struct Tested<'a> {
            webhook: &'a str,
            name: &'a str,
        }
        let data = Tested { webhook, name };
        let (event, source) = (TEST_EVENT, Source::Admin);
        let body = Body { id, event, occurred_at: at, workspace: None, source, data };
        Message {
            id: message_id(id, webhook),
            event: event.to_string(),
            workspace: None,
            at,
            request_id: Some(request.to_string()),
            body: text(&body),
        }
    }
}

/// Two webhooks may have one receiver, who would take the second message for the first one again.
fn message_id(event: &str, webhook: &EntryId) -> String {
    format!("{event}_{webhook}")
}

fn text(body: &impl Serialize) -> String {
    // Strings, numbers and structs of them always serialise.
    serde_json::to_string(body).unwrap_or_default()
}

/// What came of sending a message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// The status of the answer, if there was one.
    pub status: Option<u16>,
    /// The beginning of the answer's body.
    pub response: String,
    /// Why there was no answer.
    pub error: Option<String>,
    /// How long it took.
    pub latency_ms: u64,
    /// After how many seconds the receiver wants to be asked again.
    pub retry_after: Option<i64>,
}

impl Outcome {
    /// Whether the receiver has taken the message.
    pub fn is_success(&self) -> bool {
        self.status.is_some_and(|it| (200..300).contains(&it))
    }

    /// What becomes of a message that was sent for the `attempt`th time, and when it is sent again.
    /// `random` spreads what failed together.
    pub fn verdict(
        &self,
        message: &Message,
        attempt: u32,
        now: Timestamp,
        random: u32,
    ) -> (State, Option<Timestamp>) {
        const GONE: u16 = 410;
        if self.is_success() {
            return (State::Delivered, None);
        }
        let asked = self.retry_after.unwrap_or(0).clamp(0, PAUSE_SECONDS_MAX);
        let next = now.seconds().saturating_add(pause(attempt, random).max(asked));
        let too_late = next > message.at.seconds().saturating_add(EXPIRES_SECONDS);
        if self.status == Some(GONE) || too_late {
            return (State::Failed, None);
        }
        (State::Retrying, Some(Timestamp::from_seconds(next)))
    }
}

/// Seconds until the next attempt: 5, 15, 45, 135 …, at most an hour, each a fifth more or less.
fn pause(attempt: u32, random: u32) -> i64 {
    let longer = PAUSE_FACTOR.saturating_pow(attempt.saturating_sub(1));
    let pause = PAUSE_FIRST_SECONDS.saturating_mul(longer).min(PAUSE_SECONDS_MAX);
    let spread = pause * 2 / 5;
    // `random` of 2³² parts of it.
    pause - pause / 5 + ((i64::from(random) * (spread + 1)) >> 32)
}

/// Where a message is after an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// The receiver has taken it.
    Delivered,
    /// It will be sent again.
    Retrying,
    /// It was given up.
    Failed,
    /// It was never sent: too many were waiting.
    Dropped,
}

/// One line of the delivery log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attempt {
    /// Its id.
    pub id: String,
    /// The webhook.
    pub webhook: String,
    /// When it was made.
    pub attempted_at: Timestamp,
    /// The how many-th this was; 0 for what was never sent.
    pub attempt: u32,
    /// Where the message is now.
    pub state: State,
    /// The status of the answer, if there was one.
    pub status: Option<u16>,
    /// How long it took.
    pub latency_ms: Option<u64>,
    /// Why it failed.
    pub error: Option<String>,
    /// The beginning of the answer's body.
    pub response: Option<String>,
    /// When it is sent again.
    pub next_attempt_at: Option<Timestamp>,
    /// What was sent.
    pub message: Message,
}

impl Attempt {
    /// What is written down of an attempt.
    pub fn new(
        id: &str,
        webhook: &EntryId,
        message: &Message,
        (attempt, at): (u32, Timestamp),
        outcome: &Outcome,
        (state, next_attempt_at): (State, Option<Timestamp>),
    ) -> Attempt {
        let error = match (&outcome.error, outcome.status) {
            (Some(error), _) => Some(excerpt(error, ERROR_BYTES_MAX)),
            (None, Some(status)) if !outcome.is_success() => {
                Some(format!("The receiver answered {status}."))
            }
            _ => None,
        };
        let response = excerpt(&outcome.response, EXCERPT_BYTES_MAX);
        Attempt {
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

    /// What is written down when so many messages were given up, the last of which is this one.
    pub fn dropped(
        id: &str,
        webhook: &EntryId,
        message: &Message,
        at: Timestamp,
        count: usize,
    ) -> Attempt {
        let error = format!("Too many messages were waiting; the {count} oldest were given up.");
        let outcome = Outcome { error: Some(error), ..Outcome::default() };
        let dropped = (State::Dropped, None);
        let attempt = Attempt::new(id, webhook, message, (0, at), &outcome, dropped);
        Attempt { latency_ms: None, ..attempt }
    }
}

/// The beginning of a text, without half a character.
fn excerpt(text: &str, bytes_max: usize) -> String {
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

    fn told() -> Told {
        let subject = Subject::Entry {
            type_name: "posts".into(),
            id: "p1".into(),
            slug: "hi".into(),
            status: "draft".into(),
            title: "Hi \"there\"".into(),
        };
        let workspace = WorkspaceSlug::parse("main").unwrap();
        let event = Event::on_disk(EventKind::ContentUpdated, subject);
        Told { id: "e1".into(), at: at(1_800_000_000), workspace: Some(workspace), event }
    }

    #[test]
    fn a_message_has_the_documented_body() {
        let message = Message::of(&told(), &EntryId::parse("h1").unwrap());
        assert_eq!(message.id, "e1_h1");
        assert_eq!(
            message.body,
            r#"{"id":"e1","event":"content.updated","occurred_at":"2027-01-15T08:00:00Z","workspace":"main","source":"disk","data":{"type":"posts","id":"p1","slug":"hi","status":"draft","title":"Hi \"there\""}}"#
        );
        let test = Message::test("e2", &EntryId::parse("h1").unwrap(), "Site", at(0), "r1");
        assert_eq!(
            test.body,
            r#"{"id":"e2","event":"webhook.test","occurred_at":"1970-01-01T00:00:00Z","workspace":null,"source":"admin","data":{"webhook":"h1","name":"Site"}}"#
        );
    }

    #[test]
    fn pauses_grow_up_to_an_hour() {
        let check = |attempt, least, most| {
            assert_eq!((pause(attempt, 0), pause(attempt, u32::MAX)), (least, most), "{attempt}");
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
        let message = Message::of(&told(), &EntryId::parse("h1").unwrap());
        let begun = message.at.seconds();
        let check =
            |status: Option<u16>, attempt, after: i64, retry_after, expect: (State, i64)| {
                let outcome = Outcome { status, retry_after, ..Outcome::default() };
                let (state, next) = outcome.verdict(&message, attempt, at(begun + after), 0);
                let next = next.map_or(0, |it| it.seconds() - begun - after);
                assert_eq!((state, next), expect, "{status:?} {attempt} {after} {retry_after:?}");
            };
        check(Some(200), 1, 0, None, (State::Delivered, 0));
        check(Some(204), 9, 2 * EXPIRES_SECONDS, None, (State::Delivered, 0));
        check(Some(302), 1, 0, None, (State::Retrying, 4));
        check(Some(500), 2, 5, None, (State::Retrying, 12));
        check(None, 1, 0, None, (State::Retrying, 4));
        check(Some(410), 1, 0, None, (State::Failed, 0));
        check(Some(500), 40, EXPIRES_SECONDS - 10, None, (State::Failed, 0));
        check(None, 1, 2 * EXPIRES_SECONDS, None, (State::Failed, 0));
        // The receiver may ask for more time, and not for ever.
        check(Some(429), 1, 0, Some(120), (State::Retrying, 120));
        check(Some(503), 1, 0, Some(i64::MAX), (State::Retrying, 3_600));
        check(Some(503), 3, 0, Some(-5), (State::Retrying, 36));
    }

    #[test]
    fn excerpts_end_between_characters() {
        let check = |text: &str, most, expect: &str| assert_eq!(excerpt(text, most), expect);
        check("abc", 5, "abc");
        check("abc", 2, "ab");
        check("aäb", 2, "a");
        check("ä", 1, "");
        check("", 0, "");
    }
}
