//! The content of a file, with its checksum and, where it is known, its value.

use std::ops::Deref;
use std::sync::Arc;

use bytes::Bytes;

use crate::stdx::checksum::Checksum;
use crate::stdx::json::Json;

/// The content of a file. It is shared, and its checksum is computed once.
#[derive(Clone, Debug)]
pub struct SummedContent {
    bytes: Bytes,
    sum: Checksum,
    json: Option<Arc<Json>>,
}

impl SummedContent {
    /// Returns the content that was read together with its checksum.
    pub fn from_read(bytes: Vec<u8>, sum: Checksum) -> SummedContent {
        SummedContent { bytes: bytes.into(), sum, json: None }
    }

    /// Returns the content of a new file with this value. Whoever needs the value of the file later
    /// takes it from here instead of parsing the bytes.
    pub fn from_json(json: Json) -> SummedContent {
        SummedContent::from_text(json.to_file(), json)
    }

    /// Returns the content of a file with this text, which represents this value.
    pub fn from_text(bytes: Vec<u8>, json: Json) -> SummedContent {
        debug_assert_eq!(Json::parse(&bytes).as_ref(), Ok(&json));
        SummedContent { json: Some(Arc::new(json)), ..bytes.into() }
    }

    /// Returns the checksum.
    pub fn sum(&self) -> Checksum {
        self.sum
    }

    /// Returns the value that the bytes represent, if the content was made from one.
    pub fn json(&self) -> Option<&Json> {
        self.json.as_deref()
    }
}

impl From<Vec<u8>> for SummedContent {
    fn from(bytes: Vec<u8>) -> SummedContent {
        let sum = Checksum::of_bytes(&bytes);
        SummedContent::from_read(bytes, sum)
    }
}

impl Default for SummedContent {
    fn default() -> SummedContent {
        Vec::new().into()
    }
}

/// Contents are equal if their bytes are.
impl PartialEq for SummedContent {
    fn eq(&self, other: &SummedContent) -> bool {
        self.bytes == other.bytes
    }
}

impl Eq for SummedContent {}

impl Deref for SummedContent {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes
    }
}
