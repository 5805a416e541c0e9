//! Bodies of requests: what routes take, and for entries with the fields of their content type.

use serde_json::Map;
use serde_json::Value;
use serde_json::json;

use crate::http::openapi::names::TypeNames;
use crate::http::openapi::schemas;
use crate::http::route::Body;
use crate::http::route::Form;
use crate::http::route::Route;
use crate::http::route::Takes;
use crate::model::content_type::ContentType;

/// The body of a route, for one content type or for any.
pub(super) fn of(route: &Route, ty: Option<&ContentType>, names: &TypeNames) -> Option<Value> {
    let name = name(route.body)?;
    let typed = ty.filter(|_| matches!(route.body, Body::Json { takes: Takes::Entry, .. }));
    Some(match typed {
        Some(ty) => json_body(&names.input(Some(ty))),
        None => json!({ "$ref": format!("#/components/requestBodies/{name}") }),
    })
}

/// The body of a route, with the schema it names; none where it takes none.
pub(super) fn inline(route: &Route) -> Option<Value> {
    if let Body::Upload(form) = route.body {
        let file = json!({ "type": "string", "format": "binary" });
        let files = json!({ "type": "array", "items": file });
        let properties = match form {
            Form::Media => json!({
                "media[]": files,
                "category": { "type": "string" },
                "visibility": { "type": "string", "enum": ["public", "private"] },
            }),
            form => json!({ (form.field()): file }),
        };
        let schema = json!({ "type": "object", "properties": properties });
        let content = json!({ "multipart/form-data": { "schema": schema } });
        return Some(json!({ "required": true, "content": content }));
    }
    name(route.body).map(json_body)
}

/// The bodies that operations of these routes share.
pub(super) fn shared(table: &[Route]) -> Map<String, Value> {
    let bodies = table.iter().filter_map(|it| Some((name(it.body)?, it.body)));
    let described = bodies.map(|(name, body)| {
        let is_form = matches!(body, Body::Upload(_));
        let shape = if is_form { form(name) } else { json_body(name) };
        (name.to_string(), shape)
    });
    described.collect()
}

/// The name of a body, which its schema has as well.
fn name(body: Body) -> Option<&'static str> {
    let takes = match body {
        Body::None => return None,
        Body::Upload(_) => return Some("Upload"),
        Body::Json { takes, .. } => takes,
    };
    Some(match takes {
        Takes::NewContentType => "NewContentType",
        Takes::ContentType => "ContentTypeInput",
        Takes::Entry => "EntryInput",
        Takes::MediaMeta => "MediaMetaInput",
        Takes::Visibility => "VisibilityInput",
        Takes::BulkVisibility => "BulkVisibilityInput",
        Takes::NewCategory => "NewCategory",
        Takes::CategoryName => "CategoryNameInput",
        Takes::CategoryOfFile => "CategoryOfFileInput",
        Takes::Admin(name) => name,
    })
}

fn json_body(schema: &str) -> Value {
    let schema = schemas::reference(schema);
    json!({ "required": true, "content": { "application/json": { "schema": schema } } })
}

fn form(schema: &str) -> Value {
    let schema = schemas::reference(schema);
    json!({ "required": true, "content": { "multipart/form-data": { "schema": schema } } })
}
