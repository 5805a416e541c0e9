//! What the fuzzer runs, on a few thousand inputs made from the ones it begins with. `SLOW=1` makes
//! it many more, `SEED=…` repeats a run.

use std::panic;

use crate::support::property::given_seed;

#[path = "../../../fuzz/src/targets.rs"]
#[expect(unreachable_pub, reason = "the file belongs to two programs")]
mod targets;

/// What means something to one of the readers.
const PIECES: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    "\"",
    ":",
    ",",
    "\\",
    "\\u0000",
    "\\ud800",
    "null",
    "true",
    "-0",
    "1e308",
    "9007199254740993",
    "18446744073709551616",
    "\n",
    "\0",
    "\u{feff}",
    "é",
    "日",
    "🦁",
    "%",
    "%2F",
    "%00",
    "&",
    "=",
    "..",
    "/",
    "*",
    "~",
    "-",
    "_",
    "recto_",
    "filter[",
    "][in]",
    "bytes=",
    "@",
    "\"data\":{",
    "\"translations\":{\"de\":{",
    "\"type\":\"relation\"",
    "\"multiple\":true",
];

#[test]
fn nothing_from_outside_makes_it_stumble() {
    let slow = std::env::var_os("SLOW").is_some();
    let rounds = if slow { 500_000 } else { 3_000 };
    let seed = given_seed().unwrap_or_else(|| u64::from(std::process::id()));
    for target in targets::TARGETS {
        let mut random = Random(seed);
        let mut pool: Vec<Vec<u8>> = target.seeds.iter().map(|it| it.as_bytes().to_vec()).collect();
        let seeds = pool.len();
        for seed in &pool {
            (target.run)(seed);
        }
        for round in 0..rounds {
            let input = random.changed(&pool);
            let ran = panic::catch_unwind(|| (target.run)(&input));
            let shown = String::from_utf8_lossy(&input);
            assert!(ran.is_ok(), "SEED={seed}: {} with {shown:?}", target.name);
            // Some of what was made is changed further.
            let place = seeds + round % 200;
            match pool.get_mut(place) {
                Some(old) => *old = input,
                None => pool.push(input),
            }
        }
    }
}

struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit.max(1)
    }

    /// One of the inputs, or two of them, changed here and there.
    fn changed(&mut self, pool: &[Vec<u8>]) -> Vec<u8> {
        let mut input = pool[self.below(pool.len())].clone();
        for _ in 0..=self.below(4) {
            let at = self.below(input.len() + 1);
            let to = (at + self.below(20)).min(input.len());
            match self.below(6) {
                0 => _ = input.drain(at..to),
                1 => {
                    let part = input[at..to].to_vec();
                    input.splice(at..at, part);
                }
                2 if at < input.len() => input[at] = self.below(256) as u8,
                3 => {
                    let other = &pool[self.below(pool.len())];
                    let from = self.below(other.len() + 1);
                    input.truncate(at);
                    input.extend_from_slice(&other[from..]);
                }
                _ => {
                    let piece = PIECES[self.below(PIECES.len())];
                    input.splice(at..to, piece.bytes());
                }
            }
        }
        input.truncate(4_000);
        input
    }
}
