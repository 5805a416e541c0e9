//! Validated names. A name is parsed once where it enters (a path parameter, a file name, a body)
//! and trusted from then on: a value of these types is valid as a file name or a map key without
//! further checks.
//!
//! All of them are shared strings, so cloning increments a counter, and they deref to `&str`.

use std::sync::Arc;

/// Literal path segments of the API in places where type names or ids are allowed too.
pub const RESERVED_WORDS: &[&str] = &["order", "bulk", "categories", "bulk-visibility"];

/// The keys of an entry itself, which field names must not collide with. `title` and `slug` are
/// missing on purpose: they are fields, only stored at the top level.
pub const RESERVED_FIELD_NAMES: &[&str] = &[
    "id",
    "type",
    "status",
    "published_at",
    "unpublish_at",
    "created_at",
    "updated_at",
    "author_id",
    "updated_by",
    "locale",
    "translations",
    "data",
];

/// The maximum length of a media file name in bytes: below the 255 of file systems, with room for
/// `.json`.
pub const FILENAME_BYTES_MAX: usize = 180;

/// The maximum length of an icon's name in bytes.
pub const ICON_BYTES_MAX: usize = 64;

/// Device names that are reserved on Windows, with any extension and in any case.
const WINDOWS_DEVICES: &[&str] = &["con", "prn", "aux", "nul", "conin$", "conout$"];

/// The length of the longest of them.
const WINDOWS_DEVICE_BYTES_MAX: usize = "conout$".len();

/// The reason why a text is not a valid name, as a sentence for users.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NameError(&'static str);

impl NameError {
    /// Creates an error from a sentence.
    pub(super) const fn new(sentence: &'static str) -> Self {
        Self(sentence)
    }

    /// Returns the sentence.
    pub fn message(self) -> &'static str {
        self.0
    }
}

/// Defines a type for valid texts: a shared string that derefs to `&str`.
macro_rules! shared_text {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(Arc<str>);

        impl $name {
            /// Returns the text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl std::ops::Deref for $name {
            type Target = str;

            fn deref(&self) -> &str {
                &self.0
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }

        impl std::borrow::Borrow<str> for $name {
            fn borrow(&self) -> &str {
                &self.0
            }
        }

        impl PartialEq<str> for $name {
            fn eq(&self, other: &str) -> bool {
                &*self.0 == other
            }
        }

        impl PartialEq<&str> for $name {
            fn eq(&self, other: &&str) -> bool {
                &*self.0 == *other
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Debug::fmt(&self.0, f)
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&self.0)
            }
        }

        crate::stdx::json_schema::inline_schema!($name, |_| schemars::json_schema!({ "type": "string" }));
    };
}

pub(in crate::model) use shared_text;

