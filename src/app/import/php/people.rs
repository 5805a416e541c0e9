//! Users and roles of the original. A password goes on working: its hash is verified once, and made
//! anew when its user logs in.

use crate::app::import::php::OriginalReader;
use crate::app::import::report::SourcePlace;
use crate::app::import::times::parse_time;
use crate::model::grant::Grant;
use crate::model::name::EntryId;
use crate::model::people::role::ADMIN;
use crate::model::people::role::RoleRecord;
use crate::model::people::user::DISPLAY_NAME_CHARS_MAX;
use crate::model::people::user::EMAIL_BYTES_MAX;
use crate::model::people::user::PasswordHash;
use crate::model::people::user::UserRecord;
use crate::model::people::user::check_username;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::time::Timestamp;

/// The largest file of a user or a role.
const RECORD_BYTES_MAX: u64 = 1024 * 1024;

/// The keys of a grant that both have.
const GRANT_KEYS: &[&str] =
    &["effect", "actions", "action", "resources", "resource", "fields", "conditions", "condition"];

impl OriginalReader<'_> {
    /// Reads the users and roles of the installation.
    pub(super) fn read_people(&mut self) {
        for (place, id, map) in self.read_records("roles") {
            if let Some(role) = self.read_role(&place, &id, &map) {
                self.set.roles.push((place, role));
            }
        }
        for (place, id, map) in self.read_records("users") {
            if let Some(user) = self.read_user(&place, &id, &map) {
                self.set.users.push((place, user));
            }
        }
    }

    /// Reads the files in a folder that are named like ids.
    fn read_records(&mut self, folder: &str) -> Vec<(SourcePlace, EntryId, Map)> {
        let mut records = Vec::new();
        for (path, below) in self.list(folder) {
            let place = SourcePlace::of_file(&path);
            let Some(stem) = below.strip_suffix(".json").filter(|it| !it.contains('/')) else {
                let picture = below.strip_prefix("avatars/").and_then(|it| it.split_once('.'));
                match picture.map(|(id, _)| EntryId::parse(id)) {
                    Some(Ok(id)) => self.set.avatars.push((id, path)),
                    _ => self.set.report.add_skipped(place, "It is no record."),
                }
                continue;
            };
            match EntryId::parse(stem) {
                Ok(id) => {
                    if let Some(map) = self.read_json(&path, RECORD_BYTES_MAX) {
                        records.push((place, id, map));
                    }
                }
                Err(error) => self.set.report.add_skipped(place, error.message()),
            }
        }
        records
    }

    /// Reads a role. One with a denial that has no meaning here is left out: without the denial,
    /// its users could do more.
    fn read_role(&mut self, place: &SourcePlace, id: &EntryId, map: &Map) -> Option<RoleRecord> {
        if id.as_str() == ADMIN {
            return None;
        }
        let grants = map.get("permissions").and_then(Json::as_array).unwrap_or_default();
        let mut permissions = Vec::new();
        for (number, grant) in grants.iter().enumerate() {
            let place = place.with_field(format!("permissions[{number}]"));
            match read_grant(grant) {
                Ok((grant, removed)) => {
                    permissions.extend(grant.as_ref().and_then(|it| Grant::parse(it).ok()));
                    for what in removed {
                        let message = format!("{what} has no meaning here, and is left out.");
                        self.set.report.add_altered(place.clone(), message);
                    }
                }
                Err(why) => {
                    let message = format!("A denial of the role cannot be kept ({why}).");
                    let message = format!("{message} So the role is left out.");
                    self.set.report.add_skipped(place, message);
                    return None;
                }
            }
        }
        let label = map.get("label").and_then(Json::as_str).unwrap_or(id.as_str());
        Some(RoleRecord {
            id: id.clone(),
            label: label.chars().take(DISPLAY_NAME_CHARS_MAX).collect(),
            system: false,
            locked: false,
            permissions,
            requires_second_factor: false,
            created_at: read_time(map, "created_at"),
            updated_at: read_time(map, "updated_at"),
        })
    }

    fn read_user(&mut self, place: &SourcePlace, id: &EntryId, map: &Map) -> Option<UserRecord> {
        let text = |key: &str| map.get(key).and_then(Json::as_str).unwrap_or_default().trim();
        let username = text("username");
        if let Err(message) = check_username(username) {
            self.set.report.add_skipped(place.with_field("username"), message);
            return None;
        }
        let Ok(role) = EntryId::parse(text("role")) else {
            let message = "The user has no role that can be one here.";
            self.set.report.add_skipped(place.with_field("role"), message);
            return None;
        };
        let email = Some(text("email")).filter(|it| it.len() <= EMAIL_BYTES_MAX);
        let password = Some(PasswordHash::new(text("password_hash"))).filter(|it| it.is_bcrypt());
        if password.is_none() {
            let message = "Its password cannot be verified here. Set another one: `recto user \
                           reset-password`.";
            self.set.report.add_altered(place.with_field("password_hash"), message);
        }
        Some(UserRecord {
            id: id.clone(),
            username: username.to_string(),
            display_name: text("display_name").chars().take(DISPLAY_NAME_CHARS_MAX).collect(),
            email: email.unwrap_or_default().to_string(),
            role,
            has_avatar: false,
            created_at: read_time(map, "created_at"),
            updated_at: read_time(map, "updated_at"),
            last_login_at: None,
            password,
            second_factor: None,
            preferences: Map::new(),
        })
    }
}

