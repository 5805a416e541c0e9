//! The files of a backup in a target, read one after the other: to verify them, or to restore them.
//! Each object is read once.

use std::collections::BTreeMap;
use std::io;

use sha2::Digest;
use sha2::Sha256;

use crate::engine::backups::repository::error::TargetError;
use crate::engine::backups::repository::manifest::FileEntry;
use crate::engine::backups::repository::manifest::FilePiece;
use crate::engine::backups::repository::manifest::StoredManifest;
use crate::engine::backups::repository::manifest::format_hex;
use crate::engine::backups::repository::target::BackupTarget;
use crate::model::backup::ArchiveDefect;
use crate::store::archive::restored_folder::RestoredFolder;
use crate::store::error::StoreError;
use crate::store::layout::Key;

/// A receiver of files, one at a time.
pub trait FileSink {
    /// Takes the first or the next bytes of the file at a path.
    fn write(&mut self, path: &str, bytes: &[u8]) -> io::Result<()>;

    /// Ends the file at a path, all of whose bytes were written and are right. An empty file ends
    /// without having begun.
    fn finish(&mut self, path: &str) -> io::Result<()>;

    /// Discards what was written of the file at a path.
    fn discard(&mut self, path: &str) -> io::Result<()>;
}

/// A sink for files that are only verified.
pub struct NoSink;

impl FileSink for NoSink {
    fn write(&mut self, _path: &str, _bytes: &[u8]) -> io::Result<()> {
        Ok(())
    }

    fn finish(&mut self, _path: &str) -> io::Result<()> {
        Ok(())
    }

    fn discard(&mut self, _path: &str) -> io::Result<()> {
        Ok(())
    }
}

impl FileSink for RestoredFolder {
    fn write(&mut self, path: &str, bytes: &[u8]) -> io::Result<()> {
        self.append(path, bytes)
    }

    fn finish(&mut self, path: &str) -> io::Result<()> {
        // An empty file has not begun.
        self.append(path, b"")
    }

    fn discard(&mut self, path: &str) -> io::Result<()> {
        self.remove(path)
    }
}

/// Reads all files of a backup and passes those that are right to the sink. Returns those that are
/// not, with the reasons.
pub fn read_files(
    target: &BackupTarget<'_>,
    manifest: &StoredManifest,
    sink: &mut dyn FileSink,
) -> Result<Vec<ArchiveDefect>, TargetError> {
    let files = target.load_files(manifest)?;
    let mut reading = Reading { target, manifest, sink, defects: Vec::new() };
    let mut by_object: BTreeMap<usize, Vec<&FileEntry>> = BTreeMap::new();
    for file in &files {
        match file.pieces.as_slice() {
            // Nothing is written to a path that is not one of the data folder.
            _ if Key::parse(&file.path).is_none() => {
                reading.record(file, "This is not a path of the data folder.");
            }
            [piece] => by_object.entry(piece.object).or_default().push(file),
            _ => reading.read_cut_file(file)?,
        }
    }
    for (object, files) in by_object {
        reading.read_packed_files(object, &files)?;
    }
    reading.defects.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(reading.defects)
}

struct Reading<'a> {
    target: &'a BackupTarget<'a>,
    manifest: &'a StoredManifest,
    sink: &'a mut dyn FileSink,
    defects: Vec<ArchiveDefect>,
}

impl Reading<'_> {
    fn record(&mut self, file: &FileEntry, why: &str) {
        self.defects.push(ArchiveDefect::new(&*file.path, why));
    }

    /// Reads an object. Returns the reason if it is damaged.
    fn read_object(&self, place: usize) -> Result<Result<Vec<u8>, String>, TargetError> {
        // The places were checked when the list of files was read.
        let Some(object) = self.manifest.objects.get(place) else { return Ok(Ok(Vec::new())) };
        match self.target.read_object(&object.id) {
            Ok(content) => Ok(Ok(content)),
            Err(error @ TargetError::Damaged { .. }) => Ok(Err(error.to_string())),
            Err(error) => Err(error),
        }
    }

    /// Reads the files that are in one object.
    fn read_packed_files(
        &mut self,
        object: usize,
        files: &[&FileEntry],
    ) -> Result<(), TargetError> {
        let content = match self.read_object(object)? {
            Ok(content) => content,
            Err(why) => {
                let why = format!("It cannot be restored: {why}.");
                files.iter().for_each(|file| self.record(file, &why));
                return Ok(());
            }
        };
        for file in files {
            let bytes = file.pieces.first().and_then(|it| cut_piece(&content, it));
            match bytes {
                Some(bytes) if is_content(file, bytes) => {
                    self.write(file, bytes)?;
                    self.finish(file)?;
                }
                _ => self.record(file, WRONG_BYTES),
            }
        }
        Ok(())
    }

    /// Reads a file that has an object for each of its pieces, or none.
    fn read_cut_file(&mut self, file: &FileEntry) -> Result<(), TargetError> {
        let (mut sum, mut size) = (Sha256::new(), 0);
        let mut why = None;
        for piece in &file.pieces {
            let content = match self.read_object(piece.object)? {
                Ok(content) => content,
                Err(damage) => {
                    why = Some(format!("It cannot be restored: {damage}."));
                    break;
                }
            };
            let Some(bytes) = cut_piece(&content, piece) else {
                why = Some(WRONG_BYTES.to_string());
                break;
            };
            sum.update(bytes);
            size += bytes.len() as u64;
            self.write(file, bytes)?;
        }
        let is_right = size == file.size && format_hex(sum.finalize()) == file.sha256;
        match why {
            None if is_right => self.finish(file),
            why => {
                self.sink.discard(&file.path).map_err(failed(file))?;
                self.record(file, why.as_deref().unwrap_or(WRONG_BYTES));
                Ok(())
            }
        }
    }

    fn write(&mut self, file: &FileEntry, bytes: &[u8]) -> Result<(), TargetError> {
        self.sink.write(&file.path, bytes).map_err(failed(file))
    }

    fn finish(&mut self, file: &FileEntry) -> Result<(), TargetError> {
        self.sink.finish(&file.path).map_err(failed(file))
    }
}

const WRONG_BYTES: &str = "Its bytes are not those that were backed up: the checksum differs.";

fn failed(file: &FileEntry) -> impl FnOnce(io::Error) -> TargetError {
    let path = file.path.clone();
    move |error| StoreError::io("write", path)(error).into()
}

fn cut_piece<'a>(content: &'a [u8], piece: &FilePiece) -> Option<&'a [u8]> {
    let from = usize::try_from(piece.offset).ok()?;
    let until = from.checked_add(usize::try_from(piece.length).ok()?)?;
    content.get(from..until)
}

fn is_content(file: &FileEntry, bytes: &[u8]) -> bool {
    bytes.len() as u64 == file.size && format_hex(Sha256::digest(bytes)) == file.sha256
}
