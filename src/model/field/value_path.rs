//! Paths of values inside a field.

/// Returns the path of an item of a list: `[2]`.
pub(super) fn item_path(index: usize) -> String {
    format!("[{index}]")
}

/// Joins a name and a path below it: `rows` and `[2].key` give `rows[2].key`.
pub fn join_path(name: &str, path: &str) -> String {
    let dot = if path.is_empty() || path.starts_with('[') { "" } else { "." };
    format!("{name}{dot}{path}")
}
