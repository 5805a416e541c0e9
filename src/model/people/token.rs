//! API tokens: their text, `recto_<id>_<secret><checksum>`, and their records. A record only
//! contains a hash of the secret, so the folder does not reveal tokens.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;
use sha2::Digest;
use sha2::Sha256;
use subtle::ConstantTimeEq;

use crate::model::grant::Grant;
use crate::model::input::ObjectReader;
use crate::model::name::TokenId;
use crate::model::problem::FieldProblems;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::time::Timestamp;

/// The prefix of every token, which secret scanners recognize.
pub const PREFIX: &str = "recto_";

/// The prefix of a token's id where entries name their authors.
const AUTHOR_PREFIX: &str = "tok_";

/// The maximum length of a name in characters.
pub const NAME_CHARS_MAX: usize = 100;

/// The maximum length of a description in characters.
pub const DESCRIPTION_CHARS_MAX: usize = 2_000;

const ID_CHARS: usize = 16;
const SECRET_CHARS: usize = 43;
const CHECKSUM_CHARS: usize = 6;
const TOKEN_CHARS: usize = PREFIX.len() + ID_CHARS + 1 + SECRET_CHARS + CHECKSUM_CHARS;

const BASE32: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// A token as its holder has it. It has no `Debug`, so it cannot be printed by accident: only
/// [`Token::reveal`] returns it.
#[derive(Clone)]
pub struct Token {
    id: TokenId,
    secret: Box<str>,
}

impl Token {
    /// Creates a token from random bytes.
    pub fn issue(id: [u8; 10], secret: [u8; 32]) -> Token {
        let id = TokenId::parse(&encode_base32(id)).expect("16 base32 characters are an id");
        Token { id, secret: encode_base62(secret).into() }
    }

    /// Creates a token of the same id with another secret, from random bytes.
    pub fn renew(id: TokenId, secret: [u8; 32]) -> Token {
        Token { id, secret: encode_base62(secret).into() }
    }

    /// Parses a text of the right form with a valid checksum. The record decides whether such a
    /// token exists.
    pub fn parse(text: &str) -> Option<Token> {
        if text.len() != TOKEN_CHARS || !text.is_ascii() {
            return None;
        }
        let (body, sum) = text.split_at_checked(TOKEN_CHARS - CHECKSUM_CHARS)?;
        let (id, secret) = body.strip_prefix(PREFIX)?.split_once('_')?;
        let well_formed = secret.len() == SECRET_CHARS
            && secret.bytes().all(|b| b.is_ascii_alphanumeric())
            && sum == compute_checksum(body);
        let id = TokenId::parse(id).ok()?;
        well_formed.then(|| Token { id, secret: secret.into() })
    }

    /// Returns the id of the token's record.
    pub fn id(&self) -> &TokenId {
        &self.id
    }

    /// Returns the text of the token, which is shown to the holder once.
    pub fn reveal(&self) -> String {
        let body = format!("{PREFIX}{}_{}", self.id, self.secret);
        let sum = compute_checksum(&body);
        body + &sum
    }

    /// Returns the hash of the secret.
    pub fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of_bytes(Sha256::digest(self.secret.as_bytes()).into())
    }
}

/// The SHA-256 of a secret. It is not a secret itself, but it is private: it is written to the
/// record's file and nowhere else.
#[derive(Clone, Copy)]
pub struct Fingerprint([u8; 32]);

/// Prints nothing of it.
impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Fingerprint")
    }
}

impl Fingerprint {
    /// Returns the fingerprint with these bytes.
    pub fn of_bytes(bytes: [u8; 32]) -> Fingerprint {
        Fingerprint(bytes)
    }

    /// Parses 64 hexadecimal digits.
    pub fn parse(text: &str) -> Option<Fingerprint> {
        let text = text.as_bytes();
        if text.len() != 64 {
            return None;
        }
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(text.chunks_exact(2)) {
            let digit = |at: usize| pair.get(at).and_then(|digit| (*digit as char).to_digit(16));
            *byte = u8::try_from(digit(0)? * 16 + digit(1)?).ok()?;
        }
        Some(Fingerprint(bytes))
    }

