//! A file or a folder on this machine as the source of an import. Links are never followed, so that
//! nothing from outside of the source comes in.

use std::fs::File;
use std::io;
use std::io::Read;
use std::path::Path;
use std::path::PathBuf;

use crate::app::import::source::ImportSource;
use crate::app::import::source::SourceFile;
use crate::cli::error::CommandError;
use crate::engine::file_set::ContentSource;

/// The most files of a source.
const FILES_MAX: usize = 1_000_000;

/// The deepest folder of a source.
const DEPTH_MAX: usize = 64;

/// The names of folders that no content is in.
const LEFT_OUT: &[&str] = &[".git", ".svn", ".hg", "node_modules"];

/// A file or a folder on this machine.
pub(super) struct FolderSource {
    root: PathBuf,
    files: Vec<SourceFile>,
    left_out: Vec<(String, String)>,
}

impl FolderSource {
    /// Lists a source.
    pub(super) fn open(path: &Path) -> Result<FolderSource, CommandError> {
        let shown = path.display();
        let cannot =
            |error: io::Error| CommandError::usage(format!("cannot read {shown}: {error}"));
        let found = std::fs::metadata(path).map_err(cannot)?;
        if found.is_dir() {
            return FolderSource::list(path);
        }
        if !found.is_file() {
            return Err(CommandError::usage(format!("{shown} is neither a file nor a folder")));
        }
        let name = path.file_name().and_then(|it| it.to_str());
        let name = name.ok_or_else(|| CommandError::usage(format!("{shown} is no usable name")))?;
        let root = path.parent().map(Path::to_path_buf).unwrap_or_default();
        let files = vec![SourceFile { path: name.to_string(), bytes: found.len() }];
        Ok(FolderSource { root, files, left_out: Vec::new() })
    }

    /// Returns true if the source is a single file.
    pub(super) fn is_single(&self) -> bool {
        self.files.len() == 1
    }

    fn list(root: &Path) -> Result<FolderSource, CommandError> {
        let (mut files, mut left_out) = (Vec::new(), Vec::new());
        let walk = walkdir::WalkDir::new(root).follow_links(false).max_depth(DEPTH_MAX);
        let is_wanted = |it: &walkdir::DirEntry| {
            let name = it.file_name().to_str().unwrap_or_default();
            !(it.file_type().is_dir() && LEFT_OUT.contains(&name))
        };
        for found in walk.sort_by_file_name().into_iter().filter_entry(is_wanted) {
            let found = found.map_err(|error| {
                CommandError::failed(format!("cannot read {}: {error}", root.display()))
            })?;
            let below = found.path().strip_prefix(root).unwrap_or(found.path());
            let Some(path) = to_source_path(below) else {
                left_out.push((below.display().to_string(), "The name is not UTF-8.".to_string()));
                continue;
            };
            let kind = found.file_type();
            if kind.is_symlink() {
                left_out.push((path, "It is a link, and links are not followed.".to_string()));
            } else if kind.is_file() {
                let bytes = found.metadata().map(|it| it.len()).unwrap_or_default();
                files.push(SourceFile { path, bytes });
            } else if !kind.is_dir() {
                left_out.push((path, "It is not a file.".to_string()));
            }
            if files.len() > FILES_MAX {
                let message = format!("{} has more than {FILES_MAX} files", root.display());
                return Err(CommandError::usage(message));
            }
        }
        Ok(FolderSource { root: root.to_path_buf(), files, left_out })
    }
}

/// Returns a path with `/`; `None` if it is not UTF-8.
fn to_source_path(path: &Path) -> Option<String> {
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
        if !self.is_single() && !std::fs::symlink_metadata(&place)?.is_file() {
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
