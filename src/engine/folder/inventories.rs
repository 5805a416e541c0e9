//! Inventories in the data folder: whole ones, and small changes of those that are there.

use std::io;

use crate::engine::folder::OpenFolder;
use crate::query::inventory::Inventory;
use crate::query::inventory::codec;
use crate::query::inventory::section::SectionChange;
use crate::stdx::checksum::Checksum;
use crate::store::read::inventory_files::CHAIN_MAX;
use crate::store::read::inventory_files::InventoryFiles;

/// Changes are kept in place of a whole inventory if they are this many times smaller.
const CHANGES_SMALLER: usize = 4;

impl OpenFolder {
    /// Returns the inventory that was kept under this key.
    pub fn load_inventory(&self, key: Checksum) -> Option<Inventory> {
        let files = &self.inventories;
        let mut changes: Vec<Vec<SectionChange>> = Vec::new();
        let mut next = key;
        for _ in 0..=CHAIN_MAX {
            let kept = files.read(next)?;
            let Some(parent) = kept.parent else {
                let whole = codec::decode_inventory(&kept.bytes)?;
                return Some(changes.iter().rev().fold(whole, |it, next| it.with_changes(next)));
            };
            changes.push(codec::decode_changes(&kept.bytes)?);
            next = parent;
        }
        None
    }

    /// Keeps an inventory under a key, as changes of the one at `base` where that is smaller. If it
    /// cannot be kept, its readers have to start again one day.
    pub fn save_inventory(
        &self,
        key: Checksum,
        inventory: &Inventory,
        base: Option<(Checksum, &Inventory)>,
    ) {
        let files = &self.inventories;
        if self.read_only || files.find_depth(key).is_some() {
            return;
        }
        if let Err(error) = write_inventory(files, key, inventory, base) {
            tracing::warn!(%error, "readers of /sync may have to start again after a restart");
        }
    }
}

fn write_inventory(
    files: &InventoryFiles,
    key: Checksum,
    inventory: &Inventory,
    base: Option<(Checksum, &Inventory)>,
) -> io::Result<()> {
    let depth = base.and_then(|(key, _)| files.find_depth(key)).filter(|it| *it < CHAIN_MAX);
    if let (Some((parent, before)), Some(depth)) = (base, depth) {
        let changes = codec::encode_changes(&inventory.changes_since(before));
        if changes.len().saturating_mul(CHANGES_SMALLER) < inventory.memory_bytes() {
            return files.write(key, Some((parent, depth + 1)), &changes);
        }
    }
    files.write(key, None, &codec::encode_inventory(inventory))
}
