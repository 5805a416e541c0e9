//! Events: the changes reported in the activity log, live streams and webhooks.

use std::net::IpAddr;

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::Deserialize;
use serde::Serialize;

use crate::model::name::WorkspaceSlug;
use crate::stdx::text_enum::text_enum;
use crate::stdx::time::Timestamp;

text_enum! {
    /// The kind of an event.
    pub enum EventKind {
        /// An entry was created.
        ContentCreated = "content.created",
        /// An entry was changed.
        ContentUpdated = "content.updated",
        /// An entry went public, or was set to do so.
        ContentPublished = "content.published",
        /// An entry is no longer public.
        ContentUnpublished = "content.unpublished",
        /// An entry was moved to the trash, or its file was deleted by hand.
        ContentDeleted = "content.deleted",
        /// An entry was restored from the trash.
        ContentRestored = "content.restored",
        /// An entry was deleted permanently.
        ContentPurged = "content.purged",
        /// A change was begun.
        ChangeCreated = "change.created",
        /// A change was edited: what it proposes, its label, its note or its links.
        ChangeUpdated = "change.updated",
        /// The approval of a change was asked for.
        ChangeSubmitted = "change.submitted",
        /// The review of a change ended: its author took it back, or more work was asked for.
        ChangeReturned = "change.returned",
        /// A change was approved as it is.
        ChangeApproved = "change.approved",
        /// The publication of a change was planned.
        ChangePlanned = "change.planned",
        /// The planned publication of a change did not happen.
        ChangeFailed = "change.failed",
        /// All that a change proposes went live.
        ChangePublished = "change.published",
        /// A change was given up.
        ChangeClosed = "change.closed",
        /// A change was deleted permanently.
        ChangeDeleted = "change.deleted",
        /// A media file was uploaded.
        MediaUploaded = "media.uploaded",
        /// The metadata or the name of a media file was changed.
        MediaUpdated = "media.updated",
        /// A media file was deleted permanently.
        MediaDeleted = "media.deleted",
        /// A media category was created.
        MediaCategoryCreated = "media.category_created",
        /// A media category was renamed, moved or merged into another one.
        MediaCategoryRenamed = "media.category_renamed",
        /// A media category was deleted, with its subcategories.
        MediaCategoryDeleted = "media.category_deleted",
        /// A content type was created.
        SchemaCreated = "schema.created",
        /// A content type was changed.
        SchemaUpdated = "schema.updated",
        /// A content type was deleted permanently, with all its entries.
        SchemaDeleted = "schema.deleted",
        /// A saved view was shared with everybody.
        ViewCreated = "view.created",
        /// A shared view got another name, query or columns.
        ViewUpdated = "view.updated",
        /// A shared view was deleted.
        ViewDeleted = "view.deleted",
        /// The first user was created.
        SetUp = "auth.setup",
        /// A user logged in.
        LoggedIn = "auth.login",
        /// A login was refused.
        LoginRefused = "auth.refused",
        /// A user set up a second factor, or replaced it.
        SecondFactorSet = "auth.second_factor_set",
        /// The second factor of a user was removed.
        SecondFactorRemoved = "auth.second_factor_removed",
        /// A user logged in with a recovery code.
        RecoveryCodeUsed = "auth.recovery_code_used",
        /// A user got new recovery codes.
        RecoveryCodesRenewed = "auth.recovery_codes_renewed",
        /// A user logged out.
        LoggedOut = "auth.logout",
        /// A user ended sessions of their own.
        SessionsEnded = "auth.sessions_ended",
        /// A user was created.
        UserCreated = "user.created",
        /// A user was changed.
        UserUpdated = "user.updated",
        /// A user was deleted.
        UserDeleted = "user.deleted",
        /// A role was created.
        RoleCreated = "role.created",
        /// A role was changed.
        RoleUpdated = "role.updated",
        /// A role was deleted.
        RoleDeleted = "role.deleted",
        /// A token was created.
        TokenCreated = "token.created",
        /// The metadata of a token was changed.
        TokenUpdated = "token.updated",
        /// A token got another secret.
        TokenRotated = "token.rotated",
        /// A token was revoked.
        TokenRevoked = "token.revoked",
        /// The record of a token was deleted.
        TokenDeleted = "token.deleted",
        /// A workspace was created.
        WorkspaceCreated = "workspace.created",
        /// A workspace was changed.
        WorkspaceUpdated = "workspace.updated",
        /// A workspace was archived.
        WorkspaceArchived = "workspace.archived",
        /// A file with a defect was repaired.
        ProblemSolved = "problem.solved",
        /// A defect of a file was accepted as it is.
        ProblemAccepted = "problem.accepted",
        /// The settings were changed.
        SettingsUpdated = "settings.updated",
        /// The webhooks were changed.
        WebhooksUpdated = "webhooks.updated",
        /// A backup was created.
        BackupCreated = "backup.created",
        /// A backup was uploaded.
        BackupUploaded = "backup.uploaded",
        /// A backup was restored.
        BackupRestored = "backup.restored",
        /// A backup was deleted.
        BackupDeleted = "backup.deleted",
        /// A release was downloaded.
        UpdateDownloaded = "update.downloaded",
        /// A release was installed.
        UpdateInstalled = "update.installed",
    }
}

