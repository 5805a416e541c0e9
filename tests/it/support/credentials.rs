//! Tokens and users whose files tests write themselves.

use recto::model::grant::Grant;
use recto::model::name::EntryId;
use recto::model::people::token::Token;
use recto::model::people::token::TokenRecord;
use recto::model::people::user::UserRecord;
use recto::stdx::json::Map;

/// The same token at every call.
pub(crate) fn token() -> Token {
    Token::issue([7; 10], [7; 32])
}

/// The path and the content of the file of [`token`], which may do everything.
pub(crate) fn token_file() -> (String, Vec<u8>) {
    let token = token();
    let record = TokenRecord {
        id: token.id().clone(),
        name: "Writer".to_string(),
        description: String::new(),
        permissions: vec![Grant::parse_line("*@*").unwrap()],
        created_at: None,
        created_by: None,
        expires_at: None,
        last_used_at: None,
        revoked_at: None,
        previous_ends_at: None,
        fingerprint: token.fingerprint(),
        previous: None,
    };
    (format!("system/tokens/{}.json", token.id()), record.to_file().to_file())
}

/// A user without a password, whose id is the name, with the id of the role.
pub(crate) fn user_record(name: &str, role: &str) -> UserRecord {
    UserRecord {
        id: EntryId::parse(name).unwrap(),
        username: name.to_string(),
        display_name: String::new(),
        email: String::new(),
        role: EntryId::parse(role).unwrap(),
        has_avatar: false,
        created_at: None,
        updated_at: None,
        last_login_at: None,
        second_factor: None,
        password: None,
        preferences: Map::new(),
    }
}
