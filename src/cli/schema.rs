//! `recto schema`: the JSON Schemas of entries and content types, and the editor settings that map
//! them to files. With them, editors complete and check files written by hand.

use std::path::Path;
use std::path::PathBuf;

use serde_json::Value;
use serde_json::json;

use crate::cli::config::StateArgs;
use crate::cli::error::CommandError;
use crate::cli::folder_setup;
use crate::cli::terminal::format_count;
use crate::cli::terminal::print_json;
use crate::cli::terminal::print_note;
use crate::model::content_type::ContentType;
use crate::model::entry::EntryStatus;
use crate::model::field::Field;
use crate::model::field::ValueForm;
use crate::model::field::close_schema;
use crate::model::field::content_type_schema;
use crate::model::name::WorkspaceSlug;
use crate::model::workspace::WorkspaceMeta;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::store::codec;
use crate::store::disk;
use crate::store::disk::Disk;
use crate::store::disk::OsDisk;
use crate::store::error::StoreError;
use crate::store::layout::Folder;
use crate::store::layout::Key;
use crate::store::read::load;

/// The folder in which editors find the schemas.
const FOLDER: &str = ".vscode/schemas";
const SETTINGS: &str = ".vscode/settings.json";
const SETTING: &str = "json.schemas";
const CONTENT_TYPE: &str = "content-type";

/// Arguments of `recto schema`.
#[derive(Debug, clap::Args)]
pub(super) struct SchemaArgs {
    /// The data folder; by default the configured one, else ./data
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
    /// The data folder, as in other commands
    #[arg(long, value_name = "DIR", conflicts_with = "folder")]
    data: Option<PathBuf>,
    #[command(flatten)]
    state: StateArgs,
    /// Print one schema instead of writing all: a type, workspace.type, or content-type
    #[arg(long, value_name = "NAME")]
    stdout: Option<String>,
}

pub(super) fn run(args: SchemaArgs) -> Result<(), CommandError> {
    let config = args.state.resolve_config(args.folder.or(args.data).as_deref())?;
    let places = config.data_folder();
    folder_setup::check_is_folder(places.root())?;
    let root = places.root().to_path_buf();
    let Some(name) = args.stdout else {
        folder_setup::check_is_writable(&config)?;
        let (n_written, folder) = (write_schemas(&root)?, root.join(FOLDER));
        let what = match n_written {
            0 => "nothing has changed".to_owned(),
            n => format!("{} written", format_count(n, "schema", "schemas")),
        };
        print_note(&format!("{}: {what}", folder.display()));
        return Ok(());
    };
    let (_, schemas) = build_schemas(&root)?;
    let wanted = [name.clone(), format!("default.{name}")];
    match schemas.into_iter().find(|it| wanted.contains(&it.name)) {
        Some(found) => print_json(&found.schema),
        None => Err(CommandError::usage(format!("there is no content type `{name}`"))),
    }
}

/// Returns true if the folder has schemas for editors.
pub(super) fn has_schemas(root: &Path) -> bool {
    root.join(FOLDER).is_dir()
}

/// Writes all schemas that changed and maps them to their files. Returns the number written.
pub(super) fn write_schemas(root: &Path) -> Result<usize, CommandError> {
    let (disk, schemas) = build_schemas(root)?;
    let mut n_written = 0_usize;
    for it in &schemas {
        let path = format!("{FOLDER}/{}.json", it.name);
        n_written +=
            usize::from(write_if_changed(&disk, &path, &Json::from(it.schema.clone()).to_file())?);
    }
    map_to_files(&disk, &schemas)?;
    Ok(n_written)
}

/// A JSON Schema and the pattern of the files it applies to.
struct EditorSchema {
    /// The stem of the file name, like `default.posts`.
    name: String,
    file_match: String,
    schema: Value,
}

