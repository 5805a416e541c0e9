//! Text normalization for comparisons: case folding, and for search the removal of accents.
//!
//! `casefold` is used for sorting and `contains`, `fold_text` for full-text search. Building an
//! index folds hundreds of megabytes, so runs of ASCII have a fast path, and the alphabets of
//! Europe and the Near East come from a table.

use std::borrow::Cow;
use std::sync::LazyLock;

use unicode_normalization::char::{canonical_combining_class, compose, decompose_compatible};

/// The end of the table, which contains Latin, Greek, Cyrillic, Armenian and Hebrew.
const TABLE_END: usize = 0x600;

/// The maximum length of a folded character in the table; shorter forms are padded with NUL.
const LONGEST: usize = 4;

static TABLE: LazyLock<Vec<[char; LONGEST]>> = LazyLock::new(|| {
    (0..TABLE_END as u32)
        .map(|code| char::from_u32(code).map_or(['\0'; LONGEST], build_row))
        .collect()
});

/// Removes case and accents: `Ångström` and `ANGSTROM` become equal.
///
/// Compatibility forms are resolved (`ﬁ` becomes `fi`), strokes are removed (`ł` becomes `l`), and
/// vowel and voicing signs stay in scripts where they are part of the spelling.
pub fn fold_text(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase()) {
        return Cow::Borrowed(text);
    }
    let mut folded = String::with_capacity(text.len());
    fold_into(text, &mut folded);
    Cow::Owned(folded)
}

/// Appends the result of [`fold_text`].
pub fn fold_into(text: &str, out: &mut String) {
    let mut rest = text;
    loop {
        let ascii = ascii_len(rest);
        let start = out.len();
        out.push_str(&rest[..ascii]);
        out[start..].make_ascii_lowercase();
        let mut chars = rest[ascii..].chars();
        let Some(first) = chars.next() else { return };
        fold_char(first, out);
        rest = chars.as_str();
    }
}

/// Removes case for sorting: `Straße` and `STRASSE` become equal.
pub fn casefold(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase()) {
        return Cow::Borrowed(text);
    }
    if text.is_ascii() {
        return Cow::Owned(text.to_ascii_lowercase());
    }
    Cow::Owned(text.chars().flat_map(casefold_char).collect())
}

/// Returns the number of ASCII bytes at the beginning of a text.
fn ascii_len(text: &str) -> usize {
    let bytes = text.as_bytes();
    let whole = bytes.chunks_exact(16).take_while(|chunk| chunk.is_ascii()).count() * 16;
    whole + bytes[whole..].iter().take_while(|byte| byte.is_ascii()).count()
}

/// Converts to lower, upper and again lower case, which covers characters that lower case alone
/// does not: `ß`, `ẞ` and `SS`, or the two small sigmas.
fn casefold_char(letter: char) -> impl Iterator<Item = char> {
    let ascii = letter.is_ascii().then(|| letter.to_ascii_lowercase());
    let other = (!letter.is_ascii()).then(|| letter.to_lowercase());
    let other = other.into_iter().flatten().flat_map(char::to_uppercase);
    ascii.into_iter().chain(other.flat_map(char::to_lowercase))
}

fn fold_char(letter: char, out: &mut String) {
    if let Some(row) = TABLE.get(letter as usize) {
        row.iter().take_while(|folded| **folded != '\0').for_each(|folded| out.push(*folded));
    } else if is_ideograph_or_syllable(letter) {
        out.push(letter);
    } else {
        fold_slowly(letter, |folded| push_composed(folded, out));
    }
}

/// Returns the table row of a character.
fn build_row(letter: char) -> [char; LONGEST] {
    let mut row = ['\0'; LONGEST];
    let mut at = 0;
    fold_slowly(letter, |folded| {
        if let Some(place) = row.get_mut(at) {
            *place = folded;
        }
        at += 1;
    });
    row
}

fn fold_slowly(letter: char, mut emit: impl FnMut(char)) {
    decompose_compatible(letter, |part| {
        for part in casefold_char(part) {
            // Decomposed again, because the change of case may produce a mark: `İ` becomes `i` with
            // a dot.
            decompose_compatible(part, |part| match part {
                mark if is_accent(mark) => {}
                'æ' => ['a', 'e'].into_iter().for_each(&mut emit),
                'œ' => ['o', 'e'].into_iter().for_each(&mut emit),
                letter => emit(without_stroke(letter)),
            });
        }
    });
}

