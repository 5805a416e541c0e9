//! The request bodies of operations; for entries, with the fields of their content type.

use std::borrow::Cow;

use serde_json::Map;
use serde_json::Value;
use serde_json::json;

use crate::http::openapi::json_schema;
use crate::http::openapi::type_names::TypeNames;
use crate::http::request::route::BodyKind;
use crate::http::request::route::JsonInputKind;
use crate::http::request::route::Route;
use crate::http::request::route::UploadForm;
use crate::model::content_type::ContentType;

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
        let file = json!({ "type": "string", "format": "binary" });
        let files = json!({ "type": "array", "items": file });
        let properties = match form {
            UploadForm::Media => json!({
                "media[]": files,
                "category": { "type": "string" },
                "visibility": { "type": "string", "enum": ["public", "private"] },
            }),
            form => json!({ (form.file_field()): file }),
        };
        let schema = json!({ "type": "object", "properties": properties });
        let content = json!({ "multipart/form-data": { "schema": schema } });
        return Some(json!({ "required": true, "content": content }));
    }
    body_name(route.body).map(|it| json_body(&it))
}

/// Returns the bodies that operations of these routes share.
pub(super) fn build_shared(table: &[Route]) -> Map<String, Value> {
    let bodies = table.iter().filter_map(|it| Some((body_name(it.body)?, it.body)));
    let described = bodies.map(|(name, body)| {
        let is_form = matches!(body, BodyKind::Upload(_));
        let shape = if is_form { form_body(&name) } else { json_body(&name) };
        (name.to_string(), shape)
    });
    described.collect()
}

/// Returns the name of a body, which is also that of its schema.
fn body_name(body: BodyKind) -> Option<Cow<'static, str>> {
    let takes = match body {
        BodyKind::None => return None,
        BodyKind::Upload(_) => return Some("Upload".into()),
        BodyKind::Json { takes, .. } => takes,
    };
    let name = match takes {
        JsonInputKind::NewContentType => "NewContentType",
        JsonInputKind::ContentType => "ContentTypeInput",
        JsonInputKind::Entry => "EntryInput",
        JsonInputKind::MediaMeta => "MediaMetaInput",
        JsonInputKind::Visibility => "VisibilityInput",
        JsonInputKind::BulkVisibility => "BulkVisibilityInput",
        JsonInputKind::NewCategory => "NewCategory",
        JsonInputKind::CategoryName => "CategoryNameInput",
        JsonInputKind::CategoryOfFile => "CategoryOfFileInput",
        JsonInputKind::Of(input) => return Some(input.schema_name()),
        JsonInputKind::Admin(name) => name,
    };
    Some(name.into())
}

fn json_body(schema: &str) -> Value {
    let schema = json_schema::schema_ref(schema);
    json!({ "required": true, "content": { "application/json": { "schema": schema } } })
}

fn form_body(schema: &str) -> Value {
    let schema = json_schema::schema_ref(schema);
    json!({ "required": true, "content": { "multipart/form-data": { "schema": schema } } })
}
