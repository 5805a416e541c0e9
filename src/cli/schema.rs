//! `recto schema`: JSON Schemas of entries and content types, and the settings that tell editors
//! which file each is for. Editors then complete and check what people write by hand.

use std::path::Path;
use std::path::PathBuf;

use serde_json::Value;
use serde_json::json;

use crate::cli::config;
use crate::cli::count;
use crate::cli::error::Error;
use crate::cli::folder;
use crate::model::content_type::ContentType;
use crate::model::entry::Status;
use crate::model::field::Face;
use crate::model::field::Field;
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
use crate::store::load;

/// Where editors find them.
const FOLDER: &str = ".vscode/schemas";
const SETTINGS: &str = ".vscode/settings.json";
const SETTING: &str = "json.schemas";
const CONTENT_TYPE: &str = "content-type";

/// Arguments of `recto schema`.
#[derive(Debug, clap::Args)]
pub(super) struct SchemaArgs {
    /// The data folder; the configured one, else ./data, unless given
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
    /// The same, as other commands have it
    #[arg(long, value_name = "DIR", conflicts_with = "folder")]
    data: Option<PathBuf>,
    /// Print one instead of writing all: a type, workspace.type, or content-type
    #[arg(long, value_name = "NAME")]
    stdout: Option<String>,
}

pub(super) fn run(args: SchemaArgs) -> Result<(), Error> {
    let root = config::data_folder(args.folder.or(args.data))?;
    folder::expect(&root)?;
    let Some(name) = args.stdout else {
        let (n_written, folder) = (write(&root)?, root.join(FOLDER));
        let what = match n_written {
            0 => "nothing has changed".to_owned(),
            n => format!("{} written", count(n, "schema", "schemas")),
        };
        super::note(&format!("{}: {what}", folder.display()));
        return Ok(());
    };
    let (_, schemas) = schemas(&root)?;
    let wanted = [name.clone(), format!("default.{name}")];
    match schemas.into_iter().find(|it| wanted.contains(&it.name)) {
        Some(found) => super::print_json(&found.schema),
        None => Err(Error::usage(format!("there is no content type `{name}`"))),
    }
}

/// Whether a folder has schemas for editors.
pub(super) fn is_written(root: &Path) -> bool {
    root.join(FOLDER).is_dir()
}

/// Writes all schemas that changed and maps them to the files they are for. Tells how many it were.
pub(super) fn write(root: &Path) -> Result<usize, Error> {
    let (disk, schemas) = schemas(root)?;
    let mut n_written = 0_usize;
    for it in &schemas {
        let path = format!("{FOLDER}/{}.json", it.name);
        n_written += usize::from(replace(&disk, &path, &Json::from(it.schema.clone()).to_file())?);
    }
    map_to_files(&disk, &schemas)?;
    Ok(n_written)
}

/// A JSON Schema and the files it is for.
struct Schema {
    /// `default.posts`, the stem of its file.
    name: String,
    file_match: String,
    schema: Value,
}

fn schemas(root: &Path) -> Result<(OsDisk, Vec<Schema>), Error> {
    let disk = OsDisk::open(root).map_err(StoreError::io("open", root.display().to_string()))?;
    let mut schemas = Vec::new();
    for TypesOfWorkspace { workspace, types } in types_of(&disk)? {
        schemas.extend(types.iter().map(|ty| {
            let folder = Folder::Entries(workspace.clone(), ty.name.clone()).path();
            Schema {
                name: format!("{workspace}.{}", ty.name),
                file_match: format!("{folder}/*.json"),
                schema: entry_schema(ty),
            }
        }));
    }
    schemas.push(Schema {
        name: CONTENT_TYPE.to_owned(),
        file_match: "workspaces/*/schemas/*.json".to_owned(),
        schema: content_type_schema(),
    });
    Ok((disk, schemas))
}

/// The content types of a workspace, in its order.
pub(super) struct TypesOfWorkspace {
    pub(super) workspace: WorkspaceSlug,
    pub(super) types: Vec<ContentType>,
}

/// All content types that can be used; about the others there is a note.
pub(super) fn types_of(disk: &dyn Disk) -> Result<Vec<TypesOfWorkspace>, Error> {
    let workspaces = disk.list(&Folder::Workspaces.path()).map_err(StoreError::io("list", ""))?;
    let mut found = Vec::new();
    for item in workspaces.items.iter().filter(|it| it.kind == disk::Kind::Folder) {
        let Some(Folder::Workspace(ws)) = Folder::Workspaces.folder(&item.name).ours() else {
            continue;
        };
        let files = load::scan(disk, &[Folder::Schemas(ws.clone())])?.files;
        let mut types: Vec<_> = files.iter().filter_map(|it| content_type(disk, &it.key)).collect();
        let meta = read(disk, &Key::Workspace(ws.clone()).path());
        let meta = meta.and_then(|it| WorkspaceMeta::parse(&ws, &Json::Object(it)).ok());
        let meta = meta.map_or_else(|| WorkspaceMeta::of(&ws), |(meta, _)| meta);
        types.sort_by_key(|it| meta.position(it.name.as_str()));
        found.push(TypesOfWorkspace { workspace: ws, types });
    }
    Ok(found)
}

