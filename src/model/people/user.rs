//! Users: their records and password hashes.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;
use serde::Serializer;
use sha2::Digest as _;
use sha2::Sha256;
use unicode_normalization::UnicodeNormalization;

use crate::model::field::is_email;
use crate::model::input::ObjectReader;
use crate::model::input::check_length;
use crate::model::input::wording;
use crate::model::name::EntryId;
use crate::model::people::second_factor::SecondFactor;
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

/// The number of characters of a hash of bcrypt behind its version.
const BCRYPT_CHARS: usize = 56;
/// The highest cost of bcrypt that is verified: some two seconds.
const BCRYPT_COST_MAX: u32 = 14;

/// The hash of a password as a PHC string. It is neither printed nor serialized, only written to
/// the user's file.
#[derive(Clone, PartialEq, Eq)]
pub struct PasswordHash(Box<str>);

impl PasswordHash {
    /// Creates a hash from a PHC string.
    pub fn new(phc: impl Into<Box<str>>) -> PasswordHash {
        PasswordHash(phc.into())
    }

    /// Returns true for a hash of bcrypt, which an import brings along. It is replaced when its
    /// user logs in. Hashes that take long to verify are none: anybody could keep a core busy.
    pub fn is_bcrypt(&self) -> bool {
        let rest = ["$2y$", "$2b$", "$2a$"].iter().find_map(|it| self.0.strip_prefix(it));
        let cost = rest.filter(|it| it.len() == BCRYPT_CHARS).and_then(|it| it.split_once('$'));
        let cost = cost.and_then(|(cost, _)| cost.parse::<u32>().ok());
        cost.is_some_and(|it| (4..=BCRYPT_COST_MAX).contains(&it))
    }

    /// Returns the PHC string, to verify or store it.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

/// A user, stored in `system/users/<id>.json`. Serialized in the form of the admin API; the file,
/// which also contains the password's hash, is [`UserRecord::to_file`].
#[derive(Clone, Serialize, JsonSchema)]
#[schemars(rename = "User", description = "A user who can log in.", deny_unknown_fields)]
pub struct UserRecord {
    /// The id; entries name it as their author.
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
    /// True if a second factor is set up.
    #[serde(rename = "has_second_factor", serialize_with = "serialize_presence")]
    #[schemars(with = "bool")]
    pub second_factor: Option<SecondFactor>,
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
        let mut file = ObjectReader::from_json(json)?;
        let username = file.lenient_text("username").to_string();
        file.accept("username", check_username(&username));
        let role = file.accept("role", EntryId::parse(file.lenient_text("role")));
        let (created_at, updated_at) = (file.time("created_at"), file.time("updated_at"));
        let last_login_at = file.time("last_login_at");
        let second_factor = SecondFactor::read(&mut file);
        let Some(role) = role else { return Err(file.into_problems()) };
        let record = UserRecord {
            id: id.clone(),
            display_name: file.lenient_text("display_name").to_string(),
            email: file.lenient_text("email").to_string(),
            role,
            has_avatar: file.lenient_flag("has_avatar", false),
            created_at,
            updated_at,
            last_login_at,
            second_factor,
            password: Some(file.lenient_text("password_hash"))
                .filter(|it| !it.is_empty())
                .map(PasswordHash::new),
            preferences: file
                .value("preferences")
                .and_then(Json::as_object)
                .cloned()
                .unwrap_or_default(),
            username,
        };
        file.into_result(record)
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
        file.push("created_at", self.created_at);
        file.push("updated_at", self.updated_at);
        file.push("last_login_at", self.last_login_at);
        let password = self.password.as_ref().map(PasswordHash::reveal);
        file.push("password_hash", password);
        // Said also when there is none: a key that is not written stays as it is in the file.
        let factor = self.second_factor.as_ref().map(SecondFactor::to_json);
        file.push("second_factor", factor.unwrap_or(Json::Null));
        file.push("preferences", self.preferences.clone());
        Json::Object(file)
    }

    /// Returns the display name, or the user name if there is none.
    pub fn shown_name(&self) -> &str {
        if self.display_name.is_empty() { &self.username } else { &self.display_name }
    }

    /// Returns a hash of the password, the role and the second factor. Sessions end when it
    /// changes.
    pub fn session_stamp(&self) -> String {
        let mut hash = Sha256::new();
        hash.update(self.password.as_ref().map_or("", PasswordHash::reveal));
        hash.update([0]);
        hash.update(self.role.as_str());
        if let Some(factor) = &self.second_factor {
            hash.update([0]);
            hash.update(factor.secret.reveal());
        }
        hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
    }

    /// Returns the normalized user name, which is unique.
    pub fn login_name(&self) -> String {
        login_name(&self.username)
    }
}

fn serialize_presence<T, S: Serializer>(
    value: &Option<T>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_bool(value.is_some())
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

/// Reads the display name and the e-mail address of a user, as far as they are sent.
pub fn read_person(input: &mut ObjectReader<'_>) -> (Option<String>, Option<String>) {
    let display_name = input.line("display_name", DISPLAY_NAME_CHARS_MAX);
    let email = input.trimmed_text("email");
    let fits = |it: &String| it.is_empty() || it.len() <= EMAIL_BYTES_MAX && is_email(it);
    if email.as_ref().is_some_and(|it| !fits(it)) {
        input.add_problem("email", "This is not an e-mail address.");
    }
    (display_name, email)
}

/// Reads the required name of a user.
pub fn read_username(input: &mut ObjectReader<'_>) -> String {
    let username = input.filled_text("username");
    if !username.is_empty() {
        input.accept("username", check_username(&username));
    }
    username
}

/// Checks that a text is valid as a user name.
pub fn check_username(text: &str) -> Result<(), String> {
    if text.is_empty() {
        return Err(wording::REQUIRED.to_string());
    }
    check_length(text, USERNAME_CHARS_MAX)?;
    let fits = |it: char| !it.is_control() && !it.is_whitespace() && it != '\u{feff}';
    if !text.chars().all(fits) {
        return Err("A user name must not contain spaces.".to_string());
    }
    if text.chars().any(is_invisible) {
        return Err("A user name must not contain invisible characters.".to_string());
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
    fn a_second_factor_is_kept_and_hidden() {
        let id = EntryId::parse("u1").unwrap();
        let parse = |factor: &str| {
            let text = format!(r#"{{"username":"anna","role":"editor"{factor}}}"#);
            UserRecord::parse(&id, &Json::parse(text.as_bytes()).unwrap())
        };
        let secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
        let with = parse(&format!(r#","second_factor":{{"secret":"{secret}"}}"#)).unwrap();
        let without = parse("").unwrap();
        assert_ne!(with.session_stamp(), without.session_stamp());
        assert_eq!(UserRecord::parse(&id, &with.to_file()).unwrap().to_file(), with.to_file());
        let shown = serde_json::to_string(&with).unwrap();
        assert!(shown.contains(r#""has_second_factor":true"#) && !shown.contains(secret));
        let without = without.to_file();
        let stored = without.as_object().and_then(|it| it.get("second_factor"));
        assert_eq!(stored, Some(&Json::Null));
        // Without the factor, the password alone would do.
        assert!(parse(r#","second_factor":{"secret":"?"}"#).is_err());
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