    /// Returns 64 hexadecimal digits.
    pub fn to_hex(&self) -> String {
        self.0.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Compares in constant time.
    pub fn matches(&self, other: &Fingerprint) -> bool {
        self.0.ct_eq(&other.0).into()
    }
}

/// The record of a token. Serialized in the form of the admin API; the file, which also contains
/// the fingerprint, is [`TokenRecord::to_file`].
#[derive(Clone, Serialize, JsonSchema)]
#[schemars(rename = "Token", description = "The record of a token.", deny_unknown_fields)]
pub struct TokenRecord {
    /// The public part of the token.
    pub id: TokenId,
    /// The display name.
    pub name: String,
    /// The purpose of the token.
    pub description: String,
    /// The grants of the token.
    pub permissions: Vec<Grant>,
    /// The time of creation.
    pub created_at: Option<Timestamp>,
    /// The id of the user who created it; null for tokens created on the command line.
    pub created_by: Option<String>,
    /// The time when it expires.
    pub expires_at: Option<Timestamp>,
    /// The approximate time of the last use.
    pub last_used_at: Option<Timestamp>,
    /// The time when it was revoked.
    pub revoked_at: Option<Timestamp>,
    /// The time until which the secret before the last rotation still counts.
    pub previous_ends_at: Option<Timestamp>,
    /// The hash of the secret.
    #[serde(skip)]
    pub fingerprint: Fingerprint,
    /// The hash of the secret before the last rotation.
    #[serde(skip)]
    pub previous: Option<Fingerprint>,
}

impl TokenRecord {
    /// Parses the file of the record `id`. Unknown keys are ignored, but an invalid permission or
    /// date makes the whole record invalid: without it the token might have more permissions or
    /// live longer.
    pub fn parse(id: &TokenId, json: &Json) -> Result<TokenRecord, FieldProblems> {
        let mut file = ObjectReader::from_json(json)?;
        let permissions = Grant::read_stored_list(&mut file, "permissions");
        let (created_at, expires_at) = (file.time("created_at"), file.time("expires_at"));
        let (last_used_at, revoked_at) = (file.time("last_used_at"), file.time("revoked_at"));
        let previous_ends_at = file.time("previous_ends_at");
        let previous = Fingerprint::parse(file.lenient_text("previous_secret_sha256"));
        let fingerprint = Fingerprint::parse(file.lenient_text("secret_sha256"));
        if fingerprint.is_none() {
            file.add_problem("secret_sha256", "This must be 64 hexadecimal digits.");
        }
        let text = |key: &str| file.value(key).and_then(Json::as_str);
        let record = TokenRecord {
            id: id.clone(),
            name: text("name").unwrap_or(id).to_owned(),
            description: text("description").unwrap_or_default().to_owned(),
            permissions,
            created_at,
            created_by: text("created_by").map(str::to_owned),
            expires_at,
            last_used_at,
            revoked_at,
            previous_ends_at,
            fingerprint: fingerprint.unwrap_or(Fingerprint([0; 32])),
            previous,
        };
        file.into_result(record)
    }

    /// Returns the content of the record's file.
    pub fn to_file(&self) -> Json {
        let mut file = Map::new();
        file.push("id", self.id.as_str());
        file.push("name", self.name.as_str());
        file.push("description", self.description.as_str());
        file.push("permissions", self.permissions.iter().map(Grant::to_json).collect::<Vec<_>>());
        file.push("created_at", self.created_at);
        file.push("created_by", self.created_by.as_deref());
        file.push("expires_at", self.expires_at);
        file.push("last_used_at", self.last_used_at);
        file.push("revoked_at", self.revoked_at);
        file.push("secret_sha256", self.fingerprint.to_hex());
        file.push("previous_ends_at", self.previous_ends_at);
        file.push("previous_secret_sha256", self.previous.map(|it| it.to_hex()));
        Json::Object(file)
    }

    /// Returns true if this is the record of the token.
    pub fn is_of(&self, token: &Token) -> bool {
        self.id == token.id && self.fingerprint.matches(&token.fingerprint())
    }

    /// Returns true if this is the record of the token as it was before the last rotation, and it
    /// still counts.
    pub fn was_of(&self, token: &Token, now: Timestamp) -> bool {
        let counts = self.previous_ends_at.is_some_and(|end| now < end);
        let is_previous = self.previous.is_some_and(|it| it.matches(&token.fingerprint()));
        self.id == token.id && counts && is_previous
    }

