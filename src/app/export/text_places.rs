//! The files of the texts of an export: where each entry is, and links that lead there.

use std::collections::BTreeSet;
use std::collections::HashMap;

use crate::app::export::exported_entry::ExportedEntry;
use crate::app::export::exported_entry::ExportedType;
use crate::model::name::EntryId;
use crate::model::name::TypeName;
use crate::model::name::is_windows_device;
use crate::query::execute::entry_mentions::parse_address;
use crate::stdx::slug::slugify;

/// The names of the files of all entries of an export.
#[derive(Default)]
pub struct TextPlaces {
    /// The stems of the names, by type and id.
    stems: HashMap<TypeName, HashMap<EntryId, String>>,
}

impl TextPlaces {
    /// Chooses the names of the files.
    pub fn choose(exported: &[ExportedType]) -> TextPlaces {
        let mut places = TextPlaces::default();
        for of_type in exported {
            let mut taken = BTreeSet::new();
            let choose = |it: &ExportedEntry| (it.id.clone(), choose_stem(it, &mut taken));
            let stems = of_type.entries.iter().map(choose).collect();
            places.stems.insert(of_type.content_type.name.clone(), stems);
        }
        places
    }

    /// Returns the name of the files of an entry, without locale and ending.
    pub(super) fn find_stem(&self, type_name: &str, id: &str) -> Option<&str> {
        self.stems.get(type_name)?.get(id).map(String::as_str)
    }

    /// Returns the path to the file of an entry, from that of any other, for a reference to the
    /// entry. Returns `None` for every other address, and if the entry is not exported.
    pub(super) fn find_link(&self, address: &str) -> Option<String> {
        let (mention, fragment) = parse_address(address)?;
        let stem = self.find_stem(mention.type_name, mention.id)?;
        Some(format!("../{}/{stem}.md{fragment}", mention.type_name))
    }
}

/// Chooses the name of the files of an entry: its slug, if that can be one. `taken` are the names
/// of others in lower case.
fn choose_stem(entry: &ExportedEntry, taken: &mut BTreeSet<String>) -> String {
    let slug = slugify(&entry.slug);
    let is_name = !slug.is_empty()
        && slug == entry.slug
        && !matches!(slug.as_str(), "index" | "readme")
        && !is_windows_device(&slug)
        && !begins_with_day(&slug);
    let mut stem = if is_name { slug } else { entry.id.to_string() };
    if !taken.insert(stem.to_lowercase()) {
        stem = format!("{stem}-{}", entry.id);
        taken.insert(stem.to_lowercase());
    }
    stem
}

/// Returns true if a name begins as one that the import takes for a date.
fn begins_with_day(stem: &str) -> bool {
    let day = stem.get(..10).unwrap_or_default();
    let is_digit = |it: (usize, u8)| match it.0 {
        4 | 7 => it.1 == b'-',
        _ => it.1.is_ascii_digit(),
    };
    day.len() == 10 && day.bytes().enumerate().all(is_digit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_told_from_other_names() {
        assert!(begins_with_day("2026-05-03-news") && begins_with_day("2026-05-03"));
        assert!(
            !begins_with_day("2026-05-x3") && !begins_with_day("hello") && !begins_with_day("ü")
        );
    }

    #[test]
    fn links_lead_to_files_of_the_export() {
        let stems = HashMap::from([(EntryId::parse("a1").unwrap(), "first".to_string())]);
        let stems = HashMap::from([(TypeName::parse("posts").unwrap(), stems)]);
        let places = TextPlaces { stems };
        let check = |address: &str, expect: Option<&str>| {
            assert_eq!(places.find_link(address).as_deref(), expect, "{address}");
        };
        check("recto:posts/a1", Some("../posts/first.md"));
        check("recto:posts/a1#part", Some("../posts/first.md#part"));
        check("recto:posts/b1", None);
        check("recto:pages/a1", None);
        check("https://a.org/recto:posts/a1", None);
    }
}
