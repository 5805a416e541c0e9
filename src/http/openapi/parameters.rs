//! Parameters of operations: those that many share by reference, and those of one content type
//! with its own fields.

use serde_json::Map;
use serde_json::Value;
use serde_json::json;

use crate::http::openapi::Profile;
use crate::http::openapi::schemas;
use crate::http::route::Gives;
use crate::http::route::Query;
use crate::http::route::QueryKind;
use crate::http::route::Route;
use crate::model::content_type::ContentType;
use crate::model::field::Field;
use crate::query::field_ref::FieldRef;
use crate::query::include::INCLUDE_DEPTH_MAX;
use crate::query::include::INCLUDES_MAX;
use crate::query::list_query::SORT_KEYS_MAX;

/// Larger numbers are not exact in every client.
const COUNT_MAX: u64 = (1 << 53) - 1;

/// What entries of every type are filtered and sorted by.
const ENTRY_KEYS: [&str; 10] = [
    "id",
    "slug",
    "type",
    "status",
    "title",
    "published_at",
    "created_at",
    "updated_at",
    "author_id",
    "updated_by",
];

/// Parameters outside the query, with their place.
const ELSEWHERE: [(&str, &str, &str); 8] = [
    ("collection", "path", "The name of a content type."),
    ("identifier", "path", "The id or the slug of an entry."),
    ("filename", "path", "The name of a media file."),
    ("category", "path", "The path of a media category: `Photos / Travel`."),
    ("If-Match", "header", "Entity tags of the entry that the change is meant for."),
    ("If-None-Match", "header", "Entity tags of answers that the client has."),
    ("Range", "header", "The bytes wanted: `bytes=0-1023`."),
    ("If-Range", "header", "The entity tag or date of the file that `Range` is wanted of."),
];

/// Parameters by the name that references use.
pub(super) struct Parameters(Map<String, Value>);

impl Parameters {
    /// The parameters that operations of these routes and types share.
    pub(super) fn new(table: &[Route], types: &[&ContentType]) -> Parameters {
        let mut shared = Map::new();
        for query in table.iter().flat_map(|it| it.query) {
            shared.entry(query.name).or_insert_with(|| plain(query));
        }
        let locales = locales(types);
        if let Some(locale) = shared.get_mut("locale").filter(|_| !locales.is_empty()) {
            locale["schema"]["enum"] = locales.into();
        }
        if let Some(ty) = types.first() {
            let of_key = |key: &&str| Some((format!("filter_{key}"), operators(ty, key)?));
            shared.extend(ENTRY_KEYS.iter().filter_map(of_key));
        }
        for (name, place, about) in ELSEWHERE {
            shared.insert(key(name, place).to_string(), elsewhere(name, place, about));
        }
        if let Some(ty) = types.first() {
            shared["collection"]["example"] = ty.name.as_str().into();
        }
        Parameters(shared)
    }

    /// The parameters of a route, for one content type or for any.
    pub(super) fn of(
        &self,
        route: &Route,
        ty: Option<&ContentType>,
        path: &str,
        profile: Profile,
    ) -> Vec<Value> {
        let params = route.params().map(|it| it.trim_start_matches('*'));
        let in_path = params.filter(|it| path.contains(&format!("{{{it}}}")));
        let mut found: Vec<Value> = in_path.map(|it| reference(key(it, "path"))).collect();
        let offered = |it: &&Query| profile == Profile::Full || it.name != "include";
        for query in route.query.iter().filter(offered) {
            match ty {
                Some(ty) => found.extend(self.typed(query, ty)),
                None => found.push(self.shared(query)),
            }
        }
        let is_file = route.gives == Gives::File;
        found.extend(is_file.then_some(["Range", "If-Range"]).into_iter().flatten().map(reference));
        found.extend(route.is_news().then(|| reference("If-None-Match")));
        found.extend(route.is_conditional().then(|| reference("If-Match")));
        found
    }

    /// The part of the document that references point to.
    pub(super) fn into_components(self) -> Map<String, Value> {
        self.0
    }

    /// A reference where there is a shared parameter like this one, else the parameter itself.
    fn shared(&self, query: &Query) -> Value {
        let own = plain(query);
        let same = |it: &Value| it["description"] == own["description"];
        if self.0.get(query.name).is_some_and(same) { reference(query.name) } else { own }
    }

