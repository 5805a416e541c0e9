//! Rules for the texts in users, tokens and roles, shared by all ways of input.

/// The message about a required value that is missing.
pub const REQUIRED: &str = "This field is required.";

/// Returns the defect of a text of at most `chars_max` characters, if any.
pub fn text_defect(text: &str, chars_max: usize) -> Option<String> {
    if text.chars().count() > chars_max {
        return Some(format!("This has {chars_max} characters at most."));
    }
    let is_control = |it: char| it.is_control() && it != '\n' && it != '\t';
    text.chars().any(is_control).then(|| "This has no control characters.".to_string())
}

/// Returns the defect of a required text, if any.
pub fn required_text_defect(text: &str, chars_max: usize) -> Option<String> {
    if text.is_empty() { Some(REQUIRED.to_string()) } else { text_defect(text, chars_max) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defects_of_texts() {
        let check = |text: &str, expect: Option<&str>| {
            assert_eq!(required_text_defect(text, 3).as_deref(), expect, "{text:?}");
        };
        check("", Some(REQUIRED));
        check("äöü", None);
        check("a\nb", None);
        check("abcd", Some("This has 3 characters at most."));
        check("a\u{7}", Some("This has no control characters."));
        assert_eq!(text_defect("", 3), None);
    }
}
