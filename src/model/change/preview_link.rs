//! Preview links: secrets with which somebody without an account reads a change on a site.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use schemars::JsonSchema;
use serde::Serialize;
use sha2::Digest as _;
use sha2::Sha256;

use crate::model::change::review::read_required_time;
use crate::model::input::ObjectReader;
use crate::model::name::EntryId;
use crate::model::name::EntryPlace;
use crate::model::name::TypeName;
use crate::model::people::token::Fingerprint;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::time::Timestamp;

/// The token of a preview link as its holder has it: `<change>.<link>.<secret>`. It has no `Debug`,
/// so it cannot be printed by accident.
pub struct PreviewToken {
    /// The id of the change.
    pub change: EntryId,
    /// The id of the link in the record of the change.
    pub link: EntryId,
    secret: [u8; 32],
}

impl PreviewToken {
    /// Creates a token from random bytes.
    pub fn issue(change: EntryId, link: EntryId, secret: [u8; 32]) -> PreviewToken {
        PreviewToken { change, link, secret }
    }

    /// Parses a text of the right form. The record of the change decides whether it is valid.
    pub fn parse(text: &str) -> Option<PreviewToken> {
        let mut parts = text.split('.');
        let change = EntryId::parse(parts.next()?).ok()?;
        let link = EntryId::parse(parts.next()?).ok()?;
        let secret = URL_SAFE_NO_PAD.decode(parts.next()?).ok()?.try_into().ok()?;
        parts.next().is_none().then_some(PreviewToken { change, link, secret })
    }

    /// Returns the text of the token, which is shown once.
    pub fn reveal(&self) -> String {
        format!("{}.{}.{}", self.change, self.link, URL_SAFE_NO_PAD.encode(self.secret))
    }

    /// Returns the hash of the secret.
    pub fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of_bytes(Sha256::digest(self.secret).into())
    }
}

/// A preview link in the record of a change. Only a hash of its secret is kept, so a data folder in
/// git reveals no link. Whoever removes it revokes it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PreviewLink {
    /// The id of the link.
    pub id: EntryId,
    /// The entry that it shows, as `<type>/<id>`, whatever its status; null for all of the change.
    #[serde(serialize_with = "serialize_entry")]
    #[schemars(with = "Option<String>")]
    pub entry: Option<EntryPlace>,
    /// The id of the user or token that created it.
    pub created_by: String,
    /// The time when it expires.
    pub expires_at: Timestamp,
    /// The hash of the secret.
    #[serde(skip)]
    pub fingerprint: Fingerprint,
}

impl PreviewLink {
    /// Returns true if this is the link of the token, and it has not expired.
    pub fn admits(&self, token: &PreviewToken, now: Timestamp) -> bool {
        self.id == token.link
            && now < self.expires_at
            && self.fingerprint.matches(&token.fingerprint())
    }

    /// Reads an item of the record. All of it is required: a link that cannot be read might open
    /// more than it should.
    pub(super) fn read(item: &mut ObjectReader<'_>) -> Option<PreviewLink> {
        let fingerprint = Fingerprint::parse(item.lenient_text("secret_sha256"));
        if fingerprint.is_none() {
            item.add_problem("secret_sha256", "This must be 64 hexadecimal digits.");
        }
        let id = item.filled_text("id");
        let id = item.accept("id", EntryId::parse(&id));
        let entry = read_previewed_entry(item);
        Some(PreviewLink {
            id: id?,
            entry,
            created_by: item.lenient_text("created_by").to_string(),
            expires_at: read_required_time(item, "expires_at")?,
            fingerprint: fingerprint?,
        })
    }

    pub(super) fn to_file(&self) -> Json {
        let mut item = Map::new();
        item.push("id", self.id.as_str());
        item.push("entry", self.entry.as_ref().map(entry_text));
        item.push("created_by", self.created_by.as_str());
        item.push("expires_at", self.expires_at.to_string());
        item.push("secret_sha256", self.fingerprint.to_hex());
        Json::Object(item)
    }
}

/// Reads the entry that a link is for: `entry`, as `<type>/<id>`.
pub fn read_previewed_entry(input: &mut ObjectReader<'_>) -> Option<EntryPlace> {
    let entry = input.text("entry").map(parse_entry)?;
    if entry.is_none() {
        input.add_problem("entry", "This must be a content type and an id: `posts/1a2b3c`.");
    }
    entry
}

/// Parses `<type>/<id>`.
fn parse_entry(text: &str) -> Option<EntryPlace> {
    let (of, id) = text.split_once('/')?;
    Some((TypeName::parse(of).ok()?, EntryId::parse(id).ok()?))
}

fn entry_text((of, id): &EntryPlace) -> String {
    format!("{of}/{id}")
}

fn serialize_entry<S: serde::Serializer>(
    entry: &Option<EntryPlace>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    entry.as_ref().map(entry_text).serialize(serializer)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token(secret: u8) -> PreviewToken {
        let id = |text: &str| EntryId::parse(text).unwrap();
        PreviewToken::issue(id("c1"), id("p1"), [secret; 32])
    }

    #[test]
    fn a_token_reads_back() {
        let text = token(7).reveal();
        let again = PreviewToken::parse(&text).unwrap();
        assert_eq!(again.reveal(), text);
        let longer = format!("{text}.x");
        for wrong in ["", "c1", "c1.p1", "c1.p1.short", "c 1.p1.x", longer.as_str()] {
            assert!(PreviewToken::parse(wrong).is_none(), "{wrong}");
        }
    }

    #[test]
    fn a_link_admits_its_own_token_until_it_expires() {
        let link = PreviewLink {
            id: token(7).link,
            entry: None,
            created_by: String::new(),
            expires_at: Timestamp::from_seconds(100),
            fingerprint: token(7).fingerprint(),
        };
        let at = Timestamp::from_seconds;
        assert!(link.admits(&token(7), at(99)));
        assert!(!link.admits(&token(7), at(100)));
        assert!(!link.admits(&token(8), at(99)));
    }
}
