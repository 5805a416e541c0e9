//! The layout of a site's source: which folders have content, and what the path of a file says
//! about its entry.

use std::collections::BTreeSet;

use crate::stdx::slug::slugify;
use crate::stdx::time::Timestamp;
use crate::store::source::SourceFile;
use crate::store::source::has_ending;

/// The folders that hold all content of a site, if they are there: of Astro, and of Hugo.
const CONTENT_ROOTS: &[&str] = &["src/content", "content"];

/// The endings of texts.
const ENDINGS: &[&str] = &["md", "markdown", "mdx"];

/// The content type of texts beside the folders of content.
const PAGES: &str = "pages";

/// The facts in the path of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TextPath {
    /// The name of the folder, which becomes the content type.
    pub(super) folder: String,
    /// The slug.
    pub(super) slug: String,
    /// The slug with the folders between, for files of the same name.
    pub(super) long_slug: String,
    /// The day in the name of the file.
    pub(super) date: Option<Timestamp>,
    /// The locale in the name of the file.
    pub(super) locale: Option<String>,
    /// True for a draft of Jekyll.
    pub(super) is_draft: bool,
}

/// The layout of a source.
#[derive(Debug)]
pub(super) struct SiteLayout {
    /// The folder of all content; empty if it is the source itself.
    root: &'static str,
}

impl SiteLayout {
    /// Finds the folder with the content.
    pub(super) fn detect(files: &[SourceFile]) -> SiteLayout {
        let has_texts = |root: &str| {
            let below =
                |it: &SourceFile| it.path.strip_prefix(root)?.strip_prefix('/').map(is_text);
            files.iter().any(|it| below(it) == Some(true))
        };
        let root = CONTENT_ROOTS.iter().copied().find(|it| has_texts(it));
        SiteLayout { root: root.unwrap_or_default() }
    }

    /// Returns the path of a file below the folder with the content.
    pub(super) fn path_within<'p>(&self, path: &'p str) -> Option<&'p str> {
        match self.root {
            "" => Some(path),
            root => path.strip_prefix(root)?.strip_prefix('/'),
        }
    }

    /// Returns what the path of a text says. `locales` are those of the names of files.
    pub(super) fn read_path(&self, path: &str, locales: &BTreeSet<String>) -> Option<TextPath> {
        let within = self.path_within(path)?;
        let mut steps: Vec<&str> = within.split('/').collect();
        let name = steps.pop()?;
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        let (stem, locale) = match stem.rsplit_once('.') {
            Some((stem, locale)) if locales.contains(locale) => (stem, Some(locale.to_string())),
            _ => (stem, None),
        };
        // The collections of Jekyll can be at any depth; elsewhere the first folder counts.
        let of_jekyll = steps.iter().position(|it| it.starts_with('_'));
        let top = of_jekyll.or_else(|| steps.iter().position(|it| *it != "src"));
        let folder = top.and_then(|it| steps.get(it)).copied().unwrap_or(PAGES);
        let between: Vec<&str> = steps.iter().skip(top.map_or(0, |it| it + 1)).copied().collect();
        let is_draft = folder == "_drafts";
        let folder = match folder {
            "_posts" | "_drafts" => "posts",
            other => other.trim_start_matches('_'),
        };
        let (stem, date) = split_date(stem);
        let is_index = matches!(stem, "index" | "_index");
        let slug = match (is_index, between.last()) {
            (true, Some(bundle)) => split_date(bundle).0,
            (true, None) if folder == PAGES => "home",
            (true, None) => folder,
            _ => stem,
        };
        let bundle_date = between.last().filter(|_| is_index).and_then(|it| split_date(it).1);
        let long: Vec<&str> = match is_index {
            true => between,
            false => between.iter().copied().chain([stem]).collect(),
        };
        Some(TextPath {
            folder: folder.to_string(),
            slug: slugify(slug),
            long_slug: slugify(&long.join("-")),
            date: date.or(bundle_date),
            locale,
            is_draft,
        })
    }
}

/// Returns true if a file is a text.
pub(super) fn is_text(path: &str) -> bool {
    has_ending(path, ENDINGS)
}

/// Returns the locale at the end of the name of a text: `post.de.md`, `post.pt-BR.md`.
pub(super) fn locale_suffix(path: &str) -> Option<&str> {
    let name = path.rsplit('/').next()?;
    let (stem, _) = name.rsplit_once('.')?;
    let (_, locale) = stem.rsplit_once('.')?;
    let (language, region) = locale.split_once('-').unwrap_or((locale, "XX"));
    let fits = language.len() == 2
        && language.bytes().all(|it| it.is_ascii_lowercase())
        && region.len() == 2
        && region.bytes().all(|it| it.is_ascii_uppercase());
    fits.then_some(locale)
}

/// Splits the day from a name: `2026-05-03-title`.
fn split_date(stem: &str) -> (&str, Option<Timestamp>) {
    let split = stem.split_at_checked(10).and_then(|(day, rest)| {
        let rest = rest.strip_prefix(['-', '_'])?;
        Some((rest, Timestamp::parse(day)?))
    });
    split.map_or((stem, None), |(rest, day)| (rest, Some(day)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_say_type_and_slug() {
        let check = |files: &[&str], path: &str, expect: (&str, &str)| {
            let files: Vec<SourceFile> = files
                .iter()
                .chain([&path])
                .map(|it| SourceFile { path: (*it).to_string(), bytes: 1 })
                .collect();
            let locales = BTreeSet::from(["de".to_string()]);
            let found = SiteLayout::detect(&files).read_path(path, &locales).unwrap();
            assert_eq!((found.folder.as_str(), found.slug.as_str()), expect, "{path}");
        };
        check(&[], "posts/hello.md", ("posts", "hello"));
        check(&[], "_posts/2026-05-03-hello.md", ("posts", "hello"));
        check(&[], "content/posts/hello/index.md", ("posts", "hello"));
        check(&[], "content/posts/2026/hello.de.md", ("posts", "hello"));
        check(&[], "src/content/blog/hello.mdx", ("blog", "hello"));
        check(&[], "content/about.md", ("pages", "about"));
        check(&[], "content/_index.md", ("pages", "home"));
        check(&[], "src/posts/hello.md", ("posts", "hello"));
        check(&[], "_recipes/soup.md", ("recipes", "soup"));
        check(&[], "hello.md", ("pages", "hello"));
    }

    #[test]
    fn locales_are_told_from_other_parts_of_a_name() {
        let check = |path: &str, expect: Option<&str>| assert_eq!(locale_suffix(path), expect);
        check("a/post.de.md", Some("de"));
        check("post.pt-BR.md", Some("pt-BR"));
        check("post.md", None);
        check("v1.2.md", None);
        check("post.min.md", None);
    }
}
