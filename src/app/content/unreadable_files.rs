//! The files of entries that cannot be read and so stand in the way of a change that rewrites what
//! entries say: it must reach all of them.

use std::collections::BTreeSet;

use crate::app::access::Caller;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::query::execute::view::View;
use crate::query::index::snapshot::Snapshot;
use crate::store::layout::Key;

/// The most files that an error names.
const NAMED_MAX: usize = 20;

/// The files of one workspace that cannot be read.
#[derive(Default)]
pub(crate) struct UnreadableFiles {
    keys: BTreeSet<Key>,
}

impl UnreadableFiles {
    /// Adds a file, once.
    pub(crate) fn add(&mut self, key: Key) {
        self.keys.insert(key);
    }

    /// Checks that there are none. The error names those of types of which the caller may read all
    /// entries: nobody knows whose entry an unreadable file is.
    pub(crate) fn check_none(&self, snapshot: &Snapshot, caller: &Caller) -> Result<()> {
        if self.keys.is_empty() {
            return Ok(());
        }
        let (s, them) = if self.keys.len() == 1 { ("", "it") } else { ("s", "them") };
        let mut message = format!("{} entry file{s} cannot be read", self.keys.len());
        let view = View::new(snapshot, caller.viewer(), None);
        let shown = self.keys.iter().filter(|it| may_name(it, &view));
        let names: Vec<String> =
            shown.take(NAMED_MAX).map(|it| format!("`{}`", it.path())).collect();
        if !names.is_empty() {
            message.push_str(": ");
            message.push_str(&names.join(", "));
        }
        Err(Error::conflict(format!("{message}. Repair {them} first.")))
    }
}

/// Returns true if the caller may know of all entries of the type.
fn may_name(key: &Key, view: &View<'_>) -> bool {
    matches!(key, Key::Entry(_, of, _) | Key::Trash(_, of, _) if view.sees_all_of(of))
}
