//! Stores of objects outside the data folder: files in a directory, or objects in a bucket, with
//! the same names.

pub mod directory;

/// The largest object, in bytes, as it is stored.
pub const OBJECT_BYTES_MAX: u64 = 256 * 1024 * 1024;

/// A stored object.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct StoredObject {
    /// The name, with `/` between its parts.
    pub name: String,
    /// The size in bytes.
    pub size: u64,
}

/// The reason why a store failed: one sentence without secrets, for operators.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct ObjectStoreError(pub String);

/// A store of objects. Names are made of `a-z`, `0-9`, `.`, `-` and `/`, and chosen by the caller.
pub trait ObjectStore: Send + Sync {
    /// Writes an object, in place of one with the same name, and reads it back: after this it is
    /// durable and has these bytes. Nobody ever sees a part of it.
    fn put(&self, name: &str, bytes: &[u8]) -> Result<(), ObjectStoreError>;

    /// Reads an object of at most [`OBJECT_BYTES_MAX`] bytes. Returns `None` if there is none.
    fn get(&self, name: &str) -> Result<Option<Vec<u8>>, ObjectStoreError>;

    /// Lists all objects whose names begin with `prefix`, which ends with `/`, sorted by name.
    fn list(&self, prefix: &str) -> Result<Vec<StoredObject>, ObjectStoreError>;

    /// Deletes an object. Does nothing if there is none.
    fn delete(&self, name: &str) -> Result<(), ObjectStoreError>;

    /// Returns the place as people write it.
    fn place(&self) -> String;
}
