//! Timestamps in the records of the installation (users, roles, tokens).

use crate::model::problem::FieldProblems;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::time::Timestamp;

/// Parses an optional time; an invalid one is reported as a problem.
pub(super) fn parse_time(
    object: &Map,
    key: &str,
    problems: &mut FieldProblems,
) -> Option<Timestamp> {
    let value = object.get(key).filter(|value| **value != Json::Null)?;
    let time = value.as_str().and_then(Timestamp::parse);
    if time.is_none() {
        problems.add(key, "This is not a date and time.");
    }
    time
}

/// Returns the JSON of a time as stored in files.
pub(super) fn time_to_json(time: Option<Timestamp>) -> Json {
    time.map_or(Json::Null, |it| it.to_string().into())
}
