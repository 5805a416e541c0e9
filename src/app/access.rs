//! Who asks, and what they may do.

use std::sync::Arc;

use crate::app::error::Error;
use crate::app::error::Result;
use crate::engine::Engine;
use crate::engine::installation::Holder;
use crate::model::event::Actor;
use crate::model::grant::Action;
use crate::model::grant::Facts;
use crate::model::grant::Resource;
use crate::model::token::Token;
use crate::query::view::Eyes;

/// Proof that a caller may take an action: whatever changes something asks for it, and only
/// [`Caller::may`] gives it; [`Allowed::by_setting`] where there is no caller.
#[derive(Clone, Copy)]
pub struct Allowed<'a> {
    action: Action,
    _caller: &'a Caller,
}

impl Allowed<'static> {
    /// For what a setting of the operator asks for, and no caller.
    pub(super) fn by_setting(action: Action) -> Allowed<'static> {
        Allowed { action, _caller: &Caller::Anonymous }
    }
}

impl Allowed<'_> {
    /// What is allowed.
    pub fn action(&self) -> Action {
        self.action
    }
}

/// Who makes a change, and how that is written down.
#[derive(Clone)]
pub struct By {
    /// Whose grants decide.
    pub caller: Caller,
    /// What activity lines and events say.
    pub actor: Actor,
}

/// Who asks.
#[derive(Clone, Default)]
pub enum Caller {
    /// Somebody without a credential.
    #[default]
    Anonymous,
    /// The holder of a token.
    Token(Arc<Holder>),
}

impl Caller {
    /// The caller behind a bearer token. Why a token does not count is not told.
    pub fn of_token(engine: &Engine, text: &str) -> Result<Caller> {
        let refused = || Error::unauthorized("This token is not valid.");
        let token = Token::parse(text).ok_or_else(refused)?;
        let holder = engine.token(token.id()).ok_or_else(refused)?;
        let now = engine.clock().now();
        if !holder.record.is_of(&token) || !holder.record.is_active(now) {
            return Err(refused());
        }
        holder.used(now);
        Ok(Caller::Token(holder))
    }

    /// The eyes through which the caller sees entries.
    pub fn eyes(&self) -> Eyes<'_> {
        match self {
            Caller::Anonymous => Eyes::Anyone,
            Caller::Token(holder) => Eyes::Holder(&holder.grants),
        }
    }

    /// Whether there is no credential.
    pub fn is_anonymous(&self) -> bool {
        matches!(self, Caller::Anonymous)
    }

    /// Whether some grant could allow the action on the resource or on something in it. Without a
    /// credential nothing is granted.
    pub fn could(&self, workspace: &str, action: Action, resource: &Resource<'_>) -> bool {
        match self {
            Caller::Anonymous => false,
            Caller::Token(holder) => holder.grants.could_match(workspace, action, resource),
        }
    }

    /// Whether the action may be taken, as proof for whoever takes it.
    pub fn may(
        &self,
        workspace: &str,
        action: Action,
        resource: &Resource<'_>,
        facts: &Facts<'_>,
    ) -> Result<Allowed<'_>> {
        match self {
            Caller::Anonymous => Err(Error::unauthorized("This needs a token.")),
            Caller::Token(holder) => {
                let decision = holder.grants.decide(workspace, action, resource, facts);
                if decision.allowed {
                    Ok(Allowed { action, _caller: self })
                } else {
                    Err(Error::forbidden(action, &format!("`{resource}`")))
                }
            }
        }
    }

    /// How the caller is written down: an id and a name. Nobody is written down as somebody.
    pub fn written_down(&self) -> (String, String) {
        match self {
            Caller::Anonymous => (String::new(), String::new()),
            Caller::Token(holder) => (holder.record.author_id(), holder.record.name.clone()),
        }
    }

    /// A name for logs: never the token.
    pub fn label(&self) -> &str {
        match self {
            Caller::Anonymous => "-",
            Caller::Token(holder) => holder.record.id.as_str(),
        }
    }
}
