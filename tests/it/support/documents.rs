//! The documents of this package: the tables in them.

use std::collections::BTreeSet;

use crate::support::source_tree::read;

/// The cells of all table rows of a document.
pub(crate) fn rows(document: &str) -> Vec<Vec<String>> {
    let text = read(document);
    let lines = text.lines().filter_map(|it| it.strip_prefix("| "));
    lines.map(|it| it.split('|').map(|cell| cell.trim().to_string()).collect()).collect()
}

/// The first cells of all table rows that are one name in backticks.
pub(crate) fn first_cells(document: &str) -> BTreeSet<String> {
    rows(document).iter().filter_map(|it| ticked(it.first()?)).map(String::from).collect()
}

pub(crate) fn ticked(cell: &str) -> Option<&str> {
    cell.strip_prefix('`')?.strip_suffix('`').filter(|it| !it.contains('`'))
}

pub(crate) fn differences(there: &BTreeSet<String>, told: &BTreeSet<String>) -> Vec<String> {
    let missing = there.difference(told).map(|it| format!("`{it}` is missing"));
    let extra = told.difference(there).map(|it| format!("`{it}` is there no more"));
    missing.chain(extra).collect()
}
