//! `/admin/api/setup`, `login`, `logout` and `me`.

use http::HeaderName;
use http::HeaderValue;
use http::header;

use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::people::sessions;
use crate::app::people::sessions::CurrentUser;
use crate::app::people::sessions::FirstUser;
use crate::app::people::sessions::LoginInput;
use crate::app::people::sessions::LoginOrigin;
use crate::app::people::sessions::StartedSession;
use crate::http::api::admin::access::ANY;
use crate::http::api::reply::mark_created;
use crate::http::api::reply::reply_data;
use crate::http::api::reply::reply_ok;
use crate::http::request::call::Call;
use crate::http::request::endpoint::Endpoint;
use crate::http::request::endpoint::HandlerOutcome;
use crate::http::request::endpoint::get;
use crate::http::request::endpoint::post;
use crate::http::request::identify;
use crate::http::request::route::Access;
use crate::http::request::route::JsonInputKind;
use crate::http::request::route::ReplyKind;
use crate::http::request::route::RunMode;
use crate::http::wire::headers;
use crate::http::wire::reply::Reply;

/// The largest request body of a caller who is not identified yet.
const VISITOR_BYTES_MAX: u64 = 8 * 1024;
/// The most bytes of the user agent that are read.
const AGENT_BYTES_MAX: usize = 512;

#[rustfmt::skip]
pub(super) fn list_endpoints() -> Vec<Endpoint> {
    vec![
        post("admin.auth.setup", "/admin/api/setup", Access::Visitor, create_first_user)
            .takes_json_within(JsonInputKind::of::<FirstUser>(), VISITOR_BYTES_MAX)
            .gives_created(ReplyKind::of::<CurrentUser>()).runs_in(RunMode::LoginGate).with_summary("Creates the first user, an administrator, and logs them in."),
        post("admin.auth.login", "/admin/api/login", Access::Visitor, log_in)
            .takes_json_within(JsonInputKind::of::<LoginInput<'static>>(), VISITOR_BYTES_MAX)
            .gives(ReplyKind::of::<CurrentUser>()).runs_in(RunMode::LoginGate).with_summary("Logs a user in."),
        post("admin.auth.proxy_login", "/admin/api/login/proxy", Access::Visitor, log_in_by_proxy)
            .gives(ReplyKind::of::<CurrentUser>()).with_summary("Logs in the user whom a trusted proxy names in a header."),
        post("admin.auth.logout", "/admin/api/logout", ANY, log_out)
            .gives(ReplyKind::Done).with_summary("Ends the session."),
        get("admin.auth.me", "/admin/api/me", ANY, show_me)
            .gives(ReplyKind::of::<CurrentUser>()).runs_in(RunMode::Blocking).with_summary("Returns the current user and their permissions."),
    ]
}

/// Creates the first user.
pub fn create_first_user(call: &Call) -> Result<HandlerOutcome> {
    let session = sessions::create_first_user(call.app(), &build_visit(call), &call.parse_json()?)?;
    Ok(mark_created(reply_logged_in(call, &session)?).into())
}

/// Logs a user in.
pub fn log_in(call: &Call) -> Result<HandlerOutcome> {
    let session = sessions::log_in(call.app(), &build_visit(call), &call.parse_json()?)?;
    Ok(reply_logged_in(call, &session)?.into())
}

/// Logs in the user whom the proxy names.
pub fn log_in_by_proxy(call: &Call) -> Result<HandlerOutcome> {
    let name = identify::find_proxied_name(&call.state, &call.head, call.client);
    let (Some(login), Some(name)) = (&call.state.options.proxy_login, name) else {
        return Err(Error::unauthenticated());
    };
    let session = sessions::log_in_by_proxy(call.app(), &build_visit(call), name, login.by)?;
    Ok(reply_logged_in(call, &session)?.into())
}

/// Ends the session.
pub fn log_out(call: &Call) -> Result<HandlerOutcome> {
    sessions::log_out(call.app(), &call.caller, &build_visit(call))?;
    let gone = identify::set_cookie(&call.state, call.client, None, None)?;
    Ok(reply_ok(call)?.with_header(header::SET_COOKIE, gone).into())
}

/// Shows the current user.
pub fn show_me(call: &Call) -> Result<HandlerOutcome> {
    Ok(reply_data(call, sessions::describe_caller(call.app(), &call.caller)?)?.into())
}

/// The answer to whoever has just logged in, with their session. The one that the request was sent
/// with ends.
fn reply_logged_in(call: &Call, begun: &StartedSession) -> Result<Reply> {
    if let Some(replaced) = identify::find_session_secret(&call.state, &call.head, call.client) {
        sessions::end_replaced(call.app(), &replaced);
    }
    let secret = Some(&begun.secret);
    let cookie = identify::set_cookie(&call.state, call.client, secret, begun.cookie_seconds)?;
    let me = sessions::describe_caller(call.app(), &begun.caller)?;
    let token = HeaderValue::try_from(begun.secret.csrf_token());
    let token = token.map_err(Error::internal)?;
    let name = HeaderName::from_static(identify::X_CSRF_TOKEN);
    Ok(reply_data(call, me)?.with_header(header::SET_COOKIE, cookie).with_header(name, token))
}

fn build_visit(call: &Call) -> LoginOrigin {
    let (ip, options) = (call.client.ip, &call.state.options);
    let agent = call.head.headers.get(header::USER_AGENT).map(|it| it.as_bytes());
    let agent = agent.unwrap_or_default();
    let agent = agent.get(..AGENT_BYTES_MAX).unwrap_or(agent);
    let local = headers::is_local(ip, &call.head.headers, &options.trusted_proxies);
    LoginOrigin {
        ip,
        block: headers::client_block(ip),
        agent: String::from_utf8_lossy(agent).into_owned(),
        request_id: call.request_id().to_string(),
        is_local: options.local_alone && local,
    }
}
