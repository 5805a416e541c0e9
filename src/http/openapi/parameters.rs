//! The parameters of operations: shared ones by reference, and those of one content type with its
//! own fields.

use serde_json::Map;
use serde_json::Value;
use serde_json::json;

use crate::http::openapi::json_schema;
use crate::http::openapi::profile::OpenApiProfile;
use crate::http::openapi::schemas;
use crate::http::request::route::QueryKind;
use crate::http::request::route::QueryParam;
use crate::http::request::route::ReplyKind;
use crate::http::request::route::Route;
use crate::model::content_type::ContentType;
use crate::model::field::Field;
use crate::query::request::field_ref::FieldRef;
use crate::query::request::include::INCLUDE_DEPTH_MAX;
use crate::query::request::include::INCLUDES_MAX;
use crate::query::request::list_query::SORT_KEYS_MAX;

/// The largest number that is exact in every client.
const COUNT_MAX: u64 = (1 << 53) - 1;

/// The keys by which entries of every type can be filtered and sorted.
const ENTRY_KEYS: [&str; 11] = [
    "id",
    "slug",
    "type",
    "status",
    "title",
    "published_at",
    "unpublish_at",
    "created_at",
    "updated_at",
    "author_id",
    "updated_by",
];

/// The parameters outside the query, with their location.
const ELSEWHERE: [(&str, &str, &str); 10] = [
    ("collection", "path", "The name of a content type."),
    ("identifier", "path", "The id or the slug of an entry."),
    ("view", "path", "The name of a view of the content type."),
    ("page", "path", "The number of a page, from 1 on."),
    ("filename", "path", "The name of a media file."),
    ("category", "path", "The path of a media category, such as `Photos / Travel`."),
    ("If-Match", "header", "The change is made only if the entry has one of these entity tags."),
    ("If-None-Match", "header", "Entity tags of answers that the client already has."),
    ("Range", "header", "The requested bytes: `bytes=0-1023`."),
    ("If-Range", "header", "`Range` applies only if the file has this entity tag or date."),
];

/// The shared parameters by the name of their reference.
pub(super) struct Parameters(Map<String, Value>);

impl Parameters {
    /// Collects the parameters that operations of these routes and types share.
    pub(super) fn new(table: &[Route], types: &[&ContentType]) -> Parameters {
        let mut shared = Map::new();
        for query in table.iter().flat_map(|it| it.query) {
            shared.entry(query.name).or_insert_with(|| query_parameter(query));
        }
        let locales = collect_locales(types);
        if let Some(locale) = shared.get_mut("locale").filter(|_| !locales.is_empty()) {
            locale["schema"]["enum"] = locales.into();
        }
        if let Some(ty) = types.first() {
            let of_key = |key: &&str| Some((format!("filter_{key}"), build_operators(ty, key)?));
            shared.extend(ENTRY_KEYS.iter().filter_map(of_key));
        }
        for (name, place, about) in ELSEWHERE {
            shared.insert(component_key(name, place).to_string(), build_other(name, place, about));
        }
        if let Some(ty) = types.first() {
            shared["collection"]["example"] = ty.name.as_str().into();
        }
        Parameters(shared)
    }

    /// Returns the parameters of a route, for one content type or in general.
    pub(super) fn list_parameters(
        &self,
        route: &Route,
        ty: Option<&ContentType>,
        path: &str,
        profile: OpenApiProfile,
    ) -> Vec<Value> {
        let params = route.param_names();
        let in_path = params.filter(|it| path.contains(&format!("{{{it}}}")));
        let mut found: Vec<Value> =
            in_path.map(|it| parameter_ref(component_key(it, "path"))).collect();
        for query in route.query.iter().filter(|it| profile.has_parameter(it.name)) {
            match ty {
                Some(ty) => found.extend(self.build_typed(query, ty)),
                None => found.push(self.reference_or_inline(query)),
            }
        }
        let is_file = route.gives == ReplyKind::File;
        found.extend(
            is_file.then_some(["Range", "If-Range"]).into_iter().flatten().map(parameter_ref),
        );
        found.extend(route.can_revalidate().then(|| parameter_ref("If-None-Match")));
        found.extend(route.is_conditional().then(|| parameter_ref("If-Match")));
        found
    }

    /// Returns the components to which the references point.
    pub(super) fn into_components(self) -> Map<String, Value> {
        self.0
    }

    /// Returns a reference if there is a shared parameter like this one, else the parameter itself.
    fn reference_or_inline(&self, query: &QueryParam) -> Value {
        let mut own = query_parameter(query);
        if let Some(shared) = self.0.get(query.name).filter(|_| query.name == "locale") {
            own["schema"] = shared["schema"].clone();
        }
        let same = |it: &Value| it["description"] == own["description"];
        if self.0.get(query.name).is_some_and(same) { parameter_ref(query.name) } else { own }
    }

    /// Returns a parameter with the type's own fields; none if the type has no such fields.
    fn build_typed(&self, query: &QueryParam, ty: &ContentType) -> Vec<Value> {
        match query.name {
            "filter" => self.build_filters(query, ty),
            "sort" => {
                let signed = |it: String| [it.clone(), format!("-{it}")];
                let keys: Vec<String> = collect_keys(ty).into_iter().flat_map(signed).collect();
                vec![comma_list(query, json!({ "enum": keys }), SORT_KEYS_MAX)]
            }
            "include" => {
                let items = include_schema(ty);
                items.into_iter().map(|it| comma_list(query, it, INCLUDES_MAX)).collect()
            }
            "fields" => {
                let names: Vec<&str> = ty.data_fields().map(|it| it.name.as_str()).collect();
                let items = (!names.is_empty()).then(|| json!({ "enum": names }));
                items.into_iter().map(|it| comma_list(query, it, names.len())).collect()
            }
            _ => vec![self.reference_or_inline(query)],
        }
    }

