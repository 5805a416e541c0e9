//! The route of `/admin/api/openapi.json`.

use crate::app::error::Error;
use crate::app::error::Result;
use crate::http::api::admin::access::ANY;
use crate::http::api::reply::reply_json;
use crate::http::openapi::admin;
use crate::http::request::call::Call;
use crate::http::request::endpoint::Endpoint;
use crate::http::request::endpoint::HandlerOutcome;
use crate::http::request::endpoint::get;
use crate::http::request::route::ReplyKind;
use crate::http::request::route::RunMode;

#[rustfmt::skip]
pub(super) fn list_endpoints() -> Vec<Endpoint> {
    vec![
        get("admin.openapi.show", "/admin/api/openapi.json", ANY, show_document)
            .gives(ReplyKind::OpenApi).runs_in(RunMode::Adaptive).with_summary("Returns this API as an OpenAPI document."),
    ]
}

/// Shows the OpenAPI document of the admin API.
pub fn show_document(call: &Call) -> Result<HandlerOutcome> {
    let base_url = call.app().engine.base_url();
    let texts = ["admin_openapi", base_url];
    let document = call.state.documents.get_or_build(&texts, &[], call.effort, || {
        let document = admin::build_document(&call.state.routes, base_url);
        serde_json::to_vec(&document).map_err(Error::internal)
    })?;
    let Some(document) = document else { return Ok(HandlerOutcome::NeedsLane) };
    Ok(reply_json(document.bytes).into())
}
