//! The part of all items that a list shows.

use schemars::JsonSchema;
use serde::Serialize;

/// The part of all items that a list shows.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ListWindow<'a> {
    /// The number of all items that match.
    pub total: usize,
    /// The requested limit, or the number of items returned.
    pub limit: usize,
    /// The number of items that are skipped.
    pub offset: usize,
    /// The first sort key, without its sign.
    pub sort: &'a str,
    /// The direction of the first sort key.
    #[schemars(extend("enum" = ["asc", "desc"]))]
    pub order: &'static str,
}
