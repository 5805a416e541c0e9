//! Parsers of the files of the installation.

use crate::engine::installation::Completeness;
use crate::engine::installation::SystemFile;
use crate::engine::parse::file_parser;
use crate::engine::parse::file_parser::ReadFile;
use crate::engine::parse::file_parser::RecordKind;
use crate::engine::parse::file_parser::parse_record;
use crate::model::name::EntryId;
use crate::model::name::TokenId;
use crate::model::people::role::RoleRecord;
use crate::model::people::token::TokenRecord;
use crate::model::people::user::UserRecord;
use crate::model::problem::ProblemKind;
use crate::model::saved_view;
use crate::model::settings;
use crate::model::unknown_keys;
use crate::model::webhook;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::store::layout::Key;

/// Returns true if a file has settings that can be read. They are kept as its last good body.
pub(crate) fn are_good_settings(key: &Key, path: &str, bytes: &[u8]) -> bool {
    let parse = || parse_system_file(key, path, bytes).value;
    *key == Key::Settings && matches!(parse(), Some(SystemFile::Settings(_)))
}

/// Returns true if a file is one of the installation that is kept in memory.
pub(crate) fn is_system(key: &Key) -> bool {
    matches!(key, Key::Token(_) | Key::User(_) | Key::Role(_) | Key::Settings | Key::Webhooks)
}

/// The tokens among the files of the installation.
const TOKEN: RecordKind<TokenRecord> =
    RecordKind { what: "A token", defect: ProblemKind::InvalidJson, to_file: TokenRecord::to_file };

/// The users.
const USER: RecordKind<UserRecord> =
    RecordKind { what: "A user", defect: ProblemKind::InvalidJson, to_file: user_to_file };

/// The roles.
const ROLE: RecordKind<RoleRecord> =
    RecordKind { what: "A role", defect: ProblemKind::InvalidJson, to_file: RoleRecord::to_file };

/// Parses a file of the installation. One that cannot be parsed counts as missing: a token that
/// opens nothing, a user who cannot log in.
pub(crate) fn parse_system_file(key: &Key, path: &str, bytes: &[u8]) -> ReadFile<SystemFile> {
    let read = match key {
        Key::Token(id) => {
            parse_token(id, path, bytes).map(|it| SystemFile::Token(id.clone(), Some(it)))
        }
        Key::User(id) => {
            parse_user(id, path, bytes).map(|it| SystemFile::User(id.clone(), Some(it)))
        }
        Key::Role(id) => parse_record(path, bytes, &ROLE, |it| RoleRecord::parse(id, it))
            .map(|(it, _)| SystemFile::Role(id.clone(), Some(it))),
        Key::Settings => parse_settings(path, bytes),
        Key::Webhooks => parse_webhooks(path, bytes),
        _ => ReadFile { value: None, problems: Vec::new() },
    };
    ReadFile { value: read.value.or_else(|| broken_system_file(key)), problems: read.problems }
}

/// The file of a user with the saved views, which are read and written without the rest.
fn user_to_file(user: &UserRecord) -> Json {
    let mut file = user.to_file();
    if let Json::Object(members) = &mut file {
        members.push(saved_view::VIEWS, Map::new());
    }
    file
}

/// Reads the file of a user.
fn parse_user(id: &EntryId, path: &str, bytes: &[u8]) -> ReadFile<UserRecord> {
    let ReadFile { value, mut problems } =
        parse_record(path, bytes, &USER, |it| UserRecord::parse(id, it));
    let wrong = value.as_ref().map(|(_, json)| saved_view::find_problems_in_user(json));
    let kind = ProblemKind::SchemaViolation;
    problems.extend(file_parser::locate_defects(path, bytes, kind, &wrong.unwrap_or_default()));
    ReadFile { value: value.map(|(it, _)| it), problems }
}

/// Reads the file of a token.
pub(crate) fn parse_token(id: &TokenId, path: &str, bytes: &[u8]) -> ReadFile<TokenRecord> {
    parse_record(path, bytes, &TOKEN, |it| TokenRecord::parse(id, it)).map(|(it, _)| it)
}

fn parse_settings(path: &str, bytes: &[u8]) -> ReadFile<SystemFile> {
    let ReadFile { value, mut problems } = file_parser::parse_json(path, bytes);
    let Some(Json::Object(map)) = value else { return ReadFile { value: None, problems } };
    let unknown = unknown_keys::find_in_settings(&map);
    let wrong = settings::find_wrong_values(&map);
    problems.extend(file_parser::content_problems(path, bytes, unknown, &wrong));
    ReadFile { value: Some(SystemFile::Settings(map)), problems }
}

fn parse_webhooks(path: &str, bytes: &[u8]) -> ReadFile<SystemFile> {
    let ReadFile { value, mut problems } = file_parser::parse_json(path, bytes);
    let Some(Json::Object(map)) = value else { return ReadFile { value: None, problems } };
    let (webhooks, defects) = webhook::parse_file(&map);
    let kind = ProblemKind::SchemaViolation;
    problems.extend(file_parser::locate_defects(path, bytes, kind, &defects));
    let unknown = unknown_keys::find_in_webhooks(&map);
    problems.extend(file_parser::unknown_key_problems(path, bytes, unknown));
    let is_whole = webhooks.len() == webhook::count_written(&map);
    let whole = if is_whole { Completeness::Yes } else { Completeness::No };
    ReadFile { value: Some(SystemFile::Webhooks(webhooks, whole)), problems }
}

/// The value of a file of the installation that cannot be parsed: as if it were missing, but a
/// user stays known, a role demands what it did, and settings and webhooks stay as they were.
pub(crate) fn broken_system_file(key: &Key) -> Option<SystemFile> {
    match key {
        Key::User(id) => Some(SystemFile::UnreadableUser(id.clone())),
        Key::Role(id) => Some(SystemFile::UnreadableRole(id.clone())),
        // A slip of whoever edits them is no reason to forget what webhooks are to be told.
        Key::Webhooks => Some(SystemFile::UnreadableWebhooks),
        Key::Settings => Some(SystemFile::UnreadableSettings),
        key => missing_system_file(key),
    }
}

/// The value of a file of the installation that is missing.
pub(crate) fn missing_system_file(key: &Key) -> Option<SystemFile> {
    Some(match key {
        Key::Token(id) => SystemFile::Token(id.clone(), None),
        Key::User(id) => SystemFile::User(id.clone(), None),
        Key::Role(id) => SystemFile::Role(id.clone(), None),
        Key::Settings => SystemFile::Settings(Map::new()),
        Key::Webhooks => SystemFile::Webhooks(Vec::new(), Completeness::Yes),
        _ => return None,
    })
}
