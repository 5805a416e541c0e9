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

impl EntryListMeta<'_> {
    /// Appends the JSON. Nearly every list has nothing but a window, which is written without
    /// what serialization costs.
    pub(super) fn write_json(&self, out: &mut Vec<u8>) {
        if self.counts.is_some() || !self.warnings.is_empty() || !is_plain(self.window.sort) {
            // Numbers and texts always serialize.
            return out.extend_from_slice(&serde_json::to_vec(self).unwrap_or_default());
        }
        let ListWindow { total, limit, offset, sort, order } = &self.window;
        for (key, number) in
            [("{\"total\":", total), (",\"limit\":", limit), (",\"offset\":", offset)]
        {
            out.extend_from_slice(key.as_bytes());
            write_number(*number, out);
        }
        for piece in [",\"sort\":\"", sort, "\",\"order\":\"", order, "\"}"] {
            out.extend_from_slice(piece.as_bytes());
        }
    }
}

/// Returns true if a text needs no escapes in JSON.
fn is_plain(text: &str) -> bool {
    text.bytes().all(|it| it.is_ascii_alphanumeric() || matches!(it, b'_' | b'-' | b'.'))
}

fn write_number(mut number: usize, out: &mut Vec<u8>) {
    /// The digits of the greatest number.
    const DIGITS_MAX: usize = 20;
    let (mut digits, mut start) = ([b'0'; DIGITS_MAX], DIGITS_MAX);
    loop {
        start -= 1;
        digits[start] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            return out.extend_from_slice(&digits[start..]);
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_what_would_be_serialized() {
        let warnings = ["a \"b\"".to_string()];
        let check = |total, sort, counts: Option<StatusCounts>, warnings: &[String]| {
            let window = ListWindow { total, limit: 20, offset: 0, sort, order: "desc" };
            let meta = EntryListMeta { window, counts, warnings };
            let mut written = Vec::new();
            meta.write_json(&mut written);
            assert_eq!(written, serde_json::to_vec(&meta).unwrap());
        };
        check(0, "created_at", None, &[]);
        check(usize::MAX, "seo.title-x", None, &[]);
        check(1_234_567_890, "a\"b", None, &[]);
        check(10, "title", Some(StatusCounts([1, 2, 3, 4, 5])), &[]);
        check(10, "title", None, &warnings);
    }
}
