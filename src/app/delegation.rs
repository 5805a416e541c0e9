//! What people may do to each other: nobody hands out what they are not granted, and nobody changes
//! somebody who may do more.

use std::sync::Arc;

use crate::app::access::By;
use crate::app::access::Caller;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::engine::installation::Account;
use crate::engine::installation::Installation;
use crate::model::grant::Action;
use crate::model::grant::Area;
use crate::model::grant::Facts;
use crate::model::grant::Grant;
use crate::model::grant::Resource;
use crate::model::problem::FieldProblems;
use crate::model::role;

/// The caller with what they are granted at this moment, when they may take an action of an area:
/// on one thing of it, or on all. Asked again within every change, since what was granted when the
/// request came may be taken away by then.
pub(super) fn asker(
    installation: &Installation,
    by: &By,
    action: Action,
    on: &Resource<'_>,
) -> Result<Caller> {
    let caller = by.caller.as_of(installation)?;
    caller.may("", action, on, &Facts::default())?;
    Ok(caller)
}

/// Fails unless the caller may hand out these grants. `field` is where they came from, if a list of
/// them was sent.
pub(super) fn may_hand_out(caller: &Caller, grants: &[Grant], field: Option<&str>) -> Result<()> {
    let own = caller.grants().ok_or_else(Error::unauthenticated)?;
    let Err(index) = own.covers(grants) else { return Ok(()) };
    let message = "This would grant more than you are granted yourself.";
    let fields = field.map(|it| FieldProblems::one(format!("{it}[{index}]"), message));
    Err(Error { fields: fields.unwrap_or_default(), ..Error::refused(message) })
}

/// Fails unless the caller may change something that has these grants.
pub(super) fn may_change(caller: &Caller, grants: &[Grant], what: &str) -> Result<()> {
    let own = caller.grants().ok_or_else(Error::unauthenticated)?;
    own.covers(grants).map_err(|_| {
        Error::refused(format!(
            "{what} may do more than you: only whoever may do as much can change that."
        ))
    })
}

/// Fails unless the caller may do whatever somebody may, also to what is theirs: whoever sets a
/// password can take that person's place.
pub(super) fn may_stand_in_for(caller: &Caller, account: &Account) -> Result<()> {
    let own = caller.grants().ok_or_else(Error::unauthenticated)?;
    own.covers_in_person(account.grants.list()).map_err(|_| {
        Error::refused("This user may do things that you may not: you cannot set their password.")
    })
}

/// A user whom the caller may change, or remove.
pub(super) fn changeable(
    installation: &Installation,
    caller: &Caller,
    id: &str,
) -> Result<Arc<Account>> {
    let account = installation.user(id).ok_or_else(|| Error::not_found("user", id))?;
    if !is_self(caller, account) {
        may_change(caller, account.grants.list(), "This user")?;
    }
    Ok(account.clone())
}

/// Whether a user is the caller.
pub(super) fn is_self(caller: &Caller, account: &Account) -> bool {
    caller.login().is_ok_and(|it| it.account.record.id == account.record.id)
}

/// Whether nobody else can log in who may do everything.
pub(super) fn is_last_admin(installation: &Installation, account: &Account) -> bool {
    let is_admin =
        |it: &Account| it.record.role.as_str() == role::ADMIN && it.record.password.is_some();
    let other = |it: &&Arc<Account>| it.record.id != account.record.id && is_admin(it);
    account.record.role.as_str() == role::ADMIN && !installation.users().any(|it| other(&it))
}

/// One user of the installation, as grants name them.
pub(super) fn user(id: &str) -> Resource<'_> {
    Resource::One(Area::Users, id)
}
