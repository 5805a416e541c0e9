//! The route of `…/openapi.json`.

use crate::app::content::content_types;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::http::api::reply::reply_json;
use crate::http::api::reply::with_sum_tag;
use crate::http::openapi::profile::OpenApiProfile;
use crate::http::openapi::public;
use crate::http::request::call::Call;
use crate::http::request::endpoint::HandlerOutcome;
use crate::model::problem::FieldProblems;

/// Shows the document for the types that the caller may know of.
pub fn show_document(call: &Call) -> Result<HandlerOutcome> {
    let snapshot = call.snapshot()?;
    let types = content_types::list(snapshot, &call.caller);
    let profile = parse_profile(call)?;
    let base_url = call.app().engine.base_url();
    let texts = ["openapi", profile.name(), base_url, &snapshot.workspace, &snapshot.meta.label];
    let document = call.state.documents.get_or_build(&texts, &types, call.effort, || {
        let routes = &call.state.routes;
        let document = public::build_document(routes, base_url, snapshot, &types, profile);
        serde_json::to_vec(&document).map_err(Error::internal)
    })?;
    let Some(document) = document else { return Ok(HandlerOutcome::NeedsLane) };
    Ok(with_sum_tag(reply_json(document.bytes), document.sum).into())
}

fn parse_profile(call: &Call) -> Result<OpenApiProfile> {
    let params = call.parse_query()?;
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
