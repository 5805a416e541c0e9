//! The list of common passwords, which attackers try first.

use std::collections::HashSet;
use std::sync::LazyLock;

/// The fewest bytes of a stem that is looked up; shorter stems are no words.
const STEM_BYTES_MIN: usize = 4;

static COMMON: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    let lines = include_str!("common_passwords.txt").lines();
    lines.filter(|it| !it.starts_with("# ") && !it.is_empty()).collect()
});

/// Returns true if a password is on the list, ignoring case, or is a listed one with digits and
/// signs around it: `password1234` and `!Summer2026` are guessed nearly as fast.
pub(super) fn is_common(password: &str) -> bool {
    let folded = password.to_lowercase();
    let stem = folded.trim_matches(|it: char| !it.is_alphabetic());
    let is_listed = |it: &str| COMMON.contains(it);
    is_listed(&folded) || stem.len() >= STEM_BYTES_MIN && is_listed(stem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_passwords_and_what_is_made_of_them() {
        assert!(COMMON.len() > 1_000 && COMMON.iter().all(|it| *it == it.to_lowercase()));
        for common in
            ["password", "PassWord", "password1234", "!Summer2026", "12345678", "qwertyuiop"]
        {
            assert!(is_common(common), "{common}");
        }
        for good in
            ["correct horse", "password of mine", "", "1999", "abc-1999", "übermorgen gibt es"]
        {
            assert!(!is_common(good), "{good}");
        }
    }
}
