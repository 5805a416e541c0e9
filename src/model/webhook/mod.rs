//! Webhooks: who is told of what, where, and signed with which secret.

mod delivery;
mod parse;
mod signature;

use std::fmt;

use serde::Serialize;

pub use crate::model::webhook::delivery::Attempt;
pub use crate::model::webhook::delivery::BATCH_EVENTS_MAX;
pub use crate::model::webhook::delivery::EXPIRES_SECONDS;
pub use crate::model::webhook::delivery::Message;
pub use crate::model::webhook::delivery::Outcome;
pub use crate::model::webhook::delivery::State;
pub use crate::model::webhook::parse::Rules;
pub use crate::model::webhook::parse::WEBHOOKS_MAX;
pub use crate::model::webhook::parse::parse_file;
pub use crate::model::webhook::parse::parse_request;
pub use crate::model::webhook::signature::Secret;

use crate::model::event::EventKind;
use crate::model::event::Told;
use crate::model::name::EntryId;
use crate::model::name::WorkspaceSlug;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::time::Timestamp;

/// The event of a delivery that somebody asked for to see whether it arrives.
pub const TEST_EVENT: &str = "webhook.test";

/// The event of a call that tells several.
pub const BATCH_EVENT: &str = "webhook.batch";

/// Which events a webhook is told of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EventPattern {
    /// All of them.
    All,
    /// Those that begin with this, as `content.`.
    Group(&'static str),
    /// This one.
    One(EventKind),
}

impl EventPattern {
    /// The groups of events, as their names begin.
    pub const GROUPS: [&str; 3] = ["content.", "media.", "schema."];

    fn parse(text: &str) -> Option<EventPattern> {
        if text == "*" {
            return Some(EventPattern::All);
        }
        if let Some(group) = text.strip_suffix('*') {
            let group = EventPattern::GROUPS.iter().find(|it| **it == group);
            return group.map(|it| EventPattern::Group(it));
        }
        let mut kinds = EventKind::ALL.iter().filter(|it| it.is_hookable());
        kinds.find(|it| it.as_str() == text).map(|it| EventPattern::One(*it))
    }

    fn covers(&self, kind: EventKind) -> bool {
        match self {
            EventPattern::All => kind.is_hookable(),
            EventPattern::Group(group) => kind.is_hookable() && kind.as_str().starts_with(group),
            EventPattern::One(one) => *one == kind,
        }
    }
}

impl fmt::Display for EventPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EventPattern::All => f.write_str("*"),
            EventPattern::Group(group) => write!(f, "{group}*"),
            EventPattern::One(kind) => f.write_str(kind.as_str()),
        }
    }
}

impl Serialize for EventPattern {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// In which workspaces a webhook listens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scope {
    /// In all, also those that are still to come.
    All,
    /// In these.
    Some(Vec<WorkspaceSlug>),
}

impl Scope {
    fn covers(&self, ws: &WorkspaceSlug) -> bool {
        match self {
            Scope::All => true,
            Scope::Some(some) => some.contains(ws),
        }
    }

    fn texts(&self) -> Vec<&str> {
        match self {
            Scope::All => vec!["*"],
            Scope::Some(some) => some.iter().map(|it| it.as_str()).collect(),
        }
    }
}

impl Serialize for Scope {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.texts().serialize(serializer)
    }
}

/// One webhook. Serialised it is what the admin interface may see; the file, which also holds the
/// secret, is [`Webhook::to_file`].
#[derive(Clone, Serialize)]
pub struct Webhook {
    /// Its id.
    pub id: EntryId,
    /// What people call it.
    pub name: String,
    /// Where it is told.
    pub url: String,
    /// What it is told of.
    pub events: Vec<EventPattern>,
    /// In which workspaces.
    pub workspaces: Scope,
    /// Whether it is told of anything.
    pub enabled: bool,
    /// For how long events are gathered, to be told in one call; 0 for a call each.
    pub debounce_seconds: u32,
    /// What proves to it that it was us. Nothing is sent without.
    #[serde(skip)]
    pub secret: Option<Secret>,
    /// When it was made.
    pub created_at: Option<Timestamp>,
}

impl Webhook {
    /// Whether anything is sent to it.
    pub fn is_active(&self) -> bool {
        self.enabled && self.secret.is_some()
    }

    /// Whether it is to be told of an event.
    pub fn wants(&self, told: &Told) -> bool {
        let Some(ws) = &told.workspace else { return false };
        let kind = told.event.kind;
        self.is_active()
            && self.workspaces.covers(ws)
            && self.events.iter().any(|it| it.covers(kind))
    }

    /// What the file keeps of it.
    pub fn to_file(&self) -> Json {
        let texts = |texts: Vec<String>| texts.into_iter().map(Json::from).collect::<Vec<_>>();
        let workspaces = self.workspaces.texts();
        let mut file = Map::new();
        file.push("id", self.id.as_str());
        file.push("name", self.name.as_str());
        file.push("url", self.url.as_str());
        file.push("events", texts(self.events.iter().map(ToString::to_string).collect()));
        file.push("workspaces", texts(workspaces.into_iter().map(str::to_string).collect()));
        file.push("enabled", self.enabled);
        if self.debounce_seconds > 0 {
            file.push("debounce_seconds", i64::from(self.debounce_seconds));
        }
        let created = self.created_at.map_or(Json::Null, |it| it.to_string().into());
        file.push("created_at", created);
        if let Some(secret) = &self.secret {
            file.push("secret", secret.reveal());
        }
        Json::Object(file)
    }
}

/// Names the webhook, never its secret, nor its URL, which may hold one.
impl fmt::Debug for Webhook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Webhook").field("id", &self.id).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_cover_events() {
        let check = |text: &str, kind: EventKind, expect: bool| {
            let pattern = EventPattern::parse(text).unwrap();
            assert_eq!(pattern.covers(kind), expect, "{text} {}", kind.as_str());
            assert_eq!(pattern.to_string(), text);
        };
        check("*", EventKind::MediaDeleted, true);
        check("content.*", EventKind::ContentPurged, true);
        check("content.*", EventKind::SchemaCreated, false);
        check("schema.created", EventKind::SchemaCreated, true);
        check("schema.created", EventKind::SchemaUpdated, false);
        for text in
            ["", "content", "content.", "content.*.", "con*", "user.created", "webhook.test"]
        {
            assert_eq!(EventPattern::parse(text), None, "{text}");
        }
    }
}
