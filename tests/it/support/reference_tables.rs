//! Tables in documents that repeat what the code declares. Each stands between two comments:
//! `<!-- table: NAME -->` and `<!-- end of table -->`.

use recto::app::error::Code;
use recto::cli::config::ConfigSetting;
use recto::cli::config::settings;
use recto::http::openapi::schemas::ANSWERS;
use recto::http::request::error::status_of;
use recto::http::request::route::BodyKind;
use recto::http::request::route::JsonInputKind;
use recto::http::request::route::QueryKind;
use recto::http::request::route::ReplyKind;
use recto::http::request::route::Route;
use recto::model::grant::Action;
use recto::query::request::filter::Operator;
use schemars::generate::SchemaSettings;
use serde_json::Map;
use serde_json::Value;

const BEGIN: &str = "<!-- table: ";
const END: &str = "<!-- end of table -->";

/// The most values that a cell lists.
const LISTED_VALUES_MAX: usize = 10;

/// What the tables are made from.
pub(crate) struct TableSources {
    routes: Vec<Route>,
    /// The OpenAPI documents of both APIs.
    documents: Vec<Value>,
    /// Schemas that require the members which are optional in the documents.
    declared: Map<String, Value>,
}

impl TableSources {
    pub(crate) fn new(routes: Vec<Route>, documents: Vec<Value>) -> TableSources {
        let declared = derive_declared(&routes);
        TableSources { routes, documents, declared }
    }

    /// Returns the text with every table made anew.
    pub(crate) fn refresh_tables(&self, text: &str) -> String {
        let mut fresh = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once(BEGIN) {
            let (name, after) = after.split_once(" -->\n").expect("a marker ends its line");
            let (_, after) = after.split_once(END).expect("a table has an end");
            let table = self.render_table(name);
            fresh += &format!("{before}{BEGIN}{name} -->\n\n{table}\n{END}");
            rest = after;
        }
        fresh + rest
    }

    /// Renders the table of this name, such as `members MediaItem`. A colon after it begins the
    /// order of members that no type declares.
    fn render_table(&self, name: &str) -> String {
        let rest = |kind: &str| name.strip_prefix(kind).map(str::trim);
        match name {
            "error codes" => render_codes(),
            "filter operators" => render_operators(),
            "actions" => render_actions(),
            "settings" => render_settings(),
            _ => {
                let found = rest("members ").map(|it| self.render_members(it));
                let found = found.or_else(|| rest("parameters ").map(|it| self.render_params(it)));
                let found = found.or_else(|| rest("routes ").map(|it| self.render_routes(it)));
                found.unwrap_or_else(|| panic!("there is no table `{name}`"))
            }
        }
    }

    /// Renders the members of a schema in the order in which its type declares them; `Error.error`
    /// is the schema of a member. Those of answers that may be absent, and those of bodies that may
    /// be left out, have a question mark.
    fn render_members(&self, which: &str) -> String {
        let (path, order) = which.split_once(": ").unwrap_or((which, ""));
        let (name, member) = path.split_once('.').unwrap_or((path, ""));
        let (mut schema, mut declared) = (self.find_schema(name), self.declared.get(name));
        if !member.is_empty() {
            schema = &schema["properties"][member];
            declared = declared.map(|it| &it["properties"][member]);
        }
        let mut members = Map::new();
        let mut required = Vec::new();
        self.collect_members(schema, &mut members, &mut required);
        let order: Vec<&str> = match declared {
            Some(declared) if order.is_empty() => merge_names(&required, required_names(declared)),
            _ => order.split(' ').filter(|it| !it.is_empty()).collect(),
        };
        let strange: Vec<_> = order.iter().filter(|it| !members.contains_key(**it)).collect();
        assert!(declared.is_some() || strange.is_empty(), "{path} has no {strange:?}");
        // Members that are not in the order follow by name.
        let mut names: Vec<&String> = members.keys().collect();
        let place = |name: &str| order.iter().position(|it| *it == name);
        names.sort_by_key(|it| place(it).unwrap_or(order.len()));
        let rows = names.into_iter().map(|name| {
            let mark = if required.contains(name) { "" } else { "?" };
            let about = members[name]["description"].as_str().unwrap_or_default();
            assert!(!about.is_empty(), "{path}.{name} has no description");
            vec![format!("`{name}{mark}`"), describe_value(&members[name]), about.to_string()]
        });
        render_rows(&["Member", "Value", "Meaning"], rows)
    }

    fn find_schema(&self, name: &str) -> &Value {
        let all = self.documents.iter().map(|it| &it["components"]["schemas"][name]);
        all.into_iter().find(|it| it.is_object()).unwrap_or_else(|| panic!("no schema `{name}`"))
    }

