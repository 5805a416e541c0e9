//! Grants and the decision they come to, for one action on one resource.

use std::borrow::Cow;
use std::sync::Arc;

use schemars::JsonSchema;
use schemars::Schema;
use schemars::SchemaGenerator;
use schemars::json_schema;
use serde::Serialize;
use serde::Serializer;
use serde_json::Value;
use serde_json::json;

use crate::model::grant::action::ActionSet;
use crate::model::grant::effect::Effect;
use crate::model::grant::glob::Glob;

use crate::model::entry::EntryStatus;
use crate::model::event::Actor;
use crate::model::grant::action::Action;
use crate::model::grant::action::ActionPattern;
use crate::model::grant::permit::Permit;
use crate::model::grant::reading_cache::ReadingCache;
use crate::model::grant::resource::Resource;
use crate::model::grant::resource::ResourcePattern;
use crate::model::name::LocaleCode;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

/// A rule that allows or denies actions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    pub(super) effect: Effect,
    pub(super) actions: Vec<ActionPattern>,
    pub(super) action_set: ActionSet,
    pub(super) resources: Vec<ResourcePattern>,
    pub(super) fields: Option<Vec<FieldPattern>>,
    pub(super) conditions: Conditions,
}

/// The name of a field, or several names by a wildcard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FieldPattern {
    pub(super) text: Box<str>,
    pub(super) glob: Glob,
}

/// The conditions under which a grant applies. An empty condition always holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Conditions {
    pub(super) own: bool,
    pub(super) status: Vec<EntryStatus>,
    pub(super) locales: Vec<LocaleCode>,
}

/// The context of a request besides action and resource. Facts that do not exist are left out; a
/// condition on them does not hold.
#[derive(Clone, Copy, Debug, Default)]
pub struct Facts<'a> {
    /// The current status of the entry.
    pub status: Option<EntryStatus>,
    /// The status of the entry after the write; `None` on reads.
    pub new_status: Option<EntryStatus>,
    /// The author of the entry or the uploader of the file; on a create the caller.
    pub author_id: Option<&'a str>,
    /// The locales being read or written.
    pub locales: &'a [&'a str],
    /// The fields whose stored value would change; empty on reads.
    pub changed: &'a [&'a str],
}

/// The decision on a request, with the index of the grant that decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AccessDecision {
    /// True if the action is allowed.
    pub allowed: bool,
    /// The index of the deciding grant; `None` if none applies.
    pub by: Option<usize>,
}

/// All grants of a caller.
#[derive(Clone, Debug)]
pub struct Grants {
    pub(super) caller_id: Arc<str>,
    pub(super) list: Arc<[Grant]>,
    pub(super) readings: Arc<ReadingCache>,
}

impl Grants {
    /// Creates the grants of the caller whom entries name `caller_id`.
    pub fn new(caller_id: &str, list: Vec<Grant>) -> Grants {
        Grants { caller_id: caller_id.into(), list: list.into(), readings: Arc::default() }
    }

    /// Returns the id by which entries name the caller as their author.
    pub fn caller_id(&self) -> &str {
        &self.caller_id
    }

    /// Returns the grants, in the order of [`AccessDecision::by`].
    pub fn list(&self) -> &[Grant] {
        &self.list
    }

    /// Decides whether the action on the resource is allowed. `workspace` is the one of the
    /// resource; it is ignored for installation-wide resources.
    pub fn decide_access(
        &self,
        workspace: &str,
        action: Action,
        resource: &Resource,
        facts: &Facts,
    ) -> AccessDecision {
        let mut allowing = None;
        for (index, grant) in self.list.iter().enumerate() {
            let already_allowed = grant.effect == Effect::Allow && allowing.is_some();
            if already_allowed
                || !grant.applies_to(&self.caller_id, workspace, action, resource, facts)
            {
                continue;
            }
            match grant.effect {
                Effect::Deny => return AccessDecision { allowed: false, by: Some(index) },
                Effect::Allow => allowing = Some(index),
            }
        }
        AccessDecision { allowed: allowing.is_some(), by: allowing }
    }

    /// Decides as [`Grants::decide_access`] for an actor with these grants. Returns the permit if
    /// the action is allowed.
    pub fn issue_permit(
        &self,
        by: &Arc<Actor>,
        workspace: &str,
        action: Action,
        resource: &Resource,
        facts: &Facts,
    ) -> Option<Permit> {
        let decision = self.decide_access(workspace, action, resource, facts);
        decision.allowed.then(|| Permit::from_decision(by, action))
    }

    /// Returns true if an allowing grant could match anything in the workspace.
    pub fn could_match_workspace(&self, workspace: &str) -> bool {
        self.list.iter().any(|grant| {
            let counts =
                |pattern: &ResourcePattern| pattern.is_of_content() && pattern.counts_in(workspace);
            grant.effect == Effect::Allow && grant.resources.iter().any(counts)
        })
    }

