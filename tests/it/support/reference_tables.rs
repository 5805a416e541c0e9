//! Tables in documents that repeat what the code declares. Each stands between two comments:
//! `<!-- table: NAME -->` and `<!-- end of table -->`.

use recto::app::error::Code;
use recto::cli::config::ConfigSetting;
use recto::cli::config::settings;
use recto::http::openapi::ANSWERS;
use recto::http::request::error::status_of;
use recto::http::request::route::Access;
use recto::http::request::route::BodyKind;
use recto::http::request::route::JsonInputKind;
use recto::http::request::route::QueryKind;
use recto::http::request::route::ReplyKind;
use recto::http::request::route::Route;
use recto::model::field::KINDS;
use recto::model::grant::Action;
use recto::model::problem::ProblemKind;
use recto::query::request::filter::Operator;
use schemars::generate::SchemaSettings;
use serde_json::Map;
use serde_json::Value;

const BEGIN: &str = "<!-- table: ";
const END: &str = "<!-- end of table -->";

/// The parameter of nearly every route.
const PRETTY: &str = "pretty";

/// The most values that a cell lists.
const LISTED_VALUES_MAX: usize = 10;

/// A schema with members, and the one of [`TableSources::declared`] for the same type.
#[derive(Clone, Copy)]
struct MemberNode<'s> {
    schema: &'s Value,
    declared: &'s Value,
}

