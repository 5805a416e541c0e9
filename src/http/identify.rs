//! Who asks: the token or the session of a request, and whether a page of the interface asks.

use http::HeaderValue;
use http::header;
use http::request::Parts;

use crate::app::access::Caller;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::http::headers;
use crate::http::headers::Client;
use crate::http::route::Access;
use crate::http::route::Route;
use crate::http::service::Shared;
use crate::model::session::SessionSecret;

/// What a page sends with everything that changes something.
pub(super) const X_CSRF_TOKEN: &str = "x-csrf-token";

/// The name of the cookie: the first one cannot be set by anybody but this very host over TLS.
const SECURE_COOKIE: &str = "__Host-recto_session";
const COOKIE: &str = "recto_session";

/// Who asks. A credential that is present must count.
pub(super) fn identified(
    shared: &Shared,
    route: &Route,
    head: &Parts,
    client: Client,
) -> Result<Caller> {
    match route.access {
        Access::Monitor => Ok(Caller::Anonymous),
        Access::Visitor => {
            check_page(shared, head)?;
            Ok(Caller::Anonymous)
        }
        Access::Session { .. } => logged_in(shared, head, client),
        Access::Open | Access::Guest { .. } | Access::Token { .. } => {
            with_token(shared, route, head, client)
        }
        Access::Operator => {
            let caller = with_token(shared, route, head, client)?;
            let trusted = &shared.options.trusted_proxies;
            let local = headers::is_local(client.ip, &head.headers, trusted);
            if caller.is_anonymous() && !local && !shared.options.metrics_public {
                return Err(Error::unauthorized("This needs a token."));
            }
            Ok(caller)
        }
    }
}

/// The holder of the token; for files, which pages of the interface show, whoever is logged in.
fn with_token(shared: &Shared, route: &Route, head: &Parts, client: Client) -> Result<Caller> {
    let mut credentials = head.headers.get_all(header::AUTHORIZATION).iter();
    match (credentials.next(), credentials.next()) {
        // A session that has ended must not hide what everybody may see.
        (None, _) if route.is_file() => Ok(by_cookie(shared, head, client).unwrap_or_default()),
        (None, _) => Ok(Caller::Anonymous),
        (Some(value), None) => {
            let token = value.to_str().ok().and_then(bearer);
            let token = token.ok_or_else(|| Error::unauthorized("A bearer token is needed."))?;
            Caller::of_token(&shared.app.engine, token)
        }
        // Which of two counts is nothing to guess about: a proxy may have checked the other one.
        _ => Err(Error::unauthorized("There is more than one credential.")),
    }
}

fn bearer(value: &str) -> Option<&str> {
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// Whoever is logged in, and for changes: from a page of the interface.
fn logged_in(shared: &Shared, head: &Parts, client: Client) -> Result<Caller> {
    if shared.app.engine.installation().is_empty() {
        return Err(Error::not_set_up());
    }
    let caller = by_cookie(shared, head, client).ok_or_else(Error::unauthenticated)?;
    if !head.method.is_safe() {
        check_page(shared, head)?;
        let sent = head.headers.get(X_CSRF_TOKEN).and_then(|it| it.to_str().ok());
        if sent != Some(caller.login()?.csrf_token.as_str()) {
            return Err(Error::csrf_mismatch());
        }
    }
    Ok(caller)
}

fn by_cookie(shared: &Shared, head: &Parts, client: Client) -> Option<Caller> {
    let name = cookie_name(shared, client);
    let secret = SessionSecret::parse(cookie(head, name)?)?;
    Caller::of_session(&shared.app.engine, &secret)
}

/// The value of the one cookie of this name. Of two, one is somebody else's.
fn cookie<'h>(head: &'h Parts, name: &str) -> Option<&'h str> {
    let lines = head.headers.get_all(header::COOKIE).iter().filter_map(|it| it.to_str().ok());
    let pairs = lines.flat_map(|it| it.split(';')).filter_map(|it| it.trim().split_once('='));
    let mut found = pairs.filter(|(it, _)| *it == name).map(|(_, value)| value);
    let value = found.next()?;
    found.next().is_none().then_some(value)
}

fn cookie_name(shared: &Shared, client: Client) -> &'static str {
    if is_https(shared, client) { SECURE_COOKIE } else { COOKIE }
}

fn is_https(shared: &Shared, client: Client) -> bool {
    client.https || shared.app.engine.base_url().starts_with("https:")
}

/// The header that gives a browser its session, for so many seconds; or that takes it away.
pub(super) fn set_cookie(
    shared: &Shared,
    client: Client,
    secret: Option<&SessionSecret>,
    seconds: Option<i64>,
) -> Result<HeaderValue> {
    let name = cookie_name(shared, client);
    let value = secret.map(SessionSecret::reveal).unwrap_or_default();
    let secure = if is_https(shared, client) { "; Secure" } else { "" };
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

/// Whether a page of the interface, or no page at all, asks: browsers say where a request comes
/// from.
fn check_page(shared: &Shared, head: &Parts) -> Result<()> {
    let text = |name: header::HeaderName| head.headers.get(name).map(|it| it.to_str());
    let refused = || Error::refused("This request comes from a page of another site.");
    if let Some(site) = head.headers.get("sec-fetch-site") {
        let ours = site == "same-origin" || site == "none";
        return if ours { Ok(()) } else { Err(refused()) };
    }
    let Some(origin) = text(header::ORIGIN) else { return Ok(()) };
    let origin = origin.ok().and_then(|it| it.split_once("://")).map(|(_, authority)| authority);
    let host = text(header::HOST).and_then(std::result::Result::ok);
    let base = shared.app.engine.base_url().split_once("://").map(|(_, rest)| rest);
    let base = base.map(|it| it.split('/').next().unwrap_or(it));
    let ours = origin.is_some() && (origin == host || origin == base);
    if ours { Ok(()) } else { Err(refused()) }
}
