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
        // All digits at once: every response has a tag and an id. First one nibble for each byte…
        let nibbles = u128::from(self.0);
        let nibbles = (nibbles | nibbles << 32) & 0x0000_0000_ffff_ffff_0000_0000_ffff_ffff;
        let nibbles = (nibbles | nibbles << 16) & 0x0000_ffff_0000_ffff_0000_ffff_0000_ffff;
        let nibbles = (nibbles | nibbles << 8) & 0x00ff_00ff_00ff_00ff_00ff_00ff_00ff_00ff;
        let nibbles = (nibbles | nibbles << 4) & repeat_byte(0x0f);
        // … then the letters: adding 6 carries into the high half of a byte from ten on.
        let letters = ((nibbles + repeat_byte(6)) >> 4) & repeat_byte(1);
        (nibbles + repeat_byte(b'0') + letters * u128::from(b'a' - b'9' - 1)).to_be_bytes()
    }

    /// Parses 16 hexadecimal digits as they are written.
    pub fn parse_hex(text: &str) -> Option<Checksum> {
        let is_digit = |it: u8| matches!(it, b'0'..=b'9' | b'a'..=b'f');
        let is_whole = text.len() == 16 && text.bytes().all(is_digit);
        if is_whole { u64::from_str_radix(text, 16).ok().map(Checksum) } else { None }
    }

    /// Appends the 16 hexadecimal digits.
    pub fn write_hex(self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.to_hex());
    }
}

const fn repeat_byte(byte: u8) -> u128 {
    u128::from_ne_bytes([byte; 16])
}

impl fmt::Display for Checksum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// A builder for the checksum of several parts. Parts are delimited, so `ab`+`c` differs from
/// `a`+`bc`.
#[derive(Default)]
pub struct ChecksumBuilder {
    /// The bytes that are not in the stream yet. To hash a few hundred at once costs a fraction of
    /// adding each part to the stream.
    few: Vec<u8>,
    /// The bytes before them, if there are more.
    stream: Option<Box<Xxh3>>,
}

/// The most bytes that are collected.
const FEW_BYTES_MAX: usize = 1_024;

/// The capacity for them: most checksums are those of a few names and numbers.
const FEW_BYTES_USUAL: usize = 240;

impl ChecksumBuilder {
    /// Creates an empty builder.
    pub fn new() -> ChecksumBuilder {
        ChecksumBuilder { few: Vec::with_capacity(FEW_BYTES_USUAL), stream: None }
    }

    /// Adds a part.
    #[inline]
    pub fn add_part(&mut self, bytes: &[u8]) -> &mut ChecksumBuilder {
        let length = (bytes.len() as u64).to_le_bytes();
        if self.few.len() + length.len() + bytes.len() > FEW_BYTES_MAX {
            self.add_to_stream(&length, bytes);
            return self;
        }
        self.few.reserve(length.len() + bytes.len());
        self.few.extend_from_slice(&length);
        self.few.extend_from_slice(bytes);
        self
    }

    /// Adds a part, and the few bytes before it, to the stream.
    fn add_to_stream(&mut self, length: &[u8], bytes: &[u8]) {
        let stream = self.stream.get_or_insert_default();
        self.few.extend_from_slice(length);
        stream.update(&self.few);
        self.few.clear();
        if bytes.len() > FEW_BYTES_MAX {
            stream.update(bytes);
        } else {
            self.few.extend_from_slice(bytes);
        }
    }

    /// Adds a number as a part.
    pub fn add_number(&mut self, value: u64) -> &mut ChecksumBuilder {
        self.add_part(&value.to_le_bytes())
    }

    /// Returns the checksum of all parts so far.
    pub fn finish(&self) -> Checksum {
        match &self.stream {
            Some(stream) => {
                let mut stream = stream.clone();
                stream.update(&self.few);
                Checksum(stream.digest())
            }
            None => Checksum::of_bytes(&self.few),
        }
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
    fn digits_are_those_of_the_standard_library() {
        for value in [0, 1, 0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210, 0x9a9a_a9a9, u64::MAX] {
            assert_eq!(Checksum(value).to_hex(), *format!("{value:016x}").as_bytes());
        }
    }

    #[test]
    fn parts_have_the_sum_of_their_lengths_and_bytes() {
        for lengths in
            [&[][..], &[0], &[3, 0, 70], &[FEW_BYTES_MAX - 8], &[900, 109, 5, 2_000], &[9; 400]]
        {
            let (mut summer, mut whole) = (ChecksumBuilder::new(), Vec::new());
            for length in lengths {
                let part = vec![b'x'; *length];
                summer.add_part(&part);
                whole.extend((*length as u64).to_le_bytes());
                whole.extend(part);
            }
            assert_eq!(summer.finish(), Checksum::of_bytes(&whole), "{lengths:?}");
        }
    }

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
