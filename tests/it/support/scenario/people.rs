//! Users and roles of scenarios, written as files before anybody asks.

use argon2::Argon2;
use argon2::PasswordHasher as _;
use argon2::password_hash::phc;
use recto::model::grant::Grant;
use recto::model::name::EntryId;
use recto::model::people::role::RoleRecord;
use recto::model::people::session::SessionKey;
use recto::model::people::session::SessionRecord;
use recto::model::people::session::SessionSecret;
use recto::model::people::user::PasswordHash;
use recto::model::people::user::UserRecord;
use recto::stdx::json::Json;
use recto::stdx::time::Timestamp;

use crate::support::credentials::user_record;
use crate::support::scenario::stage::FILES_OF;
use crate::support::scenario::stage::filled;

/// The password of every user of a scenario.
const PASSWORD: &[u8] = b"correct horse";

/// Its hash, made with little effort.
fn password_hash() -> PasswordHash {
    let params = argon2::Params::new(8, 1, 1, None).unwrap();
    let argon2 = Argon2::new(argon2::Algorithm::Argon2id, argon2::Version::V0x13, params);
    let hash: phc::PasswordHash = argon2.hash_password_with_salt(PASSWORD, &[1; 16]).unwrap();
    PasswordHash::new(hash.to_string())
}

/// Somebody who is logged in.
pub(crate) struct User {
    pub name: String,
    pub record: (String, Vec<u8>),
    pub key: SessionKey,
    pub session: SessionRecord,
    pub session_file: (String, Vec<u8>),
    /// As it stands for a token: `session <cookie> <csrf token>`.
    pub credential: String,
}

/// `user anna editor`: the id and user name, and the id of the role. The password is
/// `correct horse`.
pub(crate) fn user(line: &str, now: Timestamp) -> User {
    let (name, role) = line.split_once(' ').unwrap();
    let record = UserRecord {
        created_at: Timestamp::parse(FILES_OF),
        updated_at: Timestamp::parse(FILES_OF),
        password: Some(password_hash()),
        ..user_record(name, role)
    };
    let secret = SessionSecret::new(filled(name));
    let session = SessionRecord {
        user: record.id.clone(),
        stamp: record.session_stamp(),
        created_at: now,
        used_at: now,
        remember: true,
        by_proxy: false,
        ip: "127.0.0.1".to_string(),
        agent: "scenario".to_string(),
    };
    let session_path = format!(".recto/sessions/{}.json", secret.key());
    User {
        name: name.to_string(),
        record: (format!("system/users/{name}.json"), record.to_file().to_file()),
        credential: format!("session {} {}", secret.reveal(), secret.csrf_token()),
        key: secret.key(),
        session_file: (session_path, session.to_file().to_file()),
        session,
    }
}

/// `role narrow <grant> …`; a grant is `actions@resources` or a JSON list, which then is the rest
/// of the line.
pub(crate) fn role(line: &str) -> (String, Vec<u8>) {
    let (name, mut rest) = line.split_once(' ').unwrap_or((line, ""));
    let mut permissions = Vec::new();
    while !rest.is_empty() {
        if rest.starts_with('[') {
            permissions.extend(Grant::parse_list(&Json::parse(rest.as_bytes()).unwrap()).unwrap());
            break;
        }
        let (word, more) = rest.split_once(' ').unwrap_or((rest, ""));
        permissions.push(Grant::parse_line(word).unwrap());
        rest = more;
    }
    let role = RoleRecord {
        id: EntryId::parse(name).unwrap(),
        label: name.to_string(),
        system: false,
        locked: false,
        permissions,
        requires_second_factor: false,
        created_at: Timestamp::parse(FILES_OF),
        updated_at: Timestamp::parse(FILES_OF),
    };
    (format!("system/roles/{name}.json"), role.to_file().to_file())
}
