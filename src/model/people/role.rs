//! Roles: sets of grants for users. Four are built in; all but the administrator's can be changed.

use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::Serialize;

use crate::model::grant::Grant;
use crate::model::input::ObjectReader;
use crate::model::name::EntryId;
use crate::model::problem::FieldProblems;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::time::Timestamp;

/// The id of the role with all permissions.
pub const ADMIN: &str = "admin";

/// The maximum length of a label in characters.
pub const LABEL_CHARS_MAX: usize = 100;

/// A role. Serialized in the form of the admin API.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RoleRecord {
    /// The id.
    pub id: EntryId,
    /// The display name.
    pub label: String,
    /// True if the role is built in and cannot be deleted.
    pub system: bool,
    /// True if the role cannot be changed.
    pub locked: bool,
    /// The grants of users with this role.
    pub permissions: Vec<Grant>,
    /// True if users with this role must have a second factor before they can do anything.
    pub requires_second_factor: bool,
    /// The time of creation; null for built-in roles.
    pub created_at: Option<Timestamp>,
    /// The time of the last change.
    pub updated_at: Option<Timestamp>,
}

impl RoleRecord {
    /// Parses the file of the role `id`. An invalid grant makes the whole record invalid: without a
    /// denial its users would have more permissions.
    pub fn parse(id: &EntryId, json: &Json) -> Result<RoleRecord, FieldProblems> {
        let mut file = ObjectReader::from_json(json)?;
        let permissions = Grant::read_stored_list(&mut file, "permissions");
        // What cannot be read does not let people in with less.
        let requires_second_factor = file.flag("requires_second_factor").unwrap_or(false);
        let time = |key: &str| Timestamp::parse(file.lenient_text(key));
        let label = file.value("label").and_then(Json::as_str);
        let record = RoleRecord {
            id: id.clone(),
            label: label.unwrap_or(id.as_str()).to_string(),
            system: built_in_roles().iter().any(|it| it.id == *id),
            locked: id.as_str() == ADMIN,
            permissions,
            requires_second_factor,
            created_at: time("created_at"),
            updated_at: time("updated_at"),
        };
        file.into_result(record)
    }

    /// Returns the content of the role's file.
    pub fn to_file(&self) -> Json {
        let mut file = Map::new();
        file.push("id", self.id.as_str());
        file.push("label", self.label.as_str());
        file.push("permissions", self.permissions.iter().map(Grant::to_json).collect::<Vec<_>>());
        file.push("requires_second_factor", self.requires_second_factor);
        file.push("created_at", self.created_at);
        file.push("updated_at", self.updated_at);
        Json::Object(file)
    }
}

/// Returns the built-in roles in their original state.
pub fn built_in_roles() -> &'static [RoleRecord] {
    static ROLES: LazyLock<Vec<RoleRecord>> = LazyLock::new(|| {
        let rows: [(&str, &str, &[&str]); 4] = [
            (ADMIN, "Administrator", &["*@*"]),
            ("editor", "Editor", EDITOR),
            ("author", "Author", AUTHOR),
            ("viewer", "Viewer", VIEWER),
        ];
        rows.into_iter().map(|(id, label, grants)| build_role(id, label, grants)).collect()
    });
    &ROLES
}

const EDITOR: &[&str] = &[
    "dashboard.read,activity.read,profile.read,profile.update,workspaces.read,updates.read@*",
    "schema.read@schema:*",
    "content.*@content:*",
    "media.*@media:*",
];

const AUTHOR: &[&str] = &[
    "dashboard.read,profile.read,profile.update,workspaces.read@*",
    "schema.read@schema:*",
    "content.read,content.create@content:*",
    r#"{"actions":["content.update","content.delete","content.revisions.read"],"resources":["content:*"],"conditions":{"own":true}}"#,
    "media.read,media.upload@media:*",
];

const VIEWER: &[&str] = &[
    "dashboard.read,profile.read,profile.update,workspaces.read@*",
    "schema.read@schema:*",
    "content.read,content.revisions.read@content:*",
    "media.read@media:*",
];

fn build_role(id: &str, label: &str, grants: &[&str]) -> RoleRecord {
    let grant = |line: &&str| {
        let read = match line.strip_prefix('{') {
            Some(_) => Json::parse(line.as_bytes()).ok().and_then(|it| Grant::parse(&it).ok()),
            None => Grant::parse_line(line).ok(),
        };
        read.expect("the grants above are well formed, as the test below shows")
    };
    RoleRecord {
        id: EntryId::parse(id).expect("the ids above are well formed"),
        label: label.to_string(),
        system: true,
        locked: id == ADMIN,
        permissions: grants.iter().map(grant).collect(),
        requires_second_factor: false,
        created_at: None,
        updated_at: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_are_built_in() {
        let ids: Vec<&str> = built_in_roles().iter().map(|it| it.id.as_str()).collect();
        assert_eq!(ids, [ADMIN, "editor", "author", "viewer"]);
        assert_eq!(built_in_roles().iter().filter(|it| it.locked).count(), 1);
    }

    #[test]
    fn files_read_back() {
        for role in built_in_roles() {
            let again = RoleRecord::parse(&role.id, &role.to_file()).unwrap();
            assert_eq!(again.to_file(), role.to_file());
        }
        let broken = Json::parse(br#"{"permissions":[{"actions":["fly"],"resources":["*"]}]}"#);
        assert!(RoleRecord::parse(&EntryId::parse("x").unwrap(), &broken.unwrap()).is_err());
    }
}
