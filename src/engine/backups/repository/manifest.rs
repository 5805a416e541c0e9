//! The description of a backup in a target: its manifest, and the list of its files.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde::Serialize;

use crate::model::backup::ArchiveDefect;
use crate::model::backup::Generator;
use crate::model::backup_schedule::StoredBackupName;
use crate::store::disk::Stat;

/// The format version of the targets that this version writes.
pub const FORMAT: u32 = 1;

/// The manifest of a backup.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredManifest {
    /// The format version.
    pub format: u32,
    /// The name. A manifest under another name is refused.
    pub name: StoredBackupName,
    /// The program that made the backup.
    pub generator: Generator,
    /// The number of files.
    pub files: u64,
    /// The size of the files in bytes.
    pub bytes: u64,
    /// The objects with the bytes of the files.
    pub objects: Vec<ObjectEntry>,
    /// The objects that are, one after the other, the list of files: one [`FileLine`] a line.
    pub index: Vec<ObjectId>,
    /// The files that were left out, and the reasons.
    #[serde(default)]
    pub problems: Vec<ArchiveDefect>,
}

impl StoredManifest {
    /// Returns all objects that the backup needs.
    pub fn needed_objects(&self) -> BTreeSet<&ObjectId> {
        self.objects.iter().map(|it| &it.id).chain(&self.index).collect()
    }
}

/// An object of a manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ObjectEntry {
    /// The id.
    pub id: ObjectId,
    /// The size of its content in bytes.
    pub bytes: u64,
}

/// The id of an object: 64 hexadecimal digits, and `.gz` if its content is compressed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ObjectId(String);

/// The end of the ids of objects that are compressed.
const COMPRESSED: &str = ".gz";

impl ObjectId {
    /// Returns the id of an object with this hash.
    pub fn new(hash: &str, is_compressed: bool) -> ObjectId {
        ObjectId(if is_compressed { format!("{hash}{COMPRESSED}") } else { hash.to_string() })
    }

    /// Parses an id. The text is taken exactly as written or rejected.
    pub fn parse(text: &str) -> Option<ObjectId> {
        let hash = text.strip_suffix(COMPRESSED).unwrap_or(text);
        let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        let is_valid = hash.len() == 64 && hash.bytes().all(is_digit);
        is_valid.then(|| ObjectId(text.to_string()))
    }

    /// Returns the id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the hash of the content.
    pub fn hash(&self) -> &str {
        self.0.strip_suffix(COMPRESSED).unwrap_or(&self.0)
    }

    /// Returns true if the content is compressed.
    pub fn is_compressed(&self) -> bool {
        self.0.ends_with(COMPRESSED)
    }
}

impl TryFrom<String> for ObjectId {
    type Error = &'static str;

    fn try_from(text: String) -> Result<ObjectId, &'static str> {
        ObjectId::parse(&text).ok_or("not the id of an object")
    }
}

impl From<ObjectId> for String {
    fn from(id: ObjectId) -> String {
        id.0
    }
}

/// A file of a backup, as a line of the list of files. The line of a file that stays the same is
/// the same in every backup, so that most of the list is in the target already.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileLine {
    /// The path in the data folder.
    pub path: String,
    /// The size in bytes.
    pub size: u64,
    /// The SHA-256 of the bytes, in hexadecimal digits.
    pub sha256: String,
    /// The pieces that the bytes are made of, in their order: object, first byte, number of bytes.
    pub pieces: Vec<(ObjectId, u64, u64)>,
    /// The stat of the file in the data folder, by which the next backup knows it again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stat: Option<StatRecord>,
}

/// A file of a backup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileEntry {
    /// The path in the data folder.
    pub path: String,
    /// The size in bytes.
    pub size: u64,
    /// The SHA-256 of the bytes, in hexadecimal digits.
    pub sha256: String,
    /// The pieces that the bytes are made of, in their order.
    pub pieces: Vec<FilePiece>,
    /// The stat of the file in the data folder.
    pub stat: Option<StatRecord>,
}

