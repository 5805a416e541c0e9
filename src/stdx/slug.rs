//! Slugs, the last parts of URLs: `Über uns!` becomes `uber-uns`.

use deunicode::deunicode_char;

/// The maximum length of a slug in characters.
pub const MAX_LEN: usize = 100;

/// Transliterates text to lower-case ASCII letters and digits, with `-` in place of everything
/// else.
///
/// Returns an empty string if no character of the text can be transliterated.
pub fn slugify(text: &str) -> String {
    let mut slug = String::new();
    for letter in text.chars() {
        push_letter(letter, &mut slug);
        // A dash beyond the limit shows that the slug ends with a whole word.
        if slug.len() > MAX_LEN {
            break;
        }
    }
    slug.truncate(MAX_LEN);
    slug.truncate(slug.trim_end_matches('-').len());
    slug
}

/// Appends the transliteration of a character; `slug` is ASCII.
fn push_letter(letter: char, slug: &mut String) {
    // Punctuation within a transliterated letter (`'` for `ь`) stands for a sound and is dropped.
    // White space does separate words: in Chinese each character is one.
    let is_word = !letter.is_ascii() && letter.is_alphanumeric();
    let between = letter.is_whitespace() || letter.is_control();
    let written = if between { Some(" ") } else { deunicode_char(letter) };
    for part in written.unwrap_or(" ").chars() {
        if part.is_ascii_alphanumeric() {
            slug.push(part.to_ascii_lowercase());
        } else if !(is_word && part.is_ascii_punctuation()
            || slug.is_empty()
            || slug.ends_with('-'))
        {
            slug.push('-');
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn slugs() {
        let check = |text: &str, expect: &str| assert_eq!(slugify(text), expect, "{text}");
        check("", "");
        check("Hello World", "hello-world");
        check("  --Hello,   World!-- ", "hello-world");
        check("don't snake_case 3.14", "don-t-snake-case-3-14");
        check("two\nlines\tand a\0tab", "two-lines-and-a-tab");
        check("Über", "uber");
        check("U\u{308}ber", "uber");
        check("Straße der Größe", "strasse-der-grosse");
        check("Ærø Łódź İstanbul", "aero-lodz-istanbul");
        check("¿Qué pasa, señor?", "que-pasa-senor");
        check("Привет, мир", "privet-mir");
        check("Объект соль", "obekt-sol");
        check("Ελληνικά", "ellenika");
        check("北京 2026", "bei-jing-2026");
        check("こんにちは", "konnitiha");
        check("안녕하세요", "annyeonghaseyo");
        check("עברית", "bryt");
        check("Tiếng Việt", "tieng-viet");
        check("It’s “quoted” — yes…", "it-s-quoted-yes");
        check("50 € Ⅳ ﬁn", "50-eur-iv-fin");
        check("🦄", "unicorn");
        check("!?…", "");
        check("\u{E000}\u{0}", "");
    }

    #[test]
    fn long_text_is_cut_without_a_trailing_dash() {
        assert_eq!(slugify(&"a".repeat(300)), "a".repeat(100));
        assert_eq!(slugify(&format!("{} b", "a".repeat(99))), "a".repeat(99));
        assert_eq!(slugify(&format!("{} b", "a".repeat(98))), format!("{}-b", "a".repeat(98)));
    }

    proptest! {
        #[test]
        fn a_slug_is_well_formed_and_its_own_slug(text: String) {
            let slug = slugify(&text);
            let is_fine = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            prop_assert!(slug.chars().all(is_fine) && slug.len() <= MAX_LEN);
            prop_assert!(!slug.starts_with('-') && !slug.ends_with('-') && !slug.contains("--"));
            prop_assert_eq!(slugify(&slug), slug);
        }
    }
}
