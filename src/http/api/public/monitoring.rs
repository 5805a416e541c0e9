//! The routes for load balancers and monitors, and the redirect of the root.

use http::HeaderValue;
use http::StatusCode;
use http::header;

use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::system::health;
use crate::http::api::public::metrics_text;
use crate::http::request::call::Call;
use crate::http::request::endpoint::HandlerOutcome;
use crate::http::request::error::JSON;
use crate::http::wire::headers;
use crate::http::wire::reply::Reply;

/// Reports that the process is up.
pub fn healthz(_: &Call) -> Result<HandlerOutcome> {
    Ok(forbid_caching(reply_text(StatusCode::OK, "ok\n".to_string())).into())
}

/// Reports whether requests should be sent to this server. Callers on the machine itself also get
/// the problems of the data folder, and the numbers of workspaces and entries.
pub fn readyz(call: &Call) -> Result<HandlerOutcome> {
    let local =
        headers::is_local(call.client.ip, &call.head.headers, &call.state.options.trusted_proxies);
    let readiness = health::check_readiness(call.app(), local);
    let status = if readiness.ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    let json = serde_json::to_vec(&readiness).map_err(Error::internal)?;
    Ok(forbid_caching(Reply::new(status).with_header(header::CONTENT_TYPE, JSON).with_body(json))
        .into())
}

/// Shows the metrics.
pub fn show_metrics(call: &Call) -> Result<HandlerOutcome> {
    let text = metrics_text::render_text(&call.state).map_err(Error::internal)?;
    let mut reply = reply_text(StatusCode::OK, text);
    let kind =
        HeaderValue::from_static("application/openmetrics-text; version=1.0.0; charset=utf-8");
    reply.set_header(header::CONTENT_TYPE, kind);
    Ok(forbid_caching(reply).into())
}

/// Redirects to the interface.
pub fn redirect_root(call: &Call) -> Result<HandlerOutcome> {
    let base = call.state.options.base_path.trim_end_matches('/');
    let target = HeaderValue::try_from(format!("{base}/admin/")).map_err(Error::internal)?;
    Ok(Reply::new(StatusCode::FOUND).with_header(header::LOCATION, target).into())
}

fn reply_text(status: StatusCode, text: String) -> Reply {
    let kind = HeaderValue::from_static("text/plain; charset=utf-8");
    Reply::new(status).with_header(header::CONTENT_TYPE, kind).with_body(text)
}

fn forbid_caching(reply: Reply) -> Reply {
    reply.with_header(header::CACHE_CONTROL, HeaderValue::from_static("no-store"))
}
