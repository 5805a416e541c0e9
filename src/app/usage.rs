//! A usage: the place in an entry that refers to another entry, or that shows a file.

use schemars::JsonSchema;
use serde::Serialize;

use crate::model::name::EntryId;

/// The place in an entry that refers to another entry or shows a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Usage {
    /// The name of the entry's content type.
    #[serde(rename = "type")]
    pub type_name: String,
    /// The id of the entry.
    pub id: String,
    /// The title of the entry.
    pub title: String,
    /// The field of the entry; for a nested value, the outermost one.
    pub field: String,
    /// The id of the change that proposes it; absent if it is live.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub change: Option<EntryId>,
}