/// Defines a name type by the rule that checks a text.
macro_rules! name {
    ($(#[$doc:meta])* $name:ident, $rule:path) => {
        shared_text! {
            $(#[$doc])*
            $name
        }

        impl $name {
            /// Parses a name. The text is taken exactly as written or rejected.
            pub fn parse(text: &str) -> Result<Self, NameError> {
                $rule(text)?;
                Ok(Self(Arc::from(text)))
            }

            /// Returns true if the text is a valid name.
            pub fn fits(text: &str) -> bool {
                $rule(text).is_ok()
            }
        }
    };
}

name!(
    /// The name of a workspace in folders and URLs: `^[a-z0-9][a-z0-9-]{0,62}$`.
    WorkspaceSlug,
    workspace_slug
);
name!(
    /// The name of a content type: `^[A-Za-z0-9_-]{1,64}$` and not one of [`RESERVED_WORDS`].
    TypeName,
    type_name
);
name!(
    /// The name of a field: `^[A-Za-z_][A-Za-z0-9_]{0,63}$` and not one of
    /// [`RESERVED_FIELD_NAMES`].
    FieldName,
    field_name
);
name!(
    /// A locale code: `^[A-Za-z0-9_-]{1,35}$`.
    LocaleCode,
    locale_code
);
name!(
    /// The id of an entry, which is also the stem of its file: `^[A-Za-z0-9_-]{1,64}$` and not one
    /// of [`RESERVED_WORDS`].
    EntryId,
    entry_id
);
name!(
    /// The name of a media file: safe on every file system the folder may be copied to.
    Filename,
    filename
);
name!(
    /// The public part of an API token: 16 characters of lower-case Crockford base32.
    TokenId,
    token_id
);

/// An entry by its type and id.
pub type EntryPlace = (TypeName, EntryId);

impl Filename {
    /// Parses a name after Unicode normalization. For names from outside, where a composed and a
    /// decomposed accent look the same to users. [`Filename::parse`] is for names on disk, which
    /// are only found under their exact bytes.
    pub fn parse_normalized(text: &str) -> Result<Self, NameError> {
        use unicode_normalization::UnicodeNormalization;
        if text.len() > FILENAME_BYTES_MAX * 4 {
            return Err(FILENAME_TOO_LONG); // normalization cannot shorten it enough
        }
        if text.is_ascii() {
            return Self::parse(text);
        }
        Self::parse(&text.nfc().collect::<String>())
    }

    /// Returns the text after the last dot, as written; empty if there is no dot.
    pub fn extension(&self) -> &str {
        self.rsplit_once('.').map_or("", |(_, extension)| extension)
    }
}

const FILENAME_TOO_LONG: NameError = NameError("A file name has at most 180 bytes.");

fn workspace_slug(text: &str) -> Result<(), NameError> {
    let allowed = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    let fits = !text.starts_with('-') && (1..=63).contains(&text.len());
    check_rule(
        fits && text.bytes().all(allowed),
        "A workspace slug must be 1 to 63 lower-case letters, digits and hyphens, and must not \
         start with a hyphen.",
    )
}

fn type_name(text: &str) -> Result<(), NameError> {
    check_rule(
        is_word(text, 64),
        "The name of a content type must be 1 to 64 letters, digits, hyphens and underscores.",
    )?;
    check_rule(!is_windows_device(text), DEVICE)?;
    check_not_reserved(text, RESERVED_WORDS)
}

fn field_name(text: &str) -> Result<(), NameError> {
    let starts_well = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    check_rule(
        starts_well && is_word(text, 64) && !text.contains('-'),
        "A field name must be 1 to 64 letters, digits and underscores, and must not start with a \
         digit.",
    )?;
    check_not_reserved(text, RESERVED_FIELD_NAMES)
}

fn locale_code(text: &str) -> Result<(), NameError> {
    check_rule(
        is_word(text, 35),
        "A locale must be 1 to 35 letters, digits, hyphens and underscores.",
    )
}

fn entry_id(text: &str) -> Result<(), NameError> {
    check_rule(
        is_word(text, 64),
        "An id must be 1 to 64 letters, digits, hyphens and underscores.",
    )?;
    check_rule(!is_windows_device(text), DEVICE)?;
    check_not_reserved(text, RESERVED_WORDS)
}

fn token_id(text: &str) -> Result<(), NameError> {
    let base32 = |b: u8| matches!(b, b'0'..=b'9' | b'a'..=b'z') && !b"ilou".contains(&b);
    check_rule(text.len() == 16 && text.bytes().all(base32), "This is not the id of a token.")
}

fn filename(text: &str) -> Result<(), NameError> {
    check_rule(!text.is_empty(), "A file needs a name.")?;
    if text.len() > FILENAME_BYTES_MAX {
        return Err(FILENAME_TOO_LONG);
    }
    check_rule(
        !text.contains(|c: char| c.is_control() || "/\\:*?\"<>|".contains(c)),
        "A file name must not contain control characters or any of / \\ : * ? \" < > |.",
    )?;
    check_rule(
        !text.starts_with(['.', '~', '#', '-']),
        "A file name must not start with a dot, a tilde, a hash or a hyphen.",
    )?;
    check_rule(!text.ends_with(['.', ' ']), "A file name must not end with a dot or a space.")?;
    check_rule(!is_windows_device(text), DEVICE)?;
    check_rule(
        unicode_normalization::is_nfc(text),
        "A file name must be in Unicode's composed form (NFC).",
    )
}

/// A folder with such a name cannot be copied to or checked out on Windows.
const DEVICE: &str = "Windows reserves this name for devices.";

fn check_rule(fits: bool, sentence: &'static str) -> Result<(), NameError> {
    if fits { Ok(()) } else { Err(NameError(sentence)) }
}

fn check_not_reserved(text: &str, words: &[&str]) -> Result<(), NameError> {
    check_rule(!words.contains(&text), "This name is reserved.")
}

/// Checks a text against `^[A-Za-z0-9_-]{1,max}$`.
fn is_word(text: &str, len_max: usize) -> bool {
    (1..=len_max).contains(&text.len())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
}

/// Returns true for the device names of Windows: `nul`, `NUL.txt`, `com1 .tar.gz`, `LPT²`. Windows
/// only looks at the part before the first dot.
pub fn is_windows_device(text: &str) -> bool {
    let stem = text.split('.').next().unwrap_or(text).trim_end();
    // Nearly all names are longer than those of devices.
    if stem.len() > WINDOWS_DEVICE_BYTES_MAX {
        return false;
    }
    let stem = stem.to_ascii_lowercase();
    let numbered = |prefix| {
        let number = stem.strip_prefix(prefix).unwrap_or("");
        let mut digits = number.chars();
        matches!(digits.next(), Some('0'..='9' | '¹' | '²' | '³')) && digits.next().is_none()
    };
    WINDOWS_DEVICES.contains(&stem.as_str()) || numbered("com") || numbered("lpt")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn workspace_slugs() {
        let check = |text: &str, fits: bool| {
            assert_eq!(WorkspaceSlug::parse(text).is_ok(), fits, "{text:?}");
        };
        check("default", true);
        check("0", true);
        check("a-b-", true);
        check(&"a".repeat(63), true);
        check(&"a".repeat(64), false);
        check("", false);
        check("-a", false);
        check("Default", false);
        check("a_b", false);
        check("a.b", false);
        check("..", false);
        check("ä", false);
    }

    #[test]
    fn type_names_and_entry_ids() {
        let check = |text: &str, fits: bool| {
            assert_eq!(TypeName::parse(text).is_ok(), fits, "{text:?}");
            assert_eq!(EntryId::parse(text).is_ok(), fits, "{text:?}");
        };
        check("posts", true);
        check("-", true);
        check("Blog_Posts-2", true);
        check(&"a".repeat(64), true);
        check(&"a".repeat(65), false);
        check("", false);
        check("a b", false);
        check("a.json", false);
        check("a/b", false);
        check("posts\n", false);
        check("order", false);
        check("bulk-visibility", false);
        check("orders", true);
        for device in ["con", "CON", "prn", "Aux", "nul", "com1", "COM9", "lpt0"] {
            check(device, false);
        }
        check("com10", true);
        check("contacts", true);
    }

    #[test]
    fn field_names() {
        let check = |text: &str, fits: bool| {
            assert_eq!(FieldName::parse(text).is_ok(), fits, "{text:?}");
        };
        check("title", true);
        check("slug", true);
        check("_x1", true);
        check(&"a".repeat(64), true);
        check(&"a".repeat(65), false);
        check("", false);
        check("1a", false);
        check("a-b", false);
        check("a.b", false);
        for reserved in RESERVED_FIELD_NAMES {
            check(reserved, false);
        }
    }

    #[test]
    fn locale_codes_and_token_ids() {
        assert!(LocaleCode::parse("pt-BR").is_ok());
        assert!(LocaleCode::parse("").is_err());
        assert!(LocaleCode::parse(&"a".repeat(36)).is_err());
        assert!(TokenId::parse("01jz8x3m5q7v9c2a").is_ok());
        for wrong in
            ["01jz8x3m5q7v9c2", "01jz8x3m5q7v9c2ab", "01JZ8X3M5Q7V9C2A", "01jz8x3m5q7v9c2i"]
        {
            assert!(TokenId::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn filenames() {
        let check = |text: &str, fits: bool| {
            assert_eq!(Filename::parse(text).is_ok(), fits, "{text:?}");
        };
        check("hero.png", true);
        check("Straße 1 (neu).jpg", true);
        check("noextension", true);
        check(" leading space.png", true);
        check("category-press", true);
        check(&"a".repeat(180), true);
        check(&"a".repeat(181), false);
        check(&"ä".repeat(91), false);
        check("", false);
        check(".", false);
        check("..", false);
        check(".htaccess", false);
        check("~a", false);
        check("#a#", false);
        check("-rf", false);
        check("a.", false);
        check("a ", false);
        check("a/b", false);
        check("a\\b", false);
        check("category:press", false);
        check("a*b", false);
        check("a\0b", false);
        check("a\u{85}b", false);
        check("nul", false);
        check("CON.png", false);
        check("com1 .tar.gz", false);
        check("LPT².txt", false);
        check("com10.txt", true);
        check("console.txt", true);
        check("a\u{308}.png", false);
    }

    #[test]
    fn a_name_from_outside_is_composed_first() {
        let name = Filename::parse_normalized("a\u{308}.png").unwrap();
        assert_eq!(name, "ä.png");
        assert!(Filename::parse_normalized(&"a".repeat(10_000)).is_err());
    }

    #[test]
    fn an_extension_follows_the_last_dot() {
        let check = |text: &str, extension: &str| {
            assert_eq!(Filename::parse(text).unwrap().extension(), extension, "{text}");
        };
        check("a.b.PNG", "PNG");
        check("plain", "");
    }

    #[test]
    fn the_sentence_says_what_is_allowed() {
        let error = TypeName::parse("a b").unwrap_err();
        assert_eq!(
            error.to_string(),
            "The name of a content type must be 1 to 64 letters, digits, hyphens and underscores."
        );
    }

    proptest! {
        #[test]
        fn what_is_taken_is_kept_as_written(text in "\\PC{0,80}") {
            if let Ok(name) = Filename::parse(&text) {
                prop_assert_eq!(name.to_string(), text.clone());
                prop_assert_eq!(Filename::parse(&name).unwrap(), name);
            }
            if let Ok(name) = Filename::parse_normalized(&text) {
                prop_assert_eq!(Filename::parse(&name).unwrap(), name);
            }
        }
    }
}