    /// Returns `filter[field]=value` as one parameter, and `filter[field][operator]=value` as one
    /// for each field: parameter styles support only one pair of brackets.
    fn build_filters(&self, query: &QueryParam, ty: &ContentType) -> Vec<Value> {
        let keys = collect_keys(ty);
        let value = |key: &String| {
            let comparison = FieldRef::resolve(ty, key)?.comparison(ty);
            Some((key.clone(), schemas::operand_schema(comparison)))
        };
        let properties: Map<String, Value> = keys.iter().filter_map(value).collect();
        let mut equal = query_parameter(query);
        equal["schema"] =
            json!({ "type": "object", "properties": properties, "additionalProperties": false });
        let mut found = vec![equal];
        found.extend(keys.iter().filter_map(|key| {
            let shared = format!("filter_{key}");
            if ENTRY_KEYS.contains(&key.as_str()) && self.0.contains_key(&shared) {
                return Some(parameter_ref(&shared));
            }
            build_operators(ty, key)
        }));
        found
    }
}

/// Returns the locales of all types, each once.
fn collect_locales<'t>(types: &[&'t ContentType]) -> Vec<&'t str> {
    let all = types.iter().flat_map(|it| &it.locales);
    let mut found: Vec<&str> = all.map(|it| it.as_str()).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// Returns the schema of `include`: the type's relations, and with dots those of their targets.
fn include_schema(ty: &ContentType) -> Option<Value> {
    let relations = ty.data_fields().filter(|it| it.kind.as_relation().is_some());
    let names: Vec<&str> = relations.map(|it| it.name.as_str()).collect();
    if names.is_empty() {
        return None;
    }
    let deeper = INCLUDE_DEPTH_MAX - 1;
    let path = format!(r"^({})(\.[A-Za-z_][A-Za-z0-9_]*){{1,{deeper}}}$", names.join("|"));
    Some(json!({ "anyOf": [{ "enum": names }, { "type": "string", "pattern": path }] }))
}

fn parameter_ref(name: &str) -> Value {
    json!({ "$ref": format!("#/components/parameters/{name}") })
}

/// Returns the name of a reference: there is a category in the path and one in the query.
fn component_key<'n>(name: &'n str, place: &str) -> &'n str {
    if (name, place) == ("category", "path") { "category_path" } else { name }
}

/// Returns a query parameter of the route table.
pub(super) fn query_parameter(query: &QueryParam) -> Value {
    let schema = match query.kind {
        QueryKind::Count(least) => {
            json!({ "type": "integer", "minimum": least, "maximum": COUNT_MAX })
        }
        QueryKind::Text => json!({ "type": "string" }),
        QueryKind::OneOf(values) => json!({ "type": "string", "enum": values }),
        QueryKind::Flag => json!({ "type": "boolean" }),
        QueryKind::Filter => {
            json!({ "type": "object", "additionalProperties": { "type": "string" } })
        }
    };
    let mut parameter = json!({
        "name": query.name, "in": "query", "description": query.about, "schema": schema,
    });
    if query.kind == QueryKind::Filter {
        parameter["style"] = "deepObject".into();
        parameter["explode"] = true.into();
    }
    parameter
}

/// Returns a parameter of the path or of the header.
fn build_other(name: &str, place: &str, about: &str) -> Value {
    let mut schema = json!({ "type": "string" });
    if matches!(name, "collection" | "identifier") {
        schema["pattern"] = "^[A-Za-z0-9_-]+$".into();
    }
    let mut parameter =
        json!({ "name": name, "in": place, "description": about, "schema": schema });
    if place == "path" {
        parameter["required"] = true.into();
    }
    parameter
}

/// Returns a parameter with several values separated by commas.
fn comma_list(query: &QueryParam, items: Value, most: usize) -> Value {
    let mut parameter = query_parameter(query);
    parameter["style"] = "form".into();
    parameter["explode"] = false.into();
    parameter["schema"] =
        json!({ "type": "array", "items": items, "maxItems": most, "uniqueItems": true });
    parameter
}

/// Returns the parameter `filter[key][operator]` with all operators.
fn build_operators(ty: &ContentType, key: &str) -> Option<Value> {
    let comparison = FieldRef::resolve(ty, key)?.comparison(ty);
    Some(json!({
        "name": format!("filter[{key}]"), "in": "query", "style": "deepObject", "explode": true,
        "description": format!("Filters on `{key}` with operators: `filter[{key}][operator]=value`."),
        "schema": { "$ref": json_schema::schema_path(schemas::filter_name(comparison)) },
    }))
}

/// Returns the keys by which entries of the type can be filtered and sorted, with dots into
/// objects.
fn collect_keys(ty: &ContentType) -> Vec<String> {
    let mut found: Vec<String> = ENTRY_KEYS.iter().map(ToString::to_string).collect();
    for field in ty.data_fields() {
        add_keys(field, "", &mut found);
    }
    found
}

fn add_keys(field: &Field, before: &str, found: &mut Vec<String>) {
    let key = format!("{before}{}", field.name);
    let below = format!("{key}.");
    found.push(key);
    for inner in field.kind.subfields().into_iter().flat_map(|it| it.iter()) {
        add_keys(inner, &below, found);
    }
}
