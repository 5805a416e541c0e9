//! The artificial language of the content: pronounceable words with the frequencies of natural
//! text, so that compression, dictionaries and search behave like with real content.

use std::collections::HashSet;

/// The number of different words.
const WORDS: usize = 40_000;

/// The shift of Zipf's law by Mandelbrot, which flattens the first ranks like natural text.
const ZIPF_SHIFT: f64 = 2.7;

const ONSETS: [&str; 32] = [
    "b", "br", "c", "ch", "cl", "d", "dr", "f", "fl", "g", "gr", "h", "j", "k", "l", "m", "n", "p",
    "pl", "pr", "r", "s", "sh", "sl", "st", "str", "t", "th", "tr", "v", "w", "",
];
const VOWELS: [&str; 16] =
    ["a", "e", "i", "o", "u", "a", "e", "i", "o", "e", "ea", "ou", "ai", "io", "ee", "y"];
const CODAS: [&str; 20] = [
    "", "", "", "", "", "n", "r", "s", "t", "l", "m", "d", "nd", "nt", "st", "ck", "ng", "rt",
    "ss", "x",
];
const ACCENTED: [(&str, &str); 4] = [("e", "é"), ("u", "ü"), ("o", "ö"), ("a", "à")];

/// A small deterministic random generator (SplitMix64): the same seed gives the same folder
/// everywhere.
pub(crate) struct Rng(u64);

impl Rng {
    /// Returns independent numbers for each `stream`, so that entry 7 does not depend on entry 6.
    pub(crate) fn new(seed: u64, stream: u64) -> Self {
        let mut rng = Rng(seed ^ stream.wrapping_mul(0xD1B5_4A32_D192_ED03));
        rng.next();
        rng
    }

    /// Returns the next 64 random bits.
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Returns a number below `end` (0 if `end` is 0).
    pub(crate) fn below(&mut self, end: usize) -> usize {
        let product = u128::from(self.next()) * (end as u128);
        (product >> 64) as usize
    }

    /// Returns a number in `first..=last`.
    pub(crate) fn between(&mut self, first: usize, last: usize) -> usize {
        first + self.below(last.saturating_sub(first) + 1)
    }

    /// Returns true in `percent` of 100 cases.
    pub(crate) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// Returns one of the choices; empty text if there are none.
    pub(crate) fn pick<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices.get(self.below(choices.len())).copied().unwrap_or("")
    }
}

/// The words of the language, most frequent first.
pub(crate) struct Vocabulary {
    words: Vec<String>,
    /// The running sum of the frequencies, for sampling by binary search.
    cumulative: Vec<u64>,
}

impl Vocabulary {
    /// Returns the language of a seed.
    pub(crate) fn new(seed: u64) -> Self {
        let mut rng = Rng::new(seed, u64::MAX);
        let mut seen = HashSet::new();
        let mut words = Vec::with_capacity(WORDS);
        // Small ranks run out of short words; a growing minimum keeps this loop finite.
        let mut misses = 0_usize;
        while words.len() < WORDS {
            let word = make_word(&mut rng, syllables_at(words.len()) + misses / 50);
            if seen.insert(word.clone()) {
                words.push(word);
                misses = 0;
            } else {
                misses += 1;
            }
        }
        let cumulative = (0..WORDS)
            .scan(0_u64, |sum, rank| {
                *sum += (1e9 / (rank as f64 + ZIPF_SHIFT)) as u64;
                Some(*sum)
            })
            .collect();
        Vocabulary { words, cumulative }
    }

    /// Returns the word at a rank; 0 is the most frequent.
    pub(crate) fn word(&self, rank: usize) -> &str {
        self.words.get(rank).map_or("", String::as_str)
    }

    /// Returns a word drawn by frequency.
    pub(crate) fn sample(&self, rng: &mut Rng) -> &str {
        let total = self.cumulative.last().copied().unwrap_or(0);
        let point = rng.below(total as usize) as u64;
        self.word(self.cumulative.partition_point(|&sum| sum <= point))
    }

    /// Appends `n_words` words with an upper-case first letter and an occasional comma.
    pub(crate) fn clause(&self, rng: &mut Rng, n_words: usize, out: &mut String) {
        let start = out.len();
        for position in 0..n_words {
            if position > 0 {
                out.push_str(if rng.chance(8) { ", " } else { " " });
            }
            out.push_str(self.sample(rng));
        }
        capitalise(out, start);
    }