fn build_schemas(root: &Path) -> Result<(OsDisk, Vec<EditorSchema>), CommandError> {
    let disk = OsDisk::open(root).map_err(StoreError::io("open", root.display().to_string()))?;
    let mut schemas = Vec::new();
    for TypesOfWorkspace { workspace, types } in load_types(&disk)? {
        schemas.extend(types.iter().map(|ty| {
            let folder = Folder::Entries(workspace.clone(), ty.name.clone()).path();
            EditorSchema {
                name: format!("{workspace}.{}", ty.name),
                file_match: format!("{folder}/*.json"),
                schema: build_entry_schema(ty),
            }
        }));
    }
    schemas.push(EditorSchema {
        name: CONTENT_TYPE.to_owned(),
        file_match: "workspaces/*/schemas/*.json".to_owned(),
        schema: content_type_schema(),
    });
    Ok((disk, schemas))
}

/// The content types of a workspace, in the order of the workspace.
pub(super) struct TypesOfWorkspace {
    pub(super) workspace: WorkspaceSlug,
    pub(super) types: Vec<ContentType>,
}

/// Loads all valid content types and prints a note about the others.
pub(super) fn load_types(disk: &dyn Disk) -> Result<Vec<TypesOfWorkspace>, CommandError> {
    let workspaces = disk.list(&Folder::Workspaces.path()).map_err(StoreError::io("list", ""))?;
    let mut found = Vec::new();
    for item in workspaces.items.iter().filter(|it| it.kind == disk::FileKind::Folder) {
        let Some(Folder::Workspace(ws)) =
            Folder::Workspaces.classify_folder(&item.name).into_ours()
        else {
            continue;
        };
        let files = load::scan_folders(disk, &[Folder::Schemas(ws.clone())])?.into_files();
        let mut types: Vec<_> = files.filter_map(|it| load_content_type(disk, &it.key)).collect();
        let meta = read_object(disk, &Key::Workspace(ws.clone()).path());
        let meta = meta.and_then(|it| WorkspaceMeta::parse(&ws, &Json::Object(it)).ok());
        let meta = meta.map_or_else(|| WorkspaceMeta::default_for(&ws), |(meta, _)| meta);
        types.sort_by_key(|it| meta.type_position(it.name.as_str()));
        found.push(TypesOfWorkspace { workspace: ws, types });
    }
    Ok(found)
}

fn load_content_type(disk: &dyn Disk, key: &Key) -> Option<ContentType> {
    let Key::Schema(_, name) = key else { return None };
    let path = key.path();
    let schema = read_object(disk, &path);
    let ty = schema.and_then(|it| ContentType::parse(name.clone(), &Json::Object(it)).0);
    if ty.is_none() {
        print_note(&format!("{path} is left out: `recto check` shows its problems"));
    }
    ty
}

fn read_object(disk: &dyn Disk, path: &str) -> Option<Map> {
    let mut bytes = Vec::new();
    disk.read(path, &mut bytes).ok()?;
    codec::parse_document(path, &bytes).ok().map(|it| it.map)
}

/// Builds the JSON Schema of the file of an entry.
fn build_entry_schema(ty: &ContentType) -> Value {
    let text = |about: &str| json!({ "type": ["string", "null"], "description": about });
    let statuses: Vec<Value> =
        EntryStatus::ALL.iter().map(|it| it.as_str().into()).chain([Value::Null]).collect();
    let title =
        ty.fields.get("title").map(|it| it.json_schema(ValueForm::Stored)).unwrap_or_default();
    let mut schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": ty.label,
        "description": format!("An entry of {}.", ty.label),
        "type": "object",
        "required": ["title"],
        "properties": {
            "title": title,
            "slug": text("The readable part of URLs; made from other fields if it is missing."),
            "former_slugs": {
                "type": ["array", "null"],
                "items": { "type": "string" },
                "description": "The slugs that it had while it was public, oldest first: their addresses lead to it.",
            },
            "status": {
                "enum": statuses,
                "default": "draft",
                "description": "The status of the entry.",
            },
            "published_at": text(
                "The time at which it becomes public, such as 2026-05-03T12:00:00Z"),
            "unpublish_at": text(
                "The time from which on it is no longer public; without it, never."),
            "created_at": text(
                "The time at which it was created; the file's time if it is missing."),
            "updated_at": text(
                "The time at which it was last changed; the file's time if it is missing."),
            "author_id": text("The id of the user who created it."),
            "updated_by": text("The id of the user who last changed it."),
            "data": build_data_schema(ty),
            "translations": build_translations_schema(ty),
        },
    });
    close_schema(&mut schema);
    schema
}

