//! The second factor of users: setting it up, its recovery codes, and removing it. A change of it
//! needs the password: a session left open is not enough.

use std::net::IpAddr;

use qrcode::Color;
use qrcode::EcLevel;
use qrcode::QrCode;
use schemars::JsonSchema;
use serde::Serialize;

use crate::app::App;
use crate::app::access::Caller;
use crate::app::access::Requester;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::people::delegation;
use crate::app::people::password_check::verify_password;
use crate::app::people::sessions;
use crate::app::people::users;
use crate::engine::staging::SystemStaging;
use crate::model::event::EventKind;
use crate::model::grant::Action;
use crate::model::grant::Permit;
use crate::model::input::ObjectReader;
use crate::model::people::second_factor::RECOVERY_BYTES;
use crate::model::people::second_factor::RECOVERY_CODES;
use crate::model::people::second_factor::RecoveryCode;
use crate::model::people::second_factor::SECRET_BYTES;
use crate::model::people::second_factor::SecondFactor;
use crate::model::people::second_factor::TotpSecret;
use crate::model::people::second_factor::TypedCode;
use crate::model::people::user::UserRecord;
use crate::stdx::json::Map;
use crate::stdx::time::Timestamp;
use crate::store::layout::Key;

/// The field of a body with the current password.
const PASSWORD: &str = "password";

/// The margin around a QR code, in modules, as its standard demands.
const QR_MARGIN: usize = 4;

/// The second factor of the caller.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "SecondFactor", description = "The second factor of the current user.")]
pub struct SecondFactorView {
    /// True if it is set up.
    enabled: bool,
    /// True if the role requires it.
    required: bool,
    /// The time when it was set up.
    created_at: Option<Timestamp>,
    /// The number of recovery codes that were not used.
    recovery_codes_left: usize,
}

/// A second factor to confirm.
#[derive(Serialize, JsonSchema)]
#[schemars(description = "A second factor to confirm with a code, within 15 minutes.")]
pub struct SecondFactorSetup {
    /// The secret in base32, to type into an authenticator app.
    secret: String,
    /// The same for apps, as an `otpauth:` address.
    uri: String,
    /// The address as a QR code: an SVG document.
    qr_svg: String,
}

/// New recovery codes.
#[derive(Serialize, JsonSchema)]
#[schemars(description = "New recovery codes. Only this answer shows them.")]
pub struct RecoveryCodes {
    /// The codes, each of which replaces the app once.
    recovery_codes: Vec<String>,
}

/// The body of a request that needs the current password.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "describes the body")]
pub struct PasswordProof {
    /// The current password.
    password: String,
}

/// The body of a request that confirms a second factor.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "describes the body")]
pub struct CodeInput {
    /// The code that the authenticator app shows.
    code: String,
}

/// Returns the second factor of the caller.
pub fn show(app: &App, caller: &Caller) -> Result<SecondFactorView> {
    let installation = app.engine.installation_arc();
    let account = &caller.with_current_grants(&installation)?;
    let account = &account.require_login()?.account;
    let factor = account.record.second_factor.as_ref();
    let role = installation.role(account.record.role.as_str());
    Ok(SecondFactorView {
        enabled: factor.is_some(),
        required: role.is_some_and(|it| it.requires_second_factor),
        created_at: factor.and_then(|it| it.created_at),
        recovery_codes_left: factor.map_or(0, |it| it.recovery_codes.len()),
    })
}

/// Begins to set up a second factor: `{password}`. The one there is stays until the new one is
/// confirmed.
pub fn begin(app: &App, caller: &Caller, body: &Map, block: IpAddr) -> Result<SecondFactorSetup> {
    let login = caller.require_login()?;
    let user = &login.account.record;
    check_password(app, user, body, block)?;
    let mut bytes = [0; SECRET_BYTES];
    getrandom::fill(&mut bytes).map_err(Error::internal)?;
    let secret = TotpSecret::new(bytes);
    let settings = app.settings();
    let uri = secret.to_uri(&settings.editable.site_name, &user.username);
    let setup = SecondFactorSetup { secret: secret.reveal(), qr_svg: render_qr(&uri)?, uri };
    app.code_checks.begin_setup(&user.id, &login.session, secret, app.engine.clock().now());
    Ok(setup)
}

/// Confirms the second factor that was begun, with a code of it: `{code}`. The caller's other
/// sessions end. Returns the recovery codes.
pub fn confirm(app: &App, by: &Requester, body: &Map) -> Result<RecoveryCodes> {
    let login = by.caller.require_login()?;
    let user = &login.account.record;
    let code = TypedCode::parse(ObjectReader::new(body).lenient_text("code"));
    let now = app.engine.clock().now();
    let (secret, last_step) =
        app.code_checks.confirm_setup(&user.id, &login.session, &code, now)?;
    let codes = generate_codes()?;
    let recovery_codes = codes.iter().map(RecoveryCode::fingerprint).collect();
    let factor = SecondFactor { secret, created_at: Some(now), last_step, recovery_codes };
    let next = UserRecord { second_factor: Some(factor.clone()), ..user.clone() };
    sessions::keep_own_session(app, login, &next, || {
        change_factor(app, by, EventKind::SecondFactorSet, |_| Ok(Some(factor.clone())))
    })?;
    app.code_checks.forget(&user.id);
    Ok(reveal_codes(&codes))
}

