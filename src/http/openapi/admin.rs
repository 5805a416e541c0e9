//! The OpenAPI document of the admin API, from the route table and the schemas beside this file: one
//! JSON file a group of routes, a schema a name.

use std::collections::BTreeMap;

use http::StatusCode;
use serde_json::Map;
use serde_json::Value;
use serde_json::json;

use crate::app::error::Code;
use crate::http::error;
use crate::http::openapi::Profile;
use crate::http::openapi::bodies;
use crate::http::openapi::description;
use crate::http::openapi::group;
use crate::http::openapi::license;
use crate::http::openapi::names::TypeNames;
use crate::http::openapi::parameters;
use crate::http::openapi::polish;
use crate::http::openapi::responses;
use crate::http::openapi::schemas;
use crate::http::route::Access;
use crate::http::route::Body;
use crate::http::route::Gives;
use crate::http::route::Route;
use crate::http::routes;

/// The schemas of each group.
const GROUPS: &[(&str, &str)] = &[
    ("activity", include_str!("admin/activity.json")),
    ("auth", include_str!("admin/auth.json")),
    ("media", include_str!("admin/media.json")),
    ("backups", include_str!("admin/backups.json")),
    ("profile", include_str!("admin/profile.json")),
    ("roles", include_str!("admin/roles.json")),
    ("tokens", include_str!("admin/tokens.json")),
    ("content", include_str!("admin/content.json")),
    ("content_types", include_str!("admin/content_types.json")),
    ("revisions", include_str!("admin/revisions.json")),
    ("tools", include_str!("admin/tools.json")),
    ("trash", include_str!("admin/trash.json")),
    ("dashboard", include_str!("admin/dashboard.json")),
    ("events", include_str!("admin/events.json")),
    ("problems", include_str!("admin/problems.json")),
    ("search", include_str!("admin/search.json")),
    ("settings", include_str!("admin/settings.json")),
    ("updates", include_str!("admin/updates.json")),
    ("users", include_str!("admin/users.json")),
    ("webhooks", include_str!("admin/webhooks.json")),
    ("workspaces", include_str!("admin/workspaces.json")),
];

const ABOUT: &str = "\
What the web interface stands on; it may change with every version. Whoever asks is logged in: \
`POST /admin/api/login` sets a cookie and answers with a `csrf_token`, which every request that \
changes something sends as `X-CSRF-Token`. Requests about a workspace name it in \
`X-Service-Workspace`; without, the default one is meant.";

/// The document.
pub fn document(base_url: &str) -> Value {
    let mut table = routes::table();
    table.retain(Route::is_admin);
    let mut paths: Map<String, Value> = Map::new();
    for route in &table {
        let path = route.path.replace("{*", "{");
        let methods = paths.entry(path).or_insert_with(|| json!({}));
        methods[route.method.as_str().to_ascii_lowercase()] = operation(route);
    }
    let mut groups: Vec<&str> = table.iter().map(tag).collect();
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
            "license": license(),
        },
        "servers": [{ "url": base_url }],
        "security": [{ "session": [] }],
        "tags": tags,
        "paths": paths,
        "components": {
            "schemas": all_schemas(),
            "securitySchemes": { "session": {
                "type": "apiKey",
                "in": "cookie",
                "name": "recto_session",
                "description": "`__Host-recto_session` over TLS.",
            } },
        },
    });
    polish::finish(&mut document);
    document
}

/// What a success of a route answers with, as a schema that refers to the document's components;
/// none for what is no JSON.
pub fn schema_of(route: &Route) -> Option<Value> {
    responses::success(route, "Entry")["content"]["application/json"].get("schema").cloned()
}

/// The status codes with which a route can fail.
pub fn failures_of(route: &Route) -> BTreeMap<u16, Vec<Code>> {
    let mut found: BTreeMap<u16, Vec<Code>> = BTreeMap::new();
    for code in codes(route) {
        found.entry(error::status(code).as_u16()).or_default().push(code);
    }
    found
}

fn codes(route: &Route) -> Vec<Code> {
    let mut codes = vec![Code::BadRequest, Code::ServerError, Code::StorageUnavailable];
    if route.access == Access::Visitor {
        codes.extend([Code::Forbidden, Code::InvalidCredentials, Code::RateLimited]);
        codes.extend([Code::NotSetUp, Code::AlreadySetUp]);
    } else {
        codes.extend([Code::Unauthenticated, Code::NotSetUp, Code::Forbidden, Code::NotFound]);
    }
    if route.changes() {
        codes.extend([Code::Conflict, Code::InsufficientStorage, Code::RateLimited]);
        codes.extend((route.access != Access::Visitor).then_some(Code::CsrfMismatch));
    }
    codes.push(Code::ValidationFailed);
    if route.body != Body::None {
        codes.extend([Code::TooSlow, Code::PayloadTooLarge, Code::UnsupportedMediaType]);
        codes.push(Code::InvalidJson);
    }
    if matches!(route.body, Body::Upload(_)) {
        let of_files = [Code::UploadFailed, Code::FileTooLarge, Code::FileTypeNotAllowed];
        codes.extend(of_files);
        codes.push(Code::InvalidImage);
    }
    codes.extend(route.is_conditional().then_some(Code::PreconditionFailed));
    match tag(route) {
        "profile" | "users" => codes.push(Code::InvalidPassword),
        "updates" => codes.push(Code::UpdateFailed),
        "backups" => codes.extend([Code::InvalidBackup, Code::RangeNotSatisfiable]),
        "events" | "problems" if !route.changes() => codes.push(Code::RateLimited),
        "webhooks" => codes.extend([Code::InvalidWebhook, Code::WebhookFailed]),
        _ => {}
    }
    codes
}