/// A piece of a file: a range of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FilePiece {
    /// The place of the object in the manifest.
    pub object: usize,
    /// The first byte.
    pub offset: u64,
    /// The number of bytes.
    pub length: u64,
}

impl FileEntry {
    /// Returns the file of a line. `place` finds an object of the manifest and its size. Returns
    /// nothing if a piece is not in its object.
    pub(super) fn from_line(
        line: FileLine,
        place: impl Fn(&ObjectId) -> Option<(usize, u64)>,
    ) -> Option<FileEntry> {
        let piece = |(id, offset, length): (ObjectId, u64, u64)| {
            let (object, bytes) = place(&id)?;
            (offset.checked_add(length)? <= bytes).then_some(FilePiece { object, offset, length })
        };
        let FileLine { path, size, sha256, pieces, stat } = line;
        let pieces = pieces.into_iter().map(piece).collect::<Option<_>>()?;
        Some(FileEntry { path, size, sha256, pieces, stat })
    }

    /// Returns the line of a file whose pieces are in these objects.
    pub(super) fn to_line(&self, objects: &[ObjectEntry]) -> FileLine {
        let piece =
            |it: &FilePiece| Some((objects.get(it.object)?.id.clone(), it.offset, it.length));
        FileLine {
            path: self.path.clone(),
            size: self.size,
            sha256: self.sha256.clone(),
            pieces: self.pieces.iter().filter_map(piece).collect(),
            stat: self.stat,
        }
    }
}

/// The stat of a file as it is written: `[inode, size, modified_ns, changed_ns]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatRecord(u64, u64, i64, i64);

impl StatRecord {
    /// Returns the record of a stat.
    pub fn new(stat: &Stat) -> StatRecord {
        StatRecord(stat.inode, stat.size, stat.modified_ns, stat.changed_ns)
    }
}

/// Formats a hash as hexadecimal digits.
pub(super) fn format_hex(sum: impl AsRef<[u8]>) -> String {
    sum.as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_objects() {
        let hash = "0123456789abcdef".repeat(4);
        assert_eq!(ObjectId::parse(&hash), Some(ObjectId::new(&hash, false)));
        let packed = ObjectId::parse(&format!("{hash}.gz")).unwrap();
        assert_eq!((packed.hash(), packed.is_compressed()), (hash.as_str(), true));
        for text in ["", ".gz", "0123", &format!("{hash}0"), &format!("{hash}.gz.gz")] {
            assert!(ObjectId::parse(text).is_none(), "{text}");
        }
        for text in [hash.to_uppercase(), format!("../{}", &hash[3..]), hash.replace('0', "g")] {
            assert!(ObjectId::parse(&text).is_none(), "{text}");
        }
    }

    #[test]
    fn files_are_lines() {
        let objects = [ObjectEntry { id: ObjectId::new(&"0".repeat(64), true), bytes: 10 }];
        let file = FileEntry {
            path: "workspaces/main/workspace.json".to_string(),
            size: 7,
            sha256: "00".to_string(),
            pieces: vec![FilePiece { object: 0, offset: 3, length: 7 }],
            stat: Some(StatRecord(1, 7, 2, 3)),
        };
        let id = objects[0].id.as_str();
        let text = format!(
            r#"{{"path":"workspaces/main/workspace.json","size":7,"sha256":"00","pieces":[["{id}",3,7]],"stat":[1,7,2,3]}}"#
        );
        assert_eq!(serde_json::to_string(&file.to_line(&objects)).unwrap(), text);
        let line: FileLine = serde_json::from_str(&text).unwrap();
        let with = |bytes| FileEntry::from_line(line.clone(), |_| Some((0, bytes)));
        assert_eq!((with(10), with(9)), (Some(file), None));
        assert_eq!(FileEntry::from_line(line.clone(), |_| None), None);
    }
}
