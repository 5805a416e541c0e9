//! Hashes and secrets in backups: they are removed from the files in a backup, and taken from the
//! existing files on a restore, so that users can still log in.

use crate::stdx::json::{Json, Map};
use crate::stdx::json_edit;
use crate::store::codec;
use crate::store::layout::Key;

/// The secret keys of a user's file.
const OF_USERS: &[&str] = &["password_hash", SECOND_FACTOR];

/// The key of a user's file that is `null` for most users: an archive that says so takes nothing
/// away from a user who has one.
const SECOND_FACTOR: &str = "second_factor";

/// The secret keys of a token's file.
const OF_TOKENS: &[&str] = &["secret_sha256", "previous_secret_sha256"];

/// The key of the list in the webhooks file, and the secret keys of each webhook.
const WEBHOOKS: &str = "webhooks";
const OF_WEBHOOKS: &[&str] = &["secret"];

/// Returns true if the file of a key contains secrets.
pub fn has_secrets(key: &Key) -> bool {
    matches!(key, Key::User(_) | Key::Token(_) | Key::Webhooks)
}

/// Returns the file without its secrets; `None` if the file cannot be read, since it may contain
/// secrets.
pub fn remove_secrets(key: &Key, bytes: &[u8]) -> Option<Vec<u8>> {
    if !has_secrets(key) {
        return Some(bytes.to_vec());
    }
    let mut map = codec::parse_document(&key.path(), bytes).ok()?.map;
    match key {
        Key::User(_) => OF_USERS.iter().for_each(|it| _ = map.remove(it)),
        Key::Token(_) => OF_TOKENS.iter().for_each(|it| _ = map.remove(it)),
        _ => change_webhooks(&mut map, |hook| {
            OF_WEBHOOKS.iter().for_each(|it| _ = hook.remove(it));
        }),
    }
    Some(json_edit::rewrite_json(bytes, &Json::Object(map)))
}

/// Returns the file with missing secrets copied from the existing file.
pub fn restore_secrets(key: &Key, bytes: &[u8], there: Option<&[u8]>) -> Vec<u8> {
    let parsed = |bytes: &[u8]| codec::parse_document(&key.path(), bytes).ok().map(|it| it.map);
    let (Some(mut map), Some(there)) = (parsed(bytes), there.and_then(parsed)) else {
        return bytes.to_vec();
    };
    match key {
        Key::User(_) => copy_missing(&mut map, &there, OF_USERS),
        Key::Token(_) => copy_missing(&mut map, &there, OF_TOKENS),
        Key::Webhooks => change_webhooks(&mut map, |hook| {
            let id = hook.get("id").cloned();
            let known =
                list_webhooks(&there).find(|it| id.is_some() && it.get("id") == id.as_ref());
            if let Some(known) = known {
                copy_missing(hook, known, OF_WEBHOOKS);
            }
        }),
        _ => return bytes.to_vec(),
    }
    json_edit::rewrite_json(bytes, &Json::Object(map))
}

fn copy_missing(map: &mut Map, there: &Map, keys: &[&str]) {
    for key in keys {
        let is_missing = match map.get(key) {
            None => true,
            Some(value) => *key == SECOND_FACTOR && *value == Json::Null,
        };
        if let Some(value) = there.get(key).filter(|_| is_missing) {
            map.set(key, value.clone());
        }
    }
}

fn list_webhooks(map: &Map) -> impl Iterator<Item = &Map> {
    let list = map.get(WEBHOOKS).and_then(Json::as_array).unwrap_or_default();
    list.iter().filter_map(Json::as_object)
}

fn change_webhooks(map: &mut Map, change: impl Fn(&mut Map)) {
    let Some(Json::Array(list)) = map.get_mut(WEBHOOKS) else { return };
    for hook in list {
        if let Json::Object(hook) = hook {
            change(hook);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(path: &str) -> Key {
        Key::parse(path).unwrap()
    }

    #[test]
    fn secrets_go_and_come_back() {
        let check = |path: &str, file: &str, without_them: &str| {
            let key = key(path);
            let gone = remove_secrets(&key, file.as_bytes()).unwrap();
            assert_eq!(String::from_utf8_lossy(&gone), without_them);
            let back = restore_secrets(&key, &gone, Some(file.as_bytes()));
            let map = |bytes: &[u8]| codec::parse_document(path, bytes).unwrap().map;
            let (back, file) = (map(&back), map(file.as_bytes()));
            assert!(file.iter().all(|(key, value)| back.get(key) == Some(value)), "{path}");
        };
        check(
            "system/users/anna.json",
            r#"{"username": "anna", "password_hash": "$argon2id$…", "x": 1}"#,
            r#"{"username": "anna", "x": 1}"#,
        );
        check(
            "system/tokens/01jz8x3m5q7v9c2a.json",
            r#"{"name": "CI", "secret_sha256": "00"}"#,
            r#"{"name": "CI"}"#,
        );
        check(
            "system/webhooks.json",
            r#"{"webhooks": [{"id": "a", "secret": "s"}, {"id": "b"}]}"#,
            r#"{"webhooks": [{"id": "a"}, {"id": "b"}]}"#,
        );
        check("system/settings.json", r#"{"password_hash": 1}"#, r#"{"password_hash": 1}"#);
    }

    #[test]
    fn what_cannot_be_read_is_not_told() {
        assert_eq!(
            remove_secrets(&key("system/users/anna.json"), b"{\"password_hash\": \"x\""),
            None
        );
        assert_eq!(restore_secrets(&key("system/users/a.json"), b"{}", None), b"{}");
    }
}