    /// Returns true if an allowing grant could match the resource or, if that is a whole, anything
    /// in it. Otherwise the request can be denied without any lookups.
    pub fn could_match(&self, workspace: &str, action: Action, resource: &Resource) -> bool {
        self.list.iter().any(|grant| {
            let allows = grant.effect == Effect::Allow && grant.action_set.contains(action);
            let could =
                |pattern: &ResourcePattern| pattern.could_match(workspace, action, resource);
            allows && grant.resources.iter().any(could)
        })
    }
}

impl Grant {
    /// Returns the grant in its normal form: lists as lists, and only the conditions that are set.
    pub fn to_json(&self) -> Json {
        let effect = if self.effect == Effect::Allow { "allow" } else { "deny" };
        let mut object = Map::new();
        object.push("effect", effect);
        object.push("actions", texts_to_json(self.actions.iter().map(ActionPattern::as_str)));
        object.push("resources", texts_to_json(self.resources.iter().map(ResourcePattern::as_str)));
        if let Some(fields) = &self.fields {
            object.push("fields", texts_to_json(fields.iter().map(|field| &*field.text)));
        }
        let conditions = self.conditions.to_json();
        if !conditions.is_empty() {
            object.push("conditions", conditions);
        }
        Json::Object(object)
    }

    pub(super) fn applies_to(
        &self,
        caller_id: &str,
        workspace: &str,
        action: Action,
        resource: &Resource,
        facts: &Facts,
    ) -> bool {
        self.action_set.contains(action)
            && self.resources.iter().any(|pattern| pattern.matches(workspace, action, resource))
            && self.fits_fields(facts.changed)
            && self.is_own(caller_id, facts.author_id)
            && self.fits_facts(&self.conditions.locales, facts.locales)
            && self.fits_status(facts)
    }

    /// Returns true if the changed fields fit. To allow, all of them must be named; to deny, one of
    /// them.
    pub(super) fn fits_fields(&self, changed: &[&str]) -> bool {
        let Some(fields) = &self.fields else { return true };
        let named = |field: &&str| fields.iter().any(|pattern| pattern.glob.matches(&[field]));
        match self.effect {
            Effect::Allow => changed.iter().all(named),
            Effect::Deny => changed.iter().any(named),
        }
    }

    fn is_own(&self, caller_id: &str, author_id: Option<&str>) -> bool {
        !self.conditions.own || author_id == Some(caller_id)
    }

    /// Returns true if the status fits. For a write this is the status before and after.
    fn fits_status(&self, facts: &Facts) -> bool {
        match (facts.status, facts.new_status) {
            (Some(old), Some(new)) => self.fits_facts(&self.conditions.status, &[old, new]),
            (one, other) => self.fits_facts(&self.conditions.status, one.or(other).as_slice()),
        }
    }

    /// Returns true if the facts are among the accepted values: all of them for an allowing grant,
    /// any of them for a denying one. A denial can therefore not be evaded by touching something
    /// else in the same request.
    pub(super) fn fits_facts<A: PartialEq<F>, F>(&self, accepted: &[A], facts: &[F]) -> bool {
        let among = |fact: &F| accepted.iter().any(|value| value == fact);
        accepted.is_empty()
            || match self.effect {
                Effect::Allow => !facts.is_empty() && facts.iter().all(among),
                Effect::Deny => facts.iter().any(among),
            }
    }
}

impl Conditions {
    fn to_json(&self) -> Json {
        let mut object = Map::new();
        if self.own {
            object.push("own", true);
        }
        if !self.status.is_empty() {
            object.push("status", texts_to_json(self.status.iter().map(|status| status.as_str())));
        }
        if !self.locales.is_empty() {
            object.push("locales", texts_to_json(self.locales.iter().map(LocaleCode::as_str)));
        }
        Json::Object(object)
    }
}

fn texts_to_json<'a>(texts: impl Iterator<Item = &'a str>) -> Json {
    Json::Array(texts.map(Json::from).collect())
}

/// The members of a grant, as [`Grant::to_json`] writes them.
impl JsonSchema for Grant {
    fn schema_name() -> Cow<'static, str> {
        "Grant".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let members = describe_members(&json!({ "type": "array", "items": { "type": "string" } }));
        json_schema!({
            "type": "object",
            "required": ["effect", "actions", "resources"],
            "properties": members,
        })
    }
}

/// Returns the schemas of the members of a grant, whose lists have this schema.
pub(super) fn describe_members(texts: &Value) -> Value {
    let texts = |about: &str| {
        let mut schema = texts.clone();
        schema["description"] = about.into();
        schema
    };
    json!({
        "effect": { "enum": ["allow", "deny"], "description": "The effect on what it matches." },
        "actions": texts("The actions, as names or patterns."),
        "resources": texts("The resources, as names or patterns."),
        "fields": texts("The names of fields, or patterns, that a change may touch; all by default."),
        "conditions": {
            "type": "object",
            "description": "The conditions under which it applies.",
            "properties": {
                "own": {
                    "type": "boolean",
                    "description": "Limits it to entries and files of the caller.",
                },
                "status": texts("The stored statuses of entries."),
                "locales": texts("The locales that are read or changed."),
            },
        },
    })
}

impl Serialize for Grant {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_json().serialize(serializer)
    }
}
