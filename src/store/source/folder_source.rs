//! A folder on this machine as the source of an import. Links are never followed, so that
//! nothing from outside of the source comes in.

use std::fs::File;
use std::io;
use std::io::Read;
use std::path::Path;
use std::path::PathBuf;

use crate::store::source::import_source::ContentSource;
use crate::store::source::import_source::ImportSource;
use crate::store::source::import_source::SourceFile;
use crate::store::source::import_source::SourceLimits;
use crate::store::source::import_source::too_many;
use crate::store::source::source_path::JUNK_FOLDERS;
use crate::store::source::source_path::is_junk;

/// The deepest folder of a source.
const DEPTH_MAX: usize = 64;

/// A folder on this machine.
pub struct FolderSource {
    root: PathBuf,
    files: Vec<SourceFile>,
    left_out: Vec<(String, String)>,
}

impl FolderSource {
    /// Lists a folder.
    pub fn open(root: &Path, limits: SourceLimits) -> io::Result<FolderSource> {
        let (mut files, mut left_out) = (Vec::new(), Vec::new());
        let walk = walkdir::WalkDir::new(root).follow_links(false).max_depth(DEPTH_MAX);
        let is_wanted = |it: &walkdir::DirEntry| {
            let name = it.file_name().to_str().unwrap_or_default();
            !(it.file_type().is_dir() && JUNK_FOLDERS.contains(&name))
        };
        for found in walk.sort_by_file_name().into_iter().filter_entry(is_wanted) {
            let found = found.map_err(io::Error::other)?;
            let below = found.path().strip_prefix(root).unwrap_or(found.path());
            let Some(path) = join_steps(below) else {
                left_out.push((below.display().to_string(), "The name is not UTF-8.".to_string()));
                continue;
            };
            let kind = found.file_type();
            if kind.is_symlink() {
                left_out.push((path, "It is a link, and links are not followed.".to_string()));
            } else if kind.is_file() && !is_junk(&path) {
                let bytes = found.metadata().map(|it| it.len()).unwrap_or_default();
                files.push(SourceFile { path, bytes });
            } else if !kind.is_dir() && !kind.is_file() {
                left_out.push((path, "It is not a file.".to_string()));
            }
            if files.len() > limits.files {
                return Err(too_many(limits));
            }
        }
        Ok(FolderSource { root: root.to_path_buf(), files, left_out })
    }
}

/// Returns a path with `/`; `None` if it is not UTF-8.
fn join_steps(path: &Path) -> Option<String> {
    let steps: Option<Vec<&str>> = path.iter().map(|it| it.to_str()).collect();
    steps.map(|it| it.join("/"))
}

impl ContentSource for FolderSource {
    fn open(&self, path: &str) -> io::Result<Box<dyn Read + '_>> {
        // Only what was listed: a path of the content cannot lead anywhere else.
        if self.files.binary_search_by(|it| it.path.as_str().cmp(path)).is_err()
            && !self.files.iter().any(|it| it.path == path)
        {
            return Err(io::ErrorKind::NotFound.into());
        }
        let place = self.root.join(path);
        if !std::fs::symlink_metadata(&place)?.is_file() {
            return Err(io::Error::other("it is no longer a file"));
        }
        Ok(Box::new(File::open(place)?))
    }
}

impl ImportSource for FolderSource {
    fn files(&self) -> &[SourceFile] {
        &self.files
    }

    fn left_out(&self) -> &[(String, String)] {
        &self.left_out
    }
}
