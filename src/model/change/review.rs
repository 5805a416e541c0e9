//! The review of a change: who approved it as it was, and the last word about it.

use crate::model::input::ObjectReader;
use crate::model::input::wording::REQUIRED;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::time::Timestamp;

/// The approval of a change as it was at that time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Approval {
    /// The id of the user or token that approved.
    pub by: String,
    /// The time.
    pub at: Timestamp,
    /// The sum of everything that the change proposed.
    pub sum: String,
}

/// The last word of a review: a request for it, or for more work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReviewNote {
    /// The id of the user or token.
    pub by: String,
    /// The time.
    pub at: Timestamp,
    /// The note.
    pub note: String,
}

impl Approval {
    /// Reads an item of the record.
    pub(super) fn read(item: &mut ObjectReader<'_>) -> Option<Approval> {
        let (by, sum) = (item.filled_text("by"), item.filled_text("sum"));
        Some(Approval { by, at: read_required_time(item, "at")?, sum })
    }

    pub(super) fn to_file(&self) -> Json {
        let mut item = Map::new();
        item.push("by", self.by.as_str());
        item.push("at", self.at.to_string());
        item.push("sum", self.sum.as_str());
        Json::Object(item)
    }
}

impl ReviewNote {
    pub(super) fn read(item: &mut ObjectReader<'_>) -> Option<ReviewNote> {
        let by = item.filled_text("by");
        let note = item.lenient_text("note").to_string();
        Some(ReviewNote { by, at: read_required_time(item, "at")?, note })
    }

    pub(super) fn to_file(&self) -> Json {
        let mut item = Map::new();
        item.push("by", self.by.as_str());
        item.push("at", self.at.to_string());
        item.push("note", self.note.as_str());
        Json::Object(item)
    }
}

/// Reads a time that must be there.
pub(super) fn read_required_time(item: &mut ObjectReader<'_>, key: &str) -> Option<Timestamp> {
    if item.value(key).is_none() {
        item.add_problem(key, REQUIRED);
    }
    item.time(key)
}