    /// Appends a sentence with occasional Markdown.
    pub(crate) fn sentence(&self, rng: &mut Rng, out: &mut String) {
        let n_words = rng.between(3, 9);
        self.clause(rng, n_words, out);
        out.push(' ');
        match rng.below(24) {
            0 => push_wrapped(out, "**", self.sample(rng), "**"),
            1 => push_wrapped(out, "*", self.sample(rng), "*"),
            2 => push_wrapped(out, "`", self.sample(rng), "`"),
            3 => {
                push_wrapped(out, "[", self.sample(rng), "]");
                push_wrapped(out, "(https://example.org/", self.sample(rng), ")");
            }
            4 => out.push_str(&rng.between(1, 2_000).to_string()),
            _ => out.push_str(self.sample(rng)),
        }
        for _ in 0..rng.between(2, 8) {
            out.push(' ');
            out.push_str(self.sample(rng));
        }
        out.push_str(rng.pick(&[".", ".", ".", ".", ".", ".", ".", "?", "!"]));
    }

    /// Returns a Markdown text of about `bytes` bytes: paragraphs, headings, lists and quotes.
    pub(crate) fn markdown(&self, rng: &mut Rng, bytes: usize) -> String {
        let mut out = String::with_capacity(bytes + 512);
        while out.len() < bytes {
            if !out.is_empty() {
                out.push_str("\n\n");
            }
            match rng.below(10) {
                0 | 1 => {
                    out.push_str("## ");
                    let n_words = rng.between(2, 5);
                    self.clause(rng, n_words, &mut out);
                }
                2 => self.list(rng, &mut out),
                3 => {
                    out.push_str("> ");
                    self.sentence(rng, &mut out);
                }
                _ => self.paragraph(rng, &mut out),
            }
        }
        out
    }

    fn paragraph(&self, rng: &mut Rng, out: &mut String) {
        for position in 0..rng.between(2, 6) {
            if position > 0 {
                out.push(' ');
            }
            self.sentence(rng, out);
        }
    }

    fn list(&self, rng: &mut Rng, out: &mut String) {
        for position in 0..rng.between(3, 6) {
            out.push_str(if position > 0 { "\n- " } else { "- " });
            let n_words = rng.between(2, 7);
            self.clause(rng, n_words, out);
        }
    }
}

/// Returns the number of syllables at a rank. Frequent words are short, as in natural languages.
fn syllables_at(rank: usize) -> usize {
    match rank {
        0..300 => 1,
        300..6_000 => 2,
        6_000..25_000 => 3,
        _ => 4,
    }
}

fn make_word(rng: &mut Rng, n_syllables: usize) -> String {
    let mut word = String::new();
    for _ in 0..n_syllables {
        word.push_str(rng.pick(&ONSETS));
        word.push_str(rng.pick(&VOWELS));
    }
    word.push_str(rng.pick(&CODAS));
    if rng.chance(3) {
        let (plain, accented) = ACCENTED[rng.below(ACCENTED.len())];
        word = word.replacen(plain, accented, 1);
    }
    word
}

fn push_wrapped(out: &mut String, before: &str, word: &str, after: &str) {
    out.push_str(before);
    out.push_str(word);
    out.push_str(after);
}

/// Changes the letter at byte `start` to upper case.
fn capitalise(text: &mut String, start: usize) {
    if let Some(first) = text.get(start..).and_then(|rest| rest.chars().next()) {
        let upper: String = first.to_uppercase().collect();
        text.replace_range(start..start + first.len_utf8(), &upper);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_speaks_the_same_language() {
        let (a, b) = (Vocabulary::new(5), Vocabulary::new(5));
        let text = |words: &Vocabulary| words.markdown(&mut Rng::new(5, 1), 2_000);
        assert_eq!(text(&a), text(&b));
        assert_ne!(text(&a), text(&Vocabulary::new(6)));
        assert!(text(&a).len() >= 2_000);
    }

    #[test]
    fn words_are_unique_and_follow_zipf() {
        let words = Vocabulary::new(1);
        assert_eq!(words.words.iter().collect::<HashSet<_>>().len(), WORDS);
        let mut rng = Rng::new(1, 1);
        let frequent: HashSet<&str> = (0..100).map(|rank| words.word(rank)).collect();
        let hits = (0..10_000).filter(|_| frequent.contains(words.sample(&mut rng))).count();
        assert!((3_500..5_500).contains(&hits), "{hits} of 10,000 among the 100 most frequent");
    }
}
