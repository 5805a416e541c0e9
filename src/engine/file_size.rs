//! The sizes up to which files are written: what is larger could not be read back.

use crate::store::disk::FILE_BYTES_MAX;
use crate::store::layout::Key;

/// The room that an entry leaves below the largest file that is read: its deletion is written into
/// it as well.
const ENTRY_ROOM_BYTES: u64 = 4 * 1024;

/// Returns the limit that a file with these bytes passes.
pub fn find_passed_limit(key: &Key, bytes: &[u8]) -> Option<u64> {
    let most = match key {
        Key::Media(..) => return None,
        Key::Entry(..) => FILE_BYTES_MAX - ENTRY_ROOM_BYTES,
        _ => FILE_BYTES_MAX,
    };
    (bytes.len() as u64 > most).then_some(most)
}
