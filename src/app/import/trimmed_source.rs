//! A source without the folder that is around everything in an archive, and with a limit for all
//! that is read as text.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::io;
use std::io::Read;

use crate::app::import::request::ImportKind;
use crate::store::source::ContentSource;
use crate::store::source::ImportSource;
use crate::store::source::SourceFile;

/// A source without the folder around it.
pub struct TrimmedSource<'a> {
    inner: &'a dyn ImportSource,
    prefix: String,
    files: Vec<SourceFile>,
    /// The bytes that may still be read as text.
    left_bytes: Cell<u64>,
}

impl<'a> TrimmedSource<'a> {
    /// Creates the source as this format needs it.
    pub fn new(inner: &'a dyn ImportSource, kind: &ImportKind) -> TrimmedSource<'a> {
        let prefix = match inner.is_archive() {
            true => find_prefix(inner.files(), kind).unwrap_or_default(),
            false => String::new(),
        };
        let files = inner.files().iter().map(|it| SourceFile {
            path: it.path.get(prefix.len()..).unwrap_or_default().to_string(),
            bytes: it.bytes,
        });
        let files = files.collect();
        TrimmedSource { inner, prefix, files, left_bytes: Cell::new(u64::MAX) }
    }

    /// Limits what is read as text from now on, together.
    pub fn limit_texts(&self, bytes_max: u64) {
        self.left_bytes.set(bytes_max);
    }
}

impl ContentSource for TrimmedSource<'_> {
    fn open(&self, path: &str) -> io::Result<Box<dyn Read + '_>> {
        self.inner.open(&format!("{}{path}", self.prefix))
    }
}

impl ImportSource for TrimmedSource<'_> {
    fn files(&self) -> &[SourceFile] {
        &self.files
    }

    fn left_out(&self) -> &[(String, String)] {
        self.inner.left_out()
    }

    fn read(&self, path: &str, bytes_max: u64) -> io::Result<Vec<u8>> {
        let left = self.left_bytes.get();
        let bytes = self.inner.read(&format!("{}{path}", self.prefix), bytes_max.min(left));
        let bytes = bytes.map_err(|error| match error.kind() {
            io::ErrorKind::FileTooLarge if left < bytes_max => {
                let message =
                    "the texts of the source are too large together; use the command `recto import`";
                io::Error::new(io::ErrorKind::FileTooLarge, message)
            }
            _ => error,
        })?;
        self.left_bytes.set(left.saturating_sub(bytes.len() as u64));
        Ok(bytes)
    }
}

/// Finds the folder around everything in an archive, with its slash. One that means something to
/// the format is not around it.
fn find_prefix(files: &[SourceFile], kind: &ImportKind) -> Option<String> {
    let (top, _) = files.first()?.path.split_once('/')?;
    let below: Option<Vec<&str>> =
        files.iter().map(|it| it.path.strip_prefix(top)?.strip_prefix('/')).collect();
    let below = below?;
    let is_around = match kind {
        ImportKind::Php(_) => {
            top != "workspaces" && !(top == "storage" && has_folder(&below, "workspaces"))
        }
        ImportKind::Markdown(_) => {
            let is_content = matches!(top, "content" | "src") || top.starts_with('_');
            !is_content && is_site(&below)
        }
        _ => false,
    };
    is_around.then(|| format!("{top}/"))
}

fn has_folder(paths: &[&str], name: &str) -> bool {
    paths.iter().any(|it| it.strip_prefix(name).is_some_and(|rest| rest.starts_with('/')))
}

/// Returns true for the files of a whole site, and not of a single folder of it.
fn is_site(paths: &[&str]) -> bool {
    let folders: BTreeSet<&str> =
        paths.iter().filter_map(|it| it.split_once('/')).map(|(folder, _)| folder).collect();
    let is_known = |it: &&str| matches!(*it, "content" | "src") || it.starts_with('_');
    // Folders of years, months and days are within one of content.
    let is_named = |it: &&&str| !it.bytes().all(|it| it.is_ascii_digit() || it == b'-');
    folders.iter().any(|it| is_known(it)) || folders.iter().filter(is_named).count() > 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::import::markdown::MarkdownOptions;
    use crate::app::import::php::PhpOptions;

    #[test]
    fn the_folder_around_an_archive_is_removed() {
        let check = |kind: &ImportKind, paths: &[&str], expect: Option<&str>| {
            let file = |it: &&str| SourceFile { path: (*it).to_string(), bytes: 1 };
            let files: Vec<SourceFile> = paths.iter().map(file).collect();
            assert_eq!(find_prefix(&files, kind).as_deref(), expect, "{paths:?}");
        };
        let markdown = ImportKind::Markdown(MarkdownOptions::default());
        check(&markdown, &["site/content/a.md", "site/static/a.png"], Some("site/"));
        check(&markdown, &["site/_posts/a.md"], Some("site/"));
        check(&markdown, &["site/posts/a.md", "site/notes/b.md"], Some("site/"));
        check(&markdown, &["posts/a.md", "posts/b.md"], None);
        check(&markdown, &["posts/2025/a.md", "posts/2026/b.md"], None);
        check(&markdown, &["content/posts/a.md", "content/notes/a.md"], None);
        check(&markdown, &["a.md", "posts/b.md"], None);
        check(&markdown, &[], None);
        let php = ImportKind::Php(PhpOptions::default());
        check(&php, &["old/workspaces/default/a.json"], Some("old/"));
        check(&php, &["storage/workspaces/default/a.json"], None);
        check(&php, &["workspaces/default/a.json"], None);
        check(&ImportKind::Strapi, &["export/schemas/a.jsonl"], None);
    }
}
