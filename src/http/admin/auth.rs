//! `/admin/api/setup`, `login`, `logout` and `me`.

use http::HeaderName;
use http::HeaderValue;
use http::header;

use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::sessions;
use crate::app::sessions::Begun;
use crate::app::sessions::Visit;
use crate::http::admin::ANY;
use crate::http::admin::created;
use crate::http::admin::done;
use crate::http::admin::envelope;
use crate::http::call::Call;
use crate::http::headers;
use crate::http::identify;
use crate::http::reply::Reply;
use crate::http::route::Access;
use crate::http::route::Body;
use crate::http::route::Gives;
use crate::http::route::Outcome;
use crate::http::route::Route;
use crate::http::route::Run;
use crate::http::route::Takes;
use crate::http::route::get;
use crate::http::route::post;

/// How large the body of whoever is not known yet may be.
const VISITOR_BYTES_MAX: u64 = 8 * 1024;
/// How much is looked at of what a browser calls itself.
const AGENT_BYTES_MAX: usize = 512;

const fn small(takes: &'static str) -> Body {
    Body::Json { bytes_max: VISITOR_BYTES_MAX, takes: Takes::Admin(takes) }
}

#[rustfmt::skip]
pub(super) fn rows() -> Vec<Route> {
    vec![
        Route { body: small("Setup"), ..post("admin.auth.setup", "/admin/api/setup", Access::Visitor, setup) }
            .creates(Gives::Admin("Me")).runs(Run::Door).about("Makes the first user, who may do everything, and logs them in."),
        Route { body: small("Login"), ..post("admin.auth.login", "/admin/api/login", Access::Visitor, log_in) }
            .gives(Gives::Admin("Me")).runs(Run::Door).about("Logs somebody in."),
        post("admin.auth.logout", "/admin/api/logout", ANY, log_out)
            .gives(Gives::Done).about("Ends the session."),
        get("admin.auth.me", "/admin/api/me", ANY, me)
            .gives(Gives::Admin("Me")).runs(Run::Blocking).about("Who is logged in, and what they may do."),
    ]
}

/// Makes the first user.
pub fn setup(call: &Call) -> Result<Outcome> {
    let begun = sessions::setup(call.app(), &visit(call), &call.json()?)?;
    Ok(created(welcomed(call, &begun)?).into())
}

/// Logs somebody in.
pub fn log_in(call: &Call) -> Result<Outcome> {
    let begun = sessions::log_in(call.app(), &visit(call), &call.json()?)?;
    Ok(welcomed(call, &begun)?.into())
}

/// Ends the session.
pub fn log_out(call: &Call) -> Result<Outcome> {
    sessions::log_out(call.app(), &call.caller, &visit(call))?;
    let gone = identify::set_cookie(&call.shared, call.client, None, None)?;
    Ok(done(call)?.with(header::SET_COOKIE, gone).into())
}

/// Who is logged in.
pub fn me(call: &Call) -> Result<Outcome> {
    Ok(envelope(call, sessions::me(call.app(), &call.caller)?)?.into())
}

/// The answer to whoever has just logged in, with their session.
fn welcomed(call: &Call, begun: &Begun) -> Result<Reply> {
    let secret = Some(&begun.secret);
    let cookie = identify::set_cookie(&call.shared, call.client, secret, begun.cookie_seconds)?;
    let me = sessions::me(call.app(), &begun.caller)?;
    let token = HeaderValue::try_from(begun.secret.csrf_token());
    let token = token.map_err(Error::internal)?;
    let name = HeaderName::from_static(identify::X_CSRF_TOKEN);
    Ok(envelope(call, me)?.with(header::SET_COOKIE, cookie).with(name, token))
}

fn visit(call: &Call) -> Visit {
    let (ip, options) = (call.client.ip, &call.shared.options);
    let agent = call.head.headers.get(header::USER_AGENT).map(|it| it.as_bytes());
    let agent = agent.unwrap_or_default();
    let agent = agent.get(..AGENT_BYTES_MAX).unwrap_or(agent);
    let local = headers::is_local(ip, &call.head.headers, &options.trusted_proxies);
    Visit {
        ip,
        block: headers::client_block(ip),
        agent: String::from_utf8_lossy(agent).into_owned(),
        request_id: call.request_id().to_string(),
        is_local: options.local_alone && local,
    }
}
