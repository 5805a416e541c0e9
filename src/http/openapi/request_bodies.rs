//! The request bodies of operations; for entries, with the fields of their content type.

use std::borrow::Cow;

use serde_json::Map;
use serde_json::Value;
use serde_json::json;

use crate::app::import::import_options::SourceFormat;
use crate::http::openapi::json_schema;
use crate::http::openapi::json_schema::object_schema;
use crate::http::openapi::type_names::TypeNames;
use crate::http::request::route::BodyKind;
use crate::http::request::route::JsonInputKind;
use crate::http::request::route::Route;
use crate::http::request::route::UploadForm;
use crate::model::content_type::ContentType;
use crate::model::media::Visibility;

/// The name of the schema of a form with media files.
pub(super) const UPLOAD: &str = "Upload";

/// The name of the body of a form with one media file.
const REPLACEMENT: &str = "Replacement";

/// Returns the body of a route, for one content type or in general.
pub(super) fn build_body(
    route: &Route,
    ty: Option<&ContentType>,
    names: &TypeNames,
) -> Option<Value> {
    let name = body_name(route.body)?;
    let typed =
        ty.filter(|_| matches!(route.body, BodyKind::Json { takes: JsonInputKind::Entry, .. }));
    Some(match typed {
        Some(ty) => json_body(&names.input_schema(Some(ty))),
        None => json!({ "$ref": format!("#/components/requestBodies/{name}") }),
    })
}

/// Returns the body of a route with its schema; `None` if it has no body.
pub(super) fn build_inline(route: &Route) -> Option<Value> {
    if let BodyKind::Upload(form) = route.body {
        return Some(form_body(form));
    }
    body_name(route.body).map(|it| json_body(&it))
}

/// Returns the bodies that operations of these routes share.
pub(super) fn build_shared(table: &[Route]) -> Map<String, Value> {
    let bodies = table.iter().filter_map(|it| Some((body_name(it.body)?, it.body)));
    let described = bodies.map(|(name, body)| {
        let shape = match body {
            BodyKind::Upload(form) => form_body(form),
            _ => json_body(&name),
        };
        (name.to_string(), shape)
    });
    described.collect()
}

/// Returns the name of a body, which is also that of its schema.
fn body_name(body: BodyKind) -> Option<Cow<'static, str>> {
    let takes = match body {
        BodyKind::None => return None,
        BodyKind::Upload(UploadForm::Replacement) => return Some(REPLACEMENT.into()),
        BodyKind::Upload(_) => return Some(UPLOAD.into()),
        BodyKind::Json { takes, .. } => takes,
    };
    let name = match takes {
        JsonInputKind::NewContentType => "NewContentType",
        JsonInputKind::ContentType => "ContentTypeInput",
        JsonInputKind::Entry => "EntryInput",
        JsonInputKind::Of(input) => return Some(input.schema_name()),
        JsonInputKind::AdminEntry => "AdminEntryInput",
        JsonInputKind::Message => return None,
    };
    Some(name.into())
}

fn json_body(schema: &str) -> Value {
    let schema = json_schema::schema_ref(schema);
    json!({ "required": true, "content": { "application/json": { "schema": schema } } })
}

fn form_body(form: UploadForm) -> Value {
    let file = json!({ "type": "string", "format": "binary" });
    let schema = match form {
        UploadForm::Media => json_schema::schema_ref(UPLOAD),
        UploadForm::Import => import_form(file),
        form => object_schema(&[form.file_field()], json!({ (form.file_field()): file })),
    };
    // A bare file is told in words: most generators of clients take one kind of body.
    json!({ "required": true, "content": { "multipart/form-data": { "schema": schema } } })
}

/// Builds the schema of a form with the source of an import.
fn import_form(file: Value) -> Value {
    let text = |about: &str| json!({ "type": "string", "description": about });
    let formats: Vec<&str> = SourceFormat::ALL.iter().map(|it| it.as_str()).collect();
    let mut options = object_schema(
        &["kind"],
        json!({
            "kind": { "enum": formats, "description": "The format of the source." },
            "type": text("The content type of the rows of a table."),
            "map": {
                "type": "object",
                "additionalProperties": { "type": "string" },
                "description": "The fields that columns of a table go into, by column; an empty \
                                text leaves a column out. Other columns go into the field of \
                                their name or label.",
            },
            "key": text(
                "The unique field by which the rows of a table find existing entries; `slug`, \
                 else `id`, unless given.",
            ),
            "status": text("The status of entries that name none, in tables and Markdown."),
            "locale": text("The locale of the values, in tables and Markdown."),
            "from": text(
                "The workspace of the source, with the kind `php`; the one of the same name \
                 unless given.",
            ),
        }),
    );
    options["description"] = "The format, and what it needs.".into();
    object_schema(&["source", "options"], json!({ "source": file, "options": options }))
}

/// Builds the schema of a form with media files, which is read field by field and becomes no type.
pub(super) fn build_upload() -> Value {
    let files = json!({
        "type": "array",
        "items": { "type": "string", "format": "binary" },
        "minItems": 1,
        "description": "The files.",
    });
    let category = json!({
        "type": "string",
        "description": "The path of the category of all files, such as `Photos / Travel`.",
    });
    let visibility = json!({
        "enum": Visibility::NAMES,
        "description": "The visibility of all files; `public` by default.",
    });
    object_schema(
        &["media[]"],
        json!({ "media[]": files, "category": category, "visibility": visibility }),
    )
}