impl EventKind {
    /// Returns true if webhooks receive the event. They receive changes of content, not of users,
    /// roles and tokens.
    pub fn is_hookable(self) -> bool {
        if self == EventKind::ChangePublished {
            return true;
        }
        ["content.", "media.", "schema."].iter().any(|it| self.as_str().starts_with(it))
    }

    /// Returns true if live streams send the event: what webhooks receive, and what happens to
    /// changes, so that several people can work on one.
    pub fn is_live(self) -> bool {
        self.is_hookable() || self.as_str().starts_with("change.")
    }

    /// Returns the severity: `info` or `warning`.
    pub fn level(self) -> &'static str {
        let is_warning = matches!(
            self,
            EventKind::LoginRefused
                | EventKind::SecondFactorRemoved
                | EventKind::RecoveryCodeUsed
                | EventKind::ChangeFailed
        );
        if is_warning { "warning" } else { "info" }
    }

    /// Returns the events of a change of an entry. The arguments tell whether the entry is public
    /// before and after the change; `None` means that there is no entry.
    pub fn for_entry_change(before: Option<bool>, after: Option<bool>) -> Vec<EventKind> {
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

    /// Returns what happened to the subject, as a sentence says it.
    fn participle(self) -> &'static str {
        match self {
            EventKind::ChangePlanned => "scheduled",
            EventKind::ChangeSubmitted => "submitted for review",
            EventKind::ChangeReturned => "returned for more work",
            kind => kind.verb(),
        }
    }

    /// Returns the past tense of the event's verb.
    pub fn verb(self) -> &'static str {
        let verb = self.as_str().rsplit_once('.').map_or("changed", |(_, verb)| verb);
        verb.strip_prefix("category_").unwrap_or(verb)
    }
}

/// The origin of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum EventSource {
    /// The admin API.
    Admin,
    /// The public API.
    Api,
    /// An edit of the files by hand.
    Disk,
    /// A scheduled change.
    Schedule,
}

/// The actor of a change, as it is recorded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Actor {
    /// The id in the form that entries store: a user's id, or `tok_<id>`.
    pub id: String,
    /// The display name.
    pub name: String,
    /// The address of the request.
    pub ip: Option<IpAddr>,
    /// The id of the request.
    pub request_id: String,
    /// The interface that the request used.
    pub source: EventSource,
}

/// The subject of an event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Subject {
    /// An entry.
    Entry {
        /// The content type.
        #[serde(rename = "type")]
        type_name: String,
        /// The id.
        id: String,
        /// The slug.
        slug: String,
        /// The new status.
        status: String,
        /// The new title.
        title: String,
    },
    /// A media file.
    Media {
        /// The filename.
        filename: String,
    },
    /// Media categories.
    Category {
        /// The path of the category.
        category: String,
    },
    /// A change of entries beside what is live.
    Change {
        /// The id.
        change: String,
        /// The label; empty for pending changes.
        label: String,
    },
    /// A content type.
    Schema {
        /// The name.
        #[serde(rename = "type")]
        type_name: String,
        /// The label.
        label: String,
    },
    /// A saved view that is shared.
    View {
        /// The content type.
        #[serde(rename = "type")]
        type_name: String,
        /// The id.
        view: String,
        /// The name.
        name: String,
    },
    /// A user.
    User {
        /// The id.
        user: String,
        /// The username.
        username: String,
    },
    /// A role.
    Role {
        /// The id.
        role: String,
        /// The label.
        label: String,
    },
    /// A token.
    Token {
        /// The id.
        token: String,
        /// The name.
        name: String,
    },
    /// A workspace.
    Workspace {
        /// The slug.
        slug: String,
        /// The label.
        label: String,
    },
    /// A backup.
    Backup {
        /// The file name.
        backup: String,
    },
    /// A release.
    Release {
        /// The version.
        version: String,
    },
    /// A defect of a file.
    Problem {
        /// The kind of problem.
        problem: Cow<'static, str>,
        /// The file.
        path: String,
    },
    /// A subject that exists only once.
    Only {
        /// The name of the subject.
        subject: Cow<'static, str>,
    },
}