/// Replaces the recovery codes of the caller: `{password}`.
pub fn renew_codes(app: &App, by: &Requester, body: &Map, block: IpAddr) -> Result<RecoveryCodes> {
    let user = &by.caller.require_login()?.account.record;
    check_password(app, user, body, block)?;
    let codes = generate_codes()?;
    change_factor(app, by, EventKind::RecoveryCodesRenewed, |before| {
        let recovery_codes = codes.iter().map(RecoveryCode::fingerprint).collect();
        let before = before.ok_or_else(|| Error::conflict("There is no second factor."))?;
        Ok(Some(SecondFactor { recovery_codes, ..before }))
    })?;
    Ok(reveal_codes(&codes))
}

/// Removes the second factor of the caller: `{password}`. The caller's other sessions end.
pub fn remove(app: &App, by: &Requester, body: &Map, block: IpAddr) -> Result<()> {
    let login = by.caller.require_login()?;
    let user = &login.account.record;
    check_password(app, user, body, block)?;
    if show(app, &by.caller)?.required {
        return Err(Error::refused(
            "Your role requires a second factor. You can replace it, but not remove it.",
        ));
    }
    let next = UserRecord { second_factor: None, ..user.clone() };
    sessions::keep_own_session(app, login, &next, || {
        change_factor(app, by, EventKind::SecondFactorRemoved, |_| Ok(None))
    })?;
    app.code_checks.forget(&user.id);
    Ok(())
}

/// Removes the second factor of another user, who has lost it. Their sessions end. It takes as much
/// as setting their password.
pub fn reset(app: &App, by: &Requester, id: &str) -> Result<UserRecord> {
    let user = app.engine.commit_system(|staging: &mut SystemStaging<'_>| {
        let installation = staging.installation();
        let on = delegation::user_resource(id);
        let (caller, permit) =
            delegation::resolve_caller(installation, by, Action::UsersUpdate, &on)?;
        let account = delegation::find_changeable(installation, &caller, id)?;
        if delegation::is_self(&caller, &account) {
            let message = "Remove your own second factor in your profile, with your password.";
            return Err(Error::refused(message));
        }
        delegation::check_may_impersonate(&caller, &account)?;
        let mut next = account.record.clone();
        if next.second_factor.take().is_some() {
            next.updated_at = Some(staging.now());
            staging.write(&permit).write_record(&Key::User(next.id.clone()), &next.to_file())?;
            users::emit_event(staging, &permit, EventKind::SecondFactorRemoved, &next);
        }
        Ok(next)
    })?;
    app.code_checks.forget(&user.id);
    Ok(user)
}

/// Stores what becomes of the second factor of the caller.
fn change_factor(
    app: &App,
    by: &Requester,
    kind: EventKind,
    change: impl Fn(Option<SecondFactor>) -> Result<Option<SecondFactor>>,
) -> Result<()> {
    app.engine.commit_system(|staging: &mut SystemStaging<'_>| {
        let caller = by.caller.with_current_grants(staging.installation())?;
        let before = &caller.require_login()?.account.record;
        if before.password != by.caller.require_login()?.account.record.password {
            // Whoever changed the password meanwhile has ended this session.
            return Err(Error::unauthenticated());
        }
        let mut next = before.clone();
        next.second_factor = change(next.second_factor)?;
        next.updated_at = Some(staging.now());
        let permit = Permit::for_own_account(&by.actor);
        staging.write(&permit).write_record(&Key::User(next.id.clone()), &next.to_file())?;
        users::emit_event(staging, &permit, kind, &next);
        Ok(())
    })
}

fn check_password(app: &App, user: &UserRecord, body: &Map, block: IpAddr) -> Result<()> {
    let password = ObjectReader::new(body).lenient_text(PASSWORD);
    verify_password(app, user, PASSWORD, password, block).map(drop)
}

fn generate_codes() -> Result<Vec<RecoveryCode>> {
    let generate = || {
        let mut bytes = [0; RECOVERY_BYTES];
        getrandom::fill(&mut bytes).map_err(Error::internal)?;
        Ok(RecoveryCode::new(bytes))
    };
    std::iter::repeat_with(generate).take(RECOVERY_CODES).collect()
}

fn reveal_codes(codes: &[RecoveryCode]) -> RecoveryCodes {
    RecoveryCodes { recovery_codes: codes.iter().map(RecoveryCode::reveal).collect() }
}

/// Renders a QR code as an SVG document: one path, black on white whatever lies behind.
fn render_qr(text: &str) -> Result<String> {
    let code = QrCode::with_error_correction_level(text, EcLevel::M).map_err(Error::internal)?;
    let (width, modules) = (code.width(), code.to_colors());
    let mut path = String::new();
    for (y, row) in modules.chunks(width).enumerate() {
        let mut x = 0;
        for run in row.chunk_by(|a, b| a == b) {
            if run.first() == Some(&Color::Dark) {
                let (left, top, length) = (x + QR_MARGIN, y + QR_MARGIN, run.len());
                path.push_str(&format!("M{left} {top}h{length}v1h-{length}z"));
            }
            x += run.len();
        }
    }
    let side = width + 2 * QR_MARGIN;
    Ok(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {side} {side}\" \
         shape-rendering=\"crispEdges\"><path fill=\"#fff\" d=\"M0 0h{side}v{side}H0z\"/>\
         <path d=\"{path}\"/></svg>"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_qr_code_is_one_path_within_its_margin() {
        let svg = render_qr("otpauth://totp/x:y?secret=A").unwrap();
        assert!(svg.contains("viewBox=\"0 0 37 37\"") && svg.contains("M4 4h7v1h-7z"), "{svg}");
    }
}
