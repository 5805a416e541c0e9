//! The files of exported content: each replaced whole or not at all, and left as it is if it has
//! the right bytes already.

use std::fs;
use std::fs::File;
use std::io;
use std::io::Read;
use std::path::Path;
use std::path::PathBuf;

use crate::cli::error::CommandError;

/// The most links that are followed one after the other.
const LINKS_MAX: usize = 40;

/// The beginning of the names of files that are being written.
const TEMPORARY: &str = ".recto-export-";

/// A folder for exported content.
pub(super) struct ContentFolder {
    root: PathBuf,
}

impl ContentFolder {
    /// Opens the folder, and makes it if it is missing.
    ///
    /// # Errors
    ///
    /// Fails if the folder holds files, unless `force` is set.
    pub(super) fn open(root: &Path, force: bool) -> Result<ContentFolder, CommandError> {
        let shown = root.display();
        let failed = |error| CommandError::failed(format!("cannot open {shown}: {error}"));
        fs::create_dir_all(root).map_err(failed)?;
        if !force && fs::read_dir(root).map_err(failed)?.next().is_some() {
            let message = format!("{shown} is not empty; --force exports into it nevertheless");
            return Err(CommandError::usage(message));
        }
        Ok(ContentFolder { root: root.to_path_buf() })
    }

    /// Writes a file. Returns false if it is there already.
    pub(super) fn write(&self, path: &str, bytes: &[u8]) -> Result<bool, CommandError> {
        let place = self.prepare(path)?;
        if fs::read(&place).is_ok_and(|found| found == bytes) {
            return Ok(false);
        }
        write_file(&place, bytes)?;
        Ok(true)
    }

    /// Copies a file. Returns false if it is there already.
    pub(super) fn copy(&self, path: &str, source: File) -> Result<bool, CommandError> {
        let place = self.prepare(path)?;
        if File::open(&place).is_ok_and(|found| has_same_bytes(&source, found)) {
            return Ok(false);
        }
        replace_file(&place, |mut to| {
            let mut source = &source;
            io::Seek::rewind(&mut source)?;
            io::copy(&mut source, &mut to).map(|_| ())
        })?;
        Ok(true)
    }

    /// Makes the folders of a file. One that is a link to elsewhere is refused.
    fn prepare(&self, path: &str) -> Result<PathBuf, CommandError> {
        let mut place = self.root.clone();
        let mut steps = path.split('/').peekable();
        while let Some(step) = steps.next() {
            place.push(step);
            if steps.peek().is_none() {
                break;
            }
            let shown = place.display();
            match fs::symlink_metadata(&place) {
                Ok(found) if found.is_dir() => {}
                Ok(_) => {
                    return Err(CommandError::failed(format!("{shown} is not a folder")));
                }
                Err(_) => fs::create_dir(&place).map_err(|error| {
                    CommandError::failed(format!("cannot make {shown}: {error}"))
                })?,
            }
        }
        Ok(place)
    }
}

/// Writes the file that somebody named. Only a regular file is replaced: devices and pipes are
/// written into, and a link stays one.
pub(super) fn write_named_file(place: &Path, bytes: &[u8]) -> Result<(), CommandError> {
    let is_special = fs::metadata(place).is_ok_and(|it| !it.is_file() && !it.is_dir());
    if !is_special {
        return write_file(&resolve_links(place), bytes);
    }
    let opened = File::options().write(true).open(place);
    opened
        .and_then(|mut to| io::Write::write_all(&mut to, bytes))
        .map_err(|error| write_error(place, &error))
}

/// Returns the place to which links lead from a path, even if nothing is there.
pub(super) fn resolve_links(path: &Path) -> PathBuf {
    let mut place = path.to_path_buf();
    for _ in 0..LINKS_MAX {
        let Ok(target) = fs::read_link(&place) else { break };
        place = place.parent().unwrap_or(Path::new("")).join(target);
    }
    place
}

/// Writes a file.
fn write_file(place: &Path, bytes: &[u8]) -> Result<(), CommandError> {
    replace_file(place, |mut to| io::Write::write_all(&mut to, bytes))
}

/// Writes a file beside its place, and moves it there.
fn replace_file(
    place: &Path,
    write: impl FnOnce(&File) -> io::Result<()>,
) -> Result<(), CommandError> {
    let name = place.file_name().unwrap_or_default().to_string_lossy();
    let temporary = place.with_file_name(format!("{TEMPORARY}{}-{name}", std::process::id()));
    let written = File::create_new(&temporary).and_then(|file| {
        write(&file)?;
        file.sync_all()
    });
    written.and_then(|()| fs::rename(&temporary, place)).map_err(|error| {
        // What was written of it is of no use to anybody.
        let _ = fs::remove_file(&temporary);
        write_error(place, &error)
    })
}

fn write_error(place: &Path, error: &io::Error) -> CommandError {
    CommandError::failed(format!("cannot write {}: {error}", place.display()))
}

fn has_same_bytes(source: &File, found: File) -> bool {
    let sizes = source.metadata().ok().zip(found.metadata().ok());
    if sizes.is_none_or(|(a, b)| a.len() != b.len()) {
        return false;
    }
    let (a, b) = (io::BufReader::new(source).bytes(), io::BufReader::new(found).bytes());
    a.zip(b).all(|(a, b)| a.ok().zip(b.ok()).is_some_and(|(a, b)| a == b))
}
