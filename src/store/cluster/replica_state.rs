//! The state of a replica, in a file beside it: which commit of which database it has.

use std::fs;
use std::io;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::store::cluster::database::Seen;
use crate::store::data_folder::DataFolder;
use crate::store::disk::make_private_folder;
use crate::store::error::StoreError;
use crate::store::layout;

/// The content of the file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ReplicaState {
    /// The id of the database.
    pub(crate) database: String,
    /// The last commit whose files are in the replica.
    pub(crate) position: u64,
    /// Its id.
    pub(crate) commit: String,
    /// The start of the machine during which this was written. Replicas are not synced: after a
    /// power failure any file may be old or empty.
    pub(crate) boot: String,
}

impl ReplicaState {
    /// Reads the state of a replica; none if the folder is not one.
    pub(crate) fn read(places: &DataFolder) -> io::Result<Option<ReplicaState>> {
        match fs::read(places.resolve_path(layout::REPLICA)) {
            Ok(bytes) => Ok(Some(serde_json::from_slice(&bytes).unwrap_or_default())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Writes the state of a replica that is about to be made.
    pub(crate) fn create(&self, places: &DataFolder) -> io::Result<()> {
        make_private_folder(&places.resolve_path(layout::RUNTIME))?;
        self.write(places)
    }

    /// Writes the state, so that a killed process leaves the old or the new one.
    pub(crate) fn write(&self, places: &DataFolder) -> io::Result<()> {
        let path = places.resolve_path(layout::REPLICA);
        let beside = path.with_extension("new");
        // A struct of strings and numbers can always be serialized.
        let bytes = serde_json::to_vec(self).unwrap_or_default();
        fs::write(&beside, bytes)?;
        fs::rename(&beside, &path)
    }

    /// Returns the last commit whose files are in the replica.
    pub(crate) fn seen(&self) -> Seen {
        Seen { position: self.position, commit: self.commit.clone() }
    }
}

/// Returns the id of the current start of the machine; empty if it is not known.
pub(crate) fn boot_id() -> &'static str {
    static BOOT: LazyLock<String> = LazyLock::new(|| {
        let read = fs::read_to_string("/proc/sys/kernel/random/boot_id");
        read.map(|it| it.trim().to_string()).unwrap_or_default()
    });
    &BOOT
}

/// Returns true if a folder is the replica of a database, and has all files. That of a server which
/// started a moment ago may lack some, see [`Replica::open_to_load`].
///
/// [`Replica::open_to_load`]: crate::store::cluster::replica::Replica::open_to_load
pub fn is_complete_replica(places: &DataFolder) -> bool {
    let state = ReplicaState::read(places).ok().flatten();
    state.is_some_and(|it| it.position > 0)
}

/// Refuses a folder that is the replica of a database: what is changed in it would be lost.
pub(crate) fn expect_no_replica(places: &DataFolder) -> Result<(), StoreError> {
    let read = ReplicaState::read(places).map_err(StoreError::io("read", layout::REPLICA))?;
    if read.is_none() {
        return Ok(());
    }
    let root = places.root().display();
    Err(StoreError::Places(format!(
        "{root} is the replica of a database: name the database with `--store`, or copy its content \
         into a folder with `recto copy`. To use the folder by itself, remove {root}/{}",
        layout::REPLICA
    )))
}
