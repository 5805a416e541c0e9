//! `GET …/openapi.json`

use bytes::Bytes;

use crate::app::content_types;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::http::call::Call;
use crate::http::openapi;
use crate::http::openapi::Profile;
use crate::http::public::json_reply;
use crate::http::public::tagged;
use crate::http::route::Outcome;
use crate::model::problem::FieldProblems;
use crate::query::params::Params;
use crate::stdx::sum::Sum;

/// The document for the types that exist for the caller.
pub fn show(call: &Call) -> Result<Outcome> {
    let snapshot = call.snapshot()?;
    let types = content_types::list(snapshot, &call.caller);
    let document =
        openapi::document(call.app().engine.base_url(), snapshot, &types, profile(call)?);
    let body = serde_json::to_vec(&document).map_err(Error::internal)?;
    let tag = Sum::of(&body).to_string();
    Ok(tagged(json_reply(Bytes::from(body)), &tag).into())
}

fn profile(call: &Call) -> Result<Profile> {
    let params = Params::parse(call.query()).map_err(Error::bad_request)?;
    let Some(name) = params.get("profile") else { return Ok(Profile::Full) };
    let invalid = || {
        let names = Profile::NAMES.join("` or `");
        Error::invalid(FieldProblems::one("profile", format!("A profile is `{names}`.")))
    };
    Profile::parse(name).ok_or_else(invalid)
}
