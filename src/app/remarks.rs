//! The `meta` of an answer to a request of which some parts had no effect.

use schemars::JsonSchema;
use serde::Serialize;

/// The `meta` of an answer to a request of which some parts had no effect.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Remarks {
    /// The parts of the request that had no effect, such as unknown parameters, a sentence each.
    warnings: Vec<String>,
}

impl Remarks {
    /// Returns the remarks with these warnings; `None` if there are no warnings.
    pub fn from_warnings(warnings: Vec<String>) -> Option<Remarks> {
        (!warnings.is_empty()).then_some(Remarks { warnings })
    }
}