/// Replaces letters whose stroke or missing dot is not a mark in Unicode.
fn without_stroke(letter: char) -> char {
    match letter {
        'ø' => 'o',
        'ł' => 'l',
        'đ' | 'ð' => 'd',
        'ħ' => 'h',
        'ŧ' => 't',
        'ı' => 'i',
        other => other,
    }
}

/// Returns true if a mark is an accent: overlays, Hebrew and Arabic points, and all marks above and
/// below. Marks of the other classes are part of the spelling (Indic, Thai) or of the voicing
/// (Japanese).
fn is_accent(mark: char) -> bool {
    matches!(canonical_combining_class(mark), 1 | 10..=36 | 200..)
}

/// Returns true for most Chinese, Japanese and Korean text, which folds to itself.
fn is_ideograph_or_syllable(letter: char) -> bool {
    matches!(letter, '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}')
}

/// Appends a character. Korean letters are composed to the syllables they are usually stored as,
/// since a syllable must not match inside another one.
fn push_composed(letter: char, out: &mut String) {
    let is_jamo = matches!(letter, '\u{1161}'..='\u{1175}' | '\u{11A8}'..='\u{11C2}');
    let syllable =
        if is_jamo { out.chars().next_back().and_then(|l| compose(l, letter)) } else { None };
    if syllable.is_some() {
        out.pop();
    }
    out.push(syllable.unwrap_or(letter));
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn folds() {
        let check = |text: &str, expect: &str| assert_eq!(fold_text(text), expect, "{text}");
        check("", "");
        check("plain text", "plain text");
        check("Plain TEXT, 100 %", "plain text, 100 %");
        check("Über", "uber");
        check("U\u{308}ber", "uber");
        check("Straße STRASSE STRAẞE", "strasse strasse strasse");
        check("Ångström café naïve", "angstrom cafe naive");
        check("ΣΊΣΥΦΟΣ Σίσυφος", "σισυφοσ σισυφοσ");
        check("İstanbul Isparta ısı", "istanbul isparta isi");
        check("Łódź Ærø Œuvre Đ", "lodz aero oeuvre d");
        check("Ёлка Йод", "елка иод");
        check("ﬁne ２０２６ № ½", "fine 2026 no 1⁄2");
        check("Tiếng Việt", "tieng viet");
        check("שָׁלוֹם", "שלום");
        check("한국 \u{1112}\u{1161}\u{11AB}\u{1100}\u{116E}\u{11A8}", "한국 한국");
        check("がか", "か\u{3099}か");
        check("कि का", "कि का");
        check("ไทย ที่", "ไทย ที่");
        check("北京", "北京");
    }

    #[test]
    fn nothing_of_the_table_is_cut_off() {
        for code in 0x80..TABLE_END as u32 {
            let Some(letter) = char::from_u32(code) else { continue };
            let mut whole = String::new();
            fold_slowly(letter, |folded| whole.push(folded));
            assert_eq!(fold_text(letter.encode_utf8(&mut [0; 4])), whole, "{code:x}");
        }
    }

    #[test]
    fn casefolds() {
        let check = |text: &str, expect: &str| assert_eq!(casefold(text), expect, "{text}");
        check("plain", "plain");
        check("PLAIN", "plain");
        check("Éa", "éa");
        check("Straße STRAẞE", "strasse strasse");
        check("ΣΊΣΥΦΟΣ", "σίσυφοσ");
        check("Σίσυφος", "σίσυφοσ");
    }

    proptest! {
        #[test]
        fn folding_twice_changes_nothing(text: String) {
            let once = fold_text(&text).into_owned();
            prop_assert_eq!(fold_text(&once), once.as_str());
        }

        #[test]
        fn case_makes_no_difference(text in "[a-zA-ZäöüßÄÖÜéÉñçÇøØłŁа-яА-Яα-ωΑ-Ω 0-9]{0,40}") {
            let upper = text.to_uppercase();
            prop_assert_eq!(fold_text(&text), fold_text(&upper));
            prop_assert_eq!(casefold(&text), casefold(&upper));
        }
    }
}
