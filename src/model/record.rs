//! What the records of the installation (users, roles, tokens) read and write alike.

use crate::model::problem::FieldProblems;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::time::Timestamp;

/// A time, if there is one; what is none is a problem.
pub(super) fn time(object: &Map, key: &str, problems: &mut FieldProblems) -> Option<Timestamp> {
    let value = object.get(key).filter(|value| **value != Json::Null)?;
    let time = value.as_str().and_then(Timestamp::parse);
    if time.is_none() {
        problems.add(key, "This is not a date and time.");
    }
    time
}

/// A time as files hold it.
pub(super) fn time_in_file(time: Option<Timestamp>) -> Json {
    time.map_or(Json::Null, |it| it.to_string().into())
}
