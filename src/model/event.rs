//! What happened: the one list that activity lines, live streams and webhooks carry.

use std::net::IpAddr;

use serde::Serialize;
use serde::Serializer;

use crate::model::name::WorkspaceSlug;
use crate::stdx::time::Timestamp;

macro_rules! event_kinds {
    ($($(#[$doc:meta])* $kind:ident = $text:literal,)*) => {
        /// What happened.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum EventKind {
            $($(#[$doc])* $kind,)*
        }

        impl EventKind {
            /// All of them.
            pub const ALL: &[EventKind] = &[$(EventKind::$kind),*];

            /// The name on the wire.
            pub fn as_str(self) -> &'static str {
                match self { $(EventKind::$kind => $text,)* }
            }
        }
    };
}

event_kinds! {
    /// An entry was made.
    ContentCreated = "content.created",
    /// An entry was changed.
    ContentUpdated = "content.updated",
    /// An entry went public, or was set to do so.
    ContentPublished = "content.published",
    /// An entry is public no longer.
    ContentUnpublished = "content.unpublished",
    /// An entry went to the trash, or its file was deleted by hand.
    ContentDeleted = "content.deleted",
    /// An entry came back from the trash.
    ContentRestored = "content.restored",
    /// An entry is gone for good.
    ContentPurged = "content.purged",
    /// A media file was uploaded.
    MediaUploaded = "media.uploaded",
    /// What is said of a media file, or its name, was changed.
    MediaUpdated = "media.updated",
    /// A media file is gone for good.
    MediaDeleted = "media.deleted",
    /// A content type was made.
    SchemaCreated = "schema.created",
    /// A content type was changed.
    SchemaUpdated = "schema.updated",
    /// A content type is gone for good, with all its entries.
    SchemaDeleted = "schema.deleted",
    /// The first user was made.
    SetUp = "auth.setup",
    /// Somebody logged in.
    LoggedIn = "auth.login",
    /// Somebody tried to log in and was refused.
    LoginRefused = "auth.refused",
    /// Somebody logged out.
    LoggedOut = "auth.logout",
    /// A user was made.
    UserCreated = "user.created",
    /// Something about a user was changed.
    UserUpdated = "user.updated",
    /// A user is gone.
    UserDeleted = "user.deleted",
    /// A role was made.
    RoleCreated = "role.created",
    /// A role was changed.
    RoleUpdated = "role.updated",
    /// A role is gone.
    RoleDeleted = "role.deleted",
    /// A token was made.
    TokenCreated = "token.created",
    /// Something is said differently of a token.
    TokenUpdated = "token.updated",
    /// A token counts no longer.
    TokenRevoked = "token.revoked",
    /// The record of a token is gone.
    TokenDeleted = "token.deleted",
    /// A workspace was made.
    WorkspaceCreated = "workspace.created",
    /// A workspace was changed.
    WorkspaceUpdated = "workspace.updated",
    /// A workspace was archived.
    WorkspaceArchived = "workspace.archived",
    /// The settings were changed.
    SettingsUpdated = "settings.updated",
    /// The webhooks were changed.
    WebhooksUpdated = "webhooks.updated",
    /// A backup was made.
    BackupCreated = "backup.created",
    /// A backup was uploaded.
    BackupUploaded = "backup.uploaded",
    /// A backup was restored.
    BackupRestored = "backup.restored",
    /// A backup is gone.
    BackupDeleted = "backup.deleted",
    /// A release was downloaded.
    UpdateDownloaded = "update.downloaded",
    /// A release was put in the place of this one.
    UpdateInstalled = "update.installed",
}

impl EventKind {
    /// Whether webhooks are told: what happens to content, not who works here.
    pub fn is_hookable(self) -> bool {
        ["content.", "media.", "schema."].iter().any(|it| self.as_str().starts_with(it))
    }

    /// How much attention it deserves: `info` or `warning`.
    pub fn level(self) -> &'static str {
        if self == EventKind::LoginRefused { "warning" } else { "info" }
    }

    /// What happened to an entry by whether everybody may read it, before and after; nothing where
    /// there is no entry.
    pub fn of_entry(before: Option<bool>, after: Option<bool>) -> Vec<EventKind> {
        use EventKind::{
            ContentCreated, ContentDeleted, ContentPublished, ContentUnpublished, ContentUpdated,
        };
        match (before, after) {
            (None, None) => vec![],
            (None, Some(false)) => vec![ContentCreated],
            (None, Some(true)) => vec![ContentCreated, ContentPublished],
            (Some(_), None) => vec![ContentDeleted],
            (Some(false), Some(true)) => vec![ContentUpdated, ContentPublished],
            (Some(true), Some(false)) => vec![ContentUpdated, ContentUnpublished],
            (Some(_), Some(_)) => vec![ContentUpdated],
        }
    }

    /// What happened, as the past tense of a verb.
    pub fn verb(self) -> &'static str {
        self.as_str().rsplit_once('.').map_or("changed", |(_, verb)| verb)
    }
}

impl Serialize for EventKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// Where a change came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// The admin API.
    Admin,
    /// The public API.
    Api,
    /// Somebody edited the files.
    Disk,
    /// The time had come.
    Schedule,
}

