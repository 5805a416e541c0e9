//! The inventories of readers: the current ones, made when somebody asks, and earlier ones, from
//! memory or from the data folder. What they are made of is not known here.

use std::sync::Arc;

use quick_cache::Weighter;
use quick_cache::sync::Cache;

use crate::engine::folder::OpenFolder;
use crate::query::inventory::Inventory;
use crate::query::inventory::section::Section;
use crate::query::inventory::section::SectionKey;
use crate::stdx::checksum::Checksum;
use crate::stdx::checksum::ChecksumBuilder;
use crate::stdx::sync::Mutex;

/// The most bytes of current inventories in memory, and of earlier ones.
const CACHE_BYTES: u64 = 32 * 1024 * 1024;

/// The usual number of inventories of each sort.
const CACHED_USUAL: usize = 256;

/// The number of readers for whom inventories are made at a time.
const BUILDERS: usize = 16;

/// The inventories of all readers.
pub struct Inventories {
    /// The newest of each reader.
    current: Cache<Checksum, Arc<CurrentInventory>, InventoryWeighter>,
    /// Earlier ones by their keys.
    earlier: Cache<Checksum, Arc<Inventory>, InventoryWeighter>,
    /// Held while the inventory of a reader is made, so that many who wait for the same share one.
    building: [Mutex<()>; BUILDERS],
}

/// The inventory of a reader, with the facts that it was made of.
pub(super) struct CurrentInventory {
    /// The version of the snapshot.
    pub(super) version: u64,
    /// A checksum for each section of everything that it depends on: the section stays as long as
    /// this does.
    pub(super) stamps: Vec<(SectionKey, Checksum)>,
    pub(super) inventory: Arc<Inventory>,
}

#[derive(Clone)]
struct InventoryWeighter;

impl Weighter<Checksum, Arc<Inventory>> for InventoryWeighter {
    fn weight(&self, _: &Checksum, inventory: &Arc<Inventory>) -> u64 {
        inventory.memory_bytes() as u64 + 256
    }
}

impl Weighter<Checksum, Arc<CurrentInventory>> for InventoryWeighter {
    fn weight(&self, key: &Checksum, current: &Arc<CurrentInventory>) -> u64 {
        self.weight(key, &current.inventory)
    }
}

impl Default for Inventories {
    fn default() -> Inventories {
        let weighter = InventoryWeighter;
        Inventories {
            current: Cache::with_weighter(CACHED_USUAL, CACHE_BYTES, weighter.clone()),
            earlier: Cache::with_weighter(CACHED_USUAL, CACHE_BYTES, weighter),
            building: Default::default(),
        }
    }
}

impl Inventories {
    /// Returns what a reader sees in a snapshot of this version, and keeps it, so that its cursor
    /// can be given away. `build` makes it out of the last one.
    pub(super) fn get_or_build(
        &self,
        folder: &OpenFolder,
        reader: Checksum,
        version: u64,
        build: impl FnOnce(Option<&CurrentInventory>) -> CurrentInventory,
    ) -> Arc<Inventory> {
        let found = || self.current.get(&reader).filter(|it| it.version == version);
        let current = found().unwrap_or_else(|| {
            let place = usize::try_from(reader.0 % BUILDERS as u64).unwrap_or_default();
            let _turn = self.building.get(place).map(Mutex::lock);
            found().unwrap_or_else(|| {
                let last = self.current.get(&reader);
                let built = build(last.as_deref());
                self.keep(folder, reader, last.as_deref(), built)
            })
        });
        // It may have been removed meanwhile.
        let key = compute_key(reader, current.inventory.sum);
        folder.save_inventory(key, &current.inventory, None);
        current.inventory.clone()
    }

    /// Keeps a new inventory in memory and in the folder, there as changes of the last one.
    fn keep(
        &self,
        folder: &OpenFolder,
        reader: Checksum,
        last: Option<&CurrentInventory>,
        built: CurrentInventory,
    ) -> Arc<CurrentInventory> {
        let (key, built) = (compute_key(reader, built.inventory.sum), Arc::new(built));
        let base = last.map(|it| (compute_key(reader, it.inventory.sum), &*it.inventory));
        folder.save_inventory(key, &built.inventory, base);
        self.earlier.insert(key, built.inventory.clone());
        // Somebody who began to read before may come late.
        if last.is_none_or(|it| it.version < built.version) {
            self.current.insert(reader, built.clone());
        }
        built
    }

    /// Returns the inventory of a reader with this checksum, if it is kept.
    pub(super) fn find(
        &self,
        folder: &OpenFolder,
        reader: Checksum,
        sum: Checksum,
    ) -> Option<Arc<Inventory>> {
        let key = compute_key(reader, sum);
        if let Some(kept) = self.earlier.get(&key) {
            return Some(kept);
        }
        let loaded = Arc::new(folder.load_inventory(key).filter(|it| it.sum == sum)?);
        self.earlier.insert(key, loaded.clone());
        Some(loaded)
    }
}

impl CurrentInventory {
    /// Returns the section of this key if it has this stamp; `Some(None)` if it is empty.
    pub(super) fn find_section(
        &self,
        key: &SectionKey,
        stamp: Checksum,
    ) -> Option<Option<Arc<Section>>> {
        let known = self.stamps.iter().any(|(it, of)| it == key && *of == stamp);
        known.then(|| self.inventory.find(key).cloned())
    }
}

/// Returns the key under which an inventory is kept. Somebody else who knows the checksum of it
/// finds nothing with it.
fn compute_key(reader: Checksum, sum: Checksum) -> Checksum {
    ChecksumBuilder::new().add_number(reader.0).add_number(sum.0).finish()
}