/// The group of a route: `users` of `admin.users.list`.
fn tag(route: &Route) -> &'static str {
    let name = route.name.strip_prefix("admin.").unwrap_or(group(route));
    name.split('.').next().unwrap_or(name)
}

/// What the routes of a group are about.
fn about_tag(tag: &str) -> &'static str {
    match tag {
        "activity" => "What happened, and who did it.",
        "auth" => "Setting up, logging in and out.",
        "backups" => "Backups, and ways back from them.",
        "content" => "Entries with all that is stored of them.",
        "content_types" => "What entries consist of.",
        "dashboard" => "How things stand, in short.",
        "events" => "What happens, as it happens.",
        "media" => "Media files and their categories.",
        "openapi" => "This document.",
        "problems" => "Defects in the data folder, and ways to put them right.",
        "profile" => "Whoever is logged in.",
        "revisions" => "Earlier versions of entries.",
        "roles" => "Roles and what they grant.",
        "search" => "Search over everything.",
        "settings" => "Settings that can be changed while the server runs.",
        "tokens" => "API tokens.",
        "tools" => "Previews and checks.",
        "trash" => "Deleted entries.",
        "updates" => "New versions of the program.",
        "users" => "Who may log in.",
        "views" => "Saved views of lists.",
        "webhooks" => "Receivers of what happens.",
        "workspaces" => "Workspaces and their pictures.",
        _ => "",
    }
}

fn operation(route: &Route) -> Value {
    let mut operation = json!({
        "operationId": route.name,
        "summary": route.summary,
        "description": description(route),
        "tags": [tag(route)],
        "parameters": parameters_of(route),
        "responses": responses_of(route),
    });
    if let Some(body) = bodies::inline(route) {
        operation["requestBody"] = body;
    }
    if route.access == Access::Visitor {
        operation["security"] = json!([]);
    }
    if let Some((action, on)) = route.needs() {
        operation["x-permission"] = json!({ "action": action.to_string(), "on": on.template() });
    }
    operation
}

/// What a parameter of the path names.
fn about_parameter(name: &str) -> &'static str {
    match name {
        "category" => "The path of a media category.",
        "collection" => "The name of a content type.",
        "filename" => "The name of a media file.",
        "id" => "The id of what the address is about.",
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
    let in_path = route.params().map(|it| it.trim_start_matches('*'));
    let mut found: Vec<Value> =
        in_path.map(|it| text(it, "path", true, about_parameter(it))).collect();
    found.extend(route.query.iter().map(parameters::plain));
    if route.scoped {
        let about = "The slug of the workspace; the default one without.";
        found.push(text("X-Service-Workspace", "header", false, about));
    }
    if route.changes() && route.access != Access::Visitor {
        let about = "The token of the session, from `me`, `login` or `setup`.";
        found.push(text("X-CSRF-Token", "header", true, about));
    }
    if route.is_conditional() {
        let about = "Entity tags of what the change is meant for.";
        found.push(text("If-Match", "header", false, about));
    }
    found
}

fn responses_of(route: &Route) -> Value {
    let mut found = Map::new();
    let status = if route.creates { "201" } else { "200" };
    let mut success = responses::success(route, "Entry");
    success["headers"] = json!({});
    found.insert(status.to_string(), success);
    if matches!(route.gives, Gives::File | Gives::Picture) {
        let partial = json!({ "description": "A part.", "content": { "*/*": {} } });
        found.insert("206".to_string(), partial);
        found.insert("304".to_string(), json!({ "description": "The client has it already." }));
    }
    for (status, codes) in failures_of(route) {
        let named: Vec<String> = codes.iter().map(|it| format!("`{}`", it.as_str())).collect();
        let reason = StatusCode::from_u16(status).ok().and_then(|it| it.canonical_reason());
        let about = format!("{}: {}", reason.unwrap_or("Refused"), named.join(", "));
        found.insert(
            status.to_string(),
            json!({
                "description": about,
                "content": { "application/json": { "schema": schemas::reference("Error") } },
            }),
        );
    }
    found.into()
}

fn all_schemas() -> Map<String, Value> {
    let mut found = schemas::all(&[], &TypeNames::new(&[]), Profile::Full);
    let mut codes: Vec<&str> = Code::ALL.iter().map(|it| it.as_str()).collect();
    codes.sort_unstable();
    codes.dedup();
    if let Some(error) = found.get_mut("Error") {
        let members = &mut error["properties"]["error"]["properties"];
        members["code"]["enum"] = codes.into();
        let usages = json!({ "type": "array", "items": schemas::reference("MediaUsage") });
        members["usages"] = usages;
    }
    for (group, text) in GROUPS {
        match serde_json::from_str::<Map<String, Value>>(text) {
            Ok(schemas) => found.extend(schemas),
            Err(error) => tracing::error!(group, %error, "the schemas of a group are no JSON"),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reference_leads_somewhere() {
        let document = document("http://localhost");
        let text = document.to_string();
        for (at, key) in text.match_indices("\"$ref\":\"#") {
            let path = text[at + key.len()..].split('"').next().unwrap();
            assert!(document.pointer(path).is_some(), "{path}");
        }
    }

    #[test]
    fn every_group_has_its_schemas() {
        for (group, text) in GROUPS {
            let read = serde_json::from_str::<Map<String, Value>>(text);
            assert!(read.is_ok(), "{group}: {read:?}");
        }
    }
}
