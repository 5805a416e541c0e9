//! `/admin/api/openapi.json`

use bytes::Bytes;
use http::StatusCode;
use http::header;

use crate::app::error::Error;
use crate::app::error::Result;
use crate::http::admin::ANY;
use crate::http::call::Call;
use crate::http::error::JSON;
use crate::http::openapi;
use crate::http::reply::Reply;
use crate::http::route::Gives;
use crate::http::route::Outcome;
use crate::http::route::Route;
use crate::http::route::Run;
use crate::http::route::get;

#[rustfmt::skip]
pub(super) fn rows() -> Vec<Route> {
    vec![
        get("admin.openapi.show", "/admin/api/openapi.json", ANY, show)
            .gives(Gives::OpenApi).runs(Run::Blocking).about("This interface, as an OpenAPI document."),
    ]
}

/// The document of the admin API.
pub fn show(call: &Call) -> Result<Outcome> {
    let document = openapi::admin::document(call.app().engine.base_url());
    let body = serde_json::to_vec(&document).map_err(Error::internal)?;
    let reply = Reply::new(StatusCode::OK).with(header::CONTENT_TYPE, JSON);
    Ok(reply.with_body(Bytes::from(body)).into())
}
