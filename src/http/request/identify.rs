//! The authentication of requests: by token or by session, and the check that a session request
//! comes from a page of the interface.

use http::HeaderName;
use http::HeaderValue;
use http::header;
use http::request::Parts;

use crate::app::access::Caller;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::people::sessions::ProxyMatch;
use crate::app::people::sessions::find_proxied_user;
use crate::http::request::route::Access;
use crate::http::request::route::Route;
use crate::http::request::state::ServerState;
use crate::http::wire::headers;
use crate::http::wire::headers::Client;
use crate::http::wire::headers::SentFields;
use crate::model::people::session::SessionRecord;
use crate::model::people::session::SessionSecret;

/// The scheme of credentials, before the token.
const BEARER: &[u8] = b"Bearer ";

/// The header that pages must send with every change.
pub(crate) const X_CSRF_TOKEN: &str = "x-csrf-token";

/// The name of the session cookie over TLS. With this prefix, only this exact host can set it.
const SECURE_COOKIE: &str = "__Host-recto_session";
const COOKIE: &str = "recto_session";

/// The header in which browsers say which page sends a request.
const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// The time in seconds for which a session that a proxy began opens files after a request in which
/// the proxy named its user.
const FILE_SECONDS: i64 = 15 * 60;

const OTHER_SITE: &str = "This request comes from a page of another site.";

/// Identifies the caller. A credential that is present must be valid.
pub(crate) fn identify_caller(
    state: &ServerState,
    route: &Route,
    head: &Parts,
    sent: SentFields,
    client: Client,
) -> Result<Caller> {
    match route.access {
        Access::Monitor => Ok(Caller::Anonymous),
        Access::Visitor => {
            check_page(state, head)?;
            Ok(Caller::Anonymous)
        }
        Access::Session { .. } => check_session(state, route, head, client),
        Access::Open | Access::Guest { .. } | Access::Token { .. } => {
            check_token(state, route, head, sent, client)
        }
        Access::AnyToken => {
            check_origin(state, head)?;
            check_token(state, route, head, sent, client)
        }
        Access::Operator => {
            let caller = check_token(state, route, head, sent, client)?;
            let trusted = &state.options.trusted_proxies;
            let local = headers::is_local(client.ip, &head.headers, trusted);
            if caller.is_anonymous() && !local && !state.options.metrics_public {
                return Err(Error::unauthorized("This request needs a token."));
            }
            Ok(caller)
        }
    }
}

/// The holder of the token; for files, which pages of the interface show, whoever is logged in.
fn check_token(
    state: &ServerState,
    route: &Route,
    head: &Parts,
    sent: SentFields,
    client: Client,
) -> Result<Caller> {
    if !sent.credential {
        // A session that has ended must not hide what everybody may see.
        let user = if route.is_file() { find_by_cookie(state, route, head, client) } else { None };
        let user = user.filter(|it| !lacks_second_factor(it));
        return Ok(user.unwrap_or_default());
    }
    let mut credentials = head.headers.get_all(header::AUTHORIZATION).iter();
    let (Some(value), None) = (credentials.next(), credentials.next()) else {
        // Guessing which of two counts is unsafe: a proxy may have checked the other one.
        return Err(Error::unauthorized("There is more than one credential."));
    };
    let token = parse_bearer(value.as_bytes());
    let token = token.ok_or_else(|| Error::unauthorized("A bearer token is required."))?;
    Caller::from_token(&state.app.engine, token)
}

fn parse_bearer(value: &[u8]) -> Option<&[u8]> {
    let (scheme, token) = value.split_at_checked(BEARER.len())?;
    scheme.eq_ignore_ascii_case(BEARER).then(|| token.trim_ascii())
}

