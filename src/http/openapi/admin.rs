//! The OpenAPI document of the admin API, built from the route table and the types that its rows
//! name.

use std::collections::BTreeMap;

use http::StatusCode;
use serde_json::Map;
use serde_json::Value;
use serde_json::json;

use crate::app::error::Code;
use crate::http::openapi::derived_schemas;
use crate::http::openapi::json_schema;
use crate::http::openapi::operations::build_license;
use crate::http::openapi::operations::describe_route;
use crate::http::openapi::operations::route_group;
use crate::http::openapi::parameters;
use crate::http::openapi::postprocess;
use crate::http::openapi::request_bodies;
use crate::http::openapi::responses;
use crate::http::openapi::schemas;
use crate::http::request::error;
use crate::http::request::route::Access;
use crate::http::request::route::BodyKind;
use crate::http::request::route::ReplyKind;
use crate::http::request::route::Route;

const ABOUT: &str = "\
The web interface uses this API; it may change with every version. Callers log in: `POST \
/admin/api/login` sets a cookie and returns a `csrf_token`, which every request that changes \
something sends as `X-CSRF-Token`. Requests about a workspace name it in `X-Service-Workspace`; \
without it, the default workspace is used.";

/// The document, from the route table.
pub fn build_document(routes: &[Route], base_url: &str) -> Value {
    let table: Vec<&Route> = routes.iter().filter(|it| it.is_admin()).collect();
    let mut paths: Map<String, Value> = Map::new();
    for route in &table {
        let path = route.path.replace("{*", "{");
        let methods = paths.entry(path).or_insert_with(|| json!({}));
        methods[route.method.as_str().to_ascii_lowercase()] = build_operation(route);
    }
    let mut groups: Vec<&str> = table.iter().map(|it| route_tag(it)).collect();
    groups.dedup();
    let tag = |it: &str| json!({ "name": it, "description": about_tag(it) });
    let tags: Vec<Value> = groups.into_iter().map(tag).collect();
    let mut document = json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Recto admin API",
            "version": env!("CARGO_PKG_VERSION"),
            "description": ABOUT,
            "contact": { "name": "Recto", "url": base_url },
            "license": build_license(),
        },
        "servers": [{ "url": base_url }],
        "security": [{ "session": [] }],
        "tags": tags,
        "paths": paths,
        "components": {
            "schemas": all_schemas(&table),
            "securitySchemes": { "session": {
                "type": "apiKey",
                "in": "cookie",
                "name": "recto_session",
                "description": "`__Host-recto_session` over TLS.",
            } },
        },
    });
    postprocess::finish_document(&mut document);
    document
}

/// Returns the statuses with which a route can fail, with their codes.
pub fn failures_of(route: &Route) -> BTreeMap<u16, Vec<Code>> {
    let mut found: BTreeMap<u16, Vec<Code>> = BTreeMap::new();
    for code in collect_codes(route) {
        found.entry(error::status_of(code).as_u16()).or_default().push(code);
    }
    found
}

fn collect_codes(route: &Route) -> Vec<Code> {
    let mut codes = vec![Code::BadRequest, Code::ServerError, Code::StorageUnavailable];
    codes.push(Code::RateLimited);
    if route.access == Access::Visitor {
        codes.extend([Code::Forbidden, Code::InvalidCredentials]);
        codes.push(Code::Unauthenticated);
        codes.extend([Code::NotSetUp, Code::AlreadySetUp]);
    } else {
        codes.extend([Code::Unauthenticated, Code::NotSetUp, Code::Forbidden, Code::NotFound]);
        codes.push(Code::SecondFactorMissing);
    }
    if route.is_mutation() {
        codes.extend([Code::Conflict, Code::InsufficientStorage]);
        codes.extend((route.access != Access::Visitor).then_some(Code::CsrfMismatch));
    }
    // A revision whose file is broken.
    codes.extend((route.name == "admin.revisions.show").then_some(Code::Conflict));
    codes.push(Code::ValidationFailed);
    if route.body != BodyKind::None {
        codes.extend([Code::TooSlow, Code::PayloadTooLarge, Code::UnsupportedMediaType]);
        codes.push(Code::InvalidJson);
    }
    if matches!(route.body, BodyKind::Upload(_)) {
        let of_files = [Code::UploadFailed, Code::FileTooLarge, Code::FileTypeNotAllowed];
        codes.extend(of_files);
        codes.push(Code::InvalidImage);
    }
    codes.extend(route.is_conditional().then_some(Code::PreconditionFailed));
    match route_tag(route) {
        "auth" if route.body != BodyKind::None => {
            codes.extend([Code::SecondFactorRequired, Code::InvalidCode]);
        }
        "profile" | "users" => codes.push(Code::InvalidPassword),
        "second_factor" => {
            codes.extend([Code::InvalidPassword, Code::InvalidCode]);
        }
        "updates" => codes.push(Code::UpdateFailed),
        "backups" => codes.extend([Code::InvalidBackup, Code::RangeNotSatisfiable]),
        "imports" => codes.push(Code::InvalidImport),
        "changes" if !route.is_mutation() => codes.push(Code::Conflict),
        "webhooks" => codes.extend([Code::InvalidWebhook, Code::WebhookFailed]),
        _ => {}
    }
    codes
}

/// Returns true if the answer has an entity tag, by which the client can revalidate it.
fn has_entity_tag(route: &Route) -> bool {
    const TAGGED: [&str; 3] =
        ["admin.changes.show", "admin.content.show", "admin.content_types.show"];
    matches!(route.gives, ReplyKind::File | ReplyKind::Picture) || TAGGED.contains(&route.name)
}

