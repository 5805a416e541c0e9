//! The caller of a use case and its permissions.

use std::sync::Arc;

use crate::app::error::Error;
use crate::app::error::Result;
use crate::engine::Engine;
use crate::engine::installation::Account;
use crate::engine::installation::ApiToken;
use crate::engine::installation::Installation;
use crate::model::event::Actor;
use crate::model::grant::Action;
use crate::model::grant::Facts;
use crate::model::grant::Grants;
use crate::model::grant::Permit;
use crate::model::grant::Resource;
use crate::model::name::TokenId;
use crate::model::people::session::SessionKey;
use crate::model::people::session::SessionSecret;
use crate::model::people::token::Token;
use crate::query::execute::view::Viewer;

/// The author of a change: the permissions that apply and the name that is recorded.
#[derive(Clone)]
pub struct Requester {
    /// The caller whose grants apply.
    pub caller: Caller,
    /// The actor recorded in activity lines and events.
    pub actor: Arc<Actor>,
}

/// The sender of a request.
#[derive(Clone, Default)]
pub enum Caller {
    /// A sender without a credential.
    #[default]
    Anonymous,
    /// The holder of a token.
    Token(Arc<ApiToken>),
    /// A user who is logged in.
    User(Arc<Login>),
    /// A user who is not here: what they planned happens now.
    Planner(Arc<Account>),
}

/// The session of a user who is logged in.
pub struct Login {
    /// The user and the permissions.
    pub account: Arc<Account>,
    /// The key of the session.
    pub session: SessionKey,
    /// The token that pages must send with changes.
    pub csrf_token: String,
    /// True if a proxy named the user, which then also decides about second factors.
    pub by_proxy: bool,
}

impl Login {
    /// Returns true if the user has to set up a second factor before anything else.
    pub fn must_set_up_second_factor(&self) -> bool {
        self.account.lacks_second_factor && !self.by_proxy
    }
}

impl Requester {
    /// Checks that the requester may take the action. Returns the permit, with which a change can
    /// be staged in their name.
    pub fn check_permission(
        &self,
        workspace: &str,
        action: Action,
        resource: &Resource<'_>,
        facts: &Facts<'_>,
    ) -> Result<Permit> {
        let grants = self.caller.require_grants()?;
        let permit = grants.issue_permit(&self.actor, workspace, action, resource, facts);
        permit.ok_or_else(|| Error::forbidden(action, &format!("`{resource}`")))
    }

    /// Checks that no grant denies the requester the action, be it allowed or not.
    pub fn check_not_denied(
        &self,
        workspace: &str,
        action: Action,
        resource: &Resource<'_>,
        facts: &Facts<'_>,
    ) -> Result<()> {
        let grants = self.caller.require_grants()?;
        let decision = grants.decide_access(workspace, action, resource, facts);
        if decision.allowed || decision.by.is_none() {
            return Ok(());
        }
        Err(Error::forbidden(action, &format!("`{resource}`")))
    }
}

impl Caller {
    /// Returns the caller with a bearer token. The error does not say why a token is invalid.
    pub fn from_token(engine: &Engine, text: impl AsRef<[u8]>) -> Result<Caller> {
        let text = text.as_ref();
        let refused = || Error::unauthorized("This token is not valid.");
        let (records, now) = (engine.records(), engine.clock().now());
        let holder = match records.find_verified_token(text) {
            Some(holder) => holder,
            None => {
                let token = std::str::from_utf8(text).ok().and_then(Token::parse);
                let token = token.ok_or_else(refused)?;
                let holder = records.find_token(token.id())?.ok_or_else(refused)?;
                if holder.record.is_of(&token) {
                    records.remember_verified_token(text, &holder);
                } else if !holder.record.was_of(&token, now) {
                    return Err(refused());
                }
                holder
            }
        };
        if !holder.record.is_active(now) {
            return Err(refused());
        }
        holder.mark_used(now);
        Ok(Caller::Token(holder))
    }

    /// Returns the caller with the secret of a session, without using the session. It must be
    /// active, and its user must still have the password and the role with which it began.
    pub fn from_session(engine: &Engine, secret: &SessionSecret) -> Option<Caller> {
        let session = secret.key();
        let sessions = engine.records().sessions();
        let Some(record) = sessions.peek_session(&session, engine.clock().now()) else {
            // Its time may be over.
            sessions.end_session(&session);
            return None;
        };
        let account = engine.installation().user(record.user.as_str()).cloned();
        let account = account.filter(|it| record.is_valid_for(&it.record.session_stamp()));
        let Some(account) = account else {
            if engine.installation().is_unreadable(&record.user) {
                // The user can be loaded again once the file is repaired.
                return None;
            }
            sessions.end_session(&session);
            return None;
        };
        let (csrf_token, by_proxy) = (secret.csrf_token(), record.by_proxy);
        Some(Caller::User(Arc::new(Login { account, session, csrf_token, by_proxy })))
    }

