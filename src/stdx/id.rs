//! Ids that sort by their time of creation: 48 bits of milliseconds since 1970, then 32 random
//! bits, as 16 characters of lower-case Crockford base32.
//!
//! The ids of a process are unique and strictly increasing, even if its clock is set back. Between
//! processes the random bits make ids unique.

use std::process;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering;
use std::time::SystemTime;
use std::time::UNIX_EPOCH;

use crate::stdx::checksum::ChecksumBuilder;
use crate::stdx::sync::Mutex;

/// The length of an id.
pub const ID_CHARS: usize = 16;

const DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
const RANDOM_BITS: u32 = 32;
const ID_MASK: u128 = (1 << (ID_CHARS * 5)) - 1;

/// The second to last millisecond that fits 48 bits, so that ids can still be incremented: later
/// times, beyond the year 10889, are clamped to it.
const MS_MAX: u64 = (1 << 48) - 2;

/// A generator of strictly increasing ids.
#[derive(Debug, Default)]
pub struct IdGenerator {
    last: Mutex<u128>,
    random: Mutex<RandomPool>,
}

/// The number of words that are asked of the system at a time.
const POOL_WORDS: usize = 16;

/// Random words from the system.
#[derive(Debug, Default)]
struct RandomPool {
    words: [u32; POOL_WORDS],
    left: usize,
}

impl IdGenerator {
    /// Creates a new generator.
    pub const fn new() -> IdGenerator {
        let random = RandomPool { words: [0; POOL_WORDS], left: 0 };
        IdGenerator { last: Mutex::new(0), random: Mutex::new(random) }
    }

    /// Returns the next id. Within the same millisecond, or if the clock was set back, it is the
    /// last id plus one; `random` is only used in a new millisecond.
    pub fn next_id(&self, now_ms: u64, random: impl FnOnce() -> u32) -> String {
        let now_ms = u128::from(now_ms.min(MS_MAX));
        let mut last = self.last.lock();
        *last = if now_ms > *last >> RANDOM_BITS {
            now_ms << RANDOM_BITS | u128::from(random())
        } else {
            (*last + 1) & ID_MASK
        };
        encode_id(*last)
    }

    /// Returns the next id with random bits from the system.
    pub fn generate_id(&self, now_ms: u64) -> String {
        self.next_id(now_ms, || self.random.lock().next_word())
    }
}

impl RandomPool {
    fn next_word(&mut self) -> u32 {
        let mut bytes = [0; POOL_WORDS * size_of::<u32>()];
        if self.left == 0 && getrandom::fill(&mut bytes).is_ok() {
            let words = bytes.chunks_exact(size_of::<u32>()).filter_map(|it| it.try_into().ok());
            self.words.iter_mut().zip(words).for_each(|(word, it)| *word = u32::from_le_bytes(it));
            self.left = POOL_WORDS;
        }
        let Some(left) = self.left.checked_sub(1) else { return fallback_random() };
        self.left = left;
        self.words[left]
    }
}

/// Returns the id of a time in milliseconds since 1970, with these bits behind it.
pub fn id_at(time_ms: u64, bits: u32) -> String {
    encode_id(u128::from(time_ms.min(MS_MAX)) << RANDOM_BITS | u128::from(bits))
}

/// Returns the time in an id in milliseconds since 1970, or `None` if the text is not an id.
pub fn time_ms(id: &str) -> Option<u64> {
    if id.len() != ID_CHARS {
        return None;
    }
    let number = id.bytes().try_fold(0_u128, |number, letter| {
        let digit = DIGITS.iter().position(|it| *it == letter)?;
        Some(number << 5 | digit as u128)
    })?;
    u64::try_from(number >> RANDOM_BITS).ok()
}

fn encode_id(number: u128) -> String {
    let digit = |place: usize| char::from(DIGITS[(number >> (5 * place) & 31) as usize]);
    (0..ID_CHARS).rev().map(digit).collect()
}