/// Returns the user who is logged in. A change must come from a page of the interface.
fn check_session(
    state: &ServerState,
    route: &Route,
    head: &Parts,
    client: Client,
) -> Result<Caller> {
    if state.app.engine.installation().is_empty() {
        return Err(Error::not_set_up());
    }
    let caller = find_by_cookie(state, route, head, client).ok_or_else(Error::unauthenticated)?;
    if !head.method.is_safe() {
        check_page(state, head)?;
        let sent = head.headers.get(X_CSRF_TOKEN).and_then(|it| it.to_str().ok());
        if sent != Some(caller.require_login()?.csrf_token.as_str()) {
            return Err(Error::csrf_mismatch());
        }
    }
    if lacks_second_factor(&caller) && !SETUP_ROUTES.contains(&route.name) {
        return Err(Error::second_factor_missing());
    }
    Ok(caller)
}

/// The routes for users whose role requires a second factor, before they have one.
const SETUP_ROUTES: [&str; 5] = [
    "admin.auth.me",
    "admin.auth.logout",
    "admin.second_factor.show",
    "admin.second_factor.begin",
    "admin.second_factor.confirm",
];

fn lacks_second_factor(caller: &Caller) -> bool {
    caller.require_login().is_ok_and(|it| it.must_set_up_second_factor())
}

/// Returns the user of the session that the cookie names. The session is used only by requests that
/// fit the proxy, so its last use is the time at which the proxy last named the user.
fn find_by_cookie(
    state: &ServerState,
    route: &Route,
    head: &Parts,
    client: Client,
) -> Option<Caller> {
    let secret = find_session_secret(state, head, client)?;
    let caller = Caller::from_session(&state.app.engine, &secret)?;
    if fits_proxy(state, head, client, &caller) {
        let now = state.app.engine.clock().now();
        state.app.engine.records().sessions().touch_session(&secret.key(), now);
        return Some(caller);
    }
    let opens = route.is_file() && opens_files(state, head, client, &caller);
    opens.then_some(caller)
}

/// Returns the secret in the session cookie, whether or not there is such a session.
pub(crate) fn find_session_secret(
    state: &ServerState,
    head: &Parts,
    client: Client,
) -> Option<SessionSecret> {
    SessionSecret::parse(find_cookie(head, cookie_name(state, client))?)
}

/// Returns true if a session fits what the proxy says. A session that the proxy began counts only
/// while it names the same user; in any other, it must not name somebody else: another person may
/// use the browser by now.
fn fits_proxy(state: &ServerState, head: &Parts, client: Client, caller: &Caller) -> bool {
    let Ok(login) = caller.require_login() else { return false };
    let installation = state.app.engine.installation();
    let by = state.options.proxy_login.as_ref().map_or(ProxyMatch::Username, |it| it.by);
    match find_proxied_name(state, head, client) {
        None => !login.by_proxy,
        Some(name) => find_proxied_user(&installation, name, by)
            .is_some_and(|it| it.record.id == login.account.record.id),
    }
}

/// Returns true if a session that the proxy began opens a file though the proxy names nobody. Many
/// proxies pass on files without asking who it is, because most are public. The proxy must have
/// named the user a short time ago, so logging out there ends this, too.
fn opens_files(state: &ServerState, head: &Parts, client: Client, caller: &Caller) -> bool {
    let Ok(login) = caller.require_login() else { return false };
    let proxy_login = state.options.proxy_login.as_ref().filter(|_| client.is_proxied);
    let Some(proxy_login) = proxy_login.filter(|_| login.by_proxy) else { return false };
    let names_nobody = head.headers.get_all(&proxy_login.header).iter().all(HeaderValue::is_empty);
    let now = state.app.engine.clock().now();
    let record = state.app.engine.records().sessions().peek_session(&login.session, now);
    let is_fresh = |it: SessionRecord| now.seconds() < it.used_at.seconds() + FILE_SECONDS;
    names_nobody && record.is_some_and(is_fresh)
}

/// Returns the user whom the proxy names, if it is a trusted one. Anybody else could send the
/// header, too. Two lines of it, or an empty one, name nobody.
pub(crate) fn find_proxied_name<'h>(
    state: &ServerState,
    head: &'h Parts,
    client: Client,
) -> Option<&'h str> {
    let login = state.options.proxy_login.as_ref().filter(|_| client.is_proxied)?;
    let mut lines = head.headers.get_all(&login.header).iter();
    let (Some(line), None) = (lines.next(), lines.next()) else { return None };
    // Some proxies send names in UTF-8.
    let name = std::str::from_utf8(line.as_bytes()).ok()?.trim();
    (!name.is_empty()).then_some(name)
}

