//! Calls that tell several events at once: everything that was collected, or everything that one
//! operation did.

use std::collections::HashSet;

use serde::Deserialize;
use serde::Serialize;

use crate::model::event::EventKind;
use crate::model::webhook::delivery::WebhookMessage;
use crate::model::webhook::delivery::to_json_text;
use crate::model::webhook::webhook_record::BATCH_EVENT;
use crate::stdx::json::Json;

/// The maximum number of events in a call.
pub(super) const CALL_EVENTS_MAX: usize = 200;

/// The maximum number of entries that a call names.
pub const CALL_ENTRIES_MAX: usize = 1_000;

/// An entry that events are about.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct MentionedEntry {
    /// The content type.
    #[serde(rename = "type")]
    pub type_name: String,
    /// The id.
    pub id: String,
}

/// Consecutive messages that are sent in one call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallContent {
    /// The first messages, [`CALL_EVENTS_MAX`] at most.
    listed: Vec<WebhookMessage>,
    /// The entries that the messages are about, [`CALL_ENTRIES_MAX`] at most, in the order in which
    /// they are mentioned first.
    entries: Vec<MentionedEntry>,
    known: HashSet<MentionedEntry>,
    /// True if there are more entries.
    is_truncated: bool,
}

/// The messages of a call, counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallCounts {
    /// The number of messages.
    pub messages: usize,
    /// The number of events that have no message.
    pub omitted: usize,
    /// True if all of them are of one operation.
    pub is_one_operation: bool,
}

impl CallContent {
    /// Returns true if more messages would add nothing.
    pub fn is_full(&self) -> bool {
        self.listed.len() >= CALL_EVENTS_MAX && self.is_truncated
    }

    /// Adds a message, after those before it.
    pub fn add_message(&mut self, message: WebhookMessage) {
        if let Some(entry) = message.find_entry().filter(|it| !self.known.contains(it)) {
            if self.entries.len() < CALL_ENTRIES_MAX {
                self.entries.push(entry.clone());
                self.known.insert(entry);
            } else {
                self.is_truncated = true;
            }
        }
        if self.listed.len() < CALL_EVENTS_MAX {
            self.listed.push(message);
        }
    }

    /// Returns the call for messages that end with `last`. Its id is derived from `last`, so that
    /// the same call always has the same id.
    pub fn into_call(self, last: &WebhookMessage, counts: CallCounts) -> WebhookMessage {
        // A publication that is told by itself has the list.
        let is_publication =
            counts.is_one_operation && last.event == EventKind::ChangePublished.as_str();
        let is_of_one = self.listed.iter().all(|it| it.workspace == last.workspace);
        let workspace = last.workspace.clone().filter(|_| is_of_one);
        let (id, event, head) = if is_publication {
            (last.id.clone(), last.event.clone(), PublicationHead::read(last))
        } else {
            let id = format!("{}_batch", last.id);
            let head = PublicationHead { id: to_json_text(&id), ..PublicationHead::default() };
            (id, BATCH_EVENT.to_string(), head)
        };
        // The event of the publication itself is the call.
        let own = usize::from(is_publication);
        let count = (counts.messages + counts.omitted).saturating_sub(own);
        let is_own = |it: &WebhookMessage| is_publication && it.id == last.id;
        // The bodies are JSON and are inserted as they are.
        let events: Vec<&str> =
            self.listed.iter().filter(|it| !is_own(it)).map(|it| it.body.as_str()).collect();
        let body = format!(
            r#"{{"id":{},"event":{},"occurred_at":{},"workspace":{}{},"data":{{{}"count":{count},"complete":{},"entries":{},"truncated":{},"events":[{}]}}}}"#,
            head.id,
            to_json_text(&event),
            to_json_text(&last.at),
            to_json_text(&workspace),
            head.source,
            head.subject,
            count == events.len(),
            to_json_text(&self.entries),
            self.is_truncated || counts.omitted > 0,
            events.join(","),
        );
        WebhookMessage {
            id,
            event,
            workspace,
            at: last.at,
            request_id: last.request_id.clone(),
            operation: None,
            n_omitted: 0,
            is_call: true,
            body,
        }
    }
}

/// The parts of the body of a call that it has from the event of a publication, as JSON.
#[derive(Default)]
struct PublicationHead {
    id: String,
    source: String,
    subject: String,
}

impl PublicationHead {
    fn read(message: &WebhookMessage) -> PublicationHead {
        let body = Json::parse(message.body.as_bytes()).unwrap_or_default();
        let get = |of: &Json, key: &str| {
            of.as_object().and_then(|it| it.get(key)).cloned().unwrap_or_default()
        };
        let data = get(&body, "data");
        PublicationHead {
            id: to_json_text(&get(&body, "id")),
            source: format!(r#","source":{}"#, to_json_text(&get(&body, "source"))),
            subject: format!(
                r#""change":{},"label":{},"#,
                to_json_text(&get(&data, "change")),
                to_json_text(&get(&data, "label")),
            ),
        }
    }
}

impl WebhookMessage {
    /// Returns the entry that the event is about, if it is about one.
    pub fn find_entry(&self) -> Option<MentionedEntry> {
        #[derive(Deserialize)]
        struct Body {
            data: MentionedEntry,
        }
        if self.is_call || !self.event.starts_with("content.") {
            return None;
        }
        serde_json::from_str::<Body>(&self.body).ok().map(|it| it.data)
    }
}
