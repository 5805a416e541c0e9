//! Timestamps in the records of the installation (users, roles, tokens).

use crate::stdx::json::Json;
use crate::stdx::time::Timestamp;

/// Returns the JSON of a time as stored in files.
pub(super) fn time_to_json(time: Option<Timestamp>) -> Json {
    time.map_or(Json::Null, |it| it.to_string().into())
}
