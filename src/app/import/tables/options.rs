//! The options of a table: its notation, and where its columns go.

use serde::Serialize;

use crate::store::source::has_ending;

/// The notation of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum TableFormat {
    /// Comma-separated values with the names of the columns in the first row.
    Csv,
    /// A list of objects.
    Json,
    /// An object on each line.
    Ndjson,
}

impl TableFormat {
    /// Returns true if the name of a file is that of a table in this notation.
    pub(super) fn is_of_file(self, path: &str) -> bool {
        let endings: &[&str] = match self {
            TableFormat::Csv => &["csv", "tsv"],
            TableFormat::Json => &["json"],
            TableFormat::Ndjson => &["ndjson", "jsonl"],
        };
        has_ending(path, endings)
    }
}

/// The options of a table.
#[derive(Clone, Debug, Default)]
pub struct TableOptions {
    /// The content type.
    pub type_name: String,
    /// The columns that go into fields of another name; an empty field leaves a column out.
    pub map: Vec<(String, String)>,
    /// The field that entries are found by: `slug` or `id` unless given.
    pub key: Option<String>,
    /// The status of entries whose row has none.
    pub status: Option<String>,
    /// The locale of the values.
    pub locale: Option<String>,
}
