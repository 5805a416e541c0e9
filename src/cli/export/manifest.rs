//! The manifest of an export: which files it wrote, and of which answers. It lies in the folder
//! itself, so that a later export finds there what it needs, on any machine.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::path::Component;
use std::path::Path;

use serde::Deserialize;
use serde::Serialize;

/// The name of the file.
pub(super) const MANIFEST_FILE: &str = ".recto-export.json";

/// The number of the format, which grows when older versions would misread it.
const FORMAT: u32 = 1;

/// The header fields of an answer, as far as files have them.
pub(super) type Head = BTreeMap<String, String>;

/// The files that an export wrote.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Manifest {
    format: u32,
    /// The version of the program, which decides how answers are rendered.
    pub(super) version: String,
    pub(super) workspace: String,
    pub(super) base_url: String,
    /// The cursor of what was exported, as `sync` takes it.
    pub(super) cursor: String,
    /// The different header fields of answers.
    heads: Vec<Head>,
    /// The files of answers, by their addresses.
    files: BTreeMap<String, FileRecord>,
    /// The new addresses of entries that have moved, by their old ones.
    pub(super) moved: BTreeMap<String, String>,
    /// Other files: rules for hosts, and those that an interrupted export may have written.
    pub(super) others: BTreeSet<String>,
}

/// The file of an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FileRecord {
    /// The path in the folder.
    pub(super) path: String,
    /// The entity tag of the answer.
    pub(super) etag: String,
    /// The size of the file in bytes.
    pub(super) bytes: u64,
    /// The time at which the file was written, in nanoseconds, as the file system has it.
    pub(super) modified: i64,
    /// The position of its header fields among all.
    head: usize,
}

/// A file of an answer, with its header fields.
#[derive(Clone, Debug)]
pub(super) struct ExportedFile {
    pub(super) path: String,
    pub(super) etag: String,
    pub(super) bytes: u64,
    pub(super) modified: i64,
    pub(super) head: Head,
}

impl Manifest {
    pub(super) fn new(workspace: &str, base_url: &str, cursor: String) -> Manifest {
        Manifest {
            format: FORMAT,
            version: env!("CARGO_PKG_VERSION").to_string(),
            workspace: workspace.to_string(),
            base_url: base_url.to_string(),
            cursor,
            ..Manifest::default()
        }
    }

    /// Parses the file. The error is a sentence.
    pub(super) fn parse(bytes: &[u8]) -> Result<Manifest, String> {
        let manifest: Manifest = serde_json::from_slice(bytes)
            .map_err(|error| format!("{MANIFEST_FILE} is damaged: {error}"))?;
        if manifest.format != FORMAT {
            let message = "was written by another version of Recto; export into an empty folder";
            return Err(format!("{MANIFEST_FILE} {message}"));
        }
        // Files are removed by these paths.
        let outside =
            manifest.list_paths().into_iter().find(|it| !is_inside(it)).map(str::to_string);
        match outside {
            Some(path) => Err(format!("{MANIFEST_FILE} names {path:?}, which is not inside")),
            None => Ok(manifest),
        }
    }

    /// Returns the text of the file.
    pub(super) fn to_text(&self) -> Result<Vec<u8>, String> {
        let mut text = serde_json::to_vec(self).map_err(|error| error.to_string())?;
        text.push(b'\n');
        Ok(text)
    }

    /// Returns true if answers like these were exported: their tags say which have changed.
    pub(super) fn is_comparable(&self, other: &Manifest) -> bool {
        let key = |it: &Manifest| (it.version.clone(), it.base_url.clone());
        key(self) == key(other)
    }

    /// Returns the file of an address.
    pub(super) fn get(&self, target: &str) -> Option<ExportedFile> {
        let record = self.files.get(target)?;
        let FileRecord { path, etag, bytes, modified, .. } = record.clone();
        Some(ExportedFile {
            path,
            etag,
            bytes,
            modified,
            head: self.heads.get(record.head)?.clone(),
        })
    }

    /// Adds the file of an address.
    pub(super) fn add(&mut self, target: String, file: ExportedFile) {
        let ExportedFile { path, etag, bytes, modified, head } = file;
        let known = self.heads.iter().position(|it| *it == head);
        let head = known.unwrap_or_else(|| {
            self.heads.push(head);
            self.heads.len() - 1
        });
        self.files.insert(target, FileRecord { path, etag, bytes, modified, head });
    }

    /// Iterates over all files with their header fields.
    pub(super) fn files(&self) -> impl Iterator<Item = (&str, &FileRecord, &Head)> {
        self.files.iter().filter_map(|(target, record)| {
            Some((target.as_str(), record, self.heads.get(record.head)?))
        })
    }

    /// Returns the number of files of answers.
    pub(super) fn count_files(&self) -> usize {
        self.files.len()
    }

    /// Returns the paths of all files.
    pub(super) fn list_paths(&self) -> BTreeSet<&str> {
        let answers = self.files.values().map(|it| it.path.as_str());
        answers.chain(self.others.iter().map(String::as_str)).collect()
    }
}

/// Returns true if a path leads from a folder to something inside, whatever it says.
fn is_inside(path: &str) -> bool {
    let mut parts = Path::new(path).components().peekable();
    parts.peek().is_some() && parts.all(|it| matches!(it, Component::Normal(_)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest(path: &str) -> Manifest {
        let mut manifest = Manifest::new("default", "https://a.org", "c".to_string());
        let head = Head::from([("content-type".to_string(), "text/plain".to_string())]);
        let (path, etag) = (path.to_string(), "\"1\"".to_string());
        let file = ExportedFile { path, etag, bytes: 3, modified: 7, head };
        manifest.add("/a?b=c".to_string(), file);
        manifest
    }

    #[test]
    fn a_manifest_comes_back_from_its_text() {
        let text = manifest("a/b").to_text().unwrap();
        let read = Manifest::parse(&text).unwrap();
        let file = read.get("/a?b=c").unwrap();
        assert_eq!((file.path.as_str(), file.head.len()), ("a/b", 1));
        assert_eq!(read.to_text().unwrap(), text);
    }

    #[test]
    fn what_is_outside_is_refused() {
        for path in ["../a", "/etc/passwd", "a/../../b", ""] {
            let text = manifest(path).to_text().unwrap();
            assert!(Manifest::parse(&text).unwrap_err().contains("not inside"), "{path}");
        }
        assert!(Manifest::parse(b"{}").is_err());
        let text = String::from_utf8(manifest("a").to_text().unwrap()).unwrap();
        let newer = text.replace("\"format\":1", "\"format\":2");
        assert!(Manifest::parse(newer.as_bytes()).unwrap_err().contains("another version"));
    }
}
