//! Events as texts, by which servers tell each other what happened.

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
use crate::stdx::time::Timestamp;

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
}

/// Returns events as JSON; the empty text if there are none.
pub fn encode_events(events: &[Arc<EmittedEvent>]) -> String {
    if events.is_empty() {
        return String::new();
    }
    let records: Vec<EventRecord> = events.iter().map(|it| EventRecord::from_event(it)).collect();
    // Strings, numbers and structs of them always serialise.
    serde_json::to_string(&records).unwrap_or_default()
}

/// Returns the events of a text. Those of a kind that this version does not know are left out.
pub fn decode_events(text: &str) -> Result<Vec<Arc<EmittedEvent>>, serde_json::Error> {
    let records: Vec<EventRecord> = serde_json::from_str(text)?;
    Ok(records.into_iter().filter_map(EventRecord::into_event).map(Arc::new).collect())
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
        assert_eq!(decode_events(&encode_events(&events)).unwrap(), events);
    }
}