/// Who made a change, as it is written down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Actor {
    /// As entries name their author: a user's id, or `tok_<id>`.
    pub id: String,
    /// What people call them.
    pub name: String,
    /// Where the request came from.
    pub ip: Option<IpAddr>,
    /// The request's id.
    pub request_id: String,
    /// Which interface it came through.
    pub source: Source,
}

/// What it happened to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Subject {
    /// An entry.
    Entry {
        /// Its content type.
        #[serde(rename = "type")]
        type_name: String,
        /// Its id.
        id: String,
        /// Its slug.
        slug: String,
        /// Its status, afterwards.
        status: String,
        /// Its title, afterwards.
        title: String,
    },
    /// A media file.
    Media {
        /// Its name.
        filename: String,
    },
    /// Media categories.
    Category {
        /// The path.
        category: String,
    },
    /// A content type.
    Schema {
        /// Its name.
        #[serde(rename = "type")]
        type_name: String,
        /// Its label.
        label: String,
    },
    /// A user.
    User {
        /// The id.
        user: String,
        /// What they log in with.
        username: String,
    },
    /// A role.
    Role {
        /// The id.
        role: String,
        /// Its label.
        label: String,
    },
    /// A token.
    Token {
        /// The id.
        token: String,
        /// Its name.
        name: String,
    },
    /// A workspace.
    Workspace {
        /// Its slug.
        slug: String,
        /// Its label.
        label: String,
    },
    /// A backup.
    Backup {
        /// The name of its file.
        backup: String,
    },
    /// A release.
    Release {
        /// Its version.
        version: String,
    },
    /// Something of which there is one alone.
    Only {
        /// What it is.
        subject: &'static str,
    },
}

impl Subject {
    /// What people call it.
    pub fn label(&self) -> String {
        match self {
            Subject::Entry { type_name, title, slug, .. } if title.is_empty() => {
                format!("{type_name} `{slug}`")
            }
            Subject::Entry { type_name, title, .. } => format!("{type_name} `{title}`"),
            Subject::Media { filename } => format!("media file `{filename}`"),
            Subject::Category { category } => format!("media category `{category}`"),
            Subject::Schema { type_name, .. } => format!("content type `{type_name}`"),
            Subject::User { username, .. } => format!("user `{username}`"),
            Subject::Role { label, .. } => format!("role `{label}`"),
            Subject::Token { name, .. } => format!("token `{name}`"),
            Subject::Workspace { label, .. } => format!("workspace `{label}`"),
            Subject::Backup { backup } => format!("backup `{backup}`"),
            Subject::Release { version } => format!("release `{version}`"),
            Subject::Only { subject } => (*subject).to_string(),
        }
    }
}

/// Something that happened. It is told once it is durable, so `id` and time are given to it then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// What happened.
    pub kind: EventKind,
    /// To what.
    pub subject: Subject,
    /// Who did it; nobody known for edits by hand and for what the time brought.
    pub by: Option<Actor>,
    /// Where it came from.
    pub source: Source,
}

impl Event {
    /// Something that somebody did through an API.
    pub fn by(actor: &Actor, kind: EventKind, subject: Subject) -> Event {
        Event { kind, subject, by: Some(actor.clone()), source: actor.source }
    }

    /// Something that somebody did to the files.
    pub fn on_disk(kind: EventKind, subject: Subject) -> Event {
        Event { kind, subject, by: None, source: Source::Disk }
    }

    /// A sentence for the activity list.
    pub fn message(&self) -> String {
        let mut label = self.subject.label();
        if let Some(first) = label.get(..1) {
            let upper = first.to_ascii_uppercase();
            label.replace_range(..1, &upper);
        }
        match self.kind {
            EventKind::LoggedIn => format!("{label} logged in."),
            EventKind::LoggedOut => format!("{label} logged out."),
            EventKind::LoginRefused => format!("{label} was refused at login."),
            EventKind::SetUp => format!("{label} set the installation up."),
            EventKind::SettingsUpdated | EventKind::WebhooksUpdated => {
                format!("{label} were updated.")
            }
            kind => format!("{label} was {}.", kind.verb()),
        }
    }
}

/// An event with its place in the order of all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// Sorts by time; unique.
    pub id: String,
    /// When it was told.
    pub at: Timestamp,
    /// In which workspace; in none, if it concerns the installation.
    pub workspace: Option<WorkspaceSlug>,
    /// What it is.
    pub event: Event,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_read_as_sentences() {
        let entry = |title: &str| Subject::Entry {
            type_name: "posts".into(),
            id: "1".into(),
            slug: "s".into(),
            status: "draft".into(),
            title: title.into(),
        };
        let check = |kind, subject, expect: &str| {
            assert_eq!(Event::on_disk(kind, subject).message(), expect);
        };
        check(EventKind::ContentCreated, entry("Hi"), "Posts `Hi` was created.");
        check(EventKind::ContentDeleted, entry(""), "Posts `s` was deleted.");
        let media = Subject::Media { filename: "a.png".into() };
        check(EventKind::MediaUploaded, media, "Media file `a.png` was uploaded.");
    }

    #[test]
    fn names_are_unique() {
        let names: std::collections::HashSet<_> =
            EventKind::ALL.iter().map(|it| it.as_str()).collect();
        assert_eq!(names.len(), EventKind::ALL.len());
    }
}
