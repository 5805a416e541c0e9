//! The postings of the full-text index: the documents of each token, in as few bytes as possible.

use crate::stdx::bitset::Bitset;

/// The documents of each token, by descending frequency of the token. The most frequent tokens have
/// a bit for every ordinal, the next a list of deltas, and the last occur only once.
pub(super) struct Postings {
    dense: Vec<Bitset>,
    /// The start of each list in `lists`, and the end of the last one.
    starts: Vec<usize>,
    lists: Vec<u8>,
    single: Vec<u32>,
    /// The highest ordinal plus one.
    pub(super) len: usize,
}

impl Postings {
    pub(super) fn union_into(&self, rank: usize, set: &mut Bitset) {
        let listed = self.dense.len()..self.dense.len() + self.starts.len() - 1;
        if let Some(dense) = self.dense.get(rank) {
            set.or_assign(dense);
        } else if listed.contains(&rank) {
            let at = rank - listed.start;
            let mut ordinal = 0;
            decode_varints(&self.lists[self.starts[at]..self.starts[at + 1]], |delta| {
                ordinal += delta;
                set.insert(ordinal);
            });
        } else {
            set.insert(self.single[rank - listed.end]);
        }
    }

    /// Estimates the cost of reading a token's documents, in units of one posting.
    pub(super) fn estimate_cost(&self, rank: usize) -> u64 {
        let Some(at) = rank.checked_sub(self.dense.len()) else { return self.len as u64 / 128 };
        match self.starts.get(at..at + 2) {
            Some([start, end]) => (end - start) as u64,
            _ => 1,
        }
    }

    pub(super) fn memory_bytes(&self) -> usize {
        let dense = self.dense.iter().map(|set| size_of::<Bitset>() + set.memory_bytes());
        dense.sum::<usize>()
            + self.starts.capacity() * size_of::<usize>()
            + self.lists.capacity()
            + self.single.capacity() * size_of::<u32>()
    }
}

/// A writer of postings in two passes, the first of which measures the size of each list.
pub(super) struct PostingsWriter {
    pub(super) postings: Postings,
    /// The last ordinal of each list. Beside it, `next` has the offset of the next delta, or during
    /// the first pass the size of the list.
    last: Vec<u32>,
    next: Vec<usize>,
}

impl PostingsWriter {
    pub(super) fn new(dense: usize, listed: usize, single: usize, len: usize) -> Self {
        let postings = Postings {
            dense: (0..dense).map(|_| Bitset::with_len(len)).collect(),
            starts: Vec::with_capacity(listed + 1),
            lists: Vec::new(),
            single: vec![0; single],
            len,
        };
        Self { postings, last: vec![0; listed], next: vec![0; listed] }
    }

    pub(super) fn measure_posting(&mut self, rank: usize, ordinal: u32) {
        let Some(at) = rank.checked_sub(self.postings.dense.len()) else { return };
        if let Some(last) = self.last.get_mut(at) {
            self.next[at] += varint_len(ordinal - *last);
            *last = ordinal;
        }
    }

    pub(super) fn make_room(&mut self) {
        let mut end = 0;
        for size in &mut self.next {
            self.postings.starts.push(end);
            end += std::mem::replace(size, end);
        }
        self.postings.starts.push(end);
        self.postings.lists = vec![0; end];
        self.last.fill(0);
    }

    pub(super) fn write_posting(&mut self, rank: usize, ordinal: u32) {
        let Some(at) = rank.checked_sub(self.postings.dense.len()) else {
            self.postings.dense[rank].insert(ordinal);
            return;
        };
        let Some(last) = self.last.get_mut(at) else {
            self.postings.single[at - self.last.len()] = ordinal;
            return;
        };
        let delta = ordinal - std::mem::replace(last, ordinal);
        encode_varint(delta, |byte| {
            self.postings.lists[self.next[at]] = byte;
            self.next[at] += 1;
        });
    }
}

/// Writes a number in as few bytes as it needs: seven bits in each, the lowest first.
pub(super) fn encode_varint(mut number: u32, mut put: impl FnMut(u8)) {
    while number >= 0x80 {
        put(number as u8 | 0x80);
        number >>= 7;
    }
    put(number as u8);
}

/// Returns the number of bytes that a number takes.
pub(super) fn varint_len(number: u32) -> usize {
    (u32::BITS - (number | 1).leading_zeros()).div_ceil(7) as usize
}

pub(super) fn decode_varints(bytes: &[u8], mut visit: impl FnMut(u32)) {
    let (mut number, mut shift) = (0, 0);
    for byte in bytes {
        number |= u32::from(byte & 0x7F) << shift;
        if *byte < 0x80 {
            visit(number);
            (number, shift) = (0, 0);
        } else {
            shift += 7;
        }
    }
}
