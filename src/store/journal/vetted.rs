//! What an intent is looked over for before it is believed.

use crate::store::journal::FORMAT;
use crate::store::layout;

/// Whether an intent is in a format that this version does not know yet.
pub(super) fn is_newer(intent: &[u8]) -> bool {
    let value: Option<serde_json::Value> = serde_json::from_slice(intent).ok();
    let format = value.and_then(|it| it.get("format")?.as_u64());
    format.is_some_and(|it| it > u64::from(FORMAT))
}

/// Whether a path is that of a file that waits below the journal.
pub(super) fn is_staged(path: &str) -> bool {
    let mut steps = path.split('/');
    let (first, folder, name, rest) = (steps.next(), steps.next(), steps.next(), steps.next());
    let plain = |it: Option<&str>| it.is_some_and(|it| !matches!(it, "" | "." | ".."));
    first == Some(layout::JOURNAL) && plain(folder) && plain(name) && rest.is_none()
}