    /// Collects the members of a schema, with those of the schemas that it is put together from.
    fn collect_members(
        &self,
        schema: &Value,
        members: &mut Map<String, Value>,
        required: &mut Vec<String>,
    ) {
        for part in schema["allOf"].as_array().into_iter().flatten() {
            let named = part["$ref"].as_str().and_then(|it| it.rsplit('/').next());
            let part = named.map_or(part, |it| self.find_schema(it));
            self.collect_members(part, members, required);
        }
        let own = schema["properties"].as_object().into_iter().flatten();
        members.extend(own.map(|(name, it)| (name.clone(), it.clone())));
        required.extend(required_names(schema).into_iter().map(String::from));
    }

    /// Renders the query parameters of a route.
    fn render_params(&self, route: &str) -> String {
        let route = self.routes.iter().find(|it| it.name == route);
        let route = route.unwrap_or_else(|| panic!("there is no route {route:?}"));
        let rows = route.query.iter().map(|it| {
            let value = match it.kind {
                QueryKind::Count(least) => format!("a whole number from {least}"),
                QueryKind::Text => "text".to_string(),
                QueryKind::OneOf(values) => list_values(values.iter().copied()),
                QueryKind::Flag => "`1`".to_string(),
                QueryKind::Filter => "see [filters](#filters)".to_string(),
            };
            vec![format!("`{}`", it.name), value, it.about.to_string()]
        });
        render_rows(&["Parameter", "Value", "Meaning"], rows)
    }

    /// Renders the routes of these groups, as `media categories`.
    fn render_routes(&self, groups: &str) -> String {
        let groups: Vec<&str> = groups.split(' ').collect();
        let is_named = |it: &&Route| {
            groups.iter().any(|group| it.name.rsplit_once('.').is_some_and(|(of, _)| of == *group))
        };
        let rows = self.routes.iter().filter(is_named).map(|it| {
            let action = it
                .required_action()
                .map(|(action, on)| format!("`{action}` on `{}`", on.resource_template()));
            let needed = match action {
                Some(action) if it.is_mutation() || it.is_admin() => action,
                Some(action) => format!("none without a token; {action} with one"),
                None => "none".to_string(),
            };
            vec![format!("`{} {}`", it.method, it.path), needed, it.summary.to_string()]
        });
        render_rows(&["Route", "Permission", "Effect"], rows)
    }
}

/// Derives the schemas of all types as if bodies were written and answers were read. Members that
/// are optional in the documents are required then, and lists of required members have the order of
/// the type, while the members themselves are sorted by name.
fn derive_declared(routes: &[Route]) -> Map<String, Value> {
    let settings = SchemaSettings::draft2020_12();
    let mut inputs = settings.clone().for_serialize().into_generator();
    let mut replies = settings.for_deserialize().into_generator();
    ANSWERS.iter().for_each(|it| it.define_in(&mut replies));
    for route in routes {
        if let BodyKind::Json { takes: JsonInputKind::Of(input), .. } = route.body {
            input.define_in(&mut inputs);
        }
        if let ReplyKind::Of(reply) | ReplyKind::ListOf(reply) = route.gives {
            reply.define_in(&mut replies);
        }
    }
    let mut found = inputs.take_definitions(true);
    found.extend(replies.take_definitions(true));
    found
}

/// Adds to some of the names, in their order, others of the same type, each after its predecessor.
fn merge_names<'n>(some: &'n [String], others: Vec<&'n str>) -> Vec<&'n str> {
    let mut merged: Vec<&str> = some.iter().map(String::as_str).collect();
    let mut place = 0;
    for name in others {
        place = merged.iter().position(|it| *it == name).unwrap_or_else(|| {
            merged.insert(place, name);
            place
        }) + 1;
    }
    merged
}

