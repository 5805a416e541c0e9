//! Packing of small files into batches, which several threads do at the same time. A batch is a ZIP
//! archive in memory, which the writer appends to the backup as it is.

use std::io::{self, Cursor, Write};
use std::sync::Arc;

use sha2::{Digest, Sha256};
use zip::result::ZipResult;
use zip::write::{PreparedZipFile, SimpleFileOptions};
use zip::{CompressionMethod, DateTime, ZipArchive, ZipWriter};

use crate::stdx::time::Timestamp;
use crate::store::archive::survey::SurveyedFile;
use crate::store::archive::{ASIDE, FileValidator, secrets};
use crate::store::disk::{Disk, ReadError, Stat};

/// The number of threads that pack or verify files. More would take the cores of a server away from
/// its readers.
pub(super) const THREADS: usize = 2;

/// The maximum number of files in a batch, and of their bytes unless one file alone has more. Each
/// thread has at most three batches in memory.
const BATCH_FILES_MAX: usize = 128;
const BATCH_BYTES_MAX: u64 = 1024 * 1024;

/// The maximum compression ratio. Files above it are stored uncompressed, since the archive would
/// be rejected as a ZIP bomb. Files up to `SMALL_BYTES` are exempt: the headers around them keep
/// the overall ratio low.
const RATIO_MAX: u64 = 100;
const SMALL_BYTES: usize = 16 * 1024;

/// A part of the files to pack.
pub(super) enum Batch {
    /// JSON files, which are packed together.
    Json(Vec<SurveyedFile>),
    /// A file of any size, which the writer streams.
    Large(SurveyedFile),
}

/// Divides files into batches, in their order.
pub(super) fn split_batches(files: Vec<SurveyedFile>) -> Vec<Batch> {
    let mut batches = Vec::new();
    let mut bytes = 0;
    for file in files {
        if !file.key.is_json() {
            batches.push(Batch::Large(file));
            continue;
        }
        bytes += file.stat.size;
        match batches.last_mut() {
            Some(Batch::Json(open)) if open.len() < BATCH_FILES_MAX && bytes <= BATCH_BYTES_MAX => {
                open.push(file);
            }
            _ => {
                bytes = file.stat.size;
                batches.push(Batch::Json(vec![file]));
            }
        }
    }
    batches
}

/// The packer of batches.
pub(super) struct Packer<'a> {
    pub(super) disk: Arc<dyn Disk>,
    /// True to include hashes and secrets.
    pub(super) secrets: bool,
    pub(super) validate: FileValidator<'a>,
}

/// A packed batch, with the outcome of each of its files.
pub(super) struct PackedBatch {
    pub(super) archive: ZipArchive<Cursor<Vec<u8>>>,
    pub(super) outcomes: Vec<Outcome>,
}

/// The outcome of packing a file.
pub(super) enum Outcome {
    /// It does not exist any more.
    Missing,
    /// It is too large to be read as JSON, so the writer streams it.
    TooLarge,
    /// It could not be read.
    Unreadable(ReadError),
    /// It was read.
    Read {
        /// The stat from before it was read.
        stat: Stat,
        /// The reason why it could not be restored.
        defect: Option<String>,
        /// Its place in the archive; `None` if it may contain secrets that cannot be removed.
        packed: Option<PackedContent>,
    },
}

/// A file in the archive of a batch.
pub(super) struct PackedContent {
    pub(super) name: String,
    pub(super) sum: [u8; 32],
    pub(super) size: u64,
}

impl Packer<'_> {
    /// Packs a batch.
    pub(super) fn pack_batch(&self, files: &[SurveyedFile]) -> ZipResult<PackedBatch> {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        let mut bytes = Vec::new();
        let outcomes = files.iter().map(|file| self.pack_file(&mut zip, file, &mut bytes));
        let outcomes = outcomes.collect::<ZipResult<_>>()?;
        Ok(PackedBatch { archive: ZipArchive::new(zip.finish()?)?, outcomes })
    }

    fn pack_file(
        &self,
        zip: &mut ZipWriter<Cursor<Vec<u8>>>,
        file: &SurveyedFile,
        bytes: &mut Vec<u8>,
    ) -> ZipResult<Outcome> {
        let SurveyedFile { key, path, .. } = file;
        let stat = match self.disk.read(path, bytes) {
            Ok(stat) => stat,
            Err(ReadError::Missing) => return Ok(Outcome::Missing),
            Err(ReadError::TooLarge(_)) => return Ok(Outcome::TooLarge),
            Err(error) => return Ok(Outcome::Unreadable(error)),
        };
        let defect = (self.validate)(key, bytes).err();
        let without_secrets;
        let content = if self.secrets || !secrets::has_secrets(key) {
            bytes
        } else {
            match secrets::remove_secrets(key, bytes) {
                Some(rest) => without_secrets = rest,
                None => return Ok(Outcome::Read { stat, defect, packed: None }),
            }
            &without_secrets
        };
        let name = name_in_archive(path, defect.is_none());
        write_json(zip, &name, content, zip_options(&stat))?;
        let (sum, size) = (Sha256::digest(content).into(), content.len() as u64);
        Ok(Outcome::Read { stat, defect, packed: Some(PackedContent { name, sum, size }) })
    }
}

/// Returns the name in the archive of a file that can or cannot be restored.
pub(super) fn name_in_archive(path: &str, is_restorable: bool) -> String {
    if is_restorable { path.to_string() } else { format!("{ASIDE}{path}") }
}

/// Appends a file, compressed unless that would look like a ZIP bomb.
pub(super) fn write_json<W: io::Write + io::Seek>(
    zip: &mut ZipWriter<W>,
    name: &str,
    bytes: &[u8],
    options: SimpleFileOptions,
) -> ZipResult<()> {
    // At the default level: for files of a few kilobytes, 2 to 6 take as long and save as much.
    let deflated = options.compression_method(CompressionMethod::Deflated);
    if bytes.len() <= SMALL_BYTES {
        // The writer keeps its encoder from one file to the next.
        zip.start_file(name, deflated)?;
        return Ok(zip.write_all(bytes)?);
    }
    let mut packed = PreparedZipFile::from_data(name, deflated, bytes)?;
    if packed.compressed_size().saturating_mul(RATIO_MAX) < bytes.len() as u64 {
        let stored = options.compression_method(CompressionMethod::Stored);
        packed = PreparedZipFile::from_data(name, stored, bytes)?;
    }
    zip.add_prepared_file(packed)
}

/// Returns the options of an entry. The modification time is informative; readers ignore it.
pub(super) fn zip_options(stat: &Stat) -> SimpleFileOptions {
    let at = Timestamp::from_seconds(stat.modified_ns.div_euclid(1_000_000_000)).to_string();
    let number = |from: usize, to: usize| at.get(from..to).and_then(|it| it.parse::<u16>().ok());
    let small = |from: usize| number(from, from + 2).and_then(|it| u8::try_from(it).ok());
    let time = || {
        let (year, month, day) = (number(0, 4)?, small(5)?, small(8)?);
        let (hour, minute, second) = (small(11)?, small(14)?, small(17)?);
        DateTime::from_date_and_time(year, month, day, hour, minute, second).ok()
    };
    let options = SimpleFileOptions::default().unix_permissions(0o600);
    options.last_modified_time(time().unwrap_or_default())
}
