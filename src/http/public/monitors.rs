//! What load balancers, monitors and lost people ask for.

use http::HeaderValue;
use http::StatusCode;
use http::header;

use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::health;
use crate::http::call::Call;
use crate::http::error::JSON;
use crate::http::headers;
use crate::http::reply::Reply;
use crate::http::route::Outcome;

/// The process is up.
pub fn healthz(_: &Call) -> Result<Outcome> {
    Ok(uncached(plain(StatusCode::OK, "ok\n".to_string())).into())
}

/// Whether requests should be sent here. Callers on the machine itself also learn what is wrong in
/// the data folder.
pub fn readyz(call: &Call) -> Result<Outcome> {
    let local =
        headers::is_local(call.client.ip, &call.head.headers, &call.shared.options.trusted_proxies);
    let readiness = health::readiness(call.app(), local);
    let status = if readiness.ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    let json = serde_json::to_vec(&readiness).map_err(Error::internal)?;
    Ok(uncached(Reply::new(status).with(header::CONTENT_TYPE, JSON).with_body(json)).into())
}

/// Counters, durations and how things stand.
pub fn metrics(call: &Call) -> Result<Outcome> {
    let text = call.shared.metrics.text(&call.shared).map_err(Error::internal)?;
    let mut reply = plain(StatusCode::OK, text);
    let kind =
        HeaderValue::from_static("application/openmetrics-text; version=1.0.0; charset=utf-8");
    reply.set(header::CONTENT_TYPE, kind);
    Ok(uncached(reply).into())
}

/// Leads to the interface.
pub fn root(call: &Call) -> Result<Outcome> {
    let base = call.shared.options.base_path.trim_end_matches('/');
    let target = HeaderValue::try_from(format!("{base}/admin/")).map_err(Error::internal)?;
    Ok(Reply::new(StatusCode::FOUND).with(header::LOCATION, target).into())
}

fn plain(status: StatusCode, text: String) -> Reply {
    let kind = HeaderValue::from_static("text/plain; charset=utf-8");
    Reply::new(status).with(header::CONTENT_TYPE, kind).with_body(text)
}

fn uncached(reply: Reply) -> Reply {
    reply.with(header::CACHE_CONTROL, HeaderValue::from_static("no-store"))
}
