//! Grants from JSON and from the command line. What is not understood is refused, never dropped:
//! a condition left out would widen a grant, a denial left out would open what it closed.

use super::Action;
use super::ActionPattern;
use super::ActionSet;
use super::Conditions;
use super::Effect;
use super::FieldPattern;
use super::Glob;
use super::Grant;
use super::Pattern;
use crate::model::entry::Status;
use crate::model::name::LocaleCode;
use crate::model::name::WorkspaceSlug;
use crate::model::problem::FieldProblems;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

/// How many grants one role or token can have.
pub const GRANTS_MAX: usize = 200;

/// How much all of them may be as JSON, in bytes.
pub const GRANTS_BYTES_MAX: usize = 32 * 1024;

/// Whether these are more grants than a role or token can have; then what is said of that.
pub fn grants_defect(grants: &Json) -> Option<String> {
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
    /// Reads `{effect?, actions, resources, fields?, conditions?}`; the lists may be one text, and
    /// their names may be in the singular.
    pub fn parse(json: &Json) -> Result<Grant, FieldProblems> {
        let Some(object) = json.as_object() else {
            return Err(FieldProblems::one("", "A grant is an object."));
        };
        let mut reader = Reader { object, problems: FieldProblems::new() };
        let grant = reader.grant();
        reader.problems.or(grant)
    }

    /// Reads a list of grants, and tells the problems of all of them.
    pub fn parse_list(json: &Json) -> Result<Vec<Grant>, FieldProblems> {
        let Some(items) = json.as_array() else {
            return Err(FieldProblems::one("", "Grants come as a list."));
        };
        let (mut grants, mut problems) = (Vec::with_capacity(items.len()), FieldProblems::new());
        for (index, item) in items.iter().enumerate() {
            match Grant::parse(item) {
                Ok(grant) => grants.push(grant),
                Err(found) => problems.extend(found.at(&format!("[{index}]"))),
            }
        }
        problems.or(grants)
    }

    /// Reads `actions@resources[@workspace]`, with commas between several: the short form of an
    /// allowing grant on the command line.
    pub fn parse_line(line: &str) -> Result<Grant, FieldProblems> {
        let Some((actions, rest)) = line.split_once('@') else {
            let sentence = "Write a grant as actions@resources, like content.read@content:*.";
            return Err(FieldProblems::one("", sentence));
        };
        let workspace = |text: &str| text == "*" || WorkspaceSlug::parse(text).is_ok();
        // A file name may hold an @ too; then what follows is no slug.
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

/// Reads one grant, collecting what is wrong with it.
struct Reader<'a> {
    object: &'a Map,
    problems: FieldProblems,
}

impl<'a> Reader<'a> {
    fn grant(&mut self) -> Grant {
        self.refuse_unknown_keys();
        let effect = self.effect();
        let actions = self.actions();
        let action_set =
            actions.iter().map(ActionPattern::set).fold(ActionSet::default(), |a, b| a.union(b));
        let resources = self.resources();
        self.check_read_only(action_set, &resources);
        let (fields, conditions) = (self.fields(), self.conditions());
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

    fn effect(&mut self) -> Effect {
        match self.object.get("effect").map(Json::as_str) {
            None | Some(Some("allow")) => Effect::Allow,
            Some(Some("deny")) => Effect::Deny,
            Some(_) => {
                self.problems.add("effect", "The effect of a grant is allow or deny.");
                Effect::Deny
            }
        }
    }

    fn actions(&mut self) -> Vec<ActionPattern> {
        let Some((key, value)) = self.either("actions", "action") else { return Vec::new() };
        self.list(key, value, |text| {
            ActionPattern::parse(text).ok_or_else(|| format!("There is no action {text:?}."))
        })
    }

    fn resources(&mut self) -> Vec<Pattern> {
        let Some((key, value)) = self.either("resources", "resource") else { return Vec::new() };
        self.list(key, value, |text| Pattern::parse(text).map_err(str::to_owned))
    }

    /// `content:<type>:read` means reading, whatever the actions say, so they may say nothing else.
    fn check_read_only(&mut self, actions: ActionSet, resources: &[Pattern]) {
        let form = resources.iter().position(Pattern::is_read_only);
        if form.is_some() && actions != ActionSet::only(Action::ContentRead) {
            let sentence = "A resource that ends in :read goes with the action content.read alone.";
            let key = if self.object.contains("action") { "action" } else { "actions" };
            self.problems.add(key, sentence);
        }
    }

    fn fields(&mut self) -> Option<Vec<FieldPattern>> {
        let value = self.object.get("fields").filter(|value| **value != Json::Null)?;
        Some(self.list("fields", value, |text| {
            let fits = !text.is_empty() && !text.contains(char::is_whitespace);
            let field = || FieldPattern { text: text.into(), glob: Glob::flat(text) };
            fits.then(field).ok_or_else(|| "This is not the name of a field.".to_owned())
        }))
    }

    fn conditions(&mut self) -> Conditions {
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
        let mut inner = Reader { object, problems: FieldProblems::new() };
        let conditions = inner.condition_values();
        self.problems.extend(inner.problems.at(key));
        conditions
    }

    fn condition_values(&mut self) -> Conditions {
        let mut conditions = Conditions::default();
        for (key, value) in self.object.iter() {
            match (key, value.as_bool()) {
                ("own", Some(own)) => conditions.own = own,
                ("own", None) => self.problems.add(key, "This is true or left out."),
                ("status", _) => {
                    conditions.status = self.list(key, value, |text| {
                        Status::parse(text).ok_or_else(|| format!("There is no status {text:?}."))
                    });
                }
                ("locales", _) => {
                    conditions.locales = self.list(key, value, |text| {
                        LocaleCode::parse(text).map_err(|error| error.to_string())
                    });
                }
                _ => self.problems.add(key, "There is no such condition."),
            }
        }
        conditions
    }

    /// The value under one of two names, of which the first is the proper one.
    fn either(&mut self, proper: &'a str, other: &'a str) -> Option<(&'a str, &'a Json)> {
        let named = |key| self.object.get(key).map(|value| (key, value));
        let found = named(proper).or_else(|| named(other));
        if found.is_none() {
            self.problems.add(proper, "This is missing.");
        }
        found
    }

    /// Reads a list of texts, or one text; an empty list says nothing and is refused.
    fn list<T>(
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
        let mut taken = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            let text = item.as_str().ok_or_else(|| format!("This is {}.", item.kind()));
            match text.and_then(&read) {
                Ok(item) => taken.push(item),
                Err(sentence) if value.as_array().is_some() => {
                    self.problems.add(format!("{key}[{index}]"), sentence);
                }
                Err(sentence) => self.problems.add(key, sentence),
            }
        }
        taken
    }
}
