//! Parsing of grants from JSON and from the command line. Unknown parts are rejected, never
//! dropped: ignoring a condition would widen a grant, and ignoring a denial would grant access.

use std::borrow::Cow;

use schemars::JsonSchema;
use schemars::Schema;
use schemars::SchemaGenerator;
use schemars::json_schema;
use serde_json::json;

use crate::model::entry::EntryStatus;
use crate::model::grant::action::Action;
use crate::model::grant::action::ActionPattern;
use crate::model::grant::action::ActionSet;
use crate::model::grant::effect::Effect;
use crate::model::grant::glob::Glob;
use crate::model::grant::grants::Conditions;
use crate::model::grant::grants::FieldPattern;
use crate::model::grant::grants::Grant;
use crate::model::grant::grants::describe_members;
use crate::model::grant::resource::ResourcePattern;
use crate::model::input::ObjectReader;
use crate::model::input::wording;
use crate::model::name::LocaleCode;
use crate::model::name::WorkspaceSlug;
use crate::model::problem::FieldProblems;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

/// The maximum number of grants of a role or token.
pub const GRANTS_MAX: usize = 200;

/// The maximum size of all grants of a role or token as JSON, in bytes.
pub(super) const GRANTS_BYTES_MAX: usize = 32 * 1024;

/// The form of a grant in requests, for the schemas of bodies. [`Grant`] is parsed from it.
pub struct GrantInput;

impl JsonSchema for GrantInput {
    fn schema_name() -> Cow<'static, str> {
        "GrantInput".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let texts = json!({ "type": ["array", "string"], "items": { "type": "string" } });
        json_schema!({
            "type": "object",
            "description": "A list may be a single string under the singular name. Unknown keys \
                            and values are refused. `effect` is `allow` by default.",
            "properties": describe_members(&texts),
        })
    }
}

impl Grant {
    /// Parses `{effect?, actions, resources, fields?, conditions?}`. A list may be given as a
    /// single text, and its key may be in the singular.
    pub fn parse(json: &Json) -> Result<Grant, FieldProblems> {
        let mut input = ObjectReader::from_json(json)?;
        let grant = read_grant(&mut input);
        input.into_result(grant)
    }

    /// Parses a list of grants and reports the problems of all of them.
    pub fn parse_list(json: &Json) -> Result<Vec<Grant>, FieldProblems> {
        let wrong = || FieldProblems::from_problem("", wording::wrong_type(wording::LIST, json));
        let (mut grants, mut problems) = (Vec::new(), FieldProblems::new());
        for (index, item) in json.as_array().ok_or_else(wrong)?.iter().enumerate() {
            match Grant::parse(item) {
                Ok(grant) => grants.push(grant),
                Err(found) => problems.extend(found.with_prefix(&format!("[{index}]"))),
            }
        }
        problems.into_result(grants)
    }

    /// Reads the grants of a new role or token, which has so many at most. Returns `None` if none
    /// are given or one of them has a problem.
    pub fn read_list(input: &mut ObjectReader<'_>, key: &str) -> Option<Vec<Grant>> {
        let json = input.member(key)?;
        if json.as_array().is_some_and(|it| it.len() > GRANTS_MAX) {
            input.add_problem(key, wording::too_many(GRANTS_MAX, "grants"));
            return None;
        }
        let fits = input.check_size(key, json, GRANTS_BYTES_MAX);
        fits.then(|| input.accept_nested(key, Grant::parse_list(json))).flatten()
    }

    /// Reads the grants of a file. There are none if one of them has a problem.
    pub fn read_stored_list(file: &mut ObjectReader<'_>, key: &str) -> Vec<Grant> {
        let grants = file.member(key).map(Grant::parse_list);
        grants.and_then(|it| file.accept_nested(key, it)).unwrap_or_default()
    }

    /// Parses `actions@resources[@workspace]`, with lists separated by commas: the short form of an
    /// allowing grant on the command line.
    pub fn parse_line(line: &str) -> Result<Grant, FieldProblems> {
        let Some((actions, rest)) = line.split_once('@') else {
            let sentence = "Write a grant as actions@resources, like content.read@content:*.";
            return Err(FieldProblems::from_problem("", sentence));
        };
        let workspace = |text: &str| text == "*" || WorkspaceSlug::parse(text).is_ok();
        // A filename may contain an @ as well; the text after it is then not a slug.
        let (resources, prefix) = match rest.rsplit_once('@') {
            Some((resources, slug)) if workspace(slug) => (resources, format!("workspace:{slug}:")),
            _ => (rest, String::new()),
        };
        let list = |text: &str, prefix: &str| {
            let items = text.split(',').map(|item| Json::from(format!("{prefix}{}", item.trim())));
            Json::Array(items.collect())
        };
        let mut object = Map::new();
        object.push("actions", list(actions, ""));
        object.push("resources", list(resources, &prefix));
        Grant::parse(&Json::Object(object))
    }
}

