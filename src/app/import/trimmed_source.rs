//! A source without the folder that is around everything in an archive, and with a limit for the
//! memory that its texts take.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::io;
use std::io::Read;

use crate::app::import::request::ImportKind;
use crate::app::import::tables::TableFormat;
use crate::stdx::json::VALUE_BYTES;
use crate::store::source::ContentSource;
use crate::store::source::ImportSource;
use crate::store::source::SourceFile;

/// The memory of an entry, in bytes, beside its values: it waits with its file until all are
/// written.
const ENTRY_BYTES: u64 = 1024;

/// The memory of a file that is read, in bytes, beside its content.
const FILE_BYTES: u64 = 4 * 1024;

/// A source without the folder around it.
pub struct TrimmedSource<'a> {
    inner: &'a dyn ImportSource,
    prefix: String,
    files: Vec<SourceFile>,
    /// The bytes of which each stands for about an entry.
    entry_mark: &'static [u8],
    /// The memory that texts may still take, in bytes.
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
        let (files, left_bytes) = (files.collect(), Cell::new(u64::MAX));
        TrimmedSource { inner, prefix, files, entry_mark: entry_mark(kind), left_bytes }
    }

    /// Limits the memory of what is read as text from now on, all files together.
    pub fn limit_memory(&self, bytes_max: u64) {
        self.left_bytes.set(bytes_max);
    }

    /// Estimates the memory that a text takes with what becomes of it: each value of JSON, and each
    /// cell of a table, follows one of these signs.
    fn estimate_memory(&self, text: &[u8]) -> u64 {
        let values = memchr::memchr3_iter(b',', b'[', b'{', text).count() as u64;
        let entries = match self.entry_mark.is_empty() {
            true => 0,
            false => memchr::memmem::find_iter(text, self.entry_mark).count() as u64,
        };
        let texts = (text.len() as u64).saturating_mul(2);
        texts + values * VALUE_BYTES + entries * ENTRY_BYTES + FILE_BYTES
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

    fn is_single_file(&self) -> bool {
        self.inner.is_single_file()
    }

    fn read(&self, path: &str, bytes_max: u64) -> io::Result<Vec<u8>> {
        let left = self.left_bytes.get();
        let path = format!("{}{path}", self.prefix);
        let bytes = self.inner.read(&path, bytes_max.min(left / 2));
        let bytes = bytes.map_err(|error| match error.kind() {
            io::ErrorKind::FileTooLarge if left / 2 < bytes_max => too_much(),
            _ => error,
        })?;
        let rest = left.checked_sub(self.estimate_memory(&bytes));
        // Once it is too much, nothing more is read.
        self.left_bytes.set(rest.unwrap_or_default());
        rest.map(|_| bytes).ok_or_else(too_much)
    }
}

fn too_much() -> io::Error {
    let message = "there is too much content for one import; split it, or use the command \
                   `recto import`";
    io::Error::new(io::ErrorKind::FileTooLarge, message)
}

/// Returns what stands before about every entry in the texts of a format; nothing if each entry is
/// a file by itself.
fn entry_mark(kind: &ImportKind) -> &'static [u8] {
    match kind {
        ImportKind::Table(TableFormat::Csv | TableFormat::Ndjson, _) | ImportKind::Strapi => b"\n",
        ImportKind::Table(TableFormat::Json, _) | ImportKind::Directus => b"{",
        ImportKind::Contentful => b"\"sys\"",
        ImportKind::WordPress => b"<item",
        ImportKind::Markdown(_) | ImportKind::Php(_) => b"",
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
    folders.iter().any(is_known) || folders.iter().filter(is_named).count() > 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::import::markdown::MarkdownOptions;
    use crate::app::import::php::PhpOptions;
    use crate::app::import::tables::TableOptions;
    use crate::store::source::SingleSource;

    #[test]
    fn small_texts_that_become_much_are_too_large() {
        let kind = ImportKind::Table(TableFormat::Json, TableOptions::default());
        for (text, is_small) in [("[1]", true), (&"[{},".repeat(4_000), false)] {
            let mut file = tempfile::tempfile().unwrap();
            std::io::Write::write_all(&mut file, text.as_bytes()).unwrap();
            let inner = SingleSource::open(file, "a.json").unwrap();
            let source = TrimmedSource::new(&inner, &kind);
            source.limit_memory(64 * 1024);
            assert_eq!(source.read_text("a.json", u64::MAX).is_ok(), is_small);
            assert_eq!(source.read_text("a.json", u64::MAX).is_ok(), is_small);
        }
    }

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
