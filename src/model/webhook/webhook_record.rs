//! The record of a webhook: which events it wants, of which workspaces, and where they are sent.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

use crate::model::event::EmittedEvent;
use crate::model::event::EventKind;
use crate::model::name::EntryId;
use crate::model::name::WorkspaceSlug;
use crate::model::webhook::signature::WebhookSecret;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::time::Timestamp;

/// The event of a test delivery.
pub(super) const TEST_EVENT: &str = "webhook.test";

/// The event of a batch.
pub(super) const BATCH_EVENT: &str = "webhook.batch";

/// The maximum time during which events are collected for a batch.
pub(super) const DEBOUNCE_SECONDS_MAX: u32 = 3_600;

/// The keys of a webhook in its file.
pub const KEYS: &[&str] = &[
    "id",
    "name",
    "url",
    "events",
    "workspaces",
    "enabled",
    "debounce_seconds",
    "created_at",
    "secret",
];

/// A pattern for the events of a webhook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EventPattern {
    /// All events.
    All,
    /// Events that begin with this, as `content.`.
    Group(&'static str),
    /// A single event.
    One(EventKind),
}

impl EventPattern {
    /// The groups: prefixes of the names of events.
    pub const GROUPS: [&str; 3] = ["content.", "media.", "schema."];

    pub(super) fn parse(text: &str) -> Option<EventPattern> {
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

    fn covers_kind(&self, kind: EventKind) -> bool {
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

/// The workspaces that a webhook receives events of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WebhookScope {
    /// All workspaces, including future ones.
    All,
    /// These workspaces.
    Some(Vec<WorkspaceSlug>),
}

impl WebhookScope {
    fn covers_workspace(&self, ws: &WorkspaceSlug) -> bool {
        match self {
            WebhookScope::All => true,
            WebhookScope::Some(some) => some.contains(ws),
        }
    }

    fn to_texts(&self) -> Vec<&str> {
        match self {
            WebhookScope::All => vec!["*"],
            WebhookScope::Some(some) => some.iter().map(|it| it.as_str()).collect(),
        }
    }
}

impl Serialize for WebhookScope {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_texts().serialize(serializer)
    }
}

/// A webhook. Serialized in the form of the admin API; the file, which also contains the secret, is
/// [`Webhook::to_file`].
#[derive(Clone, Serialize, JsonSchema)]
#[schemars(rename = "WebhookRecord")]
pub struct Webhook {
    /// The id.
    pub id: EntryId,
    /// The display name.
    pub name: String,
    /// The address that receives the messages.
    pub url: String,
    /// The events to send.
    #[schemars(with = "Vec<String>")]
    pub events: Vec<EventPattern>,
    /// The workspaces whose events are sent.
    #[schemars(with = "Vec<String>")]
    pub workspaces: WebhookScope,
    /// True if messages are sent.
    pub enabled: bool,
    /// The seconds for which events are collected and then sent in one call; 0 sends each on its
    /// own.
    #[schemars(range(max = DEBOUNCE_SECONDS_MAX))]
    pub debounce_seconds: u32,
    /// The secret that signs messages. Without one nothing is sent.
    #[serde(skip)]
    pub secret: Option<WebhookSecret>,
    /// The time of creation.
    pub created_at: Option<Timestamp>,
}

impl Webhook {
    /// Returns true if messages are sent to the webhook.
    pub fn is_active(&self) -> bool {
        self.enabled && self.secret.is_some()
    }

    /// Returns true if the webhook receives an event.
    pub fn wants_event(&self, emitted: &EmittedEvent) -> bool {
        let Some(ws) = &emitted.workspace else { return false };
        let kind = emitted.event.kind;
        self.is_active()
            && self.workspaces.covers_workspace(ws)
            && self.events.iter().any(|it| it.covers_kind(kind))
    }

    /// Returns the webhook's part of the file, with the keys [`KEYS`].
    pub fn to_file(&self) -> Json {
        let texts = |texts: Vec<String>| texts.into_iter().map(Json::from).collect::<Vec<_>>();
        let workspaces = self.workspaces.to_texts();
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
        file.push("created_at", self.created_at);
        if let Some(secret) = &self.secret {
            file.push("secret", secret.reveal());
        }
        Json::Object(file)
    }
}

/// Prints only the id, not the secret or the URL, which may contain one.
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
            assert_eq!(pattern.covers_kind(kind), expect, "{text} {}", kind.as_str());
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
