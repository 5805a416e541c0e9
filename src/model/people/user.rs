//! Users: their records and password hashes.

use std::fmt;

use serde::Serialize;
use sha2::Digest as _;
use sha2::Sha256;
use unicode_normalization::UnicodeNormalization;

use crate::model::field::is_email;
use crate::model::name::EntryId;
use crate::model::people::record_times;
use crate::model::problem::FieldProblems;
use crate::stdx::fold;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::time::Timestamp;

/// The maximum length of a user name in characters.
pub const USERNAME_CHARS_MAX: usize = 64;
/// The maximum length of a display name in characters.
pub const DISPLAY_NAME_CHARS_MAX: usize = 100;
/// The maximum length of an e-mail address in bytes.
pub const EMAIL_BYTES_MAX: usize = 254;

/// The hash of a password as a PHC string. It is neither printed nor serialized, only written to
/// the user's file.
#[derive(Clone, PartialEq, Eq)]
pub struct PasswordHash(Box<str>);

impl PasswordHash {
    /// Creates a hash from a PHC string.
    pub fn new(phc: impl Into<Box<str>>) -> PasswordHash {
        PasswordHash(phc.into())
    }

    /// Returns the PHC string, to verify or store it.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

/// A user, stored in `system/users/<id>.json`. Serialized in the form of the admin API; the file,
/// which also contains the password's hash, is [`UserRecord::to_file`].
#[derive(Clone, Serialize)]
pub struct UserRecord {
    /// The stem of the file; entries name it as their author.
    pub id: EntryId,
    /// The name used to log in.
    pub username: String,
    /// The name shown to others.
    pub display_name: String,
    /// The e-mail address; may be empty.
    pub email: String,
    /// The id of the role.
    pub role: EntryId,
    /// True if the user has a picture.
    pub has_avatar: bool,
    /// The time of creation.
    pub created_at: Option<Timestamp>,
    /// The time of the last change.
    pub updated_at: Option<Timestamp>,
    /// The time of the last login.
    pub last_login_at: Option<Timestamp>,
    /// The hash of the password. A user without one cannot log in.
    #[serde(skip)]
    pub password: Option<PasswordHash>,
    /// The preferences stored by the interface.
    #[serde(skip)]
    pub preferences: Map,
}

impl UserRecord {
    /// Parses the file of the user `id`. Unknown keys are ignored.
    pub fn parse(id: &EntryId, json: &Json) -> Result<UserRecord, FieldProblems> {
        let Some(object) = json.as_object() else {
            return Err(FieldProblems::from_problem("", "The record of a user is an object."));
        };
        let mut problems = FieldProblems::new();
        let text = |key: &str| object.get(key).and_then(Json::as_str).unwrap_or_default();
        let username = text("username").to_string();
        if let Err(message) = check_username(&username) {
            problems.add("username", message);
        }
        let role = EntryId::parse(text("role"));
        if role.is_err() {
            problems.add("role", "This should be the id of a role.");
        }
        let mut time = |key: &str| record_times::parse_time(object, key, &mut problems);
        let (created_at, updated_at) = (time("created_at"), time("updated_at"));
        let last_login_at = time("last_login_at");
        let Ok(role) = role else { return Err(problems) };
        let record = UserRecord {
            id: id.clone(),
            display_name: text("display_name").to_string(),
            email: text("email").to_string(),
            role,
            has_avatar: object.get("has_avatar").and_then(Json::as_bool).unwrap_or_default(),
            created_at,
            updated_at,
            last_login_at,
            password: Some(text("password_hash"))
                .filter(|it| !it.is_empty())
                .map(PasswordHash::new),
            preferences: object
                .get("preferences")
                .and_then(Json::as_object)
                .cloned()
                .unwrap_or_default(),
            username,
        };
        problems.into_result(record)
    }

    /// Returns the content of the user's file.
    pub fn to_file(&self) -> Json {
        let mut file = Map::new();
        file.push("id", self.id.as_str());
        file.push("username", self.username.as_str());
        file.push("display_name", self.display_name.as_str());
        file.push("email", self.email.as_str());
        file.push("role", self.role.as_str());
        file.push("has_avatar", self.has_avatar);
        file.push("created_at", record_times::time_to_json(self.created_at));
        file.push("updated_at", record_times::time_to_json(self.updated_at));
        file.push("last_login_at", record_times::time_to_json(self.last_login_at));
        let password = self.password.as_ref().map(PasswordHash::reveal);
        file.push("password_hash", password.map_or(Json::Null, Json::from));
        file.push("preferences", self.preferences.clone());
        Json::Object(file)
    }