impl Subject {
    /// Returns the text that names the subject in a message.
    pub fn label(&self) -> String {
        match self {
            Subject::Entry { type_name, title, slug, .. } if title.is_empty() => {
                format!("{type_name} `{slug}`")
            }
            Subject::Entry { type_name, title, .. } => format!("{type_name} `{title}`"),
            Subject::Media { filename } => format!("media file `{filename}`"),
            Subject::Category { category } => format!("media category `{category}`"),
            Subject::Change { .. } if self.is_drafts() => "drafts".to_string(),
            Subject::Change { label, .. } => format!("release `{label}`"),
            Subject::Schema { type_name, .. } => format!("content type `{type_name}`"),
            Subject::View { type_name, name, .. } => format!("view `{name}` of `{type_name}`"),
            Subject::User { username, .. } => format!("user `{username}`"),
            Subject::Role { label, .. } => format!("role `{label}`"),
            Subject::Token { name, .. } => format!("token `{name}`"),
            Subject::Workspace { label, .. } => format!("workspace `{label}`"),
            Subject::Backup { backup } => format!("backup `{backup}`"),
            Subject::Release { version } => format!("Recto {version}"),
            Subject::Problem { path, .. } => format!("problem of `{path}`"),
            Subject::Only { subject } => subject.to_string(),
        }
    }

    /// Returns true for the pending change of an author, which has no label.
    fn is_drafts(&self) -> bool {
        matches!(self, Subject::Change { label, .. } if label.is_empty())
    }
}

/// An event. Its id and time are assigned when it is emitted, after the change is durable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The kind.
    pub kind: EventKind,
    /// The subject.
    pub subject: Subject,
    /// The actor; `None` for edits by hand and scheduled changes.
    pub by: Option<Actor>,
    /// The origin.
    pub source: EventSource,
    /// The id of the change (in `changes/`) whose publication caused the event.
    pub in_change: Option<String>,
    /// True if the activity log leaves the event out.
    pub is_unlogged: bool,
}

impl Event {
    /// Creates the event of a change made through an API.
    pub fn from_actor(actor: &Actor, kind: EventKind, subject: Subject) -> Event {
        let by = Some(actor.clone());
        Event { kind, subject, by, source: actor.source, in_change: None, is_unlogged: false }
    }

    /// Creates the event of an edit of the files.
    pub fn from_disk(kind: EventKind, subject: Subject) -> Event {
        let source = EventSource::Disk;
        Event { kind, subject, by: None, source, in_change: None, is_unlogged: false }
    }

    /// Creates the event of something that the clock caused.
    pub fn from_schedule(kind: EventKind, subject: Subject) -> Event {
        Event { source: EventSource::Schedule, ..Event::from_disk(kind, subject) }
    }

    /// Returns a sentence for the activity log.
    pub fn message(&self) -> String {
        let mut label = self.subject.label();
        if let Some(first) = label.get(..1) {
            let upper = first.to_ascii_uppercase();
            label.replace_range(..1, &upper);
        }
        match self.kind {
            EventKind::LoggedIn => format!("{label} logged in."),
            EventKind::LoggedOut => format!("{label} logged out."),
            EventKind::SessionsEnded => format!("{label} ended sessions of their own."),
            EventKind::LoginRefused => format!("{label} failed to log in."),
            EventKind::SecondFactorSet => format!("{label} has a new second factor."),
            EventKind::SecondFactorRemoved => format!("{label} has no second factor any more."),
            EventKind::RecoveryCodeUsed => format!("{label} used a recovery code."),
            EventKind::RecoveryCodesRenewed => format!("{label} has new recovery codes."),
            EventKind::ChangeFailed => format!("{label} was not published as scheduled."),
            EventKind::SetUp => format!("{label} set up the installation."),
            EventKind::SettingsUpdated | EventKind::WebhooksUpdated => {
                format!("{label} were updated.")
            }
            kind if self.subject.is_drafts() => format!("{label} were {}.", kind.participle()),
            kind => format!("{label} was {}.", kind.participle()),
        }
    }
}

/// An emitted event, with its position in the order of all events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmittedEvent {
    /// The id; unique and sortable by time.
    pub id: String,
    /// The time when the event was emitted.
    pub at: Timestamp,
    /// The workspace; `None` if the event concerns the installation.
    pub workspace: Option<WorkspaceSlug>,
    /// The event.
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
            assert_eq!(Event::from_disk(kind, subject).message(), expect);
        };
        check(EventKind::ContentCreated, entry("Hi"), "Posts `Hi` was created.");
        check(EventKind::ContentDeleted, entry(""), "Posts `s` was deleted.");
        let media = Subject::Media { filename: "a.png".into() };
        let (type_name, view, name) = ("posts".into(), "v".into(), "Long".into());
        let view = Subject::View { type_name, view, name };
        check(EventKind::ViewDeleted, view, "View `Long` of `posts` was deleted.");
        check(EventKind::MediaUploaded, media, "Media file `a.png` was uploaded.");
        let category = Subject::Category { category: "A / B".into() };
        let message = "Media category `A / B` was renamed.";
        check(EventKind::MediaCategoryRenamed, category, message);
    }

    #[test]
    fn names_are_unique() {
        let names: std::collections::HashSet<_> =
            EventKind::ALL.iter().map(|it| it.as_str()).collect();
        assert_eq!(names.len(), EventKind::ALL.len());
    }
}