    /// A parameter with the type's own fields where it takes any; none where the type has none.
    fn typed(&self, query: &Query, ty: &ContentType) -> Vec<Value> {
        match query.name {
            "filter" => self.filters(query, ty),
            "sort" => {
                let signed = |it: String| [it.clone(), format!("-{it}")];
                let keys: Vec<String> = keys(ty).into_iter().flat_map(signed).collect();
                vec![comma_list(query, json!({ "enum": keys }), SORT_KEYS_MAX)]
            }
            "include" => {
                let items = included(ty);
                items.into_iter().map(|it| comma_list(query, it, INCLUDES_MAX)).collect()
            }
            "fields" => {
                let names: Vec<&str> = ty.data_fields().map(|it| it.name.as_str()).collect();
                let items = (!names.is_empty()).then(|| json!({ "enum": names }));
                items.into_iter().map(|it| comma_list(query, it, names.len())).collect()
            }
            _ => vec![self.shared(query)],
        }
    }

    /// `filter[field]=value` as one parameter, `filter[field][operator]=value` as one a field:
    /// styles of parameters know one pair of brackets.
    fn filters(&self, query: &Query, ty: &ContentType) -> Vec<Value> {
        let keys = keys(ty);
        let value = |key: &String| {
            let comparison = FieldRef::resolve(ty, key)?.comparison(ty);
            Some((key.clone(), schemas::operand(comparison)))
        };
        let properties: Map<String, Value> = keys.iter().filter_map(value).collect();
        let mut equal = plain(query);
        equal["schema"] =
            json!({ "type": "object", "properties": properties, "additionalProperties": false });
        let mut found = vec![equal];
        found.extend(keys.iter().filter_map(|key| {
            let shared = format!("filter_{key}");
            if ENTRY_KEYS.contains(&key.as_str()) && self.0.contains_key(&shared) {
                return Some(reference(&shared));
            }
            operators(ty, key)
        }));
        found
    }
}

/// The locales of all types, each once.
fn locales<'t>(types: &[&'t ContentType]) -> Vec<&'t str> {
    let all = types.iter().flat_map(|it| &it.locales);
    let mut found: Vec<&str> = all.map(|it| it.as_str()).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// What can be included: the type's relations, and with dots what their targets relate to.
fn included(ty: &ContentType) -> Option<Value> {
    let relations = ty.data_fields().filter(|it| it.kind.relation().is_some());
    let names: Vec<&str> = relations.map(|it| it.name.as_str()).collect();
    if names.is_empty() {
        return None;
    }
    let deeper = INCLUDE_DEPTH_MAX - 1;
    let path = format!(r"^({})(\.[A-Za-z_][A-Za-z0-9_]*){{1,{deeper}}}$", names.join("|"));
    Some(json!({ "anyOf": [{ "enum": names }, { "type": "string", "pattern": path }] }))
}

fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/components/parameters/{name}") })
}

/// The name that references use: there is a category in the path and one in the query.
fn key<'n>(name: &'n str, place: &str) -> &'n str {
    if (name, place) == ("category", "path") { "category_path" } else { name }
}

/// A query parameter as the route table has it.
pub(super) fn plain(query: &Query) -> Value {
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

/// A parameter of the path or the head.
fn elsewhere(name: &str, place: &str, about: &str) -> Value {
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

/// A parameter that holds several values by comma.
fn comma_list(query: &Query, items: Value, most: usize) -> Value {
    let mut parameter = plain(query);
    parameter["style"] = "form".into();
    parameter["explode"] = false.into();
    parameter["schema"] =
        json!({ "type": "array", "items": items, "maxItems": most, "uniqueItems": true });
    parameter
}

/// `filter[key][operator]` with all operators.
fn operators(ty: &ContentType, key: &str) -> Option<Value> {
    let comparison = FieldRef::resolve(ty, key)?.comparison(ty);
    Some(json!({
        "name": format!("filter[{key}]"), "in": "query", "style": "deepObject", "explode": true,
        "description": format!("Filters on `{key}` with operators: `filter[{key}][operator]=value`."),
        "schema": { "$ref": schemas::path(schemas::filter_name(comparison)) },
    }))
}

/// What entries of the type are filtered and sorted by, with dots into objects.
fn keys(ty: &ContentType) -> Vec<String> {
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