    /// Returns the display name, or the user name if there is none.
    pub fn shown_name(&self) -> &str {
        if self.display_name.is_empty() { &self.username } else { &self.display_name }
    }

    /// Returns a hash of the password and the role. Sessions end when it changes.
    pub fn session_stamp(&self) -> String {
        let mut hash = Sha256::new();
        hash.update(self.password.as_ref().map_or("", PasswordHash::reveal));
        hash.update([0]);
        hash.update(self.role.as_str());
        hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
    }

    /// Returns the normalized user name, which is unique.
    pub fn login_name(&self) -> String {
        login_name(&self.username)
    }
}

/// Prints only the id, never the password's hash.
impl fmt::Debug for UserRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UserRecord").field("id", &self.id).finish_non_exhaustive()
    }
}

/// Normalizes a user name: case and the encoding of characters are ignored.
pub fn login_name(username: &str) -> String {
    let composed: String = username.trim().nfkc().collect();
    fold::casefold(&composed).nfkc().collect()
}

/// Checks the display name and the e-mail address of a user.
pub fn check_person(display_name: &str, email: &str, problems: &mut FieldProblems) {
    if display_name.chars().count() > DISPLAY_NAME_CHARS_MAX {
        let message = format!("A name has {DISPLAY_NAME_CHARS_MAX} characters at most.");
        problems.add("display_name", message);
    } else if display_name.chars().any(char::is_control) {
        problems.add("display_name", "A name has no control characters.");
    }
    if !email.is_empty() && (email.len() > EMAIL_BYTES_MAX || !is_email(email)) {
        problems.add("email", "This is not an e-mail address.");
    }
}

/// Checks that a text is valid as a user name.
pub fn check_username(text: &str) -> Result<(), &'static str> {
    if text.is_empty() {
        return Err("This field is required.");
    }
    if text.chars().count() > USERNAME_CHARS_MAX {
        return Err("A user name has 64 characters at most.");
    }
    let fits = |it: char| !it.is_control() && !it.is_whitespace() && it != '\u{feff}';
    if !text.chars().all(fits) {
        return Err("A user name has no spaces.");
    }
    if text.chars().any(is_invisible) {
        return Err("A user name has no invisible characters.");
    }
    Ok(())
}

/// Returns true for invisible characters, which would make two names look the same.
fn is_invisible(it: char) -> bool {
    matches!(it,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{ffa0}'
        | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_read_back() {
        let id = EntryId::parse("u1").unwrap();
        let text =
            br#"{"username":"Anna","role":"editor","password_hash":"$argon2id$x","email":"a@b.c",
            "last_login_at":"2026-01-01T00:00:00Z","preferences":{"theme":"dark"}}"#;
        let record = UserRecord::parse(&id, &Json::parse(text).unwrap()).unwrap();
        let again = UserRecord::parse(&id, &record.to_file()).unwrap();
        assert_eq!(again.to_file(), record.to_file());
        assert_eq!(again.password.unwrap().reveal(), "$argon2id$x");
        let shown = serde_json::to_string(&record).unwrap();
        assert!(!shown.contains("argon2") && !format!("{record:?}").contains("argon2"), "{shown}");
    }

    #[test]
    fn what_is_wrong_is_told_at_once() {
        let json = Json::parse(br#"{"username":"a b","role":"!","created_at":"soon"}"#).unwrap();
        let problems = UserRecord::parse(&EntryId::parse("u1").unwrap(), &json).unwrap_err();
        assert_eq!(problems.len(), 3, "{problems}");
    }

    #[test]
    fn names_that_look_the_same_are_the_same() {
        let check = |a: &str, b: &str, expect: bool| {
            assert_eq!(login_name(a) == login_name(b), expect, "{a} {b}");
        };
        check("Anna", "ANNA ", true);
        check("Straße", "STRASSE", true);
        check("ﬁn", "fin", true);
        check("é", "e\u{301}", true);
        check("anna", "anne", false);
    }

    #[test]
    fn what_can_be_a_user_name() {
        for good in ["anna", "Ägidius", "a", "o'neil+x@example.org", "李"] {
            assert_eq!(check_username(good), Ok(()), "{good}");
        }
        let long = "a".repeat(65);
        for wrong in ["", "a b", "a\u{7}", "an\u{200b}na", "\u{202e}anna", "a\u{3164}", &long] {
            assert!(check_username(wrong).is_err(), "{wrong:?}");
        }
    }
}