/// Builds the JSON Schema of the values of the fields. Fields are required unless they can be
/// hidden or have an empty value.
fn build_data_schema(ty: &ContentType) -> Value {
    let required: Vec<&str> = ty
        .data_fields()
        .filter(|it| it.required && it.visible_if.is_empty() && it.kind.empty_value().is_empty())
        .map(|it| it.name.as_str())
        .collect();
    let mut schema = build_properties(ty.data_fields());
    schema["required"] = json!(required);
    schema
}

fn build_translations_schema(ty: &ContentType) -> Value {
    let properties = build_properties(ty.data_fields().filter(|it| it.localized));
    let mut translation = json!({
        "type": ["object", "null"],
        "properties": {
            "title": { "type": ["string", "null"], "description": "The title in this language." },
            "data": properties,
        },
    });
    close_schema(&mut translation);
    let root = ty.root_locale.as_ref();
    let locales = ty.locales.iter().filter(|it| Some(*it) != root);
    let locales: serde_json::Map<String, Value> =
        locales.map(|it| (it.to_string(), translation.clone())).collect();
    let mut schema = json!({
        "type": ["object", "null"],
        "description": "The values in other languages, as far as they differ.",
        "properties": locales,
    });
    close_schema(&mut schema);
    schema
}

fn build_properties<'a>(fields: impl Iterator<Item = &'a Field>) -> Value {
    let properties: serde_json::Map<String, Value> =
        fields.map(|it| (it.name.to_string(), it.json_schema(ValueForm::Stored))).collect();
    let mut schema = json!({ "type": ["object", "null"], "properties": properties });
    close_schema(&mut schema);
    schema
}

/// Maps the schemas to files in the settings of VS Code, which other editors read too. Other
/// settings stay as they are.
fn map_to_files(disk: &dyn Disk, schemas: &[EditorSchema]) -> Result<(), CommandError> {
    let mut bytes = Vec::new();
    let mut settings = match disk.read(SETTINGS, &mut bytes) {
        Err(disk::ReadError::Missing) => Map::new(),
        Err(error) => return Err(CommandError::failed(error.to_problem(SETTINGS))),
        Ok(_) => match codec::parse_document(SETTINGS, &bytes) {
            Ok(document) => document.map,
            // Comments are allowed in this file and would be lost.
            Err(_) => {
                print_note(&format!("{SETTINGS} is not plain JSON and stays as it is"));
                return Ok(());
            }
        },
    };
    let before = settings.get(SETTING).and_then(Json::as_array).unwrap_or_default();
    let mut mapped: Vec<Json> = before.iter().filter(|it| !is_own_mapping(it)).cloned().collect();
    mapped.extend(schemas.iter().map(|it| {
        let (name, file_match) = (&it.name, &it.file_match);
        json!({ "fileMatch": [file_match], "url": format!("./{FOLDER}/{name}.json") }).into()
    }));
    settings.set(SETTING, mapped.into());
    write_if_changed(disk, SETTINGS, &Json::Object(settings).to_file())?;
    Ok(())
}

fn is_own_mapping(mapping: &Json) -> bool {
    let url = mapping.as_object().and_then(|it| it.get("url")).and_then(Json::as_str);
    url.is_some_and(|url| url.trim_start_matches("./").starts_with(FOLDER))
}

/// Writes a file whose content changed. Returns true if it was written.
fn write_if_changed(disk: &dyn Disk, path: &str, bytes: &[u8]) -> Result<bool, CommandError> {
    let mut before = Vec::new();
    if disk.read(path, &mut before).is_ok() && before == bytes {
        return Ok(false);
    }
    disk::replace_file(disk, path, bytes)?;
    Ok(true)
}
