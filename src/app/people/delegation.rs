//! The delegation of permissions: callers grant at most what they are granted, and change only
//! users who may do no more than they.

use std::sync::Arc;

use crate::app::access::Caller;
use crate::app::access::Requester;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::engine::installation::Account;
use crate::engine::installation::Installation;
use crate::model::grant::Action;
use crate::model::grant::Area;
use crate::model::grant::Facts;
use crate::model::grant::Grant;
use crate::model::grant::Permit;
use crate::model::grant::Resource;
use crate::model::people::role;
use crate::model::problem::FieldProblems;
use crate::model::sentence::sentence;

/// Returns the caller with the current grants, if they allow an action of an area on one resource
/// of it or on all, and the permit. Checked again within every change, since grants may have been
/// revoked after the request came in.
pub(super) fn resolve_caller(
    installation: &Installation,
    by: &Requester,
    action: Action,
    on: &Resource<'_>,
) -> Result<(Caller, Permit)> {
    let caller = by.caller.with_current_grants(installation)?;
    let current = Requester { caller, actor: by.actor.clone() };
    let permit = current.check_permission("", action, on, &Facts::default())?;
    Ok((current.caller, permit))
}

/// Checks that the caller may hand out these grants. `field` names the input that contains them, if
/// it is a list.
pub(super) fn check_may_grant(
    caller: &Caller,
    grants: &[Grant],
    field: Option<&str>,
) -> Result<()> {
    let own = caller.grants().ok_or_else(Error::unauthenticated)?;
    let Err(index) = own.check_delegation(grants) else { return Ok(()) };
    let message = "You cannot grant permissions that you do not have.";
    let fields = field.map(|it| FieldProblems::from_problem(format!("{it}[{index}]"), message));
    Err(Error { fields: fields.unwrap_or_default(), ..Error::refused(message) })
}

/// Checks that the caller may change something that has these grants.
pub(super) fn check_may_change(caller: &Caller, grants: &[Grant], what: &str) -> Result<()> {
    let own = caller.grants().ok_or_else(Error::unauthenticated)?;
    own.check_delegation(grants).map_err(|_| {
        Error::refused(sentence!(
            "{what} has permissions that you do not have, so you cannot change this.",
            what,
        ))
    })
}

/// Checks that the caller may do everything that a user may, including on the user's own content:
/// setting a password allows taking the user's place.
pub(super) fn check_may_impersonate(caller: &Caller, account: &Account) -> Result<()> {
    let own = caller.grants().ok_or_else(Error::unauthenticated)?;
    own.check_impersonation(account.grants.list()).map_err(|_| {
        Error::refused(
            "This user has permissions that you do not have, so you cannot set their password.",
        )
    })
}

/// Checks that the caller may do everything that a token may, including on the token's own content:
/// its secret allows taking its place.
pub(super) fn check_may_hold(caller: &Caller, grants: &[Grant]) -> Result<()> {
    let own = caller.grants().ok_or_else(Error::unauthenticated)?;
    own.check_impersonation(grants).map_err(|_| {
        Error::refused(
            "This token has permissions that you do not have, so you cannot see its secret.",
        )
    })
}

/// Returns a user whom the caller may update or delete.
pub(super) fn find_changeable(
    installation: &Installation,
    caller: &Caller,
    id: &str,
) -> Result<Arc<Account>> {
    let account = installation.user(id).ok_or_else(|| Error::not_found("user", id))?;
    if !is_self(caller, account) {
        check_may_change(caller, account.grants.list(), "This user")?;
    }
    Ok(account.clone())
}

/// Returns true if the user is the caller.
pub(super) fn is_self(caller: &Caller, account: &Account) -> bool {
    caller.require_login().is_ok_and(|it| it.account.record.id == account.record.id)
}

/// Returns true if the user is the only administrator who can log in.
pub fn is_last_admin(installation: &Installation, account: &Account) -> bool {
    let is_admin =
        |it: &Account| it.record.role.as_str() == role::ADMIN && it.record.password.is_some();
    let other = |it: &&Arc<Account>| it.record.id != account.record.id && is_admin(it);
    account.record.role.as_str() == role::ADMIN && !installation.users().any(|it| other(&it))
}

/// Returns the resource of one user, as grants name it.
pub(super) fn user_resource(id: &str) -> Resource<'_> {
    Resource::One(Area::Users, id)
}
