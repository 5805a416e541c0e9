//! Checksums: 64-bit hashes that tell whether two pieces of content are the same.
//!
//! They are not cryptographic and only used where a collision gives an attacker no advantage.

use std::fmt;

use xxhash_rust::xxh3::{Xxh3, xxh3_64};

/// The checksum of some content. Shown as 16 hexadecimal digits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Checksum(pub u64);

impl Checksum {
    /// Returns the checksum of `bytes`.
    pub fn of_bytes(bytes: &[u8]) -> Checksum {
        Checksum(xxh3_64(bytes))
    }

    /// Returns the checksum of the concatenated pieces.
    pub fn of_pieces(pieces: impl Iterator<Item = impl AsRef<[u8]>>) -> Checksum {
        let mut whole = Xxh3::new();
        pieces.for_each(|it| whole.update(it.as_ref()));
        Checksum(whole.digest())
    }

    /// Combines two checksums so that the order of additions does not matter. `other` is hashed
    /// first: equal members do not cancel out, and sums of sums do not collide by arithmetic.
    #[must_use]
    pub fn plus(self, other: Checksum) -> Checksum {
        Checksum(self.0.wrapping_add(mix_bits(other.0)))
    }

    /// Reverts one [`Checksum::plus`].
    #[must_use]
    pub fn minus(self, other: Checksum) -> Checksum {
        Checksum(self.0.wrapping_sub(mix_bits(other.0)))
    }
}

fn mix_bits(value: u64) -> u64 {
    xxh3_64(&value.to_le_bytes())
}

impl Checksum {
    /// Returns the 16 hexadecimal digits.
    pub fn to_hex(self) -> [u8; 16] {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let digit = |byte: u8| DIGITS[usize::from(byte & 15)];
        let mut hex = [0; 16];
        for (pair, byte) in hex.as_chunks_mut().0.iter_mut().zip(self.0.to_be_bytes()) {
            *pair = [digit(byte >> 4), digit(byte)];
        }
        hex
    }

    /// Appends the 16 hexadecimal digits.
    pub fn write_hex(self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.to_hex());
    }
}

impl fmt::Display for Checksum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// A builder for the checksum of several parts. Parts are delimited, so `ab`+`c` differs from
/// `a`+`bc`.
#[derive(Default)]
pub struct ChecksumBuilder(Xxh3);

impl ChecksumBuilder {
    /// Creates an empty builder.
    pub fn new() -> ChecksumBuilder {
        ChecksumBuilder::default()
    }

    /// Adds a part.
    pub fn add_part(&mut self, bytes: &[u8]) -> &mut ChecksumBuilder {
        self.0.update(&(bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
        self
    }

    /// Adds a number as a part.
    pub fn add_number(&mut self, value: u64) -> &mut ChecksumBuilder {
        self.add_part(&value.to_le_bytes())
    }

    /// Returns the checksum of all parts so far.
    pub fn finish(&self) -> Checksum {
        Checksum(self.0.digest())
    }
}

/// A builder for the checksum of a stream of bytes, equal to [`Checksum::of_bytes`] of all of them.
#[derive(Clone, Default)]
pub struct ByteChecksum(Xxh3);

impl ByteChecksum {
    /// Adds the next bytes.
    pub fn add(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// Returns the checksum of all bytes so far.
    pub fn finish(&self) -> Checksum {
        Checksum(self.0.digest())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_have_the_sum_of_the_whole() {
        let bytes: Vec<u8> = (0..1_000).map(|it| it as u8).collect();
        for size in [1, 7, 240, 999, 1_000] {
            let mut summer = ByteChecksum::default();
            bytes.chunks(size).for_each(|it| summer.add(it));
            assert_eq!(summer.finish(), Checksum::of_bytes(&bytes), "{size}");
        }
    }

    #[test]
    fn addition_forgets_order_and_can_be_taken_back() {
        let (a, b) = (Checksum::of_bytes(b"a"), Checksum::of_bytes(b"b"));
        let both = Checksum::default().plus(a).plus(b);
        assert_eq!(both, Checksum::default().plus(b).plus(a));
        assert_eq!(both.minus(a), Checksum::default().plus(b));
        assert_ne!(Checksum::default().plus(a).plus(a), Checksum::default());
    }

    #[test]
    fn pieces_are_not_delimited() {
        for pieces in [vec![], vec![""], vec!["abc"], vec!["a", "", "bc"]] {
            assert_eq!(
                Checksum::of_pieces(pieces.iter()),
                Checksum::of_bytes(pieces.concat().as_bytes())
            );
        }
    }

    #[test]
    fn parts_are_delimited() {
        let one = ChecksumBuilder::new().add_part(b"ab").add_part(b"c").finish();
        let two = ChecksumBuilder::new().add_part(b"a").add_part(b"bc").finish();
        assert_ne!(one, two);
    }
}
