//! The `meta` of a list of entries.

use schemars::JsonSchema;
use schemars::json_schema;
use serde::Serialize;
use serde::Serializer;

use crate::app::list_window::ListWindow;
use crate::model::entry::EntryStatus;
use crate::query::execute::executor::ListResult;
use crate::query::request::list_query::ListQuery;
use crate::stdx::json_schema::inline_schema;

/// The `meta` of a list.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "ListMeta")]
pub struct EntryListMeta<'a> {
    #[serde(flatten)]
    window: ListWindow<'a>,
    /// The number of matching entries by status; only with `counts=status`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "StatusCounts")]
    counts: Option<StatusCounts>,
    /// The parts of the request that had no effect, such as unknown parameters, a sentence each.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    warnings: &'a [String],
}

impl<'a> EntryListMeta<'a> {
    /// Returns the `meta` of a page.
    pub(super) fn from_result(query: &'a ListQuery, found: &ListResult) -> EntryListMeta<'a> {
        let window = ListWindow {
            total: found.total,
            limit: query.limit.unwrap_or(found.page.len()),
            offset: query.offset,
            sort: &query.sort,
            order: if query.is_descending() { "desc" } else { "asc" },
        };
        let counts = found.by_status.map(StatusCounts);
        EntryListMeta { window, counts, warnings: &query.warnings }
    }
}

/// The number of entries of each status, in the order of [`EntryStatus::ALL`].
#[derive(Debug)]
struct StatusCounts([usize; EntryStatus::ALL.len()]);

impl Serialize for StatusCounts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(EntryStatus::ALL.map(EntryStatus::as_str).iter().zip(self.0))
    }
}

inline_schema!(StatusCounts, |generator| {
    let count = generator.subschema_for::<usize>();
    let counts = EntryStatus::ALL.map(|it| (it.as_str().to_string(), count.clone().into()));
    let counts: serde_json::Map<String, serde_json::Value> = counts.into_iter().collect();
    json_schema!({ "type": "object", "properties": counts })
});
