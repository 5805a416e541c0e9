//! Actions: the closed list of permissions, and the patterns that grants use to name them.

use crate::model::grant::glob::Glob;
use crate::stdx::text_enum::text_enum;

text_enum! {
    /// An action that a caller may be allowed to take.
    pub enum Action {
        SchemaRead = "schema.read",
        SchemaCreate = "schema.create",
        SchemaUpdate = "schema.update",
        SchemaDelete = "schema.delete",
        ContentRead = "content.read",
        ContentCreate = "content.create",
        ContentUpdate = "content.update",
        ContentDelete = "content.delete",
        ContentPublish = "content.publish",
        ContentApprove = "content.approve",
        ContentRestore = "content.restore",
        ContentRevisionsRead = "content.revisions.read",
        ContentRevisionsRestore = "content.revisions.restore",
        MediaRead = "media.read",
        MediaUpload = "media.upload",
        MediaUpdate = "media.update",
        MediaDelete = "media.delete",
        DashboardRead = "dashboard.read",
        ActivityRead = "activity.read",
        ProfileRead = "profile.read",
        ProfileUpdate = "profile.update",
        UpdatesRead = "updates.read",
        UpdatesCheck = "updates.check",
        UpdatesDownload = "updates.download",
        UpdatesInstall = "updates.install",
        BackupsRead = "backups.read",
        BackupsCreate = "backups.create",
        BackupsRestore = "backups.restore",
        BackupsDelete = "backups.delete",
        WebhooksManage = "webhooks.manage",
        WorkspacesRead = "workspaces.read",
        WorkspacesManage = "workspaces.manage",
        UsersRead = "users.read",
        UsersCreate = "users.create",
        UsersUpdate = "users.update",
        UsersDelete = "users.delete",
        RolesRead = "roles.read",
        RolesCreate = "roles.create",
        RolesUpdate = "roles.update",
        RolesDelete = "roles.delete",
        TokensRead = "tokens.read",
        TokensCreate = "tokens.create",
        TokensRevoke = "tokens.revoke",
        SettingsRead = "settings.read",
        SettingsUpdate = "settings.update",
    }
}

const _: () = assert!(Action::ALL.len() <= 64, "an ActionSet has one bit for each action");

/// A set of actions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ActionSet(u64);

impl ActionSet {
    pub(super) fn from_action(action: Action) -> ActionSet {
        ActionSet(1 << action as u64)
    }

    pub(super) fn contains(self, action: Action) -> bool {
        self.0 & ActionSet::from_action(action).0 != 0
    }

    pub(super) fn union(self, other: ActionSet) -> ActionSet {
        ActionSet(self.0 | other.0)
    }

    /// Returns true if the set contains all of the others.
    pub(super) fn contains_all(self, other: ActionSet) -> bool {
        other.0 & !self.0 == 0
    }

    /// Returns true if the set contains some of the others.
    pub(super) fn contains_any(self, other: ActionSet) -> bool {
        self.0 & other.0 != 0
    }

    fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// An action, or several by a wildcard: `content.read`, `content.*`, `*`. A pattern stands for the
/// existing actions that it matches, so a pattern that matches none is an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ActionPattern {
    text: Box<str>,
    set: ActionSet,
}

impl ActionPattern {
    /// Parses a pattern; returns `None` if it matches no action.
    pub(super) fn parse(text: &str) -> Option<ActionPattern> {
        let glob = Glob::from_segment(text);
        let matching = Action::ALL.iter().filter(|action| glob.matches(&[action.as_str()]));
        let set = matching
            .fold(ActionSet::default(), |set, action| set.union(ActionSet::from_action(*action)));
        (!set.is_empty()).then(|| ActionPattern { text: text.into(), set })
    }

    /// Returns the pattern as written.
    pub(super) fn as_str(&self) -> &str {
        &self.text
    }

    pub(super) fn action_set(&self) -> ActionSet {
        self.set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_action_reads_back() {
        for action in &Action::ALL {
            assert_eq!(Action::parse(action.as_str()), Some(*action));
        }
        assert_eq!(Action::parse("content.frobnicate"), None);
    }

    #[test]
    fn patterns() {
        let check = |pattern: &str, expect: usize| {
            let found = ActionPattern::parse(pattern).map_or(0, |it| it.set.0.count_ones());
            assert_eq!(found as usize, expect, "{pattern}");
        };
        check("*", Action::ALL.len());
        check("content.*", 9);
        check("content.revisions.*", 2);
        check("*.install", 1);
        check("content.read", 1);
        check("content", 0);
        check("content.red", 0);
        check("", 0);
        check("Content.Read", 0);
    }
}