    /// Gives the token another secret. The one before counts until `ends_at`, if it is given; one
    /// that is older still ends at once.
    pub fn rotate(&mut self, token: &Token, ends_at: Option<Timestamp>) {
        self.previous_ends_at = ends_at;
        self.previous = ends_at.map(|_| self.fingerprint);
        self.fingerprint = token.fingerprint();
    }

    /// Returns true if the token is neither revoked nor expired.
    pub fn is_active(&self, now: Timestamp) -> bool {
        self.revoked_at.is_none() && self.expires_at.is_none_or(|end| now < end)
    }

    /// Returns the name of the token as an author of entries.
    pub fn author_id(&self) -> String {
        format!("{AUTHOR_PREFIX}{}", self.id)
    }
}

/// Prints only the id, never the fingerprint.
impl fmt::Debug for TokenRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TokenRecord").field("id", &self.id).finish_non_exhaustive()
    }
}

/// Encodes 80 bits as 16 characters.
fn encode_base32(bytes: [u8; 10]) -> String {
    let number = bytes.iter().fold(0_u128, |number, byte| number << 8 | u128::from(*byte));
    let digit = |place: usize| char::from(BASE32[(number >> (5 * place) & 31) as usize]);
    (0..ID_CHARS).rev().map(digit).collect()
}

/// Encodes 256 bits as 43 characters: the remainders of dividing by 62, most significant first.
fn encode_base62(mut bytes: [u8; 32]) -> String {
    let mut digits = [0; SECRET_CHARS];
    for digit in digits.iter_mut().rev() {
        let mut rest = 0;
        for byte in &mut bytes {
            let number = rest * 256 + u32::from(*byte);
            *byte = (number / 62) as u8; // below 256, since the remainder is below 62
            rest = number % 62;
        }
        *digit = BASE62[rest as usize];
    }
    digits.iter().map(|digit| char::from(*digit)).collect()
}

