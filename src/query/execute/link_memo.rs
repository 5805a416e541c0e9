//! The memo of the entries that links name. An answer with expanded entries resolves each link
//! twice: when it is measured, and when it is written.

use std::cell::Cell;

use crate::query::index::type_index::Ordinal;

/// The number of slots: some for each link of a usual page.
const SLOTS: usize = 1 << SLOT_BITS;

/// The bits of the number of a slot.
const SLOT_BITS: u32 = 7;

/// Spreads addresses over all bits: 2⁶⁴ divided by the golden ratio.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// Entries that were found by the ids in links. An id is known again by its place in memory, which
/// costs less than its hash. So whoever asks checks that the entry has the id.
pub(super) struct LinkMemo(Box<[Cell<FoundEntry>]>);

/// The place of a type, and an entry of it.
type FoundEntry = (usize, Ordinal);

impl LinkMemo {
    /// Returns a memo that knows nothing.
    pub(super) fn new() -> LinkMemo {
        LinkMemo(vec![Cell::new((usize::MAX, 0)); SLOTS].into())
    }

    /// Returns the slot for an id in a link, perhaps with the entry that was found for it.
    pub(super) fn slot_of(&self, id: &[u8]) -> Option<&Cell<FoundEntry>> {
        let spread = (id.as_ptr().addr() as u64).wrapping_mul(SPREAD);
        self.0.get((spread >> (u64::BITS - SLOT_BITS)) as usize)
    }
}