/// Returns the group of a route: `users` for `admin.users.list`.
fn route_tag(route: &Route) -> &'static str {
    let name = route.name.strip_prefix("admin.").unwrap_or(route_group(route));
    name.split('.').next().unwrap_or(name)
}

/// Returns the description of a group of routes.
fn about_tag(tag: &str) -> &'static str {
    match tag {
        "activity" => "The activity log.",
        "auth" => "Setup, login and logout.",
        "backups" => "Creating and restoring backups.",
        "changes" => {
            "Changes, which people know as releases: proposed states of entries beside what is live."
        }
        "content" => "Entries with all their stored values.",
        "content_types" => "Content types define the fields of entries.",
        "dashboard" => "A summary of a workspace.",
        "events" => "Live events.",
        "imports" => "Content from other systems and from tables.",
        "media" => "Media files and their categories.",
        "openapi" => "This document.",
        "problems" => "Problems of the data folder, and ways to fix them.",
        "profile" => "The current user.",
        "revisions" => "Revisions of entries.",
        "roles" => "Roles and their grants.",
        "samples" => "The content that a new data folder starts with.",
        "second_factor" => "The second factor of the current user.",
        "search" => "Search across all content.",
        "settings" => "Settings that can be changed while the server runs.",
        "tokens" => "API tokens.",
        "tools" => "Previews and checks.",
        "trash" => "Deleted entries.",
        "updates" => "New versions of the program.",
        "users" => "Users who can log in.",
        "views" => "Saved views of lists.",
        "webhooks" => "Webhooks and their deliveries.",
        "workspaces" => "Workspaces and their pictures.",
        _ => "",
    }
}

fn build_operation(route: &Route) -> Value {
    let mut operation = json!({
        "operationId": route.name,
        "summary": route.summary,
        "description": describe_route(route),
        "tags": [route_tag(route)],
        "parameters": parameters_of(route),
        "responses": responses_of(route),
    });
    if let Some(body) = request_bodies::build_inline(route) {
        operation["requestBody"] = body;
    }
    if route.access == Access::Visitor {
        operation["security"] = json!([]);
    }
    if let Some((action, on)) = route.required_action() {
        operation["x-permission"] =
            json!({ "action": action.to_string(), "on": on.resource_template() });
    }
    operation
}

/// Returns the description of a path parameter.
fn about_parameter(name: &str) -> &'static str {
    match name {
        "category" => "The path of a media category.",
        "collection" => "The name of a content type.",
        "filename" => "The name of a media file.",
        "id" => "The id of the resource.",
        "change" => "The id of a change, or `pending` for the own drafts.",
        "link" => "The id of a preview link.",
        "identifier" => "The id or the slug of an entry.",
        "locale" => "The code of a locale.",
        "name" => "The name of a backup.",
        "revision" => "The id of a revision.",
        "workspace" => "The slug of a workspace.",
        _ => "",
    }
}

fn parameters_of(route: &Route) -> Vec<Value> {
    let text = |name: &str, place: &str, required: bool, about: &str| {
        json!({
            "name": name, "in": place, "required": required, "description": about,
            "schema": { "type": "string" },
        })
    };
    let in_path = route.param_names();
    let mut found: Vec<Value> =
        in_path.map(|it| text(it, "path", true, about_parameter(it))).collect();
    found.extend(route.query.iter().map(parameters::query_parameter));
    if route.scoped {
        let about = "The slug of the workspace; by default the default one.";
        found.push(text("X-Service-Workspace", "header", false, about));
    }
    if route.is_mutation() && route.access != Access::Visitor {
        let about = "The token of the session, from `me`, `login` or `setup`.";
        found.push(text("X-CSRF-Token", "header", true, about));
    }
    if route.is_conditional() {
        let about = "The change is made only if the resource has one of these entity tags.";
        found.push(text("If-Match", "header", false, about));
    }
    found
}

fn responses_of(route: &Route) -> Value {
    let mut found = Map::new();
    let status = if route.creates { "201" } else { "200" };
    let mut success = responses::success_response(route, "Entry");
    success["headers"] = json!({});
    found.insert(status.to_string(), success);
    if matches!(route.gives, ReplyKind::File | ReplyKind::Picture) {
        let partial = json!({ "description": "A range of the file.", "content": { "*/*": {} } });
        found.insert("206".to_string(), partial);
    }
    if has_entity_tag(route) {
        found.insert("304".to_string(), json!({ "description": "The client already has it." }));
    }
    for (status, codes) in failures_of(route) {
        let named: Vec<String> = codes.iter().map(|it| format!("`{}`", it.as_str())).collect();
        let reason = StatusCode::from_u16(status).ok().and_then(|it| it.canonical_reason());
        let about = format!("{}: {}", reason.unwrap_or("Refused"), named.join(", "));
        found.insert(
            status.to_string(),
            json!({
                "description": about,
                "content": { "application/json": { "schema": json_schema::schema_ref("Error") } },
            }),
        );
    }
    found.into()
}

fn all_schemas(routes: &[&Route]) -> Map<String, Value> {
    let mut found = schemas::build_untyped();
    found.extend(derived_schemas::collect_derived(routes));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reference_leads_somewhere() {
        let document = build_document(&crate::http::routes::build_table(), "http://localhost");
        let text = document.to_string();
        for (at, key) in text.match_indices("\"$ref\":\"#") {
            let path = text[at + key.len()..].split('"').next().unwrap();
            assert!(document.pointer(path).is_some(), "{path}");
        }
    }

    #[test]
    fn no_schema_is_both_written_and_derived() {
        let table = crate::http::routes::build_table();
        let derived = derived_schemas::collect_derived(&table.iter().collect::<Vec<_>>());
        for (name, _) in crate::http::openapi::input_schemas::build_all(&Value::Null) {
            assert!(!derived.contains_key(&name), "{name}");
        }
    }
}
