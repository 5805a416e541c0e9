//! The OpenAPI document of a workspace, from the route table and the content types as they are.
//!
//! Each route of the public API is there as the table has it, and once more for every content
//! type, with that type's own fields: tools complete and check those.

pub mod admin;
mod bodies;
mod inputs;
mod parameters;
mod responses;
mod schemas;

use std::sync::Arc;

use serde_json::Map;
use serde_json::Value;
use serde_json::json;

use crate::http::openapi::parameters::Parameters;
use crate::http::route::Gives;
use crate::http::route::Route;
use crate::http::routes;
use crate::model::content_type::ContentType;
use crate::query::snapshot::Snapshot;
use crate::query::type_index::TypeIndex;

/// The version of the interface, which is not the one of the program.
const INTERFACE_VERSION: &str = "1.0.0";

const ABOUT: &str = "\
Reads need no credential and show what is public. A bearer token shows more, as far as its grants \
reach (`x-permission` names what an operation asks for); one that does not count is refused \
everywhere. Whatever changes something needs a token, and bodies are JSON unless an operation says \
otherwise.\n\n\
Lists take `filter[field]=value` and `filter[field][operator]=value` with the operators `eq`, \
`ne`, `in`, `nin` (values by comma), `gt`, `gte`, `lt`, `lte`, `contains`, `starts` (in whatever \
case) and `empty` (`true` or `false`). Fields of objects are reached with dots: \
`filter[seo.title]`. All filters must hold; of a value that is a list, one item must, and with \
`ne` and `nin` none may.\n\n\
Answers carry an `ETag`; `If-None-Match` asks for news alone. `HEAD` answers as `GET` without a \
body.";

/// The document for these types of a workspace.
pub fn document(base_url: &str, snapshot: &Snapshot, types: &[Arc<TypeIndex>]) -> Value {
    let mut table = routes::table();
    table.retain(Route::is_public);
    let types: Vec<&ContentType> = types.iter().map(|it| &*it.content_type).collect();
    let parameters = Parameters::new(&table, &types);
    let mut paths = Map::new();
    for route in &table {
        add(&mut paths, route, None, snapshot, &parameters);
        for ty in &types {
            add(&mut paths, route, Some(ty), snapshot, &parameters);
        }
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": snapshot.meta.label,
            "version": INTERFACE_VERSION,
            "description": ABOUT,
        },
        "servers": [{ "url": base_url }],
        "security": [{}, { "bearer": [] }],
        "tags": tags(&table, &types),
        "paths": paths,
        "components": {
            "schemas": schemas::all(&types),
            "parameters": parameters.into_components(),
            "headers": responses::headers(),
            "responses": responses::shared(&table),
            "requestBodies": bodies::shared(&table),
            "securitySchemes": { "bearer": {
                "type": "http",
                "scheme": "bearer",
                "description": "An API token. Without one, what is public is answered.",
            } },
        },
    })
}

/// Adds a route to the paths: as it is, or for one content type if it is about entries.
fn add(
    paths: &mut Map<String, Value>,
    route: &Route,
    ty: Option<&ContentType>,
    snapshot: &Snapshot,
    parameters: &Parameters,
) {
    let path = route.path.replace("{workspace}", snapshot.workspace.as_str());
    let mut path = path.replace("{*", "{");
    if let Some(ty) = ty {
        let of_entries = path.contains("/content/{collection}");
        // A single page is fetched by its name; its list is for callers who treat all alike.
        if !of_entries || (ty.singleton && route.gives == Gives::Entries) {
            return;
        }
        if ty.singleton {
            path = path.replace("{identifier}", ty.name.as_str());
        }
        path = path.replace("{collection}", ty.name.as_str());
    }
    let operation = operation(route, ty, parameters.of(route, ty, &path));
    let methods = paths.entry(path).or_insert_with(|| json!({}));
    methods[route.method.as_str().to_ascii_lowercase()] = operation;
}

fn operation(route: &Route, ty: Option<&ContentType>, parameters: Vec<Value>) -> Value {
    let id = ty.map_or(route.name.to_string(), |ty| format!("{}.{}", route.name, ty.name));
    let tag = ty.map_or(group(route).to_string(), type_tag);
    let entry = ty.map_or("Entry".to_string(), schemas::entry_name);
    let mut operation = json!({
        "operationId": id,
        "summary": summary(route, ty),
        "tags": [tag],
        "parameters": parameters,
        "responses": responses::of(route, &entry),
    });
    if let Some(body) = bodies::of(route, ty) {
        operation["requestBody"] = body;
    }
    if route.changes() {
        operation["security"] = json!([{ "bearer": [] }]);
    }
    if let Some((action, on)) = route.needs() {
        let on = on.template();
        let on = ty.map_or(on.to_string(), |ty| on.replace("{collection}", ty.name.as_str()));
        operation["x-permission"] = json!({ "action": action.to_string(), "on": on });
    }
    operation
}

fn summary(route: &Route, ty: Option<&ContentType>) -> String {
    let Some(ty) = ty else { return route.summary.to_string() };
    let (verb, is_page) = (group_and_verb(route).1, ty.singleton);
    match (verb, is_page) {
        ("list", _) => format!("Entries of “{}”.", ty.label),
        ("create", true) => format!("Creates the page “{}”.", ty.label),
        ("create", false) => format!("Creates an entry of “{}”.", ty.label),
        ("update" | "patch", true) => format!("Changes the page “{}”.", ty.label),
        ("update" | "patch", false) => format!("Changes an entry of “{}”.", ty.label),
        ("delete", true) => format!("Puts the page “{}” into the trash.", ty.label),
        ("delete", false) => format!("Puts an entry of “{}” into the trash.", ty.label),
        (_, true) => format!("The page “{}”.", ty.label),
        (_, false) => format!("One entry of “{}”, by id or slug.", ty.label),
    }
}

/// What a route is about, and what it does: its name up to the dot, and behind it.
fn group_and_verb(route: &Route) -> (&'static str, &'static str) {
    route.name.split_once('.').unwrap_or((route.name, ""))
}

fn group(route: &Route) -> &'static str {
    group_and_verb(route).0
}

/// Content types are grouped apart from the routes, whose names they may share.
fn type_tag(ty: &ContentType) -> String {
    format!("content.{}", ty.name)
}

fn tags(table: &[Route], types: &[&ContentType]) -> Vec<Value> {
    let mut groups: Vec<&str> = table.iter().map(group).collect();
    groups.sort_unstable();
    groups.dedup();
    let groups = groups.into_iter().map(|it| json!({ "name": it }));
    let of_types = types.iter().map(|it| json!({ "name": type_tag(it), "description": it.label }));
    groups.chain(of_types).collect()
}
