//! Parsers of the files of a workspace beside schemas and entries.

use crate::engine::parse::file_parser;
use crate::engine::parse::file_parser::ReadFile;
use crate::engine::parse::file_parser::RecordKind;
use crate::engine::parse::file_parser::parse_record;
use crate::model::change::ChangeRecord;
use crate::model::media;
use crate::model::media::MediaMeta;
use crate::model::media::category;
use crate::model::media::category::Categories;
use crate::model::name::TypeName;
use crate::model::name::WorkspaceSlug;
use crate::model::problem::Problem;
use crate::model::problem::ProblemKind;
use crate::model::settings::SettingsRecord;
use crate::model::unknown_keys;
use crate::model::workspace;
use crate::model::workspace::WorkspaceMeta;
use crate::stdx::checksum::Checksum;
use crate::stdx::json::Json;
use crate::store::layout::Key;

pub(crate) fn parse_workspace_meta(
    ws: &WorkspaceSlug,
    path: &str,
    bytes: &[u8],
) -> ReadFile<WorkspaceMeta> {
    let ReadFile { value, mut problems } = file_parser::parse_json(path, bytes);
    let Some(json) = value else { return ReadFile { value: None, problems } };
    match WorkspaceMeta::parse(ws, &json) {
        Ok((meta, defects)) => {
            let unknown = unknown_keys::find_in_file(&json, workspace::KEYS, "A workspace");
            problems.extend(file_parser::content_problems(path, bytes, unknown, &defects));
            ReadFile { value: Some(meta), problems }
        }
        Err(unsupported) => {
            let message = unsupported.to_string();
            problems.push(Problem::new(ProblemKind::UnsupportedFormat, path, message));
            ReadFile { value: None, problems }
        }
    }
}

/// A workspace whose file cannot be read may be one that nobody should see.
pub(crate) fn hidden_workspace_meta(ws: &WorkspaceSlug) -> WorkspaceMeta {
    WorkspaceMeta { archived: true, ..WorkspaceMeta::default_for(ws) }
}

/// The reason for which a workspace is left alone, if the problems of its file are one.
pub(crate) fn unsupported_reason(problems: &[Problem]) -> Option<String> {
    let found = problems.iter().find(|it| it.kind == ProblemKind::UnsupportedFormat);
    found.map(|it| it.message.clone())
}

pub(crate) fn parse_categories(path: &str, bytes: &[u8]) -> ReadFile<Categories> {
    let ReadFile { value, mut problems } = file_parser::parse_json(path, bytes);
    let Some(json) = value else { return ReadFile { value: None, problems } };
    let (categories, defects) = Categories::parse(&json);
    let unknown = unknown_keys::find_in_file(&json, category::KEYS, "The list of categories");
    problems.extend(file_parser::content_problems(path, bytes, unknown, &defects));
    ReadFile { value: Some(categories), problems }
}

/// The records of changes. What one says limits who may publish and who may look.
const CHANGE: RecordKind<ChangeRecord> =
    RecordKind { what: "A change", defect: ProblemKind::SchemaViolation, to_file: change_to_file };

/// The file of a change with all members that it can have.
fn change_to_file(change: &ChangeRecord) -> Json {
    let mut file = change.to_map();
    file.set("published_sum", change.published_sum.as_deref().into());
    Json::Object(file)
}

/// Reads the record of a change.
pub(crate) fn parse_change_record(path: &str, bytes: &[u8]) -> ReadFile<(ChangeRecord, Checksum)> {
    let read = parse_record(path, bytes, &CHANGE, ChangeRecord::parse);
    read.map(|(record, json)| (record, json.compute_checksum()))
}

/// The problem of an entry whose type has no schema.
pub(crate) fn unknown_type_problem(name: &TypeName, path: &str) -> Problem {
    let message = format!("There is no content type `{name}`, so the entry is not served.");
    Problem::new(ProblemKind::UnknownType, path, message)
}

pub(crate) fn parse_meta(path: &str, bytes: &[u8]) -> ReadFile<MediaMeta> {
    let ReadFile { value, mut problems } = file_parser::parse_json(path, bytes);
    let Some(json) = value else { return ReadFile { value: None, problems } };
    let (meta, defects) = MediaMeta::parse(&json);
    let unknown = unknown_keys::find_in_file(&json, media::META_KEYS, "A media file");
    problems.extend(file_parser::content_problems(path, bytes, unknown, &defects));
    ReadFile { value: Some(meta), problems }
}

/// The problem of settings that name a default workspace which is none of those in use.
pub(crate) fn missing_default_problem(
    settings: &SettingsRecord,
    is_active: impl Fn(&WorkspaceSlug) -> bool,
) -> Option<Problem> {
    let configured = settings.default_workspace();
    let slug = configured.filter(|it| it.as_str() != "default" && !is_active(it))?;
    let message = format!(
        "There is no workspace `{slug}`, or it is archived: `default` is the default one meanwhile."
    );
    let problem = Problem::new(ProblemKind::MissingWorkspace, Key::Settings.path(), message);
    Some(problem.with_field("default_workspace"))
}
