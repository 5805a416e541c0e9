//! The relations of imported posts and pages to each other: parents that are not imported, and
//! slugs that several have. In WordPress, pages below different parents may share a slug, and so
//! may a draft and a published post.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::collections::HashMap;

use crate::app::import::import_set::EntryKey;
use crate::app::import::import_set::ImportSet;
use crate::app::import::import_set::ImportedEntry;
use crate::model::name::TypeName;
use crate::stdx::json::Json;
use crate::stdx::slug::MAX_LEN;
use crate::stdx::slug::slugify;

/// A post or page with a slug.
struct NamedPost<'e> {
    /// The position among the entries.
    at: usize,
    number: &'e str,
    /// The number of the parent.
    parent: Option<&'e str>,
    is_draft: bool,
}

/// Removes parents that are not imported, such as those in the trash.
pub(super) fn remove_lost_parents(set: &mut ImportSet) {
    let ImportSet { entries, report, .. } = set;
    let is_page = |it: &ImportedEntry| it.type_name.as_str() == "pages";
    let pages = entries.iter().filter(|it| is_page(it));
    let numbers: BTreeSet<String> = pages.filter_map(find_number).map(str::to_string).collect();
    for page in entries.iter_mut().filter(|it| is_page(it)) {
        let Some(parent) = find_parent(page).filter(|it| !numbers.contains(*it)) else { continue };
        let message =
            format!("The page `{parent}` is in the trash or missing, so the reference is removed.");
        report.add_altered(page.place.with_field("parent"), message);
        if let Some(Json::Object(data)) = page.values.get_mut("data") {
            data.set("parent", Json::Null);
        }
    }
}

/// Gives posts and pages of one type with the same slug different ones. Exports say the same each
/// time, so that another run finds the same entries.
pub(super) fn lengthen_shared_slugs(set: &mut ImportSet) {
    for (at, slug) in choose_longer_slugs(&set.entries) {
        let Some(entry) = set.entries.get_mut(at) else { continue };
        let message = format!(
            "Several {} are named `{}`, so its slug is `{slug}`.",
            entry.type_name,
            find_slug(entry).unwrap_or_default()
        );
        set.report.add_altered(entry.place.clone(), message);
        entry.values.set("slug", Json::from(slug.as_str()));
        entry.key = Some(EntryKey::Slug(slug));
    }
}

/// Returns the positions of entries whose slug another one keeps, with their new slugs.
fn choose_longer_slugs(entries: &[ImportedEntry]) -> Vec<(usize, String)> {
    let mut named: BTreeMap<(&TypeName, &str), Vec<NamedPost<'_>>> = BTreeMap::new();
    let mut pages: HashMap<&str, &str> = HashMap::new();
    for (at, entry) in entries.iter().enumerate() {
        let (Some(number), Some(slug)) = (find_number(entry), find_slug(entry)) else { continue };
        if entry.type_name.as_str() == "pages" {
            pages.insert(number, slug);
        }
        let is_draft = entry.values.get("status").and_then(Json::as_str) == Some("draft");
        let post = NamedPost { at, number, parent: find_parent(entry), is_draft };
        named.entry((&entry.type_name, slug)).or_default().push(post);
    }
    let mut taken: BTreeSet<(&TypeName, String)> =
        named.keys().map(|(of, slug)| (*of, (*slug).to_string())).collect();
    let mut longer = Vec::new();
    for ((of, slug), mut posts) in named {
        // The same post in two files stays a problem.
        if posts.iter().all(|it| posts.first().is_some_and(|first| first.number == it.number)) {
            continue;
        }
        // The address of what is public stays.
        posts.sort_by_key(|it| it.is_draft);
        let keeper = posts.iter().find(|it| it.parent.is_none()).map(|it| it.number);
        for post in posts.iter().filter(|it| Some(it.number) != keeper) {
            let parent = post.parent.and_then(|it| pages.get(it));
            let below = parent.map(|it| slugify(&format!("{it}-{slug}")));
            let numbered = append_number(slug, post.number);
            let again = append_number(&numbered, post.number);
            let mut candidates = below.into_iter().chain([numbered, again]);
            let free = candidates.find(|it| taken.insert((of, it.clone())));
            longer.extend(free.map(|it| (post.at, it)));
        }
    }
    longer
}

