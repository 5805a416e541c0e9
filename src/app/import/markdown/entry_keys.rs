//! The keys of front matter with a meaning of their own.

use crate::model::content_type::ContentType;

/// The keys with the date of publication, best first.
pub(super) const DATE_KEYS: &[&str] = &[
    "date",
    "pubDate",
    "publishDate",
    "publishedDate",
    "pubdate",
    "published_at",
    "publishedAt",
    PUBLISHED,
];

/// The key that has the date of publication, or says that there is none.
pub(super) const PUBLISHED: &str = "published";

/// The keys with the date of the last change.
pub(super) const UPDATED_KEYS: &[&str] =
    &["lastmod", "updated", "updatedDate", "updated_at", "updatedAt", "last_modified_at"];

/// The keys with the date of the end.
pub(super) const END_KEYS: &[&str] = &["expiryDate", "unpublish_at"];

/// The keys that say how a generator makes the page.
pub(super) const GENERATOR_KEYS: &[&str] =
    &["layout", "permalink", "url", "eleventyNavigation", "cascade"];

/// The keys that become keys of the entry.
const ENTRY_KEYS: &[&str] = &["title", "slug", "draft", "status"];

/// Returns true if a key has a meaning of its own in every content type without such a field.
pub(super) fn is_entry_key(key: &str) -> bool {
    [DATE_KEYS, UPDATED_KEYS, END_KEYS, GENERATOR_KEYS, ENTRY_KEYS]
        .iter()
        .any(|it| it.contains(&key))
}

/// Returns true if a type has a field of this name, which then is that and nothing else.
pub(super) fn is_field(ty: &ContentType, key: &str) -> bool {
    !ENTRY_KEYS.contains(&key) && ty.fields.get(key).is_some()
}
