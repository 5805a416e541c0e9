//! The cursor: a text that names what a reader was sent.

use std::fmt;

use crate::stdx::checksum::Checksum;

/// The state that a reader has. Nobody can read out of it what it is made of, and one of another
/// reader is of no use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cursor {
    /// The checksum of the reader and the parameters.
    pub(super) scope: Checksum,
    /// The checksum of the inventory.
    pub(super) state: Checksum,
}

impl Cursor {
    /// Parses the text of a cursor.
    pub fn parse(text: &str) -> Option<Cursor> {
        let (scope, state) = text.split_at_checked(16)?;
        Some(Cursor { scope: Checksum::parse_hex(scope)?, state: Checksum::parse_hex(state)? })
    }
}

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.scope, self.state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_comes_back_from_its_text() {
        let cursor = Cursor { scope: Checksum(7), state: Checksum(u64::MAX) };
        assert_eq!(cursor.to_string(), "0000000000000007ffffffffffffffff");
        assert_eq!(Cursor::parse(&cursor.to_string()), Some(cursor));
        let texts =
            ["", "7", "0000000000000007FFFFFFFFFFFFFFFF", "+000000000000007ffffffffffffffff"];
        for text in
            texts.into_iter().chain(["0000000000000007ffffffffffffffffff", "äöüäöüäöüäöüäöüä"])
        {
            assert_eq!(Cursor::parse(text), None, "{text}");
        }
    }
}