impl<'s> MemberNode<'s> {
    /// The schema of a member.
    fn enter(self, name: &str) -> MemberNode<'s> {
        let member = |it: &'s Value| &it["properties"][name];
        MemberNode { schema: member(self.schema), declared: member(self.declared) }
    }
}

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
            "field kinds" => render_kinds(),
            "field settings" => render_kind_settings(),
            "problem kinds" => render_problems(),
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
        let mut node = MemberNode { schema: self.find_schema(name), declared: &Value::Null };
        node.declared = self.declared.get(name).unwrap_or(&Value::Null);
        if !member.is_empty() {
            node = node.enter(member);
        }
        let order: Vec<&str> = order.split(' ').filter(|it| !it.is_empty()).collect();
        let mut rows = Vec::new();
        self.add_members(node, &order, "", &mut rows);
        render_rows(&["Member", "Value", "Meaning"], rows.into_iter())
    }

    /// Adds a row for each member, and after it those of the members of an object without a name.
    fn add_members(
        &self,
        node: MemberNode<'_>,
        order: &[&str],
        prefix: &str,
        rows: &mut Vec<Vec<String>>,
    ) {
        let mut members = Map::new();
        let mut required = Vec::new();
        self.collect_members(node.schema, &mut members, &mut required);
        let strange: Vec<_> = order.iter().filter(|it| !members.contains_key(**it)).collect();
        assert!(strange.is_empty(), "there are no members {strange:?}");
        let declared = merge_names(&required, required_names(node.declared));
        let order = if order.is_empty() { &declared } else { order };
        // Members that are not in the order follow by name.
        let mut names: Vec<&String> = members.keys().collect();
        let place = |name: &str| order.iter().position(|it| *it == name);
        names.sort_by_key(|it| place(it).unwrap_or(order.len()));
        for name in names {
            let member = &members[name];
            let mark = if required.contains(name) { "" } else { "?" };
            let about = member["description"].as_str().unwrap_or_default();
            assert!(!about.is_empty(), "{prefix}{name} has no description");
            let shown = format!("`{prefix}{name}{mark}`");
            rows.push(vec![shown, describe_value(member), about.to_string()]);
            let inner = MemberNode { schema: member, declared: node.enter(name).declared };
            let of_items =
                MemberNode { schema: &member["items"], declared: &inner.declared["items"] };
            for (inner, joint) in [(inner, "."), (of_items, "[].")] {
                let described = inner.schema["properties"].as_object();
                if described.is_some_and(|it| it.values().any(|it| it["description"].is_string())) {
                    self.add_members(inner, &[], &format!("{prefix}{name}{joint}"), rows);
                }
            }
        }
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
                None if matches!(it.access, Access::Session { .. }) => "a session".to_string(),
                None => "none".to_string(),
            };
            let operation = self.find_operation(it);
            let (input, answer) = (describe_input(it, operation), describe_answer(operation));
            let route = format!("`{} {}`", it.method, it.path);
            vec![route, needed, input, answer, it.summary.to_string()]
        });
        render_rows(&["Route", "Permission", "Input", "Answer", "Effect"], rows)
    }

    /// Returns the operation of a route in one of the documents.
    fn find_operation(&self, route: &Route) -> &Value {
        let paths = self.documents.iter().filter_map(|it| it["paths"].as_object());
        let mut operations = paths.flat_map(Map::values).filter_map(Value::as_object).flatten();
        let found = operations.find(|(_, it)| it["operationId"] == route.name);
        found.unwrap_or_else(|| panic!("no document has {}", route.name)).1
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

/// Adds to some of the names, in their order, others of the same type, each before its successor.
fn merge_names<'n>(some: &'n [String], others: Vec<&'n str>) -> Vec<&'n str> {
    let mut merged: Vec<&str> = some.iter().map(String::as_str).collect();
    let mut place = merged.len();
    for name in others.into_iter().rev() {
        place = merged.iter().position(|it| *it == name).unwrap_or_else(|| {
            merged.insert(place, name);
            place
        });
    }
    merged
}

fn required_names(schema: &Value) -> Vec<&str> {
    schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

/// Describes the input of an operation: its parameters, except that every route has `pretty`, and
/// its body.
fn describe_input(route: &Route, operation: &Value) -> String {
    let names = route.query.iter().map(|it| it.name).filter(|it| *it != PRETTY);
    let (names, body) = (list_values(names), describe_body(operation));
    [names, body].into_iter().filter(|it| !it.is_empty()).collect::<Vec<_>>().join("; ")
}

/// Describes the body of an operation: its schema, or the field of a form.
fn describe_body(operation: &Value) -> String {
    let body = &operation["requestBody"];
    let Some(content) = body["content"].as_object() else {
        return body["$ref"].as_str().map_or_else(String::new, name_reference);
    };
    let schemas = content.values().map(|it| &it["schema"]);
    let each = schemas.map(|it| match it["properties"].as_object() {
        Some(fields) => format!("form with {}", list_values(fields.keys().map(String::as_str))),
        None => describe_value(it),
    });
    each.collect()
}

/// Describes the `data` of the successful answer of an operation.
fn describe_answer(operation: &Value) -> String {
    let responses = &operation["responses"];
    let (mark, success) = match &responses["201"] {
        Value::Null => ("", &responses["200"]),
        created => ("201 ", created),
    };
    let content = success["content"].as_object();
    let (kind, content) = content.and_then(|it| it.iter().next()).expect("an answer has content");
    let data = &content["schema"]["properties"]["data"];
    match kind.as_str() {
        "application/json" if data.is_null() => "document".to_string(),
        "application/json" => format!("{mark}{}", describe_value(data)),
        "image/jpeg" | "image/png" => "picture".to_string(),
        "text/event-stream" => "stream".to_string(),
        "application/x-ndjson" => "lines".to_string(),
        _ => "file".to_string(),
    }
}

fn name_reference(reference: &str) -> String {
    format!("`{}`", reference.rsplit('/').next().unwrap_or_default())
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

fn render_kinds() -> String {
    let rows = KINDS.iter().map(|it| {
        let settings = (it.settings)();
        let keys = settings.as_object().into_iter().flat_map(Map::keys).map(String::as_str);
        vec![format!("`{}`", it.name), list_values(keys), it.about.to_string()]
    });
    render_rows(&["`type`", "Own keys", "Meaning"], rows)
}

/// Renders the keys of definitions that belong to kinds of fields. Kinds for which a key means the
/// same share a row.
fn render_kind_settings() -> String {
    let mut rows: Vec<Vec<String>> = Vec::new();
    for kind in KINDS {
        let settings = (kind.settings)();
        for (key, schema) in settings.as_object().into_iter().flatten() {
            let about = schema["description"].as_str().unwrap_or("The fields, by name.");
            let default = match &schema["default"] {
                Value::Null => String::new(),
                Value::String(text) => format!("`{text}`"),
                other => format!("`{other}`"),
            };
            // The schema of definitions names these parts; readers know them from the text.
            let value = describe_value(schema)
                .replace("`definition`", "definitions")
                .replace("`fields`", "object of definitions");
            let row = [format!("`{key}`"), value, default, about.to_string()];
            let kind = format!("`{}`", kind.name);
            match rows.iter_mut().find(|it| it[1..] == row) {
                Some(known) => known[0] += &format!(" {kind}"),
                None => rows.push([vec![kind], row.to_vec()].concat()),
            }
        }
    }
    render_rows(&["Kinds", "Key", "Value", "Default", "Meaning"], rows.into_iter())
}

fn render_problems() -> String {
    let rows = ProblemKind::ALL.iter().map(|it| {
        let (about, served) = (it.description(), it.served());
        vec![format!("`{}`", it.as_str()), about.to_string(), served.to_string()]
    });
    render_rows(&["Kind", "Meaning", "What is served"], rows)
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
        return name_reference(name);
    }
    let values = schema["enum"].as_array();
    if let Some(values) = values.filter(|it| it.len() <= LISTED_VALUES_MAX) {
        return list_values(values.iter().map(|it| it.as_str().unwrap_or("null")));
    }
    if !schema["const"].is_null() {
        return format!("`{}`", schema["const"]);
    }
    if let Some(choices) = schema["anyOf"].as_array() {
        let mut each: Vec<String> = Vec::new();
        for choice in choices.iter().map(describe_value) {
            if !each.contains(&choice) {
                each.push(choice);
            }
        }
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
        (other, _) => other.to_string(),
    }
}

fn list_values<'v>(values: impl Iterator<Item = &'v str>) -> String {
    values.map(|it| format!("`{it}`")).collect::<Vec<_>>().join(" ")
}
