//! The `meta` of an answer with warnings.

use schemars::JsonSchema;
use serde::Serialize;

/// The `meta` of an answer with warnings.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Remarks {
    /// Warnings about the request, a sentence each: parts that had no effect, such as unknown
    /// parameters, and consequences that the caller may not expect.
    warnings: Vec<String>,
}

impl Remarks {
    /// Returns the remarks with these warnings; `None` if there are no warnings.
    pub fn from_warnings(warnings: Vec<String>) -> Option<Remarks> {
        (!warnings.is_empty()).then_some(Remarks { warnings })
    }
}
