//! The names of the components and operations of a content type.
//!
//! Generators derive identifiers and filenames from these names. They drop punctuation and case, so
//! names that differ only in these would collide.

use std::collections::BTreeSet;
use std::collections::HashMap;

use crate::http::request::route::Route;
use crate::model::content_type::ContentType;
use crate::model::name::TypeName;

/// The names of content types: letters and digits only, each unique ignoring case.
pub(super) struct TypeNames(HashMap<TypeName, SchemaStem>);

struct SchemaStem {
    /// The name in pascal case: `BlogPosts` of `blog-posts`.
    words: String,
    /// A number that distinguishes equal names, or empty text.
    number: String,
}

impl TypeNames {
    /// Returns names for these types. If several differ only in punctuation or case, later ones get
    /// a number.
    pub(super) fn new(types: &[&ContentType]) -> TypeNames {
        let mut taken = BTreeSet::new();
        let mut names = HashMap::new();
        for ty in types {
            let words = pascal_case(ty.name.as_str());
            let numbers = std::iter::once(String::new()).chain((2..).map(|it| it.to_string()));
            let free = numbers.into_iter().find(|number| {
                let folded = format!("{words}{number}").to_ascii_lowercase();
                taken.insert(folded)
            });
            let number = free.unwrap_or_default();
            names.insert(ty.name.clone(), SchemaStem { words, number });
        }
        TypeNames(names)
    }

    /// Returns the name of the schema of entries: of one type, or of any.
    pub(super) fn entry_schema(&self, ty: Option<&ContentType>) -> String {
        format!("{}Entry", self.schema_stem(ty))
    }

    /// Returns the name of the schema of the values of a type's entries.
    pub(super) fn data_schema(&self, ty: &ContentType) -> String {
        format!("{}EntryData", self.schema_stem(Some(ty)))
    }

    /// Returns the name of the schema of request bodies for an entry: of one type, or of any.
    pub(super) fn input_schema(&self, ty: Option<&ContentType>) -> String {
        format!("{}EntryInput", self.schema_stem(ty))
    }

    /// Returns the id of an operation: for one type, or in general.
    pub(super) fn operation_id(&self, route: &Route, ty: Option<&ContentType>) -> String {
        let Some(ty) = ty else { return route.name.to_string() };
        let number = self.0.get(&ty.name).map_or("", |it| it.number.as_str());
        format!("{}.{}{number}", route.name, ty.name)
    }

    fn schema_stem(&self, ty: Option<&ContentType>) -> String {
        let named = ty.and_then(|it| self.0.get(&it.name));
        named.map_or(String::new(), |it| format!("{}{}", it.words, it.number))
    }
}

/// Converts a name to pascal case: `BlogPosts` of `blog-posts` and `blog_posts`. The result starts
/// with a letter.
fn pascal_case(name: &str) -> String {
    let words = name.split(['-', '_']).filter(|it| !it.is_empty()).map(|word| {
        let (first, rest) = word.split_at(1);
        first.to_ascii_uppercase() + rest
    });
    let words: String = words.collect();
    let begins_well = words.starts_with(|it: char| it.is_ascii_alphabetic());
    if begins_well { words } else { format!("Type{words}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stdx::json::Json;

    #[test]
    fn names_are_words_and_never_meet() {
        let content_type = |name: &str| {
            let name = TypeName::parse(name).unwrap();
            ContentType::parse(name, &Json::parse(b"{}").unwrap()).0.unwrap()
        };
        let named = |names: &[&str]| -> Vec<String> {
            let types: Vec<ContentType> = names.iter().map(|it| content_type(it)).collect();
            let types: Vec<&ContentType> = types.iter().collect();
            let names = TypeNames::new(&types);
            types.iter().map(|it| names.entry_schema(Some(it))).collect()
        };
        for (names, expect) in [
            (&["posts"][..], &["PostsEntry"][..]),
            (
                &["blog-posts", "news_items", "caseA"],
                &["BlogPostsEntry", "NewsItemsEntry", "CaseAEntry"],
            ),
            (&["a-b", "a_b", "A--b_"], &["ABEntry", "AB2Entry", "AB3Entry"]),
            (&["a-b", "a_b2", "a_b"], &["ABEntry", "AB2Entry", "AB3Entry"]),
            (&["2024", "_", "--"], &["Type2024Entry", "TypeEntry", "Type2Entry"]),
        ] {
            assert_eq!(named(names), expect, "{names:?}");
        }
    }
}