/// Returns the CRC-32 of a token's text as 6 characters, which detects typing errors without a
/// look-up.
fn compute_checksum(body: &str) -> String {
    let mut rest = crc32fast::hash(body.as_bytes());
    let mut digits = [BASE62[0]; CHECKSUM_CHARS];
    for digit in digits.iter_mut().rev() {
        *digit = BASE62[(rest % 62) as usize];
        rest /= 62;
    }
    digits.iter().map(|digit| char::from(*digit)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn token() -> Token {
        Token::issue(*b"0123456789", [7; 32])
    }

    fn record(more: &str) -> Result<TokenRecord, FieldProblems> {
        let text = format!(
            r#"{{"name":"Site","secret_sha256":"{}"{more}}}"#,
            token().fingerprint().to_hex()
        );
        TokenRecord::parse(token().id(), &Json::parse(text.as_bytes()).unwrap())
    }

    #[test]
    fn the_form_of_a_token() {
        let text = token().reveal();
        assert_eq!(
            text,
            "recto_60rk4csm6mv3ee1s_1fJjkkpe9PiTw9KSulA8Ghct30vZz4HpdQ5c5b9cPF14SyywT"
        );
        let again = Token::parse(&text).unwrap();
        assert_eq!(again.reveal(), text);
        assert_eq!(again.id(), token().id());
    }

    #[test]
    fn the_least_and_the_greatest_secret_fit() {
        for byte in [0, 255] {
            let text = Token::issue([byte; 10], [byte; 32]).reveal();
            assert!(Token::parse(&text).is_some(), "{text}");
        }
    }

    #[test]
    fn what_is_no_token() {
        let good = token().reveal();
        for wrong in [
            "",
            "recto_",
            &good[1..],
            &format!("{good}0"),
            &good.replace("recto_", "Recto_"),
            &good.replace('_', "-"),
            &good.to_uppercase(),
            &format!("{}ä", &good[..good.len() - 2]),
        ] {
            assert!(Token::parse(wrong).is_none(), "{wrong}");
        }
    }

    #[test]
    fn a_record_is_of_its_token_alone() {
        let record = record("").unwrap();
        assert!(record.is_of(&token()));
        assert!(!record.is_of(&Token::issue(*b"0123456789", [8; 32])));
        assert!(!record.is_of(&Token::issue(*b"9876543210", [7; 32])));
    }

    #[test]
    fn a_rotated_token_counts_a_while_longer() {
        let at = |text: &str| Timestamp::parse(text).unwrap();
        let (old, new) = (token(), Token::renew(token().id().clone(), [8; 32]));
        let mut rotated = record("").unwrap();
        rotated.rotate(&new, Some(at("2026-05-04")));
        let again = TokenRecord::parse(old.id(), &rotated.to_file()).unwrap();
        assert!(again.is_of(&new) && !again.is_of(&old));
        assert!(again.was_of(&old, at("2026-05-03")) && !again.was_of(&old, at("2026-05-04")));
        assert!(!again.was_of(&new, at("2026-05-03")));
        let shown = serde_json::to_string(&again).unwrap();
        assert!(shown.contains("previous_ends_at") && !shown.contains("sha256"), "{shown}");
        rotated.rotate(&Token::renew(old.id().clone(), [9; 32]), None);
        assert!(!rotated.was_of(&old, at("2026-05-03")) && !rotated.was_of(&new, at("2026-05-03")));
    }

    #[test]
    fn a_token_counts_until_it_expires_or_is_revoked() {
        let check = |more: &str, now: &str, expect: bool| {
            let now = Timestamp::parse(now).unwrap();
            assert_eq!(record(more).unwrap().is_active(now), expect, "{more} {now}");
        };
        check("", "2026-05-03", true);
        check(r#","expires_at":null,"revoked_at":null"#, "2026-05-03", true);
        check(r#","expires_at":"2026-05-04""#, "2026-05-03", true);
        check(r#","expires_at":"2026-05-03""#, "2026-05-03", false);
        check(r#","revoked_at":"2027-01-01""#, "2026-05-03", false);
    }

    #[test]
    fn whatever_limits_a_token_must_be_readable() {
        let check = |more: &str, field: &str| {
            let problems = record(more).unwrap_err();
            assert_eq!(problems.iter().next().unwrap().0, field);
        };
        check(r#","expires_at":"soon""#, "expires_at");
        check(r#","revoked_at":true"#, "revoked_at");
        check(r#","previous_ends_at":"soon""#, "previous_ends_at");
        check(r#","permissions":[{"action":"*"}]"#, "permissions[0].resources");
        check(r#","permissions":{}"#, "permissions");
        assert!(record(r#","colour":"red""#).is_ok());
        let bare = TokenRecord::parse(token().id(), &Json::Object(Map::new())).unwrap_err();
        assert!(bare.get("secret_sha256").is_some());
    }

    #[test]
    fn a_record_reads_back_and_shows_no_hash() {
        let full = r#","description":"d","created_at":"2026-05-03T12:00:00Z","created_by":"u",
            "permissions":[{"action":"content.read","resource":"content:*"}]"#;
        let record = record(full).unwrap();
        let again = TokenRecord::parse(token().id(), &record.to_file()).unwrap();
        assert_eq!(again.to_file(), record.to_file());
        assert!(again.is_of(&token()));
        let shown = serde_json::to_string(&record).unwrap();
        assert!(shown.contains(r#""expires_at":null"#) && !shown.contains("sha256"), "{shown}");
        assert!(!format!("{record:?}").contains(&record.fingerprint.to_hex()));
    }

    proptest! {
        #[test]
        fn tokens_read_back(id: [u8; 10], secret: [u8; 32]) {
            let token = Token::issue(id, secret);
            let again = Token::parse(&token.reveal()).unwrap();
            prop_assert_eq!(again.reveal(), token.reveal());
        }

        #[test]
        fn a_changed_character_shows(at in 0_usize..72, to in "[0-9A-Za-z_]") {
            let good = token().reveal();
            let mut text = good.clone();
            text.replace_range(at..=at, &to);
            prop_assert_eq!(Token::parse(&text).is_some(), text == good);
        }

        #[test]
        fn any_text_is_looked_at_safely(text in "\\PC{0,90}") {
            let _ = Token::parse(&text);
        }
    }
}
