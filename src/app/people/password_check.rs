//! The check of the password that a user has, before it is changed.

use std::net::IpAddr;

use crate::app::App;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::people::passwords;
use crate::app::people::passwords::PasswordVerdict;
use crate::model::people::user::PasswordHash;
use crate::model::people::user::UserRecord;

/// Checks that a password is that of a user who changes something that needs it, and returns its
/// hash: a session left open is not enough. Guesses count like those at login. `field` is the part
/// of the body with the password.
pub(super) fn verify_password(
    app: &App,
    user: &UserRecord,
    field: &str,
    password: &str,
    block: IpAddr,
) -> Result<PasswordHash> {
    let wrong = || Error::invalid_password(field);
    let kept = user.password.clone().ok_or_else(wrong)?;
    if password.is_empty() || password.len() > passwords::PASSWORD_BYTES_MAX {
        return Err(wrong());
    }
    let name = user.login_name();
    let attempt = app.throttle.begin_attempt(&name, block, app.engine.clock().now())?;
    let verdict = match app.passwords.verify(password, Some(&kept)) {
        Ok(verdict) => verdict,
        Err(error) => {
            app.throttle.withdraw_attempt(attempt);
            return Err(error);
        }
    };
    if verdict == PasswordVerdict::Wrong {
        return Err(wrong());
    }
    app.throttle.record_success(&name, block);
    Ok(kept)
}
