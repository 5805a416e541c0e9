//! The check of single files of a backup: only what could be served is packed and restored.

use std::io::ErrorKind;
use std::io::Read;

use crate::engine::parse::file_parser;
use crate::engine::parse::file_parser::ReadFile;
use crate::engine::parse::workspace_files;
use crate::model::media::detect_upload_type;
use crate::model::media::mime_by_extension;
use crate::model::name::Filename;
use crate::model::name::TokenId;
use crate::model::people::role::RoleRecord;
use crate::model::people::token::TokenRecord;
use crate::model::people::user::UserRecord;
use crate::model::problem::FieldProblems;
use crate::model::problem::Problem;
use crate::stdx::json::Json;
use crate::store::disk::Disk;
use crate::store::disk::ReadError;
use crate::store::error::StoreError;
use crate::store::layout::Key;
use crate::store::write::spool::HEAD_BYTES_MAX;

/// Returns the reason for which bytes cannot be a file of ours, if there is one: they would block
/// loading, or are media of another type than their name tells.
pub(crate) fn check_file(key: &Key, bytes: &[u8]) -> Result<(), String> {
    let path = key.path();
    match key {
        Key::Schema(_, name) => check_readable(file_parser::parse_content_type(name, &path, bytes)),
        Key::Workspace(ws) => {
            check_readable(workspace_files::parse_workspace_meta(ws, &path, bytes))
        }
        Key::Change(..) => check_readable(workspace_files::parse_change_record(&path, bytes)),
        Key::Categories(_) => check_readable(workspace_files::parse_categories(&path, bytes)),
        Key::Token(id) => check_token(id, &path, bytes),
        Key::User(id) => check_record(&path, bytes, |it| UserRecord::parse(id, it).map(|_| ())),
        Key::Role(id) => check_record(&path, bytes, |it| RoleRecord::parse(id, it).map(|_| ())),
        Key::Media(_, name) | Key::MediaRevision(_, _, name) => check_media(name, bytes),
        Key::Icon(_) | Key::Avatar(_) => {
            let is_png = bytes.starts_with(b"\x89PNG\r\n\x1a\n");
            if is_png { Ok(()) } else { Err("This is not a PNG image.".to_string()) }
        }
        _ => check_readable(file_parser::parse_json(&path, bytes)),
    }
}

/// Returns the reason for which no backup could hold a file as it is here, if there is one. A disk
/// that fails is none.
pub(crate) fn find_stored_defect(
    disk: &dyn Disk,
    key: &Key,
    path: &str,
) -> Result<Option<String>, StoreError> {
    let mut bytes = Vec::new();
    let read = if key.is_json() {
        disk.read(path, &mut bytes).map(|_| ())
    } else {
        disk.open(path).and_then(|(file, _)| {
            let head = file.take(HEAD_BYTES_MAX as u64).read_to_end(&mut bytes);
            head.map(|_| ()).map_err(ReadError::Unreadable)
        })
    };
    match read {
        Ok(()) => Ok(check_file(key, &bytes).err()),
        Err(ReadError::Missing) => Ok(None),
        Err(ReadError::Unreadable(error)) if error.kind() != ErrorKind::PermissionDenied => {
            Err(StoreError::io("read", path)(error))
        }
        Err(error) => Ok(Some(error.to_problem(path).message)),
    }
}

fn check_readable<T>(read: ReadFile<T>) -> Result<(), String> {
    if read.value.is_some() { Ok(()) } else { Err(join_reasons(&read.problems)) }
}

fn join_reasons(problems: &[Problem]) -> String {
    let blocking = problems.iter().find(|it| it.kind.blocks_loading()).or(problems.first());
    let Some(problem) = blocking else { return "It cannot be read.".to_string() };
    match (problem.line, problem.column) {
        (Some(line), Some(column)) => {
            format!("{} (line {line}, column {column})", problem.message)
        }
        _ => problem.message.clone(),
    }
}

/// A token may come without the hash of its secret.
fn check_token(id: &TokenId, path: &str, bytes: &[u8]) -> Result<(), String> {
    const HASH: &str = "secret_sha256";
    let ReadFile { value, problems } = file_parser::parse_json(path, bytes);
    let Some(Json::Object(mut map)) = value else { return Err(join_reasons(&problems)) };
    if !map.contains(HASH) {
        map.push(HASH, "0".repeat(64));
    }
    TokenRecord::parse(id, &Json::Object(map)).map(|_| ()).map_err(|it| first_defect(&it))
}

fn check_record(
    path: &str,
    bytes: &[u8],
    parse: impl Fn(&Json) -> Result<(), FieldProblems>,
) -> Result<(), String> {
    let ReadFile { value, problems } = file_parser::parse_json(path, bytes);
    let json = value.ok_or_else(|| join_reasons(&problems))?;
    parse(&json).map_err(|it| first_defect(&it))
}

fn first_defect(defects: &FieldProblems) -> String {
    let first = defects.iter().next().map(|(field, why)| format!("`{field}`: {why}"));
    first.unwrap_or_default()
}

fn check_media(name: &Filename, head: &[u8]) -> Result<(), String> {
    let extension = name.extension();
    let said = mime_by_extension(extension);
    let found = detect_upload_type(extension, head).map(|it| it.mime);
    if said.is_some() && found == said {
        return Ok(());
    }
    Err(match said {
        Some(said) => format!("Its name says that it is {said}, but its bytes do not match."),
        None => "Files of this type are not kept.".to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_be_restored() {
        let check = |path: &str, bytes: &[u8], expect: bool| {
            let key = Key::parse(path).unwrap_or_else(|| panic!("{path}"));
            let judged = check_file(&key, bytes);
            assert_eq!(judged.is_ok(), expect, "{path}: {judged:?}");
        };
        let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".as_slice();
        check("workspaces/main/content/posts/a.json", b"{\"title\": \"A\", \"x\": 1}", true);
        check("workspaces/main/content/posts/a.json", b"[]", false);
        check("workspaces/main/content/posts/a.json", b"{", false);
        check("workspaces/main/content/posts/a.json", b"{\"a\": 1, \"a\": 2}", false);
        check("workspaces/main/schemas/posts.json", b"{\"fields\": {}}", true);
        check("workspaces/main/schemas/posts.json", b"{\"fields\": 7}", false);
        check("workspaces/main/workspace.json", b"{\"format\": 99}", false);
        check("workspaces/main/icon.png", png, true);
        check("workspaces/main/icon.png", b"GIF89a", false);
        check("workspaces/main/media/a.png", png, true);
        check("workspaces/main/media/a.jpg", png, false);
        check("workspaces/main/media/a.exe", b"MZ", false);
        check("workspaces/main/media/a.txt", b"text", true);
        check("workspaces/main/media-revisions/a.png/1.png", png, true);
        check("workspaces/main/media-revisions/a.png/1.png", b"MZ", false);
        check("system/tokens/01jz8x3m5q7v9c2a.json", b"{\"permissions\": []}", true);
        check("system/tokens/01jz8x3m5q7v9c2a.json", b"{\"permissions\": 1}", false);
    }
}
