//! Parsers of the files of the installation.

use crate::engine::installation::Completeness;
use crate::engine::installation::SystemFile;
use crate::engine::parse::file_parser;
use crate::engine::parse::file_parser::ReadFile;
use crate::model::name::TokenId;
use crate::model::people::role::RoleRecord;
use crate::model::people::token::TokenRecord;
use crate::model::people::user::UserRecord;
use crate::model::problem::FieldProblems;
use crate::model::problem::ProblemKind;
use crate::model::unknown_keys;
use crate::model::webhook;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::store::layout::Key;

/// Returns true if a file is one of the installation that is kept in memory.
pub(crate) fn is_system(key: &Key) -> bool {
    matches!(key, Key::Token(_) | Key::User(_) | Key::Role(_) | Key::Settings | Key::Webhooks)
}

/// Parses a file of the installation. One that cannot be parsed counts as missing: a token that
/// opens nothing, a user who cannot log in.
pub(crate) fn parse_system_file(key: &Key, path: &str, bytes: &[u8]) -> ReadFile<SystemFile> {
    let broken = |problems| ReadFile { value: broken_system_file(key), problems };
    if let Key::Token(id) = key {
        let ReadFile { value, problems } = parse_token(id, path, bytes);
        return ReadFile { value: Some(SystemFile::Token(id.clone(), value)), problems };
    }
    let ReadFile { value, mut problems } = file_parser::parse_json(path, bytes);
    let Some(json) = value else { return broken(problems) };
    let mut look = |known: &Json, what: &str| {
        let unknown = unknown_keys::find_in_record(&json, known, what);
        problems.extend(file_parser::unknown_key_problems(path, bytes, unknown));
    };
    let parsed = match key {
        Key::User(id) => UserRecord::parse(id, &json).map(|it| {
            look(&it.to_file(), "A user");
            SystemFile::User(id.clone(), Some(it))
        }),
        Key::Role(id) => RoleRecord::parse(id, &json).map(|it| {
            look(&it.to_file(), "A role");
            SystemFile::Role(id.clone(), Some(it))
        }),
        Key::Settings | Key::Webhooks => match json {
            Json::Object(map) if *key == Key::Settings => {
                let unknown = unknown_keys::find_in_settings(&map);
                problems.extend(file_parser::unknown_key_problems(path, bytes, unknown));
                Ok(SystemFile::Settings(map))
            }
            Json::Object(map) => {
                let (webhooks, defects) = webhook::parse_file(&map);
                let kind = ProblemKind::SchemaViolation;
                problems.extend(file_parser::locate_defects(path, bytes, kind, &defects));
                let unknown = unknown_keys::find_in_webhooks(&map);
                problems.extend(file_parser::unknown_key_problems(path, bytes, unknown));
                let is_whole = webhooks.len() == webhook::count_written(&map);
                let whole = if is_whole { Completeness::Yes } else { Completeness::No };
                Ok(SystemFile::Webhooks(webhooks, whole))
            }
            _ => Err(FieldProblems::from_problem("", "The file should hold an object.")),
        },
        _ => return ReadFile { value: None, problems },
    };
    match parsed {
        Ok(file) => ReadFile { value: Some(file), problems },
        Err(defects) => {
            problems.extend(file_parser::locate_defects(
                path,
                bytes,
                ProblemKind::InvalidJson,
                &defects,
            ));
            broken(problems)
        }
    }
}

/// The value of a file of the installation that cannot be parsed: as if it were missing, but a
/// user stays known.
pub(crate) fn broken_system_file(key: &Key) -> Option<SystemFile> {
    match key {
        Key::User(id) => Some(SystemFile::UnreadableUser(id.clone())),
        // A slip of whoever edits them is no reason to forget what webhooks are to be told.
        Key::Webhooks => Some(SystemFile::UnreadableWebhooks),
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

pub(crate) fn parse_token(id: &TokenId, path: &str, bytes: &[u8]) -> ReadFile<TokenRecord> {
    let ReadFile { value, mut problems } = file_parser::parse_json(path, bytes);
    let Some(json) = value else { return ReadFile { value: None, problems } };
    match TokenRecord::parse(id, &json) {
        Ok(record) => {
            let unknown = unknown_keys::find_in_record(&json, &record.to_file(), "A token");
            problems.extend(file_parser::unknown_key_problems(path, bytes, unknown));
            ReadFile { value: Some(record), problems }
        }
        Err(defects) => {
            problems.extend(file_parser::locate_defects(
                path,
                bytes,
                ProblemKind::InvalidJson,
                &defects,
            ));
            ReadFile { value: None, problems }
        }
    }
}