/// Returns the value of a cookie. Returns `None` if there are two of this name, because one may be
/// forged.
fn find_cookie<'h>(head: &'h Parts, name: &str) -> Option<&'h str> {
    let lines = head.headers.get_all(header::COOKIE).iter().filter_map(|it| it.to_str().ok());
    let pairs = lines.flat_map(|it| it.split(';')).filter_map(|it| it.trim().split_once('='));
    let mut found = pairs.filter(|(it, _)| *it == name).map(|(_, value)| value);
    let value = found.next()?;
    found.next().is_none().then_some(value)
}

fn cookie_name(state: &ServerState, client: Client) -> &'static str {
    if is_https(state, client) { SECURE_COOKIE } else { COOKIE }
}

fn is_https(state: &ServerState, client: Client) -> bool {
    client.https || state.app.engine.base_url().starts_with("https:")
}

/// Builds the header that sets the session cookie for a number of seconds, or removes it.
pub(crate) fn set_cookie(
    state: &ServerState,
    client: Client,
    secret: Option<&SessionSecret>,
    seconds: Option<i64>,
) -> Result<HeaderValue> {
    let name = cookie_name(state, client);
    let value = secret.map(SessionSecret::reveal).unwrap_or_default();
    let secure = if is_https(state, client) { "; Secure" } else { "" };
    let age = match (secret, seconds) {
        (None, _) => "; Max-Age=0".to_string(),
        (Some(_), Some(seconds)) => format!("; Max-Age={seconds}"),
        (Some(_), None) => String::new(),
    };
    let text = format!("{name}={value}; Path=/; HttpOnly; SameSite=Lax{secure}{age}");
    let mut header = HeaderValue::try_from(text).map_err(Error::internal)?;
    header.set_sensitive(true);
    Ok(header)
}

/// Returns the value of a header. Two lines of it are refused: which of them counts is a guess.
fn find_single<'h>(head: &'h Parts, name: &HeaderName) -> Result<Option<&'h HeaderValue>> {
    let mut lines = head.headers.get_all(name).iter();
    match (lines.next(), lines.next()) {
        (first, None) => Ok(first),
        (_, Some(_)) => Err(Error::refused(OTHER_SITE)),
    }
}

/// Checks that no page of a foreign site asks. The `Host` proves nothing here: the name of such a
/// site may lead to this machine.
fn check_origin(state: &ServerState, head: &Parts) -> Result<()> {
    let Some(origin) = find_single(head, &header::ORIGIN)? else { return Ok(()) };
    let base = state.app.engine.base_url();
    let own = base.split('/').take(3).collect::<Vec<_>>().join("/");
    let settings = state.app.settings();
    let mut known = settings.editable.cors_origins.iter().chain([&own]);
    let is_known = known.any(|it| it.as_bytes() == origin.as_bytes());
    if is_known { Ok(()) } else { Err(Error::refused(OTHER_SITE)) }
}

/// Checks that a page of the interface asks, or no page at all: browsers tell where a request comes
/// from.
fn check_page(state: &ServerState, head: &Parts) -> Result<()> {
    let refused = || Error::refused(OTHER_SITE);
    // Both are looked at, so that none of them is there twice.
    let (site, origin) = (find_single(head, &SEC_FETCH_SITE)?, find_single(head, &header::ORIGIN)?);
    if let Some(site) = site {
        let ours = site == "same-origin" || site == "none";
        return if ours { Ok(()) } else { Err(refused()) };
    }
    let Some(origin) = origin else { return Ok(()) };
    let origin =
        origin.to_str().ok().and_then(|it| it.split_once("://")).map(|(_, authority)| authority);
    let host = head.headers.get(header::HOST).and_then(|it| it.to_str().ok());
    let base = state.app.engine.base_url().split_once("://").map(|(_, rest)| rest);
    let base = base.map(|it| it.split('/').next().unwrap_or(it));
    let ours = origin.is_some() && (origin == host || origin == base);
    if ours { Ok(()) } else { Err(refused()) }
}