fn content_type(disk: &dyn Disk, key: &Key) -> Option<ContentType> {
    let Key::Schema(_, name) = key else { return None };
    let path = key.path();
    let schema = read(disk, &path);
    let ty = schema.and_then(|it| ContentType::parse(name.clone(), &Json::Object(it)).0);
    if ty.is_none() {
        super::note(&format!("{path} is left out: `recto check` tells what is wrong with it"));
    }
    ty
}

fn read(disk: &dyn Disk, path: &str) -> Option<Map> {
    let mut bytes = Vec::new();
    disk.read(path, &mut bytes).ok()?;
    codec::parse(path, &bytes).ok().map(|it| it.map)
}

/// JSON Schema of the file of an entry.
fn entry_schema(ty: &ContentType) -> Value {
    let text = |about: &str| json!({ "type": ["string", "null"], "description": about });
    let statuses: Vec<Value> =
        Status::ALL.iter().map(|it| it.as_str().into()).chain([Value::Null]).collect();
    let title = ty.fields.get("title").map(|it| it.json_schema(Face::Stored)).unwrap_or_default();
    let mut schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": ty.label,
        "description": format!("An entry of {}.", ty.label),
        "type": "object",
        "required": ["title"],
        "properties": {
            "title": title,
            "slug": text("What stands in URLs; made from other fields when it is left out."),
            "status": {
                "enum": statuses,
                "default": "draft",
                "description": "Where the entry stands.",
            },
            "published_at": text("When it went or goes public: 2026-05-03T12:00:00Z"),
            "created_at": text("When it was made; the file's time when left out."),
            "updated_at": text("When it was changed; the file's time when left out."),
            "author_id": text("Who made it."),
            "updated_by": text("Who changed it last."),
            "data": data_schema(ty),
            "translations": translations_schema(ty),
        },
    });
    close_schema(&mut schema);
    schema
}

/// The values of the fields. What is required has to be there, unless it can be hidden or is never
/// without a value.
fn data_schema(ty: &ContentType) -> Value {
    let required: Vec<&str> = ty
        .data_fields()
        .filter(|it| it.required && it.visible_if.is_empty() && it.kind.empty().is_empty())
        .map(|it| it.name.as_str())
        .collect();
    let mut schema = properties(ty.data_fields());
    schema["required"] = json!(required);
    schema
}

fn translations_schema(ty: &ContentType) -> Value {
    let properties = properties(ty.data_fields().filter(|it| it.localized));
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
        "description": "Values in other languages, as far as they differ.",
        "properties": locales,
    });
    close_schema(&mut schema);
    schema
}

fn properties<'a>(fields: impl Iterator<Item = &'a Field>) -> Value {
    let properties: serde_json::Map<String, Value> =
        fields.map(|it| (it.name.to_string(), it.json_schema(Face::Stored))).collect();
    let mut schema = json!({ "type": ["object", "null"], "properties": properties });
    close_schema(&mut schema);
    schema
}

/// Tells VS Code, and editors that read its settings, which schema is for which files. All other
/// settings stay as they are.
fn map_to_files(disk: &dyn Disk, schemas: &[Schema]) -> Result<(), Error> {
    let mut bytes = Vec::new();
    let mut settings = match disk.read(SETTINGS, &mut bytes) {
        Err(disk::ReadError::Missing) => Map::new(),
        Err(error) => return Err(Error::failed(error.problem(SETTINGS))),
        Ok(_) => match codec::parse(SETTINGS, &bytes) {
            Ok(document) => document.map,
            // Comments are fine there, and would be lost.
            Err(_) => {
                super::note(&format!("{SETTINGS} is not plain JSON and stays as it is"));
                return Ok(());
            }
        },
    };
    let before = settings.get(SETTING).and_then(Json::as_array).unwrap_or_default();
    let mut mapped: Vec<Json> = before.iter().filter(|it| !is_ours(it)).cloned().collect();
    mapped.extend(schemas.iter().map(|it| {
        let (name, file_match) = (&it.name, &it.file_match);
        json!({ "fileMatch": [file_match], "url": format!("./{FOLDER}/{name}.json") }).into()
    }));
    settings.set(SETTING, mapped.into());
    replace(disk, SETTINGS, &Json::Object(settings).to_file())?;
    Ok(())
}

fn is_ours(mapping: &Json) -> bool {
    let url = mapping.as_object().and_then(|it| it.get("url")).and_then(Json::as_str);
    url.is_some_and(|url| url.trim_start_matches("./").starts_with(FOLDER))
}

/// Whether the file had to be written.
fn replace(disk: &dyn Disk, path: &str, bytes: &[u8]) -> Result<bool, Error> {
    let mut before = Vec::new();
    if disk.read(path, &mut before).is_ok() && before == bytes {
        return Ok(false);
    }
    disk::replace(disk, path, bytes)?;
    Ok(true)
}
