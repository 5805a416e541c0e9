//! Texts by which servers that share a database tell each other what happened.

use std::sync::Arc;

use serde::Deserialize;
use serde::Serialize;

use crate::model::event::Actor;
use crate::model::event::EmittedEvent;
use crate::model::event::Event;
use crate::model::event::EventKind;
use crate::model::event::EventSource;
use crate::model::event::Subject;
use crate::model::name::WorkspaceSlug;
use crate::model::webhook::DeliveryAttempt;
use crate::stdx::time::Timestamp;

/// News that a server tells others with a commit.
#[derive(Clone, Debug, Default)]
pub struct ServerNews {
    /// The events.
    pub events: Vec<Arc<EmittedEvent>>,
    /// The deliveries to webhooks.
    pub deliveries: Vec<DeliveryNews>,
}

/// A delivery to a webhook that is done with, or is tried again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeliveryNews {
    /// The attempt.
    pub attempt: DeliveryAttempt,
    /// The messages that need no further attempt.
    pub completed: Vec<String>,
}

#[derive(Default, Serialize, Deserialize)]
struct NewsRecord {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    events: Vec<EventRecord>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    deliveries: Vec<DeliveryNews>,
}

/// An event as it is written.
#[derive(Serialize, Deserialize)]
struct EventRecord {
    id: String,
    at: Timestamp,
    workspace: Option<String>,
    kind: String,
    subject: Subject,
    by: Option<Actor>,
    source: EventSource,
    in_change: Option<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_unlogged: bool,
}

/// Returns events as JSON; the empty text if there are none.
pub fn encode_events(events: &[Arc<EmittedEvent>]) -> String {
    if events.is_empty() {
        return String::new();
    }
    let events = events.iter().map(|it| EventRecord::from_event(it)).collect();
    to_text(&NewsRecord { events, ..NewsRecord::default() })
}

/// Returns a delivery as JSON.
pub fn encode_delivery(delivery: DeliveryNews) -> String {
    to_text(&NewsRecord { deliveries: vec![delivery], ..NewsRecord::default() })
}

fn to_text(record: &NewsRecord) -> String {
    // Strings, numbers and structs of them always serialise.
    serde_json::to_string(record).unwrap_or_default()
}

/// Returns the news of a text. Events of a kind that this version does not know are left out.
pub fn decode_news(text: &str) -> Result<ServerNews, serde_json::Error> {
    let NewsRecord { events, deliveries } = serde_json::from_str(text)?;
    let events = events.into_iter().filter_map(EventRecord::into_event).map(Arc::new).collect();
    Ok(ServerNews { events, deliveries })
}

impl EventRecord {
    fn from_event(emitted: &EmittedEvent) -> EventRecord {
        let event = &emitted.event;
        EventRecord {
            id: emitted.id.clone(),
            at: emitted.at,
            workspace: emitted.workspace.as_ref().map(ToString::to_string),
            kind: event.kind.to_string(),
            subject: event.subject.clone(),
            by: event.by.clone(),
            source: event.source,
            in_change: event.in_change.clone(),
            is_unlogged: event.is_unlogged,
        }
    }

    fn into_event(self) -> Option<EmittedEvent> {
        let workspace = match self.workspace {
            Some(text) => Some(WorkspaceSlug::parse(&text).ok()?),
            None => None,
        };
        let event = Event {
            kind: EventKind::parse(&self.kind)?,
            subject: self.subject,
            by: self.by,
            source: self.source,
            in_change: self.in_change,
            is_unlogged: self.is_unlogged,
        };
        Some(EmittedEvent { id: self.id, at: self.at, workspace, event })
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::*;

    #[test]
    fn events_are_read_as_they_were_written() {
        let text = |it: &str| it.to_string();
        let subjects = [
            Subject::Entry {
                type_name: text("posts"),
                id: text("a"),
                slug: text("b"),
                status: text("draft"),
                title: text(""),
            },
            Subject::Media { filename: text("a.png") },
            Subject::Category { category: text("a/b") },
            Subject::Change { change: text("a"), label: text("") },
            Subject::Schema { type_name: text("posts"), label: text("Posts") },
            Subject::User { user: text("a"), username: text("robin") },
            Subject::Role { role: text("a"), label: text("b") },
            Subject::Token { token: text("a"), name: text("b") },
            Subject::Workspace { slug: text("a"), label: text("b") },
            Subject::Backup { backup: text("a") },
            Subject::Release { version: text("1") },
            Subject::Problem { problem: Cow::from("unreadable"), path: text("a") },
            Subject::Only { subject: Cow::from("settings") },
        ];
        let actor = Actor {
            id: text("u"),
            name: text("Robin"),
            ip: Some([127, 0, 0, 1].into()),
            request_id: text("r"),
            source: EventSource::Admin,
        };
        let events: Vec<Arc<EmittedEvent>> = subjects
            .into_iter()
            .map(|subject| {
                Arc::new(EmittedEvent {
                    id: text("e"),
                    at: Timestamp::from_seconds(1_700_000_000),
                    workspace: WorkspaceSlug::parse("main").ok(),
                    event: Event::from_actor(&actor, EventKind::ContentUpdated, subject),
                })
            })
            .collect();
        assert_eq!(decode_news(&encode_events(&events)).unwrap().events, events);
    }
}
