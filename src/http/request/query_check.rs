//! The refusal of requests with a parameter that would keep them from changing what is live, on a
//! route that does not know it: to ignore it would do what the client wants to avoid.

use crate::app::error::Error;
use crate::app::error::Result;
use crate::http::request::route::CHANGE_PARAM;
use crate::http::request::route::DRY_RUN_PARAM;
use crate::http::request::route::GUARD_PARAM;
use crate::http::request::route::Route;
use crate::model::problem::FieldProblems;
use crate::query::request::params::QueryParams;

/// The parameters that are not ignored, with the reason for which a request is refused.
const SAFEGUARDS: &[(&str, &str)] = &[
    (DRY_RUN_PARAM, "Nothing was done: this request has no dry run."),
    (GUARD_PARAM, "Nothing was done: this request has no guard."),
    (CHANGE_PARAM, "Nothing was done: this request always changes what is live."),
];

/// Checks that the route knows every safeguard that the request asks for, if it changes something.
pub(crate) fn check_safeguards(route: &Route, params: &QueryParams) -> Result<()> {
    if !route.is_mutation() {
        return Ok(());
    }
    let mut problems = FieldProblems::new();
    let unknown = SAFEGUARDS.iter().filter(|(name, _)| !route.knows_param(name));
    for (name, message) in unknown.filter(|(name, _)| asks_for(params, name)) {
        problems.add(*name, *message);
    }
    problems.into_result(()).map_err(Error::invalid)
}

/// Returns true if the parameter is given, but for a flag that says no.
fn asks_for(params: &QueryParams, name: &str) -> bool {
    match name {
        CHANGE_PARAM => params.get(name).is_some(),
        _ => {
            let mut problems = FieldProblems::new();
            params.parse_flag(name, &mut problems) || !problems.is_empty()
        }
    }
}
