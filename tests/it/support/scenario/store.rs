//! The store of a scenario: its folder, or with `RECTO_TEST_STORE=memory` a database, of which the
//! folder is the replica.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use recto::store::cluster::copy::copy_into_database;
use recto::store::cluster::database::Database;
use recto::store::cluster::memory_database::MemoryDatabase;
use recto::store::disk::OsDisk;
use recto::store::layout;

/// The database of a scenario.
pub(super) struct ScenarioDatabase(MemoryDatabase);

impl ScenarioDatabase {
    /// Returns a database if scenarios are to be played on one.
    pub(super) fn from_environment() -> Option<ScenarioDatabase> {
        match std::env::var("RECTO_TEST_STORE").as_deref() {
            Ok("memory") => Some(ScenarioDatabase(MemoryDatabase::default())),
            Ok(other) => panic!("there is no store {other:?}"),
            Err(_) => None,
        }
    }

    /// Moves what is in the folder into the database.
    pub(super) fn fill(&self, folder: &Path) {
        let disk = OsDisk::open(folder).unwrap();
        copy_into_database(&disk, &self.0).unwrap();
        for top in [layout::WORKSPACES, layout::SYSTEM, layout::SESSIONS] {
            let place = folder.join(top);
            if place.exists() {
                fs::remove_dir_all(place).unwrap();
            }
        }
    }

    /// The access of a server.
    pub(super) fn connect(&self) -> Arc<dyn Database> {
        Arc::new(self.0.connect())
    }

    /// Edits a file as somebody does who changes the database itself. Returns false if it is none
    /// of the database.
    pub(super) fn edit(&self, path: &str, bytes: Option<&[u8]>) -> bool {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
        let is_shared = layout::is_shared(path);
        if is_shared {
            self.0.edit_file(path, bytes, now.as_nanos().try_into().unwrap());
        }
        is_shared
    }
}
