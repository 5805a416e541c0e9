//! The OpenAPI document of a workspace, from the route table and the content types as they are.
//!
//! Each route of the public API is there as the table has it, and once more for every content
//! type, with that type's own fields: tools complete and check those.

use std::sync::Arc;

use serde_json::Map;
use serde_json::Value;
use serde_json::json;

use crate::http::openapi::derived_schemas;
use crate::http::openapi::operations::build_license;
use crate::http::openapi::operations::describe_route;
use crate::http::openapi::operations::group_and_verb;
use crate::http::openapi::operations::route_group;
use crate::http::openapi::parameters::Parameters;
use crate::http::openapi::postprocess;
use crate::http::openapi::profile::OpenApiProfile;
use crate::http::openapi::request_bodies;
use crate::http::openapi::responses;
use crate::http::openapi::schemas;
use crate::http::openapi::type_names::TypeNames;
use crate::http::request::route::ReplyKind;
use crate::http::request::route::Route;
use crate::model::content_type::ContentType;
use crate::query::index::snapshot::Snapshot;
use crate::query::index::type_index::TypeIndex;

/// The version of the interface, which is not the one of the program.
const INTERFACE_VERSION: &str = "1.0.0";

const ABOUT: &str = "\
Reading public content needs no credential. A bearer token shows what its grants cover \
(`x-permission` names the permission that an operation needs); an invalid token is refused \
everywhere. Changes need a token, and bodies are JSON unless an operation says otherwise.\n\n\
Lists accept `filter[field]=value` and `filter[field][operator]=value` with the operators `eq`, \
`ne`, `in`, `nin` (values separated by commas), `gt`, `gte`, `lt`, `lte`, `contains`, `starts` \
(ignoring case) and `empty` (`true` or `false`). Dots reach fields of objects: \
`filter[seo.title]`. All filters must match. For a list value, one item must match; with `ne` and \
`nin`, none may.\n\n\
Answers carry an `ETag`; with `If-None-Match`, an unchanged answer is 304. `HEAD` answers like \
`GET` without a body.";

/// The inputs that operations are described from.
struct Describer<'d> {
    profile: OpenApiProfile,
    snapshot: &'d Snapshot,
    names: &'d TypeNames,
    parameters: &'d Parameters,
}

/// The document for these types of a workspace, from the route table.
pub fn build_document(
    routes: &[Route],
    base_url: &str,
    snapshot: &Snapshot,
    types: &[Arc<TypeIndex>],
    profile: OpenApiProfile,
) -> Value {
    let table: Vec<Route> = routes.iter().filter(|it| it.is_public()).cloned().collect();
    let types: Vec<&ContentType> = types.iter().map(|it| &*it.content_type).collect();
    let names = TypeNames::new(&types);
    let parameters = Parameters::new(&table, &types);
    let describer = Describer { profile, snapshot, names: &names, parameters: &parameters };
    let mut paths = Map::new();
    for route in &table {
        describer.add_route(&mut paths, route, None);
        for ty in &types {
            describer.add_route(&mut paths, route, Some(ty));
        }
    }
    let mut components = schemas::build_all(&types, &names, profile);
    components.extend(derived_schemas::collect_derived(&table.iter().collect::<Vec<_>>()));
    let mut document = json!({
        "openapi": "3.1.0",
        "info": {
            "title": snapshot.meta.label,
            "version": INTERFACE_VERSION,
            "description": ABOUT,
            "contact": { "name": snapshot.meta.label, "url": base_url },
            "license": build_license(),
        },
        "servers": [{ "url": base_url }],
        "security": [{}, { "bearer": [] }],
        "tags": build_tags(&table, &types),
        "paths": paths,
        "components": {
            "schemas": components,
            "parameters": parameters.into_components(),
            "headers": responses::build_headers(),
            "responses": responses::build_shared(&table),
            "requestBodies": request_bodies::build_shared(&table),
            "securitySchemes": { "bearer": {
                "type": "http",
                "scheme": "bearer",
                "description": "An API token. Without one, answers contain public content only.",
            } },
        },
    });
    postprocess::finish_document(&mut document);
    document
}

impl Describer<'_> {
    /// Adds a route to the paths: as it is, or for one content type if it is about entries.
    fn add_route(&self, paths: &mut Map<String, Value>, route: &Route, ty: Option<&ContentType>) {
        let path = route.path.replace("{workspace}", self.snapshot.workspace.as_str());
        let mut path = path.replace("{*", "{");
        if let Some(ty) = ty {
            let of_entries = path.contains("/content/{collection}");
            // A single page is fetched by its name; its list is for callers who treat all alike.
            if !of_entries || (ty.singleton && route.gives == ReplyKind::Entries) {
                return;
            }
            if ty.singleton {
                path = path.replace("{identifier}", ty.name.as_str());
            }
            path = path.replace("{collection}", ty.name.as_str());
        }
        let operation = self.build_operation(route, ty, &path);
        let methods = paths.entry(path).or_insert_with(|| json!({}));
        methods[route.method.as_str().to_ascii_lowercase()] = operation;
    }

    fn build_operation(&self, route: &Route, ty: Option<&ContentType>, path: &str) -> Value {
        let tag = ty.map_or(route_group(route).to_string(), type_tag);
        let mut operation = json!({
            "operationId": self.names.operation_id(route, ty),
            "summary": summarize_route(route, ty),
            "description": describe_route(route),
            "tags": [tag],
            "parameters": self.parameters.list_parameters(route, ty, path, self.profile),
            "responses": responses::build_responses(route, &self.names.entry_schema(ty)),
        });
        if let Some(body) = request_bodies::build_body(route, ty, self.names) {
            operation["requestBody"] = body;
        }
        if route.is_mutation() {
            operation["security"] = json!([{ "bearer": [] }]);
        }
        if let Some((action, on)) = route.required_action() {
            let on = on.resource_template();
            let on = ty.map_or(on.to_string(), |ty| on.replace("{collection}", ty.name.as_str()));
            operation["x-permission"] = json!({ "action": action.to_string(), "on": on });
        }
        operation
    }
}

fn summarize_route(route: &Route, ty: Option<&ContentType>) -> String {
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

/// Content types are grouped apart from the routes, whose names they may share.
fn type_tag(ty: &ContentType) -> String {
    format!("content.{}", ty.name)
}

fn build_tags(table: &[Route], types: &[&ContentType]) -> Vec<Value> {
    let mut groups: Vec<&str> = table.iter().map(route_group).collect();
    groups.sort_unstable();
    groups.dedup();
    let groups = groups.into_iter().map(|it| json!({ "name": it, "description": about_group(it) }));
    let of_types = types.iter().map(
        |it| json!({ "name": type_tag(it), "description": format!("Entries of “{}”.", it.label) }),
    );
    groups.chain(of_types).collect()
}

/// Returns the description of a group of routes.
fn about_group(group: &str) -> &'static str {
    match group {
        "categories" => "The categories of media files.",
        "replication" => {
            "Content as the files of the data folder: for `recto pull` and `recto push`."
        }
        "sync" => "All content at once, and what changes of it: for builds of sites.",
        "content_types" => "Content types define the fields of entries.",
        "entries" => "Entries of any content type.",
        "feeds" => "Feeds and the sitemap of a site.",
        "files" => "The bytes of media files.",
        "health" => "Says that the service is running.",
        "media" => "Media files and their metadata.",
        "openapi" => "This document.",
        "views" => "Lists of entries that content types declare, each at an address of its own.",
        "thumbnails" => "Thumbnails of media files.",
        _ => "",
    }
}
