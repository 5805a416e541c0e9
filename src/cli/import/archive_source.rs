//! A tar archive, compressed or not, as the source of an import. Nothing is unpacked to paths: the
//! names in an archive only say how its files are called.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::io::Read;
use std::io::Seek;
use std::io::SeekFrom;
use std::path::Component;
use std::path::Path;

use flate2::read::MultiGzDecoder;

use crate::app::import::source::ImportSource;
use crate::app::import::source::SourceFile;
use crate::cli::error::CommandError;
use crate::engine::file_set::ContentSource;
use crate::stdx::sync::Mutex;

/// The most files of an archive.
const FILES_MAX: usize = 1_000_000;

/// The size that an archive may have decompressed, as a multiple of its own, and what is added.
const GROWTH_MAX: u64 = 32;
const GROWTH_BYTES: u64 = 1024 * 1024 * 1024;

/// A tar archive.
pub(super) struct ArchiveSource {
    archive: Mutex<File>,
    /// The position and size of each file.
    places: BTreeMap<String, (u64, u64)>,
    files: Vec<SourceFile>,
    left_out: Vec<(String, String)>,
}

impl ArchiveSource {
    /// Returns true if a file is an archive, by its name.
    pub(super) fn is_archive(path: &Path) -> bool {
        let name = path.file_name().and_then(|it| it.to_str()).unwrap_or_default();
        let name = name.to_ascii_lowercase();
        [".tar", ".tar.gz", ".tgz", ".tar.gz.enc", ".tar.enc"].iter().any(|it| name.ends_with(it))
    }

    /// Lists an archive. One that is compressed is decompressed into a file without a name.
    pub(super) fn open(path: &Path) -> Result<ArchiveSource, CommandError> {
        let shown = path.display();
        let cannot =
            |error: io::Error| CommandError::usage(format!("cannot read {shown}: {error}"));
        let ending = path.extension().and_then(|it| it.to_str()).unwrap_or_default();
        if ending.eq_ignore_ascii_case("enc") {
            let message = format!("{shown} is encrypted: export again with --no-encrypt");
            return Err(CommandError::usage(message));
        }
        let mut archive = File::open(path).map_err(cannot)?;
        if !ending.eq_ignore_ascii_case("tar") {
            archive = decompress(archive).map_err(cannot)?;
        }
        ArchiveSource::list(archive).map_err(cannot)
    }

    fn list(mut file: File) -> io::Result<ArchiveSource> {
        let (mut places, mut left_out) = (BTreeMap::new(), Vec::new());
        file.seek(SeekFrom::Start(0))?;
        let mut archive = tar::Archive::new(file);
        for entry in archive.entries_with_seek()? {
            let entry = entry?;
            let kind = entry.header().entry_type();
            let shown = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
            if kind.is_dir() || kind.is_pax_global_extensions() {
                continue;
            }
            let Some(path) = to_source_path(&shown).filter(|_| !shown.contains('\u{fffd}')) else {
                left_out.push((shown, "Its name leads out of the archive.".to_string()));
                continue;
            };
            if kind.is_file() {
                places.insert(path, (entry.raw_file_position(), entry.size()));
            } else {
                left_out.push((path, "It is a link or a device.".to_string()));
            }
            if places.len() > FILES_MAX {
                return Err(io::Error::other(format!("it has more than {FILES_MAX} files")));
            }
        }
        let files = places
            .iter()
            .map(|(path, (_, bytes))| SourceFile { path: path.clone(), bytes: *bytes });
        let files = files.collect();
        Ok(ArchiveSource { archive: Mutex::new(archive.into_inner()), places, files, left_out })
    }
}

/// Decompresses an archive into a file that nobody else can open, and that ends with the process.
fn decompress(archive: File) -> io::Result<File> {
    let bytes_max = archive.metadata()?.len().saturating_mul(GROWTH_MAX) + GROWTH_BYTES;
    let mut content = MultiGzDecoder::new(io::BufReader::new(archive)).take(bytes_max);
    let mut out = tempfile::tempfile()?;
    io::copy(&mut content, &mut out)?;
    if content.limit() == 0 {
        return Err(io::Error::other("it grows too much when it is decompressed"));
    }
    Ok(out)
}

/// Returns a name in an archive as a path of the source; `None` if it leads out of it.
fn to_source_path(name: &str) -> Option<String> {
    let mut steps = Vec::new();
    for step in Path::new(name).components() {
        match step {
            Component::Normal(step) => steps.push(step.to_str()?),
            Component::CurDir => {}
            _ => return None,
        }
    }
    (!steps.is_empty()).then(|| steps.join("/"))
}

/// The reader of one file of an archive.
struct MemberReader<'a> {
    archive: &'a Mutex<File>,
    at: u64,
    end: u64,
}

impl Read for MemberReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.end - self.at).unwrap_or(usize::MAX);
        let length = buffer.len().min(left);
        let Some(part) = buffer.get_mut(..length).filter(|it| !it.is_empty()) else {
            return Ok(0);
        };
        let mut archive = self.archive.lock();
        archive.seek(SeekFrom::Start(self.at))?;
        let read = archive.read(part)?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.at += read as u64;
        Ok(read)
    }
}

impl ContentSource for ArchiveSource {
    fn open(&self, path: &str) -> io::Result<Box<dyn Read + '_>> {
        let (at, bytes) = *self.places.get(path).ok_or(io::ErrorKind::NotFound)?;
        let end = at.saturating_add(bytes);
        Ok(Box::new(MemberReader { archive: &self.archive, at, end }))
    }
}

impl ImportSource for ArchiveSource {
    fn files(&self) -> &[SourceFile] {
        &self.files
    }

    fn left_out(&self) -> &[(String, String)] {
        &self.left_out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_in_the_archive() {
        let check = |name: &str, expect: Option<&str>| {
            assert_eq!(to_source_path(name).as_deref(), expect, "{name}");
        };
        check("a/b.json", Some("a/b.json"));
        check("./a/./b", Some("a/b"));
        check("../a", None);
        check("a/../../b", None);
        check("/etc/passwd", None);
        check(".", None);
    }
}
