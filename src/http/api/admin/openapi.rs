//! The route of `/admin/api/openapi.json`.

use bytes::Bytes;
use http::StatusCode;
use http::header;

use crate::app::error::Error;
use crate::app::error::Result;
use crate::http::api::admin::access::ANY;
use crate::http::openapi::admin;
use crate::http::request::call::Call;
use crate::http::request::endpoint::Endpoint;
use crate::http::request::endpoint::HandlerOutcome;
use crate::http::request::endpoint::get;
use crate::http::request::error::JSON;
use crate::http::request::route::ReplyKind;
use crate::http::request::route::RunMode;
use crate::http::wire::reply::Reply;

#[rustfmt::skip]
pub(super) fn list_endpoints() -> Vec<Endpoint> {
    vec![
        get("admin.openapi.show", "/admin/api/openapi.json", ANY, show_document)
            .gives(ReplyKind::OpenApi).runs_in(RunMode::Blocking).with_summary("Returns this API as an OpenAPI document."),
    ]
}

/// Shows the OpenAPI document of the admin API.
pub fn show_document(call: &Call) -> Result<HandlerOutcome> {
    let document = admin::build_document(&call.state.routes, call.app().engine.base_url());
    let body = serde_json::to_vec(&document).map_err(Error::internal)?;
    let reply = Reply::new(StatusCode::OK).with_header(header::CONTENT_TYPE, JSON);
    Ok(reply.with_body(Bytes::from(body)).into())
}
