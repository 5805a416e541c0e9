//! Who asks, and what they may do.

use std::sync::Arc;

use crate::app::error::Error;
use crate::app::error::Result;
use crate::engine::Engine;
use crate::engine::installation::Account;
use crate::engine::installation::Holder;
use crate::engine::installation::Installation;
use crate::model::event::Actor;
use crate::model::grant::Action;
use crate::model::grant::Facts;
use crate::model::grant::Grants;
use crate::model::grant::Resource;
use crate::model::session::SessionKey;
use crate::model::session::SessionSecret;
use crate::model::token::Token;
use crate::query::view::Eyes;

/// Proof that a caller may take an action: whatever changes something asks for it, and only
/// [`Caller::may`] gives it; a setting does where there is no caller.
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
    /// Somebody who is logged in.
    User(Arc<Login>),
}

/// Somebody who is logged in.
pub struct Login {
    /// Who it is, and what they may do.
    pub account: Arc<Account>,
    /// In which session.
    pub session: SessionKey,
    /// What their pages must send with changes.
    pub csrf_token: String,
}

impl Caller {
    /// The caller behind a bearer token. Why a token does not count is not told.
    pub fn of_token(engine: &Engine, text: &str) -> Result<Caller> {
        let refused = || Error::unauthorized("This token is not valid.");
        let token = Token::parse(text).ok_or_else(refused)?;
        let holder = engine.token(token.id())?.ok_or_else(refused)?;
        let now = engine.clock().now();
        if !holder.record.is_of(&token) || !holder.record.is_active(now) {
            return Err(refused());
        }
        holder.used(now);
        Ok(Caller::Token(holder))
    }

    /// The caller behind the secret of a session, which must last; its user must be there, with the
    /// password and the role with which it began.
    pub fn of_session(engine: &Engine, secret: &SessionSecret) -> Option<Caller> {
        let session = secret.key();
        let record = engine.sessions().used(&session, engine.clock().now())?;
        let account = engine.installation().user(record.user.as_str()).cloned();
        let account = account.filter(|it| record.counts_for(&it.record.stamp()));
        let Some(account) = account else {
            if engine.installation().is_unreadable(&record.user) {
                // Who it is can be read again once somebody has mended the file.
                return None;
            }
            engine.sessions().end(&session);
            return None;
        };
        let csrf_token = secret.csrf_token();
        Some(Caller::User(Arc::new(Login { account, session, csrf_token })))
    }

    /// The same caller with what they are granted at this moment.
    pub fn as_of(&self, installation: &Installation) -> Result<Caller> {
        let login = self.login()?;
        let account = installation.user(login.account.record.id.as_str());
        let account = account.ok_or_else(Error::unauthenticated)?.clone();
        let (session, csrf_token) = (login.session.clone(), login.csrf_token.clone());
        Ok(Caller::User(Arc::new(Login { account, session, csrf_token })))
    }

    /// Somebody who is logged in, with what they may do by now; nobody once the session has ended.
    /// That they are still there counts for nothing: a page left open keeps no session alive.
    pub fn still(engine: &Engine, login: &Login) -> Option<Caller> {
        let record = engine.sessions().seen(&login.session, engine.clock().now())?;
        let account = engine.installation().user(record.user.as_str()).cloned();
        let account = account.filter(|it| it.record.stamp() == record.stamp)?;
        let (session, csrf_token) = (login.session.clone(), login.csrf_token.clone());
        Some(Caller::User(Arc::new(Login { account, session, csrf_token })))
    }

    /// What the caller is granted; nothing without a credential.
    pub fn grants(&self) -> Option<&Grants> {
        match self {
            Caller::Anonymous => None,
            Caller::Token(holder) => Some(&holder.grants),
            Caller::User(login) => Some(&login.account.grants),
        }
    }

    /// Who is logged in.
    pub fn login(&self) -> Result<&Arc<Login>> {
        match self {
            Caller::User(login) => Ok(login),
            Caller::Anonymous | Caller::Token(_) => Err(Error::unauthenticated()),
        }
    }

    /// The eyes through which the caller sees entries.
    pub fn eyes(&self) -> Eyes<'_> {
        self.grants().map_or(Eyes::Anyone, Eyes::Holder)
    }

    /// Whether there is no credential.
    pub fn is_anonymous(&self) -> bool {
        matches!(self, Caller::Anonymous)
    }

    /// Whether some grant could allow the action on the resource or on something in it. Without a
    /// credential nothing is granted.
    pub fn could(&self, workspace: &str, action: Action, resource: &Resource<'_>) -> bool {
        self.grants().is_some_and(|it| it.could_match(workspace, action, resource))
    }

    /// Whether the action may be taken, as proof for whoever takes it.
    pub fn may(
        &self,
        workspace: &str,
        action: Action,
        resource: &Resource<'_>,
        facts: &Facts<'_>,
    ) -> Result<Allowed<'_>> {
        let Some(grants) = self.grants() else {
            return Err(Error::unauthorized("This needs a token."));
        };
        if grants.decide(workspace, action, resource, facts).allowed {
            Ok(Allowed { action, _caller: self })
        } else {
            Err(Error::forbidden(action, &format!("`{resource}`")))
        }
    }

    /// How the caller is written down: an id and a name. Nobody is written down as somebody.
    pub fn written_down(&self) -> (String, String) {
        match self {
            Caller::Anonymous => (String::new(), String::new()),
            Caller::Token(holder) => (holder.record.author_id(), holder.record.name.clone()),
            Caller::User(login) => {
                let user = &login.account.record;
                (user.id.to_string(), user.shown_name().to_string())
            }
        }
    }

    /// A name for logs: never the token.
    pub fn label(&self) -> &str {
        match self {
            Caller::Anonymous => "-",
            Caller::Token(holder) => holder.record.id.as_str(),
            Caller::User(login) => login.account.record.id.as_str(),
        }
    }
}
