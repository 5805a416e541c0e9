//! The route of `…/openapi.json`.

use bytes::Bytes;

use crate::app::content::content_types;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::http::api::reply::reply_json;
use crate::http::api::reply::with_etag;
use crate::http::openapi::profile::OpenApiProfile;
use crate::http::openapi::public;
use crate::http::request::call::Call;
use crate::http::request::endpoint::HandlerOutcome;
use crate::model::problem::FieldProblems;
use crate::query::request::params::QueryParams;
use crate::stdx::checksum::Checksum;

/// Shows the document for the types that the caller may know of.
pub fn show_document(call: &Call) -> Result<HandlerOutcome> {
    let snapshot = call.snapshot()?;
    let types = content_types::list(snapshot, &call.caller);
    let document = public::build_document(
        &call.state.routes,
        call.app().engine.base_url(),
        snapshot,
        &types,
        parse_profile(call)?,
    );
    let body = serde_json::to_vec(&document).map_err(Error::internal)?;
    let tag = Checksum::of_bytes(&body).to_string();
    Ok(with_etag(reply_json(Bytes::from(body)), &tag).into())
}

fn parse_profile(call: &Call) -> Result<OpenApiProfile> {
    let params = QueryParams::parse(call.query()).map_err(Error::bad_request)?;
    let Some(name) = params.get("profile") else { return Ok(OpenApiProfile::Full) };
    let invalid = || {
        let names = OpenApiProfile::NAMES.join("` or `");
        Error::invalid(FieldProblems::from_problem(
            "profile",
            format!("The profile must be `{names}`."),
        ))
    };
    OpenApiProfile::parse(name).ok_or_else(invalid)
}
