//! Parsing of grants from JSON and from the command line. Unknown parts are rejected, never
//! dropped: ignoring a condition would widen a grant, and ignoring a denial would grant access.

use crate::model::entry::EntryStatus;
use crate::model::grant::action::Action;
use crate::model::grant::action::ActionPattern;
use crate::model::grant::action::ActionSet;
use crate::model::grant::glob::Glob;
use crate::model::grant::grants::Conditions;
use crate::model::grant::grants::Effect;
use crate::model::grant::grants::FieldPattern;
use crate::model::grant::grants::Grant;
use crate::model::grant::resource::ResourcePattern;
use crate::model::name::LocaleCode;
use crate::model::name::WorkspaceSlug;
use crate::model::problem::FieldProblems;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

/// The maximum number of grants of a role or token.
pub const GRANTS_MAX: usize = 200;

/// The maximum size of all grants of a role or token as JSON, in bytes.
pub const GRANTS_BYTES_MAX: usize = 32 * 1024;

/// Returns an error message if there are more grants than a role or token can have.
pub fn find_grants_defect(grants: &Json) -> Option<String> {
    let mut written = Vec::new();
    grants.write_compact(&mut written);
    let many = grants.as_array().map_or(0, <[_]>::len) > GRANTS_MAX;
    (many || written.len() > GRANTS_BYTES_MAX).then(|| {
        format!(
            "These are too many: {GRANTS_MAX} grants of {} KiB altogether are the most.",
            GRANTS_BYTES_MAX / 1024
        )
    })
}

impl Grant {
    /// Parses `{effect?, actions, resources, fields?, conditions?}`. A list may be given as a
    /// single text, and its key may be in the singular.
    pub fn parse(json: &Json) -> Result<Grant, FieldProblems> {
        let Some(object) = json.as_object() else {
            return Err(FieldProblems::from_problem("", "A grant is an object."));
        };
        let mut reader = GrantParser { object, problems: FieldProblems::new() };
        let grant = reader.parse_grant();
        reader.problems.into_result(grant)
    }

    /// Parses a list of grants and reports the problems of all of them.
    pub fn parse_list(json: &Json) -> Result<Vec<Grant>, FieldProblems> {
        let Some(items) = json.as_array() else {
            return Err(FieldProblems::from_problem("", "Grants come as a list."));
        };
        let (mut grants, mut problems) = (Vec::with_capacity(items.len()), FieldProblems::new());
        for (index, item) in items.iter().enumerate() {
            match Grant::parse(item) {
                Ok(grant) => grants.push(grant),
                Err(found) => problems.extend(found.with_prefix(&format!("[{index}]"))),
            }
        }
        problems.into_result(grants)
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

/// A parser of one grant that collects its problems.
struct GrantParser<'a> {
    object: &'a Map,
    problems: FieldProblems,
}

impl<'a> GrantParser<'a> {
    fn parse_grant(&mut self) -> Grant {
        self.refuse_unknown_keys();
        let effect = self.parse_effect();
        let actions = self.parse_actions();
        let action_set = actions
            .iter()
            .map(ActionPattern::action_set)
            .fold(ActionSet::default(), |a, b| a.union(b));
        let resources = self.parse_resources();
        self.check_read_only(action_set, &resources);
        let (fields, conditions) = (self.parse_fields(), self.parse_conditions());
        Grant { effect, actions, action_set, resources, fields, conditions }
    }

    fn refuse_unknown_keys(&mut self) {
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
        for (key, _) in self.object.iter().filter(|(key, _)| !KNOWN.contains(key)) {
            self.problems.add(key, "A grant has no such key.");
        }
        for (one, several) in
            [("action", "actions"), ("resource", "resources"), ("condition", "conditions")]
        {
            if self.object.contains(one) && self.object.contains(several) {
                self.problems.add(one, format!("Write either {one} or {several}."));
            }
        }
    }

    fn parse_effect(&mut self) -> Effect {
        match self.object.get("effect").map(Json::as_str) {
            None | Some(Some("allow")) => Effect::Allow,
            Some(Some("deny")) => Effect::Deny,
            Some(_) => {
                self.problems.add("effect", "The effect of a grant is allow or deny.");
                Effect::Deny
            }
        }
    }

