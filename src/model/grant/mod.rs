//! Who may do what: grants, and the decision they come to. Pure: what is asked about, and what is
//! known of it, are arguments; nothing is looked up here.
//!
//! A grant applies when one of its actions and one of its resources match, its conditions hold and
//! its fields fit. Any denying grant that applies wins; else any allowing one; else the answer is no.

mod action;
mod covers;
mod glob;
mod parse;
mod reach;
mod resource;

use std::sync::Arc;

use serde::Serialize;
use serde::Serializer;

use self::action::ActionSet;
use self::glob::Glob;

pub use self::action::Action;
pub use self::action::ActionPattern;
pub use self::parse::GRANTS_BYTES_MAX;
pub use self::parse::GRANTS_MAX;
pub use self::parse::grants_defect;
pub use self::reach::Reach;
pub use self::reach::Row;
pub use self::reach::RowRule;
pub use self::resource::Area;
pub use self::resource::Pattern;
pub use self::resource::Resource;
use crate::model::entry::Status;
use crate::model::name::LocaleCode;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

/// What a grant does when it applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Effect {
    /// It allows, unless another denies.
    Allow,
    /// It denies, whatever others allow.
    Deny,
}

/// One rule about what its holder may do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    effect: Effect,
    actions: Vec<ActionPattern>,
    action_set: ActionSet,
    resources: Vec<Pattern>,
    fields: Option<Vec<FieldPattern>>,
    conditions: Conditions,
}

/// A field by its name, or several by a wildcard.
#[derive(Clone, Debug, PartialEq, Eq)]
struct FieldPattern {
    text: Box<str>,
    glob: Glob,
}

/// What must be so for a grant to apply. Nothing asked, nothing to fail.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Conditions {
    own: bool,
    status: Vec<Status>,
    locales: Vec<LocaleCode>,
}

/// What is known about a request besides action and resource. Leave out what does not exist: a
/// condition on it then does not hold.
#[derive(Clone, Copy, Debug, Default)]
pub struct Facts<'a> {
    /// The status of the entry as it is.
    pub status: Option<Status>,
    /// The status the entry would have afterwards; on reads none.
    pub new_status: Option<Status>,
    /// Who wrote the entry or uploaded the file; on a create the caller.
    pub author_id: Option<&'a str>,
    /// The locales that are read or written.
    pub locales: &'a [&'a str],
    /// The fields whose stored value would change; on reads none.
    pub changed: &'a [&'a str],
}

/// The answer, and the index of the grant that decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// Whether the action may be taken.
    pub allowed: bool,
    /// Which grant decided; none when none applies.
    pub by: Option<usize>,
}

/// All grants of one caller.
#[derive(Clone, Debug)]
pub struct Grants {
    caller_id: Arc<str>,
    list: Arc<[Grant]>,
}

impl Grants {
    /// The grants of the caller that entries name by `caller_id`.
    pub fn new(caller_id: &str, list: Vec<Grant>) -> Grants {
        Grants { caller_id: caller_id.into(), list: list.into() }
    }

    /// By what entries know the caller as their author.
    pub fn caller_id(&self) -> &str {
        &self.caller_id
    }

    /// The grants, in the order [`Decision::by`] counts them.
    pub fn list(&self) -> &[Grant] {
        &self.list
    }

    /// Whether the action may be taken on the resource. `workspace` is the one the resource is in;
    /// installation-wide resources are in none, whatever is given.
    pub fn decide(
        &self,
        workspace: &str,
        action: Action,
        resource: &Resource,
        facts: &Facts,
    ) -> Decision {
        let mut allowing = None;
        for (index, grant) in self.list.iter().enumerate() {
            let already_allowed = grant.effect == Effect::Allow && allowing.is_some();
            if already_allowed
                || !grant.applies(&self.caller_id, workspace, action, resource, facts)
            {
                continue;
            }
            match grant.effect {
                Effect::Deny => return Decision { allowed: false, by: Some(index) },
                Effect::Allow => allowing = Some(index),
            }
        }
        Decision { allowed: allowing.is_some(), by: allowing }
    }

    /// Whether some allowing grant could match anything that is in the workspace.
    pub fn count_in(&self, workspace: &str) -> bool {
        self.list.iter().any(|grant| {
            let counts =
                |pattern: &Pattern| pattern.is_of_content() && pattern.counts_in(workspace);
            grant.effect == Effect::Allow && grant.resources.iter().any(counts)
        })
    }

    /// Whether some allowing grant could match the resource or, when that is a whole, anything in
    /// it. If not, the caller has no business there, and nothing needs to be looked up to say so.
    pub fn could_match(&self, workspace: &str, action: Action, resource: &Resource) -> bool {
        self.list.iter().any(|grant| {
            let allows = grant.effect == Effect::Allow && grant.action_set.contains(action);
            let could = |pattern: &Pattern| pattern.could_match(workspace, action, resource);
            allows && grant.resources.iter().any(could)
        })
    }
}

impl Grant {
    /// What it does when it applies.
    pub fn effect(&self) -> Effect {
        self.effect
    }

    /// The grant written one way: lists as lists, and only what is asked for.
    pub fn to_json(&self) -> Json {
        let effect = if self.effect == Effect::Allow { "allow" } else { "deny" };
        let mut object = Map::new();
        object.push("effect", effect);
        object.push("actions", texts(self.actions.iter().map(ActionPattern::as_str)));
        object.push("resources", texts(self.resources.iter().map(Pattern::as_str)));
        if let Some(fields) = &self.fields {
            object.push("fields", texts(fields.iter().map(|field| &*field.text)));
        }
        let conditions = self.conditions.to_json();
        if !conditions.is_empty() {
            object.push("conditions", conditions);
        }
        Json::Object(object)
    }

    fn applies(
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
            && self.fits(&self.conditions.locales, facts.locales)
            && self.fits_status(facts)
    }

    /// Allowing needs every changed field to be named, denying any one of them.
    fn fits_fields(&self, changed: &[&str]) -> bool {
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

    /// A write looks at the status before and after.
    fn fits_status(&self, facts: &Facts) -> bool {
        match (facts.status, facts.new_status) {
            (Some(old), Some(new)) => self.fits(&self.conditions.status, &[old, new]),
            (one, other) => self.fits(&self.conditions.status, one.or(other).as_slice()),
        }
    }

    /// Whether the facts are among the accepted values: for allowing all of them, for denying any,
    /// so that a denial is not escaped by touching something else at the same time.
    fn fits<A: PartialEq<F>, F>(&self, accepted: &[A], facts: &[F]) -> bool {
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
            object.push("status", texts(self.status.iter().map(|status| status.as_str())));
        }
        if !self.locales.is_empty() {
            object.push("locales", texts(self.locales.iter().map(LocaleCode::as_str)));
        }
        Json::Object(object)
    }
}

fn texts<'a>(texts: impl Iterator<Item = &'a str>) -> Json {
    Json::Array(texts.map(Json::from).collect())
}

impl Serialize for Grant {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_json().serialize(serializer)
    }
}

#[cfg(test)]
mod tests;