fn read_time(map: &Map, key: &str) -> Option<Timestamp> {
    map.get(key).and_then(Json::as_str).and_then(parse_time)
}

/// Reads a grant as far as it has a meaning here: nothing, if no action or no resource of it has.
/// Returns what is left out beside it.
///
/// # Errors
///
/// Fails for a denial of which something would have to be left out, but for unknown actions: nobody
/// can do these anyway.
fn read_grant(grant: &Json) -> Result<(Option<Json>, Vec<String>), String> {
    let Some(map) = grant.as_object() else { return Err("it is no object".to_string()) };
    let is_denial = map.get("effect").is_some_and(|it| it.as_str() != Some("allow"));
    let mut kept = Map::new();
    let mut removed = Vec::new();
    for (key, value) in map.iter().filter(|(_, value)| !value.is_empty()) {
        match GRANT_KEYS.contains(&key) {
            true => kept.push(key, value.clone()),
            false => removed.push(format!("`{key}`")),
        }
    }
    for key in ["actions", "action", "resources", "resource"] {
        let Some(value) = kept.get(key).cloned() else { continue };
        let items = value.as_array().map_or_else(|| vec![value.clone()], <[Json]>::to_vec);
        let (good, bad): (Vec<Json>, Vec<Json>) =
            items.into_iter().partition(|it| means_something(key, it));
        removed.extend(bad.iter().map(|it| format!("`{}`", it.as_str().unwrap_or("?"))));
        if key.starts_with("resource") && is_denial && !bad.is_empty() {
            return Err(removed.join(", "));
        }
        if good.is_empty() {
            return Ok((None, removed));
        }
        kept.set(key, Json::Array(good));
    }
    let kept = Json::Object(kept);
    match Grant::parse(&kept) {
        Ok(_) => Ok((Some(kept), removed)),
        Err(problems) if is_denial => Err(problems.to_string()),
        // Without its conditions, it would allow more.
        Err(problems) => {
            removed.push(format!("a grant ({problems})"));
            Ok((None, removed))
        }
    }
}

/// Returns true if an action or a resource can be part of a grant.
fn means_something(key: &str, item: &Json) -> bool {
    let mut probe = Map::new();
    for (name, any) in [("actions", "content.read"), ("resources", "*")] {
        let value = if name.starts_with(key) { item.clone() } else { Json::from(any) };
        probe.push(name, Json::Array(vec![value]));
    }
    Grant::parse(&Json::Object(probe)).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stdx::json::from_text::json;

    #[test]
    fn grants_are_read_as_far_as_they_mean_something() {
        let check = |text: &str, expect: Result<(Option<&str>, usize), ()>| {
            let found = read_grant(&json(text)).map_err(|_| ());
            let expect = expect.map(|(grant, removed)| (grant.map(json), removed));
            assert_eq!(found.map(|(grant, removed)| (grant, removed.len())), expect, "{text}");
        };
        let good = r#"{"actions":["content.read"],"resources":["content:*"]}"#;
        check(good, Ok((Some(good), 0)));
        check(
            r#"{"actions":["content.read","fly"],"resources":["content:*"],"fields":[],"note":"x"}"#,
            Ok((Some(good), 2)),
        );
        check(r#"{"actions":["fly"],"resources":["*"]}"#, Ok((None, 1)));
        check(r#"{"effect":"deny","actions":["fly"],"resources":["*"]}"#, Ok((None, 1)));
        check(r#"{"effect":"deny","actions":["content.read"],"resources":["no such"]}"#, Err(()));
        let strange = r#""conditions":{"moon":"full"}"#;
        let grant = r#""actions":["content.read"],"resources":["*"]"#;
        check(&format!("{{{grant},{strange}}}"), Ok((None, 1)));
        check(&format!("{{\"effect\":\"deny\",{grant},{strange}}}"), Err(()));
        check("[]", Err(()));
    }
}
