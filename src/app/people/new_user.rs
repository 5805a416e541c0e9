//! The input for a new user: from the API, from the setup and from the command line.

use schemars::JsonSchema;

use crate::app::people::passwords::PASSWORD_BYTES_MIN;
use crate::model::input::ObjectReader;
use crate::model::input::ParsedBody;
use crate::model::name::EntryId;
use crate::model::people::user::DISPLAY_NAME_CHARS_MAX;
use crate::model::people::user::PasswordHash;
use crate::model::people::user::USERNAME_CHARS_MAX;
use crate::model::people::user::UserRecord;
use crate::model::people::user::read_person;
use crate::model::people::user::read_username;
use crate::stdx::json::Map;
use crate::stdx::time::Timestamp;

/// The body of a request that creates a user.
#[derive(Clone, Debug, JsonSchema)]
pub struct NewUser {
    /// The name used to log in.
    #[schemars(length(min = 1, max = USERNAME_CHARS_MAX))]
    pub username: String,
    /// The password, whose strength is checked before it is hashed.
    // A character has at most four bytes.
    #[schemars(with = "String", description = "8 to 256 bytes.")]
    #[schemars(length(min = PASSWORD_BYTES_MIN / 4))]
    pub password: Option<String>,
    /// The id of a role whose grants the caller has too.
    pub role: String,
    /// The name shown to others.
    #[schemars(with = "Option<String>", length(max = DISPLAY_NAME_CHARS_MAX))]
    pub display_name: String,
    /// The e-mail address.
    #[schemars(with = "Option<String>")]
    pub email: String,
}

impl NewUser {
    /// Parses a body.
    pub fn parse(body: &Map) -> ParsedBody<NewUser> {
        let mut input = ObjectReader::new(body);
        let role = input.trimmed_text("role").unwrap_or_default();
        let user = NewUser::read(&mut input, role);
        input.finish(user)
    }

    /// Reads everything but the role.
    pub(super) fn read(input: &mut ObjectReader<'_>, role: String) -> NewUser {
        let username = read_username(input);
        let password = input.clearable_text("password").map(str::to_string);
        let (display_name, email) = read_person(input);
        let (display_name, email) = (display_name.unwrap_or_default(), email.unwrap_or_default());
        NewUser { username, password, role, display_name, email }
    }

    /// Returns the record of the user.
    pub fn to_record(
        &self,
        id: EntryId,
        role: EntryId,
        password: Option<PasswordHash>,
        now: Timestamp,
    ) -> UserRecord {
        UserRecord {
            id,
            username: self.username.clone(),
            display_name: self.display_name.clone(),
            email: self.email.clone(),
            role,
            has_avatar: false,
            created_at: Some(now),
            updated_at: Some(now),
            last_login_at: None,
            second_factor: None,
            password,
            preferences: Map::new(),
        }
    }
}
