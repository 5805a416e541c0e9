//! Local files, read as a database stores them.

use std::fs::File;
use std::io;

use sha2::{Digest, Sha256};

use crate::stdx::checksum::{ByteChecksum, Checksum};
use crate::store::cluster::database::{
    BlobId, Database, DatabaseContent, DatabaseFile, DatabaseFileFacts, to_store_error,
};
use crate::store::disk::{Disk, Stat};
use crate::store::error::StoreError;

/// The size from which a content is a blob of its own.
const BLOB_BYTES_MIN: u64 = 1024 * 1024;

/// Reads a local file as it is to be stored under a path. A large content is stored at once.
pub(crate) fn read_stored(
    disk: &dyn Disk,
    database: &dyn Database,
    path: String,
    from: &str,
) -> Result<DatabaseFile, StoreError> {
    let (mut file, stat) = open_file(disk, from)?;
    let failed = |error| StoreError::io("read", from)(error);
    let facts = |sum| DatabaseFileFacts {
        path: path.clone(),
        size: stat.size,
        sum: Some(sum),
        modified_ns: stat.modified_ns,
    };
    if stat.size < BLOB_BYTES_MIN {
        let mut bytes = Vec::with_capacity(stat.size.try_into().unwrap_or_default());
        io::Read::read_to_end(&mut file, &mut bytes).map_err(failed)?;
        let facts = facts(Checksum::of_bytes(&bytes));
        return Ok(DatabaseFile { facts, content: DatabaseContent::Bytes(bytes) });
    }
    let (blob, sum) = store_file(database, &mut file, from)?;
    Ok(DatabaseFile { facts: facts(sum), content: DatabaseContent::Blob(blob) })
}

/// Stores the content of a local file if it is large, so that [`read_stored`] finds it stored.
pub(crate) fn store_if_large(
    disk: &dyn Disk,
    database: &dyn Database,
    path: &str,
) -> Result<(), StoreError> {
    let (mut file, stat) = open_file(disk, path)?;
    if stat.size < BLOB_BYTES_MIN {
        return Ok(());
    }
    store_file(database, &mut file, path).map(drop)
}

fn store_file(
    database: &dyn Database,
    file: &mut File,
    path: &str,
) -> Result<(BlobId, Checksum), StoreError> {
    let (blob, sum) = identify_blob(file).map_err(StoreError::io("read", path))?;
    io::Seek::rewind(file).map_err(StoreError::io("read", path))?;
    database.store_blob(&blob, file).map_err(to_store_error)?;
    Ok((blob, sum))
}

/// Computes the checksum of a local file.
pub(crate) fn sum_file(disk: &dyn Disk, path: &str) -> Result<Checksum, StoreError> {
    let (mut file, _) = open_file(disk, path)?;
    sum_of(&mut file).map_err(StoreError::io("read", path))
}

fn open_file(disk: &dyn Disk, path: &str) -> Result<(File, Stat), StoreError> {
    disk.open(path).map_err(|error| StoreError::io("read", path)(error.into_io()))
}

fn identify_blob(file: &mut File) -> io::Result<(BlobId, Checksum)> {
    let (mut hash, mut sum) = (Sha256::new(), ByteChecksum::default());
    read_chunks(file, |chunk| {
        hash.update(chunk);
        sum.add(chunk);
    })?;
    Ok((BlobId(hash.finalize().into()), sum.finish()))
}

pub(crate) fn sum_of(file: &mut File) -> io::Result<Checksum> {
    let mut sum = ByteChecksum::default();
    read_chunks(file, |chunk| sum.add(chunk))?;
    Ok(sum.finish())
}

fn read_chunks(file: &mut File, mut each: impl FnMut(&[u8])) -> io::Result<()> {
    let mut chunk = vec![0; 64 * 1024];
    loop {
        match io::Read::read(file, &mut chunk)? {
            0 => return Ok(()),
            read => each(chunk.get(..read).unwrap_or_default()),
        }
    }
}
