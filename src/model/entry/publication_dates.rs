//! The dates that an entry gets when it is published with its change.

use crate::model::entry::merge::set_key;
use crate::model::entry::publication::EntryStatus;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::time::Timestamp;

/// Sets the dates of an entry that is published with its change at `now`, where it has none of its
/// own: that of its publication, and `end` if it becomes public with it. `before` is what was live.
pub fn date_publication(
    file: &mut Map,
    before: Option<&Map>,
    now: Timestamp,
    end: Option<Timestamp>,
) {
    let is_missing = |file: &Map, key: &str| file.get(key).is_none_or(Json::is_empty);
    if status_of(file) == Some(EntryStatus::Published) && is_missing(file, "published_at") {
        set_key(file, "published_at", now.to_string().into());
    }
    let is_for_public = |it: &Map| status_of(it).is_some_and(EntryStatus::is_for_public);
    let becomes_public = is_for_public(file) && !before.is_some_and(is_for_public);
    if let Some(end) = end.filter(|_| becomes_public && is_missing(file, "unpublish_at")) {
        set_key(file, "unpublish_at", end.to_string().into());
    }
}

fn status_of(file: &Map) -> Option<EntryStatus> {
    file.get("status").and_then(Json::as_str).and_then(EntryStatus::parse)
}
