//! The tokens of a folded text: runs of letters, and pairs of neighbours in scripts without spaces.

use std::ops::Range;

/// The role of a character for the index. ASCII that is no letter or digit separates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CharClass {
    /// Letters that form words with separators between: a run of them is a token.
    Word,
    /// Scripts written without spaces, and symbols: a run of them may be as long as a sentence,
    /// so each pair of neighbours is a token.
    Unspaced,
}

/// A maximal run of characters of one class.
pub(super) struct CharRun<'a> {
    pub(super) start: usize,
    pub(super) text: &'a str,
    pub(super) class: CharClass,
}

impl CharRun<'_> {
    /// Returns true if a pair of neighbours covers the run.
    pub(super) fn is_short(&self) -> bool {
        self.text.chars().nth(2).is_none()
    }
}

pub(super) fn split_runs(text: &str) -> impl Iterator<Item = CharRun<'_>> {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        let is_separator = |byte: &u8| byte.is_ascii() && !byte.is_ascii_alphanumeric();
        at += bytes[at..].iter().take_while(|byte| is_separator(byte)).count();
        let start = at;
        let class = classify_char(text[at..].chars().next()?);
        loop {
            if class == CharClass::Word {
                at += bytes[at..].iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
            }
            match text[at..].chars().next() {
                Some(letter) if !letter.is_ascii() && classify_char(letter) == class => {
                    at += letter.len_utf8();
                }
                _ => break,
            }
        }
        Some(CharRun { start, text: &text[start..at], class })
    })
}

fn classify_char(letter: char) -> CharClass {
    match letter as u32 {
        // Marks, quotes, dashes, currencies, arrows and the like; then the scripts: Thai, Lao,
        // Tibetan and Burmese; Khmer; Japanese; Chinese.
        0x80..=0xBF | 0x2000..=0x2BFF | 0x3000..=0x303F => CharClass::Unspaced,
        0xE00..=0x109F | 0x1780..=0x17FF | 0x3040..=0x312F | 0x31F0..=0x31FF => CharClass::Unspaced,
        0x2E80..=0x2FDF | 0x3400..=0x9FFF | 0xF900..=0xFAFF | 0x20000..=0x3FFFF => {
            CharClass::Unspaced
        }
        _ => CharClass::Word,
    }
}

/// Returns the range of each pair of neighbours in a run, or that of its only character.
pub(super) fn char_pairs(run: &str) -> impl Iterator<Item = Range<usize>> {
    let is_lone = run.chars().nth(1).is_none();
    char_windows(run, 2).chain(is_lone.then_some(0..run.len()))
}

/// Returns the range of each sequence of `chars` characters.
pub(super) fn char_windows(text: &str, chars: usize) -> impl Iterator<Item = Range<usize>> {
    let starts = text.char_indices().map(|(at, _)| at);
    let ends = text.char_indices().map(|(at, letter)| at + letter.len_utf8());
    starts.zip(ends.skip(chars - 1)).map(|(start, end)| start..end)
}
