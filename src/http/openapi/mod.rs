//! The OpenAPI document of a workspace, from the route table and the content types as they are.
//!
//! Each route of the public API is there as the table has it, and once more for every content
//! type, with that type's own fields: tools complete and check those.

pub mod admin;
mod bodies;
mod inputs;
mod names;
mod parameters;
mod polish;
mod responses;
mod schemas;

use std::sync::Arc;

use serde_json::Map;
use serde_json::Value;
use serde_json::json;

use crate::http::openapi::names::TypeNames;
use crate::http::openapi::parameters::Parameters;
use crate::http::route::Access;
use crate::http::route::Body;
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

/// The licence of the program, as SPDX spells it. What a workspace holds has its own.
const LICENSE: &str = env!("CARGO_PKG_LICENSE");

/// How much of the interface a document describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// All of it.
    Full,
    /// Without `include`: relations are ids, so no schema contains itself. Some generators cannot
    /// do with schemas that do.
    Simple,
}

impl Profile {
    /// What the profiles are called in requests.
    pub const NAMES: &[&str] = &["full", "simple"];

    /// The profile of this name.
    pub fn parse(name: &str) -> Option<Profile> {
        match name {
            "full" => Some(Profile::Full),
            "simple" => Some(Profile::Simple),
            _ => None,
        }
    }
}

/// What operations are described from.
struct Describer<'d> {
    profile: Profile,
    snapshot: &'d Snapshot,
    names: &'d TypeNames,
    parameters: &'d Parameters,
}

/// The document for these types of a workspace.
pub fn document(
    base_url: &str,
    snapshot: &Snapshot,
    types: &[Arc<TypeIndex>],
    profile: Profile,
) -> Value {
    let mut table = routes::table();
    table.retain(Route::is_public);
    let types: Vec<&ContentType> = types.iter().map(|it| &*it.content_type).collect();
    let names = TypeNames::new(&types);
    let parameters = Parameters::new(&table, &types);
    let describer = Describer { profile, snapshot, names: &names, parameters: &parameters };
    let mut paths = Map::new();
    for route in &table {
        describer.add(&mut paths, route, None);
        for ty in &types {
            describer.add(&mut paths, route, Some(ty));
        }
    }
    let mut document = json!({
        "openapi": "3.1.0",
        "info": {
            "title": snapshot.meta.label,
            "version": INTERFACE_VERSION,
            "description": ABOUT,
            "contact": { "name": snapshot.meta.label, "url": base_url },
            "license": license(),
        },
        "servers": [{ "url": base_url }],
        "security": [{}, { "bearer": [] }],
        "tags": tags(&table, &types),
        "paths": paths,
        "components": {
            "schemas": schemas::all(&types, &names, profile),
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
    });
    polish::finish(&mut document);
    document
}

/// The licence, as both documents name it.
fn license() -> Value {
    json!({ "name": LICENSE, "identifier": LICENSE })
}

impl Describer<'_> {
    /// Adds a route to the paths: as it is, or for one content type if it is about entries.
    fn add(&self, paths: &mut Map<String, Value>, route: &Route, ty: Option<&ContentType>) {
        let path = route.path.replace("{workspace}", self.snapshot.workspace.as_str());
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
        let operation = self.operation(route, ty, &path);
        let methods = paths.entry(path).or_insert_with(|| json!({}));
        methods[route.method.as_str().to_ascii_lowercase()] = operation;
    }

    fn operation(&self, route: &Route, ty: Option<&ContentType>, path: &str) -> Value {
        let tag = ty.map_or(group(route).to_string(), type_tag);
        let mut operation = json!({
            "operationId": self.names.operation(route, ty),
            "summary": summary(route, ty),
            "description": description(route),
            "tags": [tag],
            "parameters": self.parameters.of(route, ty, path, self.profile),
            "responses": responses::of(route, &self.names.entry(ty)),
        });
        if let Some(body) = bodies::of(route, ty, self.names) {
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
}

/// What callers have to know of a route beside its summary.
fn description(route: &Route) -> String {
    let mut sentences = Vec::new();
    match (route.access, route.needs()) {
        (Access::Guest { .. }, Some((action, _))) => sentences.push(format!(
            "Without a token, what is public is answered; a token that grants `{action}` shows more."
        )),
        (_, Some((action, _))) => {
            sentences.push(format!("Needs a grant of `{action}`."));
        }
        (Access::Visitor, None) => sentences.push("Needs no session.".to_string()),
        (Access::Session { .. }, None) => sentences.push("Needs a session.".to_string()),
        _ => sentences.push("Needs no permission.".to_string()),
    }
    if let Body::Json { bytes_max, .. } = route.body {
        sentences.push(format!("The body is a JSON object of at most {bytes_max} bytes."));
    }
    if let Body::Upload(form) = route.body {
        sentences.push(format!("The body is a form with files in `{}`.", form.field()));
    }
    if route.is_conditional() {
        sentences
            .push("With `If-Match`, it is refused where another version is there.".to_string());
    }
    sentences.join(" ")
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
    let groups = groups.into_iter().map(|it| json!({ "name": it, "description": about_group(it) }));
    let of_types = types.iter().map(
        |it| json!({ "name": type_tag(it), "description": format!("Entries of “{}”.", it.label) }),
    );
    groups.chain(of_types).collect()
}

/// What the routes of a group are about.
fn about_group(group: &str) -> &'static str {
    match group {
        "categories" => "The categories of media files.",
        "content_types" => "What entries consist of.",
        "entries" => "Entries of whatever content type.",
        "files" => "The bytes of media files.",
        "health" => "Whether the service answers.",
        "media" => "Media files, and what is said of them.",
        "openapi" => "This document.",
        "thumbnails" => "Small pictures of media files.",
        _ => "",
    }
}
