//! Use cases of people: users, roles, tokens, sessions, passwords and profiles.

pub mod access_check;
pub mod avatars;
pub mod code_check;
mod common_passwords;
pub mod delegation;
pub mod display_names;
pub mod new_user;
mod password_check;
pub mod passwords;
pub mod profile;
pub mod record_list;
pub mod roles;
pub mod second_factor;
pub mod sessions;
pub mod setup_token;
pub mod throttle;
pub mod tokens;
pub mod users;
