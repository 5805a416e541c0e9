//! Sessions of logged-in users: their secrets, records and lifetimes.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::Digest as _;
use sha2::Sha256;

use crate::model::name::EntryId;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::time::Timestamp;

/// The maximum number of sessions per user. A new one replaces the oldest.
pub const SESSIONS_MAX: usize = 20;

const HOUR: i64 = 3_600;
const DAY: i64 = 24 * HOUR;

/// The secret in the browser's cookie: 256 random bits, of which the server stores only a hash.
pub struct SessionSecret([u8; 32]);

impl SessionSecret {
    /// Creates a secret from random bytes.
    pub fn new(bytes: [u8; 32]) -> SessionSecret {
        SessionSecret(bytes)
    }

    /// Parses the value of the cookie.
    pub fn parse(text: &str) -> Option<SessionSecret> {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        Some(SessionSecret(bytes.try_into().ok()?))
    }

    /// Returns the value of the cookie.
    pub fn reveal(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.0)
    }

    /// Returns the key of the session.
    pub fn key(&self) -> SessionKey {
        SessionKey(encode_hex(&Sha256::digest(self.0)))
    }

    /// Returns the token that pages must send with every change. It is derived from the secret,
    /// which cannot be recovered from it.
    pub fn csrf_token(&self) -> String {
        let mut hash = Sha256::new();
        hash.update(b"recto csrf ");
        hash.update(self.0);
        URL_SAFE_NO_PAD.encode(hash.finalize())
    }
}

/// The key of a session: the hash of its secret in hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SessionKey(String);

impl SessionKey {
    /// Parses a key, which is the name of the session's file.
    pub fn parse(text: &str) -> Option<SessionKey> {
        let is_digit = |it: u8| matches!(it, b'0'..=b'9' | b'a'..=b'f');
        (text.len() == 64 && text.bytes().all(is_digit)).then(|| SessionKey(text.to_string()))
    }

    /// Returns the key as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the short id that users see, which is long enough to identify the session.
    pub fn id(&self) -> &str {
        self.0.get(..16).unwrap_or_default()
    }
}

impl fmt::Display for SessionKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The stored record of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionRecord {
    /// The id of the user.
    pub user: EntryId,
    /// A hash of the user's password and role at the beginning. The session ends when either
    /// changes, whoever changes it.
    pub stamp: String,
    /// The time of the login.
    pub created_at: Timestamp,
    /// The time of the last use, to the minute.
    pub used_at: Timestamp,
    /// True if the session survives closing the browser.
    pub remember: bool,
    /// True if a proxy named the user. Such a session counts only in requests in which it does.
    pub by_proxy: bool,
    /// The address of the login.
    pub ip: String,
    /// The user agent of the login, as the browser states it.
    pub agent: String,
}

impl SessionRecord {
    /// Parses the file of a session; returns `None` if it is invalid.
    pub fn parse(json: &Json) -> Option<SessionRecord> {
        let object = json.as_object()?;
        let text = |key: &str| object.get(key).and_then(Json::as_str);
        let time = |key: &str| text(key).and_then(Timestamp::parse);
        Some(SessionRecord {
            user: EntryId::parse(text("user")?).ok()?,
            stamp: text("stamp")?.to_string(),
            created_at: time("created_at")?,
            used_at: time("used_at")?,
            remember: object.get("remember").and_then(Json::as_bool)?,
            by_proxy: object.get("by_proxy").and_then(Json::as_bool).unwrap_or(false),
            ip: text("ip").unwrap_or_default().to_string(),
            agent: text("agent").unwrap_or_default().to_string(),
        })
    }

    /// Returns the content of the session's file.
    pub fn to_file(&self) -> Json {
        let mut file = Map::new();
        file.push("user", self.user.as_str());
        file.push("stamp", self.stamp.as_str());
        file.push("created_at", self.created_at.to_string());
        file.push("used_at", self.used_at.to_string());
        file.push("remember", self.remember);
        if self.by_proxy {
            file.push("by_proxy", true);
        }
        file.push("ip", self.ip.as_str());
        file.push("agent", self.agent.as_str());
        Json::Object(file)
    }

    /// Returns true if the session is valid for the user's current stamp. While the user changes
    /// their password within the session, it accepts the old and the new one.
    pub fn is_valid_for(&self, stamp: &str) -> bool {
        self.stamp.split(' ').any(|it| it == stamp)
    }

    /// Returns the time when the session ends if it is not used again.
    pub fn ends_at(&self) -> Timestamp {
        let (idle, absolute) =
            if self.remember { (14 * DAY, 30 * DAY) } else { (12 * HOUR, 12 * HOUR) };
        let seconds = (self.used_at.seconds() + idle).min(self.created_at.seconds() + absolute);
        Timestamp::from_seconds(seconds)
    }

    /// Returns the lifetime of the cookie in seconds; `None` means until the browser is closed.
    pub fn cookie_seconds(&self) -> Option<i64> {
        self.remember.then_some(30 * DAY)
    }
}

fn encode_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(remember: bool, used: i64) -> SessionRecord {
        SessionRecord {
            user: EntryId::parse("u1").unwrap(),
            stamp: "s".to_string(),
            created_at: Timestamp::from_seconds(0),
            used_at: Timestamp::from_seconds(used),
            remember,
            by_proxy: false,
            ip: "::1".to_string(),
            agent: "a".to_string(),
        }
    }

    #[test]
    fn sessions_end() {
        let check = |remember, used, expect: i64| {
            assert_eq!(record(remember, used).ends_at().seconds(), expect);
        };
        check(false, 0, 12 * HOUR);
        check(false, 5 * HOUR, 12 * HOUR);
        check(true, 0, 14 * DAY);
        check(true, 10 * DAY, 24 * DAY);
        check(true, 20 * DAY, 30 * DAY);
    }

    #[test]
    fn secrets_read_back_and_tell_nothing() {
        let secret = SessionSecret::new([7; 32]);
        let text = secret.reveal();
        assert_eq!(SessionSecret::parse(&text).unwrap().key(), secret.key());
        assert_ne!(secret.csrf_token(), text);
        assert_ne!(secret.csrf_token(), secret.key().as_str());
        assert!(SessionSecret::parse("short").is_none());
        assert!(SessionKey::parse(secret.key().as_str()).is_some());
        assert!(SessionKey::parse("../../etc").is_none());
    }

    #[test]
    fn records_read_back() {
        let record = SessionRecord { by_proxy: true, ..record(true, 5) };
        assert_eq!(SessionRecord::parse(&record.to_file()), Some(record));
    }
}
