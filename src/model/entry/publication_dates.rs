//! The dates that an entry gets when it is published with its change.

use crate::model::entry::merge::set_key;
use crate::model::entry::publication::EntryStatus;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

/// Sets the date of an entry that is published with its change.
pub fn date_publication(file: &mut Map, now: &str) {
    let is_published = file.get("status").and_then(Json::as_str) == Some("published");
    let is_dated = file.get("published_at").is_some_and(|it| !it.is_empty());
    if is_published && !is_dated {
        set_key(file, "published_at", now.into());
    }
}

/// Sets the end of an entry that becomes public with its change and has none of its own.
pub fn end_publication(file: &mut Map, end: &str) {
    let status = file.get("status").and_then(Json::as_str).and_then(EntryStatus::parse);
    let has_end = file.get("unpublish_at").is_some_and(|it| !it.is_empty());
    if status.is_some_and(EntryStatus::is_for_public) && !has_end {
        set_key(file, "unpublish_at", end.into());
    }
}