/// Returns random bits if the system's source of randomness fails. Ids are not secret: it is enough
/// that they rarely collide between processes.
fn fallback_random() -> u32 {
    static CALLS: AtomicU64 = AtomicU64::new(0);
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let mut summer = ChecksumBuilder::new();
    summer.add_number(CALLS.fetch_add(1, Ordering::Relaxed));
    summer.add_number(since.as_secs()).add_number(u64::from(since.subsec_nanos()));
    summer.add_number(u64::from(process::id()));
    summer.finish().0 as u32 // the low half of a hash is as good as any
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::thread;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn random_words_are_used_once() {
        let mut pool = RandomPool::default();
        let words: BTreeSet<u32> = (0..100).map(|_| pool.next_word()).collect();
        // Two of a hundred may be the same, but hardly ever are.
        assert!(words.len() >= 98, "{words:?}");
    }

    #[test]
    fn the_next_id() {
        let check = |given: &[(u64, u32)], expect: &str| {
            let ids = IdGenerator::new();
            let all: Vec<String> =
                given.iter().map(|(ms, random)| ids.next_id(*ms, || *random)).collect();
            assert_eq!(all.last().map(String::as_str), Some(expect), "{given:?}");
            assert!(all.is_sorted_by(|a, b| a < b), "{all:?}");
        };
        check(&[(0, 0)], "0000000000000001"); // the id 0 is never given
        check(&[(0, 7)], "0000000000000001");
        check(&[(1, 0)], "0000000004000000");
        check(&[(1, 31)], "000000000400000z");
        check(&[(1_777_809_600_000, 0)], "06eyvdde00000000");
        check(&[(1, 5), (1, 0)], "0000000004000006"); // the same millisecond
        check(&[(9, 5), (2, u32::MAX)], "0000000014000006"); // the clock went back
        check(&[(1, u32::MAX), (1, 0)], "0000000008000000"); // into the next millisecond
        check(&[(1, u32::MAX), (1, 9), (2, 9)], "0000000008000001"); // which may be there already
        check(&[(u64::MAX, u32::MAX)], "zzzzzzzzzvzzzzzz");
        check(&[(u64::MAX, u32::MAX), (u64::MAX, 0)], "zzzzzzzzzw000000");
    }

    #[test]
    fn the_time_of_an_id() {
        let check = |id: &str, expect: Option<u64>| assert_eq!(time_ms(id), expect, "{id}");
        check("0000000000000000", Some(0));
        check("0000000004000000", Some(1));
        check("06eyvdde00000000", Some(1_777_809_600_000));
        check("zzzzzzzzzzzzzzzz", Some((1 << 48) - 1));
        check("", None);
        check("06eyvdde0000000", None);
        check("06eyvdde000000000", None);
        check("06EYVDDE00000000", None);
        check("06eyvdde0000000o", None);
        check("ööööööö00", None);
    }

    #[test]
    fn threads_never_share_an_id() {
        let ids = IdGenerator::new();
        let draw = || (0..1_000).map(|_| ids.generate_id(1_777_809_600_000)).collect::<Vec<_>>();
        let drawn: Vec<Vec<String>> = thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(draw)).collect();
            threads.into_iter().map(|it| it.join().unwrap()).collect()
        });
        assert!(drawn.iter().all(|it| it.is_sorted_by(|a, b| a < b)));
        assert_eq!(drawn.iter().flatten().collect::<BTreeSet<_>>().len(), 4_000);
    }

    #[test]
    fn stirred_bits_differ() {
        assert_eq!((0..100).map(|_| fallback_random()).collect::<BTreeSet<_>>().len(), 100);
    }

    proptest! {
        #[test]
        fn ids_only_rise(given in prop::collection::vec((0_u64..5, any::<u32>()), 1..50)) {
            let ids = IdGenerator::new();
            let all: Vec<String> = given.iter().map(|(ms, random)| ids.next_id(*ms, || *random)).collect();
            prop_assert!(all.is_sorted_by(|a, b| a < b), "{all:?}");
        }

        #[test]
        fn a_first_id_tells_its_time(ms in 1_u64..1 << 47, random: u32) {
            prop_assert_eq!(time_ms(&IdGenerator::new().next_id(ms, || random)), Some(ms));
        }
    }
}
