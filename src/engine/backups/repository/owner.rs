//! The owner of a target: the one data folder whose backups it holds. Another one would remove
//! them, and the objects that they need.

use crate::engine::backups::repository::error::TargetError;
use crate::engine::backups::repository::manifest::format_hex;
use crate::store::disk;
use crate::store::disk::Disk;
use crate::store::layout;

/// The length of an id, in hexadecimal digits.
const ID_DIGITS: usize = 32;

/// The data folder that wants to make a backup.
pub struct TargetOwner {
    id: String,
    /// True if the target is taken over from another data folder.
    pub takes_over: bool,
}

impl TargetOwner {
    /// Reads the id of a data folder; one without an id gets one. The id is not part of a backup:
    /// a restored folder is another one, since the first may still be served.
    pub fn load_or_create(disk: &dyn Disk, takes_over: bool) -> Result<TargetOwner, TargetError> {
        let mut bytes = Vec::new();
        let read = disk.read(layout::BACKUP_OWNER, &mut bytes).is_ok();
        let known = if read { String::from_utf8(bytes).ok() } else { None };
        if let Some(id) = known.map(|it| it.trim().to_string()).filter(|it| is_id(it)) {
            return Ok(TargetOwner { id, takes_over });
        }
        let mut random = [0; ID_DIGITS / 2];
        getrandom::fill(&mut random).map_err(|error| TargetError::Unusable(error.to_string()))?;
        let id = format_hex(random);
        disk::make_folders(disk, layout::RUNTIME)?;
        disk::replace_file(disk, layout::BACKUP_OWNER, format!("{id}\n").as_bytes())?;
        Ok(TargetOwner { id, takes_over })
    }

    /// Returns the id.
    pub(super) fn id(&self) -> &str {
        &self.id
    }
}

fn is_id(text: &str) -> bool {
    text.len() == ID_DIGITS && text.bytes().all(|it| it.is_ascii_hexdigit())
}