fn required_names(schema: &Value) -> Vec<&str> {
    schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

fn render_codes() -> String {
    let rows = Code::ALL.iter().map(|it| {
        let about = it.description();
        let about = match about.split_at(1) {
            (first, rest) if it.is_admin_only() => {
                format!("Admin API: {}{rest}", first.to_ascii_lowercase())
            }
            _ => about.to_string(),
        };
        vec![format!("`{}`", it.as_str()), status_of(*it).as_u16().to_string(), about]
    });
    let mut rows: Vec<Vec<String>> = rows.collect();
    rows.sort_by(|a, b| a[1].cmp(&b[1]));
    render_rows(&["Code", "Status", "When"], rows.into_iter())
}

fn render_operators() -> String {
    let rows = Operator::ALL
        .iter()
        .map(|(name, it)| vec![format!("`{name}`"), it.description().to_string()]);
    render_rows(&["Operator", "Matches if"], rows)
}

fn render_actions() -> String {
    let area = |it: Action| it.as_str().split('.').next().unwrap_or_default().to_string();
    let mut rows: Vec<Vec<String>> = Vec::new();
    for action in Action::ALL {
        let (area, name) = (format!("`{}`", area(action)), format!("`{}`", action.as_str()));
        match rows.last_mut().filter(|it| it[0] == area) {
            Some(row) => row[1] += &format!(" {name}"),
            None => rows.push(vec![area, name]),
        }
    }
    render_rows(&["Area", "Actions"], rows.into_iter())
}

fn render_settings() -> String {
    let rows = settings().map(|it| {
        let ticked = |text: &str| format!("`{text}`");
        let flag = ticked(&format!("--{}", it.flag()));
        let in_interface = if it.is_editable() { "yes" } else { "" }.to_string();
        let about = it.about().to_string();
        let default = describe_default(it);
        vec![ticked(it.key()), flag, ticked(&it.env_name()), default, in_interface, about]
    });
    render_rows(&["Key", "Flag", "Environment", "Default", "Interface", "Meaning"], rows)
}

fn describe_default(setting: ConfigSetting) -> String {
    match (setting.key(), setting.default_value()) {
        // These depend on other settings, or on the machine.
        ("base_url", _) => "see below".to_string(),
        ("workers", _) => "number of cores".to_string(),
        ("connections_max", _) => "4096, or half of the files that may be open".to_string(),
        (_, Value::String(text)) if text.is_empty() => "none".to_string(),
        (_, Value::String(text)) => format!("`{text}`"),
        (_, Value::Array(items)) if items.is_empty() => "empty".to_string(),
        (_, Value::Array(items)) => list_values(items.iter().filter_map(Value::as_str)),
        (_, other) => format!("`{other}`"),
    }
}

fn render_rows(head: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let head: Vec<String> = head.iter().map(ToString::to_string).collect();
    let rule = format!("|{}\n", "---|".repeat(head.len()));
    let rows = rows.map(|it| line(&it.iter().map(|it| it.replace('|', "\\|")).collect::<Vec<_>>()));
    line(&head) + &rule + &rows.collect::<String>()
}

/// Describes the values that a schema allows, in a few words.
fn describe_value(schema: &Value) -> String {
    if let Some(name) = schema["$ref"].as_str() {
        return format!("`{}`", name.rsplit('/').next().unwrap_or_default());
    }
    let values = schema["enum"].as_array();
    if let Some(values) = values.filter(|it| it.len() <= LISTED_VALUES_MAX) {
        return list_values(values.iter().map(|it| it.as_str().unwrap_or("null")));
    }
    if !schema["const"].is_null() {
        return format!("`{}`", schema["const"]);
    }
    if let Some(choices) = schema["anyOf"].as_array() {
        let each: Vec<String> = choices.iter().map(describe_value).collect();
        return each.join(" or ");
    }
    let mut types = match &schema["type"] {
        Value::Array(types) => types.iter().filter_map(Value::as_str).collect(),
        one => one.as_str().into_iter().collect::<Vec<_>>(),
    };
    types.sort_by_key(|it| (*it == "null", *it == "array"));
    let each: Vec<String> = types.into_iter().map(|it| describe_type(it, schema)).collect();
    each.join(" or ")
}

fn describe_type(kind: &str, schema: &Value) -> String {
    let format = schema["format"].as_str().unwrap_or_default();
    match (kind, format) {
        ("string", "date-time") => "time".to_string(),
        ("string", "uri") => "URL".to_string(),
        ("string", "binary") => "file".to_string(),
        ("string", _) => "text".to_string(),
        ("integer", _) => "whole number".to_string(),
        ("boolean", _) => "`true` or `false`".to_string(),
        ("null", _) => "`null`".to_string(),
        ("array", _) => format!("list of {}", describe_value(&schema["items"])),
        ("object", _) => match schema["properties"].as_object() {
            Some(members) => {
                format!("object ({})", list_values(names_in_order(schema, members)))
            }
            None => "object".to_string(),
        },
        (other, _) => other.to_string(),
    }
}

/// Returns the names of members: first those that are required, in their order.
fn names_in_order<'s>(
    schema: &'s Value,
    members: &'s Map<String, Value>,
) -> impl Iterator<Item = &'s str> {
    let required = required_names(schema);
    let others: Vec<&str> =
        members.keys().map(String::as_str).filter(|it| !required.contains(it)).collect();
    required.into_iter().chain(others)
}

fn list_values<'v>(values: impl Iterator<Item = &'v str>) -> String {
    values.map(|it| format!("`{it}`")).collect::<Vec<_>>().join(" ")
}