/// Appends the number of a post to a slug, which is cut so that both fit.
fn append_number(slug: &str, number: &str) -> String {
    let bytes_max = MAX_LEN.saturating_sub(number.len() + 1);
    let begin = slug.get(..bytes_max).unwrap_or(slug);
    slugify(&format!("{begin}-{number}"))
}

/// Returns the number of a post or page; nothing for terms and authors.
fn find_number(entry: &ImportedEntry) -> Option<&str> {
    entry.names.first()?.strip_prefix("post:")
}

/// Returns the number of the parent of a page.
fn find_parent(entry: &ImportedEntry) -> Option<&str> {
    let data = entry.values.get("data")?.as_object()?;
    data.get("parent")?.as_str()?.strip_prefix("post:")
}

fn find_slug(entry: &ImportedEntry) -> Option<&str> {
    entry.values.get("slug").and_then(Json::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::import::report::SourcePlace;
    use crate::stdx::json::Map;

    fn post(of: &str, number: &str, slug: &str, status: &str, parent: &str) -> ImportedEntry {
        let type_name = TypeName::parse(of).unwrap();
        let mut entry = ImportedEntry::new(SourcePlace::default(), type_name);
        entry.names = vec![format!("post:{number}")];
        entry.values.push("slug", slug);
        entry.values.push("status", status);
        let mut data = Map::new();
        if !parent.is_empty() {
            data.push("parent", format!("post:{parent}"));
        }
        entry.values.push("data", data);
        entry
    }

    #[test]
    fn shared_slugs_become_different() {
        let check = |posts: &[(&str, &str, &str, &str, &str)], expect: &[&str]| {
            let entries = posts.iter().map(|it| post(it.0, it.1, it.2, it.3, it.4)).collect();
            let mut set = ImportSet { entries, ..ImportSet::default() };
            lengthen_shared_slugs(&mut set);
            let slugs: Vec<&str> = set.entries.iter().filter_map(find_slug).collect();
            assert_eq!(slugs, expect);
            let n_changed = posts.iter().zip(expect).filter(|(post, slug)| post.2 != **slug);
            assert_eq!(set.report.altered.len(), n_changed.count());
        };
        let about = ("pages", "1", "about", "published", "");
        let company = ("pages", "2", "company", "published", "");
        let below = |number, status, parent| ("pages", number, "team", status, parent);
        check(
            &[about, company, below("3", "published", "1"), below("4", "published", "2")],
            &["about", "company", "about-team", "company-team"],
        );
        // A page without a parent keeps the slug.
        check(
            &[about, below("3", "published", "1"), below("4", "published", "")],
            &["about", "about-team", "team"],
        );
        // What is public comes first.
        check(
            &[about, below("3", "draft", "1"), below("4", "published", "1")],
            &["about", "team-3", "about-team"],
        );
        let named = |number, slug, status| ("posts", number, slug, status, "");
        check(&[named("1", "a", "draft"), named("2", "a", "published")], &["a-1", "a"]);
        check(&[named("1", "a", "draft"), named("2", "a", "draft")], &["a", "a-2"]);
        // Other slugs stay, and other types have their own.
        check(
            &[named("1", "a", "draft"), named("2", "a", "draft"), named("3", "a-2", "draft")],
            &["a", "a-2-2", "a-2"],
        );
        check(&[about, named("3", "about", "draft")], &["about", "about"]);
        check(&[named("1", "a", "draft"), named("1", "a", "draft")], &["a", "a"]);
        let long = "x".repeat(MAX_LEN);
        let cut = format!("{}-23", "x".repeat(MAX_LEN - 3));
        check(&[named("1", &long, "draft"), named("23", &long, "draft")], &[&long, &cut]);
    }
}
