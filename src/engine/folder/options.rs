//! The options with which a data folder is opened.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::model::settings::REVISIONS_KEPT_DEFAULT;
use crate::stdx::clock::Clock;
use crate::store::cluster::database::Database;
use crate::store::disk::Disk;

/// The options with which a data folder is opened.
pub struct EngineOptions {
    /// The data folder, which exists.
    pub root: PathBuf,
    /// The folder of users, tokens, backups and caches, unless the data folder holds them.
    pub state_dir: Option<PathBuf>,
    /// The beginning of absolute URLs, without a slash at the end.
    pub base_url: String,
    /// True if nothing is ever written, not even caches, and no lock is taken.
    pub read_only: bool,
    /// True if the last good version of a broken file is served in its place.
    pub serves_last_good: bool,
    /// The time to wait for another server of the folder to end.
    pub lock_wait: Duration,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// The number of revisions of an entry that are kept; 0 for none, negative for all.
    pub revisions_kept_max: i64,
    /// True if that number counts regardless of the settings of the installation.
    pub revisions_are_pinned: bool,
    /// The database in which several servers keep the content; `root` is the replica of this one.
    pub database: Option<Arc<dyn Database>>,
    /// A disk in the place of `root` and of the state directory, which then hold only locks and
    /// caches. For tests.
    pub disk: Option<Arc<dyn Disk>>,
}

impl EngineOptions {
    /// For reading and writing, with URLs that begin at the root.
    pub fn new(root: PathBuf, clock: Arc<dyn Clock>) -> EngineOptions {
        EngineOptions {
            root,
            state_dir: None,
            base_url: String::new(),
            read_only: false,
            serves_last_good: true,
            lock_wait: Duration::ZERO,
            clock,
            revisions_kept_max: REVISIONS_KEPT_DEFAULT,
            revisions_are_pinned: false,
            database: None,
            disk: None,
        }
    }
}
