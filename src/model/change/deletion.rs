//! Proposed deletions: files of a change that say `{"delete": true}` in place of an entry.

use crate::stdx::json::Json;
use crate::stdx::json::Map;

const KEY: &str = "delete";

/// Returns the content of a proposal that deletes an entry.
pub fn build_deletion() -> Map {
    let mut file = Map::new();
    file.push(KEY, Json::Bool(true));
    file
}

/// Returns true if the file of a change proposes to delete its entry.
pub fn proposes_deletion(file: &Map) -> bool {
    file.get(KEY).and_then(Json::as_bool) == Some(true)
}