fn read_grant(input: &mut ObjectReader<'_>) -> Grant {
    refuse_unknown_keys(input);
    let effect = read_effect(input);
    let actions = read_actions(input);
    let action_set =
        actions.iter().map(ActionPattern::action_set).fold(ActionSet::default(), |a, b| a.union(b));
    let resources = read_resources(input);
    check_read_only(input, action_set, &resources);
    let (fields, conditions) = (read_fields(input), read_conditions(input));
    Grant { effect, actions, action_set, resources, fields, conditions }
}

fn refuse_unknown_keys(input: &mut ObjectReader<'_>) {
    const KNOWN: &[&str] = &[
        "effect",
        "actions",
        "action",
        "resources",
        "resource",
        "fields",
        "conditions",
        "condition",
    ];
    input.refuse_unknown_keys(KNOWN, "A grant has no such key.");
    for (one, several) in
        [("action", "actions"), ("resource", "resources"), ("condition", "conditions")]
    {
        if input.contains(one) && input.contains(several) {
            input.add_problem(one, format!("Write either {one} or {several}."));
        }
    }
}

fn read_effect(input: &mut ObjectReader<'_>) -> Effect {
    match input.member("effect").map(Json::as_str) {
        None | Some(Some("allow")) => Effect::Allow,
        Some(Some("deny")) => Effect::Deny,
        Some(_) => {
            input.add_problem("effect", wording::not_one_of(["allow", "deny"]));
            Effect::Deny
        }
    }
}

fn read_actions(input: &mut ObjectReader<'_>) -> Vec<ActionPattern> {
    let Some((key, value)) = get_either(input, "actions", "action") else { return Vec::new() };
    read_texts(input, key, value, |text| {
        ActionPattern::parse(text).ok_or_else(|| wording::unknown("action", text))
    })
}

fn read_resources(input: &mut ObjectReader<'_>) -> Vec<ResourcePattern> {
    let Some((key, value)) = get_either(input, "resources", "resource") else { return Vec::new() };
    read_texts(input, key, value, |text| ResourcePattern::parse(text).map_err(str::to_owned))
}

/// Rejects other actions for `content:<type>:read`, which stands for reading only.
fn check_read_only(
    input: &mut ObjectReader<'_>,
    actions: ActionSet,
    resources: &[ResourcePattern],
) {
    let form = resources.iter().position(ResourcePattern::is_read_only);
    if form.is_some() && actions != ActionSet::from_action(Action::ContentRead) {
        let sentence = "A resource that ends in :read goes with the action content.read alone.";
        let key = if input.contains("action") { "action" } else { "actions" };
        input.add_problem(key, sentence);
    }
}

fn read_fields(input: &mut ObjectReader<'_>) -> Option<Vec<FieldPattern>> {
    let value = input.value("fields")?;
    Some(read_texts(input, "fields", value, |text| {
        let fits = !text.is_empty() && !text.contains(char::is_whitespace);
        let field = || FieldPattern { text: text.into(), glob: Glob::from_segment(text) };
        fits.then(field).ok_or_else(|| "This is not the name of a field.".to_owned())
    }))
}

fn read_conditions(input: &mut ObjectReader<'_>) -> Conditions {
    let key = if input.contains("conditions") { "conditions" } else { "condition" };
    let Some(value) = input.value(key) else { return Conditions::default() };
    input.parse_nested(key, value, read_condition_values).unwrap_or_default()
}

fn read_condition_values(input: &mut ObjectReader<'_>) -> Conditions {
    const KNOWN: &[&str] = &["own", "status", "locales"];
    input.refuse_unknown_keys(KNOWN, "There is no such condition.");
    input.refuse_null(&["own"]);
    let own = input.flag("own").unwrap_or_default();
    let status = input.member("status").map(|value| {
        read_texts(input, "status", value, |text| {
            EntryStatus::parse(text).ok_or_else(|| wording::unknown("status", text))
        })
    });
    let locales =
        input.member("locales").map(|value| read_texts(input, "locales", value, LocaleCode::parse));
    let (status, locales) = (status.unwrap_or_default(), locales.unwrap_or_default());
    Conditions { own, status, locales }
}

/// Returns the value under one of two keys. The first is the preferred one, which is used in
/// messages.
fn get_either<'a>(
    input: &mut ObjectReader<'a>,
    proper: &'static str,
    other: &'static str,
) -> Option<(&'static str, &'a Json)> {
    let named = |key| input.member(key).map(|value| (key, value));
    let found = named(proper).or_else(|| named(other));
    if found.is_none() {
        input.add_problem(proper, wording::REQUIRED);
    }
    found
}

/// Reads a list of texts, or a single text. An empty list is rejected.
fn read_texts<'a, T, E: ToString>(
    input: &mut ObjectReader<'a>,
    key: &str,
    value: &'a Json,
    parse: impl Fn(&'a str) -> Result<T, E>,
) -> Vec<T> {
    let Some(items) = value.as_array() else {
        let text = value.as_str();
        if text.is_none() {
            input.add_wrong_type(key, wording::STRINGS, value);
        }
        return text.and_then(|it| input.accept(key, parse(it))).into_iter().collect();
    };
    if items.is_empty() {
        input.add_problem(key, wording::REQUIRED);
    }
    input.parse_items(key, items, parse).into_iter().map(|(_, item)| item).collect()
}
