//! Who asks, and what they may do.

use std::sync::Arc;

use crate::app::error::Error;
use crate::app::error::Result;
use crate::engine::Engine;
use crate::engine::installation::Holder;
use crate::model::grant::Action;
use crate::model::grant::Resource;
use crate::model::token::Token;
use crate::query::view::Eyes;

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
        let installation = engine.installation();
        let holder = installation.token(token.id()).ok_or_else(refused)?;
        let counts = holder.record.is_of(&token) && holder.record.is_active(engine.clock().now());
        if counts { Ok(Caller::Token(holder.clone())) } else { Err(refused()) }
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

    /// A name for logs: never the token.
    pub fn label(&self) -> &str {
        match self {
            Caller::Anonymous => "-",
            Caller::Token(holder) => holder.record.id.as_str(),
        }
    }
}
