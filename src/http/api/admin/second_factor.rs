//! The routes of `/admin/api/profile/second-factor` and below. They need no permission: a role may
//! require a second factor of users who may do nothing else.

use crate::app::error::Result;
use crate::app::people::second_factor;
use crate::app::people::second_factor::CodeInput;
use crate::app::people::second_factor::PasswordProof;
use crate::app::people::second_factor::RecoveryCodes;
use crate::app::people::second_factor::SecondFactorSetup;
use crate::app::people::second_factor::SecondFactorView;
use crate::http::api::admin::access::ANY;
use crate::http::api::reply::reply_data;
use crate::http::api::reply::reply_ok;
use crate::http::request::call::Call;
use crate::http::request::endpoint::Endpoint;
use crate::http::request::endpoint::HandlerOutcome;
use crate::http::request::endpoint::get;
use crate::http::request::endpoint::post;
use crate::http::request::route::JsonInputKind;
use crate::http::request::route::ReplyKind;
use crate::http::request::route::RunMode;
use crate::http::wire::headers;

/// The largest request body.
const BODY_BYTES_MAX: u64 = 8 * 1024;

#[rustfmt::skip]
pub(super) fn list_endpoints() -> Vec<Endpoint> {
    let password = JsonInputKind::of::<PasswordProof>();
    vec![
        get("admin.second_factor.show", "/admin/api/profile/second-factor", ANY, show_second_factor)
            .gives(ReplyKind::of::<SecondFactorView>()).with_summary("Returns the state of the current user's second factor."),
        post("admin.second_factor.begin", "/admin/api/profile/second-factor", ANY, begin_setup)
            .takes_json_within(password, BODY_BYTES_MAX).runs_in(RunMode::LoginGate).gives(ReplyKind::of::<SecondFactorSetup>())
            .with_summary("Begins to set up a second factor. It counts once it is confirmed."),
        post("admin.second_factor.confirm", "/admin/api/profile/second-factor/confirm", ANY, confirm_setup)
            .takes_json_within(JsonInputKind::of::<CodeInput>(), BODY_BYTES_MAX).gives(ReplyKind::of::<RecoveryCodes>())
            .with_summary("Confirms the second factor with a code. Returns the recovery codes."),
        post("admin.second_factor.renew_codes", "/admin/api/profile/second-factor/recovery-codes", ANY, renew_codes)
            .takes_json_within(password, BODY_BYTES_MAX).runs_in(RunMode::LoginGate).gives(ReplyKind::of::<RecoveryCodes>())
            .with_summary("Replaces the recovery codes."),
        post("admin.second_factor.remove", "/admin/api/profile/second-factor/remove", ANY, remove_second_factor)
            .takes_json_within(password, BODY_BYTES_MAX).runs_in(RunMode::LoginGate).gives(ReplyKind::Done)
            .with_summary("Removes the current user's second factor."),
    ]
}

/// Shows the caller's second factor.
pub fn show_second_factor(call: &Call) -> Result<HandlerOutcome> {
    Ok(reply_data(call, second_factor::show(call.app(), &call.caller)?)?.into())
}

/// Begins to set up a second factor.
pub fn begin_setup(call: &Call) -> Result<HandlerOutcome> {
    let (body, block) = (call.parse_json()?, headers::client_block(call.client.ip));
    Ok(reply_data(call, second_factor::begin(call.app(), &call.caller, &body, block)?)?.into())
}

/// Confirms the second factor.
pub fn confirm_setup(call: &Call) -> Result<HandlerOutcome> {
    let codes = second_factor::confirm(call.app(), &call.requester(), &call.parse_json()?)?;
    Ok(reply_data(call, codes)?.into())
}

/// Replaces the recovery codes.
pub fn renew_codes(call: &Call) -> Result<HandlerOutcome> {
    let (body, block) = (call.parse_json()?, headers::client_block(call.client.ip));
    let codes = second_factor::renew_codes(call.app(), &call.requester(), &body, block)?;
    Ok(reply_data(call, codes)?.into())
}

/// Removes the second factor.
pub fn remove_second_factor(call: &Call) -> Result<HandlerOutcome> {
    let (body, block) = (call.parse_json()?, headers::client_block(call.client.ip));
    second_factor::remove(call.app(), &call.requester(), &body, block)?;
    Ok(reply_ok(call)?.into())
}
