//! Content sums: 64-bit hashes that say whether two pieces of content are the same.
//!
//! They are compared, never trusted: whoever can choose both sides gains nothing from a collision.

use std::fmt;

use xxhash_rust::xxh3::{Xxh3, xxh3_64};

/// The sum of some content. Shown as 16 hexadecimal digits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Sum(pub u64);

impl Sum {
    /// The sum of `bytes`.
    pub fn of(bytes: &[u8]) -> Sum {
        Sum(xxh3_64(bytes))
    }

    /// The sum of what the pieces are together.
    pub fn of_pieces(pieces: impl Iterator<Item = impl AsRef<[u8]>>) -> Sum {
        let mut whole = Xxh3::new();
        pieces.for_each(|it| whole.update(it.as_ref()));
        Sum(whole.digest())
    }

    /// Adds `other` so that the order of additions does not matter. A member is mixed first:
    /// equal members do not cancel out, and sums of sums do not collide by arithmetic.
    #[must_use]
    pub fn plus(self, other: Sum) -> Sum {
        Sum(self.0.wrapping_add(mix(other.0)))
    }

    /// Takes back one [`Sum::plus`].
    #[must_use]
    pub fn minus(self, other: Sum) -> Sum {
        Sum(self.0.wrapping_sub(mix(other.0)))
    }
}

fn mix(value: u64) -> u64 {
    xxh3_64(&value.to_le_bytes())
}

impl Sum {
    /// Appends the 16 hexadecimal digits.
    pub fn write_hex(self, out: &mut Vec<u8>) {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let digit = |byte: u8| DIGITS[usize::from(byte & 15)];
        out.extend(self.0.to_be_bytes().iter().flat_map(|it| [digit(it >> 4), digit(*it)]));
    }
}

impl fmt::Display for Sum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// Builds the sum of several parts; each part is delimited, so `ab`+`c` differs from `a`+`bc`.
#[derive(Default)]
pub struct Summer(Xxh3);

impl Summer {
    /// A sum of nothing yet.
    pub fn new() -> Summer {
        Summer::default()
    }

    /// Adds one part.
    pub fn part(&mut self, bytes: &[u8]) -> &mut Summer {
        self.0.update(&(bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
        self
    }

    /// Adds a number as a part.
    pub fn number(&mut self, value: u64) -> &mut Summer {
        self.part(&value.to_le_bytes())
    }

    /// The sum of all parts so far.
    pub fn finish(&self) -> Sum {
        Sum(self.0.digest())
    }
}

/// Builds the sum of bytes that come piece by piece: the same as [`Sum::of`] all of them.
#[derive(Clone, Default)]
pub struct ByteSummer(Xxh3);

impl ByteSummer {
    /// Adds the next bytes.
    pub fn add(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// The sum of all bytes so far.
    pub fn finish(&self) -> Sum {
        Sum(self.0.digest())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_have_the_sum_of_the_whole() {
        let bytes: Vec<u8> = (0..1_000).map(|it| it as u8).collect();
        for size in [1, 7, 240, 999, 1_000] {
            let mut summer = ByteSummer::default();
            bytes.chunks(size).for_each(|it| summer.add(it));
            assert_eq!(summer.finish(), Sum::of(&bytes), "{size}");
        }
    }

    #[test]
    fn addition_forgets_order_and_can_be_taken_back() {
        let (a, b) = (Sum::of(b"a"), Sum::of(b"b"));
        let both = Sum::default().plus(a).plus(b);
        assert_eq!(both, Sum::default().plus(b).plus(a));
        assert_eq!(both.minus(a), Sum::default().plus(b));
        assert_ne!(Sum::default().plus(a).plus(a), Sum::default());
    }

    #[test]
    fn pieces_are_not_delimited() {
        for pieces in [vec![], vec![""], vec!["abc"], vec!["a", "", "bc"]] {
            assert_eq!(Sum::of_pieces(pieces.iter()), Sum::of(pieces.concat().as_bytes()));
        }
    }

    #[test]
    fn parts_are_delimited() {
        let one = Summer::new().part(b"ab").part(b"c").finish();
        let two = Summer::new().part(b"a").part(b"bc").finish();
        assert_ne!(one, two);
    }
}