    /// Returns the user or token with this author id as somebody who planned what happens now, with
    /// the permissions of this moment. Returns nothing for one that no longer exists, or is no
    /// longer active.
    pub fn from_planner(engine: &Engine, author_id: &str) -> Option<Caller> {
        let installation = engine.installation();
        match author_id.strip_prefix("tok_") {
            Some(id) => {
                let holder = installation.token(&TokenId::parse(id).ok()?)?.clone();
                holder.record.is_active(engine.clock().now()).then_some(Caller::Token(holder))
            }
            None => Some(Caller::Planner(installation.user(author_id)?.clone())),
        }
    }

    /// Returns the same caller with the current grants.
    pub fn with_current_grants(&self, installation: &Installation) -> Result<Caller> {
        let login = self.require_login()?;
        let account = installation.user(login.account.record.id.as_str());
        let account = account.ok_or_else(Error::unauthenticated)?.clone();
        let (session, csrf_token) = (login.session.clone(), login.csrf_token.clone());
        let by_proxy = login.by_proxy;
        Ok(Caller::User(Arc::new(Login { account, session, csrf_token, by_proxy })))
    }

    /// Returns the login with the current permissions, or `None` if the session has ended. This
    /// does not count as activity: a page left open keeps no session alive.
    pub fn refresh_login(engine: &Engine, login: &Login) -> Option<Caller> {
        let record =
            engine.records().sessions().peek_session(&login.session, engine.clock().now())?;
        let account = engine.installation().user(record.user.as_str()).cloned();
        let account = account.filter(|it| it.record.session_stamp() == record.stamp)?;
        let (session, csrf_token) = (login.session.clone(), login.csrf_token.clone());
        let login = Login { account, session, csrf_token, by_proxy: login.by_proxy };
        (!login.must_set_up_second_factor()).then(|| Caller::User(Arc::new(login)))
    }

    /// Returns the grants of the caller; `None` without a credential.
    pub fn grants(&self) -> Option<&Grants> {
        match self {
            Caller::Anonymous => None,
            Caller::Token(holder) => Some(&holder.grants),
            Caller::User(login) => Some(&login.account.grants),
            Caller::Planner(account) => Some(&account.grants),
        }
    }

    /// Returns the login of the caller.
    ///
    /// # Errors
    ///
    /// Fails if the caller is not logged in as a user.
    pub fn require_login(&self) -> Result<&Arc<Login>> {
        match self {
            Caller::User(login) => Ok(login),
            Caller::Anonymous | Caller::Token(_) | Caller::Planner(_) => {
                Err(Error::unauthenticated())
            }
        }
    }

    /// Returns the viewer as which the caller reads entries.
    pub fn viewer(&self) -> Viewer<'_> {
        self.grants().map_or(Viewer::Anyone, Viewer::Holder)
    }

    /// Returns the ids of the person who acts: of a token also the user who made it.
    pub fn person_ids(&self) -> Vec<String> {
        match self {
            Caller::Anonymous => Vec::new(),
            Caller::Token(holder) => {
                let maker = holder.record.created_by.clone();
                [holder.record.author_id()].into_iter().chain(maker).collect()
            }
            Caller::User(login) => vec![login.account.record.id.to_string()],
            Caller::Planner(account) => vec![account.record.id.to_string()],
        }
    }

    /// Returns true if there is no credential.
    pub fn is_anonymous(&self) -> bool {
        matches!(self, Caller::Anonymous)
    }

    /// Returns true if some grant could allow the action on the resource or on something in it.
    /// Without a credential nothing is granted.
    pub fn has_any_grant(&self, workspace: &str, action: Action, resource: &Resource<'_>) -> bool {
        self.grants().is_some_and(|it| it.could_match(workspace, action, resource))
    }

    /// Checks that the caller may take the action.
    pub fn check_permission(
        &self,
        workspace: &str,
        action: Action,
        resource: &Resource<'_>,
        facts: &Facts<'_>,
    ) -> Result<()> {
        let decision = self.require_grants()?.decide_access(workspace, action, resource, facts);
        let denied = || Error::forbidden(action, &format!("`{resource}`"));
        decision.allowed.then_some(()).ok_or_else(denied)
    }

    fn require_grants(&self) -> Result<&Grants> {
        self.grants().ok_or_else(|| Error::unauthorized("This request needs a token."))
    }

    /// Returns the id and the name that are recorded for the caller; both are empty for anonymous
    /// callers.
    pub fn author_id_and_name(&self) -> (String, String) {
        match self {
            Caller::Anonymous => (String::new(), String::new()),
            Caller::Token(holder) => (holder.record.author_id(), holder.record.name.clone()),
            Caller::User(login) => name_account(&login.account),
            Caller::Planner(account) => name_account(account),
        }
    }
}

fn name_account(account: &Account) -> (String, String) {
    let user = &account.record;
    (user.id.to_string(), user.shown_name().to_string())
}
