//! References to entries inside texts: `recto:posts/01jntajc60fvxnxe`, the address of a link in
//! Markdown. It names the type and the id, so that it stays right when the slug changes.

use std::sync::LazyLock;

use memchr::memmem::Finder;

use crate::model::name::TypeName;
use crate::query::index::snapshot::Snapshot;
use crate::query::index::type_index::Ordinal;
use crate::query::index::type_index::TypeIndex;
use crate::query::render::rendered_entry::Variant;

/// The scheme of such an address.
const SCHEME: &[u8] = b"recto:";

static FINDER: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(SCHEME));

/// A reference to an entry in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EntryMention<'t> {
    /// The offset at which the address begins.
    pub start: usize,
    /// The name of the content type.
    pub type_name: &'t str,
    /// The id of the entry.
    pub id: &'t str,
    /// The offset behind the id.
    pub end: usize,
}

/// Iterates over the references to entries in a text or in a rendering.
pub fn find_mentions(text: &[u8]) -> impl Iterator<Item = EntryMention<'_>> {
    FINDER.find_iter(text).filter_map(move |start| {
        let is_own_word = start.checked_sub(1).and_then(|it| text.get(it));
        if is_own_word.is_some_and(|it| is_name_byte(*it)) {
            return None;
        }
        let first = start + SCHEME.len();
        let type_name = take_name(text.get(first..)?)?;
        let slash = first + type_name.len();
        let id = take_name(text.get(slash..)?.strip_prefix(b"/")?)?;
        Some(EntryMention { start, type_name, id, end: slash + 1 + id.len() })
    })
}

/// Returns the reference that an address consists of, apart from a fragment, which comes with it.
pub fn parse_address(address: &str) -> Option<(EntryMention<'_>, &str)> {
    let mention = find_mentions(address.as_bytes()).next().filter(|it| it.start == 0)?;
    let rest = address.get(mention.end..)?;
    (rest.is_empty() || rest.starts_with('#')).then_some((mention, rest))
}

fn take_name(text: &[u8]) -> Option<&str> {
    let end = text.iter().position(|it| !is_name_byte(*it)).unwrap_or(text.len());
    std::str::from_utf8(text.get(..end)?).ok().filter(|it| !it.is_empty())
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_'
}

/// A text that refers to an entry.
#[derive(Clone, Copy, Debug)]
pub struct TextReference<'s> {
    /// The position of the referring entry's type in the snapshot.
    pub place: usize,
    /// The type of the referring entry.
    pub from: &'s TypeIndex,
    /// The ordinal of the referring entry in its type.
    pub ordinal: Ordinal,
    /// The rendering with the text.
    pub variant: &'s Variant,
    /// The position of the data field with the text.
    pub field: usize,
    /// The id of the entry that it refers to.
    pub to: &'s str,
}

/// Collects the texts that refer to the `wanted` entries of `target`, each field of an entry once
/// for each, by type and entry. There is no index: renderings are searched at about the speed of
/// reading memory.
pub fn collect_text_references<'s>(
    snapshot: &'s Snapshot,
    target: &TypeName,
    wanted: impl Fn(&str) -> bool,
) -> Vec<TextReference<'s>> {
    let mut found: Vec<TextReference<'s>> = Vec::new();
    for (place, from) in snapshot.types().iter().enumerate() {
        for (ordinal, doc) in from.iter() {
            let first = found.len();
            for variant in doc.variants() {
                let mentions = find_mentions(variant.body());
                for it in mentions.filter(|it| it.type_name == &**target && wanted(it.id)) {
                    let holds = |field: &usize| {
                        let span = variant.field_span(*field);
                        span.start as usize <= it.start && it.end <= span.end as usize
                    };
                    let Some(field) = (0..variant.count_fields()).find(holds) else { continue };
                    let known = found.get(first..).unwrap_or_default();
                    if !known.iter().any(|known| known.field == field && known.to == it.id) {
                        let to = it.id;
                        found.push(TextReference { place, from, ordinal, variant, field, to });
                    }
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_found_in_texts() {
        let check = |text: &str, expect: &[(&str, &str)]| {
            let found: Vec<_> =
                find_mentions(text.as_bytes()).map(|it| (it.type_name, it.id)).collect();
            assert_eq!(found, expect, "{text}");
        };
        check(
            "[A](recto:posts/01abc) and <recto:my-pages/x_1>",
            &[("posts", "01abc"), ("my-pages", "x_1")],
        );
        check(r#"{"body":"[a]: recto:posts/b\n"}"#, &[("posts", "b")]);
        check("recto:posts/b#part recto:posts/c.", &[("posts", "b"), ("posts", "c")]);
        check("recto: recto:posts recto:posts/ recto:/a xrecto:posts/a direcTo:posts/a", &[]);
    }

    #[test]
    fn an_address_is_a_reference_with_a_fragment_at_most() {
        let check = |address: &str, expect: Option<(&str, &str)>| {
            let found = parse_address(address).map(|(it, rest)| (it.id, rest));
            assert_eq!(found, expect, "{address}");
        };
        check("recto:posts/a", Some(("a", "")));
        check("recto:posts/a#part", Some(("a", "#part")));
        for other in ["recto:posts/a/b", "recto:posts/a?x", " recto:posts/a", "https://a.org/", ""]
        {
            check(other, None);
        }
    }
}
