//! Planned publications that did not happen.

use schemars::JsonSchema;
use serde::Serialize;

use crate::model::change::review::read_required_time;
use crate::model::input::ObjectReader;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::time::Timestamp;

/// The reason why a planned publication did not happen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PlanFailure {
    /// The time.
    pub at: Timestamp,
    /// The reason.
    pub message: String,
    /// The sum of everything that the change proposed: it is tried again once that is another one.
    #[serde(skip)]
    pub sum: String,
}

impl PlanFailure {
    pub(super) fn read(item: &mut ObjectReader<'_>) -> Option<PlanFailure> {
        let (message, sum) = (item.lenient_text("message"), item.lenient_text("sum"));
        let (message, sum) = (message.to_string(), sum.to_string());
        Some(PlanFailure { at: read_required_time(item, "at")?, message, sum })
    }

    pub(super) fn to_file(&self) -> Json {
        let mut item = Map::new();
        item.push("at", self.at.to_string());
        item.push("message", self.message.as_str());
        item.push("sum", self.sum.as_str());
        Json::Object(item)
    }
}