    fn parse_actions(&mut self) -> Vec<ActionPattern> {
        let Some((key, value)) = self.get_either("actions", "action") else { return Vec::new() };
        self.parse_texts(key, value, |text| {
            ActionPattern::parse(text).ok_or_else(|| format!("There is no action {text:?}."))
        })
    }

    fn parse_resources(&mut self) -> Vec<ResourcePattern> {
        let Some((key, value)) = self.get_either("resources", "resource") else {
            return Vec::new();
        };
        self.parse_texts(key, value, |text| ResourcePattern::parse(text).map_err(str::to_owned))
    }

    /// Rejects other actions for `content:<type>:read`, which stands for reading only.
    fn check_read_only(&mut self, actions: ActionSet, resources: &[ResourcePattern]) {
        let form = resources.iter().position(ResourcePattern::is_read_only);
        if form.is_some() && actions != ActionSet::from_action(Action::ContentRead) {
            let sentence = "A resource that ends in :read goes with the action content.read alone.";
            let key = if self.object.contains("action") { "action" } else { "actions" };
            self.problems.add(key, sentence);
        }
    }

    fn parse_fields(&mut self) -> Option<Vec<FieldPattern>> {
        let value = self.object.get("fields").filter(|value| **value != Json::Null)?;
        Some(self.parse_texts("fields", value, |text| {
            let fits = !text.is_empty() && !text.contains(char::is_whitespace);
            let field = || FieldPattern { text: text.into(), glob: Glob::from_segment(text) };
            fits.then(field).ok_or_else(|| "This is not the name of a field.".to_owned())
        }))
    }

    fn parse_conditions(&mut self) -> Conditions {
        let found = self.object.get("conditions").map(|value| ("conditions", value));
        let found =
            found.or_else(|| self.object.get("condition").map(|value| ("condition", value)));
        let Some((key, value)) = found.filter(|(_, value)| **value != Json::Null) else {
            return Conditions::default();
        };
        let Some(object) = value.as_object() else {
            self.problems.add(key, "The conditions of a grant are an object.");
            return Conditions::default();
        };
        let mut inner = GrantParser { object, problems: FieldProblems::new() };
        let conditions = inner.parse_condition_values();
        self.problems.extend(inner.problems.with_prefix(key));
        conditions
    }

    fn parse_condition_values(&mut self) -> Conditions {
        let mut conditions = Conditions::default();
        for (key, value) in self.object.iter() {
            match (key, value.as_bool()) {
                ("own", Some(own)) => conditions.own = own,
                ("own", None) => self.problems.add(key, "This is true or left out."),
                ("status", _) => {
                    conditions.status = self.parse_texts(key, value, |text| {
                        EntryStatus::parse(text)
                            .ok_or_else(|| format!("There is no status {text:?}."))
                    });
                }
                ("locales", _) => {
                    conditions.locales = self.parse_texts(key, value, |text| {
                        LocaleCode::parse(text).map_err(|error| error.to_string())
                    });
                }
                _ => self.problems.add(key, "There is no such condition."),
            }
        }
        conditions
    }

    /// Returns the value under one of two keys. The first is the preferred one, which is used in
    /// messages.
    fn get_either(&mut self, proper: &'a str, other: &'a str) -> Option<(&'a str, &'a Json)> {
        let named = |key| self.object.get(key).map(|value| (key, value));
        let found = named(proper).or_else(|| named(other));
        if found.is_none() {
            self.problems.add(proper, "This is missing.");
        }
        found
    }

    /// Parses a list of texts, or a single text. An empty list is rejected.
    fn parse_texts<T>(
        &mut self,
        key: &str,
        value: &Json,
        read: impl Fn(&str) -> Result<T, String>,
    ) -> Vec<T> {
        let items = match value {
            Json::Array(items) => items.as_slice(),
            one => std::slice::from_ref(one),
        };
        if items.is_empty() {
            self.problems.add(key, "Name at least one.");
        }
        let mut parsed = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            let text = item.as_str().ok_or_else(|| format!("This is {}.", item.kind()));
            match text.and_then(&read) {
                Ok(item) => parsed.push(item),
                Err(sentence) if value.as_array().is_some() => {
                    self.problems.add(format!("{key}[{index}]"), sentence);
                }
                Err(sentence) => self.problems.add(key, sentence),
            }
        }
        parsed
    }
}
