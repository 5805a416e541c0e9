//! The names that types and fields of other systems get here.

use std::collections::BTreeSet;

use crate::model::name::EntryId;
use crate::model::name::FieldName;
use crate::model::name::TypeName;
use crate::stdx::slug::slugify;

/// The names of the fields of one level, each given once.
#[derive(Debug, Default)]
pub(super) struct FieldNames {
    taken: BTreeSet<String>,
}

impl FieldNames {
    /// Creates a level on which some names are taken.
    pub(super) fn with_taken(names: &[&str]) -> FieldNames {
        FieldNames { taken: names.iter().map(|it| (*it).to_string()).collect() }
    }

    /// Returns the name for a key: the same if it can be one and is free. Letters that names cannot
    /// have become `_`, and a name that is reserved or taken gets a `_` at its end.
    pub(super) fn take(&mut self, key: &str) -> Option<FieldName> {
        let plain: String =
            key.chars().map(|it| if it.is_ascii_alphanumeric() { it } else { '_' }).collect();
        let begins = plain.starts_with(|it: char| it.is_ascii_digit());
        let mut plain = if begins { format!("_{plain}") } else { plain };
        plain.truncate(FIELD_BYTES_MAX);
        for _ in 0..ENDINGS_MAX {
            match FieldName::parse(&plain) {
                Ok(name) if self.taken.insert(plain.clone()) => return Some(name),
                _ => plain.push('_'),
            }
        }
        None
    }
}

/// The length to which a name is cut, in bytes.
const FIELD_BYTES_MAX: usize = 60;

/// The number of endings that are tried: keys without a free name are lost.
const ENDINGS_MAX: usize = 32;

/// The names of content types, each given once.
#[derive(Debug, Default)]
pub(super) struct FreeTypeNames {
    taken: BTreeSet<String>,
}

impl FreeTypeNames {
    /// Returns the name for that of another system. One that is reserved begins with `content_`,
    /// and one that is taken ends with a number.
    pub(super) fn take(&mut self, wanted: &str) -> Option<TypeName> {
        let slug = slugify(wanted);
        let plain = TypeName::parse(wanted).or_else(|_| TypeName::parse(&slug));
        let plain = plain.or_else(|_| TypeName::parse(&format!("content_{slug}"))).ok()?;
        let numbered = (2..100).map(|it| format!("{plain}_{it}"));
        for name in std::iter::once(plain.to_string()).chain(numbered) {
            if self.taken.insert(name.to_ascii_lowercase()) {
                return TypeName::parse(&name).ok();
            }
        }
        None
    }
}

/// Returns the id for that of another system: the same if it can be one.
pub(super) fn to_entry_id(id: &str) -> Option<EntryId> {
    let other = || {
        let plain = |it: char| if it.is_ascii_alphanumeric() || it == '_' { it } else { '-' };
        EntryId::parse(&id.chars().map(plain).collect::<String>())
    };
    EntryId::parse(id).or_else(|_| other()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_given_once() {
        let mut fields = FieldNames::with_taken(&["title"]);
        let mut field = |key: &str| fields.take(key).map(|it| it.to_string());
        assert_eq!(field("metaTitle").as_deref(), Some("metaTitle"));
        assert_eq!(field("meta title").as_deref(), Some("meta_title"));
        assert_eq!(field("meta-title").as_deref(), Some("meta_title_"));
        assert_eq!(field("type").as_deref(), Some("type_"));
        assert_eq!(field("title").as_deref(), Some("title_"));
        assert_eq!(field("3d").as_deref(), Some("_3d"));
        let mut types = FreeTypeNames::default();
        let mut name = |it: &str| types.take(it).map(|it| it.to_string());
        assert_eq!(name("blogPost").as_deref(), Some("blogPost"));
        assert_eq!(name("blogpost").as_deref(), Some("blogpost_2"));
        assert_eq!(name("categories").as_deref(), Some("content_categories"));
        assert_eq!(name("a b").as_deref(), Some("a-b"));
        assert_eq!(to_entry_id("a.b/c").as_deref(), Some("a-b-c"));
        assert_eq!(to_entry_id("12").as_deref(), Some("12"));
    }
}
